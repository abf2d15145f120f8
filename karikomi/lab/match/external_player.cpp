#include "karikomi/lab/match/external_player.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/store/binary_hash.hpp"

namespace karikomi::match {

ExternalPlayer::ExternalPlayer(const EngineSpec& spec, const PlayerSetup& setup)
    : spec_(spec), setup_(setup), own_options_(spec.options) {
    identity_.name = spec.name;
    identity_.binary_hash = lab::hash_of_file(lab::program_of(spec.command, spec.folder));
}

Status ExternalPlayer::adjust(const EngineSpec::Pairs& settings) {
    EngineSpec::Pairs options = own_options_;
    for (const auto& [key, value] : settings) {
        const std::size_t equals = value.find('=');
        if (key != "set" || equals == std::string::npos) {
            return Error{fmt::format("engine '{}': has no '{}={}'", spec_.text, key, value),
                         "a program takes NAME=VALUE of its own options only"};
        }
        const std::string name = value.substr(0, equals);
        std::erase_if(options, [&](const auto& known) { return known.first == name; });
        options.emplace_back(name, value.substr(equals + 1));
    }
    adjusted_ = adjusted_ || options != spec_.options;
    spec_.options = std::move(options);
    return {};
}

Trouble ExternalPlayer::ready() {
    if (child_.running()) return {};
    if (const Status s = child_.start(spec_.command, spec_.folder, setup_.cpu); !s) {
        return {Fault::Crash, s.error().what};
    }
    adjusted_ = false;  // the greeting sends them all
    Trouble t = greet();
    if (t.fault != Fault::None) child_.kill();
    return t;
}

Fault ExternalPlayer::wait_for(const Take& take, Child::Time deadline) {
    std::string line;
    for (;;) {
        switch (child_.read(line, deadline)) {
            case Child::Read::Line:
                if (take(line)) return Fault::None;
                // A program that never stops talking must not escape its deadline.
                if (Child::Clock::now() >= deadline) return Fault::Hang;
                break;
            case Child::Read::Timeout:
                return Fault::Hang;
            case Child::Read::Closed:
                return Fault::Crash;
            case Child::Read::Stopped:
                return Fault::Protocol;
        }
    }
}

Fault ExternalPlayer::wait_for(const Take& take, std::int64_t ms) {
    return wait_for(take, Child::Clock::now() + std::chrono::milliseconds(ms));
}

Fault ExternalPlayer::wait_for_answer(const Take& take, const Turn& turn,
                                      const std::string& stop_word) {
    using std::chrono::milliseconds;
    const Child::Time end = started_ + milliseconds(turn.hang_ms);
    if (turn.lost_ms > 0 && !stop_word.empty()) {
        const Fault f = wait_for(take, started_ + milliseconds(turn.lost_ms));
        if (f != Fault::Hang) return f;
        write(stop_word);
    }
    return wait_for(take, end);
}

Error ExternalPlayer::error_of(const Trouble& t) const {
    std::string lines;
    for (const std::string& line : last_lines()) lines += "\n  " + line;
    return {fmt::format("engine '{}': {}", spec_.text, t.what),
            lines.empty() ? "try the command by hand" : "its last lines:" + lines};
}

Trouble ExternalPlayer::trouble(Fault fault, const std::string& waiting_for) {
    if (fault == Fault::Crash) {
        if (child_.running()) child_.finish(std::chrono::milliseconds(200));
        return {fault,
                fmt::format("the program {} while {} was awaited", child_.end(), waiting_for)};
    }
    if (fault == Fault::Hang) {
        child_.kill();
        return {fault, fmt::format("no {} in time", waiting_for)};
    }
    return {fault, fmt::format("no {}", waiting_for)};
}

Answer ExternalPlayer::fail(Fault fault, const std::string& waiting_for) {
    const Trouble t = trouble(fault, waiting_for);
    Answer answer;
    answer.fault = t.fault;
    answer.detail = t.what;
    return answer;
}

Expected<std::unique_ptr<Player>> make_player(const EngineSpec& spec, const PlayerSetup& setup) {
    switch (spec.protocol) {
        case Protocol::Internal:
            return make_internal(spec, setup);
        case Protocol::Nboard:
            return make_nboard(spec, setup);
        case Protocol::Gtp:
            return make_gtp(spec, setup);
        case Protocol::Usi:
            return make_usi(spec, setup);
        case Protocol::Gomocup:
            return make_gomocup(spec, setup);
    }
    return Error{"unknown protocol"};
}

Json to_json(const Identity& id) {
    Json out = {{"name", id.name}, {"version", id.version}};
    if (!id.binary_hash.empty()) out["binary_hash"] = id.binary_hash;
    if (!id.fingerprint.empty()) out["fingerprint"] = id.fingerprint;
    if (!id.evaluation.empty()) out["evaluation"] = id.evaluation;
    return out;
}

std::vector<std::string> words_of(std::string_view line, std::string_view separators) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t start = line.find_first_not_of(separators, at);
        if (start == std::string_view::npos) break;
        const std::size_t end = std::min(line.find_first_of(separators, start), line.size());
        words.emplace_back(line.substr(start, end - start));
        at = end;
    }
    return words;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::optional<double> number_in(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || !(value > -1e9 && value < 1e9)) return std::nullopt;
    return value;
}

void add_report(std::vector<DepthReport>& reports, const DepthReport& report) {
    if (report.depth < 1) return;
    const auto at =
        std::lower_bound(reports.begin(), reports.end(), report.depth,
                         [](const DepthReport& r, Depth depth) { return r.depth < depth; });
    if (at != reports.end() && at->depth == report.depth) {
        *at = report;
    } else {
        reports.insert(at, report);
    }
}

}  // namespace karikomi::match
