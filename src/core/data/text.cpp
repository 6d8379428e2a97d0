#include "core/data/text.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace rankmix::data {
namespace {

constexpr std::size_t kShown = 40;  // characters of an offending text in a message

// The powers of ten that are exact doubles.
constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool parse_with_strtod(const char* begin, const char* end, double& value) {
  const std::string text(begin, end);
  // strtod also takes "inf", "nan", hexadecimal and leading blanks; a number in our
  // texts has none of them.
  if (text.find_first_not_of("0123456789+-.eE") != std::string::npos) {
    return false;
  }
  char* stop = nullptr;
  value = std::strtod(text.c_str(), &stop);
  return !text.empty() && stop == text.c_str() + text.size();
}

}  // namespace

// Clinger's fast path (1990, doi:10.1145/93542.93557): a decimal mantissa below 2^53 and
// a power of ten up to 22 are both exact doubles, so one multiplication or division
// rounds once. Everything else goes to strtod().
bool parse_number(const char* begin, const char* end, double& value) {
  const char* p = begin;
  const bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) {
    ++p;
  }
  std::uint64_t mantissa = 0;
  int digits = 0;
  int decimals = 0;
  for (; p < end && is_digit(*p); ++p, ++digits) {
    mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
  }
  if (p < end && *p == '.') {
    for (++p; p < end && is_digit(*p); ++p, ++digits, ++decimals) {
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
    }
  }
  // 18 digits cannot overflow 64 bits, but the mantissa must also be exact as a double.
  const bool exact = p == end && digits > 0 && digits <= 18 && decimals <= 22 &&
                     mantissa < (std::uint64_t{1} << 53);
  if (!exact) {
    return parse_with_strtod(begin, end, value);
  }
  const double magnitude = static_cast<double>(mantissa) / kPowers[decimals];
  value = negative ? -magnitude : magnitude;
  return true;
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

}  // namespace rankmix::data
