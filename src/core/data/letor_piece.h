// The parser of one piece of LETOR text (see core/data/letor.h). For letor.cpp and
// letor_stream.cpp only.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/errors.h"
#include "core/base/views.h"
#include "core/data/letor.h"
#include "core/data/sparse.h"
#include "core/data/text.h"

namespace rankmix::data {

constexpr int kMaxGrade = 127;  // the largest grade of trec_eval
constexpr std::size_t kMaxWhole = std::numeric_limits<std::size_t>::max() / 16;
constexpr char kPrefix[] = "qid:";
constexpr char kDocument[] = "docid";

inline bool equals(const char* begin, const char* end, const char* word) {
  const std::size_t length = std::strlen(word);
  return static_cast<std::size_t>(end - begin) == length && std::equal(begin, end, word);
}

inline bool is_missing(const char* begin, const char* end) {
  return equals(begin, end, "NULL") || equals(begin, end, "NA") ||
         equals(begin, end, "NaN") || equals(begin, end, "nan");
}

// Parses a whole number without a sign. Returns false for anything else. Numbers above
// kMaxWhole become kMaxWhole, so the sum of digits cannot overflow.
inline bool parse_whole(const char* begin, const char* end, std::size_t& value) {
  if (begin == end || !std::all_of(begin, end, is_digit)) {
    return false;
  }
  value = 0;
  for (const char* p = begin; p < end; ++p) {
    if (value > kMaxWhole / 10) {
      value = kMaxWhole;
      return true;
    }
    value = value * 10 + static_cast<std::size_t>(*p - '0');
  }
  return true;
}

// The position of the "#" of a line, or the end of the line.
inline const char* find_comment(const char* begin, const char* end) {
  const void* at = std::memchr(begin, '#', static_cast<std::size_t>(end - begin));
  return at == nullptr ? end : static_cast<const char*>(at);
}

// Fast path for the usual form of "index:value": at most 9 digits, a colon, and a plain
// number followed by a blank or the end. *end must be readable (a "#" or an end-of-line
// mark). Moves p past the feature and returns true; otherwise p does not change.
inline bool parse_plain_feature(const char*& p, const char* end, std::size_t& index,
                                double& value) {
  const char* q = p;
  unsigned whole = 0;
  for (unsigned digit; (digit = static_cast<unsigned>(*q) - unsigned{'0'}) < 10; ++q) {
    whole = whole * 10 + digit;
  }
  if (q == p || q - p > 9 || *q != ':') {
    return false;
  }
  double number = 0.0;
  if (!scan_number<TextEnd::kMarked>(++q, end, number) || (q != end && !is_blank(*q))) {
    return false;
  }
  index = whole;
  value = number;
  p = q;
  return true;
}

inline bool has_prefix(const char* begin, const char* end) {
  return end - begin >= 4 && std::equal(kPrefix, kPrefix + 4, begin);
}

// The dense matrix as the target of a parser. Rows are first parsed into a row-major
// buffer that fits in the cache. flush() copies many rows at a time into the columns.
// Writing row by row would touch one memory page for each feature.
class DenseRows {
 public:
  DenseRows(MatrixView<double> x, std::size_t first_row)
      : x_(x),
        row_(first_row),
        flushed_(first_row),
        buffer_rows_(std::max<std::size_t>(
            1,
            std::min(kBufferRows, kBufferValues / std::max<std::size_t>(1, x.cols())))) {}

  void begin() { buffer_.assign(buffer_rows_ * x_.cols(), 0.0); }
  // `index` counts from 1. An index beyond the matrix can occur only in a line that fails
  // later, so it is ignored.
  void put(std::size_t index, double value) {
    if (index <= x_.cols()) {
      buffer_[(row_ - flushed_) * x_.cols() + index - 1] = value;
    }
  }
  void end_row() {
    ++row_;
    if (row_ - flushed_ == buffer_rows_) {
      flush();
    }
  }
  void end() { flush(); }
  std::size_t features() const { return x_.cols(); }

