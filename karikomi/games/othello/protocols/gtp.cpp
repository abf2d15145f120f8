#include "karikomi/games/othello/protocols/gtp.hpp"

#include <chrono>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/games/othello/protocols/game_clock.hpp"
#include "karikomi/games/othello/protocols/othello_player.hpp"
#include "karikomi/version.hpp"

namespace karikomi::protocols {
namespace {

constexpr long kMostPeriodMoves = 1000;  ///< of a time control: more than any game has

/// A line as GTP wants it read: no control characters, no comment.
std::string cleaned(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, text.find('#'))) {
        if (c == '\t') {
            out += ' ';
        } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) {
            out += c;
        }
    }
    return std::string(trimmed(out));
}

struct Command {
    std::string id;  ///< digits; may be empty
    std::string name;
    std::string arguments;
};

Command parse(const std::string& line) {
    Command command;
    std::string_view rest = line;
    std::string_view word = take_word(rest);
    if (word.find_first_not_of("0123456789") == std::string_view::npos) {
        command.id = word;
        word = take_word(rest);
    }
    command.name = lower_case(word);
    command.arguments = rest;
    return command;
}

Urgency judge(const InputLine& line) {
    // GoGui's way to interrupt a program is a comment.
    if (lower_case(trimmed(line.text)) == "# interrupt") return Urgency::Stop;
    const std::string text = cleaned(line.text);
    if (text.empty()) return Urgency::None;
    const std::string name = parse(text).name;
    if (name == "stop") return Urgency::Stop;
    return name == "quit" ? Urgency::Goodbye : Urgency::Command;
}

std::optional<Side> read_side(std::string_view text) {
    const std::string lower = lower_case(text);
    if (lower == "b" || lower == "black") return 0;
    if (lower == "w" || lower == "white") return 1;
    return std::nullopt;
}

/// Squares in capitals, because GoGui compares them so; `pass` not, for the same reason.
std::string move_text(std::string_view move) {
    return move == "pa" ? "pass" : upper_case(move);
}

