#include "karikomi/games/shogi/tsume.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <unordered_map>

#include "karikomi/engine/proof.hpp"
#include "karikomi/games/shogi/movegen.hpp"
#include "karikomi/games/shogi/tsume_table.hpp"

namespace karikomi::shogi {
namespace {

constexpr int kDeepest = 1000;  ///< plies; beyond, nothing is claimed
constexpr int kFree = std::numeric_limits<std::uint16_t>::max();  ///< rests on no repetition
constexpr std::uint64_t kPollInterval = 512;                      ///< nodes

struct CodeList {
    std::vector<MoveCode>& codes;
    void push(Move m) { codes.push_back(m.raw()); }
};

/// Moves of the attacker (checks) or of the defender (all).
void generate(const Board& b, bool attacker, std::vector<MoveCode>& out) {
    CodeList list{out};
    generate_moves<Stage::All, Promotions::Every>(b, list);
    if (attacker) std::erase_if(out, [&](MoveCode m) { return !b.gives_check(Move::from_raw(m)); });
}

class Budget {
public:
    explicit Budget(const TsumeOptions& o) : o_(o) {}
    /// Counts a node; false when the search must end.
    bool spend() {
        ++nodes_;
        if (o_.max_nodes > 0 && nodes_ >= o_.max_nodes) over_ = true;
        if (nodes_ % kPollInterval == 1) {
            const std::int64_t now = o_.time_ms > 0 || o_.report ? elapsed_us() : 0;
            if (o_.time_ms > 0 && now >= o_.time_ms * 1000) over_ = true;
            if (o_.stop.stop_requested()) over_ = true;
            report_due_ = o_.report && now >= next_report_us_;
        }
        return !over_;
    }
    bool over() const { return over_; }
    /// True once when it is time to say how things go.
    bool is_report_due() {
        if (!report_due_) return false;
        report_due_ = false;
        next_report_us_ = elapsed_us() + o_.report_ms * 1000;
        return true;
    }
    void report(TsumeProgress progress) const {
        progress.nodes = nodes_;
        progress.time_us = elapsed_us();
        o_.report(progress);
    }
    std::uint64_t nodes() const { return nodes_; }
    std::int64_t elapsed_us() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    const TsumeOptions& o_;
    Clock::time_point start_ = Clock::now();
    std::uint64_t nodes_ = 0;
    std::int64_t next_report_us_ = o_.report_ms * 1000;
    bool report_due_ = false;
    bool over_ = false;
};

class ProofSearch {
public:
    ProofSearch(const Board& board, Budget& budget, std::size_t megabytes)
        : board_(board), budget_(budget), table_(megabytes) {}

    TsumeVerdict run() {
        const Found f = solve();
        if (f.numbers.is_proven()) return TsumeVerdict::Mate;
        if (f.numbers.is_disproven() && !truncated_) return TsumeVerdict::NoMate;
        return TsumeVerdict::Unknown;
    }
    /// After a proof: the attacker's quickest known way against the longest known defence.
    std::vector<Move> line();

private:
    struct Found {
        ProofNumbers numbers;
        int plies = 0;         ///< proven: to the mate
        int rests_on = kFree;  ///< disproven: the ply of the repeated position
    };
    struct Child {
        MoveCode move = kNoMove;
        Found found;
    };
    struct Limits {
        Proof proof;
        Proof disproof;
    };
    struct Choice {
        std::size_t index = 0;
        Limits limits{};
    };

    Found solve() { return search(true, {kProofMax, kProofMax}); }
    Found search(bool attacker, Limits limits);
    Found sum_up(bool attacker, std::size_t from) const;
    Choice choose(bool attacker, std::size_t from, Limits limits) const;
    Found look_up(const Child& child, bool attacker_next);
    void store(Key key, const Found& f, std::uint64_t work);
    int ply() const { return static_cast<int>(path_.size()); }
    void report() const;
    int repeated_at(Key key) const;
    Proof first_proof() const;
    Key twin(Key key) const { return key ^ (path_sum_ * 0x9e3779b97f4a7c15ULL + 0x1234567ULL); }
    const TsumeTable::Entry* proven_child(const Board& board, MoveCode m) const;
    Move best_proven(Board& board, bool attacker) const;

