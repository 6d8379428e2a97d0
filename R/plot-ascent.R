#' Plot coordinate ascent
#'
#' Draws the mean metric on the training data against the sweep, with a line for each restart.
#'
#' @param object The model, trained by [fit()] from [coordinate_ascent()].
#' @param ... Must be empty.
#' @return A ggplot.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- simulate_ranking(60, features = 8, seed = 1)$data
#' model <- fit(coordinate_ascent(metric_ndcg(5), restarts = 5), data, threads = 1)
#' ggplot2::autoplot(model)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_ascent_model <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a ranker")
  restarts <- object$restarts
  rows <- object$curve
  best <- rows[rows$restart == restarts$restart[restarts$chosen], ]
  ends <- rows[!duplicated(rows$restart, fromLast = TRUE), ]
  by <- if (is.null(restarts$value)) "by this metric" else "by validation data"
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$sweep, y = .data$value)) +
    ggplot2::geom_line(ggplot2::aes(group = .data$restart), colour = "grey70",
                       linewidth = 0.4) +
    ggplot2::geom_point(data = ends, colour = "grey50", size = 1.2) +
    ggplot2::geom_line(data = best, colour = ranker_colours(1L), linewidth = 0.9) +
    ggplot2::geom_point(data = utils::tail(best, 1L), colour = ranker_colours(1L), size = 2.4) +
    ggplot2::labs(title = wrapped(format(object$spec)),
                  subtitle = sprintf("%s, %s", counted(nrow(restarts), "restart"),
                                     counted(length(object$features), "feature")),
                  x = "Sweep over all features",
                  y = paste(format(object$spec$metric), "on the training data"),
                  caption = if (nrow(restarts) > 1L) {
                    sprintf("The coloured restart, %d, is chosen %s.", best$restart[1L], by)
                  }) +
    plot_theme()
}
