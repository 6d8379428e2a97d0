// The pairs of a document with those after it, many side by side: the loop in which
// gradients of perturbed rankings, see yeti.h, are added up.
#pragma once
#include <cstddef>
#include <cstdint>

namespace rankmix::objective {

// Pairs side by side: lists are filled up so that as many may be read at their end.
constexpr std::size_t kYetiWide = 4;

// Of the documents after one, from `begin` on.
struct YetiRow {
  const double* power;  // exp(score), over a number that all share
  const double* both;   // of a pair seen once: the weights of its two orders, summed,
  const double* back;   // and of the one in which the later document comes first
  const std::uint64_t* units;  // from `begin` on, how often pairs are seen
  double unit;                 // what a unit counts
  double* gradient;
  double* hessian;
  std::size_t begin;
  std::size_t end;  // a multiple of kYetiWide from begin, or the first beyond the end
};

// Of the document that is before them.
struct YetiSums {
  double gradient = 0.0;
  double hessian = 0.0;
};

// Adds to the gradients and hessians of those after it.
YetiSums add_yeti_pairs(double power, const YetiRow& row, bool newton);

}  // namespace rankmix::objective
