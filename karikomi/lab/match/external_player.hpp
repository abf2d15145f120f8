/// What all protocols share: the program, its restart after a fault, waiting for one kind of line.
#pragma once

#include <functional>
#include <utility>

#include "karikomi/lab/match/child.hpp"
#include "karikomi/lab/match/player.hpp"

namespace karikomi::match {

class ExternalPlayer : public Player {
public:
    ExternalPlayer(const EngineSpec& spec, const PlayerSetup& setup);

    const Identity& identity() const override { return identity_; }
    std::vector<std::string> last_lines() const override { return child_.last_lines(); }
    void stop_on(StopToken stop) override { child_.stop_on(std::move(stop)); }
    Status adjust(const EngineSpec::Pairs& settings) override;
    /// Starts the program unless it runs, and shakes hands.
    Trouble ready();

    /// A new player that has been ready once, or an error that shows the program's last lines.
    template <class P>
    static Expected<std::unique_ptr<Player>> make(const EngineSpec& spec,
                                                  const PlayerSetup& setup) {
        auto player = std::make_unique<P>(spec, setup);
        const Trouble t = player->ready();
        if (t.fault != Fault::None) return player->error_of(t);
        return std::unique_ptr<Player>(std::move(player));
    }

protected:
    /// The protocol's first words, until the program has said who it is and that it is ready.
    virtual Trouble greet() = 0;

    using Take = std::function<bool(const std::string& line)>;  ///< true: this was the line
    /// Reads lines until `take` says that its line has come.
    Fault wait_for(const Take& take, Child::Time deadline);
    Fault wait_for(const Take& take, std::int64_t ms);
    /// Waits for the answer to a question. At turn.lost_ms it sends `stop_word`, if there is one,
    /// so that a program that is only late stays usable.
    Fault wait_for_answer(const Take& take, const Turn& turn, const std::string& stop_word);
    /// A fault with its explanation; a program that does not answer any more is killed.
    Trouble trouble(Fault fault, const std::string& waiting_for);
    Answer fail(Fault fault, const std::string& waiting_for);
    Error error_of(const Trouble& t) const;
    bool write(std::string_view line) { return child_.write(line); }
    /// True once after its options were adjusted while it ran: they must be sent again.
    bool take_adjusted() { return std::exchange(adjusted_, false); }
    Child::Time started() const { return started_; }
    /// The clock of this move starts.
    void start_clock() { started_ = Child::Clock::now(); }
    std::int64_t clock_ms() const {
        using std::chrono::milliseconds;
        return std::chrono::duration_cast<milliseconds>(Child::Clock::now() - started_).count();
    }

    EngineSpec spec_;
    PlayerSetup setup_;
    Child child_;
    Identity identity_;

private:
    Child::Time started_{};
    EngineSpec::Pairs own_options_;  ///< without those of adjust()
    bool adjusted_ = false;
};

// Small things of text that several protocols need.
std::vector<std::string> words_of(std::string_view line, std::string_view separators = " \t");
std::string lower(std::string_view text);
std::optional<double> number_in(std::string_view text);
/// Takes the place of an earlier report of this depth.
void add_report(std::vector<DepthReport>& reports, const DepthReport& report);

}  // namespace karikomi::match
