#include "karikomi/games/renju/gomocup/gomocup.hpp"

#include <algorithm>
#include <new>
#include <random>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/games/renju/gomocup/gomocup_board.hpp"
#include "karikomi/games/renju/gomocup/gomocup_swap.hpp"
#include "karikomi/version.hpp"

namespace karikomi::protocols {
namespace {

constexpr std::int64_t kUnlimited = 2'147'483'647;
constexpr std::uint64_t kFastNodes = 2'000;  ///< "as fast as possible"
constexpr int kSmallest = 5;
constexpr int kLargest = 22;
constexpr std::int64_t kProgramBytes = std::int64_t{24} << 20;  ///< all but the table
constexpr int kMostThreads = 256;
constexpr std::int64_t kMatchShare = 16;  ///< a move may take 1/16 of the time left for the match,
constexpr std::int64_t kFloorMs = 10;     ///< ... and this much more, so that it is never nothing
constexpr std::int64_t kPipeShare = 20;   ///< 1/20 of each move's time is kept for a slow pipe
constexpr Depth kSwapDepth = 3;           ///< of the search for an even third stone (Swap2)
constexpr int kSwapLines = 64;            ///< candidates that it compares
constexpr int kSwapTries = 8;             ///< starts that it tries
constexpr Value kSwapEven = 40;           ///< even enough not to try another

constexpr std::array<const char*, 3> kRules = {"freestyle", "standard", "renju"};

struct Command {
    std::string name;
    std::string_view rest;
};

Command parse(std::string_view text) {
    std::string_view rest = trimmed(text);
    const std::string_view word = take_word(rest);
    return {upper_case(word), rest};
}

/// A manager sends only YXSTOP and END while it waits for a move; every line ends pondering.
Urgency judge(const InputLine& line) {
    const std::string name = parse(line.text).name;
    if (name == "YXSTOP" || name == "STOP") return Urgency::Stop;
    if (name == "END") return Urgency::Goodbye;
    return name.empty() ? Urgency::None : Urgency::Command;
}

/// What the manager has said of time, memory and strength; 0 or less: no limit.
struct ManagerLimits {
    std::int64_t turn_ms = 30'000;  ///< where the manager says nothing
    bool fast = false;              ///< timeout_turn 0
    std::int64_t match_ms = 0;
    std::int64_t left_ms = kUnlimited;
    std::int64_t depth = 0;
    std::int64_t nodes = 0;
    std::int64_t strength = 100;  ///< percent
};

class Gomocup {
public:
    Gomocup(Engine& engine, const GomocupSettings& settings, const Streams& streams)
        : engine_(engine), settings_(settings), loop_(engine, streams, settings.transcript, judge) {
        set_rule(0);
    }

    Summary run() {
        while (auto line = loop_.next()) {
            ++summary_.lines_read;
            const Command command = parse(line->text);
            if (command.name == "END") break;
            if (command.name.empty()) continue;
            if (!line->whole) {
                loop_.say("ERROR the line is too long");
                continue;
            }
            obey(command);
            while (!unread_.empty()) {
                const std::string text = std::exchange(unread_, {});
                if (parse(text).name == "END") return summary_;
                obey(parse(text));
            }
        }
        return summary_;
    }

private:
    struct Entry {
        const char* name;
        void (Gomocup::*job)(std::string_view);
        bool needs_board;
    };

