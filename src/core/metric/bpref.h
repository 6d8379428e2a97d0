// Binary preference: how seldom judged irrelevant documents come before relevant ones.
//
//   bpref = 1/R sum over ranked relevant documents of
//           1 - min(irrelevant above, R) / min(N, R)
//
// R and N count the relevant and the irrelevant judged documents, ranked or not; unjudged
// documents do not matter. The term is 1 where no irrelevant document is above. With
// averaged ties, the number of the m irrelevant documents of a group that come before a
// given relevant one is 0, 1, ..., m with the same probability. Source: Buckley &
// Voorhees 2004, doi:10.1145/1008992.1009000, as in trec_eval.
#pragma once
#include "core/metric/precision.h"

namespace rankmix::metric {

class Bpref : public BinaryMetric {
 public:
  using BinaryMetric::BinaryMetric;

 protected:
  double compute(const RankedList& list, std::size_t depth, std::size_t k) const override;
};

}  // namespace rankmix::metric
