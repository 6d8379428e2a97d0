// Value and gradient of the objective over a batch of queries.
//
// The batch is cut into blocks of whole queries, by their size, which are worked on side
// by side: forward, the objective, and back. Where batches normalise, all blocks come
// together at each layer, on both ways. Sums over documents are those of blocks, in their
// order, so that bits do not depend on the number of threads.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/function_ref.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/network/pass.h"
#include "core/network/rows.h"
#include "core/network/shape.h"
#include "core/objective/objective.h"

namespace rankmix::network {

class Batch {
 public:
  // All of it must outlive this.
  Batch(const Shape& shape, const objective::Objective& objective,
        const PackedDocuments& documents, const AlignedVector<float>& tiles);
  ~Batch();

  // Of these queries, each once; gradients are taken `times`. False, and nothing else,
  // where a score or the value is not finite.
  bool evaluate(const Weights& weights, View<const int> queries, double times,
                const Dropout& dropout, Host& host);
  // Of the last batch.
  double value() const { return value_; }
  View<const double> gradient() const { return gradient_; }
  bool any_gradient() const { return any_gradient_; }  // whether one is not 0
  double documents() const { return count_; }
  // Sums of what the units of a layer were before they were normalised, and of squares.
  View<const double> moments(std::size_t layer) const { return moments_[layer]; }
  // Of all documents, as they were when they were in a batch; 0 before.
  View<const double> scores() const { return scores_; }

 private:
  struct Block;
  void cut(const Weights& weights, View<const int> queries);
  void load(Block& block) const;
  void finish(Block& block, std::size_t l, const Dropout& dropout) const;
  void find_scores(Block& block);
  void find_gradients(Block& block, double times);
  // To the scores and back; where batches normalise all but the last layer is done before
  // and after, by the others.
  void forward(Block& block, const Dropout& dropout);
  void back(Block& block) const;
  void forward_together(const Dropout& dropout, Host& host);
  void back_together(Host& host);
  void for_each_used(Host& host, const FunctionRef<void(Block&)>& body);
  void add_up(const FunctionRef<const double*(const Block&)>& part, std::size_t begin,
              std::size_t end, std::vector<double>& sums) const;

  const Shape& shape_;
  const objective::Objective& objective_;
  const PackedDocuments& documents_;
  const AlignedVector<float>& tiles_;
  std::vector<LayerLayout> layouts_;  // hidden layers, then the score
  bool together_;                     // batches normalise
  objective::Documents view_;
  std::vector<double> scores_;
  std::vector<double> gradients_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t used_ = 0;  // blocks of the batch
  double count_ = 0.0;    // documents of the batch
  double value_ = 0.0;
  bool any_gradient_ = false;
  std::vector<UnitScale> unit_scales_;
  std::vector<std::vector<double>> moments_;
  std::vector<double> gradient_;
};

}  // namespace rankmix::network
