// Game records: what is written comes back, what is wrong is named with its place, and nothing that
// a file may hold makes the readers fall over. All games are random legal ones made here.
#include "karikomi/games/othello/records.hpp"

#include <cctype>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/process.hpp"
#include "tests/games/othello/random_games.hpp"

namespace karikomi::othello {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using tests::random_game;

std::vector<Square> squares_of(const GameRecord& game, bool passes = true) {
    std::vector<Square> out;
    for (const RecordMove& m : game.moves) {
        if (passes || m.square != kPass) out.push_back(m.square);
    }
    return out;
}

bool has_pass(const GameRecord& game) {
    const auto squares = squares_of(game);
    return std::find(squares.begin(), squares.end(), kPass) != squares.end();
}

std::vector<GameRecord> random_games(int count, unsigned seed = 1) {
    std::mt19937_64 random(seed);
    std::vector<GameRecord> games;
    for (int i = 0; i < count; ++i) games.push_back(random_game(random));
    return games;
}

GameRecord game_with_pass() {
    for (const GameRecord& game : random_games(100)) {
        if (has_pass(game)) return game;
    }
    ADD_FAILURE() << "no random game has a pass";
    return {};
}

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

// ---- Transcripts --------------------------------------------------------------------------------

TEST(OthelloRecords, TranscriptsComeBackWithTheirPasses) {
    int passes = 0;
    for (const GameRecord& game : random_games(200)) {
        const auto text = format_transcript(game);
        ASSERT_TRUE(text);
        EXPECT_EQ(text->find("pa"), std::string::npos);
        const auto back = parse_transcript(*text);
        ASSERT_TRUE(back) << back.error().what;
        EXPECT_EQ(squares_of(*back), squares_of(game));
        EXPECT_EQ(end_position(*back), end_position(game));
        ASSERT_TRUE(final_result(*back));
        passes += has_pass(game) ? 1 : 0;
    }
    EXPECT_GT(passes, 20) << "passes were hardly tried";
}

TEST(OthelloRecords, TranscriptsInEveryDress) {
    const auto plain = squares_of(*parse_transcript("f5d6c3d3"));
    for (const char* text :
         {"F5D6C3D3", "f5 d6 c3 d3", "f5,d6,c3,d3", "F5-D6-C3-D3", "1. f5 d6 2. c3 d3",
          "1.f5 2.d6 3.c3 4.d3", "  f5 d6\tc3/d3 \r", "f5|d6|c3;d3"}) {
        const auto game = parse_transcript(text);
        ASSERT_TRUE(game) << text << ": " << game.error().what;
        EXPECT_EQ(squares_of(*game), plain) << text;
    }
}

TEST(OthelloRecords, WrittenPassesAreAcceptedWhereTheyAreForced) {
    const GameRecord game = game_with_pass();
    for (const char* word : {"pa", "PS", "pass"}) {
        std::string text;
        for (const Square s : squares_of(game)) text += s == kPass ? word : format_square(s);
        const auto back = parse_transcript(text);
        ASSERT_TRUE(back) << text << ": " << back.error().what;
        EXPECT_EQ(squares_of(*back), squares_of(game));
    }
    EXPECT_THAT(parse_transcript("f5pa").error().what, HasSubstr("pass is not allowed"));
}

TEST(OthelloRecords, AnOpeningListKeepsItsGoodLines) {
    const std::string list =
        "\xEF\xBB\xBF# openings\r\n"
        "f5d6c3d3c4 # the first\r\n"
        "\r\n"
        "% another comment\r\n"
        "f5d6 a1\r\n"
        "f5f6 e6f4\r\n"
        "f5d6z9\r\n";
    EXPECT_EQ(detect_format(list), RecordFormat::Transcript);
    const Records records = read_lines(list);
    EXPECT_THAT(records.games, SizeIs(2));
    ASSERT_THAT(records.errors, SizeIs(2));
    EXPECT_EQ(records.errors[0].game, 2);
    EXPECT_EQ(records.errors[0].line, 5);
    EXPECT_EQ(list.substr(records.errors[0].offset, 2), "a1");
    EXPECT_THAT(describe(records.errors[0]), HasSubstr("game 2 (line 5, byte "));
    EXPECT_EQ(list.substr(records.errors[1].offset, 2), "z9");
}

TEST(OthelloRecords, MovesAfterTheEndAreRefused) {
    const GameRecord game = random_games(1).front();
    const auto back = parse_transcript(*format_transcript(game) + "a1");
    ASSERT_FALSE(back);
    EXPECT_THAT(back.error().what, HasSubstr("after the end"));
}

// ---- OBF ----------------------------------------------------------------------------------------

TEST(OthelloRecords, ObfListsKeepTheirScores) {
    const std::string start = format_obf(start_position());
    const std::string list = start + "; F5:+2; D3:-1.5;\n% comment\n" + start + ";\n" +
                             start.substr(0, 40) + " X;\n" + start + "; A1:+3;\n";
    EXPECT_EQ(detect_format(list), RecordFormat::Obf);
    const Records records = read_lines(list);
    ASSERT_THAT(records.games, SizeIs(2));
    EXPECT_EQ(format_obf_record(records.games[0]), start + "; f5:+2; d3:-1.5;");
    ASSERT_THAT(records.errors, SizeIs(2));
    EXPECT_EQ(records.errors[0].game, 3);
    EXPECT_THAT(records.errors[1].what, HasSubstr("a1 is not legal"));
}

TEST(OthelloRecords, GamesAsPositions) {
    const auto game = parse_transcript("f5d6c3");
    EXPECT_EQ(format_obf_record(*game), format_obf(end_position(*game)) + ";");
    const auto lines = format_obf_positions(*game);
    ASSERT_THAT(lines, SizeIs(3));
    EXPECT_EQ(lines[0], format_obf(start_position()) + ";");
}

// ---- GGF ----------------------------------------------------------------------------------------

/// A game with everything that GGF can say, not from the start position.
GameRecord rich_game(unsigned seed) {
    std::mt19937_64 random(seed);
    const Position start = end_position(random_game(random, 7));
    GameRecord game = random_game(random, 200, start);
    game.black = "A [bracket] and \\";
    game.white = "White (; trap";
    game.place = "here";
    game.date = "2026.01.02";
    game.black_rating = 1234.5;
    game.result = *final_result(game);
    game.tags = {{"TI", "05:00//02:00"}, {"TY", "s8r11"}};
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        if (i % 3 != 0) game.moves[i].value = 0.25 * static_cast<double>(i) - 3;
        if (i % 4 != 0) game.moves[i].seconds = 0.5 * static_cast<double>(i);
    }
    return game;
}

