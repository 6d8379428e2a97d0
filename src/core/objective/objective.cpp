#include "core/objective/objective.h"

#include <cmath>

#include "core/base/errors.h"
#include "core/base/function_ref.h"

namespace rankmix::objective {

std::vector<double> weights_of_rows(const Documents& documents) {
  std::vector<double> weights(documents.weights.begin(), documents.weights.end());
  if (documents.query_weights.empty()) {
    return weights;
  }
  weights.resize(documents.rows(), 1.0);
  for (std::size_t q = 0; q < documents.queries.count(); ++q) {
    for (int row : documents.queries.rows_of(q)) {
      weights[static_cast<std::size_t>(row)] *= documents.query_weights[q];
    }
  }
  return weights;
}

void check_targets(const Documents& documents) {
  if (documents.targets.size() != documents.rows()) {
    throw InvalidArgument("the objective needs a target for each document");
  }
  for (double target : documents.targets) {
    if (!std::isfinite(target)) {
      throw InvalidArgument("targets must be finite");
    }
  }
}

void check_gains(const Documents& documents) {
  check_targets(documents);
  for (double target : documents.targets) {
    if (target < 0.0) {
      throw InvalidArgument("targets that are gains must not be negative");
    }
  }
}

void QueryWorker::multiply(const Query&, View<const double>, View<double>) {
  throw InvalidArgument("the objective has no product with its second derivatives");
}

void QueryWorker::visit_pairs(const Query&, const FunctionRef<void(const Pair&)>&) {
  throw InvalidArgument("the objective is no sum over pairs");
}

void Objective::set_state(View<const double> state) {
  if (!state.empty()) {
    throw InvalidArgument("the objective has no state");
  }
}

void Objective::begin_stage(std::size_t stage) {
  if (stage >= stages()) {
    throw InvalidArgument("the objective has no such stage");
  }
}

}  // namespace rankmix::objective
