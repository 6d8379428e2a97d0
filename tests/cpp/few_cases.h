// Sampling of a test's cases, for tests that go through many of them.
//
// Such a test takes every seventh case. RANKMIX_SEED shifts the first case. The test takes
// all cases where RANKMIX_ALL_DRAWS is set (`make test-long`).
#pragma once
#include <cstddef>
#include <cstdlib>

// Decides which cases a test takes: `if (!few.takes()) continue;`. An expected number of
// cases is compared with `taken()`.
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

  // Has no factor in common with the numbers of settings that cases are made of.
  static constexpr unsigned long kEvery = 7;

  bool all_ = setting("RANKMIX_ALL_DRAWS") > 0;
  unsigned long next_ = setting("RANKMIX_SEED");
  std::size_t taken_ = 0;
};
