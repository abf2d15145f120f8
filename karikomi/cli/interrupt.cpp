#include "karikomi/cli/interrupt.hpp"

#include <cstdlib>

#include "karikomi/engine/console.hpp"

namespace karikomi::cli {

Interrupt::Interrupt()
    : requests_([stop = stop_]() mutable {
          if (!stop.request_stop()) std::_Exit(kBroken);  // it was asked for before
      }) {}

}  // namespace karikomi::cli
