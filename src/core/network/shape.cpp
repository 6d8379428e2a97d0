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

std::vector<LayerLayout> Shape::layouts() const {
  std::vector<LayerLayout> layouts;
  std::size_t at = 0;
  const auto take = [&at](std::size_t count) {
    const std::size_t first = at;
    at += count;
    return first;
  };
  std::size_t from = inputs;
  for (std::size_t units : hidden) {
    LayerLayout layout;
    layout.inputs = from;
    layout.units = units;
    layout.weights = take(from * units);
    layout.bias = take(has_bias() ? units : 0);
    layout.scale = take(normalizes() ? units : 0);
    layout.shift = take(normalizes() ? units : 0);
    layouts.push_back(layout);
    from = units;
  }
  LayerLayout score;
  score.inputs = from;
  score.units = 1;
  score.weights = take(from);
  score.bias = take(1);
  for (LayerLayout& layout : layouts) {
    const std::size_t count = normalization == Normalization::kBatch ? layout.units : 0;
    layout.mean = take(count);
    layout.variance = take(count);
  }
  layouts.push_back(score);
  return layouts;
}

std::size_t Shape::trained() const { return layouts().back().bias + 1; }

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
