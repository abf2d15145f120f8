#include "karikomi/games/othello/book_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <zstd.h>

#include "karikomi/base/files.hpp"
#include "karikomi/base/hash.hpp"
#include "karikomi/base/system.hpp"
#include "karikomi/games/othello/evaluator.hpp"
#include "karikomi/games/othello/records_detail.hpp"

namespace karikomi::othello {
namespace {

namespace fs = std::filesystem;

// ---- The format (all numbers little-endian) -----------------------------------------------------
// journal: magic (8), checksum of the magic (4), 0 (4), records
// packed:  magic (8), bytes of the sealed part (8), its checksum (8), checksum of these 24 (8),
//          the sealed part (records), records that were put later
// record:  marker (4), size of the payload (4), checksum of all that follows (4), kind (1),
//          checksum of the size (3; 0 in old files), payload
constexpr std::string_view kMagic = "KARIBOK1";
constexpr std::string_view kPackedMagic = "SEALBOK1";  // other from its first letter on
constexpr std::size_t kHeaderSize = 16;
constexpr std::size_t kPackedHeaderSize = 32;
constexpr std::size_t kRecordHeader = 16;
constexpr std::uint32_t kMarker = 0x4b424b7cU;
constexpr std::uint32_t kPlain = 1;   ///< the payload is entries
constexpr std::uint32_t kPacked = 2;  ///< the payload is entries, compressed with zstd
constexpr std::uint32_t kNote = 3;    ///< the payload is a text
constexpr std::size_t kMostPayload = std::size_t{1} << 26;
constexpr std::size_t kBlockEntries = 8192;  ///< in a packed record

std::uint32_t checksum(std::string_view bytes) {
    return fnv_of(bytes).folded();
}

void put_number(std::string& out, std::uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 255U);
}

/// Seven bits a byte, low ones first; the top bit says that more follows.
void put_varint(std::string& out, std::uint64_t number) {
    for (; number >= 128; number >>= 7U) out += static_cast<char>((number & 127U) | 128U);
    out += static_cast<char>(number);
}

/// Reads from the front of bytes; after a read beyond the end it is bad and gives zeros.
class Input {
public:
    explicit Input(std::string_view bytes) : bytes_(bytes) {}
    bool good() const { return good_; }
    bool empty() const { return bytes_.empty(); }
    std::uint64_t number(int size) {
        std::uint64_t out = 0;
        for (int i = 0; i < size; ++i) out |= std::uint64_t{byte()} << (8 * i);
        return out;
    }
    std::uint64_t varint() {
        std::uint64_t out = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const unsigned b = byte();
            out |= std::uint64_t{b & 127U} << shift;
            if (b < 128) return out;
        }
        good_ = false;
        return 0;
    }

private:
    unsigned byte() {
        if (bytes_.empty()) {
            good_ = false;
            return 0;
        }
        const auto b = static_cast<unsigned char>(bytes_.front());
        bytes_.remove_prefix(1);
        return b;
    }
    std::string_view bytes_;
    bool good_ = true;
};

void put_entry(std::string& out, const BookEntry& e) {
    put_number(out, e.board.own, 8);
    put_number(out, e.board.other, 8);
    put_number(out, static_cast<std::uint8_t>(e.level + 1), 1);
    put_number(out, e.links.size(), 1);
    for (const BookLink& l : e.links) {
        put_number(out, l.square, 1);
        put_number(out, static_cast<std::uint16_t>(l.value), 2);
        put_number(out, l.depth, 1);
        put_number(out, l.confidence | (l.solved ? 128U : 0U), 1);
    }
    put_varint(out, e.results.wins);
    put_varint(out, e.results.draws);
    put_varint(out, e.results.losses);
    const auto discs = static_cast<std::uint64_t>(e.results.discs);
    put_varint(out, discs << 1U ^ (e.results.discs < 0 ? ~std::uint64_t{0} : 0));
}

