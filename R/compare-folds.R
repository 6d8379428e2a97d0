# The folds of a benchmark: how their data are read, and checks of the data.

# `part(name)` returns the data of a fold. `judged(name)` returns the same data, perhaps without features.
# `digests(name)` has a digest of each feature of the test part, see compare-data.R.
# `highest` is the highest grade of all folds, which sets the scale of metrics. `identity` has a digest
# of each fold, by name, to recognise the folds of another run.
fold_source <- function(folds, data, call = rlang::caller_env(), name = "folds") {
  if (inherits(folds, "rankmix_folds")) {
    check_given(is.null(data), "data", "Give the data that `folds` was made from.", call = call)
    check_ranking_data(data, call = call, binned = TRUE)
    names <- paste0("fold", seq_along(folds$folds))
    known <- rlang::hash(unclass(data))
    return(list(
      highest = max(data$relevance),
      judged = function(name) {
        split_parts(folds, without_features(data), match(name, names))
      },
      part = function(name) split_parts(folds, data, match(name, names)),
      digests = function(name) {
        feature_digests(data, rows_of_ids(data, folds$folds[[match(name, names)]]$test))
      },
      identity = stats::setNames(lapply(folds$folds, function(ids) list(ids, known)), names)
    ))
  }
  if (is.list(folds) && inherits(folds[["train"]], "ranking_data")) {
    folds <- list(test = folds)
  }
  check_folds(folds, call, name)
  if (is.null(names(folds))) {
    names(folds) <- paste0("fold", seq_along(folds))
  }
  part <- function(name) folds[[name]]
  list(highest = max(unlist(lapply(folds, lapply, function(part) max(part$relevance)))),
       judged = part, part = part, digests = function(name) feature_digests(folds[[name]]$test),
       identity = lapply(folds, lapply, unclass))
}

# Raises an error before training if nothing can be chosen on a validation part.
check_validation_parts <- function(folds, rankers, tune, call = rlang::caller_env()) {
  chosen <- vapply(names(rankers), function(name) {
    !is.null(tune[[name]]) || ranker_kind(rankers[[name]]) == "specification" &&
      has_trait(rankers[[name]], "validation")
  }, NA)
  if (!any(chosen)) {
    return(invisible())
  }
  for (name in names(folds$identity)) {
    valid <- folds$judged(name)$valid
    if (!is.null(valid)) {
      several <- length(folds$identity) > 1L
      check_can_choose(valid, if (several) sprintf("%s$valid", name) else "valid", call)
    }
  }
}

# Used if only grades are needed, because selecting queries would copy the features.
without_features <- function(data) {
  if (is_binned(data)) {
    data$x <- matrix(0, nrow(data), 0L)
    class(data) <- "ranking_data"
    return(data)
  }
  data$x <- data$x[, 0L, drop = FALSE]
  data
}

check_folds <- function(folds, call, name = "folds") {
  if (!is.list(folds) || is.object(folds) || length(folds) == 0L) {
    stop_input("argument", sprintf("`%s` must be a list of folds, not %s.", name,
                                   show_value(folds)),
               remedy = if (name == "data") {
                 "Give `list(train = ..., test = ...)`, or use `split_parts()` or `read_folds()`."
               } else if (is_plain_number(folds) && length(folds) == 1L) {
                 sprintf("Write `folds = query_folds(data, %s)`, and give `data`.", format(folds))
               } else {
                 "Use `read_folds()`, or `query_folds()` with `data`."
               }, call = call)
  }
  if (!is.null(names(folds))) {
    ranker_names(folds, call)
  }
  for (i in seq_along(folds)) {
    fold <- folds[[i]]
    good <- is.list(fold) && all(c("train", "test") %in% names(fold)) &&
      all(names(fold) %in% c("train", "valid", "test")) &&
      all(vapply(fold, inherits, NA, what = "ranking_data"))
    if (!good) {
      stop_input("argument",
                 sprintf("Fold %d must be a list of ranking data `train`, `valid` and `test`.",
                         i),
                 if (is.list(fold) && !is.null(names(fold))) {
                   sprintf("It has %s.", enumerate(names(fold)))
                 }, "`read_folds()` returns such lists. `valid` may be left out.", call = call)
    }
    for (part in names(fold)) {
      check_judged(fold[[part]], sprintf("folds[[%d]]$%s", i, part), call)
    }
    warn_overlap(fold[names(fold) != "test"], fold$test,
                 sprintf("test queries of fold %d are also trained or tuned on.", i),
                 "Test values of these queries are optimistic.")
  }
  weighted <- vapply(folds, function(fold) !is.null(fold$test$weight), NA)
  if (any(weighted != weighted[1L])) {
    stop_input("argument", "Some folds have weights of test queries, and others have none.",
               remedy = "Give all of them weights.", call = call)
  }
}

# Descriptions of the data for reports, and the judgements of the test parts.
describe_folds <- function(folds) {
  lapply(stats::setNames(nm = names(folds$identity)), function(name) {
    fold <- folds$judged(name)
    list(sizes = bind_named(lapply(fold, size_row), "part"),
         test = judged_documents(fold$test)[c("relevance", "query", "query_ids", "document",
                                              "weight")],
         features = folds$digests(name))
  })
}

# Sizes of the data, and the number of documents of each possible grade.
size_row <- function(data) {
  # All numbers are 0 for a relevance that is not graded.
  grades <- tabulate(if (is_graded(data)) data$relevance + 1L else 0L, largest_grade + 1L)
  data.frame(queries = length(data$query_ids), documents = nrow(data),
             features = length(data$features),
             t(stats::setNames(grades, paste("grade", 0:largest_grade))), check.names = FALSE)
}
