#include "karikomi/lab/match/openings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "karikomi/base/random.hpp"
#include "karikomi/base/text.hpp"
#include "karikomi/engine/json.hpp"
#include "karikomi/lab/store/binary_hash.hpp"

namespace karikomi::match {
namespace {

bool starts_with(std::string_view text, std::string_view prefix) {
    if (text.size() < prefix.size()) return false;
    return std::equal(prefix.begin(), prefix.end(), text.begin(),
                      [](char a, char b) { return lower_case(a) == lower_case(b); });
}

/// The moves in `text`, played on the referee as they are found: the longest legal move that the
/// rest begins with.
Expected<std::vector<std::string>> play_text(Engine& referee, std::string_view text) {
    std::vector<std::string> moves;
    for (;;) {
        const std::size_t start = text.find_first_not_of(" \t,-");
        if (start == std::string_view::npos) return moves;
        text.remove_prefix(start);
        std::string best;
        const std::vector<std::string> legal =
            referee.winner() ? std::vector<std::string>() : referee.legal_moves();
        for (const std::string& m : legal) {
            if (m.size() > best.size() && starts_with(text, m)) best = m;
        }
        const std::size_t named = best.size();
        if (best.empty()) best = forced_pass(referee);
        if (best.empty()) {
            const std::string_view word = text.substr(0, text.find_first_of(" \t,"));
            return Error{
                fmt::format("move {}: '{}' is not legal", moves.size() + 1, word.substr(0, 20)),
                "check the line"};
        }
        if (const Status s = referee.play(best); !s) return s.error();
        moves.push_back(best);
        text.remove_prefix(named);
    }
}

// ---- Lists --------------------------------------------------------------------------------------

class ListedOpenings final : public Openings {
public:
    ListedOpenings(std::vector<Opening> list, std::string hash)
        : list_(std::move(list)), hash_(std::move(hash)) {}
    Opening get(std::size_t number) override { return list_[number % list_.size()]; }
    std::size_t size() const override { return list_.size(); }
    std::string file_hash() const override { return hash_; }

private:
    std::vector<Opening> list_;
    std::string hash_;
};

Expected<std::unique_ptr<Openings>> read_list(const OpeningOptions& o, Engine& referee) {
    std::ifstream in(o.source);
    std::stringstream text;
    if (!in || !(text << in.rdbuf())) {
        return Error{fmt::format("openings: cannot read '{}'", o.source),
                     "name a file of one opening a line, or random:PLIES, or start"};
    }
    std::vector<Opening> list;
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        ++number;
        line.erase(std::min(line.find('#'), line.size()));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const auto opening = parse_opening(referee, line);
        if (!opening) {
            return Error{fmt::format("openings: {}:{}: {}", o.source, number, opening.error().what),
                         opening.error().remedy};
        }
        list.push_back(*opening);
    }
    if (list.empty()) return Error{fmt::format("openings: '{}' has none", o.source), "fill it"};
    if (o.shuffle) {
        Random random(o.seed);
        for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random.below(i)]);
    }
    return std::unique_ptr<Openings>(
        std::make_unique<ListedOpenings>(std::move(list), lab::hash_of_text(text.str())));
}

// ---- Random plies -------------------------------------------------------------------------------

class RandomOpenings final : public Openings {
public:
    RandomOpenings(const OpeningOptions& o, int plies, std::unique_ptr<Engine> engine)
        : options_(o), plies_(plies), engine_(std::move(engine)) {}

    Opening get(std::size_t number) override {
        while (made_.size() <= number) {
            const Opening next = make(made_.size());
            made_.push_back(fmt::format("{}", fmt::join(next.moves, " ")));
        }
        Opening opening;
        std::istringstream moves(made_[number]);
        for (std::string m; moves >> m;) opening.moves.push_back(m);
        return opening;
    }

private:
    static constexpr int kTries = 200;

