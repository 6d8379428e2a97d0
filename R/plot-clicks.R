#' Plot a click model
#'
#' Draws the parameters of positions with their intervals: examination or continuation by position.
#'
#' @param object The click model, made by [click_model()].
#' @param log The click log. With a click log, the plot shows [examination()] instead of parameters. Needed for
#'   `"cascade"` and `"dbn"`, which have no parameter of each position.
#' @param ... Must be empty.
#' @return A ggplot. Points are estimates, and lines are intervals if the model has standard errors. The user
#'   browsing model has a colour for each position of the previous click, for at most 6 positions.
#' @examples
#' judged <- simulate_ranking(30, seed = 1)$data
#' log <- simulate_clicks(judged, sessions = 100, depth = 5, seed = 2, output = "log")
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(click_model(log))
#' @section Conditions: `rankmix_error_argument`: `"cascade"` or `"dbn"` without `log`.
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_click_model <- function(object, log = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot click models")
  check_no_others(...)
  if (!is.null(log) || !object$model %in% c("pbm", "ubm", "dcm")) {
    return(plot_positions(examination(object, log), object, "Examination"))
  }
  rows <- object$parameters[!is.na(object$parameters$estimate), ]
  what <- if (object$model == "dcm") "Continuation after a click" else "Examination"
  if (object$model == "ubm") plot_browsing(rows, object) else plot_positions(rows, object, what)
}

plot_positions <- function(rows, model, what) {
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$position, y = .data$estimate)) +
    ggplot2::geom_line(colour = "grey60") +
    drawn_intervals(rows, ranker_colours(1L)) +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 2) +
    positions_and_labels(rows, model, what)
}

plot_browsing <- function(rows, model) {
  rows <- rows[rows$position <= 6L, ]
  previous <- rows$previous
  rows$previous <- factor(ifelse(previous == 0L, "none", previous), c("none", sort(unique(previous))[-1L]))
  colours <- nlevels(rows$previous)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$position, y = .data$estimate, colour = .data$previous,
                                     shape = .data$previous)) +
    ggplot2::geom_pointrange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), na.rm = TRUE,
                             position = ggplot2::position_dodge(width = 0.6)) +
    scale_rankers(colours, name = "Previous click") +
    ggplot2::scale_shape_manual(values = ranker_shapes(colours), name = "Previous click") +
    positions_and_labels(rows, model, "Examination")
}

drawn_intervals <- function(rows, colour) {
  if (all(is.na(rows$se))) {
    return(NULL)
  }
  ggplot2::geom_linerange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), colour = colour,
                          linewidth = 0.7)
}

positions_and_labels <- function(rows, model, what) {
  percent <- plain_number(100 * model$settings$level)
  title <- click_models[[model$model]]$title
  list(ggplot2::scale_x_continuous(breaks = function(limits) {
         unique(round(pretty(c(max(1, limits[1L]), limits[2L]))))
       }),
       ggplot2::scale_y_continuous(limits = c(0, 1)),
       ggplot2::labs(title = wrapped(sprintf("%s by position", what)),
                     subtitle = wrapped(sprintf("%s of %s", title, counted(model$sessions, "session"))),
                     x = "Position", y = "Probability",
                     caption = if (!all(is.na(rows$se))) sprintf("Lines: %s %% intervals.", percent)),
       plot_theme())
}
