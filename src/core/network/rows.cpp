#include "core/network/rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/base/blocks.h"
#include "core/base/random.h"
#include "core/base/sort.h"
#include "core/base/square_unit.h"
#include "core/network/lanes.h"

namespace rankmix::network {
namespace {

void read_column(const MatrixView<const double>& x, std::size_t j, std::size_t begin,
                 std::size_t end, double* to) {
  std::copy(x.col(j) + begin, x.col(j) + end, to);
}
void read_column(const SparseView& x, std::size_t j, std::size_t begin, std::size_t end,
                 double* to) {
  std::fill(to, to + (end - begin), 0.0);
  const View<const int> rows = x.row_of(j);
  const View<const double> values = x.values(j);
  const auto first = std::lower_bound(rows.begin(), rows.end(), static_cast<int>(begin));
  for (auto e = static_cast<std::size_t>(first - rows.begin());
       e < rows.size() && static_cast<std::size_t>(rows[e]) < end; ++e) {
    to[static_cast<std::size_t>(rows[e]) - begin] = values[e];
  }
}

double logarithm(double x) { return std::copysign(std::log1p(std::abs(x)), x); }

// Adding 0 turns -0 into 0, so that equal numbers have equal bits.
std::uint64_t bits_of(double x) {
  const double number = x + 0.0;
  std::uint64_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}

std::uint64_t mix_in(std::uint64_t hash, double x) { return mix_bits(hash ^ bits_of(x)); }

// A query's rows, sorted by their hashes, and the hash of the query.
struct HashedQuery {
  std::uint64_t hash;
  std::size_t query;
  std::vector<std::size_t> rows;
};

HashedQuery hash_query(const objective::Documents& documents, std::size_t query,
                       const std::vector<std::uint64_t>& hashes) {
  HashedQuery hashed{0, query, {}};
  for (int row : documents.queries.rows_of(query)) {
    hashed.rows.push_back(static_cast<std::size_t>(row));
  }
  sort_indices(hashed.rows, [&](std::size_t a, std::size_t b) {
    return hashes[a] != hashes[b] ? hashes[a] < hashes[b] : a < b;
  });
  if (!documents.query_weights.empty()) {
    hashed.hash = mix_in(hashed.hash, documents.query_weights[query]);
  }
  for (std::size_t row : hashed.rows) {
    hashed.hash = mix_bits(hashed.hash ^ hashes[row]);
  }
  return hashed;
}

template <class T>
void take(View<const T> all, const std::vector<std::size_t>& rows, std::vector<T>& out) {
  if (!all.empty()) {
    for (std::size_t row : rows) {
      out.push_back(all[row]);
    }
  }
}

// Computes center and factor of a packed column. A deviation that may be a rounding error
// counts as 0.
void find_scale(const std::vector<double>& column, const std::vector<double>& weights,
                double& center, double& factor) {
  constexpr double nothing = 1e-12;
  const auto ends = std::minmax_element(column.begin(), column.end());
  const double largest = std::max(std::abs(*ends.first), std::abs(*ends.second));
  const double unit = square_unit(largest);
  double total = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    total += weights[i];
    sum += weights[i] * (column[i] / unit);
  }
  const double mean = sum / total;
  double squares = 0.0;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const double off = column[i] / unit - mean;
    squares += weights[i] * off * off;
  }
  center = mean * unit;
  const double deviation = std::sqrt(squares / total) * unit;
  const bool varies = *ends.first < *ends.second && deviation > nothing * largest;
  factor = varies ? inverse_deviation(deviation) : 0.0;
}

}  // namespace

PackedDocuments::PackedDocuments(const objective::Documents& documents,
                                 const std::vector<std::uint64_t>& hashes)
    : first_tiles_{0}, offsets_{0} {
  std::vector<HashedQuery> queries;
  for (std::size_t q = 0; q < documents.queries.count(); ++q) {
    const bool counts =
        documents.query_weights.empty() || documents.query_weights[q] > 0.0;
    if (counts && !documents.queries.rows_of(q).empty()) {
      queries.push_back(hash_query(documents, q, hashes));
    }
  }
  std::sort(queries.begin(), queries.end(),
            [](const HashedQuery& a, const HashedQuery& b) {
              return a.hash != b.hash ? a.hash < b.hash : a.query < b.query;
            });
  for (const HashedQuery& hashed : queries) {
    rows_.insert(rows_.end(), hashed.rows.begin(), hashed.rows.end());
    offsets_.push_back(static_cast<int>(rows_.size()));
    first_tiles_.push_back(first_tiles_.back() + tiles_of(hashed.rows.size()));
    if (!documents.query_weights.empty()) {
      query_weights_.push_back(documents.query_weights[hashed.query]);
    }
  }
  order_.resize(rows_.size());
  std::iota(order_.begin(), order_.end(), 0);
  take(documents.grades, rows_, grades_);
  take(documents.targets, rows_, targets_);
  take(documents.weights, rows_, weights_);
}

