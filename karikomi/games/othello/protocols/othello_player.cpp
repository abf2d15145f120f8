#include "karikomi/games/othello/protocols/othello_player.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace karikomi::protocols {

std::string discs_text(Value value, const GameInfo& info) {
    const double discs = static_cast<double>(value) / static_cast<double>(info.unit);
    const std::string text = fmt::format("{:.2f}", std::clamp(discs, -64.0, 64.0));
    return text == "-0.00" ? "0.00" : text;
}

OthelloPlayer::Answer OthelloPlayer::choose(std::uint64_t line, const Limits& limits,
                                            const InfoSink& sink) {
    Answer answer;
    answer.move = "pa";
    if (game_.is_over() || game_.must_pass()) return answer;
    if (const auto known = choose_from_book()) return *known;
    answer.move = game_.squares().front();
    SearchRequest request;
    request.limits = limits;
    auto found = search(line, Patience::Answer, request, sink);
    if (!found || found->best_move.empty()) return answer;
    answer.move = found->best_move;
    answer.line = found->lines.front();
    answer.nodes = found->nodes;
    answer.seconds = static_cast<double>(found->time_us) / 1e6;
    expected_ = {engine_.position_text(), found->best_move, found->ponder_move};
    return answer;
}

Expected<Result> OthelloPlayer::search(std::uint64_t line, Patience patience,
                                       const SearchRequest& request, const InfoSink& sink) {
    ++searches_;
    return thinker_.think(request, line, patience, sink);
}

// ---- The book -----------------------------------------------------------------------------------

std::optional<OthelloPlayer::Answer> OthelloPlayer::choose_from_book() {
    if (!book_) return std::nullopt;
    const auto position = othello::parse_obf(game_.position());
    if (!position) return std::nullopt;
    const auto move = book_->choose(*position, randomness_, random_());
    if (!move) return std::nullopt;
    expected_ = {};
    return to_answer(*move, *position);
}

std::vector<OthelloPlayer::Answer> OthelloPlayer::book_moves() const {
    std::vector<Answer> answers;
    const auto position = othello::parse_obf(game_.position());
    if (!book_ || !position) return answers;
    for (const auto& move : book_->moves(*position)) answers.push_back(to_answer(move, *position));
    return answers;
}

OthelloPlayer::Answer OthelloPlayer::to_answer(const othello::BookMove& move,
                                               const othello::Position& position) const {
    Answer answer;
    answer.move = othello::format_square(move.square);
    answer.from_book = true;
    answer.games = move.results.games();
    Line line;
    line.value = move.value;
    line.bound = Bound::Exact;
    line.depth = move.depth;
    line.confidence = move.confidence;
    line.solved = move.solved;
    line.pv = {answer.move};
    const othello::Bits turned = position.board.flips(move.square);
    const othello::Position next{position.board.after(move.square, turned),
                                 othello::opposite(position.to_move)};
    for (const othello::Square s : book_->line(next)) line.pv.push_back(othello::format_square(s));
    answer.line = std::move(line);
    return answer;
}

void OthelloPlayer::set_contempt(double discs) {
    if (!book_) return;
    book_->set_contempt(static_cast<int>(100 * std::clamp(discs, -64.0, 64.0)));
}

// ---- The opponent's time ------------------------------------------------------------------------

void OthelloPlayer::ponder(std::uint64_t line) {
    const auto& moves = game_.moves();
    const bool as_expected = !moves.empty() && moves.back().before == expected_.before &&
                             moves.back().move.move == expected_.move;
    // A reply that cannot be played leaves the engine where it is, which is as good.
    if (as_expected && !expected_.reply.empty()) (void)engine_.play(expected_.reply);
    if (!engine_.winner()) {
        SearchRequest request;
        request.limits.infinite = true;
        (void)search(line, Patience::Open, request);
    }
    game_.restore();
}

}  // namespace karikomi::protocols
