#include "core/boost/aligned_pairs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/dense.h"
#include "core/base/errors.h"
#include "core/objective/evaluate.h"

namespace rankmix::boost {
namespace {

constexpr double kWeightUnits = 1 << 30;
// Queries per task.
constexpr std::size_t kQueryBlock = 16;

// Subtracts from the values their mean in each set of leaves that edges connect. The sum
// over pairs does not determine this mean: it is due to the ridge and to rounding.
void center_components(const std::vector<std::int64_t>& edges,
                       std::vector<double>& values) {
  const std::size_t leaves = values.size();
  std::vector<std::size_t> set(leaves);  // lowest leaf of the set
  for (std::size_t p = 0; p < leaves; ++p) {
    set[p] = p;
    for (std::size_t q = 0; q < p; ++q) {
      if (edges[lower_at(p, q)] > 0 && set[q] != set[p]) {
        const std::size_t from = std::max(set[p], set[q]);
        std::replace(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(p) + 1, from,
                     std::min(set[p], set[q]));
      }
    }
  }
  std::vector<double> sums(leaves, 0.0);
  std::vector<double> counts(leaves, 0.0);
  for (std::size_t p = 0; p < leaves; ++p) {
    sums[set[p]] += values[p];
    counts[set[p]] += 1.0;
  }
  for (std::size_t p = 0; p < leaves; ++p) {
    values[p] -= sums[set[p]] / counts[set[p]];
  }
}

// A pair in floating point, before its weights are rounded to units.
struct RealPair {
  std::uint32_t upper;
  std::uint32_t lower;
  double weight;
  double push;
};

// Merges successive entries (i, j) and (j, i), which are the same pair with both orders.
class Collector {
 public:
  Collector(View<const double> scores, std::vector<RealPair>& pairs)
      : scores_(scores), pairs_(pairs) {}
  void operator()(const objective::Pair& pair) {
    const auto upper = static_cast<std::uint32_t>(pair.upper);
    const auto lower = static_cast<std::uint32_t>(pair.lower);
    const double push =
        pair.weight * (pair.difference - (scores_[pair.upper] - scores_[pair.lower]));
    if (!pairs_.empty() && pairs_.back().upper == lower && pairs_.back().lower == upper) {
      pairs_.back().weight += pair.weight;
      pairs_.back().push -= push;
      return;
    }
    pairs_.push_back({upper, lower, pair.weight, push});
  }

