#include "core/boost/base_learner.h"

#include <algorithm>

#include "core/base/blocks.h"
#include "core/boost/edge_score.h"
#include "core/tree/route.h"

namespace rankmix::boost {
namespace {

// Writes the leaf of each row.
void mark_leaves(const tree::GrownTree& tree, const tree::Partition& partition,
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
  // Those of near rows one after the other, so that they are marked by the thread that
  // goes on with these rows.
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

}  // namespace

Votes leaf_votes(const tree::GrownTree& tree, std::size_t classes,
                 const tree::ChannelSource& source) {
  const double fine_unit = source.fine_unit();
  auto sum = [&](const tree::Totals& of, std::size_t l) {
    return sum_of_channel(of.data(), l, classes, fine_unit);
  };
  Votes votes;
  votes.reserve(tree.leaves.size() * classes);
  for (const tree::Leaf& leaf : tree.leaves) {
    for (std::size_t l = 0; l < classes; ++l) {
      if (leaf.parent < 0) {
        votes.push_back(sum(leaf.total, l) < 0.0 ? -1.0 : 1.0);
        continue;
      }
      const auto& sides = tree.sides[static_cast<std::size_t>(leaf.parent)];
      const double vote = sum(sides[0], l) < sum(sides[1], l) ? -1.0 : 1.0;
      votes.push_back(leaf.is_left ? vote : -vote);
    }
  }
  return votes;
}

const Cells& find_cells(const tree::GrownTree& tree, const tree::Sample& sample,
                        tree::Grower& grower, Host& host) {
  Cells& cells = grower.partition().scratch();
  if (tree.nodes.empty()) {
    std::fill(cells.begin(), cells.end(), 0U);
    return cells;
  }
  if (sample.rows.empty()) {
    if (tree.lists_rows) {
      mark_leaves(tree, grower.partition(), cells, host);
    }
    return cells;
  }
  if (tree.nodes.size() == 1) {
    tree::find_sides(tree.nodes.front(), grower.bins(), {}, cells.size(), cells, host);
    return cells;
  }
  const tree::BinTree leaf_of(tree.nodes, grower.bins());
  for_each_block(host, cells.size(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     cells[i] = leaf_of(i);
                   }
                 });
  return cells;
}

BaseClassifier tree_classifier(tree::GrownTree tree, Votes votes, const Cells& cells) {
  BaseClassifier learned;
  learned.cell_of_row = &cells;
  learned.votes = votes;
  learned.terms.push_back({std::move(tree), std::move(votes)});
  return learned;
}

}  // namespace rankmix::boost
