#include "core/network/pass.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/network/activation.h"
#include "core/network/lanes.h"

namespace rankmix::network {
namespace {

// Calls body(unit, position) for the eight numbers of each unit in each tile.
template <class Body>
void for_each_unit(std::size_t tiles, std::size_t units, const Body& body) {
  for (std::size_t t = 0; t < tiles; ++t) {
    for (std::size_t u = 0; u < units; ++u) {
      body(u, (t * units + u) * kLanes);
    }
  }
}

float inverse_root(double variance) {
  return static_cast<float>(1.0 / std::sqrt(variance + kMinVariance));
}

}  // namespace

Weights::Weights(const Shape& shape)
    : layouts_(shape.layouts()),
      numbers_(shape.numbers(), 0.0f),
      turned_(shape.numbers(), 0.0f) {}

void Weights::set(View<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers_[i] = static_cast<float>(numbers[i]);
  }
  for (const LayerLayout& layout : layouts_) {
    for (std::size_t j = 0; j < layout.inputs; ++j) {
      for (std::size_t u = 0; u < layout.units; ++u) {
        turned_[layout.weights + u * layout.inputs + j] =
            numbers_[layout.weights + j * layout.units + u];
      }
    }
  }
}

WeightTable Weights::table(const LayerLayout& layout) const {
  return {at(layout.weights), layout.inputs, layout.units};
}

WeightTable Weights::turned(const LayerLayout& layout) const {
  return {turned_.data() + layout.weights, layout.units, layout.inputs};
}

UnitScale unit_scale(View<const double> sums, double documents) {
  const std::size_t units = sums.size() / 2;
  UnitScale scale{std::vector<float>(units), std::vector<float>(units)};
  for (std::size_t u = 0; u < units; ++u) {
    const double mean = sums[u] / documents;
    scale.mean[u] = static_cast<float>(mean);
    scale.times[u] =
        inverse_root(std::max(0.0, sums[units + u] / documents - mean * mean));
  }
  return scale;
}

Pass::Pass(const Shape& shape, const Weights& weights)
    : shape_(shape), weights_(weights) {
  std::vector<LayerLayout> layouts = shape.layouts();
  score_layout_ = layouts.back();
  layouts.pop_back();
  for (const LayerLayout& layout : layouts) {
    Layer layer;
    layer.layout = layout;
    layers_.push_back(std::move(layer));
  }
}

void Pass::begin(View<const float* const> inputs) {
  inputs_ = inputs;
  tiles_ = inputs.size();
  present_.assign(tiles_ * kLanes, 1.0f);
}

void Pass::sum_units(std::size_t l) {
  Layer& layer = layers_[l];
  layer.normalized.resize(tiles_ * layer.layout.units * kLanes);
  const WeightTable table = weights_.table(layer.layout);
  const float* start = shape_.has_bias() ? weights_.at(layer.layout.bias) : nullptr;
  float* sums = layer.normalized.data();
  if (l == 0) {
    multiply(TileList{inputs_.data()}, tiles_, table, start, sums);
  } else {
    multiply(TileRow{layers_[l - 1].out.data(), table.inputs}, tiles_, table, start,
             sums);
  }
}

void Pass::add_moments(std::size_t l, double* sums) const {
  const Layer& layer = layers_[l];
  const std::size_t units = layer.layout.units;
  for_each_unit(tiles_, units, [&](std::size_t u, std::size_t at) {
    const float* present = present_.data() + at / (units * kLanes) * kLanes;
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double z = double{layer.normalized[at + k]} * present[k];
      sums[u] += z;
      sums[units + u] += z * z;
    }
  });
}

void Pass::normalize_batch(Layer& layer, const UnitScale& scale) const {
  for_each_unit(tiles_, layer.layout.units, [&](std::size_t u, std::size_t at) {
    Lanes z;
    load(layer.normalized.data() + at, z);
    z = (z - scale.mean[u]) * scale.times[u];
    store(z, layer.normalized.data() + at);
  });
}

