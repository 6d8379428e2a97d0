#include "core/data/text.h"

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <locale>
#include <sstream>
#include <system_error>

namespace rankmix::data {
namespace {

constexpr std::size_t kShown = 40;  // characters of the text that a message shows

// True if the text has only characters of numbers. strtod() also accepts "inf", "nan",
// hexadecimal numbers and leading blanks, which are not valid here. std::from_chars()
// accepts no "+" sign.
bool is_number_text(const char* begin, const char* end) {
  return begin < end && std::all_of(begin, end, [](char c) {
           return is_digit(c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
         });
}

std::string with_digits(double value, int digits) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out.precision(digits);
  out << value;
  return out.str();
}

// strtod() expects the decimal mark of the locale, which the program may have set to a
// comma. Returns true if the whole text is a number.
bool parse_with_point(std::string text, double& value) {
  const char* const mark = std::localeconv()->decimal_point;
  const std::size_t at = text.find('.');
  if (at != std::string::npos && std::strcmp(mark, ".") != 0) {
    text.replace(at, 1, mark);
  }
  char* stop = nullptr;
  value = std::strtod(text.c_str(), &stop);
  return stop == text.c_str() + text.size();
}

#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
bool parse_slowly(const char* begin, const char* end, double& value) {
  if (!is_number_text(begin, end)) {
    return false;
  }
  if (*begin == '+' && ++begin < end && (*begin == '+' || *begin == '-')) {
    return false;
  }
  const std::from_chars_result result = std::from_chars(begin, end, value);
  if (result.ptr != end) {
    return false;
  }
  // std::from_chars() returns no value beyond the range of doubles. strtod() returns 0
  // or infinity.
  if (result.ec == std::errc::result_out_of_range) {
    return parse_with_point(std::string(begin, end), value);
  }
  return result.ec == std::errc();
}

void append_shortest(std::string& text, double value) {
  char buffer[32];
  const std::to_chars_result result =
      std::to_chars(buffer, buffer + sizeof buffer, value);
  text.append(buffer, result.ptr);
}
#else
bool parse_slowly(const char* begin, const char* end, double& value) {
  if (!is_number_text(begin, end)) {
    return false;
  }
  return parse_with_point(std::string(begin, end), value);
}

void append_shortest(std::string& text, double value) {
  for (int digits = 15; digits <= 17; ++digits) {
    const std::string number = with_digits(value, digits);
    double back = 0.0;
    if (digits == 17 || (parse_with_point(number, back) && back == value)) {
      text += number;
      return;
    }
  }
}
#endif

}  // namespace

bool parse_number(const char* begin, const char* end, double& value) {
  const char* p = begin;
  return (scan_number<TextEnd::kChecked>(p, end, value) && p == end) ||
         parse_slowly(begin, end, value);
}

void append_number(std::string& text, double value) {
  // Most numbers are counts or grades, so whole numbers have a fast path.
  if (value == std::floor(value) && std::abs(value) < 1e15 &&
      !(value == 0.0 && std::signbit(value))) {
    text += std::to_string(static_cast<long long>(value));
    return;
  }
  append_shortest(text, value);
}

void append_plain_number(std::string& text, double value) {
  std::string number;
  append_number(number, value == 0.0 ? 0.0 : value);
  const std::size_t mark = number.find('e');
  if (mark == std::string::npos) {
    text += number;
    return;
  }
  const int exponent = std::stoi(number.substr(mark + 1));
  const std::size_t first = number[0] == '-' ? 1 : 0;
  std::string digits(1, number[first]);
  if (mark > first + 2) {
    digits.append(number, first + 2, mark - first - 2);  // digits after the point
  }
  text.append(number, 0, first);
  if (exponent < 0) {
    text += "0.";
    text.append(static_cast<std::size_t>(-exponent - 1), '0');
    text += digits;
    return;
  }
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) {
    digits.append(whole - digits.size(), '0');
  } else {
    digits.insert(whole, ".");
  }
  text += digits;
}

void append_exact_number(std::string& text, double value) {
  text += with_digits(value, 17);
}

void throw_text_error(std::size_t line, const std::string& problem, const char* begin,
                      const char* end, const std::string& remedy) {
  const char* stop = std::min(end, begin + kShown);
  // Does not cut a UTF-8 character, which has at most 4 bytes. Bytes 10xxxxxx continue a
  // character.
  for (int i = 0; i < 3 && stop < end && stop > begin && (*stop & 0xC0) == 0x80; ++i) {
    --stop;
  }
  std::string found(begin, stop);
  if (end - begin > static_cast<std::ptrdiff_t>(kShown)) {
    found += "...";
  }
  // Control characters and NUL bytes would garble the message.
  std::replace_if(found.begin(), found.end(), is_control, '?');
  throw TextError(line, problem, found, remedy);
}

std::uint64_t piece_digest(const TextPiece& piece) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;  // any odd number
  auto add = [](std::uint64_t digest, std::uint64_t word) {
    digest = (digest ^ word) * kFactor;
    return digest ^ (digest >> 29);
  };
  const auto size = static_cast<std::size_t>(piece.end - piece.begin);
  std::uint64_t digest = add(kFactor, size);
  const char* p = piece.begin;
  for (; piece.end - p >= 8; p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    digest = add(digest, word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, p, static_cast<std::size_t>(piece.end - p));
  return add(digest, rest);
}

void check_no_return(const char* begin, const char* end, std::size_t line) {
  while (end > begin && is_blank(end[-1])) {
    --end;
  }
  const void* found = std::memchr(begin, '\r', static_cast<std::size_t>(end - begin));
  if (found != nullptr) {
    throw_text_error(line, "a carriage return is within the line",
                     static_cast<const char*>(found) + 1, end,
                     "Convert the ends of lines, such as by `dos2unix -c mac`.");
  }
}

std::size_t check_no_nul(const TextPiece& piece, std::size_t line) {
  const auto size = static_cast<std::size_t>(piece.end - piece.begin);
  const void* found = std::memchr(piece.begin, 0, size);
  if (found == nullptr) {
    return line + static_cast<std::size_t>(std::count(piece.begin, piece.end, '\n'));
  }
  const char* nul = static_cast<const char*>(found);
  line += static_cast<std::size_t>(std::count(piece.begin, nul, '\n'));
  throw_text_error(line, "the line holds a NUL byte", nul, nul + 1,
                   "Is this a text file?");
}

}  // namespace rankmix::data
