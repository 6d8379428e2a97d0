#include "core/mix/majority.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/long_query.h"

namespace rankmix::mix {
namespace {

constexpr double kUnits = 1073741824.0;  // 2^30, the sum of all weights
// Factor of the tie-breaker. With this factor, its magnitude is below 0.2. Copeland
// scores differ by at least 0.5, so two tie-breakers cannot change their order.
constexpr double kMarginFraction = 0.2;
constexpr int kNoVote = -1;

std::vector<std::int64_t> whole_weights(View<const double> weights) {
  // Sums the sorted weights, so that the order of the rankers does not matter.
  std::vector<double> sorted(weights.begin(), weights.end());
  std::sort(sorted.begin(), sorted.end());
  double sum = 0.0;
  for (const double weight : sorted) {
    sum += weight;
  }
  std::vector<std::int64_t> whole;
  for (const double weight : weights) {
    whole.push_back(std::llround(weight / sum * kUnits));
  }
  return whole;
}

class QueryMajority {
 public:
  QueryMajority(const Lists& lists, const MajorityOptions& options, Host& host)
      : lists_(lists),
        options_(options),
        host_(host),
        list_(lists),
        weights_(whole_weights(options.weights)) {}

  void count(std::size_t query, std::vector<double>& out) {
    find_ranks(query);
    for (const int row : lists_.queries.rows_of(query)) {
      out[static_cast<std::size_t>(row)] = std::numeric_limits<double>::quiet_NaN();
    }
    const std::size_t n = retrieved_.size();
    wins_.assign(n, 0.0);
    votes_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      checkpoint_of_document(host_, n);
      count_from(i);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double fraction =
          static_cast<double>(votes_[i]) / (kUnits * static_cast<double>(n));
      out[static_cast<std::size_t>(retrieved_[i])] =
          wins_[i] + (options_.margins ? kMarginFraction * fraction : 0.0);
    }
  }

 private:
  // ranks_[r][i]: index of the group of document i in the list of ranker r.
  void find_ranks(std::size_t query) {
    const std::size_t rankers = lists_.scores.cols();
    find_retrieved(lists_, query, retrieved_);
    ranks_.resize(rankers);
    for (std::size_t r = 0; r < rankers; ++r) {
      list_.rank(query, r);
      const bool last = options_.missing_last && list_.length() > 0;
      ranks_[r].assign(retrieved_.size(),
                       last ? std::numeric_limits<int>::max() : kNoVote);
      std::size_t begin = 0;
      for (const std::size_t end : list_.group_ends()) {
        for (std::size_t rank = begin; rank < end; ++rank) {
          const auto at =
              std::lower_bound(retrieved_.begin(), retrieved_.end(), list_.rows()[rank]);
          ranks_[r][static_cast<std::size_t>(at - retrieved_.begin())] =
              static_cast<int>(begin);
        }
        begin = end;
      }
    }
  }

  // Counts the pairs of document i with the documents after it.
  void count_from(std::size_t i) {
    const std::size_t n = retrieved_.size();
    margins_.assign(n, 0);
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      const int* ranks = ranks_[r].data();
      const int own = ranks[i];
      if (own == kNoVote) {
        continue;
      }
      for (std::size_t j = i + 1; j < n; ++j) {
        const int sign = (ranks[j] > own ? 1 : 0) - (ranks[j] < own ? 1 : 0);
        margins_[j] += ranks[j] == kNoVote ? 0 : sign * weights_[r];
      }
    }
    const auto draw = static_cast<std::int64_t>(ranks_.size());
    for (std::size_t j = i + 1; j < n; ++j) {
      const double won = margins_[j] > draw ? 1.0 : margins_[j] < -draw ? 0.0 : 0.5;
      wins_[i] += won;
      wins_[j] += 1.0 - won;
      votes_[i] += margins_[j];
      votes_[j] -= margins_[j];
    }
  }

  const Lists& lists_;
  const MajorityOptions& options_;
  Host& host_;
  ListRanker list_;
  std::vector<std::int64_t> weights_;
  std::vector<int> retrieved_;
  std::vector<std::vector<int>> ranks_;
  std::vector<std::int64_t> margins_;
  std::vector<double> wins_;
  std::vector<std::int64_t> votes_;
};

}  // namespace

std::vector<double> majority_scores(const Lists& lists, const MajorityOptions& options,
                                    Host& host) {
  check_lists(lists);
  if (options.weights.size() != lists.scores.cols()) {
    throw InvalidArgument("there must be one weight per ranker");
  }
  std::vector<double> out(lists.scores.rows());
  for_each_query(
      lists.queries, host, [&] { return QueryMajority(lists, options, host); },
      [&](QueryMajority& majority, std::size_t query) { majority.count(query, out); });
  return out;
}

}  // namespace rankmix::mix
