// Trains a network on an objective of its scores.
//
// Problem:   minimise, over the numbers of the network, the objective divided by its
//            total weight, with weight decay, see adam.h.
// Algorithm: Adam on batches of whole queries, drawn anew in each epoch. The gradient of
//            a batch is multiplied by the number of batches, as an estimate of the
//            gradient of all documents.
// Result:    the numbers after each epoch, so that a model can also predict after fewer
//            epochs. They are in single precision, as in all computations of scores.
// Start:     weights are uniform within +-sqrt(6 / inputs) (He et al. 2015, arXiv
//            1502.01852) for relu. For other activations, and for the score, they are
//            uniform within +-sqrt(6 / (inputs + units)) (Glorot & Bengio 2010). Constant
//            inputs are not counted. The constant of the score is the best constant of
//            the objective.
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
      100;  // in total; if the objective has stages, they share these epochs
  std::size_t batch = 32;  // number of queries
  double learning_rate = 0.001;
  double decay = 0.01;
  double dropout = 0.0;
  bool logarithms = false;
  std::uint64_t seed = 0;
  void validate() const;
};

enum class Status {
  kLimit,     // all requested epochs were run
  kStalled,   // all gradients of an epoch were 0
  kDiverged,  // a score, a value or a weight is not finite
};

struct Model {
  InputScale scale;
  std::vector<std::vector<double>> numbers;  // after 0, 1, 2, ... epochs
  // The objective in each epoch, divided by the total weight. Each batch is evaluated
  // before its step.
  std::vector<double> values;
  Status status = Status::kLimit;
};

struct Gradient {
  double value;
  std::vector<double> derivatives;  // of the trained numbers
};

class Training {
 public:
  // Features and documents are copied, so that no argument needs to outlive this object.
  Training(MatrixView<const double> x, std::unique_ptr<objective::Objective> objective,
           const objective::Documents& documents, const Options& options, Host& host);
  Training(const SparseView& x, std::unique_ptr<objective::Objective> objective,
           const objective::Documents& documents, const Options& options, Host& host);
  // Not copyable: members refer to each other.
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  // The total weight of the objective; 0 if nothing can be learned from the data.
  double total_weight() const { return total_weight_; }
  const Model& model() const { return model_; }
  // Adds `epochs` epochs, unless the training is over. `total` is only for the progress
  // report.
  void run(std::size_t epochs, std::size_t total, Host& host);
  // Value and gradient over all queries, as one batch without dropout, divided by the
  // total weight.
  Gradient gradient(Host& host);

 private:
  template <class Matrix>
  void prepare(const Matrix& x, const objective::Documents& documents, Host& host);
  void draw_start(Host& host);
  void begin_epoch(std::size_t epoch, Host& host);
  std::vector<int> draw_query_order(std::size_t epoch) const;
  // Returns false if the training is over.
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
