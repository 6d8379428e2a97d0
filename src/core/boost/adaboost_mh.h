// AdaBoost.MH with base classifiers of +-1 votes.
//
// Problem:   a classifier f: x -> R^K whose largest component is at the predicted grade.
// Given:     binned features, grades 0 .. K - 1, and weights of documents if they differ.
// Result:    f(x) = sum_t alpha_t h_t(x), h_t of a base learner, alpha_t > 0.
// Algorithm: in round t h is learned for a large edge gamma = sum w_il h_l(x_i) y_il;
//            alpha = 1/2 log((1 + gamma) / (1 - gamma)), and w_il is multiplied by
//            exp(-alpha h_l(x_i) y_il) and scaled to sum 1. Confidence-rated votes bring
//            their alpha, and as their edge counts what gives the same normaliser
//            Z = sqrt(1 - gamma^2).
// Reference: Schapire & Singer 1999, doi:10.1023/A:1007614523901; Kegl & Busa-Fekete
// 2009.
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
  std::vector<int> counts = {};  // how often documents count; empty: once
};

enum class Status {
  kLimit,   // all rounds were used
  kStalled  // the best base classifier of a round had no edge left
};

struct AdaBoostModel {
  tree::Forest forest;  // votes as leaf values
  std::vector<double> alpha;
  std::vector<double> edge;
  Pulls pulls;  // of the bandit, if there is one, and where those of each round begin
  std::vector<int> pull_begin{0};
  Status status = Status::kLimit;
};

// A fit that can be taken up again: rounds are added as long as somebody asks for more.
class AdaBoost {
 public:
  // `bins` and the learner must outlive it.
  AdaBoost(const data::BinnedMatrix& bins, View<const int> grades,
           View<const double> document_weights, std::size_t classes,
           const AdaBoostOptions& options, BaseLearner& learner, Host& host);

  // Takes over the rounds of a model that was trained on the same data with the same
  // options: the weights come out as they were, bit for bit. Throws InvalidArgument where
  // the model splits at what is no threshold of these data, or has other edges on them.
  void replay(const AdaBoostModel& model, Host& host);
  // Adds so many rounds, or as many as have an edge; `total` is for the progress.
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