BookEntry read_entry(Input& in) {
    BookEntry e;
    e.board.own = in.number(8);
    e.board.other = in.number(8);
    e.level = static_cast<int>(in.number(1)) - 1;
    e.links.resize(in.number(1));
    for (BookLink& l : e.links) {
        l.square = static_cast<std::uint8_t>(in.number(1));
        l.value = static_cast<std::int16_t>(in.number(2));
        l.depth = static_cast<std::uint8_t>(in.number(1));
        const auto c = static_cast<unsigned>(in.number(1));
        l.confidence = static_cast<std::uint8_t>(c & 127U);
        l.solved = c >= 128;
    }
    e.results.wins = static_cast<std::uint32_t>(in.varint());
    e.results.draws = static_cast<std::uint32_t>(in.varint());
    e.results.losses = static_cast<std::uint32_t>(in.varint());
    const std::uint64_t discs = in.varint();
    e.results.discs = static_cast<std::int64_t>(discs >> 1U ^ (~(discs & 1U) + 1));
    return e;
}

/// Tells a size that was written from one that was damaged: a record that ends too early is a
/// killed writer's only if its size is right.
std::uint32_t guard_of(std::size_t size) {
    std::string bytes;
    put_number(bytes, size, 4);
    return (checksum(bytes) & 0xFFFFFFU) | 1U;  // never 0, which is "none"
}

std::string record(std::uint32_t kind, std::string_view payload) {
    std::string head;
    put_number(head, kind, 1);
    put_number(head, guard_of(payload.size()), 3);
    std::string out;
    put_number(out, kMarker, 4);
    put_number(out, payload.size(), 4);
    put_number(out, checksum(std::string(head) + std::string(payload)), 4);
    out += head;
    return out.append(payload);
}

std::string header() {
    std::string out(kMagic);
    put_number(out, checksum(kMagic), 4);
    put_number(out, 0, 4);
    return out;
}

/// In front of a sealed part. Cut anywhere, the file is shorter than its head says.
std::string packed_header(std::string_view sealed) {
    std::string out(kPackedMagic);
    put_number(out, sealed.size(), 8);
    put_number(out, fnv_of(sealed).value(), 8);
    put_number(out, fnv_of(out).value(), 8);
    return out;
}

// ---- Reading ------------------------------------------------------------------------------------

/// What breaks the rules of a book; empty when nothing does.
std::string fault_of(const BookEntry& e) {
    const Board& b = e.board;
    if ((b.own & b.other) != 0) return "discs of both colours on one square";
    if (b.moves() == 0) return "no move for the side to move";
    if (canonical(b).board != b) return "not the canonical picture";
    Bits seen = 0;
    for (const BookLink& l : e.links) {
        if (l.square >= 64 || (b.moves() & bit(l.square)) == 0) return "an illegal move";
        if ((seen & bit(l.square)) != 0) return "the same move twice";
        seen |= bit(l.square);
        if (l.value < -kMostDiscs || l.value > kMostDiscs) return "a value beyond 64 discs";
        if (l.confidence > 100) return "a confidence above 100 percent";
    }
    return {};
}

/// The payload of the record at this place; nothing when there is no good record.
struct RecordView {
    std::uint32_t kind = 0;
    std::string_view payload;
    std::size_t end = 0;
};
std::optional<RecordView> record_at(std::string_view bytes, std::size_t at) {
    if (bytes.size() < at + kRecordHeader) return std::nullopt;
    Input in(bytes.substr(at, kRecordHeader));
    const auto marker = static_cast<std::uint32_t>(in.number(4));
    const auto size = static_cast<std::size_t>(in.number(4));
    const auto sum = static_cast<std::uint32_t>(in.number(4));
    const auto kind = static_cast<std::uint32_t>(in.number(1));
    if (marker != kMarker || size > kMostPayload) return std::nullopt;
    if (bytes.size() - at - kRecordHeader < size) return std::nullopt;
    if (checksum(bytes.substr(at + 12, 4 + size)) != sum) return std::nullopt;
    return RecordView{kind, bytes.substr(at + kRecordHeader, size), at + kRecordHeader + size};
}

/// The next good record after damage; bytes.size() when there is none.
std::size_t next_record(std::string_view bytes, std::size_t from) {
    std::string marker;
    put_number(marker, kMarker, 4);
    for (std::size_t at = bytes.find(marker, from); at != std::string_view::npos;
         at = bytes.find(marker, at + 1)) {
        if (record_at(bytes, at)) return at;
    }
    return bytes.size();
}

