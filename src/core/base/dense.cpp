#include "core/base/dense.h"

// Eigen must not start threads, for any flags of the compiler. Without wide registers,
// and with given sizes of caches (see set_cache_sizes()), Eigen adds in one order on
// all processors. Products and factors, which take most of the time, are in products.h
// and cholesky.h.
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/base/cholesky.h"
#include "core/base/errors.h"
#include "core/base/products.h"

namespace rankmix::dense {
namespace {

using Matrix = Eigen::MatrixXd;

// A matrix that polls the host. SelfAdjointEigenSolver cannot be interrupted. Its three
// steps are templates of the matrix, and each of their rounds calls one of these functions.
class PolledMatrix : public Matrix {
 public:
  // The lower triangle of a symmetric matrix.
  PolledMatrix(const Eigen::Map<const Matrix>& lower, Host& host)
      : Matrix(lower.triangularView<Eigen::Lower>()), host_(&host) {}

  // A reflector of the tridiagonal form.
  auto col(Eigen::Index i) {
    host_->checkpoint();
    return Matrix::col(i);
  }
  // A reflector is multiplied into the eigenvectors.
  auto bottomRightCorner(Eigen::Index rows, Eigen::Index cols) {
    host_->checkpoint();
    return Matrix::bottomRightCorner(rows, cols);
  }
  // A sweep of rotations.
  using Matrix::data;
  double* data() {
    host_->checkpoint();
    return Matrix::data();
  }

 private:
  Host* host_;
};

}  // namespace
}  // namespace rankmix::dense

// Eigen treats the matrix as the matrix that it extends.
namespace Eigen::internal {
template <>
struct traits<rankmix::dense::PolledMatrix> : traits<MatrixXd> {};
}  // namespace Eigen::internal

