// Linear regression on selected features, by their moments alone.
//
// Problem:   y = b + sum_j beta_j x_j by weighted least squares, on some of the features.
// Algorithm: features of a standardised coefficient above 1.5, the largest first, are
//            collinear with others and left out; then the one with the smallest is, while
//            that lowers SSE / SSE_full (n - p) + 2 p_now, where p counts the
//            coefficients of the full model and p_now those that are left.
// Reference: Wang & Witten 1997, and their program, Weka.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankmix::regress {

// Weighted sums of products about the means, of p features; the target comes last.
struct Moments {
  std::size_t features = 0;
  double count = 0.0;                // documents
  double weight = 0.0;               // the sum of their weights
  std::vector<double> means;         // p + 1
  std::vector<double> products;      // (p + 1) x (p + 1), the lower half
  std::vector<std::uint8_t> varies;  // whether a feature is not constant

  double product(std::size_t i, std::size_t j) const {
    return i > j ? products[j * (features + 1) + i] : products[i * (features + 1) + j];
  }
};

struct Regression {
  std::vector<double> weights;  // of the features; 0 of those left out
  double intercept = 0.0;
  double squares = 0.0;  // the weighted sum of squared residuals
};

Regression select_regression(const Moments& moments);

}  // namespace rankmix::regress
