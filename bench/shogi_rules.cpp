/// How fast shogi's rules are: nanoseconds of processor time for each operation, over positions of
/// random games, and perft.
///   build/bench/shogi_rules                  prints one JSON object
///   build/bench/shogi_rules OPERATION TIMES  only runs it, for callgrind to count (see .sh)
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "karikomi/games/shogi/game.hpp"

namespace {
using namespace karikomi;
using namespace karikomi::shogi;
using List = MoveList<Move, kMaxMoves>;

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// A position with some of its moves.
struct Case {
    Position pos;
    std::vector<Move> moves;
    std::vector<Move> captures;
};

std::vector<Case> make_cases() {
    std::mt19937 random(1);
    std::vector<Case> cases;
    while (cases.size() < 512) {
        Position pos;
        for (int ply = 0; ply < 160; ++ply) {
            List list;
            pos.generate(list);
            if (list.empty()) break;
            if (random() % 12 == 0) {
                Case& c = cases.emplace_back(Case{pos, {}, {}});
                for (const auto& m : list) {
                    if (random() % 8 == 0) c.moves.push_back(m.move);
                    if (pos.is_tactical(m.move)) c.captures.push_back(m.move);
                }
            }
            Position::Undo undo;
            pos.make(list[random() % list.size()].move, undo);
        }
    }
    return cases;
}

/// Does something with each case and returns how many operations that were; `sum` keeps the
/// compiler from leaving it out.
struct Operation {
    const char* name;
    std::function<std::uint64_t(Case&, std::uint64_t& sum)> run;
};

std::vector<Operation> operations() {
    return {
        {"count_moves",
         [](Case& c, std::uint64_t& sum) {
             sum += static_cast<std::uint64_t>(c.pos.board().count_moves());
             return 1U;
         }},
        {"generate",
         [](Case& c, std::uint64_t& sum) {
             List list;
             c.pos.generate(list);
             sum += list.size();
             return 1U;
         }},
        {"generate_tactical",
         [](Case& c, std::uint64_t& sum) {
             List list;
             c.pos.generate_tactical(list);
             sum += list.size();
             return 1U;
         }},
        {"generate_quiet",
         [](Case& c, std::uint64_t& sum) {
             List list;
             c.pos.generate_quiet(list);
             sum += list.size();
             return 1U;
         }},
        {"make_unmake",
         [](Case& c, std::uint64_t& sum) {
             for (const Move m : c.moves) {
                 Position::Undo undo;
                 c.pos.make(m, undo);
                 sum += c.pos.key();
                 c.pos.unmake(m, undo);
             }
             return c.moves.size();
         }},
        {"is_legal",
         [](Case& c, std::uint64_t& sum) {
             for (const Move m : c.moves) sum += c.pos.is_legal(m) ? 1 : 0;
             return c.moves.size();
         }},
        {"gives_check",
         [](Case& c, std::uint64_t& sum) {
             for (const Move m : c.moves) sum += c.pos.gives_check(m) ? 1 : 0;
             return c.moves.size();
         }},
        {"exchange_value",
         [](Case& c, std::uint64_t& sum) {
             for (const Move m : c.captures) sum += c.pos.exchange_value(m) > 0 ? 1 : 0;
             return c.captures.size();
         }},
        {"mate_in_one",
         [](Case& c, std::uint64_t& sum) {
             sum += c.pos.board().find_mate_in_one().raw();
             return 1U;
         }},
    };
}

double nanoseconds(const Operation& op, std::vector<Case>& cases) {
    double best = 1e9;
    std::uint64_t sum = 0;
    for (int round = 0; round < 20; ++round) {
        const double start = cpu_seconds();
        std::uint64_t n = 0;
        while (cpu_seconds() - start < 0.02) {
            for (Case& c : cases) n += op.run(c, sum);
        }
        best = std::min(best, (cpu_seconds() - start) * 1e9 / static_cast<double>(n));
    }
    if (sum == 1) fmt::print(stderr, "\n");
    return best;
}

double perft_speed(std::string_view sfen, int depth) {
    double best = 0;
    for (int round = 0; round < 5; ++round) {
        Board b = parse_sfen(sfen)->board;
        const double start = cpu_seconds();
        const auto nodes = static_cast<double>(perft(b, depth));
        best = std::max(best, nodes / (cpu_seconds() - start));
    }
    return best;
}

int run_only(std::string_view name, int times) {
    std::vector<Case> cases = make_cases();
    std::uint64_t n = 0;
    std::uint64_t sum = 0;
    for (const Operation& op : operations()) {
        if (name != op.name) continue;
        for (int i = 0; i < times; ++i) {
            for (Case& c : cases) n += op.run(c, sum);
        }
    }
    fmt::print("{}\n", n);
    return sum == 1 ? 1 : 0;
}
}  // namespace

int main(int argc, char** argv) {
    if (argc == 3) return run_only(argv[1], std::atoi(argv[2]));
    std::vector<Case> cases = make_cases();
    double moves = 0;
    for (const Case& c : cases) moves += c.pos.board().count_moves();
    fmt::print("{{\"path\":\"{}\",\"moves_per_position\":{:.1f}", kAttackPath,
               moves / static_cast<double>(cases.size()));
    for (const Operation& op : operations()) {
        fmt::print(",\"{}_ns\":{:.1f}", op.name, nanoseconds(op, cases));
    }
    constexpr std::string_view kMatsuri =
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    fmt::print(",\"perft_start_per_s\":{:.0f},\"perft_matsuri_per_s\":{:.0f}}}\n",
               perft_speed(kStartSfen, 5), perft_speed(kMatsuri, 4));
    return 0;
}