    /// The first balanced and new one; where there is none, the most balanced.
    Opening make(std::size_t number) {
        Random random(options_.seed * 0x2545F4914F6CDD1DULL + number * 0x9E3779B97F4A7C15ULL);
        Opening best;
        double best_value = 1e9;
        for (int i = 0; i < kTries; ++i) {
            Opening o = draw(random);
            if (o.moves.size() < static_cast<std::size_t>(plies_)) continue;
            const double value = std::abs(judge());
            const std::size_t key = std::hash<std::string>()(engine_->position_text());
            const bool is_new = !seen_.contains(key);
            if (value <= options_.balance && is_new) {
                seen_.insert(key);
                return o;
            }
            if (value + (is_new ? 0.0 : 1e3) < best_value) {
                best_value = value + (is_new ? 0.0 : 1e3);
                best = std::move(o);
            }
        }
        return best;
    }
    Opening draw(Random& random) {
        Opening o;
        (void)engine_->set_position({});
        for (int played = 0; played < plies_ && !engine_->winner();) {
            const auto moves = engine_->legal_moves();
            if (moves.empty()) break;
            const std::string pass = forced_pass(*engine_);
            const std::string& move = moves[pass.empty() ? random.below(moves.size()) : 0];
            if (!engine_->play(move)) break;
            o.moves.push_back(move);
            if (pass.empty()) ++played;
        }
        if (engine_->winner()) o.moves.clear();  // no game is left to play
        return o;
    }
    /// In the game's unit; 1e6 for a decided position.
    double judge() {
        engine_->new_game();
        SearchRequest request;
        request.limits.depth = options_.depth;
        const auto found = engine_->search(request);
        if (!found || found->lines.empty()) return 1e6;
        const Value v = found->lines.front().value;
        return is_decisive(v) ? 1e6
                              : static_cast<double>(v) / static_cast<double>(engine_->info().unit);
    }

    OpeningOptions options_;
    int plies_;
    std::unique_ptr<Engine> engine_;
    std::vector<std::string> made_;  ///< text: a long run makes many
    std::unordered_set<std::size_t> seen_;
};

}  // namespace

std::string Opening::text() const {
    std::string list = fmt::format("{}", fmt::join(moves, " "));
    if (position.empty()) return list;
    return list.empty() ? position : position + " moves " + list;
}

std::string forced_pass(const Engine& referee) {
    const auto moves = referee.legal_moves();
    return moves.size() == 1 && moves[0] == "pa" ? moves[0] : std::string();
}

Expected<Opening> parse_opening(Engine& referee, const std::string& line) {
    std::string_view text = line;
    const auto trim = [&] {
        while (!text.empty() &&
               (text.back() == ' ' || text.back() == '\r' || text.back() == '\t')) {
            text.remove_suffix(1);
        }
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    };
    trim();
    for (const std::string_view word : {"position ", "startpos", "sfen "}) {
        if (starts_with(text, word)) text.remove_prefix(word.size());
        trim();
    }
    Opening opening;
    const std::size_t mark = starts_with(text, "moves ") ? 0 : text.find(" moves ");
    if (mark != std::string_view::npos) {
        opening.position = text.substr(0, mark);
        text.remove_prefix(mark + (mark == 0 ? 6 : 7));
    }
    if (const Status s = referee.set_position(opening.position); !s) return s.error();
    auto moves = play_text(referee, text);
    if (!moves && mark == std::string_view::npos) {
        // No moves: then perhaps a position.
        if (!referee.set_position(text)) return moves.error();
        return Opening{std::string(text), {}};
    }
    if (!moves) return moves.error();
    if (referee.winner()) return Error{"the game is already over there", "leave the line out"};
    opening.moves = std::move(*moves);
    return opening;
}

Json to_json(const OpeningOptions& o) {
    return {{"source", o.source},
            {"balance", o.balance},
            {"depth", o.depth},
            {"seed", o.seed},
            {"shuffle", o.shuffle}};
}

Expected<std::unique_ptr<Openings>> Openings::make(const OpeningOptions& o,
                                                   std::unique_ptr<Engine> referee) {
    if (o.source == "start") {
        return std::unique_ptr<Openings>(
            std::make_unique<ListedOpenings>(std::vector<Opening>{Opening{}}, ""));
    }
    constexpr std::string_view kRandom = "random:";
    if (!o.source.starts_with(kRandom)) return read_list(o, *referee);
    const char* begin = o.source.data() + kRandom.size();
    const char* end = o.source.data() + o.source.size();
    int plies = 0;
    const auto [stop, code] = std::from_chars(begin, end, plies);
    if (code != std::errc() || stop != end || plies < 0 || plies > 100) {
        return Error{fmt::format("openings: '{}': no number of plies", o.source), "write random:8"};
    }
    return std::unique_ptr<Openings>(
        std::make_unique<RandomOpenings>(o, plies, std::move(referee)));
}

}  // namespace karikomi::match
