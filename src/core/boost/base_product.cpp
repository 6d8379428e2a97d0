#include "core/boost/base_product.h"

#include <algorithm>
#include <optional>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/boost/confidence.h"
#include "core/boost/edge_score.h"
#include "core/tree/route.h"
#include "core/tree/search.h"
#include "core/tree/search_flipped.h"

namespace rankmix::boost {
namespace {

// The edge of constant votes. The edge of a stump is this number plus the gain of its
// split.
double constant_edge(const tree::Totals& total, const Weights& weights) {
  const tree::ChannelSource source = weights.channels();
  return edge_finder(source, weights.classes())->node_score(total, source.lanes());
}

}  // namespace

ProductLearner::ProductLearner(std::size_t terms, bool confidence_rated)
    : BaseLearner(confidence_rated), max_terms_(terms) {
  if (terms < 1 || terms > kMaxTerms) {
    throw InvalidArgument("a product has 1 to 16 terms");
  }
}

// The product over all other terms of the votes on their left sides.
std::vector<double> ProductLearner::votes_of_others(std::size_t j,
                                                    std::size_t classes) const {
  std::vector<double> votes(classes, 1.0);
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    for (std::size_t l = 0; k != j && l < classes; ++l) {
      votes[l] *= terms_[k].votes[l];
    }
  }
  return votes;
}

// The best stump for term j. If there are no other terms, this is a search on the
// weights. Otherwise the search starts from the kept sums that differ in the fewest rows.
// A bandit does not use kept sums, because its search sums a single feature.
tree::Split ProductLearner::search(const Weights& weights, std::size_t j,
                                   const tree::Sample& sample, tree::Grower& grower,
                                   Host& host) {
  const tree::ChannelSource source = weights.channels();
  const auto finder = edge_finder(source, weights.classes());
  tree::RowAdder& adder = grower.adder();
  tree::Sums& sums = sums_[position_of(j)];
  if (terms_.empty()) {
    return tree::search(adder, source, *finder, sample, host, sums);
  }
  if (sample.chooser != nullptr) {
    signs_.turn_all(j, host, turned_);
    return tree::search(adder, source, *finder, sample, host, sums, turned_);
  }
  const NearestSums nearest =
      signs_.nearest(j, std::min(terms_.size(), sums_.size()), host);
  signs_.list_rest(nearest, j, position_of(j), sample.rows, host, listed_);
  tree::PickedRows flipped(listed_.rows, listed_.rows.size());
  flipped.negated = listed_.negated;
  return tree::search_flipped(adder, sums_[nearest.position], nearest.negated, flipped,
                              source, *finder, sample, host, sums);
}

// Refits term j, or adds it if j is the number of terms. Returns false, and changes no
// term, if this does not raise the edge.
bool ProductLearner::improve(const Weights& weights, std::size_t j,
                             const tree::Sample& sample, tree::Grower& grower,
                             Host& host) {
  host.checkpoint();
  const std::size_t classes = weights.classes();
  const tree::Split split = search(weights, j, sample, grower, host);
  const tree::Sums& sums = sums_[position_of(j)];
  totals_[j] = sums.total;
  const double edge = split.gain + constant_edge(sums.total, weights);
  if (edge <= edge_) {
    return false;
  }
  edge_ = edge;
  LeafIds& sides = grower.partition().scratch();
  tree::GrownTree tree = grower.split_once(split, sums, sample, sides, host);
  // The sums do not include the votes of the other terms, which change the signs of whole
  // channels.
  Votes votes = leaf_votes(tree, classes, weights.channels());
  const std::vector<double> others = votes_of_others(j, classes);
  for (std::size_t i = 0; i < votes.size(); ++i) {
    votes[i] *= others[i % classes];
  }
  if (j == terms_.size()) {
    terms_.emplace_back();
  }
  terms_[j] = {std::move(tree), std::move(votes)};
  signs_.set_sides(j, sides, host);
  return true;
}

// Calls use(row, odd) for each row. `odd` is 1 if the row is on the right side of an odd
// number of the terms from `first_term` on, else 0; first_term is 0 or 1. If the sample
// has all rows, signs_ stores this.
template <class Use>
void ProductLearner::for_each_parity(std::size_t first_term, const tree::Sample& sample,
                                     const tree::Grower& grower, Host& host,
                                     const Use& use) const {
  std::vector<tree::BinTree> leaf_of;
  for (std::size_t j = first_term; !sample.takes_all() && j < terms_.size(); ++j) {
    leaf_of.emplace_back(terms_[j].tree.nodes, grower.bins());
  }
  auto known = [&](std::size_t i) {
    return first_term == 0 ? signs_.parity(i) : signs_.parity_without(0, i);
  };
  for_each_block(host, grower.bins().rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     std::uint32_t odd = sample.takes_all() ? known(i) : 0U;
                     for (const tree::BinTree& term : leaf_of) {
                       odd ^= term(i);
                     }
                     use(i, odd);
                   }
                 });
}

