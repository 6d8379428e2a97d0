// Fits calibrators to documents of a holdout, many at a time. What several can share,
// they do: sigmoids the grid, Gaussian processes the kernels.
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

// A calibrator before it is fitted.
struct Method {
  Kind kind = Kind::kNaive;
  Target target = Target::kLogSigmoid;  // of a sigmoid
  double exponent = 0.0;                // C of the entropy-weighted target
  double sigma = 0.01;                  // of the soft NDCG
  std::size_t degree = 2;               // of a polynomial
  double decay = 1.0;                   // of a network
  bool normalize = false;     // gains are divided by the ideal DCG of their query
  bool grades = false;        // naive: the expected grade, not gain
  std::vector<double> start;  // weights that a network starts from
};

// Of so many grades: 2^l - 1, or l.
std::vector<double> naive_gains(std::size_t grades, bool by_grade);

// What a model gives calibrators to see.
struct Input {
  MatrixView<const double> f;
  double range;                 // |f| <= range
  std::vector<Method> methods;  // to be fitted to it
};

using Fitted = std::vector<std::unique_ptr<Calibration>>;

// All methods of all inputs. Queries of weight 0 teach nothing.
std::vector<Fitted> fit_all(const std::vector<Input>& inputs,
                            const Judgements& judgements, Host& host);

// For each input and method the scores of all documents, by calibrators that were fitted
// without the documents' queries. Queries are assigned to folds. The scores of a fold
// come from a fit to the other folds.
std::vector<std::vector<std::vector<double>>> crossfit_all(
    const std::vector<Input>& inputs, const Judgements& judgements, std::size_t parts,
    Host& host);

}  // namespace rankmix::calibrate
