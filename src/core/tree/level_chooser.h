// Interface that chooses the levels of an oblivious tree: one test for all leaves that
// the tree has so far. The code that grows such trees depends on this interface alone.
//
// Leaves are numbered in the order of their creation. The left side of a leaf keeps its
// number, and the right side gets the next free number, leaf by leaf. So numbers depend
// neither on threads nor on the order of rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/tree/channels.h"
#include "core/tree/grown_tree.h"
#include "core/tree/level_rules.h"
#include "core/tree/partition.h"
#include "core/tree/sample.h"
#include "core/tree/split.h"

namespace rankmix::tree {

struct Level {
  Split split;  // its whole gain is the sum of `gains`
  // For each leaf, whether the test splits it into two nonempty sides (else it stays
  // whole), and its part of the gain, which feature importance uses.
  std::vector<std::uint8_t> parts;
  std::vector<double> gains;
};

// The leaves of a tree during growth, and the rows on which splits are searched.
struct LevelLeaves {
  const std::vector<Leaf>& leaves;
  const Partition& partition;
  const Sample& sample;

  // The root lists no rows if the sample has all rows.
  PickedRows rows_of(std::size_t leaf) const {
    const Leaf& of = leaves[leaf];
    return {of.parent < 0 ? View<const std::uint32_t>(sample.rows)
                          : partition.rows(of.begin, of.end),
            of.rows()};
  }
};

class LevelChooser {
 public:
  virtual ~LevelChooser() = default;
  // The best level for these leaves under these rules. Its split does not exist if no
  // allowed test has a gain above its cost. Ties: lower feature, then lower bin, then
  // missing values to the right.
  virtual Level choose(const LevelLeaves& at, const LevelRules& rules, Host& host) = 0;
  // Called after leaf `left` was split, once for each such leaf. From then on `left` is
  // the left side and `right`, the last of `leaves`, is the right side. May set the
  // totals of both sides.
  virtual void part(const Level& level, std::vector<Leaf>& leaves, std::size_t left,
                    std::size_t right) = 0;
  // Called before the first level if sums are to be kept. The chooser takes the sums of
  // the root from the argument, or stores them there if it is empty. finish() then moves
  // the histograms of all leaves to the tree. Choosers that compute no sums may ignore
  // this call.
  virtual void keep_sums(Sums&) {}
  // Called when the tree is complete. `leaves` are the same as in `at`, but not const.
  virtual void finish(const LevelLeaves& /*at*/, std::vector<Leaf>& /*leaves*/,
                      Host& /*host*/) {}
};

}  // namespace rankmix::tree
