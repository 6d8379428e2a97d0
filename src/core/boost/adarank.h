// AdaRank: boosting of single features by a ranking metric.
//
// Problem:   a ranker f(x) = sum_t alpha_t h_t(x) whose rankings have a high metric.
// Given:     features, judged queries with weights v_q, and a metric E with values in
//            [0, 1].
// Result:    f, where each h_t is a feature, or with `negatives` possibly the negative of
//            a feature.
// Algorithm: P_1(q) is proportional to v_q. In round t, h_t is the weak ranker with the
//            largest r = sum_q P_t(q) E(q; h), and alpha_t = 1/2 log((1 + r) / (1 - r)).
//            This equals the formula of the paper, because P_t sums to 1. P_{t+1}(q) is
//            proportional to v_q exp(-E(q; f)), where f is the sum of all rounds so far.
//            Ties: the lowest feature, and a feature before its negative.
//            If f orders all documents as h_t alone does, all later rounds would choose
//            h_t again, and the fit stalls. If `repeats` is not 0, a weak ranker that was
//            chosen `repeats` times in a row is excluded for the next `pause` rounds.
// Queries that the metric excludes from its mean are ignored. For a query that counts but
// has no value, E = 0.
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
  std::size_t repeats = 0;  // limit of rounds in a row with one weak ranker; 0: none
  std::size_t pause = 1;  // rounds for which the weak ranker is then excluded; 0: forever
  // The fit has converged if the largest mean of the metric rose by no more than this in
  // the last kIdleRounds rounds. Below 0: it never converges.
  double tolerance = -1.0;
};

constexpr std::size_t kIdleRounds = 100;

enum class AdaRankStatus { kLimit, kStalled, kConverged };

struct AdaRankModel {
  std::vector<int> feature;   // of each round, from 0
  std::vector<int> sign;      // -1 for the negative of the feature
  std::vector<double> alpha;  // its weight
  std::vector<double> value;  // r, the P_t-weighted metric of the weak ranker
  std::vector<double> mean;   // mean of the metric over queries, after the round
  AdaRankStatus status = AdaRankStatus::kLimit;
};

class AdaRank {
 public:
  // Computes the metric of each query for each weak ranker. The columns and the judged
  // queries must outlive this object.
  AdaRank(const data::Columns& columns, const metric::Judged& judged,
          const AdaRankOptions& options, Host& host);

  // The mean of the metric for each weak ranker, by feature, a feature before its
  // negative.
  std::vector<double> weak_means() const;
  // The smallest metric of a query (at most 0), the largest one (at least 0), and the
  // number of queries that count.
  double least() const { return min_; }
  double largest() const { return largest_; }
  std::size_t counting() const { return queries_.size(); }
  // A hash of the metrics of all queries and weak rankers, which identifies the training
  // data.
  std::uint64_t digest() const;

  // Takes over the rounds of a model of the same data and options. Throws InvalidArgument
  // if the weights of the model differ on these data.
  void replay(const AdaRankModel& model, Host& host);
  // Adds `rounds` rounds, or fewer if the fit ends. `total` is only for the progress
  // report.
  void run(std::size_t rounds, std::size_t total, Host& host);
  const AdaRankModel& model() const { return model_; }

 private:
  // The number of a weak ranker encodes its feature and its sign.
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
  std::vector<std::size_t> queries_;         // queries that count
  std::vector<double> query_weights_;        // weights of queries_, which sum to 1
  std::vector<std::vector<double>> values_;  // for each weak ranker and query of queries_
  std::vector<double> chances_;              // P_t, of queries_
  std::optional<QueryOrders> orders_;
  std::vector<double> buffer_;     // for one column
  std::vector<double> in_rounds_;  // the metric of each query after the last round
  std::size_t last_ = 0;           // the weak ranker of the last round
  std::size_t streak_ = 0;         // number of rounds in a row with the last weak ranker
  std::vector<std::size_t> back_;  // first round in which each weak ranker may be chosen
  AdaRankModel model_;
};

}  // namespace rankmix::boost
