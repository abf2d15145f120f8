/// Searches that lines of input may end early. The search runs on the protocol's own thread; the
/// reading thread says which lines have arrived. Because lines are numbered, a line that arrives
/// before its search has started ends it all the same.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

#include "karikomi/engine/engine.hpp"

namespace karikomi::protocols {

/// What a line that has just arrived does to searches asked for by earlier lines.
enum class Urgency : std::uint8_t {
    None,     ///< not a command: nothing
    Command,  ///< ends what is only there until something else is wanted
    Stop,     ///< ends everything
    Goodbye,  ///< as the end of the input: answers are still given, but soon
};

/// What may end a search early.
enum class Patience : std::uint8_t {
    Answer,  ///< only Stop: its result is waited for
    Hint,    ///< also any command
    Open,    ///< also a goodbye: without a natural end, and nobody waits for its result
    Guess,   ///< also a ponder hit: of another position than the one that is pondered
};

class Thinker {
public:
    explicit Thinker(Engine& engine) : engine_(engine) {}
    Thinker(const Thinker&) = delete;
    Thinker& operator=(const Thinker&) = delete;

    /// While it lives, lines that arrive may end the work of the line with this number. One at a
    /// time.
    class Work {
    public:
        Work(Thinker& thinker, std::uint64_t line, Patience patience);
        ~Work();
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;
        StopToken stop() const { return stop_; }

    private:
        Thinker& thinker_;
        StopToken stop_;
    };

    // The protocol's thread.
    /// Searches the engine's position for the line with this number.
    Expected<Result> think(SearchRequest request, std::uint64_t line, Patience patience,
                           const InfoSink& sink = {});
    /// Is the work of this line to end? For work that consists of several searches.
    bool is_ended(std::uint64_t line, Patience patience) const;

    // The reading thread.
    void arrived(std::uint64_t line, Urgency urgency);
    /// The pondered move was played. New clocks may come with it, one a side.
    using Clocks = std::array<Limits, 2>;
    void ponder_hit(std::uint64_t line, std::optional<Clocks> clocks);

    /// The hit that came after this line, for the protocol's thread.
    struct Hit {
        std::optional<Clocks> clocks;
    };
    std::optional<Hit> hit_after(std::uint64_t line) const;
    void end();         ///< as a goodbye
    void grace_over();  ///< ends everything, now and from now on

private:
    bool must_end(std::uint64_t line, Patience patience) const;
    void stop_if_due();
    void hit_if_due();

    Engine& engine_;
    mutable std::mutex mutex_;
    bool working_ = false;
    StopSource stop_;         ///< of the running work
    std::uint64_t line_ = 0;  ///< of the running work
    Patience patience_ = Patience::Answer;
    bool pondering_ = false;
    int side_ = 0;  ///< to move, in the running search

    std::uint64_t last_hit_ = 0;
    std::optional<Clocks> hit_clocks_;
    std::uint64_t last_command_ = 0;
    std::uint64_t last_stop_ = 0;
    bool goodbye_ = false;
    bool over_ = false;
};

}  // namespace karikomi::protocols
