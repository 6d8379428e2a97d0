// Predictions of a click model for each row of a log.
//
//   click:        probability of a click, given the list;
//   examination:  probability of examination, given the list;
//   conditional: probability of a click, given the list and the clicks above. The
//   logarithms of the conditional probabilities sum to the log-likelihood of a session.
//
// Cost: O(rows); the user browsing model O(rows x depth).
#pragma once
#include <vector>

#include "core/base/host.h"
#include "core/click/sessions.h"

namespace rankmix::click {

enum class ModelKind {
  kPosition,
  kCascade,
  kDynamicBayes,
  kUserBrowsing,
  kDependentClick
};

struct Parameters {
  ModelKind kind = ModelKind::kPosition;
  View<const double> attraction;    // of each pair of the log
  View<const double> satisfaction;  // of each pair of the log; dynamic Bayesian model
  View<const double> position;      // examination of contexts, or continuation
};

struct RowPredictions {
  std::vector<double> click;
  std::vector<double> examination;
  std::vector<double> conditional;
};

RowPredictions predict_rows(const Sessions& log, const Parameters& parameters,
                            Host& host);

}  // namespace rankmix::click
