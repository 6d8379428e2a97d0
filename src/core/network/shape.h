// The structure of a network, and the layout of its numbers.
//
// A hidden layer of m units computes from its inputs a, for each document,
//
//   z = W a + b                        (without b for batch normalisation, which
//   n = (z - mean) / deviation          would remove it)
//   y = activation(scale n + shift)    or activation(z), without normalisation
//
// and the score is w y + c for the y of the last layer. All numbers are in one array. For
// each layer there are W (inputs x units, row-major), b, scale and shift; then the
// weights and constant of the score. After these trained numbers come, for each layer,
// the means and variances for predictions, which replace the means and variances of a
// batch.
#pragma once
#include <cstddef>
#include <vector>

namespace rankmix::network {

enum class Activation { kRelu, kTanh, kLogistic };

// The set over which units are normalised to mean 0 and variance 1. kBatch: for each
// unit, the documents of a batch. kLayer: for each document, the units of a layer.
enum class Normalization { kNone, kBatch, kLayer };

// Sizes of a layer, and the positions of its numbers. The last layer is the score: it has
// one unit and no normalisation.
struct LayerLayout {
  std::size_t inputs = 0;
  std::size_t units = 0;
  std::size_t weights = 0;
  std::size_t bias = 0;
  std::size_t scale = 0;
  std::size_t shift = 0;
  std::size_t mean = 0;
  std::size_t variance = 0;
};

struct Shape {
  std::size_t inputs = 0;
  std::vector<std::size_t> hidden;
  Activation activation = Activation::kRelu;
  Normalization normalization = Normalization::kNone;

  // Throws InvalidArgument if there are no inputs, no hidden layers, or a hidden layer
  // without units.
  void validate() const;
  bool normalizes() const { return normalization != Normalization::kNone; }
  bool has_bias() const { return normalization != Normalization::kBatch; }
  // The hidden layers, then the score.
  std::vector<LayerLayout> layouts() const;
  std::size_t trained() const;  // number of trained numbers
  std::size_t numbers() const;  // number of all numbers
};

}  // namespace rankmix::network
