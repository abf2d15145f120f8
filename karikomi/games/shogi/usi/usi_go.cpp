#include "karikomi/games/shogi/usi/usi_go.hpp"

#include <algorithm>
#include <array>

#include "karikomi/protocols/lines.hpp"

namespace karikomi::protocols {
namespace {

constexpr std::int64_t kLongest = 1'000'000'000'000;  // ms; more would overflow in sums
constexpr std::int64_t kMostMovesToGo = 10'000;       // more than any game has

/// Words followed by a number.
enum class Key {
    Btime,
    Wtime,
    Byoyomi,
    Binc,
    Winc,
    Nodes,
    Depth,
    MoveTime,
    MovesToGo,
    Perft,
    Count
};
constexpr std::array<std::string_view, static_cast<std::size_t>(Key::Count)> kKeys = {
    "btime", "wtime", "byoyomi",  "binc",      "winc",
    "nodes", "depth", "movetime", "movestogo", "perft"};
constexpr std::array<std::string_view, 4> kFlags = {"ponder", "infinite", "mate", "searchmoves"};

bool is_word_of_go(std::string_view word) {
    return std::find(kKeys.begin(), kKeys.end(), word) != kKeys.end() ||
           std::find(kFlags.begin(), kFlags.end(), word) != kFlags.end();
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    UsiGo run() {
        for (std::string_view word = take_word(text_); !word.empty(); word = take_word(text_)) {
            if (word == "ponder") go_.limits.ponder = true;
            if (word == "infinite") go_.limits.infinite = true;
            if (word == "mate") mate();
            if (word == "searchmoves") search_moves();
            const auto at = std::find(kKeys.begin(), kKeys.end(), word);
            if (at != kKeys.end()) number(static_cast<Key>(at - kKeys.begin()));
        }
        finish();
        return std::move(go_);
    }

private:
    std::string_view peek() const {
        std::string_view rest = text_;
        return take_word(rest);
    }
    std::optional<std::int64_t> take_number() {
        const auto n = parse_whole(peek());
        if (!n) return std::nullopt;
        take_word(text_);
        return std::clamp<std::int64_t>(*n, 0, kLongest);
    }
    void mate() {
        go_.mate = true;
        if (peek() == "infinite") {
            take_word(text_);
        } else {
            go_.mate_ms = std::max<std::int64_t>(take_number().value_or(0), 0);
        }
    }
    void search_moves() {
        while (!peek().empty() && !is_word_of_go(peek())) {
            go_.search_moves.emplace_back(take_word(text_));
        }
    }
    void number(Key key) {
        const auto n = take_number();
        if (!n) return;
        has_[static_cast<std::size_t>(key)] = true;
        value_[static_cast<std::size_t>(key)] = *n;
    }
    std::int64_t value(Key key) const { return value_[static_cast<std::size_t>(key)]; }
    /// A limit of 0 is the least there is, and not none: nobody who writes it wants to wait.
    std::int64_t limit(Key key) const {
        return has_[static_cast<std::size_t>(key)] ? std::max<std::int64_t>(value(key), 1) : 0;
    }
    void finish() {
        Limits& l = go_.limits;
        l.nodes = static_cast<std::uint64_t>(limit(Key::Nodes));
        l.depth = static_cast<Depth>(std::min<std::int64_t>(limit(Key::Depth), kMaxDepth));
        l.move_time_ms = limit(Key::MoveTime);
        go_.perft = static_cast<Depth>(std::min<std::int64_t>(limit(Key::Perft), kMaxDepth));
        l.moves_to_go =
            static_cast<int>(std::min<std::int64_t>(value(Key::MovesToGo), kMostMovesToGo));
        for (std::size_t key = 0; key <= static_cast<std::size_t>(Key::Winc); ++key) {
            go_.has_clock = go_.has_clock || has_[key];
        }
        go_.clocks = {l, l};
        for (const int side : {0, 1}) {
            Limits& c = go_.clocks[static_cast<std::size_t>(side)];
            c.has_clock = true;
            c.main_ms = value(side == 0 ? Key::Btime : Key::Wtime);
            c.byoyomi_ms = value(Key::Byoyomi);
            c.increment_ms = value(side == 0 ? Key::Binc : Key::Winc);
        }
    }

    std::string_view text_;
    UsiGo go_;
    std::array<bool, static_cast<std::size_t>(Key::Count)> has_{};
    std::array<std::int64_t, static_cast<std::size_t>(Key::Count)> value_{};
};

}  // namespace

UsiGo parse_usi_go(std::string_view text) {
    return Parser(text).run();
}

}  // namespace karikomi::protocols
