// The pairs of a document with those of lower groups, many side by side: the loop in
// which lambdas of sums over ranks, see lambda_sums.h, spend their time.
#pragma once
#include <cstddef>

namespace rankmix::objective {

// Pairs side by side: lists are filled up so that as many may be read at their end.
constexpr std::size_t kPairsWide = 8;
// What scores differ by at least where changes are divided by it.
constexpr double kMinGap = 0.01;

struct UpperDocument {
  double score;
  double gain;
  double power;
  double discount;
  double fraction;
};

struct LowerDocuments {
  const double* scores;
  const double* gain;
  const double* discount;
  const double* power;
  double* gradient;
  double* hessian;
  std::size_t begin;
  std::size_t end;  // a multiple of kPairsWide from begin, or the first beyond the end
};

// Of the upper one.
struct PairSums {
  double gradient = 0.0;
  double hessian = 0.0;
  double lambda = 0.0;
};

// Adds to the gradients and hessians of the lower ones.
PairSums add_pairs(const UpperDocument& own, const LowerDocuments& to, bool by_gap);

}  // namespace rankmix::objective
