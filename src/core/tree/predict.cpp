#include "core/tree/predict.h"

#include <algorithm>
#include <cmath>

namespace rankmix::tree {
namespace {

// Rows of a task: their features and sums stay in the L2 cache while the trees pass by.
constexpr std::size_t kPredictBlock = 64;
// Visits of a row to a tree between two looks for an interrupt.
constexpr std::size_t kBatchVisits = 5000000;

int find_leaf(const ForestView& forest, std::size_t t, const double* row) {
  const std::size_t base = static_cast<std::size_t>(forest.node_begin[t]);
  if (forest.node_begin[t + 1] == forest.node_begin[t]) {
    return 0;
  }
  int at = 0;
  do {
    const std::size_t node = base + static_cast<std::size_t>(at);
    const double x = row[forest.feature[node]];
    const bool left =
        std::isnan(x) ? forest.missing_left[node] != 0 : x <= forest.threshold[node];
    at = left ? forest.left[node] : forest.right[node];
  } while (at >= 0);
  return ~at;
}

void copy_rows(MatrixView<const double> x, std::size_t begin, std::size_t end,
               std::vector<double>& rows) {
  rows.resize((end - begin) * x.cols());
  for (std::size_t f = 0; f < x.cols(); ++f) {
    const double* column = x.col(f);
    for (std::size_t i = begin; i < end; ++i) {
      rows[(i - begin) * x.cols() + f] = column[i];
    }
  }
}

// Predicts the rows [begin, end) at every stage.
void predict_rows(const ForestView& forest, View<const double> weights,
                  MatrixView<const double> x, View<const int> stages, std::size_t begin,
                  std::size_t end, double* out) {
  const std::size_t outputs = forest.outputs;
  std::vector<double> rows;
  copy_rows(x, begin, end, rows);
  std::vector<double> sums((end - begin) * outputs, 0.0);
  std::size_t t = 0;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (; t < static_cast<std::size_t>(stages[s]); ++t) {
      const int* values =
          forest.values.data() + static_cast<std::size_t>(forest.leaf_begin[t]) * outputs;
      for (std::size_t i = 0; i < end - begin; ++i) {
        const int leaf = find_leaf(forest, t, rows.data() + i * x.cols());
        const int* value = values + static_cast<std::size_t>(leaf) * outputs;
        for (std::size_t l = 0; l < outputs; ++l) {
          sums[i * outputs + l] += weights[t] * value[l];
        }
      }
    }
    for (std::size_t l = 0; l < outputs; ++l) {
      double* column = out + (s * outputs + l) * x.rows();
      for (std::size_t i = begin; i < end; ++i) {
        column[i] = sums[(i - begin) * outputs + l];
      }
    }
  }
}

}  // namespace

void predict_staged(const ForestView& forest, View<const double> weights,
                    MatrixView<const double> x, View<const int> stages, Host& host,
                    double* out) {
  const std::size_t blocks = (x.rows() + kPredictBlock - 1) / kPredictBlock;
  // So many blocks at a time that an interrupt is seen well within a second.
  const std::size_t batch =
      std::max<std::size_t>(2, kBatchVisits / (kPredictBlock * (forest.trees() + 1)));
  for (std::size_t first = 0; first < blocks; first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, blocks - first), [&](std::size_t block) {
      const std::size_t begin = (first + block) * kPredictBlock;
      predict_rows(forest, weights, x, stages, begin,
                   std::min(x.rows(), begin + kPredictBlock), out);
    });
  }
}

}  // namespace rankmix::tree
