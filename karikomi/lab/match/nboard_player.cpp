/// Othello programs by the NBoard protocol, version 2, in the dialects of NTest and Edax. `ping`
/// and `pong` are the only barrier: what comes before the pong belongs to the past.
#include <algorithm>

#include <fmt/format.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/lab/match/external_player.hpp"

namespace karikomi::match {
namespace {

constexpr Depth kDeepest = 60;
constexpr std::int64_t kPongMs = 10'000;  // a search must stop in this time

std::string upper(std::string text) {
    for (char& c : text) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return text;
}

/// "PA", "pass" and "ps" are all seen.
std::string to_move(std::string_view text) {
    const std::string move = lower(text);
    return move.starts_with("pa") || move == "ps" ? "pa" : move.substr(0, 2);
}

/// X black, O white, as OBF has it, becomes * and O.
std::string ggf_of(const GameStart& start, const std::string& title) {
    std::string cells = start.start_board.substr(0, 64);
    std::replace(cells.begin(), cells.end(), 'X', '*');
    const std::int64_t ms = start.time.main_ms > 0 ? start.time.main_ms : 3'600'000;
    const std::int64_t s = (ms + 999) / 1000;
    const auto clock = [](std::int64_t seconds) {
        return fmt::format("{:02}:{:02}", seconds / 60, seconds % 60);
    };
    std::string time = clock(s);
    if (start.time.increment_ms >= 1000) time += "/" + clock(start.time.increment_ms / 1000);
    return fmt::format("(;GM[{}]PC[karikomi]PB[black]PW[white]RE[?]TI[{}]TY[8]BO[8 {} {}];)", title,
                       time, cells, start.start_side == 0 ? '*' : 'O');
}

class NboardPlayer final : public ExternalPlayer {
public:
    using ExternalPlayer::ExternalPlayer;
    ~NboardPlayer() override {
        write("quit");
        child_.finish(std::chrono::milliseconds(300));
    }

    Trouble new_game(const GameStart& start) override {
        if (Trouble t = ready(); t.fault != Fault::None) return t;
        if (take_adjusted()) send_options();
        by_hint_ = spec_.hint.value_or(start.time.move_time_ms > 0 && start.time.depth == 0);
        depth_ = start.time.depth > 0    ? start.time.depth
                 : start.time.level >= 0 ? std::max(start.time.level, 1)
                                         : kDeepest;
        write(fmt::format("set depth {}", depth_));
        write("set game " + ggf_of(start, find_game(setup_.game)->title));
        told_ = 0;
        if (const Fault f = barrier(setup_.start_ms); f != Fault::None) return trouble(f, "pong");
        return {};
    }

    Answer think(const Turn& turn) override {
        for (; told_ < turn.moves.size(); ++told_) {
            write("move " + upper(turn.moves[told_]));
        }
        if (const Fault f = barrier(kPongMs); f != Fault::None) return fail(f, "pong");
        answer_ = {};
        start_clock();
        Answer answer = by_hint_ ? think_by_hint(turn) : think_by_go(turn);
        answer.time_ms = clock_ms();
        return answer;
    }

protected:
    Trouble greet() override {
        write("nboard 2");
        write("set depth 1");
        send_options();
        if (const Fault f = barrier(setup_.start_ms); f != Fault::None) return trouble(f, "pong");
        if (identity_.name.empty()) identity_.name = spec_.command;
        return {};
    }

private:
    void send_options() {
        for (const auto& [name, value] : spec_.options) {
            write(fmt::format("set {} {}", name, value));
        }
    }
    Fault barrier(std::int64_t ms) {
        const std::string number = std::to_string(++pings_);
        if (!write("ping " + number)) {
            // Gone, or not reading: its last words tell which.
            return wait_for([](const std::string&) { return false; }, 100);
        }
        return wait_for(
            [&](const std::string& line) {
                const auto words = words_of(line);
                read_name(words);
                if (by_hint_) read_search(words);  // what a search knew when the ping stopped it
                return words.size() == 2 && words[0] == "pong" && words[1] == number;
            },
            ms);
    }

