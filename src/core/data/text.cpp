#include "core/data/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <locale>
#include <sstream>
#include <system_error>

namespace rankmix::data {
namespace {

constexpr std::size_t kShown = 40;  // characters of an offending text in a message

// What a number of ours is written with; strtod also takes "inf", "nan", hexadecimal and
// leading blanks, from_chars no sign "+".
bool is_number_text(const char* begin, const char* end) {
  return begin < end && std::all_of(begin, end, [](char c) {
           return is_digit(c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
         });
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
  // Beyond the range of doubles from_chars gives no value: what strtod() gives.
  if (result.ec == std::errc::result_out_of_range) {
    value = std::strtod(std::string(begin, end).c_str(), nullptr);
    return true;
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
  const std::string text(begin, end);
  char* stop = nullptr;
  value = std::strtod(text.c_str(), &stop);
  return stop == text.c_str() + text.size();
}

void append_shortest(std::string& text, double value) {
  for (int digits = 15; digits <= 17; ++digits) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(digits);
    out << value;
    if (digits == 17 || std::strtod(out.str().c_str(), nullptr) == value) {
      text += out.str();
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
  // Counts and grades are most of the numbers there are.
  if (value == std::floor(value) && std::abs(value) < 1e15 &&
      !(value == 0.0 && std::signbit(value))) {
    text += std::to_string(static_cast<long long>(value));
    return;
  }
  append_shortest(text, value);
}

void throw_text_error(std::size_t line, const std::string& problem, const char* begin,
                      const char* end, const std::string& remedy) {
  std::string found(begin, std::min(end, begin + kShown));
  if (end - begin > static_cast<std::ptrdiff_t>(kShown)) {
    found += "...";
  }
  // Control and NUL bytes would garble the message.
  std::replace_if(found.begin(), found.end(), is_control, '?');
  throw TextError(line, problem, found, remedy);
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
