/// What base/stop.hpp needs of <stop_token>, for standard libraries without it and programs of one
/// thread (the browser's). There nobody can ask for a stop while work goes on, so whoever asks a
/// token may look around first: set_look().
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace karikomi {

namespace stop_detail {

struct State {
    bool requested = false;
    std::function<bool()> look;  ///< shall it stop now?
    std::vector<const std::function<void()>*> calls;

    bool request() {
        if (requested) return false;
        requested = true;
        for (const std::function<void()>* call : calls) (*call)();
        return true;
    }
    bool is_requested() {
        if (!requested && look && look()) request();
        return requested;
    }
};

}  // namespace stop_detail

class StopToken {
public:
    StopToken() = default;
    explicit StopToken(std::shared_ptr<stop_detail::State> state) : state_(std::move(state)) {}

    bool stop_requested() const { return state_ && state_->is_requested(); }
    bool stop_possible() const { return state_ != nullptr; }
    const std::shared_ptr<stop_detail::State>& state() const { return state_; }

private:
    std::shared_ptr<stop_detail::State> state_;
};

class StopSource {
public:
    StopSource() : state_(std::make_shared<stop_detail::State>()) {}

    StopToken get_token() const { return StopToken(state_); }
    bool stop_requested() const { return state_->is_requested(); }
    // As of std::stop_source: the state is shared, not the source's own.
    bool request_stop() const { return state_->request(); }
    /// Asked together with the token; empty: nothing to look at.
    void set_look(std::function<bool()> look) const { state_->look = std::move(look); }

private:
    std::shared_ptr<stop_detail::State> state_;
};

template <class F> class OnStop {
public:
    OnStop(const StopToken& token, F f) : state_(token.state()), call_(std::move(f)) {
        if (!state_) return;
        if (state_->is_requested()) {
            call_();
            state_ = nullptr;
        } else {
            state_->calls.push_back(&call_);
        }
    }
    ~OnStop() {
        if (state_) std::erase(state_->calls, &call_);
    }
    OnStop(const OnStop&) = delete;
    OnStop& operator=(const OnStop&) = delete;

private:
    std::shared_ptr<stop_detail::State> state_;
    std::function<void()> call_;
};

}  // namespace karikomi
