// Pieces that all parsers of text share: lines, blanks, numbers, errors.
#pragma once
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>

namespace rankmix::data {

class TextError : public std::runtime_error {
 public:
  TextError(std::size_t at_line, const std::string& problem, const std::string& text,
            const std::string& what_to_do)
      : std::runtime_error(problem), line(at_line), found(text), remedy(what_to_do) {}
  std::size_t line;    // from 1
  std::string found;   // the offending piece of text, shortened
  std::string remedy;  // what to do
};

// Throws a TextError that shows [begin, end).
[[noreturn]] void throw_text_error(std::size_t line, const std::string& problem,
                                   const char* begin, const char* end,
                                   const std::string& remedy);

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline const char* skip_blanks(const char* p, const char* end) {
  while (p < end && is_blank(*p)) {
    ++p;
  }
  return p;
}

inline const char* token_end(const char* p, const char* end) {
  while (p < end && !is_blank(*p)) {
    ++p;
  }
  return p;
}

// Parses a number exactly as strtod() does; false unless the whole text is one.
bool parse_number(const char* begin, const char* end, double& value);

// Cuts text that comes in pieces of any size into lines, for a parser with
// parse_line(begin, end, number of the line from 1). A byte-order mark at the beginning
// is dropped.
class LineReader {
 public:
  template <class Parser>
  void feed(const char* text, std::size_t size, Parser& parser) {
    const char* end = text + size;
    while (text < end) {
      const char* eol = static_cast<const char*>(
          std::memchr(text, '\n', static_cast<std::size_t>(end - text)));
      if (eol == nullptr) {
        carry_.append(text, end);
        return;
      }
      if (carry_.empty()) {
        pass(text, eol, parser);
      } else {
        carry_.append(text, eol);
        pass(carry_.data(), carry_.data() + carry_.size(), parser);
        carry_.clear();
      }
      text = eol + 1;
    }
  }
  // The last line may lack an end-of-line mark.
  template <class Parser>
  void finish(Parser& parser) {
    if (!carry_.empty()) {
      pass(carry_.data(), carry_.data() + carry_.size(), parser);
      carry_.clear();
    }
  }

 private:
  template <class Parser>
  void pass(const char* begin, const char* end, Parser& parser) {
    ++line_;
    parser.parse_line(line_ == 1 ? skip_mark(begin, end) : begin, end, line_);
  }
  // Some editors put a mark in front of UTF-8 text.
  static const char* skip_mark(const char* begin, const char* end) {
    const bool marked = end - begin >= 3 && std::memcmp(begin, "\xEF\xBB\xBF", 3) == 0;
    return marked ? begin + 3 : begin;
  }

  std::size_t line_ = 0;
  std::string carry_;  // the beginning of a line whose end has not come yet
};

}  // namespace rankmix::data
