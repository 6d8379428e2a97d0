// A fitted calibrator computes a score, the expected gain, from the discriminants of a
// document. It can be saved as named vectors of numbers and restored from them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::calibrate {

struct Numbers {
  std::string name;
  std::vector<double> values;
  std::size_t rows = 0;  // rows of a matrix stored by columns; 0 for a vector
};
using Parameters = std::vector<Numbers>;

class Calibration {
 public:
  virtual ~Calibration() = default;
  // Scores of rows [begin, end) of f. out[0] is the score of row `begin`.
  virtual void find_scores(MatrixView<const double> f, std::size_t begin, std::size_t end,
                           double* out) const = 0;
  virtual Parameters parameters() const = 0;
};

std::vector<double> scores_of(const Calibration& calibration, MatrixView<const double> f,
                              Host& host);

enum class Kind {
  kNaive,
  kSigmoid,
  kLinear,
  kLogistic,
  kPolynomial,
  kNetwork,
  kGaussianProcess,
  kIsotonic
};

// Restores a calibrator from the result of parameters(). Throws InvalidArgument if
// numbers are missing or do not match the number of discriminants.
std::unique_ptr<Calibration> make_calibration(Kind kind, const Parameters& parameters,
                                              std::size_t discriminants);

}  // namespace rankmix::calibrate
