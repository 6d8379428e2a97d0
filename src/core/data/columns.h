// Access to one feature at a time as an array of all rows, for dense and sparse matrices.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/views.h"

namespace rankmix::data {

class Columns {
 public:
  virtual ~Columns() = default;
  virtual std::size_t rows() const = 0;
  virtual std::size_t count() const = 0;
  // Column j. Dense: a pointer into the matrix. Sparse: the column is expanded into
  // `buffer` and stays valid until the next use of `buffer`.
  virtual const double* column(std::size_t j, std::vector<double>& buffer) const = 0;
};

class DenseColumns : public Columns {
 public:
  explicit DenseColumns(MatrixView<const double> x) : x_(x) {}
  std::size_t rows() const override { return x_.rows(); }
  std::size_t count() const override { return x_.cols(); }
  const double* column(std::size_t j, std::vector<double>&) const override {
    return x_.col(j);
  }

 private:
  MatrixView<const double> x_;
};

class SparseColumns : public Columns {
 public:
  explicit SparseColumns(const SparseView& x) : x_(x) {}
  std::size_t rows() const override { return x_.rows(); }
  std::size_t count() const override { return x_.cols(); }
  const double* column(std::size_t j, std::vector<double>& buffer) const override {
    buffer.assign(x_.rows(), 0.0);
    for (std::size_t e = 0; e < x_.entries(j); ++e) {
      buffer[static_cast<std::size_t>(x_.row_of(j)[e])] = x_.values(j)[e];
    }
    return buffer.data();
  }

 private:
  SparseView x_;
};

inline std::unique_ptr<Columns> columns_of(MatrixView<const double> x) {
  return std::make_unique<DenseColumns>(x);
}
inline std::unique_ptr<Columns> columns_of(const SparseView& x) {
  return std::make_unique<SparseColumns>(x);
}

}  // namespace rankmix::data
