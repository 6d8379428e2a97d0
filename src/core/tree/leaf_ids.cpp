#include "core/tree/leaf_ids.h"

#include <algorithm>

#include "core/base/blocks.h"
#include "core/tree/route.h"

namespace rankmix::tree {
namespace {

// Writes the leaf of each row that some leaf lists.
void mark_leaves(const GrownTree& tree, const Partition& partition,
                 std::vector<std::uint32_t>& leaf_of_row, Host& host) {
  struct Piece {
    std::size_t leaf;
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Piece> pieces;
  for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    const std::size_t end = tree.leaves[leaf].end;
    for (std::size_t at = tree.leaves[leaf].begin; at < end; at += kRowBlock) {
      pieces.push_back({leaf, at, std::min(end, at + kRowBlock)});
    }
  }
  // Pieces are sorted by their first row, so that neighbouring rows are marked by the
  // same thread that later processes them.
  std::sort(pieces.begin(), pieces.end(), [&](const Piece& a, const Piece& b) {
    return partition.rows(a.begin, a.end)[0] < partition.rows(b.begin, b.end)[0];
  });
  auto mark = [&](std::size_t p) {
    for (std::uint32_t row : partition.rows(pieces[p].begin, pieces[p].end)) {
      leaf_of_row[row] = static_cast<std::uint32_t>(pieces[p].leaf);
    }
  };
  if (leaf_of_row.size() >= kLightRows) {
    host.parallel_for(pieces.size(), mark);
  } else {
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      mark(p);
    }
  }
}

// Writes the rows of [begin, end) that `listed`, which increases, does not contain, and
// returns their number. `others` must have space for end - begin rows.
std::size_t list_others(View<const std::uint32_t> listed, std::size_t begin,
                        std::size_t end, std::uint32_t* others) {
  const std::uint32_t* at =
      std::lower_bound(listed.begin(), listed.end(), static_cast<std::uint32_t>(begin));
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const auto row = static_cast<std::uint32_t>(i);
    const bool is_listed = at != listed.end() && *at == row;
    others[count] = row;
    count += is_listed ? 0 : 1;
    at += is_listed ? 1 : 0;
  }
  return count;
}

}  // namespace

const LeafIds& find_leaf_ids(const GrownTree& tree, const Sample& sample, Grower& grower,
                             Host& host) {
  LeafIds& leaf_ids = grower.partition().scratch();
  if (tree.nodes.empty()) {
    std::fill(leaf_ids.begin(), leaf_ids.end(), 0U);
    return leaf_ids;
  }
  if (sample.takes_all()) {
    if (tree.lists_rows) {
      mark_leaves(tree, grower.partition(), leaf_ids, host);
    }
    return leaf_ids;
  }
  if (tree.nodes.size() == 1) {
    find_sides(tree.nodes.front(), grower.bins(), {}, leaf_ids.size(), leaf_ids, host);
    return leaf_ids;
  }
  // Leaves list the rows of the sample. Only the other rows are routed through the tree.
  mark_leaves(tree, grower.partition(), leaf_ids, host);
  const BinTree leaf_of(tree.nodes, grower.bins());
  for_each_block(host, leaf_ids.size(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   std::uint32_t others[kRowBlock];
                   leaf_of.find_leaves(
                       {others, list_others(sample.rows, begin, end, others)}, leaf_ids);
                 });
  return leaf_ids;
}

}  // namespace rankmix::tree
