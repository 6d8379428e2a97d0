#' Plot estimates from machine and human grades
#'
#' Draws the estimated mean metric of each ranker from both kinds of grades, with its interval, beside the estimates
#' from one kind.
#'
#' @param object The estimates, made by [evaluate_ppi()].
#' @param metric The name of the metric; by default the first metric.
#' @param ... Not used.
#' @return A ggplot with three numbers for each ranker: the estimate from both kinds of grades,
#' the estimate from human grades alone, and the mean under machine grades. The two estimates
#' have intervals.
#' @examples
#' simulation <- simulate_ranking(100, seed = 1)
#' data <- simulation$data
#' human <- ifelse(data$query <= 40, data$relevance, NA)
#' found <- evaluate_ppi(data$x[, 1:3], data, "ndcg@10", human = human,
#'                       machine = data$relevance, seed = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(found)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_ppi <- function(object, metric = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot estimates")
  check_no_others(...)
  metric <- plotted_metric(metric, names(object$values))
  table <- object$rankers[object$rankers$metric == metric, ]
  order <- table$ranker[order(table$mean)]
  grades <- c("human and machine", "human alone", "machine alone")
  rows <- rbind(
    data.frame(ranker = table$ranker, grades = grades[1L], value = table$mean, lower = table$lower,
               upper = table$upper),
    data.frame(ranker = table$ranker, grades = grades[2L], value = table$human_mean, lower = table$human_lower,
               upper = table$human_upper),
    data.frame(ranker = table$ranker, grades = grades[3L], value = table$machine_mean, lower = NA_real_,
               upper = NA_real_)
  )
  rows$ranker <- factor(rows$ranker, order)
  # The last level is drawn at the top. ggplot2 3.4 warns if a negative width is used for that.
  rows$grades <- factor(rows$grades, rev(grades))
  apart <- ggplot2::position_dodge(width = 0.6)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$value, y = .data$ranker, colour = .data$grades,
                                     shape = .data$grades)) +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper), position = apart,
                            linewidth = 0.7, na.rm = TRUE) +
    ggplot2::geom_point(position = apart, size = 2.4) +
    ggplot2::scale_colour_manual(values = stats::setNames(ranker_colours(3L), grades), breaks = grades) +
    ggplot2::scale_shape_manual(values = stats::setNames(ranker_shapes(3L), grades), breaks = grades) +
    ggplot2::guides(colour = ranker_legend(grades), shape = ranker_legend(grades)) +
    ggplot2::labs(title = wrapped(sprintf("%s by human and machine grades", metric)),
                  subtitle = wrapped(sprintf("%d of %s have human grades", table$human_queries[1L],
                                             counted(table$queries[1L], "query", "queries"))),
                  x = sprintf("Mean of %s over queries", metric), y = NULL, colour = NULL, shape = NULL,
                  caption = caption_lines(sprintf("Lines: %s %% intervals of each mean alone.",
                                                  plain_number(100 * object$settings$level)),
                                          "The mean of machine grades alone is biased if the machine errs.")) +
    plot_theme()
}
