// Weights of members that maximise the metric of the weighted sum of their scores on
// out-of-fold queries.
//
// Given: the scores of each member, one array of all rows, and judged queries. Queries of
// weight 0 are skipped, so the cost is proportional to the queries that are used. Members
// are visited in the order of their own metric, best first; this affects ties only.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/metric/judged.h"

namespace rankmix::mix {

using Members = std::vector<const double*>;

// out(q, c) is the metric of query q for the scores sum_m weights(m, c) members[m],
// summed in the order of the members. It is NaN for queries of weight 0. O(n m) for each
// candidate c.
void mixture_values(const metric::Judged& judged, const Members& members,
                    MatrixView<const double> weights, Host& host, MatrixView<double> out);

// Forward selection with replacement (Caruana, Niculescu-Mizil, Crew and Ksikes 2004,
// doi:10.1145/1015330.1015432) among some of the members. The initial selection has the
// members whose own metric is highest. Their number, between 1 and `start`, maximises the
// metric of their sum. Each step then adds the member whose addition maximises the metric
// of the sum. A member can be added repeatedly.
struct Selected {
  std::vector<int> members;    // in the order of selection
  std::vector<double> values;  // the metric after each addition
  std::size_t first = 0;       // size of the initial selection
};
Selected select_members(const metric::Judged& judged, const Members& members,
                        View<const int> among, std::size_t start, std::size_t steps,
                        Host& host);

// Coordinate ascent from equal weights. Each step sets the weight of one member to the
// value that maximises the metric, found by the exact search of linear/crossings.h. The
// other weights are rescaled to keep their ratios and the sum 1. Ends when no weight
// changes in a cycle over all members, or after `max_cycles` cycles.
struct Ascent {
  std::vector<double> weights;  // nonnegative, with sum 1
  double value = 0.0;
  std::size_t cycles = 0;
  bool converged = false;
};
Ascent ascend_weights(const metric::Judged& judged, const Members& members,
                      std::size_t max_cycles, Host& host);

}  // namespace rankmix::mix
