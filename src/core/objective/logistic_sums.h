// Sums of the logistic function over all pairs of documents of two sets, without a loop
// over pairs.
//
// Given:     scores s of the documents of a query, and charges c.
// Result:    for each x of a set X the sum over y in Y of c_y f(s_y - s_x), and for each
//            y of Y the sum over x in X of c_x f(s_y - s_x). f is one of the kernels
//            below.
// Algorithm: scores are cut into intervals of length 1. In an interval, f is interpolated at
//            Chebyshev nodes in both arguments. So the charges of an interval act on another
//            interval by a matrix of nodes x nodes, which depends only on the distance of the
//            intervals. Beyond kReach intervals f is 0, 1 or the difference.
// Error:     f has its poles at distance pi from the real line. With kNodes nodes the
//            error of f is below 1e-13. Errors of sums are below 1e-12 times the sum of
//            |c|.
// Cost:      about kNodes steps for each document and term, and kNodes^2 steps for each
//            pair of near intervals. Intervals with few documents are summed pair by
//            pair.
// Reference: Fong & Darve 2009, The black-box fast multipole method,
//            doi:10.1016/j.jcp.2009.08.031 (without levels of intervals).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::objective {

// Up to this number of documents of a query, losses of pairs visit all pairs. Later
// versions must not change it: it decides the last bits of models.
constexpr std::size_t kMaxListed = 5000;

// Functions of the difference d.
enum class LogisticKernel : std::uint8_t {
  kLoss,    // log(1 + exp(d))
  kFirst,   // its derivative, 1 / (1 + exp(-d))
  kSecond,  // its second derivative
};

// Adds sum c f to `sums` of one set; `charges` are the charges of the other set. Both
// vectors have one number for each document of the query.
struct LogisticTerm {
  LogisticKernel kernel;
  const double* charges;
  double* sums;
};

class LogisticSums {
 public:
  // Computes the intervals. Scores must decrease.
  void set_scores(View<const double> scores);

  // The sets list positions of documents, increasing. X has the terms `of_x`.
  void add(View<const std::uint32_t> x, View<const LogisticTerm> of_x,
           View<const std::uint32_t> y, View<const LogisticTerm> of_y);

 private:
  static constexpr std::size_t kNodes = 14;
  static constexpr int kReach = 38;
  using Nodes = std::array<double, kNodes>;
  struct Interval {
    double place;
    std::size_t begin;  // its documents in the set
    std::size_t end;
  };
  struct Side {
    View<const std::uint32_t> documents;
    View<const LogisticTerm> terms;
    std::vector<Interval> intervals;  // places decrease
    // For each interval and term, by node.
    std::vector<Nodes> charges;  // charges of the term of the other side
    std::vector<Nodes> values;
  };
  void find_tables();
  void find_intervals(Side& side) const;
  void gather(Side& from, View<const LogisticTerm> terms) const;
  void spread(const Side& to) const;
  void add_near(Side& x, Side& y) const;
  void add_intervals(Side& x, std::size_t a, Side& y, std::size_t b) const;
  void add_pairs(const Side& x, const Interval& a, const Side& y,
                 const Interval& b) const;
  void add_far(const Side& x, const Side& y) const;
  Nodes basis(std::size_t document) const;

  View<const double> scores_;
  std::vector<double> place_;  // interval of each document
  std::vector<double> local_;  // position in its interval, from -1 to 1
  // For each kernel and distance of intervals, node of X by node of Y.
  std::array<std::vector<std::array<Nodes, kNodes>>, 3> tables_;
  Side x_;
  Side y_;
};

}  // namespace rankmix::objective
