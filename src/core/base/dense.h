// Factorisations and products of dense matrices. Matrices are column-major, as in R.
// Eigen is hidden behind these functions, so that it is compiled once.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/host.h"
#include "core/base/views.h"

namespace rankmix::dense {

// Adds the product X'X of the matrix X = `rows` to the lower triangle of `gram`, which is
// columns x columns.
void add_gram(MatrixView<const double> rows, double* gram);

// Solves a system with a symmetric positive definite matrix by Cholesky factors. Only the
// lower triangle of the matrix is read; it is overwritten. `right` becomes the solution.
// Returns false and leaves `right` unchanged if the factorisation fails or the solution
// is not finite.
bool solve_positive(std::vector<double>& lower, std::vector<double>& right);

// The eigenvalues and eigenvectors of a symmetric matrix, of which the lower triangle is
// read: matrix = vectors diag(values) vectors', with increasing values.
struct Spectrum {
  std::vector<double> values;
  std::vector<double> vectors;  // one column for each eigenvector
  bool found = false;           // false if the matrix has a missing or infinite number
};
// Polls the host for an interrupt, because a matrix of some thousand rows takes minutes.
Spectrum spectrum_of(const std::vector<double>& lower, std::size_t size, Host& host);

// The reciprocal condition number of a positive definite matrix, estimated as in LAPACK.
// It is 0 if the factorisation fails or the matrix has a missing number.
double reciprocal_condition(const std::vector<double>& lower, std::size_t size);

// Divides by L', the transpose of a lower triangular matrix L (`size` x `size`).
// divide_rows() replaces `rows` (`count` x `size`) by rows L'^-1. divide() replaces x by
// L'^-1 x.
void divide_rows(const std::vector<double>& lower, std::size_t size, std::size_t count,
                 double* rows);
void divide(const std::vector<double>& lower, std::vector<double>& x);

// multiply() returns matrix * vector, multiply_transposed() returns matrix' * vector.
std::vector<double> multiply(MatrixView<const double> matrix, View<const double> vector);
std::vector<double> multiply_transposed(MatrixView<const double> matrix,
                                        View<const double> vector);

double dot(View<const double> a, View<const double> b);
double sum(View<const double> values);

}  // namespace rankmix::dense
