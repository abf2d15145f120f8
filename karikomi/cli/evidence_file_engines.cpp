/// The engines without the laboratory keep no results files.
#include "karikomi/cli/evidence_file.hpp"
#include "karikomi/engine/json.hpp"

namespace karikomi::cli {

bool keeps_evidence() {
    return false;
}

Json evidence_of(const std::string&, const std::string&, const Json&, const Json&) {
    return {};
}

Status save_evidence(const std::string& file, const Json&) {
    return Error{"this program keeps no results files", "leave out --evidence " + file};
}

}  // namespace karikomi::cli
