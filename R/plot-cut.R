#' Plot the choice of a threshold
#'
#' Draws the estimated precision, recall or NDCG, and the mean number of kept documents, against the threshold.
#'
#' @param object The cut, made by [cut_list()].
#' @param ... Must be empty.
#' @return A ggplot with two panels. The dashed line is the required value, the vertical line the chosen threshold.
#'   Coloured parts of the curves are certified.
#' @examples
#' simulation <- simulate_ranking(300, seed = 1)
#' cut <- cut_list(simulation$truth, simulation$data, "recall >= 0.8")
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(cut)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_cut <- function(object, ...) {
  rlang::check_installed("ggplot2", "to plot a cut")
  check_no_others(...)
  panels <- c(sprintf("Mean %s", object$risk$name), "Documents kept")
  path <- object$path[is.finite(object$path$threshold), ]
  rows <- data.frame(threshold = path$threshold, value = c(path$estimate, path$kept),
                     certified = ifelse(path$certified, "certified", "not certified"),
                     panel = factor(rep(panels, each = nrow(path)), panels))
  needed <- data.frame(panel = factor(panels[1L], panels), value = object$risk$bound)
  scale <- c(score = "score", probability = "probability of relevance", rank = "number of documents kept")[[object$by]]
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$threshold, y = .data$value)) +
    ggplot2::geom_hline(data = needed, ggplot2::aes(yintercept = .data$value), colour = "grey40",
                        linetype = "dashed") +
    (if (is.finite(object$threshold)) ggplot2::geom_vline(xintercept = object$threshold, colour = "grey40")) +
    ggplot2::geom_step(direction = if (object$by == "rank") "hv" else "vh", colour = "grey70") +
    ggplot2::geom_point(ggplot2::aes(colour = .data$certified), size = 0.9) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), ncol = 1L, scales = "free_y") +
    ggplot2::scale_colour_manual(values = c(certified = ranker_colours(1L), `not certified` = "grey60")) +
    ggplot2::labs(title = wrapped(sprintf("Threshold for %s", risk_text(object$risk))),
                  subtitle = wrapped(paste("Keep", kept_words(object))),
                  x = paste0("Threshold: ", scale), y = NULL, colour = NULL,
                  caption = caption_lines(sprintf("%s.", counted(object$queries, "validation query",
                                                                 "validation queries")),
                                          "Dashed: required. Vertical line: chosen.")) +
    plot_theme()
}
