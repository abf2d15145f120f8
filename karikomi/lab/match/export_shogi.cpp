#include <fmt/format.h>

#include "karikomi/games/shogi/record.hpp"
#include "karikomi/lab/match/export.hpp"

namespace karikomi::match {
namespace {

shogi::Ending ending_of(const GameResult& r) {
    using shogi::Ending;
    switch (r.end) {
        case End::Resigned:
            return Ending::Resignation;
        case End::Time:
        case End::Hang:
            return Ending::TimeUp;
        case End::Illegal:
            return Ending::IllegalMove;
        case End::MoveLimit:
            return Ending::MaxMoves;
        case End::ByRules:
            return r.winner == Winner::Nobody ? Ending::Repetition : Ending::Mate;
        case End::ByScore:
        case End::Crash:
        case End::Stopped:
            break;
    }
    return Ending::Interruption;
}

Expected<shogi::GameRecord> record_of(const GameRow& row, const std::vector<std::string>& names) {
    const std::string& position = row.opening.position;
    const auto start = shogi::parse_sfen(position.empty() ? shogi::kStartSfen : position);
    if (!start) return start.error();
    shogi::GameRecord record{*start};
    record.names = {names.at(static_cast<std::size_t>(row.slot.first)),
                    names.at(static_cast<std::size_t>(row.slot.second))};
    std::string date = row.started.substr(0, 19);
    for (char& c : date) c = c == '-' ? '/' : c == 'T' ? ' ' : c;
    record.facts = {{"EVENT", "karikomi match"}, {"START_TIME", date}};
    record.ending = ending_of(row.result);
    for (const MoveNote& n : row.result.moves) {
        if (n.move == "win") {
            record.ending = shogi::Ending::DeclaredWin;
            break;
        }
        const auto move = shogi::parse_usi(n.move);
        if (!move) return move.error();
        record.moves.push_back({*move, {}, {}});
        if (n.asked) record.moves.back().time = std::chrono::milliseconds(n.time_ms);
    }
    return record;
}

}  // namespace

Expected<std::string> to_csa(const GameRow& row, const std::vector<std::string>& names) {
    const auto record = record_of(row, names);
    if (!record) return record.error();
    return shogi::format_csa(*record) + "/\n";
}

Expected<std::string> to_kif(const GameRow& row, const std::vector<std::string>& names) {
    const auto record = record_of(row, names);
    if (!record) return record.error();
    return shogi::format_kif(*record);
}

}  // namespace karikomi::match
