#include "core/boost/base_product.h"

#include <algorithm>
#include <numeric>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/boost/edge_score.h"

namespace rankmix::boost {
namespace {

constexpr std::uint32_t kSides = (std::uint32_t{1} << kMaxTerms) - 1;

std::uint32_t parity(std::uint32_t bits) {
  bits ^= bits >> 8;
  bits ^= bits >> 4;
  bits ^= bits >> 2;
  bits ^= bits >> 1;
  return bits & 1U;
}

// Whether the other terms change the sign of a row: 0 or 1.
std::uint32_t sign_for(std::uint32_t state, std::size_t j) {
  return parity(state & kSides & ~(std::uint32_t{1} << j));
}

std::uint32_t sign_in(std::uint32_t state, std::size_t j) {
  return (state >> (kMaxTerms + j)) & 1U;
}

// The edge of the best stump, or of constant votes where there is none.
double edge_of(const tree::Split& split, const tree::Totals& total, std::size_t classes) {
  double edge = split.gain;
  for (std::size_t l = 0; l < classes; ++l) {
    edge += std::abs(static_cast<double>(static_cast<std::int32_t>(total[l])));
  }
  return edge;
}

}  // namespace

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

// The sums whose rows have the signs that term j needs, but for the fewest.
ProductLearner::Start ProductLearner::nearest_sums(std::size_t j, Host& host) const {
  const std::size_t rows = state_.size();
  const std::size_t terms = terms_.size();
  const std::size_t blocks = block_count(rows);
  std::vector<std::size_t> differ(terms * blocks, 0);
  for_each_block(host, rows, RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const std::uint32_t sign = sign_for(state_[i], j);
                     for (std::size_t k = 0; k < terms; ++k) {
                       differ[k * blocks + block] += sign ^ sign_in(state_[i], k);
                     }
                   }
                 });
  Start best{0, 1, {}, rows + 1};
  for (std::size_t k = 0; k < terms; ++k) {
    const auto first = differ.begin() + static_cast<std::ptrdiff_t>(k * blocks);
    const auto last = first + static_cast<std::ptrdiff_t>(blocks);
    const std::size_t count = std::accumulate(first, last, std::size_t{0});
    const std::size_t fewer = std::min(count, rows - count);
    if (fewer < best.rows) {
      best = {k, count == fewer ? 1 : -1, {first, last}, fewer};
    }
  }
  if (best.sign < 0) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t begin = block * kRowBlock;
      best.listed[block] = std::min(kRowBlock, rows - begin) - best.listed[block];
    }
  }
  return best;
}

// Lists the rows that change their sign against the others, and notes the new signs.
void ProductLearner::list_rows(const Start& start, std::size_t j, Host& host) {
  std::vector<std::size_t> first(start.listed.size() + 1, 0);
  std::partial_sum(start.listed.begin(), start.listed.end(), first.begin() + 1);
  listed_.resize(start.rows + 1);  // one may be written in vain
  const std::uint32_t most = start.sign < 0 ? 1 : 0;
  const std::uint32_t bit = std::uint32_t{1} << (kMaxTerms + j);
  for_each_block(host, state_.size(), RowCost::kLight,
                 [&](std::size_t block, std::size_t begin, std::size_t end) {
                   std::size_t next = first[block];
                   for (std::size_t i = begin; i < end; ++i) {
                     const std::uint32_t sign = sign_for(state_[i], j);
                     if ((sign ^ sign_in(state_[i], start.term)) != most) {
                       listed_[next++] = static_cast<std::uint32_t>(i);
                     }
                     state_[i] = (state_[i] & ~bit) | (sign << (kMaxTerms + j));
                   }
                 });
  listed_.resize(start.rows);
}

void ProductLearner::flip_listed(const Weights& weights, std::size_t j, Host& host) {
  const std::size_t classes = weights.classes();
  const std::uint32_t* from = weights.channels().values;
  flipped_.resize(listed_.size() * classes + tree::kMaxLanes);
  for_each_block(host, listed_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     const std::size_t row = listed_[i];
                     const std::uint32_t mask = 0U - sign_for(state_[row], j);
                     for (std::size_t l = 0; l < classes; ++l) {
                       flipped_[i * classes + l] =
                           (from[row * classes + l] ^ mask) - mask;
                     }
                   }
                 });
}

// The best stump for term j, from the nearest sums there are.
tree::Split ProductLearner::search(const Weights& weights, std::size_t j,
                                   const std::vector<std::uint8_t>& active,
                                   tree::Grower& grower, Host& host) {
  const EdgeScore score(weights.classes());
  if (terms_.empty()) {
    return grower.search(weights.channels(), score, active, host, sums_[0]);
  }
  const Start start = nearest_sums(j, host);
  if (start.term != j) {
    sums_[j] = sums_[start.term];
  }
  list_rows(start, j, host);
  flip_listed(weights, j, host);
  return grower.search_flipped(start.sign, listed_, {flipped_.data(), weights.classes()},
                               score, active, host, sums_[j]);
}

// Fits term j anew; false where that does not raise the edge, and the term stays.
bool ProductLearner::improve(const Weights& weights, std::size_t j,
                             const std::vector<std::uint8_t>& active,
                             tree::Grower& grower, Host& host) {
  const std::size_t classes = weights.classes();
  const tree::Split split = search(weights, j, active, grower, host);
  const double edge = edge_of(split, sums_[j].total, classes);
  if (edge <= edge_) {
    return false;
  }
  edge_ = edge;
  tree::GrownTree tree = grower.split_once(split, sums_[j], host);
  if (j == terms_.size()) {
    terms_.emplace_back();
  }
  take_sides(j, tree, grower.partition(), host);
  // The sums lack the votes of the others, which change the signs of whole channels.
  Votes votes = leaf_votes(tree, classes);
  const std::vector<double> others = votes_of_others(j, classes);
  for (std::size_t i = 0; i < votes.size(); ++i) {
    votes[i] *= others[i % classes];
  }
  terms_[j] = {std::move(tree), std::move(votes)};
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
                       std::uint32_t& state = state_[rows[i]];
                       state = right ? state | bit : state & ~bit;
                     }
                   });
  }
}

// Of an even and of an odd number of right sides.
Votes ProductLearner::cell_votes(std::size_t classes) const {
  Votes votes = votes_of_others(terms_.size(), classes);
  for (std::size_t l = 0; l < classes; ++l) {
    votes.push_back(-votes[l]);
  }
  return votes;
}

BaseClassifier ProductLearner::learn(const Weights& weights,
                                     const std::vector<std::uint8_t>& active,
                                     tree::Grower& grower, Host& host) {
  terms_.clear();
  sums_.resize(max_terms_);
  state_.assign(weights.rows(), 0U);
  edge_ = -1.0;
  while (terms_.size() < max_terms_ &&
         improve(weights, terms_.size(), active, grower, host)) {
  }
  // The last term was fitted to the others as they are: the first goes first.
  std::size_t stale = terms_.size() > 1 ? terms_.size() - 1 : 0;
  for (std::size_t j = 0; stale > 0; j = (j + 1) % terms_.size()) {
    stale = improve(weights, j, active, grower, host) ? terms_.size() - 1 : stale - 1;
  }
  cells_.resize(state_.size());
  for_each_block(host, state_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     cells_[i] = parity(state_[i] & kSides);
                   }
                 });
  BaseClassifier learned;
  learned.cell_of_row = &cells_;
  learned.votes = cell_votes(weights.classes());
  learned.terms = std::move(terms_);
  return learned;
}

}  // namespace rankmix::boost
