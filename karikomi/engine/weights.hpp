/// Which weights an engine is made with, for games that have any.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "karikomi/engine/module.hpp"

namespace karikomi {

/// Engines that name the same file share what was read from it, for as long as one of them lives.
template <class T> class SharedFiles {
public:
    using Item = std::shared_ptr<const T>;

    template <class Read> Expected<Item> get(const std::string& file, Read&& read) {
        std::error_code error;  // a file that is not there, or a game's own name: told by `read`
        const Key key{file, std::filesystem::last_write_time(file, error)};
        if (error) return read(file);
        const std::lock_guard lock(mutex_);
        if (Item item = items_[key].lock()) return item;
        Expected<Item> fresh = read(file);
        std::erase_if(items_, [](const auto& i) { return i.second.expired(); });
        if (fresh) items_[key] = *fresh;
        return fresh;
    }

private:
    using Key = std::pair<std::string, std::filesystem::file_time_type>;
    std::mutex mutex_;
    std::map<Key, std::weak_ptr<const T>> items_;
};

/// The file of the options, or else the one that the environment names, or else what is built in.
template <class BuiltIn, class Read>
auto choose_weights(const EngineOptions& options, const char* variable, BuiltIn&& built_in,
                    Read&& read) -> decltype(read(options.weights)) {
    if (!options.weights.empty()) return read(options.weights);
    const char* const file = std::getenv(variable);
    if (file == nullptr) return built_in();
    auto weights = read(file);
    if (weights) return weights;
    return Error{std::string(variable) + ": " + weights.error().what,
                 "correct the variable in the environment"};
}

}  // namespace karikomi
