// Judged documents to which calibrators are fitted.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::calibrate {

struct HeldOut {
  MatrixView<const double> f;  // discriminants, documents x grades or documents x 1
  View<const int> grades;
  View<const double> weights;  // of documents; empty: all are 1
  View<const int> offsets;     // first row of each query, and the number of rows
  View<const double> ideal;    // ideal DCG of each query
  double unit = 1.0;           // number of copies that a document of weight 1 stands for

  std::size_t rows() const { return f.rows(); }
  std::size_t queries() const { return ideal.size(); }
  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  double copies(std::size_t row) const { return weight(row) * unit; }
};

// Judgements of documents whose rows are in any order; `queries` has the rows of each
// query.
struct Judgements {
  View<const int> grades;
  View<const double> weights;
  data::Queries queries;
  View<const double> ideal;
  double unit = 1.0;  // as in HeldOut

  bool counts(std::size_t row) const { return weights.empty() || weights[row] > 0.0; }
};

// Throws InvalidArgument if sizes differ or a grade is negative.
void check_holdout(MatrixView<const double> f, const Judgements& judgements);

enum class Rows { kAll, kCounting };  // kCounting: documents of positive weight

// A copy of some queries, with consecutive rows. The documents of a query are sorted by
// discriminants and grade, so that results do not depend on the order of the input rows.
class SomeQueries {
 public:
  SomeQueries(MatrixView<const double> f, const Judgements& judgements,
              const std::vector<std::size_t>& queries, Rows which);
  HeldOut view() const;
  const std::vector<std::size_t>& rows() const { return rows_; }  // original rows

 private:
  std::vector<std::size_t> rows_;
  std::size_t columns_;
  std::vector<double> f_;
  std::vector<int> grades_;
  std::vector<double> weights_;
  std::vector<int> offsets_;
  std::vector<double> ideal_;
  double unit_;
};

// The queries of positive weight, sorted by content, so that results do not depend on the
// order of queries. Sort keys: number of documents, ideal DCG, largest and smallest first
// discriminant.
std::vector<std::size_t> sorted_queries(MatrixView<const double> f,
                                        const Judgements& judgements);

// The fold of each query. The queries are assigned to `parts` folds in turn, in the order
// of sorted_queries(). Queries of weight 0 belong to the first fold; they do not affect
// fits.
std::vector<std::size_t> assign_queries(MatrixView<const double> f,
                                        const Judgements& judgements, std::size_t parts);

// A sample of about `most` documents: every n-th query that has relevant documents, in
// sorted order. All queries if there are at most `most` documents.
std::vector<std::size_t> thin_queries(const HeldOut& held, std::size_t most);

// At most `most` rows, evenly spaced in the order of discriminants, target and weight.
// The sample does not depend on the order of the input rows.
std::vector<std::size_t> regular_sample(const HeldOut& held, View<const double> targets,
                                        std::size_t most);

}  // namespace rankmix::calibrate
