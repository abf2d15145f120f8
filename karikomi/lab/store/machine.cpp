#include "karikomi/lab/store/machine.hpp"

#include <ctime>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "karikomi/engine/json.hpp"

namespace karikomi::lab {

Json machine_json() {
    utsname system{};
    uname(&system);
    std::string model;
    std::ifstream cpu("/proc/cpuinfo");
    for (std::string line; model.empty() && std::getline(cpu, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            model = line.substr(colon + 2);
        }
    }
    return {{"host", system.nodename},
            {"system", fmt::format("{} {}", system.sysname, system.release)},
            {"cpu", model},
            {"cores", std::thread::hardware_concurrency()}};
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace karikomi::lab
