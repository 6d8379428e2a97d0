// New R vectors and matrices. If R has no memory left, its error jumps over the destructors
// of C++ objects: files would stay open, and memory would never be freed. Here the error is
// an exception until the call ends.
#pragma once
#include <Rcpp.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rankmix {

// A vector of any type of Rcpp. Numbers are not initialised.
template <class Vector>
Vector new_vector(std::size_t size) {
  constexpr auto type = static_cast<SEXPTYPE>(Vector::r_type::value);
  return Vector(Rcpp::unwindProtect(
      [size] { return Rf_allocVector(type, static_cast<R_xlen_t>(size)); }));
}

template <class Vector>
Vector new_zeros(std::size_t size) {
  Vector out = new_vector<Vector>(size);
  std::fill(out.begin(), out.end(), 0);
  return out;
}

// Copies of results with a number for each document or query.
inline Rcpp::NumericVector copied(const std::vector<double>& numbers) {
  auto out = new_vector<Rcpp::NumericVector>(numbers.size());
  std::copy(numbers.begin(), numbers.end(), out.begin());
  return out;
}
inline Rcpp::IntegerVector copied(const std::vector<int>& numbers) {
  auto out = new_vector<Rcpp::IntegerVector>(numbers.size());
  std::copy(numbers.begin(), numbers.end(), out.begin());
  return out;
}

// A matrix of any type of Rcpp. Numbers are not initialised.
template <class Matrix>
Matrix new_matrix(std::size_t rows, std::size_t columns) {
  constexpr auto type = static_cast<SEXPTYPE>(Matrix::r_type::value);
  return Matrix(Rcpp::unwindProtect([rows, columns] {
    return Rf_allocMatrix(type, static_cast<int>(rows), static_cast<int>(columns));
  }));
}

template <class Matrix>
Matrix new_zero_matrix(std::size_t rows, std::size_t columns) {
  Matrix out = new_matrix<Matrix>(rows, columns);
  std::fill(out.begin(), out.end(), 0);
  return out;
}

}  // namespace rankmix