 private:
  static constexpr std::size_t kBufferRows = 64;
  static constexpr std::size_t kBufferValues = std::size_t{1} << 14;

  void flush() {
    const std::size_t rows = row_ - flushed_;
    for (std::size_t f = 0; f < x_.cols(); ++f) {
      double* column = x_.col(f) + flushed_;
      for (std::size_t i = 0; i < rows; ++i) {
        column[i] = buffer_[i * x_.cols() + f];
      }
    }
    std::fill(buffer_.begin(), buffer_.end(), 0.0);
    flushed_ = row_;
  }

  MatrixView<double> x_;
  std::size_t row_;
  std::size_t flushed_;  // rows before it are in the matrix
  std::size_t buffer_rows_;
  std::vector<double> buffer_;
};

// Sparse rows as the target of a parser. Only values that are not 0 are stored.
class SparseRows {
 public:
  explicit SparseRows(std::size_t features) : features_(features) {}

  void begin() { rows_ = {}; }
  void put(std::size_t index, double value) {
    if (value != 0.0) {
      rows_.features.push_back(static_cast<int>(index - 1));
      rows_.values.push_back(value);
    }
  }
  void end_row() { rows_.ends.push_back(rows_.values.size()); }
  void end() {}
  std::size_t features() const { return features_; }
  const CompressedRows& rows() const { return rows_; }

 private:
  std::size_t features_;
  CompressedRows rows_;
};

// Parses one piece of text. `Rows` is DenseRows or SparseRows.
template <class Rows>
class PieceParser {
 public:
  PieceParser(Rows rows, const LetorOptions& options, View<double> relevance,
              std::size_t first_row, std::size_t count, std::uint64_t digest)
      : rows_(std::move(rows)),
        options_(options),
        relevance_(relevance),
        row_(first_row),
        end_row_(first_row + count),
        digest_(digest) {}

