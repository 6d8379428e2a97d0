#include "core/network/batch.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/function_ref.h"
#include "core/base/serial_host.h"
#include "core/network/lanes.h"
#include "core/objective/evaluate.h"

namespace rankmix::network {
namespace {

// Smallest number of tiles in a block, except for the last block. With this number, the
// overhead of a block is negligible, and the numbers of a block stay in the cache.
constexpr std::size_t kBlockTiles = 16;

}  // namespace

// Whole queries, and the pass of their documents.
struct Batch::Block {
  Block(const Shape& shape, const Weights& weights) : pass(shape, weights) {}

  Pass pass;
  std::vector<int> queries;
  std::size_t tiles = 0;
  std::vector<std::uint32_t> tile_numbers;
  std::vector<const float*> inputs;
  std::vector<float> lane_deltas;
  std::vector<double> gradient;
  std::vector<double> moments;
  double value = 0.0;
  bool finite = true;
  bool any_gradient = false;
};

Batch::Batch(const Shape& shape, const objective::Objective& objective,
             const PackedDocuments& documents, const AlignedVector<float>& tiles)
    : shape_(shape),
      objective_(objective),
      documents_(documents),
      tiles_(tiles),
      layouts_(shape.layouts()),
      together_(shape.normalization == Normalization::kBatch),
      view_(documents.view()),
      scores_(documents.size(), 0.0),
      gradients_(documents.size(), 0.0),
      unit_scales_(shape.hidden.size()),
      moments_(shape.hidden.size()) {}

Batch::~Batch() = default;

void Batch::cut(const Weights& weights, View<const int> queries) {
  used_ = 0;
  count_ = 0.0;
  std::size_t open = 0;
  for (int query : queries) {
    if (used_ == 0 || blocks_[open]->tiles >= kBlockTiles) {
      open = used_;
      ++used_;
      if (blocks_.size() < used_) {
        blocks_.push_back(std::make_unique<Block>(shape_, weights));
      }
      blocks_[open]->queries.clear();
      blocks_[open]->tiles = 0;
    }
    const auto q = static_cast<std::size_t>(query);
    blocks_[open]->queries.push_back(query);
    blocks_[open]->tiles += documents_.first_tile(q + 1) - documents_.first_tile(q);
    count_ += static_cast<double>(documents_.first(q + 1) - documents_.first(q));
  }
}

void Batch::load(Block& block) const {
  block.tile_numbers.clear();
  block.inputs.clear();
  for (int query : block.queries) {
    const auto q = static_cast<std::size_t>(query);
    for (std::size_t tile = documents_.first_tile(q); tile < documents_.first_tile(q + 1);
         ++tile) {
      block.tile_numbers.push_back(static_cast<std::uint32_t>(tile));
      block.inputs.push_back(tiles_.data() + tile * shape_.inputs * kLanes);
    }
  }
  block.pass.begin(block.inputs);
  block.gradient.assign(shape_.trained(), 0.0);
  float* present = block.pass.present().data();
  for (int query : block.queries) {
    const auto q = static_cast<std::size_t>(query);
    const std::size_t lanes =
        (documents_.first_tile(q + 1) - documents_.first_tile(q)) * kLanes;
    std::fill(present + (documents_.first(q + 1) - documents_.first(q)), present + lanes,
              0.0f);
    present += lanes;
  }
}

void Batch::finish(Block& block, std::size_t l, const Dropout& dropout) const {
  block.pass.finish_units(l, together_ ? &unit_scales_[l] : nullptr, true);
  if (dropout.rate > 0.0) {
    block.pass.drop(l, dropout, block.tile_numbers);
  }
}

void Batch::find_scores(Block& block) {
  const float* lanes = block.pass.score().data();
  block.finite = true;
  for (int query : block.queries) {
    const auto q = static_cast<std::size_t>(query);
    const std::size_t first = documents_.first(q);
    for (std::size_t i = first; i < documents_.first(q + 1); ++i) {
      scores_[i] = lanes[i - first];
      block.finite = block.finite && std::isfinite(scores_[i]);
    }
    lanes += (documents_.first_tile(q + 1) - documents_.first_tile(q)) * kLanes;
  }
}

void Batch::find_gradients(Block& block, double times) {
  block.value = 0.0;
  block.any_gradient = false;
  block.lane_deltas.assign(block.tiles * kLanes, 0.0f);
  if (!block.finite) {
    return;
  }
  SerialHost serial;
  block.value =
      objective::evaluate_queries(objective_, view_, scores_, block.queries, serial,
                                  {{gradients_.data(), gradients_.size()}, {}});
  float* lanes = block.lane_deltas.data();
  for (int query : block.queries) {
    const auto q = static_cast<std::size_t>(query);
    const std::size_t first = documents_.first(q);
    for (std::size_t i = first; i < documents_.first(q + 1); ++i) {
      lanes[i - first] = static_cast<float>(gradients_[i] * times);
      block.any_gradient = block.any_gradient || gradients_[i] != 0.0;
    }
    lanes += (documents_.first_tile(q + 1) - documents_.first_tile(q)) * kLanes;
  }
}

void Batch::for_each_used(Host& host, const FunctionRef<void(Block&)>& body) {
  host.parallel_for(used_, [&](std::size_t b) { body(*blocks_[b]); });
}

void Batch::add_up(const FunctionRef<const double*(const Block&)>& part,
                   std::size_t begin, std::size_t end, std::vector<double>& sums) const {
  std::fill(sums.data() + begin, sums.data() + end, 0.0);
  for (std::size_t b = 0; b < used_; ++b) {
    const double* numbers = part(*blocks_[b]);
    for (std::size_t i = begin; i < end; ++i) {
      sums[i] += numbers[i];
    }
  }
}

void Batch::forward_together(const Dropout& dropout, Host& host) {
  for (std::size_t l = 0; l < layouts_.size() - 1; ++l) {
    for_each_used(host, [&](Block& block) {
      if (l == 0) {
        load(block);
      } else {
        finish(block, l - 1, dropout);
      }
      block.pass.sum_units(l);
      block.moments.assign(2 * layouts_[l].units, 0.0);
      block.pass.add_moments(l, block.moments.data());
    });
    moments_[l].resize(2 * layouts_[l].units);
    add_up([](const Block& block) { return block.moments.data(); }, 0, moments_[l].size(),
           moments_[l]);
    unit_scales_[l] = unit_scale(moments_[l], count_);
  }
}

void Batch::forward(Block& block, const Dropout& dropout) {
  if (together_) {
    finish(block, layouts_.size() - 2, dropout);
  } else {
    load(block);
    for (std::size_t l = 0; l < layouts_.size() - 1; ++l) {
      block.pass.sum_units(l);
      finish(block, l, dropout);
    }
  }
  find_scores(block);
}

void Batch::back(Block& block) const {
  double* gradient = block.gradient.data();
  block.pass.back_from_score(block.lane_deltas, gradient);
  std::size_t l = layouts_.size() - 2;
  block.pass.back_to_normalized(l, gradient);
  while (!together_) {
    block.pass.back_to_inputs(l, nullptr, nullptr, 0.0, gradient);
    if (l == 0) {
      return;
    }
    --l;
    block.pass.back_to_normalized(l, gradient);
  }
}

void Batch::back_together(Host& host) {
  for (std::size_t l = layouts_.size() - 1; l-- > 0;) {
    // Sums over the whole batch, which determine the derivative of its mean and variance.
    add_up([](const Block& block) { return block.gradient.data(); }, layouts_[l].scale,
           layouts_[l].shift + layouts_[l].units, gradient_);
    for_each_used(host, [&](Block& block) {
      block.pass.back_to_inputs(l, &unit_scales_[l], gradient_.data(), count_,
                                block.gradient.data());
      if (l > 0) {
        block.pass.back_to_normalized(l - 1, block.gradient.data());
      }
    });
  }
}

bool Batch::evaluate(const Weights& weights, View<const int> queries, double times,
                     const Dropout& dropout, Host& host) {
  cut(weights, queries);
  gradient_.assign(shape_.trained(), 0.0);
  if (together_) {
    forward_together(dropout, host);
  }
  // An objective in the user's R code may only be called by the main thread.
  if (objective_.traits().main_thread_only) {
    for_each_used(host, [&](Block& block) { forward(block, dropout); });
    for (std::size_t b = 0; b < used_; ++b) {
      find_gradients(*blocks_[b], times);
    }
    for_each_used(host, [&](Block& block) { back(block); });
  } else {
    for_each_used(host, [&](Block& block) {
      forward(block, dropout);
      find_gradients(block, times);
      back(block);
    });
  }
  if (together_) {
    back_together(host);
  }
  add_up([](const Block& block) { return block.gradient.data(); }, 0, gradient_.size(),
         gradient_);
  value_ = 0.0;
  any_gradient_ = false;
  bool finite = true;
  for (std::size_t b = 0; b < used_; ++b) {
    value_ += blocks_[b]->value;
    any_gradient_ = any_gradient_ || blocks_[b]->any_gradient;
    finite = finite && blocks_[b]->finite;
  }
  // LambdaRank objectives have gradients but no value; the value is NaN.
  return finite && (std::isfinite(value_) || !objective_.traits().has_value);
}

}  // namespace rankmix::network
