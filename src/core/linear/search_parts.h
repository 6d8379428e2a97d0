// What searches for the weights of a linear ranker by a metric have in common: columns of
// features, and the metric of scores.
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

// Features column by column, and times weights.
class Columns {
 public:
  explicit Columns(MatrixView<const double> x);
  explicit Columns(const SparseView& x);
  std::size_t count() const { return count_; }
  // A number for each row; `buffer` is used where there is no such array.
  const double* column(std::size_t j, std::vector<double>& buffer) const;
  // The scores as prediction has them, to the last bit.
  void scores(const std::vector<double>& weights, std::vector<double>& out,
              Host& host) const;

 private:
  std::size_t count_;
  MatrixView<const double> dense_;
  const SparseView* sparse_ = nullptr;
  std::unique_ptr<Features> features_;
};

// The weight of each query in the mean, 0 where it does not count.
std::vector<double> query_weights_of(const metric::Judged& judged);

// The mean of a metric, whatever the number of threads and the order of queries.
class MeanMetric {
 public:
  MeanMetric(const metric::Judged& judged, View<const double> query_weights);
  // By the calling thread alone.
  double operator()(const double* scores) const;
  double operator()(const double* scores, Host& host) const;

 private:
  std::int64_t units(const double* scores, std::size_t begin, std::size_t end) const;

  const metric::Judged& judged_;
  View<const double> query_weights_;
  double unit_;  // 2^-62 of the largest sum
};

// The weights at the start: equal ones times `scale` for the first, others drawn. Sums of
// |weight / scale| are 1.
std::vector<double> starting_weights(View<const double> scale, std::size_t start,
                                     std::uint64_t seed);
void normalize(std::vector<double>& weights, View<const double> scale);

// The features with a scale, in the order of a sweep.
std::vector<std::size_t> feature_order(View<const double> scale, std::size_t start,
                                       std::size_t sweep, std::uint64_t seed);

}  // namespace rankmix::linear
