#include "core/tree/grow.h"

#include <algorithm>
#include <limits>

#include "core/tree/route.h"
#include "core/tree/search.h"

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

Totals Grower::left_of(const Split& split, const Histogram& histogram) const {
  if (!split.exists()) {
    return {};
  }
  const auto f = static_cast<std::size_t>(split.feature);
  return left_totals(adder_.layout(), histogram, bins_.feature(f), split);
}

GrownTree Grower::split_once(const Split& split, const Sums& sums, const Sample& sample,
                             std::vector<std::uint32_t>& sides, Host& host) {
  GrownTree tree;
  tree.lists_rows = false;
  Leaf root;
  root.best = split;
  root.best_left = left_of(split, sums.histogram);
  root.total = sums.total;
  const std::size_t rows = sample.rows_of(bins_.rows());
  root.end = rows;
  root.rows_of_all_ranks = host.reducer().sum_of(static_cast<double>(rows));
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
  double of_all[2] = {static_cast<double>(counts.left),
                      static_cast<double>(counts.missing)};
  host.reducer().add(View<double>(of_all, 2));
  if (split.missing == Missing::kUnseen) {
    node.missing_left = 2.0 * of_all[0] >= root.rows_of_all_ranks && of_all[1] == 0.0;
  }
  tree.leaves[0].rows_of_all_ranks = of_all[0];
  tree.leaves[1].rows_of_all_ranks = root.rows_of_all_ranks - of_all[0];
  tree.leaves[0].end = tree.leaves[1].begin = counts.left;
  tree.leaves[1].end = rows;
  return tree;
}

void Grower::split_branch(const SplitFinder& finder, const Leaf& leaf, Leaf& left,
                          Leaf& right) const {
  SideBranches sides = finder.split_branch(adder_.layout(), leaf.best, leaf.branch,
                                           left.total, right.total);
  left.branch = std::move(sides.left);
  right.branch = std::move(sides.right);
}

// The left child takes its parent's number, and the right child gets the next free
// number.
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
  std::uint8_t goes_left[256];
  mark_left(split, feature, goes_left);

  Leaf left;
  Leaf right;
  left.begin = leaf.begin;
  right.end = leaf.end;
  left.end = right.begin =
      partition_.split(leaf.begin, leaf.end, bins_, f, goes_left, host);
  const bool is_unseen = split.missing == Missing::kUnseen;
  double of_all[2] = {static_cast<double>(left.rows()), 0.0};
  if (is_unseen && partition_.any_missing(right.begin, right.end, bins_, f)) {
    of_all[1] = 1.0;
  }
  host.reducer().add(View<double>(of_all, 2));
  left.rows_of_all_ranks = of_all[0];
  right.rows_of_all_ranks = leaf.rows_of_all_ranks - of_all[0];
  const bool missing_left =
      is_unseen ? left.rows_of_all_ranks >= right.rows_of_all_ranks && of_all[1] == 0.0
                : split.missing == Missing::kLeft;
  add_node(leaf, missing_left, left, right, tree);
  return {std::move(left), std::move(right)};
}

// Adds the node of a split and completes its children, except for their rows.
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
  with_lanes(adder_.layout().lanes(), [&](auto lanes) {
    subtract_slot<decltype(lanes)::value>(left.total.data(), right.total.data());
  });
  if (leaf.parent >= 0) {
    Node& above = tree.nodes[static_cast<std::size_t>(leaf.parent)];
    (leaf.is_left ? above.left : above.right) = left.parent;
  }
  tree.nodes.push_back({split.feature, threshold_of(split, feature), missing_left, -1, -1,
                        levels_of(split, feature)});
  tree.sides.push_back({left.total, right.total});
  tree.gains.push_back(split.whole_gain());
}

