/// "Brains" by the Gomocup protocol, with the Yixin-Board keys for depth, nodes and threads. The
/// first line that reads as X,Y is the move.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/match/external_player.hpp"
#include "karikomi/lab/match/squares.hpp"

namespace karikomi::match {
namespace {

constexpr std::int64_t kUnlimited = 2'147'483'647;
constexpr std::int64_t kDayMs = 86'400'000;

/// "7,8", with spaces around at most.
bool read_pair(const std::string& line, int& x, int& y) {
    std::string text = line;
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, x);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != ',') return false;
    const auto second = std::from_chars(first.ptr + 1, end, y);
    return second.ec == std::errc() && second.ptr == end;
}

/// Of `name="X", version="1"`.
std::string quoted(const std::string& about, const std::string& key) {
    const std::size_t at = about.find(key + "=\"");
    if (at == std::string::npos) return {};
    const std::size_t start = at + key.size() + 2;
    return about.substr(start, about.find('"', start) - start);
}

/// What the protocol calls the rule that this game is played by.
std::int64_t rule_of(const std::string& game) {
    const GameModule* const module = find_game(game);
    const ProtocolFacet* const known = module == nullptr ? nullptr : module->protocol("gomocup");
    return known == nullptr || known->rule_code.empty() ? 0 : std::stoll(known->rule_code);
}

class GomocupPlayer final : public ExternalPlayer {
public:
    using ExternalPlayer::ExternalPlayer;
    ~GomocupPlayer() override {
        write("END");
        child_.finish(std::chrono::milliseconds(1000));
    }

    Trouble new_game(const GameStart& start) override {
        squares_ = Squares(start.start_board);
        start_ = start;
        told_ = 0;
        in_step_ = false;
        const bool again = child_.running() && played_ && size_ == squares_.size();
        if (again && say_and_wait_ok("RESTART") != Fault::None) child_.kill();
        if (!child_.running()) played_ = false;
        if (Trouble t = ready(); t.fault != Fault::None) return t;
        if (!played_ || size_ != squares_.size()) {
            size_ = squares_.size();
            const Fault f = say_and_wait_ok(fmt::format("START {}", size_));
            if (f != Fault::None) return trouble(f, "OK");
        }
        played_ = true;
        send_limits(start.time);
        return {};
    }

    Answer think(const Turn& turn) override {
        const std::int64_t left =
            turn.limits.has_clock ? turn.limits.main_ms + turn.limits.byoyomi_ms : kUnlimited;
        write(fmt::format("INFO time_left {}", left));
        answer_ = {};
        start_clock();
        ask(turn);
        const Fault f =
            wait_for_answer([this](const std::string& line) { return read(line); }, turn, "YXSTOP");
        answer_.time_ms = clock_ms();
        if (f != Fault::None) return fail(f, "move");
        told_ = turn.moves.size() + 1;
        in_step_ = true;
        return answer_;
    }

protected:
    Trouble greet() override {
        played_ = false;
        write("ABOUT");
        const Fault f = wait_for(
            [this](const std::string& line) {
                if (line.find("name=") == std::string::npos) return false;
                if (identity_.name.empty()) identity_.name = quoted(line, "name");
                identity_.version = quoted(line, "version");
                return true;
            },
            std::min<std::int64_t>(setup_.start_ms, 5000));
        if (f == Fault::Crash) return trouble(f, "answer to ABOUT");
        if (identity_.name.empty()) identity_.name = spec_.command;
        return {};
    }

private:
    Fault say_and_wait_ok(const std::string& text) {
        write(text);
        bool refused = false;
        const Fault f = wait_for(
            [&](const std::string& line) {
                const auto words = words_of(line);
                if (words.empty()) return false;
                refused = words[0] == "ERROR" || words[0] == "UNKNOWN";
                return refused || words[0] == "OK";
            },
            setup_.start_ms);
        return f == Fault::None && refused ? Fault::Protocol : f;
    }

    void info(const std::string& key, std::int64_t value) {
        write(fmt::format("INFO {} {}", key, value));
    }
    void send_limits(const TimeControl& t) {
        info("rule", rule_of(name_by_rules(setup_.game, setup_.rules)));
        // 0 would mean "as fast as possible".
        info("timeout_turn", t.move_time_ms > 0 ? t.move_time_ms
                             : t.has_clock()    ? t.main_ms + t.byoyomi_ms
                                                : kDayMs);
        info("timeout_match", t.main_ms > 0 && t.byoyomi_ms == 0 ? t.main_ms : 0);
        info("max_memory", std::int64_t{spec_.hash_mb} << 20);
        info("game_type", 1);
        if (t.increment_ms > 0) info("time_increment", t.increment_ms);
        if (t.depth > 0) info("max_depth", t.depth);
        if (t.nodes > 0) info("max_node", static_cast<std::int64_t>(t.nodes));
        info("thread_num", spec_.threads);
        for (const auto& [key, value] : spec_.options) write(fmt::format("INFO {} {}", key, value));
    }

