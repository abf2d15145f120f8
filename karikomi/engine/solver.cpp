#include "karikomi/engine/solver.hpp"

#include <sstream>

#include <fmt/format.h>

#include "karikomi/engine/json.hpp"
#include "karikomi/engine/proof.hpp"

namespace karikomi {

Json PositionSolver::conditions() const {
    return Json::object();
}

Expected<std::vector<std::string>> problem_lines(
    const std::string& text, const std::string& name, const std::string& remark,
    const std::function<Status(const std::string& line)>& check) {
    std::vector<std::string> problems;
    std::istringstream in(text);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        line = line.substr(0, line.find_first_of(remark + "\r"));
        while (!line.empty() && line.back() == ' ') line.pop_back();
        if (line.empty()) continue;
        if (const Status s = check(line); !s) {
            return Error{fmt::format("{}:{}: {}", name, number, s.error().what), s.error().remedy};
        }
        problems.push_back(line);
    }
    if (problems.empty()) {
        return Error{fmt::format("solve: no positions in '{}'", name), "one position a line"};
    }
    return problems;
}

Json answer_json(const std::string& answer, const std::vector<std::string>& line,
                 std::uint64_t nodes, std::int64_t time_us) {
    return {{"answer", answer},
            {"solved", answer != "unknown"},
            {"line", line},
            {"nodes", nodes},
            {"time_ms", static_cast<double>(time_us) / 1000.0}};
}

}  // namespace karikomi
