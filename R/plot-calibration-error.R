#' Plot whether probabilities are right
#'
#' Draws the observed fraction of relevant documents against the predicted probability, across and within queries.
#'
#' @param object The result of [calibration_error()]. Or a ranker calibrated by [calibrator_probability()].
#' @param data The judged data for a ranker, on which it was neither trained nor calibrated.
#' @param ... Must be empty. For a ranker, arguments of [calibration_error()].
#' @return A ggplot with two panels. Right probabilities are on the diagonal. Within queries, the mean of each query
#'   is subtracted on both axes. A curve that is flatter than the diagonal shows exaggerated differences.
#' @examples
#' simulation <- simulate_ranking(100, seed = 1)
#' found <- calibration_error(simulation$truth, simulation$data, resamples = 200, seed = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(found)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_calibration_error <- function(object, ...) {
  rlang::check_installed("ggplot2", "to plot probabilities")
  check_no_others(...)
  panels <- c(across = "Across queries", within = "Within queries")
  rows <- object$bins
  rows$panel <- factor(panels[rows$scale], panels)
  limits <- lapply(split(rows, rows$panel, drop = TRUE), function(own) {
    range(own$predicted, own$observed, own$lower, own$upper, na.rm = TRUE)
  })
  diagonal <- data.frame(panel = factor(names(limits), panels), from = vapply(limits, `[`, 0, 1L),
                         to = vapply(limits, `[`, 0, 2L))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$predicted, y = .data$observed)) +
    ggplot2::geom_segment(data = diagonal, colour = "grey60", linetype = "dashed",
                          ggplot2::aes(x = .data$from, y = .data$from, xend = .data$to, yend = .data$to)) +
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), colour = ranker_colours(1L),
                            linewidth = 0.7, na.rm = TRUE) +
    ggplot2::geom_line(colour = "grey70") +
    ggplot2::geom_point(size = 2, colour = ranker_colours(1L)) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free") +
    ggplot2::labs(title = wrapped("Predicted and observed relevance"),
                  subtitle = paste(error_lines(object$errors), collapse = "\n"),
                  x = "Predicted probability", y = "Fraction of relevant documents",
                  caption = caption_lines(
                    sprintf("Lines: %s %% intervals, clustered by query.", plain_number(100 * object$level)),
                    "Dashed: as predicted. Within queries: minus the mean of the query.")) +
    plot_theme()
}

error_lines <- function(errors) sprintf("Error %s queries: %s", errors$scale, show_error(errors))

#' @rdname autoplot.rankmix_calibration_error
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_probability_model <- function(object, data, ...) {
  check_given(missing(data), "data", "Give judged data, on which the model was neither trained nor calibrated.")
  autoplot(calibration_error(object, data, relevant = lowest_relevant(object$method), ...))
}
