// Lambdas of a metric that is a sum over ranks of discount times gain, over the pairs of
// a query with a document among the top ones.
//
// Given:     documents sorted by score, highest first, their gains z, and non-increasing
//            discounts D of the ranks.
// Result:    for each document the sums over its pairs of lambdas and hessians, see
//            lambda.h, for sigma 1; and the sum of all lambdas.
// Algorithm: a pair changes the sum by (z_i - z_j) (D_p - D_q) with the ranks p < q, of
//            which only D depends on the order of the tied. So with groups A above B of
//            tied documents its mean is (z_i - z_j) (mean over p in A of D_p [p < top] -
//            fraction of A above top * mean over q in B of D_q), and within a group z_i -
//            z_j times the mean |D_p - D_q| [min(p, q) < top] of two of its ranks. One
//            loop in wide registers goes through the documents of lower groups; within a
//            group, documents of equal gain share a sum.
//
//            p = e_j / (e_i + e_j) with e = exp(sigma score): one exponential a document,
//            not a pair. The scores that they are relative to move down with i, so that
//            nothing overflows or is lost.
// Cost:      O(n top + n log n) of n documents.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"
#include "core/objective/objective.h"

namespace rankmix::objective {

class LambdaSums {
 public:
  struct Options {
    double sigma;
    std::size_t top;
    bool by_gap;
  };
  explicit LambdaSums(const Options& options) : options_(options) {}

  // Fills `out`, and returns the sum of the lambdas.
  double evaluate(View<const double> scores, View<const double> gains,
                  View<const double> discounts, const Derivatives& out);

 private:
  void set_query(View<const double> scores, View<const double> gains,
                 View<const double> discounts);
  struct Group {  // of the same score
    std::size_t begin;
    std::size_t end;
    double discount;  // the mean discount of its ranks above the top, others being 0
    double fraction;  // of its ranks that are above
    double within;    // the mean difference of two of its discounts, one above
  };
  void set_discounts(View<const double> discounts);
  void add_group(std::size_t begin, std::size_t end, View<const double> discounts);
  void raise(std::size_t from);
  double add_ties(const Group& group);
  std::size_t end_of_ties(std::size_t begin) const;
  std::size_t end_of_run(std::size_t begin, std::size_t end) const;

  Options options_;
  std::size_t n_ = 0;
  bool divides_ = false;  // by the gap
  double anchor_ = 0.0;   // the score that is 0 in exponentials
  // By document, filled up with others for wide registers.
  std::vector<double> scores_;
  std::vector<double> gains_;
  std::vector<double> discount_;  // the mean of its group
  std::vector<double> power_;     // exp(sigma (score - anchor))
  std::vector<double> gradient_;
  std::vector<double> hessian_;
  std::vector<Group> groups_;  // with a document above the top
};

}  // namespace rankmix::objective
