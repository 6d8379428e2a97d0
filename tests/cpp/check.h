// The smallest test harness: named tests that count their checks. Tests that go through
// many cases take every seventh of them, from a place that RANKMIX_SEED shifts, and all
// where RANKMIX_ALL_DRAWS is set (`make test-long`).
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace check {

struct Test {
  const char* name;
  std::function<void()> body;
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

inline unsigned long setting(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtoul(text, nullptr, 10);
}

// Which of a test's many cases to take: `if (!few.takes()) continue;`. What is compared
// with the number of cases asks `taken()`.
class FewCases {
 public:
  bool takes() {
    const bool wanted = all_ || next_++ % kEvery == 0;
    taken_ += wanted ? 1 : 0;
    return wanted;
  }
  std::size_t taken() const { return taken_; }

 private:
  // Has no factor in common with the numbers of settings that cases are made of.
  static constexpr unsigned long kEvery = 7;

  bool all_ = setting("RANKMIX_ALL_DRAWS") > 0;
  unsigned long next_ = setting("RANKMIX_SEED");
  std::size_t taken_ = 0;
};

struct Counts {
  int passed = 0;
  int failed = 0;
};

inline Counts& counts() {
  static Counts all;
  return all;
}

struct Register {
  Register(const char* name, std::function<void()> body) {
    tests().push_back({name, std::move(body)});
  }
};

inline void that(bool good, const char* text, const char* file, int line) {
  if (good) {
    ++counts().passed;
  } else {
    ++counts().failed;
    std::printf("%s:%d: %s\n", file, line, text);
  }
}

}  // namespace check

#define CHECK_JOIN2(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOIN2(a, b)
#define TEST(name)                                                \
  static void CHECK_JOIN(test_, __LINE__)();                      \
  static const check::Register CHECK_JOIN(registered_, __LINE__)( \
      name, CHECK_JOIN(test_, __LINE__));                         \
  static void CHECK_JOIN(test_, __LINE__)()
#define CHECK(expression) check::that((expression), #expression, __FILE__, __LINE__)
#define CHECK_THROWS(expression, type)                                     \
  do {                                                                     \
    bool thrown = false;                                                   \
    try {                                                                  \
      expression;                                                          \
    } catch (const type&) {                                                \
      thrown = true;                                                       \
    }                                                                      \
    check::that(thrown, #expression " throws " #type, __FILE__, __LINE__); \
  } while (false)