    static std::span<const Entry> commands() {
        static constexpr Entry kCommands[] = {
            {"START", &Gomocup::start, false},
            {"RECTSTART", &Gomocup::start_rectangle, false},
            {"RESTART", &Gomocup::restart, true},
            {"BEGIN", &Gomocup::begin, true},
            {"TURN", &Gomocup::turn, true},
            {"BOARD", &Gomocup::board, true},
            {"TAKEBACK", &Gomocup::take_back, true},
            {"PLAY", &Gomocup::play, true},
            {"SWAP2BOARD", &Gomocup::swap2, true},
            {"INFO", &Gomocup::info, false},
            {"ABOUT", &Gomocup::about, false},
            {"YXBOARD", &Gomocup::silent_board, true},
            {"YXNBEST", &Gomocup::best_moves, true},
            {"YXSHOWFORBID", &Gomocup::show_forbidden, true},
            {"YXSHOWINFO", &Gomocup::show_info, false},
            {"YXHASHCLEAR", &Gomocup::clear_hash, false},
            {"YXBLOCK", &Gomocup::block, true},
            {"YXBLOCKUNDO", &Gomocup::unblock, true},
            {"YXBLOCKRESET", &Gomocup::unblock_all, false},
            {"YXBALANCEONE", &Gomocup::balance_one, true},
            {"YXBALANCETWO", &Gomocup::balance_two, true},
            {"YXSETDATABASE", &Gomocup::no_database, false},
            {"YXSAVEDATABASE", &Gomocup::no_database, false},
            {"YXDBTOTXT", &Gomocup::no_database, false},
            {"YXDBTOTXTALL", &Gomocup::no_database, false},
            {"YXTXTTODB", &Gomocup::no_database, false},
            {"YXLIBTODB", &Gomocup::no_database, false},
            {"YXQUERYDATABASEALL", &Gomocup::no_database_here, false},
            {"YXQUERYDATABASEALLT", &Gomocup::no_database_here, false},
            {"YXQUERYDATABASEONE", &Gomocup::no_database_here, false},
            {"YXQUERYDATABASETEXT", &Gomocup::no_database_here, false},
            {"YXEDITTVDDATABASE", &Gomocup::no_database_here, false},
            {"YXEDITTEXTDATABASE", &Gomocup::no_database_here, false},
            {"YXEDITLABELDATABASE", &Gomocup::no_database_here, false},
            {"YXDELETEDATABASEONE", &Gomocup::no_database_here, false},
            {"YXDELETEDATABASEALL", &Gomocup::no_database_here, false},
            {"YXSTOP", &Gomocup::nothing, false},  // a search that it ends is over by now
            {"STOP", &Gomocup::nothing, false},
        };
        return kCommands;
    }
    static bool is_command(const std::string& name) {
        const auto all = commands();
        return std::any_of(all.begin(), all.end(), [&](const Entry& e) { return name == e.name; });
    }

    void obey(const Command& command) {
        for (const Entry& entry : commands()) {
            if (command.name != entry.name) continue;
            if (command.name != "INFO" && !too_little_.empty()) {
                loop_.say("ERROR " + std::exchange(too_little_, {}));  // but it works all the same
            }
            if (command.name != "INFO" && !complaint_.empty()) {
                return loop_.say("ERROR " + std::exchange(complaint_, {}));
            }
            if (entry.needs_board && board_.size() == 0) {
                return loop_.say("ERROR there is no board yet: START first");
            }
            return (this->*entry.job)(command.rest);
        }
        loop_.say("UNKNOWN command");
    }
    void nothing(std::string_view) {}
    void fail(const Status& status) { loop_.say("ERROR " + status.error().what); }

    // ---- The board ------------------------------------------------------------------------------

    void start(std::string_view rest) {
        const auto size = parse_whole(take_word(rest));
        if (!size || !rest.empty()) return loop_.say("ERROR START needs a size");
        open_board(*size);
    }
    void start_rectangle(std::string_view rest) {
        const auto sides = parse_pair(rest);
        if (!sides) return loop_.say("ERROR RECTSTART needs WIDTH,HEIGHT");
        if (sides->x != sides->y) return loop_.say("ERROR only square boards are supported");
        open_board(sides->x);
    }
    void open_board(std::int64_t size) {
        if (size < kSmallest || size > kLargest) {
            return loop_.say(
                fmt::format("ERROR unsupported size: {} to {} are", kSmallest, kLargest));
        }
        board_.clear(static_cast<int>(size));
        blocked_.clear();
        engine_.new_game();
        loop_.say("OK");
    }
    void restart(std::string_view) { open_board(board_.size()); }

