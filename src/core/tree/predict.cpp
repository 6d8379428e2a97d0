#include "core/tree/predict.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors.h"
#include "core/base/simd.h"
#include "core/tree/byte_columns.h"
#include "core/tree/ranked_rows.h"
#include "core/tree/sliced.h"

namespace rankmix::tree {
namespace {

// Rows of a task. Their features and sums stay in the L2 cache during the loop over the
// trees.
constexpr std::size_t kPredictBlock = 64;
// Visits of a row to a tree between two checks for an interrupt.
constexpr std::size_t kBatchVisits = 5000000;

// The first `rounds` rounds of a forest.
ForestView first_rounds(const ForestView& forest, std::size_t rounds) {
  const auto trees = static_cast<std::size_t>(forest.round_begin[rounds]);
  const auto nodes = static_cast<std::size_t>(forest.node_begin[trees]);
  const auto leaves = static_cast<std::size_t>(forest.leaf_begin[trees]);
  ForestView first;
  first.outputs = forest.outputs;
  first.round_begin = {forest.round_begin.data(), rounds + 1};
  first.node_begin = {forest.node_begin.data(), trees + 1};
  first.leaf_begin = {forest.leaf_begin.data(), trees + 1};
  first.feature = {forest.feature.data(), nodes};
  first.threshold = {forest.threshold.data(), nodes};
  first.missing_left = {forest.missing_left.data(), nodes};
  first.left = {forest.left.data(), nodes};
  first.right = {forest.right.data(), nodes};
  first.values = {forest.values.data(), leaves * forest.outputs};
  if (forest.has_sets()) {
    first.set_begin = {forest.set_begin.data(), nodes + 1};
    first.set_levels = forest.set_levels;
  }
  return first;
}

// The features that the trees use, and for each node the position of its feature among
// them. Only used features are copied, which keeps the rows of wide data short.
struct UsedFeatures {
  std::vector<std::size_t> columns;
  std::vector<int> of_node;

  UsedFeatures(const ForestView& forest, std::size_t features) {
    std::vector<int> number(features, -1);
    for (int feature : forest.feature) {
      number[static_cast<std::size_t>(feature)] = 0;
    }
    for (std::size_t f = 0; f < features; ++f) {
      if (number[f] == 0) {
        number[f] = static_cast<int>(columns.size());
        columns.push_back(f);
      }
    }
    for (int feature : forest.feature) {
      of_node.push_back(number[static_cast<std::size_t>(feature)]);
    }
  }
};

// Copies these columns of the rows [begin, end), row-major.
void copy_rows(MatrixView<const double> x, const std::vector<std::size_t>& columns,
               std::size_t begin, std::size_t end, std::vector<double>& rows) {
  rows.resize((end - begin) * columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const double* column = x.col(columns[j]);
    for (std::size_t i = begin; i < end; ++i) {
      rows[(i - begin) * columns.size() + j] = column[i];
    }
  }
}

void copy_rows(const SparseView& x, const std::vector<std::size_t>& columns,
               std::size_t begin, std::size_t end, std::vector<double>& rows) {
  rows.assign((end - begin) * columns.size(), 0.0);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const View<const int> row_of = x.row_of(columns[j]);
    const int* first =
        std::lower_bound(row_of.begin(), row_of.end(), static_cast<int>(begin));
    for (const int* at = first; at != row_of.end(); ++at) {
      const std::size_t row = static_cast<std::size_t>(*at);
      if (row >= end) {
        break;
      }
      rows[(row - begin) * columns.size() + j] =
          x.values(columns[j])[at - row_of.begin()];
    }
  }
}

// The values of the leaf of tree t that a row reaches.
const double* leaf_values(const ForestView& forest, const UsedFeatures& used,
                          std::size_t t, const double* row) {
  const int leaf = find_leaf(forest, used.of_node.data(), t, row);
  return forest.values.data() +
         static_cast<std::size_t>(forest.leaf_begin[t] + leaf) * forest.outputs;
}

// Adds the weighted values of round r to the sums of one row.
void add_round(const ForestView& forest, const UsedFeatures& used, std::size_t r,
               double weight, const double* row, double* sums) {
  const auto first = static_cast<std::size_t>(forest.round_begin[r]);
  const auto last = static_cast<std::size_t>(forest.round_begin[r + 1]);
  const double* value = leaf_values(forest, used, first, row);
  if (last == first + 1) {
    for (std::size_t l = 0; l < forest.outputs; ++l) {
      sums[l] += weight * value[l];
    }
    return;
  }
  std::vector<double> product(value, value + forest.outputs);
  for (std::size_t t = first + 1; t < last; ++t) {
    value = leaf_values(forest, used, t, row);
    for (std::size_t l = 0; l < forest.outputs; ++l) {
      product[l] *= value[l];
    }
  }
  for (std::size_t l = 0; l < forest.outputs; ++l) {
    sums[l] += weight * product[l];
  }
}

// Predicts the rows [begin, end) at every stage. `rows` has their used features,
// row-major.
void predict_rows(const ForestView& forest, const UsedFeatures& used,
                  View<const double> weights, const std::vector<double>& rows,
                  View<const int> stages, std::size_t begin, std::size_t end,
                  std::size_t all_rows, double* out) {
  const std::size_t outputs = forest.outputs;
  std::vector<double> sums((end - begin) * outputs, 0.0);
  std::size_t r = 0;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    for (; r < static_cast<std::size_t>(stages[s]); ++r) {
      for (std::size_t i = 0; i < end - begin; ++i) {
        add_round(forest, used, r, weights[r], rows.data() + i * used.columns.size(),
                  sums.data() + i * outputs);
      }
    }
    for (std::size_t l = 0; l < outputs; ++l) {
      double* column = out + (s * outputs + l) * all_rows;
      for (std::size_t i = begin; i < end; ++i) {
        column[i] = sums[(i - begin) * outputs + l];
      }
    }
  }
}

