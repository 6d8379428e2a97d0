#include "core/mix/chain.h"

#include <algorithm>
#include <utility>

#include "core/base/errors.h"
#include "core/base/long_query.h"
#include "core/base/lu.h"

namespace rankmix::mix {
namespace {

// The transition matrix: from i, a random document j is accepted with probability
// chances(i, j). The diagonal is the probability of staying.
std::vector<double> moves_of(View<const double> chances, std::size_t n) {
  std::vector<double> moves(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    double leaves = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) {
        moves[j * n + i] = chances[j * n + i] / static_cast<double>(n);
        leaves += moves[j * n + i];
      }
    }
    moves[i * n + i] = 1.0 - leaves;
  }
  return moves;
}

}  // namespace

std::vector<double> stationary(View<const double> moves, std::size_t n, double damping,
                               Host& host) {
  std::vector<double> system(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    checkpoint_of_document(host, n);
    for (std::size_t j = 0; j < n; ++j) {
      system[i * n + j] = (i == j ? 1.0 : 0.0) - (1.0 - damping) * moves[j * n + i];
    }
  }
  return dense::solve_square(std::move(system), std::vector<double>(n, damping), host);
}

std::vector<double> chain_scores(View<const double> chances, View<const int> offsets,
                                 double damping, Host& host) {
  if (offsets.empty() || !(damping > 0.0 && damping <= 1.0)) {
    throw InvalidArgument("there are no queries, or damping is not in (0, 1]");
  }
  // The start of the matrix of each query.
  std::vector<std::size_t> begins = {0};
  for (std::size_t q = 0; q + 1 < offsets.size(); ++q) {
    const auto n = static_cast<std::size_t>(offsets[q + 1] - offsets[q]);
    begins.push_back(begins.back() + n * n);
  }
  if (begins.back() != chances.size()) {
    throw InvalidArgument("chances and queries do not fit together");
  }
  std::vector<double> scores(
      static_cast<std::size_t>(offsets[offsets.size() - 1] - offsets[0]));
  host.checkpoint();
  host.parallel_for(begins.size() - 1, [&](std::size_t q) {
    const auto n = static_cast<std::size_t>(offsets[q + 1] - offsets[q]);
    const View<const double> own(chances.data() + begins[q], n * n);
    const std::vector<double> found = stationary(moves_of(own, n), n, damping, host);
    std::copy(found.begin(), found.end(), scores.begin() + (offsets[q] - offsets[0]));
  });
  return scores;
}

}  // namespace rankmix::mix
