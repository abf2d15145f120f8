/// The words of CSA's records, which JKF has as well: pieces and ends.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "karikomi/games/shogi/record.hpp"

namespace karikomi::shogi::csa {

inline constexpr std::array<std::string_view, kTypes> kNames = {
    "**", "FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

inline PieceType type_named(std::string_view name) {
    for (std::size_t i = 1; i < kNames.size(); ++i) {
        if (kNames[i] == name) return static_cast<PieceType>(i);
    }
    return kNoType;
}

struct EndWord {
    std::string_view word;
    Ending ending;
};
inline constexpr std::array<EndWord, 12> kEndWords = {{{"TORYO", Ending::Resignation},
                                                       {"CHUDAN", Ending::Interruption},
                                                       {"SENNICHITE", Ending::Repetition},
                                                       {"JISHOGI", Ending::Impasse},
                                                       {"TIME_UP", Ending::TimeUp},
                                                       {"ILLEGAL_MOVE", Ending::IllegalMove},
                                                       {"KACHI", Ending::DeclaredWin},
                                                       {"HIKIWAKE", Ending::Draw},
                                                       {"MAX_MOVES", Ending::MaxMoves},
                                                       {"TSUMI", Ending::Mate},
                                                       {"FUZUMI", Ending::NoMate},
                                                       {"ERROR", Ending::Broken}}};

/// Without the '%' of CSA. `mover` would have had the next move.
inline std::string end_word(Ending ending, Colour mover) {
    if (ending == Ending::IllegalByOther) {
        return fmt::format("{}ILLEGAL_ACTION", mover == kBlack ? '-' : '+');
    }
    for (const EndWord& e : kEndWords) {
        if (e.ending == ending) return std::string(e.word);
    }
    return {};
}
inline std::optional<Ending> ending_named(std::string_view word, Colour mover) {
    for (const EndWord& e : kEndWords) {
        if (e.word == word) return e.ending;
    }
    if (word == "+ILLEGAL_ACTION" || word == "-ILLEGAL_ACTION") {
        const Colour guilty = word[0] == '+' ? kBlack : kWhite;
        return guilty == mover ? Ending::IllegalMove : Ending::IllegalByOther;
    }
    return std::nullopt;
}

}  // namespace karikomi::shogi::csa
