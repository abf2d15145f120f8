/// A conversation by lines: input on its own thread, output at once, and searches in between that
/// the right lines end. Shared by all protocols.
#pragma once

#include "karikomi/protocols/lines.hpp"
#include "karikomi/protocols/thinker.hpp"

namespace karikomi::protocols {

class LineLoop {
public:
    /// Says, on the reading thread, what a line does to searches asked for before it.
    using Judge = std::function<Urgency(const InputLine&)>;

    LineLoop(Engine& engine, const Streams& streams, Transcript transcript, Judge judge)
        : speaker_(streams.output, std::move(transcript)),
          thinker_(engine),
          judge_(std::move(judge)),
          reader_(streams.input, {[this](const InputLine& l) { return hear(l, judge_(l)); },
                                  [this] { thinker_.end(); }, [this] { thinker_.grace_over(); }}) {}

    /// The next line; nothing when the conversation is over.
    std::optional<InputLine> next() {
        if (speaker_.is_broken()) return std::nullopt;
        auto line = reader_.next();
        if (line) last_line_ = line->number;
        return line;
    }
    /// The number of the last line that next() gave.
    std::uint64_t last_line() const { return last_line_; }

    void say(std::string_view line) { speaker_.say(line); }
    Thinker& thinker() { return thinker_; }

private:
    bool hear(const InputLine& line, Urgency urgency) {
        speaker_.heard(line.text);
        thinker_.arrived(line.number, urgency);
        return urgency != Urgency::Goodbye;
    }

    Speaker speaker_;
    Thinker thinker_;
    Judge judge_;
    std::uint64_t last_line_ = 0;
    LineReader reader_;  ///< last: its thread uses the others
};

}  // namespace karikomi::protocols
