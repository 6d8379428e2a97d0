// The sums of a forest's rounds for documents outside the training data. When rounds are
// added, only the new rounds are evaluated.
//
// Rounds that are added in one call are first summed by themselves. So an evaluation
// after the same rounds gives the same bits, whether or not training was resumed in
// between.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/predict.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

// The rounds first .. last - 1 as a separate forest, without gains and document counts.
Forest some_rounds(const ForestView& forest, std::size_t first, std::size_t last);

class RunningSums {
 public:
  // Adds the rounds before `last` that were not added yet, round r times weights[r]. `x`
  // must have the same documents in each call.
  template <class Matrix>
  void add(const ForestView& forest, View<const double> weights, std::size_t last,
           const Matrix& x, Host& host) {
    sums_.resize(x.rows() * forest.outputs, 0.0);
    if (last <= rounds_) {
      return;
    }
    const Forest added = some_rounds(forest, rounds_, last);
    const int count = static_cast<int>(last - rounds_);
    std::vector<double> part(sums_.size());
    predict_staged(view_of(added), {weights.data() + rounds_, last - rounds_}, x,
                   {&count, 1}, host, part.data());
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      sums_[i] += part[i];
    }
    rounds_ = last;
  }
  // Documents x outputs, column-major.
  const std::vector<double>& sums() const { return sums_; }

 private:
  std::size_t rounds_ = 0;
  std::vector<double> sums_;
};

}  // namespace rankmix::tree
