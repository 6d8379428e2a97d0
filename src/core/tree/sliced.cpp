#include "core/tree/sliced.h"

#if RANKMIX_HAS_AVX2
#include <algorithm>
#include <array>

#include "core/base/errors.h"

namespace rankmix::tree {
namespace {

// Rounds that are added to all slices of a block before the next rounds. Their nodes stay
// in the L1 cache.
constexpr std::size_t kGroupRounds = 8;
// The number of a path is a byte.
constexpr std::size_t kMaxNodes = 255;
// The results of up to 8 tests fit into a byte. A table pays off if each test has two
// nodes or more.
constexpr std::size_t kMaxTests = 8;
constexpr std::size_t kNodesOfTest = 2;
// Limits of a block: its slices, and its bytes.
constexpr std::size_t kMaxSlices = 4;
constexpr std::size_t kBlockBytes = 1 << 18;
// Cost of walking through the rest of a tree, relative to finding a path.
constexpr std::size_t kWalkVisits = 15;
// Nodes that are prepared between two checks for an interrupt.
constexpr std::size_t kLookNodes = 1 << 14;

}  // namespace

// Buffers for predicting a block.
struct SlicedForest::Work {
  std::vector<AlignedVector<double>> sums;  // of each slice
  AlignedVector<std::uint32_t> leaves;      // of one slice in kTogether trees
  AlignedVector<double> products;           // of one slice

  Work(std::size_t slices, std::size_t stride)
      : sums(slices, AlignedVector<double>(kSliceRows * stride)),
        leaves(kTogether * kSliceRows),
        products(kSliceRows * stride) {}
};

SlicedForest::SlicedForest(const ForestView& forest, View<const double> weights,
                           const ByteQuestions& questions, Host& host)
    : forest_(forest),
      weights_(weights),
      questions_(questions),
      stride_(forest.outputs == 1 ? 1 : (forest.outputs + 3) / 4 * 4) {
  nodes_.reserve(forest.feature.size());
  trees_.reserve(forest.trees());
  values_.reserve(static_cast<std::size_t>(forest.leaf_begin[forest.trees()]) * stride_);
  std::vector<int> ends;
  std::size_t next_look = 0;
  for (std::size_t r = 0; r < forest.rounds(); ++r) {
    if (nodes_.size() >= next_look) {
      host.checkpoint();
      next_look = nodes_.size() + kLookNodes;
    }
    const std::size_t last = first_tree(r + 1);
    for (std::size_t t = first_tree(r); t < last; ++t) {
      add_tree(t, last - first_tree(r) == 1 ? weights[r] : 1.0, ends);
    }
  }
}

// `ends` is a buffer for the ends of the paths. Each end is a child of a node: a node or
// ~leaf.
void SlicedForest::add_tree(std::size_t t, double weight, std::vector<int>& ends) {
  Tree tree{nodes_.size(), 0, values_.size(), exits_.size(), false, false};
  tree.is_table = add_tests(t, ends);
  if (!tree.is_table && !add_ordered_nodes(t, ends)) {
    add_nodes(t, ends);
  }
  tree.end_node = nodes_.size();
  tree.is_cut = std::any_of(ends.begin(), ends.end(), [](int at) { return at >= 0; });
  if (tree.is_cut) {
    exits_.insert(exits_.end(), ends.begin(), ends.end());
    ends.resize(
        static_cast<std::size_t>(forest_.leaf_begin[t + 1] - forest_.leaf_begin[t]));
    std::generate(ends.begin(), ends.end(), [leaf = 0]() mutable { return ~leaf++; });
  }
  add_values_of(t, ends, weight);
  trees_.push_back(tree);
}

// Adds the distinct tests of tree t, in which all nodes with the same test must be
// adjacent. Sets ends[j] to the leaf for each combination j of results: bit b of j is set
// if test b sends the row right. Returns false, and adds nothing, if the tree does not
// have this form.
bool SlicedForest::add_tests(std::size_t t, std::vector<int>& ends) {
  const auto base = static_cast<std::size_t>(forest_.node_begin[t]);
  const auto count = static_cast<std::size_t>(forest_.node_begin[t + 1]) - base;
  std::array<std::size_t, kMaxTests + 1> first;  // node of each test
  std::size_t tests = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t n = base + i;
    if (i > 0 && questions_.slot_of[n] == questions_.slot_of[n - 1] &&
        questions_.limit_of[n] == questions_.limit_of[n - 1]) {
      continue;
    }
    if (tests == kMaxTests) {
      return false;
    }
    first[tests++] = i;
  }
  if (count < kNodesOfTest * tests || tests == 0) {
    return false;
  }
  first[tests] = count;
  ends.assign(std::size_t{1} << tests, 0);
  for (std::size_t test = 0; test < tests; ++test) {
    const std::size_t positions = std::size_t{1} << test;
    for (std::size_t j = 0; j < positions; ++j) {
      const int at = ends[j];
      const auto node = static_cast<std::size_t>(at);
      const bool asks = at >= 0 && node < first[test + 1];
      if (asks && node < first[test]) {
        return false;  // its test precedes the test of its parent
      }
      ends[j] = asks ? forest_.left[base + node] : at;
      ends[j + positions] = asks ? forest_.right[base + node] : at;
    }
  }
  if (std::any_of(ends.begin(), ends.end(), [](int at) { return at >= 0; })) {
    return false;
  }
  for (std::size_t test = 0; test < tests; ++test) {
    const std::size_t n = base + first[test];
    nodes_.push_back({questions_.slot_of[n], questions_.limit_of[n], 0,
                      static_cast<std::uint8_t>(1U << test)});
  }
  return true;
}

