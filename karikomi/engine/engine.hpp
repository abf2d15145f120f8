/// The narrow waist: the only way in which protocols, laboratory, server and command line see a
/// game and its search. One virtual call a search, none a node.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "karikomi/base/expected.hpp"
#include "karikomi/base/stop.hpp"
#include "karikomi/core/clock.hpp"
#include "karikomi/core/params.hpp"

namespace karikomi {

/// A position worth showing or measuring on: text in the game's notation.
struct SamplePosition {
    std::string text;
    Depth depth = 1;  ///< fixed depth for bench and demo
};

/// A rule of the game that players may agree on: how a king that has entered wins, the size of the
/// board, ...
struct RuleInfo {
    std::string name;                  ///< "declaration"
    std::string value;                 ///< as the engine starts with it
    std::vector<std::string> choices;  ///< empty: a number from 0 to `most`
    int most = 0;
    std::string help;
};

struct GameInfo {
    std::string name;                     ///< as on the command line: "mygame"
    std::string title;                    ///< for people: "My Game"
    std::string rules;                    ///< one sentence
    std::string position_help;            ///< how a position is written, one sentence
    std::string evaluation;               ///< identity of the evaluation and its weights
    int stages = 1;                       ///< for calibration
    int max_level = 0;                    ///< strength goes from 0 to this; 0: no such scale
    Value unit = 100;                     ///< evaluation units in a disc, a pawn, ...
    std::vector<RuleInfo> rule_options;   ///< what set_rule() takes
    std::vector<Technique> techniques;    ///< those that this game can use at all
    std::vector<SamplePosition> samples;  ///< for bench and demo
};

/// Who won, or that nobody did.
enum class Winner : std::uint8_t { First, Second, Nobody };

/// A line of play as text.
struct Line {
    Value value = 0;
    Bound bound = Bound::None;
    Depth depth = 0;
    int confidence = 100;  ///< percent: below 100 the value rests on selective search
    bool solved = false;   ///< searched to the end of the game (with that confidence)
    std::vector<std::string> pv;
};

/// One iteration's record: for info lines, logs and the page.
struct Info {
    Line line;
    int multi_pv = 1;  ///< 1 = best
    int seldepth = 0;
    std::uint64_t nodes = 0;  ///< of this iteration
    std::uint64_t total_nodes = 0;
    std::int64_t time_us = 0;
    int hash_permille = 0;
    double first_move_cut_rate = 0;  ///< of the whole search so far
    SelectiveStats techniques;       ///< of this iteration
    bool whole = true;               ///< false: inside an iteration (Limits::reports_inside)
    int current_number = 0;  ///< not 0: the search of this root move begins; the line is the move
};
using InfoSink = std::function<void(const Info&)>;

struct Result {
    std::string best_move;    ///< empty when there is no legal move
    std::string ponder_move;  ///< expected answer; may be empty
    std::vector<Line> lines;  ///< best first
    int seldepth = 0;
    std::uint64_t nodes = 0;
    std::int64_t time_us = 0;
    int hash_permille = 0;
    double first_move_cut_rate = 0;
    SelectiveStats techniques;
};

/// Something that a search left out, and what a search without any technique says of it.
struct CheckedCut {
    Technique technique{};
    int stage = 0;
    Depth depth = 0;
    Depth shallow = 0;  ///< depth of the probe that decided
    bool high = false;  ///< claimed value >= beta; otherwise value <= alpha
    bool wrong = false;
    bool of_move = false;  ///< not a node but a move that was not searched
    bool finished = true;  ///< otherwise the check ran out of nodes and says nothing
};
/// Measuring run: afterwards some of the cuts are searched again with `full` and a table of their
/// own, so that measuring does not change the tree.
struct CutAudit {
    SearchParams full;
    std::size_t most = 60;  ///< cuts looked at, drawn at random from all
    std::uint64_t seed = 1;
    bool by_stratum = false;        ///< `most` of each technique and depth
    Depth deepest = kMaxDepth;      ///< deeper cuts are counted, not checked
    std::uint64_t check_nodes = 0;  ///< most that one check may take; 0: any
    std::uint64_t seen = 0;         ///< cuts made
    struct Seen {
        Technique technique{};
        bool of_move = false;
        Depth depth = 0;
        std::uint64_t cuts = 0;
    };
    std::vector<Seen> strata;  ///< cuts made, where they are drawn by stratum
    std::vector<CheckedCut> checked;
};

struct SearchRequest {
    Limits limits;
    std::vector<std::string> only_moves;  ///< search only these root moves; empty: all
    StopToken stop{};                     ///< ends it early
    bool full_lines = false;              ///< lines that the table cut short go on with its moves
    bool legacy = false;                  ///< plain alpha-beta instead of the real search
    std::vector<GainSample>* gains = nullptr;  ///< measuring run: what quiet moves gained
    CutAudit* audit = nullptr;                 ///< measuring run: are cuts right?
};

struct PerftRow {
    std::string move;
    std::uint64_t nodes = 0;
};

/// A cell that players of the game look out for.
struct Mark {
    std::string cell;
    std::string kind;  ///< "five", "forbidden_three", ...: a word of the game's
    int side = 0;      ///< whose it is
};
/// What the rules say of a position besides its legal moves.
struct Situation {
    std::string ending;                  ///< the rule by which the game is over: "repetition"
    std::map<std::string, int> numbers;  ///< what is counted: "repetitions", "points", ...
    std::vector<Mark> marks;
};

class Engine {
public:
    virtual ~Engine() = default;