TEST(OthelloRecords, GgfComesBackWhole) {
    std::string file = "2 games follow\n";
    for (unsigned seed = 1; seed <= 50; ++seed) file += format_ggf(rich_game(seed)) + "\n";
    EXPECT_EQ(detect_format(file), RecordFormat::Ggf);
    const Records records = read_ggf(file);
    EXPECT_THAT(records.errors, IsEmpty());
    EXPECT_THAT(records.notes, IsEmpty());
    ASSERT_THAT(records.games, SizeIs(50));
    for (unsigned seed = 1; seed <= 50; ++seed) {
        const GameRecord want = rich_game(seed);
        const GameRecord& got = records.games[seed - 1];
        EXPECT_EQ(got.start, want.start);
        EXPECT_EQ(squares_of(got), squares_of(want));
        EXPECT_EQ(got.black, want.black);
        EXPECT_EQ(got.white, "White ( ; trap");
        EXPECT_EQ(got.tags, want.tags);
        EXPECT_EQ(got.result, want.result);
        EXPECT_EQ(got.black_rating, want.black_rating);
        EXPECT_FALSE(got.white_rating);
        for (std::size_t i = 0; i < want.moves.size(); ++i) {
            EXPECT_EQ(got.moves[i].value, want.moves[i].value) << i;
            EXPECT_EQ(got.moves[i].seconds, want.moves[i].seconds) << i;
        }
        EXPECT_EQ(format_ggf(got), format_ggf(read_ggf(format_ggf(got)).games.front()));
    }
}

