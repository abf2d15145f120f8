// `karikomi book` as a user meets it: built, killed, interrupted, fought over, moved about as text.
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "karikomi/games/othello/book_file.hpp"
#include "tests/cli/process.hpp"
#include "tests/games/othello/random_games.hpp"

namespace karikomi::tests {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Words = std::vector<std::string>;
using namespace std::chrono_literals;

Words command(Words arguments) {
    arguments.insert(arguments.begin(), {KARIKOMI_BINARY, "book", "othello"});
    return arguments;
}
Output book(const Words& arguments) {
    return run(command(arguments));
}
Json json_of(Words arguments) {
    arguments.push_back("--json");
    const Output o = book(arguments);
    EXPECT_THAT(o.err, IsEmpty());
    const auto lines = lines_of(o.out);
    return lines.empty() ? Json() : Json::parse(lines.back());
}
// More positions than can be analysed in the time of a test.
Words endless_build(const std::string& file) {
    return {"build", file,         "--depth", "2",       "--hash", "1",     "--plies",
            "50",    "--max-loss", "100",     "--width", "8",      "--json"};
}
std::size_t last_saved(const std::string& out) {
    std::size_t saved = 0;
    for (const std::string& line : lines_of(out)) {
        const Json json = Json::parse(line, nullptr, false);  // the last line may be cut off
        if (json.is_object() && json.value("event", "") == "saved") saved = json["positions"];
    }
    return saved;
}

TEST(BookCommand, BuildsShowsAndChecks) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.book");
    const Json built = json_of({"build", file, "--depth", "3", "--plies", "3", "--games", "1"});
    EXPECT_EQ(built["waiting"], 0);
    EXPECT_EQ(built["games"], 1);
    EXPECT_FALSE(built["interrupted"]);
    const Json shown = json_of({"show", file, "--moves", "f5"});
    EXPECT_TRUE(shown["in_book"]);
    EXPECT_THAT(shown["moves"], SizeIs(3));
    EXPECT_EQ(shown["moves"][0]["depth"], 3);
    EXPECT_THAT(book({"show", file, "--moves", "f5"}).out, HasSubstr("Best line: "));
    const Json checked = json_of({"check", file});
    EXPECT_TRUE(checked["good"]);
    EXPECT_EQ(checked["positions"], built["positions"]);
    EXPECT_EQ(checked["reachable"], built["positions"]);
    EXPECT_THAT(checked["notes"][0].get<std::string>(), HasSubstr("depth 3"));
    const Output nothing = book({"show", file, "--moves", "f5d6c3d3c4f4f6"});
    EXPECT_EQ(nothing.exit_code, 1);
    EXPECT_THAT(nothing.out, HasSubstr("no move here"));
    const Json extended = json_of({"extend", file, "--depth", "3", "--positions", "7"});
    EXPECT_EQ(extended["analysed"], 7);
    EXPECT_EQ(extended["positions"], built["positions"].get<int>() + 7);
}

TEST(BookCommand, KilledAtAnyMomentItLosesNothingThatWasSaved) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.book");
    std::mt19937 random(std::random_device{}());
    std::size_t before = 0;
    for (int round = 0; round < 8; ++round) {
        Process build(command(endless_build(file)));
        ASSERT_TRUE(build.wait_for_output("saved", 20s));
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 150));
        build.send(SIGKILL);
        const auto end = build.wait(20s);
        ASSERT_TRUE(end);
        EXPECT_EQ(end->exit_code, 128 + SIGKILL);
        const std::size_t saved = last_saved(end->out);
        EXPECT_GT(saved, before) << "each round goes on";
        const auto scan = othello::scan_book_file(file);
        ASSERT_TRUE(scan) << scan.error().what;
        EXPECT_GE(scan->book.size(), saved);
        EXPECT_THAT(scan->damage, IsEmpty());
        EXPECT_THAT(scan->invalid, IsEmpty());
        before = saved;
    }
    EXPECT_EQ(book({"check", file}).exit_code, 0);
}

