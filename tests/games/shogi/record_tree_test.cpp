/// Records of our own making with every feature, through every format and back.
#include <random>

#include <gtest/gtest.h>

#include "karikomi/games/shogi/module.hpp"
#include "karikomi/games/shogi/move_names.hpp"
#include "karikomi/games/shogi/movegen.hpp"
#include "karikomi/games/shogi/record.hpp"

namespace karikomi::shogi {
namespace {

using std::chrono::milliseconds;

struct Moves {
    std::vector<Move> all;
    void push(Move m) { all.push_back(m); }
};

class Maker {
public:
    explicit Maker(unsigned seed) : random_(seed) {}

    GameRecord make(const std::string& sfen, bool fractions) {
        fractions_ = fractions;
        GameRecord r;
        r.start = *parse_sfen(sfen);
        if (one_in(3)) r.start.move_number = 25;
        r.names = {"刈込 太郎", one_in(4) ? "" : "White & Co."};
        r.facts = {{"EVENT", "第1回 試験: 決勝"}, {"START_TIME", "2026/11/18 12:00:00"}};
        if (one_in(2)) r.facts.emplace_back("備考", "自作の棋譜");
        if (one_in(2)) r.comment = "対局前の\n\n解説";
        fill(r, r.start.board, 40 + below(60));
        for (int i = 0; i < 12; ++i) add_variation(r);
        r.sort_variations();
        return r;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }
    bool one_in(std::size_t n) { return below(n) == 0; }
    milliseconds time() {
        const auto ms = static_cast<std::int64_t>(below(4'000'000));
        return milliseconds(fractions_ ? ms : ms / 1000 * 1000);
    }
    void fill(RecordedLine& line, Board b, std::size_t moves) {
        const bool timed = !one_in(4);
        for (std::size_t i = 0; i < moves; ++i) {
            Moves list;
            generate_moves<Stage::All, Promotions::Every>(b, list);
            if (list.all.empty()) {
                line.ending = Ending::Mate;
                return;
            }
            const Move m = list.all[below(list.all.size())];
            BoardUndo undo;
            b.do_move(m, undo);
            line.moves.push_back({m});
            if (timed) line.moves.back().time = time();
            if (one_in(6)) line.moves.back().comment = "評価値 +120\n最善 ▲２六歩 '歩*";
        }
        line.ending = static_cast<Ending>(below(14));
        if (line.ending == Ending::None) return;
        if (timed) line.last_time = time();
        if (one_in(3)) line.end_comment = "終局後の\n感想";
    }
    void add_variation(GameRecord& r) {
        const std::size_t parent = below(r.variations.size() + 1);
        const RecordedLine& from =
            parent == 0 ? static_cast<const RecordedLine&>(r) : r.variations[parent - 1];
        const std::size_t first = parent == 0 ? 0 : r.variations[parent - 1].begin + 1;
        const std::size_t last =
            (parent == 0 ? 0 : r.variations[parent - 1].begin) + from.moves.size();
        if (first > last) return;
        Variation v;
        v.parent = parent;
        v.begin = first + below(last - first + 1);
        r.variations.push_back(v);
        Board b = r.start.board;
        for (const Move m : r.moves_before(r.variations.size())) {
            BoardUndo undo;
            b.do_move(m, undo);
        }
        fill(v, b, 1 + below(20));
        if (v.moves.empty()) {  // mated already: no move to begin with
            r.variations.pop_back();
        } else {
            r.variations.back() = v;
        }
    }

