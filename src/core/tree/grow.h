// Grows a tree best-first: the leaf whose best split gains most is split next, until the
// tree has enough leaves or no split gains anything. Ties go to the older leaf.
//
// Cost of a split: the rows of the smaller child are added up, the larger child is parent
// minus smaller. A leaf that cannot be split any more, because better ones use up the
// splits that are left, gives its histogram back, so at most about half as many
// histograms as leaves live at a time.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/host.h"
#include "core/data/bins.h"
#include "core/tree/histogram.h"
#include "core/tree/partition.h"
#include "core/tree/split.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

struct Leaf {
  std::size_t begin = 0;  // its range of the partition
  std::size_t end = 0;
  int parent = -1;  // the node above, -1 for the root
  bool is_left = false;
  Totals total;
  Split best;
  Histogram histogram;  // empty once given back

  std::size_t rows() const { return end - begin; }
};

// A grown tree: nodes with the sums of their two sides, and leaves.
struct GrownTree {
  std::vector<Node> nodes;
  std::vector<std::array<Totals, 2>> sides;  // for each node: left, right
  std::vector<double> gains;                 // for each node, in units of the score
  std::vector<Leaf> leaves;
};

// The sums of all rows.
struct Sums {
  Totals total;
  Histogram histogram;
};

// What stays the same from tree to tree. Histograms are kept for reuse.
class Grower {
 public:
  explicit Grower(const data::BinnedMatrix& bins)
      : bins_(bins), layout_(bins, 1), partition_(bins.rows()) {}

  // Grows one tree on `channels`. `active` marks the features that may be split.
  template <class Score>
  GrownTree grow(const Channels& channels, const Score& score, std::size_t max_leaves,
                 const std::vector<std::uint8_t>& active, Host& host);

  // The best split of all rows on `channels`, whose sums it keeps.
  template <class Score>
  Split search(const Channels& channels, const Score& score,
               const std::vector<std::uint8_t>& active, Host& host, Sums& sums);
  // The same where the channels differ from those of `sums` by their sign alone: by
  // `sign`, but for the rows that `rows` lists, by the opposite. `flipped` are the new
  // channels of these rows, one after the other.
  template <class Score>
  Split search_flipped(int sign, View<const std::uint32_t> rows, const Channels& flipped,
                       const Score& score, const std::vector<std::uint8_t>& active,
                       Host& host, Sums& sums);
  // The tree with this one split, on the channels with these sums; the partition holds
  // its sides.
  GrownTree split_once(const Split& split, const Sums& sums, Host& host);

  Partition& partition() { return partition_; }

 private:
  // Below this many histogram updates a node is not worth several threads.
  static constexpr std::size_t kParallelWork = std::size_t{1} << 18;

  template <class Score>
  void measure_children(const Channels& channels, const Score& score,
                        const std::vector<std::uint8_t>& active, Host& host, Leaf& left,
                        Leaf& right);
  template <class Task>
  void for_each_tile(std::size_t rows, Host& host, const Task& task);
  std::pair<Leaf, Leaf> split_leaf(const Leaf& leaf, const Histogram& histogram,
                                   GrownTree& tree, Host& host);
  static void replace_leaf(std::size_t at, Leaf left, Leaf right, GrownTree& tree);
  bool any_missing(std::size_t feature, const Leaf& leaf) const;
  Histogram take_histogram();
  void give_back(Leaf& leaf);
  void drop_hopeless(std::vector<Leaf>& leaves, std::size_t splits_left);

  const data::BinnedMatrix& bins_;
  HistogramLayout layout_;
  Partition partition_;
  std::vector<Histogram> spare_;
  GatheredChannels gathered_;
};

// The leaf to split next, or -1.
int best_leaf(const std::vector<Leaf>& leaves);
// The better of two splits of the same node; `a` comes from the lower features.
inline const Split& better(const Split& a, const Split& b) {
  return b.gain > a.gain ? b : a;
}
Split best_of(const std::vector<Split>& found);

template <class Task>
void Grower::for_each_tile(std::size_t rows, Host& host, const Task& task) {
  const std::size_t tiles = bins_.tiles().size();
  if (rows * bins_.values_per_row() < kParallelWork) {
    for (std::size_t t = 0; t < tiles; ++t) {
      task(t);
    }
  } else {
    host.parallel_for(tiles, task);
  }
}

