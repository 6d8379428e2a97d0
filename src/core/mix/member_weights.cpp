#include "core/mix/member_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/sort.h"
#include "core/linear/crossings.h"

namespace rankmix::mix {
namespace {

constexpr std::size_t kQueryBlock = 16;  // queries of a task

// Smaller gains are treated as rounding errors.
constexpr double kMinGain = 1e-12;

// The mean metric of scores that fill(rows, scores) writes for each query.
template <class Fill>
double mean_of(const metric::Judged& judged, const Fill& fill) {
  metric::QueryMeter meter(judged);
  metric::QueryMean mean;
  std::vector<double> scores(judged.rows());
  for (std::size_t q = 0; q < judged.queries.count(); ++q) {
    if (judged.weights[q] > 0.0) {
      fill(judged.queries.rows_of(q), scores.data());
      mean.add(meter.value(q, scores.data()), judged.weights[q]);
    }
  }
  return mean.mean();
}

// Replaces a mean that is NaN because no query counts, so that means can be compared.
double comparable(double mean) {
  return std::isnan(mean) ? -std::numeric_limits<double>::infinity() : mean;
}

double mean_of_sum(const metric::Judged& judged, const double* first,
                   const double* second) {
  return comparable(mean_of(judged, [&](View<const int> rows, double* scores) {
    for (int row : rows) {
      scores[row] = first[row] + second[row];
    }
  }));
}

double mean_of_member(const metric::Judged& judged, const double* member) {
  return comparable(mean_of(judged, [&](View<const int> rows, double* scores) {
    for (int row : rows) {
      scores[row] = member[row];
    }
  }));
}

// Indices of the values, highest first. Equal values keep their order.
std::vector<std::size_t> best_first(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_indices(order,
               [&](std::size_t i, std::size_t j) { return values[i] > values[j]; });
  return order;
}

void add_to(std::vector<double>& sum, const double* member) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] += member[i];
  }
}

// The scores of the mixture with these weights.
std::vector<double> mixed(const Members& members, const std::vector<double>& weights,
                          std::size_t rows, Host& host) {
  std::vector<double> sum(rows, 0.0);
  for_each_block(host, rows, RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t m = 0; m < members.size(); ++m) {
                     for (std::size_t i = begin; weights[m] > 0.0 && i < end; ++i) {
                       sum[i] += weights[m] * members[m][i];
                     }
                   }
                 });
  return sum;
}

// Multiplies all weights by 1 - step and adds `step` to the weight of `member`.
std::vector<double> stepped(const std::vector<double>& weights, std::size_t member,
                            double step) {
  std::vector<double> moved = weights;
  double sum = 0.0;
  for (std::size_t m = 0; m < moved.size(); ++m) {
    moved[m] = std::max(0.0, (1.0 - step) * moved[m] + (m == member ? step : 0.0));
    sum += moved[m];
  }
  for (double& weight : moved) {
    weight /= sum;
  }
  return moved;
}

}  // namespace

void mixture_values(const metric::Judged& judged, const Members& members,
                    MatrixView<const double> weights, Host& host,
                    MatrixView<double> out) {
  metric::check(judged);
  if (weights.rows() != members.size() || out.rows() != judged.queries.count() ||
      out.cols() != weights.cols()) {
    throw InvalidArgument("members, weights and result do not fit together");
  }
  const std::size_t count = judged.queries.count();
  host.parallel_for((count + kQueryBlock - 1) / kQueryBlock, [&](std::size_t block) {
    metric::QueryMeter meter(judged);
    std::vector<double> scores(judged.rows());
    const std::size_t end = std::min(count, (block + 1) * kQueryBlock);
    for (std::size_t q = block * kQueryBlock; q < end; ++q) {
      for (std::size_t c = 0; c < weights.cols(); ++c) {
        if (!(judged.weights[q] > 0.0)) {
          out(q, c) = std::numeric_limits<double>::quiet_NaN();
          continue;
        }
        for (int row : judged.queries.rows_of(q)) {
          double sum = 0.0;
          for (std::size_t m = 0; m < members.size(); ++m) {
            sum += weights(m, c) * members[m][row];
          }
          scores[static_cast<std::size_t>(row)] = sum;
        }
        out(q, c) = meter.value(q, scores.data());
      }
    }
  });
}

