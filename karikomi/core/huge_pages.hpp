/// Memory for big tables that are read at random: on large pages where the system has them, so that
/// most looks into the table need no walk through page tables.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace karikomi {

template <class T> struct HugePages {
    using value_type = T;
    // NOLINTNEXTLINE(readability-identifier-naming): libc++ asks for it by this name
    using propagate_on_container_move_assignment = std::true_type;

    HugePages() = default;
    template <class U> explicit HugePages(const HugePages<U>&) {}

    T* allocate(std::size_t n) {
        if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
        const std::size_t bytes = n * sizeof(T);
        const std::size_t align = alignment(bytes);
        void* const p = ::operator new (bytes, std::align_val_t{align});
#if defined(__linux__)
        // Whole pages only; a refusal costs nothing but speed.
        if (bytes >= kPage) (void)madvise(p, bytes / kPage * kPage, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t n) {
        const std::size_t bytes = n * sizeof(T);
        ::operator delete (p, std::align_val_t{alignment(bytes)});
    }
    bool operator==(const HugePages&) const {
        return true;
    }

private:
    static constexpr std::size_t kPage = std::size_t{2} << 20;
#if defined(__linux__)
    static constexpr bool kHasPages = true;
#else
    static constexpr bool kHasPages = false;
#endif
    static constexpr std::size_t alignment(std::size_t bytes) {
        if (kHasPages && bytes >= kPage) return kPage;
        return alignof(T) < 64 ? 64 : alignof(T);
    }
};

}  // namespace karikomi
