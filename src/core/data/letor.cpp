#include "core/data/letor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace rankmix::data {
namespace {

constexpr std::size_t kValueBlock = 1 << 17;
constexpr int kMaxGrade = 30;       // gains 2^grade - 1 stay exact
constexpr std::size_t kShown = 40;  // characters of an offending token in a message

constexpr char kPrefix[] = "qid:";
// Some editors put it in front of UTF-8 text.
constexpr char kByteOrderMark[] = "\xEF\xBB\xBF";
// The powers of ten that are exact doubles.
constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* skip_blanks(const char* p, const char* end) {
  while (p < end && is_blank(*p)) {
    ++p;
  }
  return p;
}

const char* token_end(const char* p, const char* end) {
  while (p < end && !is_blank(*p)) {
    ++p;
  }
  return p;
}

bool equals(const char* begin, const char* end, const char* word) {
  const std::size_t length = std::strlen(word);
  return static_cast<std::size_t>(end - begin) == length && std::equal(begin, end, word);
}

bool is_missing(const char* begin, const char* end) {
  return equals(begin, end, "NULL") || equals(begin, end, "NA") ||
         equals(begin, end, "NaN") || equals(begin, end, "nan");
}

// A whole number of at most 9 digits; false for anything else.
bool parse_whole(const char* begin, const char* end, std::size_t& value) {
  if (begin == end || end - begin > 9) {
    return false;
  }
  value = 0;
  for (const char* p = begin; p < end; ++p) {
    if (!is_digit(*p)) {
      return false;
    }
    value = value * 10 + static_cast<std::size_t>(*p - '0');
  }
  return true;
}

bool parse_with_strtod(const char* begin, const char* end, double& value) {
  const std::string text(begin, end);
  // strtod also takes "inf", "nan", hexadecimal and leading blanks; a number in LETOR
  // text has none of them.
  if (text.find_first_not_of("0123456789+-.eE") != std::string::npos) {
    return false;
  }
  char* stop = nullptr;
  value = std::strtod(text.c_str(), &stop);
  return !text.empty() && stop == text.c_str() + text.size();
}

}  // namespace

// Clinger's fast path (1990, doi:10.1145/93542.93557): a decimal mantissa below 2^53 and
// a power of ten up to 22 are both exact doubles, so one multiplication or division
// rounds once. Everything else goes to strtod().
bool parse_number(const char* begin, const char* end, double& value) {
  const char* p = begin;
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) {
    ++p;
  }
  std::uint64_t mantissa = 0;
  int digits = 0;
  int decimals = 0;
  for (; p < end && is_digit(*p); ++p, ++digits) {
    mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
  }
  if (p < end && *p == '.') {
    for (++p; p < end && is_digit(*p); ++p, ++digits, ++decimals) {
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
    }
  }
  // 18 digits cannot overflow 64 bits, but the mantissa must also be exact as a double.
  const bool exact = p == end && digits > 0 && digits <= 18 && decimals <= 22 &&
                     mantissa < (std::uint64_t{1} << 53);
  if (!exact) {
    return parse_with_strtod(begin, end, value);
  }
  const double magnitude = static_cast<double>(mantissa) / kPowers[decimals];
  value = negative ? -magnitude : magnitude;
  return true;
}

void LetorParser::feed(const char* text, std::size_t size) {
  const char* end = text + size;
  while (text < end) {
    const char* eol = static_cast<const char*>(
        std::memchr(text, '\n', static_cast<std::size_t>(end - text)));
    if (eol == nullptr) {
      carry_.append(text, end);
      return;
    }
    if (carry_.empty()) {
      parse_line(text, eol);
    } else {
      carry_.append(text, eol);
      parse_line(carry_.data(), carry_.data() + carry_.size());
      carry_.clear();
    }
    text = eol + 1;
  }
}

void LetorParser::finish() {
  if (!carry_.empty()) {
    parse_line(carry_.data(), carry_.data() + carry_.size());
    carry_.clear();
  }
}

void LetorParser::fail(const std::string& problem, const char* begin, const char* end,
                       const std::string& remedy) const {
  std::string found(begin, std::min(end, begin + kShown));
  if (end - begin > static_cast<std::ptrdiff_t>(kShown)) {
    found += "...";
  }
  // Control and NUL bytes would garble the message.
  std::replace_if(found.begin(), found.end(), is_control, '?');
  throw LetorError(line_, problem, found, remedy);
}

