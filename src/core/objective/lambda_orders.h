// Lambdas of any metric that defines its change when two documents are swapped.
//
// Given:     documents sorted by score, highest first, and tied documents by grade.
// Result:    for each document, the sums of lambdas and hessians over its pairs, for
//            sigma 1 (lambda.h), and the sum of all lambdas.
// Algorithm: all pairs of one order of the documents. If documents of different gains
//            tie, several random orders are used. Each order is also used in reverse,
//            so that each of two tied documents comes first once. The result is the
//            mean over the orders and over documents of the same score and grade.
//            Alternatively, random pairs of one such order are used. Each pair is
//            weighted by 1 / (its expected count).
// Cost:      n k changes for each order, for n documents and a metric of the top k.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/views.h"
#include "core/metric/metric.h"
#include "core/metric/swap.h"
#include "core/objective/objective.h"
#include "core/objective/pair_bias.h"

namespace rankmix::objective {

class LambdaOrders {
 public:
  struct Options {
    double sigma;
    std::size_t top;
    std::size_t partners;  // 0: all pairs
    bool by_gap;
    const PairFactors* factors = nullptr;  // by position, which are the targets
    bool losses = false;  // out gets losses of pairs in which a document is
                          // the better one (gradient), the other one (hessian)
  };
  LambdaOrders(const metric::Metric& metric, const Options& options)
      : options_(options), swap_(metric.swap_change()) {}

  // `ranks` is used only if the metric is a sum over ranks. `gains` has one number for
  // each document. Fills `out` and returns the sum of the lambdas.
  double evaluate(const Query& query, const metric::GradeCounts& counts,
                  metric::GainRule rule, const metric::RankSum& ranks,
                  View<const double> gains, std::uint64_t stream, const Derivatives& out);

 private:
  struct Part {
    const Query& query;
    const Derivatives& out;
    View<const double> gains;
    const metric::RankSum* sum;  // null if the metric is not a sum
  };
  void find_groups(const Part& part);
  void draw_order(std::uint64_t key);
  void reverse_ties();
  void set_list(const Part& part, const metric::GradeCounts& counts);
  double change(const Part& part, std::size_t i, std::size_t j);
  void add_loss(const Part& part, std::size_t better, std::size_t other, double weight);
  double add_pair(const Part& part, std::size_t i, std::size_t j, double odds,
                  double times);
  void raise(View<const double> scores, double anchor);
  double add_all(const Part& part);
  double add_drawn(const Part& part, std::uint64_t key);
  void sort_by_grade(const Query& query);
  void share_alike(const Part& part, double times);

  Options options_;
  std::unique_ptr<metric::SwapChange> swap_;
  struct Group {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Group> ties_;         // tied documents of different gains
  bool divides_ = false;            // divide by the score difference
  std::vector<std::size_t> order_;  // the document at each rank
  std::vector<int> grades_;         // by rank
  double anchor_ = 0.0;             // score at which power_ is 1
  std::vector<double> power_;       // exp(sigma (score - anchor)), by document
  std::vector<std::size_t> rank_;
  std::vector<std::size_t> by_grade_;
  std::vector<Group> of_grade_;  // range of the document's grade in by_grade_
};

}  // namespace rankmix::objective