// At most splits_left leaves can still be split. Children of later splits can only move
// other leaves further down in the order of gains. So a leaf beyond the first splits_left
// will never be split.
void Grower::drop_hopeless(std::vector<Leaf>& leaves, std::size_t splits_left,
                           bool keep) {
  std::vector<Leaf*> hopeful;
  auto drop = [&](Leaf& leaf) {
    leaf.best = Split();
    if (!keep) {
      adder_.give_back(leaf.histogram);
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

void Grower::agree(Host& host) {
  histogram_bytes_ = static_cast<std::size_t>(
      host.reducer().max_of(static_cast<double>(histogram_bytes_)));
}

std::size_t Grower::max_histograms() const {
  return std::max(kMinHistograms,
                  histogram_bytes_ / (adder_.layout().size() * sizeof(std::uint32_t)));
}

// Returns histograms until two more are within the limit.
void Grower::free_histograms_for_children(std::vector<Leaf>& leaves) {
  std::vector<Leaf*> keeping;
  for (Leaf& leaf : leaves) {
    if (!leaf.histogram.empty()) {
      keeping.push_back(&leaf);
    }
  }
  const std::size_t most = max_histograms() - 2;
  if (keeping.size() <= most) {
    return;
  }
  auto gain_of = [](const Leaf* leaf) {
    return leaf->best.gain * leaf->rows_of_all_ranks;
  };
  std::sort(keeping.begin(), keeping.end(),
            [&](const Leaf* a, const Leaf* b) { return gain_of(a) > gain_of(b); });
  for (std::size_t i = most; i < keeping.size(); ++i) {
    adder_.give_back(keeping[i]->histogram);
  }
}

PickedRows Grower::rows_of(const Leaf& leaf) const {
  const View<const std::uint32_t> rows = partition_.rows(leaf.begin, leaf.end);
  return {rows, rows.size()};
}

// Whether features that can no longer split a leaf are left out of its histogram. The
// caller of grow_on_sums() gets whole histograms.
bool Grower::forgets_features(const Growth& growth) const {
  return !bins_.is_dense() && !growth.keeps_histograms;
}

// Leaves out the features that cannot split any leaf of the tree.
void Grower::forget_features(const Growth& growth, Host& host, Leaf& root) const {
  if (!forgets_features(growth) || root.histogram.empty()) {
    return;
  }
  root.active = growth.sample.active;
  adder_.for_each_tile(0, host, [&](std::size_t t) {
    growth.finder.mark_exhausted(adder_.layout(), bins_.tiles()[t], root.histogram,
                                 root.total, root.active);
  });
}

// Sums the rows of the smaller child. `large` has the histogram of the parent, from which
// the smaller child is subtracted. If the parent has no histogram, the rows of `large`
// are summed as well. Finds the best splits of both children if they may be split.
void Grower::measure_both(const Growth& growth, bool may_split, Host& host, Leaf& small,
                          Leaf& large) {
  const HistogramLayout& layout = adder_.layout();
  const bool subtracts = !large.histogram.empty();
  const bool forgets = forgets_features(growth);
  // The active features of the parent. Each leaf gets a copy, because tiles are searched
  // at the same time.
  const std::vector<std::uint8_t> active =
      large.active.empty() ? growth.sample.active : large.active;
  const ActiveFeatures summed = forgets ? ActiveFeatures(active) : ActiveFeatures();
  if (forgets) {
    small.active = large.active = active;
  }
  if (!subtracts) {
    large.histogram = adder_.take_histogram();
    adder_.add_up_anew(
        growth.source, rows_of(large), true, large.total, large.histogram, host,
        [](std::size_t) {}, summed);
  }
  std::vector<std::array<Split, 2>> found(bins_.tiles().size());
  auto best_of_tile = [&](const data::Tile& tile, Leaf& leaf) {
    return forgets
               ? growth.finder.best_unless_exhausted(layout, tile, leaf.histogram,
                                                     leaf.total, leaf.active, leaf.branch)
               : growth.finder.best_within(layout, tile, leaf.histogram, leaf.total,
                                           active, leaf.branch);
  };
  small.histogram = adder_.take_histogram();
  adder_.add_up_anew(
      growth.source, rows_of(small), true, small.total, small.histogram, host,
      [&](std::size_t t) {
        const data::Tile& tile = bins_.tiles()[t];
        if (subtracts) {
          subtract_tile(layout, tile, small.histogram, large.histogram, summed);
        }
        if (may_split) {
          found[t] = {best_of_tile(tile, small), best_of_tile(tile, large)};
        }
      },
      summed);
  for (const std::array<Split, 2>& split : found) {
    small.best = better_of_two(small.best, split[0]);
    large.best = better_of_two(large.best, split[1]);
  }
  small.best_left = left_of(small.best, small.histogram);
  large.best_left = left_of(large.best, large.histogram);
}

void Grower::measure_chosen(const Growth& growth, Host& host, Leaf& leaf) {
  Sums sums;
  sums.histogram = adder_.take_histogram();
  leaf.best = search_chosen(adder_, growth.source, rows_of(leaf), growth.finder,
                            *growth.sample.chooser, host, sums);
  leaf.best_left = left_of(leaf.best, sums.histogram);
  adder_.give_back(sums.histogram);
}

// Finds the sums and best splits of both children of leaf `parent`. The parent's
// histogram moves to the larger child or is returned.
void Grower::measure_children(const Growth& growth, std::size_t parent, GrownTree& tree,
                              Host& host, Leaf& left, Leaf& right) {
  const bool may_split =
      tree.leaves.size() + 1 < growth.limits.leaves && left.depth < growth.limits.depth;
  Histogram& of_parent = tree.leaves[parent].histogram;
  if (growth.sample.chooser != nullptr) {
    adder_.give_back(of_parent);
    if (may_split) {
      measure_chosen(growth, host, left);
      measure_chosen(growth, host, right);
    }
  } else if (may_split || growth.keeps_histograms) {
    const bool left_is_small = left.rows_of_all_ranks <= right.rows_of_all_ranks;
    Leaf& small = left_is_small ? left : right;
    Leaf& large = left_is_small ? right : left;
    large.histogram = std::move(of_parent);
    large.active = std::move(tree.leaves[parent].active);
    if (!growth.keeps_histograms) {
      free_histograms_for_children(tree.leaves);
    }
    measure_both(growth, may_split, host, small, large);
  } else {
    adder_.give_back(of_parent);
  }
}

// The leaf of the whole sample, with its best split.
Leaf Grower::root_leaf(const Split& best, Sums sums, const Sample& sample,
                       Host& host) const {
  Leaf leaf;
  leaf.end = sample.rows_of(bins_.rows());
  leaf.rows_of_all_ranks = host.reducer().sum_of(static_cast<double>(leaf.end));
  leaf.best = best;
  leaf.best_left = left_of(best, sums.histogram);
  leaf.total = std::move(sums.total);
  leaf.histogram = std::move(sums.histogram);
  return leaf;
}

GrownTree Grower::grow_from(Leaf root, const Growth& growth, Host& host) {
  const std::size_t leaves = growth.limits.leaves;
  const bool keep = growth.keeps_histograms;
  GrownTree tree;
  partition_.reset(growth.sample.rows);
  if (growth.sample.chooser == nullptr) {
    forget_features(growth, host, root);
  }
  tree.leaves.push_back(std::move(root));
  while (tree.leaves.size() < leaves) {
    host.checkpoint();
    const int next = best_leaf(tree.leaves);
    if (next < 0) {
      break;
    }
    const auto at = static_cast<std::size_t>(next);
    auto children = split_leaf(tree.leaves[at], tree, host);
    split_branch(growth.finder, tree.leaves[at], children.first, children.second);
    measure_children(growth, at, tree, host, children.first, children.second);
    replace_leaf(at, std::move(children.first), std::move(children.second), tree);
    drop_hopeless(tree.leaves, leaves - tree.leaves.size(), keep);
  }
  drop_hopeless(tree.leaves, 0, keep);
  return tree;
}

// Grows a tree from the best split of the root, whose sums are `sums`.
GrownTree Grower::grow_by(const Split& split, Sums sums, const Growth& growth,
                          Host& host) {
  if (growth.limits.leaves == 2 || growth.limits.depth == 1) {
    GrownTree tree = split_once(split, sums, growth.sample, partition_.scratch(), host);
    if (!tree.nodes.empty()) {
      Leaf root;
      root.best = split;
      split_branch(growth.finder, root, tree.leaves[0], tree.leaves[1]);
    }
    adder_.give_back(sums.histogram);
    return tree;
  }
  return grow_from(root_leaf(split, std::move(sums), growth.sample, host), growth, host);
}

GrownTree Grower::grow(const ChannelSource& source, const SplitFinder& finder,
                       const Limits& limits, const Sample& sample, Host& host) {
  Sums sums;
  const Split split = search(adder_, source, finder, sample, host, sums);
  return grow_by(split, std::move(sums), {source, finder, limits, sample, false}, host);
}

GrownTree Grower::grow_from_sums(const ChannelSource& source, const SplitFinder& finder,
                                 const Limits& limits, const Sample& sample, Host& host,
                                 Sums sums) {
  adder_.lay_out(source);
  const Split split = search_known(adder_, finder, sample, host, sums);
  return grow_by(split, std::move(sums), {source, finder, limits, sample, false}, host);
}

GrownTree Grower::grow_on_sums(const ChannelSource& source, const SplitFinder& finder,
                               const Limits& limits, const Sample& sample, Host& host,
                               Sums& root) {
  Sums sums;
  Split split;
  if (root.histogram.empty()) {
    split = search(adder_, source, finder, sample, host, sums);
    root = sums;
  } else {
    adder_.lay_out(source);
    sums.total = root.total;
    sums.histogram = adder_.take_histogram();
    std::copy(root.histogram.begin(), root.histogram.end(), sums.histogram.begin());
    split = search_known(adder_, finder, sample, host, sums);
  }
  return grow_from(root_leaf(split, std::move(sums), sample, host),
                   {source, finder, limits, sample, true}, host);
}

}  // namespace rankmix::tree