/// Whether the end of a file can be a record that its writer could not finish: the beginning of
/// one, or room that the disk never got the bytes for. Else it is damage and not ours to cut off.
bool is_torn(std::string_view end) {
    if (end.find_first_not_of('\0') == std::string_view::npos) return true;
    std::string marker;
    put_number(marker, kMarker, 4);
    if (!end.starts_with(marker.substr(0, std::min<std::size_t>(end.size(), 4)))) return false;
    if (end.size() < kRecordHeader) return true;
    const std::size_t size = Input(end.substr(4, 4)).number(4);
    const std::uint64_t kind = Input(end.substr(12, 1)).number(1);
    const std::uint64_t guard = Input(end.substr(13, 3)).number(3);
    if (kind == kPacked || (guard != 0 && guard != guard_of(size))) return false;
    return size <= kMostPayload && end.size() - kRecordHeader < size;
}

std::optional<std::string> unpacked(const RecordView& r) {
    if (r.kind == kPlain) return std::string(r.payload);
    if (r.kind != kPacked) return std::nullopt;
    const auto size = ZSTD_getFrameContentSize(r.payload.data(), r.payload.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > kMostPayload) {
        return std::nullopt;
    }
    std::string out(size, '\0');
    const std::size_t got =
        ZSTD_decompress(out.data(), out.size(), r.payload.data(), r.payload.size());
    if (ZSTD_isError(got) != 0 || got != size) return std::nullopt;
    return out;
}

void read_record(const RecordView& r, std::size_t at, BookScan& scan) {
    if (r.kind == kNote) {
        scan.book.add_note(std::string(r.payload));
        return;
    }
    const auto bytes = unpacked(r);
    if (!bytes) {
        scan.invalid.push_back({at, fmt::format("a record of an unknown kind ({})", r.kind)});
        return;
    }
    Input in(*bytes);
    while (in.good() && !in.empty()) {
        BookEntry e = read_entry(in);
        if (!in.good()) {
            scan.invalid.push_back({at, "an entry is cut short"});
            return;
        }
        if (std::string fault = fault_of(e); !fault.empty()) {
            scan.invalid.push_back({at, std::move(fault)});
            continue;
        }
        if (scan.book.index_of_canonical(e.board) != Book::kNone) ++scan.superseded;
        scan.book.put(std::move(e));
        if (r.kind == kPlain) ++scan.loose;
    }
}

Error trouble_with(const fs::path& file, const char* what) {
    return {fmt::format("book {}: {}: {}", file.string(), what, std::strerror(errno)),
            "check the folder and the disk"};
}

Error damaged(const fs::path& file, const BookScan::Problem& p) {
    return {fmt::format("book {} is damaged at byte {}: {}", file.string(), p.offset, p.what),
            fmt::format("save what is good with `karikomi repair {}`", file.string())};
}

const BookScan::Problem* first_problem(const BookScan& scan) {
    if (!scan.damage.empty()) return &scan.damage.front();
    return scan.invalid.empty() ? nullptr : &scan.invalid.front();
}

}  // namespace

namespace {

/// Where the records begin, and where those end that were written at once (0: a journal).
struct Head {
    std::size_t records = kHeaderSize;
    std::size_t sealed_end = 0;
    std::uint64_t checksum = 0;
};
std::optional<Head> head_of(std::string_view bytes) {
    if (bytes.starts_with(header())) return Head{};
    if (!bytes.starts_with(kPackedMagic) || bytes.size() < kPackedHeaderSize) return std::nullopt;
    Input in(bytes.substr(8, 24));
    const std::uint64_t size = in.number(8);
    const std::uint64_t sum = in.number(8);
    if (in.number(8) != fnv_of(bytes.substr(0, 24)).value()) return std::nullopt;
    return Head{kPackedHeaderSize, kPackedHeaderSize + static_cast<std::size_t>(size), sum};
}

/// What a head that is none says about the file, and where to look for records.
Expected<Head> salvaged_head(std::string_view bytes, const std::string& name, BookScan& scan) {
    const std::size_t first = next_record(bytes, 0);
    const bool cut = bytes.size() < kPackedHeaderSize && !bytes.empty() &&
                     bytes.starts_with(kPackedMagic.substr(0, bytes.size()));
    if (first == bytes.size() && !cut) {
        return Error{
            fmt::format("{} is not a book of karikomi", name),
            bytes.empty() ? "it is empty" : "import text with `karikomi book othello import`"};
    }
    scan.damage.push_back(
        {0, cut ? "the file ends within its head" : "the head is not that of a book"});
    return Head{first, 0, 0};
}

void check_seal(std::string_view bytes, const Head& head, BookScan& scan) {
    if (bytes.size() < head.sealed_end) {
        scan.damage.push_back({bytes.size(), fmt::format("the file is cut: it had {} bytes or more",
                                                         head.sealed_end)});
    } else if (head.sealed_end > 0 && scan.damage.empty() &&
               fnv_of(bytes.substr(head.records, head.sealed_end - head.records)).value() !=
                   head.checksum) {
        scan.damage.push_back({head.records, "the packed part is not what was written"});
    }
}

}  // namespace