  // Stores an exception instead of throwing it, so that the caller reports the first
  // error of a batch.
  void run(const TextPiece& piece, std::size_t line) {
    try {
      if (piece_digest(piece) != digest_) {
        throw TextChanged();
      }
      rows_.begin();
      for_each_line(piece, line,
                    [this](const char* begin, const char* end, std::size_t at) {
                      parse_line(begin, end, at);
                    });
      rows_.end();
      if (row_ != end_row_) {
        throw TextChanged();
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  const std::exception_ptr& failure() const { return failure_; }
  const Rows& rows() const { return rows_; }
  const std::vector<LetorRun>& runs() const { return runs_; }
  // Pairs of a row of the text and its document id.
  std::vector<std::pair<std::size_t, std::string>>& documents() { return documents_; }

 private:
  [[noreturn]] void fail(const std::string& problem, const char* begin, const char* end,
                         const std::string& remedy) const {
    throw_text_error(line_, problem, begin, end, remedy);
  }

  void parse_line(const char* begin, const char* end, std::size_t line) {
    line_ = line;
    check_no_return(begin, end, line);
    const char* comment = find_comment(begin, end);
    const char* p = skip_blanks(begin, comment);
    if (p == comment) {
      return;  // an empty line or a comment
    }
    if (row_ == end_row_) {
      throw TextChanged();
    }
    const char* stop = token_end(p, comment);
    parse_relevance(p, stop);
    if (options_.queries) {
      p = skip_blanks(stop, comment);
      stop = token_end(p, comment);
      parse_query(p, stop);
    }
    parse_features(stop, comment);
    if (comment != end) {
      parse_comment(comment, end);
    }
    ++row_;
    rows_.end_row();
  }

  void parse_features(const char* p, const char* end) {
    std::size_t previous = 0;
    for (p = skip_blanks(p, end); p < end; p = skip_blanks(p, end)) {
      const char* begin = p;
      std::size_t index = 0;
      double value = 0.0;
      if (!parse_plain_feature(p, end, index, value)) {
        p = token_end(begin, end);
        parse_feature(begin, p, index, value);
      }
      if (index <= previous || index > options_.max_index) {
        fail_index(index, begin, p);
      }
      rows_.put(index, value);
      previous = index;
    }
    if (previous > rows_.features()) {
      throw TextChanged();
    }
  }

  // The slow path for any feature. Throws a TextError that describes the problem.
  void parse_feature(const char* begin, const char* end, std::size_t& index,
                     double& value) const {
    const char* colon = std::find(begin, end, ':');
    if (!options_.queries && has_prefix(begin, end)) {
      fail("the line has a `qid:`, though the queries are given beside the text", begin,
           end, "Leave out `query`, or remove `qid:` from all lines.");
    }
    if (colon == end || !parse_whole(begin, colon, index)) {
      fail("a feature must be written `index:value`", begin, end,
           "The index is a whole number >= 1; put comments after `#`.");
    }
    if (is_missing(colon + 1, end)) {
      value = options_.missing;
    } else if (!parse_number(colon + 1, end, value) || !std::isfinite(value)) {
      fail("the value of a feature is not a finite number", begin, end,
           "Write a decimal number, or `NULL` where the value is missing.");
    }
  }

  [[noreturn]] void fail_index(std::size_t index, const char* begin,
                               const char* end) const {
    if (index == 0) {
      fail("a feature index is 0", begin, end, "Number the features from 1.");
    }
    if (index > options_.max_index) {
      fail("a feature index is larger than " + std::to_string(options_.max_index), begin,
           end,
           "Renumber the features from 1 without gaps; for hashed features, use the hash "
           "modulo " +
               std::to_string(options_.max_index) + " or less, plus 1.");
    }
    fail("feature indexes must increase along the line", begin, end,
         "Sort the features of the line by index and give each one once.");
  }

  void parse_relevance(const char* begin, const char* end) {
    double value = 0;
    if (!parse_number(begin, end, value)) {
      fail("the line does not start with a grade", begin, end,
           "Start each line with a whole number >= 0, such as `2 qid:1 1:0.5`.");
    }
    if (options_.graded) {
      check_grade(value, begin, end);
    } else if (!std::isfinite(value)) {
      fail("the relevance is not a finite number", begin, end, "Write a decimal number.");
    }
    relevance_[row_] = value;
  }

  void check_grade(double value, const char* begin, const char* end) const {
    if (!(value >= 0) || value != std::floor(value)) {
      fail("a grade must be a whole number >= 0", begin, end,
           "Recode the grades as 0, 1, 2, ...; 0 means not relevant. Or read any "
           "relevance, "
           "such as click rates: `graded = FALSE`.");
    }
    if (value > kMaxGrade) {
      fail("a grade is larger than 127", begin, end,
           "Recode the grades as 0, 1, 2, ...; the gain of a grade is 2^grade - 1. Or "
           "read "
           "any relevance: `graded = FALSE`.");
    }
  }

  void parse_query(const char* begin, const char* end) {
    if (!has_prefix(begin, end) || end - begin == 4) {
      fail("`qid:` with the id of the query must follow the grade", begin, end,
           "Write each line as `grade qid:ID feature:value ...`.");
    }
    if (std::any_of(begin, end, is_control)) {
      fail("the id of the query has an unprintable character", begin, end,
           "Is this a text file?");
    }
    begin += 4;
    const bool same = !runs_.empty() &&
                      runs_.back().id.size() == static_cast<std::size_t>(end - begin) &&
                      std::equal(begin, end, runs_.back().id.begin());
    if (same) {
      ++runs_.back().rows;
    } else {
      runs_.push_back({std::string(begin, end), 1});
    }
  }

  void parse_comment(const char* begin, const char* end) {
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
      documents_.emplace_back(row_, std::string(id, stop));
      return;
    }
  }

  Rows rows_;
  LetorOptions options_;
  View<double> relevance_;
  std::size_t row_;
  std::size_t end_row_;
  std::uint64_t digest_;  // digest of the piece at the first reading
  std::size_t line_ = 0;
  std::vector<LetorRun> runs_;
  std::vector<std::pair<std::size_t, std::string>> documents_;
  std::exception_ptr failure_;
};

}  // namespace rankmix::data
