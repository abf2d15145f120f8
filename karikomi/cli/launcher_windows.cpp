/// Windows has no links that GUIs follow, so the names by which they start a protocol are small
/// programs: each starts the karikomi.exe beside it under its own name, and ends with it.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace {

constexpr int kBroken = 3;

[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "karikomi: %s; keep this program beside karikomi.exe\n", what);
    std::exit(kBroken);
}

std::wstring program_beside() {
    std::array<wchar_t, 1U << 15U> name{};
    const DWORD size = GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size()));
    std::wstring path(name.data(), size);
    path.resize(path.find_last_of(L"\\/") + 1);
    return path + L"karikomi.exe";
}

/// The one that is started decides what Ctrl-C does.
BOOL WINAPI leave_it(DWORD) {
    return TRUE;
}

}  // namespace

int main() {
    // Whoever ends this program ends the other one with it.
    const HANDLE job = CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    SetConsoleCtrlHandler(leave_it, TRUE);

    STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    startup.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
    startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    PROCESS_INFORMATION process{};
    // The command line as it is: its first word is the name that the program looks at.
    if (CreateProcessW(program_beside().c_str(), GetCommandLineW(), nullptr, nullptr, TRUE,
                       CREATE_SUSPENDED, nullptr, nullptr, &startup, &process) == 0) {
        give_up("karikomi.exe cannot be started");
    }
    AssignProcessToJobObject(job, process.hProcess);
    ResumeThread(process.hThread);
    WaitForSingleObject(process.hProcess, INFINITE);
    DWORD code = kBroken;
    GetExitCodeProcess(process.hProcess, &code);
    return static_cast<int>(code);
}
