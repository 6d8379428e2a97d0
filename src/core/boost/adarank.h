// AdaRank: boosting of single features by a metric of rankings.
//
// Problem:   a ranker f(x) = sum_t alpha_t h_t(x) whose rankings have a high metric.
// Given:     features, judged queries with weights v_q, and a metric E with values in
//            [0, 1].
// Result:    f, where each h_t is a feature or, if asked for, the negative of one.
// Algorithm: P_1(q) is proportional to v_q. In round t h_t is the weak ranker with the
//            largest r = sum_q P_t(q) E(q; h); alpha_t = 1/2 log((1 + r) / (1 - r)),
//            which is the paper's, as P_t sums to 1; and P_{t+1}(q) is proportional to
//            v_q exp(-E(q; f)), f the sum of all rounds so far. Of equal ones the lowest
//            feature is taken, the feature before its negative.
//            Where f orders all documents as h_t alone does, h_t would be chosen for
//            ever: the fit stalls. If `repeats` is not 0, a weak ranker that was chosen
//            so often in a row is set aside for the next `pause` rounds.
// Queries that the metric leaves out of the mean have no part; one that counts without a
// value has E = 0.
// Reference: Xu & Li 2007, doi:10.1145/1277741.1277809.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/host.h"
#include "core/boost/query_orders.h"
#include "core/data/columns.h"
#include "core/metric/judged.h"

namespace rankmix::boost {

struct AdaRankOptions {
  bool negatives = false;
  std::size_t repeats = 0;  // of a weak ranker in a row; 0: any number
  std::size_t pause = 1;    // rounds for which it is then set aside; 0: for ever
  // The fit has converged where the mean of the metric rose by no more than this in
  // kIdleRounds; below 0: it never converges.
  double tolerance = -1.0;
};

constexpr std::size_t kIdleRounds = 100;

enum class AdaRankStatus { kLimit, kStalled, kConverged };

struct AdaRankModel {
  std::vector<int> feature;   // of each round, from 0
  std::vector<int> sign;      // -1 for the negative of the feature
  std::vector<double> alpha;  // its weight
  std::vector<double> value;  // r, the metric of the weak ranker by P_t
  std::vector<double> mean;   // of the metric over queries, after the round
  AdaRankStatus status = AdaRankStatus::kLimit;
};

class AdaRank {
 public:
  // Finds the metric of each query for each weak ranker. Columns and judged queries must
  // outlive it.
  AdaRank(const data::Columns& columns, const metric::Judged& judged,
          const AdaRankOptions& options, Host& host);

  // The mean of the metric for each weak ranker: features, each before its negative.
  std::vector<double> weak_means() const;
  // The least and the largest metric of a query, and how many queries count.
  double least() const { return min_; }
  double largest() const { return largest_; }
  std::size_t counting() const { return queries_.size(); }
  // Identifies the training data: the metric of each query for each weak ranker.
  std::uint64_t digest() const;

  // Takes over the rounds of a model of the same data and options. Throws InvalidArgument
  // where it has other weights on these.
  void replay(const AdaRankModel& model, Host& host);
  // Adds so many rounds, fewer where the fit ends; `total` is for the progress.
  void run(std::size_t rounds, std::size_t total, Host& host);
  const AdaRankModel& model() const { return model_; }

 private:
  // Weak rankers by their number.
  std::size_t weak_count() const { return columns_.count() * directions_; }
  std::size_t feature_of(std::size_t weak) const { return weak / directions_; }
  int sign_of(std::size_t weak) const { return weak % directions_ == 0 ? 1 : -1; }

  void find_queries();
  void measure_features(Host& host);
  void spread(const std::vector<double>& values);
  double mean_of(const std::vector<double>& values) const;
  double weighted_value(std::size_t weak) const;
  std::size_t choose(Host& host);
  bool add_round(Host& host);
  void add(std::size_t weak, double value, double alpha, Host& host);
  bool is_idle() const;

  const data::Columns& columns_;
  const metric::Judged& judged_;
  AdaRankOptions options_;
  std::size_t directions_;
  double min_ = 0.0;
  double largest_ = 0.0;
  std::vector<std::size_t> queries_;         // that count
  std::vector<double> query_weights_;        // theirs, summing to 1
  std::vector<std::vector<double>> values_;  // by weak ranker, of the queries that count
  std::vector<double> chances_;              // P_t
  std::optional<QueryOrders> orders_;
  std::vector<double> buffer_;     // of a column
  std::vector<double> in_rounds_;  // the metric of each query after the last round
  std::size_t last_ = 0;           // the weak ranker chosen last,
  std::size_t streak_ = 0;         // and how often in a row
  std::vector<std::size_t> back_;  // the rounds after which a weak ranker may be chosen
  AdaRankModel model_;
};

}  // namespace rankmix::boost
