#include "core/tree/predict_binned.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/errors.h"
#include "core/data/bins_taken.h"
#include "core/tree/predict.h"
#include "core/tree/split.h"

namespace rankmix::tree {
namespace {

// Values of a block: some 32 MB.
constexpr std::size_t kBlockValues = std::size_t{1} << 22;

void check_thresholds(const ForestView& forest, const data::BinnedMatrix& x) {
  for (std::size_t node = 0; node < forest.threshold.size(); ++node) {
    if (!forest.levels(node).empty()) {
      continue;
    }
    const auto f = static_cast<std::size_t>(forest.feature[node]);
    const double threshold = forest.threshold[node];
    // Splits of missing values from all others have an infinite threshold.
    const std::vector<double>& known = x.feature(f).thresholds;
    if (!std::isinf(threshold) &&
        !std::binary_search(known.begin(), known.end(), threshold)) {
      throw InvalidArgument("the model splits feature " + std::to_string(f + 1) +
                            " within a bin of the data");
    }
  }
}

// A value for each bin of each feature. A feature that is split by sets has the numbers of
// its levels as values.
std::vector<std::vector<double>> values_of(const ForestView& forest,
                                           const data::BinnedMatrix& x) {
  std::vector<std::vector<double>> values;
  for (std::size_t f = 0; f < x.features(); ++f) {
    values.push_back(data::values_of_bins(x.feature(f)));
  }
  for (std::size_t node = 0; node < forest.feature.size(); ++node) {
    if (!forest.levels(node).empty()) {
      const auto f = static_cast<std::size_t>(forest.feature[node]);
      for (int bin = 0; bin < x.feature(f).value_bins(); ++bin) {
        values[f][static_cast<std::size_t>(bin)] = level_of_bin(bin);
      }
    }
  }
  return values;
}

}  // namespace

void predict_staged(const ForestView& forest, View<const double> weights,
                    const data::BinnedMatrix& x, View<const int> stages, Host& host,
                    double* out) {
  check_thresholds(forest, x);
  const std::vector<std::vector<double>> values = values_of(forest, x);
  const std::size_t columns = forest.outputs * stages.size();
  const std::size_t most =
      std::max<std::size_t>(1, kBlockValues / std::max<std::size_t>(1, x.features()));
  std::vector<double> block;
  std::vector<double> found;
  for (std::size_t begin = 0; begin < x.rows(); begin += most) {
    const std::size_t rows = std::min(most, x.rows() - begin);
    block.resize(rows * x.features());
    found.resize(rows * columns);
    data::write_values(x, values, begin, begin + rows, block.data());
    predict_staged(forest, weights,
                   MatrixView<const double>(block.data(), rows, x.features()), stages,
                   host, found.data());
    for (std::size_t c = 0; c < columns; ++c) {
      std::copy_n(found.data() + c * rows, rows, out + c * x.rows() + begin);
    }
  }
}

}  // namespace rankmix::tree
