#include "karikomi/games/shogi/usi/usi.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <new>
#include <random>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/games/shogi/book.hpp"
#include "karikomi/games/shogi/game.hpp"
#include "karikomi/games/shogi/tsume.hpp"
#include "karikomi/games/shogi/usi/usi_console.hpp"
#include "karikomi/games/shogi/usi/usi_go.hpp"
#include "karikomi/games/shogi/usi/usi_params.hpp"
#include "karikomi/games/shogi/usi/usi_time.hpp"
#include "karikomi/version.hpp"

namespace karikomi::protocols {
namespace {

constexpr std::int64_t kDefaultMoveMs = 1000;  // where a GUI has set no limit at all
constexpr long kSafeHashMb = 16;               // where there is no room for what was asked
constexpr long kMostMateHashMb = 4096;         // largest table of a mate search
constexpr float kLeastHorizon = 2.0f;          // moves; the least that time.horizon allows

std::string score_text(const Line& line) {
    std::string text;
    if (is_decisive(line.value)) {
        const int plies = plies_to_end(line.value);
        text = fmt::format("mate {}{}", line.value > 0 ? "" : "-", plies);
    } else {
        text = fmt::format("cp {}", line.value);
    }
    if (line.bound == Bound::Lower) text += " lowerbound";
    if (line.bound == Bound::Upper) text += " upperbound";
    return text;
}

std::uint64_t per_second(std::uint64_t nodes, std::int64_t time_us) {
    const auto us = static_cast<double>(std::max<std::int64_t>(time_us, 1));
    return static_cast<std::uint64_t>(1e6 * static_cast<double>(nodes) / us);
}

std::string usi_words(const std::vector<shogi::Move>& line) {
    std::string text;
    for (const shogi::Move m : line) text += (text.empty() ? "" : " ") + shogi::format_usi(m);
    return text;
}

class Usi {
public:
    Usi(Engine& engine, const UsiOptions& options, const Transcript& transcript,
        const Streams& streams)
        : engine_(engine),
          options_(options),
          params_(engine.params(), engine.info(), options.all_params),
          loop_(engine, streams, transcript, [this](const InputLine& l) { return hear(l); }) {}

    Summary run() {
        while (const auto line = loop_.next()) {
            ++summary_.lines_read;
            std::string_view rest = line->text;
            const std::string_view word = take_word(rest);
            if (word == "quit") break;
            if (line->whole) obey(word, rest);
        }
        return summary_;
    }

private:
    using Steady = std::chrono::steady_clock;

    // ---- On the reading thread ------------------------------------------------------------------

    /// What must happen at once, whatever the other thread is doing.
    Urgency hear(const InputLine& line) {
        std::string_view rest = line.text;
        const std::string_view word = take_word(rest);
        if (word == "quit") return Urgency::Goodbye;
        if (!line.whole) return Urgency::None;
        if (word == "stop" || word == "gameover") return Urgency::Stop;
        if (word == "position" || word == "usinewgame") return Urgency::Command;
        if (word == "go") {
            const std::lock_guard lock(mutex_);
            ++pending_;
            arrived_[line.number] = Steady::now();
            return Urgency::Command;
        }
        if (word == "ponderhit") {
            UsiGo times = parse_usi_go(rest);
            for (Limits& l : times.clocks) l = shaped(l);
            loop_.thinker().ponder_hit(
                line.number, times.has_clock ? std::optional(times.clocks) : std::nullopt);
        }
        // A GUI may ask during a search whether we are alive.
        if (word == "isready") {
            bool busy = false;
            {
                const std::lock_guard lock(mutex_);
                busy = pending_ > 0;
                if (busy) answered_.insert(line.number);
            }
            if (busy) loop_.say("readyok");
        }
        return Urgency::None;
    }

    /// From both threads.
    Limits shaped(const Limits& limits) {
        const std::lock_guard lock(mutex_);
        return shape_clock(limits, time_, time_params_);
    }

    // ---- On the protocol's own thread -----------------------------------------------------------

