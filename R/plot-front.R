#' Plot a front of objectives
#'
#' Draws the mean of each mixture by one objective against its mean by another objective, with intervals.
#'
#' @param object The front, made by [pareto_front()].
#' @param objectives The two objectives on the axes; by default the first and the last.
#' @param sample The queries: `"validation"` (the default) or `"test"`.
#' @param ... Must be empty.
#' @return A ggplot. Filled points are on the front. The triangle is the chosen mixture. The dashed line is the
#'   floor of an objective on an axis.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' simulated <- simulate_ranking(120, documents = 10, seed = 1)$data
#' data <- ranking_data(simulated$x, simulated$relevance, simulated$query,
#'                      labels = list(revenue = simulated$x[, 2]^2))
#' front <- pareto_front(gbrt(trees = 30), data, floor = c(relevance = 0.05), seed = 1,
#'                       threads = 1, verbose = FALSE)
#' ggplot2::autoplot(front)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_front <- function(object, objectives = NULL, sample = c("validation", "test"), ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a front")
  known <- names(object$objectives)
  if (is.null(objectives)) objectives <- known[c(1L, length(known))]
  if (!is.character(objectives) || length(unique(objectives)) != 2L || !all(objectives %in% known)) {
    stop_input("argument", sprintf("`objectives` must be two objectives, not %s.", show_value(objectives)),
               sprintf("There are %s.", enumerate(known)))
  }
  sample <- sample[1L]
  check_choice(sample, "sample", c("validation", "test"))
  if (sample == "test" && is.null(object$test)) {
    stop_input("argument", "The front has no test queries.", remedy = "Give `test` to `pareto_front()`.")
  }
  rows <- plotted_points(object, objectives, if (sample == "test") object$test else object$differences)
  draw_front(rows, object, objectives, sample)
}

# A row for each mixture: x and y with their intervals, around the mean of the mixture.
plotted_points <- function(object, objectives, differences) {
  axis <- function(name, letter) {
    own <- differences[differences$objective == name, ]
    shift <- own$value - own$difference
    ends <- data.frame(own$value, own$lower + shift, own$upper + shift)
    ends[is.na(ends)] <- own$value[row(ends)[is.na(ends)]]
    stats::setNames(ends, paste0(letter, c("", "_lower", "_upper")))
  }
  # The front of these queries and of all objectives.
  means <- vapply(names(object$objectives), function(name) differences$value[differences$objective == name],
                  numeric(nrow(object$points)))
  front <- undominated(matrix(means, nrow(object$points)))
  chosen <- object$points$point %in% object$choice$point
  cbind(axis(objectives[1L], "x"), axis(objectives[2L], "y"),
        kind = factor(ifelse(chosen, "chosen", ifelse(front, "on the front", "not on the front")), front_kinds))
}

front_kinds <- c("on the front", "not on the front", "chosen")

draw_front <- function(rows, object, objectives, sample) {
  metrics <- vapply(object$objectives[objectives], format, "")
  floors <- object$choice$floor
  # The floor is below the mean of the reference, which is a point of the plot.
  line <- function(name, letter, geom) {
    if (name %in% names(floors)) {
      geom(rows[[letter]][alone_of(object$weights, name)] - floors[[name]])
    }
  }
  dashed <- list(line(objectives[1L], "x", function(at) {
    ggplot2::geom_vline(xintercept = at, linetype = "dashed", colour = "grey40")
  }), line(objectives[2L], "y", function(at) {
    ggplot2::geom_hline(yintercept = at, linetype = "dashed", colour = "grey40")
  }))
  colours <- ranker_colours(2L)[c(1L, 1L, 2L)]
  ggplot2::ggplot(rows, ggplot2::aes(.data$x, .data$y)) +
    dashed +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$x_lower, xmax = .data$x_upper), colour = "grey70") +
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$y_lower, ymax = .data$y_upper), colour = "grey70") +
    ggplot2::geom_point(ggplot2::aes(shape = .data$kind, size = .data$kind, colour = .data$kind)) +
    ggplot2::scale_shape_manual(values = stats::setNames(c(16, 1, 17), front_kinds), name = NULL) +
    ggplot2::scale_size_manual(values = stats::setNames(c(2.2, 2.2, 3.4), front_kinds), name = NULL) +
    ggplot2::scale_colour_manual(values = stats::setNames(colours, front_kinds), name = NULL) +
    ggplot2::labs(title = "Compromises of two objectives",
                  subtitle = wrapped(paste(objectives, "by", metrics, collapse = ", ")),
                  x = objectives[1L], y = objectives[2L], caption = front_caption(object, sample)) +
    plot_theme()
}

front_caption <- function(object, sample) {
  caption_lines(sprintf("Means and %s %% intervals over the %s queries.", plain_number(100 * (1 - 2 * object$level)),
                        sample),
                "Intervals are of the difference to the model of this objective alone.",
                if (!is.null(object$choice$floor)) "Dashed: the floor.")
}
