#include "karikomi/protocols/thinker.hpp"

namespace karikomi::protocols {

Expected<Result> Thinker::think(const SearchRequest& request, std::uint64_t line, Patience patience,
                                const InfoSink& sink) {
    struct Guard {  // the search may throw
        Thinker& thinker;
        ~Guard() {
            const std::lock_guard lock(thinker.mutex_);
            thinker.thinking_ = false;
        }
    };
    {
        const std::lock_guard lock(mutex_);
        engine_.arm(request);  // from here on a stop is not lost
        thinking_ = true;
        line_ = line;
        patience_ = patience;
        stop_if_due();
    }
    const Guard guard{*this};
    return engine_.search(request, sink);
}

bool Thinker::is_ended(std::uint64_t line, Patience patience) const {
    const std::lock_guard lock(mutex_);
    return must_end(line, patience);
}

bool Thinker::must_end(std::uint64_t line, Patience patience) const {
    if (over_ || last_stop_ > line) return true;
    if (patience == Patience::Answer) return false;
    return last_command_ > line || (patience == Patience::Open && goodbye_);
}

void Thinker::stop_if_due() {
    if (thinking_ && must_end(line_, patience_)) engine_.stop();
}

void Thinker::arrived(std::uint64_t line, Urgency urgency) {
    const std::lock_guard lock(mutex_);
    if (urgency == Urgency::Stop) last_stop_ = line;
    if (urgency == Urgency::Command) last_command_ = line;
    if (urgency == Urgency::Goodbye) goodbye_ = true;
    stop_if_due();
}

void Thinker::end() {
    const std::lock_guard lock(mutex_);
    goodbye_ = true;
    stop_if_due();
}

void Thinker::grace_over() {
    const std::lock_guard lock(mutex_);
    over_ = true;
    stop_if_due();
}

}  // namespace karikomi::protocols
