#' Plot learning curves
#'
#' Draws the mean metric over test queries against the fraction of training queries (%), with intervals as bands.
#'
#' @param object The learning curves, made by [learning_curve()].
#' @param n Number of rankers to draw; default 8, because more colours cannot be distinguished. The rankers with the
#'   highest means at the largest fraction are drawn. The caption gives the number of all rankers.
#' @param ... Not used.
#' @return A ggplot with a panel for each order of the training queries.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' curve <- learning_curve(list(ridge = linear_ranker(penalty = 1)), list(train = train, test = test),
#'                         fractions = c(0.2, 1), seed = 1, threads = 1, verbose = FALSE)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(curve)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_learning_curve <- function(object, n = max_curves, ...) {
  rlang::check_installed("ggplot2", "to plot learning curves")
  check_no_others(...)
  check_count(n, "n", infinite = TRUE)
  table <- summary(object)
  if (nrow(table) == 0L) {
    stop_input("argument", "All rankers failed: there is nothing to plot.")
  }
  metric <- format(object$metric)
  drawn <- drawn_at_largest(table, n, metric)
  rankers <- drawn$rankers
  table <- table[table$ranker %in% rankers, ]
  table$ranker <- factor(table$ranker, rankers)
  table$in_curve <- stats::ave(table$fraction, table$ranker, table$order, FUN = length) > 1
  words <- c(random = "random order", hard_first = "hard queries first",
             easy_first = "easy queries first")
  table$order <- factor(words[table$order], words)
  legend <- ranker_legend(short_labels_of_rankers(rankers))
  # Rankers with a single point have no line. They are drawn side by side, so that none is hidden.
  alone <- table[!table$in_curve, ]
  dodge <- ggplot2::position_dodge(width = if (nrow(alone) == nrow(table)) 12 else 0)
  plot <- ggplot2::ggplot(table, ggplot2::aes(x = 100 * .data$fraction, y = .data$mean,
                                              colour = .data$ranker, fill = .data$ranker,
                                              shape = .data$ranker)) +
    ggplot2::geom_ribbon(data = table[table$in_curve, ], alpha = 0.13, colour = NA,
                         ggplot2::aes(ymin = .data$lower, ymax = .data$upper)) +
    ggplot2::geom_line(data = table[table$in_curve, ], linewidth = 0.7) +
    ggplot2::geom_linerange(data = alone, position = dodge, na.rm = TRUE,
                            ggplot2::aes(ymin = .data$lower, ymax = .data$upper)) +
    ggplot2::geom_point(position = dodge, size = 2) +
    fraction_axis(100 * unique(table$fraction)) +
    scale_rankers(length(rankers), labels = short_labels_of_rankers) +
    ggplot2::scale_fill_manual(values = ranker_colours(length(rankers)), labels = short_labels_of_rankers) +
    ggplot2::scale_shape_manual(values = ranker_shapes(length(rankers)), labels = short_labels_of_rankers) +
    ggplot2::guides(colour = legend, fill = legend, shape = legend) +
    ggplot2::labs(title = sprintf("Learning curves: %s on the test queries", metric),
                  x = "Training queries, % of all", y = sprintf("Mean %s", metric),
                  colour = NULL, fill = NULL, shape = NULL,
                  caption = caption_lines(drawn$words,
                                          "95 % intervals over the test queries, the same for all points.")) +
    plot_theme()
  if (nlevels(droplevels(table$order)) > 1L) {
    plot <- plot + ggplot2::facet_wrap(ggplot2::vars(.data$order))
  } else {
    plot <- plot + ggplot2::labs(subtitle = as.character(table$order[1L]))
  }
  plot
}

# The rankers with the highest means at the largest fraction, averaged over orders, and words about others.
drawn_at_largest <- function(table, n, metric) {
  largest <- table[table$fraction == max(table$fraction), ]
  rankers <- unique(table$ranker)
  means <- tapply(largest$mean, factor(largest$ranker, rankers), mean)
  shown <- drawn_rankers(stats::setNames(as.vector(means), rankers), n)
  list(rankers = shown, words = drawn_words(length(shown), length(rankers), paste(metric, "at the largest fraction")))
}

# The x axis. A single fraction gets an axis as wide as the axis of a curve.
fraction_axis <- function(fractions) {
  if (length(fractions) > 1L) {
    return(ggplot2::scale_x_continuous())
  }
  ggplot2::scale_x_continuous(limits = fractions + c(-20, 20), breaks = fractions)
}

#' Plot a metric for several cut-offs
#'
#' Draws the mean metric over queries against the cut-off, with a line for each ranker.
#'
#' @param object The result of [cutoff_curves()].
#' @param n Number of rankers to draw; default 8, because more colours cannot be distinguished. The rankers with the
#'   highest means at the last cut-off of the last convention are drawn. The subtitle gives the number of all rankers.
#' @param ... Not used.
#' @return A ggplot with a panel for each convention.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' curves <- cutoff_curves(test$x[, 1], test, cutoffs = c(1, 3, 10), threads = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(curves)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_cutoffs <- function(object, n = max_curves, ...) {
  rlang::check_installed("ggplot2", "to plot cut-offs")
  check_no_others(...)
  check_count(n, "n", infinite = TRUE)
  table <- as.data.frame(object)
  name <- sub("@.*", "", format(attr(object, "metric")))
  last <- table[table$convention == table$convention[nrow(table)] & table$cutoff == max(table$cutoff), ]
  rankers <- drawn_rankers(stats::setNames(last$mean, last$ranker), n)
  left <- drawn_words(length(rankers), nrow(last), sprintf("%s@%d of %s", name, last$cutoff[1L], last$convention[1L]))
  table <- table[table$ranker %in% rankers, ]
  table$ranker <- factor(table$ranker, rankers)
  table$convention <- factor(table$convention, unique(table$convention))
  ggplot2::ggplot(table, ggplot2::aes(x = .data$cutoff, y = .data$mean, colour = .data$ranker,
                                      shape = .data$ranker)) +
    ggplot2::geom_line(linewidth = 0.7, na.rm = TRUE) +
    ggplot2::geom_point(size = 1.8, na.rm = TRUE) +
    ggplot2::facet_wrap(ggplot2::vars(.data$convention)) +
    scale_rankers(length(rankers), labels = short_labels_of_rankers) +
    ggplot2::scale_shape_manual(values = ranker_shapes(length(rankers)), labels = short_labels_of_rankers) +
    ggplot2::scale_x_continuous(breaks = function(limits) {
      unique(round(pretty(limits)))
    }) +
    ggplot2::guides(colour = ranker_legend(short_labels_of_rankers(rankers)),
                    shape = ranker_legend(short_labels_of_rankers(rankers))) +
    ggplot2::labs(title = sprintf("Mean %s against the cut-off, by the rules of %d tools", name,
                                  nlevels(table$convention)),
                  subtitle = paste(c(counted(attr(object, "queries"), "query", "queries"), left), collapse = "\n"),
                  x = "Cut-off (documents)", y = sprintf("Mean %s at the cut-off", name),
                  colour = NULL, shape = NULL) +
    plot_theme()
}
