#include "core/regress/content_order.h"

#include <algorithm>
#include <tuple>

#include "core/base/blocks.h"
#include "core/data/row_content.h"

namespace rankmix::regress {
namespace {

struct RowDigest {
  std::uint64_t digest = 0;
  double weight = 1.0;
  std::uint32_t row = 0;
};

}  // namespace

std::vector<std::uint64_t> content_digests(const Values& values,
                                           View<const double> targets, Host& host) {
  std::vector<std::uint64_t> digests(targets.size(), 0);
  for_each_block(host, digests.size(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; ++i) {
                     digests[i] += data::value_hash(targets[i], values.features());
                   }
                   for (std::size_t j = 0; j < values.features(); ++j) {
                     values.visit(j, begin, end, [&](std::size_t row, double value) {
                       digests[row] += data::value_hash(value, j);
                     });
                   }
                 });
  return digests;
}

std::vector<std::uint32_t> content_order(const Values& values, View<const double> targets,
                                         View<const double> weights, Host& host) {
  return order_of_digests(content_digests(values, targets, host), weights);
}

std::vector<std::uint32_t> order_of_digests(const std::vector<std::uint64_t>& digests,
                                            View<const double> weights) {
  std::vector<RowDigest> sorted(digests.size());
  for (std::size_t i = 0; i < digests.size(); ++i) {
    sorted[i] = {digests[i], weights.empty() ? 1.0 : weights[i],
                 static_cast<std::uint32_t>(i)};
  }
  std::sort(sorted.begin(), sorted.end(), [](const RowDigest& a, const RowDigest& b) {
    return std::tie(a.digest, a.weight, a.row) < std::tie(b.digest, b.weight, b.row);
  });
  std::vector<std::uint32_t> order(sorted.size());
  std::transform(sorted.begin(), sorted.end(), order.begin(),
                 [](const RowDigest& of_row) { return of_row.row; });
  return order;
}

std::vector<int> order_of_queries(const std::vector<std::uint32_t>& order,
                                  View<const int> query, View<const int> offsets) {
  std::vector<int> next(offsets.begin(), offsets.end());
  std::vector<int> result(order.size());
  for (std::uint32_t row : order) {
    result[static_cast<std::size_t>(next[static_cast<std::size_t>(query[row] - 1)]++)] =
        static_cast<int>(row);
  }
  return result;
}

}  // namespace rankmix::regress
