#' Plot the confusion of grades
#'
#' Draws a tile with the probability of each true grade (column), given the grade of the assessors (row).
#'
#' @param object The confusion matrix, made by [infer_confusion()].
#' @param ... Must be empty.
#' @return A ggplot.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- matrix(rep(rnorm(300), each = 4), ncol = 1)
#' data <- ranking_data(x, rbinom(1200, 1, ifelse(x > 0, 0.9, 0.2)), rep(1:30, each = 40))
#' ggplot2::autoplot(infer_confusion(data))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_confusion <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a confusion matrix")
  grades <- seq_len(nrow(object)) - 1L
  p <- as.vector(object)
  rows <- data.frame(judged = factor(rep(grades, length(grades)), rev(grades)),
                     true = factor(rep(grades, each = length(grades)), grades), p = p,
                     label = sub("^0[.]", ".", sprintf("%.2f", p)))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$true, y = .data$judged, fill = .data$p)) +
    ggplot2::geom_tile(colour = "white") +
    ggplot2::geom_text(ggplot2::aes(label = .data$label), size = 3.4,
                       colour = ifelse(p > 0.5, "white", "grey20")) +
    ggplot2::scale_fill_gradient(low = "grey95", high = ranker_colours(1L), limits = c(0, 1)) +
    ggplot2::coord_fixed() +
    ggplot2::labs(title = "Confusion of grades",
                  subtitle = sprintf("%s in %s", counted(sum(attr(object, "judged")), "near-duplicate"),
                                     counted(attr(object, "buckets"), "bucket")),
                  x = "True grade", y = "Grade of the assessors", fill = "Probability") +
    plot_theme()
}
