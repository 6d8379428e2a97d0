// Grows a tree best-first: the leaf whose best split gains most is split next, until the
// tree has enough leaves or no split gains anything. Ties go to the older leaf. With room
// for 2^d leaves that is a tree grown level by level to depth d, in another order.
//
// Cost of a split: the rows of the smaller child are added up, the larger child is parent
// minus smaller. A leaf that cannot be split any more, because better ones use up the
// splits that are left, gives its histogram back, so at most about half as many
// histograms as leaves live at a time. Where these would take more than a sixteenth of
// what bins do, and than 12 MB, only some are kept, four at least: if a leaf without one
// is split after all, its larger child is added up as well. So leaves of many rows keep
// theirs, and of those that gain much, which are split sooner.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/host.h"
#include "core/base/units.h"
#include "core/data/bins.h"
#include "core/tree/histogram.h"
#include "core/tree/partition.h"
#include "core/tree/split.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

struct Limits {
  std::size_t leaves;
  std::size_t depth = std::numeric_limits<std::size_t>::max();
};

// Names the one feature that a search looks at, and hears what its best split is worth:
// the score of the node when parted, or as it is if that is more, in units of 2^-30.
class Arms {
 public:
  virtual ~Arms() = default;
  virtual std::size_t pull() = 0;
  virtual void reward(Worth kind, double worth) = 0;
};

// Always the same feature.
class FixedArm : public Arms {
 public:
  explicit FixedArm(std::size_t feature) : feature_(feature) {}
  std::size_t pull() override { return feature_; }
  void reward(Worth, double) override {}

 private:
  std::size_t feature_;
};

// What the search for splits may look at.
struct Sample {
  std::vector<std::uint8_t> active;  // marks the features that may be split
  std::vector<std::uint32_t> rows;   // increasing; empty: all rows
  Arms* arms = nullptr;              // if not null, it names the feature of each search
};

struct Leaf {
  std::size_t begin = 0;  // its range of the partition, if the tree lists rows
  std::size_t end = 0;
  int parent = -1;  // the node above, -1 for the root
  bool is_left = false;
  std::size_t depth = 0;
  Totals total;
  Split best;
  Totals best_left;     // sums of the left side of the best split
  Histogram histogram;  // empty once given back

  std::size_t rows() const { return end - begin; }
};

// A grown tree: nodes with the sums of their two sides, and leaves.
struct GrownTree {
  std::vector<Node> nodes;
  std::vector<std::array<Totals, 2>> sides;  // for each node: left, right
  std::vector<double> gains;                 // for each node, in units of the score
  std::vector<Leaf> leaves;
  bool lists_rows = true;  // whether the leaves do; else there are sides, see grow()
};

// What stays the same from tree to tree. Histograms are kept for reuse.
class Grower {
 public:
  // Channels that are gathered take so many bytes at a time: fewer would have each tile
  // fetch its histogram too often.
  static constexpr std::size_t kGatheredBytes = std::size_t{1} << 21;
  // Histograms of leaves may take so many bytes, or more where data are large.
  static constexpr std::size_t kHistogramBytes = 12000000;

  explicit Grower(const data::BinnedMatrix& bins,
                  std::size_t gathered_bytes = kGatheredBytes,
                  std::size_t histogram_bytes = kHistogramBytes)
      : bins_(bins),
        gathered_bytes_(gathered_bytes),
        histogram_bytes_(std::max(
            histogram_bytes, bins.rows() * bins.values_per_row() / kBinsOverHistograms)),
        layout_(bins, 1, false),
        partition_(bins.rows()) {}

  const data::BinnedMatrix& bins() const { return bins_; }
  // Grows one tree. One split leaves no lists of rows, but the sides of the sampled rows
  // in the partition's scratch space.
  //
  // `root`, if not null, keeps the sums of the whole sample: they are taken from there,
  // or put there where they are missing, and each leaf keeps its histogram, for
  // give_back().
  template <class Score>
  GrownTree grow(const ChannelSource& source, const Score& score, const Limits& limits,
                 const Sample& sample, Host& host, Sums* root = nullptr);
  void give_back(Leaf& leaf);
  const HistogramLayout& layout() const { return layout_; }
  // Bytes of the histograms that are kept for reuse, as all are between trees.
  std::size_t spare_bytes() const;

