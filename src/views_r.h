// R vectors and matrices as views of the core. The R objects must outlive the views.
#pragma once
#include <Rcpp.h>

#include "core/base/views.h"
#include "core/data/queries.h"

namespace rankmix {

inline MatrixView<const double> matrix_view(const Rcpp::NumericMatrix& x) {
  return {REAL(x), static_cast<std::size_t>(x.nrow()),
          static_cast<std::size_t>(x.ncol())};
}
inline MatrixView<double> writable_view(Rcpp::NumericMatrix& x) {
  return {REAL(x), static_cast<std::size_t>(x.nrow()),
          static_cast<std::size_t>(x.ncol())};
}
inline View<const int> int_view(const Rcpp::IntegerVector& x) {
  return {INTEGER(x), static_cast<std::size_t>(x.size())};
}
inline View<const double> double_view(const Rcpp::NumericVector& x) {
  return {REAL(x), static_cast<std::size_t>(x.size())};
}

}  // namespace rankmix
