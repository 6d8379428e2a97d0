// Judged documents that calibrators are fitted to.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix::calibrate {

struct HeldOut {
  MatrixView<const double> f;  // discriminants, documents x grades, or x 1
  View<const int> grades;
  View<const double> weights;  // of the documents, the same within a query; may be empty
  View<const int> offsets;     // of queries, whose documents lie together
  View<const double> ideal;    // of each query, the DCG of its best ranking

  std::size_t rows() const { return f.rows(); }
  std::size_t queries() const { return ideal.size(); }
  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
};

// Documents in any order of rows, with the documents of each query.
struct Judgements {
  View<const int> grades;
  View<const double> weights;
  data::Queries queries;
  View<const double> ideal;
};

// Throws where sizes differ, or where a grade is negative.
void check_holdout(MatrixView<const double> f, const Judgements& judgements);

// Some queries, one after the other; the documents of each sorted by discriminants and
// grade, so that nothing that is made of them depends on the order of the rows.
class SomeQueries {
 public:
  SomeQueries(MatrixView<const double> f, const Judgements& judgements,
              const std::vector<std::size_t>& queries);
  HeldOut view() const;
  const std::vector<std::size_t>& rows() const { return rows_; }  // that they were

 private:
  std::vector<std::size_t> rows_;
  std::size_t columns_;
  std::vector<double> f_;
  std::vector<int> grades_;
  std::vector<double> weights_;
  std::vector<int> offsets_;
  std::vector<double> ideal_;
};

// Queries of positive weight sorted by what is in them, whatever their order: their
// documents, ideal DCG, the largest and the smallest of their first discriminants.
std::vector<std::size_t> sorted_queries(MatrixView<const double> f,
                                        const Judgements& judgements);

// The fold of each query, of `parts` folds, assigned in that order. Queries of weight 0
// do not affect fits and belong to the first fold.
std::vector<std::size_t> assign_queries(MatrixView<const double> f,
                                        const Judgements& judgements, std::size_t parts);

// Every n-th of the queries that have relevant documents, about `most` documents.
std::vector<std::size_t> thin_queries(const HeldOut& held, std::size_t most);

// Every n-th of the documents sorted by discriminants, target and weight, at most `most`:
// the same ones in the same order for any order of the rows.
std::vector<std::size_t> regular_sample(const HeldOut& held, View<const double> targets,
                                        std::size_t most);

}  // namespace rankmix::calibrate
