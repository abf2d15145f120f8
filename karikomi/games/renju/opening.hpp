/// Opening rules: who puts which stone where, and who may change colours, until play is free.
///
/// swap2        one player puts three stones (Black, White, Black); the other takes a colour, or
///              puts two more (White, Black) and lets the first one choose
/// rif          the RIF's rules of before 2009: three stones by one player within 1, 3 and 5 cells
///              square around the centre; a swap; White's fourth; two fifths are offered, White
///              chooses
/// taraguchi10  the RIF's rules since 2017: stones within 1, 3, 5 and 7 cells square, a swap after
///              each; then a fifth within 9 and a swap, or ten fifths are offered, White chooses
#pragma once

#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/games/renju/types.hpp"

namespace karikomi::renju {

enum class OpeningRule : std::uint8_t { Free, Swap2, Rif, Taraguchi10 };
inline constexpr std::array<std::string_view, 4> kOpeningNames = {"free", "swap2", "rif",
                                                                  "taraguchi10"};

/// What is asked of a player.
enum class Ask : std::uint8_t {
    Stone,        ///< put a stone
    Swap,         ///< Decision::Swap or Stay
    SwapOrAdd,    ///< ... or Add: two more stones (swap2)
    PlayOrOffer,  ///< Decision::Play one fifth, or Offer ten (Taraguchi-10)
    OfferStone,   ///< name one more fifth to choose from
    ChooseOffer,  ///< choose one of the offers
    Nothing,      ///< play is free
};
enum class Decision : std::uint8_t { Stay, Swap, Add, Play, Offer };

class Opening {
public:
    explicit Opening(OpeningRule rule, int size = kUsualSize);

    Ask ask() const { return ask_; }
    bool is_over() const { return ask_ == Ask::Nothing; }
    /// Whom it concerns: 0 is the player who began the opening.
    int player() const;
    int player_of(int colour) const { return colour == kBlack ? black_ : 1 - black_; }
    /// Of the next stone; after the opening too.
    int colour() const { return static_cast<int>(stones_.size()) % 2; }
    /// How far from the centre the stone may be, in cells; `size` where it may stand anywhere.
    int reach() const;
    const std::vector<Cell>& stones() const { return stones_; }
    const std::vector<Cell>& offers() const { return offers_; }
    /// How many fifths must be named.
    std::size_t offers_wanted() const { return wanted_; }

    /// Answers Stone, OfferStone and ChooseOffer.
    Status place(Cell c);
    /// Answers the other questions.
    Status decide(Decision d);

private:
    Status check_free(Cell c) const;
    /// Is there a turn or a reflection that leaves the stones as they are and maps a to b?
    bool is_alike(Cell a, Cell b) const;
    Cell turned(Cell c, int symmetry) const;
    void after_stone();
    void swap() { black_ = 1 - black_; }

    OpeningRule rule_;
    int size_;
    int black_ = 0;  ///< the player who has Black now
    Ask ask_ = Ask::Nothing;
    std::size_t wanted_ = 0;  ///< offers
    bool added_ = false;      ///< swap2: two more stones were put
    std::vector<Cell> stones_;
    std::vector<Cell> offers_;
};

}  // namespace karikomi::renju
