#' Standardise features within queries
#'
#' Gives every feature zero mean and unit standard deviation in each query. Use it for features such as
#' counts, which are comparable within a query but rarely between queries.
#'
#' @param data The ranking data, made by [ranking_data()] or [read_letor()].
#' @param add Whether to add the new features, with names that end in `_std`. The default `FALSE`
#'   replaces the features.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @details The standard deviation is [sd()] of the present values. Missing values stay missing. A feature
#'   that is constant in a query becomes 0 there. Nothing is learned from other queries: apply the same call
#'   to new data before prediction. Sparse features become dense.
#'
#' @return Ranking data with the same rows.
#' @section Cost: O(n p); memory for the new features.
#' @examples
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' standardize_queries(data)
#' standardize_queries(data, add = TRUE)
#' @export
standardize_queries <- function(data, add = FALSE, threads = NULL) {
  check_all_given()
  check_ranking_data(data, judged = FALSE)
  check_flag(add, "add")
  refuse_wide_factors(data$encoding)
  threads <- check_threads(threads)
  x <- standardize_features(dense_features(data), data$order, data$offsets, threads)
  names <- if (add) paste0(data$features, "_std") else data$features
  replace_features(data, x, names, threads, keep = add)
}

#' Whiten features within queries
#'
#' Replaces the features of each query by their principal components, scaled to unit variance. The new
#' features are uncorrelated within the query.
#'
#' @param ridge The number that is added to the diagonal of the covariance of a query if the covariance is
#'   deficient; default 0.001. Larger values shrink components of small variance more. A covariance is
#'   deficient if an eigenvalue is below 1e-8 times the largest, or if all are 0. Above 0.
#' @inheritParams standardize_queries
#' @param add Whether to add the new features, named `whitened1`, `whitened2`, .... The default `FALSE`
#'   replaces the features.
#'
#' @details With the centred features X of a query, of n documents, and the eigenvectors
#'   V and eigenvalues \eqn{\lambda} of their covariance \eqn{X'X / (n - 1)}, the
#'   result is \eqn{X V / \sqrt{\lambda}}{X V / sqrt(lambda)}. Components are in order of
#'   decreasing \eqn{\lambda}. The largest entry of each eigenvector (the first of several) is positive.
#'   Nothing is learned from other queries: apply the same call to new data before prediction. Sparse
#'   features become dense.
#'
#' @return Ranking data with the same rows.
#' @section Conditions: `rankmix_error_feature`: features have missing values, or values
#'   whose squares overflow.
#' @section Cost: An eigendecomposition per query, O(p^3).
#' @examples
#' set.seed(1)
#' data <- ranking_data(matrix(rnorm(60), 20), rep(0:1, 10), rep(1:2, each = 10))
#' white <- whiten_queries(data)
#' round(cov(white$x[1:10, ]), 10)
#' @export
whiten_queries <- function(data, ridge = 0.001, add = FALSE, threads = NULL) {
  check_all_given()
  check_ranking_data(data, judged = FALSE)
  check_number(ridge, "ridge", 0, 1e6, open_min = TRUE)
  check_flag(add, "add")
  refuse_wide_factors(data$encoding)
  threads <- check_threads(threads)
  if (data$missing > 0) {
    stop_input("feature", "Features with missing values cannot be whitened.",
               remedy = "Fill them in first, or use `standardize_queries()`.")
  }
  features <- dense_features(data)
  x <- matrix(0, nrow(features), ncol(features))
  for (q in seq_along(data$query_ids)) {
    rows <- data$order[(data$offsets[q] + 1L):data$offsets[q + 1L]] + 1L
    x[rows, ] <- whiten(features[rows, , drop = FALSE], ridge)
  }
  names <- paste0("whitened", seq_along(data$features))
  replace_features(data, x, names, threads, keep = add)
}