TEST(BookCommand, CtrlCKeepsAllAndSaysHowToGoOn) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.book");
    Words words = endless_build(file);
    words.pop_back();  // --json: this is for people
    Process build(command(words));
    for (int i = 0;
         i < 200 && (!std::filesystem::exists(file) || std::filesystem::file_size(file) < 2000);
         ++i) {
        std::this_thread::sleep_for(20ms);
    }
    build.send(SIGINT);
    const auto end = build.wait(20s);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->exit_code, 1);
    EXPECT_THAT(end->out, HasSubstr("To go on: karikomi book othello build " + file));
    EXPECT_GT(othello::load_book(file)->size(), 5U);
}

TEST(BookCommand, TwoWritersAreOneTooMany) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.book");
    Process build(command(endless_build(file)));
    ASSERT_TRUE(build.wait_for_output("saved", 20s));
    for (const Words& words : {Words{"build", file}, Words{"extend", file},
                               Words{"merge", file, "x"}, Words{"import", file, "x"}}) {
        const Output second = book(words);
        EXPECT_EQ(second.exit_code, 2);
        EXPECT_THAT(lines_of(second.err), SizeIs(1));
        EXPECT_THAT(second.err, HasSubstr("being written by another program"));
    }
    EXPECT_EQ(book({"show", file}).exit_code, 0) << "readers may";
    build.send(SIGTERM);
    EXPECT_TRUE(build.wait(20s));
    EXPECT_EQ(book({"extend", file, "--depth", "1", "--positions", "1"}).exit_code, 0);
}

TEST(BookCommand, TextGoesRound) {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.book");
    const std::string b = folder.file("b.book");
    const std::string text = folder.file("a.txt");
    json_of({"build", a, "--depth", "2", "--plies", "3", "--games", "2"});
    EXPECT_EQ(book({"export", a, "--out", text}).exit_code, 0);
    EXPECT_EQ(book({"export", a}).out, read_file(text));
    EXPECT_EQ(book({"import", b, text}).exit_code, 0);
    const auto without_comments = [](const std::string& all) {
        std::string out;
        for (const std::string& line : lines_of(all)) {
            if (line[0] != '#') out += line + "\n";
        }
        return out;
    };
    EXPECT_EQ(without_comments(book({"export", b}).out), without_comments(read_file(text)));

    const std::string bad = folder.write("bad.txt", read_file(text) + "nonsense\n");
    const Output wrong = book({"import", folder.file("c.book"), bad});
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_THAT(wrong.out, HasSubstr("bad.txt: line "));
    EXPECT_EQ(othello::load_book(folder.file("c.book"))->size(), othello::load_book(a)->size());
}

TEST(BookCommand, MergesAndImportsGames) {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.book");
    const std::string b = folder.file("b.book");
    std::mt19937_64 random(4);
    std::string games;
    for (int i = 0; i < 30; ++i) games += *othello::format_transcript(random_game(random)) + "\n";
    const std::string file = folder.write("games.txt", games);
    EXPECT_EQ(json_of({"import", a, file, "--plies", "6"})["games"], 30);
    json_of({"build", b, "--depth", "3", "--plies", "2"});
    const Json merged = json_of({"merge", a, b});
    EXPECT_EQ(json_of({"merge", a, b})["new"], 0);
    const auto all = othello::load_book(a);
    EXPECT_EQ(merged["positions"], all->size());
    const auto& root = *all->find(othello::start_position().board);
    EXPECT_EQ(root.results.games(), 30U);
    EXPECT_EQ(root.links.front().depth, 3);
    const Json shown = json_of({"show", a});
    EXPECT_EQ(shown["moves"][0]["results"]["games"], 30);
    EXPECT_THAT(book({"merge", a, a}).err, HasSubstr("is the book itself"));
}

