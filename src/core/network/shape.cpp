#include "core/network/shape.h"

#include <algorithm>

#include "core/base/errors.h"

namespace rankmix::network {

void Shape::validate() const {
  if (inputs == 0) {
    throw InvalidArgument("a network needs an input");
  }
  if (hidden.empty() || *std::min_element(hidden.begin(), hidden.end()) == 0) {
    throw InvalidArgument("a network needs hidden layers with units");
  }
}

std::vector<LayerPlace> Shape::places() const {
  std::vector<LayerPlace> places;
  std::size_t at = 0;
  const auto take = [&at](std::size_t count) {
    const std::size_t first = at;
    at += count;
    return first;
  };
  std::size_t from = inputs;
  for (std::size_t units : hidden) {
    LayerPlace place;
    place.inputs = from;
    place.units = units;
    place.weights = take(from * units);
    place.bias = take(has_bias() ? units : 0);
    place.scale = take(normalizes() ? units : 0);
    place.shift = take(normalizes() ? units : 0);
    places.push_back(place);
    from = units;
  }
  LayerPlace score;
  score.inputs = from;
  score.units = 1;
  score.weights = take(from);
  score.bias = take(1);
  for (LayerPlace& place : places) {
    const std::size_t count = normalization == Normalization::kBatch ? place.units : 0;
    place.mean = take(count);
    place.variance = take(count);
  }
  places.push_back(score);
  return places;
}

std::size_t Shape::trained() const { return places().back().bias + 1; }

std::size_t Shape::numbers() const {
  std::size_t count = trained();
  if (normalization == Normalization::kBatch) {
    for (std::size_t units : hidden) {
      count += 2 * units;
    }
  }
  return count;
}

}  // namespace rankmix::network
