#include "core/boost/residuals.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/blocks.h"
#include "core/base/exact_sum.h"
#include "core/base/in_order.h"
#include "core/base/units.h"
#include "core/boost/variance_score.h"
#include "core/tree/histogram_levels.h"

namespace rankmix::boost {
namespace {

// Residuals smaller than this fraction of the first residuals are rounding errors.
constexpr double kNothing = 1e-14;

}  // namespace

std::unique_ptr<tree::LevelChooser> Residuals::levels(double min_documents,
                                                      const tree::Sample& sample,
                                                      tree::Grower& grower) const {
  return std::make_unique<tree::HistogramLevels>(channels(), finder(min_documents),
                                                 sample, grower);
}

std::vector<double> times(double learning_rate, std::vector<double> values) {
  for (double& value : values) {
    value *= learning_rate;
  }
  return values;
}

RealResiduals::RealResiduals(std::vector<double> residuals, std::vector<double> weights,
                             tree::Counted counted, bool fine, Host& host)
    : residuals_(std::move(residuals)),
      weights_(std::move(weights)),
      counted_(std::move(counted)),
      weighted_(host.reducer().any_of(!weights_.empty())),
      fine_(fine),
      rows_of_all_ranks_(host.reducer().sum_of(static_cast<double>(residuals_.size()))),
      all_(tree::sum_of_counts(counted_, residuals_.size(), host)),
      equal_weight_(1.0 / all_) {}

bool RealResiduals::prepare(Host& host) {
  const std::size_t rows = residuals_.size();
  magnitude_ = sum_counted_exactly(
      host, rows, weighted_ ? rows_of_all_ranks_ : all_,
      [&](std::size_t i) { return std::abs(weight(i) * residuals_[i]); },
      [&](std::size_t i) { return copies(i); });
  first_magnitude_ = std::max(first_magnitude_, magnitude_);
  if (magnitude_ <= kNothing * first_magnitude_) {
    return false;
  }
  const std::size_t count = channel_count();
  const double finer =
      fine_units(static_cast<std::size_t>(weighted_ ? rows_of_all_ranks_ : all_));
  fine_unit_ = fine_ ? 1.0 / finer : 0.0;
  channels_.resize(rows * count + tree::kMaxLanes);
  const double scale = kUnits / magnitude_;
  for_each_block(host, rows, RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const double w = weight(i);
                     const FineUnits number(w * residuals_[i] * scale, finer);
                     const auto times = static_cast<std::uint32_t>(copies(i));
                     std::uint32_t* row = channels_.data() + i * count;
                     row[0] = times * number.whole;
                     row[1] = times * to_units(w);
                     if (fine_) {
                       row[2] = times * number.rest;
                     }
                     if (weighted_) {
                       row[count - 1] = counted_.empty() ? 1 : counted_[i];
                     }
                   }
                 });
  return true;
}

// A bound on the weight of a side, in units. With equal weights and despite rounding,
// exactly the sides with at least `min_documents` documents reach it.
double RealResiduals::min_weight(double min_documents) const {
  return std::floor((min_documents - 0.5) * kUnits * equal_weight_);
}

std::unique_ptr<tree::LevelFinder> RealResiduals::finder(double min_documents) const {
  if (weighted_) {
    return variance_finder(
        CountedVarianceScore(fine_unit_, channel_count() - 1, min_documents));
  }
  return variance_finder(VarianceScore(fine_unit_, min_weight(min_documents)));
}

SumMeaning RealResiduals::meaning(double min_documents) const {
  SumMeaning meaning;
  meaning.hessian_of_1 = kUnits / all_;  // a document of average weight
  meaning.fine_unit = fine_unit_;
  if (!weighted_) {
    meaning.min_count = min_weight(min_documents);
  } else {
    meaning.count_channel = channel_count() - 1;
    meaning.min_count = min_documents;
    meaning.min_weight = 1.0;
  }
  return meaning;
}

double RealResiduals::gain_unit() const { return magnitude_ * magnitude_ / kUnits; }

std::vector<double> RealResiduals::leaf_means(std::size_t leaves,
                                              const tree::LeafIds& leaf_ids,
                                              Host& host) const {
  const double per_magnitude = 1.0 / magnitude_;
  const std::vector<std::int64_t> sums = sum_tables(
      host, residuals_.size(), 2 * leaves, [&](std::size_t i, std::int64_t* to) {
        const double w = weight(i);
        const std::int64_t times = copies(i);
        to[std::size_t{2} * leaf_ids[i]] +=
            times * to_fixed(w * residuals_[i] * per_magnitude);
        to[std::size_t{2} * leaf_ids[i] + 1] += times * to_fixed(w);
      });
  std::vector<double> means(leaves);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    const std::int64_t all = sums[2 * leaf + 1];
    means[leaf] =
        all == 0 ? 0.0 : from_fixed(sums[2 * leaf]) / from_fixed(all) * magnitude_;
  }
  return means;
}

