#include "core/boost/aligned_levels.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace rankmix::boost {
namespace {

constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();
// A level whose gain relative to score_ is below this is a rounding error.
constexpr double kNothing = 1e-10;
// Features per task, if there are more than kFewFeatures.
constexpr std::size_t kFeatureBlock = 4;
constexpr std::size_t kFewFeatures = 64;

}  // namespace

// Buffers of a task, which are reused from feature to feature.
struct AlignedLevels::Scratch {
  LaneSystems systems;
  std::vector<double> scores;
  std::vector<std::int64_t> sums;
  std::vector<std::uint8_t> column;
};

AlignedLevels::AlignedLevels(const data::BinnedMatrix& bins,
                             const std::vector<WeightedPair>& pairs,
                             const AlignedOptions& options, const tree::Sample& sample,
                             const tree::Counted& counted)
    : bins_(bins), options_(options), counted_(counted) {
  std::vector<std::uint32_t> position(bins.rows(), sample.takes_all() ? 0 : kAbsent);
  for (std::uint32_t row : sample.rows) {
    position[row] = 0;
  }
  // Marks the documents of pairs, then numbers them in the order of the rows.
  std::vector<std::uint8_t> used(bins.rows(), 0);
  auto counts = [&](const WeightedPair& pair) {
    return pair.weight > 0 && position[pair.upper] != kAbsent &&
           position[pair.lower] != kAbsent;
  };
  std::size_t count = 0;
  for (const WeightedPair& pair : pairs) {
    if (counts(pair)) {
      used[pair.upper] = used[pair.lower] = 1;
      ++count;
    }
  }
  for (std::size_t row = 0; row < used.size(); ++row) {
    if (used[row] != 0) {
      position[row] = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back(static_cast<std::uint32_t>(row));
    }
  }
  pushes_.assign(rows_.size(), 0);
  degrees_.assign(rows_.size(), 0);
  leaf_of_.assign(rows_.size(), 0);
  edges_.reserve(count);
  for (const WeightedPair& pair : pairs) {
    if (counts(pair)) {
      const std::uint32_t upper = position[pair.upper];
      const std::uint32_t lower = position[pair.lower];
      pushes_[upper] += pair.push;
      pushes_[lower] -= pair.push;
      degrees_[upper] += pair.weight;
      degrees_[lower] += pair.weight;
      edges_.push_back({upper, lower, pair.weight});
    }
  }
  for (std::size_t f : bins.splittable()) {
    if (sample.active[f] != 0) {
      features_.push_back(f);
    }
  }
}

void AlignedLevels::read_columns(Host& host) {
  columns_.resize(features_.size() * rows_.size());
  host.parallel_for(features_.size(), [&](std::size_t i) {
    std::uint8_t* column = columns_.data() + i * rows_.size();
    bins_.with_bins_of(features_[i], [&](const auto& bin_of) {
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        column[k] = bin_of(rows_[k]);
      }
    });
  });
}

void AlignedLevels::find_leaves(const tree::LevelLeaves& at) {
  leaves_ = at.leaves.size();
  if (leaves_ == 1) {
    return;
  }
  leaf_of_row_.resize(bins_.rows());
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const tree::PickedRows rows = at.rows_of(leaf);
    for (std::size_t i = 0; i < rows.count; ++i) {
      leaf_of_row_[rows.row(i)] = static_cast<std::uint32_t>(leaf);
    }
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    leaf_of_[k] = static_cast<std::uint16_t>(leaf_of_row_[rows_[k]]);
  }
}

