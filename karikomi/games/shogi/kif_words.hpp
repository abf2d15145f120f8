/// The Japanese words of KIF records: pieces, numbers, ends, headings.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "karikomi/games/shogi/record.hpp"

namespace karikomi::shogi::kif {

struct PieceWord {
    std::string_view word;
    PieceType type;
};
/// Longer words first, where one begins another. The first word of a type is the one to write in a
/// move.
inline constexpr std::array<PieceWord, 19> kPieceWords = {{{"成香", kProLance},
                                                           {"成桂", kProKnight},
                                                           {"成銀", kProSilver},
                                                           {"歩", kPawn},
                                                           {"香", kLance},
                                                           {"桂", kKnight},
                                                           {"銀", kSilver},
                                                           {"金", kGold},
                                                           {"角", kBishop},
                                                           {"飛", kRook},
                                                           {"玉", kKing},
                                                           {"と", kProPawn},
                                                           {"馬", kHorse},
                                                           {"龍", kDragon},
                                                           {"王", kKing},
                                                           {"杏", kProLance},
                                                           {"圭", kProKnight},
                                                           {"全", kProSilver},
                                                           {"竜", kDragon}}};

/// In a diagram every piece is one character.
inline constexpr std::array<std::string_view, kTypes> kOneCharacter = {
    "・", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍"};

inline constexpr std::array<std::string_view, 10> kWideDigits = {"０", "１", "２", "３", "４",
                                                                 "５", "６", "７", "８", "９"};
inline constexpr std::array<std::string_view, 10> kKanjiDigits = {"〇", "一", "二", "三", "四",
                                                                  "五", "六", "七", "八", "九"};

struct EndWord {
    std::string_view word;
    Ending ending;
};
/// The first word of an ending is the one to write.
inline constexpr std::array<EndWord, 17> kEndWords = {{{"投了", Ending::Resignation},
                                                       {"中断", Ending::Interruption},
                                                       {"千日手", Ending::Repetition},
                                                       {"持将棋", Ending::Impasse},
                                                       {"切れ負け", Ending::TimeUp},
                                                       {"時間切れ", Ending::TimeUp},
                                                       {"反則負け", Ending::IllegalMove},
                                                       {"反則勝ち", Ending::IllegalByOther},
                                                       {"入玉勝ち", Ending::DeclaredWin},
                                                       {"宣言勝ち", Ending::DeclaredWin},
                                                       {"引き分け", Ending::Draw},
                                                       {"引分け", Ending::Draw},
                                                       {"最大手数", Ending::MaxMoves},
                                                       {"詰み", Ending::Mate},
                                                       {"詰", Ending::Mate},
                                                       {"不詰", Ending::NoMate},
                                                       {"エラー", Ending::Broken}}};

/// Headings that both kinds of record have.
struct Heading {
    std::string_view kif;
    std::string_view csa;
};
inline constexpr std::array<Heading, 7> kHeadings = {{{"棋戦", "EVENT"},
                                                      {"場所", "SITE"},
                                                      {"開始日時", "START_TIME"},
                                                      {"終了日時", "END_TIME"},
                                                      {"戦型", "OPENING"},
                                                      {"持ち時間", "TIME_LIMIT"},
                                                      {"最大手数", "MAX_MOVES"}}};

// ---- Taking words from the front of a text ----

/// Takes a word, if it is there.
inline bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}
inline void skip_spaces(std::string_view& text) {
    while (take(text, " ") || take(text, "　") || take(text, "\t")) {
    }
}
/// 1 to 9, in these digits or in plain ones.
inline std::optional<int> take_digit(std::string_view& text,
                                     const std::array<std::string_view, 10>& digits) {
    for (std::size_t i = 1; i < digits.size(); ++i) {
        if (take(text, digits[i])) return static_cast<int>(i);
    }
    if (!text.empty() && text[0] >= '1' && text[0] <= '9') {
        const int n = text[0] - '0';
        text.remove_prefix(1);
        return n;
    }
    return std::nullopt;
}
inline std::optional<int> take_rank(std::string_view& text) {
    const auto rank = take_digit(text, kKanjiDigits);
    return rank ? rank : take_digit(text, kWideDigits);
}
inline PieceType take_piece(std::string_view& text) {
    for (const PieceWord& w : kPieceWords) {
        if (take(text, w.word)) return w.type;
    }
    return kNoType;
}

}  // namespace karikomi::shogi::kif
