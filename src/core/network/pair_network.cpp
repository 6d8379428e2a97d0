#include "core/network/pair_network.h"

#include <algorithm>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::network {
namespace {

constexpr double kEnough = 1e-10;  // minimum relative decrease of the objective

std::size_t size_of(int number) { return static_cast<std::size_t>(number); }

// Row i < n is pair i, with the worse document first. Row n + i has the better one first.
class PairRows : public InputRows {
 public:
  PairRows(MatrixView<const double> documents, const DocumentPairs& pairs)
      : documents_(documents), pairs_(pairs) {}
  std::size_t rows() const override { return 2 * pairs_.worse.size(); }
  std::size_t columns() const override { return 2 * documents_.cols(); }
  void copy(std::size_t first, std::size_t count, double* to,
            std::size_t stride) const override {
    const std::size_t pairs = pairs_.worse.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = first + i;
      const bool up = row < pairs;
      const std::size_t pair = up ? row : row - pairs;
      const std::size_t worse = size_of(pairs_.worse[pair]);
      const std::size_t better = size_of(pairs_.better[pair]);
      copy_document(up ? worse : better, to + i, stride);
      copy_document(up ? better : worse, to + documents_.cols() * stride + i, stride);
    }
  }

 private:
  void copy_document(std::size_t document, double* to, std::size_t stride) const {
    for (std::size_t k = 0; k < documents_.cols(); ++k) {
      to[k * stride] = documents_(document, k);
    }
  }

  MatrixView<const double> documents_;
  DocumentPairs pairs_;
};

// Row i has document begin + i first, and `second`.
class AgainstOne : public InputRows {
 public:
  AgainstOne(MatrixView<const double> documents, std::size_t begin, std::size_t end,
             std::size_t second)
      : documents_(documents), begin_(begin), end_(end), second_(second) {}
  std::size_t rows() const override { return end_ - begin_; }
  std::size_t columns() const override { return 2 * documents_.cols(); }
  void copy(std::size_t first, std::size_t count, double* to,
            std::size_t stride) const override {
    const std::size_t columns = documents_.cols();
    for (std::size_t k = 0; k < columns; ++k) {
      std::copy_n(documents_.col(k) + begin_ + first, count, to + k * stride);
      std::fill_n(to + (columns + k) * stride, count, documents_(second_, k));
    }
  }

 private:
  MatrixView<const double> documents_;
  std::size_t begin_;
  std::size_t end_;
  std::size_t second_;
};

// Replaces outputs by probabilities.
void to_probabilities(double* values, std::size_t count) {
  std::vector<double> e(count);
  for (std::size_t i = 0; i < count; ++i) {
    e[i] = std::max(values[i] < 0.0 ? values[i] : -values[i], kMinExponent);
  }
  exp_of_all(View<double>(e.data(), count));
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = (values[i] < 0.0 ? e[i] : 1.0) / (1.0 + e[i]);
  }
}

void find_probabilities(const SingleLayer& layer, const InputRows& rows,
                        std::size_t begin, std::size_t end, double* out) {
  find_outputs(layer, rows, begin, end, out);
  to_probabilities(out, end - begin);
}

void check_pairs(MatrixView<const double> documents, const DocumentPairs& pairs) {
  const auto is_row = [&](int row) {
    return row >= 0 && size_of(row) < documents.rows();
  };
  if (pairs.worse.size() != pairs.better.size() ||
      (!pairs.weights.empty() && pairs.weights.size() != pairs.worse.size()) ||
      !std::all_of(pairs.worse.begin(), pairs.worse.end(), is_row) ||
      !std::all_of(pairs.better.begin(), pairs.better.end(), is_row)) {
    throw InvalidArgument("the pairs do not fit to the documents");
  }
}

void check_offsets(MatrixView<const double> documents, View<const int> offsets) {
  if (offsets.empty() || offsets[0] < 0 ||
      !std::is_sorted(offsets.begin(), offsets.end()) ||
      size_of(offsets[offsets.size() - 1]) > documents.rows()) {
    throw InvalidArgument("the queries do not fit to the documents");
  }
}

// Makes elements (i, j) and (j, i) sum to 1.
void balance(double* chances, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double& down = chances[j * n + i];
      double& up = chances[i * n + j];
      const double there = down;
      const double back = up;
      down = (there + 1.0 - back) / 2.0;
      up = (back + 1.0 - there) / 2.0;
    }
  }
}

}  // namespace

SingleLayerFit fit_pair_network(MatrixView<const double> documents,
                                const DocumentPairs& pairs, double decay,
                                std::size_t max_steps, const std::vector<double>& start,
                                Host& host) {
  check_pairs(documents, pairs);
  const std::size_t count = pairs.worse.size();
  std::vector<double> targets(2 * count, 1.0);
  std::fill(targets.begin() + static_cast<std::ptrdiff_t>(count), targets.end(), 0.0);
  std::vector<double> weights(pairs.weights.begin(), pairs.weights.end());
  weights.insert(weights.end(), pairs.weights.begin(), pairs.weights.end());
  SingleLayerOptions options;
  options.loss = RowLoss::kCrossEntropy;
  options.decay = decay;
  options.steps = {kEnough, max_steps};
  const PairRows inputs(documents, pairs);
  return fit_single_layer({inputs, targets, weights}, options, start, host);
}

std::vector<double> pair_outputs(View<const double> weights,
                                 MatrixView<const double> documents,
                                 const DocumentPairs& pairs, Host& host) {
  check_pairs(documents, pairs);
  const SingleLayer layer = single_layer(weights, 2 * documents.cols());
  const PairRows rows(documents, pairs);
  std::vector<double> out(rows.rows());
  for_each_block(host, rows.rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   find_probabilities(layer, rows, begin, end, out.data() + begin);
                 });
  return out;
}

std::vector<double> pair_chances(View<const double> weights,
                                 MatrixView<const double> documents,
                                 View<const int> offsets, Host& host) {
  check_offsets(documents, offsets);
  const SingleLayer layer = single_layer(weights, 2 * documents.cols());
  // The start of the matrix of each query, and the query of each document.
  std::vector<std::size_t> starts = {0};
  std::vector<std::size_t> query_of;
  for (std::size_t q = 0; q + 1 < offsets.size(); ++q) {
    const std::size_t n = size_of(offsets[q + 1] - offsets[q]);
    starts.push_back(starts.back() + n * n);
    query_of.insert(query_of.end(), n, q);
  }
  std::vector<double> chances(starts.back());
  host.parallel_for(query_of.size(), [&](std::size_t i) {
    const std::size_t q = query_of[i];
    const std::size_t begin = size_of(offsets[q]);
    const std::size_t end = size_of(offsets[q + 1]);
    const std::size_t second = size_of(offsets[0]) + i;
    find_probabilities(layer, AgainstOne(documents, begin, end, second), 0, end - begin,
                       chances.data() + starts[q] + (second - begin) * (end - begin));
  });
  host.parallel_for(starts.size() - 1, [&](std::size_t q) {
    balance(chances.data() + starts[q], size_of(offsets[q + 1] - offsets[q]));
  });
  return chances;
}

}  // namespace rankmix::network
