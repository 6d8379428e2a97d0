#include "core/tree/histogram_levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace rankmix::tree {

HistogramLevels::HistogramLevels(const ChannelSource& source,
                                 std::unique_ptr<LevelFinder> finder,
                                 const Sample& sample, Grower& grower)
    : source_(source),
      finder_(std::move(finder)),
      sample_(sample),
      adder_(grower.adder()),
      sums_(1) {
  adder_.lay_out(source_);
  max_histograms_ = grower.max_histograms();
}

HistogramLevels::~HistogramLevels() {
  for (Sums& sums : sums_) {
    adder_.give_back(sums.histogram);
  }
}

// Sums all rows of a leaf.
void HistogramLevels::add_up(const LevelLeaves& at, std::size_t leaf, Host& host) {
  Sums& sums = sums_[leaf];
  const bool knows_total = !sums.total.empty();
  sums.total.resize(adder_.layout().numbers(), 0U);
  sums.histogram = adder_.take_histogram();
  adder_.add_up_anew(source_, at.rows_of(leaf), knows_total, sums.total, sums.histogram,
                     host, [](std::size_t) {});
}

void HistogramLevels::measure_pairs(const LevelLeaves& at, Host& host) {
  const std::vector<data::Tile>& tiles = adder_.bins().tiles();
  for (const auto& [small, large] : pairs_) {
    Histogram& whole = sums_[large].histogram;
    Sums& part = sums_[small];
    part.histogram = adder_.take_histogram();
    adder_.add_up_anew(source_, at.rows_of(small), true, part.total, part.histogram, host,
                       [&](std::size_t t) {
                         subtract_tile(adder_.layout(), tiles[t], part.histogram, whole);
                       });
  }
  pairs_.clear();
}

// Leaves are added in the order of their numbers, so that rounding is always the same.
void HistogramLevels::add_gains(const LevelLeaves& at,
                                const std::vector<std::uint8_t>& active, Host& host) {
  const std::vector<data::Tile>& tiles = adder_.bins().tiles();
  const std::size_t leaves = at.leaves.size();
  auto add = [&](std::size_t begin, std::size_t end) {
    host.parallel_for(tiles.size(), [&](std::size_t t) {
      for (std::size_t leaf = begin; leaf < end; ++leaf) {
        finder_->add_gains(adder_.layout(), tiles[t], sums_[leaf].histogram,
                           sums_[leaf].total, active, gains_);
      }
    });
  };
  std::size_t leaf = 0;
  while (leaf < leaves) {
    const std::size_t begin = leaf;
    while (leaf < leaves && !sums_[leaf].histogram.empty()) {
      ++leaf;
    }
    add(begin, leaf);
    if (leaf == leaves) {
      break;
    }
    add_up(at, leaf, host);
    add(leaf, leaf + 1);
    if (kept_ < max_histograms_) {
      ++kept_;
    } else {
      adder_.give_back(sums_[leaf].histogram);
    }
    ++leaf;
  }
}

Split HistogramLevels::best_of_feature(std::size_t f) const {
  const data::FeatureBins& feature = adder_.bins().feature(f);
  const double* gains = gains_.data() + 2 * adder_.bins().slot(f);
  const bool any_missing = feature.has_missing && gains[2 * feature.missing_bin()] > 0.0;
  Split best;
  for (int b = 0; b < feature.value_bins(); ++b) {
    if (gains[2 * b] > best.gain) {
      best = {gains[2 * b], static_cast<int>(f), b,
              any_missing ? Missing::kRight : Missing::kUnseen};
    }
    if (any_missing && gains[2 * b + 1] > best.gain) {
      best = {gains[2 * b + 1], static_cast<int>(f), b, Missing::kLeft};
    }
  }
  return best;
}

Split HistogramLevels::best(const LevelRules& rules) const {
  Split best;
  for (std::size_t f = 0; f < adder_.bins().features(); ++f) {
    best = better(best, after_cost(best_of_feature(f), rules.cost(f)));
  }
  return best;
}

// Finds the leaves that the test splits, and its gain in each. Fills lefts_.
Level HistogramLevels::level_of(const Split& split, const LevelLeaves& at, Host& host) {
  const HistogramLayout& layout = adder_.layout();
  Level level{split, {}, {}};
  lefts_.clear();
  for (std::size_t leaf = 0; split.exists() && leaf < at.leaves.size(); ++leaf) {
    Sums& sums = sums_[leaf];
    const bool kept = !sums.histogram.empty();
    if (!kept) {
      add_up(at, leaf, host);
    }
    lefts_.push_back(left_totals(
        layout, sums.histogram,
        adder_.bins().feature(static_cast<std::size_t>(split.feature)), split));
    if (!kept) {
      adder_.give_back(sums.histogram);
    }
    const double gain = finder_->gain(lefts_.back(), sums.total, layout.lanes());
    level.parts.push_back(std::isfinite(gain) ? 1 : 0);
    level.gains.push_back(level.parts.back() == 1 ? gain : 0.0);
  }
  return level;
}

void HistogramLevels::keep_sums(Sums& root) {
  root_ = &root;
  max_histograms_ = std::numeric_limits<std::size_t>::max();
}

// Takes the sums of the root from root_, or computes them and stores a copy there.
void HistogramLevels::measure_root(const LevelLeaves& at, Host& host) {
  Sums& sums = sums_.front();
  if (root_->histogram.empty()) {
    add_up(at, 0, host);
    *root_ = sums;
  } else {
    sums.total = root_->total;
    sums.histogram = adder_.take_histogram();
    std::copy(root_->histogram.begin(), root_->histogram.end(), sums.histogram.begin());
  }
  ++kept_;
}

void HistogramLevels::finish(const LevelLeaves& at, std::vector<Leaf>& leaves,
                             Host& host) {
  if (root_ == nullptr) {
    return;
  }
  measure_pairs(at, host);
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    leaves[leaf].histogram = std::move(sums_[leaf].histogram);
    sums_[leaf].histogram.clear();
  }
}

Level HistogramLevels::choose(const LevelLeaves& at, const LevelRules& rules,
                              Host& host) {
  if (root_ != nullptr && kept_ == 0) {
    measure_root(at, host);
  }
  measure_pairs(at, host);
  gains_.assign(2 * adder_.bins().slots(), 0.0);
  std::vector<std::uint8_t> active = sample_.active;
  rules.limit(active);
  add_gains(at, active, host);
  return level_of(best(rules), at, host);
}

void HistogramLevels::part(const Level&, std::vector<Leaf>& leaves, std::size_t left,
                           std::size_t right) {
  sums_.emplace_back();
  Sums& of_left = sums_[left];
  Sums& of_right = sums_[right];
  of_right.total = std::exchange(of_left.total, std::move(lefts_[left]));
  with_lanes(adder_.layout().lanes(), [&](auto lanes) {
    subtract_slot<decltype(lanes)::value>(of_left.total.data(), of_right.total.data());
  });
  leaves[left].total = of_left.total;
  leaves[right].total = of_right.total;
  if (of_left.histogram.empty()) {
    return;
  }
  if (kept_ == max_histograms_) {
    adder_.give_back(of_left.histogram);
    --kept_;
    return;
  }
  ++kept_;
  const bool left_is_small =
      leaves[left].rows_of_all_ranks <= leaves[right].rows_of_all_ranks;
  if (left_is_small) {
    of_right.histogram = std::move(of_left.histogram);
    of_left.histogram.clear();
  }
  pairs_.push_back(left_is_small ? std::array<std::size_t, 2>{left, right}
                                 : std::array<std::size_t, 2>{right, left});
}

}  // namespace rankmix::tree
