#include "karikomi/lab/curve/positions.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <set>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::curve {
namespace {

namespace fs = std::filesystem;

constexpr int kMostPlies = 600;
constexpr int kVainGames = 50;  // in a row that gave nothing: there is nothing to be had

/// A place in a self-play game.
struct Place {
    std::string position;
    int ply = 0;
};

Limits limits_of(const Budget& b) {
    Limits l;
    const match::TimeControl t = b.limits();
    l.nodes = t.nodes;
    l.depth = t.depth;
    l.move_time_ms = t.move_time_ms;
    return l;
}

class Maker {
public:
    Maker(const PositionOptions& options, const StopToken& stop) : o_(options), stop_(stop) {}

    Status prepare() {
        for (int i = 0; i < std::max(o_.threads, 1); ++i) {
            auto engine = match::make_referee(o_.game, {});
            if (!engine) return engine.error();
            (*engine)->set_hash(static_cast<std::size_t>(o_.hash_mb));
            searchers_.push_back(std::move(*engine));
        }
        auto player = match::make_referee(o_.game, {});
        if (!player) return player.error();
        player_ = std::move(*player);
        player_->set_hash(static_cast<std::size_t>(std::min(o_.hash_mb, 16)));
        auto referee = match::make_referee(o_.game, {});
        if (!referee) return referee.error();
        auto openings = match::Openings::make(o_.openings, std::move(*referee));
        if (!openings) return openings.error();
        openings_ = std::move(*openings);
        return {};
    }

    /// Places of a game, drawn at random; the same for the same options and number.
    Expected<std::vector<Place>> places_of(std::uint64_t number) {
        auto all = play(number);
        if (!all) return all;
        std::seed_seq seeds{o_.openings.seed, number};
        std::mt19937_64 random(seeds);
        std::shuffle(all->begin(), all->end(), random);
        all->resize(std::min(all->size(), static_cast<std::size_t>(o_.per_game)));
        std::sort(all->begin(), all->end(),
                  [](const Place& a, const Place& b) { return a.ply < b.ply; });
        return all;
    }

    /// Searches the places, several at once. Nothing in place of those that are left out.
    Expected<std::vector<std::optional<KnownPosition>>> search_all(
        const std::vector<Place>& places) {
        std::vector<std::optional<KnownPosition>> out(places.size());
        for (std::size_t at = 0; at < places.size() && !stop_.stop_requested();
             at += searchers_.size()) {
            std::vector<std::future<Found>> running;
            const std::size_t end = std::min(at + searchers_.size(), places.size());
            for (std::size_t i = at; i < end; ++i) {
                running.push_back(std::async(std::launch::async, [this, &places, at, i] {
                    return search(*searchers_[i - at], places[i]);
                }));
            }
            for (std::size_t i = at; i < end; ++i) {
                auto found = running[i - at].get();
                if (!found) return found.error();
                out[i] = std::move(*found);
            }
        }
        return out;
    }

private:
    using Found = Expected<std::optional<KnownPosition>>;

    Expected<std::vector<Place>> play(std::uint64_t number) {
        const match::Opening opening = openings_->get(static_cast<std::size_t>(number));
        player_->new_game();
        if (const Status s = player_->set_position(opening.position); !s) return s.error();
        int ply = 0;
        for (const std::string& m : opening.moves) {
            if (const Status s = player_->play(m); !s) return s.error();
            ++ply;
        }
        std::vector<Place> places;
        SearchRequest request;
        request.limits = limits_of(o_.play);
        request.stop = stop_;
        for (; !player_->winner() && ply < kMostPlies && !stop_.stop_requested(); ++ply) {
            if (player_->legal_moves().size() > 1) {
                places.push_back({player_->position_text(), ply});
            }
            const auto result = player_->search(request);
            if (!result) return result.error();
            if (const Status s = player_->play(result->best_move); !s) return s.error();
        }
        return places;
    }

