#include "karikomi/games/othello/protocols/nboard.hpp"

#include <cmath>

#include <fmt/format.h>

#include "karikomi/games/othello/protocols/game_clock.hpp"
#include "karikomi/games/othello/protocols/othello_player.hpp"

namespace karikomi::protocols {
namespace {

constexpr const char* kName = "Karikomi";

/// A line's command and the rest of it. Version 1 sends bare moves; they become `move`.
struct Command {
    std::string name;
    std::string_view rest;
};

Command parse(std::string_view text) {
    const std::string_view all = trimmed(text);
    std::string_view rest = all;
    const std::string_view word = take_word(rest);
    const bool is_bare_move = rest.empty() && read_timed_move(word, 0).has_value();
    if (is_bare_move) return {"move", all};
    std::string name = lower_case(word);
    if (name == "set") name += ' ' + lower_case(take_word(rest));
    return {name, rest};
}

Urgency judge(const InputLine& line) {
    const auto command = parse(line.text);
    const std::string_view name = command.name;
    // A new position makes thinking about the old one pointless; a ping asks for silence.
    for (const char* n : {"ping", "move", "set game"}) {
        if (name == n) return Urgency::Stop;
    }
    for (const char* n :
         {"go", "hint", "analyze", "learn", "nboard", "set depth", "set contempt"}) {
        if (name == n) return Urgency::Command;
    }
    return name == "quit" ? Urgency::Goodbye : Urgency::None;
}

std::string pv_text(const Line& line) {
    std::string text;
    for (const std::string& move : line.pv) text += upper_case(move);
    return text;
}

/// "100%" for the exact result, otherwise plies and confidence: NBoard shows it beside the move.
std::string depth_text(const Line& line) {
    if (line.solved && line.confidence >= 100) return "100%";
    return fmt::format("{}@{}%", line.depth, line.confidence);
}

class NBoard {
public:
    NBoard(Engine& engine, const OthelloSettings& settings, const Streams& streams)
        : engine_(engine),
          settings_(settings),
          level_(settings.level.value_or(kDefaultLevel)),
          loop_(engine, streams, settings.transcript, judge),
          player_(engine, loop_.thinker(), settings) {}

    Summary run() {
        Summary summary;
        for (;;) {
            if (may_ponder()) player_.ponder(loop_.last_line());
            const auto line = loop_.next();
            if (!line) break;
            ++summary.lines_read;
            const Command command = parse(line->text);
            if (command.name == "quit") break;
            if (line->whole) obey(command);
        }
        summary.searches = player_.searches();
        return summary;
    }

private:
    struct Entry {
        const char* name;
        void (NBoard::*job)(std::string_view);
    };

    void obey(const Command& command) {
        static constexpr Entry kCommands[] = {
            {"set depth", &NBoard::set_depth}, {"set contempt", &NBoard::set_contempt},
            {"set game", &NBoard::set_game},   {"move", &NBoard::move},
            {"hint", &NBoard::hint},           {"go", &NBoard::go},
            {"ping", &NBoard::ping},           {"learn", &NBoard::learn},
            {"analyze", &NBoard::analyze},
        };
        // `nboard` needs no answer; all else is not for us.
        for (const Entry& entry : kCommands) {
            if (command.name == entry.name) return (this->*entry.job)(command.rest);
        }
    }

    // ---- Settings and the game ------------------------------------------------------------------

    void set_depth(std::string_view rest) {
        const auto level = parse_whole(take_word(rest));
        if (!level || *level < 0) return refuse("not a level");
        level_ = static_cast<int>(std::min<std::int64_t>(*level, engine_.info().max_level));
        loop_.say(fmt::format("set myname {}{}", kName, level_));
    }
    void set_contempt(std::string_view rest) {
        const auto discs = parse_decimal(take_word(rest));
        if (!discs) return refuse("not a number of discs");
        player_.set_contempt(*discs);
    }
    void set_game(std::string_view rest) {
        const auto record = read_game(rest);
        changed(record ? player_.game().set(*record) : Status(record.error()));
    }
    void move(std::string_view rest) {
        const auto move = read_timed_move(take_word(rest), player_.game().to_move());
        changed(move ? player_.game().play(*move) : Status(Error{"not a move"}));
    }
    void changed(const Status& status) {
        quiet_ = false;
        // A GUI that sent something impossible is out of step with us: its user must see it.
        if (!status) refuse(status.error().what);
    }
    void refuse(const std::string& reason) {
        loop_.say(fmt::format("status {}: {}", kName, reason));
    }

    // ---- Thinking -------------------------------------------------------------------------------

    void go(std::string_view) {
        my_side_ = player_.game().to_move();
        loop_.say(fmt::format("status {} is thinking", kName));
        Limits limits;
        limit_level(level_, engine_.info(), limits);
        limit_by_clock(limits);
        bool reported = false;
        const auto answer = player_.choose(loop_.last_line(), limits, [&](const Info& info) {
            reported = true;
            report(info);
        });
        if (answer.from_book) {
            say_book(answer);
        } else if (answer.line && !reported) {
            say_line(*answer.line);
        }
        say_nodes(answer.nodes, answer.seconds);
        std::string text = "=== " + upper_case(answer.move);
        if (answer.line) {
            const bool has_value = answer.line->bound != Bound::None;
            text += '/' + (has_value ? discs_text(answer.line->value, engine_.info()) : "");
            text += fmt::format("/{:.2f}", answer.seconds);
        }
        loop_.say(text);
    }

