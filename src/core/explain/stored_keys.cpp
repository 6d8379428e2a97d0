#include "core/explain/stored_keys.h"

#include <algorithm>
#include <cmath>

#include "core/explain/content_keys.h"

namespace rankmix::explain {
namespace {

// The largest magnitude of a column among documents of positive weight.
double largest_of(const data::ColumnStore& store, std::size_t column,
                  View<const double> weights) {
  data::StoredBlock block;
  double largest = 0.0;
  auto use = [&](double value) {
    if (!std::isnan(value)) {
      largest = std::max(largest, std::abs(value));
    }
  };
  for (std::size_t b = 0; b < store.blocks(); ++b) {
    store.read(b, column, block);
    if (weights.empty() && block.has_codes()) {
      std::for_each(block.dictionary.begin(), block.dictionary.end(), use);
      continue;
    }
    for (std::size_t i = 0; i < block.rows; ++i) {
      if (weights.empty() || weights[store.first_row(b) + i] > 0.0) {
        use(block[i]);
      }
    }
  }
  return largest;
}

}  // namespace

std::vector<double> content_keys(const data::ColumnStore& store,
                                 const std::vector<std::size_t>& columns,
                                 View<const double> weights, Host& host) {
  std::vector<double> largest(columns.size());
  host.checkpoint();
  host.parallel_for(columns.size(), [&](std::size_t j) {
    largest[j] = largest_of(store, columns[j], weights);
  });
  host.reducer().max({largest.data(), largest.size()});
  std::vector<double> keys(store.rows(), 0.0);
  host.checkpoint();
  host.parallel_for(store.blocks(), [&](std::size_t b) {
    data::StoredBlock block;
    double* of_block = keys.data() + store.first_row(b);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (!(largest[j] > 0.0)) {
        continue;
      }
      store.read(b, columns[j], block);
      for (std::size_t i = 0; i < block.rows; ++i) {
        of_block[i] += key_term(block[i], largest[j], j);
      }
    }
  });
  return keys;
}

std::vector<std::size_t> first_rows(View<const double> keys, View<const double> wanted) {
  std::vector<std::size_t> rows(wanted.size(), keys.size());
  for (std::size_t i = keys.size(); i-- > 0;) {
    const auto equal = std::equal_range(wanted.begin(), wanted.end(), keys[i]);
    std::fill(rows.begin() + (equal.first - wanted.begin()),
              rows.begin() + (equal.second - wanted.begin()), i);
  }
  return rows;
}

}  // namespace rankmix::explain
