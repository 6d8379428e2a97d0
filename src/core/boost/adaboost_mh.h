// AdaBoost.MH with base classifiers that vote -1 or +1.
//
// Problem:   a classifier f: x -> R^K whose largest component is at the predicted grade.
// Given:     binned features, grades 0 .. K - 1, and optional weights of documents.
// Result:    f(x) = sum_t alpha_t h_t(x) with base classifiers h_t and alpha_t > 0.
// Algorithm: round t learns a classifier h with a large edge gamma = sum w_il h_l(x_i)
//            y_il; alpha = 1/2 log((1 + gamma) / (1 - gamma)); w_il is multiplied by
//            exp(-alpha h_l(x_i) y_il) and scaled to sum 1. With confidence-rated votes
//            the base learner returns alpha, and gamma is defined by the normaliser Z =
//            sqrt(1 - gamma^2).
// Reference: Schapire & Singer 1999, doi:10.1023/A:1007614523901; Kegl & Busa-Fekete
//            2009.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/boost/base_learner.h"
#include "core/boost/draw.h"
#include "core/boost/exp3p.h"
#include "core/boost/weights.h"
#include "core/data/bins.h"
#include "core/tree/documents.h"
#include "core/tree/grow.h"
#include "core/tree/tree.h"

namespace rankmix::boost {

struct AdaBoostOptions : DrawOptions {
  WeightScheme weights = WeightScheme::kRelevance;
  Precision precision = Precision::kSingle;  // of the weights
  std::optional<BanditOptions> bandit;
  std::vector<int> counts = {};  // how often each document counts; empty: once each
};

enum class Status {
  kLimit,   // all rounds were used
  kStalled  // the best base classifier of a round has no edge
};

struct AdaBoostModel {
  tree::Forest forest;  // votes as leaf values
  std::vector<double> alpha;
  std::vector<double> edge;
  Pulls pulls;  // draws of the bandit, if any; pull_begin: the first draw of each round
  std::vector<int> pull_begin{0};
  Status status = Status::kLimit;
};

// A fit that can be resumed: each call of run() adds rounds.
class AdaBoost {
 public:
  // `bins` and the learner must outlive this object.
  AdaBoost(const data::BinnedMatrix& bins, View<const int> grades,
           View<const double> document_weights, std::size_t classes,
           const AdaBoostOptions& options, BaseLearner& learner, Host& host);

  // Declares that no other fit uses the bins. If they have blocks of features, their rows
  // are reordered, so that rounds are faster. Models stay the same, bit for bit. Must be
  // called before the first round.
  void own(data::BinnedMatrix& bins, Host& host);
  // Takes over the rounds of a model that was trained on the same data with the same
  // options. The weights are restored bit for bit. Throws InvalidArgument if the model
  // has a threshold that `bins` lacks, or if its edges differ on these data.
  void replay(const AdaBoostModel& model, Host& host);
  // Adds `rounds` rounds, or fewer if no base classifier has an edge. `total` is only for
  // the progress report.
  void run(std::size_t rounds, std::size_t total, Host& host);
  const AdaBoostModel& model() const { return model_; }

 private:
  struct Step {
    double alpha;
    double edge;
    double z;
  };
  bool add_round(Host& host);
  Step step_of(const LeafIds& leaf_ids, const Votes& votes, double alpha,
               Host& host) const;
  void append(const BaseClassifier& learned, const tree::Sample& sample, Host& host);

  const data::BinnedMatrix& bins_;
  AdaBoostOptions options_;
  BaseLearner& learner_;
  Weights weights_;
  tree::Counted counted_;
  tree::Grower grower_;
  std::unique_ptr<Exp3P> arms_;
  AdaBoostModel model_;
};

}  // namespace rankmix::boost