const std::string kBoard =
    "BO[8 ---------------------------O*------*O--------------------------- *]";

TEST(OthelloRecords, GgfAsOthersWriteIt) {
    const auto game = parse_ggf(
        "(;gm[othello]pb[x]re[-4.000:t]BO[8 -------- -------- -------- "
        "---O*---\n---*O--- -------- -------- -------- *]"
        "b[f5//1:02.5]W[D6/-1.25]B[c3/0.5/2];)");
    ASSERT_TRUE(game) << game.error().what;
    EXPECT_EQ(game->start, start_position());
    EXPECT_EQ(squares_of(*game), squares_of(*parse_transcript("f5d6c3")));
    EXPECT_EQ(game->moves[0].seconds, 62.5);
    EXPECT_FALSE(game->moves[0].value);
    EXPECT_EQ(game->moves[1].value, -1.25);
    EXPECT_EQ(game->result, -4);
    EXPECT_EQ(game->ending, Ending::TimeOut);
}

TEST(OthelloRecords, GgfPassesMayBeMissing) {
    const GameRecord game = game_with_pass();
    std::string without = "(;GM[Othello]" + kBoard;
    Colour colour = Colour::Black;
    for (const RecordMove& m : game.moves) {
        if (m.square != kPass) {
            without += (colour == Colour::Black ? "B[" : "W[") + format_square(m.square) + "]";
        }
        colour = opposite(colour);
    }
    const auto back = parse_ggf(without + ";)");
    ASSERT_TRUE(back) << back.error().what;
    EXPECT_EQ(squares_of(*back), squares_of(game));
}

TEST(OthelloRecords, GgfErrorsSayWhere) {
    const std::string good = "(;GM[Othello]" + kBoard + "B[F5]W[D6];)\n";
    struct Case {
        std::string text;
        std::string what;
        std::string at;  ///< the text at the offset
    };
    const std::vector<Case> cases = {
        {"(;GM[Othello]" + kBoard + "B[F5]W[A1];)", "move 2: a1 is not a legal move", "W[A1]"},
        {"(;GM[Othello]" + kBoard + "B[F5]B[C3];)", "not Black's turn", "B[C3]"},
        {"(;GM[Othello]" + kBoard + "W[F5];)", "not White's turn", "W[F5]"},
        {"(;GM[Othello]B[F5];)", "no BO", "GM[Othello]B"},
        {"(;GM[Chess]" + kBoard + ";)", "not of Othello", "GM[Chess]"},
        {"(;GM[Othello]BO[10 " + std::string(100, '-') + " *];)", "is not 8", "BO[10"},
        {"(;GM[Othello]BO[8 ---O*--- *];)", "9 cells", "BO[8"},
        {"(;GM[Othello]PB[name" + std::string(5, ' '), "no ']'", "PB[name"},
        {"(;GM[Othello]" + kBoard + "B[F5]", "does not end", "(;GM"},
        {"(;GM[Othello]TY[8a]" + kBoard + ";)", "anti", "TY[8a]"},
        {"(;GM[Othello]" + kBoard + "B[F5]12;)", "a tag like", "12;)"},
    };
    for (const Case& c : cases) {
        const std::string file = good + c.text + "\n" + good;
        const Records records = read_ggf(file);
        EXPECT_THAT(records.games, SizeIs(2)) << c.text;
        ASSERT_THAT(records.errors, SizeIs(1)) << c.text;
        EXPECT_THAT(records.errors[0].what, HasSubstr(c.what));
        EXPECT_EQ(records.errors[0].game, 2) << c.text;
        EXPECT_EQ(file.substr(records.errors[0].offset, c.at.size()), c.at);
    }
}

