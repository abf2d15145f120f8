#include "karikomi/lab/subject.hpp"

#include <cmath>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/store/binary_hash.hpp"

namespace karikomi::lab {
namespace {

constexpr std::int64_t kHangMs = 30LL * 60 * 1000;  ///< a deep search may take long
constexpr std::int64_t kGraceMs = 5000;             ///< beyond a time for the move
constexpr int kMostInARow = 3;                      ///< positions without a value

/// Values are whole numbers: discs are kept to the hundredth, as our own Othello has them.
double scale_of(match::Protocol protocol) {
    return protocol == match::Protocol::Nboard ? 100.0 : 1.0;
}

std::string_view unit_of(match::Protocol protocol) {
    switch (protocol) {
        case match::Protocol::Usi:
            return "centipawn";
        case match::Protocol::Nboard:
            return "1/100 disc";
        default:
            return "the program's own";
    }
}

SubjectIdentity identity_of(const match::EngineSpec& spec, const match::Identity& id) {
    SubjectIdentity out;
    Json options = Json::array();
    std::string shown;
    for (const auto& [name, value] : spec.options) {
        options.push_back({name, value});
        shown += fmt::format(" {}={}", name, value);
    }
    out.facts = match::to_json(id);
    out.facts["protocol"] = match::name_of(spec.protocol);
    out.facts["command"] = spec.command;
    out.facts["options"] = options;
    out.facts["threads"] = spec.threads;
    out.facts["hash_mb"] = spec.hash_mb;
    if (!spec.time.empty()) out.facts["limits"] = match::to_json(spec.time);
    out.facts["unit"] = unit_of(spec.protocol);
    out.evaluation = fmt::format(
        "{}{} ({}{}) {}", id.name, id.version.empty() ? "" : " " + id.version,
        match::name_of(spec.protocol), shown, hash_of_text(out.facts.dump()).substr(0, 8));
    return out;
}

Value value_of(const match::DepthReport& r, double scale) {
    if (r.proven != 0) {
        const int plies = std::clamp(r.plies, 0, kMaxPly);
        return r.proven > 0 ? win_in(plies) : loss_in(plies);
    }
    const double limit = kMaxEval;
    return static_cast<Value>(std::lround(std::clamp(r.value * scale, -limit, limit)));
}

}  // namespace

Expected<std::unique_ptr<Subject>> Subject::make(const std::string& engine,
                                                 const match::PlayerSetup& setup, int hash_mb) {
    auto spec = match::parse_engine(engine);
    if (!spec) return spec.error();
    if (spec->protocol == match::Protocol::Internal) {
        return Error{fmt::format("--engine '{}': is an engine of this program", engine),
                     "leave --engine out; --params, --set and --weights change our own"};
    }
    if (spec->protocol == match::Protocol::Gtp) {
        return Error{fmt::format("--engine '{}': GTP has no words for values", engine),
                     "use a protocol of this program that tells them: usi, nboard or gomocup"};
    }
    if (spec->time.depth > 0 || spec->time.level >= 0 || spec->time.has_clock()) {
        return Error{fmt::format("--engine '{}': --depth says how deep it searches", engine),
                     "of limits only nodes= and move-time= may be added"};
    }
    if (spec->threads == 0) spec->threads = 1;
    if (spec->hash_mb == 0) spec->hash_mb = hash_mb;
    // A hint tells what it knows of every depth; `go` need not.
    if (!spec->hint) spec->hint = true;
    std::unique_ptr<Subject> s(new Subject);
    s->spec_ = *spec;
    s->setup_ = setup;
    auto board = match::make_referee(setup.game, setup.rules);
    if (!board) return board.error();
    s->board_ = std::move(*board);
    auto player = match::make_player(*spec, setup);
    if (!player) return player.error();
    s->player_ = std::move(*player);
    s->identity_ = identity_of(*spec, s->player_->identity());
    return s;
}

void Subject::stop_on(StopToken stop) {
    stop_ = stop;
    player_->stop_on(std::move(stop));
}

match::Answer Subject::ask(const Course& course, Depth depth) {
    match::Answer answer;
    const auto failed = [&](const match::Trouble& t) {
        answer.fault = t.fault;
        answer.detail = t.what;
        return answer;
    };
    if (const Status s = board_->set_position(course.start); !s) {
        return failed({match::Fault::Protocol, s.error().what});
    }
    match::GameStart start;
    start.position = course.start;
    start.start_board = board_->position_text();
    start.start_side = board_->side_to_move();
    for (const std::string& move : course.moves) (void)board_->play(move);
    start.side = board_->side_to_move();
    start.time = spec_.time;
    start.time.depth = depth;
    if (const match::Trouble t = player_->new_game(start); t.fault != match::Fault::None) {
        return failed(t);
    }
    match::Turn turn{course.moves, start.side, {}, {0, 0}, 0, kHangMs};
    turn.limits.depth = depth;
    turn.limits.nodes = spec_.time.nodes;
    turn.limits.move_time_ms = spec_.time.move_time_ms;
    if (turn.limits.move_time_ms > 0) {
        turn.lost_ms = turn.limits.move_time_ms + kGraceMs;
        turn.hang_ms = turn.lost_ms + kGraceMs;
    }
    return player_->think(turn);
}

Expected<std::optional<std::string>> Subject::search(const Course& course, Depth depth,
                                                     Sample& sample) {
    match::Answer answer = ask(course, depth);
    // A program that fell over is started again; twice on one position is no accident.
    if (answer.fault != match::Fault::None && !stop_.stop_requested()) answer = ask(course, depth);
    if (stop_.stop_requested()) return Error{"stopped", ""};
    const bool failed = answer.fault != match::Fault::None;
    failed_ = failed ? failed_ + 1 : 0;
    silent_ = !failed && answer.reports.empty() ? silent_ + 1 : 0;
    if (std::max(failed_, silent_) >= kMostInARow) {
        std::string lines;
        for (const std::string& line : player_->last_lines()) lines += "\n  " + line;
        return Error{fmt::format("engine '{}': {} on {} positions in a row, the last: {}",
                                 spec_.text, failed ? answer.detail : "told no value of any depth",
                                 kMostInARow, sample.position),
                     "its last lines:" + lines};
    }
    if (failed) return std::optional(fmt::format("{}: {}", answer.detail, sample.position));
    const double scale = scale_of(spec_.protocol);
    std::uint64_t before = 0;
    for (const match::DepthReport& r : answer.reports) {
        const auto at = static_cast<std::size_t>(r.depth) - 1;
        if (at >= sample.values.size() || r.depth > depth) continue;
        sample.values[at] = value_of(r, scale);
        sample.nodes[at] = r.nodes - std::min(r.nodes, before);
        before = std::max(before, r.nodes);
    }
    return std::optional<std::string>();
}

std::optional<std::string> foreign_evaluation(const SampleStore& store) {
    const Json conditions = store.conditions();
    if (!conditions.is_object() || !conditions.contains("engine")) return std::nullopt;
    return conditions.at("evaluation").get<std::string>();
}

}  // namespace karikomi::lab
