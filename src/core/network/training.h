// Trains a network on an objective of its scores.
//
// Problem:   min over the numbers of the network of the objective over its total weight,
//            and weight decay, see adam.h.
// Algorithm: Adam on batches of whole queries, drawn anew in each epoch. The gradient of
// a
//            batch is its fraction of that of all documents, times the number of batches.
// Result:    the numbers after each epoch, so that a model can predict after fewer; in
//            single precision, by which scores are worked out while they are trained too.
// Start:     weights uniform within +-sqrt(6 / inputs) (He et al. 2015, arXiv 1502.01852)
//            or, where activations are not relu, and of the score, +-sqrt(6 / (inputs +
//            units)) (Glorot & Bengio 2010), of inputs that are not constant; the score's
//            constant is the best one of the objective.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/network/adam.h"
#include "core/network/batch.h"
#include "core/network/pass.h"
#include "core/network/rows.h"
#include "core/network/shape.h"
#include "core/objective/objective.h"

namespace rankmix::network {

struct Options {
  Shape shape;
  std::size_t epochs =
      100;  // in all: an objective with stages has each for a fraction of them
  std::size_t batch = 32;  // queries
  double learning_rate = 0.001;
  double decay = 0.01;
  double dropout = 0.0;
  bool logarithms = false;
  std::uint64_t seed = 0;
  void validate() const;
};

enum class Status {
  kLimit,     // so many epochs as were asked for
  kStalled,   // an epoch had no gradient but 0
  kDiverged,  // a score, a value or a weight is not finite
};

struct Model {
  InputScale scale;
  std::vector<std::vector<double>> numbers;  // after 0, 1, 2, ... epochs
  // Of each epoch, over the total weight, as the batches were when they were seen.
  std::vector<double> values;
  Status status = Status::kLimit;
};

struct Gradient {
  double value;
  std::vector<double> derivatives;  // of what is trained
};

class Training {
 public:
  // Features are copied; nothing of what is given is needed later but the objective.
  Training(MatrixView<const double> x, std::unique_ptr<objective::Objective> objective,
           const objective::Documents& documents, const Options& options, Host& host);
  Training(const SparseView& x, std::unique_ptr<objective::Objective> objective,
           const objective::Documents& documents, const Options& options, Host& host);
  // Its parts point to each other.
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  // Of the objective; 0 where the data have nothing that it could be learned from.
  double total_weight() const { return total_weight_; }
  const Model& model() const { return model_; }
  // Adds epochs, unless the training is over. Progress is reported out of `total`.
  void run(std::size_t epochs, std::size_t total, Host& host);
  // Over all queries, as one batch without dropout: over the total weight.
  Gradient gradient(Host& host);

 private:
  template <class Matrix>
  void prepare(const Matrix& x, const objective::Documents& documents, Host& host);
  void draw_start(Host& host);
  void begin_epoch(std::size_t epoch, Host& host);
  std::vector<int> draw_query_order(std::size_t epoch) const;
  // False where the training is over.
  bool run_epoch(std::size_t epoch, Host& host);
  bool step(View<const int> queries, double times, Host& host);
  void note_moments();
  void keep_numbers();

  Options options_;
  std::vector<LayerLayout> layouts_;
  std::unique_ptr<objective::Objective> objective_;
  std::unique_ptr<PackedDocuments> documents_;
  AlignedVector<float> tiles_;
  double total_weight_ = 0.0;
  Model model_;
  std::vector<double> numbers_;
  std::vector<double> decays_;
  Weights weights_;
  Adam adam_;
  std::unique_ptr<Batch> batch_;
  std::size_t stage_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace rankmix::network
