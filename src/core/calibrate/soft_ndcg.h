// The soft NDCG of calibrated scores, a target of sigmoid calibration.
//
//   L = - sum_k w_k (soft DCG of query k) / IDCG_k
//
// over the queries k with IDCG_k > 0, both without a cut-off, of scores
// v(x) = sum_l z_l p_l(x) and gains z_l = 2^l - 1. As sigma goes to 0, -L goes to the sum
// of NDCG. See core/objective/soft_dcg.h.
//
// Source: Busa-Fekete et al. 2013, doi:10.1007/s10994-013-5360-9, (19). Cost: O(n^2) of a
// query of n documents.
#pragma once
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/calibrate/sigmoid.h"
#include "core/data/queries.h"

namespace rankmix::calibrate {

// `ideal` is the IDCG of each query; `weights` one number a document, the same within a
// query, or empty.
SigmoidTarget soft_ndcg_target(double sigma, MatrixView<const double> f,
                               View<const int> grades, View<const double> weights,
                               const data::Queries& queries, View<const double> ideal,
                               double a, double b, Host& host);

}  // namespace rankmix::calibrate
