#include "karikomi/games/othello/training/sample.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "karikomi/base/files.hpp"

namespace karikomi::othello {

namespace fs = std::filesystem;

fs::path chunk_path(const fs::path& folder, int chunk) {
    return folder / fmt::format("chunk_{:06}.pos", chunk);
}

Status write_chunk(const fs::path& folder, int chunk, const std::vector<Sample>& samples) {
    const fs::path file = chunk_path(folder, chunk);
    if (!write_file(file, std::as_bytes(std::span(samples)))) {
        return Error{fmt::format("{}: cannot be written", file.string()), "check the disk"};
    }
    return {};
}

Expected<std::vector<Sample>> read_chunks(const std::vector<fs::path>& folders) {
    std::vector<Sample> all;
    for (const fs::path& folder : folders) {
        std::error_code trouble;
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(folder, trouble)) {
            if (entry.path().extension() == ".pos") files.push_back(entry.path());
        }
        if (trouble) {
            return Error{fmt::format("{}: cannot be read", folder.string()), "check the path"};
        }
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            const std::size_t bytes = fs::file_size(file, trouble);
            const std::size_t from = all.size();
            all.resize(from + bytes / sizeof(Sample));
            std::ifstream in(file, std::ios::binary);
            in.read(reinterpret_cast<char*>(all.data() + from),
                    static_cast<std::streamsize>((all.size() - from) * sizeof(Sample)));
            if (trouble || !in || bytes % sizeof(Sample) != 0) {
                return Error{fmt::format("{}: damaged", file.string()),
                             "delete it; it is made again"};
            }
        }
    }
    return all;
}

}  // namespace karikomi::othello