    void begin(std::string_view) {
        if (!board_.stones().empty()) return loop_.say("ERROR the board is not empty");
        answer(Reply::Play);
    }
    void turn(std::string_view rest) {
        const auto at = parse_pair(rest);
        if (!at) return loop_.say("ERROR TURN needs X,Y");
        if (const Status s = board_.add({*at, Owner::Opponent}); !s) return fail(s);
        answer(Reply::Play);
    }
    void play(std::string_view rest) {
        const auto at = parse_pair(rest);
        if (!at) return loop_.say("ERROR PLAY needs X,Y");
        if (const Status s = board_.add({*at, Owner::Own}); !s) return fail(s);
        loop_.say(format_pair(*at));
    }
    void take_back(std::string_view rest) {
        const auto at = parse_pair(rest);
        if (!at) return loop_.say("ERROR TAKEBACK needs X,Y");
        if (const Status s = board_.remove(*at); !s) return fail(s);
        loop_.say("OK");
    }

    /// The lines up to DONE. Nothing when one of them is broken, which is said, or when they end.
    template <class Item, class Read> std::optional<std::vector<Item>> read_list(Read&& read) {
        std::vector<Item> items;
        std::string wrong;
        while (auto line = loop_.next()) {
            ++summary_.lines_read;
            const std::string_view text = trimmed(line->text);
            if (text.empty()) continue;
            const std::string word = parse(text).name;
            if (word == "DONE") {
                if (wrong.empty()) return items;
                loop_.say("ERROR " + wrong);
                return std::nullopt;
            }
            if (word == "INFO" || word == "YXSTOP" || word == "STOP") continue;
            if (word == "END" || is_command(word)) {  // a manager that was interrupted
                if (word != "END") loop_.say("ERROR DONE is missing before " + word);
                unread_ = text;
                return std::nullopt;
            }
            const auto item = read(text);
            if (item) items.push_back(*item);
            if (!item && wrong.empty()) wrong = item.error().what;
        }
        return std::nullopt;
    }
    bool read_board() {
        const auto stones = read_list<Stone>(parse_stone);
        if (!stones) return false;
        if (const Status s = board_.set(*stones); !s) {
            fail(s);
            return false;
        }
        return true;
    }
    void board(std::string_view) {
        if (read_board()) answer(Reply::Play);
    }
    void silent_board(std::string_view) { (void)read_board(); }

    // ---- Settings -------------------------------------------------------------------------------

    void info(std::string_view rest) {
        const std::string key = lower_case(take_word(rest));
        const auto value = parse_whole(rest);
        if (!value) return;  // folder, evaluate: nothing that we use
        const std::int64_t n = *value;
        if (key == "timeout_turn") limits_.turn_ms = n, limits_.fast = n <= 0;
        if (key == "timeout_match") limits_.match_ms = n;
        if (key == "time_left") limits_.left_ms = n;
        if (key == "max_memory") limit_memory(n);
        if (key == "rule") set_rule(n);
        if (key == "max_depth") limits_.depth = std::max<std::int64_t>(n, 0);
        if (key == "max_node") limits_.nodes = std::max<std::int64_t>(n, 0);
        if (key == "thread_num") set_threads(n);
        if (key == "hash_size") set_hash(n >> 10);  // in kilobytes
        if (key == "strength") limits_.strength = std::clamp<std::int64_t>(n, 0, 100);
        if (key == "show_detail") detail_ = n > 0;
        if (key == "pondering") ponders_ = n > 0;
    }
    /// Gomocup's bits, and Yixin's numbers: 2 is renju there, 5 and 6 are ways to open a freestyle
    /// game.
    void set_rule(std::int64_t rule) {
        std::size_t which = 0;
        switch (rule) {
            case 0:
            case 5:
            case 6:
                break;
            case 1:
            case 3:
                which = 1;
                break;
            case 2:
            case 4:
                which = 2;
                break;
            default:
                complaint_ = fmt::format("rule {} is not supported", rule);
                return;
        }
        (void)engine_.set_rule("rule", kRules[which]);
        if (settings_.params[which]) (void)engine_.set_params(*settings_.params[which]);
    }
    void set_threads(std::int64_t n) {
        if (n > 0) engine_.set_threads(static_cast<int>(std::min<std::int64_t>(n, kMostThreads)));
    }
    void set_hash(std::int64_t megabytes) {
        if (megabytes < 1) megabytes = 1;
        const auto mb = static_cast<std::size_t>(std::min(megabytes, most_hash_mb_));
        if (mb == hash_mb_) return;
        try {
            engine_.set_hash(mb);
            hash_mb_ = mb;
        } catch (const std::bad_alloc&) {
            engine_.set_hash(hash_mb_ = 1);
        }
    }
    void limit_memory(std::int64_t bytes) {
        most_hash_mb_ = kMostHashMb;
        if (bytes > 0) most_hash_mb_ = (bytes - kProgramBytes) >> 20;
        if (most_hash_mb_ < 1) {
            most_hash_mb_ = 1;
            too_little_ =
                fmt::format("{} bytes of memory are too few: the smallest table is used", bytes);
        }
        set_hash(static_cast<std::int64_t>(settings_.hash_mb));
    }

