#' Plot linear models
#'
#' Draws the weights of features, the largest first. For a path, draws the validation metric or the weights against the
#' cost or penalty.
#'
#' @param object The model, trained by [fit()] from [mcsvm()], [linear_ranker()] or [ranksvm()].
#' @param type The plot of a path: `"metric"` (the default), or for [linear_ranker()] and [ranksvm()]
#'   `"weights"`.
#' @param ... Must be empty.
#' @return A ggplot. For a model: the weights as in `coef()`, for the 20 features with the largest weights.
#'   For a
#'   path: the validation metric against the cost or penalty; for costs without validation data, the number
#'   of Newton steps. The weights of a path are for features scaled to standard deviation 1, so they
#'   can be compared. The eight features with the largest weights are coloured.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- simulate_ranking(80, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(mcsvm(cost = 10^(-3:0)), parts$train, validation = parts$test, threads = 1)
#' ggplot2::autoplot(model)
#' ggplot2::autoplot(model$path[[2]])
#' pairs <- fit(ranksvm(), parts$train, validation = parts$test, threads = 1)
#' ggplot2::autoplot(pairs, "weights")
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_mcsvm_model <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a classifier")
  weights <- coef(object)
  weights <- weights[rownames(weights) != "(Intercept)", , drop = FALSE]
  colnames(weights) <- seq_len(ncol(weights)) - 1L
  plot_features_by(weights, object, "Grade") +
    ggplot2::labs(x = "Weight of the unscaled feature")
}

# `values` are features x grades, or features x the groups that `what` names. Only the largest
# features are plotted.
plot_features_by <- function(values, object, what) {
  size <- apply(abs(values), 1L, max)
  top <- utils::head(order(-size), max_bars)
  rows <- data.frame(feature = factor(rep(rownames(values)[top], ncol(values)),
                                      rev(rownames(values)[top])),
                     grade = factor(rep(colnames(values), each = length(top)), colnames(values)),
                     weight = as.vector(values[top, ]))
  grades <- nlevels(rows$grade)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$weight, y = .data$feature)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::geom_line(ggplot2::aes(group = .data$feature), colour = "grey75") +
    ggplot2::geom_point(ggplot2::aes(colour = .data$grade, shape = .data$grade), size = 2.2) +
    ggplot2::scale_shape_manual(values = ranker_shapes(grades)) +
    scale_rankers(grades) +
    ggplot2::labs(title = format(object$spec),
                  subtitle = sprintf("%d grades, %d features", object$classes,
                                     nrow(values)),
                  y = NULL, colour = what, shape = what,
                  caption = if (nrow(values) > length(top)) {
                    sprintf("%s features with smaller weights are not shown.",
                            format_count(nrow(values) - length(top)))
                  }) +
    plot_theme()
}

#' @rdname autoplot.rankmix_mcsvm_model
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_linear_model <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a model")
  weights <- tidy(object)
  weights <- weights[weights$feature != "(Intercept)", ]
  weights <- weights[order(-abs(weights$weight)), ]
  plot_bars(data.frame(feature = weights$feature, value = weights$weight),
            title = format(object$spec), subtitle = sprintf("%d features", nrow(weights)),
            x = "Weight of the unscaled feature")
}

#' @rdname autoplot.rankmix_mcsvm_model
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_path <- function(object, type = "metric", ...) {
  # SmoothRank models also have stages.
  if (inherits(object, "rankmix_smoothrank_model")) {
    return(autoplot.rankmix_smoothrank_model(object, type, ...))
  }
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a path")
  if (inherits(object, "rankmix_cocr_model")) {
    check_choice(type, "type", "metric")
    return(plot_cocr_path(object))
  }
  check_choice(type, "type", c("metric", if (inherits(object, "rankmix_linear_model")) "weights"))
  if (type == "weights") plot_path_weights(object) else plot_path_metric(object)
}

plot_path_metric <- function(object) {
  table <- glance(object)
  setting <- entry_of(object$spec)$path
  table$x <- table[[setting]]
  held_out <- !is.null(table$value)
  table$y <- if (held_out) table$value else if (is.null(table$steps)) table$freedom else table$steps
  # A logarithmic scale has no 0.
  table <- table[table$x > 0, ]
  ggplot2::ggplot(table, ggplot2::aes(x = .data$x, y = .data$y)) +
    ggplot2::geom_line(colour = ranker_colours(1L)) +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 2.2) +
    scale_of_path() +
    ggplot2::labs(title = sprintf("A path of %s()", entry_of(object$spec)$name),
                  subtitle = sprintf("%d values, %d features", nrow(table), table$features[1L]),
                  x = title_of_setting(setting),
                  y = if (held_out) paste("Validation", table$metric[1L]) else {
                    if (is.null(table$steps)) "Degrees of freedom" else "Newton steps"
                  }) +
    plot_theme()
}

scale_of_path <- function() {
  ggplot2::scale_x_log10(labels = function(x) format(x, trim = TRUE, drop0trailing = TRUE))
}

title_of_setting <- function(setting) sprintf("%s (log scale)", capital(setting))

# Number of features with their own colours.
max_coloured <- 8L

plot_path_weights <- function(object) {
  setting <- entry_of(object$spec)$path
  rows <- do.call(rbind, lapply(object$path, function(step) {
    data.frame(x = step$spec[[setting]], feature = input_names(step),
               weight = step$weights * (if (is.null(step$scale)) 1 else step$scale))
  }))
  rows <- rows[rows$x > 0, ]
  size <- tapply(abs(rows$weight), rows$feature, max)
  top <- names(utils::head(sort(size, decreasing = TRUE), max_coloured))
  others <- rows[!rows$feature %in% top, ]
  rows <- rows[rows$feature %in% top, ]
  rows$feature <- factor(rows$feature, top)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$x, y = .data$weight)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey40") +
    ggplot2::geom_line(ggplot2::aes(group = .data$feature), others, colour = "grey80") +
    ggplot2::geom_line(ggplot2::aes(colour = .data$feature)) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$feature, shape = .data$feature), size = 2.2) +
    (if (!is.na(object$chosen)) {
      ggplot2::geom_vline(xintercept = object$spec[[setting]], linetype = "dashed",
                          colour = "grey40")
    }) +
    ggplot2::scale_shape_manual(values = ranker_shapes(length(top))) +
    scale_rankers(length(top)) +
    scale_of_path() +
    ggplot2::labs(title = sprintf("A path of %s()", entry_of(object$spec)$name),
                  subtitle = sprintf("%d values, %d features%s", length(unique(rows$x)),
                                     length(size), if (is.na(object$chosen)) "" else {
                                       "; dashed: the chosen value"
                                     }),
                  x = title_of_setting(setting), y = "Standardised weight",
                  colour = "Feature", shape = "Feature",
                  caption = if (nrow(others) > 0L) {
                    sprintf("In grey: %s features with smaller weights.",
                            format_count(length(size) - length(top)))
                  }) +
    plot_theme()
}
