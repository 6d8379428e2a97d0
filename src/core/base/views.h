// Non-owning views of arrays that belong to somebody else, usually to R.
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

}  // namespace rankmix
