/// Threads for one search. Lazy SMP needs no more than "the same job on every thread"; a game's own
/// solver gets the same crew and splits its work as it likes.
#pragma once

#include <functional>

namespace karikomi {

/// Runs job(0) on the calling thread and job(1) .. job(threads-1) on others; returns when all are
/// done. Where the machine refuses further threads it goes on with fewer. An exception of any job
/// is passed on after the others have ended.
void run_crew(int threads, const std::function<void(int)>& job);

/// Depth of a helper's iteration in Lazy SMP: helpers run ahead of the main thread by different
/// amounts, so that they fill the table with what it will need next instead of repeating its work.
int helper_depth(int iteration, int thread);

}  // namespace karikomi
