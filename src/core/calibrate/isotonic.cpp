#include "core/calibrate/isotonic.h"

#include <algorithm>
#include <numeric>

#include "core/base/sort.h"

namespace rankmix::calibrate {
namespace {

// A run of consecutive scores that share one fitted value.
struct Block {
  double weight;
  double sum;  // sum of weight * target
  double first;
  double last;
  double mean() const { return sum / weight; }
};

}  // namespace

double Isotonic::of(double score) const {
  const auto above = std::upper_bound(at.begin(), at.end(), score);
  if (above == at.begin()) {
    return value.front();
  }
  if (above == at.end()) {
    return value.back();
  }
  const auto k = static_cast<std::size_t>(above - at.begin());
  const double fraction = (score - at[k - 1]) / (at[k] - at[k - 1]);
  return value[k - 1] + fraction * (value[k] - value[k - 1]);
}

Isotonic fit_isotonic(View<const double> scores, View<const double> targets,
                      View<const double> weights) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_indices(order,
               [&](std::size_t i, std::size_t j) { return scores[i] < scores[j]; });
  std::vector<Block> blocks;
  for (std::size_t begin = 0; begin < order.size();) {
    Block block{0.0, 0.0, scores[order[begin]], scores[order[begin]]};
    for (; begin < order.size() && scores[order[begin]] == block.first; ++begin) {
      const double weight = weights.empty() ? 1.0 : weights[order[begin]];
      block.weight += weight;
      block.sum += weight * targets[order[begin]];
    }
    if (!(block.weight > 0.0)) {
      continue;
    }
    blocks.push_back(block);
    while (blocks.size() > 1 &&
           blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().weight += last.weight;
      blocks.back().sum += last.sum;
      blocks.back().last = last.last;
    }
  }
  Isotonic fit;
  for (const Block& block : blocks) {
    fit.at.push_back(block.first);
    fit.value.push_back(block.mean());
    if (block.last > block.first) {
      fit.at.push_back(block.last);
      fit.value.push_back(block.mean());
    }
  }
  return fit;
}

}  // namespace rankmix::calibrate
