#include "tests/cli/process.hpp"

#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace karikomi::tests {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPause(5);

}  // namespace

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "karikomi-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
}

std::string read_file(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

Process::Process(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    const auto redirect = [&](int descriptor, const std::string& path) {
        posix_spawn_file_actions_addopen(&files, descriptor, path.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    };
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    redirect(STDOUT_FILENO, folder_.file("out"));
    redirect(STDERR_FILENO, folder_.file("err"));
    const int failed = posix_spawn(&pid_, arguments[0], &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) throw std::runtime_error(command[0] + ": " + std::strerror(failed));
    running_ = true;
}

Process::~Process() {
    if (!running_) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void Process::send(int signal) const {
    kill(pid_, signal);
}

bool Process::wait_for_output(const std::string& text, std::chrono::milliseconds limit) const {
    const auto end = Clock::now() + limit;
    while (Clock::now() < end) {
        if (read_file(folder_.file("out")).find(text) != std::string::npos) return true;
        std::this_thread::sleep_for(kPause);
    }
    return false;
}

std::optional<Output> Process::wait(std::chrono::milliseconds limit) {
    const auto end = Clock::now() + limit;
    int status = 0;
    while (waitpid(pid_, &status, WNOHANG) == 0) {
        if (Clock::now() >= end) return std::nullopt;
        std::this_thread::sleep_for(kPause);
    }
    running_ = false;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return Output{code, read_file(folder_.file("out")), read_file(folder_.file("err"))};
}

Output run(const std::vector<std::string>& command) {
    Process process(command);
    auto output = process.wait(std::chrono::minutes(4));
    if (!output) throw std::runtime_error(command[0] + " does not end");
    return *output;
}

}  // namespace karikomi::tests