    Found search(Engine& engine, const Place& place) {
        engine.new_game();
        if (const Status s = engine.set_position(place.position); !s) return s.error();
        SearchRequest request;
        request.limits = limits_of(o_.search);
        request.stop = stop_;
        std::string best;
        std::uint64_t since = 0;
        const auto result = engine.search(request, [&](const Info& info) {
            if (info.multi_pv != 1 || info.line.pv.empty() || info.line.pv[0] == best) return;
            best = info.line.pv[0];
            since = info.total_nodes;
        });
        if (!result) return result.error();
        const Line& line = result->lines.front();
        const bool settled = best == result->best_move && 2 * since <= result->nodes;
        if (stop_.stop_requested() || !settled || is_decisive(line.value))
            return std::optional<KnownPosition>();
        return std::optional<KnownPosition>({o_.game, place.position, result->best_move, line.value,
                                             line.depth, result->nodes, since, 0, place.ply,
                                             engine.info().evaluation,
                                             fingerprint(engine.params(), engine.info())});
    }

    const PositionOptions& o_;
    const StopToken& stop_;
    std::unique_ptr<Engine> player_;
    std::vector<std::unique_ptr<Engine>> searchers_;
    std::unique_ptr<match::Openings> openings_;
};

KnownPosition position_of(const Json& j) {
    KnownPosition p;
    p.game = j.at("game");
    p.position = j.at("position");
    p.move = j.at("move");
    p.value = j.at("value");
    p.depth = j.at("depth");
    p.nodes = j.at("nodes");
    p.since_nodes = j.at("since_nodes");
    p.number = j.at("number");
    p.ply = j.at("ply");
    p.evaluation = j.at("evaluation");
    p.fingerprint = j.at("fingerprint");
    return p;
}

}  // namespace

Json to_json(const KnownPosition& p) {
    return {{"game", p.game},
            {"position", p.position},
            {"move", p.move},
            {"value", p.value},
            {"depth", p.depth},
            {"nodes", p.nodes},
            {"since_nodes", p.since_nodes},
            {"number", p.number},
            {"ply", p.ply},
            {"evaluation", p.evaluation},
            {"fingerprint", p.fingerprint}};
}

Expected<std::vector<KnownPosition>> read_positions(const std::string& file) {
    std::ifstream in(file);
    if (!in) {
        return Error{fmt::format("'{}': cannot be read", file),
                     "make it with `karikomi lab positions`"};
    }
    std::vector<KnownPosition> out;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const bool cut_off = in.eof();
        const Json json = Json::parse(line, nullptr, false);
        try {
            out.push_back(position_of(json));
        } catch (const Json::exception&) {
            if (cut_off) break;
            return Error{fmt::format("'{}', line {}: is no position", file, number),
                         "make the file with `karikomi lab positions`"};
        }
    }
    return out;
}

Expected<bool> make_positions(const PositionOptions& options, const std::string& file,
                              const StopToken& stop,
                              const std::function<void(std::size_t)>& on_count) {
    std::vector<KnownPosition> known;
    if (fs::exists(file)) {
        auto read = read_positions(file);
        if (!read) return read.error();
        known = std::move(*read);
    }
    std::set<std::string> seen;
    std::uint64_t number = 0;
    std::string text;
    for (const KnownPosition& p : known) {
        if (p.game != options.game) {
            return Error{fmt::format("'{}': holds positions of {}", file, p.game),
                         "name another file"};
        }
        seen.insert(p.position);
        number = std::max(number, p.number);  // the last game may lack some: it is done again
        text += to_json(p).dump() + "\n";
    }
    std::ofstream out(file, std::ios::trunc);  // without what a crash has cut off
    const Error cannot{fmt::format("'{}': cannot be written", file), "name another file"};
    if (!(out << text) || !out.flush()) return cannot;
    Maker maker(options, stop);
    if (const Status s = maker.prepare(); !s) return s.error();
    std::size_t count = known.size();
    for (int vain = 0; count < options.count && !stop.stop_requested() && vain < kVainGames;
         ++number) {
        const auto places = maker.places_of(number);
        if (!places) return places.error();
        std::vector<Place> fresh;
        for (const Place& p : *places) {
            if (!seen.contains(p.position)) fresh.push_back(p);
        }
        const auto found = maker.search_all(fresh);
        if (!found) return found.error();
        ++vain;
        for (const auto& p : *found) {
            if (!p || count >= options.count) continue;
            KnownPosition one = *p;
            one.number = number;
            if (!seen.insert(one.position).second) continue;
            if (!(out << to_json(one).dump() << "\n") || !out.flush()) return cannot;
            vain = 0;
            on_count(++count);
        }
    }
    return count >= options.count;
}

}  // namespace karikomi::curve
