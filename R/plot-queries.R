#' Plot the number of queries against the power
#'
#' Draws the power (%) against the number of queries, with the number that is needed.
#'
#' @param object The plan, made by [queries_needed()].
#' @param ... Not used.
#' @return A ggplot. For `test = "interval"` it shows the expected half width of the interval instead of the power. For
#'   `test = "simulate"` it shows simulated powers with their 95 % Monte Carlo intervals.
#' @examples
#' plan <- queries_needed(0.02, sd = 0.1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(plan)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_queries_needed <- function(object, ...) {
  rlang::check_installed("ggplot2", "to plot the power")
  check_no_others(...)
  interval <- object$test == "interval"
  curve <- if (is.null(object$curve)) planned_curve(object) else object$curve
  target <- if (interval) object$difference else 100 * object$target
  found <- data.frame(queries = object$queries, y = if (interval) {
    planned_half_width(object, object$effective)
  } else {
    100 * object$power
  })
  curve$y <- if (interval) curve$half_width else 100 * curve$power
  plot <- ggplot2::ggplot(curve, ggplot2::aes(x = .data$queries, y = .data$y)) +
    ggplot2::geom_hline(yintercept = target, linetype = "dashed", colour = "grey40") +
    ggplot2::geom_line(linewidth = 0.8, colour = ranker_colours(1L))
  if (object$test == "simulate") {
    half <- 196 * sqrt(curve$power * (1 - curve$power) / object$draws)
    plot <- plot + ggplot2::geom_linerange(ggplot2::aes(ymin = curve$y - half, ymax = curve$y + half),
                                           colour = ranker_colours(1L)) +
      ggplot2::geom_point(colour = ranker_colours(1L), size = 1.4)
  }
  if (!is.null(object$machine)) plot <- plot + line_without_machine(object, max(curve$queries), interval)
  plot +
    ggplot2::geom_point(data = found, size = 3, shape = 15, colour = ranker_colours(2L)[2L]) +
    ggplot2::geom_text(data = found, ggplot2::aes(label = paste0("  ", .data$queries)), hjust = 0,
                       vjust = if (interval) -0.6 else 1.4) +
    (if (!interval) ggplot2::coord_cartesian(ylim = c(0, 100))) +
    ggplot2::labs(title = sprintf("%s needed", counted(object$queries, "query", "queries")),
                  subtitle = wrapped(sprintf("%s %s, sd %s, level %s",
                                             if (interval) "Half width" else "Difference",
                                             plain_number(signif(object$difference, 3)),
                                             plain_number(signif(object$sd, 3)),
                                             plain_number(signif(object$level, 3)))),
                  x = if (is.null(object$machine)) "Queries" else "Queries with human grades",
                  y = if (interval) "Expected half width" else "Power, %",
                  caption = caption_lines(if (interval) "Dashed: the wanted half width." else {
                    paste0("Dashed: the wanted power. Test: ", planned_test(object), ".")
                  }, if (!is.null(object$machine)) {
                    sprintf("Grey: without the machine (%s).", counted(object$machine$human_only, "query", "queries"))
                  })) +
    plot_theme()
}

line_without_machine <- function(plan, last, interval) {
  alone <- planned_curve(without_machine(plan))
  alone$y <- if (interval) alone$half_width else 100 * alone$power
  ggplot2::geom_line(data = alone[alone$queries <= last, ], linewidth = 0.8, colour = "grey60")
}

# From two effective queries to twice the number that is needed.
planned_curve <- function(plan) {
  last <- max(2 * plan$effective, 10)
  n <- unique(round(exp(seq(log(2), log(last), length.out = 120L))))
  rows <- data.frame(queries = n / plan$efficiency)
  if (plan$test == "interval") {
    rows$half_width <- planned_half_width(plan, n)
    # The first widths are so large that they would hide all others.
    return(rows[rows$half_width <= 4 * plan$difference, ])
  }
  rows$power <- vapply(n, function(one) planned_power(plan, one), 0)
  rows
}
