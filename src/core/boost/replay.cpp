#include "core/boost/replay.h"

#include "core/base/blocks.h"
#include "core/tree/route.h"

namespace rankmix::boost {

Votes replay_round(const tree::ForestView& forest, std::size_t round,
                   const data::BinnedMatrix& bins, std::vector<std::uint32_t>& leaf_ids,
                   Host& host) {
  // A leaf id combines the leaves in all terms; the leaf in the first term varies
  // fastest.
  std::vector<tree::BinTree> terms;
  std::vector<std::uint32_t> strides;
  Votes votes(forest.outputs, 1);
  std::uint32_t count = 1;
  for (int t = forest.round_begin[round]; t < forest.round_begin[round + 1]; ++t) {
    const auto tree = static_cast<std::size_t>(t);
    terms.push_back(tree::bin_tree(forest, tree, bins));
    strides.push_back(count);
    const auto first = static_cast<std::size_t>(forest.leaf_begin[tree]);
    const auto last = static_cast<std::size_t>(forest.leaf_begin[tree + 1]);
    Votes next;
    for (std::size_t leaf = first; leaf < last; ++leaf) {
      for (std::size_t i = 0; i < votes.size(); ++i) {
        next.push_back(votes[i] *
                       forest.values[leaf * forest.outputs + i % forest.outputs]);
      }
    }
    votes = std::move(next);
    count *= static_cast<std::uint32_t>(last - first);
  }
  for_each_block(host, bins.rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     std::uint32_t leaf = 0;
                     for (std::size_t t = 0; t < terms.size(); ++t) {
                       leaf += strides[t] * terms[t](i);
                     }
                     leaf_ids[i] = leaf;
                   }
                 });
  return votes;
}

}  // namespace rankmix::boost