    struct Entry {
        const char* name;
        void (Usi::*job)(std::string_view);
    };
    void obey(std::string_view word, std::string_view rest) {
        static constexpr Entry kCommands[] = {
            {"usi", &Usi::greet},
            {"isready", &Usi::get_ready},
            {"setoption", &Usi::set_option},
            {"usinewgame", &Usi::new_game},
            {"position", &Usi::position},
            {"go", &Usi::go},
            {"gameover", &Usi::game_over},
            // For people at the prompt; no GUI sends these.
            {"d", &Usi::show_board},
            {"eval", &Usi::show_value},
            {"bench", &Usi::bench},
        };
        // stop and ponderhit have done their work when they arrived.
        for (const Entry& entry : kCommands) {
            if (word == entry.name) return (this->*entry.job)(rest);
        }
    }

    void greet(std::string_view) {
        loop_.say(fmt::format("id name Karikomi {}", kVersion));
        loop_.say("id author the Karikomi project");
        say_all(options_.lines());
        say_all(params_.lines());
        loop_.say("usiok");
    }
    void say_all(const std::vector<std::string>& lines) {
        for (const std::string& line : lines) loop_.say(line);
    }
    void show_board(std::string_view) { say_all(protocols::show_board(engine_)); }
    void show_value(std::string_view) { say_all(protocols::show_value(engine_)); }
    void bench(std::string_view rest) {
        apply_options();
        const auto depth = parse_whole(take_word(rest)).value_or(0);
        const Thinker::Work work(loop_.thinker(), loop_.last_line(), Patience::Answer);
        say_all(run_bench(engine_,
                          static_cast<Depth>(std::clamp<std::int64_t>(depth, 0, kMaxDepth)),
                          work.stop()));
        moves_.clear();  // its games are over, and so is ours
    }
    void get_ready(std::string_view) {
        {
            const std::lock_guard lock(mutex_);
            if (answered_.erase(loop_.last_line()) > 0) return;
        }
        apply_options();
        loop_.say("readyok");
    }
    void new_game(std::string_view) {
        if (std::exchange(searched_, false)) engine_.new_game();
    }
    /// Nobody waits between games: what takes time for the next one is done now, not on its clock.
    void game_over(std::string_view) { new_game({}); }
    void set_option(std::string_view rest) {
        if (take_word(rest) != "name") return;
        const std::string_view name = take_word(rest);
        if (!rest.empty() && take_word(rest) != "value") return;
        auto known = options_.set(name, rest);
        if (known && !*known) known = params_.set(name, rest);
        if (!known) return loop_.say("info string " + known.error().what);
        changed_ = changed_ || *known;
    }

    /// Before the first search and after changes: big tables and clean ones take their time.
    void apply_options() {
        if (!changed_) return;
        changed_ = false;
        if (options_.threads != threads_) {
            threads_ = options_.threads;
            engine_.set_threads(static_cast<int>(threads_));
        }
        if (options_.hash_mb != hash_mb_) apply_hash();
        apply_book();
        const std::string max_moves = std::to_string(options_.max_moves);
        set_rule("declaration", options_.declaration());
        set_rule("max_moves", max_moves);
        set_rule("promotions", options_.all_moves ? "every" : "useful");
        apply_params();
        if (std::exchange(options_.clear_hash, false)) engine_.new_game();
    }
    void apply_params() {
        SearchParams params = params_.value();
        params.time.overhead_ms = static_cast<int>(options_.network_delay_ms);
        const float percent = static_cast<float>(options_.slow_mover);
        params.time.horizon = std::max(kLeastHorizon, params.time.horizon * 100.0f / percent);
        {
            const std::lock_guard lock(mutex_);
            time_ = {options_.network_delay_ms, options_.network_delay2_ms,
                     options_.minimum_time_ms};
            time_params_ = params.time;
        }
        // New parameters make the engine forget what it has searched, so only where they differ.
        const std::string now = fingerprint(params, engine_.info());
        if (now == fingerprint(engine_.params(), engine_.info())) return;
        if (const Status s = engine_.set_params(params); !s) {
            loop_.say(fmt::format("info string parameters stay as they were: {}", s.error().what));
        }
    }
    void apply_hash() {
        try {
            engine_.set_hash(static_cast<std::size_t>(options_.hash_mb));
            hash_mb_ = options_.hash_mb;
        } catch (const std::bad_alloc&) {
            loop_.say(fmt::format("info string no room for a table of {} MB", options_.hash_mb));
            options_.hash_mb = hash_mb_ = kSafeHashMb;
            engine_.set_hash(kSafeHashMb);
        }
    }
    void apply_book() {
        const std::string wanted = fmt::format("{}|{}|{}", options_.book_folder, options_.book_file,
                                               options_.book_on_the_fly);
        if (wanted == book_wanted_) return;
        book_wanted_ = wanted;
        book_.reset();
        const std::string& name = options_.book_file;
        if (name == "no_book") return;
        if (name == "built_in") {
            book_ = shogi::built_in_book();
            return loop_.say(fmt::format("info string book: {} positions", book_->size()));
        }
        // A name is looked for as it is, then in the user's folder.
        std::filesystem::path path = name;
        std::error_code trouble;
        if (!options_.book_folder.empty() && !std::filesystem::exists(path, trouble)) {
            path = std::filesystem::path(options_.book_folder) / name;
        }
        const bool fly = options_.book_on_the_fly;
        auto read = fly ? shogi::Book::open(path) : shogi::Book::load(path);
        if (!read) return loop_.say("info string book: " + read.error().what);
        loop_.say(fly ? std::string("info string book: read on the fly")
                      : fmt::format("info string book: {} positions", read->size()));
        book_ = std::make_shared<const shogi::Book>(std::move(*read));
    }
    /// Only what differs: a changed rule makes the engine forget what it has searched.
    void set_rule(const std::string& name, std::string_view value) {
        std::string& now = rules_[name];
        if (now == value) return;
        now = value;
        (void)engine_.set_rule(name, value);
    }

