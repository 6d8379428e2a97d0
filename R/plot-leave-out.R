#' Plot what runs lose without their own judgements
#'
#' Draws how the mean of each run changes if the documents that only its group contributed are unjudged.
#'
#' @param object The result of [leave_out_runs()].
#' @param metric The name of the metric; by default the first metric.
#' @param ... Must be empty.
#' @return A ggplot with a row for each run, the largest drop on top. Labels show the rank before and after, if it
#'   changes.
#' @section Conditions: `rankmix_error_argument`: an unknown metric.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' run <- function(...) as_run(data.frame(query = 1, document = c(...), score = 4:1))
#' runs <- list(one = run("a", "b", "c", "d"), new = run("x", "a", "y", "b"))
#' qrels <- as_qrels(data.frame(query = 1, document = c("a", "b", "x"), relevance = 1))
#' ggplot2::autoplot(leave_out_runs(runs, qrels, depth = 2))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_leave_out <- function(object, metric = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot runs that are left out")
  check_no_others(...)
  metric <- plotted_metric(metric, unique(object$runs$metric))
  rows <- object$runs[object$runs$metric == metric, ]
  # The largest drop is on top.
  rows$run <- factor(rows$run, rows$run[order(-rows$change)])
  moved <- rows$rank != rows$rank_without
  rows$label <- ifelse(moved, sprintf("rank %s to %s", plain_rank(rows$rank),
                                      plain_rank(rows$rank_without)), "")
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$change, y = .data$run)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::geom_segment(ggplot2::aes(x = 0, xend = .data$change, yend = .data$run),
                          colour = "#0072B2", linewidth = 0.7) +
    ggplot2::geom_point(colour = "#0072B2", size = 2.4) +
    # The labels are above the line, so that they need no space beside it.
    ggplot2::geom_text(ggplot2::aes(x = .data$change / 2, label = .data$label), vjust = -0.6, size = 3) +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(mult = 0.08)) +
    ggplot2::labs(title = wrapped(sprintf("Change of %s without a run's own judgements", metric)),
                  subtitle = sprintf("%s, pool depth %s", counted(object$queries, "query", "queries"),
                                     plain_number(object$depth)),
                  x = sprintf("Change of the mean of %s", metric), y = NULL,
                  caption = caption_lines(sprintf(
                    "Documents that only %s contributed are unjudged, which counts as not relevant.",
                    if (object$grouped) "the group of the run" else "the run"
                  ))) +
    plot_theme()
}
