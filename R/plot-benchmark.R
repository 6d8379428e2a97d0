#' Plot a benchmark
#'
#' @param object The benchmark, made by [benchmark_rankers()].
#' @param type The plot. `"folds"` (the default): the mean of each fold and its spread. `"time"`: the mean
#'   metric against the time to fit.
#' @param metric The name of the metric; by default the first metric.
#' @param ... Not used.
#' @return A ggplot.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' benchmark <- benchmark_rankers(list(ridge = linear_ranker(penalty = 1), feature = best_feature()),
#'                                query_folds(train, 3, seed = 1), metric_ndcg(10), data = train,
#'                                seed = 1, threads = 1, verbose = FALSE)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(benchmark)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_benchmark <- function(object, type = c("folds", "time"), metric = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot a benchmark")
  check_no_others(...)
  type <- check_choice(type[1L], "type", c("folds", "time"))
  metric <- plotted_metric(metric, names(object$metrics))
  table <- tidy(object)
  table <- table[table$metric %in% metric, , drop = FALSE]
  if (nrow(table) == 0L) {
    stop_input("argument", "All rankers failed: there is nothing to plot.")
  }
  switch(type, folds = plot_folds(object, table, metric), time = plot_time(object, table, metric))
}

# One of the metrics, or the first.
plotted_metric <- function(metric, known, call = rlang::caller_env()) {
  if (is.null(metric)) {
    return(known[1L])
  }
  if (!is.character(metric)) {
    metric <- format(metric)
  }
  check_choice(metric, "metric", known, call)
}

plot_folds <- function(object, table, metric) {
  means <- summary(object)
  means <- means[means$metric == metric, ]
  table$ranker <- factor(table$ranker, means$ranker[order(means$mean)])
  folds <- length(unique(table$fold))
  ggplot2::ggplot(table, ggplot2::aes(x = .data$mean, y = .data$ranker)) +
    ggplot2::geom_boxplot(outlier.shape = NA, colour = "grey45", fill = "grey92", width = 0.5) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$fold, shape = .data$fold), size = 2.4) +
    scale_rankers(folds) +
    ggplot2::scale_shape_manual(values = ranker_shapes(folds)) +
    ggplot2::labs(title = sprintf("%s of each fold", metric),
                  subtitle = sprintf("%d fold%s; rankers by their mean over all queries", folds,
                                     if (folds == 1L) "" else "s"),
                  x = sprintf("Mean %s over the test queries of a fold", metric), y = NULL,
                  colour = NULL, shape = NULL,
                  caption = sprintf("Boxes: median and quartiles of the %s.",
                                    if (is.null(table$training)) "folds" else "trainings of all folds")) +
    plot_theme()
}

plot_time <- function(object, table, metric) {
  means <- summary(object)
  means <- means[means$metric == metric, ]
  seconds <- tapply(table$fit_seconds, table$ranker, mean)
  means$seconds <- pmax(as.vector(seconds[means$ranker]), 1e-3)
  means$side <- as.numeric(means$seconds^2 > prod(range(means$seconds)))
  ggplot2::ggplot(means, ggplot2::aes(x = .data$seconds, y = .data$mean)) +
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper),
                            colour = "grey60") +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 2.4) +
    # Labels point towards the middle, so that no name leaves the panel.
    ggplot2::geom_text(ggplot2::aes(label = paste0("  ", .data$ranker, "  "),
                                    hjust = .data$side), size = 3.2) +
    ggplot2::scale_x_log10(labels = function(x) format(x, trim = TRUE, drop0trailing = TRUE,
                                                       scientific = FALSE),
                           expand = ggplot2::expansion(c(0.08, 0.25))) +
    ggplot2::labs(title = sprintf("%s against the time to fit", metric),
                  x = "Seconds to fit, mean of the folds (log scale)",
                  y = sprintf("Mean %s", metric),
                  caption = "Lines: 95 % intervals over queries. Below 0.001 s drawn as 0.001 s.") +
    plot_theme()
}