    // ---- The position ---------------------------------------------------------------------------

    void position(std::string_view rest) {
        const auto at = find_word(rest, "moves");
        const std::string_view moves =
            at == std::string_view::npos ? std::string_view{} : rest.substr(at + 5);
        std::string_view start = trimmed(rest.substr(0, at));
        const std::string_view form = take_word(start);
        if (form != "startpos" && (form != "sfen" || start.empty())) {
            return complain({"position: neither startpos nor sfen"});
        }
        const std::string text = form == "startpos" ? std::string() : single_spaced(start);
        apply_options();
        const Status status = engine_.set_position(text, moves);
        if (!status && !play_past_the_end(text, moves)) return complain(status.error());
        start_ = text;
        moves_ = status ? shogi::Notation::split_moves(moves) : std::vector<std::string>();
    }
    void complain(const Error& error) {
        loop_.say(fmt::format("info string {}; the position stays as it was", error.what));
    }
    static std::size_t find_word(std::string_view text, std::string_view word) {
        for (std::size_t at = text.find(word); at != std::string_view::npos;
             at = text.find(word, at + 1)) {
            const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t';
            const std::size_t end = at + word.size();
            if (begins && (end == text.size() || text[end] == ' ' || text[end] == '\t')) return at;
        }
        return std::string_view::npos;
    }
    static std::string single_spaced(std::string_view text) {
        std::string out;
        for (auto word = take_word(text); !word.empty(); word = take_word(text)) {
            if (!out.empty()) out += ' ';
            out += word;
        }
        return out;
    }
    /// A GUI may let a game go on that our rules have ended (a fourth repetition, a limit of
    /// moves). Then the board is all that counts.
    bool play_past_the_end(const std::string& text, std::string_view moves) {
        auto pos = shogi::Notation::parse(text);
        if (!pos) return false;
        for (const std::string& word : shogi::Notation::split_moves(moves)) {
            const auto m = shogi::Notation::parse_move(*pos, word);
            if (!m || m->is_declaration()) return false;
            shogi::Position::Undo undo;
            pos->make(*m, undo);
        }
        return static_cast<bool>(engine_.set_position(shogi::Notation::format(*pos)));
    }
    /// The same for the position at hand.
    void forget_the_game() {
        const auto pos = shogi::Notation::parse(engine_.position_text());
        if (pos) (void)engine_.set_position(shogi::format_sfen(pos->board(), 1));
    }

    // ---- Thinking -------------------------------------------------------------------------------

    void go(std::string_view rest) {
        apply_options();
        const UsiGo asked = parse_usi_go(rest);
        searched_ = true;
        const std::string answer = asked.perft > 0 ? std::string()
                                   : asked.mate    ? find_mate(asked)
                                                   : choose_move(asked);
        if (asked.perft > 0) say_all(count_perft(engine_, asked.perft));
        ++summary_.searches;
        {
            const std::lock_guard lock(mutex_);
            --pending_;
        }
        if (!answer.empty()) loop_.say(answer);
    }

