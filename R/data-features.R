# Feature matrices: dense or sparse, always of doubles.

# Whether x is a dgCMatrix of the package Matrix. The package is loaded before its class is used, because
# R would otherwise attach it.
is_sparse <- function(x) {
  load_matrix(x) && inherits(x, "dgCMatrix")
}

load_matrix <- function(x) {
  isS4(x) && requireNamespace("Matrix", quietly = TRUE)
}

as_feature_matrix <- function(x, name = "x", call = rlang::caller_env()) {
  if (load_matrix(x) && inherits(x, "Matrix")) {
    x <- from_matrix_package(x, name, call)
  } else if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)) ||
               inherits(x, "integer64")) {
    stop_input(
      "feature",
      sprintf("`%s` must be a numeric matrix, a sparse matrix or a data frame, not %s.",
              name, show_value(x)),
      remedy = if (is.numeric(x) && is.null(dim(x))) {
        "For one document give a matrix of one row: `x[1, , drop = FALSE]`."
      } else if (rlang::is_string(x)) {
        "If this is a file, read it by `read_letor()` or `read_ranking()`, or give a `data_source()`."
      },
      call = call
    )
  }
  if (dim(x)[2L] == 0L) {
    stop_input("feature", "The data have no feature columns.",
               remedy = "Give at least one numeric feature.", call = call)
  }
  if (!is_sparse(x) && !is.double(x)) {
    storage.mode(x) <- "double"
  }
  x
}

# Converts any matrix of the package Matrix. Sparse matrices become a dgCMatrix without explicit zeros, so
# that
# equal data are identical.
from_matrix_package <- function(x, name, call) {
  valid <- tryCatch(methods::validObject(x, test = TRUE), error = conditionMessage)
  if (!isTRUE(valid)) {
    stop_input("feature", sprintf("`%s` is a damaged matrix.", name), valid,
               "Make it anew with the package Matrix.", call = call)
  }
  if (!inherits(x, "sparseMatrix")) {
    return(as.matrix(x))
  }
  if (!is_sparse(x)) {
    x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"),
                     "CsparseMatrix")
  }
  if (any(x@x == 0, na.rm = TRUE)) Matrix::drop0(x) else x
}

# A dgCMatrix from its parts, with these column names.
new_sparse <- function(parts, rows, names, call = rlang::caller_env()) {
  rlang::check_installed("Matrix", "for sparse matrices.", call = call)
  methods::new(methods::getClass("dgCMatrix", where = asNamespace("Matrix")),
               i = parts$i, p = parts$p, x = parts$x,
               Dim = c(rows, length(parts$p) - 1L), Dimnames = list(NULL, names))
}

# Dense features, for algorithms without a sparse form.
dense_features <- function(data) {
  if (is_sparse(data$x)) unname(as.matrix(data$x)) else data$x
}

# Calls f(values, zeros) for each column: its values, or for a sparse column its stored values and the
# number of its other values, which are 0.
of_columns <- function(x, f) {
  if (!is_sparse(x)) {
    return(vapply(seq_len(ncol(x)), function(j) f(x[, j], 0), numeric(1)))
  }
  starts <- x@p
  vapply(seq_len(dim(x)[2L]), function(j) {
    values <- x@x[starts[j] + seq_len(starts[j + 1L] - starts[j])]
    f(values, dim(x)[1L] - length(values))
  }, numeric(1))
}

feature_names <- function(x, call = rlang::caller_env()) {
  names <- colnames(x)
  if (is.null(names)) {
    return(paste0("x", seq_len(dim(x)[2L])))
  }
  check_names(names, call)
}

check_names <- function(names, call = rlang::caller_env()) {
  nameless <- which(is.na(names) | names == "")
  if (length(nameless) > 0L) {
    stop_input(
      "feature",
      sprintf("Feature %d has no name, though others have one.", nameless[1L]),
      remedy = "Name all columns of a matrix, or none.",
      call = call
    )
  }
  if (anyDuplicated(names)) {
    stop_input(
      "feature",
      sprintf("Names of features occur more than once: %s.",
              enumerate(unique(names[duplicated(names)]))),
      remedy = "Give every column its own name.",
      call = call
    )
  }
  names
}