Selected select_members(const metric::Judged& judged, const Members& members,
                        View<const int> among, std::size_t start, std::size_t steps,
                        Host& host) {
  metric::check(judged);
  if (among.empty() || start == 0) {
    throw InvalidArgument("nothing to select from");
  }
  std::vector<double> serial(among.size());
  host.parallel_for(among.size(), [&](std::size_t i) {
    serial[i] = mean_of_member(judged, members[static_cast<std::size_t>(among[i])]);
  });
  const std::vector<std::size_t> order = best_first(serial);
  const auto member_at = [&](std::size_t i) { return among[order[i]]; };
  const auto scores_at = [&](std::size_t i) {
    return members[static_cast<std::size_t>(member_at(i))];
  };

  Selected selected;
  std::vector<double> sum(judged.rows(), 0.0);
  const std::size_t tried = std::min(start, among.size());
  for (std::size_t i = 0; i < tried; ++i) {
    selected.members.push_back(member_at(i));
    selected.values.push_back(mean_of_sum(judged, sum.data(), scores_at(i)));
    add_to(sum, scores_at(i));
  }
  selected.first = static_cast<std::size_t>(
      std::max_element(selected.values.begin(), selected.values.end()) -
      selected.values.begin() + 1);
  selected.members.resize(selected.first);
  selected.values.resize(selected.first);
  std::fill(sum.begin(), sum.end(), 0.0);
  for (std::size_t i = 0; i < selected.first; ++i) {
    add_to(sum, scores_at(i));
  }

  std::vector<double> together(among.size());
  for (std::size_t step = 0; step < steps; ++step) {
    host.checkpoint();
    host.parallel_for(among.size(), [&](std::size_t i) {
      together[i] = mean_of_sum(judged, sum.data(), scores_at(i));
    });
    const auto best = static_cast<std::size_t>(
        std::max_element(together.begin(), together.end()) - together.begin());
    add_to(sum, scores_at(best));
    selected.members.push_back(member_at(best));
    selected.values.push_back(together[best]);
  }
  return selected;
}

Ascent ascend_weights(const metric::Judged& judged, const Members& members,
                      std::size_t max_cycles, Host& host) {
  metric::check(judged);
  const std::size_t count = members.size();
  const std::size_t rows = judged.rows();
  std::vector<double> serial(count);
  host.parallel_for(
      count, [&](std::size_t m) { serial[m] = mean_of_member(judged, members[m]); });
  const std::vector<std::size_t> order = best_first(serial);
  Ascent ascent;
  ascent.weights.assign(count, 1.0 / static_cast<double>(count));
  std::vector<double> now = mixed(members, ascent.weights, rows, host);
  ascent.value = mean_of_member(judged, now.data());
  std::vector<double> slope(rows);
  while (!ascent.converged && ascent.cycles < max_cycles) {
    ascent.converged = true;
    ++ascent.cycles;
    for (std::size_t m : order) {
      host.checkpoint();
      const double own = ascent.weights[m];
      if (own == 1.0) {
        continue;
      }
      for (std::size_t i = 0; i < rows; ++i) {
        slope[i] = members[m][i] - now[i];
      }
      const double step = linear::best_step(judged, now.data(), slope.data(),
                                            -own / (1.0 - own), 1.0, host);
      if (step == 0.0) {
        continue;
      }
      const std::vector<double> weights = stepped(ascent.weights, m, step);
      const std::vector<double> moved = mixed(members, weights, rows, host);
      const double value = mean_of_member(judged, moved.data());
      if (value > ascent.value + kMinGain) {
        ascent.weights = weights;
        ascent.value = value;
        now = moved;
        ascent.converged = false;
      }
    }
  }
  return ascent;
}

}  // namespace rankmix::mix
