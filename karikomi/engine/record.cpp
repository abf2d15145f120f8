#include "karikomi/engine/record.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace karikomi {

std::string describe(const RecordProblem& p) {
    std::string where = p.game > 0 ? fmt::format("game {}", p.game) : std::string("file");
    if (p.line > 0) {
        where += fmt::format(" (line {}, byte {})", p.line, p.offset);
    } else if (p.offset > 0) {
        where += fmt::format(" (byte {})", p.offset);
    }
    return where + ": " + p.what;
}

std::vector<std::string> moves_before(const PlayedGame& game, std::size_t line) {
    if (line == 0 || line > game.branches.size()) return {};
    const PlayedBranch& branch = game.branches[line - 1];
    // A branch leaves a line that came before it.
    if (branch.parent >= line) return {};
    std::vector<std::string> before = moves_before(game, branch.parent);
    const auto& own = branch.parent == 0 ? game.moves : game.branches[branch.parent - 1].moves;
    for (std::size_t i = 0; before.size() < branch.begin && i < own.size(); ++i) {
        before.push_back(own[i].move);
    }
    return before;
}

const std::vector<RecordProblem>& RecordFile::notes() const {
    static const std::vector<RecordProblem> kNone;
    return kNone;
}

const FormatInfo* RecordsFacet::find(const std::string& name) const {
    for (const FormatInfo& f : formats) {
        if (f.name == name) return &f;
    }
    return nullptr;
}

Expected<std::string> read_bytes(const std::string& file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {  // opens like a file, then fails to read
        return Error{fmt::format("'{}' is a directory", file), "name a file"};
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) return Error{fmt::format("'{}' cannot be opened", file), "check the path"};
    std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (in.bad()) return Error{fmt::format("'{}' cannot be read", file), "check the disk"};
    return bytes;
}

}  // namespace karikomi
