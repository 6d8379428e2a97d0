#include "core/network/predict.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/network/lanes.h"
#include "core/network/pass.h"

namespace rankmix::network {
namespace {

constexpr std::size_t kBlockRows = 256;

// The stored means and variances of each layer, which replace the means and variances
// of a batch.
std::vector<UnitScale> kept_scales(const Shape& shape, View<const double> numbers) {
  std::vector<UnitScale> scales;
  std::vector<LayerLayout> layouts = shape.layouts();
  layouts.pop_back();
  for (const LayerLayout& layout : layouts) {
    UnitScale scale;
    for (std::size_t u = 0; u < layout.units; ++u) {
      scale.mean.push_back(static_cast<float>(numbers[layout.mean + u]));
      scale.times.push_back(static_cast<float>(
          1.0 / std::sqrt(numbers[layout.variance + u] + kMinVariance)));
    }
    scales.push_back(scale);
  }
  return scales;
}

template <class Matrix>
void predict_rows(const Shape& shape, const InputScale& scale, View<const double> numbers,
                  const Matrix& x, Host& host, double* scores) {
  if (numbers.size() != shape.numbers() || x.cols() != shape.inputs ||
      scale.center.size() != shape.inputs || scale.factor.size() != shape.inputs) {
    throw InvalidArgument("features or numbers of another size than the network");
  }
  const bool by_batches = shape.normalization == Normalization::kBatch;
  const std::vector<UnitScale> scales =
      by_batches ? kept_scales(shape, numbers) : std::vector<UnitScale>();
  Weights weights(shape);
  weights.set(numbers);
  for_each_part(host, x.rows(), kBlockRows, true,
                [&](std::size_t, std::size_t begin, std::size_t end) {
                  Pass pass(shape, weights);
                  const std::size_t size = shape.inputs * kLanes;
                  AlignedVector<float> tiles(tiles_of(end - begin) * size);
                  scale_rows(x, scale, begin, end, tiles.data());
                  std::vector<const float*> inputs;
                  for (std::size_t t = 0; t < tiles_of(end - begin); ++t) {
                    inputs.push_back(tiles.data() + t * size);
                  }
                  pass.begin(inputs);
                  for (std::size_t l = 0; l < shape.hidden.size(); ++l) {
                    pass.sum_units(l);
                    pass.finish_units(l, by_batches ? &scales[l] : nullptr, false);
                  }
                  std::copy_n(pass.score().data(), end - begin, scores + begin);
                });
}

}  // namespace

void predict(const Shape& shape, const InputScale& scale, View<const double> numbers,
             MatrixView<const double> x, Host& host, double* scores) {
  predict_rows(shape, scale, numbers, x, host, scores);
}
void predict(const Shape& shape, const InputScale& scale, View<const double> numbers,
             const SparseView& x, Host& host, double* scores) {
  predict_rows(shape, scale, numbers, x, host, scores);
}

}  // namespace rankmix::network