void LetorParser::parse_line(const char* begin, const char* end) {
  ++line_;
  if (line_ == 1 && end - begin >= 3 &&
      std::equal(kByteOrderMark, kByteOrderMark + 3, begin)) {
    begin += 3;
  }
  const char* comment = static_cast<const char*>(
      std::memchr(begin, '#', static_cast<std::size_t>(end - begin)));
  if (comment != nullptr) {
    end = comment;
  }
  const char* p = skip_blanks(begin, end);
  if (p == end) {
    return;  // an empty line, or nothing but a comment
  }
  const char* stop = token_end(p, end);
  parse_grade(p, stop);
  p = skip_blanks(stop, end);
  stop = token_end(p, end);
  parse_query(p, stop);
  row_lengths_.push_back(0);
  std::size_t previous = 0;
  for (p = skip_blanks(stop, end); p < end; p = skip_blanks(stop, end)) {
    stop = token_end(p, end);
    parse_feature(p, stop, previous);
  }
  row_lengths_.back() = previous;
  features_ = std::max(features_, previous);
}

void LetorParser::parse_grade(const char* begin, const char* end) {
  double value = 0;
  if (!parse_number(begin, end, value)) {
    fail("the line does not start with a grade", begin, end,
         "Start each line with a whole number >= 0, such as `2 qid:1 1:0.5`.");
  }
  if (value < 0 || value != std::floor(value)) {
    fail("a grade must be a whole number >= 0", begin, end,
         "Recode the grades as 0, 1, 2, ...; 0 means not relevant.");
  }
  if (value > kMaxGrade) {
    fail("a grade is larger than 30", begin, end,
         "Recode the grades as 0, 1, 2, ...; the gain of a grade is 2^grade - 1.");
  }
  grades_.push_back(static_cast<int>(value));
}

void LetorParser::parse_query(const char* begin, const char* end) {
  const bool has_prefix = end - begin >= 4 && std::equal(kPrefix, kPrefix + 4, begin);
  if (!has_prefix || end - begin == 4) {
    fail("`qid:` with the id of the query must follow the grade", begin, end,
         "Write each line as `grade qid:ID feature:value ...`.");
  }
  if (std::any_of(begin, end, is_control)) {
    fail("the id of the query has an unprintable character", begin, end,
         "Is this a text file?");
  }
  std::string id(begin + 4, end);
  const auto entry = query_index_.emplace(id, static_cast<int>(query_ids_.size()));
  if (entry.second) {
    query_ids_.push_back(std::move(id));
  }
  queries_.push_back(entry.first->second);
}

void LetorParser::parse_feature(const char* begin, const char* end,
                                std::size_t& previous) {
  const char* colon = std::find(begin, end, ':');
  std::size_t index = 0;
  if (colon == end || !parse_whole(begin, colon, index)) {
    fail("a feature must be written `index:value`", begin, end,
         "The index is a whole number >= 1; put comments after `#`.");
  }
  if (index == 0) {
    fail("a feature index is 0", begin, end, "Number the features from 1.");
  }
  if (index > kMaxFeatureIndex) {
    fail("a feature index is larger than 100000", begin, end,
         "Renumber the features without gaps.");
  }
  if (index <= previous) {
    fail("feature indexes must increase along the line", begin, end,
         "Sort the features of the line by index and give each one once.");
  }
  double value = 0;
  if (is_missing(colon + 1, end)) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (!parse_number(colon + 1, end, value) || !std::isfinite(value)) {
    fail("the value of a feature is not a finite number", begin, end,
         "Write a decimal number, or `NULL` where the value is missing.");
  }
  for (std::size_t skipped = previous + 1; skipped < index; ++skipped) {
    push_value(0.0);
  }
  push_value(value);
  previous = index;
}

void LetorParser::push_value(double value) {
  if (values_.empty() || values_.back().size() == kValueBlock) {
    values_.emplace_back();
    values_.back().reserve(kValueBlock);
  }
  values_.back().push_back(value);
}

void LetorParser::release_features(MatrixView<double> out) {
  std::size_t block = 0;
  std::size_t pos = 0;
  for (std::size_t row = 0; row < row_lengths_.size(); ++row) {
    for (std::size_t f = 0; f < row_lengths_[row]; ++f) {
      if (pos == kValueBlock) {
        std::vector<double>().swap(values_[block]);
        ++block;
        pos = 0;
      }
      out(row, f) = values_[block][pos++];
    }
  }
  values_.clear();
  row_lengths_.clear();
}

}  // namespace rankmix::data
