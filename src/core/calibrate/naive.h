// Scores of naively calibrated discriminants: the expected gain if the probability of a
// grade is proportional to its discriminant minus the lowest possible discriminant,
//
//   p_l = (1 + f_l / R) / sum_k (1 + f_k / R),
//
// with |f| <= R. If the quotient is 0 / 0, all grades have the same probability.
// Reference: Busa-Fekete, Kegl, Elteto & Szarvas 2013, doi:10.1007/s10994-013-5360-9,
// equation 12.
#pragma once
#include <cstddef>

#include "core/base/views.h"

namespace rankmix::calibrate {

// `f` is documents x grades; `gains` has one number for each grade. Computes the scores
// of rows [begin, end); out[0] is the score of row `begin`.
void naive_scores(MatrixView<const double> f, double range, View<const double> gains,
                  std::size_t begin, std::size_t end, double* out);

}  // namespace rankmix::calibrate
