#include "core/base/dense.h"

// The core starts no threads, whatever the compiler is told.
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "core/base/errors.h"

namespace rankmix::dense {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

Eigen::Map<const Matrix> map(MatrixView<const double> matrix) {
  return {matrix.col(0), index(matrix.rows()), index(matrix.cols())};
}

void check_square(const std::vector<double>& matrix, std::size_t size) {
  if (matrix.size() != size * size) {
    throw InvalidArgument("a system of equations has another size than its matrix");
  }
}

}  // namespace

void add_gram(MatrixView<const double> rows, double* gram) {
  const Eigen::Index size = index(rows.cols());
  Eigen::Map<Matrix>(gram, size, size)
      .selfadjointView<Eigen::Lower>()
      .rankUpdate(map(rows).transpose());
}

bool solve_positive(std::vector<double>& lower, std::vector<double>& right) {
  check_square(lower, right.size());
  const Eigen::Index size = index(right.size());
  Eigen::Map<Matrix> matrix(lower.data(), size, size);
  const Eigen::LLT<Eigen::Ref<Matrix>> factors(matrix);
  if (factors.info() != Eigen::Success) {
    return false;
  }
  Eigen::Map<Vector>(right.data(), size) =
      factors.solve(Eigen::Map<const Vector>(right.data(), size));
  return true;
}

std::vector<double> solve_square(const std::vector<double>& matrix,
                                 const std::vector<double>& right) {
  check_square(matrix, right.size());
  const Eigen::Index size = index(right.size());
  std::vector<double> solution(right.size());
  Eigen::Map<Vector>(solution.data(), size) =
      Eigen::Map<const Matrix>(matrix.data(), size, size)
          .partialPivLu()
          .solve(Eigen::Map<const Vector>(right.data(), size));
  return solution;
}

Spectrum spectrum_of(const std::vector<double>& lower, std::size_t size) {
  check_square(lower, size);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(
      Eigen::Map<const Matrix>(lower.data(), index(size), index(size)));
  Spectrum spectrum;
  if (solver.info() == Eigen::Success) {
    const double* values = solver.eigenvalues().data();
    const double* vectors = solver.eigenvectors().data();
    spectrum.values.assign(values, values + size);
    spectrum.vectors.assign(vectors, vectors + size * size);
    spectrum.found = true;
  }
  return spectrum;
}

double reciprocal_condition(const std::vector<double>& lower, std::size_t size) {
  check_square(lower, size);
  const Eigen::LLT<Matrix> factors(
      Eigen::Map<const Matrix>(lower.data(), index(size), index(size)));
  return factors.info() == Eigen::Success ? factors.rcond() : 0.0;
}

void multiply(MatrixView<const double> matrix, const double* x, double* out) {
  Eigen::Map<Vector>(out, index(matrix.rows())).noalias() =
      map(matrix) * Eigen::Map<const Vector>(x, index(matrix.cols()));
}

void add_transposed(MatrixView<const double> matrix, const double* y, double* sums) {
  Eigen::Map<Vector>(sums, index(matrix.cols())).noalias() +=
      map(matrix).transpose() * Eigen::Map<const Vector>(y, index(matrix.rows()));
}

void divide_rows(const std::vector<double>& lower, std::size_t size, std::size_t count,
                 double* rows) {
  check_square(lower, size);
  Eigen::Map<Matrix> all(rows, index(count), index(size));
  Eigen::Map<const Matrix>(lower.data(), index(size), index(size))
      .transpose()
      .triangularView<Eigen::Upper>()
      .solveInPlace<Eigen::OnTheRight>(all);
}

void divide(const std::vector<double>& lower, std::vector<double>& x) {
  check_square(lower, x.size());
  const Eigen::Index size = index(x.size());
  Eigen::Map<Vector> all(x.data(), size);
  Eigen::Map<const Matrix>(lower.data(), size, size)
      .transpose()
      .triangularView<Eigen::Upper>()
      .solveInPlace(all);
}

}  // namespace rankmix::dense
