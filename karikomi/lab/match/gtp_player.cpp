/// Othello programs by GTP 2, as Edax and Egaroucid speak it. Commands carry no ids: Edax keeps the
/// last id for later answers. Coordinates have row 1 at the top, unlike in Go.
#include <set>

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/match/external_player.hpp"

namespace karikomi::match {
namespace {

constexpr std::int64_t kReplyMs = 10'000;  // for everything but genmove

class GtpPlayer final : public ExternalPlayer {
public:
    using ExternalPlayer::ExternalPlayer;
    ~GtpPlayer() override {
        write("quit");
        child_.finish(std::chrono::milliseconds(500));
    }

    Trouble new_game(const GameStart& start) override {
        if (Trouble t = ready(); t.fault != Fault::None) return t;
        if (take_adjusted()) {
            if (Trouble t = send_options(); t.fault != Fault::None) return t;
        }
        told_ = 0;
        start_side_ = start.start_side;
        time_ = start.time;
        if (!start.position.empty()) {
            return {Fault::Protocol, "gtp cannot be told a position to start from"};
        }
        if (knows("boardsize")) {
            if (const Fault f = command("boardsize 8"); f != Fault::None) return trouble(f, "=");
            if (refused_) return {Fault::Protocol, "boardsize 8: " + reply_};
        }
        if (const Fault f = command("clear_board"); f != Fault::None) return trouble(f, "=");
        if (refused_) return {Fault::Protocol, "clear_board: " + reply_};
        return announce_time();
    }

    Answer think(const Turn& turn) override {
        for (; told_ < turn.moves.size(); ++told_) {
            const std::string& move = turn.moves[told_];
            const Fault f =
                command(fmt::format("play {} {}", colour(told_), move == "pa" ? "pass" : move));
            if (f != Fault::None) return fail(f, "=");
            // Some pass by themselves and refuse to be told so; a move they must take.
            if (refused_ && move != "pa") {
                return protocol_fault(fmt::format("refuses the legal move {}: {}", move, reply_));
            }
        }
        const char side = colour(told_);
        if (const Fault f = announce_left(turn, side); f != Fault::None) return fail(f, "=");
        start_clock();
        write(fmt::format("genmove {}", side));
        const Fault f = wait_for_answer(reader(), turn, "");
        const std::int64_t used = clock_ms();
        if (f != Fault::None) return fail(f, "move");
        if (refused_) return protocol_fault("genmove: " + reply_);
        Answer answer;
        answer.time_ms = used;
        answer.move = lower(reply_);
        answer.resigns = answer.move == "resign";
        if (answer.move.starts_with("pa")) answer.move = "pa";
        ++told_;  // it has played the move itself
        return answer;
    }

protected:
    Trouble greet() override {
        known_.clear();
        for (const char* ask : {"name", "version", "list_commands"}) {
            const Fault f = command(ask, setup_.start_ms);
            if (f != Fault::None) return trouble(f, fmt::format("answer to {}", ask));
            if (refused_) continue;
            if (ask == std::string_view("name") && identity_.name.empty()) identity_.name = reply_;
            if (ask == std::string_view("version")) identity_.version = reply_;
            if (ask == std::string_view("list_commands")) {
                for (std::string& word : words_of(reply_, " \t\n")) known_.insert(std::move(word));
            }
        }
        if (identity_.name.empty()) identity_.name = spec_.command;
        if (knows("set_game")) {
            if (const Fault f = command("set_game " + find_game(setup_.game)->title);
                f != Fault::None) {
                return trouble(f, "=");
            }
        }
        return send_options();
    }

private:
    Trouble send_options() {
        for (const auto& [name, value] : spec_.options) {
            if (const Fault f = command(fmt::format("{} {}", name, value)); f != Fault::None) {
                return trouble(f, "=");
            }
        }
        return {};
    }
    bool knows(const std::string& name) const { return known_.contains(name); }
    char colour(std::size_t ply) const {
        return (static_cast<std::size_t>(start_side_) + ply) % 2 == 0 ? 'b' : 'w';
    }
    static std::string seconds(std::int64_t ms) {
        return ms % 1000 == 0 ? std::to_string(ms / 1000)
                              : fmt::format("{:.3f}", static_cast<double>(ms) / 1000.0);
    }
    static Answer protocol_fault(std::string what) {
        Answer answer;
        answer.fault = Fault::Protocol;
        answer.detail = std::move(what);
        return answer;
    }

    Trouble announce_time() {
        if (!time_.is_timed() || !knows("time_settings")) return {};
        const std::int64_t turn = time_.move_time_ms > 0 ? time_.move_time_ms : time_.byoyomi_ms;
        const std::int64_t main = time_.move_time_ms > 0 ? 0 : time_.main_ms;
        const Fault f = command(
            fmt::format("time_settings {} {} {}", seconds(main), seconds(turn), turn > 0 ? 1 : 0));
        return f == Fault::None ? Trouble{} : trouble(f, "=");
    }
    Fault announce_left(const Turn& turn, char side) {
        if (!turn.limits.has_clock || !knows("time_left")) return Fault::None;
        const bool in_byoyomi = turn.limits.main_ms == 0 && turn.limits.byoyomi_ms > 0;
        const std::int64_t left = in_byoyomi ? turn.limits.byoyomi_ms : turn.limits.main_ms;
        return command(fmt::format("time_left {} {} {}", side, seconds(left), in_byoyomi ? 1 : 0));
    }

    /// Sends it and reads the whole answer into reply_ and refused_.
    Fault command(const std::string& text, std::int64_t ms = kReplyMs) {
        write(text);
        return wait_for(reader(), ms);
    }
    /// "= text" or "? text", perhaps more lines, an empty line. What comes before is junk.
    Take reader() {
        reply_.clear();
        refused_ = false;
        return [this, begun = false](const std::string& line) mutable {
            if (!begun) {
                begun = line.starts_with('=') || line.starts_with('?');
                if (!begun) return false;
                refused_ = line[0] == '?';
                reply_ = line.substr(std::min(line.find_first_not_of(" \t", 1), line.size()));
                return false;
            }
            if (line.find_first_not_of(" \t") == std::string::npos) return true;
            reply_ += "\n" + line;
            return false;
        };
    }

    std::set<std::string> known_;
    std::size_t told_ = 0;
    int start_side_ = 0;
    TimeControl time_;
    std::string reply_;
    bool refused_ = false;
};

}  // namespace

Expected<std::unique_ptr<Player>> make_gtp(const EngineSpec& spec, const PlayerSetup& setup) {
    if (const Status s = require_protocol(spec, setup.game); !s) return s.error();
    return ExternalPlayer::make<GtpPlayer>(spec, setup);
}

}  // namespace karikomi::match
