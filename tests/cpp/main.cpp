// Runs the tests by doctest, and writes "passed failed skipped" to a file.
//
//   tests [FILE] [options of doctest]
//
// The counts are numbers of checks. A test that ends by an exception adds one failure. A
// run that crashes writes no counts.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <fstream>

namespace {

struct Counts {
  int passed = 0;
  int failed = 0;
};

Counts& counts() {
  static Counts all;
  return all;
}

// Counts the checks of a run, in addition to doctest's own reporter.
class Counter : public doctest::IReporter {
 public:
  explicit Counter(const doctest::ContextOptions&) {}

  void test_case_exception(const doctest::TestCaseException&) override {
    ++counts().failed;
  }
  void test_run_end(const doctest::TestRunStats& run) override {
    counts().passed += run.numAsserts - run.numAssertsFailed;
    counts().failed += run.numAssertsFailed;
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

DOCTEST_REGISTER_LISTENER("counter", 1, Counter);

}  // namespace

int main(int argc, char** argv) {
  doctest::Context context;
  context.setOption("minimal", true);
  context.applyCommandLine(argc, argv);
  const int status = context.run();
  if (argc > 1 && argv[1][0] != '-') {
    std::ofstream(argv[1]) << counts().passed << ' ' << counts().failed << " 0\n";
  }
  return status;
}
