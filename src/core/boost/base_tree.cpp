#include "core/boost/base_tree.h"

#include "core/base/errors.h"
#include "core/boost/edge_score.h"

namespace rankmix::boost {

TreeLearner::TreeLearner(std::size_t leaves) : leaves_(leaves) {
  if (leaves < 2) {
    throw InvalidArgument("a tree needs at least two leaves");
  }
}

BaseClassifier TreeLearner::learn(const Weights& weights,
                                  const std::vector<std::uint8_t>& active,
                                  tree::Grower& grower, Host& host) {
  const EdgeScore score(weights.classes());
  BaseClassifier learned;
  Term term;
  term.tree = grower.grow(weights.channels(), score, leaves_, active, host);
  term.votes = leaf_votes(term.tree, weights.classes());
  std::vector<std::uint32_t>& cells = grower.partition().scratch();
  mark_leaves(term.tree, grower.partition(), cells, host);
  learned.cell_of_row = &cells;
  learned.votes = term.votes;
  learned.edge = weights.edge(cells, term.votes, host);
  learned.terms.push_back(std::move(term));
  return learned;
}

}  // namespace rankmix::boost
