// Helpers that train and predict in one call, for tests.
#pragma once
#include <cstddef>
#include <vector>

#include "core/boost/adaboost_mh.h"
#include "core/boost/base_tree.h"
#include "core/tree/tree.h"

struct TrainOptions : rankmix::boost::AdaBoostOptions {
  std::size_t rounds = 1;
  std::size_t leaves = 2;
};

inline rankmix::boost::AdaBoostModel train_on(const rankmix::data::BinnedMatrix& bins,
                                              const std::vector<int>& grades, int classes,
                                              const TrainOptions& options,
                                              rankmix::Host& host) {
  rankmix::boost::TreeLearner learner(options.leaves);
  rankmix::boost::AdaBoost booster(bins, grades, {}, static_cast<std::size_t>(classes),
                                   options, learner, host);
  booster.run(options.rounds, options.rounds, host);
  return booster.model();
}

using rankmix::tree::view_of;