objective::Documents PackedDocuments::view() const {
  return {{order_, offsets_}, grades_, targets_, weights_, query_weights_, {}};
}

std::vector<double> PackedDocuments::total_weights() const {
  std::vector<double> weights = weights_;
  weights.resize(size(), 1.0);
  for (std::size_t q = 0; q < query_weights_.size(); ++q) {
    for (std::size_t i = first(q); i < first(q + 1); ++i) {
      weights[i] *= query_weights_[q];
    }
  }
  return weights;
}

template <class Matrix>
std::vector<std::uint64_t> hash_documents(const Matrix& x,
                                          const objective::Documents& documents,
                                          Host& host) {
  std::vector<std::uint64_t> hashes(x.rows(), 0);
  for_each_block(host, x.rows(), RowCost::kHeavy,
                 [&](std::size_t, std::size_t begin, std::size_t end) {
                   std::vector<double> column(end - begin);
                   const auto mix_all = [&](const auto& value) {
                     for (std::size_t i = begin; i < end; ++i) {
                       hashes[i] = mix_in(hashes[i], value(i));
                     }
                   };
                   for (std::size_t j = 0; j < x.cols(); ++j) {
                     read_column(x, j, begin, end, column.data());
                     mix_all([&](std::size_t i) { return column[i - begin]; });
                   }
                   if (!documents.grades.empty()) {
                     // Levels depend on the order of queries; targets have the values.
                     mix_all([&](std::size_t i) {
                       return double(std::min(documents.grades[i], data::kFirstLevel));
                     });
                   }
                   if (!documents.targets.empty()) {
                     mix_all([&](std::size_t i) { return documents.targets[i]; });
                   }
                   if (!documents.weights.empty()) {
                     mix_all([&](std::size_t i) { return documents.weights[i]; });
                   }
                 });
  return hashes;
}

template <class Matrix>
PackedRows pack_rows(const Matrix& x, const PackedDocuments& documents, bool logarithms,
                     Host& host) {
  const std::size_t features = x.cols();
  const std::vector<double> weights = documents.total_weights();
  PackedRows packed{
      {logarithms, std::vector<double>(features), std::vector<double>(features)},
      AlignedVector<float>(documents.tiles() * features * kLanes, 0.0f)};
  host.parallel_for(features, [&](std::size_t j) {
    std::vector<double> all(x.rows());
    read_column(x, j, 0, x.rows(), all.data());
    std::vector<double> column(documents.size());
    for (std::size_t i = 0; i < column.size(); ++i) {
      const double value = all[documents.row(i)];
      column[i] = logarithms ? logarithm(value) : value;
    }
    double& center = packed.scale.center[j];
    double& factor = packed.scale.factor[j];
    find_scale(column, weights, center, factor);
    for (std::size_t q = 0; q < documents.queries(); ++q) {
      const std::size_t first = documents.first(q);
      float* tile =
          packed.tiles.data() + (documents.first_tile(q) * features + j) * kLanes;
      for (std::size_t k = 0; k < documents.first(q + 1) - first; ++k) {
        tile[k / kLanes * features * kLanes + k % kLanes] =
            static_cast<float>((column[first + k] - center) * factor);
      }
    }
  });
  return packed;
}

template <class Matrix>
void scale_rows(const Matrix& x, const InputScale& scale, std::size_t begin,
                std::size_t end, float* tiles) {
  const std::size_t rows = end - begin;
  const std::size_t features = x.cols();
  std::fill(tiles, tiles + tiles_of(rows) * features * kLanes, 0.0f);
  std::vector<double> column(rows);
  for (std::size_t j = 0; j < features; ++j) {
    read_column(x, j, begin, end, column.data());
    for (std::size_t k = 0; k < rows; ++k) {
      const double value = scale.logarithms ? logarithm(column[k]) : column[k];
      tiles[(k / kLanes * features + j) * kLanes + k % kLanes] =
          static_cast<float>((value - scale.center[j]) * scale.factor[j]);
    }
  }
}

using Dense = MatrixView<const double>;
template std::vector<std::uint64_t> hash_documents(const Dense&,
                                                   const objective::Documents&, Host&);
template std::vector<std::uint64_t> hash_documents(const SparseView&,
                                                   const objective::Documents&, Host&);
template PackedRows pack_rows(const Dense&, const PackedDocuments&, bool, Host&);
template PackedRows pack_rows(const SparseView&, const PackedDocuments&, bool, Host&);
template void scale_rows(const Dense&, const InputScale&, std::size_t, std::size_t,
                         float*);
template void scale_rows(const SparseView&, const InputScale&, std::size_t, std::size_t,
                         float*);

}  // namespace rankmix::network
