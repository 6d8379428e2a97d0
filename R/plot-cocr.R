#' Plot ordinal classification via regression
#'
#' Draws the importance of each feature in each subproblem. For a path, draws the validation metric against the penalty,
#' by cost.
#'
#' @param object The model, trained by [fit()] from [cocr()].
#' @param ... Must be empty.
#' @return A ggplot. For a model: the importance of each feature in each subproblem, for the 20 most important
#'   features. Importance is the weight of the feature scaled to standard deviation 1, or for trees its
#'   fraction of the gain. For a path: the validation metric by penalty and cost.
#' @section Conditions: `rankmix_error_argument`: the base has no importance of features.
#'   `rankmix_error_path`: no model of a path was chosen.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- simulate_ranking(80, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(cocr(linear_ranker(), c("oerr", "absolute")), parts$train, parts$test, threads = 1)
#' ggplot2::autoplot(model)
#' ggplot2::autoplot(model$path[["oerr, 1"]])
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_cocr_model <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a classifier")
  check_chosen(object)
  linear <- !is.null(object$weights)
  values <- if (linear) coef(object)[seq_along(object$scale), , drop = FALSE] * object$scale else {
    gain_fractions(object)
  }
  # Four keys in a row are too wide for a figure of 5.2 inches.
  legend <- ggplot2::guide_legend(ncol = 3)
  plot_features_by(values, object, "Subproblem") +
    ggplot2::guides(colour = legend, shape = legend) +
    ggplot2::labs(x = if (linear) "Weight of the standardised feature" else "Fraction of the gain")
}

# The fraction of the gain of each feature in each subproblem.
gain_fractions <- function(object) {
  table <- tidy(object)
  if (is.null(table$fraction)) {
    stop_input("argument", sprintf("`%s` has no importance of features.", format(object$spec)),
               remedy = "Its base must be `linear_ranker()` or `gbrt()`.")
  }
  fractions <- matrix(0, length(input_names(object)), object$classes - 1L,
                   dimnames = list(input_names(object), level_names(object$classes - 1L)))
  fractions[cbind(table$feature, table$level)] <- table$fraction
  fractions
}

plot_cocr_path <- function(object) {
  check_chosen(object)
  table <- glance(object)
  costs <- length(unique(table$cost))
  lines <- !is.null(table$penalty) && length(unique(table$penalty)) > 1L
  # A logarithmic scale has no 0.
  if (lines) table <- table[table$penalty > 0, ]
  bases <- length(unique(table$base)) > 1L
  table$x <- if (lines) table$penalty else if (bases) table$base else table$cost
  ggplot2::ggplot(table, ggplot2::aes(x = .data$x, y = .data$value, colour = .data$cost,
                                      shape = .data$cost)) +
    (if (lines) ggplot2::geom_line()) +
    ggplot2::geom_point(size = 2.2) +
    (if (lines) scale_of_path()) +
    ggplot2::scale_shape_manual(values = ranker_shapes(costs)) +
    scale_rankers(costs) +
    ggplot2::labs(title = "A path of cocr()",
                  subtitle = sprintf("Chosen: %s", format(object$spec)),
                  x = if (lines) title_of_setting("penalty") else if (bases) "Base" else "Cost",
                  y = paste("Validation", table$metric[1L]), colour = "Cost", shape = "Cost") +
    plot_theme()
}
