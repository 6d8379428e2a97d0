#' Kernel features
#'
#' Learns a map of the features whose inner products approximate a kernel. A linear ranker of the mapped
#' features, such as [linear_ranker()] or [ranksvm()], is then nonlinear in the original features.
#' `predict()` maps the training data and new data.
#'
#' @param data The training data, made by [ranking_data()] or [read_letor()]. Grades are not used.
#' @param kernel The kernel: `kernel_gaussian()` (the default) or `kernel_polynomial()`.
#' @param rank Number of landmarks, the documents from which the map is made; default 500. More landmarks
#'   are more accurate and take more time. If `data` has at most `rank` distinct documents, or with `Inf`, all documents
#'   are landmarks, and the map is exact on `data`.
#' @param scale Whether to scale features to mean 0 and standard deviation 1 on `data` first; default
#'   `TRUE`. Constant features are then left out.
#' @param seed The seed of the sample of landmarks, a whole number. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#' @param width The width \eqn{\omega}{w} of the Gaussian kernel, above 0. The default `NULL` is the root
#' of the total variance of the features. With `scale`, this is the root of the number of features.
#' @param degree The degree d of the polynomial kernel, 1 to 10; default 2, which uses products of two
#'   features. Higher degrees use products of more features.
#' @param offset The offset o of the polynomial kernel, 0 or more; default 1. Larger values give lower
#'   powers of the features more weight. With 0 only products of d features are used.
#'
#' @details For features x, z of two documents, p of them not constant, the kernels are
#'   \deqn{k(x, z) = e^{-|x - z|^2 / (2 \omega^2)} \quad \mathrm{and} \quad
#'     k(x, z) = (x \cdot z / p + o)^d.}{k(x, z) = exp(-|x - z|^2 / (2 w^2)) and
#'     k(x, z) = (x . z / p + o)^d.}
#'
#'   K is the kernel matrix of the landmarks \eqn{z_1, \ldots, z_m}{z_1, ..., z_m}, with the decomposition
#'   \eqn{K = U \Lambda U'}{K = U L U'}. With \eqn{k(x) = (k(z_1, x), \ldots, k(z_m, x))}{k(x) = (k(z_1,
#'   x), ..., k(z_m, x))} the mapped features are
#'   \deqn{\Phi(x) = \Lambda^{-1/2} U' k(x),}{Phi(x) = L^-1/2 U' k(x),}
#'   in order of decreasing eigenvalues. Eigenvalues of at most 2.2e-16 m times the largest are rounding
#'   errors and are left out. The largest entry of each eigenvector is positive. So \eqn{\Phi(x) \cdot
#'   \Phi(z) = k(x, z)}{Phi(x) . Phi(z) = k(x, z)} if x or z is a landmark. With all documents as
#'   landmarks, these are kernel principal components without centring. With fewer landmarks, this is the
#'   Nystroem approximation.
#'
#'   Landmarks are sampled without replacement from the distinct documents, sorted by their
#'   features. The map is invariant to row order. Duplicate documents affect only means and standard
#'   deviations. Query weights are not used. Sparse features become dense.
#'
#'   Cost, for m landmarks, n documents and p features: the decomposition takes m^3 operations, and the
#'   map n m (m + p). The result has n m numbers. 2000 landmarks take about 10 seconds.
#'
#' @return `kernel_features()`: a value of class `rankmix_kernel_map`, whose `values` are the
#'   eigenvalues and `landmarks` the scaled features of the landmarks. Its `predict()` gives ranking
#'   data with the features `kernel1`, `kernel2`, ... instead of the features of `newdata`. For a matrix or data frame,
#'   it returns a matrix. `kernel_gaussian()` and `kernel_polynomial()`: values of class `rankmix_kernel`.
#' @section Conditions: `rankmix_error_missing`: features have missing values.
#'   `rankmix_error_feature`: features are so large that the kernel is not finite.
#'   `rankmix_error_argument`: more than 10,000 landmarks. `rankmix_error_newdata`: new data
#'   have other features.
#' @references Schoelkopf, Smola and Mueller (1998). Nonlinear component analysis as a kernel
#'   eigenvalue problem. \doi{10.1162/089976698300017467}
#'
#'   Williams and Seeger (2001). Using the Nystroem method to speed up kernel machines. Advances
#'   in Neural Information Processing Systems 13.
#'
#'   Chapelle and Wu (2010). Gradient descent optimization of smoothed information retrieval
#'   metrics, section 6. \doi{10.1007/s10791-009-9110-3}
#' @seealso [standardize_queries()]
#' @examples
#' data <- simulate_ranking(60, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' map <- kernel_features(parts$train, rank = 100, seed = 1)
#' map
#' model <- fit(linear_ranker(penalty = 0.1), predict(map, parts$train), threads = 1)
#' summary(evaluate(model, predict(map, parts$test), metric_ndcg(10)))
#' @export
kernel_features <- function(data, kernel = kernel_gaussian(), rank = 500, scale = TRUE,
                            seed = NULL, threads = NULL) {
  check_all_given()
  check_ranking_data(data, judged = FALSE)
  refuse_wide_factors(data$encoding)
  check_class(kernel, "kernel", "rankmix_kernel", "`kernel_gaussian()` or `kernel_polynomial()`")
  check_count(rank, "rank", infinite = TRUE)
  check_flag(scale, "scale")
  seed <- check_seed(seed)
  threads <- check_threads(threads)
  refuse_missing(data$missing, "A kernel")
  x <- sorted_rows(dense_features(data))
  shape <- kernel_scaling(x, scale)
  distinct <- x[first_of_equal(x), , drop = FALSE]
  count <- min(rank, nrow(distinct))
  check_landmarks(count, rank)
  chosen <- if (count < nrow(distinct)) {
    with_seed(seed, sort(sample.int(nrow(distinct), count)))
  } else {
    seq_len(count)
  }
  landmarks <- scaled_features(distinct[chosen, , drop = FALSE], shape)
  if (kernel$name == "gaussian" && is.null(kernel$width)) kernel$width <- shape$width
  parts <- kernel_components(kernel_matrix(kernel, landmarks, landmarks, shape, threads))
  structure(
    c(list(kernel = kernel), shape, list(landmarks = landmarks), parts,
      list(documents = nrow(x), distinct = nrow(distinct)), schema_of(data)),
    class = "rankmix_kernel_map"
  )
}

