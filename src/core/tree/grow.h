// Grows a tree best-first. The leaf whose best split has the largest gain is split next,
// until the tree has enough leaves or no split has a positive gain. Ties: the leaf with
// the lower number. With limits of 2^d leaves and of depth d, the tree is the same as one
// that is grown level by level, except for the order of its nodes.
//
// Cost of a split: the rows of the smaller child are summed. The histogram of the larger
// child is parent minus smaller child. With several ranks, one message has the numbers of
// rows, and one the histogram of the smaller child.
//
// A feature of sparse data that is 0 in nearly all rows of a leaf splits neither the leaf
// nor its descendants, if too few rows would be on one side. The sums of this feature are
// not computed there. So the time for small leaves depends on their entries, not on all
// bins of the data.
//
// A leaf returns its histogram if it can no longer be split because better leaves use up
// the remaining splits. So at most about half as many histograms as leaves exist at a
// time. Their memory is limited to 12 MB, to a sixteenth of the memory of the bins, or to
// four histograms, whichever is most. Beyond this limit, leaves with the smallest gain
// times number of rows lose their histograms. If such a leaf is split later, the rows of
// its larger child are summed as well.
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

// Grows trees on the same bins. Buffers are reused from tree to tree.
class Grower {
 public:
  // Bytes that the histograms of leaves may take. The limit is higher for large data.
  static constexpr std::size_t kHistogramBytes = 12000000;

  explicit Grower(const data::BinnedMatrix& bins,
                  std::size_t gathered_bytes = RowAdder::kGatheredBytes,
                  std::size_t histogram_bytes = kHistogramBytes)
      : bins_(bins),
        histogram_bytes_(std::max(
            histogram_bytes, bins.rows() * bins.values_per_row() / kBinsOverHistograms)),
        adder_(bins, gathered_bytes),
        partition_(bins.rows()) {}

  // Grows one tree. The leaves of a tree with a single split list no rows. Instead, the
  // scratch buffer of partition() has the side of each sampled row, as `sides` of
  // split_once().
  GrownTree grow(const ChannelSource& source, const SplitFinder& finder,
                 const Limits& limits, const Sample& sample, Host& host);
  // Like grow(), from the sums of the whole sample. The sums are copied from `root`. If
  // `root` is empty, they are computed and stored there. Each leaf keeps its histogram,
  // which the caller returns to adder().
  GrownTree grow_on_sums(const ChannelSource& source, const SplitFinder& finder,
                         const Limits& limits, const Sample& sample, Host& host,
                         Sums& root);
  // Like grow(), from sums of the whole sample that the caller has computed. The sums are
  // consumed.
  GrownTree grow_from_sums(const ChannelSource& source, const SplitFinder& finder,
                           const Limits& limits, const Sample& sample, Host& host,
                           Sums sums);
  // The tree with this one split of the sampled rows, whose sums are `sums`. The leaves
  // of this tree list no rows. sides[i] becomes 1 if the i-th row of the sample goes
  // right, else 0.
  GrownTree split_once(const Split& split, const Sums& sums, const Sample& sample,
                       std::vector<std::uint32_t>& sides, Host& host);

  // Ranks must keep the histograms of the same leaves. Must be called once on all ranks,
  // before the first tree.
  void agree(Host& host);
  // Largest number of histograms of leaves that may exist at a time.
  std::size_t max_histograms() const;
  const data::BinnedMatrix& bins() const { return bins_; }
  RowAdder& adder() { return adder_; }
  Partition& partition() { return partition_; }

 private:
  // Lower bound of max_histograms().
  static constexpr std::size_t kMinHistograms = 4;
  // Bytes of bins for each byte of histograms of leaves.
  static constexpr std::size_t kBinsOverHistograms = 16;

  // The data on which a tree is grown, and the rules for growing it.
  struct Growth {
    const ChannelSource& source;
    const SplitFinder& finder;
    const Limits& limits;
    const Sample& sample;
    bool keeps_histograms;  // each leaf keeps its own
  };
  GrownTree grow_by(const Split& split, Sums sums, const Growth& growth, Host& host);
  GrownTree grow_from(Leaf root, const Growth& growth, Host& host);
  Leaf root_leaf(const Split& best, Sums sums, const Sample& sample, Host& host) const;
  void measure_children(const Growth& growth, std::size_t parent, GrownTree& tree,
                        Host& host, Leaf& left, Leaf& right);
  void measure_both(const Growth& growth, bool may_split, Host& host, Leaf& small,
                    Leaf& large);
  bool forgets_features(const Growth& growth) const;
  void forget_features(const Growth& growth, Host& host, Leaf& root) const;
  void measure_chosen(const Growth& growth, Host& host, Leaf& leaf);
  PickedRows rows_of(const Leaf& leaf) const;
  void split_branch(const SplitFinder& finder, const Leaf& leaf, Leaf& left,
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

// The leaf to split next, or -1 if no split has a positive gain.
int best_leaf(const std::vector<Leaf>& leaves);

}  // namespace rankmix::tree
