#include "core/regress/documents.h"

#include <cmath>

#include "core/base/errors.h"

namespace rankmix::regress {
namespace {

// Scales weights to mean 1. Equal weights become exactly 1.
void scale_weights(Documents& documents) {
  double sum = 0.0;
  bool same = true;
  bool whole = true;
  const double first = documents.weights[documents.rows[0]];
  for (std::uint32_t row : documents.rows) {
    const double weight = documents.weights[row];
    sum += weight;
    same = same && weight == first;
    whole = whole && weight == std::floor(weight);
  }
  const double mean = same ? first : sum / static_cast<double>(documents.rows.size());
  for (std::uint32_t row : documents.rows) {
    documents.weights[row] = same ? 1.0 : documents.weights[row] / mean;
  }
  documents.unit = same ? 1.0 : (whole ? 1.0 / mean : 0.0);
}

// Subtracts the mean from the targets. If all targets are integers, the rounded mean is
// subtracted.
double centre(Documents& documents) {
  double sum = 0.0;
  double weight = 0.0;
  bool whole = true;
  for (std::uint32_t row : documents.rows) {
    const double y = documents.targets[row];
    sum += documents.weights[row] * y;
    weight += documents.weights[row];
    whole = whole && y == std::floor(y);
  }
  const double shift = whole ? std::round(sum / weight) : sum / weight;
  for (std::uint32_t row : documents.rows) {
    documents.targets[row] -= shift;
  }
  return shift;
}

}  // namespace

Documents make_documents(const Values& values, View<const double> targets,
                         View<const double> weights,
                         const std::vector<std::uint32_t>& order) {
  if (targets.size() != order.size() ||
      (!weights.empty() && weights.size() != order.size())) {
    throw InvalidArgument("targets, weights and features differ in the number of rows");
  }
  Documents documents;
  documents.values = &values;
  documents.targets.assign(targets.begin(), targets.end());
  documents.weights.assign(weights.begin(), weights.end());
  documents.weights.resize(order.size(), 1.0);
  for (std::uint32_t row : order) {
    if (documents.weights[row] > 0.0) {
      documents.rows.push_back(row);
    }
  }
  if (documents.rows.empty()) {
    throw InvalidArgument("no document has a weight");
  }
  scale_weights(documents);
  documents.shift = centre(documents);
  return documents;
}

}  // namespace rankmix::regress
