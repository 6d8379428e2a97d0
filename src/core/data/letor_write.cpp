#include "core/data/letor_write.h"

#include <cmath>

#include "core/data/text.h"

namespace rankmix::data {
namespace {

void append_head(std::string& text, const LetorRow& row) {
  append_number(text, row.relevance);
  if (row.query != nullptr) {
    text += " qid:";
    text += row.query;
  }
}

void append_feature(std::string& text, std::size_t feature, double value) {
  text += ' ';
  text += std::to_string(feature + 1);
  text += ':';
  if (std::isnan(value)) {
    text += "NULL";
  } else {
    append_number(text, value);
  }
}

void append_tail(std::string& text, const LetorRow& row) {
  if (row.document != nullptr) {
    text += " #docid = ";
    text += row.document;
  }
  text += '\n';
}

}  // namespace

void append_letor_line(std::string& text, MatrixView<const double> x, std::size_t i,
                       const LetorRow& row) {
  append_head(text, row);
  for (std::size_t f = 0; f < x.cols(); ++f) {
    append_feature(text, f, x(i, f));
  }
  append_tail(text, row);
}

void append_letor_line(std::string& text, const SparseRowsView& x, std::size_t i,
                       const LetorRow& row) {
  append_head(text, row);
  const View<const int> features = x.features(i);
  for (std::size_t e = 0; e < features.size(); ++e) {
    append_feature(text, static_cast<std::size_t>(features[e]), x.values(i)[e]);
  }
  const bool has_last =
      !features.empty() &&
      static_cast<std::size_t>(features[features.size() - 1]) + 1 == x.cols();
  if (i == 0 && !has_last) {
    append_feature(text, x.cols() - 1, 0.0);
  }
  append_tail(text, row);
}

}  // namespace rankmix::data
