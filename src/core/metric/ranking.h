// Ranks the documents of a query by decreasing score.
//
// Equal scores are ordered by a rule for ties. -0 and 0 are equal. Documents with a score
// of NaN were not retrieved and have no rank.
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
  kAverage,   // all orders are equally likely: metrics are expectations
  kTogether,  // tied documents are retrieved in one step
  kBest,      // higher grades first
  kWorst,     // lower grades first
  kDocument,  // by document id
};

struct RankRule {
  Ties ties = Ties::kOrder;
  bool single_scores = false;  // compare scores rounded to single precision
};

// True if metrics need the groups of tied documents.
constexpr bool needs_groups(Ties ties) {
  return ties == Ties::kAverage || ties == Ties::kTogether;
}

// Rounds to single precision; values out of range become infinite.
double to_single(double score);

// Data of the documents, row by row.
struct Documents {
  View<const int> grades;     // 0, 1, 2, ...; negative if unjudged
  View<const int> positions;  // order among equal scores by document id, for kDocument
};

class Ranker {
 public:
  // Ranks `rows`, which must be increasing. `scores` has the scores of all rows. Only the
  // first `depth` ranks are computed, or all if the rule needs groups.
  void rank(View<const int> rows, const double* scores, const Documents& documents,
            RankRule rule, std::size_t depth);

  // The ranked rows, best first.
  View<const int> rows() const { return rows_; }
  // The number of retrieved documents.
  std::size_t length() const { return items_.size(); }
  // One past the last rank of each group of equal scores. Empty unless the rule needs
  // groups.
  View<const std::size_t> group_ends() const { return group_ends_; }

 private:
  struct Item {
    std::uint64_t score;  // smaller is better
    std::uint64_t tie;    // tie_key() in the high, position in `rows` in the low 32 bits
  };
  void find_groups();

  std::vector<Item> items_;
  std::vector<int> rows_;
  std::vector<std::size_t> group_ends_;
};

}  // namespace rankmix::metric
