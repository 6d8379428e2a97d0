// Fits many calibrators to the documents of a holdout. Methods share work where they can:
// sigmoids share the grid search, Gaussian processes share the kernels.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/host.h"
#include "core/calibrate/calibration.h"
#include "core/calibrate/holdout.h"

namespace rankmix::calibrate {

enum class Target {
  kLogSigmoid,
  kEntropyWeighted,
  kExpectedLoss,
  kExpectedLabelLoss,
  kSoftNdcg
};

// The settings of a calibrator that is to be fitted.
struct Method {
  Kind kind = Kind::kNaive;
  Target target = Target::kLogSigmoid;  // of a sigmoid
  double exponent = 0.0;                // C of the entropy-weighted target
  double sigma = 0.01;                  // of the soft NDCG
  std::size_t degree = 2;               // of a polynomial
  double decay = 1.0;                   // weight decay of a network
  bool normalize = false;               // divide gains by the ideal DCG of the query
  bool grades = false;                  // naive: score by the expected grade, not gain
  std::vector<double> start;            // starting weights of a network
};

// The gain of each grade l < `grades`: 2^l - 1, or l if `by_grade`.
std::vector<double> naive_gains(std::size_t grades, bool by_grade);

// The discriminants of one model, and the calibrators to fit to them.
struct Input {
  MatrixView<const double> f;
  double range;                 // |f| <= range for all discriminants
  std::vector<Method> methods;  // methods to fit
};

using Fitted = std::vector<std::unique_ptr<Calibration>>;

// Fits all methods of all inputs. Queries of weight 0 are ignored.
std::vector<Fitted> fit_all(const std::vector<Input>& inputs,
                            const Judgements& judgements, Host& host);

// Out-of-fold scores of all documents, for each input and method. Queries are assigned to
// `parts` folds. The documents of a fold are scored by calibrators that were fitted to
// the other folds.
std::vector<std::vector<std::vector<double>>> crossfit_all(
    const std::vector<Input>& inputs, const Judgements& judgements, std::size_t parts,
    Host& host);

}  // namespace rankmix::calibrate
