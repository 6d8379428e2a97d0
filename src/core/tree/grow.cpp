#include "core/tree/grow.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "core/base/blocks.h"
#include "core/tree/route.h"

namespace rankmix::tree {

int best_leaf(const std::vector<Leaf>& leaves) {
  int best = -1;
  double gain = 0.0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].best.exists() && leaves[i].best.gain > gain) {
      best = static_cast<int>(i);
      gain = leaves[i].best.gain;
    }
  }
  return best;
}

Split best_of(const std::vector<Split>& found) {
  Split best;
  for (const Split& split : found) {
    best = better(best, split);
  }
  return best;
}

Totals Grower::left_of(const Split& split, const Histogram& histogram) const {
  if (!split.exists()) {
    return {};
  }
  const auto f = static_cast<std::size_t>(split.feature);
  return left_totals(layout_, histogram, bins_.feature(f), split);
}

GrownTree Grower::split_once(const Split& split, const Sums& sums, const Sample& sample,
                             std::vector<std::uint32_t>& sides, Host& host) {
  GrownTree tree;
  tree.lists_rows = false;
  Leaf root;
  root.best = split;
  root.best_left = left_of(split, sums.histogram);
  root.total = sums.total;
  const std::size_t rows = rows_of(sample);
  root.end = rows;
  tree.leaves.push_back(root);
  if (!split.exists()) {
    std::fill(sides.begin(), sides.end(), 0U);
    return tree;
  }
  Leaf left;
  Leaf right;
  add_node(root, split.missing == Missing::kLeft, left, right, tree);
  replace_leaf(0, std::move(left), std::move(right), tree);
  Node& node = tree.nodes.front();
  const SideCounts counts = find_sides(node, bins_, sample.rows, rows, sides, host);
  if (split.missing == Missing::kUnseen) {
    node.missing_left = 2 * counts.left >= rows && counts.missing == 0;
  }
  tree.leaves[0].end = tree.leaves[1].begin = counts.left;
  tree.leaves[1].end = rows;
  return tree;
}

// The left child keeps its parent's number, the right one comes last.
void Grower::replace_leaf(std::size_t at, Leaf left, Leaf right, GrownTree& tree) {
  Node& node = tree.nodes.back();
  node.left = ~static_cast<int>(at);
  node.right = ~static_cast<int>(tree.leaves.size());
  tree.leaves[at] = std::move(left);
  tree.leaves.push_back(std::move(right));
}

std::pair<Leaf, Leaf> Grower::split_leaf(const Leaf& leaf, GrownTree& tree, Host& host) {
  const Split& split = leaf.best;
  const std::size_t f = static_cast<std::size_t>(split.feature);
  const data::FeatureBins& feature = bins_.feature(f);
  std::uint8_t goes_left[256] = {};
  std::fill(goes_left, goes_left + split.bin + 1, std::uint8_t{1});
  goes_left[feature.missing_bin()] = split.missing == Missing::kLeft ? 1 : 0;

  Leaf left;
  Leaf right;
  left.begin = leaf.begin;
  right.end = leaf.end;
  left.end = right.begin =
      partition_.split(leaf.begin, leaf.end, bins_, f, goes_left, host);
  bool missing_left = split.missing == Missing::kLeft;
  if (split.missing == Missing::kUnseen) {
    missing_left = left.rows() >= right.rows() && !any_missing(f, right);
  }
  add_node(leaf, missing_left, left, right, tree);
  return {std::move(left), std::move(right)};
}