void Pass::normalize_layer(Layer& layer) {
  const std::size_t units = layer.layout.units;
  const float fraction = 1.0f / static_cast<float>(units);
  layer.times.resize(tiles_ * kLanes);
  for (std::size_t t = 0; t < tiles_; ++t) {
    float* z = layer.normalized.data() + t * units * kLanes;
    Lanes mean = {};
    for (std::size_t u = 0; u < units; ++u) {
      Lanes x;
      load(z + u * kLanes, x);
      mean += x;
    }
    mean *= fraction;
    Lanes variance = {};
    for (std::size_t u = 0; u < units; ++u) {
      Lanes x;
      load(z + u * kLanes, x);
      x -= mean;
      variance += x * x;
      store(x, z + u * kLanes);
    }
    float* times = layer.times.data() + t * kLanes;
    variance *= fraction;
    store(variance, times);
    for (std::size_t k = 0; k < kLanes; ++k) {
      times[k] = inverse_root(double{times[k]});
    }
    Lanes by;
    load(times, by);
    for (std::size_t u = 0; u < units; ++u) {
      Lanes x;
      load(z + u * kLanes, x);
      x *= by;
      store(x, z + u * kLanes);
    }
  }
}

void Pass::finish_units(std::size_t l, const UnitScale* scale, bool keep) {
  Layer& layer = layers_[l];
  const std::size_t count = layer.normalized.size();
  const float* z = layer.normalized.data();
  layer.out.resize(count);
  if (shape_.normalizes()) {
    if (scale == nullptr) {
      normalize_layer(layer);
    } else {
      normalize_batch(layer, *scale);
    }
    const float* times = weights_.at(layer.layout.scale);
    const float* shift = weights_.at(layer.layout.shift);
    for_each_unit(tiles_, layer.layout.units, [&](std::size_t u, std::size_t at) {
      Lanes x;
      load(layer.normalized.data() + at, x);
      x = x * times[u] + shift[u];
      store(x, layer.out.data() + at);
    });
    z = layer.out.data();
  }
  layer.steepness.resize(keep ? count : 0);
  activate(shape_.activation, z, count, layer.out.data(),
           keep ? layer.steepness.data() : nullptr);
}

void Pass::drop(std::size_t l, const Dropout& dropout,
                View<const std::uint32_t> tile_numbers) {
  Layer& layer = layers_[l];
  const std::size_t units = layer.layout.units;
  const float kept = static_cast<float>(1.0 / (1.0 - dropout.rate));
  const std::uint64_t stream = mix_bits(dropout.stream ^ l);
  for_each_unit(tiles_, units, [&](std::size_t u, std::size_t at) {
    const std::uint64_t tile = tile_numbers[at / (units * kLanes)];
    for (std::size_t k = 0; k < kLanes; ++k) {
      const std::uint64_t index = (tile * units + u) * kLanes + k;
      const float times =
          unit_uniform(mix_bits(stream ^ index)) < dropout.rate ? 0.0f : kept;
      layer.out[at + k] *= times;
      layer.steepness[at + k] *= times;
    }
  });
}

const std::vector<float>& Pass::score() {
  scores_.resize(tiles_ * kLanes);
  multiply(TileRow{layers_.back().out.data(), score_layout_.inputs}, tiles_,
           weights_.table(score_layout_), weights_.at(score_layout_.bias),
           scores_.data());
  return scores_;
}

void Pass::back_from_score(const std::vector<float>& deltas, double* gradient) {
  Layer& last = layers_.back();
  const std::size_t units = last.layout.units;
  add_products(TileRow{last.out.data(), units}, units, deltas.data(), 1, tiles_,
               gradient + score_layout_.weights);
  add_columns(deltas.data(), 1, tiles_, gradient + score_layout_.bias);
  last.deltas.resize(last.out.size());
  multiply(TileRow{deltas.data(), 1}, tiles_, weights_.turned(score_layout_), nullptr,
           last.deltas.data());
}