    /// BEGIN on the empty board, TURN after one move of the opponent, BOARD in every other case.
    void ask(const Turn& turn) {
        const auto& moves = turn.moves;
        if (moves.empty() && start_.position.empty()) return (void)write("BEGIN");
        if (in_step_ && moves.size() == told_ + 1 && moves.back() != "pa") {
            return (void)write("TURN " + pair_text(moves.back()));
        }
        write("BOARD");
        for (const std::string& stone : stones_of_start()) write(stone);
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (moves[i] == "pa") continue;
            const int side = (start_.start_side + static_cast<int>(i)) % 2;
            write(fmt::format("{},{}", pair_text(moves[i]), owner(side)));
        }
        write("DONE");
    }
    std::string pair_text(const std::string& move) const {
        const auto [x, y] = squares_.pair_of(move);
        return fmt::format("{},{}", x, y);
    }
    int owner(int side) const { return side == start_.side ? 1 : 2; }

    /// Stones that stand there before the first move, by turns as if they had been played.
    std::vector<std::string> stones_of_start() const {
        std::vector<std::string> by_side[2];
        if (start_.position.empty() || !squares_.from_bottom()) return {};
        int x = 0;
        int y = 0;
        const std::string cells = start_.start_board.substr(0, start_.start_board.find(' '));
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const char c = cells[i];
            if (c == '/') {
                x = 0, ++y;
            } else if (c >= '0' && c <= '9') {
                int run = 0;
                const auto end = std::from_chars(&cells[i], cells.data() + cells.size(), run).ptr;
                i += static_cast<std::size_t>(end - &cells[i]) - 1;
                x += run;
            } else {
                const int side = c == 'X' ? 0 : 1;
                if (c == 'X' || c == 'O') {
                    by_side[side].push_back(fmt::format("{},{},{}", x, y, owner(side)));
                }
                ++x;
            }
        }
        std::vector<std::string> stones;
        for (std::size_t i = 0; i < std::max(by_side[0].size(), by_side[1].size()); ++i) {
            for (const auto& list : by_side) {
                if (i < list.size()) stones.push_back(list[i]);
            }
        }
        return stones;
    }

    /// "MESSAGE depth 12-20 ev 34 ..." and what resembles it: brains write it as they like.
    void read_message(const std::string& line) {
        const auto words = words_of(lower(line), " \t=:|,;()");
        DepthReport report;
        bool valued = false;
        for (std::size_t i = 1; i + 1 < words.size(); ++i) {
            const std::string& key = words[i];
            const std::string& text = words[i + 1];
            const auto number = number_in(text);
            if (key == "depth" && number) report.depth = static_cast<Depth>(*number);
            if ((key == "n" || key == "node" || key == "nodes") && number && *number > 0) {
                report.nodes = static_cast<std::uint64_t>(*number);
            }
            if (key != "ev" && key != "eval" && key != "score" && key != "value") continue;
            const std::size_t mate = text.find('m');  // "+m12", "-m7"
            valued = mate <= 1 || number.has_value();
            if (number) report.value = *number;
            if (mate > 1) continue;
            report.proven = text[0] == '-' ? -1 : 1;
            report.plies = static_cast<int>(number_in(text.substr(mate + 1)).value_or(kMaxPly));
        }
        if (valued) add_report(answer_.reports, report);
    }

    bool read(const std::string& line) {
        int x = 0;
        int y = 0;
        if (line.starts_with("MESSAGE")) return read_message(line), false;
        if (line.starts_with("SUGGEST") && read_pair(line.substr(7), x, y)) {
            write(fmt::format("PLAY {},{}", x, y));  // it answers with its move then
            return false;
        }
        if (!read_pair(line, x, y)) return false;
        answer_.move = squares_.move_of({x, y});
        return true;
    }

    Squares squares_;
    GameStart start_;
    std::size_t told_ = 0;  ///< moves that the brain knows of
    bool in_step_ = false;  ///< the brain's last answer was a move of this game
    bool played_ = false;   ///< START has been said
    int size_ = 0;
    Answer answer_;
};

}  // namespace

Expected<std::unique_ptr<Player>> make_gomocup(const EngineSpec& spec, const PlayerSetup& setup) {
    return ExternalPlayer::make<GomocupPlayer>(spec, setup);
}

}  // namespace karikomi::match