    Board board_;
    Budget& budget_;
    TsumeTable table_;
    std::vector<Key> path_;  ///< positions above the present one
    Key path_sum_ = 0;
    std::vector<Move> moves_;  ///< that lead to it
    ProofNumbers whole_;       ///< of the problem, as last summed up
    int deepest_ = 0;
    std::vector<Child> children_;  ///< of all positions of the path, one after the other
    std::vector<MoveCode> scratch_;
    bool truncated_ = false;  ///< a line was cut off: "no mate" would be a guess
};

void ProofSearch::report() const {
    TsumeProgress p;
    p.hash_permille = table_.fullness();
    p.deepest = deepest_;
    p.proof = whole_.proof;
    p.disproof = whole_.disproof;
    p.line = moves_;
    budget_.report(std::move(p));
}

int ProofSearch::repeated_at(Key key) const {
    for (std::size_t i = path_.size(); i-- > 0;) {
        if (path_[i] == key) return static_cast<int>(i);
    }
    return -1;
}

/// Of a check that was never searched: the more ways out, the further from a mate. Pieces put in
/// between are left out, because one refutes most of them at once.
Proof ProofSearch::first_proof() const {
    MoveCounter answers;
    generate_into<Stage::Board, Promotions::Useful>(board_, answers);
    return static_cast<Proof>(1 + answers.count() / 2);
}

/// What is known of a child before it is searched. The board stands before the move.
ProofSearch::Found ProofSearch::look_up(const Child& child, bool attacker_next) {
    BoardUndo undo;
    const Move m = Move::from_raw(child.move);
    board_.do_move(m, undo);
    const Key key = board_.key();
    Found f;
    const TsumeTable::Entry* known = table_.find(key);
    if (known != nullptr) {
        f.numbers = known->numbers;
        f.plies = known->plies;
    } else if (attacker_next && board_.find_mate_in_one().raw() != kNoMove) {
        f.numbers = {0, kProofMax};
        f.plies = 1;
        store(key, f, 1);
    } else if (!attacker_next) {
        f.numbers.proof = first_proof();
    }
    board_.undo_move(m, undo);
    if (f.numbers.is_proven() || f.numbers.is_disproven()) return f;
    if (const TsumeTable::Entry* t = table_.find(twin(key))) {
        f.numbers = t->numbers;
        f.rests_on = t->plies;
    } else if (const int at = repeated_at(key); at >= 0) {
        f.numbers = {kProofMax, 0};
        f.rests_on = at;
    }
    return f;
}

/// The children's numbers as their parent's. Sums would count positions with several ways to them
/// many times, so the largest stands for all, and one more for each of the others.
ProofSearch::Found ProofSearch::sum_up(bool attacker, std::size_t from) const {
    Found f;
    Proof least = kProofMax;  // of the number that one child decides
    Proof most = 0;           // of the other
    Proof open = 0;
    int quickest = kFree;
    int slowest = 0;
    int lowest = kFree;  // all refutations rest on these
    int highest = 0;     // the best of them
    for (std::size_t i = from; i < children_.size(); ++i) {
        const Found& c = children_[i].found;
        const Proof one = attacker ? c.numbers.proof : c.numbers.disproof;
        const Proof other = attacker ? c.numbers.disproof : c.numbers.proof;
        least = std::min(least, one);
        most = std::max(most, other);
        if (other > 0) ++open;
        if (c.numbers.is_proven()) {
            quickest = std::min(quickest, c.plies);
            slowest = std::max(slowest, c.plies);
        }
        if (c.numbers.is_disproven()) {
            lowest = std::min(lowest, c.rests_on);
            highest = std::max(highest, c.rests_on);
        }
    }
    const bool settled = least == 0;
    const Proof other = settled     ? kProofMax
                        : open == 0 ? 0
                                    : std::min(most + open - 1, kProofMax - 1);
    if (!settled && open == 0) least = kProofMax;
    f.numbers = attacker ? ProofNumbers{least, other} : ProofNumbers{other, least};
    if (f.numbers.is_proven()) f.plies = 1 + (attacker ? quickest : slowest);
    if (f.numbers.is_disproven()) f.rests_on = attacker ? lowest : highest;
    return f;
}

ProofSearch::Choice ProofSearch::choose(bool attacker, std::size_t from, Limits limits) const {
    Choice best;
    Proof first = kProofMax;
    Proof second = kProofMax;
    Proof most = kProofMax;
    Proof open = 0;
    for (std::size_t i = from; i < children_.size(); ++i) {
        const ProofNumbers& n = children_[i].found.numbers;
        const Proof one = attacker ? n.proof : n.disproof;
        const Proof other = attacker ? n.disproof : n.proof;
        if (other == 0) continue;  // decided against this side
        ++open;
        if (open == 1 || one < first || (one == first && other < most)) {
            second = first;
            first = one;
            most = other;
            best.index = i;
        } else {
            second = std::min(second, one);
        }
    }
    // A little more than the second best, so that two rivals do not take turns at every node.
    const Proof rival = std::min(second + second / 4 + 1, kProofMax);
    const Proof one = std::min(attacker ? limits.proof : limits.disproof, rival);
    const Proof all = attacker ? limits.disproof : limits.proof;
    const Proof other = all >= kProofMax ? kProofMax : all - std::min(all - 1, open - 1);
    best.limits = attacker ? Limits{one, other} : Limits{other, one};
    return best;
}

void ProofSearch::store(Key key, const Found& f, std::uint64_t work) {
    TsumeTable::Entry e;
    e.key = key;
    e.numbers = f.numbers;
    e.work = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(work, 1, 0xffff'ffff));
    if (f.numbers.is_proven()) e.plies = static_cast<std::uint16_t>(std::min(f.plies, kFree));
    if (f.numbers.is_disproven() && f.rests_on != kFree) {
        e.key = twin(key);
        e.plies = static_cast<std::uint16_t>(f.rests_on);
    }
    table_.store(e);
}

/// Until the position is decided or its numbers reach the limits.
ProofSearch::Found ProofSearch::search(bool attacker, Limits limits) {
    Found f;
    if (!budget_.spend()) return f;
    if (budget_.is_report_due()) report();
    deepest_ = std::max(deepest_, ply());
    if (ply() >= kDeepest) {
        truncated_ = true;
        f.numbers = {kProofMax, 0};
        f.rests_on = 0;
        return f;
    }
    const std::uint64_t before = budget_.nodes();
    const Key key = board_.key();
    const std::size_t from = children_.size();
    scratch_.clear();
    generate(board_, attacker, scratch_);
    for (const MoveCode m : scratch_) children_.push_back({m, {}});
    if (children_.size() == from) {
        f.numbers = attacker ? ProofNumbers{kProofMax, 0} : ProofNumbers{0, kProofMax};
        store(key, f, 1);
        return f;
    }
    const int here = ply();
    path_.push_back(key);
    path_sum_ += key;
    for (std::size_t i = from; i < children_.size(); ++i) {
        children_[i].found = look_up(children_[i], !attacker);
        // One success is enough: the rest need not be looked at.
        const ProofNumbers& n = children_[i].found.numbers;
        if (attacker ? n.is_proven() : n.is_disproven()) break;
    }
    while (true) {
        f = sum_up(attacker, from);
        if (here == 0) whole_ = f.numbers;
        const ProofNumbers& n = f.numbers;
        if (n.proof >= limits.proof || n.disproof >= limits.disproof || n.is_proven() ||
            n.is_disproven() || budget_.over()) {
            break;
        }
        const Choice c = choose(attacker, from, limits);
        const Move m = Move::from_raw(children_[c.index].move);
        BoardUndo undo;
        board_.do_move(m, undo);
        moves_.push_back(m);
        const Found child = search(!attacker, c.limits);
        moves_.pop_back();
        board_.undo_move(m, undo);
        children_[c.index].found = child;
    }
    path_.pop_back();
    path_sum_ -= key;
    children_.resize(from);
    if (budget_.over() && !f.numbers.is_proven() && !f.numbers.is_disproven()) return f;
    // Repetitions of this very position, or of later ones, happen on every line through it.
    if (f.numbers.is_disproven() && f.rests_on >= here) f.rests_on = kFree;
    store(key, f, budget_.nodes() - before + 1);
    return f;
}

// ---- The line -----------------------------------------------------------------------------------

const TsumeTable::Entry* ProofSearch::proven_child(const Board& board, MoveCode m) const {
    Board next = board;
    BoardUndo undo;
    next.do_move(Move::from_raw(m), undo);
    const TsumeTable::Entry* e = table_.find(next.key());
    return e != nullptr && e->numbers.is_proven() ? e : nullptr;
}

Move ProofSearch::best_proven(Board& board, bool attacker) const {
    std::vector<MoveCode> moves;
    generate(board, attacker, moves);
    MoveCode best = kNoMove;
    int plies = attacker ? kFree + 1 : -1;
    for (const MoveCode m : moves) {
        const TsumeTable::Entry* e = proven_child(board, m);
        if (e == nullptr) {
            if (!attacker) return {};  // forgotten: it must be proven again
            continue;
        }
        if (attacker ? e->plies < plies : e->plies > plies) {
            plies = e->plies;
            best = m;
        }
    }
    return Move::from_raw(best);
}

std::vector<Move> ProofSearch::line() {
    std::vector<Move> out;
    const Board start = board_;
    bool attacker = true;
    while (out.size() < kDeepest && !budget_.over()) {
        Move m = attacker ? board_.find_mate_in_one() : Move{};
        const bool mates = m.raw() != kNoMove;
        if (!attacker && !board_.has_legal_move()) break;
        if (!mates) m = best_proven(board_, attacker);
        if (m.raw() == kNoMove) {
            // Something was forgotten; what the table still knows makes proving it again cheap.
            const Found f = search(attacker, {kProofMax, kProofMax});
            if (!f.numbers.is_proven()) break;
            m = best_proven(board_, attacker);
            if (m.raw() == kNoMove) break;
        }
        BoardUndo undo;
        board_.do_move(m, undo);
        out.push_back(m);
        attacker = !attacker;
        if (mates) break;
    }
    board_ = start;
    if (!is_mating_line(board_, out)) out.clear();
    return out;
}

// ---- Shortest -----------------------------------------------------------------------------------

/// Is there a mate within so many plies? Plain search, remembering what failed and what worked.
class ShortestSearch {
public:
    ShortestSearch(const Board& board, Budget& budget) : board_(board), budget_(budget) {}

    /// Odd `plies`. Empty where there is none (or no time).
    std::vector<Move> find(int plies) {
        if (!attack(plies)) return {};
        std::vector<Move> line;
        Board b = board_;
        for (int left = plies; left > 0; --left) {
            const Move m = left % 2 == 1 ? attack_move(b, left) : defence_move(b, left);
            if (m.raw() == kNoMove) break;
            BoardUndo undo;
            b.do_move(m, undo);
            line.push_back(m);
        }
        return is_mating_line(board_, line) ? line : std::vector<Move>{};
    }

private:
    struct Known {
        int works_from = kDeepest;  ///< least plies with which it is known to mate
        int fails_up_to = 0;
    };
    bool attack(int plies) {
        if (!budget_.spend()) return false;
        Known& known = known_[board_.key()];
        if (plies >= known.works_from) return true;
        if (plies <= known.fails_up_to) return false;
        bool mates = board_.find_mate_in_one().raw() != kNoMove;
        if (!mates && plies > 1) {
            std::vector<MoveCode> moves;
            generate(board_, true, moves);
            for (const MoveCode code : moves) {
                BoardUndo undo;
                const Move m = Move::from_raw(code);
                board_.do_move(m, undo);
                mates = defend(plies - 1);
                board_.undo_move(m, undo);
                if (mates || budget_.over()) break;
            }
        }
        if (budget_.over() && !mates) return false;
        Known& after = known_[board_.key()];
        if (mates) after.works_from = std::min(after.works_from, plies);
        if (!mates) after.fails_up_to = std::max(after.fails_up_to, plies);
        return mates;
    }
    /// Do all answers lose within `plies`?
    bool defend(int plies) {
        std::vector<MoveCode> moves;
        generate(board_, false, moves);
        if (plies == 0) return moves.empty();
        for (const MoveCode code : moves) {
            BoardUndo undo;
            const Move m = Move::from_raw(code);
            board_.do_move(m, undo);
            const bool lost = attack(plies - 1);
            board_.undo_move(m, undo);
            if (!lost) return false;
        }
        return true;
    }
    Move attack_move(Board& b, int plies) {
        if (const Move m = b.find_mate_in_one(); m.raw() != kNoMove) return m;
        std::vector<MoveCode> moves;
        generate(b, true, moves);
        std::swap(board_, b);
        Move found;
        for (const MoveCode code : moves) {
            BoardUndo undo;
            const Move m = Move::from_raw(code);
            board_.do_move(m, undo);
            if (defend(plies - 1)) found = m;
            board_.undo_move(m, undo);
            if (found.raw() != kNoMove) break;
        }
        std::swap(board_, b);
        return found;
    }
    /// The answer that lasts longest.
    Move defence_move(Board& b, int plies) {
        std::vector<MoveCode> moves;
        generate(b, false, moves);
        std::swap(board_, b);
        MoveCode best = moves.empty() ? kNoMove : moves.front();
        int longest = -1;
        for (const MoveCode code : moves) {
            BoardUndo undo;
            board_.do_move(Move::from_raw(code), undo);
            int needs = 1;
            while (needs < plies && !attack(needs)) needs += 2;
            board_.undo_move(Move::from_raw(code), undo);
            if (needs > longest) {
                longest = needs;
                best = code;
            }
        }
        std::swap(board_, b);
        return Move::from_raw(best);
    }

    Board board_;
    Budget& budget_;
    std::unordered_map<Key, Known> known_;
};

void shorten(const Board& board, Budget& budget, TsumeResult& r) {
    ShortestSearch search(board, budget);
    for (int plies = 1; plies < static_cast<int>(r.line.size()); plies += 2) {
        const auto line = search.find(plies);
        if (budget.over()) return;
        if (line.empty()) continue;
        r.line = line;
        break;
    }
    r.is_shortest = true;
}

}  // namespace

bool is_mating_line(const Board& board, const std::vector<Move>& line) {
    Board b = board;
    bool attacker = true;
    for (const Move m : line) {
        if (!b.is_legal(m) || (attacker && !b.gives_check(m))) return false;
        BoardUndo undo;
        b.do_move(m, undo);
        attacker = !attacker;
    }
    return !attacker && b.in_check() && !b.has_legal_move();
}

TsumeResult solve_tsume(const Board& board, const TsumeOptions& options) {
    TsumeResult r;
    if (board.king(opposite(board.side())) == kNowhere) {
        r.verdict = TsumeVerdict::NoMate;
        return r;
    }
    Budget budget(options);
    ProofSearch search(board, budget, options.hash_mb);
    r.verdict = search.run();
    if (r.verdict == TsumeVerdict::Mate) {
        r.line = search.line();
        if (r.line.empty()) r.verdict = TsumeVerdict::Unknown;  // no time left to show it
    }
    if (r.verdict == TsumeVerdict::Mate && options.shortest) shorten(board, budget, r);
    r.nodes = budget.nodes();
    r.time_us = budget.elapsed_us();
    return r;
}

}  // namespace karikomi::shogi