Expected<std::string> read_text_file(const std::string& name) {
    constexpr std::size_t kLargest = 1 << 20;  // a game has some kilobytes
    std::ifstream file(name, std::ios::binary);
    std::string text(kLargest + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    if (text.empty() || text.size() > kLargest) return Error{"cannot load file"};
    return text;
}

/// Prints what an analysis finds, a line for each finished depth, no more often than asked for.
class AnalysisLines {
public:
    AnalysisLines(LineLoop& loop, const GameInfo& info, std::size_t lines, double interval)
        : loop_(loop), info_(info), lines_(lines), interval_(interval) {}

    void see(const Info& info) {
        if (info.multi_pv == 1) waiting_.clear();
        waiting_ += fmt::format(
            "{}info move {} value {} depth {} confidence {} solved {} nodes {} time {:.2f} order "
            "{} "
            "pv {}",
            waiting_.empty() ? "" : " ", move_text(info.line.pv.empty() ? "pa" : info.line.pv[0]),
            discs_text(info.line.value, info_), info.line.depth, info.line.confidence,
            info.line.solved, info.total_nodes, static_cast<double>(info.time_us) / 1e6,
            info.multi_pv - 1, pv_text(info.line));
        const double now = static_cast<double>(info.time_us) / 1e6;
        const bool is_last = static_cast<std::size_t>(info.multi_pv) >= lines_;
        if (is_last && now >= next_) {
            next_ = now + interval_;
            flush();
        }
    }
    void flush() {
        if (!waiting_.empty()) loop_.say(waiting_);
        waiting_.clear();
    }

private:
    static std::string pv_text(const Line& line) {
        std::string text;
        for (const std::string& move : line.pv) {
            text += (text.empty() ? "" : " ") + move_text(move);
        }
        return text;
    }

    LineLoop& loop_;
    const GameInfo& info_;
    std::size_t lines_;
    double interval_;  ///< seconds
    double next_ = 0;
    std::string waiting_;
};

class Gtp {
public:
    Gtp(Engine& engine, const OthelloSettings& settings, const Streams& streams)
        : engine_(engine),
          settings_(settings),
          level_(settings.level),
          loop_(engine, streams, settings.transcript, judge),
          player_(engine, loop_.thinker(), settings) {}

    Summary run() {
        Summary summary;
        while (!quit_) {
            if (settings_.ponder && ponder_) player_.ponder(loop_.last_line());
            const auto line = loop_.next();
            if (!line) break;
            ++summary.lines_read;
            const std::string text = cleaned(line->text);
            if (text.empty()) continue;
            const Command command = parse(text);
            if (!line->whole) {
                say_reply(command.id, Error{"line too long"});
            } else {
                obey(command);
            }
        }
        summary.searches = player_.searches();
        return summary;
    }

private:
    using Reply = Expected<std::string>;
    struct Entry {
        const char* name;
        Reply (Gtp::*job)(std::string_view);
    };
    static const std::vector<Entry>& commands();

    void obey(const Command& command) {
        if (command.name == "karikomi-analyze") return analyze(command);
        for (const Entry& entry : commands()) {
            if (command.name != entry.name) continue;
            return say_reply(command.id, (this->*entry.job)(command.arguments));
        }
        say_reply(command.id, Error{"unknown command"});
    }
    void say_reply(const std::string& id, const Reply& reply) {
        if (reply) {
            loop_.say(fmt::format("={} {}\n", id, *reply));
        } else {
            loop_.say(fmt::format("?{} {}\n", id, reply.error().what));
        }
    }

    // ---- The program ----------------------------------------------------------------------------

    Reply protocol_version(std::string_view) { return std::string("2"); }
    Reply name(std::string_view) { return std::string("Karikomi"); }
    Reply version(std::string_view) { return std::string(kVersion); }
    Reply known_command(std::string_view text) {
        const std::string wanted = lower_case(trimmed(text));
        for (const Entry& entry : commands()) {
            if (wanted == entry.name) return std::string("true");
        }
        return std::string("false");
    }
    Reply list_commands(std::string_view) {
        std::vector<std::string> names;
        for (const Entry& entry : commands()) names.emplace_back(entry.name);
        return fmt::format("{}", fmt::join(names, "\n"));
    }
    Reply quit(std::string_view) {
        quit_ = true;
        return std::string();
    }
    Reply nothing(std::string_view) { return std::string(); }
    Reply list_games(std::string_view) { return std::string("Othello"); }
    Reply set_game(std::string_view text) {
        const std::string game = lower_case(trimmed(text));
        if (game != "othello" && game != "reversi") return Error{"unsupported game"};
        return std::string();
    }
    Reply level(std::string_view text) {
        const auto number = parse_whole(trimmed(text));
        const int highest = engine_.info().max_level;
        if (!number || *number < 0 || *number > highest) {
            return Error{fmt::format("syntax error: level 0..{}", highest)};
        }
        level_ = static_cast<int>(*number);
        return std::string();
    }

    // ---- The game -------------------------------------------------------------------------------

    Reply boardsize(std::string_view text) {
        const auto size = parse_whole(trimmed(text));
        if (!size) return Error{"syntax error: boardsize N"};
        if (*size != 8) return Error{"unacceptable size"};
        return std::string();
    }
    Reply clear_board(std::string_view) {
        ponder_ = false;
        player_.game().clear();
        engine_.new_game();
        clock_.restart();
        return std::string();
    }
    Reply komi(std::string_view text) {
        if (!parse_decimal(trimmed(text))) return Error{"syntax error: komi X"};
        return std::string();
    }
    Reply play(std::string_view text) {
        const auto side = read_side(take_word(text));
        if (!side) return Error{"illegal color"};
        const auto move = read_move(text);
        if (!move) return Error{"syntax error: play COLOR MOVE"};
        const Status status = player_.game().play_as({*side, *move, 0});
        if (!status) return Error{"illegal move: " + status.error().what};
        return std::string();
    }
    Reply play_sequence(std::string_view text) {
        const std::size_t before = player_.game().moves().size();
        while (!text.empty()) {
            const std::string_view side = take_word(text);
            const std::string_view move = take_word(text);
            Reply reply = play(fmt::format("{} {}", side, move));
            if (reply) continue;
            player_.game().rewind(before);
            return reply;
        }
        return std::string();
    }
    Reply undo(std::string_view) { return undo_many("1"); }
    Reply undo_many(std::string_view text) {
        const auto number = trimmed(text).empty() ? 1 : parse_whole(trimmed(text));
        if (!number || *number < 0) return Error{"syntax error: gg-undo N"};
        ponder_ = false;
        if (!player_.game().undo(static_cast<std::size_t>(*number))) return Error{"cannot undo"};
        return std::string();
    }
    /// FILE [MOVE]: the whole game, or the position before that move.
    Reply load_game(std::string_view text) {
        std::string file(trimmed(text));
        std::size_t moves = std::string::npos;
        if (const std::size_t blank = file.find_last_of(' '); blank != std::string::npos) {
            const auto number = parse_whole(std::string_view(file).substr(blank + 1));
            if (number && *number >= 1) {
                moves = static_cast<std::size_t>(*number - 1);
                file = trimmed(std::string_view(file).substr(0, blank));
            }
        }
        if (file.empty()) return Error{"syntax error: loadsgf FILE [MOVE]"};
        const auto content = read_text_file(file);
        if (!content) return content.error();
        const auto record = read_game(*content);
        if (!record) return Error{"cannot load file: " + record.error().what};
        ponder_ = false;
        const Status status = player_.game().set(*record, moves);
        if (!status) return Error{"cannot load file: " + status.error().what};
        return std::string();
    }
    Reply show_board(std::string_view) {
        const auto [black, white] = player_.game().discs();
        std::string board = engine_.draw_board();
        while (!board.empty() && board.back() == '\n') board.pop_back();
        return fmt::format("\n{}\nX (Black) {}, O (White) {}", board, black, white);
    }
    Reply final_score_reply(std::string_view) {
        if (!player_.game().is_over()) return Error{"cannot score: the game is not over"};
        const int score = final_score(player_.game().position());
        if (score == 0) return std::string("0");
        return fmt::format("{}+{}", score > 0 ? 'B' : 'W', std::abs(score));
    }

    // ---- Time -----------------------------------------------------------------------------------

    Reply time_settings(std::string_view text) {
        const auto main = parse_decimal(take_word(text));
        const auto period = parse_decimal(take_word(text));
        const auto moves = parse_whole(take_word(text));
        const bool good = main && period && moves && *main >= 0 && *period >= 0 && *moves >= 0 &&
                          *moves <= kMostPeriodMoves && text.empty();
        if (!good) return Error{"syntax error: time_settings MAIN PERIOD MOVES"};
        clock_.set(*main, *period, static_cast<int>(*moves));
        return std::string();
    }
    Reply time_left(std::string_view text) {
        const auto side = read_side(take_word(text));
        if (!side) return Error{"illegal color"};
        const auto seconds = parse_decimal(take_word(text));
        const std::string_view last = take_word(text);
        const auto moves = last.empty() ? 0 : parse_whole(last);
        const bool good =
            seconds && moves && *moves >= 0 && *moves <= kMostPeriodMoves && text.empty();
        if (!good) return Error{"syntax error: time_left COLOR SECONDS MOVES"};
        clock_.set_left(*side, std::max(*seconds, 0.0), static_cast<int>(*moves));
        return std::string();
    }

    // ---- Thinking -------------------------------------------------------------------------------

    Reply genmove(std::string_view text) { return generate(text, true); }
    Reply reg_genmove(std::string_view text) { return generate(text, false); }

    Reply generate(std::string_view text, bool plays) {
        const auto start = std::chrono::steady_clock::now();
        const auto side = read_side(trimmed(text));
        if (!side) return Error{"illegal color"};
        const std::size_t before = player_.game().moves().size();
        if (const Status s = player_.game().turn_to(*side); !s) {
            return Error{"wrong color: " + s.error().what};
        }
        Limits limits;
        if (plays) clock_.limit(*side, limits);
        // A clock alone decides unless the user has asked for a level.
        if (level_ || !limits.has_clock) {
            limit_level(level_.value_or(kDefaultLevel), engine_.info(), limits);
        }
        const auto answer = player_.choose(loop_.last_line(), limits);
        if (plays) {
            (void)player_.game().play_as({*side, answer.move, answer.seconds});
            const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
            clock_.use(*side, used.count());
        } else {
            player_.game().rewind(before);
        }
        ponder_ = plays && !player_.game().is_over();
        return move_text(answer.move);
    }

    /// [COLOR] [INTERVAL] [multipv N]: replies at once and goes on until the next command.
    void analyze(const Command& command) {
        std::string_view text = command.arguments;
        std::int64_t lines = 1;
        double interval = 0;  // centiseconds, as others have it
        std::optional<Side> side;
        while (!text.empty()) {
            const std::string word = lower_case(take_word(text));
            const auto number = word == "multipv" ? parse_whole(take_word(text)) : std::nullopt;
            if (number && *number >= 1 && *number <= 64) {
                lines = *number;
            } else if (const auto gap = parse_decimal(word); gap && *gap >= 0) {
                interval = *gap;
            } else if (side = read_side(word); !side) {
                const char* const usage = "karikomi-analyze [COLOR] [INTERVAL] [multipv N]";
                return say_reply(command.id, Error{fmt::format("syntax error: {}", usage)});
            }
        }
        if (side && *side != player_.game().to_move()) {
            return say_reply(command.id, Error{"wrong color"});
        }
        ponder_ = false;
        loop_.say(fmt::format("={}", command.id));
        if (!player_.game().is_over()) analyze_position(lines, interval / 100);
        loop_.say("");
    }

    void analyze_position(std::int64_t lines, double interval) {
        const auto most = std::min(static_cast<std::size_t>(lines), engine_.legal_moves().size());
        SearchRequest request;
        request.limits.infinite = true;
        request.limits.multi_pv = static_cast<int>(most);
        AnalysisLines printer(loop_, engine_.info(), most, interval);
        bool seen = false;
        const auto result =
            player_.search(loop_.last_line(), Patience::Open, request, [&](const Info& info) {
                seen = true;
                printer.see(info);
            });
        // A solver may have found everything at once, with nothing to report on the way.
        for (std::size_t i = 0; result && !seen && i < result->lines.size(); ++i) {
            if (result->lines[i].bound == Bound::None) break;  // stopped too early
            Info info;
            info.line = result->lines[i];
            info.multi_pv = static_cast<int>(i) + 1;
            info.total_nodes = result->nodes;
            info.time_us = result->time_us;
            printer.see(info);
        }
        printer.flush();
    }

    // ---- GoGui ----------------------------------------------------------------------------------

    Reply rules_game_id(std::string_view) { return std::string("Othello"); }
    Reply rules_board_size(std::string_view) { return std::string("8"); }
    /// GoGui takes the first line for row 8, so that is what it must be: the names of the squares
    /// are right that way, although Othello players put row 1 on top.
    Reply rules_board(std::string_view) {
        std::string text;
        for (std::size_t row = 8; row-- > 0;) {
            for (std::size_t column = 0; column < 8; ++column) {
                const char c = player_.game().position()[row * 8 + column];
                text += c == '-' ? '.' : c;
                text += column < 7 ? " " : row > 0 ? "\n" : "";
            }
        }
        return text;
    }
    Reply rules_legal_moves(std::string_view) {
        std::string text;
        for (const std::string& move : engine_.legal_moves()) {
            text += (text.empty() ? "" : " ") + move_text(move);
        }
        return text;
    }
    Reply rules_side_to_move(std::string_view) {
        return lower_case(name_of(player_.game().to_move()));
    }
    Reply rules_final_result(std::string_view) {
        if (!player_.game().is_over()) return std::string("The game is not over");
        const int score = final_score(player_.game().position());
        const auto [black, white] = player_.game().discs();
        if (score == 0) return fmt::format("Draw, {} : {}", black, white);
        return fmt::format("{} wins by {}, {} : {}", name_of(score > 0 ? 0 : 1), std::abs(score),
                           black, white);
    }
    Reply in_its_own_way(std::string_view) { return std::string(); }

    Engine& engine_;
    const OthelloSettings& settings_;
    std::optional<int> level_;
    GtpClock clock_;
    LineLoop loop_;
    OthelloPlayer player_;
    bool ponder_ = false;  ///< the opponent is to move
    bool quit_ = false;
};

const std::vector<Gtp::Entry>& Gtp::commands() {
    static const std::vector<Entry> kCommands = {
        {"protocol_version", &Gtp::protocol_version},
        {"name", &Gtp::name},
        {"version", &Gtp::version},
        {"known_command", &Gtp::known_command},
        {"list_commands", &Gtp::list_commands},
        {"quit", &Gtp::quit},
        {"boardsize", &Gtp::boardsize},
        {"clear_board", &Gtp::clear_board},
        {"komi", &Gtp::komi},
        {"play", &Gtp::play},
        {"genmove", &Gtp::genmove},
        {"reg_genmove", &Gtp::reg_genmove},
        {"undo", &Gtp::undo},
        {"gg-undo", &Gtp::undo_many},
        {"time_settings", &Gtp::time_settings},
        {"time_left", &Gtp::time_left},
        {"set_game", &Gtp::set_game},
        {"list_games", &Gtp::list_games},
        {"loadsgf", &Gtp::load_game},
        {"showboard", &Gtp::show_board},
        {"final_score", &Gtp::final_score_reply},
        {"level", &Gtp::level},
        {"stop", &Gtp::nothing},
        {"karikomi-analyze", &Gtp::in_its_own_way},
        {"gogui-interrupt", &Gtp::nothing},
        {"gogui-play_sequence", &Gtp::play_sequence},
        {"gogui-rules_game_id", &Gtp::rules_game_id},
        {"gogui-rules_board", &Gtp::rules_board},
        {"gogui-rules_board_size", &Gtp::rules_board_size},
        {"gogui-rules_legal_moves", &Gtp::rules_legal_moves},
        {"gogui-rules_side_to_move", &Gtp::rules_side_to_move},
        {"gogui-rules_final_result", &Gtp::rules_final_result},
    };
    return kCommands;
}

}  // namespace

Summary run_gtp(Engine& engine, const OthelloSettings& settings, const Streams& streams) {
    return Gtp(engine, settings, streams).run();
}

}  // namespace karikomi::protocols
