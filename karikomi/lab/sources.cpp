/// Positions and games of files, as collecting wants them.
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "karikomi/games/othello/records.hpp"
#include "karikomi/games/renju/game.hpp"
#include "karikomi/games/renju/records.hpp"
#include "karikomi/games/shogi/record.hpp"
#include "karikomi/lab/collect.hpp"

namespace karikomi::lab {
namespace {

Expected<std::string> bytes_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return Error{fmt::format("cannot read '{}'", file), "check the path"};
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (bytes.empty()) return Error{fmt::format("'{}' is empty", file), "name another file"};
    return bytes;
}

Status add_othello(const std::string& file, std::vector<match::Opening>& out) {
    const auto records = othello::load_records(file);
    if (!records) return records.error();
    for (const othello::GameRecord& game : records->games) {
        match::Opening o;
        o.position = othello::format_obf(game.start);
        // So that plies are counted from the start of the game.
        if (o.position == othello::format_obf(othello::start_position())) o.position.clear();
        for (const othello::RecordMove& m : game.moves) {
            o.moves.push_back(m.square == othello::kPass ? "pa" : othello::format_square(m.square));
        }
        out.push_back(std::move(o));
    }
    return {};
}

match::Opening opening_of(const shogi::GameRecord& game) {
    match::Opening o;
    o.position = shogi::format_sfen(game.start.board, game.start.move_number);
    if (o.position == shogi::kStartSfen) o.position.clear();
    for (const shogi::RecordedMove& m : game.moves) o.moves.push_back(shogi::format_usi(m.move));
    return o;
}

Status add_shogi(const std::string& file, std::vector<match::Opening>& out) {
    const auto bytes = bytes_of(file);
    if (!bytes) return bytes.error();
    // Several games of one CSA file, or a single game of either format.
    if (auto games = shogi::parse_csa_games(*bytes); games && !games->empty()) {
        for (const shogi::GameRecord& game : *games) out.push_back(opening_of(game));
        return {};
    }
    const auto game = shogi::parse_record(*bytes);
    if (!game) return Error{fmt::format("{}: {}", file, game.error().what), game.error().remedy};
    out.push_back(opening_of(*game));
    return {};
}

Status add_renju(const std::string& file, std::vector<match::Opening>& out) {
    const auto bytes = bytes_of(file);
    if (!bytes) return bytes.error();
    const auto games = renju::read_records(*bytes);
    if (!games) return Error{fmt::format("{}: {}", file, games.error().what), games.error().remedy};
    for (const renju::GameRecord& game : *games) {
        if (game.size != renju::kUsualSize) continue;  // the engine's board is of the usual size
        match::Opening o;
        for (const renju::Cell c : game.moves) {
            o.moves.push_back(renju::Notation::format_cell(c));
        }
        out.push_back(std::move(o));
    }
    return {};
}

}  // namespace

Expected<std::vector<match::Opening>> read_games(const std::string& game,
                                                 const std::vector<std::string>& files) {
    std::vector<match::Opening> out;
    for (const std::string& file : files) {
        Status s;
        if (game == "othello") {
            s = add_othello(file, out);
        } else if (game == "shogi") {
            s = add_shogi(file, out);
        } else if (game == "renju" || game == "gomoku" || game == "standard_gomoku") {
            s = add_renju(file, out);
        } else {
            s = Error{fmt::format("records of {} are not known", game), "use --positions"};
        }
        if (!s) return s.error();
    }
    if (out.empty()) return Error{"there is no game in the records", "name other files"};
    return out;
}

Expected<std::vector<match::Opening>> read_positions(Engine& referee, const std::string& file) {
    std::ifstream in(file);
    if (!in) return Error{fmt::format("cannot read '{}'", file), "check the path"};
    std::vector<match::Opening> out;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.empty() || line[0] == '#' || line == "\r") continue;
        auto opening = match::parse_opening(referee, line);
        if (!opening) {
            return Error{fmt::format("{}:{}: {}", file, number, opening.error().what),
                         opening.error().remedy};
        }
        out.push_back(std::move(*opening));
    }
    if (out.empty()) return Error{fmt::format("'{}' has no positions", file), "fill it"};
    return out;
}

}  // namespace karikomi::lab