TEST(BookCommand, DamageIsSaidAndRepaired) {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.book");
    const std::string b = folder.file("b.book");
    {
        auto file = othello::BookFile::open(a, othello::BookFile::Missing::Create);
        std::mt19937_64 random(1);
        for (int i = 0; i < 5; ++i) {
            const auto p = othello::end_position(random_game(random, 3 + i));
            const othello::BookEntry e = othello::canonical_entry(p.board, {});
            ASSERT_TRUE(file->put(std::span(&e, 1)));
        }
    }
    std::string bytes = read_file(a);
    bytes[60] = static_cast<char>(bytes[60] ^ 4);
    folder.write("a.book", bytes);
    EXPECT_THAT(book({"show", a}).err, HasSubstr("is damaged at byte"));
    EXPECT_THAT(book({"build", a}).err, HasSubstr("karikomi repair"));
    const Output checked = book({"check", a, "--repair", b});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_THAT(checked.out, HasSubstr("damage at byte"));
    EXPECT_EQ(othello::load_book(b)->size(), 4U);
    EXPECT_EQ(read_file(a), bytes);
    EXPECT_EQ(book({"check", b}).exit_code, 0);
}

Output repair(Words arguments) {
    arguments.insert(arguments.begin(), {KARIKOMI_BINARY, "repair"});
    return run(arguments);
}

TEST(Repair, SavesWhatIsGoodAndKeepsTheDamagedFileAside) {
    const TemporaryFolder folder;
    const std::string file = folder.file("cut.book");
    std::mt19937_64 random(1);
    othello::Book book;
    for (int i = 0; i < 5; ++i) {
        book.put(
            othello::canonical_entry(othello::end_position(random_game(random, 3 + i)).board, {}));
    }
    ASSERT_TRUE(othello::save_book(book, file));
    EXPECT_EQ(repair({file}).exit_code, 0);
    {
        auto more = othello::BookFile::open(file, othello::BookFile::Missing::Refuse);
        const auto p = othello::end_position(random_game(random, 9));
        const othello::BookEntry e = othello::canonical_entry(p.board, {});
        ASSERT_TRUE(more->put(std::span(&e, 1)));
    }
    std::string bytes = read_file(file);
    bytes[100] = static_cast<char>(bytes[100] ^ 4);  // in the packed part
    folder.write("cut.book", bytes);
    const Output checked = repair({file, "--check", "--json"});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_EQ(read_file(file), bytes) << "--check changes nothing";
    const Output o = repair({file});
    EXPECT_EQ(o.exit_code, 1) << o.err;
    EXPECT_THAT(o.out, HasSubstr("Othello book, damaged"));
    EXPECT_EQ(read_file(file + ".damaged"), bytes);
    ASSERT_TRUE(othello::load_book(file));
    EXPECT_EQ(othello::load_book(file)->size(), 1U) << "the entry behind the damage";
    EXPECT_EQ(repair({file}).exit_code, 0);
    const Output none = repair({folder.write("x", "a letter")});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr("neither a database nor a book"));
    EXPECT_EQ(repair({folder.file("nothing")}).exit_code, 2);
}

TEST(BookCommand, RefusesWrongUse) {
    const auto refusal = [](const Words& words) {
        const Output o = book(words);
        EXPECT_EQ(o.exit_code, 2) << o.out << o.err;
        EXPECT_THAT(lines_of(o.err), SizeIs(1));
        return o.err;
    };
    EXPECT_THAT(refusal({"biuld", "x"}), HasSubstr("did you mean 'build'"));
    EXPECT_THAT(refusal({"build"}), HasSubstr("which book"));
    EXPECT_THAT(refusal({"extend", "/nowhere/a.book"}), HasSubstr("no such file"));
    EXPECT_THAT(refusal({"build", "/nowhere/a.book"}), HasSubstr("/nowhere/a.book"));
    EXPECT_THAT(refusal({"show", "a", "b"}), HasSubstr("one book only"));
    EXPECT_THAT(refusal({"show", "/etc/passwd"}), HasSubstr("not a book"));
    EXPECT_THAT(refusal({"show", "--max-loss", "many"}), HasSubstr("number of discs"));
    EXPECT_THAT(refusal({"show", "--moves", "a1"}), HasSubstr("not a legal move"));
    EXPECT_THAT(refusal({"export", "--json"}), HasSubstr("--out FILE"));
    EXPECT_EQ(run({KARIKOMI_BINARY, "book", "connect_four", "show"}).exit_code, 2);
}

}  // namespace
}  // namespace karikomi::tests
