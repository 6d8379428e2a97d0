#include "core/linear/search_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/exact_sum.h"
#include "core/base/random.h"

namespace rankmix::linear {
namespace {

constexpr std::size_t kQueryBlock = 64;

Scaling no_scaling(std::size_t columns) {
  return {std::vector<double>(columns, 0.0), std::vector<double>(columns, 1.0), false};
}

}  // namespace

Columns::Columns(MatrixView<const double> x)
    : count_(x.cols()), dense_(x), features_(features_of(x, no_scaling(x.cols()))) {}

Columns::Columns(const SparseView& x)
    : count_(x.cols()),
      dense_(nullptr, x.rows(), 0),
      sparse_(&x),
      features_(features_of(x, no_scaling(x.cols()))) {}

const double* Columns::column(std::size_t j, std::vector<double>& buffer) const {
  if (sparse_ == nullptr) {
    return dense_.col(j);
  }
  buffer.assign(sparse_->rows(), 0.0);
  for (std::size_t e = 0; e < sparse_->entries(j); ++e) {
    buffer[static_cast<std::size_t>(sparse_->row_of(j)[e])] = sparse_->values(j)[e];
  }
  return buffer.data();
}

void Columns::scores(const std::vector<double>& weights, std::vector<double>& out,
                     Host& host) const {
  features_->multiply(weights, 1, out, host);
}

std::vector<double> query_weights_of(const metric::Judged& judged) {
  const std::vector<double> level(judged.rows(), 0.0);
  metric::QueryMeter meter(judged);
  std::vector<double> query_weights(judged.queries.count(), 0.0);
  for (std::size_t q = 0; q < query_weights.size(); ++q) {
    // Whether the metric is undefined does not depend on the order of documents, so this
    // is checked once.
    if (judged.weights[q] > 0.0 && !std::isnan(meter.value(q, level.data()))) {
      query_weights[q] = judged.weights[q];
    }
  }
  const double sum = sum_exactly(View<const double>(query_weights));
  for (double& weight : query_weights) {
    weight = sum > 0.0 ? weight / sum : 0.0;
  }
  return query_weights;
}

// The value of the ideal order bounds all values, except for metrics with negative gains.
// A factor of 2^10 is left as reserve.
MeanMetric::MeanMetric(const metric::Judged& judged, View<const double> query_weights)
    : judged_(judged), query_weights_(query_weights), unit_(0.0) {
  std::vector<double> ideal(judged.rows());
  for (std::size_t i = 0; i < ideal.size(); ++i) {
    ideal[i] = judged.documents.grades[i];
  }
  metric::QueryMeter meter(judged);
  double largest = 1.0;
  for (std::size_t q = 0; q < query_weights.size(); ++q) {
    const double value = query_weights[q] > 0.0 ? meter.value(q, ideal.data()) : 0.0;
    largest = std::max(largest, value == metric::kUndefined ? 0.0 : std::abs(value));
  }
  unit_ = largest * 1024.0;
}

double MeanMetric::operator()(const double* scores) const {
  return from_fixed(units(scores, 0, query_weights_.size())) * unit_;
}

double MeanMetric::operator()(const double* scores, Host& host) const {
  const std::size_t count = query_weights_.size();
  std::vector<std::int64_t> parts((count + kQueryBlock - 1) / kQueryBlock);
  host.parallel_for(parts.size(), [&](std::size_t block) {
    parts[block] =
        units(scores, block * kQueryBlock, std::min(count, (block + 1) * kQueryBlock));
  });
  return from_fixed(sum_of_parts(parts)) * unit_;
}

std::int64_t MeanMetric::units(const double* scores, std::size_t begin,
                               std::size_t end) const {
  metric::QueryMeter meter(judged_);
  std::int64_t sum = 0;
  for (std::size_t q = begin; q < end; ++q) {
    if (query_weights_[q] > 0.0) {
      const double value = meter.value(q, scores);
      sum +=
          to_fixed(value == metric::kUndefined ? 0.0 : query_weights_[q] * value / unit_);
    }
  }
  return sum;
}

std::vector<double> starting_weights(View<const double> scale, std::size_t start,
                                     std::uint64_t seed) {
  std::vector<double> weights(scale.begin(), scale.end());
  for (std::size_t j = 0; start > 0 && j < weights.size(); ++j) {
    weights[j] *= 2.0 * unit_uniform(random_bits(seed, Purpose::kStart, start, j)) - 1.0;
  }
  normalize(weights, scale);
  return weights;
}

void normalize(std::vector<double>& weights, View<const double> scale) {
  double sum = 0.0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    sum += scale[j] > 0.0 ? std::abs(weights[j]) / scale[j] : 0.0;
  }
  for (double& weight : weights) {
    weight = sum > 0.0 ? weight / sum : 0.0;
  }
}

std::vector<std::size_t> feature_order(View<const double> scale, std::size_t start,
                                       std::size_t sweep, std::uint64_t seed) {
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
  const std::uint64_t stream = random_stream(seed, Purpose::kFeatureOrder, start);
  for (std::size_t j = 0; j < scale.size(); ++j) {
    if (scale[j] > 0.0) {
      drawn.emplace_back(mix_bits(mix_bits(stream ^ sweep) ^ j), j);
    }
  }
  std::sort(drawn.begin(), drawn.end());
  std::vector<std::size_t> order;
  order.reserve(drawn.size());
  for (const auto& [bits, j] : drawn) {
    order.push_back(j);
  }
  return order;
}

}  // namespace rankmix::linear
