#' Plot bounds of differences by unjudged documents
#'
#' Draws the lowest and the highest mean difference of each pair of runs, in units of the metric.
#'
#' @param object The bounds, made by [judgement_bounds()].
#' @param metric The name of the metric; by default the first metric.
#' @param ... Must be empty.
#' @return A ggplot: a row for each pair of runs. The thick line goes from the lowest to the
#'   highest mean difference. The thin line goes to the outer ends of the confidence intervals
#'   of both. The point is the difference with unjudged documents as not relevant. Colours and
#'   shapes are the verdicts.
#' @section Conditions: `rankmix_error_argument`: an unknown metric.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' qrels <- as_qrels(data.frame(query = rep(1:12, each = 3), document = c("a", "b", "c"),
#'                              relevance = c(1, 0, 0, 1, 1, 0)))
#' run <- function(...) {
#'   as_run(data.frame(query = rep(1:12, each = 3), document = c(...), score = 3:1))
#' }
#' ggplot2::autoplot(judgement_bounds(list(old = run("a", "b", "c"), new = run("x", "b", "a"),
#'                                         last = run("c", "b", "a")), qrels, "rbp"))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_judgement_bounds <- function(object, metric = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot bounds")
  check_no_others(...)
  metric <- plotted_metric(metric, unique(object$pairs$metric))
  rows <- object$pairs[object$pairs$metric == metric, ]
  rows$pair <- paste(rows$a, "-", rows$b)
  # The first pair is on top.
  rows$pair <- factor(rows$pair, rev(rows$pair))
  rows$verdict <- factor(rows$verdict, bounds_verdicts)
  shown <- levels(droplevels(rows$verdict))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$difference, y = .data$pair, colour = .data$verdict,
                                     shape = .data$verdict)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper), linewidth = 0.5,
                            na.rm = TRUE) +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lowest, xmax = .data$highest), linewidth = 2.2,
                            alpha = 0.6) +
    ggplot2::geom_point(size = 2.6) +
    ggplot2::scale_colour_manual(values = stats::setNames(bounds_colours, bounds_verdicts)) +
    ggplot2::scale_shape_manual(values = stats::setNames(bounds_shapes, bounds_verdicts)) +
    ggplot2::guides(colour = ranker_legend(shown), shape = ranker_legend(shown)) +
    ggplot2::labs(title = wrapped(sprintf("Difference of %s, for all grades of unjudged documents", metric)),
                  subtitle = sprintf("%s, %.1f unjudged documents per query and pair",
                                     counted(rows$queries[1L], "query", "queries"), mean(rows$unjudged)),
                  x = sprintf("Mean difference of %s", metric), y = NULL, colour = NULL, shape = NULL,
                  caption = caption_lines(
                    "Point: unjudged documents are not relevant.",
                    paste0("Thick: lowest to highest mean difference", if (all(rows$exact)) "." else
                      " (outer bounds)."),
                    sprintf("Thin: with the %s %% t intervals of both ends.",
                            plain_number(100 * (1 - object$settings$level)))
                  )) +
    plot_theme()
}

# In the order of `bounds_verdicts`.
bounds_colours <- c("#009E73", "#D55E00", "#E69F00", "#777777")
bounds_shapes <- c(17, 15, 16, 1)
