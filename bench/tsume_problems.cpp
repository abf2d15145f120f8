/// Mate problems of our own making: positions shortly before the end of our own quick games, with
/// the shortest mate by checks alone that was found (3 to 25 plies), and positions where there is
/// none. One a line:
///   SFEN ; PLIES ; LINE        or        SFEN ; nomate
///   build/bench/tsume_problems PER_LENGTH SEED SECONDS > tests/games/shogi/tsume_problems.txt
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "bench/random_positions.hpp"
#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shipped.hpp"
#include "karikomi/games/shogi/game.hpp"
#include "karikomi/games/shogi/tsume.hpp"

namespace {
using namespace karikomi;

constexpr int kShortest = 3;
constexpr int kLongest = 25;
constexpr int kLookBack = 34;  ///< plies before the end of a game

class Collector {
public:
    explicit Collector(int per_length) : wanted_(per_length) {}

    void look(const std::string& sfen) {
        const auto diagram = shogi::parse_sfen(sfen);
        if (!diagram) return;
        shogi::TsumeOptions o;
        o.max_nodes = 60'000;
        o.hash_mb = 8;
        o.shortest = true;
        const shogi::TsumeResult r = shogi::solve_tsume(diagram->board, o);
        if (r.verdict == shogi::TsumeVerdict::NoMate) return deny(sfen, r.nodes);
        if (r.verdict != shogi::TsumeVerdict::Mate) return;
        const int plies = static_cast<int>(r.line.size());
        if (plies < kShortest || plies > kLongest || found_[plies] >= wanted_) return;
        if (!seen_.insert(sfen).second || !shogi::is_mating_line(diagram->board, r.line)) return;
        ++found_[plies];
        std::string line;
        for (const shogi::Move m : r.line) line += " " + shogi::format_usi(m);
        fmt::print("{} ; {} ;{}\n", sfen, plies, line);
        std::fflush(stdout);
    }
    bool is_full() {
        for (int plies = kShortest; plies <= kLongest; plies += 2) {
            if (found_[plies] < wanted_) return false;
        }
        return true;
    }

private:
    /// Only those that take some work to refute.
    void deny(const std::string& sfen, std::uint64_t nodes) {
        if (nodes < 200 || denied_ >= 3 * wanted_ || !seen_.insert(sfen).second) return;
        ++denied_;
        fmt::print("{} ; nomate\n", sfen);
    }

    int wanted_;
    int denied_ = 0;
    std::map<int, int> found_;
    std::set<std::string> seen_;
};

/// The last positions of a quick game.
std::vector<std::string> end_of_a_game(Engine& engine, bench::Random& random) {
    engine.new_game();
    std::vector<std::string> positions;
    if (!bench::play_randomly(engine, 10 + random.below(10), random)) return positions;
    for (int ply = 0; ply < 300 && !engine.winner(); ++ply) {
        positions.push_back(engine.position_text());
        SearchRequest request;
        request.limits.nodes = 300 + random.below(1500);
        const auto found = engine.search(request);
        if (!found || found->best_move.empty() || !engine.play(found->best_move)) break;
    }
    if (positions.size() > kLookBack)
        positions.erase(positions.begin(), positions.end() - kLookBack);
    return positions;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        fmt::print(stderr, "usage: tsume_problems PER_LENGTH SEED SECONDS\n");
        return 2;
    }
    (void)register_games(shipped_games());
    const auto engine = make_engine("shogi");
    bench::Random random(static_cast<std::uint64_t>(std::atoll(argv[2])));
    Collector collector(std::atoi(argv[1]));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(argv[3]));
    while (!collector.is_full() && std::chrono::steady_clock::now() < end) {
        for (const std::string& sfen : end_of_a_game(**engine, random)) collector.look(sfen);
    }
    return 0;
}