    void about(std::string_view) {
        loop_.say(
            fmt::format("name=\"Karikomi\", version=\"{}\", author=\"the Karikomi authors\", "
                        "country=\"\", www=\"\", email=\"\"",
                        kVersion));
    }
    void show_info(std::string_view) {
        loop_.say(fmt::format("MESSAGE INFO MAX_THREAD_NUM {}", kMostThreads));
        loop_.say(fmt::format("MESSAGE INFO MAX_HASH_SIZE {}", kMostHashMb));
    }
    void clear_hash(std::string_view) { engine_.new_game(); }

    // ---- Moves that are not to be played --------------------------------------------------------

    void block(std::string_view) {
        const auto pairs = read_pairs();
        if (pairs) blocked_.insert(blocked_.end(), pairs->begin(), pairs->end());
    }
    void unblock(std::string_view) {
        const auto pairs = read_pairs();
        if (!pairs) return;
        for (const Pair p : *pairs) std::erase(blocked_, p);
    }
    void unblock_all(std::string_view) { blocked_.clear(); }
    std::optional<std::vector<Pair>> read_pairs() {
        return read_list<Pair>([](std::string_view text) -> Expected<Pair> {
            if (const auto p = parse_pair(text)) return *p;
            return Error{"X,Y expected"};
        });
    }

    // ---- Thinking -------------------------------------------------------------------------------

    enum class Reply : bool { Play, OnlySay };

    Limits limits() const {
        Limits l;
        l.depth = static_cast<Depth>(std::min<std::int64_t>(limits_.depth, kMaxDepth));
        l.nodes = static_cast<std::uint64_t>(limits_.nodes);
        if (settings_.level) limit_level(*settings_.level, engine_.info(), l);
        if (limits_.strength < 100) {
            const auto level = limits_.strength * engine_.info().max_level / 100;
            limit_level(static_cast<int>(level), engine_.info(), l);
        }
        if (limits_.fast) {
            l.nodes = l.nodes > 0 ? std::min(l.nodes, kFastNodes) : kFastNodes;
            return l;
        }
        // A share of what is left, never more than the turn.
        std::int64_t ms = limits_.turn_ms;
        if (limits_.match_ms > 0 && limits_.left_ms < kUnlimited) {
            ms = std::min(ms, std::max<std::int64_t>(limits_.left_ms, 0) / kMatchShare + kFloorMs);
        }
        if (limits_.left_ms < kUnlimited) ms = std::min(ms, limits_.left_ms);
        l.move_time_ms = std::max<std::int64_t>(ms - ms / kPipeShare, 1);
        l.has_clock = true;  // a forced answer needs none of it
        return l;
    }

    std::optional<Result> think(const Limits& limits) {
        if (const Status s = engine_.set_position(board_.position_text()); !s) {
            loop_.say("ERROR " + s.error().what);
            return std::nullopt;
        }
        SearchRequest request;
        request.limits = limits;
        if (!blocked_.empty()) {
            for (const std::string& move : engine_.legal_moves()) {
                const auto at = board_.pair_of(move);
                const bool is_blocked =
                    std::find(blocked_.begin(), blocked_.end(), *at) != blocked_.end();
                if (!is_blocked) request.only_moves.push_back(move);
            }
        }
        ++summary_.searches;
        auto result = loop_.thinker().think(request, loop_.last_line(), Patience::Answer,
                                            [this](const Info& i) { report(i); });
        if (!result) return std::nullopt;
        return *result;
    }

