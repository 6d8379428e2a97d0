// What a network is made of, and where its numbers lie.
//
// A hidden layer of m units makes of its inputs a, of one document,
//
//   z = W a + b                        (no b where batches normalise: it would change
//   n = (z - mean) / deviation          nothing)
//   y = activation(scale n + shift)    or activation(z), without normalisation
//
// and the score is w y + c of the last layer's. All numbers are one row: layer by layer W
// (inputs x units, an input's units side by side), b, scale, shift; then those of the
// score; and behind what is trained the means and variances that batches had, for each
// layer, which stand for those of a batch in predictions.
#pragma once
#include <cstddef>
#include <vector>

namespace rankmix::network {

enum class Activation { kRelu, kTanh, kLogistic };

// Over what units are brought to mean 0 and variance 1: nothing; the documents of a
// batch, unit by unit; or the units of a layer, document by document.
enum class Normalization { kNone, kBatch, kLayer };

// Of a layer, the last of which, the score, has one unit and no normalisation.
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

  // Throws InvalidArgument where there is no input, no hidden layer or an empty one.
  void validate() const;
  bool normalizes() const { return normalization != Normalization::kNone; }
  bool has_bias() const { return normalization != Normalization::kBatch; }
  // Of the hidden layers and the score.
  std::vector<LayerLayout> layouts() const;
  std::size_t trained() const;  // how many numbers are trained
  std::size_t numbers() const;  // and in all
};

}  // namespace rankmix::network
