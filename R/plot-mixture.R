#' Plot the members of a mixture
#'
#' Two panels share the members as rows: their weights, and their metric on the
#' validation data, where a dashed line marks the mixture.
#'
#' @param object A mixture, made by [tune_and_mix()].
#' @param ... Not used.
#' @return A ggplot object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid,
#'   classifiers = adaboost_mh(tree(4), rounds = 20), threads = 1)
#' ggplot2::autoplot(mixture)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_mixture <- function(object, ...) {
  rlang::check_installed("ggplot2", "to plot a mixture")
  metric <- format(object$metric)
  panels <- c("Weight in the mixture", paste("Held-out", metric))
  rows <- mixture_plot_rows(object, panels)
  mixture_line <- data.frame(panel = factor(panels[2L], panels),
                             value = object$value)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$value, y = .data$member)) +
    ggplot2::geom_segment(
      data = rows[rows$panel == panels[1L], ],
      ggplot2::aes(x = 0, xend = .data$value, yend = .data$member),
      colour = "grey70"
    ) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$calibrator,
                                     shape = .data$calibrator), size = 3) +
    ggplot2::geom_vline(data = mixture_line,
                        ggplot2::aes(xintercept = .data$value),
                        linetype = "dashed") +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_x") +
    ggplot2::scale_colour_brewer(palette = "Dark2") +
    ggplot2::labs(
      title = sprintf("Mixture of %d calibrated classifiers", nrow(object$members)),
      subtitle = sprintf("T = %d rounds, c = %s, chosen by %s on held-out data",
                         object$rounds, format(object$c), metric),
      x = NULL, y = NULL, colour = "Calibrator", shape = "Calibrator",
      caption = paste("Members with a higher held-out metric weigh more;",
                      "the dashed line is the mixture.")
    ) +
    ggplot2::theme_minimal(base_size = 11) +
    ggplot2::theme(panel.spacing = ggplot2::unit(1.5, "lines"),
                   legend.position = "bottom",
                   plot.title.position = "plot")
}

# One row for each member and panel, sorted by weight, the heaviest on top.
mixture_plot_rows <- function(mixture, panels) {
  members <- mixture$members
  labels <- member_labels(mixture)
  member <- factor(labels, levels = labels[order(members$weight)])
  row <- function(panel, value) {
    data.frame(member = member, calibrator = members$calibrator,
               panel = factor(panel, panels), value = value)
  }
  rbind(row(panels[1L], members$weight), row(panels[2L], members$value))
}
