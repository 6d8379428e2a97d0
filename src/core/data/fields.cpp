#include "core/data/fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rankmix::data {
namespace {

// "inf" or "infinity" in any case, with a sign or without.
bool parse_infinity(const char* begin, const char* end, double& value) {
  std::string text(begin, end);
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const bool negative = text[0] == '-';
  if (negative || text[0] == '+') {
    text.erase(0, 1);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  value = negative ? -infinity : infinity;
  return text == "inf" || text == "infinity";
}

}  // namespace

FieldParser::FieldParser(std::string format, std::string usage)
    : format_(std::move(format)),
      usage_(std::move(usage)),
      strings_(format_.size()),
      numbers_(format_.size()) {}

void FieldParser::read(TextSource& source) {
  std::size_t line = 1;
  for (const TextBatch* batch = &source.next(); !batch->empty(); batch = &source.next()) {
    for (const TextPiece& piece : *batch) {
      line = for_each_line(piece, line,
                           [this](const char* begin, const char* end, std::size_t at) {
                             parse_line(begin, end, at);
                           });
    }
  }
}

void FieldParser::parse_line(const char* begin, const char* end, std::size_t line) {
  const char* p = skip_blanks(begin, end);
  if (p == end) {
    return;
  }
  for (std::size_t field = 0; field < format_.size(); ++field) {
    const char* stop = token_end(p, end);
    if (p == stop) {
      throw_text_error(line, "the line has too few fields", begin, end, usage_);
    }
    parse_field(field, p, stop, line);
    p = skip_blanks(stop, end);
  }
  if (p != end) {
    throw_text_error(line, "the line has too many fields", p, end, usage_);
  }
  line_of_row_.push_back(line);
}

void FieldParser::parse_field(std::size_t field, const char* begin, const char* end,
                              std::size_t line) {
  const char kind = format_[field];
  if (kind == 's') {
    if (std::any_of(begin, end, is_control)) {
      throw_text_error(line, "a field has an unprintable character", begin, end, usage_);
    }
    strings_[field].emplace_back(begin, end);
    return;
  }
  if (kind == '-') {
    return;
  }
  double value = 0.0;
  if (!parse_number(begin, end, value) && !parse_infinity(begin, end, value)) {
    throw_text_error(line, "a field is not a number", begin, end, usage_);
  }
  if (kind == 'i' && !(std::isfinite(value) && value == std::floor(value))) {
    throw_text_error(line, "a field is not a whole number", begin, end, usage_);
  }
  numbers_[field].push_back(value);
}

}  // namespace rankmix::data
