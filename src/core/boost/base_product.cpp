#include "core/boost/base_product.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/boost/edge_score.h"
#include "core/tree/route.h"

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

// Always the same feature.
class FixedArm : public tree::Arms {
 public:
  explicit FixedArm(std::size_t feature) : feature_(feature) {}
  std::size_t pull() override { return feature_; }
  void reward(tree::Worth, double) override {}

 private:
  std::size_t feature_;
};

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

// The channels of the listed rows, or of all of the sample where none are, as term j
// needs them.
void ProductLearner::flip_listed(const Weights& weights, std::size_t j,
                                 const tree::Sample& sample, Host& host) {
  const std::size_t classes = weights.classes();
  const View<const std::uint32_t> rows(sample.rows);
  flipped_.resize(listed_.size() * classes + tree::kMaxLanes);
  listed_rows_.resize(listed_.size());
  weights.with_units([&](const auto& units) {
    for_each_block(host, listed_.size(), RowCost::kLight,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                     for (std::size_t i = begin; i < end; ++i) {
                       const std::size_t at = listed_[i];
                       const std::size_t row = rows.empty() ? at : rows[at];
                       const std::uint32_t mask = 0U - sign_for(state_[at], j);
                       listed_rows_[i] = static_cast<std::uint32_t>(row);
                       for (std::size_t l = 0; l < classes; ++l) {
                         flipped_[i * classes + l] = (units(row, l) ^ mask) - mask;
                       }
                     }
                   });
  });
}

// The best stump for term j, from the nearest sums there are.
tree::Split ProductLearner::search(const Weights& weights, std::size_t j,
                                   const tree::Sample& sample, tree::Grower& grower,
                                   Host& host) {
  if (terms_.empty() || sample.arms != nullptr) {
    return search_all(weights, j, sample, grower, host);
  }
  const Start start = nearest_sums(j, host);
  if (start.term != j) {
    sums_[j] = sums_[start.term];
  }
  list_rows(start, j, host);
  flip_listed(weights, j, sample, host);
  return grower.search_flipped(start.sign, listed_rows_,
                               {flipped_.data(), weights.classes()},
                               EdgeScore(weights.classes()), sample, host, sums_[j]);
}

// The same from the rows themselves.
tree::Split ProductLearner::search_all(const Weights& weights, std::size_t j,
                                       const tree::Sample& sample, tree::Grower& grower,
                                       Host& host) {
  listed_.resize(state_.size());
  std::iota(listed_.begin(), listed_.end(), 0U);
  flip_listed(weights, j, sample, host);
  return grower.search({flipped_.data(), weights.classes()}, EdgeScore(weights.classes()),
                       sample, host, sums_[j]);
}

// Fits term j anew; false where that does not raise the edge, and the term stays.
bool ProductLearner::improve(const Weights& weights, std::size_t j,
                             const tree::Sample& sample, tree::Grower& grower,
                             Host& host) {
  const std::size_t classes = weights.classes();
  const tree::Split split = search(weights, j, sample, grower, host);
  const double edge = edge_of(split, sums_[j].total, classes);
  if (edge <= edge_) {
    return false;
  }
  edge_ = edge;
  sides_.assign(state_.size(), 0U);
  tree::GrownTree tree = grower.split_once(split, sums_[j], sample, sides_, host);
  // The sums lack the votes of the others, which change the signs of whole channels.
  Votes votes = leaf_votes(tree, classes);
  const std::vector<double> others = votes_of_others(j, classes);
  for (std::size_t i = 0; i < votes.size(); ++i) {
    votes[i] *= others[i % classes];
  }
  if (j == terms_.size()) {
    terms_.emplace_back();
  }
  terms_[j] = {std::move(tree), std::move(votes)};
  note_sides(j, host);
  return true;
}

void ProductLearner::note_sides(std::size_t j, Host& host) {
  const std::uint32_t bit = std::uint32_t{1} << j;
  for_each_block(host, state_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     state_[i] = (state_[i] & ~bit) | (sides_[i] << j);
                   }
                 });
}