// Whether all of these nodes come before their children, as in trained trees.
bool SlicedForest::parents_first(std::size_t base, std::size_t count) const {
  unsigned wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    // A leaf is negative, and so a large number as unsigned.
    const auto left = static_cast<unsigned>(forest_.left[base + i]);
    const auto right = static_cast<unsigned>(forest_.right[base + i]);
    wrong |= (left <= i ? 1U : 0U) | (right <= i ? 1U : 0U);
  }
  return wrong == 0;
}

// Adds the nodes of tree t in the order of the forest. Returns false, and adds nothing,
// if a child comes before its parent or a byte cannot number all paths.
bool SlicedForest::add_ordered_nodes(std::size_t t, std::vector<int>& ends) {
  const auto base = static_cast<std::size_t>(forest_.node_begin[t]);
  const auto count = static_cast<std::size_t>(forest_.node_begin[t + 1]) - base;
  if (count == 0 || count > kMaxNodes || !parents_first(base, count)) {
    return false;
  }
  // Paths of leaves are written but never read, which takes less time than a branch.
  std::uint8_t buffer[2 * kMaxNodes + 2];
  std::uint8_t* path_of = buffer + kMaxNodes + 1;
  std::fill(path_of, path_of + count, std::uint8_t{0});
  ends.resize(count + 1);
  nodes_.resize(nodes_.size() + count);
  SlicedNode* to = nodes_.data() + nodes_.size() - count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t n = base + i;
    const int left = forest_.left[n];
    const int right = forest_.right[n];
    const std::uint8_t path = path_of[i];
    const auto new_path = static_cast<std::uint8_t>(i + 1);
    to[i] = {questions_.slot_of[n], questions_.limit_of[n], path,
             static_cast<std::uint8_t>(path ^ new_path)};
    path_of[left] = path;
    path_of[right] = new_path;
    ends[path] = left;  // unless a later node on this path replaces it
    ends[new_path] = right;
  }
  return true;
}

// Adds the first nodes of tree t in breadth-first order, until the path numbers are used
// up. So rows have to walk only through the bottom of the tree.
void SlicedForest::add_nodes(std::size_t t, std::vector<int>& ends) {
  const auto base = static_cast<std::size_t>(forest_.node_begin[t]);
  const auto nodes = static_cast<std::size_t>(forest_.node_begin[t + 1]) - base;
  struct Child {
    int at;
    std::uint8_t path;
  };
  std::vector<Child> children{{nodes > 0 ? 0 : ~0, 0}};
  ends.assign(std::min(nodes, kMaxNodes) + 1, 0);
  std::size_t paths = 1;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const Child child = children[i];
    if (child.at < 0 || paths == ends.size()) {
      ends[child.path] = child.at;
      continue;
    }
    const std::size_t n = base + static_cast<std::size_t>(child.at);
    const auto right = static_cast<std::uint8_t>(paths++);
    nodes_.push_back({questions_.slot_of[n], questions_.limit_of[n], child.path,
                      static_cast<std::uint8_t>(child.path ^ right)});
    children.push_back({forest_.left[n], child.path});
    children.push_back({forest_.right[n], right});
  }
}

// Appends the weighted values of the leaves ~ends[0], ~ends[1], ... of tree t.
void SlicedForest::add_values_of(std::size_t t, const std::vector<int>& ends,
                                 double weight) {
  const std::size_t outputs = forest_.outputs;
  const auto first = static_cast<std::size_t>(forest_.leaf_begin[t]);
  const int leaves = forest_.leaf_begin[t + 1] - forest_.leaf_begin[t];
  const double* values = forest_.values.data() + first * outputs;
  values_.resize(values_.size() + ends.size() * stride_);
  double* to = values_.data() + values_.size() - ends.size() * stride_;
  for (int end : ends) {
    if (~end >= leaves) {
      throw InvalidArgument("a tree has a leaf more than it has nodes");
    }
    const double* value = values + static_cast<std::size_t>(~end) * outputs;
    for (std::size_t l = 0; l < outputs; ++l) {
      to[l] = weight * value[l];
    }
    to += stride_;
  }
}

