// A program that plays legal moves by any of our protocols, and misbehaves as it is told to:
//
//   mock_engine PROTOCOL GAME [KEY=VALUE ...]
//     fault=KIND   crash exit hang illegal slow junk flood mute_start refuse twice resign half
//     at=N         the fault comes with its N-th move (default 3); every move from there on
//     ms=N         how slow (default 400)
//     seed=N       which legal moves it picks (default: by the position alone)
//     dialect=edax other spellings, as that program has them
//     values=KIND  tells a value of every depth: plain (value_at), mate (a loss in 4 from depth 3
//                  on), silent (none at all); bounds come before each value
//     log=FILE     what it was sent, for tests of the other side
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "karikomi/engine/registry.hpp"
#include "karikomi/games/shipped.hpp"

namespace {

using karikomi::Engine;
using Words = std::vector<std::string>;

Words split(const std::string& line) {
    Words words;
    std::istringstream in(line);
    for (std::string w; in >> w;) words.push_back(w);
    return words;
}

void say(const std::string& line) {
    std::cout << line << "\n" << std::flush;
}

void sleep_ms(int ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

[[noreturn]] void hang() {
    for (;;) sleep_ms(1000);
}

class Mock {
public:
    Mock(const std::string& game, std::map<std::string, std::string> settings)
        : engine_(std::move(*karikomi::make_engine(game))), settings_(std::move(settings)) {
        engine_->set_hash(1);
        if (settings_.contains("log")) log_.open(settings_["log"], std::ios::app);
    }
    virtual ~Mock() = default;

    void run() {
        if (fault() == "mute_start") hang();
        for (std::string line; std::getline(std::cin, line);) {
            while (!line.empty() && line.back() == '\r') line.pop_back();
            if (log_) log_ << line << std::endl;
            if (!handle(line)) return;
        }
    }

protected:
    virtual bool handle(const std::string& line) = 0;  // false: quit
    virtual void answer(const std::string& move) = 0;

    Engine& engine() { return *engine_; }
    std::string fault() { return settings_["fault"]; }
    bool edax() { return settings_["dialect"] == "edax"; }

    // Some legal move; the same for the same position and seed.
    std::string pick() {
        const Words moves = engine_->legal_moves();
        if (moves.empty()) return "pa";
        std::uint64_t h =
            1469598103934665603ULL + std::strtoull(settings_["seed"].c_str(), nullptr, 10);
        for (const char c : engine_->position_text())
            h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
        return moves[(h >> 20) % moves.size()];
    }

    bool now() {
        const int at = settings_.contains("at") ? std::atoi(settings_["at"].c_str()) : 3;
        return moves_ >= at;
    }

    // The search: thinks of a move, or does what it was told to do instead.
    void think() {
        ++moves_;
        std::string move = pick();
        const std::string f = now() ? fault() : "";
        if (f == "crash") std::abort();
        if (f == "exit") {
            std::cerr << "fatal: out of ideas" << std::endl;
            std::_Exit(3);
        }
        if (f == "hang") hang();
        if (f == "slow")
            sleep_ms(settings_.contains("ms") ? std::atoi(settings_["ms"].c_str()) : 400);
        if (f == "illegal") move = illegal();
        if (f == "junk") junk();
        if (f == "flood") {
            for (;;) say("info string still thinking");
        }
        if (f == "half") {
            std::cout << "bestmo" << std::flush;
            hang();
        }
        if (f == "resign") move = "resign";
        answer(move);
        if (f == "twice") answer(move);
    }
    virtual std::string illegal() { return "a1"; }

    // "plain", "mate", "silent", or empty: the old answers.
    std::string values() { return settings_["values"]; }
    // Of the position: somewhere in -300..300, and 10 more with every depth.
    int value_at(int depth) {
        std::uint64_t h = 1469598103934665603ULL;
        for (const char c : engine_->position_text())
            h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
        return static_cast<int>((h >> 20) % 601) - 300 + 10 * depth;
    }

    static void junk() {
        say("");
        say("segfault? no, just joking");
        say(std::string(5000, 'x'));
        say(std::string("bin\1\2\3\0\377ary", 11));
        say("pong 99999");
        say("usiok");
        std::cerr << std::string(100'000, 'e') << "\n" << std::flush;
    }

private:
    std::unique_ptr<Engine> engine_;
    std::map<std::string, std::string> settings_;
    std::ofstream log_;
    int moves_ = 0;
};

// ---- NBoard -------------------------------------------------------------------------------------

class Nboard final : public Mock {
public:
    using Mock::Mock;

protected:
    bool handle(const std::string& line) override {
        const Words w = split(line);
        if (w.empty()) return true;
        if (w[0] == "quit") return false;
        if (w[0] == "ping") say("pong " + w.at(1));
        if (w[0] == "learn" && !edax()) say("learned");
        if (w[0] == "set" && w.at(1) == "depth") {
            say("set myname Mock" + w.at(2));
            depth_ = std::atoi(w.at(2).c_str());
        }
        if (w[0] == "set" && w.at(1) == "game") set_game(line);
        if (w[0] == "move" && !engine().play(w.at(1).substr(0, 2)))
            say("status cannot play " + line);
        if (w[0] == "go" || w[0] == "hint") {
            hint_ = w[0] == "hint";
            think();
        }
        return true;
    }
    void answer(const std::string& move) override {
        if (values() == "plain") {
            for (int d = 1; d <= depth_; ++d) {
                char eval[32];
                std::snprintf(eval, sizeof eval, "%+.2f", value_at(d) / 100.0);
                say("search " + move + " " + eval + " 0 " + std::to_string(d));
            }
            say("search " + move + " +9.00 0 73%@24");  // no depth: the end of the game
            return;
        }
        if (hint_) return say("search " + move + " 1.25 0 4");
        say("status thinking");
        say("search " + move + "-d6 +1.25 0 12");
        say("nodestats 1234 0.01");
        say(edax() ? "=== " + move + " -1.00 0.0" : "=== " + move + "/1.25/0.01");
        say("status");
    }

private:
    void set_game(const std::string& ggf) {
        const std::size_t at = ggf.find("BO[8 ");
        std::string cells;
        char side = '*';
        for (std::size_t i = at + 5; i < ggf.size() && ggf[i] != ']'; ++i) {
            if (ggf[i] == ' ') continue;
            if (cells.size() < 64) {
                cells += ggf[i] == '*' ? 'X' : ggf[i];
            } else {
                side = ggf[i];
            }
        }
        if (!engine().set_position(cells + (side == '*' ? " X" : " O"))) say("status bad position");
    }
    bool hint_ = false;
    int depth_ = 1;
};

// ---- GTP ----------------------------------------------------------------------------------------

class Gtp final : public Mock {
public:
    using Mock::Mock;

protected:
    bool handle(const std::string& line) override {
        const Words w = split(line);
        if (w.empty()) return true;
        const std::string& c = w[0];
        if (c == "name") return ok(edax() ? "Edax" : "Mock");
        if (c == "version") return ok("1.0");
        if (c == "list_commands") {
            return ok(
                "name\nversion\nlist_commands\nquit\nboardsize\nclear_board\nplay\ngenmove"
                "\ntime_settings\ntime_left");
        }
        if (c == "quit") return ok(""), false;
        if (c == "boardsize") return w.at(1) == "8" ? ok("") : no("unacceptable size");
        if (c == "clear_board") return (void)engine().set_position(""), ok("");
        if (c == "time_settings" || c == "time_left") return ok("");
        if (c == "play") return play(w);
        if (c == "genmove") return think(), true;
        return no("unknown command");
    }
    void answer(const std::string& move) override {
        if (fault() == "refuse" && now()) return (void)no("I do not want to");
        (void)engine().play(move);
        ok(move == "pa" ? "PASS" : edax() ? move : upper(move));
    }

private:
    static std::string upper(std::string text) {
        for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        return text;
    }
    bool ok(const std::string& text) {
        say((edax() ? "= " : "=") + text + "\n");
        return true;
    }
    bool no(const std::string& text) {
        say("? " + text + "\n");
        return true;
    }
    bool play(const Words& w) {
        const bool pass = w.at(2) == "pass";
        if (pass && edax()) {  // it has passed by itself
            (void)engine().play("pa");
            return no("wrong color");
        }
        if (!engine().play(pass ? "pa" : w.at(2))) return no("illegal move");
        return ok("");
    }
};

// ---- USI ----------------------------------------------------------------------------------------

class Usi final : public Mock {
public:
    using Mock::Mock;

protected:
    bool handle(const std::string& line) override {
        const Words w = split(line);
        if (w.empty()) return true;
        if (w[0] == "quit") return false;
        if (w[0] == "usi") {
            say("id name Mock of USI 1.0");
            say("id author tests");
            say("option name Threads type spin default 1 min 1 max 8");
            say("option name Clear Hash type button");
            say("option name Strength type spin default 20 min 0 max 40");
            say("option name Use Book type check default true");
            say("usiok");
        }
        if (w[0] == "isready") say("readyok");
        if (w[0] == "position") set_position(w);
        if (w[0] == "go") {
            depth_ = 1;
            for (std::size_t i = 1; i + 1 < w.size(); ++i) {
                if (w[i] == "depth") depth_ = std::atoi(w[i + 1].c_str());
            }
            think();
        }
        return true;
    }
    void answer(const std::string& move) override {
        if (!values().empty()) {
            if (values() != "silent") tell_values(move);
            return say("bestmove " + move);
        }
        say("info depth 5  seldepth 9 multipv 1 score cp 125 nodes 4321 pv " + move);
        say("info depth 5 multipv 2 score cp -300 pv x");
        say("bestmove  " + move + (fault().empty() ? " ponder 1" : ""));
    }
    std::string illegal() override { return "9"; }

private:
    void tell_values(const std::string& move) {
        for (int d = 1; d <= depth_; ++d) {
            const std::string head = "info depth " + std::to_string(d);
            const std::string nodes = " nodes " + std::to_string(100 * d);
            say(head + " score cp 2500 lowerbound" + nodes + " pv " + move);
            say(head + " score cp -2500 upperbound" + nodes + " pv " + move);
            const bool mate = values() == "mate" && d >= 3;
            say(head + " multipv 1 score " +
                (mate ? "mate -4" : "cp " + std::to_string(value_at(d))) + nodes + " pv " + move);
            say(head + " multipv 2 score cp -2900" + nodes + " pv x");
            say("info currmove " + move + " currmovenumber 1");
        }
    }
    int depth_ = 1;
    void set_position(const Words& w) {
        std::string text;
        std::size_t i = 2;
        if (w.at(1) == "sfen") {
            for (; i < w.size() && w[i] != "moves"; ++i) text += (text.empty() ? "" : " ") + w[i];
        }
        (void)engine().set_position(text);
        for (++i; i < w.size(); ++i) (void)engine().play(w[i]);
    }
};

// ---- Gomocup ------------------------------------------------------------------------------------

// Plays Othello, whose squares are as good as any: Y = 0 is the top row.
class Gomocup final : public Mock {
public:
    using Mock::Mock;

protected:
    bool handle(const std::string& line) override {
        const Words w = split(line);
        if (w.empty()) return true;
        if (in_board_) {
            if (w[0] == "DONE") {
                in_board_ = false;
                if (pick() == "pa") (void)engine().play("pa");  // the opponent's, which is not told
                think();
            } else {
                place(line);
            }
            return true;
        }
        if (w[0] == "END") return false;
        if (w[0] == "ABOUT") say("name=\"Mock brain\", version=\"2\", author=\"tests\"");
        if (w[0] == "START") say(w.at(1) == "8" ? "OK" : "ERROR size");
        if (w[0] == "RESTART") say(edax() ? "UNKNOWN restart" : "OK");
        if (w[0] == "START" || w[0] == "RESTART" || w[0] == "BOARD")
            (void)engine().set_position("");
        if (w[0] == "BOARD") in_board_ = true;
        if (w[0] == "INFO" && w.at(1) == "max_depth") depth_ = std::atoi(w.at(2).c_str());
        if (w[0] == "BEGIN") think();
        if (w[0] == "TURN") {
            play_pair(w.at(1));
            think();
        }
        return true;
    }
    void answer(const std::string& move) override {
        if (values() == "plain") {
            for (int d = 1; d <= depth_; ++d) {
                say("MESSAGE Depth: " + std::to_string(d) + "-" + std::to_string(d + 4) +
                    " | Eval: " + std::to_string(value_at(d)) +
                    " | Node: " + std::to_string(100 * d));
            }
        }
        say("MESSAGE depth 3");
        if (move == "resign") return say("7,7");
        (void)engine().play(move);
        say(std::to_string(move[0] - 'a') + "," + std::to_string(move[1] - '1'));
    }
    std::string illegal() override { return "z9"; }

private:
    void place(const std::string& line) { play_pair(line); }
    void play_pair(const std::string& text) {
        int x = 0;
        int y = 0;
        char comma = 0;
        std::istringstream(text) >> x >> comma >> y;
        const std::string move{static_cast<char>('a' + x), static_cast<char>('1' + y)};
        if (engine().play(move)) return;
        (void)engine().play("pa");  // passes are not told
        (void)engine().play(move);
    }
    bool in_board_ = false;
    int depth_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3 || !karikomi::register_games(karikomi::shipped_games())) return 2;
    std::map<std::string, std::string> settings;
    for (int i = 3; i < argc; ++i) {
        const std::string word = argv[i];
        settings[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    }
    const std::string protocol = argv[1];
    if (protocol == "nboard") Nboard(argv[2], settings).run();
    if (protocol == "gtp") Gtp(argv[2], settings).run();
    if (protocol == "usi") Usi(argv[2], settings).run();
    if (protocol == "gomocup") Gomocup(argv[2], settings).run();
    return 0;
}
