// Trees that a round of boosting drops, and the weights of trees.
//
// Given:     the probability `rate` that a round drops a tree, drawn anew in each round.
// Algorithm: the tree of a round is grown on the residuals of the trees that are not
//            dropped. If k trees are dropped, the new tree has weight learning_rate / (k
//            + learning_rate), and the weights of the dropped trees are multiplied by k /
//            (k + learning_rate). Together they then change predictions about as much as
//            the new tree alone. If no tree is dropped, the new tree has weight
//            `learning_rate`.
// Reference: Vinayak & Gilad-Bachrach 2015, arXiv:1505.01866; XGBoost's normalisation
//            "tree".
//
// Random numbers are functions of round and tree, so the weights after any round follow
// from the seed alone.
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
  // The trees that the next round drops, increasing.
  std::vector<std::size_t> next() const;
  // The weight of a new tree if its round drops `dropped` trees.
  double weight_of_new(std::size_t dropped) const;
  // Updates the weights after a round that dropped the trees of next().
  void add_round();
  const std::vector<double>& weights() const { return weights_; }

 private:
  double rate_;
  double learning_rate_;
  std::uint64_t seed_;
  std::vector<double> weights_;
};

}  // namespace rankmix::boost
