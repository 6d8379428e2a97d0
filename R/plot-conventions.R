#' Plot a convention report
#'
#' Draws two panels with the conventions as columns: the mean of the metric over queries of
#' each ranker, and its rank, the best on top. Where lines cross, the order of rankers changes.
#'
#' @param object The report, made by [convention_report()].
#' @param n Number of rankers to draw; default 8, because more colours cannot be distinguished. The rankers with the
#'   highest means by the first convention are drawn. The subtitle gives the number of all rankers.
#' @param ... Must be empty.
#' @return A ggplot object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' report <- convention_report(as.data.frame(data$x[, 1:3]), data, metric_ndcg(10))
#' ggplot2::autoplot(report)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_convention_report <- function(object, n = max_curves, ...) {
  rlang::check_installed("ggplot2", "to plot a report")
  check_no_others(...)
  check_count(n, "n", infinite = TRUE)
  rows <- convention_plot_rows(object)
  first <- object$table[object$table$convention == object$table$convention[1L], ]
  all <- nlevels(rows$ranker)
  rankers <- drawn_rankers(stats::setNames(first$mean, first$ranker), n)
  left <- drawn_words(length(rankers), all, sprintf("%s of %s", format(object$metric), first$convention[1L]))
  rows <- droplevels(rows[rows$ranker %in% rankers, ])
  legend <- ranker_legend(short_labels_of_rankers(levels(rows$ranker)))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$convention, y = .data$y,
                                     colour = .data$ranker,
                                     group = .data$ranker)) +
    ggplot2::geom_line(linewidth = 0.7, alpha = 0.7, na.rm = TRUE) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$ranker), size = 2.5,
                        na.rm = TRUE) +
    ggplot2::facet_grid(ggplot2::vars(.data$panel), scales = "free_y",
                        switch = "y") +
    # Ranks are drawn below 0 so that the best is on top.
    ggplot2::scale_y_continuous(labels = function(y) format(abs(y)),
                                breaks = rank_or_value_breaks) +
    scale_rankers(nlevels(rows$ranker), labels = short_labels_of_rankers) +
    ggplot2::scale_shape_manual(values = ranker_shapes(nlevels(rows$ranker)), labels = short_labels_of_rankers) +
    ggplot2::guides(colour = legend, shape = legend) +
    ggplot2::labs(
      title = sprintf("%s by the rules of %d tools", format(object$metric),
                      length(unique(rows$convention))),
      subtitle = paste(c(sprintf("%d of %d pairs of rankers change their order", nrow(object$swaps),
                                 choose(all, 2L)), left),
                       collapse = "\n"),
      x = NULL, y = NULL, colour = "Ranker", shape = "Ranker"
    ) +
    plot_theme() +
    ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 35, hjust = 1),
                   strip.placement = "outside")
}

convention_plot_rows <- function(report) {
  table <- report$table
  panels <- c("Mean", "Rank")
  row <- function(panel, y) {
    data.frame(convention = factor(table$convention, unique(table$convention)),
               ranker = factor(table$ranker, unique(table$ranker)),
               panel = factor(panel, panels), y = y)
  }
  rbind(row(panels[1L], table$mean), row(panels[2L], -table$rank))
}

# Limits of ranks reach further below 0 than above 0; limits of means do not.
rank_or_value_breaks <- function(limits) {
  if (abs(limits[1L]) <= abs(limits[2L])) {
    return(pretty(limits))
  }
  last <- ceiling(limits[1L])
  if (last >= -12) {
    return(seq(last, -1))
  }
  steps <- pretty(c(1, -last))
  c(-1, -steps[steps > 1])
}