    void report(const Info& info) {
        if (!detail_) return;
        loop_.say("MESSAGE " + line_text(info.line, info.total_nodes, info.time_us));
    }
    static std::string line_text(const Line& line, std::uint64_t nodes, std::int64_t time_us) {
        const std::string value =
            !is_decisive(line.value)
                ? std::to_string(line.value)
                : fmt::format("{}M{}", line.value > 0 ? '+' : '-', plies_to_end(line.value));
        return fmt::format("depth {} ev {} n {} tm {} pv {}", line.depth, value, nodes,
                           time_us / 1000, fmt::join(line.pv, " "));
    }

    /// The best move, or any that is left: a manager waits for an answer whatever the board.
    std::optional<Pair> choose(const Limits& limits) {
        if (board_.is_full()) {
            loop_.say("MESSAGE the board is full: a draw");
            return std::nullopt;
        }
        if (board_.stones().empty() && blocked_.empty()) return board_.any_cell();  // the centre
        const auto result = think(limits);
        if (result && !result->best_move.empty()) {
            const Line& line = result->lines.front();
            if (line.bound != Bound::None) {
                loop_.say("MESSAGE " + line_text(line, result->nodes, result->time_us));
            }
            return board_.pair_of(result->best_move);
        }
        return board_.any_cell();  // the game is over, or every cell is forbidden
    }
    void answer(Reply reply, int lines = 1) {
        Limits l = limits();
        l.multi_pv = lines;
        const auto at = choose(l);
        if (!at) return;
        if (reply == Reply::Play) (void)board_.add({*at, Owner::Own});
        loop_.say(format_pair(*at));
        if (reply == Reply::Play && ponders_) ponder();
    }
    /// Thinks on the opponent's time, until a line comes: what it finds stays in the table.
    void ponder() {
        const bool weakened = settings_.level || limits_.strength < 100;
        if (weakened || board_.is_full() || !engine_.set_position(board_.reply_text())) return;
        if (engine_.legal_moves().empty()) return;
        SearchRequest request;
        request.limits.infinite = true;
        const auto result = loop_.thinker().think(request, loop_.last_line(), Patience::Open);
        if (!result || !detail_ || result->lines.empty()) return;
        const Line& line = result->lines.front();
        if (line.bound == Bound::None) return;
        loop_.say("MESSAGE pondered " + line_text(line, result->nodes, result->time_us));
    }
    void best_moves(std::string_view rest) {
        const std::int64_t number = parse_whole(take_word(rest)).value_or(1);
        const bool detail = std::exchange(detail_, true);
        answer(Reply::Play, static_cast<int>(std::clamp<std::int64_t>(number, 1, 64)));
        detail_ = detail;
    }

    /// Two digits for the column and two for the row, then a full stop.
    void show_forbidden(std::string_view) {
        std::string text = "FORBID ";
        if (engine_.set_position(board_.position_text())) {
            const auto cells = engine_.forbidden_moves();
            for (const std::string& cell : cells.value_or(std::vector<std::string>{})) {
                const auto at = board_.pair_of(cell);
                if (at) text += fmt::format("{:02}{:02}", at->x, at->y);
            }
        }
        loop_.say(text + ".");
    }

    // ---- Openings -------------------------------------------------------------------------------

