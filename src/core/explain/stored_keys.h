// Content keys (core/explain/content_keys.h) of a table on disk.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"
#include "core/data/column_store.h"

namespace rankmix::explain {

// The same keys as for the table in memory, bit for bit. Largest magnitudes are over
// the rows of all ranks. Empty `weights` mean that all documents have positive weight.
std::vector<double> content_keys(const data::ColumnStore& store,
                                 const std::vector<std::size_t>& columns,
                                 View<const double> weights, Host& host);

// For each of the few sorted `wanted` keys, the first row that has this key, or the number
// of rows if there is none.
std::vector<std::size_t> first_rows(View<const double> keys, View<const double> wanted);

}  // namespace rankmix::explain