    /// The answer without a search, where the book has one. Analysis does not ask it.
    std::optional<std::string> ask_book(const UsiGo& asked) {
        if (!book_ || !options_.own_book || options_.consideration || asked.limits.infinite ||
            asked.limits.ponder || !asked.search_moves.empty()) {
            return std::nullopt;
        }
        const auto pos = shogi::Notation::parse(engine_.position_text());
        if (!pos || pos->move_number() > options_.book_moves) return std::nullopt;
        const shogi::BookTaste taste{
            options_.narrow_book ? 0 : static_cast<Value>(options_.book_margin),
            options_.flipped_book, static_cast<int>(options_.book_depth)};
        const auto found = book_->choose(pos->board(), taste, random_());
        if (!found) return std::nullopt;
        const std::string move = shogi::format_usi(found->move);
        const bool expects = found->answer.raw() != kNoMove;
        const std::string answer = expects ? shogi::format_usi(found->answer) : "";
        loop_.say(fmt::format("info depth {} score cp {} pv {}{}", found->depth, found->value, move,
                              expects ? " " + answer : ""));
        return fmt::format("bestmove {}{}", move, expects ? " ponder " + answer : "");
    }

    std::string choose_move(const UsiGo& asked) {
        if (engine_.winner()) forget_the_game();
        if (const auto answer = ask_book(asked)) return *answer;
        SearchRequest request;
        request.limits = limits_of(asked);
        request.limits.multi_pv = static_cast<int>(options_.multi_pv);
        request.only_moves = legal_ones(asked.search_moves);
        const bool weak = options_.skill < kFullStrength && !request.limits.infinite;
        if (weak) request.limits.level = static_cast<int>(options_.skill);
        request.limits.reports_inside = true;
        request.full_lines = options_.consideration;
        value_draws();
        if (request.limits.ponder && options_.stochastic_ponder && !moves_.empty()) {
            guess(request);
        }
        last_said_.clear();
        last_report_us_ = -1;
        const bool open = request.limits.infinite || request.limits.ponder;
        const auto result = loop_.thinker().think(request, loop_.last_line(),
                                                  open ? Patience::Open : Patience::Answer,
                                                  [&](const Info& info) { report(info); });
        if (!result || result->best_move.empty()) return "bestmove resign";
        say_last_line(*result);
        const Line& best = result->lines.front();
        const bool hopeless = best.value <= -options_.resign_value && best.bound != Bound::None;
        if (hopeless && !request.limits.infinite) return "bestmove resign";
        std::string answer = "bestmove " + best.pv.front();
        if (!result->ponder_move.empty()) answer += " ponder " + result->ponder_move;
        return answer;
    }
    /// A draw is worth what the user says to the side that we play.
    void value_draws() {
        const long black = engine_.side_to_move() == 0 ? options_.draw_black : -options_.draw_white;
        set_rule("draw_value", std::to_string(black));
    }
    /// Stochastic ponder: all answers of the opponent are thought about, not only the expected one.
    /// Until the hit (or another end) the position before his move is searched; what it leaves in
    /// the table serves whatever he plays. Then `request` is what is left to do.
    void guess(SearchRequest& request) {
        std::string before;
        for (std::size_t i = 0; i + 1 < moves_.size(); ++i) before += moves_[i] + ' ';
        const std::string all = before + moves_.back();
        if (!engine_.set_position(start_, before)) return;
        SearchRequest wide;
        wide.limits.infinite = true;
        const std::uint64_t line = loop_.last_line();
        (void)loop_.thinker().think(wide, line, Patience::Guess,
                                    [&](const Info& info) { report_guess(info); });
        (void)engine_.set_position(start_, all);
        request.limits.ponder = false;
        if (const auto hit = loop_.thinker().hit_after(line); hit && hit->clocks) {
            const auto side = static_cast<std::size_t>(engine_.side_to_move());
            Limits& l = request.limits;
            const Limits& clock = (*hit->clocks)[side];
            l.has_clock = true;
            l.main_ms = clock.main_ms, l.byoyomi_ms = clock.byoyomi_ms;
            l.increment_ms = clock.increment_ms, l.move_time_ms = clock.move_time_ms;
        }
    }
    /// Only where the expected move is the best one: then the rest of the line is ours to show.
    void report_guess(Info info) {
        if (info.line.pv.size() < 2 || info.line.pv.front() != moves_.back()) return;
        info.line.pv.erase(info.line.pv.begin());
        info.line.value = info.line.value >= kDecisive    ? -(info.line.value + 1)
                          : info.line.value <= -kDecisive ? -(info.line.value - 1)
                                                          : -info.line.value;
        report(info);
    }

