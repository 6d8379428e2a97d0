// Views of R vectors and matrices. The R objects must outlive the views.
#pragma once
#include <Rcpp.h>

#include <memory>

#include "core/base/errors.h"
#include "core/base/views.h"
#include "core/data/columns.h"
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

// A read-only view of a matrix of doubles. Rcpp's matrices request writable memory. R
// then copies a matrix whose names were changed (ALTREP).
inline MatrixView<const double> dense_view(SEXP x) {
  if (TYPEOF(x) != REALSXP || !Rf_isMatrix(x)) {
    throw InvalidArgument("the features must be a matrix of doubles");
  }
  return {REAL_RO(x), static_cast<std::size_t>(Rf_nrows(x)),
          static_cast<std::size_t>(Rf_ncols(x))};
}

// Calls use() with a view of the features: a matrix of doubles, or a dgCMatrix of the
// package Matrix. Of these two types, only dgCMatrix is an S4 object.
template <class Use>
auto with_features(const Rcpp::RObject& x, const Use& use) {
  if (x.inherits("binned_features")) {
    throw InvalidArgument("binned data have no values of features");
  }
  if (!x.isS4()) {
    return use(dense_view(x));
  }
  const Rcpp::NumericVector values(x.slot("x"));
  const Rcpp::IntegerVector row_of(x.slot("i"));
  const Rcpp::IntegerVector starts(x.slot("p"));
  const Rcpp::IntegerVector dims(x.slot("Dim"));
  return use(SparseView(double_view(values), int_view(row_of), int_view(starts),
                        static_cast<std::size_t>(dims[0])));
}

// Access to one feature at a time. `x` must outlive the result.
inline std::unique_ptr<data::Columns> columns_of(const Rcpp::RObject& x) {
  return with_features(x, [](const auto& view) -> std::unique_ptr<data::Columns> {
    return data::columns_of(view);
  });
}

}  // namespace rankmix
