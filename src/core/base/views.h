// Views of arrays that the view does not own. Most of the arrays belong to R.
#pragma once
#include <cstddef>
#include <vector>

namespace rankmix {

template <class T>
class View {
 public:
  View() = default;
  View(T* data, std::size_t size) : data_(data), size_(size) {}
  template <class U>
  View(const std::vector<U>& v) : data_(v.data()), size_(v.size()) {}  // NOLINT

  T& operator[](std::size_t i) const { return data_[i]; }
  T* data() const { return data_; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// A column-major matrix, as R stores it.
template <class T>
class MatrixView {
 public:
  MatrixView(T* data, std::size_t rows, std::size_t cols)
      : data_(data), rows_(rows), cols_(cols) {}

  T& operator()(std::size_t i, std::size_t j) const { return data_[j * rows_ + i]; }
  T* col(std::size_t j) const { return data_ + j * rows_; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

 private:
  T* data_;
  std::size_t rows_;
  std::size_t cols_;
};

// A sparse matrix in the column format of Matrix's dgCMatrix. Column j has the entries
// starts[j] .. starts[j + 1] - 1, with increasing rows. Missing entries are 0.
class SparseView {
 public:
  SparseView(View<const double> values, View<const int> row_of, View<const int> starts,
             std::size_t rows)
      : values_(values), row_of_(row_of), starts_(starts), rows_(rows) {}

  View<const double> values(std::size_t j) const {
    return {values_.data() + starts_[j], entries(j)};
  }
  View<const int> row_of(std::size_t j) const {
    return {row_of_.data() + starts_[j], entries(j)};
  }
  std::size_t entries(std::size_t j) const {
    return static_cast<std::size_t>(starts_[j + 1] - starts_[j]);
  }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return starts_.size() - 1; }

 private:
  View<const double> values_;
  View<const int> row_of_;
  View<const int> starts_;
  std::size_t rows_;
};

}  // namespace rankmix
