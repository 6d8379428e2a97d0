#' Plot a benchmark
#'
#' Draws the metric of each fold, or the metric against the time to fit. Use it to see whether all folds agree,
#' and how much time a better ranking takes.
#'
#' @param object The benchmark, made by [benchmark_rankers()].
#' @param type The plot:
#'   * `"folds"` (the default): the mean of each fold. Lines join the rankers of one fold, because all rankers
#'     are tested on the same queries;
#'   * `"time"`: the difference to the ranker with the highest mean against the time to fit. Intervals are
#'     of paired differences.
#' @param metric The name of the metric; by default the first metric.
#' @param n Number of rankers to draw, 2 or more; default 40, because more are hard to read. The rankers with the
#' highest means are drawn. The caption gives the number of other rankers.
#' @param comparison The comparison of the benchmark, made by [compare_rankers()], for the intervals of
#'   `"time"`. By default `compare_rankers()` is called with its defaults, 1000 resamples and the
#'   benchmark's seed.
#' @param ... Not used.
#' @return A ggplot. The element `data` of the ggplot has the numbers that are drawn.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' benchmark <- benchmark_rankers(list(ridge = linear_ranker(penalty = 1), feature = best_feature()),
#'                                query_folds(train, 3, seed = 1), metric_ndcg(10), data = train,
#'                                seed = 1, threads = 1, verbose = FALSE)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(benchmark)
#'
#' @details The mean over all queries is a black bar in `"folds"`. With several trainings of a fold, each
#' training has its line. If a ranker failed in a fold, it has no point for this fold.
#'
#' For `"time"` the differences are to the control of `comparison`, if it has one. A ranker that failed in a fold
#' has a point without an interval, because it was not compared. With more than 15 rankers, the plot names only the
#' rankers whose mean is higher than the means of all faster rankers.
#'
#' In a figure of 5.2 inches width, 3.8 inches of height are enough for `"time"`. `"folds"` of k rankers needs
#' 2.1 + 0.25 k inches, and 2.1 + 0.14 k for more than 15 rankers.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: all rankers failed; an unknown type or metric; an `n` below 2; a comparison
#'   of other rankers or metrics.
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_benchmark <- function(object, type = c("folds", "time"), metric = NULL, n = 40,
                                       comparison = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot a benchmark")
  check_no_others(...)
  type <- check_first_choice(type, "type", c("folds", "time"))
  metric <- plotted_metric(metric, names(object$metrics))
  check_count(n, "n", min = 2, infinite = TRUE)
  if (!is.null(comparison)) {
    check_class(comparison, "comparison", "rankmix_comparison", "`compare_rankers()`")
    check_compared(comparison, object)
    check_choice(metric, "metric", names(comparison$values))
  }
  table <- tidy(object)
  table <- table[table$metric %in% metric, , drop = FALSE]
  if (nrow(table) == 0L) {
    stop_input("argument", "All rankers failed: there is nothing to plot.")
  }
  means <- summary(object)
  means <- means[means$metric == metric, ]
  switch(type, folds = plot_folds(table, means, metric, n),
         time = plot_time(object, table, means, metric, n, comparison))
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

plot_folds <- function(table, means, metric, n) {
  shown <- best_rankers(means, n)
  table <- table[table$ranker %in% shown, ]
  table$ranker <- factor(table$ranker, rev(shown))
  table$line <- if (is.null(table$training)) table$fold else paste(table$fold, table$training)
  table$fold <- factor(table$fold, unique(table$fold))
  overall <- means[match(shown, means$ranker), ]
  overall$ranker <- factor(shown, rev(shown))
  folds <- nlevels(table$fold)
  few <- length(shown) <= max_labelled_rows
  keyed <- folds <= max_keyed_folds
  ggplot2::ggplot(table, ggplot2::aes(x = .data$mean, y = .data$ranker)) +
    ggplot2::geom_line(ggplot2::aes(group = .data$line, colour = .data$fold), orientation = "y",
                       linewidth = 0.4, alpha = if (keyed) 0.7 else 0.3) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$fold, shape = .data$fold), size = if (few) 2.2 else 1.4) +
    ggplot2::geom_point(data = overall, shape = "|", size = if (few) 6 else 3.5) +
    scale_rankers(folds) +
    ggplot2::scale_shape_manual(values = ranker_shapes(folds)) +
    ggplot2::scale_y_discrete(labels = function(names) shorten(names, 26L)) +
    ggplot2::guides(colour = fold_legend(table$fold, keyed), shape = fold_legend(table$fold, keyed)) +
    ggplot2::labs(title = wrapped(sprintf("%s of each fold", metric)),
                  subtitle = wrapped(sprintf("%s; rankers by their mean over all queries",
                                             counted(folds, "fold"))),
                  x = wrapped(sprintf("Mean %s over the test queries of a fold", metric)), y = NULL,
                  colour = NULL, shape = NULL,
                  caption = caption_lines(
                    left_out_words(length(shown), nrow(means)),
                    paste(if (is.null(table$training)) "Lines join the rankers of a fold." else {
                      "Lines join the rankers of one training of a fold."
                    }, "Black bars: the mean over all queries.")
                  )) +
    plot_theme() +
    (if (!few) ggplot2::theme(axis.text.y = ggplot2::element_text(size = 7)))
}

