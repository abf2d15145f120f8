#include "karikomi/protocols/othello_player.hpp"

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
    answer.move = game_.squares().front();
    auto found = search(line, Patience::Answer, limits, sink);
    if (!found || found->best_move.empty()) return answer;
    answer.move = found->best_move;
    answer.line = found->lines.front();
    answer.nodes = found->nodes;
    answer.seconds = static_cast<double>(found->time_us) / 1e6;
    expected_ = {engine_.position_text(), found->best_move, found->ponder_move};
    return answer;
}

Expected<Result> OthelloPlayer::search(std::uint64_t line, Patience patience, const Limits& limits,
                                       const InfoSink& sink) {
    ++searches_;
    SearchRequest request;
    request.limits = limits;
    return thinker_.think(request, line, patience, sink);
}

void OthelloPlayer::ponder(std::uint64_t line) {
    const auto& moves = game_.moves();
    const bool as_expected = !moves.empty() && moves.back().before == expected_.before &&
                             moves.back().move.move == expected_.move;
    // A reply that cannot be played leaves the engine where it is, which is as good.
    if (as_expected && !expected_.reply.empty()) (void)engine_.play(expected_.reply);
    if (!engine_.winner()) {
        Limits limits;
        limits.infinite = true;
        (void)search(line, Patience::Open, limits);
    }
    game_.restore();
}

}  // namespace karikomi::protocols
