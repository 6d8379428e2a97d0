#include "core/network/single_layer.h"

#include <algorithm>

#include "core/base/errors.h"
#include "core/base/exp.h"
#include "core/base/simd.h"

namespace rankmix::network {
namespace {

// Rows that are computed together. Columns are padded to a multiple of it.
constexpr std::size_t kWide = 8;
std::size_t filled_up(std::size_t rows) { return (rows + kWide - 1) / kWide * kWide; }

// Replaces kWide numbers u by 1 / (1 + exp(-u)).
RANKMIX_INLINE void logistic_of(double* u) {
  double e[kWide];
  for (std::size_t i = 0; i < kWide; ++i) {
    e[i] = u[i] < 0.0 ? u[i] : -u[i];
  }
  exp_in_place<kWide>(e);
  for (std::size_t i = 0; i < kWide; ++i) {
    u[i] = (u[i] < 0.0 ? e[i] : 1.0) / (1.0 + e[i]);
  }
}

// The activations of the units, rows x units, for inputs, rows x inputs.
RANKMIX_INLINE void find_units(const SingleLayer& layer, const double* x,
                               std::size_t rows, double* out) {
  for (std::size_t h = 0; h < layer.units; ++h) {
    const double* weights = layer.hidden + h * (layer.inputs + 1);
    for (std::size_t first = 0; first < rows; first += kWide) {
      double u[kWide];
      for (std::size_t i = 0; i < kWide; ++i) {
        u[i] = weights[0];
      }
      for (std::size_t k = 0; k < layer.inputs; ++k) {
        const double* inputs_of = x + k * rows + first;
        for (std::size_t i = 0; i < kWide; ++i) {
          u[i] += weights[k + 1] * inputs_of[i];
        }
      }
      logistic_of(u);
      std::copy(u, u + kWide, out + h * rows + first);
    }
  }
}
void units_plain(const SingleLayer& layer, const double* x, std::size_t rows,
                 double* out) {
  find_units(layer, x, rows, out);
}
RANKMIX_AVX2 void units_avx2(const SingleLayer& layer, const double* x, std::size_t rows,
                             double* out) {
  find_units(layer, x, rows, out);
}

}  // namespace

void MatrixRows::copy(std::size_t first, std::size_t count, double* to,
                      std::size_t stride) const {
  for (std::size_t k = 0; k < matrix_.cols(); ++k) {
    std::copy_n(matrix_.col(k) + first, count, to + k * stride);
  }
}

SingleLayer single_layer(View<const double> weights, std::size_t inputs) {
  const std::size_t units = weights.empty() ? 0 : (weights.size() - 1) / (inputs + 2);
  if (units == 0 || weights.size() != units * (inputs + 2) + 1) {
    throw InvalidArgument("the weights do not fit to the inputs of the network");
  }
  return {weights.data(), weights.data() + units * (inputs + 1), inputs, units};
}

LayerPass::LayerPass(std::size_t inputs, std::size_t units, std::size_t rows)
    : inputs_(filled_up(rows) * (inputs + 1), 0.0),
      units_(filled_up(rows) * units),
      outputs_(filled_up(rows)) {}

void LayerPass::run(const SingleLayer& layer, const InputRows& inputs, std::size_t first,
                    std::size_t count) {
  stride_ = filled_up(count);
  std::fill_n(inputs_.data(), count, 1.0);
  double* x = inputs_.data() + stride_;
  inputs.copy(first, count, x, stride_);
  (has_avx2() ? units_avx2 : units_plain)(layer, x, stride_, units_.data());
  for (std::size_t i = 0; i < count; ++i) {
    double sum = layer.output[0];
    for (std::size_t h = 0; h < layer.units; ++h) {
      sum += layer.output[h + 1] * units_[h * stride_ + i];
    }
    outputs_[i] = sum;
  }
}

void find_outputs(const SingleLayer& layer, const InputRows& inputs, std::size_t begin,
                  std::size_t end, double* out) {
  LayerPass pass(layer.inputs, layer.units, std::min(kPassRows, end - begin));
  for (std::size_t first = begin; first < end; first += kPassRows) {
    const std::size_t count = std::min(kPassRows, end - first);
    pass.run(layer, inputs, first, count);
    std::copy_n(pass.outputs(), count, out + (first - begin));
  }
}

}  // namespace rankmix::network
