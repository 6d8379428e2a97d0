#include "core/tree/documents.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/blocks.h"
#include "core/base/errors.h"
#include "core/tree/route.h"

namespace rankmix::tree {
namespace {

template <class LeafOf>
std::vector<int> count_rows(std::size_t leaves, const LeafOf& leaf_of,
                            const Counted& counted, std::size_t rows, Host& host) {
  const std::vector<std::int64_t> counts =
      sum_tables(host, rows, leaves, [&](std::size_t i, std::int64_t* to) {
        to[leaf_of(i)] += counted.empty() ? 1 : counted[i];
      });
  return std::vector<int>(counts.begin(), counts.end());
}

}  // namespace

Counted counted_documents(View<const double> weights, View<const int> counts) {
  if (!weights.empty() && !counts.empty() && weights.size() != counts.size()) {
    throw InvalidArgument("weights and counts differ in the number of documents");
  }
  Counted counted(std::max(weights.size(), counts.size()));
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const int count = counts.empty() ? 1 : counts[i];
    if (count < 0) {
      throw InvalidArgument("documents cannot count less than nothing");
    }
    counted[i] =
        weights.empty() || weights[i] > 0.0 ? static_cast<std::uint32_t>(count) : 0U;
  }
  if (std::all_of(counted.begin(), counted.end(),
                  [](std::uint32_t count) { return count == 1; })) {
    return {};
  }
  return counted;
}

bool weights_are_counts(View<const double> weights, View<const int> counts, Host& host) {
  constexpr double most = (1 << 24) - 1;
  const bool equal = weights.size() == counts.size() &&
                     std::equal(weights.begin(), weights.end(), counts.begin(),
                                [](double weight, int count) { return weight == count; });
  // A rank without documents has neither weights nor counts. Its result is the same as on
  // other ranks.
  double found[2] = {equal ? 0.0 : 1.0, counts.empty() ? 0.0 : 1.0};
  host.reducer().max(View<double>(found, 2));
  if (found[0] > 0.0 || found[1] == 0.0) {
    return false;
  }
  return host.reducer().sum_of(std::accumulate(weights.begin(), weights.end(), 0.0)) <=
         most;
}

double sum_of_counts(const Counted& counted, std::size_t documents, Host& host) {
  return host.reducer().sum_of(
      counted.empty() ? static_cast<double>(documents)
                      : std::accumulate(counted.begin(), counted.end(), 0.0));
}

Counted capped(Counted counted, double most) {
  for (std::uint32_t& count : counted) {
    count = count > most ? static_cast<std::uint32_t>(std::ceil(most)) : count;
  }
  return counted;
}

std::vector<int> leaf_documents(const GrownTree& tree, const Sample& sample,
                                View<const std::uint32_t> leaf_ids,
                                const Counted& counted, const data::BinnedMatrix& bins,
                                Host& host) {
  const std::size_t leaves = tree.leaves.size();
  if (host.reducer().is_alone() && sample.takes_all() && counted.empty()) {
    std::vector<int> rows(leaves);
    std::transform(tree.leaves.begin(), tree.leaves.end(), rows.begin(),
                   [](const Leaf& leaf) { return static_cast<int>(leaf.rows()); });
    return rows;
  }
  if (!leaf_ids.empty()) {
    return count_rows(
        leaves, [&](std::size_t i) { return leaf_ids[i]; }, counted, bins.rows(), host);
  }
  return count_rows(leaves, BinTree(tree.nodes, bins), counted, bins.rows(), host);
}

void append_all_documents(const data::BinnedMatrix& bins, const Counted& counted,
                          Host& host, Forest& forest) {
  forest.node_documents.clear();
  forest.leaf_documents.clear();
  const ForestView view = view_of(forest);
  for (std::size_t t = 0; t < view.trees(); ++t) {
    host.checkpoint();
    const auto leaves =
        static_cast<std::size_t>(forest.leaf_begin[t + 1] - forest.leaf_begin[t]);
    append_documents(
        count_rows(leaves, bin_tree(view, t, bins), counted, bins.rows(), host), t,
        forest);
  }
}

}  // namespace rankmix::tree
