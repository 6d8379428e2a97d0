// Products of stumps: h(x) = prod_j v_j phi_j(x), votes multiplied label by label.
//
// A term is fitted to the labels times the product of all other terms, which leaves the
// edge of the whole as its own. Terms are added one after the other, until one does not
// raise the edge; then each is fitted anew in turn, until none raises the edge, and more
// are tried again. Edges only ever rise, so that this comes to an end. Reference: Kegl &
// Busa-Fekete 2009, Boosting products of base classifiers.
//
// The votes v of the others change the sign of whole channels, which an edge does not
// see. Their sides phi change the sign of rows. So the sums of one term follow from those
// of another by the rows whose sign differs, at most half of all; sums are exact, and
// nothing is lost on the way. Those of three terms are kept: with those of all there are
// hardly fewer rows to add.
//
// With confidence-rated votes the first term is replaced at the end by the stump with
// votes of any size that takes most off Z, the signs of the others given.
#pragma once
#include "core/boost/base_learner.h"
#include "core/boost/term_signs.h"

namespace rankmix::boost {

constexpr std::size_t kMaxTerms =
    16;  // replay.h has a leaf for each combination of sides
constexpr std::size_t kMaxSums = 3;

class ProductLearner : public BaseLearner {
 public:
  // Throws InvalidArgument unless there are 1 to kMaxTerms.
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

  // Where term j has its sums; until it is fitted those of another term are there.
  std::size_t position_of(std::size_t j) const { return j % sums_.size(); }

  std::size_t max_terms_;
  std::vector<Term> terms_;
  std::vector<tree::Sums> sums_;      // of the terms that were fitted last
  std::vector<tree::Totals> totals_;  // of each term, as it was fitted last in this round
  double edge_ = 0.0;                 // in units of the channels
  TermSigns signs_;                   // of the rows of the sample
  TurnedRows listed_;                 // those that the sums at hand lack
  std::vector<std::int8_t> turned_;   // of all rows of the sample, as a term needs them
};

}  // namespace rankmix::boost
