// A GUI gone mad: random commands, right and wrong, at random times, some in pieces. It knows the
// rules from the plain implementation of the tests, and checks that every question gets exactly one
// right answer, in order. KARIKOMI_STRESS_SECONDS and KARIKOMI_STRESS_SEED change the run.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <deque>
#include <random>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "tests/games/othello/plain_othello.hpp"
#include "tests/protocols/partner.hpp"
#include "tests/sanitized.hpp"

namespace karikomi::tests {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using test::PlainOthello;

constexpr int kPass = 64;

std::string square_name(int square) {
    if (square == kPass) return "pa";
    return {static_cast<char>('a' + square % 8), static_cast<char>('1' + square / 8)};
}

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

// The game as the GUI knows it.
class Referee {
public:
    int to_move() const { return side_; }
    bool over() const { return board_.over(); }
    bool must_pass() const { return !over() && board_.moves().empty(); }
    std::set<std::string> legal() const {
        std::set<std::string> names;
        for (const int square : board_.moves()) names.insert(upper(square_name(square)));
        return names;
    }
    // False when it is against the rules; a pass that was left out is made first.
    bool play(int side, int square) {
        const bool implicit = side != side_;
        if (implicit && !over() && !must_pass()) return false;
        const Referee before = *this;
        if (implicit) advance(kPass, true);
        const auto moves = board_.moves();
        const bool legal = square == kPass
                               ? over() || must_pass()
                               : std::find(moves.begin(), moves.end(), square) != moves.end();
        if (legal) {
            advance(square, false);
        } else {
            *this = before;
        }
        return legal;
    }
    bool undo() {
        if (past_.empty()) return false;
        back();
        while (!past_.empty() && past_.back().implicit) back();
        return true;
    }

private:
    struct Past {
        PlainOthello board;
        int side;
        bool implicit;
    };
    void advance(int square, bool implicit) {
        past_.push_back({board_, side_, implicit});
        square == kPass ? board_.pass() : board_.play(square);
        side_ = 1 - side_;
    }
    void back() {
        board_ = past_.back().board;
        side_ = past_.back().side;
        past_.pop_back();
    }

    PlainOthello board_;
    int side_ = 0;
    std::vector<Past> past_;
};

// Random numbers and what the two GUIs send alike.
class MadGui {
public:
    MadGui(Partner& partner, unsigned seed) : partner_(partner), random_(seed) {}

protected:
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
    bool chance(int percent) { return below(100) < percent; }

    // In another case, with either line end, perhaps in two pieces.
    void send(std::string line) {
        if (chance(20)) line = upper(line);
        line += chance(30) ? "\r\n" : "\n";
        log_.push_back(line);
        if (log_.size() > 60) log_.pop_front();
        const auto cut = static_cast<std::size_t>(below(static_cast<int>(line.size())));
        if (chance(10)) {
            partner_.send(line.substr(0, cut));
            std::this_thread::sleep_for(Milliseconds(below(5)));
            partner_.send(line.substr(cut));
        } else {
            partner_.send(line);
        }
    }
    std::string junk() {
        std::string line;
        for (int i = below(chance(5) ? 100000 : 40); i > 0; --i) {
            const auto c = static_cast<char>(below(256));
            if (c != '\n' && c != '#') line += c;
        }
        return "@" + line;  // never a command by accident
    }
    int some_square() { return chance(5) ? kPass : below(64); }
    Milliseconds pause() {
        return Milliseconds(chance(70) ? 0 : chance(70) ? below(10) : below(60));
    }

    std::string story() const {
        std::string text = "the last lines sent:\n";
        for (const std::string& line : log_) text += "  " + line.substr(0, 200);
        return text;
    }

