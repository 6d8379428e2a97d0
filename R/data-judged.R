# Ranking data without grades have the `relevance` NULL. Such data are enough for predictions. Functions
# that need grades call these checks.

# Whether the documents have grades.
is_judged <- function(data) {
  !is.null(data$relevance)
}

# Checks for ranking data, with `judged` for ranking data with grades. With `binned`, binned data are
# accepted, which have no values of features.
check_ranking_data <- function(data, name = "data", judged = TRUE,
                               made_by = "`ranking_data()`",
                               call = rlang::caller_env(), binned = FALSE) {
  check_class(data, name, "ranking_data", made_by, call, how_to_make(data))
  if (!binned) refuse_binned(data, name, call)
  if (judged) check_judged(data, name, call)
  data
}

# The advice if another object was given instead of ranking data.
how_to_make <- function(x) {
  if (inherits(x, "rankmix_simulation")) {
    return("Take its `$data`.")
  }
  if (inherits(x, c("rankmix_spec", "rankmix_ranker"))) {
    return("This is a ranker. Check the order of the arguments.")
  }
  if (is_source(x)) {
    return("Read the source: `binned_data(source)`. `predict()` and `evaluate()` take a source itself.")
  }
  if (inherits(x, c("rankmix_split", "rankmix_folds"))) {
    return("`split_parts(split, data)` gives the data of its parts.")
  }
  if (is.atomic(x) && is.null(dim(x)) && length(x) > 1L) {
    return(paste("If these are ids of queries, such as `split_queries()` gives, take the data of these",
                 "queries: `data[ids]`, or `split_parts(split, data)`."))
  }
  if (is.matrix(x) || inherits(x, c("Matrix", "formula")) || is.data.frame(x) &&
        !inherits(x, c("rankmix_run", "rankmix_qrels", "rankmix_evaluation"))) {
    usual <- if (is.data.frame(x)) usual_columns(x)
    if (!is.null(usual)) {
      return(sprintf("Make it by `ranking_data(frame, %s)`.", usual$text))
    }
    if (inherits(x, "formula")) {
      return("Make it by `ranking_data(formula, frame, query = id)`, with the data frame `frame`.")
    }
    return(paste("Make it by `ranking_data(x, relevance = y, query = id)`,",
                 "one grade and one query id per row."))
  }
  if (is.character(x) && length(x) == 1L) {
    return("If this is a file, read it first, such as by `read_letor(file)`.")
  }
  if (is.list(x) && !is.object(x) && length(x) > 0L && inherits(x[[1L]], "ranking_data")) {
    return("Give the data themselves, not a list of them.")
  }
}

check_judged <- function(data, name, call = rlang::caller_env()) {
  if (!is_judged(data)) {
    stop_input("unjudged", sprintf("`%s` has no grades.", name),
               "It was made without `relevance`, so it can only be used to predict.",
               "Make it with the grades of the documents: `ranking_data(relevance = )`.",
               call = call)
  }
  data
}
