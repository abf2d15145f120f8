/// Programs by USI. It is shogi's protocol, but nothing in it knows a piece: any game whose moves
/// are single words can be played by it.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/lab/match/external_player.hpp"

namespace karikomi::match {
namespace {

class UsiPlayer final : public ExternalPlayer {
public:
    using ExternalPlayer::ExternalPlayer;
    ~UsiPlayer() override {
        write("quit");
        child_.finish(std::chrono::milliseconds(1000));
    }

    Trouble new_game(const GameStart& start) override {
        if (!child_.running()) guess_.clear();
        if (Trouble t = ready(); t.fault != Fault::None) return t;
        if (take_adjusted()) send_options();
        position_ = start.position.empty() ? "startpos" : "sfen " + start.position;
        write("isready");
        const Fault f =
            wait_for([](const std::string& line) { return is(line, "readyok"); }, setup_.start_ms);
        if (f != Fault::None) return trouble(f, "readyok");
        write("usinewgame");
        return {};
    }

    Answer think(const Turn& turn) override {
        answer_ = {};
        const bool guessed = !guess_.empty() && guess_ == turn.moves;
        if (!guessed) {
            if (const Fault f = end_ponder(); f != Fault::None) return fail(f, "bestmove");
            write(position_of(turn.moves));
        }
        start_clock();
        write(guessed ? "ponderhit" : "go" + limits_of(turn));
        guess_.clear();
        const Fault f =
            wait_for_answer([this](const std::string& line) { return read(line); }, turn, "stop");
        answer_.time_ms = clock_ms();
        if (f != Fault::None) return fail(f, "bestmove");
        if (spec_.ponder) ponder(turn);
        return answer_;
    }

    void game_over(int outcome) override {
        // A program that does not obey is found out by the next game's `isready`.
        (void)end_ponder();
        write(outcome > 0 ? "gameover win" : outcome < 0 ? "gameover lose" : "gameover draw");
    }

    std::vector<ProgramOption> options() const override {
        std::vector<ProgramOption> out;
        for (const auto& [name, option] : options_) out.push_back(option);
        return out;
    }

protected:
    Trouble greet() override {
        options_.clear();
        write("usi");
        const Fault f = wait_for([this](const std::string& line) { return read_identity(line); },
                                 setup_.start_ms);
        if (f != Fault::None) return trouble(f, "usiok");
        if (identity_.name.empty()) identity_.name = spec_.command;
        // These two every engine must accept; others only when it has named them.
        set_option("USI_Ponder", spec_.ponder ? "true" : "false");
        set_option("USI_Hash", std::to_string(spec_.hash_mb));
        // Fairy-Stockfish speaks USI but keeps the name it has from chess.
        if (options_.contains("Hash")) set_option("Hash", std::to_string(spec_.hash_mb));
        if (options_.contains("Threads")) set_option("Threads", std::to_string(spec_.threads));
        send_options();
        return {};
    }

private:
    static bool is(const std::string& line, std::string_view word) {
        const auto words = words_of(line);
        return !words.empty() && words[0] == word;
    }
    void send_options() {
        for (const auto& [name, value] : spec_.options) set_option(name, value);
    }
    void set_option(const std::string& name, const std::string& value) {
        write(fmt::format("setoption name {} value {}", name, value));
    }

    bool read_identity(const std::string& line) {
        const auto words = words_of(line);
        if (words.size() >= 3 && words[0] == "id" && words[1] == "name" && spec_.name.empty()) {
            identity_.name = line.substr(line.find(words[2], line.find("name") + 4));
        }
        if (words.size() >= 3 && words[0] == "option" && words[1] == "name") add_option(words);
        return !words.empty() && words[0] == "usiok";
    }

    /// "option name Skill Level type spin default 20 min 0 max 20": names may have spaces.
    void add_option(const std::vector<std::string>& words) {
        ProgramOption o;
        std::string* to = &o.name;
        std::string least, most;
        for (std::size_t i = 2; i < words.size(); ++i) {
            const std::string& w = words[i];
            if (w == "type" && to == &o.name) {
                to = &o.type;
            } else if (w == "default") {
                to = &o.value;
            } else if (w == "min" || w == "max") {
                to = w == "min" ? &least : &most;
            } else if (w == "var") {
                to = &o.choices.emplace_back();
            } else {
                *to += (to->empty() ? "" : " ") + w;
            }
        }
        o.min = number_in(least).value_or(0);
        o.max = number_in(most).value_or(0);
        options_[o.name] = std::move(o);
    }