std::size_t SlicedForest::block_rows() const {
  const std::size_t slice_bytes = std::max<std::size_t>(1, questions_.slots * kSliceRows);
  return kSliceRows * std::clamp<std::size_t>(kBlockBytes / slice_bytes, 1, kMaxSlices);
}

std::size_t SlicedForest::visits() const {
  return 1 + trees_.size() + exits_.size() / kMaxNodes * kWalkVisits +
         questions_.slots / 2;
}

LeafValues SlicedForest::find_leaves(std::size_t t, const std::int8_t* const* slots,
                                     std::uint32_t* leaves) const {
  const Tree& tree = trees_[t];
  (tree.is_table ? find_answers : find_paths)(
      {nodes_.data() + tree.first_node, tree.end_node - tree.first_node}, slots, leaves);
  if (tree.is_cut) {
    walk_on(t, slots, leaves);
  }
  return {values_.data() + tree.values, leaves, stride_};
}

void SlicedForest::walk_on(std::size_t t, const std::int8_t* const* slots,
                           std::uint32_t* leaves) const {
  const auto base = static_cast<std::size_t>(forest_.node_begin[t]);
  const int* exits = exits_.data() + trees_[t].exits;
  for (std::size_t i = 0; i < kSliceRows; ++i) {
    int at = exits[leaves[i]];
    while (at >= 0) {
      const std::size_t n = base + static_cast<std::size_t>(at);
      const bool left = slots[questions_.slot_of[n]][i] < questions_.limit_of[n];
      at = left ? forest_.left[n] : forest_.right[n];
    }
    leaves[i] = static_cast<std::uint32_t>(~at);
  }
}

void SlicedForest::add_round(std::size_t r, const std::int8_t* const* slots, Work& work,
                             double* sums) const {
  const std::size_t first = first_tree(r);
  const std::size_t last = first_tree(r + 1);
  std::uint32_t* leaves = work.leaves.data();
  if (last - first == 1) {
    add_values(find_leaves(first, slots, leaves), sums);
    return;
  }
  double* products = work.products.data();
  copy_values(find_leaves(first, slots, leaves), products);
  for (std::size_t t = first + 1; t < last; ++t) {
    multiply_by_values(find_leaves(t, slots, leaves), products);
  }
  add_weighted(weights_[r], products, stride_, sums);
}

// Adds the rounds first .. last - 1 to the sums of a slice, kTogether rounds of one tree
// at a time.
void SlicedForest::add_rounds(std::size_t first, std::size_t last,
                              const std::int8_t* const* slots, Work& work,
                              double* sums) const {
  for (std::size_t r = first; r < last;) {
    const std::size_t t = first_tree(r);
    if (r + kTogether > last || first_tree(r + kTogether) - t != kTogether) {
      add_round(r, slots, work, sums);
      ++r;
      continue;
    }
    std::array<LeafValues, kTogether> trees;
    for (std::size_t k = 0; k < kTogether; ++k) {
      trees[k] = find_leaves(t + k, slots, work.leaves.data() + k * kSliceRows);
    }
    add_values(trees, sums);
    r += kTogether;
  }
}

// Adds the rounds first .. last - 1 to the sums of all slices.
void SlicedForest::add_stage(std::size_t first, std::size_t last, const ByteBlock& block,
                             Work& work) const {
  for (std::size_t r = first; r < last; r += kGroupRounds) {
    const std::size_t end = std::min(last, r + kGroupRounds);
    for (std::size_t s = 0; s < work.sums.size(); ++s) {
      add_rounds(r, end, block.slice(s), work, work.sums[s].data());
    }
  }
}

void SlicedForest::predict(const ByteBlock& block, View<const int> stages,
                           std::size_t begin, std::size_t end, std::size_t all_rows,
                           double* out) const {
  Work work((end - begin + kSliceRows - 1) / kSliceRows, stride_);
  std::size_t rounds = 0;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const auto stage = static_cast<std::size_t>(stages[s]);
    add_stage(rounds, stage, block, work);
    rounds = stage;
    for (std::size_t l = 0; l < forest_.outputs; ++l) {
      double* column = out + (s * forest_.outputs + l) * all_rows + begin;
      for (std::size_t i = 0; i < end - begin; ++i) {
        column[i] = work.sums[i / kSliceRows][i % kSliceRows * stride_ + l];
      }
    }
  }
}

}  // namespace rankmix::tree
#endif