Expected<BookScan> scan_book(std::string_view bytes, const std::string& name) {
    BookScan scan;
    auto head = head_of(bytes);
    if (!head) {
        const auto salvaged = salvaged_head(bytes, name, scan);
        if (!salvaged) return salvaged.error();
        head = *salvaged;
    }
    std::size_t at = head->records;
    scan.good_end = at;
    while (at < bytes.size()) {
        if (const auto r = record_at(bytes, at)) {
            read_record(*r, at, scan);
            ++scan.records;
            at = scan.good_end = r->end;
            continue;
        }
        const std::size_t next = next_record(bytes, at + 1);
        if (next == bytes.size() && at >= head->sealed_end && is_torn(bytes.substr(at))) {
            scan.torn_bytes = bytes.size() - at;
            break;
        }
        scan.damage.push_back({at, fmt::format("{} bytes are no record", next - at)});
        at = next;
    }
    check_seal(bytes, *head, scan);
    return scan;
}

Expected<BookScan> scan_book_file(const fs::path& file) {
    const auto bytes = detail::read_whole_file(file);
    if (!bytes) return Error{"book " + bytes.error().what, bytes.error().remedy};
    return scan_book(*bytes, file.string());
}

Expected<Book> load_book(const fs::path& file) {
    auto scan = scan_book_file(file);
    if (!scan) return scan.error();
    if (const auto* problem = first_problem(*scan)) return damaged(file, *problem);
    return std::move(scan->book);
}

Book trusted_book(std::string_view bytes) {
    auto scan = scan_book(bytes, "the built-in book");
    if (!scan) throw std::runtime_error(scan.error().what);
    if (const auto* problem = first_problem(*scan)) throw std::runtime_error(problem->what);
    return std::move(scan->book);
}

// ---- Writing ------------------------------------------------------------------------------------

std::string book_bytes(const Book& book) {
    std::vector<const BookEntry*> all;
    for (const BookEntry& e : book.entries()) all.push_back(&e);
    std::sort(all.begin(), all.end(), [](const BookEntry* a, const BookEntry* b) {
        const int more = b->board.empties() - a->board.empties();
        if (more != 0) return more < 0;
        return a->board.own != b->board.own ? a->board.own < b->board.own
                                            : a->board.other < b->board.other;
    });
    std::string out;
    for (const std::string& note : book.notes()) out += record(kNote, note);
    for (std::size_t i = 0; i < all.size();) {
        std::string plain;
        for (const std::size_t end = std::min(i + kBlockEntries, all.size()); i < end; ++i) {
            put_entry(plain, *all[i]);
        }
        std::string packed(ZSTD_compressBound(plain.size()), '\0');
        packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 19));
        out += record(kPacked, packed);
    }
    return packed_header(out) + out;
}

