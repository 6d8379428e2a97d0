// Scores of naively calibrated discriminants: the expected gain where the probability of
// a grade is as far as its discriminant is above the lowest there can be,
//
//   p_l = (1 + f_l / R) / sum_k (1 + f_k / R),
//
// with |f| <= R, and all are alike where that is 0 / 0. Reference: Busa-Fekete, Kegl,
// Elteto & Szarvas 2013, doi:10.1007/s10994-013-5360-9, equation 12.
#pragma once
#include <cstddef>

#include "core/base/views.h"

namespace rankmix::calibrate {

// `f` is documents x grades, `gains` has one number a grade. Of rows [begin, end), which
// `out` begins with.
void naive_scores(MatrixView<const double> f, double range, View<const double> gains,
                  std::size_t begin, std::size_t end, double* out);

}  // namespace rankmix::calibrate
