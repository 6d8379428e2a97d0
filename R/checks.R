# Checks of arguments, in the user's words. Each function returns the checked value in the form that the package uses.

check_count <- function(x, name, min = 1, max = Inf, infinite = FALSE,
                        call = rlang::caller_env()) {
  whole <- is_plain_number(x) && length(x) == 1L && !is.na(x) &&
    (is.finite(x) && x == round(x) || infinite && x == Inf)
  if (!whole || x < min || x > max) {
    range <- if (is.finite(max)) {
      paste0("from ", min, " to ", plain_number(max))
    } else {
      paste0(">= ", min, if (infinite) ", or Inf")
    }
    stop_input(
      "argument",
      sprintf("`%s` must be a whole number %s, not %s.", name, range,
              show_value(x)),
      remedy = data_elsewhere(x), call = call
    )
  }
  x
}

check_number <- function(x, name, min, max, open_min = FALSE, call = rlang::caller_env(),
                         remedy = NULL) {
  good <- is_plain_number(x) && length(x) == 1L && is.finite(x) &&
    x >= min && x <= max && !(open_min && x == min)
  if (!good) {
    stop_input(
      "argument",
      sprintf("`%s` must be a number in %s%s, %s%s, not %s.", name,
              if (open_min) "(" else "[", min, max, if (is.infinite(max)) ")" else "]",
              show_value(x)),
      remedy = remedy, call = call
    )
  }
  x
}

# Two meanings of `level`: 0.95 for functions that estimate, 0.05 for functions that test. The ranges of the two do
# not overlap, so that a wrong use gives an error.
check_confidence <- function(level, call = rlang::caller_env()) {
  check_number(level, "level", 0.5, 1 - 1e-6, call = call,
               remedy = "It is the confidence level of the intervals, such as 0.95.")
}

check_significance <- function(level, call = rlang::caller_env()) {
  check_number(level, "level", 1e-6, 0.5, call = call,
               remedy = "It is the significance level, such as 0.05.")
}

check_choice <- function(x, name, choices, call = rlang::caller_env()) {
  if (!is.character(x) || length(x) != 1L || !x %in% choices) {
    near <- if (is.character(x) && length(x) == 1L && !is.na(x) && nzchar(x)) near_names(x, choices)
    stop_input(
      "argument",
      sprintf("`%s` must be one of %s, not %s.", name,
              paste0("\"", choices, "\"", collapse = ", "), show_value(x)),
      remedy = if (length(near) %in% 1:2) {
        sprintf("Did you mean %s?", paste0("\"", near, "\"", collapse = " or "))
      },
      call = call
    )
  }
  x
}

# For an argument whose default lists all choices, of which the first is used. Other vectors of several choices are an
# error, so that no choice is ignored.
check_first_choice <- function(x, name, choices, call = rlang::caller_env()) {
  check_choice(if (identical(x, choices)) choices[1L] else x, name, choices, call)
}

# The remedy if ranking data were given to a function that makes a specification, as in gbrt(data).
data_elsewhere <- function(x) {
  if (inherits(x, "ranking_data")) "Data are an argument of `fit()`: write `fit(spec, data)`."
}

check_flag <- function(x, name, call = rlang::caller_env()) {
  if (!is.logical(x) || length(x) != 1L || is.na(x)) {
    stop_input(
      "argument",
      sprintf("`%s` must be TRUE or FALSE, not %s.", name, show_value(x)),
      call = call
    )
  }
  x
}

check_class <- function(x, name, class, made_by, call = rlang::caller_env(),
                        remedy = NULL) {
  if (!inherits(x, class)) {
    stop_input(
      "argument",
      sprintf("`%s` must be made by %s, not %s.", name, made_by, show_value(x)),
      remedy = remedy, call = call
    )
  }
  x
}

# A single value of a class or a list of them, as a list.
check_list_of <- function(x, name, class, made_by, call = rlang::caller_env()) {
  if (inherits(x, class)) {
    x <- list(x)
  }
  if (!is.list(x) || length(x) == 0L) {
    stop_input(
      "argument",
      sprintf("`%s` must be a list of values made by %s, not %s.", name,
              made_by, show_value(x)),
      remedy = sprintf("Write `%s = list(%s)`.", name, sub("[`,].*$", "", sub("^`", "", made_by))),
      call = call
    )
  }
  for (i in seq_along(x)) {
    check_class(x[[i]], sprintf("%s[[%d]]", name, i), class, made_by, call)
  }
  x
}

check_threads <- function(threads, call = rlang::caller_env()) {
  if (is.null(threads)) {
    threads <- getOption("rankmix.threads", default_threads())
  }
  as.integer(check_count(threads, "threads", max = 1024, call = call))
}

