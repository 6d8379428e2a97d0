#' Plot the stages of SmoothRank
#'
#' Draws the mean metric or the weights of features against sigma or, for several penalties, the penalty.
#'
#' @param object The model, trained by [fit()] from [smoothrank()]. With several penalties, the stages of
#'   the chosen penalty, or of the average, are drawn.
#' @param type The plot. `"stages"`: the metric by \eqn{\sigma}{sigma}. `"weights"`: the weights of features
#'   by
#'   \eqn{\sigma}{sigma}. With several penalties, the default is `"metric"`, the validation metric by
#'   penalty. `"weights"` then shows the weights by penalty.
#' @param data The judged data for `"stages"`, on which the exact metric is drawn: one data set, or several
#'   in a named list, such as `list(training = train, test = test)`.
#' @param metric The metric of `data`; `NULL` is the model's metric.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#' @return A ggplot, with large values of sigma on the left and small values on the right. `"stages"` shows
#'   the mean of the smooth metric on the training data, and of the metric on `data`. `"weights"` are for
#'   features scaled to standard deviation 1 if the model was trained with `scale = "standard"`, otherwise
#'   for the original features. The eight features with the largest weights are coloured.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- simulate_ranking(60, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(smoothrank(metric_ndcg(10), penalty = 0.1), parts$train, threads = 1)
#' ggplot2::autoplot(model, data = list(training = parts$train, test = parts$test))
#' ggplot2::autoplot(model, "weights")
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_smoothrank_model <- function(object, type = "stages", data = NULL,
                                              metric = NULL, threads = NULL, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a model")
  path <- !is.null(object$path)
  check_choice(type, "type", c("stages", "weights", if (path) "metric"))
  if (type == "metric") {
    return(plot_path_metric(object))
  }
  if (type == "weights" && path) {
    return(plot_path_weights(object))
  }
  check_chosen(object)
  if (type == "weights") {
    return(plot_stage_weights(object))
  }
  threads <- check_threads(threads)
  metric <- if (is.null(metric)) object$spec$metric else read_metric(metric)
  plot_stages(object, stage_values(object, judged_sets(data), metric, threads), metric)
}

# The judged data sets as a named list.
judged_sets <- function(data, call = rlang::caller_env()) {
  if (is.null(data)) {
    return(list())
  }
  sets <- if (inherits(data, "ranking_data")) list(data = data) else data
  if (!is.list(sets) || any(rlang::names2(sets) == "")) {
    stop_input("argument", "`data` must be ranking data, or a list of them with names.",
               remedy = "For example `list(training = train, test = test)`.", call = call)
  }
  for (set in sets) check_ranking_data(set, call = call)
  sets
}

# The metric after each stage; on the training data also the smooth metric.
stage_values <- function(object, sets, metric, threads) {
  stages <- object$stages
  smooth_name <- paste("training, smooth", format(object$spec$metric))
  rows <- list(data.frame(sigma = stages$sigma, value = stages$value, set = smooth_name))
  for (name in names(sets)) {
    scores <- predict(object, sets[[name]], stage = stages$stage, threads = threads)
    rows[[name]] <- data.frame(
      sigma = stages$sigma, set = name,
      value = metric_means(metric, as.matrix(scores), sets[[name]], threads)
    )
  }
  rows <- do.call(rbind, rows)
  rows$set <- factor(rows$set, unique(rows$set))
  rows
}

plot_stages <- function(object, rows, metric) {
  sets <- nlevels(rows$set)
  ggplot2::ggplot(rows, ggplot2::aes(x = annealed(.data$sigma), y = .data$value, colour = .data$set,
                                     shape = .data$set)) +
    ggplot2::geom_line() +
    ggplot2::geom_point(size = 2.2) +
    ggplot2::scale_shape_manual(values = ranker_shapes(sets)) +
    scale_rankers(sets) +
    scale_of_stages() +
    ggplot2::labs(title = "The stages of smoothrank()",
                  subtitle = sprintf("%s, %d features", penalty_text(object),
                                     length(object$features)),
                  x = "Sigma (log scale, from large to small)", y = paste("Mean", format(metric)),
                  colour = NULL, shape = NULL) +
    plot_theme()
}

plot_stage_weights <- function(object) {
  scale <- if (object$spec$scale == "standard") object$scale else 1
  weights <- object$stage_weights * scale
  names <- input_names(object)
  rows <- data.frame(sigma = rep(object$stages$sigma, each = length(names)),
                     feature = rep(names, ncol(weights)), weight = as.vector(weights))
  size <- apply(abs(weights), 1L, max)
  top <- names[utils::head(order(-size), max_coloured)]
  others <- rows[!rows$feature %in% top, ]
  rows <- rows[rows$feature %in% top, ]
  rows$feature <- factor(rows$feature, top)
  ggplot2::ggplot(rows, ggplot2::aes(x = annealed(.data$sigma), y = .data$weight)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey40") +
    ggplot2::geom_line(ggplot2::aes(group = .data$feature), others, colour = "grey80") +
    ggplot2::geom_line(ggplot2::aes(colour = .data$feature)) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$feature, shape = .data$feature), size = 2.2) +
    ggplot2::scale_shape_manual(values = ranker_shapes(length(top))) +
    scale_rankers(length(top)) +
    scale_of_stages() +
    ggplot2::labs(title = "The stages of smoothrank()",
                  subtitle = sprintf("%s, %d features", penalty_text(object),
                                     length(names)),
                  x = "Sigma (log scale, from large to small)", y = "Weight",
                  colour = "Feature", shape = "Feature",
                  caption = if (nrow(others) > 0L) {
                    sprintf("In grey: %s features with smaller weights.",
                            format_count(length(names) - length(top)))
                  }) +
    plot_theme()
}

penalty_text <- function(object) {
  if (is.null(object$fractions)) return(paste("penalty", format(object$spec$penalty)))
  sprintf("average of %d penalties and the start", length(object$path))
}

# The x axis is -log2(sigma), because sigma falls by factors from left to right.
annealed <- function(sigma) -log2(sigma)

scale_of_stages <- function() {
  ggplot2::scale_x_continuous(labels = function(x) {
    number_text(2^-x, trim = TRUE, digits = 3, drop0trailing = TRUE)
  })
}
