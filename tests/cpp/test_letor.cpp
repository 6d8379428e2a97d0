#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "check.h"
#include "core/data/letor.h"

using rankmix::MatrixView;
using rankmix::data::LetorParser;
using rankmix::data::TextError;

namespace {

LetorParser parse(const std::string& text, std::size_t piece) {
  LetorParser parser;
  for (std::size_t i = 0; i < text.size(); i += piece) {
    // A copy of exactly this size, so that reading past its end is seen.
    const std::string part = text.substr(i, piece);
    const std::vector<char> exact(part.begin(), part.end());
    parser.feed(exact.data(), exact.size());
  }
  parser.finish();
  return parser;
}

std::size_t error_line(const std::string& text) {
  try {
    parse(text, 7);
  } catch (const TextError& e) {
    return e.line;
  }
  return 0;
}

}  // namespace

TEST("pieces of any size give the same data") {
  const std::string text =
      "2 qid:a 1:0.5 3:-1e-3 # docid = 1\r\n\n# a comment\n0 qid:b 2:NULL\n1 qid:a 1:7";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    LetorParser parser = parse(text, piece);
    CHECK(parser.rows() == 3);
    CHECK(parser.features() == 3);
    CHECK((parser.grades() == std::vector<int>{2, 0, 1}));
    CHECK((parser.queries() == std::vector<int>{0, 1, 0}));
    CHECK((parser.query_ids() == std::vector<std::string>{"a", "b"}));
    std::vector<double> x(9, 0.0);
    parser.release_features({x.data(), 3, 3});
    CHECK(x[0] == 0.5 && x[1] == 0.0 && x[2] == 7.0);
    CHECK(x[3] == 0.0 && std::isnan(x[4]) && x[5] == 0.0);
    CHECK(x[6] == -1e-3 && x[7] == 0.0 && x[8] == 0.0);
  }
}

TEST("errors name the line") {
  CHECK(error_line("0 qid:1 1:1\nx qid:1 1:1\n") == 2);
  CHECK(error_line("0 qid:1 1:1\n\n# c\n0 qid: 1:1\n") == 4);
  CHECK(error_line("0 1:1\n") == 1);
  CHECK(error_line("-1 qid:1 1:1\n") == 1);
  CHECK(error_line("0.5 qid:1 1:1\n") == 1);
  CHECK(error_line("31 qid:1 1:1\n") == 1);
  CHECK(error_line("0 qid:1 0:1\n") == 1);
  CHECK(error_line("0 qid:1 2:1 2:1\n") == 1);
  CHECK(error_line("0 qid:1 2:1 1:1\n") == 1);
  CHECK(error_line("0 qid:1 100001:1\n") == 1);
  CHECK(error_line("0 qid:1 9999999999999999999:1\n") == 1);
  CHECK(error_line("0 qid:1 1:inf\n") == 1);
  CHECK(error_line("0 qid:1 1:1e999\n") == 1);
  CHECK(error_line("0 qid:1 1:\n") == 1);
  CHECK(error_line("0 qid:1 :1\n") == 1);
  CHECK(error_line("0 qid:1 1:0x10\n") == 1);
  CHECK(error_line("0") == 1);
  CHECK(error_line("") == 0);
}

TEST("numbers round as strtod rounds them") {
  std::mt19937_64 random(1);
  auto agrees = [](const std::string& text) {
    double value = 0;
    return rankmix::data::parse_number(text.data(), text.data() + text.size(), value) &&
           value == std::strtod(text.c_str(), nullptr);
  };
  for (int i = 0; i < 20000; ++i) {
    std::string text = random() % 2 ? "-" : "";
    const std::size_t digits = 1 + random() % 20;
    const std::size_t point = random() % (digits + 1);
    for (std::size_t d = 0; d < digits; ++d) {
      if (d == point) {
        text += '.';
      }
      text += static_cast<char>('0' + random() % 10);
    }
    if (random() % 4 == 0) {
      text += "e" + std::to_string(static_cast<int>(random() % 60) - 30);
    }
    if (!agrees(text)) {
      CHECK(text.empty());
    }
  }
  CHECK(agrees("9007199254740993"));
  CHECK(agrees("0.1") && agrees(".5") && agrees("5.") && agrees("+3"));
  double value = 0;
  for (const char* bad : {"", ".", "-", "1e", "e5", "1 ", "1,5", "--1", "1.2.3"}) {
    CHECK(!rankmix::data::parse_number(bad, bad + std::string(bad).size(), value));
  }
}

TEST("random bytes never crash the parser") {
  std::mt19937_64 random(2);
  const std::string alphabet = "0123456789:.qid #\n\r\t-eENULA\0x";
  int parsed = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (std::size_t j = random() % 60; j > 0; --j) {
      text += random() % 8 == 0 ? std::string(" qid:1 1:2\n0")
                                : std::string(1, alphabet[random() % alphabet.size()]);
    }
    try {
      LetorParser parser = parse(text, 1 + random() % 9);
      std::vector<double> x(parser.rows() * parser.features());
      parser.release_features({x.data(), parser.rows(), parser.features()});
      ++parsed;
    } catch (const TextError& e) {
      CHECK(e.line >= 1 && !e.remedy.empty());
    }
  }
  CHECK(parsed > 0);
}