    virtual const GameInfo& info() const = 0;

    // The position. A failed call leaves the position as it was.
    /// The game's own notation; empty text is the start position. `moves` are played from there.
    virtual Status set_position(std::string_view text, std::string_view moves = {}) = 0;
    virtual Status play(std::string_view move) = 0;
    /// The position as set_position reads it.
    virtual std::string position_text() const = 0;
    virtual std::string draw_board() const = 0;
    virtual int side_to_move() const = 0;  ///< 0: the player who moves first in the game
    virtual std::vector<std::string> legal_moves() const = 0;
    /// Cells that a rule of the game forbids to one player; nothing where there is no such rule.
    virtual std::optional<std::vector<std::string>> forbidden_moves() const { return std::nullopt; }
    virtual std::optional<Winner> winner() const = 0;  ///< nothing while the game goes on
    /// Empty in games that have nothing to say.
    virtual Situation situation() const { return {}; }
    virtual Value static_value() const = 0;
    virtual int stage() const = 0;  ///< part of the game, for fitted parameters
    /// How many moves the game can still have, passes not counted; nothing: nobody knows.
    virtual std::optional<int> moves_left() const { return std::nullopt; }
    virtual std::vector<PerftRow> perft(Depth depth) const = 0;  ///< one row a legal move

    // Settings, between searches only.
    virtual Status set_params(const SearchParams& params) = 0;
    virtual const SearchParams& params() const = 0;
    virtual void set_threads(int threads) = 0;
    virtual void set_hash(std::size_t megabytes) = 0;
    virtual void new_game() = 0;
    /// One of info().rule_options; holds for the position at hand and all later ones.
    virtual Status set_rule(std::string_view name, std::string_view /*value*/) {
        return Error{"there is no rule '" + std::string(name) + "' to set"};
    }

    // Searching.
    /// Starts the clock. search() does it by itself; who may call ponder_hit() before search() has
    /// begun on another thread calls it first, so that the hit is not lost.
    virtual void arm(const SearchRequest& request) = 0;
    virtual Expected<Result> search(const SearchRequest& request, const InfoSink& sink = {}) = 0;
    virtual void ponder_hit(const Limits* limits = nullptr) = 0;  ///< from any thread
};

}  // namespace karikomi