// Everything about a split but its rows.
void Grower::add_node(const Leaf& leaf, bool missing_left, Leaf& left, Leaf& right,
                      GrownTree& tree) const {
  const Split& split = leaf.best;
  const data::FeatureBins& feature =
      bins_.feature(static_cast<std::size_t>(split.feature));
  left.parent = right.parent = static_cast<int>(tree.nodes.size());
  left.is_left = true;
  left.depth = right.depth = leaf.depth + 1;
  left.total = leaf.best_left;
  right.total = leaf.total;
  with_lanes(layout_.lanes(), [&](auto lanes) {
    subtract_slot<decltype(lanes)::value>(left.total.data(), right.total.data());
  });
  // Behind the last value bin there is no threshold: every present value goes left.
  const double threshold = split.bin + 1 == feature.value_bins()
                               ? std::numeric_limits<double>::infinity()
                               : feature.thresholds[static_cast<std::size_t>(split.bin)];
  if (leaf.parent >= 0) {
    Node& above = tree.nodes[static_cast<std::size_t>(leaf.parent)];
    (leaf.is_left ? above.left : above.right) = left.parent;
  }
  tree.nodes.push_back({split.feature, threshold, missing_left, -1, -1});
  tree.sides.push_back({left.total, right.total});
  tree.gains.push_back(split.gain);
}

// Sums of zero hide missing values from the search; they went to the right.
bool Grower::any_missing(std::size_t feature, const Leaf& leaf) const {
  if (!bins_.feature(feature).has_missing) {
    return false;
  }
  const int missing = bins_.feature(feature).missing_bin();
  const View<const std::uint32_t> rows = partition_.rows(leaf.begin, leaf.end);
  bool found = false;
  bins_.with_bins_of(feature, [&](const auto& bin_of) {
    found = std::any_of(rows.begin(), rows.end(),
                        [&](std::uint32_t row) { return bin_of(row) == missing; });
  });
  return found;
}

// The one given back last that has room: it may have been one of fewer channels. Not to
// enlarge such a one: in the end all would be of the size of the largest.
Histogram Grower::take_histogram() {
  const auto roomy = std::find_if(
      spare_.rbegin(), spare_.rend(),
      [&](const Histogram& spare) { return spare.capacity() >= layout_.size(); });
  if (roomy == spare_.rend()) {
    return Histogram(layout_.size());
  }
  Histogram histogram = std::move(*roomy);
  spare_.erase(std::next(roomy).base());
  histogram.resize(layout_.size());
  return histogram;
}

std::size_t Grower::spare_bytes() const {
  std::size_t numbers = 0;
  for (const Histogram& spare : spare_) {
    numbers += spare.capacity();
  }
  return numbers * sizeof(std::uint32_t);
}

void Grower::give_back(Leaf& leaf) {
  if (!leaf.histogram.empty()) {
    spare_.push_back(std::move(leaf.histogram));
    leaf.histogram.clear();
  }
}

// At most splits_left leaves can still be split; children of a split gain at best a place
// in front of the others, so whoever is behind that many now stays behind.
void Grower::drop_hopeless(std::vector<Leaf>& leaves, std::size_t splits_left,
                           bool keep) {
  std::vector<Leaf*> hopeful;
  auto drop = [&](Leaf& leaf) {
    leaf.best = Split();
    if (!keep) {
      give_back(leaf);
    }
  };
  for (Leaf& leaf : leaves) {
    if (leaf.best.exists()) {
      hopeful.push_back(&leaf);
    } else {
      drop(leaf);
    }
  }
  std::stable_sort(hopeful.begin(), hopeful.end(), [](const Leaf* a, const Leaf* b) {
    return a->best.gain > b->best.gain;
  });
  for (std::size_t i = splits_left; i < hopeful.size(); ++i) {
    drop(*hopeful[i]);
  }
}

// Gives histograms back until there is room for two.
void Grower::make_room_for_children(std::vector<Leaf>& leaves) {
  std::vector<Leaf*> keeping;
  for (Leaf& leaf : leaves) {
    if (!leaf.histogram.empty()) {
      keeping.push_back(&leaf);
    }
  }
  const std::size_t most =
      std::max(kLeastHistograms,
               histogram_bytes_ / (layout_.size() * sizeof(std::uint32_t))) -
      2;
  if (keeping.size() <= most) {
    return;
  }
  auto worth = [](const Leaf* leaf) {
    return leaf->best.gain * static_cast<double>(leaf->rows());
  };
  std::sort(keeping.begin(), keeping.end(),
            [&](const Leaf* a, const Leaf* b) { return worth(a) > worth(b); });
  for (std::size_t i = most; i < keeping.size(); ++i) {
    give_back(*keeping[i]);
  }
}

}  // namespace rankmix::tree
