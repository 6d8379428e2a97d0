// Reads LETOR text: "grade qid:ID feature:value ... # comment", one document a line.
//
// Text is pushed in pieces of any size, so that the caller may read a plain file, a
// decompressor or a socket. Features that a line leaves out are 0, "NULL", "NA" and "NaN"
// are missing. Numbers round exactly as strtod() rounds them. The first line that does
// not parse throws LetorError, and nothing of the text is handed out.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/views.h"

namespace rankmix::data {

// A dense matrix with more features would not fit in memory; such an index is a typing
// error more often than data.
constexpr std::size_t kMaxFeatureIndex = 100000;

class LetorError : public std::runtime_error {
 public:
  LetorError(std::size_t at_line, const std::string& problem, const std::string& text,
             const std::string& what_to_do)
      : std::runtime_error(problem), line(at_line), found(text), remedy(what_to_do) {}
  std::size_t line;    // from 1
  std::string found;   // the offending piece of text, shortened
  std::string remedy;  // what to do
};

class LetorParser {
 public:
  // Takes the next piece of text.
  void feed(const char* text, std::size_t size);
  // Takes the last line if it has no end-of-line mark.
  void finish();

  std::size_t rows() const { return grades_.size(); }
  std::size_t features() const { return features_; }
  const std::vector<int>& grades() const { return grades_; }
  // For each row the position of its query in query_ids().
  const std::vector<int>& queries() const { return queries_; }
  const std::vector<std::string>& query_ids() const { return query_ids_; }
  // Copies the features into a matrix of rows() x at least features() zeros, and frees
  // them here block by block.
  void release_features(MatrixView<double> out);

 private:
  void parse_line(const char* begin, const char* end);
  void parse_grade(const char* begin, const char* end);
  void parse_query(const char* begin, const char* end);
  void parse_feature(const char* begin, const char* end, std::size_t& previous);
  void push_value(double value);
  [[noreturn]] void fail(const std::string& problem, const char* begin, const char* end,
                         const std::string& remedy) const;

  std::size_t line_ = 0;
  std::size_t features_ = 0;
  std::string carry_;  // the beginning of a line whose end has not come yet
  std::vector<int> grades_;
  std::vector<int> queries_;
  std::vector<std::string> query_ids_;
  std::unordered_map<std::string, int> query_index_;
  // Values of all rows one after the other, up to each row's last feature, in blocks so
  // that growing never copies.
  std::vector<std::vector<double>> values_;
  std::vector<std::size_t> row_lengths_;
};

// Parses a number exactly as strtod() does; false unless the whole text is one.
bool parse_number(const char* begin, const char* end, double& value);

}  // namespace rankmix::data