namespace rankmix::dense {
namespace {

using Vector = Eigen::VectorXd;
// Factorises in place.
using Factors = Eigen::LLT<Eigen::Ref<Matrix>>;

// Eigen splits its sums by the sizes of the caches, which differ between processors.
void set_cache_sizes() {
  static const bool set = [] {
    Eigen::setCpuCacheSizes(32 * 1024, 512 * 1024, 4 * 1024 * 1024);
    return true;
  }();
  static_cast<void>(set);
}

Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

Eigen::Map<const Matrix> map(MatrixView<const double> matrix) {
  return {matrix.col(0), index(matrix.rows()), index(matrix.cols())};
}

Eigen::Map<const Vector> map(View<const double> vector) {
  return {vector.data(), index(vector.size())};
}

void check_sizes(std::size_t one, std::size_t other) {
  if (one != other) {
    throw InvalidArgument("a product of matrices or vectors of other sizes");
  }
}

void check_square(const std::vector<double>& matrix, std::size_t size) {
  if (matrix.size() != size * size) {
    throw InvalidArgument("a system of equations has another size than its matrix");
  }
}

bool finite_lower(const std::vector<double>& matrix, std::size_t size) {
  for (std::size_t j = 0; j < size; ++j) {
    const double* column = matrix.data() + j * size;
    if (!std::all_of(column + j, column + size,
                     [](double number) { return std::isfinite(number); })) {
      return false;
    }
  }
  return true;
}

}  // namespace

void add_gram(MatrixView<const double> rows, double* gram) {
  const Vectors columns{rows.col(0), rows.rows(), rows.cols(), rows.rows()};
  add_products(columns, columns, 1.0, true, gram, rows.cols());
}

bool solve_positive(std::vector<double>& lower, std::vector<double>& right) {
  check_square(lower, right.size());
  if (!factor_positive(lower.data(), right.size())) {
    return false;
  }
  std::vector<double> solution = right;
  solve_by_factor(lower.data(), right.size(), solution.data());
  if (!std::all_of(solution.begin(), solution.end(),
                   [](double number) { return std::isfinite(number); })) {
    return false;
  }
  right.swap(solution);
  return true;
}

Spectrum spectrum_of(const std::vector<double>& lower, std::size_t size, Host& host) {
  set_cache_sizes();
  check_square(lower, size);
  Spectrum spectrum;
  if (!finite_lower(lower, size)) {
    return spectrum;
  }
  PolledMatrix matrix(
      Eigen::Map<const Matrix>(lower.data(), index(size), index(size)), host);
  if (size == 1) {
    return {lower, {1.0}, true};
  }
  // Entries of at most 1 have squares that neither overflow nor vanish together.
  const double largest = matrix.cwiseAbs().maxCoeff();
  const double scale = largest == 0.0 ? 1.0 : largest;
  matrix.triangularView<Eigen::Lower>() /= scale;
  Vector reflectors(matrix.cols() - 1);
  Eigen::internal::tridiagonalization_inplace(matrix, reflectors);
  Vector diagonal = matrix.diagonal();
  Vector below = matrix.diagonal<-1>();
  Vector workspace;
  Eigen::HouseholderSequence<Matrix, Vector>(matrix, reflectors)
      .setLength(matrix.rows() - 1)
      .setShift(1)
      .evalTo(matrix, workspace);
  const Eigen::ComputationInfo info = Eigen::internal::computeFromTridiagonal_impl(
      diagonal, below, Eigen::SelfAdjointEigenSolver<Matrix>::m_maxIterations, true,
      matrix);
  if (info == Eigen::Success) {
    diagonal *= scale;
    spectrum.values.assign(diagonal.data(), diagonal.data() + size);
    spectrum.vectors.assign(matrix.data(), matrix.data() + size * size);
    spectrum.found = true;
  }
  return spectrum;
}

double reciprocal_condition(const std::vector<double>& lower, std::size_t size) {
  set_cache_sizes();
  check_square(lower, size);
  std::vector<double> overwritten = lower;
  Eigen::Map<Matrix> matrix(overwritten.data(), index(size), index(size));
  const Factors factors(matrix);
  const double found = factors.info() == Eigen::Success ? factors.rcond() : 0.0;
  return found > 0.0 ? found : 0.0;
}

void divide_rows(const std::vector<double>& lower, std::size_t size, std::size_t count,
                 double* rows) {
  set_cache_sizes();
  check_square(lower, size);
  Eigen::Map<Matrix> all(rows, index(count), index(size));
  Eigen::Map<const Matrix>(lower.data(), index(size), index(size))
      .transpose()
      .triangularView<Eigen::Upper>()
      .solveInPlace<Eigen::OnTheRight>(all);
}

void divide(const std::vector<double>& lower, std::vector<double>& x) {
  set_cache_sizes();
  check_square(lower, x.size());
  const Eigen::Index size = index(x.size());
  Eigen::Map<Vector> all(x.data(), size);
  Eigen::Map<const Matrix>(lower.data(), size, size)
      .transpose()
      .triangularView<Eigen::Upper>()
      .solveInPlace(all);
}

std::vector<double> multiply(MatrixView<const double> matrix, View<const double> vector) {
  set_cache_sizes();
  check_sizes(matrix.cols(), vector.size());
  std::vector<double> product(matrix.rows(), 0.0);
  if (!product.empty() && !vector.empty()) {
    Eigen::Map<Vector>(product.data(), index(product.size())).noalias() =
        map(matrix) * map(vector);
  }
  return product;
}

std::vector<double> multiply_transposed(MatrixView<const double> matrix,
                                        View<const double> vector) {
  check_sizes(matrix.rows(), vector.size());
  std::vector<double> product(matrix.cols(), 0.0);
  if (!product.empty() && !vector.empty()) {
    add_products({matrix.col(0), matrix.rows(), matrix.cols(), matrix.rows()},
                 {vector.data(), vector.size(), 1, vector.size()}, 1.0, false,
                 product.data(), product.size());
  }
  return product;
}

double dot(View<const double> a, View<const double> b) {
  check_sizes(a.size(), b.size());
  return dot_product(a.data(), b.data(), a.size());
}

double sum(View<const double> values) { return map(values).sum(); }

}  // namespace rankmix::dense
