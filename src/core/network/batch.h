// Value and gradient of the objective over a batch of queries.
//
// The batch is divided into blocks of several whole queries. Blocks are processed in
// parallel: forward pass, objective, and backward pass. With batch normalisation, all
// blocks synchronise at each layer, forward and backward. Sums over documents are added
// block by block in a fixed order, so that the result does not depend on the number of
// threads.
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
  // All arguments must outlive this object.
  Batch(const Shape& shape, const objective::Objective& objective,
        const PackedDocuments& documents, const AlignedVector<float>& tiles);
  ~Batch();

  // Evaluates these queries, each once. The gradient is multiplied by `times`. Returns
  // false if a score or the value is not finite; value() and gradient() are then
  // meaningless.
  bool evaluate(const Weights& weights, View<const int> queries, double times,
                const Dropout& dropout, Host& host);
  // Results for the last batch.
  double value() const { return value_; }
  View<const double> gradient() const { return gradient_; }
  bool any_gradient() const { return any_gradient_; }  // a gradient is not 0
  double documents() const { return count_; }
  // Sums over documents of each unit of a layer before normalisation, then of the
  // squares.
  View<const double> moments(std::size_t layer) const { return moments_[layer]; }
  // The scores of all documents when they were last in a batch; 0 before.
  View<const double> scores() const { return scores_; }

 private:
  struct Block;
  void cut(const Weights& weights, View<const int> queries);
  void load(Block& block) const;
  void finish(Block& block, std::size_t l, const Dropout& dropout) const;
  void find_scores(Block& block);
  void find_gradients(Block& block, double times);
  // forward() computes the scores, and back() the gradient. With batch normalisation,
  // they do only the steps after the sums of the last hidden layer. forward_together()
  // and back_together() do the other steps.
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
  bool together_;                     // batch normalisation is used
  objective::Documents view_;
  std::vector<double> scores_;
  std::vector<double> gradients_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t used_ = 0;  // number of blocks in the batch
  double count_ = 0.0;    // number of documents in the batch
  double value_ = 0.0;
  bool any_gradient_ = false;
  std::vector<UnitScale> unit_scales_;
  std::vector<std::vector<double>> moments_;
  std::vector<double> gradient_;
};

}  // namespace rankmix::network