void Pass::back_to_normalized(std::size_t l, double* gradient) {
  Layer& layer = layers_[l];
  for (std::size_t i = 0; i < layer.deltas.size(); i += kLanes) {
    Lanes delta;
    Lanes steepness;
    load(layer.deltas.data() + i, delta);
    load(layer.steepness.data() + i, steepness);
    delta *= steepness;
    store(delta, layer.deltas.data() + i);
  }
  if (shape_.normalizes()) {
    add_column_products(layer.deltas.data(), layer.normalized.data(), layer.layout.units,
                        tiles_, gradient + layer.layout.scale);
    add_columns(layer.deltas.data(), layer.layout.units, tiles_,
                gradient + layer.layout.shift);
  }
}

// For both kinds of normalisation, the derivative of (z - mean) / deviation subtracts
// from the gradient its components along a common shift and a common scaling of all
// normalised values.
void Pass::back_through_batch(Layer& layer, const UnitScale& scale,
                              const double* batch_gradient, double documents) const {
  const std::size_t units = layer.layout.units;
  const float* times = weights_.at(layer.layout.scale);
  for_each_unit(tiles_, units, [&](std::size_t u, std::size_t at) {
    const auto shared =
        static_cast<float>(batch_gradient[layer.layout.shift + u] / documents);
    const auto scaled =
        static_cast<float>(batch_gradient[layer.layout.scale + u] / documents);
    Lanes delta;
    Lanes n;
    Lanes present;
    load(layer.deltas.data() + at, delta);
    load(layer.normalized.data() + at, n);
    load(present_.data() + at / (units * kLanes) * kLanes, present);
    delta = (delta - shared - n * scaled) * (scale.times[u] * times[u]) * present;
    store(delta, layer.deltas.data() + at);
  });
}

void Pass::back_through_layer(Layer& layer) const {
  const std::size_t units = layer.layout.units;
  const float fraction = 1.0f / static_cast<float>(units);
  const float* times = weights_.at(layer.layout.scale);
  for (std::size_t t = 0; t < tiles_; ++t) {
    float* deltas = layer.deltas.data() + t * units * kLanes;
    const float* normalized = layer.normalized.data() + t * units * kLanes;
    Lanes shared = {};
    Lanes scaled = {};
    for (std::size_t u = 0; u < units; ++u) {
      Lanes delta;
      Lanes n;
      load(deltas + u * kLanes, delta);
      load(normalized + u * kLanes, n);
      delta *= times[u];
      shared += delta;
      scaled += delta * n;
      store(delta, deltas + u * kLanes);
    }
    shared *= fraction;
    scaled *= fraction;
    Lanes by;
    load(layer.times.data() + t * kLanes, by);
    for (std::size_t u = 0; u < units; ++u) {
      Lanes delta;
      Lanes n;
      load(deltas + u * kLanes, delta);
      load(normalized + u * kLanes, n);
      delta = (delta - shared - n * scaled) * by;
      store(delta, deltas + u * kLanes);
    }
  }
}

void Pass::back_to_inputs(std::size_t l, const UnitScale* scale,
                          const double* batch_gradient, double documents,
                          double* gradient) {
  Layer& layer = layers_[l];
  if (scale != nullptr) {
    back_through_batch(layer, *scale, batch_gradient, documents);
  } else if (shape_.normalizes()) {
    back_through_layer(layer);
  }
  double* of_weights = gradient + layer.layout.weights;
  const std::size_t inputs = layer.layout.inputs;
  const std::size_t units = layer.layout.units;
  if (l == 0) {
    add_products(TileList{inputs_.data()}, inputs, layer.deltas.data(), units, tiles_,
                 of_weights);
  } else {
    add_products(TileRow{layers_[l - 1].out.data(), inputs}, inputs, layer.deltas.data(),
                 units, tiles_, of_weights);
  }
  if (shape_.has_bias()) {
    add_columns(layer.deltas.data(), layer.layout.units, tiles_,
                gradient + layer.layout.bias);
  }
  if (l > 0) {
    Layer& below = layers_[l - 1];
    below.deltas.resize(below.out.size());
    multiply(TileRow{layer.deltas.data(), units}, tiles_, weights_.turned(layer.layout),
             nullptr, below.deltas.data());
  }
}

}  // namespace rankmix::network
