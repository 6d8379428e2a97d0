#include "core/tree/grow_oblivious.h"

#include <utility>
#include <vector>

namespace rankmix::tree {
namespace {

// Numbers of rows of all ranks on both sides, over all leaves that a level splits.
struct Sides {
  double left = 0.0;
  double right = 0.0;
  bool any_missing = false;  // on the right
};

// If the search found no missing values, missing values go to the larger side, as in any
// tree. If there are missing values whose sums are 0, the partition already sent them
// right, and this side is kept.
bool goes_left_where_missing(const Split& split, const Sides& sides) {
  if (split.missing == Missing::kUnseen) {
    return sides.left >= sides.right && !sides.any_missing;
  }
  return split.missing == Missing::kLeft;
}

// Replaces leaf `at` by a node. The left side gets the number `at`, and the right side
// the next free number.
void part_leaf(std::size_t at, std::size_t middle, double left_of_all, const Node& test,
               double gain, GrownTree& tree) {
  const Leaf whole = std::move(tree.leaves[at]);
  const int node = static_cast<int>(tree.nodes.size());
  Leaf left;
  left.begin = whole.begin;
  left.end = middle;
  left.rows_of_all_ranks = left_of_all;
  left.parent = node;
  left.is_left = true;
  left.depth = whole.depth + 1;
  Leaf right = left;
  right.begin = middle;
  right.end = whole.end;
  right.rows_of_all_ranks = whole.rows_of_all_ranks - left_of_all;
  right.is_left = false;
  if (whole.parent >= 0) {
    Node& above = tree.nodes[static_cast<std::size_t>(whole.parent)];
    (whole.is_left ? above.left : above.right) = node;
  }
  tree.nodes.push_back(test);
  tree.nodes.back().left = ~static_cast<int>(at);
  tree.nodes.back().right = ~static_cast<int>(tree.leaves.size());
  tree.gains.push_back(gain);
  tree.leaves[at] = std::move(left);
  tree.leaves.push_back(std::move(right));
}

void part_leaves(const Level& level, LevelChooser& chooser,
                 const data::BinnedMatrix& bins, Partition& partition, GrownTree& tree,
                 Host& host) {
  const Split& split = level.split;
  const auto f = static_cast<std::size_t>(split.feature);
  const data::FeatureBins& feature = bins.feature(f);
  std::uint8_t goes_left[256];
  mark_left(split, feature, goes_left);
  const std::size_t first_node = tree.nodes.size();
  const std::size_t leaves = tree.leaves.size();
  std::vector<std::size_t> middles(leaves, 0);
  std::vector<double> lefts(leaves, 0.0);  // on the left of each leaf, on all ranks
  Sides sides;
  for (std::size_t at = 0; at < leaves; ++at) {
    if (level.parts[at] == 0) {
      continue;
    }
    const std::size_t begin = tree.leaves[at].begin;
    const std::size_t end = tree.leaves[at].end;
    middles[at] = partition.split(begin, end, bins, f, goes_left, host);
    lefts[at] = static_cast<double>(middles[at] - begin);
    sides.any_missing =
        sides.any_missing || (split.missing == Missing::kUnseen &&
                              partition.any_missing(middles[at], end, bins, f));
  }
  host.reducer().add(View<double>(lefts.data(), leaves));
  sides.any_missing = host.reducer().any_of(sides.any_missing);
  for (std::size_t at = 0; at < leaves; ++at) {
    if (level.parts[at] == 0) {
      continue;
    }
    sides.left += lefts[at];
    sides.right += tree.leaves[at].rows_of_all_ranks - lefts[at];
    part_leaf(at, middles[at], lefts[at],
              {split.feature, threshold_of(split, feature), false, -1, -1},
              level.gains[at], tree);
    chooser.part(level, tree.leaves, at, tree.leaves.size() - 1);
    tree.sides.push_back({tree.leaves[at].total, tree.leaves.back().total});
  }
  const bool missing_left = goes_left_where_missing(split, sides);
  for (std::size_t node = first_node; node < tree.nodes.size(); ++node) {
    tree.nodes[node].missing_left = missing_left;
  }
}

}  // namespace

GrownTree grow_oblivious(LevelChooser& chooser, LevelRules& rules, std::size_t depth,
                         const Sample& sample, const data::BinnedMatrix& bins,
                         Partition& partition, Host& host) {
  GrownTree tree;
  partition.reset(sample.rows);
  Leaf root;
  root.end = sample.rows_of(bins.rows());
  root.rows_of_all_ranks = host.reducer().sum_of(static_cast<double>(root.end));
  tree.leaves.push_back(std::move(root));
  for (std::size_t i = 0; i < depth; ++i) {
    host.checkpoint();
    const Level level = chooser.choose({tree.leaves, partition, sample}, rules, host);
    if (!level.split.exists()) {
      break;
    }
    rules.use(static_cast<std::size_t>(level.split.feature));
    part_leaves(level, chooser, bins, partition, tree, host);
  }
  chooser.finish({tree.leaves, partition, sample}, tree.leaves, host);
  return tree;
}

}  // namespace rankmix::tree
