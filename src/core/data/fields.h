// Reads text whose lines have the same few fields, separated by blanks: rankings and
// judgements of TREC, files of scores.
//
// `format` has a letter a field: 's' a string, 'd' a number, 'i' a whole number, 'q' a
// string after "qid:", 'c' the first word of the comment that follows (of "docid = X" the
// X), whatever stands before its "#", '-' a field that is skipped; a last '*' skips the
// rest of the line. Several formats are separated by '|': the first that fits the first
// line is that of the text. Numbers may be infinite, whole ones not. Empty lines are
// skipped, as are lines that begin with "#", which trec_eval takes for comments; lines
// may end in CR LF. Numbers round exactly as strtod() rounds them. The first line that
// does not fit throws TextError, and nothing of the text is handed out.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/data/text.h"

namespace rankmix::data {

class FieldParser {
 public:
  // `usage` is what a line looks like, for messages.
  FieldParser(std::string formats, std::string usage);

  void read(TextSource& source);

  // The format of the text, once it is read.
  const std::string& format() const { return format_; }
  std::size_t rows() const { return line_of_row_.size(); }
  // The line, from 1, of each row.
  const std::vector<std::size_t>& line_of_row() const { return line_of_row_; }
  // The column of a field; empty unless its letter is 's', or 'd' or 'i'.
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
  std::string format_;  // empty until it is chosen
  std::string usage_;
  std::vector<std::vector<std::string>> strings_;
  std::vector<std::vector<double>> numbers_;
  std::vector<std::size_t> line_of_row_;
};

}  // namespace rankmix::data
