/// How work is asked to end early: one mechanism for searches, solvers, laboratory, matches, server
/// and command line. Whoever may end the work keeps a StopSource and hands out its StopToken with
/// the work; what the token was asked before the work began is not lost.
///
/// Loops ask `stop_requested()`. Code that must not even do that (the node function reads one
/// relaxed flag) or that waits for something else lets an OnStop set its flag or wake it.
/// A request runs the OnStop functions on the asking thread, so it must not come from a signal
/// handler: cli/interrupt.hpp waits for signals on a thread.
#pragma once

#include <version>

#if defined(__cpp_lib_jthread)
#include <stop_token>
#else
#include "karikomi/base/stop_alone.hpp"
#endif

namespace karikomi {

#if defined(__cpp_lib_jthread)

using StopSource = std::stop_source;
using StopToken = std::stop_token;
/// Calls a function when the stop is asked for, at once when it was before. Its destructor waits
/// for a call that is under way.
template <class F> using OnStop = std::stop_callback<F>;
#endif

/// A source for a part of some work: it ends with the whole, or alone.
class LinkedStop {
public:
    explicit LinkedStop(const StopToken& whole) : link_(whole, Pass{part_}) {}
    LinkedStop(const LinkedStop&) = delete;
    LinkedStop& operator=(const LinkedStop&) = delete;

    const StopSource& source() const { return part_; }
    StopToken token() const { return part_.get_token(); }

private:
    struct Pass {
        StopSource part;
        void operator()() { part.request_stop(); }
    };
    StopSource part_;
    OnStop<Pass> link_;
};

}  // namespace karikomi
