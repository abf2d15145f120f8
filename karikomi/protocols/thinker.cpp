#include "karikomi/protocols/thinker.hpp"

namespace karikomi::protocols {

Thinker::Work::Work(Thinker& thinker, std::uint64_t line, Patience patience) : thinker_(thinker) {
    const std::lock_guard lock(thinker.mutex_);
    thinker.working_ = true;
    thinker.stop_ = StopSource();
    thinker.line_ = line;
    thinker.patience_ = patience;
    thinker.stop_if_due();
    stop_ = thinker.stop_.get_token();
}

Thinker::Work::~Work() {
    const std::lock_guard lock(thinker_.mutex_);
    thinker_.working_ = false;
    thinker_.pondering_ = false;
}

Expected<Result> Thinker::think(SearchRequest request, std::uint64_t line, Patience patience,
                                const InfoSink& sink) {
    const Work work(*this, line, patience);
    request.stop = work.stop();
    {
        const std::lock_guard lock(mutex_);
        engine_.arm(request);  // from here on a hit is not lost
        pondering_ = request.limits.ponder;
        side_ = engine_.side_to_move();
        hit_if_due();
    }
    return engine_.search(request, sink);
}

bool Thinker::is_ended(std::uint64_t line, Patience patience) const {
    const std::lock_guard lock(mutex_);
    return must_end(line, patience);
}

bool Thinker::must_end(std::uint64_t line, Patience patience) const {
    if (over_ || last_stop_ > line) return true;
    if (patience == Patience::Answer) return false;
    if (patience == Patience::Guess && last_hit_ > line) return true;
    return last_command_ > line || (patience != Patience::Hint && goodbye_);
}

void Thinker::stop_if_due() {
    if (working_ && must_end(line_, patience_)) stop_.request_stop();
}

/// A hit belongs to the last `go ponder` before it, whether that has started or not.
void Thinker::hit_if_due() {
    if (!pondering_ || last_hit_ <= line_) return;
    pondering_ = false;
    const Limits* clocks = hit_clocks_ ? &(*hit_clocks_)[static_cast<std::size_t>(side_)] : nullptr;
    engine_.ponder_hit(clocks);
}

void Thinker::ponder_hit(std::uint64_t line, std::optional<Clocks> clocks) {
    const std::lock_guard lock(mutex_);
    last_hit_ = line;
    hit_clocks_ = std::move(clocks);
    hit_if_due();
    stop_if_due();
}

std::optional<Thinker::Hit> Thinker::hit_after(std::uint64_t line) const {
    const std::lock_guard lock(mutex_);
    if (last_hit_ <= line) return std::nullopt;
    return Hit{hit_clocks_};
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
