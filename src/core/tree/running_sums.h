// The sums of a forest's rounds for other documents, kept up to date while rounds are
// added: only the new ones are walked.
//
// Rounds that are added in one call are summed by themselves first. So evaluating after
// the same rounds has the same bits, whether or not a fit was taken up again in between.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/tree/predict.h"
#include "core/tree/tree.h"

namespace rankmix::tree {

// The rounds from `first` on before `last`, as a forest of their own, without gains and
// documents.
Forest some_rounds(const ForestView& forest, std::size_t first, std::size_t last);

class RunningSums {
 public:
  // Adds the rounds up to `last` that were not added yet; round r counts weights[r]
  // times. `x` are the same documents in each call.
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
  // Documents x outputs, column by column.
  const std::vector<double>& sums() const { return sums_; }

 private:
  std::size_t rounds_ = 0;
  std::vector<double> sums_;
};

}  // namespace rankmix::tree
