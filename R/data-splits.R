#' Split queries into parts or folds
#'
#' `split_queries()` randomly assigns queries to training and test data, or to other parts.
#' `query_folds()` assigns them to folds for cross-validation. Each fold is the test part once, the
#' validation part once, and training data otherwise, as in LETOR. Both return query ids, not data.
#'
#' @param data The ranking data, made by [ranking_data()] or [read_letor()].
#' @param fraction The fraction of queries for training, between 0 and 1. Or the fractions of several
#'   parts, which sum to 1, such as `c(train = 0.6, valid = 0.2, test = 0.2)`. Three fractions without
#'   names get these names, two `train` and `test`.
#' @param folds Number of folds, at least 3; default 5.
#' @param stratify Whether the parts are similar in list length and in the fraction of relevant
#'   documents; default `FALSE`. Queries are sorted by list length and by the fraction of relevant
#'   documents. Neighbours in this order are assigned to different parts. Stratification needs grades.
#' @param seed The seed. By default R's generator draws one. For a seed, the parts depend on the ids of the queries, but
#'   not on the order of rows.
#' @param split A split, from `split_queries()` or `query_folds()`.
#' @param fold The number of the fold.
#' @param ... Not used.
#'
#' @return `split_queries()`: a value of class `rankmix_split` with the query ids of each part, as
#'   strings. `query_folds()`: a value of class `rankmix_folds` with `folds`, a list of `train`, `valid`
#'   and `test` for each fold. `data[split$train]` is the data of a part. `split_parts()` returns the
#'   data of all parts, or of one `fold`, as a list.
#' @section Conditions: `rankmix_error_argument`: a part without queries, or fractions that do not sum
#'   to 1. `rankmix_error_query`: from `split_parts()`, the data lack a query of the split.
#' @section Cost: A sort of the queries. Only `split_parts()` copies data.
#' @examples
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' split <- split_queries(data, 0.8, seed = 1)
#' split
#' parts <- split_parts(split, data)
#' split_queries(data, c(train = 0.6, valid = 0.2, test = 0.2), seed = 1)
#' folds <- query_folds(data, 5, stratify = TRUE, seed = 1)
#' folds
#' names(split_parts(folds, data, fold = 2))
#' @export
split_queries <- function(data, fraction, stratify = FALSE, seed = NULL, ...) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(data, judged = FALSE, binned = TRUE)
  fractions <- split_fractions(fraction)
  check_flag(stratify, "stratify")
  seed <- check_seed(seed)
  count <- length(data$query_ids)
  ends <- round(cumsum(fractions) * count)
  sizes <- diff(c(0, ends))
  if (any(sizes < 1)) {
    stop_input("argument",
               sprintf("With `fraction = %s`, a part of the %d queries is empty.", setting_text(fraction), count))
  }
  assigned <- assignment_order(data, stratify, seed)
  part <- spread_parts(sizes)
  ids <- id_text(data$query_ids)
  parts <- lapply(seq_along(sizes), function(k) ids[sort(assigned[part == k])])
  structure(c(stats::setNames(parts, names(fractions)), list(seed = seed, stratify = stratify)),
            class = "rankmix_split")
}

# The named fractions of the parts.
split_fractions <- function(fraction, call = rlang::caller_env()) {
  if (length(fraction) <= 1L) {
    check_number(fraction, "fraction", 0, 1, call = call)
    return(c(train = fraction[[1L]], test = 1 - fraction[[1L]]))
  }
  good <- is_plain_number(fraction) && all(is.finite(fraction) & fraction > 0) &&
    abs(sum(fraction) - 1) < 1e-8
  if (!good) {
    stop_input("argument", "The numbers in `fraction` must be above 0 and sum to 1.",
               if (is_plain_number(fraction)) {
                 sprintf("They are %s.", paste(vapply(fraction, number_text, ""), collapse = ", "))
               } else {
                 sprintf("`fraction` is %s.", show_value(fraction))
               },
               "For example `c(train = 0.6, valid = 0.2, test = 0.2)`.", call = call)
  }
  names <- names(fraction)
  if (is.null(names) && length(fraction) <= 3L) {
    names <- if (length(fraction) == 2L) c("train", "test") else c("train", "valid", "test")
  }
  if (is.null(names) || !all(nzchar(names)) || anyDuplicated(names) ||
        any(names %in% c("seed", "stratify"))) {
    stop_input("argument", "Each number in `fraction` needs its own name.",
               remedy = "For example `c(train = 0.6, valid = 0.2, test = 0.2)`.", call = call)
  }
  stats::setNames(fraction, names)
}

