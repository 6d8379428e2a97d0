// Parses text in which all lines have the same fields, separated by blanks: rankings and
// judgements of TREC, files of scores.
//
// A format has one letter for each field: 's' a string, 'd' a number, 'i' a whole number,
// 'q' a string after "qid:", 'c' the first word of the comment after "#" (for "docid = X"
// it is X), '-' a field that is skipped. A final '*' skips the rest of the line. Several
// formats are separated by '|'; the first format that fits the first line is used for the
// whole text.
//
// Numbers may be infinite, whole numbers may not. Empty lines and lines that start with
// "#" are skipped; trec_eval treats the latter as comments. Lines may end in CR LF.
// Numbers are rounded exactly as by strtod(). If a line does not fit, read() throws
// TextError for the first such line.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/base/host.h"
#include "core/data/text.h"

namespace rankmix::data {

class FieldParser {
 public:
  // `usage` describes a correct line; error messages show it.
  FieldParser(std::string formats, std::string usage);

  void read(TextSource& source, Host& host);

  // The format that was selected. Valid after read().
  const std::string& format() const { return format_; }
  std::size_t rows() const { return line_of_row_.size(); }
  // The line number of each row, from 1.
  const std::vector<std::size_t>& line_of_row() const { return line_of_row_; }
  // The column of a field: strings for the letters 's', 'q' and 'c', numbers for 'd' and
  // 'i'. Empty for other letters.
  const std::vector<std::string>& strings(std::size_t field) const {
    return strings_[field];
  }
  const std::vector<double>& numbers(std::size_t field) const { return numbers_[field]; }

 private:
  void choose_format(const char* begin, const char* end);
  void parse_line(const char* begin, const char* end, std::size_t line);
  const char* parse_comment(std::size_t field, const char* begin, const char* end,
                            std::size_t line);
  void parse_field(std::size_t field, const char* begin, const char* end,
                   std::size_t line);

  std::string formats_;
  std::string format_;  // empty until it is selected
  std::string usage_;
  std::vector<std::vector<std::string>> strings_;
  std::vector<std::vector<double>> numbers_;
  std::vector<std::size_t> line_of_row_;
};

}  // namespace rankmix::data
