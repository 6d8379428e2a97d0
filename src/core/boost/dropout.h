// Trees that a round of boosting leaves out, and what trees count for then.
//
// Given:     the chance `rate` that a tree is left out, anew in each round.
// Algorithm: the tree of a round is grown on the residuals of the others. Where k are
//            left out, it counts step / (k + step) times, and what they count for is
//            multiplied by k / (k + step): together they change predictions about as much
//            as the new tree by itself. Where none is left out it counts `learning_rate`
//            times.
// Reference: Vinayak & Gilad-Bachrach 2015, arXiv:1505.01866; XGBoost's normalisation
//            "tree".
//
// Draws are addressed by round and tree, so that weights after any round follow from the
// seed alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankmix::boost {

class Dropout {
 public:
  Dropout(double rate, double learning_rate, std::uint64_t seed)
      : rate_(rate), learning_rate_(learning_rate), seed_(seed) {}

  bool drops() const { return rate_ > 0.0; }
  // The trees that the next round leaves out, of those that there are.
  std::vector<std::size_t> next() const;
  // What the tree of a round counts for that leaves so many out.
  double weight_of_new(std::size_t dropped) const;
  // Adds a round that left out the trees from next().
  void add_round();
  // What each tree counts for.
  const std::vector<double>& weights() const { return weights_; }

 private:
  double rate_;
  double learning_rate_;
  std::uint64_t seed_;
  std::vector<double> weights_;
};

}  // namespace rankmix::boost
