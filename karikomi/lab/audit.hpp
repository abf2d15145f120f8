/// How often what a search leaves out was wrong: cuts of real searches, drawn at random and
/// searched again in full.
#pragma once

#include "karikomi/lab/ablation.hpp"

namespace karikomi::lab {

struct AuditOptions {
    AblationOptions search;
    std::size_t cuts_a_search = 60;
    std::uint64_t seed = 1;
};
struct AuditCell {
    int stage = -1;
    Depth shallow = 0;
    Depth deep = 0;
    std::int64_t cuts = 0;
    std::int64_t wrong = 0;
};
struct AuditRow {
    std::string name;
    std::string technique;
    double allowed = 0.05;  ///< 1 - p
    std::uint64_t made = 0;
    AuditCell all;
    std::vector<AuditCell> cells;
};
/// Techniques that cut by statistics at the levels that people use, alone.
Expected<std::vector<AuditRow>> run_audit(const AuditOptions& options, const SearchParams& shipped,
                                          const StopToken& stop, const AblationWatch& watch);
Json to_json(const AuditRow& row);

// ---- Inside the shipped search ------------------------------------------------------------------

struct ShippedAuditOptions {
    AblationOptions search;
    std::size_t cuts_a_depth = 4;  ///< of each technique and depth, in each search
    Depth deepest = 5;             ///< deeper cuts are counted, not checked
    std::uint64_t check_nodes = 200'000;
    std::uint64_t seed = 1;
};
/// Cuts at one depth, and by one probe where a probe decides.
struct DepthAudit {
    Depth depth = 0;
    std::uint64_t made = 0;
    std::int64_t checked = 0;
    std::int64_t wrong = 0;
    std::int64_t unfinished = 0;  ///< further checks, which ran out of nodes
    Share share;                  ///< interval by a bootstrap over the searches
    struct Pair {
        Depth shallow = 0;
        std::int64_t checked = 0;
        std::int64_t wrong = 0;
    };
    std::vector<Pair> pairs;  ///< where there is more than one
};
/// What a technique left out, nodes or moves.
struct ShippedAuditRow {
    std::string technique;
    bool of_moves = false;
    std::optional<double> allowed;  ///< 1 - p, where it promises anything
    std::uint64_t made = 0;
    std::uint64_t unchecked = 0;  ///< of them at depths where nothing was checked
    /// Of those at depths that were checked: depths weigh by the cuts made there.
    Share share;
    std::int64_t checked = 0;
    std::vector<DepthAudit> depths;
};
/// Every technique that leaves nodes or moves out, in the search as it is shipped.
Expected<std::vector<ShippedAuditRow>> run_shipped_audit(const ShippedAuditOptions& options,
                                                         const SearchParams& shipped,
                                                         const StopToken& stop,
                                                         const AblationWatch& watch);
Json to_json(const ShippedAuditRow& row);

}  // namespace karikomi::lab
