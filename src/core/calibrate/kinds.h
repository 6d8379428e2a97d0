// The classes of fitted calibrators.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "core/calibrate/calibration.h"
#include "core/calibrate/isotonic.h"
#include "core/calibrate/least_squares.h"
#include "core/calibrate/network.h"
#include "core/calibrate/regression.h"
#include "core/calibrate/sigmoid_fit.h"

namespace rankmix::calibrate {

// The expected gain under the probabilities of naive.h.
class NaiveCalibration : public Calibration {
 public:
  NaiveCalibration(double range, std::vector<double> gains)
      : range_(range), gains_(std::move(gains)) {}
  void find_scores(MatrixView<const double> f, std::size_t begin, std::size_t end,
                   double* out) const override;
  Parameters parameters() const override;

 private:
  double range_;
  std::vector<double> gains_;
};

// The expected gain under the probabilities of sigmoid.h.
class SigmoidCalibration : public Calibration {
 public:
  SigmoidCalibration(const SigmoidFit& fit, std::size_t discriminants);
  void find_scores(MatrixView<const double> f, std::size_t begin, std::size_t end,
                   double* out) const override;
  Parameters parameters() const override;

 private:
  SigmoidFit fit_;
  std::vector<double> gains_;
};

// beta_0 + sum_l beta_l f_l
class LinearCalibration : public Calibration {
 public:
  explicit LinearCalibration(std::vector<double> beta) : beta_(std::move(beta)) {}
  void find_scores(MatrixView<const double> f, std::size_t begin, std::size_t end,
                   double* out) const override;
  Parameters parameters() const override;

 private:
  std::vector<double> beta_;
};

class LogisticCalibration : public Calibration {
 public:
  explicit LogisticCalibration(LogisticFit fit) : fit_(std::move(fit)) {}
  void find_scores(MatrixView<const double> f, std::size_t begin, std::size_t end,
                   double* out) const override;
  Parameters parameters() const override;

 private:
  LogisticFit fit_;
};

class PolynomialCalibration : public Calibration {
 public:
  PolynomialCalibration(std::vector<double> lower, std::vector<double> upper,
                        std::size_t degree, std::vector<double> coefficients);
  void find_scores(MatrixView<const double> f, std::size_t begin, std::size_t end,
                   double* out) const override;
  Parameters parameters() const override;

 private:
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::size_t degree_;
  std::vector<double> coefficients_;
  PolynomialBasis basis_;
};

class NetworkCalibration : public Calibration {
 public:
  explicit NetworkCalibration(Network network) : network_(std::move(network)) {}
  void find_scores(MatrixView<const double> f, std::size_t begin, std::size_t end,
                   double* out) const override {
    network_.values(f, begin, end, out);
  }
  Parameters parameters() const override;

 private:
  Network network_;
};

// A kernel regression: mean + sum_j coefficients_j k(f, center_j), with the kernel of
// KernelBasis.
class KernelCalibration : public Calibration {
 public:
  struct Fit {
    double mean = 0.0;
    std::vector<double> centers;  // centers x discriminants
    std::vector<double> scale;
    std::vector<double> coefficients;
    Parameters about;  // parameters that are saved but not used for scores
  };
  explicit KernelCalibration(Fit fit);
  void find_scores(MatrixView<const double> f, std::size_t begin, std::size_t end,
                   double* out) const override;
  Parameters parameters() const override;

 private:
  Fit fit_;
  KernelBasis basis_;
};

// Isotonic regression on one score: the only discriminant, or the expected gain under
// naive probabilities.
class IsotonicCalibration : public Calibration {
 public:
  IsotonicCalibration(Isotonic fit, double range) : fit_(std::move(fit)), range_(range) {}
  void find_scores(MatrixView<const double> f, std::size_t begin, std::size_t end,
                   double* out) const override;
  Parameters parameters() const override;
  static std::vector<double> scores(MatrixView<const double> f, double range,
                                    std::size_t begin, std::size_t end);

 private:
  Isotonic fit_;
  double range_;
};

}  // namespace rankmix::calibrate
