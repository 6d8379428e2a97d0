// Weights of members by the exact metric of the sum of their scores on out-of-fold
// queries.
//
// Given:   the scores of each member, an array of all rows, and judged queries; those of
//          weight 0 are not looked at, so that the cost is proportional to the queries
//          used.
// Members are taken in the order of their own metric, ties in the order given, which
// decides about ties only.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/metric/judged.h"

namespace rankmix::mix {

using Members = std::vector<const double*>;

// out(q, c) = the metric of query q by the scores sum_m weights(m, c) members[m], added
// up in the order of the members; NaN in queries that are not looked at. O(n m) a
// candidate.
void mixture_values(const metric::Judged& judged, const Members& members,
                    MatrixView<const double> weights, Host& host, MatrixView<double> out);

// Forward selection with replacement (Caruana, Niculescu-Mizil, Crew and Ksikes 2004,
// doi:10.1145/1015330.1015432) among some of the members. The first are the best ones by
// themselves: of 1 to `start` of them so many that their sum is best. Then each step adds
// the member that makes the best sum, also one that was added before.
struct Selected {
  std::vector<int> members;    // those added, one after the other
  std::vector<double> values;  // the metric after each of them
  std::size_t first = 0;       // how many there were before the steps
};
Selected select_members(const metric::Judged& judged, const Members& members,
                        View<const int> among, std::size_t start, std::size_t steps,
                        Host& host);

// Coordinate ascent: from equal weights on, member after member is assigned the weight
// that maximises the metric, by an exact search (linear/crossings.h). The other weights
// keep their proportions. Ends when no weight changes, or after `max_cycles` cycles.
struct Ascent {
  std::vector<double> weights;  // sum to 1, none below 0
  double value = 0.0;
  std::size_t cycles = 0;
  bool converged = false;
};
Ascent ascend_weights(const metric::Judged& judged, const Members& members,
                      std::size_t max_cycles, Host& host);

}  // namespace rankmix::mix
