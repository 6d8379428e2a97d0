#include "core/regress/exact_search.h"

#include <algorithm>
#include <utility>

#include "core/data/bins.h"

namespace rankmix::regress {
namespace {

// Number of documents times features from which several threads pay off.
constexpr std::size_t kParallelWork = 4096;

}  // namespace

NodeSplit ExactSearch::best_cut(std::size_t feature, View<const std::uint32_t> rows,
                                const SplitScorer& scorer) const {
  std::vector<double> values(rows.size());
  documents_.values->gather(feature, rows, values.data());
  // Sorted by value, then by the order of the documents.
  std::vector<std::pair<double, std::uint32_t>> sorted(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sorted[i] = {values[i], static_cast<std::uint32_t>(i)};
  }
  std::sort(sorted.begin(), sorted.end());
  NodeSplit best;
  NodeSums left;
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    const std::uint32_t row = rows[sorted[i].second];
    const double w = documents_.weights[row];
    const double y = documents_.targets[row];
    left += {1.0, w, w * y, w * y * y};
    if (sorted[i].first == sorted[i + 1].first || !scorer.allows(left)) {
      continue;
    }
    const double score = scorer.score(left);
    if (score > best.score) {
      best = {score, static_cast<int>(feature),
              data::midpoint(sorted[i].first, sorted[i + 1].first)};
    }
  }
  return best;
}

NodeSplit ExactSearch::search(View<const std::uint32_t> rows, const NodeSums& sums,
                              Host& host) const {
  const SplitScorer scorer(sums);
  std::vector<NodeSplit> found(documents_.values->features());
  auto look = [&](std::size_t f) {
    if (active_[f] != 0) {
      found[f] = best_cut(f, rows, scorer);
    }
  };
  if (rows.size() * found.size() < kParallelWork) {
    for (std::size_t f = 0; f < found.size(); ++f) {
      look(f);
    }
  } else {
    host.parallel_for(found.size(), look);
  }
  return best_feature(found);
}

NodeSplit ExactSearch::root(View<const std::uint32_t> rows, const NodeSums& sums,
                            Host& host, std::unique_ptr<Kept>&) {
  return search(rows, sums, host);
}

void ExactSearch::sides(Side& left, Side& right, std::unique_ptr<Kept>, Host& host) {
  for (Side* side : {&left, &right}) {
    if (side->wanted) {
      side->best = search(side->rows, side->sums, host);
    }
  }
}

}  // namespace rankmix::regress
