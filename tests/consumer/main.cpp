/// An outside program with a game of its own: Nim with one heap. Take 1 to 3 stones; who takes the
/// last one wins. A heap that is a multiple of four is lost for the side to move.
#include <cstdio>

#include <karikomi/core/horizon.hpp>
#include <karikomi/core/searcher.hpp>

namespace nim {

struct Move {
    karikomi::MoveCode code = 0;
    karikomi::MoveCode raw() const { return code; }
    static Move from_raw(karikomi::MoveCode c) { return {c}; }
    bool operator==(const Move&) const = default;
};
struct Undo {};

struct Position {
    int heap = 0;
    int moves = 0;
    karikomi::Key key() const {
        return (static_cast<karikomi::Key>(heap) * 2 + static_cast<karikomi::Key>(side()) + 1) *
               0x9E3779B97F4A7C15ull;
    }
    int side() const { return moves & 1; }
    std::optional<karikomi::Value> outcome(int ply) const {
        if (heap == 0) return karikomi::loss_in(ply);
        return std::nullopt;
    }
    karikomi::Value no_moves_value(int) const { return 0; }
    template <class List> void generate(List& list) const {
        for (int n = 1; n <= std::min(3, heap); ++n) {
            list.push(Move{static_cast<karikomi::MoveCode>(n)});
        }
    }
    bool is_legal(Move m) const { return m.code >= 1 && m.code <= 3 && m.code <= heap; }
    void make(Move m, Undo&) { heap -= m.code, ++moves; }
    void unmake(Move m, const Undo&) { heap += m.code, --moves; }
    int stage() const { return 0; }
    int history_slot(Move m) const { return m.code; }
};

struct Evaluator {
    static constexpr std::string_view id() { return "nim-nothing"; }
    karikomi::Value evaluate(const Position&) const { return 0; }
};
struct Ordering {
    static void score(const Position&, std::span<karikomi::ScoredMove<Move>> moves, int) {
        for (auto& m : moves) m.score = 0;
    }
};
struct Game {
    using Move = nim::Move;
    using Undo = nim::Undo;
    using Position = nim::Position;
    using Evaluator = nim::Evaluator;
    using Ordering = nim::Ordering;
    using Horizon = karikomi::StaticHorizon;
    static constexpr std::string_view kName = "nim";
    static constexpr std::size_t kMaxMoves = 3;
    static constexpr int kHistorySlots = 4;
    static constexpr int kStages = 1;
};
static_assert(karikomi::Game<Game>);

}  // namespace nim

int main() {
    karikomi::Searcher<nim::Game> searcher;
    for (int heap = 1; heap <= 20; ++heap) {
        nim::Position pos;
        pos.heap = heap;
        karikomi::Limits limits;
        limits.depth = heap + 1;
        searcher.new_game();
        const auto found = searcher.search(pos, limits);
        const bool wins = found.lines.front().value >= karikomi::kDecisive;
        if (wins != (heap % 4 != 0)) {
            std::printf("heap %d: value %d is wrong\n", heap, found.lines.front().value);
            return 1;
        }
    }
    std::printf("nim: 20 heaps right\n");
    return 0;
}
