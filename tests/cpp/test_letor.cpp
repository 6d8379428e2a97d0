#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "core/data/letor.h"
#include "memory_text.h"
#include "thread_host.h"

using rankmix::data::LetorReader;
using rankmix::data::TextError;

namespace {

struct Letor {
  std::size_t rows;
  std::size_t features;
  std::vector<double> x;
  std::vector<double> grades;
  std::vector<int> queries;
  std::vector<std::string> query_ids;
  std::vector<std::string> documents;
  std::size_t scattered;
};

// The texts of several files, cut into pieces.
Letor parse(const std::vector<std::string>& texts, std::size_t piece,
            unsigned threads = 1) {
  ThreadHost host(threads);
  LetorReader reader({}, host);
  std::vector<MemoryText> sources;
  for (const std::string& text : texts) {
    sources.emplace_back(text, piece);
    reader.count(sources.back());
    sources.back().rewind();
  }
  Letor data{reader.rows(), reader.features(), {}, {}, {}, {}, {}, 0};
  data.x.assign(data.rows * data.features, -7.0);
  data.grades.assign(data.rows, -7);
  data.queries.assign(data.rows, -7);
  for (MemoryText& source : sources) {
    reader.read(source, {data.x.data(), data.rows, data.features},
                {data.grades.data(), data.rows}, {data.queries.data(), data.rows});
  }
  data.query_ids = reader.query_ids();
  data.documents = reader.documents();
  data.scattered = reader.scattered();
  return data;
}

std::size_t error_line(const std::string& text) {
  try {
    parse({text}, 7);
  } catch (const TextError& e) {
    return e.line;
  }
  return 0;
}

}  // namespace

TEST_CASE("any finite relevance is read if it need not be a grade") {
  const std::string text = "-0.5 qid:1 1:1\n1e3 qid:1 1:2\n";
  ThreadHost host(1);
  for (const bool graded : {true, false}) {
    rankmix::data::LetorOptions options;
    options.graded = graded;
    LetorReader reader(options, host);
    MemoryText source(text, 5);
    reader.count(source);
    source.rewind();
    std::vector<double> x(2), relevance(2);
    std::vector<int> queries(2);
    auto read = [&] {
      reader.read(source, {x.data(), 2, 1}, {relevance.data(), 2}, {queries.data(), 2});
    };
    if (graded) {
      CHECK_THROWS_AS(read(), TextError);
    } else {
      read();
      CHECK((relevance == std::vector<double>{-0.5, 1000}));
    }
  }
}

TEST_CASE("pieces of any size give the same data on any number of threads") {
  const std::string text =
      "\xEF\xBB\xBF"
      "2 qid:a 1:0.5 3:-1e-3 # docid = 1\r\n\n# a comment\n0 qid:b 2:NULL\n1 qid:a 1:7";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const Letor data = parse({text}, piece, 1 + piece % 3);
    CHECK(data.rows == 3);
    CHECK(data.features == 3);
    CHECK((data.grades == std::vector<double>{2, 0, 1}));
    CHECK((data.queries == std::vector<int>{0, 1, 0}));
    CHECK((data.query_ids == std::vector<std::string>{"a", "b"}));
    CHECK((data.documents == std::vector<std::string>{"1"}));
    CHECK(data.scattered == 1);
    const std::vector<double>& x = data.x;
    CHECK((x[0] == 0.5 && x[1] == 0.0 && x[2] == 7.0));
    CHECK((x[3] == 0.0 && std::isnan(x[4]) && x[5] == 0.0));
    CHECK((x[6] == -1e-3 && x[7] == 0.0 && x[8] == 0.0));
  }
}

TEST_CASE("files are read in order, and lines are counted in each file") {
  const Letor data =
      parse({"1 qid:a 1:1\n", "", "0 qid:a 2:2\n2 qid:b 1:3 # docid = z"}, 5);
  CHECK((data.rows == 3 && data.features == 2));
  CHECK((data.queries == std::vector<int>{0, 0, 1}));
  CHECK((data.x == std::vector<double>{1, 0, 3, 0, 2, 0}));
  CHECK((data.documents == std::vector<std::string>{"", "", "z"}));
  try {
    parse({"1 qid:a 1:1\n", "0 qid:a 1:1\nx"}, 5);
    CHECK(false);
  } catch (const TextError& e) {
    CHECK(e.line == 2);
  }
}

