#include "core/objective/position_bias.h"

#include <algorithm>
#include <cmath>

#include "core/base/blocks.h"
#include "core/base/exact_sum.h"
#include "core/objective/evaluate.h"
#include "core/objective/pair_bias.h"

namespace rankmix::objective {
namespace {

constexpr double kFraction = 0.1;
constexpr double kCountUnit = 0x1p40;  // counts up to this number are exact

}  // namespace

void PositionBias::check(const Documents& documents) const {
  check_targets(documents);
  inner_->check(documents);
}

void PositionBias::begin_round(const Round& round, const Documents& documents,
                               View<const double> scores, Host& host) {
  inner_->begin_round(round, documents, scores, host);
  const View<const double> positions = documents.targets;
  if (bias_.empty()) {
    bias_.assign(last_position(positions, host), 0.0);
    offsets_.assign(positions.size(), 0.0);
  }
  if (round.number == 0) {
    return;
  }
  learn(documents, scores, host);
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    offsets_[i] = bias_[static_cast<std::size_t>(positions[i]) - 1];
  }
}

void PositionBias::learn(const Documents& documents, View<const double> scores,
                         Host& host) {
  Documents with = documents;
  with.offsets = offsets_;
  const std::size_t rows = offsets_.size();
  std::vector<double> gradient(rows);
  std::vector<double> hessian(rows);
  evaluate(*inner_, with, scores, host,
           {{gradient.data(), rows}, {hessian.data(), rows}});
  const auto magnitude = [&](const std::vector<double>& of) {
    return sum_exactly(host, rows, [&](std::size_t i) { return std::abs(of[i]); });
  };
  const double gradients = std::max(magnitude(gradient), 1e-300);
  const double hessians = std::max(magnitude(hessian), 1e-300);
  const std::vector<double> weights = weights_of_rows(documents);
  const bool equal = host.reducer().all_of(weights.empty());
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  const double unit =
      equal ? kCountUnit : std::max(sum_exactly(host, rows, weight), 1e-300);
  const std::vector<std::int64_t> sums =
      sum_tables(host, rows, 3 * bias_.size(), [&](std::size_t i, std::int64_t* to) {
        std::int64_t* at = to + 3 * (static_cast<std::size_t>(documents.targets[i]) - 1);
        at[0] += to_fixed(gradient[i] / gradients);
        at[1] += to_fixed(hessian[i] / hessians);
        at[2] += to_fixed(weight(i) / unit);
      });
  for (std::size_t p = 0; p < bias_.size(); ++p) {
    const double penalty = l2_ * from_fixed(sums[3 * p + 2]) * unit;
    const double down = from_fixed(sums[3 * p]) * gradients + penalty * bias_[p];
    const double bend = from_fixed(sums[3 * p + 1]) * hessians + penalty;
    if (bend > 0.0) {
      bias_[p] -= kFraction * down / bend;
    }
  }
}

}  // namespace rankmix::objective