  // The best split of the sampled rows, and their sums. All bits of turned[i] are set
  // where the i-th of them counts with its sign turned, else none; empty: none is turned.
  template <class Score>
  Split search(const ChannelSource& source, const Score& score, const Sample& sample,
               Host& host, Sums& sums, View<const std::int8_t> turned = {});
  // The same where the rows of the sample count with the signs that they have in `from`,
  // turned if all bits of `turned` are set, but for those in `flipped`: these count with
  // the opposite, as their `turned` says, too. `from` and `sums` may be one. Not for wide
  // channels or magnitudes.
  template <class Score>
  Split search_flipped(const Sums& from, std::uint32_t turned, const PickedRows& flipped,
                       const ChannelSource& source, const Score& score,
                       const Sample& sample, Host& host, Sums& sums);
  // The tree with this one split of the sampled rows, which have these sums; its leaves
  // list no rows. `sides` tells for each row of the sample whether it is on the right, 1
  // or 0.
  GrownTree split_once(const Split& split, const Sums& sums, const Sample& sample,
                       std::vector<std::uint32_t>& sides, Host& host);

  Partition& partition() { return partition_; }

 private:
  // As many histograms of leaves may live in any case.
  static constexpr std::size_t kLeastHistograms = 4;
  // The bytes of bins for each that histograms of leaves may take.
  static constexpr std::size_t kBinsOverHistograms = 16;
  // Below so many updates and looks at slots a node is not worth several threads.
  static constexpr std::size_t kParallelWork = std::size_t{1} << 15;

  template <class Score>
  GrownTree stump(const ChannelSource& source, const Score& score, const Sample& sample,
                  Host& host);
  template <class Score>
  Split pull_arm(const ChannelSource& source, const PickedRows& picked,
                 const Score& score, Arms& arms, Host& host, Sums& sums);
  template <class Score>
  Leaf first_leaf(const ChannelSource& source, const Score& score, const Sample& sample,
                  Host& host, Sums* root);
  template <class Score>
  Split scan_tile_of(std::size_t t, const Score& score, const Sample& sample,
                     const Sums& sums) const {
    return scan_tile(layout_, bins_, bins_.tiles()[t], sums.histogram, sums.total,
                     sample.active, score);
  }
  template <class Score>
  Split scan(const Score& score, const Sample& sample, Host& host, const Sums& sums);
  template <class Score>
  void measure_children(const ChannelSource& source, const Score& score,
                        const Sample& sample, bool may_split, Host& host, Leaf& left,
                        Leaf& right);
  template <class Score>
  void measure_by_arm(const ChannelSource& source, const Score& score, Arms& arms,
                      Host& host, Leaf& leaf);
  std::size_t rows_of(const Sample& sample) const {
    return sample.rows.empty() ? bins_.rows() : sample.rows.size();
  }
  // Calls begin(tile) before the rows are added to a tile's sums, and end(tile) once they
  // all are. Their channels are added to `total`, too, unless it knows them.
  template <class Begin, class End>
  void add_up(const ChannelSource& source, const PickedRows& picked, Host& host,
              bool knows_total, Totals& total, Histogram& histogram, const Begin& begin,
              const End& end);
  template <class Task>
  void for_each_tile(std::size_t rows, Host& host, const Task& task);
  Totals left_of(const Split& split, const Histogram& histogram) const;
  void add_node(const Leaf& leaf, bool missing_left, Leaf& left, Leaf& right,
                GrownTree& tree) const;
  std::pair<Leaf, Leaf> split_leaf(const Leaf& leaf, GrownTree& tree, Host& host);
  static void replace_leaf(std::size_t at, Leaf left, Leaf right, GrownTree& tree);
  bool any_missing(std::size_t feature, const Leaf& leaf) const;
  Histogram take_histogram();
  void drop_hopeless(std::vector<Leaf>& leaves, std::size_t splits_left, bool keep);
  void make_room_for_children(std::vector<Leaf>& leaves);

  const data::BinnedMatrix& bins_;
  std::size_t gathered_bytes_;
  std::size_t histogram_bytes_;
  HistogramLayout layout_;
  Partition partition_;
  std::vector<Histogram> spare_;
  ChannelReader reader_;
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
  if (rows * bins_.values_per_row() + bins_.slot(bins_.features()) < kParallelWork) {
    for (std::size_t t = 0; t < tiles; ++t) {
      task(t);
    }
  } else {
    host.parallel_for(tiles, task);
  }
}