// Calls predict_block(begin, end) for blocks of `block_rows` rows. About `batch_rows`
// rows are predicted between two checks for an interrupt, so that it is noticed well
// within a second.
template <class PredictBlock>
void for_row_blocks(std::size_t rows, std::size_t block_rows, std::size_t batch_rows,
                    Host& host, const PredictBlock& predict_block) {
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  const std::size_t batch = std::max<std::size_t>(2, batch_rows / block_rows);
  for (std::size_t first = 0; first < blocks; first += batch) {
    host.checkpoint();
    host.parallel_for(std::min(batch, blocks - first), [&](std::size_t block) {
      const std::size_t begin = (first + block) * block_rows;
      predict_block(begin, std::min(rows, begin + block_rows));
    });
  }
}

template <class Matrix>
void predict_walking(const ForestView& forest, View<const double> weights,
                     const Matrix& x, View<const int> stages, Host& host, double* out) {
  const UsedFeatures used(forest, x.cols());
  for_row_blocks(x.rows(), kPredictBlock, kBatchVisits / (forest.trees() + 1), host,
                 [&](std::size_t begin, std::size_t end) {
                   std::vector<double> rows;
                   copy_rows(x, used.columns, begin, end, rows);
                   predict_rows(forest, used, weights, rows, stages, begin, end, x.rows(),
                                out);
                 });
}

#if RANKMIX_HAS_AVX2
// Like kBatchVisits, for sliced prediction, where a visit takes less time.
constexpr std::size_t kBatchSlicedVisits = 4 * kBatchVisits;
// Number of rows that can walk through a forest of stumps in the time that sliced
// prediction needs to prepare this forest. Larger trees take longer to prepare, but not
// much longer to walk through: kPreparingNodes more nodes per tree raise the number by
// one row.
constexpr std::size_t kPreparingRows = 16;
constexpr std::size_t kPreparingNodes = 4;  // per tree, for one more row
// Costs relative to looking up one threshold among ranked rows: ranking the rows of a
// slice in one feature costs kRankNodes, and sorting one threshold costs kSortNodes.
constexpr std::size_t kRankNodes = 64;
constexpr std::size_t kSortNodes = 4;

bool slicing_pays(const ForestView& forest, std::size_t rows) {
  const std::size_t nodes_of_tree = forest.feature.size() / (forest.trees() + 1);
  return rows >= kPreparingRows + nodes_of_tree / kPreparingNodes;
}