    Partner& partner_;
    std::mt19937 random_;
    std::deque<std::string> log_;
};

Clock::duration test_time() {
    const char* seconds = std::getenv("KARIKOMI_STRESS_SECONDS");
    return std::chrono::milliseconds(seconds != nullptr ? 1000 * std::atoi(seconds) : 2500);
}
unsigned test_seed() {
    const char* seed = std::getenv("KARIKOMI_STRESS_SEED");
    return seed != nullptr ? static_cast<unsigned>(std::atoi(seed)) : std::random_device()();
}
constexpr Milliseconds kAnswerTime = 20s;  // with sanitizers on a busy machine; usually some ms

// ---- NBoard -------------------------------------------------------------------------------------

/// A GUI that sends anything it may, for a while, to the real program.
template <class MadGui>
void stress(const std::string& protocol, const std::vector<std::string>& options) {
    std::vector<std::string> command = {KARIKOMI_BINARY, protocol, "--level", "4"};
    command.insert(command.end(), options.begin(), options.end());
    const unsigned seed = test_seed();
    SCOPED_TRACE("KARIKOMI_STRESS_SEED=" + std::to_string(seed));
    const auto partner = start_process(command);
    MadGui gui(*partner, seed);
    gui.run(test_time());
    testing::Test::RecordProperty("answers", gui.answers());
}

class MadNBoard : public MadGui {
public:
    using MadGui::MadGui;

    void run(Clock::duration time) {
        const auto end = Clock::now() + time;
        send("nboard 2");
        while (Clock::now() < end && !testing::Test::HasFailure()) {
            act();
            listen(pause());
        }
        ping();
        await_answers();
        partner_.say("quit");
        EXPECT_EQ(partner_.wait(kAnswerTime), 0) << story();
        EXPECT_GT(answers_, test::rounds(20));
    }
    int answers() const { return answers_; }

private:
    struct Expected {
        std::string what;
        std::set<std::string> right;  // moves, or the only line
        bool is_move = false;
        int thoughts = 0;  // commands up to here that make it think
    };

    void act() {
        switch (below(15)) {
            case 0:
            case 1:
            case 2:
                return go();
            case 3:
                return ping();
            case 4:
                ping();
                return chance(20) ? await_answers() : void();  // and nothing else helps it to stop
            case 5:
            case 6:
                return move(chance(80));
            case 7:
                ++thoughts_;
                return send("hint " + std::to_string(below(6)));
            case 8:
                return set_depth(chance(20) ? 60 : below(9));
            case 9:
                send("learn");
                return expect({"learn", {"learned"}, false, 0});
            case 10:
                ++thoughts_;
                return send("analyze");
            case 11:
                return send(chance(50) ? "" : "set contempt " + std::to_string(below(200) - 100));
            case 12:
                return set_game();
            default:
                return send(junk());
        }
    }
    void await_answers() {
        while (!expected_.empty() && !testing::Test::HasFailure()) {
            ASSERT_TRUE(listen(kAnswerTime)) << "no answer to " << expected_.front().what << "\n"
                                             << story();
        }
    }
    void expect(Expected answer) {
        answer.thoughts = thoughts_;
        expected_.push_back(std::move(answer));
    }
    void go() {
        ++thoughts_;
        auto right = referee_.legal();
        if (right.empty()) right = {"PA"};
        send("go");
        expect({"go", right, true, 0});
    }
    void ping() {
        const std::string number = std::to_string(++pings_);
        send("ping " + number);
        expect({"ping " + number, {"pong " + number}, false, 0});
    }
    void set_depth(int depth) {
        send("set depth " + std::to_string(depth));
        expect({"set depth", {"set myname Karikomi" + std::to_string(depth)}, false, 0});
    }
    void move(bool legal) {
        int square = some_square();
        if (const auto moves = referee_.legal(); legal && !moves.empty()) {
            auto chosen = moves.begin();
            std::advance(chosen, below(static_cast<int>(moves.size())));
            square = ((*chosen)[1] - '1') * 8 + ((*chosen)[0] - 'A');
        } else if (legal) {
            square = kPass;
        }
        const int side = referee_.to_move();
        const bool skips = square != kPass && referee_.must_pass();
        referee_.play(skips ? 1 - side : side, square);
        const char* const forms[] = {"", "/1.25", "/-3/0.2", "//1"};
        send((chance(70) ? "move " : "") + square_name(square) + forms[below(4)]);
    }
    // A random game, now and then an impossible one.
    void set_game() {
        Referee game;
        std::string text = "set game (;GM[Othello]TY[8]BO[8 ---------------------------O*------*O";
        text += "--------------------------- *]";
        for (int n = below(62); n > 0 && !game.over(); --n) {
            const auto moves = game.legal();
            std::string name = "PA";
            if (!moves.empty()) {
                auto chosen = moves.begin();
                std::advance(chosen, below(static_cast<int>(moves.size())));
                name = *chosen;
            }
            const int square = name == "PA" ? kPass : (name[1] - '1') * 8 + (name[0] - 'A');
            text += std::string(game.to_move() == 0 ? "B[" : "W[") + name + "//0.1]";
            game.play(game.to_move(), square);
        }
        const bool broken = chance(20);
        send(text + (broken ? "B[A9]" : "") + ";)");
        if (!broken) referee_ = game;
    }

