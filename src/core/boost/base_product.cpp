#include "core/boost/base_product.h"

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/boost/edge_score.h"

namespace rankmix::boost {
namespace {

bool odd(std::uint32_t bits) {
  bits ^= bits >> 16;
  bits ^= bits >> 8;
  bits ^= bits >> 4;
  bits ^= bits >> 2;
  bits ^= bits >> 1;
  return (bits & 1U) != 0;
}

// The edge of a stump, or of constant votes where there is none.
double edge_of(const tree::GrownTree& tree) {
  auto magnitude = [](std::uint32_t sum) {
    return std::abs(static_cast<double>(static_cast<std::int32_t>(sum)));
  };
  double edge = 0.0;
  const tree::Totals& total = tree.leaves.front().total;
  for (std::size_t l = 0; l < total.size(); ++l) {
    edge += magnitude(tree.nodes.empty() ? total[l]
                                         : tree.sides[0][0][l] - tree.sides[0][1][l]);
  }
  return edge;
}

}  // namespace

struct ProductLearner::Fit {
  tree::GrownTree tree;
  double edge;
};

ProductLearner::ProductLearner(std::size_t terms) : max_terms_(terms) {
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

void ProductLearner::flip_channels(const Weights& weights, std::size_t j, Host& host) {
  const std::size_t classes = weights.classes();
  const std::uint32_t* from = weights.channels().values;
  const std::vector<double> votes = votes_of_others(j, classes);
  const std::uint32_t others = ~(std::uint32_t{1} << j);
  flipped_.resize(weights.rows() * classes + tree::kMaxLanes);
  for_each_block(host, weights.rows(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const int side = odd(cells_[i] & others) ? -1 : 1;
                     for (std::size_t l = 0; l < classes; ++l) {
                       const std::uint32_t g = from[i * classes + l];
                       flipped_[i * classes + l] = side * votes[l] > 0 ? g : 0U - g;
                     }
                   }
                 });
}

ProductLearner::Fit ProductLearner::fit_term(const Weights& weights, std::size_t j,
                                             const std::vector<std::uint8_t>& active,
                                             tree::Grower& grower, Host& host) {
  const std::size_t classes = weights.classes();
  flip_channels(weights, j, host);
  Fit fit{grower.grow({flipped_.data(), classes}, EdgeScore(classes), 2, active, host),
          0.0};
  for (tree::Leaf& leaf : fit.tree.leaves) {
    leaf.total.resize(classes);  // spare lanes hold anything
  }
  for (auto& sides : fit.tree.sides) {
    sides[0].resize(classes);
    sides[1].resize(classes);
  }
  fit.edge = edge_of(fit.tree);
  return fit;
}

// Fits term j anew; false where that does not raise the edge, and nothing is changed.
bool ProductLearner::improve(const Weights& weights, std::size_t j,
                             const std::vector<std::uint8_t>& active,
                             tree::Grower& grower, Host& host) {
  Fit fit = fit_term(weights, j, active, grower, host);
  if (fit.edge <= edge_) {
    return false;
  }
  edge_ = fit.edge;
  if (j == terms_.size()) {
    terms_.emplace_back();
  }
  take_sides(j, fit.tree, grower.partition(), host);
  terms_[j].votes = leaf_votes(fit.tree, weights.classes());
  terms_[j].tree = std::move(fit.tree);
  return true;
}

void ProductLearner::take_sides(std::size_t j, const tree::GrownTree& tree,
                                const tree::Partition& partition, Host& host) {
  const std::uint32_t bit = std::uint32_t{1} << j;
  for (const tree::Leaf& leaf : tree.leaves) {
    const bool right = leaf.parent >= 0 && !leaf.is_left;
    const auto rows = partition.rows(leaf.begin, leaf.end);
    for_each_block(host, rows.size(), RowCost::kLight,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       std::uint32_t& cell = cells_[rows[i]];
                       cell = right ? cell | bit : cell & ~bit;
                     }
                   });
  }
}

Votes ProductLearner::cell_votes(std::size_t classes) const {
  const std::vector<double> left = votes_of_others(terms_.size(), classes);
  Votes votes;
  for (std::uint32_t cell = 0; cell < std::uint32_t{1} << terms_.size(); ++cell) {
    for (std::size_t l = 0; l < classes; ++l) {
      votes.push_back(odd(cell) ? -left[l] : left[l]);
    }
  }
  return votes;
}

BaseClassifier ProductLearner::learn(const Weights& weights,
                                     const std::vector<std::uint8_t>& active,
                                     tree::Grower& grower, Host& host) {
  terms_.clear();
  cells_.assign(weights.rows(), 0U);
  edge_ = -1.0;
  while (terms_.size() < max_terms_ &&
         improve(weights, terms_.size(), active, grower, host)) {
  }
  // The last term was fitted to the others as they are: the first goes first.
  std::size_t stale = terms_.size() > 1 ? terms_.size() - 1 : 0;
  for (std::size_t j = 0; stale > 0; j = (j + 1) % terms_.size()) {
    stale = improve(weights, j, active, grower, host) ? terms_.size() - 1 : stale - 1;
  }
  BaseClassifier learned;
  learned.cell_of_row = &cells_;
  learned.votes = cell_votes(weights.classes());
  learned.edge = weights.edge(cells_, learned.votes, host);
  learned.terms = std::move(terms_);
  return learned;
}

}  // namespace rankmix::boost
