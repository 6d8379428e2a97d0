#include "core/boost/aligned_levels.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace rankmix::boost {
namespace {

constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();
// A gain of a level below this fraction of score_ is a rounding error.
constexpr double kNothing = 1e-10;
// Features per task, if there are more than kFewFeatures.
constexpr std::size_t kFeatureBlock = 4;
constexpr std::size_t kFewFeatures = 64;
// Features are grouped for adding up their sums over ranks. A group has about this number
// of sums.
constexpr std::size_t kSumsAtOnce = std::size_t{1} << 22;

// For each item k < `count`, sum(k, sums) adds to a buffer of size_of(k) zeros. Then
// use(k, sums, scratch) receives the sums over all ranks. With a single rank, a task has
// `block` items, which share a scratch.
template <class Scratch, class SizeOf, class Sum, class Use>
void with_sums_of_ranks(std::size_t count, std::size_t block, Host& host,
                        const SizeOf& size_of, const Sum& sum, const Use& use) {
  if (host.reducer().is_alone()) {
    host.parallel_for((count + block - 1) / block, [&](std::size_t task) {
      Scratch scratch;
      std::vector<std::int64_t> sums;
      const std::size_t end = std::min(count, (task + 1) * block);
      for (std::size_t k = task * block; k < end; ++k) {
        sums.assign(size_of(k), 0);
        sum(k, sums.data());
        use(k, sums.data(), scratch);
      }
    });
    return;
  }
  for (std::size_t begin = 0; begin < count;) {
    std::vector<std::size_t> starts{0};
    std::size_t end = begin;
    while (end < count && starts.back() < kSumsAtOnce) {
      starts.push_back(starts.back() + size_of(end++));
    }
    std::vector<std::int64_t> sums(starts.back(), 0);
    host.parallel_for(end - begin,
                      [&](std::size_t k) { sum(begin + k, sums.data() + starts[k]); });
    host.reducer().add(View<std::int64_t>(sums.data(), sums.size()));
    host.parallel_for(end - begin, [&](std::size_t k) {
      Scratch scratch;
      use(begin + k, sums.data() + starts[k], scratch);
    });
    begin = end;
  }
}

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
  has_columns_ = true;
  columns_.resize(features_.size() * rows_.size());
  std::vector<double> missing(features_.size(), 0.0);  // 1 if missing in any document
  host.parallel_for(features_.size(), [&](std::size_t i) {
    std::uint8_t* column = columns_.data() + i * rows_.size();
    bins_.with_bins_of(features_[i], [&](const auto& bin_of) {
      for (std::size_t k = 0; k < rows_.size(); ++k) {
        column[k] = bin_of(rows_[k]);
      }
    });
    const data::FeatureBins& feature = bins_.feature(features_[i]);
    if (feature.has_missing &&
        std::count(column, column + rows_.size(), feature.missing_bin()) > 0) {
      missing[i] = 1.0;
    }
  });
  host.reducer().max(View<double>(missing.data(), missing.size()));
  missing_.assign(missing.begin(), missing.end());
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

// Sorts edges by counting, so that edges of the same two leaves are adjacent. All ranks
// have the same groups, some of which may be empty.
void AlignedLevels::group_edges(Reducer& reducer) {
  const std::size_t kinds = lower_at(leaves_, 0);
  std::vector<std::size_t> starts(kinds + 1, 0);
  for (Edge& edge : edges_) {
    if (leaf_of_[edge.high] < leaf_of_[edge.low]) {
      std::swap(edge.high, edge.low);
    }
    ++starts[lower_at(leaf_of_[edge.high], leaf_of_[edge.low]) + 1];
  }
  std::vector<double> counts(starts.begin() + 1, starts.end());
  reducer.add(View<double>(counts.data(), kinds));
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  groups_.clear();
  for (std::size_t high = 0; high < leaves_; ++high) {
    for (std::size_t low = 0; low <= high; ++low) {
      const std::size_t kind = lower_at(high, low);
      if (counts[kind] > 0.0) {
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

// The sums of pushes and degrees by leaf and bin, for the pointwise solver.
void AlignedLevels::sum_by_bins(std::size_t i, std::int64_t* sums) const {
  const auto bins = static_cast<std::size_t>(bins_.feature(features_[i]).bins());
  const std::uint8_t* column = columns_.data() + i * rows_.size();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    std::int64_t* to = sums + 2 * (leaf_of_[k] * bins + column[k]);
    to[0] += pushes_[k];
    to[1] += degrees_[k];
  }
}

// The largest score of a test of the feature by the pointwise solver, with missing values
// on the right.
double AlignedLevels::pointwise_score(std::size_t i, const std::int64_t* sums) const {
  const auto bins = static_cast<std::size_t>(bins_.feature(features_[i]).bins());
  std::array<double, 256> gains{};
  auto score = [](std::int64_t push, std::int64_t degree) {
    const auto p = static_cast<double>(push);
    return degree > 0 ? p * p / static_cast<double>(degree) : 0.0;
  };
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::int64_t* from = sums + 2 * leaf * bins;
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

// The positions in features_ of the features that the level may test, increasing.
std::vector<std::size_t> AlignedLevels::allowed(const tree::LevelRules& rules) const {
  std::vector<std::uint8_t> active(bins_.features(), 1);
  rules.limit(active);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < features_.size(); ++i) {
    if (active[features_[i]] != 0) {
      positions.push_back(i);
    }
  }
  return positions;
}

// The positions in features_ of the features to search, increasing.
std::vector<std::size_t> AlignedLevels::screened(const tree::LevelRules& rules,
                                                 Host& host) const {
  std::vector<std::size_t> chosen = allowed(rules);
  if (options_.screen >= chosen.size()) {
    return chosen;
  }
  std::vector<double> scores(features_.size());
  with_sums_of_ranks<Scratch>(
      chosen.size(), kFeatureBlock, host,
      [&](std::size_t k) {
        const data::FeatureBins& feature = bins_.feature(features_[chosen[k]]);
        return 2 * leaves_ * static_cast<std::size_t>(feature.bins());
      },
      [&](std::size_t k, std::int64_t* sums) { sum_by_bins(chosen[k], sums); },
      [&](std::size_t k, const std::int64_t* sums, Scratch&) {
        const std::size_t i = chosen[k];
        scores[i] = pointwise_score(i, sums) - rules.cost(features_[i]);
      });
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  chosen.resize(options_.screen);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// The tests of a feature. Missing values are the last bin, on the right, or the first
// bin, on the left.
std::vector<AlignedLevels::Cuts> AlignedLevels::cuts_of(std::size_t i) const {
  const auto values = static_cast<std::size_t>(bins_.feature(features_[i]).value_bins());
  if (missing_[i] != 0) {
    return {{values + 1, tree::Missing::kRight}, {values + 1, tree::Missing::kLeft}};
  }
  if (values > 1) {
    return {{values, tree::Missing::kUnseen}};
  }
  return {};
}

// The positions of the bins of a feature in the order of the cuts.
const std::uint8_t* AlignedLevels::positions_of(std::size_t i, const Cuts& cuts,
                                                Scratch& scratch) const {
  const std::uint8_t* column = columns_.data() + i * rows_.size();
  if (cuts.missing != tree::Missing::kLeft) {
    return column;
  }
  const auto missing = bins_.feature(features_[i]).missing_bin();
  scratch.column.resize(rows_.size());
  std::transform(column, column + rows_.size(), scratch.column.begin(),
                 [&](std::uint8_t bin) {
                   return static_cast<std::uint8_t>(bin == missing ? 0 : bin + 1);
                 });
  return scratch.column.data();
}

// Adds the weights of the edges of a group to three tables: by the position of the
// document in the higher leaf, by the position of the other document, and by the larger
// position.
void AlignedLevels::sum_edges(const Group& group, const std::uint8_t* column,
                              std::size_t positions, std::int64_t* sums) const {
  std::int64_t* by_high = sums;
  std::int64_t* by_low = by_high + positions;
  std::int64_t* by_larger = by_low + positions;
  for (std::size_t e = group.begin; e < group.end; ++e) {
    const Edge& edge = edges_[e];
    const std::uint8_t high = column[edge.high];
    const std::uint8_t low = column[edge.low];
    by_high[high] += edge.weight;
    by_low[low] += edge.weight;
    by_larger[std::max(high, low)] += edge.weight;
  }
}

// Adds the edges of a group to the systems, by the sides on which each cut puts their
// documents. In the systems, the left side of leaf n is leaf 2 n and the right side is
// leaf 2 n + 1.
void AlignedLevels::add_edges(const Group& group, const std::int64_t* sums,
                              std::size_t positions, LaneSystems& systems) const {
  const std::int64_t* by_high = sums;
  const std::int64_t* by_low = by_high + positions;
  const std::int64_t* by_larger = by_low + positions;
  const std::int64_t all = std::accumulate(by_high, by_low, std::int64_t{0});
  std::int64_t high_left = 0;
  std::int64_t low_left = 0;
  std::int64_t both_left = 0;
  const std::size_t h = 2 * group.high;
  const std::size_t l = 2 * group.low;
  for (std::size_t cut = 0; cut + 1 < positions; ++cut) {
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

void AlignedLevels::sum_pushes(const std::uint8_t* column, std::size_t positions,
                               std::int64_t* sums) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    sums[leaf_of_[k] * positions + column[k]] += pushes_[k];
  }
}

void AlignedLevels::add_pushes(const std::int64_t* sums, std::size_t positions,
                               LaneSystems& systems) const {
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    const std::int64_t* from = sums + leaf * positions;
    const std::int64_t all = std::accumulate(from, from + positions, std::int64_t{0});
    std::int64_t left = 0;
    for (std::size_t cut = 0; cut + 1 < positions; ++cut) {
      left += from[cut];
      systems.right(2 * leaf, cut) = static_cast<double>(left);
      systems.right(2 * leaf + 1, cut) = static_cast<double>(all - left);
    }
  }
}

// The number of sums that sum_cuts() computes for a feature.
std::size_t AlignedLevels::sums_of(std::size_t i) const {
  std::size_t sums = 0;
  for (const Cuts& cuts : cuts_of(i)) {
    sums += (3 * groups_.size() + leaves_) * cuts.positions;
  }
  return sums;
}

// For each set of cuts, the sums of the edges of each group, then of the pushes.
void AlignedLevels::sum_cuts(std::size_t i, std::int64_t* sums) const {
  Scratch scratch;
  for (const Cuts& cuts : cuts_of(i)) {
    const std::uint8_t* column = positions_of(i, cuts, scratch);
    for (const Group& group : groups_) {
      sum_edges(group, column, cuts.positions, sums);
      sums += 3 * cuts.positions;
    }
    sum_pushes(column, cuts.positions, sums);
    sums += leaves_ * cuts.positions;
  }
}

// The systems of all cuts. `sums` is the result of sum_cuts(). If `sums` is null, the
// edges of this rank are summed group by group, with a small buffer.
void AlignedLevels::fill_systems(std::size_t i, const Cuts& cuts,
                                 const std::int64_t* sums, Scratch& scratch) const {
  scratch.systems.reset(2 * leaves_, cuts.positions - 1);
  if (sums != nullptr) {
    for (const Group& group : groups_) {
      add_edges(group, sums, cuts.positions, scratch.systems);
      sums += 3 * cuts.positions;
    }
    add_pushes(sums, cuts.positions, scratch.systems);
    return;
  }
  const std::uint8_t* column = positions_of(i, cuts, scratch);
  for (const Group& group : groups_) {
    scratch.sums.assign(3 * cuts.positions, 0);
    sum_edges(group, column, cuts.positions, scratch.sums.data());
    add_edges(group, scratch.sums.data(), cuts.positions, scratch.systems);
  }
  scratch.sums.assign(leaves_ * cuts.positions, 0);
  sum_pushes(column, cuts.positions, scratch.sums.data());
  add_pushes(scratch.sums.data(), cuts.positions, scratch.systems);
}

// Replaces `best` if a cut has a higher score. Ties: the lower bin.
void AlignedLevels::try_cuts(std::size_t i, const Cuts& cuts, const std::int64_t* sums,
                             Scratch& scratch, tree::Split& best) const {
  const bool missing_first = cuts.missing == tree::Missing::kLeft;
  fill_systems(i, cuts, sums, scratch);
  scratch.systems.scores(options_.ridge, scratch.scores);
  // With missing values first, the first cut separates them from all others. This cut is
  // skipped, because the last cut with missing values last is the same test.
  for (std::size_t cut = missing_first ? 1 : 0; cut < scratch.scores.size(); ++cut) {
    const double gain = scratch.scores[cut] - score_;
    const int bin = static_cast<int>(cut) - (missing_first ? 1 : 0);
    if (gain > best.gain || (gain == best.gain && best.exists() && bin < best.bin)) {
      best = {gain, static_cast<int>(features_[i]), bin, cuts.missing};
    }
  }
}

// The best test of a feature. `sums` is the result of sum_cuts(), or null.
tree::Split AlignedLevels::best_cut(std::size_t i, const std::int64_t* sums,
                                    Scratch& scratch) const {
  tree::Split best;
  for (const Cuts& cuts : cuts_of(i)) {
    try_cuts(i, cuts, sums, scratch, best);
    if (sums != nullptr) {
      sums += (3 * groups_.size() + leaves_) * cuts.positions;
    }
  }
  return best;
}

// Leaves with documents on both sides are split. Each of these leaves gets an equal part
// of the total gain.
tree::Level AlignedLevels::level_of(const tree::Split& split, const tree::LevelLeaves& at,
                                    Reducer& reducer) const {
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
  std::vector<double> sides(2 * leaves_, 0.0);  // number of documents on each side
  bins_.with_bins_of(f, [&](const auto& bin_of) {
    for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
      const tree::PickedRows rows = at.rows_of(leaf);
      for (std::size_t k = 0; k < rows.count; ++k) {
        const std::size_t row = rows.row(k);
        sides[2 * leaf + goes_left[bin_of(row)]] += counted_.empty() ? 1 : counted_[row];
      }
    }
  });
  reducer.add(View<double>(sides.data(), sides.size()));
  double split_score = 0.0;
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    level.parts[leaf] = sides[2 * leaf] > 0.0 && sides[2 * leaf + 1] > 0.0 ? 1 : 0;
    split_score += level.parts[leaf];
  }
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    level.gains[leaf] = level.parts[leaf] != 0 ? split.whole_gain() / split_score : 0.0;
  }
  return level;
}

tree::Level AlignedLevels::choose(const tree::LevelLeaves& at,
                                  const tree::LevelRules& rules, Host& host) {
  if (!has_columns_) {
    read_columns(host);
  }
  find_leaves(at);
  group_edges(host.reducer());
  const std::vector<std::size_t> searched = screened(rules, host);
  const bool alone = host.reducer().is_alone();
  const std::size_t block = searched.size() > kFewFeatures ? kFeatureBlock : 1;
  std::vector<tree::Split> found(searched.size());
  with_sums_of_ranks<Scratch>(
      searched.size(), block, host,
      [&](std::size_t k) { return alone ? 0 : sums_of(searched[k]); },
      [&](std::size_t k, std::int64_t* sums) {
        if (!alone) {
          sum_cuts(searched[k], sums);
        }
      },
      [&](std::size_t k, const std::int64_t* sums, Scratch& scratch) {
        found[k] =
            tree::after_cost(best_cut(searched[k], alone ? nullptr : sums, scratch),
                             rules.cost(features_[searched[k]]));
      });
  tree::Split best = tree::best_of(found);
  if (best.gain <= kNothing * score_) {
    best = {};
  }
  score_ += best.whole_gain();
  return level_of(best, at, host.reducer());
}

}  // namespace rankmix::boost
