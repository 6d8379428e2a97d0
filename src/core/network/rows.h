// The documents of a training data set as a network sees them: features standardised, in
// single precision, in tiles, query after query.
//
// Queries, and documents in them, come in an order that follows from what is in them (by
// hashes of their numbers), so that the order of the rows of the data changes nothing.
// Queries of weight 0 are left out. Each query begins with a tile of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/aligned.h"
#include "core/base/host.h"
#include "core/base/views.h"
#include "core/objective/objective.h"

namespace rankmix::network {

// A feature x becomes (x' - center) * factor, with x' = x, or sign(x) log(1 + |x|). The
// factor of a constant feature is 0.
struct InputScale {
  bool logarithms = false;
  std::vector<double> center;
  std::vector<double> factor;
};

// The data of the documents, in their new order; their positions are 0, 1, 2, ...
class PackedDocuments {
 public:
  // `hashes` identify documents, one hash a row of the data.
  PackedDocuments(const objective::Documents& documents,
                  const std::vector<std::uint64_t>& hashes);
  objective::Documents view() const;
  std::size_t size() const { return rows_.size(); }
  std::size_t queries() const { return offsets_.size() - 1; }
  std::size_t row(std::size_t position) const { return rows_[position]; }
  std::size_t first(std::size_t query) const {
    return static_cast<std::size_t>(offsets_[query]);
  }
  // The tiles of a query are from here to those of the next one.
  std::size_t first_tile(std::size_t query) const { return first_tiles_[query]; }
  std::size_t tiles() const { return first_tiles_.back(); }
  // The weight of each position times the weight of its query.
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

// Hashes of the documents of a dense or sparse matrix, with what is known of them.
template <class Matrix>
std::vector<std::uint64_t> hash_documents(const Matrix& x,
                                          const objective::Documents& documents,
                                          Host& host);

struct PackedRows {
  InputScale scale;
  AlignedVector<float> tiles;  // tiles x features
};

// Finds means and standard deviations, by the weights, and packs.
template <class Matrix>
PackedRows pack_rows(const Matrix& x, const PackedDocuments& documents, bool logarithms,
                     Host& host);

// Rows [begin, end) as tiles; the lanes behind the last one are 0.
template <class Matrix>
void scale_rows(const Matrix& x, const InputScale& scale, std::size_t begin,
                std::size_t end, float* tiles);

}  // namespace rankmix::network
