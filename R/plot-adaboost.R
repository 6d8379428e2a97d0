#' Plot a boosted classifier over its rounds
#'
#' Panels share the rounds as columns: the edge of each base classifier, the bound of the
#' training error that follows from the edges, with `data` the training error itself, and
#' with validation data the held-out metric, where a dashed line marks the chosen number of
#' rounds.
#'
#' @param object A model of [adaboost_mh()], trained by [fit()].
#' @param data The training data, or `NULL`. With them the training error is found at up to
#'   60 numbers of rounds.
#' @param threads Number of threads for it; results do not depend on it.
#' @param ... Must be empty.
#'
#' @details The training error is the Hamming loss, \eqn{\sum_{il} w_{il} [f_l(x_i) y_{il} \le
#'   0]}{sum_il w_il [f_l(x_i) y_il <= 0]}, with the weights w of before the first round; the
#'   bound is \eqn{\prod_t \sqrt{1 - \gamma_t^2}}{prod_t sqrt(1 - gamma_t^2)}, with the edges
#'   \eqn{\gamma_t}{gamma_t}.
#' @return A ggplot object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(tree(4), rounds = 200), train, validation = valid, threads = 1)
#' ggplot2::autoplot(model, train)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_adaboost_mh_model <- function(object, data = NULL, threads = NULL, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a model")
  error <- if (!is.null(data)) training_error(object, data, threads)
  rows <- adaboost_plot_rows(object, error)
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
adaboost_plot_rows <- function(model, error) {
  rounds <- seq_along(model$edge)
  bound <- cumprod(sqrt(1 - model$edge^2))
  held_out <- paste("Held-out", format(model$metric))
  panels <- c("Edge", "Bound of the training error", if (!is.null(error)) "Training error",
              if (!is.null(model$curve)) held_out)
  row <- function(panel, round, value) {
    data.frame(panel = factor(rep(panel, length(round)), panels), round = round, value = value,
               held_out = rep(panel == held_out, length(round)))
  }
  rbind(row(panels[1L], rounds, model$edge), row(panels[2L], rounds, bound),
        if (!is.null(error)) row("Training error", error$rounds, error$value),
        if (!is.null(model$curve)) row(held_out, model$curve$rounds, model$curve$value))
}

# The Hamming loss at up to 60 numbers of rounds, all groups of grades weighted as at the start.
training_error <- function(model, data, threads, call = rlang::caller_env()) {
  check_ranking_data(data, call = call)
  threads <- check_threads(threads, call)
  check_same_shape(model, data, NULL, call)
  x <- match_features(data, model, threads, call)
  own <- cbind(seq_len(nrow(data)), model$groups[data$relevance + 1L] + 1L)
  columns <- match(seq_len(max(model$groups) + 1L) - 1L, model$groups)
  labels <- matrix(-1, nrow(own), length(columns))
  labels[own] <- 1
  weights <- adaboost_mh_weights(own[, 2L] - 1L, as.double(row_weights(data)), length(columns),
                                 unclass(model$spec), threads)
  rounds <- unique(round(seq(0, rounds_used(model), length.out = 60)))[-1L]
  f <- 0
  value <- vapply(seq_along(rounds), function(i) {
    f <<- f + later_discriminants(first_rounds(model, rounds[i]), x, c(0, rounds)[i], threads)
    sum(weights[f[, columns] * labels <= 0])
  }, numeric(1))
  data.frame(rounds = rounds, value = value)
}
