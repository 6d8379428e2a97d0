// A feature matrix as a linear model sees it: features shifted and scaled, with a
// constant one behind them if asked, and nothing copied.
//
// Tables of numbers for the K classes are laid out with a row's, or a feature's, K
// numbers side by side.
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
  bool bias = false;  // a constant feature of 1 comes last
};

class Features {
 public:
  // `scaling` has a number for each column.
  Features(std::size_t rows, std::size_t columns, Scaling scaling);
  virtual ~Features() = default;

  std::size_t rows() const { return rows_; }
  // Features, with the constant one.
  std::size_t inputs() const { return columns_ + (scaling_.bias ? 1 : 0); }
  const Scaling& scaling() const { return scaling_; }

  // products = X weights: rows x K from inputs x K.
  void multiply(const std::vector<double>& weights, std::size_t classes,
                std::vector<double>& products, Host& host) const;
  // X' values: inputs x K from rows x K.
  std::vector<double> multiply_transposed(const std::vector<double>& values,
                                          std::size_t classes, Host& host) const;
  // Writes rows as a matrix, column by column, each row times a number.
  void pack(View<const std::uint32_t> rows, View<const double> times, double* to) const;
  // Some of the rows.
  virtual std::unique_ptr<Features> subset(View<const std::uint32_t> rows) const = 0;

 private:
  // The products of rows [begin, end) of the features as they are, on top of `offset`.
  virtual void multiply_rows(const double* weights, const double* offset,
                             std::size_t classes, std::size_t begin, std::size_t end,
                             double* products) const = 0;
  // Adds the sums over rows [begin, end) of the features as they are.
  virtual void add_rows(const double* values, std::size_t classes, std::size_t begin,
                        std::size_t end, double* sums) const = 0;
  // Writes rows of the features as they are as a matrix, column by column.
  virtual void pack_rows(View<const std::uint32_t> rows, double* to) const = 0;

  std::size_t rows_;
  std::size_t columns_;
  Scaling scaling_;
};

// Of R's matrices, which must outlive them.
std::unique_ptr<Features> features_of(MatrixView<const double> x, Scaling scaling);
std::unique_ptr<Features> features_of(const SparseView& x, Scaling scaling);

}  // namespace rankmix::linear
