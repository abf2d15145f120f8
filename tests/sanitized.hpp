/// Sanitizers slow programs down ten times and more: long tests then do a tenth of their work.
#pragma once

namespace karikomi::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

/// So many rounds of a long test.
constexpr int rounds(int n) {
    return kSanitized ? n / 10 : n;
}

}  // namespace karikomi::test
