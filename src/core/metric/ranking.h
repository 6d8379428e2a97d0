// Ranks the documents of a query.
//
// Documents are ranked by decreasing score; equal scores by a rule of ties. -0 and 0 are
// equal. A document whose score is NaN was not retrieved and has no rank.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/views.h"

namespace rankmix::metric {

constexpr std::size_t kWholeList = std::numeric_limits<std::size_t>::max();

enum class Ties {
  kOrder,     // the order of the input
  kAverage,   // every order alike: metrics give their expectation
  kTogether,  // all at once: the documents of a tie are retrieved in one step
  kBest,      // higher grades first
  kWorst,     // lower grades first
  kDocument,  // by document id
};

struct RankRule {
  Ties ties = Ties::kOrder;
  bool single_scores = false;  // compare scores rounded to single precision
};

// True where the value depends on which documents are tied.
constexpr bool needs_groups(Ties ties) {
  return ties == Ties::kAverage || ties == Ties::kTogether;
}

// Rounded to single precision; beyond its range, infinite.
double to_single(double score);

// What is known of the documents, row by row.
struct Documents {
  View<const int> grades;     // 0, 1, 2, ...; negative if unjudged
  View<const int> positions;  // the position among equal scores by id, for kDocument
};

class Ranker {
 public:
  // Ranks `rows`, which increase, by `scores` of all rows. Only the first `depth` ranks
  // are worked out, all of them where the rule needs groups.
  void rank(View<const int> rows, const double* scores, const Documents& documents,
            RankRule rule, std::size_t depth);

  // The rows that have a rank asked for, best first.
  View<const int> rows() const { return rows_; }
  // How many documents were retrieved.
  std::size_t length() const { return items_.size(); }
  // The ends (one past the last rank) of the groups of equal scores, in order; empty
  // unless the rule needs them.
  View<const std::size_t> group_ends() const { return group_ends_; }

 private:
  struct Item {
    std::uint64_t score;  // smaller is better
    std::uint64_t tie;  // the rule of ties, and the position in `rows` in the low 32 bits
  };
  void find_groups();

  std::vector<Item> items_;
  std::vector<int> rows_;
  std::vector<std::size_t> group_ends_;
};

}  // namespace rankmix::metric
