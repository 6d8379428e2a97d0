#include "core/data/letor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace rankmix::data {
namespace {

constexpr std::size_t kValueBlock = 1 << 17;
constexpr int kMaxGrade = 30;  // gains 2^grade - 1 stay exact

constexpr char kPrefix[] = "qid:";
constexpr char kDocument[] = "docid";

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

}  // namespace

void LetorParser::parse_line(const char* begin, const char* end, std::size_t line) {
  line_ = line;
  const char* comment = static_cast<const char*>(
      std::memchr(begin, '#', static_cast<std::size_t>(end - begin)));
  const char* line_end = end;
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
  parse_comment(end, line_end);
}

void LetorParser::fail(const std::string& problem, const char* begin, const char* end,
                       const std::string& remedy) const {
  throw_text_error(line_, problem, begin, end, remedy);
}

void LetorParser::parse_comment(const char* begin, const char* end) {
  const char* const word_end = kDocument + sizeof kDocument - 1;
  for (const char* at = std::search(begin, end, kDocument, word_end); at != end;
       at = std::search(at + 1, end, kDocument, word_end)) {
    const char* sign = skip_blanks(at + sizeof kDocument - 1, end);
    const bool whole_word = is_blank(at[-1]) || at[-1] == '#';
    if (!whole_word || sign == end || *sign != '=') {
      continue;
    }
    const char* id = skip_blanks(sign + 1, end);
    const char* stop = token_end(id, end);
    if (std::any_of(id, stop, is_control)) {
      fail("the id of the document has an unprintable character", id, stop,
           "Is this a text file?");
    }
    documents_.resize(rows() - 1);
    documents_.emplace_back(id, stop);
    return;
  }
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
