#' Plot how assessors err
#'
#' Draws the confusion matrix of each assessor: tiles with the probability of each given grade (column), for each true
#' grade (row).
#'
#' @param object The model, made by [dawid_skene()].
#' @param assessors The names of assessors; by default the nine with the most judgements.
#' @param ... Not used.
#' @return A ggplot with a panel for each assessor.
#' @examples
#' set.seed(1)
#' true <- sample(0:2, 200, TRUE)
#' votes <- cbind(anna = true, llm = pmin(true + rbinom(200, 1, 0.4), 2), ben = true)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(dawid_skene(votes))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_dawid_skene <- function(object, assessors = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot confusion matrices")
  check_no_others(...)
  known <- object$assessors$assessor[order(-object$assessors$judgements)]
  shown <- if (is.null(assessors)) utils::head(known, 9L) else chosen_names(assessors, "assessor", known)
  rows <- as.data.frame.table(object$confusion[, , shown, drop = FALSE], responseName = "p",
                              stringsAsFactors = FALSE)
  rows$assessor <- factor(rows$assessor, shown)
  rows$label <- ifelse(rows$p >= 0.005, sprintf("%.2f", rows$p), "")
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$given, y = .data$true, fill = .data$p)) +
    ggplot2::geom_tile(colour = "white") +
    ggplot2::geom_text(ggplot2::aes(label = .data$label, colour = .data$p > 0.5), size = 3) +
    ggplot2::facet_wrap("assessor") +
    ggplot2::scale_fill_gradient(low = "#F7FBFF", high = "#08519C", limits = c(0, 1), breaks = c(0, 0.5, 1)) +
    ggplot2::scale_colour_manual(values = c(`FALSE` = "black", `TRUE` = "white"), guide = "none") +
    ggplot2::labs(title = "How assessors err", x = "Given grade", y = "True grade", fill = "Probability",
                  caption = caption_lines(if (length(shown) < length(known)) {
                    sprintf("%d of %d assessors.", length(shown), length(known))
                  }, "Each row sums to 1. The true grades are estimated, too.")) +
    plot_theme() + ggplot2::theme(panel.grid = ggplot2::element_blank(), panel.spacing = ggplot2::unit(0.8, "lines"))
}
