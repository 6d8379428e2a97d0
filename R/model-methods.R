# Methods of all models: plot(), summary() and augment().

#' Plot models and results
#'
#' `plot()` draws the plot of [ggplot2::autoplot()], see [autoplot].
#'
#' @param x A model, or a result. Comparisons: [evaluate()], [compare_rankers()], [equivalence()],
#'   [queries_needed()], [compare_models()], [drift()], [query_report()], [risk()], [cut_list()],
#'   [calibration_error()]. Judgements:
#'   [judgement_bounds()], [leave_out_runs()], [evaluate_ppi()], [dawid_skene()], [infer_confusion()]. Several
#'   trainings: [benchmark_rankers()], [learning_curve()], [tune_ranker()], [select_features()],
#'   [pareto_front()], [compare_over_datasets()], [cutoff_curves()], [convention_report()]. Explanations: [explain()],
#'   [explain_pair()], [permutation_importance()], [partial_dependence()].
#' @param ... Arguments of the method of `autoplot()`.
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
plot.rankmix_tuning <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_selection <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_front <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_evaluation <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_comparison <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_equivalence <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_model_change <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_drift <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_query_report <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_risk <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_judgement_bounds <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_leave_out <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_queries_needed <- plot.rankmix_ranker

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
plot.rankmix_effects <- plot.rankmix_ranker

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

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_ppi <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_dawid_skene <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_click_model <- plot.rankmix_ranker

#' @rdname plot.rankmix_ranker
#' @export
plot.rankmix_click_evaluation <- plot.rankmix_ranker

#' @export
plot.rankmix_cut <- plot.rankmix_ranker

#' @export
plot.rankmix_calibration_error <- plot.rankmix_ranker

#' Add scores to the data
#'
#' Returns the documents as a data frame with their scores and ranks.
#'
#' @param x The ranker, made by [fit()], [tune_and_mix()], [mix()] or [calibrate()].
#' @param data The documents, as for [predict()].
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Arguments of the method of [predict()], such as `rounds`.
#'
#' @return A data frame of the documents in row order, with the column `.score`. If the queries are known, also
#'   `.rank`, the rank within the query: 1 for the best, ties in row order. They are known for [ranking_data()], and for
#'   a data frame with the query columns of the training data.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(50), train, threads = 1)
#' scored <- augment(model, train)
#' head(scored[order(scored$query, scored$.rank), c("query", "relevance", ".score", ".rank")])
#' @export
augment.rankmix_ranker <- function(x, data, threads = NULL, ...) {
  check_given(missing(data), "data", what_to_give$newdata)
  refuse_source(data, "augment()")
  scores <- predict(x, data, threads = threads, ...)
  if (!is_plain_number(scores) || !is.null(dim(scores))) {
    stop_input("argument", "`augment()` takes one score per document.",
               remedy = "Call `predict()` for several numbers of rounds or other types.")
  }
  frame <- as.data.frame(data)
  frame$.score <- scores
  if (has_queries(data, x)) frame$.rank <- rank_within_queries(scores, data, model = x)
  frame
}

#' Summary of a model
#'
#' Shows how a model was trained, and its ten most important features.
#'
#' @param object The model, trained by [fit()].
#' @param ... Must be empty.
#' @return An object of class `summary.rankmix_ranker` with `fit`, the result of [glance()], and `features`, the
#'   result of [tidy()]. `print()` shows the ten most important features.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' summary(fit(gbrt(50), train, threads = 1))
#' @export
summary.rankmix_ranker <- function(object, ...) {
  check_no_others(...)
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
    with_points(print(table, row.names = FALSE))
  }
  if (nrow(x$features) > nrow(table)) {
    say(sprintf("... and %s, see `tidy()`",
                counted(nrow(x$features) - nrow(table), "more row")))
  }
  invisible(x)
}

# update() of a model is an error.
#' @export
update.rankmix_ranker <- function(object, ...) {
  stop_input("argument", "`update()` changes a specification, not a trained model.",
             remedy = "Train again: `fit(update(spec, ...), data)`.")
}

# update() of a calibrator is an error, too.
#' @export
update.rankmix_calibrator <- function(object, ...) {
  stop_input("argument", "`update()` changes the specification of a ranker, not a calibrator.",
             remedy = sprintf("Make another one by `%s()`.", component_name("calibrator", object$name)))
}
