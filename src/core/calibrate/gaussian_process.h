// Problem:   the mean of a Gaussian process given the gains of documents: a constant
// prior
//            mean, the covariance s^2 exp(-|x - x'|^2 / (2 length^2)) of standardised
//            discriminants x, and independent noise of variance noise s^2 / weight.
// Algorithm: the covariance is replaced by that of its projection on a few documents,
//            chosen one after the other where the variance that the others leave is
//            largest (pivoted Cholesky factors), until no document keeps more than 1e-8
//            of its variance, or 256 are chosen. The likelihood, with the best noise for
//            each length, is followed on a grid of lengths, on 256 documents, from 2
//            standard deviations to where it is higher than beside it; a parabola gives
//            the length. Documents of a query are more alike than under the prior, which
//            would make lengths too short: half a standard deviation at least.
// Reference: Rasmussen & Williams 2006, chapters 2, 5, 8; Fine & Scheinberg 2001.
// Cost:      O(n m^2) for m chosen documents.
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
  double left = 0.0;  // the largest fraction of its variance that a document keeps
  std::vector<double> centers;  // discriminants of the chosen, chosen x discriminants
  std::vector<double> scale;    // 1 / (length x standard deviation)
  std::vector<double> coefficients;
};

// Of several targets, which share the kernels.
std::vector<GaussianProcess> fit_gaussian_processes(
    const HeldOut& held, const std::vector<std::vector<double>>& targets, Host& host);

}  // namespace rankmix::calibrate
