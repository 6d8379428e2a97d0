// Prediction by a forest for 32 rows per register, without branches. AVX2 only.
//
// A path starts at the root or at the right child of a node, and follows left children
// down to a leaf. A tree with n nodes has n + 1 paths, one for each leaf. At first all
// rows are on the path of the root. The nodes are tested in order, parents before their
// children. A node moves the rows of its path that go right to the path that starts at
// its right child. After all nodes, the path of a row identifies its leaf. This takes
// five instructions per node for 32 rows: compare the path, compare the byte, combine
// both results, and change the path of the rows that move.
//
// If many nodes have the same test, as in oblivious trees, each test is evaluated once.
// The results of a row are the bits of its index in a table of the leaves.
//
// A path is stored in a byte. In a tree of more than 256 leaves only the nodes nearest to
// the root are tested in this way. Each row then walks through the rest of the tree by
// itself.
#pragma once
#include "core/base/simd.h"

#if RANKMIX_HAS_AVX2
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/byte_block.h"
#include "core/tree/slice_kernels.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

class SlicedForest {
 public:
  // The forest, its weights and the questions must outlive this object.
  SlicedForest(const ForestView& forest, View<const double> weights,
               const ByteQuestions& questions, Host& host);

  // Rows of a block. Their bytes stay in the L2 cache during the loop over the trees.
  std::size_t block_rows() const;
  // Cost of a row, in units of finding its path in one tree or its byte in one column.
  std::size_t visits() const;

  // The same as predict_staged() in predict.h, for the rows [begin, end) of `all_rows`.
  // The first slices of the block must hold these rows.
  void predict(const ByteBlock& block, View<const int> stages, std::size_t begin,
               std::size_t end, std::size_t all_rows, double* out) const;

 private:
  struct Tree {
    std::size_t first_node;  // in nodes_
    std::size_t end_node;
    std::size_t values;  // in values_: of its paths, or of its leaves if it is cut
    std::size_t exits;   // in exits_: ends of its paths, if it is cut
    bool is_cut;         // nodes_ lacks some of its nodes: rows walk to a leaf
    bool is_table;       // nodes_ has its distinct tests, for find_answers()
  };
  struct Work;

  std::size_t first_tree(std::size_t r) const {
    return static_cast<std::size_t>(forest_.round_begin[r]);
  }
  void add_tree(std::size_t t, double weight, std::vector<int>& ends);
  bool add_tests(std::size_t t, std::vector<int>& ends);
  bool parents_first(std::size_t base, std::size_t count) const;
  bool add_ordered_nodes(std::size_t t, std::vector<int>& ends);
  void add_nodes(std::size_t t, std::vector<int>& ends);
  void add_values_of(std::size_t t, const std::vector<int>& ends, double weight);
  LeafValues find_leaves(std::size_t t, const std::int8_t* const* slots,
                         std::uint32_t* leaves) const;
  void walk_on(std::size_t t, const std::int8_t* const* slots,
               std::uint32_t* leaves) const;
  void add_round(std::size_t r, const std::int8_t* const* slots, Work& work,
                 double* sums) const;
  void add_rounds(std::size_t first, std::size_t last, const std::int8_t* const* slots,
                  Work& work, double* sums) const;
  void add_stage(std::size_t first, std::size_t last, const ByteBlock& block,
                 Work& work) const;

  ForestView forest_;
  View<const double> weights_;
  const ByteQuestions& questions_;
  std::size_t stride_;  // numbers per leaf in values_
  std::vector<SlicedNode> nodes_;
  std::vector<Tree> trees_;
  std::vector<int> exits_;  // ends of paths, as children of a forest's node
  AlignedVector<double> values_;
};

}  // namespace rankmix::tree
#endif
