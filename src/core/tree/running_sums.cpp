#include "core/tree/running_sums.h"

namespace rankmix::tree {
namespace {

template <class T>
std::vector<T> slice(View<const T> all, std::size_t begin, std::size_t end) {
  return std::vector<T>(all.begin() + begin, all.begin() + end);
}

// The elements first .. last of `all`, minus the element `first`.
std::vector<int> begins(View<const int> all, std::size_t first, std::size_t last) {
  std::vector<int> some = slice(all, first, last + 1);
  const int offset = some.front();
  for (int& begin : some) {
    begin -= offset;
  }
  return some;
}

}  // namespace

Forest some_rounds(const ForestView& forest, std::size_t first, std::size_t last) {
  const auto first_tree = static_cast<std::size_t>(forest.round_begin[first]);
  const auto last_tree = static_cast<std::size_t>(forest.round_begin[last]);
  const auto node = static_cast<std::size_t>(forest.node_begin[first_tree]);
  const auto last_node = static_cast<std::size_t>(forest.node_begin[last_tree]);
  const auto leaf = static_cast<std::size_t>(forest.leaf_begin[first_tree]);
  const auto last_leaf = static_cast<std::size_t>(forest.leaf_begin[last_tree]);
  Forest some;
  some.outputs = forest.outputs;
  some.round_begin = begins(forest.round_begin, first, last);
  some.node_begin = begins(forest.node_begin, first_tree, last_tree);
  some.leaf_begin = begins(forest.leaf_begin, first_tree, last_tree);
  some.feature = slice(forest.feature, node, last_node);
  some.threshold = slice(forest.threshold, node, last_node);
  some.missing_left = slice(forest.missing_left, node, last_node);
  some.left = slice(forest.left, node, last_node);
  some.right = slice(forest.right, node, last_node);
  some.values = slice(forest.values, leaf * forest.outputs, last_leaf * forest.outputs);
  if (forest.has_sets()) {
    some.set_begin = begins(forest.set_begin, node, last_node);
    some.set_levels =
        slice(forest.set_levels, static_cast<std::size_t>(forest.set_begin[node]),
              static_cast<std::size_t>(forest.set_begin[last_node]));
  }
  return some;
}

}  // namespace rankmix::tree
