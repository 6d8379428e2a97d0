#include "core/data/letor_write.h"

#include <cmath>

#include "core/data/text.h"

namespace rankmix::data {

void append_letor_line(std::string& text, MatrixView<const double> x, std::size_t i,
                       const LetorRow& row) {
  text += std::to_string(row.grade);
  text += " qid:";
  text += row.query;
  for (std::size_t f = 0; f < x.cols(); ++f) {
    text += ' ';
    text += std::to_string(f + 1);
    text += ':';
    const double value = x(i, f);
    if (std::isnan(value)) {
      text += "NULL";
    } else {
      append_number(text, value);
    }
  }
  if (row.document != nullptr) {
    text += " #docid = ";
    text += row.document;
  }
  text += '\n';
}

}  // namespace rankmix::data
