/// How much of a request has come: found without parsing more than that.
#pragma once

#include <cstddef>
#include <string_view>

#include "karikomi/server/doorkeeper.hpp"

namespace karikomi::server {

struct HeadState {
    enum class Kind : std::uint8_t { Partial, Whole, Refused };
    Kind kind = Kind::Partial;
    std::size_t bytes = 0;   ///< of the request, body included, once its head has come
    bool head_done = false;  ///< Partial: only body is missing
    int status = 0;          ///< Refused: of HTTP
    const char* what = "";
};

/// Looks at the beginning of what has come. Chunked bodies are refused: no page of ours sends them,
/// and two ways to say how long a body is are one too many.
HeadState look_at_request(std::string_view bytes, const DoorLimits& limits);

}  // namespace karikomi::server