    /// 0 stones: three to start with; 3 stones: take a colour, or put two more; 5 stones: take a
    /// colour.
    void swap2(std::string_view) {
        const auto moves = read_list<Pair>(parse_opening_move);
        if (!moves) return;
        const std::size_t n = moves->size();
        if (n != 0 && n != 3 && n != 5) return loop_.say("ERROR SWAP2BOARD needs 0, 3 or 5 stones");
        if (const Status s = board_.set(by_turns(*moves)); !s) return fail(s);
        if (n == 0) return propose_opening();
        const auto result = think(limits());
        if (!result || result->best_move.empty()) return say_any();
        // White is to move; who would rather not be White takes Black.
        const Line& line = result->lines.front();
        const SwapAnswer answer = choose_side(line.value, n);
        if (answer == SwapAnswer::Swap) return loop_.say("SWAP");
        const auto at = board_.pair_of(result->best_move);
        if (answer == SwapAnswer::PutTwo && line.pv.size() > 1) {
            return loop_.say(format_pair(*at) + " " + format_pair(*board_.pair_of(line.pv[1])));
        }
        loop_.say(format_pair(*at));
    }
    /// Whose they are does not matter yet: Black and White by turns, the brain being White.
    static std::vector<Stone> by_turns(const std::vector<Pair>& moves) {
        std::vector<Stone> stones;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            stones.push_back({moves[i], i % 2 == 0 ? Owner::Opponent : Owner::Own});
        }
        return stones;
    }
    void say_any() {
        if (const auto at = board_.any_cell()) loop_.say(format_pair(*at));
    }
    /// Two stones somewhere, and the third where the search finds the sides most equal.
    void propose_opening() {
        std::vector<Pair> best;
        Value most_equal = kInfinity;
        const bool detail = std::exchange(detail_, false);
        for (int i = 0; i < kSwapTries && most_equal > kSwapEven; ++i) {
            const auto two = random_start(random_, board_.size());
            (void)board_.set(by_turns({two[0], two[1]}));
            Limits l = limits();
            l.depth = kSwapDepth;
            l.multi_pv = kSwapLines;
            if (l.move_time_ms > 0) {
                l.move_time_ms = std::max<std::int64_t>(l.move_time_ms / kSwapTries, 1);
            }
            const auto result = think(l);
            const Line* line = result ? nearest_line(result->lines, 0) : nullptr;
            if (line == nullptr || std::abs(line->value) >= most_equal) continue;
            most_equal = std::abs(line->value);
            best = {two[0], two[1], *board_.pair_of(line->pv.front())};
        }
        detail_ = detail;
        board_.clear(board_.size());
        if (best.empty()) best = {{1, 1}, {2, 3}, {3, 0}};
        loop_.say(fmt::format("{} {} {}", format_pair(best[0]), format_pair(best[1]),
                              format_pair(best[2])));
    }

    void balance_one(std::string_view rest) { balance(rest, false); }
    void balance_two(std::string_view rest) { balance(rest, true); }
    /// Plays the move, or the move and its answer, that leaves the sides as equal as can be; with a
    /// number: so much better for the one who plays the last of them.
    void balance(std::string_view rest, bool two) {
        const std::int64_t bias = parse_whole(take_word(rest)).value_or(0);
        const auto wanted = static_cast<Value>(std::clamp<std::int64_t>(bias, -kMaxEval, kMaxEval));
        Limits l = limits();
        l.multi_pv = kSwapLines;
        const auto result = think(l);
        const Line* line = result ? nearest_line(result->lines, two ? -wanted : wanted) : nullptr;
        if (line == nullptr) return say_any();
        loop_.say("MESSAGE " + line_text(*line, result->nodes, result->time_us));
        const auto first = board_.pair_of(line->pv.front());
        (void)board_.add({*first, Owner::Own});
        std::string text = format_pair(*first);
        if (two) {
            const auto second =
                line->pv.size() > 1 ? board_.pair_of(line->pv[1]) : board_.any_cell();
            if (second && board_.add({*second, Owner::Opponent}))
                text += " " + format_pair(*second);
        }
        loop_.say(text);
    }

    // ---- Databases ------------------------------------------------------------------------------

    void no_database(std::string_view) {
        loop_.say("MESSAGE DATABASE there is none: karikomi keeps no database of positions");
    }
    /// The same after the lines of a position.
    void no_database_here(std::string_view) {
        if (read_list<Pair>(parse_opening_move)) no_database({});
    }

    static constexpr std::int64_t kMostHashMb = 1 << 14;

    Engine& engine_;
    const GomocupSettings& settings_;
    GomocupBoard board_;
    ManagerLimits limits_;
    std::vector<Pair> blocked_;
    std::string unread_;      ///< a command that ended a list which had no DONE
    std::string complaint_;   ///< about a limit, in place of the next command that is not INFO
    std::string too_little_;  ///< ... and about memory, before it
    std::int64_t most_hash_mb_ = kMostHashMb;
    std::size_t hash_mb_ = 0;  ///< as set here; 0: not yet
    bool detail_ = false;
    bool ponders_ = false;
    Random random_{std::random_device{}()};
    Summary summary_;
    LineLoop loop_;  ///< last: its thread uses the others
};

}  // namespace

Summary run_gomocup(Engine& engine, const GomocupSettings& settings, const Streams& streams) {
    return Gomocup(engine, settings, streams).run();
}

}  // namespace karikomi::protocols