// Sorts edges by counting, so that edges of the same two leaves are adjacent.
void AlignedLevels::group_edges() {
  const std::size_t kinds = lower_at(leaves_, 0);
  std::vector<std::size_t> starts(kinds + 1, 0);
  for (Edge& edge : edges_) {
    if (leaf_of_[edge.high] < leaf_of_[edge.low]) {
      std::swap(edge.high, edge.low);
    }
    ++starts[lower_at(leaf_of_[edge.high], leaf_of_[edge.low]) + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  groups_.clear();
  for (std::size_t high = 0; high < leaves_; ++high) {
    for (std::size_t low = 0; low <= high; ++low) {
      const std::size_t kind = lower_at(high, low);
      if (starts[kind] < starts[kind + 1]) {
        groups_.push_back({high, low, starts[kind], starts[kind + 1]});
      }
    }
  }
  spare_.resize(edges_.size());
  for (const Edge& edge : edges_) {
    spare_[starts[lower_at(leaf_of_[edge.high], leaf_of_[edge.low])]++] = edge;
  }
  std::swap(edges_, spare_);
}

// The largest score of a test of the feature by the pointwise solver, with missing values
// on the right.
double AlignedLevels::pointwise_score(std::size_t i,
                                      std::vector<std::int64_t>& sums) const {
  const auto bins = static_cast<std::size_t>(bins_.feature(features_[i]).bins());
  const std::uint8_t* column = columns_.data() + i * rows_.size();
  sums.assign(2 * leaves_ * bins, 0);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    std::int64_t* to = sums.data() + 2 * (leaf_of_[k] * bins + column[k]);
    to[0] += pushes_[k];
    to[1] += degrees_[k];
  }
  std::array<double, 256> gains{};
  auto score = [](std::int64_t push, std::int64_t degree) {
    const auto p = static_cast<double>(push);
    return degree > 0 ? p * p / static_cast<double>(degree) : 0.0;
  };
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::int64_t* from = sums.data() + 2 * leaf * bins;
    std::int64_t push = 0;
    std::int64_t degree = 0;
    for (std::size_t b = 0; b < bins; ++b) {
      push += from[2 * b];
      degree += from[2 * b + 1];
    }
    std::int64_t left_push = 0;
    std::int64_t left_degree = 0;
    for (std::size_t b = 0; b + 1 < bins; ++b) {
      left_push += from[2 * b];
      left_degree += from[2 * b + 1];
      gains[b] +=
          score(left_push, left_degree) + score(push - left_push, degree - left_degree);
    }
  }
  return *std::max_element(gains.begin(), gains.end());
}

// The positions in features_ of the features to search, increasing.
std::vector<std::size_t> AlignedLevels::screened(Host& host) const {
  std::vector<std::size_t> chosen(features_.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (options_.screen >= chosen.size()) {
    return chosen;
  }
  std::vector<double> scores(chosen.size());
  const std::size_t tasks = (chosen.size() + kFeatureBlock - 1) / kFeatureBlock;
  host.parallel_for(tasks, [&](std::size_t task) {
    std::vector<std::int64_t> sums;
    const std::size_t end = std::min(scores.size(), (task + 1) * kFeatureBlock);
    for (std::size_t i = task * kFeatureBlock; i < end; ++i) {
      scores[i] = pointwise_score(i, sums);
    }
  });
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  chosen.resize(options_.screen);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Adds the edges of a group to the systems, by the sides on which each cut puts their
// documents. In the systems, the left side of leaf n is leaf 2 n and the right side is
// leaf 2 n + 1.
void AlignedLevels::add_edges(const Group& group, const std::uint8_t* column,
                              std::size_t cuts, LaneSystems& systems) const {
  std::array<std::int64_t, 256> by_high{};
  std::array<std::int64_t, 256> by_low{};
  std::array<std::int64_t, 256> by_larger{};
  std::int64_t all = 0;
  for (std::size_t e = group.begin; e < group.end; ++e) {
    const Edge& edge = edges_[e];
    const std::uint8_t high = column[edge.high];
    const std::uint8_t low = column[edge.low];
    by_high[high] += edge.weight;
    by_low[low] += edge.weight;
    by_larger[std::max(high, low)] += edge.weight;
    all += edge.weight;
  }
  std::int64_t high_left = 0;
  std::int64_t low_left = 0;
  std::int64_t both_left = 0;
  const std::size_t h = 2 * group.high;
  const std::size_t l = 2 * group.low;
  for (std::size_t cut = 0; cut < cuts; ++cut) {
    high_left += by_high[cut];
    low_left += by_low[cut];
    both_left += by_larger[cut];
    const auto left_right = static_cast<double>(high_left - both_left);
    const auto right_left = static_cast<double>(low_left - both_left);
    if (h == l) {
      systems.add_edge(h + 1, h, cut, left_right + right_left);
      continue;
    }
    systems.add_edge(h, l, cut, static_cast<double>(both_left));
    systems.add_edge(h, l + 1, cut, left_right);
    systems.add_edge(h + 1, l, cut, right_left);
    systems.add_edge(h + 1, l + 1, cut,
                     static_cast<double>(all - high_left - low_left + both_left));
  }
}

void AlignedLevels::add_pushes(const std::uint8_t* column, std::size_t positions,
                               Scratch& scratch) const {
  scratch.sums.assign(leaves_ * positions, 0);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    scratch.sums[leaf_of_[k] * positions + column[k]] += pushes_[k];
  }
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::int64_t* from = scratch.sums.data() + leaf * positions;
    const std::int64_t all = std::accumulate(from, from + positions, std::int64_t{0});
    std::int64_t left = 0;
    for (std::size_t cut = 0; cut + 1 < positions; ++cut) {
      left += from[cut];
      scratch.systems.right(2 * leaf, cut) = static_cast<double>(left);
      scratch.systems.right(2 * leaf + 1, cut) = static_cast<double>(all - left);
    }
  }
}