# The number of processors, up to the limits that clusters and R CMD check set.
default_threads <- function() {
  limit <- suppressWarnings(as.integer(Sys.getenv("OMP_THREAD_LIMIT")))
  if (Sys.getenv("_R_CHECK_LIMIT_CORES_") %in% c("TRUE", "true", "warn")) limit <- min(limit, 2L, na.rm = TRUE)
  max(1L, min(RcppParallel::defaultNumThreads(), limit, na.rm = TRUE))
}

# Remedies for missing arguments, for functions that do not specify their own remedy.
what_to_give <- list(
  data = "Give data made by `ranking_data()` or `read_letor()`.",
  train = "Give training data made by `ranking_data()` or `read_letor()`.",
  newdata = "Give the data to predict for: ranking data, a matrix or a data frame.",
  folds = "Make them by `query_folds()` or `read_folds()`.",
  split = "Make it by `split_queries()`.",
  metrics = "For example `metric_ndcg(10)`, \"ndcg@10\" or a list of metrics.",
  object = "Give a ranker, scores, or a named list of them.",
  rankers = "For example `list(trees = gbrt(), feature = best_feature())`.",
  method = "For example `calibrator_cpc()`.",
  runs = "Give a named list of runs, or of scores in the row order of `data`.",
  benchmark = "Give what `benchmark_rankers()` made.",
  file = "Give the path of a file.",
  fraction = "Give the fraction of the queries for training, such as 0.8.",
  leaves = "For example `base_tree(8)`.",
  terms = "For example `base_product(3)`.",
  value = "Give a function of one query: see the example in `?metric_custom`.",
  feature = "Give the name of a feature, such as \"f3\". `data$features` has all names.",
  rounds = c("To train the model further, give the total number of rounds.",
             "To train anew, write `fit(model$spec, data)`.")
)

check_given <- function(is_missing, name, remedy = what_to_give[[name]],
                        call = rlang::caller_env()) {
  if (is_missing) {
    stop_input("argument", sprintf("`%s` is not given.", name), remedy = remedy,
               call = call)
  }
}

# Checks every argument without a default of the calling function.
# rlang::caller_fn() looks at all frames, which takes longer than the check.
check_all_given <- function(call = rlang::caller_env(), fn = sys.function(sys.parent())) {
  defaults <- formals(fn)
  needed <- names(defaults)[vapply(defaults, rlang::is_missing, NA)]
  for (name in setdiff(needed, "...")) {
    # `missing` is passed as a function, because an argument may have the name `missing`.
    check_given(eval(as.call(list(missing, as.name(name))), call), name, call = call)
  }
}

# `data$name` is NULL if `data` has no `name`. Such a NULL is an error, unless the user wrote NULL.
refuse_null <- function(expr, value, name, call = rlang::caller_env()) {
  if (is.null(value) && rlang::is_call(expr, c("$", "[[", "@", "getElement"))) {
    stop_input("column",
               sprintf("`%s = %s` is NULL.", name, rlang::as_label(expr)),
               "There is no object or element of this name.",
               "Check the name, or leave the argument out.",
               call = call)
  }
}

# Without a seed R's generator draws one, so `set.seed()` applies.
check_seed <- function(seed, call = rlang::caller_env()) {
  if (is.null(seed)) {
    return(sample.int(.Machine$integer.max, 1L))
  }
  check_count(seed, "seed", min = 0, max = 2^53, call = call)
}

# Accepts plain numbers only. 64-bit integers of other packages are stored in doubles whose values are meaningless.
is_plain_number <- function(x) {
  is.numeric(x) && !inherits(x, "integer64")
}

# A data frame of the user without other classes. Tibbles warn about columns that they lack, and data.tables have other
# methods for `[` and rbind(). as.data.frame() would need the package of the class. Take optional columns by
# `x[["name"]]`, because `x$name` also finds a column whose name begins with `name`.
plain_frame <- function(x) {
  rows <- .row_names_info(x, 0L)
  # R marks the row names 1, 2, ... of some classes as names that the user chose.
  if (is.integer(rows) && length(rows) == 2L && is.na(rows[1L])) rows <- .set_row_names(abs(rows[2L]))
  attributes(x) <- list(names = names(x), row.names = rows, class = "data.frame")
  x
}

# The matrix of a matrix, vector or data frame of the user. as.matrix() would read the bits of 64-bit integers in data
# frames. Here, the matrix keeps their class, so is_plain_number() is FALSE.
value_matrix <- function(x) {
  has_long <- is.data.frame(x) && any(vapply(x, inherits, NA, what = "integer64"))
  x <- as.matrix(if (is.data.frame(x)) plain_frame(x) else x)
  if (has_long) structure(x, class = "integer64") else x
}
