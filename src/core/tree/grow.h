// Grows a tree best-first: the leaf whose best split gains most is split next, until the
// tree has enough leaves or no split gains anything. Ties go to the older leaf. With
// capacity for 2^d leaves that is a tree grown level by level to depth d, in another
// order.
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
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/host.h"
#include "core/data/bins.h"
#include "core/tree/channels.h"
#include "core/tree/grown_tree.h"
#include "core/tree/histogram.h"
#include "core/tree/partition.h"
#include "core/tree/row_adder.h"
#include "core/tree/sample.h"
#include "core/tree/split_finder.h"

namespace rankmix::tree {

struct Limits {
  std::size_t leaves;
  std::size_t depth = std::numeric_limits<std::size_t>::max();
};

// What stays the same from tree to tree.
class Grower {
 public:
  // Histograms of leaves may take so many bytes, or more where data are large.
  static constexpr std::size_t kHistogramBytes = 12000000;

  explicit Grower(const data::BinnedMatrix& bins,
                  std::size_t gathered_bytes = RowAdder::kGatheredBytes,
                  std::size_t histogram_bytes = kHistogramBytes)
      : bins_(bins),
        histogram_bytes_(std::max(
            histogram_bytes, bins.rows() * bins.values_per_row() / kBinsOverHistograms)),
        adder_(bins, gathered_bytes),
        partition_(bins.rows()) {}

  // Grows one tree. One split leaves no lists of rows, but the sides of the sampled rows
  // in the partition's scratch space.
  GrownTree grow(const ChannelSource& source, const SplitFinder& finder,
                 const Limits& limits, const Sample& sample, Host& host);
  // The same from the sums of the whole sample: taken from `root`, or put there where it
  // is empty. Each leaf keeps its histogram, to be given back to adder().
  GrownTree grow_on_sums(const ChannelSource& source, const SplitFinder& finder,
                         const Limits& limits, const Sample& sample, Host& host,
                         Sums& root);
  // The same from sums that somebody else added up, which are used up.
  GrownTree grow_from_sums(const ChannelSource& source, const SplitFinder& finder,
                           const Limits& limits, const Sample& sample, Host& host,
                           Sums sums);
  // The tree with this one split of the sampled rows, which have these sums; its leaves
  // list no rows. `sides` is 1 for each row of the sample that is on the right, else 0.
  GrownTree split_once(const Split& split, const Sums& sums, const Sample& sample,
                       std::vector<std::uint32_t>& sides, Host& host);

  // How many histograms of leaves may live.
  std::size_t max_histograms() const;
  const data::BinnedMatrix& bins() const { return bins_; }
  RowAdder& adder() { return adder_; }
  Partition& partition() { return partition_; }

 private:
  // As many histograms of leaves may live in any case.
  static constexpr std::size_t kMinHistograms = 4;
  // The bytes of bins for each that histograms of leaves may take.
  static constexpr std::size_t kBinsOverHistograms = 16;

  // What a tree is grown on, and how.
  struct Growth {
    const ChannelSource& source;
    const SplitFinder& finder;
    const Limits& limits;
    const Sample& sample;
    bool keeps_histograms;  // of all leaves
  };
  GrownTree grow_by(const Split& split, Sums sums, const Growth& growth, Host& host);
  GrownTree grow_from(Leaf root, const Growth& growth, Host& host);
  Leaf root_leaf(const Split& best, Sums sums, const Sample& sample) const;
  void measure_children(const Growth& growth, std::size_t parent, GrownTree& tree,
                        Host& host, Leaf& left, Leaf& right);
  void measure_both(const Growth& growth, bool may_split, Host& host, Leaf& small,
                    Leaf& large);
  void measure_chosen(const Growth& growth, Host& host, Leaf& leaf);
  PickedRows rows_of(const Leaf& leaf) const;
  void bound_sides(const SplitFinder& finder, const Leaf& leaf, Leaf& left,
                   Leaf& right) const;
  Totals left_of(const Split& split, const Histogram& histogram) const;
  void add_node(const Leaf& leaf, bool missing_left, Leaf& left, Leaf& right,
                GrownTree& tree) const;
  std::pair<Leaf, Leaf> split_leaf(const Leaf& leaf, GrownTree& tree, Host& host);
  static void replace_leaf(std::size_t at, Leaf left, Leaf right, GrownTree& tree);
  void drop_hopeless(std::vector<Leaf>& leaves, std::size_t splits_left, bool keep);
  void free_histograms_for_children(std::vector<Leaf>& leaves);

  const data::BinnedMatrix& bins_;
  std::size_t histogram_bytes_;
  RowAdder adder_;
  Partition partition_;
};

// The leaf to split next, or -1.
int best_leaf(const std::vector<Leaf>& leaves);

}  // namespace rankmix::tree
