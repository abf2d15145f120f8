#include "karikomi/lab/futility.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/core/parallel.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/fixed_depth.hpp"
#include "karikomi/lab/store/binary_hash.hpp"

namespace karikomi::lab {
namespace {

/// What decides the gains, as a name in the store.
std::string name_of_run(const GainOptions& o) {
    std::string all = fmt::format("{} {}", o.game, o.depth);
    for (const std::string& p : o.positions) all += "\n" + p;
    return "gains " + hash_of_text(all);
}

Value shortened(Value gain) {
    Value unit = 1;
    while (gain / unit >= 1000) unit *= 10;
    return (gain + unit - 1) / unit * unit;
}

}  // namespace

void Gains::add(Value gain, std::uint64_t times) {
    counts_[shortened(gain)] += times;
    count_ += times;
}

void Gains::add(const Gains& other) {
    for (const auto& [gain, n] : other.counts_) add(gain, n);
}

double Gains::nonzero() const {
    if (count_ == 0) return 0;
    const auto zero = counts_.find(0);
    const std::uint64_t none = zero == counts_.end() ? 0 : zero->second;
    return 1.0 - static_cast<double>(none) / static_cast<double>(count_);
}

std::uint64_t Gains::outliers() const {
    std::uint64_t n = 0;
    for (auto it = counts_.lower_bound(kOutlier); it != counts_.end(); ++it) n += it->second;
    return n;
}

Value Gains::quantile(double q, Value below) const {
    std::uint64_t all = 0;
    const auto end = counts_.lower_bound(below);
    for (auto it = counts_.begin(); it != end; ++it) all += it->second;
    std::uint64_t seen = 0;
    Value last = 0;
    for (auto it = counts_.begin(); it != end; ++it) {
        seen += it->second;
        last = it->first;
        if (static_cast<double>(seen) >= q * static_cast<double>(all)) break;
    }
    return last;
}

Json to_json(const GainTable& table) {
    Json out = Json::array();
    for (const auto& [cell, gains] : table) {
        Json counts = Json::array();
        for (const auto& [gain, n] : gains.counts()) counts.push_back({gain, n});
        out.push_back({cell.opponent, cell.colour, cell.depth, cell.stage, counts});
    }
    return out;
}

GainTable gains_of(const Json& json) {
    GainTable table;
    for (const Json& row : json) {
        Gains& gains = table[{row.at(0), row.at(1), row.at(2), row.at(3)}];
        for (const Json& c : row.at(4)) gains.add(c.at(0).get<Value>(), c.at(1));
    }
    return table;
}

void merge(GainTable& to, const GainTable& from) {
    for (const auto& [cell, gains] : from) to[cell].add(gains);
}

GainTable over_stages(const GainTable& table) {
    GainTable out;
    for (const auto& [cell, gains] : table) {
        out[{cell.opponent, cell.colour, cell.depth, -1}].add(gains);
    }
    return out;
}

Expected<bool> measure_gains(const GainOptions& o, SampleStore& store, const StopToken& stop,
                             const GainWatch& watch) {
    const std::string name = name_of_run(o);
    const auto known = store.records(name);
    std::atomic<std::size_t> next{0};
    std::mutex mutex;  // guards all below
    Status status;
    std::size_t done = known.size();
    run_crew(o.threads, [&](int) {
        auto engine = make_engine(o.game, {o.weights_file});
        if (!engine) return;
        (*engine)->set_hash(static_cast<std::size_t>(o.hash_mb));
        SearchParams params = (*engine)->params();
        params.selective.disable_all();
        (void)(*engine)->set_params(params);
        for (std::size_t i = next++; i < o.positions.size() && !stop.stop_requested(); i = next++) {
            if (known.contains(i)) continue;
            std::vector<GainSample> samples;
            SearchRequest request = fixed_depth(o.depth, stop);
            request.gains = &samples;
            (*engine)->new_game();
            if (const Status s = (*engine)->set_position(o.positions[i]); !s) {
                const std::lock_guard lock(mutex);
                status = s;
                return;
            }
            (void)(*engine)->search(request);
            if (stop.stop_requested()) return;  // half a search says nothing
            GainTable table;
            for (const GainSample& s : samples) {
                table[{s.opponent, s.colour, s.depth, s.stage}].add(s.gain());
            }
            const std::lock_guard lock(mutex);
            store.save_record(name, i, to_json(table));
            ++done;
            if (watch) watch(done);
        }
    });
    if (!status) return status.error();
    return done >= o.positions.size();
}

GainTable stored_gains(const GainOptions& o, const SampleStore& store) {
    GainTable out;
    for (const auto& [number, record] : store.records(name_of_run(o))) merge(out, gains_of(record));
    return out;
}

Margins margins_at(const GainTable& table, double quantile) {
    constexpr Depth kDeepest = 3;
    using Row = std::array<std::optional<Value>, kDeepest + 1>;
    // Rows in the order self first, self second, opponent first, opponent second.
    std::array<Row, 4> measured;
    const auto name_of = [](std::size_t row) {
        return fmt::format("{}_{}", row < 2 ? "self" : "opponent",
                           row % 2 == 0 ? "first" : "second");
    };
    for (std::size_t row = 0; row < measured.size(); ++row) {
        for (Depth d = 1; d <= kDeepest; ++d) {
            const auto found = table.find({row >= 2, static_cast<int>(row % 2), d, -1});
            if (found == table.end()) continue;
            // Outliers alone are no samples: their quantile would be 0.
            if (found->second.count() == found->second.outliers()) continue;
            measured[row][static_cast<std::size_t>(d)] = found->second.quantile(quantile);
        }
    }
    Margins out;
    /// The margin of a cell that has none, and where it comes from.
    const auto borrow = [&](std::size_t row, Depth d) -> std::pair<Value, std::string> {
        for (const std::size_t other : {row, row ^ 1U, row ^ 2U, row ^ 3U}) {
            for (Depth off = 0; off < kDeepest; ++off) {
                for (const Depth near : {d - off, d + off}) {
                    if (near < 1 || near > kDeepest) continue;
                    const auto& m = measured[other][static_cast<std::size_t>(near)];
                    if (m) return {*m, fmt::format("{} depth {}", name_of(other), near)};
                }
            }
        }
        return {0, ""};
    };
    for (std::size_t row = 0; row < measured.size(); ++row) {
        std::vector<Value> margins = {0};
        for (Depth d = 1; d <= kDeepest; ++d) {
            if (const auto& m = measured[row][static_cast<std::size_t>(d)]) {
                margins.push_back(*m);
                continue;
            }
            const auto [margin, from] = borrow(row, d);
            if (from.empty()) return {};
            margins.push_back(margin);
            out.borrowed.push_back(
                fmt::format("{} depth {}: no samples, as {}", name_of(row), d, from));
        }
        out.settings.push_back(
            fmt::format("futility.{}=[{}]", name_of(row), fmt::join(margins, ",")));
    }
    return out;
}

}  // namespace karikomi::lab