 private:
  View<const double> scores_;
  std::vector<RealPair>& pairs_;
};

}  // namespace

AlignedPairs::AlignedPairs(const data::BinnedMatrix& bins,
                           std::unique_ptr<objective::Objective> objective,
                           const objective::Documents& documents, tree::Counted counted,
                           std::vector<double> scores, const GradientOptions& gradients,
                           const AlignedOptions& options, bool search)
    : ObjectiveGradients(bins, std::move(objective), documents, std::move(counted),
                         std::move(scores), gradients),
      aligned_(options),
      search_(search) {
  if (!objective_->traits().has_pairs) {
    throw InvalidArgument("the objective is no sum over pairs");
  }
}

// Gradients are only needed to search by gradients, not to search by pairs.
bool AlignedPairs::prepare(Host& host) {
  if (search_) {
    begin_round(host);
  } else if (!ObjectiveGradients::prepare(host)) {
    return false;
  }
  collect_pairs(host);
  if (search_) {
    keep_heaviest();
  }
  return unit_ > 0.0;
}

void AlignedPairs::collect_pairs(Host& host) {
  const std::size_t queries = documents_.queries.count();
  std::vector<std::vector<RealPair>> found((queries + kQueryBlock - 1) / kQueryBlock);
  query_begin_.assign(queries + 1, 0);
  host.parallel_for(found.size(), [&](std::size_t block) {
    const std::size_t end = std::min(queries, (block + 1) * kQueryBlock);
    for (std::size_t q = block * kQueryBlock; q < end; ++q) {
      const std::size_t before = found[block].size();
      if (documents_.query_weights.empty() || documents_.query_weights[q] > 0.0) {
        Collector collect(scores_, found[block]);
        objective::visit_pairs(*objective_, documents_, scores_, q, host,
                               [&](const objective::Pair& pair) { collect(pair); });
      }
      query_begin_[q + 1] = found[block].size() - before;
    }
  });
  double largest = 0.0;
  std::size_t count = 0;
  for (const std::vector<RealPair>& pairs : found) {
    count += pairs.size();
    for (const RealPair& pair : pairs) {
      largest = std::max(largest, pair.weight);
    }
  }
  for (std::size_t q = 0; q < queries; ++q) {
    query_begin_[q + 1] += query_begin_[q];
  }
  largest = host.reducer().max_of(largest);
  unit_ = largest / kWeightUnits;
  pairs_.clear();
  pairs_.reserve(count);
  for (const std::vector<RealPair>& pairs : found) {
    for (const RealPair& pair : pairs) {
      pairs_.push_back(
          {pair.upper, pair.lower,
           static_cast<std::uint32_t>(std::llround(pair.weight / largest * kWeightUnits)),
           static_cast<std::int32_t>(std::lround(pair.push / largest * kWeightUnits))});
    }
  }
}

// Keeps, for each query, the heaviest pairs until they have the fraction pair_fraction of
// the query's total weight. Ties: the earlier pair.
void AlignedPairs::keep_heaviest() {
  heaviest_.clear();
  if (aligned_.pair_fraction == 1.0) {
    return;
  }
  std::vector<std::uint64_t> keys;
  for (std::size_t q = 0; q + 1 < query_begin_.size(); ++q) {
    keys.clear();
    double all = 0.0;
    for (std::size_t i = query_begin_[q]; i < query_begin_[q + 1]; ++i) {
      keys.push_back(static_cast<std::uint64_t>(~pairs_[i].weight) << 32 |
                     (i - query_begin_[q]));
      all += pairs_[i].weight;
    }
    std::sort(keys.begin(), keys.end());
    double kept = 0.0;
    for (std::size_t i = 0; i < keys.size() && kept < aligned_.pair_fraction * all; ++i) {
      const WeightedPair& pair = pairs_[query_begin_[q] + (keys[i] & 0xFFFFFFFFU)];
      heaviest_.push_back(pair);
      kept += pair.weight;
    }
  }
}

std::unique_ptr<tree::LevelChooser> AlignedPairs::levels(double min_documents,
                                                         const tree::Sample& sample,
                                                         tree::Grower& grower) const {
  if (!search_) {
    return Residuals::levels(min_documents, sample, grower);
  }
  return std::make_unique<AlignedLevels>(bins_, heaviest_.empty() ? pairs_ : heaviest_,
                                         aligned_, sample, counted_);
}

double AlignedPairs::gain_unit() const {
  return search_ ? unit_ : ObjectiveGradients::gain_unit();
}

std::vector<double> AlignedPairs::leaf_steps(std::size_t leaves,
                                             const tree::LeafIds& leaf_ids,
                                             Host& host) const {
  const std::size_t edges = lower_at(leaves, 0);
  const std::vector<std::int64_t> sums = sum_tables(
      host, pairs_.size(), edges + leaves, [&](std::size_t i, std::int64_t* to) {
        const WeightedPair& pair = pairs_[i];
        const std::size_t upper = leaf_ids[pair.upper];
        const std::size_t lower = leaf_ids[pair.lower];
        if (upper != lower) {
          to[lower_at(std::max(upper, lower), std::min(upper, lower))] += pair.weight;
          to[edges + upper] += pair.push;
          to[edges + lower] -= pair.push;
        }
      });
  std::vector<double> matrix(leaves * leaves, 0.0);
  double trace = 0.0;
  for (std::size_t p = 0; p < leaves; ++p) {
    for (std::size_t q = 0; q < p; ++q) {
      const auto weight = static_cast<double>(sums[lower_at(p, q)]);
      matrix[q * leaves + p] = -weight;
      matrix[p * leaves + p] += weight;
      matrix[q * leaves + q] += weight;
      trace += 2.0 * weight;
    }
  }
  std::vector<double> steps(sums.begin() + static_cast<std::ptrdiff_t>(edges),
                            sums.end());
  const double ridge = aligned_.ridge * trace / static_cast<double>(leaves);
  for (std::size_t p = 0; p < leaves; ++p) {
    matrix[p * leaves + p] += ridge > 0.0 ? ridge : 1.0;
  }
  if (!dense::solve_positive(matrix, steps)) {
    std::fill(steps.begin(), steps.end(), 0.0);
  }
  center_components(sums, steps);
  return steps;
}

}  // namespace rankmix::boost