    /// How long the line has waited for us: the GUI's clock has been running since it was sent.
    std::int64_t waited_ms() {
        const std::lock_guard lock(mutex_);
        const auto at = arrived_.find(loop_.last_line());
        if (at == arrived_.end()) return 0;
        const auto waited = Steady::now() - at->second;
        arrived_.erase(arrived_.begin(), std::next(at));
        return std::chrono::duration_cast<std::chrono::milliseconds>(waited).count();
    }
    Limits limits_of(const UsiGo& asked) {
        Limits l = asked.limits_for(engine_.side_to_move());
        if (const std::int64_t waited = waited_ms(); l.has_clock && !l.ponder) {
            const std::int64_t of_main = std::clamp<std::int64_t>(l.main_ms, 0, waited);
            l.main_ms -= of_main;
            l.byoyomi_ms = std::max<std::int64_t>(l.byoyomi_ms - (waited - of_main), 0);
        }
        l = shaped(l);
        if (options_.nodes_limit > 0) {
            const auto most = static_cast<std::uint64_t>(options_.nodes_limit);
            l.nodes = l.nodes == 0 ? most : std::min(l.nodes, most);
        }
        if (options_.depth_limit > 0) {
            const auto most = static_cast<Depth>(options_.depth_limit);
            l.depth = l.depth == 0 ? most : std::min(l.depth, most);
        }
        const bool limited = l.has_clock || l.move_time_ms > 0 || l.nodes > 0 || l.depth > 0;
        if (!limited && l.ponder) l.move_time_ms = kDefaultMoveMs;  // from the ponderhit on
        if (!limited && !l.ponder) l.infinite = true;
        return l;
    }
    std::vector<std::string> legal_ones(const std::vector<std::string>& wanted) {
        std::vector<std::string> out;
        const auto legal = engine_.legal_moves();
        for (const std::string& move : wanted) {
            const bool known = std::find(legal.begin(), legal.end(), move) != legal.end();
            if (known && std::find(out.begin(), out.end(), move) == out.end()) out.push_back(move);
        }
        if (!wanted.empty() && out.empty()) {
            loop_.say("info string searchmoves: none of them is legal; all moves are searched");
        }
        return out;
    }

    // ---- Mate -----------------------------------------------------------------------------------

    std::string find_mate(const UsiGo& asked) {
        const auto pos = shogi::Notation::parse(engine_.position_text());
        if (!pos) return "checkmate timeout";
        shogi::TsumeOptions o;
        o.time_ms = asked.mate_ms;
        o.hash_mb =
            static_cast<std::size_t>(std::clamp<long>(options_.hash_mb, 1, kMostMateHashMb));
        const std::uint64_t line = loop_.last_line();
        const Patience patience = asked.mate_ms > 0 ? Patience::Answer : Patience::Open;
        const Thinker::Work work(loop_.thinker(), line, patience);
        o.stop = work.stop();
        o.report = [this](const shogi::TsumeProgress& p) { report_mate(p); };
        const shogi::TsumeResult r = shogi::solve_tsume(pos->board(), o);
        std::string said = fmt::format("info nodes {} nps {} time {}", r.nodes,
                                       per_second(r.nodes, r.time_us), r.time_us / 1000);
        if (r.verdict == shogi::TsumeVerdict::Mate) {
            said = fmt::format("info depth {0} score mate {0}{1} pv {2}", r.line.size(),
                               said.substr(4), usi_words(r.line));
        }
        loop_.say(said);
        switch (r.verdict) {
            case shogi::TsumeVerdict::NoMate:
                return "checkmate nomate";
            case shogi::TsumeVerdict::Unknown:
                return "checkmate timeout";
            case shogi::TsumeVerdict::Mate:
                break;
        }
        return "checkmate " + usi_words(r.line);
    }
    /// While a long mate is sought: how far, and what is being looked at.
    void report_mate(const shogi::TsumeProgress& p) {
        loop_.say(fmt::format("info depth {} seldepth {} nodes {} nps {} hashfull {} time {} pv {}",
                              p.line.size(), p.deepest, p.nodes, per_second(p.nodes, p.time_us),
                              p.hash_permille, p.time_us / 1000, usi_words(p.line)));
        loop_.say(fmt::format("info string mate search: proof number {}, disproof number {}",
                              p.proof, p.disproof));
    }

