// A pass of some documents through a network, to their scores and back to the gradient.
//
// The caller goes layer by layer, so that it can stop where batches normalise and bring
// sums over all documents of a batch together. Passes of different documents share
// nothing that is written. Back-propagation: Rumelhart, Hinton & Williams 1986,
// doi:10.1038/323533a0. Batches: Ioffe & Szegedy 2015, arXiv 1502.03167. Layers: Ba,
// Kiros & Hinton 2016, arXiv 1607.06450. Dropout: Srivastava et al. 2014, Journal of
// Machine Learning Research 15, 1929-1958.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/views.h"
#include "core/network/products.h"
#include "core/network/shape.h"

namespace rankmix::network {

// The numbers of a network as passes take them.
class Weights {
 public:
  explicit Weights(const Shape& shape);
  // All numbers, or those that are trained.
  void set(View<const double> numbers);
  const float* at(std::size_t offset) const { return numbers_.data() + offset; }
  // The table of a layer, and the same for going back.
  WeightTable table(const LayerLayout& layout) const;
  WeightTable turned(const LayerLayout& layout) const;

 private:
  std::vector<LayerLayout> layouts_;
  AlignedVector<float> numbers_;
  AlignedVector<float> turned_;
};

// What units are normalised by where batches normalise, one number a unit: z becomes
// (z - mean) times.
struct UnitScale {
  std::vector<float> mean;
  std::vector<float> times;
};
// Of sums over documents: of z, then of squares.
UnitScale unit_scale(View<const double> sums, double documents);
// What is added to variances.
constexpr double kMinVariance = 1e-5;

// Units are left out of a document with the probability `rate`, and others are divided by
// 1 - rate.
struct Dropout {
  double rate = 0.0;
  std::uint64_t stream = 0;
};

class Pass {
 public:
  Pass(const Shape& shape, const Weights& weights);

  // Where the tiles of inputs are. `present` is 1 for a document and 0 for a lane
  // without, which is asked for where batches normalise in training.
  void begin(View<const float* const> inputs);
  std::vector<float>& present() { return present_; }

  // Of hidden layer l: its sums z; their sums over documents, for unit_scale(); and what
  // comes out. `scale` is null but where batches normalise. `keep` what is needed to go
  // back; `first_tiles` number the tiles for the draws.
  void sum_units(std::size_t l);
  void add_moments(std::size_t l, double* sums) const;
  void finish_units(std::size_t l, const UnitScale* scale, bool keep);
  void drop(std::size_t l, const Dropout& dropout,
            View<const std::uint32_t> tile_numbers);
  // One score a lane.
  const std::vector<float>& score();

  // Back from the derivative of one score a lane, 0 where there is no document. The
  // gradient is added to `gradient`.
  void back_from_score(const std::vector<float>& deltas, double* gradient);
  // Layer l from its last step to where it was normalised: there the gradient of scale
  // and shift is a sum over documents that the next step needs, where batches normalise,
  // of the whole batch.
  void back_to_normalized(std::size_t l, double* gradient);
  void back_to_inputs(std::size_t l, const UnitScale* scale, const double* batch_gradient,
                      double documents, double* gradient);

 private:
  struct Layer {
    LayerLayout layout;
    std::vector<float> normalized;  // z, or n where there is a normalisation
    std::vector<float> times;       // 1 / deviation, a number a lane (layer alone)
    std::vector<float> out;
    std::vector<float> steepness;  // of what comes out, by what goes into the activation
    std::vector<float> deltas;     // of the objective
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
