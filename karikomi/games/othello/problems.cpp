#include "karikomi/games/othello/problems.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace karikomi::othello {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// "A2:+38".
Expected<ScoredSquare> parse_score(std::string_view text) {
    const Error bad{"'" + std::string(text.substr(0, 16)) + "' is not a move with its score",
                    "write them as A2:+38;"};
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return bad;
    const auto square = parse_square(trimmed(text.substr(0, colon)));
    if (!square) return square.error();
    std::string_view number = trimmed(text.substr(colon + 1));
    if (number.starts_with('+')) number.remove_prefix(1);
    int score = 0;
    const auto [end, trouble] =
        std::from_chars(number.data(), number.data() + number.size(), score);
    if (trouble != std::errc() || end != number.data() + number.size()) return bad;
    if (score < -64 || score > 64) return bad;
    return ScoredSquare{*square, score};
}

Expected<Problem> parse_problem(std::string_view text) {
    const auto line = parse_obf_line(text);
    if (!line) return line.error();
    Problem problem{line->position, {}, 0};
    std::string_view rest = line->rest;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view part = trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (part.empty()) continue;
        const auto score = parse_score(part);
        if (!score) return score.error();
        problem.scores.push_back(*score);
    }
    return problem;
}

}  // namespace

std::optional<int> Problem::expected() const {
    std::optional<int> best;
    for (const ScoredSquare& s : scores) best = std::max(best.value_or(s.score), s.score);
    return best;
}

Expected<std::vector<Problem>> parse_problems(std::string_view text, const std::string& name) {
    std::vector<Problem> problems;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '%' || line.front() == '#') continue;
        auto problem = parse_problem(line);
        if (!problem) {
            return Error{name + ":" + std::to_string(number) + ": " + problem.error().what,
                         problem.error().remedy};
        }
        problem->line = number;
        problems.push_back(*std::move(problem));
    }
    return problems;
}

Expected<std::vector<Problem>> read_problems(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::error_code ignored;
    if (!in || std::filesystem::is_directory(file, ignored)) {
        return Error{file + ": cannot be opened", "name a file of OBF lines"};
    }
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    auto problems = parse_problems(text, file);
    if (problems && problems->empty()) {
        return Error{file + ": holds no position", "name a file of OBF lines"};
    }
    return problems;
}

}  // namespace karikomi::othello
