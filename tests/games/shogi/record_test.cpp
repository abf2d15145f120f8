#include "karikomi/games/shogi/record.hpp"

#include <random>

#include <gtest/gtest.h>

#include "karikomi/games/shogi/movegen.hpp"

namespace karikomi::shogi {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

void expect_one_line(const Error& error, const std::string& part) {
    EXPECT_NE(error.what.find(part), std::string::npos) << error.what;
    EXPECT_EQ((error.what + error.remedy).find('\n'), std::string::npos);
}

std::string moves_of(const GameRecord& r) {
    std::string text;
    for (const RecordedMove& m : r.moves) text += format_usi(m.move) + " ";
    return text;
}

void expect_same(const GameRecord& a, const GameRecord& b) {
    EXPECT_EQ(a.start.board, b.start.board);
    EXPECT_EQ(a.names, b.names);
    EXPECT_EQ(a.facts, b.facts);
    EXPECT_EQ(a.comment, b.comment);
    EXPECT_EQ(a.ending, b.ending);
    EXPECT_EQ(a.last_time, b.last_time);
    ASSERT_EQ(moves_of(a), moves_of(b));
    for (std::size_t i = 0; i < a.moves.size(); ++i) {
        EXPECT_EQ(a.moves[i].time, b.moves[i].time) << i;
        EXPECT_EQ(a.moves[i].comment, b.moves[i].comment) << i;
    }
}

struct Moves {
    std::vector<Move> all;
    void push(Move m) { all.push_back(m); }
};

GameRecord random_record(std::mt19937& random, const std::string& sfen) {
    GameRecord r;
    r.start = *parse_sfen(sfen);
    r.names = {"刈込", "White & Co."};
    r.facts = {{"EVENT", "第1回 試験"}, {"START_TIME", "2024/11/15 12:00:00"}};
    r.comment = "before\nthe game";
    Board b = r.start.board;
    for (int i = 0; i < 150; ++i) {
        Moves list;
        generate_moves<Stage::All, Promotions::Every>(b, list);
        if (list.all.empty()) {
            r.ending = Ending::Mate;
            return r;
        }
        const Move m = list.all[random() % list.all.size()];
        BoardUndo undo;
        b.do_move(m, undo);
        r.moves.push_back({m, seconds(random() % 4000)});
        if (random() % 8 == 0) r.moves.back().comment = "評価値 +" + std::to_string(random() % 100);
    }
    constexpr std::array<Ending, 13> kEndings = {
        Ending::None,        Ending::Resignation, Ending::Interruption, Ending::Repetition,
        Ending::Impasse,     Ending::TimeUp,      Ending::IllegalMove,  Ending::IllegalByOther,
        Ending::DeclaredWin, Ending::Draw,        Ending::MaxMoves,     Ending::NoMate,
        Ending::Broken};
    r.ending = kEndings[random() % kEndings.size()];
    if (r.ending != Ending::None) r.last_time = seconds(7);
    return r;
}

TEST(ShogiRecord, RandomGamesSurviveEveryFormat) {
    std::mt19937 random(1);
    std::vector<std::string> starts = {
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/4P4/9/9/9/9/9/9 b GP2r2b3g4s4n4l16p 1", "4k4/9/9/9/9/9/9/9/4K4 b 18P 1"};
    for (const Handicap& h : handicaps()) starts.emplace_back(h.sfen);
    for (int i = 0; i < 60; ++i) {
        const GameRecord r =
            random_record(random, starts[static_cast<std::size_t>(i) % starts.size()]);
        const auto csa = parse_csa(format_csa(r));
        ASSERT_TRUE(csa) << csa.error().what;
        expect_same(*csa, r);
        for (const Encoding e : {Encoding::Utf8, Encoding::ShiftJis}) {
            const auto text = format_kif(r, e);
            ASSERT_TRUE(text) << text.error().what;
            EXPECT_EQ(is_utf8(*text), e == Encoding::Utf8);
            const auto kif = parse_kif(*text);
            ASSERT_TRUE(kif) << kif.error().what << "\n" << *text;
            expect_same(*kif, r);
            EXPECT_TRUE(parse_record(*text));
        }
        ASSERT_TRUE(parse_record(format_csa(r)));
        if (HasFailure()) FAIL() << format_csa(r);
    }
}

TEST(ShogiRecord, HandicapsArePositionsWithWhiteToMove) {
    for (const Handicap& h : handicaps()) {
        const auto d = parse_sfen(h.sfen);
        ASSERT_TRUE(d) << h.english;
        EXPECT_EQ(d->board.side(), h.english == "even" ? kBlack : kWhite);
        EXPECT_EQ(format_sfen(d->board, 1), h.sfen);
    }
    EXPECT_EQ(handicaps().size(), 16U);
}

TEST(ShogiCsa, ReadsTheStandardsOwnForms) {
    const auto r = parse_csa(
        "V2.2\r\nN+NAKAHARA\r\nN-YONENAGA\r\n$EVENT:13th World Computer Shogi Championship\r\n"
        "$TIME_LIMIT:00:25+00\r\nPI\r\n'comment\r\n+\r\n+2726FU,T12\r\n-3334FU\r\nT6.5\r\n"
        "'*a remark\r\n%CHUDAN\r\n");
    ASSERT_TRUE(r) << r.error().what;
    EXPECT_EQ(moves_of(*r), "2g2f 3c3d ");
    EXPECT_EQ(r->names[0], "NAKAHARA");
    EXPECT_EQ(r->facts[1].second, "00:25+00");
    EXPECT_EQ(r->moves[0].time, milliseconds(12'000));
    EXPECT_EQ(r->moves[1].time, milliseconds(6'500));
    EXPECT_EQ(r->moves[1].comment, "a remark");
    EXPECT_EQ(r->ending, Ending::Interruption);
    EXPECT_FALSE(r->winner());
}

TEST(ShogiCsa, ReadsPositionsInEveryForm) {
    // An even game without rook and bishop.
    EXPECT_EQ(format_sfen(parse_csa("PI82HI22KA\n-\n")->start.board, 1), handicaps()[6].sfen);
    // By rows, with hands.
    const auto rows = parse_csa(
        "P1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  *  *  *  *  *  * \nP3 *  *  *  * +TO\n"
        "P4\nP5\nP6\nP7\nP8\nP9 *  *  *  * +OU *  *  *  * "
        "\nP+00KI00FU00FU\nP-00KA\n+\n+0052KI\n%TSUMI\n");
    ASSERT_TRUE(rows) << rows.error().what;
    EXPECT_EQ(format_sfen(rows->start.board, 1), "4k4/9/4+P4/9/9/9/9/9/4K4 b G2Pb 1");
    EXPECT_EQ(moves_of(*rows), "G*5b ");
    EXPECT_EQ(rows->winner(), kBlack);
    // Piece by piece, the rest to White: a problem without Black's king.
    const auto tsume = parse_csa("P-51OU\nP+53FU00KI\nP-00AL\n+\n");
    ASSERT_TRUE(tsume) << tsume.error().what;
    EXPECT_EQ(format_sfen(tsume->start.board, 1), "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
}

TEST(ShogiCsa, IllegalActionsNameTheirSide) {
    EXPECT_EQ(parse_csa("PI\n+\n+7776FU\n%+ILLEGAL_ACTION\n")->winner(), kWhite);
    EXPECT_EQ(parse_csa("PI\n+\n+7776FU\n%-ILLEGAL_ACTION\n")->winner(), kBlack);
    EXPECT_EQ(parse_csa("PI\n+\n+7776FU\n%ILLEGAL_MOVE\n")->winner(), kBlack);
    EXPECT_EQ(parse_csa("PI\n+\n+7776FU\n%TORYO\n")->winner(), kBlack);
    EXPECT_EQ(parse_csa("PI\n+\n+7776FU\n%KACHI\n")->winner(), kWhite);
}

TEST(ShogiCsa, SeveralGamesInOneFile) {
    const auto games = parse_csa_games("V2.2\nPI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n%TORYO\n/\n");
    ASSERT_TRUE(games) << games.error().what;
    ASSERT_EQ(games->size(), 2U);
    EXPECT_EQ(moves_of((*games)[1]), "2g2f ");
    EXPECT_FALSE(parse_csa("PI\n+\n/\nPI\n+\n"));
}

TEST(ShogiCsa, ErrorsNameTheLine) {
    const auto fails = [](const std::string& text, const std::string& part) {
        const auto r = parse_csa(text);
        ASSERT_FALSE(r) << text;
        expect_one_line(r.error(), part);
    };
    fails("", "no side to move");
    fails("PI\n", "no side to move");
    fails("PI\n+\n+7775FU\n", "line 3: +7775FU is not a legal move");
    fails("PI\n+\n-3334FU\n", "not that side's turn");
    fails("PI\n+\n+7776KI\n", "another piece stands there");
    fails("PI\n+\n+7776XX\n", "is no move");
    fails("PI\n+\n+0055TO\n", "cannot be dropped");
    fails("PI\n+\n+7776FU\n%WHAT\n", "unknown end");
    fails("PI\n+\n%TORYO\n+7776FU\n", "after the end");
    fails("PI\n+\n+7776FU\nTx\n", "is no time");
    fails("PI55KI\n+\n", "is not there");
    fails("PI\nPI\n+\n", "taken twice");
    fails("PI\nP+00FU\n+\n", "19 of P, a set has 18");
    fails("P1+KI+XX\n+\n", "P1: '+XX' is no piece");
    fails("hello\n", "unknown statement 'hello'");
    fails("+7776FU\n", "before the side to move");
}

// ---- KIF ----------------------------------------------------------------------------------------
const char* const kKif =
    "# ---- a program's remark ----\n"
    "開始日時：2024/11/15 12:00:00\n"
    "棋戦：試験\n"
    "手合割：平手　　\n"
    "先手：刈込\n"
    "後手：試し\n"
    "手数----指手---------消費時間--\n"
    "*first remark\n"
    "   1 ７六歩(77)   ( 0:16/00:00:16)\n"
    "   2 ３四歩(33)   ( 0:00/00:00:00)\n"
    "   3 ２二角成(88) ( 1:05/00:01:21)+\n"
    "*takes\n"
    "   4 同　銀(31)   ( 0:03/00:00:03)\n"
    "   5 ４五角打     ( 0:10/00:01:31)\n"
    "   6 投了         ( 0:01/00:00:04)\n"
    "まで5手で先手の勝ち\n"
    "\n"
    "変化：3手\n"
    "   3 ２六歩(27)\n";

TEST(ShogiKif, ReadsAGame) {
    const auto sjis = to_shift_jis(kKif);
    ASSERT_TRUE(sjis) << sjis.error().what;
    EXPECT_NE(sjis->find("\x95\xe0"), std::string::npos) << "歩 in Shift-JIS";
    const std::string bom = std::string("\xef\xbb\xbf") + kKif;
    for (const std::string& text : {std::string(kKif), *sjis, bom}) {
        const auto r = parse_kif(text);
        ASSERT_TRUE(r) << r.error().what;
        EXPECT_EQ(moves_of(*r), "7g7f 3c3d 8h2b+ 3a2b B*4e ");
        EXPECT_EQ(r->names[0], "刈込");
        EXPECT_EQ(r->facts[0],
                  (std::pair<std::string, std::string>("START_TIME", "2024/11/15 12:00:00")));
        EXPECT_EQ(r->comment, "first remark");
        EXPECT_EQ(r->moves[2].comment, "takes");
        EXPECT_EQ(r->moves[2].time, seconds(65));
        EXPECT_EQ(r->ending, Ending::Resignation);
        EXPECT_EQ(r->last_time, seconds(1));
        EXPECT_EQ(r->winner(), kBlack);
    }
}

TEST(ShogiKif, WritesWhatOtherProgramsExpect) {
    auto r = *parse_kif(kKif);
    r.comment.clear();
    const std::string text = *format_kif(r);
    for (const char* line :
         {"#KIF version=2.0 encoding=UTF-8\n", "手合割：平手\n", "先手：刈込\n",
          "   1 ７六歩(77)    ( 0:16/00:00:16)\n", "   3 ２二角成(88)  ( 1:05/00:01:21)\n",
          "   4 同　銀(31)    ( 0:03/00:00:03)\n", "   5 ４五角打      ( 0:10/00:01:31)\n",
          "   6 投了          ( 0:01/00:00:04)\n", "まで5手で先手の勝ち\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

TEST(ShogiKif, ReadsADiagram) {
    const auto r = parse_kif(
        "後手の持駒：飛　角二　金三　銀四　桂四　香四　歩十六\n"
        "  ９ ８ ７ ６ ５ ４ ３ ２ １\n"
        "+---------------------------+\n"
        "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n"
        "| ・ ・ ・ ・ と ・ ・ ・ ・|三\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・v龍|七\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n"
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n"
        "+---------------------------+\n"
        "先手の持駒：金　歩\n"
        "先手番\n"
        "手数＝30  ▲５三と  まで\n"
        "  31 ５二金打\n"
        "  32 詰み\n");
    ASSERT_TRUE(r) << r.error().what;
    EXPECT_EQ(format_sfen(r->start.board, r->start.move_number),
              "4k4/9/4+P4/9/9/9/8+r/9/9 b GPr2b3g4s4n4l16p 31");
    EXPECT_EQ(moves_of(*r), "G*5b ");
    EXPECT_EQ(r->ending, Ending::Mate);
}

TEST(ShogiKif, OtherWordsForTheSame) {
    EXPECT_EQ(moves_of(*parse_kif("1 7六歩(77)\n2 ３四歩(33)\n3 ２二角不成(88)\n")),
              "7g7f 3c3d 8h2b ");
    EXPECT_EQ(
        moves_of(*parse_kif("手合割：二枚落ち\n上手：A\n下手：B\n1 ６二銀(71)\n2 ７六歩(77)\n")),
        "7a6b 7g7f ");
    EXPECT_EQ(parse_kif("1 ７六歩(77)\n2 時間切れ\n")->winner(), kBlack);
    EXPECT_EQ(parse_kif("1 ７六歩(77)\n2 反則勝ち\n")->winner(), kWhite);
    EXPECT_EQ(parse_kif("1 ７六歩(77)\n2 持将棋\n")->ending, Ending::Impasse);
    // Where a piece comes from may be left out when only one can go there.
    EXPECT_EQ(moves_of(*parse_kif("手合割：平手\n1 ７六歩\n")), "7g7f ");
}

TEST(ShogiKif, ErrorsNameTheLine) {
    const auto fails = [](const std::string& text, const std::string& part) {
        const auto r = parse_kif(text);
        ASSERT_FALSE(r) << text;
        expect_one_line(r.error(), part);
    };
    fails("", "nothing that belongs to a game record");
    fails("hello world\n", "nothing that belongs to a game record");
    fails("手合割：平手\n1 ７五歩(77)\n", "line 2: '７五歩(77)': not a legal move");
    fails("手合割：平手\n1 ７六銀(77)\n", "another piece stands there");
    fails("手合割：平手\n1 ５八金\n", "where it comes from");
    fails("手合割：平手\n1 同　歩(77)\n", "no move before it");
    fails("手合割：平手\n1 ７六歩(77)\n3 ３四歩(33)\n", "expected move 2");
    fails("手合割：平手\n1 ７ａ歩(77)\n", "unknown square");
    fails("手合割：平手\n1 投了\n2 ３四歩(33)\n", "after the end");
    fails("手合割：百枚落ち\n", "unknown handicap");
    fails("| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n先手：A\n", "1 of 9 rows");
    fails("手合割：平手\n\xff\xfe\n", "cannot be converted");
}

TEST(ShogiEncoding, TellsUtf8FromTheRest) {
    EXPECT_TRUE(is_utf8("plain"));
    EXPECT_TRUE(is_utf8("刈込"));
    for (const char* wrong :
         {"\x8a\xa7", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe5\x88"}) {
        EXPECT_FALSE(is_utf8(wrong));
    }
    EXPECT_EQ(*to_utf8(*to_shift_jis("刈込 髙 ①")), "刈込 髙 ①");
    EXPECT_FALSE(to_shift_jis("𠮷"));
}

}  // namespace
}  // namespace karikomi::shogi
