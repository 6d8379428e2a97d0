// Reads LETOR text: "grade qid:ID feature:value ... # comment", one document a line;
// a comment may give the id of the document as "docid = X".
//
// Text is pushed in pieces of any size, so that the caller may read a plain file, a
// decompressor or a socket. Features that a line leaves out are 0, "NULL", "NA" and "NaN"
// are missing. Numbers round exactly as strtod() rounds them. The first line that does
// not parse throws TextError, and nothing of the text is handed out.
#pragma once
#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/views.h"
#include "core/data/text.h"

namespace rankmix::data {

// A dense matrix with more features would not fit in memory; such an index is a typing
// error more often than data.
constexpr std::size_t kMaxFeatureIndex = 100000;

class LetorParser {
 public:
  // Takes the next piece of text.
  void feed(const char* text, std::size_t size) { lines_.feed(text, size, *this); }
  // Takes the last line if it has no end-of-line mark.
  void finish() { lines_.finish(*this); }

  std::size_t rows() const { return grades_.size(); }
  std::size_t features() const { return features_; }
  const std::vector<int>& grades() const { return grades_; }
  // For each row the position of its query in query_ids().
  const std::vector<int>& queries() const { return queries_; }
  const std::vector<std::string>& query_ids() const { return query_ids_; }
  // The ids in comments "#docid = X" of the first rows; empty text where a row has none,
  // and nothing for the rows after the last one that has.
  const std::vector<std::string>& documents() const { return documents_; }
  // Copies the features into a matrix of rows() x at least features() zeros, and frees
  // them here block by block.
  void release_features(MatrixView<double> out);

  // One line without its end; called by LineReader.
  void parse_line(const char* begin, const char* end, std::size_t line);

 private:
  void parse_comment(const char* begin, const char* end);
  void parse_grade(const char* begin, const char* end);
  void parse_query(const char* begin, const char* end);
  void parse_feature(const char* begin, const char* end, std::size_t& previous);
  void push_value(double value);
  [[noreturn]] void fail(const std::string& problem, const char* begin, const char* end,
                         const std::string& remedy) const;

  LineReader lines_;
  std::size_t line_ = 0;
  std::size_t features_ = 0;
  std::vector<int> grades_;
  std::vector<int> queries_;
  std::vector<std::string> query_ids_;
  std::vector<std::string> documents_;
  std::unordered_map<std::string, int> query_index_;
  // Values of all rows one after the other, up to each row's last feature, in blocks so
  // that growing never copies.
  std::vector<std::vector<double>> values_;
  std::vector<std::size_t> row_lengths_;
};

}  // namespace rankmix::data