whiten <- function(x, ridge, call = rlang::caller_env()) {
  x <- sweep(x, 2L, colMeans(x))
  if (nrow(x) == 1L) {
    return(x)
  }
  covariance <- crossprod(x) / (nrow(x) - 1)
  if (!all(is.finite(covariance))) {
    stop_input("feature", "Features are too large to be whitened.",
               sprintf("Their covariance in a query is not finite; one value is %s.",
                       format(max(abs(x)))),
               "Is that a mark for missing values? Use `standardize_queries()` first.",
               call = call)
  }
  parts <- symmetric_eigen(covariance)
  lowest <- parts$values[length(parts$values)]
  values <- if (lowest <= 1e-8 * parts$values[1L]) {
    pmax(parts$values, 0) + ridge  # the ridge does not change the eigenvectors
  } else {
    parts$values
  }
  vectors <- apply(parts$vectors, 2L, function(v) v * sign(v[which.max(abs(v))]))
  x %*% vectors %*% diag(1 / sqrt(values), length(values))
}

# The data with the new features `x`, which follow or replace the old features.
replace_features <- function(data, x, names, threads, keep,
                             call = rlang::caller_env()) {
  if (keep) {
    names <- check_names(c(data$features, names), call)
    x <- cbind(dense_features(data), x)
  }
  if (!is.null(dimnames(x))) {
    dimnames(x) <- NULL  # copies the matrix only if another object shares it
  }
  # Transformed codes of a factor cannot be recoded with other levels.
  encoding <- lapply(data$encoding, function(entry) {
    entry$changed <- TRUE
    entry
  })
  new_ranking_data(x, data$relevance, data$query, data$query_ids, data$document,
                   data$weight,
                   feature_schema(names, data$named, data$columns, encoding), threads,
                   call, data$position, data$document_weight,
                   data$labels)
}

#' Group neighbouring grades, or values of relevance
#'
#' Replaces grades by coarser grades, or any relevance by grades. Assessors disagree about degrees of
#' relevance, so that training on coarser grades may help. Models of different groupings also differ, which
#' is useful for mixing. Rankers and metrics that need grades can use click rates or revenue after
#' `group_grades(data, breaks = )`.
#'
#' @param data The ranking data, made by [ranking_data()] or [read_letor()].
#' @param grouping The name of a grouping: `"identity"`; `"binary"`, \{0\} \{1, 2, ...\}; and for grades 0
#'   to 4 `"three"`, \{0\} \{1, 2\} \{3, 4\}; `"top"`, \{0\} \{1, 2, 3\}
#'   \{4\}; `"four"`, \{0\} \{1, 2\} \{3\} \{4\}. Or a vector with the new grade of
#'   each grade 0, 1, 2, ..., which starts at 0 and increases by 0 or 1.
#' @param breaks The lowest relevance of the grades 1, 2, ..., increasing. Use the same breaks for training
#'   and test data. The default `NULL` uses `grouping`.
#'
#' @return `group_grades()`: ranking data with the new grades. With `breaks`, the grade is the number of
#'   breaks that the relevance reaches.
#'
#'   `relevance_breaks()`: breaks for groups of about the same number of documents. Group i has the values
#'   above the quantile (i - 1) / `groups` and up to the quantile i / `groups` of the relevance. Each break
#'   is the lowest value of its group. Equal values have the same grade. So there are fewer groups if many
#'   documents have the same value, such as a click rate of 0.
#' @section Conditions: `rankmix_error_argument`: an unknown grouping, or breaks that do not increase.
#'   `rankmix_error_grade`: the data have a grade that the grouping lacks, a relevance is not graded and `grouping` is
#'   used, or all documents have the same relevance.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2011). Ranking by calibrated
#'   AdaBoost, table 2.
#' @examples
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' group_grades(data, "binary")
#' group_grades(data, c(0, 1, 1, 2))
#'
#' revenue <- ranking_data(cbind(bm25 = 1:6), relevance = c(0, 0, 0, 2.5, 9.9, 130),
#'                         query = rep(1:2, 3))
#' breaks <- relevance_breaks(revenue, 3)
#' group_grades(revenue, breaks = breaks)
#' @export
group_grades <- function(data, grouping, breaks = NULL) {
  check_given(missing(data), "data")
  check_ranking_data(data, binned = TRUE)
  if (!is.null(breaks)) {
    if (!missing(grouping)) {
      stop_input("argument", "Both `grouping` and `breaks` are given.",
                 remedy = "Give `grouping` for grades, or `breaks` for any relevance.")
    }
    check_breaks(breaks)
    return(with_relevance(data, findInterval(data$relevance, breaks)))
  }
  check_given(missing(grouping), "grouping", "Give a grouping of grades, or `breaks` for any relevance.")
  check_graded(data, "A grouping")
  groups <- groups_of_grades(grouping, max(data$relevance) + 1L)
  with_relevance(data, groups[data$relevance + 1L])
}

