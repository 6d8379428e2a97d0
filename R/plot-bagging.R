#' Plot a bagged ranker
#'
#' Draws bars with the importance of features, the largest first, or the mean metric against the number of averaged
#' members.
#'
#' @param object The model, trained by [fit()] from [bagging()].
#' @param type The plot. `"importance"` (the default): up to 20 features with the most gain, or the largest
#'   weights, as in [tidy()]. `"members"`: the metric on `data`, by the number of members that are averaged.
#' @param data The [ranking_data()] for `"members"`, not used for training.
#' @param metric The metric for `"members"`; default `metric_ndcg(10)`.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#' @return A ggplot.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- simulate_ranking(60, features = 8, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(bagging(m5p(), times = 20, fraction = 0.5), parts$train, seed = 1, threads = 1)
#' ggplot2::autoplot(model)
#' ggplot2::autoplot(model, "members", parts$test)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_bagging_model <- function(object, type = c("importance", "members"), data = NULL,
                                           metric = NULL, threads = NULL, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a ranker")
  check_chosen(object)
  type <- check_first_choice(type, "type", c("importance", "members"))
  if (type == "members") {
    return(plot_by_members(object, data, metric, threads))
  }
  table <- tidy(object)
  if (is.null(table$weight)) {
    return(plot_importance(object))
  }
  table <- table[table$feature != "(Intercept)", ]
  table <- table[order(-abs(table$weight)), ]
  plot_bars(data.frame(feature = table$feature, value = table$weight),
            title = format(object$spec),
            subtitle = sprintf("Means of %s", counted(length(object$members), "member")),
            x = "Weight of the unscaled feature")
}

plot_by_members <- function(object, data, metric, threads, call = rlang::caller_env()) {
  if (is.null(data)) {
    stop_input("argument", "`type = \"members\"` needs `data`.",
               remedy = "Give ranking data that were not used for training.", call = call)
  }
  check_ranking_data(data, call = call)
  metric <- read_metric(if (is.null(metric)) metric_ndcg(10) else metric, call)
  threads <- check_threads(threads, call)
  times <- length(object$members)
  counts <- unique(round(exp(seq(0, log(times), length.out = 30L))))
  scores <- as.matrix(stats::predict(object, data, members = counts, threads = threads))
  rows <- data.frame(members = counts, value = metric_means(metric, scores, data, threads))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$members, y = .data$value)) +
    ggplot2::geom_line(colour = ranker_colours(1L), linewidth = 0.5) +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 1.6) +
    ggplot2::scale_x_log10() +
    ggplot2::labs(title = wrapped(format(object$spec)),
                  subtitle = sprintf("%s, %s", counted(length(data$query_ids), "query", "queries"),
                                     counted(length(object$features), "feature")),
                  x = "Members", y = format(metric)) +
    plot_theme()
}
