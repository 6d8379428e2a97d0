#' Plot a boosted model
#'
#' Draws edges, gains, errors and the validation metric against the round, or bars with the importance of features, the
#' largest first.
#'
#' @param object The model, trained by [fit()] from [adaboost_mh()] or [gbrt()].
#' @param type The plot:
#'   * `"rounds"` (the default): panels with the rounds as columns. For [adaboost_mh()]: the edge of each
#'     base classifier, the bound of the training error that follows from the edges, and with `data` the
#'     training error. For [gbrt()]: the gain of each tree. With `data`, also the mean squared error if the model was
#'     trained on grades. With validation data, another panel shows the validation metric. A dashed line marks the
#'     chosen number of rounds.
#'   * `"importance"`: up to 20 features with the most gain, as in `tidy()`.
#' @param data The training data, or `NULL`. With training data, the error is computed at up to 60 numbers of rounds.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return A ggplot object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(adaboost_mh(base_tree(4), rounds = 200), train, validation = valid, threads = 1)
#' ggplot2::autoplot(model, data = train)
#' ggplot2::autoplot(model, "importance")
#' @details The training error of [adaboost_mh()] is the Hamming loss, \eqn{\sum_{il} w_{il}
#'   [f_l(x_i) y_{il} \le 0]}{sum_il w_il [f_l(x_i) y_il <= 0]}, with the weights w before
#'   the first round. The bound is \eqn{\prod_t \sqrt{1 - \gamma_t^2}}{prod_t sqrt(1 -
#'   gamma_t^2)}, with the edges \eqn{\gamma_t}{gamma_t}. The mean squared error of [gbrt()]
#'   is between predictions and grades, weighted by the query weights.
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_adaboost_mh_model <- function(object, type = c("rounds", "importance"),
                                               data = NULL, threads = NULL, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a model")
  type <- check_first_choice(type, "type", c("rounds", "importance"))
  if (type == "importance") {
    return(plot_importance(object))
  }
  error <- if (!is.null(data)) training_error(object, data, threads)
  plot_rounds(object, adaboost_plot_rows(object, error),
              sprintf("%d rounds (%s), %d grades, %d features", length(object$alpha),
                      object$status, object$classes, length(object$features)))
}

#' @rdname autoplot.rankmix_adaboost_mh_model
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_gbrt_model <- function(object, type = c("rounds", "importance"), data = NULL,
                                        threads = NULL, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a model")
  type <- check_first_choice(type, "type", c("rounds", "importance"))
  if (type == "importance") {
    return(plot_importance(object))
  }
  regresses <- regresses_grades(object$spec)
  error <- if (!is.null(data) && regresses) squared_error(object, data, check_threads(threads))
  plot_rounds(object, gbrt_plot_rows(object, error),
              sprintf("%d trees (%s), %d features", rounds_used(object), object$status,
                      length(object$features)))
}

# `rows` has a panel, a round, a value, and `held_out`, TRUE for values of validation data.
plot_rounds <- function(object, rows, subtitle) {
  held_out <- rows[rows$held_out, ]
  plot <- ggplot2::ggplot(rows, ggplot2::aes(x = .data$round, y = .data$value)) +
    ggplot2::geom_line(colour = ranker_colours(1L), linewidth = 0.5) +
    ggplot2::geom_point(data = if (nrow(held_out) <= 60L) held_out else held_out[0L, ],
                        colour = ranker_colours(1L), size = 2) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), ncol = 1L, scales = "free_y") +
    ggplot2::labs(title = wrapped(format(object$spec)), subtitle = subtitle, x = "Round", y = NULL) +
    plot_theme()
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

# Binds the rows of all panels. The factor keeps the panels in order.
panel_rows <- function(panels, held_out) {
  names <- names(panels)
  rows <- lapply(names, function(name) {
    data.frame(panel = factor(rep(name, nrow(panels[[name]])), names), panels[[name]],
               held_out = rep(name %in% held_out, nrow(panels[[name]])))
  })
  do.call(rbind, rows)
}

held_out_panel <- function(model) {
  if (is.null(model$curve)) {
    return(NULL)
  }
  stats::setNames(list(data.frame(round = model$curve$rounds, value = model$curve$value)),
                  paste("Validation", format(model$metric)))
}

adaboost_plot_rows <- function(model, error) {
  rounds <- seq_along(model$edge)
  held_out <- held_out_panel(model)
  panel_rows(c(list(Edge = data.frame(round = rounds, value = model$edge),
                    `Bound of the training error` =
                      data.frame(round = rounds, value = cumprod(sqrt(1 - model$edge^2)))),
               if (!is.null(error)) list(`Training error` = error), held_out), names(held_out))
}

# In gbrt(), each round has one tree.
gbrt_plot_rows <- function(model, error) {
  trees <- rounds_used(model)
  tree <- rep(seq_len(trees), diff(model$forest$node_begin))
  gain <- as.vector(tapply(model$forest$gain, factor(tree, seq_len(trees)), sum, default = 0))
  held_out <- held_out_panel(model)
  off <- if (has_squared_loss(model$spec)) "mean squared residual" else "objective"
  gains <- stats::setNames(list(data.frame(round = seq_len(trees), value = gain)),
                           paste("Gain of each tree: its reduction of the", off))
  panel_rows(c(gains, if (!is.null(error)) list(`Mean squared error on the data given` = error),
               held_out), names(held_out))
}

# Whether scores are grades, and gains are of squared error.
regresses_grades <- function(spec) {
  has_squared_loss(spec) && !identical(spec$objective$target, "gain")
}

# The numbers of rounds to plot, at most 60.
plotted_rounds <- function(model) {
  unique(round(seq(0, rounds_used(model), length.out = 60)))[-1L]
}

squared_error <- function(model, data, threads, call = rlang::caller_env()) {
  check_ranking_data(data, call = call)
  rounds <- plotted_rounds(model)
  scores <- matrix(predict(model, data, rounds = rounds, threads = threads), nrow(data))
  weight <- as.double(row_weights(data))
  if (length(weight) == 0L) weight <- rep(1, nrow(data))
  data.frame(round = rounds,
             value = colSums(weight * (data$relevance - scores)^2) / sum(weight))
}

# The Hamming loss at up to 60 numbers of rounds. All groups of grades have equal weight, as at the
# start of training.
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
  rounds <- plotted_rounds(model)
  f <- 0
  value <- vapply(seq_along(rounds), function(i) {
    f <<- f + later_discriminants(first_rounds(model, rounds[i]), x, c(0, rounds)[i], threads)
    sum(weights[f[, columns] * labels <= 0])
  }, numeric(1))
  data.frame(round = rounds, value = value)
}
