// Shared parts of the searches for weights that maximise a metric: feature columns, and
// the metric of scores.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/linear/features.h"
#include "core/metric/judged.h"

namespace rankmix::linear {

// Features by column, and the scores of a weighted sum of the columns.
class Columns {
 public:
  explicit Columns(MatrixView<const double> x);
  explicit Columns(const SparseView& x);
  std::size_t count() const { return count_; }
  // Column j with one number for each row. A sparse column is expanded into `buffer`.
  const double* column(std::size_t j, std::vector<double>& buffer) const;
  // The same scores as in prediction, bit for bit.
  void scores(const std::vector<double>& weights, std::vector<double>& out,
              Host& host) const;

 private:
  std::size_t count_;
  MatrixView<const double> dense_;
  const SparseView* sparse_ = nullptr;
  std::unique_ptr<Features> features_;
};

// The weight of each query in the mean; 0 if the query does not count. The weights sum to
// 1.
std::vector<double> query_weights_of(const metric::Judged& judged);

// The mean of a metric. Its bits do not depend on the number of threads or the order of
// queries.
class MeanMetric {
 public:
  MeanMetric(const metric::Judged& judged, View<const double> query_weights);
  // Computes the mean on the calling thread only.
  double operator()(const double* scores) const;
  double operator()(const double* scores, Host& host) const;

 private:
  std::int64_t units(const double* scores, std::size_t begin, std::size_t end) const;

  const metric::Judged& judged_;
  View<const double> query_weights_;
  double unit_;  // range of the fixed-point sum, see the constructor
};

// The weights of a start. The first start has weights equal to `scale`; others are
// random. |weight / scale| sum to 1.
std::vector<double> starting_weights(View<const double> scale, std::size_t start,
                                     std::uint64_t seed);
void normalize(std::vector<double>& weights, View<const double> scale);

// The features of positive scale, in the random order of a sweep.
std::vector<std::size_t> feature_order(View<const double> scale, std::size_t start,
                                       std::size_t sweep, std::uint64_t seed);

}  // namespace rankmix::linear
