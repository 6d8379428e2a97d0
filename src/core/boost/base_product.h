// Products of stumps: h(x) = prod_j v_j phi_j(x), votes multiplied label by label.
//
// A term is fitted to the labels times the product of all other terms, which leaves the
// edge of the whole as its own. Terms are added one after the other, until one does not
// raise the edge; then each is fitted anew in turn, until none raises the edge. Edges are
// compared in the fixed-point units of the weights, so that this comes to an end.
// Reference: Kegl & Busa-Fekete 2009, Boosting products of base classifiers.
#pragma once
#include "core/boost/base_learner.h"

namespace rankmix::boost {

constexpr std::size_t kMaxTerms = 16;  // a cell for each side of each term

class ProductLearner : public BaseLearner {
 public:
  // Throws InvalidArgument unless there are 1 to kMaxTerms.
  explicit ProductLearner(std::size_t terms);
  BaseClassifier learn(const Weights& weights, const std::vector<std::uint8_t>& active,
                       tree::Grower& grower, Host& host) override;

 private:
  struct Fit;
  Fit fit_term(const Weights& weights, std::size_t j,
               const std::vector<std::uint8_t>& active, tree::Grower& grower, Host& host);
  bool improve(const Weights& weights, std::size_t j,
               const std::vector<std::uint8_t>& active, tree::Grower& grower, Host& host);
  std::vector<double> votes_of_others(std::size_t j, std::size_t classes) const;
  void flip_channels(const Weights& weights, std::size_t j, Host& host);
  void take_sides(std::size_t j, const tree::GrownTree& tree,
                  const tree::Partition& partition, Host& host);
  Votes cell_votes(std::size_t classes) const;

  std::size_t max_terms_;
  std::vector<Term> terms_;
  double edge_ = 0.0;                   // in units of the channels
  std::vector<std::uint32_t> cells_;    // bit j: the row is on the right of term j
  std::vector<std::uint32_t> flipped_;  // channels times the product of other terms
};

}  // namespace rankmix::boost
