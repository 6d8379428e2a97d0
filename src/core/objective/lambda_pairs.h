// The inner loop of lambda_sums.h: the pairs of one document with all documents of lower
// groups, kPairsWide at a time.
#pragma once
#include <cstddef>

namespace rankmix::objective {

// Pairs that are processed together. Arrays are padded, so that this many elements can be
// read at their end.
constexpr std::size_t kPairsWide = 8;
// Added to score differences before changes are divided by them.
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
  std::size_t end;  // number of documents; padding behind it is used too
};

// The sums of the upper document.
struct PairSums {
  double gradient = 0.0;
  double hessian = 0.0;
  double lambda = 0.0;
};

// Adds the gradients and hessians of the lower documents to `to`. Returns the sums of the
// upper document.
PairSums add_pairs(const UpperDocument& own, const LowerDocuments& to, bool by_gap);

}  // namespace rankmix::objective
