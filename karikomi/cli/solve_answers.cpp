#include "karikomi/cli/solve_answers.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "karikomi/cli/files.hpp"

namespace karikomi::cli {
namespace {

constexpr const char* kHead = "solve";       // key of the first line
constexpr const char* kProblem = "problem";  // key of the others

[[noreturn]] void refuse(const std::string& file, const std::string& what,
                         const std::string& remedy) {
    throw Failure({fmt::format("--out: '{}' {}", file, what), remedy});
}

}  // namespace

SolveAnswers::SolveAnswers(std::string file, const Json& conditions) : file_(std::move(file)) {
    const Json head = {{kHead, conditions}};
    const auto found = read_file(file_);
    std::error_code ignored;
    if (!found && std::filesystem::exists(file_, ignored)) {
        refuse(file_, "cannot be read", "name another file");
    }
    const std::string bytes = found.value_or("");
    if (bytes.empty()) {
        write_output("--out", file_, head.dump() + "\n");
    } else {
        read(bytes, head);
        const std::size_t whole = bytes.rfind('\n') + 1;
        if (whole < bytes.size()) write_output("--out", file_, bytes.substr(0, whole));
    }
    out_.open(file_, std::ios::app | std::ios::binary);
    if (!out_) refuse(file_, "cannot be written", "check the folder and the disk");
}

void SolveAnswers::read(const std::string& bytes, const Json& head) {
    int number = 0;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t end = bytes.find('\n', at);
        if (end == std::string::npos && number > 0) return;  // a killed run's last line
        const Json line = Json::parse(bytes.substr(at, end - at), nullptr, false);
        ++number;
        if (number == 1) {
            if (!line.is_object() || !line.contains(kHead) || end == std::string::npos) {
                refuse(file_, "has no answers of solve", "name another file");
            }
            if (line != head) {
                refuse(file_, "was begun with other options: " + line[kHead].dump(),
                       "use the same options, or another file");
            }
        } else if (!line.is_object() || !line.contains(kProblem) || !line.contains("row")) {
            refuse(file_, fmt::format("is damaged in line {}", number), "delete that line");
        } else if (line["row"].value("solved", false)) {
            rows_[line[kProblem]] = line["row"];
        }
        at = end + 1;
    }
}

const Json* SolveAnswers::find(const std::string& problem) const {
    const auto at = rows_.find(problem);
    return at == rows_.end() ? nullptr : &at->second;
}

void SolveAnswers::add(const std::string& problem, const Json& row) {
    out_ << Json{{kProblem, problem}, {"row", row}}.dump() << "\n" << std::flush;
    if (!out_) {
        throw Failure({fmt::format("--out: '{}' cannot be written", file_),
                       "check the disk; the same command goes on from here"},
                      kBroken);
    }
}

}  // namespace karikomi::cli
