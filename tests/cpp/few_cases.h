// Sampling of a test's cases, for tests that go through many of them.
//
// Such a test runs every seventh case. RANKMIX_SEED shifts the first case. If
// RANKMIX_TESTS is "long" (`make test-long`), the test runs all cases.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <cstring>

// Decides which cases a test runs: `if (!few.takes()) continue;`. `taken()` is the
// number of cases so far, with which a test compares its counts.
class FewCases {
 public:
  bool takes() {
    const bool wanted = all_ || next_++ % kEvery == 0;
    taken_ += wanted ? 1 : 0;
    return wanted;
  }
  std::size_t taken() const { return taken_; }

 private:
  static unsigned long setting(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? 0 : std::strtoul(text, nullptr, 10);
  }

  static bool is_long() {
    const char* size = std::getenv("RANKMIX_TESTS");
    return size != nullptr && std::strcmp(size, "long") == 0;
  }

  // Has no common factor with the numbers of values of the settings that are combined.
  static constexpr unsigned long kEvery = 7;

  bool all_ = is_long();
  unsigned long next_ = setting("RANKMIX_SEED");
  std::size_t taken_ = 0;
};
