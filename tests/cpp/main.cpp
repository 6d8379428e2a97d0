// Runs all tests; writes "passed failed skipped" to the file that is named.
#include <exception>
#include <fstream>

#include "check.h"

int main(int argc, char** argv) {
  for (const check::Test& test : check::tests()) {
    try {
      test.body();
    } catch (const std::exception& e) {
      ++check::counts().failed;
      std::printf("%s: unexpected exception: %s\n", test.name, e.what());
    }
  }
  const check::Counts& counts = check::counts();
  if (argc > 1) {
    std::ofstream(argv[1]) << counts.passed << ' ' << counts.failed << " 0\n";
  }
  return counts.failed > 0 ? 1 : 0;
}