// Improves `best` by all cuts. Ties: the lower bin.
void AlignedLevels::try_cuts(std::size_t i, const Cuts& cuts, Scratch& scratch,
                             tree::Split& best) const {
  const auto feature = features_[i];
  const std::uint8_t* column = columns_.data() + i * rows_.size();
  const bool missing_first = cuts.missing == tree::Missing::kLeft;
  if (missing_first) {
    const auto missing = bins_.feature(feature).missing_bin();
    scratch.column.resize(rows_.size());
    std::transform(column, column + rows_.size(), scratch.column.begin(),
                   [&](std::uint8_t bin) {
                     return static_cast<std::uint8_t>(bin == missing ? 0 : bin + 1);
                   });
    column = scratch.column.data();
  }
  scratch.systems.reset(2 * leaves_, cuts.positions - 1);
  for (const Group& group : groups_) {
    add_edges(group, column, cuts.positions - 1, scratch.systems);
  }
  add_pushes(column, cuts.positions, scratch);
  scratch.systems.scores(options_.ridge, scratch.scores);
  // With missing values first, the first cut separates them from all others. It is
  // skipped: the last cut with missing values last is the same test.
  for (std::size_t cut = missing_first ? 1 : 0; cut < scratch.scores.size(); ++cut) {
    const double gain = scratch.scores[cut] - score_;
    const int bin = static_cast<int>(cut) - (missing_first ? 1 : 0);
    if (gain > best.gain || (gain == best.gain && best.exists() && bin < best.bin)) {
      best = {gain, static_cast<int>(feature), bin, cuts.missing};
    }
  }
}

tree::Split AlignedLevels::best_cut(std::size_t i, Scratch& scratch) const {
  const data::FeatureBins& feature = bins_.feature(features_[i]);
  const auto values = static_cast<std::size_t>(feature.value_bins());
  const std::uint8_t* column = columns_.data() + i * rows_.size();
  const bool missing = feature.has_missing && std::count(column, column + rows_.size(),
                                                         feature.missing_bin()) > 0;
  tree::Split best;
  if (missing) {
    try_cuts(i, {values + 1, tree::Missing::kRight}, scratch, best);
    try_cuts(i, {values + 1, tree::Missing::kLeft}, scratch, best);
  } else if (values > 1) {
    try_cuts(i, {values, tree::Missing::kUnseen}, scratch, best);
  }
  return best;
}

// Leaves with documents on both sides are split. Each gets an equal part of the gain.
tree::Level AlignedLevels::level_of(const tree::Split& split,
                                    const tree::LevelLeaves& at) const {
  tree::Level level;
  level.split = split;
  level.parts.assign(leaves_, 0);
  level.gains.assign(leaves_, 0.0);
  if (!split.exists()) {
    return level;
  }
  const auto f = static_cast<std::size_t>(split.feature);
  std::uint8_t goes_left[256];
  tree::mark_left(split, bins_.feature(f), goes_left);
  double split_score = 0.0;
  bins_.with_bins_of(f, [&](const auto& bin_of) {
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
      const tree::PickedRows rows = at.rows_of(leaf);
      std::array<std::size_t, 2> sides{};
      for (std::size_t k = 0; k < rows.count; ++k) {
        const std::size_t row = rows.row(k);
        sides[goes_left[bin_of(row)]] += counted_.empty() ? 1 : counted_[row];
      }
      level.parts[leaf] = sides[0] > 0 && sides[1] > 0 ? 1 : 0;
      split_score += level.parts[leaf];
    }
  });
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    level.gains[leaf] = level.parts[leaf] != 0 ? split.gain / split_score : 0.0;
  }
  return level;
}

tree::Level AlignedLevels::choose(const tree::LevelLeaves& at, Host& host) {
  if (columns_.empty()) {
    read_columns(host);
  }
  find_leaves(at);
  group_edges();
  const std::vector<std::size_t> searched = screened(host);
  const std::size_t block = searched.size() > kFewFeatures ? kFeatureBlock : 1;
  std::vector<tree::Split> found((searched.size() + block - 1) / block);
  host.parallel_for(found.size(), [&](std::size_t task) {
    Scratch scratch;
    const std::size_t end = std::min(searched.size(), (task + 1) * block);
    for (std::size_t i = task * block; i < end; ++i) {
      found[task] = tree::better(found[task], best_cut(searched[i], scratch));
    }
  });
  tree::Split best = tree::best_of(found);
  if (best.gain <= kNothing * score_) {
    best = {};
  }
  score_ += best.gain;
  return level_of(best, at);
}

}  // namespace rankmix::boost