// Whether an odd number of the terms from `first_term` on have a row on their right. The
// rows of a sample know.
void ProductLearner::find_parities(std::size_t first_term, const tree::Sample& sample,
                                   const tree::Grower& grower, Host& host) {
  std::vector<tree::BinTree> leaf_of;
  for (std::size_t j = first_term; !sample.rows.empty() && j < terms_.size(); ++j) {
    leaf_of.emplace_back(terms_[j].tree.nodes, grower.bins());
  }
  const std::uint32_t counted = kSides & ~((std::uint32_t{1} << first_term) - 1);
  cells_.resize(grower.bins().rows());
  for_each_block(host, cells_.size(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     cells_[i] = sample.rows.empty() ? parity(state_[i] & counted) : 0U;
                     for (const tree::BinTree& term : leaf_of) {
                       cells_[i] ^= term(i);
                     }
                   }
                 });
}

BaseClassifier ProductLearner::classifier(const Weights& weights,
                                          const tree::Sample& sample,
                                          const tree::Grower& grower, Host& host) {
  find_parities(0, sample, grower, host);
  BaseClassifier learned;
  learned.cell_of_row = &cells_;
  // Of an even and of an odd number of right sides.
  learned.votes = votes_of_others(terms_.size(), weights.classes());
  for (std::size_t l = 0; l < weights.classes(); ++l) {
    learned.votes.push_back(-learned.votes[l]);
  }
  learned.terms = std::move(terms_);
  return learned;
}

// Cells are the sides of the first term, for an even and for an odd number of right sides
// of the others.
BaseClassifier ProductLearner::rated_classifier(const Weights& weights,
                                                const tree::Sample& sample,
                                                tree::Grower& grower, Host& host) {
  const std::size_t classes = weights.classes();
  const std::vector<double> others = votes_of_others(0, classes);
  find_parities(1, sample, grower, host);
  channels_.split(weights, host);
  channels_.flip(cells_, host);
  tree::Sample seen = sample;
  std::optional<FixedArm> same;
  if (sample.arms != nullptr && !terms_[0].tree.nodes.empty()) {
    // A bandit has found this feature; another one need not be as good.
    same.emplace(static_cast<std::size_t>(terms_[0].tree.nodes.front().feature));
    seen.arms = &*same;
  }
  tree::GrownTree stump =
      grower.grow(channels_.view(), ConfidenceScore(classes), {2}, seen, host);
  const Cells& side = find_cells(stump, sample, grower, host);
  const std::size_t sides = stump.leaves.size();
  for_each_block(host, cells_.size(), RowCost::kLight,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     cells_[i] = cells_[i] * static_cast<std::uint32_t>(sides) + side[i];
                   }
                 });
  const std::vector<double> sums = weights.class_sums(cells_, 2 * sides, host);
  // Labels count as the others turn them round.
  std::vector<double> turned(sides * classes * 2, 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t line = i / 2 % (sides * classes);
    const bool odd = i >= turned.size();
    const bool turn = odd != (others[line % classes] < 0.0);
    turned[2 * line + (i % 2 + (turn ? 1 : 0)) % 2] += sums[i];
  }
  ScaledVotes scaled = confidence_votes(turned, smoothing_of(weights));
  BaseClassifier learned;
  learned.cell_of_row = &cells_;
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

BaseClassifier ProductLearner::learn(const Weights& weights, const tree::Sample& sample,
                                     tree::Grower& grower, Host& host) {
  terms_.clear();
  sums_.resize(max_terms_);
  state_.assign(sample.rows.empty() ? weights.rows() : sample.rows.size(), 0U);
  edge_ = -1.0;
  while (terms_.size() < max_terms_ &&
         improve(weights, terms_.size(), sample, grower, host)) {
  }
  // The last term was fitted to the others as they are: the first goes first.
  std::size_t stale = terms_.size() > 1 ? terms_.size() - 1 : 0;
  for (std::size_t j = 0; stale > 0; j = (j + 1) % terms_.size()) {
    stale = improve(weights, j, sample, grower, host) ? terms_.size() - 1 : stale - 1;
  }
  return confidence_rated() ? rated_classifier(weights, sample, grower, host)
                            : classifier(weights, sample, grower, host);
}

}  // namespace rankmix::boost
