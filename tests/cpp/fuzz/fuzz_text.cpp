// Fuzzes the readers of text, for libFuzzer: `make fuzz` in tests/cpp.
//
// The first byte determines the length of pieces. For any text, the reader of LETOR
// must return the same data or the same error for pieces of any length and on two
// threads. Numbers must equal the result of strtod(). No code may read past its piece.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/data/fields.h"
#include "core/data/letor.h"
#include "core/data/text.h"
#include "memory_text.h"
#include "thread_host.h"

namespace {

void require(bool good, const char* what) {
  if (!good) {
    std::fprintf(stderr, "violated: %s\n", what);
    std::abort();
  }
}

// Checks that sparse rows have the values of the dense matrix that are not 0.
void check_sparse(const std::string& text, std::size_t piece, unsigned threads,
                  std::vector<double> x) {
  ThreadHost host(threads);
  rankmix::data::LetorReader reader({}, host);
  MemoryText source(text, piece);
  reader.count(source);
  source.rewind();
  rankmix::data::CompressedRows rows;
  std::vector<double> grades(reader.rows());
  std::vector<int> queries(reader.rows());
  reader.read(source, rows, {grades.data(), grades.size()},
              {queries.data(), queries.size()});
  require(rows.ends.size() == reader.rows(), "every row has an end");
  std::size_t entry = 0;
  for (std::size_t i = 0; i < rows.ends.size(); ++i) {
    for (; entry < rows.ends[i]; ++entry) {
      const std::size_t feature = static_cast<std::size_t>(rows.features[entry]);
      double& value = x[feature * reader.rows() + i];
      const double found = rows.values[entry];
      require(std::isnan(value) ? std::isnan(found) : value == found,
              "sparse values are those of the matrix");
      value = 0.0;
    }
  }
  require(std::all_of(x.begin(), x.end(), [](double value) { return value == 0.0; }),
          "no value is left out");
}

// The complete result of reading, as text.
std::string outcome(const std::string& text, std::size_t piece, unsigned threads) {
  ThreadHost host(threads);
  rankmix::data::LetorReader reader({}, host);
  MemoryText source(text, piece);
  try {
    reader.count(source);
    source.rewind();
    if (reader.rows() * reader.features() > 1000000) {
      return "too large";
    }
    std::vector<double> x(reader.rows() * reader.features(), -7.0);
    std::vector<double> grades(reader.rows());
    std::vector<int> queries(reader.rows());
    reader.read(source, {x.data(), reader.rows(), reader.features()},
                {grades.data(), grades.size()}, {queries.data(), queries.size()});
    check_sparse(text, piece, threads, x);
    std::string all;
    for (double value : x) {
      if (!std::isnan(value)) {
        require(value != -7.0 || text.find("-7") != std::string::npos,
                "every element is written");
        all.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
    }
    for (std::size_t i = 0; i < grades.size(); ++i) {
      require(grades[i] >= 0 && grades[i] <= 30, "grades are in range");
      const std::size_t query = static_cast<std::size_t>(queries[i]);
      require(query < reader.query_ids().size(), "queries have ids");
      all += std::to_string(grades[i]) + " " + reader.query_ids()[query] + "\n";
    }
    for (const std::string& document : reader.documents()) {
      all += document + "\n";
    }
    return all;
  } catch (const rankmix::data::TextError& e) {
    require(e.line > 0 && !e.remedy.empty(), "errors say where and what to do");
    return "line " + std::to_string(e.line) + ": " + e.what() + " " + e.found;
  }
}

void check_number(const std::string& text) {
  double value = 0.0;
  const char* begin = text.data();
  if (!rankmix::data::parse_number(begin, begin + text.size(), value)) {
    return;
  }
  const double theirs = std::strtod(text.c_str(), nullptr);
  require(std::memcmp(&value, &theirs, sizeof value) == 0, "numbers round as strtod()");
  if (std::isfinite(value)) {
    std::string again;
    rankmix::data::append_number(again, value);
    double back = 0.0;
    require(
        rankmix::data::parse_number(again.data(), again.data() + again.size(), back) &&
            std::memcmp(&back, &value, sizeof value) == 0,
        "numbers are written so that they are read back");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string whole = outcome(text, text.size() + 1, 1);
  require(outcome(text, 1 + data[0] % 64, 1) == whole, "pieces change nothing");
  require(outcome(text, 1 + data[0] % 7, 2) == whole, "threads change nothing");
  check_number(text);
  for (const char* format : {"s-s-ds", "s-si", "d"}) {
    try {
      rankmix::data::FieldParser parser(format, "usage");
      MemoryText source(text, 1 + data[0] % 64);
      ThreadHost host(1);
      parser.read(source, host);
    } catch (const rankmix::data::TextError&) {
    }
  }
  return 0;
}
