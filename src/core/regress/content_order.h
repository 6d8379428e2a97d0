// An order of rows by what is in them, so that sums in this order do not depend on that
// of the rows: rows of the same content are exchangeable.
#pragma once
#include <cstdint>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/regress/documents.h"

namespace rankmix::regress {

// A digest of the features and the target of each row. Dense and sparse features have the
// same one.
std::vector<std::uint64_t> content_digests(const Values& values,
                                           View<const double> targets, Host& host);

// The rows in increasing order of a digest of their features and targets, then of their
// weights, if there are some.
std::vector<std::uint32_t> content_order(const Values& values, View<const double> targets,
                                         View<const double> weights, Host& host);

// The rows of `order` query after query, those of query q from offsets[q] on, as
// data::Queries lists them; `query` counts from 1.
std::vector<int> order_of_queries(const std::vector<std::uint32_t>& order,
                                  View<const int> query, View<const int> offsets);

}  // namespace rankmix::regress