TEST(OthelloRecords, AWrongResultIsNoted) {
    GameRecord game = random_games(1).front();
    game.result = *final_result(game) + 6;
    const Records records = read_ggf(format_ggf(game));
    EXPECT_THAT(records.games, SizeIs(1));
    ASSERT_THAT(records.notes, SizeIs(1));
    EXPECT_THAT(records.notes[0].what, HasSubstr("the board says"));
    game.ending = Ending::Resigned;
    EXPECT_THAT(read_ggf(format_ggf(game)).notes, IsEmpty());
}

// ---- WTHOR --------------------------------------------------------------------------------------

std::vector<GameRecord> named_games(int count) {
    std::vector<GameRecord> games = random_games(count, 7);
    for (int i = 0; i < count; ++i) {
        GameRecord& g = games[static_cast<std::size_t>(i)];
        g.black = "Andr\xC3\xA9 " + std::to_string(i % 5);
        g.white = "Somebody of the name much too long for the file";
        g.place = "Open " + std::to_string(i % 3);
        g.date = "2025";
        g.result = *final_result(g);
        g.best_black_discs = 32 + i % 7;
    }
    return games;
}

TEST(OthelloRecords, WthorComesBackWithNames) {
    const std::vector<GameRecord> games = named_games(60);
    const auto files = format_wthor(games, {2026, 3, 4});
    ASSERT_TRUE(files);
    EXPECT_THAT(files->games, SizeIs(16 + 68 * 60));
    EXPECT_EQ(detect_format(files->games), RecordFormat::Wthor);
    const tests::TemporaryFolder folder;
    const std::string wtb = folder.write("x.wtb", files->games);
    folder.write("X.JOU", "not the names of x.wtb");
    folder.write("x.jou", files->players);
    folder.write("WTHOR.TRN", files->tournaments);
    const auto records = load_records(wtb);
    ASSERT_TRUE(records) << records.error().what;
    EXPECT_THAT(records->errors, IsEmpty());
    EXPECT_THAT(records->notes, IsEmpty()) << describe(records->notes.front());
    ASSERT_THAT(records->games, SizeIs(60));
    for (std::size_t i = 0; i < games.size(); ++i) {
        const GameRecord& got = records->games[i];
        EXPECT_EQ(squares_of(got), squares_of(games[i]));
        EXPECT_EQ(got.black, games[i].black);
        EXPECT_EQ(got.white, games[i].white.substr(0, 19));
        EXPECT_EQ(got.place, games[i].place);
        EXPECT_EQ(got.date, "2025");
        EXPECT_EQ(got.result, games[i].result);
        EXPECT_EQ(got.best_black_discs, games[i].best_black_discs);
    }
}

TEST(OthelloRecords, WthorBytesAreAsSpecified) {
    auto game = *parse_transcript("f5d6");
    const std::string bytes = format_wthor(std::vector{game}, {2026, 3, 4})->games;
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x14\x1a\x03\x04\x01\x00\x00\x00", 8));
    EXPECT_EQ(bytes[16 + 8], 56);  // f5: row 5, column 6
    EXPECT_EQ(bytes[16 + 9], 64);  // d6
    EXPECT_EQ(bytes[16 + 10], 0);
}