// Rows that are gathered are added a chunk at a time, so that what is gathered of them
// stays small.
template <class Begin, class End>
void Grower::add_up(const ChannelSource& source, const PickedRows& picked, Host& host,
                    bool knows_total, Totals& total, Histogram& histogram,
                    const Begin& begin, const End& end) {
  const std::size_t chunk =
      ChannelReader::rows_at_a_time(source, picked, gathered_bytes_);
  std::size_t done = 0;
  do {
    const bool first = done == 0;
    const PickedRows rows = picked.part(done, std::min(picked.count, done + chunk));
    done += rows.count;
    const Channels channels = reader_.prepare(source, rows, host);
    if (!knows_total) {
      add_channel_totals(channels, rows, host, total);
    }
    for_each_tile(rows.count, host, [&](std::size_t t) {
      const data::Tile& tile = bins_.tiles()[t];
      if (first) {
        begin(t);
      }
      add_to_tile(layout_, tile, channels, rows, histogram);
      if (done == picked.count) {
        complete_tile(layout_, tile, total, histogram);
        end(t);
      }
    });
  } while (done < picked.count);
}

// Looks at the one feature that `arms` names.
template <class Score>
Split Grower::pull_arm(const ChannelSource& source, const PickedRows& picked,
                       const Score& score, Arms& arms, Host& host, Sums& sums) {
  const std::size_t f = arms.pull();
  build_feature(layout_, f, source, picked, host, sums.histogram);
  sums.total = feature_totals(layout_, f, sums.histogram);
  const Split split = scan_one(layout_, f, sums.histogram, sums.total, score);
  arms.reward(Score::kWorth, with_lanes(layout_.lanes(), [&](auto lanes) {
                return split.gain +
                       score.template whole<decltype(lanes)::value>(sums.total.data());
              }));
  return split;
}

template <class Score>
Split Grower::search(const ChannelSource& source, const Score& score,
                     const Sample& sample, Host& host, Sums& sums,
                     View<const std::int8_t> turned) {
  layout_ = HistogramLayout(bins_, source.count, source.wide);
  if (sums.histogram.empty()) {
    sums.histogram = take_histogram();
  }
  sums.histogram.resize(layout_.size());
  PickedRows picked(sample.rows, rows_of(sample));
  picked.turned = turned;
  if (sample.arms != nullptr) {
    return pull_arm(source, picked, score, *sample.arms, host, sums);
  }
  sums.total.assign(layout_.numbers(), 0U);
  std::vector<Split> found(bins_.tiles().size());
  add_up(
      source, picked, host, false, sums.total, sums.histogram,
      [&](std::size_t t) { clear_tile(layout_, bins_.tiles()[t], sums.histogram); },
      [&](std::size_t t) { found[t] = scan_tile_of(t, score, sample, sums); });
  return best_of(found);
}

// Rows that count with the wrong sign count twice with the right one.
template <class Score>
Split Grower::search_flipped(const Sums& from, std::uint32_t turned,
                             const PickedRows& flipped, const ChannelSource& source,
                             const Score& score, const Sample& sample, Host& host,
                             Sums& sums) {
  layout_ = HistogramLayout(bins_, source.count, source.wide);
  sums.histogram.resize(layout_.size());
  sums.total.resize(layout_.numbers());
  std::transform(from.total.begin(), from.total.end(), sums.total.begin(),
                 [&](std::uint32_t bits) { return turn(bits, turned); });
  PickedRows picked = flipped;
  picked.twice = true;
  std::vector<Split> found(bins_.tiles().size());
  add_up(
      source, picked, host, false, sums.total, sums.histogram,
      [&](std::size_t t) {
        copy_tile(layout_, bins_.tiles()[t], turned, from.histogram, sums.histogram);
      },
      [&](std::size_t t) { found[t] = scan_tile_of(t, score, sample, sums); });
  return best_of(found);
}

template <class Score>
GrownTree Grower::stump(const ChannelSource& source, const Score& score,
                        const Sample& sample, Host& host) {
  Sums sums;
  const Split split = search(source, score, sample, host, sums);
  GrownTree tree = split_once(split, sums, sample, partition_.scratch(), host);
  spare_.push_back(std::move(sums.histogram));
  return tree;
}

// The best split of known sums.
template <class Score>
Split Grower::scan(const Score& score, const Sample& sample, Host& host,
                   const Sums& sums) {
  std::vector<Split> found(bins_.tiles().size());
  for_each_tile(0, host,
                [&](std::size_t t) { found[t] = scan_tile_of(t, score, sample, sums); });
  return best_of(found);
}