std::vector<double> RealResiduals::apply_tree(tree::GrownTree& tree, const tree::Sample&,
                                              const tree::LeafIds& leaf_ids,
                                              double learning_rate, tree::Grower&,
                                              Host& host) {
  std::vector<double> means = leaf_means(tree.leaves.size(), leaf_ids, host);
  for (std::size_t leaf = 0; leaf < means.size(); ++leaf) {
    means[leaf] = tree.leaves[leaf].branch.bounds.nearest(means[leaf], magnitude_);
  }
  shift(times(learning_rate, means), leaf_ids, host);
  return means;
}

std::vector<double> RealResiduals::apply_tree_again(std::size_t leaves,
                                                    const tree::LeafIds& leaf_ids,
                                                    double learning_rate, Host& host) {
  std::vector<double> means = leaf_means(leaves, leaf_ids, host);
  shift(times(learning_rate, means), leaf_ids, host);
  return means;
}

void RealResiduals::shift(const std::vector<double>& changes,
                          const tree::LeafIds& leaf_ids, Host& host) {
  for_each_block(host, residuals_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     residuals_[i] -= changes[leaf_ids[i]];
                   }
                 });
}

void RealResiduals::reorder(View<const std::uint32_t> order, Host& host) {
  residuals_ = in_order(residuals_, order, host);
  if (!weights_.empty()) {
    weights_ = in_order(weights_, order, host);
  }
  if (!counted_.empty()) {
    counted_ = in_order(counted_, order, host);
  }
}

namespace {

// Limits of the sum of magnitudes, in units. A tree may double this sum, and sums of
// residuals must stay below 2^39.
constexpr double kMaxMagnitude = 1LL << 37;
constexpr double kMinMagnitude = 1LL << 33;
constexpr int kScaleBits = 3;

}  // namespace

WholeResiduals::WholeResiduals(const std::vector<double>& residuals,
                               const tree::Counted& counted, Host& host)
    : counted_(!counted.empty()),
      all_(tree::sum_of_counts(counted, residuals.size(), host)),
      channels_(2 * residuals.size() + tree::kMaxLanes, 0U) {
  auto count = [&](std::size_t i) {
    return counted_ ? static_cast<std::int64_t>(counted[i]) : std::int64_t{1};
  };
  const double sum = sum_counted_exactly(
      host, residuals.size(), all_, [&](std::size_t i) { return std::abs(residuals[i]); },
      count);
  unit_ = sum > 0.0 ? sum / std::exp2(36.0) : 1.0;
  for (std::size_t i = 0; counted_ && i < residuals.size(); ++i) {
    tree::write_wide(wide_of(0, counted[i]), channels_.data() + 2 * i);
  }
  change_rows(
      [&](std::size_t i, std::int64_t) {
        return static_cast<std::int64_t>(std::llround(residuals[i] / unit_));
      },
      host);
  first_magnitude_ = magnitude_ * unit_;
}

std::int64_t WholeResiduals::own_residual(std::uint64_t wide) const {
  const std::int64_t residual = residual_of(wide);
  const auto count = static_cast<std::int64_t>(count_of(wide));
  return counted_ && count > 1 ? residual / count : residual;
}

template <class Change>
void WholeResiduals::change_rows(const Change& change, Host& host) {
  const std::int64_t magnitude = sum_over_blocks<std::int64_t>(
      host, rows(), [&](std::size_t begin, std::size_t end) {
        std::int64_t part = 0;
        for (std::size_t i = begin; i < end; ++i) {
          std::uint32_t* row = channels_.data() + 2 * i;
          const std::uint64_t wide = tree::read_wide(row);
          const std::int64_t count =
              counted_ ? static_cast<std::int64_t>(count_of(wide)) : 1;
          const std::int64_t residual = count * change(i, own_residual(wide));
          tree::write_wide(wide_of(residual, static_cast<std::uint64_t>(count)), row);
          part += std::abs(residual);
        }
        return part;
      });
  magnitude_ = static_cast<double>(host.reducer().sum_of(magnitude));
}

void WholeResiduals::scale_by(int bits, Host& host) {
  const double factor = std::exp2(bits);
  change_rows(
      [&](std::size_t, std::int64_t residual) {
        return static_cast<std::int64_t>(
            std::llround(static_cast<double>(residual) * factor));
      },
      host);
  unit_ /= factor;
  sums_.histogram.clear();
}

bool WholeResiduals::prepare(Host& host) {
  if (magnitude_ * unit_ <= kNothing * first_magnitude_) {
    return false;
  }
  if (magnitude_ > kMaxMagnitude) {
    scale_by(-kScaleBits, host);
  }
  while (magnitude_ < kMinMagnitude) {
    scale_by(kScaleBits, host);
  }
  return true;
}

std::unique_ptr<tree::LevelFinder> WholeResiduals::finder(double min_documents) const {
  return variance_finder(VarianceScore(0.0, min_documents));
}

SumMeaning WholeResiduals::meaning(double min_documents) const {
  SumMeaning meaning;
  meaning.min_count = min_documents;
  return meaning;
}

double WholeResiduals::gain_unit() const { return unit_ * unit_ / all_; }

