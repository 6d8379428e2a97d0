// Problem:   the posterior mean of a Gaussian process, given the gains of documents. The
//            prior has a constant mean and the covariance
//            s^2 exp(-|x - x'|^2 / (2 length^2)) of standardised discriminants x. The
//            noise is independent with variance noise s^2 / weight.
// Algorithm: the covariance is projected on a few documents (pivoted Cholesky factors).
//            Each step chooses the document with the largest remaining variance. It stops
//            when every remaining variance is at most 1e-8 of the prior variance, or at
//            256 documents. The length maximises the likelihood of 256 documents, with
//            the best noise for each length. The search moves along a grid of lengths
//            from about 2 standard deviations to a local maximum. A parabola refines this
//            maximum. Documents of a query are more similar than the prior assumes. So
//            the likelihood prefers lengths that are too short. Therefore the length is
//            at least half a standard deviation.
// Reference: Rasmussen & Williams 2006, chapters 2, 5, 8; Fine & Scheinberg 2001.
// Cost:      O(n m^2) for n documents and m chosen documents.
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/calibrate/holdout.h"
#include "core/calibrate/standard_scale.h"

namespace rankmix::calibrate {

struct GaussianProcess {
  double mean = 0.0;
  double length = 1.0;
  double noise = 1.0;
  double left = 0.0;  // largest remaining fraction of the variance of a document
  std::vector<double> centers;  // discriminants, chosen documents x discriminants
  std::vector<double> scale;    // 1 / (length x standard deviation)
  std::vector<double> coefficients;
};

// Fits one process for each target. The processes share the kernels.
std::vector<GaussianProcess> fit_gaussian_processes(
    const HeldOut& held, const std::vector<std::vector<double>>& targets, Host& host);

}  // namespace rankmix::calibrate
