// Functions that all text parsers share: blanks, numbers, errors and lines.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace rankmix::data {

class TextError : public std::runtime_error {
 public:
  TextError(std::size_t at_line, const std::string& problem, const std::string& text,
            const std::string& what_to_do)
      : std::runtime_error(problem), line(at_line), found(text), remedy(what_to_do) {}
  std::size_t line;    // from 1
  std::string found;   // the wrong text, shortened
  std::string remedy;  // how to correct the text
};

// The text differed between the first and the second reading.
class TextChanged : public std::runtime_error {
 public:
  TextChanged() : std::runtime_error("the text changed while it was read") {}
};

// Throws a TextError that shows the text [begin, end).
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

// The powers of ten that doubles represent exactly.
inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// How a parser detects the end of a text. kChecked: it compares with `end`. kMarked: *end
// is readable and is not part of a number, such as an end-of-line mark. kMarked is
// faster.
enum class TextEnd { kChecked, kMarked };

// Parses a number in plain digits at p and moves p past it. Returns false if there is no
// such number, or if the result might not be rounded exactly.
//
// Clinger's fast path (1990, doi:10.1145/93542.93557): a decimal mantissa below 2^53 and
// a power of ten up to 10^22 are exact doubles. So a single division rounds only once.
template <TextEnd kEnd>
inline bool scan_number(const char*& p, const char* end, double& value) {
  constexpr std::ptrdiff_t safe_digits = 18;  // cannot overflow 64 bits
  auto more = [end](const char* q) { return kEnd == TextEnd::kMarked || q < end; };
  auto digit = [](const char* q) { return static_cast<unsigned>(*q) - unsigned{'0'}; };
  const char* q = p;
  const bool negative = more(q) && *q == '-';
  if (negative || (more(q) && *q == '+')) {
    ++q;
  }
  const char* digits = q;
  std::uint64_t mantissa = 0;
  for (; more(q) && digit(q) < 10; ++q) {
    mantissa = mantissa * 10 + digit(q);
  }
  std::ptrdiff_t length = q - digits;
  std::ptrdiff_t decimals = 0;
  if (more(q) && *q == '.') {
    const char* point = q;
    for (++q; more(q) && digit(q) < 10; ++q) {
      mantissa = mantissa * 10 + digit(q);
    }
    decimals = q - point - 1;
    length += decimals;
  }
  if (length == 0 || length > safe_digits || mantissa >= (std::uint64_t{1} << 53)) {
    return false;
  }
  const double whole = static_cast<double>(mantissa);
  const double magnitude = decimals == 0 ? whole : whole / kPowersOfTen[decimals];
  value = negative ? -magnitude : magnitude;
  p = q;
  return true;
}

// Parses a number with the same result as strtod(). Returns false unless the whole text
// is a number.
bool parse_number(const char* begin, const char* end, double& value);

// Appends the shortest text that parse_number() reads as the same double.
void append_number(std::string& text, double value);

// Appends the same digits without an exponent: "100000000000000000000", not "1e+20".
// Different doubles give different texts, except that -0 is written as 0.
void append_plain_number(std::string& text, double value);

// Appends a finite number with 17 significant digits, as the format %.17g in the C
// locale.
void append_exact_number(std::string& text, double value);

// Part of a text with whole lines. Each line, also the last one, ends in an end-of-line
// mark.
struct TextPiece {
  const char* begin = nullptr;
  const char* end = nullptr;
};
using TextBatch = std::vector<TextPiece>;

// A hash of a piece. Two different pieces have the same hash with a probability of about
// 2^-64.
std::uint64_t piece_digest(const TextPiece& piece);

// A source of text in batches of pieces. The pieces of a batch can be parsed in parallel.
// The host implements sources for files.
class TextSource {
 public:
  virtual ~TextSource() = default;
  // The next batch, or an empty batch at the end. The pieces are valid until the next
  // call.
  virtual const TextBatch& next() = 0;
  // Returns to the beginning of the text.
  virtual void rewind() = 0;
  // How much of the source was read, in units of its size; 0 if that is not known.
  virtual std::uint64_t position() const { return 0; }
};

// Calls parse(line_begin, line_end, line_number) for each line of a piece. `line` is the
// number of the first line, from 1. Returns the number of the line after the piece.
template <class Parse>
std::size_t for_each_line(const TextPiece& piece, std::size_t line, const Parse& parse) {
  for (const char* p = piece.begin; p < piece.end; ++line) {
    const char* eol = static_cast<const char*>(
        std::memchr(p, '\n', static_cast<std::size_t>(piece.end - p)));
    // Some editors write a byte-order mark at the start of UTF-8 text. The mark is
    // skipped.
    const bool marked =
        line == 1 && eol - p >= 3 && std::memcmp(p, "\xEF\xBB\xBF", 3) == 0;
    parse(marked ? p + 3 : p, eol, line);
    p = eol + 1;
  }
  return line;
}

// Throws a TextError if a carriage return stands within the line. Lines that end in CR
// alone are one line here, so that all but the first would be skipped as a comment, or as
// fields that are not read.
void check_no_return(const char* begin, const char* end, std::size_t line);

// Throws a TextError if a piece contains a NUL byte. `line` is the number of the first
// line. Returns the number of the line after the piece.
std::size_t check_no_nul(const TextPiece& piece, std::size_t line);

}  // namespace rankmix::data
