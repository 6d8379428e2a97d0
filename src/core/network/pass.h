// Forward pass of some documents through a network to their scores, and backward pass to
// the gradient.
//
// The caller calls the functions layer by layer. With batch normalisation, it can then
// sum over all documents of a batch between layers. Passes of different documents share
// no memory that is written. Back-propagation: Rumelhart, Hinton & Williams 1986,
// doi:10.1038/323533a0. Batch normalisation: Ioffe & Szegedy 2015, arXiv 1502.03167.
// Layer normalisation: Ba, Kiros & Hinton 2016, arXiv 1607.06450. Dropout: Srivastava et
// al. 2014, Journal of Machine Learning Research 15, 1929-1958.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/views.h"
#include "core/network/products.h"
#include "core/network/shape.h"

namespace rankmix::network {

// The numbers of a network as passes read them, in single precision and with transposed
// weights.
class Weights {
 public:
  explicit Weights(const Shape& shape);
  // Sets all numbers, or only the trained numbers, which come first.
  void set(View<const double> numbers);
  const float* at(std::size_t offset) const { return numbers_.data() + offset; }
  // The weights of a layer, and their transpose for the backward pass.
  WeightTable table(const LayerLayout& layout) const;
  WeightTable turned(const LayerLayout& layout) const;

 private:
  std::vector<LayerLayout> layouts_;
  AlignedVector<float> numbers_;
  AlignedVector<float> turned_;
};

// Batch normalisation of the units of a layer: z becomes (z - mean) * times.
struct UnitScale {
  std::vector<float> mean;
  std::vector<float> times;
};
// `sums` has the sums over documents of z for each unit, then of z^2.
UnitScale unit_scale(View<const double> sums, double documents);
// Added to variances, so that constant units are not divided by 0.
constexpr double kMinVariance = 1e-5;

// Each unit is dropped for a document with probability `rate`; the other units are
// divided by 1 - rate.
struct Dropout {
  double rate = 0.0;
  std::uint64_t stream = 0;
};

class Pass {
 public:
  Pass(const Shape& shape, const Weights& weights);

  // Starts a pass on tiles of inputs. present() is 1 for each document and must be set to
  // 0 for lanes without a document, if batch normalisation is used in training.
  void begin(View<const float* const> inputs);
  std::vector<float>& present() { return present_; }

  // For hidden layer l, in this order: sum_units() computes z; add_moments() adds the
  // sums over documents for unit_scale(); finish_units() normalises and activates.
  // `scale` is null without batch normalisation. With `keep`, the numbers for the
  // backward pass are stored. drop() applies dropout; `tile_numbers` identify the tiles
  // for its random numbers.
  void sum_units(std::size_t l);
  void add_moments(std::size_t l, double* sums) const;
  void finish_units(std::size_t l, const UnitScale* scale, bool keep);
  void drop(std::size_t l, const Dropout& dropout,
            View<const std::uint32_t> tile_numbers);
  // The score of each lane.
  const std::vector<float>& score();

  // Starts the backward pass from the derivative with respect to each score, 0 for lanes
  // without a document. All functions of the backward pass add to `gradient`.
  void back_from_score(const std::vector<float>& deltas, double* gradient);
  // Backward pass of layer l from its output to its normalised values. This computes the
  // gradient of scale and shift, a sum over documents. With batch normalisation,
  // back_to_inputs() needs this sum over the whole batch.
  void back_to_normalized(std::size_t l, double* gradient);
  void back_to_inputs(std::size_t l, const UnitScale* scale, const double* batch_gradient,
                      double documents, double* gradient);

 private:
  struct Layer {
    LayerLayout layout;
    std::vector<float> normalized;  // z, or the normalised z
    std::vector<float> times;       // 1 / deviation of each lane (layer normalisation)
    std::vector<float> out;
    std::vector<float> steepness;  // derivative of the output by the activation's input
    std::vector<float> deltas;     // derivatives of the objective
  };
  void normalize_layer(Layer& layer);
  void normalize_batch(Layer& layer, const UnitScale& scale) const;
  void back_through_layer(Layer& layer) const;
  void back_through_batch(Layer& layer, const UnitScale& scale,
                          const double* batch_gradient, double documents) const;

  const Shape& shape_;
  const Weights& weights_;
  std::vector<Layer> layers_;
  LayerLayout score_layout_;
  std::size_t tiles_ = 0;
  View<const float* const> inputs_;
  std::vector<float> present_;
  std::vector<float> scores_;
  std::vector<float> buffer_;
};

}  // namespace rankmix::network