#' @rdname kernel_features
#' @export
kernel_gaussian <- function(width = NULL) {
  if (!is.null(width)) check_number(width, "width", 0, Inf, open_min = TRUE)
  new_kernel("gaussian", width = width)
}

#' @rdname kernel_features
#' @export
kernel_polynomial <- function(degree = 2, offset = 1) {
  check_count(degree, "degree", max = 10)
  check_number(offset, "offset", 0, Inf)
  new_kernel("polynomial", degree = degree, offset = offset)
}

new_kernel <- function(name, ...) {
  structure(c(list(name = name), Filter(Negate(is.null), list(...))), class = "rankmix_kernel")
}

#' @param object A map, from `kernel_features()`.
#' @param newdata The data to map: [ranking data][ranking_data()] with the features of `data`, with or without grades.
#'   Or a matrix or data frame of these features.
#' @param ... Must be empty.
#' @rdname kernel_features
#' @export
predict.rankmix_kernel_map <- function(object, newdata, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  threads <- check_threads(threads)
  x <- as.matrix(match_features(newdata, object, threads))
  refuse_missing(sum(is.na(x)), "A kernel")
  k <- kernel_matrix(object$kernel, scaled_features(x, object), object$landmarks, object, threads)
  mapped <- linear_predict(k, object$coefficients, numeric(ncol(object$coefficients)), threads)
  names <- paste0("kernel", seq_len(ncol(mapped)))
  if (inherits(newdata, "ranking_data")) {
    return(replace_features(newdata, mapped, names, threads, keep = FALSE))
  }
  colnames(mapped) <- names
  mapped
}

refuse_missing <- function(count, what, call = rlang::caller_env()) {
  if (count > 0) {
    stop_input("missing", sprintf("%s needs all values, but %s %s missing.", what,
                                  plain_number(count), if (count == 1) "is" else "are"),
               remedy = "Fill them in first.", call = call)
  }
}

max_landmarks <- 10000

