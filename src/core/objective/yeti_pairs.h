// The inner loop of yeti.h: the pairs of one document with all documents after it,
// kYetiWide at a time.
#pragma once
#include <cstddef>
#include <cstdint>

namespace rankmix::objective {

// Pairs that are processed together. Arrays are padded, so that this many elements can be
// read at their end.
constexpr std::size_t kYetiWide = 4;

// The documents after one document, from `begin` on.
struct YetiRow {
  const double* power;         // exp(score - highest score)
  const double* both;          // sum of the weights of both orders of a pair
  const double* back;          // weight of the order with the later document first
  const std::uint64_t* units;  // from `begin` on: N of each pair, in units
  double unit;                 // value of a unit
  double* gradient;
  double* hessian;
  std::size_t begin;
  std::size_t end;  // number of documents; padding is used too
};

// The sums of the document that comes before the documents of a row.
struct YetiSums {
  double gradient = 0.0;
  double hessian = 0.0;
};

// Adds the gradients and hessians of the later documents to `row`. Returns the sums of
// the first document.
YetiSums add_yeti_pairs(double power, const YetiRow& row, bool newton);

}  // namespace rankmix::objective
