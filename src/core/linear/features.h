// The feature matrix X of a linear model: shifted and scaled features, and optionally a
// constant feature in the last place. Dense features are not copied.
//
// Tables for K classes are row-major: the K numbers of a row, or of a feature, are
// adjacent.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::linear {

// Feature j becomes (x_j - center_j) * factor_j.
struct Scaling {
  std::vector<double> center;
  std::vector<double> factor;
  bool bias = false;  // append a constant feature of 1
};

class Features {
 public:
  // `scaling` has one center and one factor for each column.
  Features(std::size_t rows, std::size_t columns, Scaling scaling);
  virtual ~Features() = default;

  std::size_t rows() const { return rows_; }
  // The number of features, including the constant one.
  std::size_t inputs() const { return columns_ + (scaling_.bias ? 1 : 0); }
  const Scaling& scaling() const { return scaling_; }

  // products = X weights. `weights` is inputs x K, `products` rows x K.
  void multiply(const std::vector<double>& weights, std::size_t classes,
                std::vector<double>& products, Host& host) const;
  // X' values. `values` is rows x K, the result inputs x K.
  std::vector<double> multiply_transposed(const std::vector<double>& values,
                                          std::size_t classes, Host& host) const;
  // Writes the given rows of X to a column-major matrix, row i multiplied by times[i].
  void pack(View<const std::uint32_t> rows, View<const double> times, double* to) const;
  // A copy of the given rows.
  virtual std::unique_ptr<Features> subset(View<const std::uint32_t> rows) const = 0;

 private:
  // Multiplies rows [begin, end) of the unscaled features by `weights` and adds `offset`
  // (one number for each class).
  virtual void multiply_rows(const double* weights, const double* offset,
                             std::size_t classes, std::size_t begin, std::size_t end,
                             double* products) const = 0;
  // Adds the products of rows [begin, end) of the unscaled features with `values` to
  // `sums`.
  virtual void add_rows(const double* values, std::size_t classes, std::size_t begin,
                        std::size_t end, double* sums) const = 0;
  // Writes the given rows of the unscaled features to a column-major matrix.
  virtual void pack_rows(View<const std::uint32_t> rows, double* to) const = 0;

  std::size_t rows_;
  std::size_t columns_;
  Scaling scaling_;
};

// Creates features from one of R's matrices, which must outlive the result.
std::unique_ptr<Features> features_of(MatrixView<const double> x, Scaling scaling);
std::unique_ptr<Features> features_of(const SparseView& x, Scaling scaling);

}  // namespace rankmix::linear
