#include "karikomi/cli/evidence_file.hpp"

#include "karikomi/engine/json.hpp"
#include "karikomi/lab/evidence/record.hpp"

namespace karikomi::cli {

bool keeps_evidence() {
    return true;
}

Json evidence_of(const std::string& kind, const std::string& command, const Json& document,
                 const Json& fingerprint) {
    return evidence::record_of_document(kind, command, document, fingerprint);
}

Status save_evidence(const std::string& file, const Json& record) {
    return evidence::save_record(file, record);
}

}  // namespace karikomi::cli
