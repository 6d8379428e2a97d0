// Writes LETOR text, which core/data/letor.h reads.
#pragma once
#include <string>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::data {

// The fields of a line other than the features.
struct LetorRow {
  double relevance;
  const char* query;     // null: the line has no qid
  const char* document;  // null: the line has no document id
};

// A sparse matrix by rows, given as its transpose: row i is column i of `transposed`.
class SparseRowsView {
 public:
  explicit SparseRowsView(const SparseView& transposed) : transposed_(transposed) {}
  std::size_t rows() const { return transposed_.cols(); }
  std::size_t cols() const { return transposed_.rows(); }
  View<const double> values(std::size_t i) const { return transposed_.values(i); }
  View<const int> features(std::size_t i) const { return transposed_.row_of(i); }

 private:
  SparseView transposed_;
};

// Receives the text in pieces, in order.
class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual void write(const std::string& text) = 0;
};

// Appends the line of row i. Numbers have the fewest digits that are read back as the
// same double; missing values are NULL. Dense rows list all features. Sparse rows list
// the entries; the first row also lists the last feature, so that the number of features
// is kept.
void append_letor_line(std::string& text, MatrixView<const double> x, std::size_t i,
                       const LetorRow& row);
void append_letor_line(std::string& text, const SparseRowsView& x, std::size_t i,
                       const LetorRow& row);

// Writes all rows. `order` lists the rows in output order; if it is empty, the order of x
// is kept. row_of(i) returns the other fields of row i and may be called on any thread.
template <class Matrix, class RowOf>
void write_letor(const Matrix& x, View<const int> order, const RowOf& row_of, Host& host,
                 TextSink& sink) {
  constexpr std::size_t rows_of_task = 256;
  constexpr std::size_t tasks = 16;
  std::vector<std::string> texts(tasks);
  for (std::size_t first = 0; first < x.rows(); first += tasks * rows_of_task) {
    host.checkpoint();
    host.parallel_for(tasks, [&](std::size_t t) {
      texts[t].clear();
      const std::size_t begin = first + t * rows_of_task;
      for (std::size_t i = begin; i < begin + rows_of_task && i < x.rows(); ++i) {
        const bool ordered = order.empty();
        const std::size_t row = ordered ? i : static_cast<std::size_t>(order[i]);
        append_letor_line(texts[t], x, row, row_of(row));
      }
    });
    for (const std::string& text : texts) {
      sink.write(text);
    }
  }
}

}  // namespace rankmix::data
