// The smallest test harness: named tests that count their checks.
#pragma once
#include <cstdio>
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
