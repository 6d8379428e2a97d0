#include "core/data/letor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/errors.h"

namespace rankmix::data {
namespace {

constexpr int kMaxGrade = 30;  // gains 2^grade - 1 stay exact
constexpr char kPrefix[] = "qid:";
constexpr char kDocument[] = "docid";

// Rows are parsed into a buffer that the cache holds and copied into the columns from
// there, many at a time: writing row by row would touch a page for each feature.
constexpr std::size_t kBufferRows = 64;
constexpr std::size_t kBufferValues = std::size_t{1} << 14;

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

// Where the comment of a line begins, or its end.
const char* find_comment(const char* begin, const char* end) {
  const void* at = std::memchr(begin, '#', static_cast<std::size_t>(end - begin));
  return at == nullptr ? end : static_cast<const char*>(at);
}

// The index of the last feature of a line without its comment; 0 where there is none.
std::size_t last_index(const char* begin, const char* end) {
  while (end > begin && is_blank(end[-1])) {
    --end;
  }
  const char* token = end;
  while (token > begin && !is_blank(token[-1])) {
    --token;
  }
  std::size_t index = 0;
  const char* colon = std::find(token, end, ':');
  const bool good = colon != end && parse_whole(token, colon, index);
  return good && index <= kMaxFeatureIndex ? index : 0;
}

// "index:value" as nearly all are written: digits, a colon, a plain number, and a blank
// or the end, where a mark stands. Moves p behind it and says true; otherwise nothing is
// changed.
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

}  // namespace

// Parses one piece into its rows of the matrix.
class LetorReader::PieceParser {
 public:
  struct Run {
    std::string id;
    std::size_t rows;
  };

  PieceParser(MatrixView<double> x, double missing, View<int> grades,
              std::size_t first_row, std::size_t rows)
      : x_(x),
        missing_(missing),
        grades_(grades),
        row_(first_row),
        end_row_(first_row + rows),
        flushed_(first_row),
        buffer_rows_(std::max<std::size_t>(
            1,
            std::min(kBufferRows, kBufferValues / std::max<std::size_t>(1, x.cols())))) {}

