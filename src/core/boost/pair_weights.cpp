#include "core/boost/pair_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/base/exact_sum.h"
#include "core/base/exp.h"
#include "core/tree/slots.h"

namespace rankmix::boost {
namespace {

// Fixed-point units for numbers that sum to at most 1.
constexpr double kSumUnits = static_cast<double>(std::int64_t{1} << 61);
// Least number of documents per block.
constexpr std::size_t kBlockDocuments = 2048;
constexpr std::size_t kAtOnce = 8;

std::int64_t potential_of(const std::vector<std::uint32_t>& potentials, std::size_t row) {
  return static_cast<std::int64_t>(tree::read_wide(potentials.data() + 2 * row));
}

// Replaces x by exp(x), for x <= 0.
void exp_all(double* x, std::size_t count) {
  std::size_t i = 0;
  for (; i + kAtOnce <= count; i += kAtOnce) {
    exp_in_place<kAtOnce>(x + i);
  }
  for (; i < count; ++i) {
    exp_in_place<1>(x + i);
  }
}

// The sum of numbers between 0 and 1, independent of their order.
double sum_of_fractions(const double* x, std::size_t count) {
  const int bits = std::ilogb(static_cast<double>(count)) + 1;
  const double units = std::ldexp(1.0, 61 - bits);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += static_cast<std::int64_t>(x[i] * units);
  }
  return static_cast<double>(sum) / units;
}

}  // namespace

PairWeights::PairWeights(const data::Queries& queries, View<const int> grades,
                         View<const double> query_weights, PairScheme scheme, Host& host)
    : rows_(grades.size()), potentials_(2 * grades.size(), 0U) {
  if (queries.order.size() != grades.size() ||
      (!query_weights.empty() && query_weights.size() != queries.count())) {
    throw InvalidArgument("grades, queries and weights differ in size");
  }
  lay_out(queries, grades, query_weights, scheme, host);
  cut_blocks();
  heights_.assign(row_.size(), 0.0);
  lower_.resize(row_.size());
  upper_.resize(row_.size());
  set_weights(host);
}

// Collects the queries that have pairs, their documents by grade, and the sum of all
// weights.
void PairWeights::lay_out(const data::Queries& queries, View<const int> grades,
                          View<const double> query_weights, PairScheme scheme,
                          Host& host) {
  std::vector<std::pair<int, std::uint32_t>> documents;
  std::vector<double> weights;  // of all pairs of a query
  for (std::size_t q = 0; q < queries.count(); ++q) {
    const double weight = query_weights.empty() ? 1.0 : query_weights[q];
    documents.clear();
    for (int row : queries.rows_of(q)) {
      documents.emplace_back(grades[static_cast<std::size_t>(row)],
                             static_cast<std::uint32_t>(row));
    }
    std::sort(documents.begin(), documents.end());
    if (!(weight > 0.0) || documents.front().first == documents.back().first) {
      continue;
    }
    double pairs = 0.0;
    std::size_t below = 0;  // number of documents with lower grades
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (i == 0 || documents[i].first != documents[i - 1].first) {
        levels_.push_back({row_.size(), 0.0, 0.0, 0.0, 0.0});
        below = i;
      }
      pairs += static_cast<double>(below);
      row_.push_back(documents[i].second);
    }
    query_begin_.push_back(levels_.size());
    const bool plain = scheme == PairScheme::kPlain;
    log_weights_.push_back(std::log(plain ? weight : weight / pairs));
    weights.push_back(plain ? weight * pairs : weight);
  }
  levels_.push_back({row_.size(), 0.0, 0.0, 0.0, 0.0});  // ends the last level
  Reducer& reducer = host.reducer();
  empty_ = reducer.all_of(weights.empty());
  if (!empty_) {
    log_sum_ = std::log(sum_exactly(weights, reducer));
    const auto least = std::min_element(log_weights_.begin(), log_weights_.end());
    constexpr double infinite = std::numeric_limits<double>::infinity();
    min_ = std::exp(reducer.min_of(least == log_weights_.end() ? infinite : *least) -
                    log_sum_);
  }
}

void PairWeights::cut_blocks() {
  const std::size_t queries = query_begin_.size() - 1;
  std::size_t begin = 0;
  for (std::size_t q = 0; q < queries; ++q) {
    const std::size_t documents = levels_[query_begin_[q]].begin;
    if (blocks_.empty() || documents - begin >= kBlockDocuments) {
      blocks_.push_back(q);
      begin = documents;
    }
  }
  blocks_.push_back(queries);
}

template <class Body>
double PairWeights::sum_over_queries(Host& host, const Body& body) const {
  std::vector<std::int64_t> parts(blocks_.size() - 1, 0);
  host.parallel_for(parts.size(), [&](std::size_t block) {
    Scratch scratch;
    for (std::size_t q = blocks_[block]; q < blocks_[block + 1]; ++q) {
      parts[block] += static_cast<std::int64_t>(body(q, scratch) * kSumUnits);
    }
  });
  return static_cast<double>(host.reducer().sum_of(sum_of_parts(parts))) / kSumUnits;
}

double PairWeights::largest(std::size_t q, const Level& lower, const Level& upper) const {
  double exponent = log_weights_[q] - log_sum_ + lower.most - upper.least;
  exp_in_place<1>(&exponent);
  return exponent;
}

