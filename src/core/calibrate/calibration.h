// A fitted calibrator: scores of documents, which are expected gains, from their
// discriminants; plain numbers with names, of which it can be made again.
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
  std::size_t rows = 0;  // of a matrix, column by column; 0 of what is none
};
using Parameters = std::vector<Numbers>;

class Calibration {
 public:
  virtual ~Calibration() = default;
  // Of rows [begin, end), which `out` begins with.
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

// What parameters() gave. Throws where numbers lack, or where they do not fit so many
// discriminants.
std::unique_ptr<Calibration> make_calibration(Kind kind, const Parameters& parameters,
                                              std::size_t discriminants);

}  // namespace rankmix::calibrate
