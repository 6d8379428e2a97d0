#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <string>

#include "core/base/serial_host.h"
#include "core/data/fields.h"
#include "memory_text.h"

using rankmix::data::FieldParser;
using rankmix::data::TextError;

namespace {

FieldParser parse(const std::string& format, const std::string& text, std::size_t piece) {
  FieldParser parser(format, "usage");
  MemoryText source(text, piece);
  rankmix::SerialHost host;
  parser.read(source, host);
  return parser;
}

}  // namespace

TEST_CASE("fields in pieces of any size give the same columns") {
  const std::string text = "q1 Q0 d7 1 -1e-3 t\r\n\n  q2\tQ0 d8 2 -inf t";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const FieldParser parser = parse("s-s-ds", text, piece);
    CHECK(parser.rows() == 2);
    CHECK((parser.strings(0) == std::vector<std::string>{"q1", "q2"}));
    CHECK((parser.strings(2) == std::vector<std::string>{"d7", "d8"}));
    CHECK(parser.numbers(4)[0] == -1e-3);
    CHECK(parser.numbers(4)[1] == -std::numeric_limits<double>::infinity());
    CHECK((parser.line_of_row() == std::vector<std::size_t>{1, 3}));
  }
}

TEST_CASE("lines that do not fit are errors") {
  CHECK_THROWS_AS(parse("sd", "a", 1), TextError);
  CHECK_THROWS_AS(parse("sd", "a 1 2", 1), TextError);
  CHECK_THROWS_AS(parse("sd", "a b", 1), TextError);
  CHECK_THROWS_AS(parse("i", "1.5", 1), TextError);
  CHECK_THROWS_AS(parse("i", "inf", 1), TextError);
  CHECK_THROWS_AS(parse("d", "nan", 1), TextError);
}

// Each text is one line to the parser. Its other lines would be skipped.
TEST_CASE("lines that end in a carriage return alone are refused") {
  CHECK_THROWS_AS(parse("s-s-ds*", "q1 Q0 d7 1 2 t\rq1 Q0 d8 2 1 t\r", 3), TextError);
  CHECK_THROWS_AS(parse("ds", "# runs\r1 a\r2 b\r", 3), TextError);
  CHECK(parse("ds", "1 a\r\r\n2 b \r\n", 3).rows() == 2);
}

TEST_CASE("invalid text is refused, and nothing reads past its end") {
  std::mt19937 random(3);
  const std::string good = "q1 0 d7 2\nq2 0 d8 1\n";
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    try {
      parse("s-si", text, 1 + random() % 7);
    } catch (const TextError&) {
      ++refused;
    }
  }
  CHECK((refused > 0 && refused < 2000));
}
