# What all models have: plot(), summary() and augment().

#' Plot what rankmix makes
#'
#' `plot()` draws what [ggplot2::autoplot()] gives, see [autoplot].
#'
#' @param x A model, or what [evaluate()], [compare_rankers()], [benchmark_rankers()],
#'   [learning_curve()], [compare_over_datasets()], [cutoff_curves()],
#'   [convention_report()], [explain()], [explain_pair()], [permutation_importance()],
#'   [partial_dependence()] or [infer_confusion()] returned.
#' @param ... As the method of `autoplot()` takes it.
#' @return The ggplot, invisibly.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' plot(fit(gbrt(50), train, threads = 1), "importance")
#' @export
plot.rankmix_ranker <- function(x, ...) {
  rlang::check_installed("ggplot2", "to plot it")
  picture <- ggplot2::autoplot(x, ...)
  print(picture)
  invisible(picture)
}

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_evaluation <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_comparison <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_benchmark <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_learning_curve <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_friedman <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_cutoffs <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_convention_report <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_shap <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_pair <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_permutation <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_dependence <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_confusion <- plot.rankmix_ranker

#' Scores beside the data
#'
#' @param x A ranker: what [fit()], [tune_and_mix()], [mix()] or [calibrate()] gave.
#' @param data The documents, as [predict()] takes them.
#' @param threads Number of threads; results do not depend on it.
#' @param ... As the method of [predict()] takes it, such as `rounds`.
#'
#' @return The documents as a data frame in their order, with the columns `.score` and, for
#'   [ranking_data()], `.rank`: the rank within the query, 1 for the best, ties in row order.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(50), train, threads = 1)
#' scored <- augment(model, train)
#' head(scored[order(scored$query, scored$.rank), c("query", "relevance", ".score", ".rank")])
#' @export
augment.rankmix_ranker <- function(x, data, threads = NULL, ...) {
  check_given(missing(data), "data", what_to_give$newdata)
  scores <- predict(x, data, threads = threads, ...)
  if (!is.numeric(scores) || !is.null(dim(scores))) {
    stop_input("argument", "`augment()` takes one score a document.",
               remedy = "Call `predict()` for several numbers of rounds or other types.")
  }
  frame <- as.data.frame(data)
  frame$.score <- scores
  if (inherits(data, "ranking_data")) {
    frame$.rank <- rank_within_queries(scores, data)
  }
  frame
}

#' A model in some lines
#'
#' @param object A model that [fit()] gave.
#' @param ... Not used.
#' @return An object of class `summary.rankmix_ranker` with `fit`, what [glance()] has, and
#'   `features`, what [tidy()] has; it prints the ten most important features.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' summary(fit(gbrt(50), train, threads = 1))
#' @export
summary.rankmix_ranker <- function(object, ...) {
  structure(list(model = object, fit = glance(object), features = tidy(object)),
            class = "summary.rankmix_ranker")
}

#' @export
print.summary.rankmix_ranker <- function(x, ...) {
  print(x$model)
  table <- utils::head(x$features, 10L)
  if (ncol(table) > 0L) say(if (nrow(table) == 0L) "No feature is used" else "")
  if (nrow(table) > 0L) {
    numbers <- vapply(table, is.double, NA)
    table[numbers] <- lapply(table[numbers], signif, digits = 4)
    print(table, row.names = FALSE)
  }
  if (nrow(x$features) > nrow(table)) {
    say(sprintf("... and %s, see `tidy()`",
                counted(nrow(x$features) - nrow(table), "more row")))
  }
  invisible(x)
}

# Models do not change.
#' @export
update.rankmix_ranker <- function(object, ...) {
  stop_input("argument", "`update()` changes a specification, not what was trained.",
             remedy = "Train again: `fit(update(spec, ...), data)`.")
}

# Of specifications parts are changed; calibrators are written anew.
#' @export
update.rankmix_calibrator <- function(object, ...) {
  stop_input("argument", "`update()` changes the specification of a ranker, not a calibrator.",
             remedy = sprintf("Make another one by `%s()`.", component_name("calibrator", object$name)))
}