template <class Score>
Split Grower::search(const Channels& channels, const Score& score,
                     const std::vector<std::uint8_t>& active, Host& host, Sums& sums) {
  layout_ = HistogramLayout(bins_, channels.count);
  sums.histogram.resize(layout_.size());
  sums.total = channel_totals(channels, bins_.rows(), host);
  std::vector<Split> found(bins_.tiles().size());
  for_each_tile(bins_.rows(), host, [&](std::size_t t) {
    const data::Tile& tile = bins_.tiles()[t];
    build_tile(layout_, tile, channels, {}, bins_.rows(), sums.total, sums.histogram);
    found[t] = scan_tile(layout_, bins_, tile, sums.histogram, sums.total, active, score);
  });
  return best_of(found);
}

template <class Score>
Split Grower::search_flipped(int sign, View<const std::uint32_t> rows,
                             const Channels& flipped, const Score& score,
                             const std::vector<std::uint8_t>& active, Host& host,
                             Sums& sums) {
  layout_ = HistogramLayout(bins_, flipped.count);
  const Totals total = channel_totals(flipped, rows.size(), host);
  flip_sums(sign, total.data(), total.size(), sums.total.data());
  Histogram added = take_histogram();
  std::vector<Split> found(bins_.tiles().size());
  for_each_tile(rows.size(), host, [&](std::size_t t) {
    const data::Tile& tile = bins_.tiles()[t];
    const std::size_t first = layout_.begin(tile.first_feature);
    const std::size_t last = layout_.begin(tile.first_feature + tile.width);
    if (!rows.empty()) {  // else it would mean all of them
      build_tile(layout_, tile, flipped, rows, rows.size(), total, added);
      flip_sums(sign, added.data() + first, last - first, sums.histogram.data() + first);
    }
    found[t] = scan_tile(layout_, bins_, tile, sums.histogram, sums.total, active, score);
  });
  spare_.push_back(std::move(added));
  return best_of(found);
}

template <class Score>
void Grower::measure_children(const Channels& channels, const Score& score,
                              const std::vector<std::uint8_t>& active, Host& host,
                              Leaf& left, Leaf& right) {
  // `left` or `right`, whichever is larger, already holds the parent's histogram.
  Leaf& small = left.rows() <= right.rows() ? left : right;
  Leaf& large = left.rows() <= right.rows() ? right : left;
  small.histogram = take_histogram();
  const View<const std::uint32_t> rows = partition_.rows(small.begin, small.end);
  std::vector<std::array<Split, 2>> found(bins_.tiles().size());
  gathered_.gather(channels, rows, host);
  for_each_tile(small.rows(), host, [&](std::size_t t) {
    const data::Tile& tile = bins_.tiles()[t];
    build_tile(layout_, tile, gathered_.view(), rows, rows.size(), small.total,
               small.histogram);
    subtract_tile(layout_, tile, small.histogram, large.histogram);
    found[t] = {
        scan_tile(layout_, bins_, tile, small.histogram, small.total, active, score),
        scan_tile(layout_, bins_, tile, large.histogram, large.total, active, score)};
  });
  for (const std::array<Split, 2>& split : found) {
    small.best = better(small.best, split[0]);
    large.best = better(large.best, split[1]);
  }
}

template <class Score>
GrownTree Grower::grow(const Channels& channels, const Score& score,
                       std::size_t max_leaves, const std::vector<std::uint8_t>& active,
                       Host& host) {
  GrownTree tree;
  layout_ = HistogramLayout(bins_, channels.count);
  partition_.reset(host);
  Leaf root;
  root.end = bins_.rows();
  Sums sums{{}, take_histogram()};
  root.best = search(channels, score, active, host, sums);
  root.total = std::move(sums.total);
  root.histogram = std::move(sums.histogram);
  tree.leaves.push_back(std::move(root));
  while (tree.leaves.size() < max_leaves) {
    host.checkpoint();
    const int next = best_leaf(tree.leaves);
    if (next < 0) {
      break;
    }
    const std::size_t at = static_cast<std::size_t>(next);
    auto children = split_leaf(tree.leaves[at], tree.leaves[at].histogram, tree, host);
    Leaf& left = children.first;
    Leaf& right = children.second;
    if (tree.leaves.size() + 1 < max_leaves) {
      Leaf& large = left.rows() <= right.rows() ? right : left;
      large.histogram = std::move(tree.leaves[at].histogram);
      measure_children(channels, score, active, host, left, right);
    } else {
      give_back(tree.leaves[at]);
    }
    replace_leaf(at, std::move(left), std::move(right), tree);
    drop_hopeless(tree.leaves, max_leaves - tree.leaves.size());
  }
  drop_hopeless(tree.leaves, 0);
  return tree;
}

}  // namespace rankmix::tree
