// What learns the base classifier of a round. A new one is a file with a class like those
// of base_tree.h, base_hamming_tree.h and base_product.h, and a line in the glue.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/host.h"
#include "core/boost/weights.h"
#include "core/tree/grow.h"

namespace rankmix::boost {

// A tree with the votes of its leaves.
struct Term {
  tree::GrownTree tree;
  Votes votes;
};

// A base classifier h(x) in {-1, +1}^K: the product of the votes of its terms. On the
// training data it is constant on cells: row i is in cell_of_row[i], where it votes as
// `votes` says.
struct BaseClassifier {
  std::vector<Term> terms;
  const Cells* cell_of_row = nullptr;
  Votes votes;
};

class BaseLearner {
 public:
  virtual ~BaseLearner() = default;
  // A classifier with a large edge that uses the features marked in `active`. The cells
  // live until the next call.
  virtual BaseClassifier learn(const Weights& weights,
                               const std::vector<std::uint8_t>& active,
                               tree::Grower& grower, Host& host) = 0;
};

// The sign of a sum of signed weights, +1 for 0.
inline int sign_of(std::uint32_t bits) {
  return static_cast<std::int32_t>(bits) < 0 ? -1 : 1;
}

// The votes of the leaves of a tree on `classes` channels: a leaf votes as the stump
// above it, v on the left and -v on the right; a lone leaf as its sums.
Votes leaf_votes(const tree::GrownTree& tree, std::size_t classes);

// The classifier of a single tree that `grower` has just grown, with these votes of its
// leaves; the cells are the leaves, in the scratch space of the partition.
BaseClassifier tree_classifier(tree::GrownTree tree, Votes votes, tree::Grower& grower,
                               Host& host);

}  // namespace rankmix::boost
