/// Another program whose evaluation is measured: it searches a position by its protocol, and what
/// it says of every depth becomes the values of a sample. Runner and protocols are those of
/// matches.
#pragma once

#include "karikomi/lab/match/player.hpp"
#include "karikomi/lab/samples.hpp"

namespace karikomi::lab {

/// Who searched the samples of a file.
struct SubjectIdentity {
    Json facts;              ///< program, version, hash, options: all that decides its values
    std::string evaluation;  ///< the same in one line, where our own evaluations have their names
};

class Subject {
public:
    /// `engine` as matches have it: usi:COMMAND, nboard:COMMAND, gomocup:COMMAND. It is started, so
    /// that a wrong command is found at once.
    static Expected<std::unique_ptr<Subject>> make(const std::string& engine,
                                                   const match::PlayerSetup& setup, int hash_mb);

    const SubjectIdentity& identity() const { return identity_; }

    struct Course {
        std::string start;  ///< a position; empty: the usual one
        std::vector<std::string> moves;
    };
    /// Values and nodes of the position after these moves at each depth up to `depth`, into the
    /// sample. What went wrong, where the program fails on this position twice; an error, where it
    /// does so on one position after the other, or never says a value.
    Expected<std::optional<std::string>> search(const Course& course, Depth depth, Sample& sample);
    void stop_on(StopToken stop);

private:
    Subject() = default;
    match::Answer ask(const Course& course, Depth depth);

    match::EngineSpec spec_;
    match::PlayerSetup setup_;
    std::unique_ptr<match::Player> player_;
    std::unique_ptr<Engine> board_;
    SubjectIdentity identity_;
    StopToken stop_;
    int silent_ = 0;  ///< searches in a row without any value
    int failed_ = 0;  ///< ... that the program did not survive
};

/// The evaluation of a file's samples if another program made them; nothing: our own engine did.
std::optional<std::string> foreign_evaluation(const SampleStore& store);

}  // namespace karikomi::lab
