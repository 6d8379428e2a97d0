#include "core/data/fields.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rankmix::data {
namespace {

// Parses "inf" or "infinity" in upper or lower case, with or without a sign.
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

FieldParser::FieldParser(std::string formats, std::string usage)
    : formats_(std::move(formats)),
      usage_(std::move(usage)),
      strings_(formats_.size()),
      numbers_(formats_.size()) {}

void FieldParser::read(TextSource& source, Host& host) {
  std::size_t line = 1;
  for (const TextBatch* batch = &source.next(); !batch->empty(); batch = &source.next()) {
    for (const TextPiece& piece : *batch) {
      host.checkpoint();
      line = for_each_line(piece, line,
                           [this](const char* begin, const char* end, std::size_t at) {
                             parse_line(begin, end, at);
                           });
    }
  }
  if (format_.empty()) {
    format_ = formats_.substr(0, formats_.find('|'));  // a text without lines
  }
}

void FieldParser::parse_line(const char* begin, const char* end, std::size_t line) {
  check_no_return(begin, end, line);
  const char* p = skip_blanks(begin, end);
  if (p == end || *begin == '#') {
    return;
  }
  if (format_.empty()) {
    choose_format(begin, end);
  }
  for (std::size_t field = 0; field < format_.size(); ++field) {
    if (format_[field] == '*') {
      p = end;
      break;
    }
    if (format_[field] == 'c') {
      p = parse_comment(field, p, end, line);
      continue;
    }
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

// Selects the first format that fits the line. If no format fits, it selects the first
// one, whose error message is then shown.
void FieldParser::choose_format(const char* begin, const char* end) {
  const std::string first = formats_.substr(0, formats_.find('|'));
  for (std::size_t at = 0; at <= formats_.size();) {
    const std::size_t stop = std::min(formats_.find('|', at), formats_.size());
    const std::string format = formats_.substr(at, stop - at);
    at = stop + 1;
    FieldParser trial(format, usage_);
    trial.format_ = format;
    try {
      trial.parse_line(begin, end, 1);
      format_ = format;
      return;
    } catch (const TextError&) {
    }
  }
  format_ = first;
}

const char* FieldParser::parse_comment(std::size_t field, const char* begin,
                                       const char* end, std::size_t line) {
  const char* p = std::find(begin, end, '#');
  if (p == end) {
    throw_text_error(line, "the line has no `#` and no document", begin, end, usage_);
  }
  p = skip_blanks(p + 1, end);
  const char* stop = token_end(p, end);
  const std::string word(p, stop);
  const char* sign = skip_blanks(stop, end);
  if (word == "docid" && sign != end && *sign == '=') {
    p = skip_blanks(sign + 1, end);
    stop = token_end(p, end);
  }
  if (p == stop) {
    throw_text_error(line, "no document follows the `#`", begin, end, usage_);
  }
  if (std::any_of(p, stop, is_control)) {
    throw_text_error(line, "a field has an unprintable character", p, stop, usage_);
  }
  strings_[field].emplace_back(p, stop);
  return skip_blanks(stop, end);
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
  if (kind == 'q') {
    constexpr char prefix[] = "qid:";
    if (end - begin < 5 || !std::equal(prefix, prefix + 4, begin) ||
        std::any_of(begin, end, is_control)) {
      throw_text_error(line, "`qid:` with the id of the query must follow the grade",
                       begin, end, usage_);
    }
    strings_[field].emplace_back(begin + 4, end);
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