  // Keeps what is thrown, so that the first error of a batch can be told.
  void run(const TextPiece& piece, std::size_t line) {
    try {
      buffer_.assign(buffer_rows_ * x_.cols(), 0.0);
      for_each_line(piece, line,
                    [this](const char* begin, const char* end, std::size_t at) {
                      parse_line(begin, end, at);
                    });
      flush();
      if (row_ != end_row_) {
        throw InvalidArgument("the text changed while it was read");
      }
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  const std::exception_ptr& failure() const { return failure_; }
  const std::vector<Run>& runs() const { return runs_; }
  // Row, from the first of the piece, and id.
  std::vector<std::pair<std::size_t, std::string>>& documents() { return documents_; }

 private:
  [[noreturn]] void fail(const std::string& problem, const char* begin, const char* end,
                         const std::string& remedy) const {
    throw_text_error(line_, problem, begin, end, remedy);
  }

  void parse_line(const char* begin, const char* end, std::size_t line) {
    line_ = line;
    const char* comment = find_comment(begin, end);
    const char* p = skip_blanks(begin, comment);
    if (p == comment) {
      return;  // an empty line, or nothing but a comment
    }
    if (row_ == end_row_) {
      throw InvalidArgument("the text changed while it was read");
    }
    const char* stop = token_end(p, comment);
    parse_grade(p, stop);
    p = skip_blanks(stop, comment);
    stop = token_end(p, comment);
    parse_query(p, stop);
    parse_features(stop, comment);
    if (comment != end) {
      parse_comment(comment, end);
    }
    ++row_;
    if (row_ - flushed_ == buffer_rows_) {
      flush();
    }
  }

  void parse_features(const char* p, const char* end) {
    double* values = buffer_.data() + (row_ - flushed_) * x_.cols();
    std::size_t previous = 0;
    for (p = skip_blanks(p, end); p < end; p = skip_blanks(p, end)) {
      const char* begin = p;
      std::size_t index = 0;
      double value = 0.0;
      if (!parse_plain_feature(p, end, index, value)) {
        p = token_end(begin, end);
        parse_feature(begin, p, index, value);
      }
      if (index <= previous || index > kMaxFeatureIndex) {
        fail_index(index, begin, p);
      }
      // Beyond the matrix only where the line does not parse to its end.
      if (index <= x_.cols()) {
        values[index - 1] = value;
      }
      previous = index;
    }
    if (previous > x_.cols()) {
      throw InvalidArgument("the text changed while it was read");
    }
  }

  // Any feature, and what is wrong with it.
  void parse_feature(const char* begin, const char* end, std::size_t& index,
                     double& value) const {
    const char* colon = std::find(begin, end, ':');
    if (colon == end || !parse_whole(begin, colon, index)) {
      fail("a feature must be written `index:value`", begin, end,
           "The index is a whole number >= 1; put comments after `#`.");
    }
    if (is_missing(colon + 1, end)) {
      value = missing_;
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
    if (index > kMaxFeatureIndex) {
      fail("a feature index is larger than 100000", begin, end,
           "Renumber the features without gaps.");
    }
    fail("feature indexes must increase along the line", begin, end,
         "Sort the features of the line by index and give each one once.");
  }

  void parse_grade(const char* begin, const char* end) {
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
    grades_[row_] = static_cast<int>(value);
  }

  void parse_query(const char* begin, const char* end) {
    const bool has_prefix = end - begin >= 4 && std::equal(kPrefix, kPrefix + 4, begin);
    if (!has_prefix || end - begin == 4) {
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

  // Copies the rows of the buffer into the columns.
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
  double missing_;
  View<int> grades_;
  std::size_t row_;
  std::size_t end_row_;
  std::size_t flushed_;  // rows before it are in the matrix
  std::size_t buffer_rows_;
  std::size_t line_ = 0;
  std::vector<double> buffer_;
  std::vector<Run> runs_;
  std::vector<std::pair<std::size_t, std::string>> documents_;
  std::exception_ptr failure_;
};

LetorReader::PieceSize LetorReader::measure(const TextPiece& piece, std::size_t line) {
  PieceSize size;
  const std::size_t next = for_each_line(
      piece, line, [&size](const char* begin, const char* end, std::size_t) {
        const char* comment = find_comment(begin, end);
        if (skip_blanks(begin, comment) == comment) {
          return;
        }
        ++size.rows;
        size.features = std::max(size.features, last_index(begin, comment));
      });
  size.lines = next - line;
  return size;
}

void LetorReader::count(TextSource& source) {
  const std::size_t file = sizes_.size();
  for (const TextBatch* batch = &source.next(); !batch->empty(); batch = &source.next()) {
    host_.checkpoint();
    const std::size_t first = sizes_.size();
    sizes_.resize(first + batch->size());
    host_.parallel_for(batch->size(), [&](std::size_t i) {
      // Only the first line of a file may have a mark in front.
      sizes_[first + i] = measure((*batch)[i], first + i == file ? 1 : 2);
    });
  }
  for (std::size_t i = file; i < sizes_.size(); ++i) {
    rows_ += sizes_[i].rows;
    features_ = std::max(features_, sizes_[i].features);
  }
}

void LetorReader::read(TextSource& source, MatrixView<double> x, double missing,
                       View<int> grades, View<int> queries) {
  std::size_t line = 1;
  for (const TextBatch* batch = &source.next(); !batch->empty(); batch = &source.next()) {
    host_.checkpoint();
    if (piece_ + batch->size() > sizes_.size()) {
      throw InvalidArgument("the text changed while it was read");
    }
    std::vector<PieceParser> parsers;
    std::vector<std::size_t> lines;
    for (std::size_t i = 0; i < batch->size(); ++i, ++piece_) {
      parsers.emplace_back(x, missing, grades, row_, sizes_[piece_].rows);
      lines.push_back(line);
      row_ += sizes_[piece_].rows;
      line += sizes_[piece_].lines;
    }
    host_.parallel_for(batch->size(),
                       [&](std::size_t i) { parsers[i].run((*batch)[i], lines[i]); });
    for (PieceParser& parser : parsers) {
      if (parser.failure()) {
        std::rethrow_exception(parser.failure());
      }
      take_queries(parser, queries);
      take_documents(parser);
    }
  }
}

void LetorReader::take_queries(const PieceParser& parser, View<int> queries) {
  for (const PieceParser::Run& run : parser.runs()) {
    const auto entry = query_index_.emplace(run.id, static_cast<int>(query_ids_.size()));
    const int query = entry.first->second;
    if (entry.second) {
      query_ids_.push_back(run.id);
      apart_.push_back(false);
    } else if (query != last_query_ && !apart_[static_cast<std::size_t>(query)]) {
      apart_[static_cast<std::size_t>(query)] = true;
      ++scattered_;
    }
    std::fill_n(queries.data() + filled_, run.rows, query);
    filled_ += run.rows;
    last_query_ = query;
  }
}

void LetorReader::take_documents(PieceParser& parser) {
  for (std::pair<std::size_t, std::string>& document : parser.documents()) {
    documents_.resize(document.first);
    documents_.push_back(std::move(document.second));
  }
}

}  // namespace rankmix::data