    std::mt19937 random_;
    bool fractions_ = false;
};

/// What KI2 cannot hold.
void drop_times(RecordedLine& line) {
    line.last_time.reset();
    for (RecordedMove& m : line.moves) m.time.reset();
}

void expect_same(const Expected<GameRecord>& read, const GameRecord& r, const std::string& text) {
    ASSERT_TRUE(read) << read.error().what << "\n" << text;
    EXPECT_EQ(read->start, r.start) << text;
    EXPECT_EQ(read->names, r.names);
    EXPECT_EQ(read->facts, r.facts);
    EXPECT_EQ(read->comment, r.comment);
    EXPECT_EQ(static_cast<const RecordedLine&>(*read), static_cast<const RecordedLine&>(r)) << text;
    ASSERT_EQ(read->variations.size(), r.variations.size()) << text;
    for (std::size_t i = 0; i < r.variations.size(); ++i) {
        EXPECT_EQ(read->variations[i], r.variations[i]) << i << "\n" << text;
    }
}

std::string start_of(std::size_t i) {
    const auto& all = handicaps();
    if (i % (all.size() + 2) < all.size()) return std::string(all[i % (all.size() + 2)].sfen);
    return i % 2 == 0 ? "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
                      : "4k4/9/4P4/9/9/9/9/9/9 b GP2r2b3g4s4n4l16p 1";
}

TEST(ShogiRecordTree, TwoHundredGamesWithEverythingSurviveEveryFormat) {
    std::size_t variations = 0;
    std::size_t nested = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        const bool kif = i % 2 == 0;  // whole seconds are all that KIF has
        GameRecord r = Maker(static_cast<unsigned>(i)).make(start_of(i), !kif);
        variations += r.variations.size();
        for (const Variation& v : r.variations) nested += v.parent != 0;
        if (kif) {
            for (const Encoding e : {Encoding::Utf8, Encoding::ShiftJis}) {
                const std::string text = *format_kif(r, e);
                expect_same(parse_kif(text), r, *format_kif(r));
                EXPECT_EQ(kind_of_record(text), "kif");
            }
        }
        const std::string csa = format_csa(r);
        expect_same(parse_csa(csa), r, csa);
        EXPECT_EQ(kind_of_record(csa), "csa");
        const std::string jkf = format_jkf(r);
        expect_same(parse_jkf(jkf), r, jkf);
        EXPECT_EQ(kind_of_record(jkf), "jkf");
        drop_times(r);
        for (Variation& v : r.variations) drop_times(v);
        const std::string ki2 = format_ki2(r);
        expect_same(parse_kif(ki2), r, ki2);
        EXPECT_EQ(kind_of_record(ki2), "ki2");
        if (HasFailure()) FAIL() << "game " << i;
    }
    EXPECT_GT(variations, 1000U);
    EXPECT_GT(nested, 300U);
}

TEST(ShogiRecordTree, ThePagesViewOfARecordLosesNothing) {
    const auto facet = *module().records;
    for (std::size_t i = 0; i < 20; ++i) {
        GameRecord r = Maker(static_cast<unsigned>(i)).make(start_of(i), false);
        for (Variation& v : r.variations) v.last_time.reset();  // all that it does not hold
        const std::string text = *format_kif(r);
        const auto file = facet.read(text, "");
        ASSERT_TRUE(file) << file.error().what;
        const auto again = facet.write((*file)->game(0), "kif");
        ASSERT_TRUE(again) << again.error().what;
        EXPECT_EQ(*again, text);
    }
}

TEST(ShogiRecordTree, ListsOfMovesAreRead) {
    const char* const texts[] = {
        "▲７六歩 △３四歩 ▲２二角成 △同銀", "☗７六歩☖３四歩☗２二角成☖同　銀",
        "▲7六歩    △3四歩\n▲2二角成    △同銀\nまで4手で中断\n", "76歩 34歩 22角成 同銀",
        "７六歩(77) ３四歩(33) ２二角成(88) 同銀(31)"};
    for (const char* const text : texts) {
        const auto r = parse_record(text);
        ASSERT_TRUE(r) << text << ": " << r.error().what;
        ASSERT_EQ(r->moves.size(), 4U) << text;
        EXPECT_EQ(format_usi(r->moves[2].move), "8h2b+");
        EXPECT_EQ(format_usi(r->moves[3].move), "3a2b");
    }
    const auto wrong = parse_record("▲７六歩 △３三角");
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().what.find("３三角"), std::string::npos) << wrong.error().what;
}

TEST(ShogiRecordTree, VariationsOfOtherPrograms) {
    const auto r = parse_kif(
        "手合割：平手\n"
        "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n*本譜\n4 投了\nまで3手で先手の勝ち\n\n"
        "変化：3手\n3 ６六歩(67)\n*角道を止める\n4 ８四歩(83)\n\n変化：2手\n2 ８四歩(83)\n");
    ASSERT_TRUE(r) << r.error().what;
    ASSERT_EQ(r->variations.size(), 2U);
    EXPECT_EQ(r->variations[0].begin, 2U);
    EXPECT_EQ(r->variations[0].moves[0].comment, "角道を止める");
    EXPECT_EQ(r->variations[1].begin, 1U);
    EXPECT_EQ(r->variations[1].parent, 0U);
    EXPECT_FALSE(parse_kif("1 ７六歩(77)\n変化：9手\n9 ３四歩(33)\n"));
    EXPECT_FALSE(parse_kif("1 ７六歩(77)\n変化：手\n"));
    EXPECT_FALSE(
        parse_jkf("{\"moves\":[{},{\"move\":{\"piece\":\"FU\",\"to\":{\"x\":5,\"y\":5}}}]}"));
    EXPECT_FALSE(parse_jkf("[1, 2"));
    EXPECT_FALSE(parse_jkf("{}"));
    EXPECT_FALSE(parse_csa("PI\n+\n+7776FU\n'|7\n'|-3334FU\n"));
}

}  // namespace
}  // namespace karikomi::shogi
