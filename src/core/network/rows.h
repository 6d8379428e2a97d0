// The documents of a training data set in the form in which a network reads them:
// standardised features in single precision, in tiles, query by query.
//
// Queries, and the documents of each query, are ordered by hashes of their contents. So
// results do not depend on the order of rows in the data. Queries of weight 0 are
// omitted. Each query starts a new tile.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/objective/objective.h"

namespace rankmix::network {

// A feature x becomes (x' - center) * factor. x' is x, or sign(x) log(1 + |x|) with
// `logarithms`. The factor of a constant feature is 0.
struct InputScale {
  bool logarithms = false;
  std::vector<double> center;
  std::vector<double> factor;
};

// The documents in their new order, in which their positions are 0, 1, 2, ...
class PackedDocuments {
 public:
  // `hashes` has a hash of each row of the data, which identifies its contents.
  PackedDocuments(const objective::Documents& documents,
                  const std::vector<std::uint64_t>& hashes);
  objective::Documents view() const;
  std::size_t size() const { return rows_.size(); }
  std::size_t queries() const { return offsets_.size() - 1; }
  std::size_t row(std::size_t position) const { return rows_[position]; }
  std::size_t first(std::size_t query) const {
    return static_cast<std::size_t>(offsets_[query]);
  }
  // Query q has the tiles first_tile(q) .. first_tile(q + 1) - 1.
  std::size_t first_tile(std::size_t query) const { return first_tiles_[query]; }
  std::size_t tiles() const { return first_tiles_.back(); }
  // For each position, the weight of the document times the weight of its query.
  std::vector<double> total_weights() const;

 private:
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> first_tiles_;
  std::vector<int> order_;
  std::vector<int> offsets_;
  std::vector<int> grades_;
  std::vector<double> targets_;
  std::vector<double> weights_;
  std::vector<double> query_weights_;
};

// Hashes of the rows of a dense or sparse matrix, together with their grades, targets and
// weights.
template <class Matrix>
std::vector<std::uint64_t> hash_documents(const Matrix& x,
                                          const objective::Documents& documents,
                                          Host& host);

struct PackedRows {
  InputScale scale;
  AlignedVector<float> tiles;  // tiles x features x lanes
};

// Computes weighted means and standard deviations, and packs the scaled features.
template <class Matrix>
PackedRows pack_rows(const Matrix& x, const PackedDocuments& documents, bool logarithms,
                     Host& host);

// Scales the rows [begin, end) and writes them as tiles. Surplus lanes of the last tile
// are 0.
template <class Matrix>
void scale_rows(const Matrix& x, const InputScale& scale, std::size_t begin,
                std::size_t end, float* tiles);

}  // namespace rankmix::network
