// Dense matrices, column by column as R has them, where they need factors. Eigen does
// the work, behind functions, so that it is compiled once.
#pragma once
#include <cstddef>
#include <vector>

#include "core/base/views.h"

namespace rankmix::dense {

// gram += rows' rows, its lower half; `rows` is rows x columns, `gram` columns x columns.
void add_gram(MatrixView<const double> rows, double* gram);

// The solution of a system whose matrix is symmetric and positive definite. `lower` is
// the matrix, of which the lower half is read and overwritten; `right` becomes the
// solution. False, and `right` as it was, where there are no factors or the solution is
// not finite.
bool solve_positive(std::vector<double>& lower, std::vector<double>& right);

// Of a square matrix with factors; with row swaps.
std::vector<double> solve_square(const std::vector<double>& matrix,
                                 const std::vector<double>& right);

// matrix = vectors diag(values) vectors', the values increasing.
struct Spectrum {
  std::vector<double> values;
  std::vector<double> vectors;  // a column each
  bool found = false;           // no number was missing or infinite
};
Spectrum spectrum_of(const std::vector<double>& lower, std::size_t size);

// The reciprocal condition number of a positive definite matrix, as LAPACK estimates it;
// 0 where it has no factors or a number of it is missing.
double reciprocal_condition(const std::vector<double>& lower, std::size_t size);

// With a lower triangular matrix L: rows := rows L'^-1, of `count` rows, and x := L'^-1
// x.
void divide_rows(const std::vector<double>& lower, std::size_t size, std::size_t count,
                 double* rows);
void divide(const std::vector<double>& lower, std::vector<double>& x);

// sum_j matrix(i, j) vector(j), and sum_i matrix(i, j) vector(i).
std::vector<double> multiply(MatrixView<const double> matrix, View<const double> vector);
std::vector<double> multiply_transposed(MatrixView<const double> matrix,
                                        View<const double> vector);

double dot(View<const double> a, View<const double> b);
double sum(View<const double> values);

}  // namespace rankmix::dense
