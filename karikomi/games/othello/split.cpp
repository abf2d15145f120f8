#include "karikomi/games/othello/split.hpp"

#include <algorithm>

namespace karikomi::othello {

void SplitPool::open(SplitPoint& split) {
    const std::lock_guard lock(mutex_);
    open_.push_back(&split);
    changed_.notify_all();
}

int SplitPool::take(SplitPoint& split) {
    const std::lock_guard lock(mutex_);
    if (split.cut.load(std::memory_order_relaxed) || split.next >= split.moves->size()) return -1;
    return split.next++;
}

void SplitPool::report(SplitPoint& split, int index, int score) {
    const std::lock_guard lock(mutex_);
    (*split.moves)[index].done = true;
    if (score > split.best) {
        split.best = score;
        split.best_index = index;
    }
    if (score > split.alpha) split.cut.store(true, std::memory_order_relaxed);
}

SplitPoint* SplitPool::joinable(const SplitPoint* own) const {
    SplitPoint* chosen = nullptr;
    for (SplitPoint* s : open_) {
        if (s->next >= s->moves->size() || s->cancelled()) continue;
        // An owner may only help below its own node: elsewhere it could be held up for long.
        if (own != nullptr && !s->under(own)) continue;
        if (chosen == nullptr || s->empties > chosen->empties) chosen = s;
    }
    return chosen;
}

SplitPoint* SplitPool::join(SplitPoint* own) {
    std::unique_lock lock(mutex_);
    SplitPoint* chosen = nullptr;
    const auto ready = [&] {
        if (own == nullptr ? over_ : own->helpers == 0) return true;
        chosen = joinable(own);
        return chosen != nullptr;
    };
    if (!ready()) {
        idle_.fetch_add(1, std::memory_order_relaxed);
        changed_.wait(lock, ready);
        idle_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (chosen != nullptr) ++chosen->helpers;
    return chosen;
}

void SplitPool::leave(SplitPoint& split) {
    const std::lock_guard lock(mutex_);
    if (--split.helpers == 0) changed_.notify_all();
}

void SplitPool::close(SplitPoint& split) {
    const std::lock_guard lock(mutex_);
    std::erase(open_, &split);
}

void SplitPool::shut_down() {
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
}

}  // namespace karikomi::othello
