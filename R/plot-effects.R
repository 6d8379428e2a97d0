#' Plot differences on several data sets
#'
#' Draws a forest plot of one pair of rankers: the difference on each data set, and the pooled difference.
#'
#' @param object The result of [compare_over_datasets()] with `how = "effects"`.
#' @param rankers The two rankers, as `c("a", "b")`. By default the first pair.
#' @param ... Not used.
#' @return A ggplot. Points and lines are differences with their intervals. Differences with larger points
#'   have more weight. The diamond is the pooled difference with its interval. The dashed line is the
#'   interval of the difference on a new data set. Without an interval, the pooled difference is a point.
#' @examples
#' effects <- data.frame(dataset = c("MQ2007", "MQ2008", "OHSUMED"), a = "ours", b = "trees",
#'                       difference = c(0.02, 0.05, -0.01), se = c(0.008, 0.02, 0.012))
#' result <- compare_over_datasets(effects)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(result)
#' @section Conditions:
#' * `rankmix_error_argument`: an unknown pair, or a pair that could not be pooled.
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_effects <- function(object, rankers = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot effects")
  check_no_others(...)
  pair <- plotted_effect(object, rankers)
  rows <- object$effects
  rows <- rows[rows$a == pair$a & rows$b == pair$b, ]
  # Differences were stored as a - b, and are drawn as the user named the pair.
  plot_forest(rows, pair, object)
}

plotted_effect <- function(object, rankers, call = rlang::caller_env()) {
  pairs <- object$pairs
  pair <- if (is.null(rankers)) pairs[1L, ] else {
    pairs[pairs$a %in% rankers & pairs$b %in% rankers, ]
  }
  if (nrow(pair) != 1L || !is.null(rankers) && length(rankers) != 2L) {
    stop_input("argument", "`rankers` must name the two rankers of a pair.",
               sprintf("There are %s.", enumerate(paste(pairs$a, "-", pairs$b), 10L)), call = call)
  }
  if (is.na(pair$difference)) {
    stop_input("argument", sprintf("The pair `%s` was not pooled.", paste(pair$a, "-", pair$b)),
               sprintf("There is %s.", pair$note), call = call)
  }
  pair
}

plot_forest <- function(rows, pair, object) {
  z <- stats::qnorm(1 - object$level / 2)
  rows$lower <- rows$difference - z * rows$se
  rows$upper <- rows$difference + z * rows$se
  rows$fraction <- 1 / (rows$se^2 + pair$tau2)
  rows$fraction <- rows$fraction / sum(rows$fraction)
  rows$y <- rev(seq_len(nrow(rows))) + 1
  percent <- plain_number(100 * (1 - object$level))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$difference, y = .data$y)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper),
                            colour = ranker_colours(1L), linewidth = 0.7) +
    ggplot2::geom_point(ggplot2::aes(size = .data$fraction), shape = 15, colour = ranker_colours(1L)) +
    pooled_layers(pair, ranker_colours(2L)[2L]) +
    ggplot2::scale_size_area(max_size = 5, guide = "none") +
    ggplot2::scale_y_continuous(breaks = c(rows$y, 0.5), labels = c(rows$dataset, "pooled"),
                                limits = c(0, nrow(rows) + 1.5)) +
    ggplot2::labs(title = wrapped(sprintf("%s against %s on %d data sets", pair$a, pair$b, nrow(rows))),
                  subtitle = wrapped(sprintf("pooled %+.4f %s, %s; I2 %.0f %%", pair$difference,
                                             ends_text(pair$lower, pair$upper), show_p(pair$p), 100 * pair$i2)),
                  x = wrapped(sprintf("Difference%s: positive, %s is better",
                                      if (is.null(object$metric)) "" else paste(" of", object$metric),
                                      pair$a)),
                  y = NULL,
                  caption = wrapped(sprintf(paste("Lines: %s %% intervals. Diamond: the pooled difference.",
                                                  "Dashed: the difference on a new data set."), percent))) +
    plot_theme() +
    ggplot2::theme(panel.grid.major.y = ggplot2::element_blank())
}

# The pooled difference: a diamond and the dashed interval of a new data set. Without an interval, a point.
pooled_layers <- function(pair, colour) {
  if (is.na(pair$lower)) {
    return(ggplot2::annotate("point", x = pair$difference, y = 0.5, shape = 18, size = 4, colour = colour))
  }
  diamond <- data.frame(x = c(pair$lower, pair$difference, pair$upper, pair$difference),
                        y = c(0.5, 0.72, 0.5, 0.28))
  list(ggplot2::annotate("segment", x = pair$predicted_lower, xend = pair$predicted_upper, y = 0.5, yend = 0.5,
                         linetype = "dashed", colour = colour),
       ggplot2::geom_polygon(ggplot2::aes(x = .data$x, y = .data$y), data = diamond, fill = colour))
}