    bool listen(Milliseconds limit) {
        auto line = partner_.hear(limit);
        const bool any = line.has_value();
        for (; line && !testing::Test::HasFailure(); line = partner_.hear(0ms)) judge(*line);
        return any;
    }
    void judge(const std::string& line) {
        static const std::regex kThought("(search|book|analysis|nodestats) .*");
        static const std::regex kAnswer("(===|pong|learned|set myname).*");
        if (std::regex_match(line, kThought)) {
            // Between two answers it may think only if something that was sent there made it.
            const int until = expected_.empty() ? thoughts_ : expected_.front().thoughts;
            EXPECT_GT(until, done_) << "unasked: " << line << "\n" << story();
            return;
        }
        if (!std::regex_match(line, kAnswer)) {
            EXPECT_TRUE(line.starts_with("status")) << line.substr(0, 200) << "\n" << story();
            return;
        }
        ASSERT_FALSE(expected_.empty()) << "unasked: " << line << "\n" << story();
        const Expected answer = expected_.front();
        expected_.pop_front();
        done_ = answer.thoughts;
        ++answers_;
        static const std::regex kMove(R"(=== (\w\w)(/(-?\d+\.\d\d)?/\d+\.\d\d)?)");
        std::smatch match;
        if (answer.is_move) {
            ASSERT_TRUE(std::regex_match(line, match, kMove)) << line << "\n" << story();
            EXPECT_EQ(answer.right.count(match[1]), 1U) << line << "\n" << story();
        } else {
            EXPECT_EQ(line, *answer.right.begin()) << story();
        }
    }

    Referee referee_;
    std::deque<Expected> expected_;
    int pings_ = 0;
    int thoughts_ = 0;  // commands sent that make it think
    int done_ = 0;      // of them, before the last answer
    int answers_ = 0;
};

TEST(Stress, NBoard) {
    stress<MadNBoard>("nboard", {});
}
TEST(Stress, NBoardWithTwoThreadsAndPondering) {
    stress<MadNBoard>("nboard", {"--threads", "2", "--ponder"});
}

// ---- GTP ----------------------------------------------------------------------------------------

class MadGtp : public MadGui {
public:
    using MadGui::MadGui;

    void run(Clock::duration time) {
        const auto end = Clock::now() + time;
        while (Clock::now() < end && !testing::Test::HasFailure()) {
            act();
            listen(pause());
        }
        ask("stop", Kind::Fine);
        await_answers();
        partner_.say("quit");
        EXPECT_EQ(partner_.wait(kAnswerTime), 0) << story();
        EXPECT_GT(answers_, test::rounds(20));
    }
    int answers() const { return answers_; }

private:
    enum class Kind { Fine, Wrong, Play, Generate, Regenerate, Undo, Clear, Side, Analyze };
    struct Question {
        std::string id;
        std::string text;
        Kind kind;
        int side;
        int square;
    };

    // What is right depends on answers still to come, so it is judged when the answer is there.
    void ask(const std::string& text, Kind kind, int side = 0, int square = 0) {
        const std::string id = std::to_string(++asked_);
        expected_.push_back({id, text, kind, side, square});
        send(id + " " + text);
    }