// Whether ranking the rows of each slice takes less time than sorting the thresholds
// once.
bool ranking_pays(const ForestView& forest, std::size_t rows, std::size_t features) {
  const std::size_t nodes = forest.feature.size();
  const std::size_t slices = (rows + kSliceRows - 1) / kSliceRows;
  return slices * (kRankNodes * std::min(features, nodes) + nodes) <= kSortNodes * nodes;
}

// Predicts few rows by their ranks, slice by slice.
template <class Matrix>
void predict_ranked(const std::vector<ForestPrediction>& predictions, const Matrix& x,
                    Host& host) {
  std::vector<ForestView> forests;
  for (const ForestPrediction& one : predictions) {
    forests.push_back(one.forest);
  }
  for (std::size_t begin = 0; begin < x.rows(); begin += kSliceRows) {
    const std::size_t end = std::min(x.rows(), begin + kSliceRows);
    const RankedRows rows(forests, x, begin, end);
    for (const ForestPrediction& one : predictions) {
      const ByteQuestions questions = rows.questions(one.forest);
      const SlicedForest sliced(one.forest, one.weights, questions, host);
      sliced.predict(rows.block(), one.stages, begin, end, x.rows(), one.out);
    }
  }
}

template <class Matrix>
void predict_slicing(const ForestView& forest, View<const double> weights,
                     const Matrix& x, View<const int> stages, Host& host, double* out) {
  const ByteColumns columns(forest, x.cols(), host);
  const SlicedForest sliced(forest, weights, columns.questions(), host);
  const std::size_t block_rows = sliced.block_rows();
  for_row_blocks(x.rows(), block_rows, kBatchSlicedVisits / sliced.visits(), host,
                 [&](std::size_t begin, std::size_t end) {
                   ByteBlock block(block_rows / kSliceRows, columns.questions().slots);
                   columns.fill(x, begin, end, block);
                   sliced.predict(block, stages, begin, end, x.rows(), out);
                 });
}
#endif

// Predicts by one of the three methods. If ranking the rows is faster for a forest, the
// forest is appended to `ranked` instead. predict_ranked() then ranks the rows once for
// all of these forests.
template <class Matrix>
void predict_or_keep(const ForestPrediction& one, const Matrix& x, Host& host,
                     [[maybe_unused]] std::vector<ForestPrediction>& ranked) {
#if RANKMIX_HAS_AVX2
  if (has_avx2() && !one.forest.has_sets() && slicing_pays(one.forest, x.rows())) {
    if (ranking_pays(one.forest, x.rows(), x.cols())) {
      ranked.push_back(one);
      return;
    }
    if (ByteColumns::can_answer(one.forest)) {
      predict_slicing(one.forest, one.weights, x, one.stages, host, one.out);
      return;
    }
  }
#endif
  predict_walking(one.forest, one.weights, x, one.stages, host, one.out);
}

template <class Matrix>
void predict_all(const std::vector<ForestPrediction>& predictions, const Matrix& x,
                 Host& host) {
  std::vector<ForestPrediction> ranked;
  for (ForestPrediction one : predictions) {
    if (one.stages.empty()) {
      continue;
    }
    if (one.forest.round_begin[0] != 0 || one.forest.node_begin[0] != 0 ||
        one.forest.leaf_begin[0] != 0) {
      throw InvalidArgument("a forest begins with its first tree");
    }
    const int rounds = one.stages[one.stages.size() - 1];
    one.forest = first_rounds(one.forest, static_cast<std::size_t>(rounds));
    predict_or_keep(one, x, host, ranked);
  }
#if RANKMIX_HAS_AVX2
  if (!ranked.empty()) {
    predict_ranked(ranked, x, host);
  }
#endif
}

}  // namespace

void predict_staged(const ForestView& forest, View<const double> weights,
                    MatrixView<const double> x, View<const int> stages, Host& host,
                    double* out) {
  predict_all({{forest, weights, stages, out}}, x, host);
}

void predict_staged(const ForestView& forest, View<const double> weights,
                    const SparseView& x, View<const int> stages, Host& host,
                    double* out) {
  predict_all({{forest, weights, stages, out}}, x, host);
}

void predict_forests(const std::vector<ForestPrediction>& forests,
                     MatrixView<const double> x, Host& host) {
  predict_all(forests, x, host);
}

}  // namespace rankmix::tree