with_relevance <- function(data, relevance) {
  data$relevance <- relevance
  if (is_binned(data)) as_binned(data, check_threads(NULL)) else data
}

check_breaks <- function(breaks, call = rlang::caller_env()) {
  good <- is_plain_number(breaks) && length(breaks) >= 1L && length(breaks) <= largest_grade &&
    all(is.finite(breaks)) && all(diff(breaks) > 0)
  if (!good) {
    stop_input("argument", sprintf("`breaks` must be 1 to %d increasing numbers, not %s.", largest_grade,
                                   show_value(breaks)),
               remedy = "For example `breaks = relevance_breaks(data, 5)`.", call = call)
  }
}

#' @param groups The largest number of groups, 2 to 128; default 5, as grades of web search have.
#' @rdname group_grades
#' @export
relevance_breaks <- function(data, groups = 5) {
  check_given(missing(data), "data")
  check_ranking_data(data, binned = TRUE)
  check_count(groups, "groups", min = 2, max = largest_grade + 1L)
  values <- sort(unique(data$relevance))
  if (length(values) < 2L) {
    stop_input("grade", "All documents have the same relevance.", remedy = "There is nothing to group.")
  }
  ends <- stats::quantile(data$relevance, seq_len(groups - 1L) / groups, type = 1L, names = FALSE)
  unique(values[match(ends[ends < values[length(values)]], values) + 1L])
}

# The new grade of each of the grades 0, 1, ....
groups_of_grades <- function(grouping, classes, call = rlang::caller_env()) {
  groups <- if (!is.null(grouping)) grouping_grades(grouping)
  if (is.null(groups)) {
    return(seq_len(classes) - 1L)
  }
  if (length(groups) < classes) {
    stop_input("grade",
               sprintf("The data have the grade %d, the grouping ends at %d.",
                       as.integer(classes) - 1L, length(groups) - 1L),
               remedy = "Give a vector with the new grade of each grade 0, 1, 2, ....",
               call = call)
  }
  groups[seq_len(classes)]
}

# The new grade of each grade; NULL if grades do not change.
grouping_grades <- function(grouping, call = rlang::caller_env()) {
  named <- list(identity = NULL, binary = rep(0:1, c(1L, 30L)),  # any positive grade
                three = c(0L, 1L, 1L, 2L, 2L), top = c(0L, 1L, 1L, 1L, 2L),
                four = c(0L, 1L, 1L, 2L, 3L))
  if (is.character(grouping)) {
    check_choice(grouping, "grouping", names(named), call)
    return(named[[grouping]])
  }
  good <- is_plain_number(grouping) && length(grouping) > 0L && !anyNA(grouping) &&
    grouping[1L] == 0 && all(diff(grouping) %in% c(0, 1))
  if (!good) {
    stop_input(
      "argument",
      sprintf("`grouping` must be a name, or new grades that start at 0 and go up by 0 or 1, not %s.",
              show_value(grouping)),
      remedy = "For example \"three\" or c(0, 1, 1, 2, 2).",
      call = call
    )
  }
  as.integer(grouping)
}