# The part of each index, such that neighbours are in different parts: the parts alternate in
# proportion to their sizes.
spread_parts <- function(sizes) {
  count <- sum(sizes)
  part <- integer(count)
  for (k in rev(seq_along(sizes)[-1L])) {
    free <- which(part == 0L)
    left <- length(free) - sizes[k]
    stays <- diff(floor(seq(0, left, length.out = length(free) + 1L) + 1e-9)) > 0
    part[free[!stays]] <- k
  }
  part[part == 0L] <- 1L
  part
}

#' @rdname split_queries
#' @export
query_folds <- function(data, folds = 5, stratify = FALSE, seed = NULL, ...) {
  check_no_others(...)
  check_all_given()
  check_ranking_data(data, judged = FALSE, binned = TRUE)
  count <- length(data$query_ids)
  check_count(folds, "folds", min = 3, max = max(3, count))
  check_flag(stratify, "stratify")
  seed <- check_seed(seed)
  if (count < folds) {
    stop_input("argument", sprintf("%d queries cannot fill %d folds.", count, folds))
  }
  assigned <- assignment_order(data, stratify, seed)
  part <- integer(count)
  part[assigned] <- rep_len(seq_len(folds), count)
  ids <- id_text(data$query_ids)
  split <- lapply(seq_len(folds), function(f) {
    valid <- if (f == 1L) folds else f - 1L
    list(train = ids[!part %in% c(f, valid)], valid = ids[part == valid],
         test = ids[part == f])
  })
  structure(list(folds = split, seed = seed, stratify = stratify), class = "rankmix_folds")
}

#' @rdname split_queries
#' @export
split_parts <- function(split, data, fold = NULL) {
  check_all_given()
  check_ranking_data(data, judged = FALSE, binned = TRUE)
  if (inherits(split, "rankmix_folds")) {
    check_count(fold, "fold", max = length(split$folds))
    return(lapply(split$folds[[fold]], function(ids) data[ids]))
  }
  check_class(split, "split", "rankmix_split", "`split_queries()` or `query_folds()`",
              remedy = if (is.list(split)) {
                "Give all folds and a number, such as `split_parts(folds, data, fold = 1)`."
              })
  lapply(split[setdiff(names(split), c("seed", "stratify"))], function(ids) data[ids])
}

# The queries in the order of their ids: of numbers if all ids are whole numbers, else of text. A random choice by
# this order does not depend on the order of rows.
queries_by_id <- function(data) {
  ids <- id_text(data$query_ids)
  if (all(grepl("^-?[0-9]{1,15}$", ids))) order(as.double(ids), ids, method = "radix") else order(ids, method = "radix")
}

sorted_by_id <- function(data) {
  by_id <- queries_by_id(data)
  if (is.unsorted(by_id)) take_documents(data, order(match(data$query, by_id))) else data
}

# Indexes of the queries in the order in which they are assigned.
assignment_order <- function(data, stratify, seed, call = rlang::caller_env()) {
  count <- length(data$query_ids)
  draw <- queries_by_id(data)[with_seed(seed, sample.int(count))]
  if (!stratify) {
    return(draw)
  }
  check_judged(data, "data", call)
  sizes <- diff(data$offsets)
  relevant <- as.vector(rowsum(as.numeric(data$relevance > 0L), data$query))
  # Divides values into about ten bands. Within a band the order is random.
  band <- function(x) findInterval(x, unique(stats::quantile(x, 1:9 / 10)))
  by_size <- band(sizes)
  by_fraction <- band(relevant / sizes)
  # The fraction of relevant documents rises in one size band and falls in the next. So neighbours are similar
  # across the border of two bands.
  by_fraction <- ifelse(by_size %% 2L == 0L, by_fraction, -by_fraction)
  draw[order(by_size[draw], by_fraction[draw])]
}

#' @export
print.rankmix_split <- function(x, ...) {
  sizes <- lengths(x[setdiff(names(x), c("seed", "stratify"))])
  sizes <- c(counted(sizes[[1L]], "query", "queries"), format_count(sizes[-1L]))
  say(sprintf("<rankmix_split> %s%s; seed %s",
              paste(sizes, setdiff(names(x), c("seed", "stratify")), collapse = ", "),
              if (x$stratify) ", stratified" else "", plain_number(x$seed)))
  invisible(x)
}

#' @export
print.rankmix_folds <- function(x, ...) {
  say(sprintf("<rankmix_folds> %d folds%s; seed %s", length(x$folds),
              if (x$stratify) ", stratified" else "", plain_number(x$seed)))
  for (i in seq_along(x$folds)) {
    sizes <- lengths(x$folds[[i]])
    say(sprintf("  fold %d: %s train, %s validate, %s test", i,
                counted(sizes[["train"]], "query", "queries"), format_count(sizes[["valid"]]),
                format_count(sizes[["test"]])))
  }
  invisible(x)
}
