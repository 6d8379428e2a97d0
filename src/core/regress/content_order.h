// An order of rows by their content. Sums in this order do not depend on the order of the
// data's rows, since rows of equal content are interchangeable.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/regress/documents.h"

namespace rankmix::regress {

// A digest of the features and the target of each row, the same for dense and sparse
// features.
std::vector<std::uint64_t> content_digests(const Values& values,
                                           View<const double> targets, Host& host);

// The rows, sorted by the digest of their features and target, then by their weights, if
// given.
std::vector<std::uint32_t> content_order(const Values& values, View<const double> targets,
                                         View<const double> weights, Host& host);

// Like content_order(), for known digests.
std::vector<std::uint32_t> order_of_digests(const std::vector<std::uint64_t>& digests,
                                            View<const double> weights);

// The rows of `order`, sorted by query, as in data::Queries: query q starts at
// offsets[q]. `query` counts from 1.
std::vector<int> order_of_queries(const std::vector<std::uint32_t>& order,
                                  View<const int> query, View<const int> offsets);

}  // namespace rankmix::regress
