/// A descriptor that one thread reads and another may wake: input_posix.cpp, input_windows.cpp.
#pragma once

#include <cstddef>
#include <memory>

namespace karikomi::os {

class Input {
public:
    /// A closed descriptor is an input that has ended.
    explicit Input(int descriptor);
    ~Input();
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

    /// Waits for bytes. 0: the end, or wake() was called; below 0: nothing this time, ask again.
    std::ptrdiff_t read(char* to, std::size_t size);
    /// From another thread: nothing more is wanted, now and from now on.
    void wake();

private:
    struct System;
    std::unique_ptr<System> system_;
};

}  // namespace karikomi::os