    void limit_by_clock(Limits& limits) const {
        const Side side = player_.game().to_move();
        const auto& control = player_.game().time()[static_cast<std::size_t>(side)];
        if (!control) return;
        double used = 0;
        int moves = 0;
        for (const auto& played : player_.game().moves()) {
            if (played.move.side != side) continue;
            used += played.move.seconds;
            ++moves;
        }
        limit_time(*control, used, moves, limits);
    }

    void hint(std::string_view rest) {
        my_side_.reset();
        const std::int64_t number = parse_whole(take_word(rest)).value_or(1);
        auto wanted = static_cast<std::size_t>(std::clamp<std::int64_t>(number, 1, 64));
        if (player_.game().is_over()) return;
        loop_.say(fmt::format("status {} is analyzing", kName));
        std::vector<std::string> others = engine_.legal_moves();
        const std::size_t all = others.size();
        for (const auto& known : player_.book_moves()) {
            if (wanted == 0) break;
            say_book(known);
            --wanted;
            std::erase(others, known.move);
        }
        wanted = std::min(wanted, others.size());
        SearchRequest request;
        if (others.size() < all) request.only_moves = others;
        if (wanted > 0) hint_by_search(request, static_cast<int>(wanted));
        loop_.say("status");
    }
    void hint_by_search(SearchRequest& request, int moves) {
        limit_level(level_, engine_.info(), request.limits);
        request.limits.multi_pv = moves;
        bool reported = false;
        const auto result =
            player_.search(loop_.last_line(), Patience::Hint, request, [&](const Info& info) {
                reported = true;
                report(info);
            });
        if (result && !reported) {  // solved at once, or stopped before the first report
            for (const Line& line : result->lines) say_line(line);
        }
        if (result) say_nodes(result->nodes, static_cast<double>(result->time_us) / 1e6);
    }

    void report(const Info& info) {
        say_line(info.line);
        if (info.multi_pv == 1) {
            say_nodes(info.total_nodes, static_cast<double>(info.time_us) / 1e6);
        }
    }
    void say_line(const Line& line) {
        if (line.pv.empty() || line.bound == Bound::None) return;
        loop_.say(fmt::format("search {} {} 0 {}", pv_text(line),
                              discs_text(line.value, engine_.info()), depth_text(line)));
    }
    void say_book(const OthelloPlayer::Answer& known) {
        loop_.say(fmt::format("book {} {} {} {}", pv_text(*known.line),
                              discs_text(known.line->value, engine_.info()), known.games,
                              depth_text(*known.line)));
    }
    void say_nodes(std::uint64_t nodes, double seconds) {
        loop_.say(fmt::format("nodestats {} {:.2f}", nodes, seconds));
    }

    /// Backwards, because what the search learns late in the game helps it earlier on.
    void analyze(std::string_view) {
        my_side_.reset();
        const std::uint64_t line = loop_.last_line();
        loop_.say(fmt::format("status {} is analyzing the game", kName));
        for (std::size_t i = player_.game().moves().size() + 1; i-- > 0;) {
            (void)engine_.set_position(player_.game().position_after(i));
            const auto value = value_here(line);
            if (!value) break;
            loop_.say(fmt::format("analysis {} {}", i, discs_text(*value, engine_.info())));
        }
        player_.game().restore();
        loop_.say("status");
    }

    /// Of the engine's position for its side to move; nothing when the work was stopped.
    std::optional<Value> value_here(std::uint64_t line) {
        if (loop_.thinker().is_ended(line, Patience::Hint)) return std::nullopt;
        if (engine_.winner()) {
            const int black = final_score(engine_.position_text());
            return engine_.info().unit * (engine_.side_to_move() == 0 ? black : -black);
        }
        SearchRequest request;
        limit_level(level_, engine_.info(), request.limits);
        const auto result = player_.search(line, Patience::Hint, request);
        const bool whole =
            result && !result->lines.empty() && !loop_.thinker().is_ended(line, Patience::Hint);
        return whole ? std::optional(result->lines.front().value) : std::nullopt;
    }

    // ---- The rest -------------------------------------------------------------------------------

    /// By the time it is obeyed all thinking has ended, and its output has been said.
    void ping(std::string_view rest) {
        const auto number = parse_whole(take_word(rest));
        if (!number) return;
        quiet_ = true;
        loop_.say(fmt::format("pong {}", *number));
    }
    void learn(std::string_view) { loop_.say("learned"); }

    bool may_ponder() const {
        return settings_.ponder && !quiet_ && my_side_ && player_.game().to_move() != *my_side_;
    }

    Engine& engine_;
    const OthelloSettings& settings_;
    int level_;
    LineLoop loop_;
    OthelloPlayer player_;
    std::optional<Side> my_side_;  ///< of the last go: the other side's time is for pondering
    bool quiet_ = false;           ///< after a ping, until the position changes
};

}  // namespace

Summary run_nboard(Engine& engine, const OthelloSettings& settings, const Streams& streams) {
    return NBoard(engine, settings, streams).run();
}

}  // namespace karikomi::protocols
