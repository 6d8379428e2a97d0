// Lambdas of a metric that is a sum over ranks of discount times gain, over the pairs of
// a query with a document in the top ranks.
//
// Given:     documents sorted by score, highest first, their gains z, and non-increasing
//            discounts D of the ranks.
// Result:    for each document, the sums of lambdas and hessians over its pairs, for
//            sigma 1 (lambda.h), and the sum of all lambdas.
// Algorithm: swapping i and j at the ranks p < q changes the sum by (z_i - z_j) (D_p -
//            D_q). Only D depends on the order of tied documents. So for a group A of
//            tied documents above a group B the mean change is (z_i - z_j) (mean over p
//            in A of D_p [p < top] - fraction of A in the top * mean over q in B of D_q).
//            Within a group it is z_i - z_j times the mean |D_p - D_q| [min(p, q) < top]
//            over pairs of its ranks. A SIMD loop visits the documents of lower groups.
//            Within a group, documents of equal gain share a sum.
//
//            p = e_j / (e_i + e_j) with e = exp(sigma score) needs one exponential for
//            each document instead of each pair. Scores are relative to an anchor that
//            moves down with i, so that nothing overflows or underflows.
//            In long queries, documents of a group with equal gain share one visit of the
//            lower groups. Otherwise the time for large groups of ties, as after the
//            first tree, would grow with the square of their size.
// Cost:      O(n top + n log n) for n documents. A group that crosses the end of the top
//            takes n steps for each of its documents. In long queries it takes n steps
//            for each of its gains.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/objective/logistic_sums.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

// Limits of exponents of the upper and the lower document of a pair. At these limits the
// quotient of the exponentials is the same as for very distant scores, and no product
// with a weight underflows.
constexpr double kMinAbove = -200.0;
constexpr double kMinBelow = -400.0;

class LambdaSums {
 public:
  struct Options {
    double sigma;
    std::size_t top;
    bool by_gap;
    // Longer queries join tied documents of equal gain.
    std::size_t max_listed = kMaxListed;
  };
  explicit LambdaSums(const Options& options) : options_(options) {}

  // Fills `out` and returns the sum of the lambdas.
  double evaluate(View<const double> scores, View<const double> gains,
                  View<const double> discounts, const Derivatives& out);

 private:
  void set_query(View<const double> scores, View<const double> gains,
                 View<const double> discounts);
  struct Group {  // documents of the same score
    std::size_t begin;
    std::size_t end;
    double discount;  // mean discount of its ranks; 0 for ranks outside the top
    double fraction;  // fraction of its ranks in the top
    double within;    // mean |D_p - D_q| of two of its ranks, one in the top
  };
  void set_discounts(View<const double> discounts);
  void add_group(std::size_t begin, std::size_t end, View<const double> discounts);
  void raise(std::size_t from);
  double add_ties(const Group& group);
  double add_lower(const Group& group, std::size_t i);
  double add_lower_of_runs(const Group& group);
  std::size_t end_of_ties(std::size_t begin) const;
  std::size_t end_of_run(std::size_t begin, std::size_t end) const;

  Options options_;
  std::size_t n_ = 0;
  bool divides_ = false;  // divide by the score difference
  double anchor_ = 0.0;   // score at which power_ is 1
  // One element for each document, padded to whole SIMD registers.
  std::vector<double> scores_;
  std::vector<double> gains_;
  std::vector<double> discount_;  // mean of its group
  std::vector<double> power_;     // exp(sigma (score - anchor))
  std::vector<double> gradient_;
  std::vector<double> hessian_;
  // Gradients and hessians of lower documents by one document of a run.
  std::vector<double> run_gradient_;
  std::vector<double> run_hessian_;
  std::vector<Group> groups_;  // groups with a rank in the top
};

}  // namespace rankmix::objective
