// Linear regression on selected features, computed from their moments.
//
// Problem:   y = b + sum_j beta_j x_j by weighted least squares, on some of the features.
// Algorithm: features with a standardised coefficient above 1.5 in magnitude are regarded
//            as collinear with others and dropped, the largest first. Then the feature
//            with the smallest coefficient is dropped, repeatedly, while this lowers SSE
//            / SSE_full (n - p) + 2 p_now. p is the number of coefficients after the
//            first step, and p_now the current number.
// Reference: Wang & Witten 1997, and their program, Weka.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankmix::regress {

// Weighted sums of products of deviations from the means, for p features and the target,
// which comes last. Deviations are divided by the unit of their column (square_unit.h).
struct Moments {
  std::size_t features = 0;
  double count = 0.0;                // number of documents
  double weight = 0.0;               // sum of their weights
  std::vector<double> means;         // p + 1 means
  std::vector<double> units;         // p + 1 units; the unit of the target is 1
  std::vector<double> products;      // (p + 1) x (p + 1), lower triangle
  std::vector<std::uint8_t> varies;  // whether each feature is not constant

  double product(std::size_t i, std::size_t j) const {
    return i > j ? products[j * (features + 1) + i] : products[i * (features + 1) + j];
  }
};

struct Regression {
  std::vector<double> weights;  // one per feature; 0 if dropped
  double intercept = 0.0;
  double squares = 0.0;  // weighted sum of squared residuals
};

Regression select_regression(const Moments& moments);

}  // namespace rankmix::regress