TEST(OthelloRecords, DamagedWthorKeepsTheGoodGames) {
    const std::string good = format_wthor(named_games(5), {2026, 3, 4})->games;
    const std::size_t third = 16 + 2 * 68;
    std::string bad = good;
    bad[third + 8 + 10] = 99;
    Records records = read_wthor(bad, {});
    EXPECT_THAT(records.games, SizeIs(4));
    ASSERT_THAT(records.errors, SizeIs(1));
    EXPECT_EQ(records.errors[0].game, 3);
    EXPECT_EQ(records.errors[0].offset, third + 18);
    EXPECT_THAT(describe(records.errors[0]), HasSubstr("game 3 (byte 170): move 11: 99"));

    records = read_wthor(good.substr(0, third + 30), {});
    EXPECT_THAT(records.games, SizeIs(2));
    ASSERT_THAT(records.errors, SizeIs(1));
    EXPECT_EQ(records.errors[0].game, 3);
    EXPECT_THAT(records.errors[0].what, HasSubstr("header says 5 games"));

    bad = good;
    bad[12] = 10;
    EXPECT_THAT(read_wthor(bad, {}).errors, SizeIs(1));
    EXPECT_THAT(read_wthor(good.substr(0, 9), {}).errors, SizeIs(1));
    EXPECT_THAT(read_wthor(good + "tail", {}).notes, SizeIs(1));
}

TEST(OthelloRecords, OtherStartsAreRefusedWhereTheyCannotBeSaid) {
    const GameRecord game = rich_game(1);
    EXPECT_FALSE(format_transcript(game));
    EXPECT_THAT(format_wthor(std::vector{game}, {}).error().what, HasSubstr("game 1"));
}

// ---- All formats --------------------------------------------------------------------------------

TEST(OthelloRecords, OneFormatAfterTheOther) {
    for (const GameRecord& game : random_games(20, 3)) {
        const auto transcript = parse_transcript(upper(*format_transcript(game)));
        const auto ggf = parse_ggf(format_ggf(*transcript));
        const auto wthor = read_wthor(format_wthor(std::vector{*ggf}, {})->games, {});
        ASSERT_THAT(wthor.games, SizeIs(1));
        EXPECT_EQ(squares_of(wthor.games[0]), squares_of(game));
    }
}

TEST(OthelloRecords, DamageNeverBringsTheReadersDown) {
    std::mt19937_64 random(5);
    std::string ggf;
    std::string lines;
    for (unsigned seed = 1; seed <= 4; ++seed) {
        ggf += format_ggf(rich_game(seed)) + "\n";
        lines += *format_transcript(random_games(1, seed).front()) + "\n";
        lines += format_obf_record(rich_game(seed)) + "\n";
    }
    const std::vector<std::string> files = {ggf, lines,
                                            format_wthor(named_games(4), {2026, 1, 1})->games};
    std::size_t wrong = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = files[static_cast<std::size_t>(round) % files.size()];
        for (auto n = 1 + random() % 4; n > 0; --n) {
            const std::size_t at = random() % bytes.size();
            if (random() % 4 == 0) {
                bytes.erase(at, random() % 40);
            } else {
                bytes[at] = static_cast<char>(random());
            }
            if (bytes.empty()) bytes = "x";
        }
        for (const auto f : {RecordFormat::Ggf, RecordFormat::Transcript, RecordFormat::Wthor}) {
            const Records records = read_records(bytes, f);
            wrong += records.error_count;
            for (const RecordProblem& p : records.errors) EXPECT_LE(p.offset, bytes.size());
            for (const GameRecord& game : records.games) {  // every game that is kept is legal
                GameRecord again;
                again.start = game.start;
                Replay replay(again);
                for (const RecordMove& m : game.moves) ASSERT_TRUE(replay.play(m));
            }
        }
    }
    EXPECT_GT(wrong, 2000U) << "the damage was hardly seen";
}

TEST(OthelloRecords, WhatIsNoRecordIsSaid) {
    EXPECT_EQ(detect_format(std::string("\0\1\2\3", 4)), std::nullopt);
    EXPECT_EQ(detect_format("hello world"), std::nullopt);
    EXPECT_EQ(detect_format(""), std::nullopt);
    EXPECT_THAT(load_records("/nowhere/x.ggf").error().what, HasSubstr("cannot be opened"));
    EXPECT_THAT(load_records("/tmp").error().what, HasSubstr("directory"));
}

}  // namespace
}  // namespace karikomi::othello
