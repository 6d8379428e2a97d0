#' Plot a boosted classifier over its rounds
#'
#' Panels share the rounds as columns: the edge of each base classifier, the bound of the
#' training error that follows from the edges, and with validation data the held-out
#' metric, where a dashed line marks the chosen number of rounds.
#'
#' @param object A model of [adaboost_mh()], trained by [fit()].
#' @param ... Not used.
#' @return A ggplot object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(tree(4), rounds = 200), train, validation = valid, threads = 1)
#' ggplot2::autoplot(model)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_adaboost_mh_model <- function(object, ...) {
  rlang::check_installed("ggplot2", "to plot a model")
  rows <- adaboost_plot_rows(object)
  held_out <- rows[rows$held_out, ]
  plot <- ggplot2::ggplot(rows, ggplot2::aes(x = .data$round, y = .data$value)) +
    ggplot2::geom_line(colour = ranker_colours(1L), linewidth = 0.5) +
    ggplot2::geom_point(data = if (nrow(held_out) <= 60L) held_out else held_out[0L, ],
                        colour = ranker_colours(1L), size = 2) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), ncol = 1L, scales = "free_y") +
    ggplot2::labs(
      title = format(object$spec),
      subtitle = sprintf("%d rounds (%s), %d grades, %d features", length(object$alpha),
                         object$status, object$classes, length(object$features)),
      x = "Round", y = NULL
    ) +
    ggplot2::theme_minimal(base_size = 11) +
    ggplot2::theme(panel.grid.minor = ggplot2::element_blank(),
                   panel.spacing = ggplot2::unit(1, "lines"),
                   plot.title.position = "plot")
  if (nrow(held_out) == 0L) {
    return(plot)
  }
  best <- data.frame(panel = held_out$panel[1L], round = object$best_rounds)
  plot +
    ggplot2::geom_vline(data = best, ggplot2::aes(xintercept = .data$round),
                        linetype = "dashed") +
    ggplot2::labs(caption = sprintf("The dashed line marks the chosen %d rounds.",
                                    object$best_rounds))
}

# One row for each panel and round.
adaboost_plot_rows <- function(model) {
  rounds <- seq_along(model$edge)
  panels <- c("Edge", "Bound of the training error",
              if (!is.null(model$curve)) paste("Held-out", format(model$metric)))
  row <- function(panel, round, value, held_out = FALSE) {
    data.frame(panel = factor(rep(panels[panel], length(round)), panels), round = round,
               value = value, held_out = rep(held_out, length(round)))
  }
  rbind(row(1L, rounds, model$edge),
        row(2L, rounds, cumprod(sqrt(1 - model$edge^2))),
        if (!is.null(model$curve)) {
          row(3L, model$curve$rounds, model$curve$value, held_out = TRUE)
        })
}