// Histograms of both sides, and their best splits if they may be split.
template <class Score>
void Grower::measure_children(const ChannelSource& source, const Score& score,
                              const Sample& sample, bool may_split, Host& host,
                              Leaf& left, Leaf& right) {
  // `left` or `right`, whichever is larger, already holds the parent's histogram, if
  // there is one.
  Leaf& small = left.rows() <= right.rows() ? left : right;
  Leaf& large = left.rows() <= right.rows() ? right : left;
  const bool subtracts = !large.histogram.empty();
  auto add_rows = [&](Leaf& leaf, const auto& end) {
    const View<const std::uint32_t> rows = partition_.rows(leaf.begin, leaf.end);
    leaf.histogram = take_histogram();
    add_up(
        source, {rows, rows.size()}, host, true, leaf.total, leaf.histogram,
        [&](std::size_t t) { clear_tile(layout_, bins_.tiles()[t], leaf.histogram); },
        end);
  };
  if (!subtracts) {
    add_rows(large, [](std::size_t) {});
  }
  std::vector<std::array<Split, 2>> found(bins_.tiles().size());
  add_rows(small, [&](std::size_t t) {
    const data::Tile& tile = bins_.tiles()[t];
    if (subtracts) {
      subtract_tile(layout_, tile, small.histogram, large.histogram);
    }
    if (!may_split) {
      return;
    }
    found[t] = {scan_tile(layout_, bins_, tile, small.histogram, small.total,
                          sample.active, score),
                scan_tile(layout_, bins_, tile, large.histogram, large.total,
                          sample.active, score)};
  });
  for (const std::array<Split, 2>& split : found) {
    small.best = better(small.best, split[0]);
    large.best = better(large.best, split[1]);
  }
  small.best_left = left_of(small.best, small.histogram);
  large.best_left = left_of(large.best, large.histogram);
}

template <class Score>
void Grower::measure_by_arm(const ChannelSource& source, const Score& score, Arms& arms,
                            Host& host, Leaf& leaf) {
  const View<const std::uint32_t> rows = partition_.rows(leaf.begin, leaf.end);
  Sums sums;
  sums.histogram = take_histogram();
  leaf.best = pull_arm(source, {rows, rows.size()}, score, arms, host, sums);
  leaf.best_left = left_of(leaf.best, sums.histogram);
  spare_.push_back(std::move(sums.histogram));
}

// The whole sample, with its best split.
template <class Score>
Leaf Grower::first_leaf(const ChannelSource& source, const Score& score,
                        const Sample& sample, Host& host, Sums* root) {
  Leaf leaf;
  leaf.end = rows_of(sample);
  Sums sums;
  if (root != nullptr && !root->histogram.empty()) {
    layout_ = HistogramLayout(bins_, source.count, source.wide);
    sums.total = root->total;
    sums.histogram = take_histogram();
    std::copy(root->histogram.begin(), root->histogram.end(), sums.histogram.begin());
    leaf.best = scan(score, sample, host, sums);
  } else {
    leaf.best = search(source, score, sample, host, sums);
    if (root != nullptr) {
      *root = sums;
    }
  }
  leaf.best_left = left_of(leaf.best, sums.histogram);
  leaf.total = std::move(sums.total);
  leaf.histogram = std::move(sums.histogram);
  return leaf;
}

template <class Score>
GrownTree Grower::grow(const ChannelSource& source, const Score& score,
                       const Limits& limits, const Sample& sample, Host& host,
                       Sums* root) {
  if (root == nullptr && (limits.leaves == 2 || limits.depth == 1)) {
    return stump(source, score, sample, host);
  }
  GrownTree tree;
  partition_.reset(sample.rows);
  tree.leaves.push_back(first_leaf(source, score, sample, host, root));
  while (tree.leaves.size() < limits.leaves) {
    host.checkpoint();
    const int next = best_leaf(tree.leaves);
    if (next < 0) {
      break;
    }
    const std::size_t at = static_cast<std::size_t>(next);
    auto children = split_leaf(tree.leaves[at], tree, host);
    Leaf& left = children.first;
    Leaf& right = children.second;
    const bool may_split =
        tree.leaves.size() + 1 < limits.leaves && left.depth < limits.depth;
    if (sample.arms != nullptr) {
      give_back(tree.leaves[at]);
      if (may_split) {
        measure_by_arm(source, score, *sample.arms, host, left);
        measure_by_arm(source, score, *sample.arms, host, right);
      }
    } else if (may_split || root != nullptr) {
      Leaf& large = left.rows() <= right.rows() ? right : left;
      large.histogram = std::move(tree.leaves[at].histogram);
      if (root == nullptr) {
        make_room_for_children(tree.leaves);
      }
      measure_children(source, score, sample, may_split, host, left, right);
    } else {
      give_back(tree.leaves[at]);
    }
    replace_leaf(at, std::move(left), std::move(right), tree);
    drop_hopeless(tree.leaves, limits.leaves - tree.leaves.size(), root != nullptr);
  }
  drop_hopeless(tree.leaves, 0, root != nullptr);
  return tree;
}

}  // namespace rankmix::tree
