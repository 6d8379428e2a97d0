// Products of stumps: h(x) = prod_j v_j phi_j(x), where votes are multiplied class by
// class.
//
// A term is fitted to the labels times the product of all other terms. The edge of this
// stump is then the edge of the product. Terms are added one by one while the edge rises.
// Then each term is refitted in turn until no term raises the edge, and more terms are
// tried. The edge rises in each step, so the algorithm terminates. Reference: Kegl &
// Busa-Fekete 2009, Boosting products of base classifiers.
//
// The votes v of the other terms change the sign of whole channels, which does not affect
// edges. The sides phi of the other terms change the sign of rows. So the sums of one
// term are computed from the sums of another term by adding the rows whose sign differs,
// at most half of all rows. Sums are exact, so no error accumulates. Sums of three terms
// are kept. Keeping the sums of all terms would hardly reduce the number of rows to add.
//
// With confidence-rated votes, the first term is finally replaced by the stump with
// real-valued votes that minimises Z, given the signs of the other terms.
#pragma once
#include "core/boost/base_learner.h"
#include "core/boost/term_signs.h"

namespace rankmix::boost {

constexpr std::size_t kMaxTerms =
    16;  // replay.h has a leaf for each combination of sides
constexpr std::size_t kMaxSums = 3;

class ProductLearner : public BaseLearner {
 public:
  // Throws InvalidArgument unless 1 <= terms <= kMaxTerms.
  explicit ProductLearner(std::size_t terms, bool confidence_rated = false);
  BaseClassifier learn(const Weights& weights, const tree::Sample& sample,
                       tree::Grower& grower, Host& host) override;

 private:
  tree::Split search(const Weights& weights, std::size_t j, const tree::Sample& sample,
                     tree::Grower& grower, Host& host);
  bool improve(const Weights& weights, std::size_t j, const tree::Sample& sample,
               tree::Grower& grower, Host& host);
  bool refit(const Weights& weights, const tree::Sample& sample, tree::Grower& grower,
             Host& host);
  void update_gains(const Weights& weights);
  std::vector<double> votes_of_others(std::size_t j, std::size_t classes) const;
  template <class Use>
  void for_each_parity(std::size_t first_term, const tree::Sample& sample,
                       const tree::Grower& grower, Host& host, const Use& use) const;
  BaseClassifier classifier(const Weights& weights, const tree::Sample& sample,
                            tree::Grower& grower, Host& host);
  BaseClassifier rated_classifier(const Weights& weights, const tree::Sample& sample,
                                  tree::Grower& grower, Host& host);

  // Position of the sums of term j in sums_. Until term j is fitted, another term has its
  // sums there.
  std::size_t position_of(std::size_t j) const { return j % sums_.size(); }

  std::size_t max_terms_;
  std::vector<Term> terms_;
  std::vector<tree::Sums> sums_;      // of the terms that were fitted last
  std::vector<tree::Totals> totals_;  // of each term, from its last fit in this round
  double edge_ = 0.0;                 // in units of the channels
  TermSigns signs_;                   // sides of the rows of the sample
  TurnedRows listed_;                 // rows whose sign differs from the nearest sums
  std::vector<std::int8_t> turned_;   // signs of all rows of the sample for a term
};

}  // namespace rankmix::boost
