// The pairs of a document with those of lower groups, many side by side: the loop in
// which lambdas of sums over places, see lambda_sums.h, spend their time.
#pragma once
#include <cstddef>

namespace rankmix::objective {

// Pairs side by side: lists are filled up so that as many may be read at their end.
constexpr std::size_t kPairsWide = 8;
// What scores differ by at least where changes are divided by it.
constexpr double kLeastGap = 0.01;

struct UpperDocument {
  double score;
  double worth;
  double power;
  double discount;
  double share;
};

struct LowerDocuments {
  const double* scores;
  const double* worth;
  const double* discount;
  const double* power;
  double* slope;
  double* curvature;
  std::size_t begin;
  std::size_t end;  // a multiple of kPairsWide from begin, or the first beyond the end
};

// Of the upper one.
struct PairSums {
  double slope = 0.0;
  double curvature = 0.0;
  double pull = 0.0;
};

// Adds to the slopes and curvatures of the lower ones.
PairSums add_pairs(const UpperDocument& own, const LowerDocuments& to, bool by_gap);

}  // namespace rankmix::objective
