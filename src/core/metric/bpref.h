// Binary preference (bpref): measures how rarely judged irrelevant documents rank above
// relevant documents.
//
//   bpref = 1/R sum over ranked relevant documents of
//           1 - min(irrelevant above, R) / min(N, R)
//
// R and N are the numbers of relevant and irrelevant judged documents, ranked or not.
// Unjudged documents are ignored. The term is 1 if no irrelevant document is above. With
// averaged ties, the number of the m irrelevant documents of a group above a given
// relevant one is uniform on 0, 1, ..., m. Source: Buckley & Voorhees 2004,
// doi:10.1145/1008992.1009000, as in trec_eval.
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