    /// "set myname Edax 6" names the depth too: only the first name that comes is kept.
    void read_name(const std::vector<std::string>& words) {
        if (words.size() < 3 || words[0] != "set" || words[1] != "myname") return;
        if (!spec_.name.empty() || !identity_.name.empty()) return;
        std::string name = words[2];
        while (name.size() > 1 && name.back() >= '0' && name.back() <= '9') name.pop_back();
        identity_.name = name;
    }

    /// "search PV EVAL 0 DEPTH", "book PV EVAL GAMES DEPTH", "nodestats NODES SECONDS".
    void read_search(const std::vector<std::string>& words) {
        if (words.size() >= 2 && words[0] == "nodestats") {
            const auto n = number_in(words[1]);
            if (n && *n >= 0) answer_.nodes = static_cast<std::uint64_t>(*n);
        }
        const bool is_line = words.size() >= 3 && (words[0] == "search" || words[0] == "book");
        if (!is_line || words[1].size() < 2) return;
        answer_.move = to_move(words[1]);
        answer_.score = number_in(words[2]);
        if (words.size() < 5) return;
        exact_ = words[4] == "100%";
        const auto depth = number_in(words[4]);
        if (depth && !exact_) answer_.depth = static_cast<int>(*depth);
        // "73%@24" and the like are ends of games searched selectively, "100%" exact ones.
        const bool plain = words[4].find_first_not_of("0123456789") == std::string::npos;
        if (plain && answer_.score && words[0] == "search") {
            add_report(answer_.reports, {answer_.depth, *answer_.score, 0, 0, 0});
        }
    }

    Answer think_by_go(const Turn& turn) {
        write("go");
        const Fault f = wait_for(
            [&](const std::string& line) {
                const auto words = words_of(line, " \t/");
                if (words.empty()) return false;
                if (words[0] != "===") return read_search(words_of(line)), false;
                answer_.move = words.size() > 1 ? to_move(words[1]) : "";
                if (words.size() > 2) answer_.score = number_in(words[2]);
                return true;
            },
            turn.hang_ms);
        return f == Fault::None ? answer_ : fail(f, "===");
    }

    /// A hint goes on until the ping, so the time is ours to keep. The first line is waited for.
    Answer think_by_hint(const Turn& turn) {
        using std::chrono::milliseconds;
        write("hint 1");
        exact_ = false;
        const auto read = [&](const std::string& line) {
            read_search(words_of(line));
            return exact_ || (depth_ < kDeepest && answer_.depth >= depth_);
        };
        const std::int64_t ms = turn.limits.move_time_ms;
        Fault f = wait_for(read, started() + milliseconds(ms > 0 ? ms : turn.hang_ms));
        const auto has_move = [&](const std::string& line) {
            read_search(words_of(line));
            return !answer_.move.empty();
        };
        if (f == Fault::Hang && answer_.move.empty()) {
            f = wait_for(has_move, started() + milliseconds(turn.hang_ms));
        }
        if (f != Fault::None && answer_.move.empty()) return fail(f, "search line");
        if (f == Fault::Crash) return fail(f, "search line");
        const Answer known = answer_;
        f = barrier(kPongMs);
        if (f != Fault::None) return fail(f, "pong");
        return answer_.move.empty() ? known : answer_;
    }

    int pings_ = 0;
    bool by_hint_ = false;
    bool exact_ = false;
    Depth depth_ = kDeepest;
    std::size_t told_ = 0;
    Answer answer_;
};

}  // namespace

Expected<std::unique_ptr<Player>> make_nboard(const EngineSpec& spec, const PlayerSetup& setup) {
    if (const Status s = require_protocol(spec, setup.game); !s) return s.error();
    return ExternalPlayer::make<NboardPlayer>(spec, setup);
}

}  // namespace karikomi::match
