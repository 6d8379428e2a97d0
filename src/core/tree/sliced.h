// Prediction by a forest for 32 rows in a register, without a branch. AVX2 only.
//
// Going left from a node again and again ends at a leaf: the nodes on this way and the
// leaf are a path. A tree of n nodes has n + 1 paths, one to each leaf. All rows are on
// the path of the root at first; a node moves the rows of its path that go right to the
// path that begins there. When all nodes were asked, parents before their children, a
// row's path names its leaf. This takes five instructions a node for 32 rows: which rows
// are on the path of the node, which of them go right, and change the path of these.
//
// Where many nodes ask the same, as in oblivious trees, it is asked once: the answers of
// a row are the bits of its index in a table of the leaves.
//
// A path is a byte. In a tree of more than 256 leaves the nodes next to the root are
// asked in this way, and each row walks on by itself from where its path ends.
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
  // The forest, its weights and questions outlive this.
  SlicedForest(const ForestView& forest, View<const double> weights,
               const ByteQuestions& questions, Host& host);

  // Rows of a block: their bytes stay in the L2 cache while the trees pass by.
  std::size_t block_rows() const;
  // What a row costs, finding its path in a tree or its byte in a column being 1.
  std::size_t visits() const;

  // What predict_staged() of predict.h does, for the rows [begin, end) of `all_rows`,
  // which the first slices of the block hold.
  void predict(const ByteBlock& block, View<const int> stages, std::size_t begin,
               std::size_t end, std::size_t all_rows, double* out) const;

 private:
  struct Tree {
    std::size_t first_node;  // in nodes_
    std::size_t end_node;
    std::size_t values;  // in values_: of its paths or, if it is cut, of its leaves
    std::size_t exits;   // in exits_: of its paths, if it is cut
    bool is_cut;         // it has more nodes than nodes_ has, and rows walk on
    bool is_table;       // nodes_ has its tests, and paths are answers
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
  std::size_t stride_;  // of the values of a leaf
  std::vector<SlicedNode> nodes_;
  std::vector<Tree> trees_;
  std::vector<int> exits_;  // where paths end, as a child of a forest's node
  AlignedVector<double> values_;
};

}  // namespace rankmix::tree
#endif