    std::string position_of(const std::vector<std::string>& moves) const {
        std::string out = "position " + position_;
        if (!moves.empty()) out += fmt::format(" moves {}", fmt::join(moves, " "));
        return out;
    }

    /// Lets it think on the other's time about the answer that it expects.
    void ponder(const Turn& turn) {
        if (expected_.empty() || answer_.resigns) return;
        guess_ = turn.moves;
        guess_.push_back(answer_.move);
        guess_.push_back(expected_);
        Turn next = turn;
        std::int64_t& left = next.clock_ms[turn.side];
        left = std::max<std::int64_t>(left - answer_.time_ms, 0) + turn.limits.increment_ms;
        write(position_of(guess_));
        write("go ponder" + limits_of(next));
    }
    /// The move it finds then is not wanted.
    Fault end_ponder() {
        if (guess_.empty()) return Fault::None;
        guess_.clear();
        write("stop");
        return wait_for([](const std::string& line) { return is(line, "bestmove"); },
                        setup_.start_ms);
    }

    /// GUIs send byoyomi or increments, never both; a fixed time for the move is byoyomi alone.
    static std::string limits_of(const Turn& turn) {
        const Limits& l = turn.limits;
        std::string go;
        if (l.has_clock) {
            go += fmt::format(" btime {} wtime {}", turn.clock_ms[0], turn.clock_ms[1]);
            go += l.byoyomi_ms > 0
                      ? fmt::format(" byoyomi {}", l.byoyomi_ms)
                      : fmt::format(" binc {} winc {}", l.increment_ms, l.increment_ms);
        } else if (l.move_time_ms > 0) {
            go += fmt::format(" btime 0 wtime 0 byoyomi {}", l.move_time_ms);
        }
        if (l.nodes > 0) go += fmt::format(" nodes {}", l.nodes);
        if (l.depth > 0) go += fmt::format(" depth {}", l.depth);
        return go;
    }

    bool read(const std::string& line) {
        const auto words = words_of(line);
        if (words.empty()) return false;
        if (words[0] == "info") return read_info(words), false;
        if (words[0] != "bestmove") return false;
        answer_.move = words.size() > 1 ? words[1] : "";
        expected_ = words.size() > 3 && words[2] == "ponder" ? words[3] : "";
        answer_.resigns = answer_.move == "resign";
        return true;
    }

    /// A bound is no value: the search goes on until it knows one.
    void read_info(const std::vector<std::string>& words) {
        std::optional<double> score;
        DepthReport report;
        const bool bound = std::any_of(words.begin(), words.end(), [](const std::string& w) {
            return w == "lowerbound" || w == "upperbound";
        });
        for (std::size_t i = 1; i + 1 < words.size(); ++i) {
            const std::string& key = words[i];
            if (key == "pv" || key == "string") break;
            const auto number = number_in(words[i + 1]);
            if (key == "multipv" && number && *number > 1) return;  // not the best line
            if (key == "depth" && number) answer_.depth = report.depth = static_cast<int>(*number);
            if (key == "nodes" && number && *number >= 0) {
                answer_.nodes = report.nodes = static_cast<std::uint64_t>(*number);
            }
            if (key == "cp" && number) report.value = *number, score = *number / 100.0;
            if (key == "mate") {
                report.proven = words[i + 1].starts_with('-') ? -1 : 1;
                // "mate +" does not say how far it is.
                report.plies = number ? static_cast<int>(std::abs(*number)) : kMaxPly;
                score = report.proven * kProven;
            }
        }
        if (!score) return;
        answer_.score = score;
        if (!bound) add_report(answer_.reports, report);
    }

    std::map<std::string, ProgramOption> options_;
    std::string position_;
    Answer answer_;
    std::string expected_;            ///< the other's answer, as the program said with its move
    std::vector<std::string> guess_;  ///< the moves that it ponders after; empty: it does not
};

}  // namespace

Expected<std::unique_ptr<Player>> make_usi(const EngineSpec& spec, const PlayerSetup& setup) {
    return ExternalPlayer::make<UsiPlayer>(spec, setup);
}

}  // namespace karikomi::match
