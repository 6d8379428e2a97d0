// Products of stumps: h(x) = prod_j v_j phi_j(x), votes multiplied label by label.
//
// A term is fitted to the labels times the product of all other terms, which leaves the
// edge of the whole as its own. Terms are added one after the other, until one does not
// raise the edge; then each is fitted anew in turn, until none raises the edge. Edges are
// compared in the fixed-point units of the weights, so that this comes to an end.
// Reference: Kegl & Busa-Fekete 2009, Boosting products of base classifiers.
//
// The votes v of the others change the sign of whole channels, which an edge does not
// see. Their sides phi change the sign of rows. So the sums of one term follow from those
// of another by the rows whose sign differs, at most half of all; sums are exact, and
// nothing is lost on the way.
#pragma once
#include "core/boost/base_learner.h"

namespace rankmix::boost {

constexpr std::size_t kMaxTerms = 16;  // a bit for the side of each, and one for its sums

class ProductLearner : public BaseLearner {
 public:
  // Throws InvalidArgument unless there are 1 to kMaxTerms.
  explicit ProductLearner(std::size_t terms);
  BaseClassifier learn(const Weights& weights, const std::vector<std::uint8_t>& active,
                       tree::Grower& grower, Host& host) override;

 private:
  // How the rows of a term's sums differ from what another term needs.
  struct Start {
    std::size_t term;
    int sign;                         // of most rows
    std::vector<std::size_t> listed;  // how many of the others, for each block of rows
    std::size_t rows;                 // and in all
  };
  tree::Split search(const Weights& weights, std::size_t j,
                     const std::vector<std::uint8_t>& active, tree::Grower& grower,
                     Host& host);
  bool improve(const Weights& weights, std::size_t j,
               const std::vector<std::uint8_t>& active, tree::Grower& grower, Host& host);
  Start nearest_sums(std::size_t j, Host& host) const;
  void list_rows(const Start& start, std::size_t j, Host& host);
  void flip_listed(const Weights& weights, std::size_t j, Host& host);
  std::vector<double> votes_of_others(std::size_t j, std::size_t classes) const;
  void take_sides(std::size_t j, const tree::GrownTree& tree,
                  const tree::Partition& partition, Host& host);
  Votes cell_votes(std::size_t classes) const;

  std::size_t max_terms_;
  std::vector<Term> terms_;
  std::vector<tree::Sums> sums_;  // of each term, as it was fitted last
  double edge_ = 0.0;             // in units of the channels
  // Bit j: the row is on the right of term j. Bit kMaxTerms + j: its sign in sums_[j].
  std::vector<std::uint32_t> state_;
  std::vector<std::uint32_t> listed_;
  std::vector<std::uint32_t> flipped_;  // channels of the listed rows, with new signs
  Cells cells_;                         // 1 where an odd number of terms are right
};

}  // namespace rankmix::boost