// Sums of the residuals and of the counts of each leaf, over all rows.
std::vector<std::int64_t> WholeResiduals::leaf_sums(std::size_t leaves,
                                                    const tree::LeafIds& leaf_ids,
                                                    Host& host) const {
  return sum_tables(host, rows(), 2 * leaves, [&](std::size_t i, std::int64_t* to) {
    const std::uint64_t wide = tree::read_wide(channels_.data() + 2 * i);
    to[std::size_t{2} * leaf_ids[i]] += residual_of(wide);
    to[std::size_t{2} * leaf_ids[i] + 1] += static_cast<std::int64_t>(count_of(wide));
  });
}

namespace {

std::vector<double> means_of(const std::vector<std::int64_t>& sums) {
  std::vector<double> means;
  for (std::size_t i = 0; i < sums.size(); i += 2) {
    means.push_back(sums[i + 1] == 0 ? 0.0
                                     : static_cast<double>(sums[i]) /
                                           static_cast<double>(sums[i + 1]));
  }
  return means;
}

}  // namespace

std::vector<std::int64_t> WholeResiduals::lower(std::vector<double>& means,
                                                const tree::LeafIds& leaf_ids,
                                                double learning_rate, Host& host) {
  std::vector<std::int64_t> steps;
  for (double& mean : means) {
    steps.push_back(std::llround(learning_rate * mean));
    mean = static_cast<double>(steps.back()) * unit_ / learning_rate;
  }
  change_rows(
      [&](std::size_t i, std::int64_t residual) { return residual - steps[leaf_ids[i]]; },
      host);
  return steps;
}

std::vector<double> WholeResiduals::apply_tree(tree::GrownTree& tree,
                                               const tree::Sample& sample,
                                               const tree::LeafIds& leaf_ids,
                                               double learning_rate, tree::Grower& grower,
                                               Host& host) {
  std::vector<std::int64_t> sums;
  if (sample.takes_all()) {
    for (const tree::Leaf& leaf : tree.leaves) {
      const std::uint64_t wide = tree::read_wide(leaf.total.data());
      sums.push_back(residual_of(wide));
      sums.push_back(static_cast<std::int64_t>(count_of(wide)));
    }
  } else {
    sums = leaf_sums(tree.leaves.size(), leaf_ids, host);
  }
  std::vector<double> means = means_of(sums);
  for (std::size_t leaf = 0; leaf < means.size(); ++leaf) {
    means[leaf] = tree.leaves[leaf].branch.bounds.nearest(means[leaf]);
  }
  update_sums(lower(means, leaf_ids, learning_rate, host), tree, grower, host);
  return means;
}

std::vector<double> WholeResiduals::apply_tree_again(std::size_t leaves,
                                                     const tree::LeafIds& leaf_ids,
                                                     double learning_rate, Host& host) {
  sums_.histogram.clear();
  std::vector<double> means = means_of(leaf_sums(leaves, leaf_ids, host));
  lower(means, leaf_ids, learning_rate, host);
  return means;
}

// Changes are integers in units, except for the rounding of their division by the
// learning rate.
void WholeResiduals::shift(const std::vector<double>& changes,
                           const tree::LeafIds& leaf_ids, Host& host) {
  sums_.histogram.clear();
  std::vector<double> units = times(1.0 / unit_, changes);
  lower(units, leaf_ids, 1.0, host);
}

// Sums of all rows do not depend on their order.
void WholeResiduals::reorder(View<const std::uint32_t> order, Host& host) {
  channels_ = in_order(channels_, order, host, 2);
}

// Subtracts the steps of the leaves from the sums of all rows. The update needs the
// histograms of all leaves.
void WholeResiduals::update_sums(const std::vector<std::int64_t>& steps,
                                 tree::GrownTree& tree, tree::Grower& grower,
                                 Host& host) {
  const bool known =
      std::none_of(tree.leaves.begin(), tree.leaves.end(),
                   [](const tree::Leaf& leaf) { return leaf.histogram.empty(); });
  if (!known) {
    sums_.histogram.clear();
    return;
  }
  auto lower_slot = [&](std::uint32_t* slot, const std::uint32_t* of_leaf,
                        std::int64_t shift) {
    const auto count = static_cast<std::int64_t>(count_of(tree::read_wide(of_leaf)));
    tree::write_wide(tree::read_wide(slot) - wide_of(count * shift, 0), slot);
  };
  const std::vector<data::Tile>& tiles = grower.bins().tiles();
  host.parallel_for(tiles.size(), [&](std::size_t t) {
    const std::size_t first = grower.adder().layout().begin(tiles[t]);
    const std::size_t last = grower.adder().layout().end(tiles[t]);
    for (std::size_t leaf = 0; leaf < steps.size(); ++leaf) {
      const std::uint32_t* of_leaf = tree.leaves[leaf].histogram.data();
      for (std::size_t i = first; i < last; i += 2) {
        lower_slot(sums_.histogram.data() + i, of_leaf + i, steps[leaf]);
      }
    }
  });
  for (std::size_t leaf = 0; leaf < steps.size(); ++leaf) {
    lower_slot(sums_.total.data(), tree.leaves[leaf].total.data(), steps[leaf]);
    grower.adder().give_back(tree.leaves[leaf].histogram);
  }
}

}  // namespace rankmix::boost