void PairWeights::measure_level(Level& level, std::size_t end) {
  const double* heights = heights_.data();
  const auto [least, most] = std::minmax_element(heights + level.begin, heights + end);
  level.least = *least;
  level.most = *most;
  for (std::size_t i = level.begin; i < end; ++i) {
    lower_[i] = heights[i] - level.most;
    upper_[i] = level.least - heights[i];
  }
  const std::size_t count = end - level.begin;
  exp_all(lower_.data() + level.begin, count);
  exp_all(upper_.data() + level.begin, count);
  level.lower = sum_of_fractions(lower_.data() + level.begin, count);
  level.upper = sum_of_fractions(upper_.data() + level.begin, count);
}

// Computes the potentials of the documents of query q. Returns the sum of the weights of
// its pairs.
double PairWeights::set_query_weights(std::size_t q,
                                      std::vector<Coefficients>& coefficients) {
  const std::size_t first = query_begin_[q];
  const std::size_t count = query_begin_[q + 1] - first;
  Level* levels = levels_.data() + first;
  coefficients.assign(count, {0.0, 0.0});
  double sum = 0.0;
  for (std::size_t g = 0; g < count; ++g) {
    measure_level(levels[g], levels[g + 1].begin);
    for (std::size_t l = 0; l < g; ++l) {
      const double pair = largest(q, levels[l], levels[g]);
      coefficients[g].above += pair * levels[l].lower;
      coefficients[l].below += pair * levels[g].upper;
    }
    sum += coefficients[g].above * levels[g].upper;
  }
  for (std::size_t g = 0; g < count; ++g) {
    for (std::size_t i = levels[g].begin; i < levels[g + 1].begin; ++i) {
      const double potential =
          coefficients[g].above * upper_[i] - coefficients[g].below * lower_[i];
      tree::write_wide(
          static_cast<std::uint64_t>(static_cast<std::int64_t>(potential * kSumUnits)),
          potentials_.data() + 2 * row_[i]);
    }
  }
  return sum;
}

void PairWeights::set_weights(Host& host) {
  sum_ = sum_over_queries(host, [&](std::size_t q, Scratch& scratch) {
    return set_query_weights(q, scratch.coefficients);
  });
}

double PairWeights::edge(const Heights& heights, Host& host) const {
  const auto twice =
      sum_over_blocks<std::int64_t>(host, rows_, [&](std::size_t begin, std::size_t end) {
        std::int64_t part = 0;
        for (std::size_t row = begin; row < end; ++row) {
          part += heights[row] * potential_of(potentials_, row);
        }
        return part;
      });
  return static_cast<double>(host.reducer().sum_of(twice)) / (2.0 * kSumUnits * sum_);
}

PairWeights::ByHeight PairWeights::sums_by_height(const Level& level, std::size_t end,
                                                  const Heights& heights) const {
  const int bits = std::ilogb(static_cast<double>(end - level.begin)) + 1;
  const double units = std::ldexp(1.0, 61 - bits);
  std::int64_t lower[3] = {};
  std::int64_t upper[3] = {};
  for (std::size_t i = level.begin; i < end; ++i) {
    lower[heights[row_[i]]] += static_cast<std::int64_t>(lower_[i] * units);
    upper[heights[row_[i]]] += static_cast<std::int64_t>(upper_[i] * units);
  }
  ByHeight sums;
  for (std::size_t h = 0; h < 3; ++h) {
    sums.lower[h] = static_cast<double>(lower[h]) / units;
    sums.upper[h] = static_cast<double>(upper[h]) / units;
  }
  return sums;
}

PairWeights::Sides PairWeights::sides_of_query(std::size_t q, const Heights& heights,
                                               std::vector<ByHeight>& sums) const {
  const std::size_t first = query_begin_[q];
  const std::size_t count = query_begin_[q + 1] - first;
  const Level* levels = levels_.data() + first;
  Sides sides{0.0, 0.0};
  sums.clear();
  for (std::size_t g = 0; g < count; ++g) {
    sums.push_back(sums_by_height(levels[g], levels[g + 1].begin, heights));
    for (std::size_t l = 0; l < g; ++l) {
      const double pair = largest(q, levels[l], levels[g]);
      for (std::size_t high = 1; high < 3; ++high) {
        for (std::size_t low = 0; low < high; ++low) {
          const double part = 0.5 * static_cast<double>(high - low) * pair;
          sides.right += part * sums[l].lower[low] * sums[g].upper[high];
          sides.wrong += part * sums[l].lower[high] * sums[g].upper[low];
        }
      }
    }
  }
  return sides;
}

PairWeights::Sides PairWeights::sides(const Heights& heights, Host& host) const {
  const double right = sum_over_queries(host, [&](std::size_t q, Scratch& scratch) {
    return sides_of_query(q, heights, scratch.by_height).right;
  });
  const double wrong = sum_over_queries(host, [&](std::size_t q, Scratch& scratch) {
    return sides_of_query(q, heights, scratch.by_height).wrong;
  });
  return {right / sum_, wrong / sum_};
}

void PairWeights::update(const Heights& heights, double alpha, Host& host) {
  log_sum_ += std::log(sum_);
  const double step[3] = {0.0, 0.5 * alpha, alpha};
  for_each_block(host, row_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     heights_[i] += step[heights[row_[i]]];
                   }
                 });
  set_weights(host);
}

}  // namespace rankmix::boost