TEST_CASE("a text that differs at the second reading is an error") {
  std::string text;
  for (int i = 0; i < 50; ++i) {
    text += std::to_string(i % 3) + " qid:" + std::to_string(i / 5) + " 1:0.5 2:1.5\n";
  }
  std::string other = text;
  other.replace(other.find("2:1.5", 400), 5, "2:2.5");
  const std::vector<std::string> changed{"", text.substr(0, 200), text + "0 qid:1 1:1\n",
                                         other};
  for (const std::string& now : changed) {
    for (const std::size_t piece : {std::size_t{30}, std::size_t{100000}}) {
      // The text changes before the second reading, in the first or in the last of two
      // files.
      for (const bool first : {false, true}) {
        ThreadHost host(2);
        LetorReader reader({}, host);
        MemoryText a(text, piece);
        MemoryText b(text, piece);
        reader.count(a);
        reader.count(b);
        MemoryText again_a(first ? now : text, piece);
        MemoryText again_b(first ? text : now, piece);
        std::vector<double> x(2 * reader.rows());
        std::vector<double> grades(reader.rows());
        std::vector<int> queries(reader.rows());
        bool reported = false;
        try {
          for (MemoryText* source : {&again_a, &again_b}) {
            reader.read(*source, {x.data(), reader.rows(), 2},
                        {grades.data(), reader.rows()}, {queries.data(), reader.rows()});
          }
        } catch (const rankmix::data::TextChanged&) {
          reported = true;
        }
        CHECK(reported);
      }
    }
  }
}

TEST_CASE("the first error of the text is reported on any number of threads") {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += "0 qid:1 1:1 2:2\n";
  }
  text += "0 qid:1 1:x\n";
  for (int i = 0; i < 300; ++i) {
    text += "bad\n";
  }
  for (unsigned threads : {1u, 2u, 4u}) {
    try {
      parse({text}, 100, threads);
      CHECK(false);
    } catch (const TextError& e) {
      CHECK((e.line == 301 && e.found == "1:x"));
    }
  }
}

TEST_CASE("rows beyond the size of the buffer are stored correctly") {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "1 qid:" + std::to_string(i / 7) + " " + std::to_string(1 + i % 3) + ":" +
            std::to_string(i) + "\n";
  }
  const Letor data = parse({text}, 2000, 2);
  bool good = data.rows == 500 && data.query_ids.size() == 72;
  for (std::size_t i = 0; i < 500; ++i) {
    for (std::size_t f = 0; f < 3; ++f) {
      good = good && data.x[f * 500 + i] == (f == i % 3 ? static_cast<double>(i) : 0.0);
    }
    good = good && data.queries[i] == static_cast<int>(i / 7);
  }
  CHECK(good);
}

TEST_CASE("errors name the line") {
  CHECK(error_line("0 qid:1 1:1\nx qid:1 1:1\n") == 2);
  CHECK(error_line("0 qid:1 1:1\n\n# c\n0 qid: 1:1\n") == 4);
  CHECK(error_line("0 1:1\n") == 1);
  CHECK(error_line("-1 qid:1 1:1\n") == 1);
  CHECK(error_line("0.5 qid:1 1:1\n") == 1);
  CHECK(error_line("128 qid:1 1:1\n") == 1);
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
  CHECK(error_line("0 qid:1 1:1 2:2 more\n") == 1);
  CHECK(error_line("0 qid:1 5:1 2:2\n") == 1);
  CHECK(error_line("0") == 1);
  CHECK(error_line("") == 0);
}

TEST_CASE("numbers are rounded as by strtod()") {
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
  CHECK((agrees("0.1") && agrees(".5") && agrees("5.") && agrees("+3")));
  double value = 0;
  for (const char* bad : {"", ".", "-", "1e", "e5", "1 ", "1,5", "--1", "1.2.3"}) {
    CHECK(!rankmix::data::parse_number(bad, bad + std::string(bad).size(), value));
  }
}

TEST_CASE("written numbers are read back identically") {
  std::mt19937_64 random(4);
  auto survives = [](double value) {
    std::string text;
    rankmix::data::append_number(text, value);
    double back = 0;
    return rankmix::data::parse_number(text.data(), text.data() + text.size(), back) &&
           std::memcmp(&back, &value, sizeof back) == 0;
  };
  bool good = true;
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    good = good && (!std::isfinite(value) || survives(value));
  }
  CHECK(good);
  CHECK((survives(0.0) && survives(-0.0) && survives(0.1) && survives(1e22) &&
         survives(5e-324) && survives(-123456789.0) && survives(1.7976931348623157e308)));
}

TEST_CASE("random bytes never crash the parser") {
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
      parse({text}, 1 + random() % 9);
      ++parsed;
    } catch (const TextError& e) {
      CHECK((e.line >= 1 && !e.remedy.empty()));
    }
  }
  CHECK(parsed > 0);
}

TEST_CASE("plain numbers have no exponent and are read back as the same double") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t bits = random();
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) {
      continue;
    }
    std::string text;
    rankmix::data::append_plain_number(text, value);
    double back = 0.0;
    CHECK(text.find('e') == std::string::npos);
    CHECK((rankmix::data::parse_number(text.data(), text.data() + text.size(), back) &&
           back == value));
    text.clear();
    rankmix::data::append_exact_number(text, value);
    CHECK(std::strtod(text.c_str(), nullptr) == value);
  }
}