namespace {

/// Gives new contents to the name. Returns the open file, locked.
Expected<int> replace_book(const fs::path& path, std::string_view bytes) {
    const int f = write_file_and_keep(
        path, bytes, [](int file) { return os::lock_file(file) == os::Lock::Taken; });
    if (f < 0) return trouble_with(path, "cannot be written");
    return f;
}

/// Opens and locks; a file that was replaced between the two is opened again.
Expected<int> open_locked(const fs::path& path, BookFile::Missing missing) {
    const auto how =
        missing == BookFile::Missing::Create ? os::Open::UpdateOrCreate : os::Open::Update;
    for (;;) {
        const int f = os::open_file(path, how);
        if (f < 0) {
            if (errno != ENOENT) return trouble_with(path, "cannot be opened for writing");
            return Error{fmt::format("book {}: there is no such file", path.string()),
                         "make one with `karikomi book othello build` or `import`"};
        }
        const os::Lock lock = os::lock_file(f);
        if (lock != os::Lock::Taken) {
            Error error = trouble_with(path, "cannot be locked");
            os::close_file(f);
            if (lock == os::Lock::Failed) return error;
            return Error{fmt::format("book {} is being written by another program", path.string()),
                         "wait for it, or write another file and merge"};
        }
        if (os::is_file_at(f, path)) return f;  // compact() may have replaced it meanwhile
        os::close_file(f);
    }
}

}  // namespace

Status save_book(const Book& book, const fs::path& file) {
    const auto f = replace_book(file, book_bytes(book));
    if (!f) return f.error();
    os::close_file(*f);
    return {};
}

Expected<BookFile> BookFile::open(const fs::path& file, Missing missing) {
    BookFile out(file);
    const auto f = open_locked(file, missing);
    if (!f) return f.error();
    out.file_ = *f;
    if (const Status s = out.begin(); !s) return s.error();
    return out;
}

/// Reads what is there, or begins a new book; cuts off a torn end.
Status BookFile::begin() {
    auto bytes = detail::read_whole_file(path_);
    if (!bytes) return bytes.error();
    const std::string head = header();
    if (bytes->size() < head.size() && head.starts_with(*bytes)) {  // empty, or killed at birth
        if (!write_at(file_, head, 0) || !os::sync_file(file_)) {
            return trouble_with(path_, "cannot be written");
        }
        sync_folder_of(path_);
        size_ = head.size();
        return {};
    }
    auto scan = scan_book(*bytes, path_.string());
    if (!scan) return scan.error();
    if (const auto* problem = first_problem(*scan)) return damaged(path_, *problem);
    size_ = scan->good_end;
    if (scan->torn_bytes > 0) {
        // Nothing that was reported as saved; kept all the same, in case it was not a writer's end.
        if (!write_file(path_.string() + ".torn", std::string_view(*bytes).substr(size_)) ||
            !os::truncate_file(file_, size_)) {
            return trouble_with(path_, "cannot be cut");
        }
    }
    book_ = std::move(scan->book);
    loose_ = scan->loose;
    return {};
}

BookFile::BookFile(BookFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_),
      loose_(other.loose_),
      book_(std::move(other.book_)) {}

BookFile::~BookFile() {
    if (file_ >= 0) os::close_file(file_);  // which also unlocks it
}

Status BookFile::append(const std::string& record) {
    if (!write_at(file_, record, size_)) {
        Error error = trouble_with(path_, "cannot be written");
        (void)os::truncate_file(file_, size_);  // if not, the next opening does it
        return error;
    }
    size_ += record.size();
    return {};
}

Status BookFile::put(std::span<const BookEntry> entries) {
    std::string payload;
    for (const BookEntry& e : entries) put_entry(payload, e);
    if (payload.size() > kMostPayload) {
        return Error{"too many positions at once", "put them in parts"};
    }
    if (Status s = append(record(kPlain, payload)); !s) return s;
    loose_ += entries.size();
    for (const BookEntry& e : entries) book_.put(e);
    return {};
}

Status BookFile::put_note(const std::string& note) {
    if (!book_.notes().empty() && book_.notes().back() == note) return {};
    if (Status s = append(record(kNote, note)); !s) return s;
    book_.add_note(note);
    return {};
}

Status BookFile::sync() {
    if (os::sync_file(file_)) return {};
    return trouble_with(path_, "does not reach the disk");
}

Status BookFile::rewrite(const Book& book) {
    const std::string bytes = book_bytes(book);
    const auto f = replace_book(path_, bytes);
    if (!f) return f.error();
    os::close_file(file_);
    file_ = *f;
    size_ = bytes.size();
    loose_ = 0;
    return {};
}

Status BookFile::replace(Book book) {
    Status written = rewrite(book);
    if (written) book_ = std::move(book);
    return written;
}

Status BookFile::compact() {
    return rewrite(book_);
}

}  // namespace karikomi::othello