check_landmarks <- function(count, rank, call = rlang::caller_env()) {
  if (count > max_landmarks) {
    stop_input("argument",
               sprintf("`rank` is %s, which would make a map of %s documents.",
                       plain_number(rank), plain_number(count)),
               sprintf("%s at most can be decomposed.", plain_number(max_landmarks)),
               "For example `rank = 1000`.", call = call)
  }
}

# Rows sorted by their first feature, ties by the second, and so on.
sorted_rows <- function(x) {
  columns <- lapply(seq_len(ncol(x)), function(j) x[, j])
  x[do.call(order, columns), , drop = FALSE]
}

# Whether each of the sorted rows differs from the row before.
first_of_equal <- function(x) {
  n <- nrow(x)
  c(TRUE, rowSums(x[-1L, , drop = FALSE] != x[-n, , drop = FALSE]) > 0)
}

# The shift and the factor of each feature.
kernel_scaling <- function(x, scale, call = rlang::caller_env()) {
  center <- colMeans(x)
  variance <- colMeans(sweep(x, 2L, center)^2)
  if (!all(is.finite(variance))) stop_too_large(x, call)
  constant <- apply(x, 2L, function(v) min(v) == max(v))
  variance[constant] <- 0
  used <- if (scale) as.double(!constant) else variance
  width <- sqrt(sum(used))
  list(center = if (scale) center else 0 * center,
       factor = if (scale) ifelse(constant, 0, 1 / sqrt(variance)) else rep(1, ncol(x)),
       varying = max(1, sum(!constant)), width = if (width > 0) width else 1)
}

scaled_features <- function(x, shape) {
  sweep(sweep(x, 2L, shape$center), 2L, shape$factor, "*")
}

# Documents of x by documents of z.
kernel_matrix <- function(kernel, x, z, shape, threads, call = rlang::caller_env()) {
  products <- linear_predict(unname(x), t(z), numeric(nrow(z)), threads)
  k <- if (kernel$name == "gaussian") {
    # A rounding error can make |x|^2 + |z|^2 - 2 x z negative.
    distances <- outer(rowSums(x^2), rowSums(z^2), `+`) - 2 * products
    exp(-pmax(distances, 0) / (2 * kernel$width^2))
  } else {
    (products / shape$varying + kernel$offset)^kernel$degree
  }
  if (!all(is.finite(k))) stop_too_large(x, call)
  k
}

stop_too_large <- function(x, call) {
  stop_input("feature", "Features are too large for the kernel, which is not finite.",
             sprintf("One is %s.", format(max(abs(x)))),
             "Is that a mark for missing values? Or use `standardize_queries()` first.",
             call = call)
}

# The decomposition without eigenvalues that are rounding errors: `values`, and U / sqrt(values).
kernel_components <- function(k) {
  parts <- symmetric_eigen(k)
  kept <- parts$values > nrow(k) * .Machine$double.eps * parts$values[1L]
  kept[1L] <- TRUE  # a kernel that is 0 everywhere has one feature, which is 0
  values <- parts$values[kept]
  vectors <- parts$vectors[, kept, drop = FALSE]
  signs <- sign(vectors[cbind(apply(abs(vectors), 2L, which.max), seq_along(values))])
  divisors <- ifelse(values > 0, sqrt(values), 1)
  list(values = values, coefficients = sweep(vectors, 2L, signs / divisors, "*"))
}

#' @export
format.rankmix_kernel <- function(x, ...) {
  settings <- unlist(x[names(x) != "name"])
  shown <- sprintf("%s = %s", names(settings), number_text(settings, digits = 4, trim = TRUE))
  sprintf("%s(%s)", component_name("kernel", x$name), paste(shown, collapse = ", "))
}

#' @export
print.rankmix_kernel <- function(x, ...) {
  say("<kernel> ", format(x))
  invisible(x)
}

#' @export
print.rankmix_kernel_map <- function(x, ...) {
  say("<kernel map> ", format(x$kernel))
  say(sprintf("%s of %s distinct documents, %d features to %d",
              format_count(nrow(x$landmarks)), format_count(x$distinct), length(x$features),
              length(x$values)))
  invisible(x)
}