    // ---- Reports --------------------------------------------------------------------------------

    void report(const Info& info) {
        if (!info.whole) return report_inside(info);
        const bool first = info.multi_pv == 1;
        if (first) {
            quiet_ = options_.pv_interval_ms > 0 && last_report_us_ >= 0 &&
                     info.time_us - last_report_us_ < options_.pv_interval_ms * 1000;
            if (!quiet_) last_report_us_ = info.time_us;
        }
        if (quiet_ || info.multi_pv > options_.multi_pv) return;
        if (first) last_said_ = info.line.pv;
        say_info(info);
    }
    /// From inside an iteration. Who studies a position wants values, not the way to them.
    void report_inside(const Info& info) {
        if (info.multi_pv > options_.multi_pv) return;
        if (info.current_number > 0) {
            if (options_.consideration || info.line.pv.empty()) return;
            return loop_.say(fmt::format("info depth {} currmove {} currmovenumber {}",
                                         info.line.depth, info.line.pv.front(),
                                         info.current_number));
        }
        if (options_.consideration && info.line.bound != Bound::Exact) return;
        const bool soon = options_.pv_interval_ms > 0 && last_report_us_ >= 0 &&
                          info.time_us - last_report_us_ < options_.pv_interval_ms * 1000;
        if (soon || info.line.pv.empty()) return;
        if (info.multi_pv == 1) {
            last_report_us_ = info.time_us;
            last_said_.clear();  // a bound is not the last word
            if (info.line.bound == Bound::Exact) last_said_ = info.line.pv;
        }
        say_info(info);
    }
    void say_info(const Info& info) {
        const std::uint64_t nps = per_second(info.total_nodes, info.time_us);
        std::string text = fmt::format("info depth {} seldepth {}", info.line.depth,
                                       std::max(info.seldepth, info.line.depth));
        if (options_.multi_pv > 1) text += fmt::format(" multipv {}", info.multi_pv);
        text += fmt::format(" score {} nodes {} nps {} hashfull {} time {} pv {}",
                            score_text(info.line), info.total_nodes, nps, info.hash_permille,
                            info.time_us / 1000, fmt::join(info.line.pv, " "));
        loop_.say(text);
    }
    /// The last word before the move, when the reports so far do not say it.
    void say_last_line(const Result& result) {
        const Line& best = result.lines.front();
        if (best.pv == last_said_ || best.bound == Bound::None || best.pv.empty()) return;
        Info info;
        info.line = best;
        info.seldepth = result.seldepth;
        info.total_nodes = result.nodes;
        info.time_us = result.time_us;
        info.hash_permille = result.hash_permille;
        // Moves that were left to be searched do not make this move's own value a bound.
        if (best.bound == Bound::Lower) info.line.bound = Bound::Exact;
        say_info(info);
    }

    Engine& engine_;
    UsiOptions options_;
    Summary summary_;
    bool changed_ = true;  ///< options that the engine does not know yet
    long threads_ = 0;
    long hash_mb_ = 0;
    std::map<std::string, std::string> rules_ = {{"draw_value", "0"}};
    bool searched_ = false;  ///< since the last game was forgotten
    UsiParams params_;
    std::string start_;               ///< of the game; empty: the usual one
    std::vector<std::string> moves_;  ///< played since
    std::string book_wanted_;         ///< that was read
    std::shared_ptr<const shogi::Book> book_;
    std::vector<std::string> last_said_;  ///< line of the last report
    std::int64_t last_report_us_ = -1;
    bool quiet_ = false;  ///< too soon for another report
    std::mt19937_64 random_{std::random_device()()};

    std::mutex mutex_;
    UsiTime time_;
    TimeParams time_params_;
    std::map<std::uint64_t, Steady::time_point> arrived_;  ///< `go` lines
    int pending_ = 0;                   ///< `go` lines that have arrived and are not answered
    std::set<std::uint64_t> answered_;  ///< `isready` lines that the reading thread has answered
    LineLoop loop_;                     ///< last: its thread uses the others
};

}  // namespace

Summary run_usi(Engine& engine, const UsiOptions& options, const Transcript& transcript,
                const Streams& streams) {
    return Usi(engine, options, transcript, streams).run();
}

}  // namespace karikomi::protocols
