#include "karikomi/games/othello/protocols/othello_game.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace karikomi::protocols {
namespace {

constexpr std::size_t kSideAt = 65;  // of a position's text: 64 cells, a blank, the side

}  // namespace

std::string_view name_of(Side side) {
    return side == 0 ? "Black" : "White";
}

Discs count_discs(std::string_view position) {
    const std::string_view cells = position.substr(0, 64);
    return {static_cast<int>(std::count(cells.begin(), cells.end(), 'X')),
            static_cast<int>(std::count(cells.begin(), cells.end(), 'O'))};
}

int final_score(std::string_view position) {
    const auto [black, white] = count_discs(position);
    const int difference = black - white;
    const int empties = 64 - black - white;
    return difference + (difference > 0 ? empties : difference < 0 ? -empties : 0);
}

void OthelloGame::clear() {
    (void)engine_.set_position({});
    now_ = engine_.position_text();
    moves_.clear();
    time_ = {};
}

Status OthelloGame::set(const GameRecord& record, std::size_t moves) {
    const OthelloGame before = *this;
    Status status = engine_.set_position(record.start);
    now_ = engine_.position_text();
    moves_.clear();
    time_ = record.time;
    for (std::size_t i = 0; status && i < std::min(moves, record.moves.size()); ++i) {
        status = play_as(record.moves[i]);
        if (status) continue;
        status =
            Error{fmt::format("move {}: {}", i + 1, status.error().what), status.error().remedy};
    }
    if (!status) {
        moves_ = before.moves_;
        now_ = before.now_;
        time_ = before.time_;
        restore();
    }
    return status;
}

Status OthelloGame::play(const RecordedMove& move) {
    RecordedMove as_mover = move;
    as_mover.side = to_move();
    if (move.move != "pa" && must_pass()) as_mover.side = 1 - as_mover.side;
    return play_as(as_mover);
}

Status OthelloGame::play_as(const RecordedMove& move) {
    const std::size_t played = moves_.size();
    Status status = turn_to(move.side);
    if (status) status = play_on(move, false);
    if (!status) rewind(played);
    return status;
}

Status OthelloGame::turn_to(Side side) {
    if (to_move() == side) return {};
    if (is_over() || must_pass()) return play_on({to_move(), "pa", 0}, true);
    return Error{fmt::format("it is {}'s turn", name_of(to_move())), "send the moves in order"};
}

Status OthelloGame::play_on(const RecordedMove& move, bool implicit) {
    if (move.move == "pa" && is_over()) {
        // GUIs made for Go end a game with passes. Only the turn changes.
        std::string other = now_;
        other[kSideAt] = other[kSideAt] == 'X' ? 'O' : 'X';
        if (const Status s = engine_.set_position(other); !s) return s;
    } else if (const Status s = engine_.play(move.move); !s) {
        return s;
    }
    moves_.push_back({move, now_, implicit});
    now_ = engine_.position_text();
    return {};
}

bool OthelloGame::undo(std::size_t moves) {
    std::size_t kept = moves_.size();
    for (; moves > 0; --moves) {
        if (kept == 0) return false;
        --kept;
        while (kept > 0 && moves_[kept - 1].implicit) --kept;
    }
    rewind(kept);
    return true;
}

void OthelloGame::rewind(std::size_t moves) {
    if (moves >= moves_.size()) return;
    now_ = moves_[moves].before;
    moves_.resize(moves);
    restore();
}

void OthelloGame::restore() {
    (void)engine_.set_position(now_);
}

bool OthelloGame::must_pass() const {
    const auto legal = engine_.legal_moves();
    return legal.size() == 1 && legal.front() == "pa";
}

std::vector<std::string> OthelloGame::squares() const {
    return must_pass() ? std::vector<std::string>{} : engine_.legal_moves();
}

}  // namespace karikomi::protocols
