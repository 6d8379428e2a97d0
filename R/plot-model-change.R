#' Plot what a new model changes
#'
#' Draws how the metric of queries changes, how much of the top is new, or which features the moved documents have.
#'
#' @param object The result of [compare_models()].
#' @param type The plot. `"queries"`: the difference of the metric for each query, sorted. `"changed"`: the
#'   distribution over queries of the fraction of the top k that is new. `"features"`: the correlation of
#'   features with the moves of documents. The default is `"queries"` with relevance, else `"changed"`.
#' @param n Number of features to draw, default 15. The features with the largest correlations are drawn.
#' @param ... Not used.
#' @return A ggplot.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' change <- compare_models(test$x[, 1], test$x[, 2], test, seed = 1, threads = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(change)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(change, "features")
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_model_change <- function(object, type = NULL, n = 15, ...) {
  rlang::check_installed("ggplot2", "to plot changes")
  check_no_others(...)
  if (is.null(type)) type <- if (is.null(object$metric)) "changed" else "queries"
  check_choice(type, "type", c("queries", "changed", "features"))
  check_count(n, "n")
  if (type == "queries" && is.null(object$metric)) {
    stop_input("argument", "The data have no relevance, so there is no metric.",
               remedy = "Draw `type = \"changed\"` or `type = \"features\"`.")
  }
  switch(type, queries = plot_changed_values(object), changed = plot_changed_tops(object),
         features = plot_moved_features(object, n))
}

plot_changed_values <- function(object) {
  rows <- object$queries[!is.na(object$queries$difference), ]
  rows <- rows[order(-rows$difference), ]
  rows$position <- seq_len(nrow(rows))
  words <- c("new is better", "equal", "new is worse")
  rows$side <- factor(words[2 - sign(rows$difference)], words)
  counts <- table(rows$side)
  margin <- object$settings$margin
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$position, y = .data$difference)) +
    ggplot2::geom_col(ggplot2::aes(fill = .data$side), width = 1) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey40") +
    ggplot2::geom_hline(yintercept = object$metric$difference, linetype = "dashed") +
    (if (!is.null(margin)) ggplot2::geom_hline(yintercept = -margin, linetype = "dotted")) +
    ggplot2::scale_fill_manual(values = c(ranker_colours(1L), "#F0C000", ranker_colours(2L)[2L]), drop = FALSE) +
    ggplot2::labs(title = wrapped(sprintf("%s of the new model minus the old", object$metric$metric)),
                  subtitle = sprintf("%d better, %d equal, %d worse of %s", counts[1L], counts[2L], counts[3L],
                                     counted(nrow(rows), "query", "queries")),
                  x = "Queries, sorted by the difference", y = sprintf("Difference of %s", object$metric$metric),
                  fill = NULL, caption = caption_lines("Dashed: the mean difference.", if (!is.null(margin)) {
                    sprintf("Dotted: the margin of the mean, -%s.", plain_number(margin))
                  })) +
    ggplot2::guides(fill = ranker_legend(words)) + plot_theme()
}

plot_changed_tops <- function(object) {
  k <- plain_number(object$settings$k)
  mean <- object$measures$estimate[object$measures$measure == "changed"]
  ggplot2::ggplot(object$queries, ggplot2::aes(x = .data$changed)) +
    ggplot2::geom_histogram(breaks = seq(-0.05, 1.05, 0.1), fill = ranker_colours(1L), colour = "white") +
    ggplot2::geom_vline(xintercept = mean, linetype = "dashed") +
    ggplot2::labs(title = wrapped(sprintf("How much of the top %s is new", k)),
                  subtitle = wrapped(sprintf("%.0f %% on average over %s", 100 * mean,
                                             counted(nrow(object$queries), "query", "queries"))),
                  x = sprintf("Fraction of the top %s that is new", k), y = "Number of queries",
                  caption = "Dashed: the mean.") + plot_theme()
}

plot_moved_features <- function(object, n) {
  rows <- utils::head(object$features[!is.na(object$features$correlation), ], n)
  if (nrow(rows) == 0L) {
    stop_input("argument", "No document moves, so no feature has a correlation.")
  }
  rows$feature <- factor(rows$feature, rev(rows$feature))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$correlation, y = .data$feature)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper), colour = ranker_colours(1L),
                            na.rm = TRUE) +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 2) +
    ggplot2::labs(title = "Features of the documents that move",
                  x = "Correlation with the move within queries", y = NULL,
                  caption = caption_lines("Above 0: documents with high values move up.",
                                          sprintf("Lines: %s %% intervals of each feature alone.",
                                                  plain_number(100 * (1 - object$settings$level))))) +
    plot_theme()
}
