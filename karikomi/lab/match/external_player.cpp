#include "karikomi/lab/match/external_player.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "karikomi/lab/match/binary_hash.hpp"

namespace karikomi::match {

ExternalPlayer::ExternalPlayer(const EngineSpec& spec, const PlayerSetup& setup)
    : spec_(spec), setup_(setup) {
    identity_.name = spec.name;
    identity_.binary_hash = hash_of_file(program_of(spec.command, spec.folder));
}

Status ExternalPlayer::ready() {
    if (child_.running()) return {};
    if (const Status s = child_.start(spec_.command, spec_.folder, setup_.cpu); !s) return s;
    const Status greeted = greet();
    if (!greeted) child_.kill();
    return greeted;
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

Error ExternalPlayer::broken(Fault fault, const std::string& waiting_for) {
    const Answer answer = fail(fault, waiting_for);
    std::string lines;
    for (const std::string& line : last_lines()) lines += "\n  " + line;
    return {fmt::format("engine '{}': {}", spec_.text, answer.detail),
            lines.empty() ? "try the command by hand" : "its last lines:" + lines};
}

Answer ExternalPlayer::fail(Fault fault, const std::string& waiting_for) {
    Answer answer;
    answer.fault = fault;
    if (fault == Fault::Crash) {
        if (child_.running()) child_.finish(std::chrono::milliseconds(200));
        answer.detail =
            fmt::format("the program {} while {} was awaited", child_.end(), waiting_for);
    } else if (fault == Fault::Hang) {
        answer.detail = fmt::format("no {} in time", waiting_for);
        child_.kill();
    } else {
        answer.detail = fmt::format("no {}", waiting_for);
    }
    return answer;
}

Expected<std::unique_ptr<Player>> make_player(const EngineSpec& spec, const PlayerSetup& setup) {
    switch (spec.protocol) {
        case Protocol::Internal:
            return make_internal(spec, setup);
        case Protocol::Nboard:
            return make_nboard(spec, setup);
        default:
            return Error{
                fmt::format("engine '{}': {} is not spoken yet", spec.text, name_of(spec.protocol)),
                "use internal or nboard"};
    }
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

}  // namespace karikomi::match