BaseClassifier ProductLearner::classifier(const Weights& weights,
                                          const tree::Sample& sample,
                                          tree::Grower& grower, Host& host) {
  LeafIds& leaf_ids = grower.partition().scratch();
  for_each_parity(0, sample, grower, host,
                  [&](std::size_t i, std::uint32_t odd) { leaf_ids[i] = odd; });
  BaseClassifier learned;
  learned.leaf_ids = &leaf_ids;
  // Leaf 0 has the rows with an even number of right sides, and leaf 1 those with an odd
  // number.
  learned.votes = votes_of_others(terms_.size(), weights.classes());
  for (std::size_t l = 0; l < weights.classes(); ++l) {
    learned.votes.push_back(-learned.votes[l]);
  }
  learned.terms = std::move(terms_);
  return learned;
}

// The leaf id of a row is its side in the first term, plus the number of these sides if
// the row is on the right of an odd number of the other terms.
BaseClassifier ProductLearner::rated_classifier(const Weights& weights,
                                                const tree::Sample& sample,
                                                tree::Grower& grower, Host& host) {
  const std::size_t classes = weights.classes();
  const std::vector<double> others = votes_of_others(0, classes);
  signs_.turn_all(0, host, turned_);
  tree::Sample seen = sample;
  std::optional<tree::FixedFeature> same;
  if (sample.chooser != nullptr && !terms_[0].tree.nodes.empty()) {
    // The bandit found this feature. Another feature that it selects now may be worse.
    same.emplace(static_cast<std::size_t>(terms_[0].tree.nodes.front().feature));
    seen.chooser = &*same;
  }
  const tree::ChannelSource source = weights.magnitude_channels();
  const tree::Split split =
      tree::search(grower.adder(), source, *confidence_finder(source, classes), seen,
                   host, sums_[0], turned_);
  tree::GrownTree stump =
      grower.split_once(split, sums_[0], sample, grower.partition().scratch(), host);
  LeafIds& leaf_ids =
      grower.partition().scratch();  // find_leaf_ids() writes to this buffer
  find_leaf_ids(stump, sample, grower, host);
  const std::size_t sides = stump.leaves.size();
  for_each_parity(1, sample, grower, host, [&](std::size_t i, std::uint32_t odd) {
    leaf_ids[i] += odd * static_cast<std::uint32_t>(sides);
  });
  const std::vector<double> sums = weights.class_sums(leaf_ids, 2 * sides, host);
  // Swaps the sums of labels +1 and -1 where the product of the other terms is negative.
  std::vector<double> negated(sides * classes * 2, 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t line = i / 2 % (sides * classes);
    const bool odd = i >= negated.size();
    const bool turn = odd != (others[line % classes] < 0.0);
    negated[2 * line + (i % 2 + (turn ? 1 : 0)) % 2] += sums[i];
  }
  ScaledVotes scaled = confidence_votes(negated, smoothing_of(weights));
  BaseClassifier learned;
  learned.leaf_ids = &leaf_ids;
  learned.alpha = scaled.alpha;
  for (double sign : {1.0, -1.0}) {
    for (std::size_t line = 0; line < sides * classes; ++line) {
      learned.votes.push_back(sign * scaled.votes[line] * others[line % classes]);
    }
  }
  terms_[0] = {std::move(stump), std::move(scaled.votes)};
  learned.terms = std::move(terms_);
  return learned;
}

// Refits each term in turn until none raises the edge. Returns whether any did.
bool ProductLearner::refit(const Weights& weights, const tree::Sample& sample,
                           tree::Grower& grower, Host& host) {
  bool raised = false;
  // The last term was just fitted to the others, so the loop starts with the first term.
  std::size_t stale = terms_.size() > 1 ? terms_.size() - 1 : 0;
  for (std::size_t j = 0; stale > 0; j = (j + 1) % terms_.size()) {
    const bool better = improve(weights, j, sample, grower, host);
    raised = raised || better;
    stale = better ? terms_.size() - 1 : stale - 1;
  }
  return raised;
}

// Sets the gain of each split relative to the final other terms; the term was fitted with
// fewer or other terms. totals_ is correct, because each term was fitted once more after
// the last change.
void ProductLearner::update_gains(const Weights& weights) {
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    for (double& gain : terms_[j].tree.gains) {
      gain = edge_ - constant_edge(totals_[j], weights);
    }
  }
}

BaseClassifier ProductLearner::learn(const Weights& weights, const tree::Sample& sample,
                                     tree::Grower& grower, Host& host) {
  terms_.clear();
  totals_.resize(max_terms_);
  sums_.resize(std::min(max_terms_, kMaxSums));
  const std::size_t rows = sample.rows_of(weights.rows());
  signs_.reset(rows, max_terms_, sums_.size());
  edge_ = -1.0;
  auto add_term = [&] {
    return terms_.size() < max_terms_ &&
           improve(weights, terms_.size(), sample, grower, host);
  };
  do {
    while (add_term()) {
    }
    // After other terms were refitted, one more term may raise the edge.
  } while (refit(weights, sample, grower, host) && add_term());
  update_gains(weights);
  return confidence_rated() ? rated_classifier(weights, sample, grower, host)
                            : classifier(weights, sample, grower, host);
}

}  // namespace rankmix::boost