    void act() {
        const int side = chance(85) ? referee_.to_move() : below(2);
        const std::string colour = side == 0 ? (chance(50) ? "b" : "black") : "w";
        switch (below(18)) {
            case 0:
            case 1:
            case 2:
                return ask("genmove " + colour, Kind::Generate, side);
            case 3:
                return ask("reg_genmove " + colour, Kind::Regenerate, side);
            case 4:
            case 5:
            case 6: {
                const auto moves = referee_.legal();
                int square = some_square();
                if (!moves.empty() && chance(80)) {
                    square = ((*moves.begin())[1] - '1') * 8 + ((*moves.begin())[0] - 'A');
                }
                const std::string name = square == kPass ? "pass" : square_name(square);
                return ask("play " + colour + " " + name, Kind::Play, side, square);
            }
            case 7:
                return ask("undo", Kind::Undo);
            case 8:
                return chance(20) ? ask("clear_board", Kind::Clear) : ask("name", Kind::Fine);
            case 9:
                return ask("gogui-rules_side_to_move", Kind::Side);
            case 10:
                return ask("karikomi-analyze 5 multipv " + std::to_string(1 + below(3)),
                           Kind::Analyze);
            case 11:
                ask(chance(50) ? "showboard" : "name", Kind::Fine);
                ask("stop", Kind::Fine);
                return chance(20) ? await_answers() : void();
            case 12:
                return send(chance(50) ? "# interrupt" : "  # a comment");
            case 13:
                return ask("time_settings 0 0.0" + std::to_string(1 + below(9)) + " 1", Kind::Fine);
            case 14:
                return ask("time_left " + colour + " 0.5 0", Kind::Fine);
            case 15:
                return ask("level " + std::to_string(chance(20) ? 60 : below(7)), Kind::Fine);
            case 16:
                return ask(chance(50) ? "play" : "genmove q", Kind::Wrong);
            default:
                return ask(junk(), Kind::Wrong);
        }
    }

    void await_answers() {
        while (!expected_.empty() && !testing::Test::HasFailure()) {
            ASSERT_TRUE(listen(kAnswerTime)) << "no answer to " << expected_.front().text << "\n"
                                             << story();
        }
    }
    bool listen(Milliseconds limit) {
        auto line = partner_.hear(limit);
        const bool any = line.has_value();
        for (; line && !testing::Test::HasFailure(); line = partner_.hear(0ms)) take(*line);
        return any;
    }
    // An answer ends with an empty line.
    void take(const std::string& line) {
        if (!line.empty()) return void(answer_ += (answer_.empty() ? "" : "\n") + line);
        const std::string answer = std::exchange(answer_, {});
        ASSERT_FALSE(expected_.empty()) << "unasked: " << answer << "\n" << story();
        const Question question = expected_.front();
        expected_.pop_front();
        ++answers_;
        judge(question, answer);
    }

    void judge(const Question& q, const std::string& answer) {
        const std::string seen = q.text.substr(0, 100) + ": " + answer + "\n" + story();
        const std::string id = answer.substr(0, answer.find_first_of(" \n"));
        const bool good = id == "=" + q.id;
        ASSERT_TRUE(good || id == "?" + q.id) << seen;
        const std::string text = answer.substr(std::min(answer.size(), q.id.size() + 2));
        switch (q.kind) {
            case Kind::Fine:
                EXPECT_TRUE(good) << seen;
                return;
            case Kind::Wrong:
                EXPECT_FALSE(good) << seen;
                return;
            case Kind::Clear:
                EXPECT_TRUE(good) << seen;
                referee_ = Referee();
                return;
            case Kind::Play:
                EXPECT_EQ(good, referee_.play(q.side, q.square)) << seen;
                return;
            case Kind::Undo:
                EXPECT_EQ(good, referee_.undo()) << seen;
                return;
            case Kind::Side:
                EXPECT_EQ(text, referee_.to_move() == 0 ? "black" : "white") << seen;
                return;
            case Kind::Analyze:
                EXPECT_TRUE(good) << seen;
                EXPECT_TRUE(std::regex_match(text, std::regex("(info move [^\n]*\n?)*"))) << seen;
                return;
            case Kind::Generate:
            case Kind::Regenerate:
                return judge_move(q, good, text, seen);
        }
    }
    void judge_move(const Question& q, bool good, const std::string& text,
                    const std::string& seen) {
        Referee after = referee_;
        const int square = text == "pass"     ? kPass
                           : text.size() == 2 ? (text[1] - '1') * 8 + (text[0] - 'A')
                                              : -1;
        const bool may_move =
            q.side == referee_.to_move() || referee_.over() || referee_.must_pass();
        ASSERT_EQ(good, may_move) << seen;
        if (!good) return;
        EXPECT_TRUE(after.play(q.side, square)) << "illegal: " << seen;
        if (q.kind == Kind::Generate) referee_ = after;
    }

    Referee referee_;
    std::deque<Question> expected_;
    std::string answer_;
    int asked_ = 0;
    int answers_ = 0;
};

TEST(Stress, Gtp) {
    stress<MadGtp>("gtp", {});
}
TEST(Stress, GtpWithTwoThreadsAndPondering) {
    stress<MadGtp>("gtp", {"--threads", "2", "--ponder"});
}

}  // namespace
}  // namespace karikomi::tests
