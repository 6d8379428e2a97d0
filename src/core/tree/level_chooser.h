// What chooses the levels of an oblivious tree: one test for all the leaves that it has
// so far. The code that grows such trees depends on this interface alone.
//
// Leaves are numbered as they come to be: the left side of a leaf keeps its number, the
// right one gets the next that is free, leaf by leaf. So numbers depend on neither
// threads nor the order of rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/tree/channels.h"
#include "core/tree/grown_tree.h"
#include "core/tree/partition.h"
#include "core/tree/sample.h"
#include "core/tree/split.h"

namespace rankmix::tree {

struct Level {
  Split split;  // its gain is what all leaves gain together
  // For each leaf, whether it is split, with rows on both sides, or stays as it is; and
  // its fraction of the gain, of which the importance of features is made.
  std::vector<std::uint8_t> parts;
  std::vector<double> gains;
};

// The leaves of a tree that is being grown, with the rows of the search.
struct LevelLeaves {
  const std::vector<Leaf>& leaves;
  const Partition& partition;
  const Sample& sample;

  // The root lists no rows where all are searched.
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
  // The best level for these leaves; its split does not exist where none improves. Ties:
  // lower feature, then lower bin, then missing values to the right.
  virtual Level choose(const LevelLeaves& at, Host& host) = 0;
  // Called, leaf by leaf, after `left` was split: it is the left side from now on and
  // `right`, the last of `leaves`, the right one. May set the totals of both.
  virtual void part(const Level& level, std::vector<Leaf>& leaves, std::size_t left,
                    std::size_t right) = 0;
  // Asks it, before the first level, to take the sums of the root from here, or to put
  // them here where there are none, and to leave those of all leaves in the tree.
  // Choosers that add nothing up may ignore it.
  virtual void keep_sums(Sums&) {}
  // The tree is as it will be; `leaves` are those of `at`.
  virtual void finish(const LevelLeaves& /*at*/, std::vector<Leaf>& /*leaves*/,
                      Host& /*host*/) {}
};

}  // namespace rankmix::tree
