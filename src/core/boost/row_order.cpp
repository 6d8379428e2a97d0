#include "core/boost/row_order.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace rankmix::boost {
namespace {

// The leaves in the order of their rows in the partition. Adjacent leaves share most of
// their path.
std::vector<std::uint32_t> leaves_in_order(const tree::GrownTree& tree) {
  std::vector<std::uint32_t> leaves(tree.leaves.size());
  std::iota(leaves.begin(), leaves.end(), 0U);
  std::stable_sort(leaves.begin(), leaves.end(), [&](std::uint32_t a, std::uint32_t b) {
    return tree.leaves[a].begin < tree.leaves[b].begin;
  });
  return leaves;
}

}  // namespace

RowOrder::RowOrder(std::size_t rows) : rows_(rows) {
  std::iota(rows_.begin(), rows_.end(), 0U);
}

// Counting sort, which keeps the previous order within a leaf.
void RowOrder::follow(const tree::GrownTree& tree, const tree::LeafIds& leaf_ids) {
  std::vector<std::size_t> next(tree.leaves.size());
  std::size_t begin = 0;
  for (std::uint32_t leaf : leaves_in_order(tree)) {
    next[leaf] = begin;
    begin += tree.leaves[leaf].rows();
  }
  std::vector<std::uint32_t> sorted(rows_.size());
  for (std::uint32_t row : rows_) {
    sorted[next[leaf_ids[row]]++] = row;
  }
  rows_ = std::move(sorted);
  ++trees_;
}

void RowOrder::sort_by(View<const std::uint8_t> keys) {
  std::array<std::size_t, 257> next{};
  for (const std::uint8_t key : keys) {
    ++next[key + 1U];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> sorted(rows_.size());
  for (const std::uint32_t row : rows_) {
    sorted[next[keys[row]]++] = row;
  }
  rows_ = std::move(sorted);
}

}  // namespace rankmix::boost
