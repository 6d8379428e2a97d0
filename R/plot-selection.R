#' Plot the loss by number of features
#'
#' Draws the loss of the metric against the number of features, with intervals.
#'
#' @param object The result of [select_features()].
#' @param ... Must be empty.
#' @return A ggplot. The dashed line is the margin. Filled points are numbers of features that the tests show to be
#'   enough.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' found <- select_features(gbrt(trees = 20), train, valid, margin = 0.02, drop = 0.5, seed = 1,
#'                          threads = 1, verbose = FALSE)
#' ggplot2::autoplot(found)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_selection <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a selection")
  rows <- object$steps
  rows$lower[is.na(rows$lower)] <- rows$lost[is.na(rows$lower)]
  rows$upper[is.na(rows$upper)] <- rows$lost[is.na(rows$upper)]
  ggplot2::ggplot(rows, ggplot2::aes(.data$features, .data$lost)) +
    ggplot2::geom_hline(yintercept = object$margin, linetype = "dashed", colour = "grey40") +
    ggplot2::geom_linerange(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), colour = ranker_colours(1L)) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$enough), colour = ranker_colours(1L), size = 2.2) +
    ggplot2::scale_shape_manual(values = c(`TRUE` = 16, `FALSE` = 1), guide = "none") +
    ggplot2::scale_x_log10() +
    ggplot2::labs(title = "Loss by number of features", x = "Number of features",
                  y = sprintf("Loss of %s", format(object$metric)),
                  caption = sprintf("%s %% intervals over the validation queries. Filled: enough. Dashed: the margin.",
                                    plain_number(100 * (1 - 2 * object$level)))) +
    plot_theme()
}