# More folds have no space in the legend.
max_keyed_folds <- 15L

fold_legend <- function(fold, keyed) if (keyed) ranker_legend(levels(fold)) else "none"

plot_time <- function(object, table, means, metric, n, comparison) {
  timed <- time_rows(object, table, means, metric, comparison)
  rows <- timed$rows
  left <- left_out_words(min(n, nrow(rows)), nrow(rows))
  rows <- rows[rows$ranker %in% best_rankers(means, n), ]
  few <- nrow(rows) <= max_labelled_rows
  rows$name <- ifelse(few | unbeaten(rows), shorten(rows$ranker, 22L), "")
  # Labels point towards the middle, so that no name leaves the panel.
  rows$side <- as.numeric(rows$seconds^2 > prod(range(rows$seconds)))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$seconds, y = .data$difference)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey40") +
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper),
                            colour = "grey60", na.rm = TRUE) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$reference), colour = ranker_colours(1L), size = 2.4) +
    ggplot2::geom_text(ggplot2::aes(label = paste0("  ", .data$name, "  "),
                                    hjust = .data$side), size = 3.2, vjust = -0.35) +
    ggplot2::scale_shape_manual(values = c(`FALSE` = 16, `TRUE` = 18), guide = "none") +
    ggplot2::scale_x_log10(labels = function(x) format(x, trim = TRUE, drop0trailing = TRUE,
                                                       scientific = FALSE),
                           expand = ggplot2::expansion(c(0.12, 0.2))) +
    ggplot2::labs(title = wrapped(sprintf("%s against the time to fit", metric)),
                  x = "Seconds to fit, mean of the folds (log scale)",
                  y = wrapped(sprintf("Difference of %s to %s", metric,
                                      shorten(rows$ranker[rows$reference], 28L)), 36L),
                  caption = caption_lines(left, timed$words,
                                          if (!few) "Named: better than all faster rankers.",
                                          "Below 0.001 s drawn as 0.001 s.")) +
    plot_theme()
}

# `rows`: the time of each ranker, its difference to the reference, and the paired interval. `words`: the words
# about the intervals.
time_rows <- function(object, table, means, metric, comparison) {
  if (is.null(comparison)) comparison <- comparison_for_time(object, metric)
  seconds <- tapply(table$fit_seconds, table$ranker, mean)
  rows <- data.frame(ranker = means$ranker, mean = means$mean,
                     seconds = pmax(as.vector(seconds[means$ranker]), 1e-3), lower = NA_real_,
                     upper = NA_real_)
  reference <- if (is.null(comparison)) top_ranker(means) else {
    reference_ranker(comparison$settings, comparison$rankers[comparison$rankers$metric == metric, ])
  }
  rows$difference <- means$mean - means$mean[means$ranker == reference]
  rows$reference <- rows$ranker == reference
  if (is.null(comparison)) {
    return(list(rows = rows,
                words = "Fewer than two rankers succeeded in all folds, so there are no intervals."))
  }
  pairs <- comparison$pairs[comparison$pairs$metric == metric, ]
  paired <- pairs_against(pairs, reference, comparison$settings)
  at <- match(rows$ranker, paired$ranker)
  for (column in c("difference", "lower", "upper")) {
    rows[[column]] <- ifelse(is.na(at), rows[[column]], paired[[column]][at])
  }
  list(rows = rows, words = sprintf("Lines: %s.", interval_words(comparison$settings, nrow(pairs))))
}

# NULL if fewer than two rankers succeeded in all folds.
comparison_for_time <- function(object, metric) {
  tryCatch(compare_rankers(object, metric = metric, seed = object$seed, resamples = 1000),
           rankmix_error_argument = function(e) NULL)
}

# Whether no other ranker has a mean at least as high in less time.
unbeaten <- function(rows) {
  vapply(seq_len(nrow(rows)), function(i) {
    !any(rows$mean >= rows$mean[i] & rows$seconds < rows$seconds[i] |
           rows$mean > rows$mean[i] & rows$seconds <= rows$seconds[i])
  }, NA)
}
