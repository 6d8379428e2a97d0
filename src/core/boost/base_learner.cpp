#include "core/boost/base_learner.h"

#include <utility>

#include "core/boost/edge_score.h"

namespace rankmix::boost {
Votes leaf_votes(const tree::GrownTree& tree, std::size_t classes,
                 const tree::ChannelSource& source) {
  const double fine_unit = source.fine_unit;
  auto sum = [&](const tree::Totals& of, std::size_t l) {
    return sum_of_channel(of.data(), l, classes, fine_unit);
  };
  Votes votes;
  votes.reserve(tree.leaves.size() * classes);
  for (const tree::Leaf& leaf : tree.leaves) {
    for (std::size_t l = 0; l < classes; ++l) {
      if (leaf.parent < 0) {
        votes.push_back(sum(leaf.total, l) < 0.0 ? -1.0 : 1.0);
        continue;
      }
      const auto& sides = tree.sides[static_cast<std::size_t>(leaf.parent)];
      const double vote = sum(sides[0], l) < sum(sides[1], l) ? -1.0 : 1.0;
      votes.push_back(leaf.is_left ? vote : -vote);
    }
  }
  return votes;
}

BaseClassifier tree_classifier(tree::GrownTree tree, Votes votes,
                               const LeafIds& leaf_ids) {
  BaseClassifier learned;
  learned.leaf_ids = &leaf_ids;
  learned.votes = votes;
  learned.terms.push_back({std::move(tree), std::move(votes)});
  return learned;
}

}  // namespace rankmix::boost
