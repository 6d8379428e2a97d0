#' Plot explanations
#'
#' Draws the contributions of features to scores, the importance of features by permutation, or partial dependences.
#'
#' @param object The result of [explain()], [explain_pair()], [permutation_importance()] or
#'   [partial_dependence()].
#' @param type The plot. `"beeswarm"` (the default): a point for each document and feature. `"importance"`:
#'   bars, see [tidy.rankmix_shap()]. `"dependence"`: contributions against the values of a feature.
#' @param feature The name of the feature for `"dependence"`; by default the most important feature.
#' @param ... Must be empty.
#' @return A ggplot of the most important features.
#'   * For a pair: a waterfall from the score of the document below to the score of the document above,
#'     feature by feature. The last bar is the sum of all other features.
#'   * For a permutation importance: points with intervals.
#'   * For a partial dependence: a line for each feature, and a point for each level of a factor.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(trees = 50), train, threads = 1)
#' ggplot2::autoplot(explain(model, train))
#' ggplot2::autoplot(explain_pair(model, train, above = 1, below = 2))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_shap <- function(object, type = "beeswarm", feature = NULL, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot an explanation")
  check_choice(type, "type", c("beeswarm", "importance", "dependence"))
  table <- tidy(object)
  if (type == "dependence") {
    if (is.null(feature)) feature <- table$feature[1L]
    check_choice(feature, "feature", colnames(whole_contributions(object)))
    return(plot_shap_dependence(object, feature))
  }
  if (type == "importance") {
    within <- !is.null(object$query)
    value <- if (within) table$within else table$importance
    return(plot_bars(data.frame(feature = table$feature, value = value)[value > 0, ],
                     title = sprintf("Importance of features in %s", object$model),
                     subtitle = counted(nrow(object$values), "document"),
                     x = if (within) {
                       "Mean |contribution - its mean in the query|"
                     } else {
                       "Mean |contribution|"
                     }))
  }
  plot_beeswarm(object, utils::head(table$feature, max_swarms))
}

max_swarms <- 15L
# The largest number of points of a feature. With more, only every second, third, ... point in order
# of contribution is drawn.
max_swarm_points <- 500L

plot_beeswarm <- function(shap, features) {
  contributions <- whole_contributions(shap)
  factors <- intersect(features, names(shap$factors))
  rows <- do.call(rbind, lapply(features, function(name) {
    sorted <- order(contributions[, name])
    shown <- sorted[unique(round(seq(1, length(sorted),
                                     length.out = min(length(sorted), max_swarm_points))))]
    # The levels of a factor have no order, so they have no colour.
    x <- if (name %in% factors) rep(NA_real_, length(sorted)) else shap$data[, name]
    level <- (rank(x, na.last = "keep") - 1) / max(1, sum(!is.na(x)) - 1)
    data.frame(feature = name, contribution = contributions[shown, name], level = level[shown])
  }))
  rows$feature <- factor(rows$feature, rev(features))
  width <- diff(range(rows$contribution))
  spread <- stats::ave(rows$contribution, rows$feature, FUN = function(v) swarm_heights(v, width))
  rows$y <- as.integer(rows$feature) + spread
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$contribution, y = .data$y,
                                     colour = .data$level)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_point(size = 0.8) +
    ggplot2::scale_y_continuous(breaks = seq_along(features), labels = rev(features),
                                expand = ggplot2::expansion(add = 0.6)) +
    ggplot2::scale_colour_gradient(low = "#56B4E9", high = "#D55E00", na.value = "black",
                                   limits = c(0, 1), breaks = c(0, 1),
                                   labels = c("lowest", "highest"),
                                   guide = ggplot2::guide_colourbar(title.position = "top",
                                                                    title.hjust = 0.5)) +
    ggplot2::labs(title = wrapped(sprintf("Contributions in %s", shap$model)),
                  subtitle = paste0(counted(nrow(shap$values), "document"),
                                    if (anyNA(rows$level)) {
                                      sprintf("; black: the value is missing%s",
                                              if (length(factors) > 0L) ", or a level of a factor" else "")
                                    }),
                  x = "Contribution to the score", y = NULL, colour = "Value by rank") +
    plot_theme() +
    ggplot2::theme(panel.grid.major.y = ggplot2::element_blank(),
                   legend.key.height = ggplot2::unit(0.5, "lines"))
}

# Offsets of overlapping points, at most 0.4 from the line.
swarm_heights <- function(x, width) {
  if (width == 0) width <- 1
  bin <- round(x / width * 80)
  position <- stats::ave(seq_along(x), bin, FUN = seq_along)
  size <- stats::ave(seq_along(x), bin, FUN = length)
  step <- pmin(0.06, 0.8 / pmax(size, 1))
  ifelse(position %% 2 == 0, 1, -1) * (position %/% 2) * step
}

plot_shap_dependence <- function(shap, feature) {
  columns <- shap$factors[[feature]]
  value <- if (is.null(columns)) shap$data[, feature] else level_of_rows(shap$data, columns)
  rows <- data.frame(value = value, contribution = whole_contributions(shap)[, feature])
  missing <- sum(is.na(rows$value))
  ggplot2::ggplot(rows[!is.na(rows$value), ],
                  ggplot2::aes(x = .data$value, y = .data$contribution)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey60") +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 0.9, alpha = 0.5) +
    ggplot2::labs(title = wrapped(sprintf("What %s adds in %s", feature, shap$model)),
                  subtitle = counted(nrow(rows), "document"), x = feature,
                  y = "Contribution to the score",
                  caption = if (missing > 0L) {
                    sprintf("Missing in %s.", counted(missing, "document"))
                  }) +
    level_axis(feature, colnames(shap$values)[columns]) +
    plot_theme()
}

level_of_rows <- function(x, columns) own_level(x, list(columns = columns, numbers = seq_along(columns)))

# The names of the levels of a factor on the axis of values. `names` are the names of their columns, such as
# `colour=red`.
level_axis <- function(feature, names) {
  if (length(names) == 0L) {
    return(NULL)
  }
  levels <- shorten(substring(names, nchar(feature) + 2L), 16L)
  ggplot2::scale_x_continuous(breaks = seq_along(levels), labels = levels,
                              guide = ggplot2::guide_axis(check.overlap = TRUE))
}

#' @rdname autoplot.rankmix_shap
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_pair <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot an explanation")
  rows <- waterfall_rows(object)
  scores <- attr(object, "scores")
  numbers <- attr(object, "rows")
  signs <- c("raises", "lowers")
  rows$sign <- factor(ifelse(rows$change >= 0, signs[1L], signs[2L]), signs)
  ggplot2::ggplot(rows, ggplot2::aes(y = .data$position, fill = .data$sign)) +
    ggplot2::geom_vline(xintercept = scores, colour = "grey60", linetype = "dashed") +
    ggplot2::geom_rect(ggplot2::aes(xmin = .data$from, xmax = .data$to,
                                    ymin = .data$position - 0.35, ymax = .data$position + 0.35)) +
    ggplot2::scale_y_reverse(breaks = rows$position, labels = rows$label) +
    ggplot2::scale_fill_manual(values = stats::setNames(ranker_colours(2L), signs)) +
    ggplot2::labs(title = sprintf("Why row %s is %s row %s", format(numbers[["above"]]),
                                  if (diff(scores) <= 0) "above" else "not above",
                                  format(numbers[["below"]])),
                  subtitle = sprintf("From the score %s of row %s to %s of row %s",
                                     number_text(scores[["below"]], digits = 3),
                                     format(numbers[["below"]]),
                                     number_text(scores[["above"]], digits = 3),
                                     format(numbers[["above"]])),
                  x = "Score", y = NULL, fill = NULL) +
    plot_theme() +
    ggplot2::theme(panel.grid.major.y = ggplot2::element_blank())
}

max_falls <- 10L

# Bars from the lower score to the higher one. Small bars are combined.
waterfall_rows <- function(pair) {
  used <- pair[pair$contribution != 0, , drop = FALSE]
  if (nrow(used) == 0L) {
    stop_input("argument", "No feature contributes: there is nothing to plot.",
               call = rlang::caller_env())
  }
  several <- nrow(used) > max_falls
  shown <- utils::head(used, if (several) max_falls - 1L else max_falls)
  number <- function(x) format(signif(x, 3), trim = TRUE)
  label <- sprintf("%s: %s for %s", shown$feature, vapply(shown$above, number, ""),
                   vapply(shown$below, number, ""))
  change <- shown$contribution
  if (several) {
    label <- c(label, counted(nrow(used) - nrow(shown), "other feature"))
    change <- c(change, sum(used$contribution[-seq_len(nrow(shown))]))
  }
  ends <- attr(pair, "scores")[["below"]] + cumsum(change)
  data.frame(label = label, change = change, from = ends - change, to = ends,
             position = seq_along(change))
}

#' @rdname autoplot.rankmix_shap
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_permutation <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot an importance")
  shown <- utils::head(as.data.frame(object), max_bars)
  left_out <- nrow(object) - nrow(shown)
  shown$feature <- factor(shown$feature, rev(shown$feature))
  ggplot2::ggplot(shown, ggplot2::aes(x = .data$drop, y = .data$feature)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_segment(ggplot2::aes(x = .data$lower, xend = .data$upper,
                                       yend = .data$feature),
                          colour = ranker_colours(1L), na.rm = TRUE) +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 2) +
    ggplot2::labs(title = "What shuffling a feature costs",
                  subtitle = sprintf("%s is %s as it is; intervals over queries",
                                     attr(object, "metric"),
                                     number_text(attr(object, "value"), digits = 3)),
                  x = sprintf("Drop of %s", attr(object, "metric")), y = NULL,
                  caption = if (left_out > 0L) {
                    sprintf("%s more features are not shown.", format_count(left_out))
                  }) +
    plot_theme()
}

#' @rdname autoplot.rankmix_shap
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_dependence <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a dependence")
  rows <- as.data.frame(object)
  rows$feature <- factor(rows$feature, unique(rows$feature))
  several <- nlevels(rows$feature) > 1L
  labels <- ggplot2::labs(title = "How the mean score depends on a feature",
                          x = if (several) "Value" else levels(rows$feature), y = "Mean score")
  plot <- ggplot2::ggplot(rows, ggplot2::aes(x = .data$value, y = .data$score)) +
    dependence_marks(rows) +
    labels +
    plot_theme()
  if (several) plot <- plot + ggplot2::facet_wrap(ggplot2::vars(.data$feature), scales = "free_x")
  plot
}

# A line for numbers. Levels of factors have no order, so they have points, with their names on the axis. Panels
# of numbers and factors cannot share an axis of names, so names are then in the panel.
dependence_marks <- function(rows) {
  numbers <- rows[is.na(rows$level), ]
  levels <- rows[!is.na(rows$level), ]
  list(
    if (nrow(numbers) > 0L) ggplot2::geom_line(data = numbers, colour = ranker_colours(1L)),
    ggplot2::geom_point(colour = ranker_colours(1L), size = if (nrow(levels) > 0L) 2 else 1),
    if (nrow(levels) > 0L && nlevels(droplevels(rows$feature)) == 1L) {
      ggplot2::scale_x_continuous(breaks = levels$value, labels = shorten(levels$level, 16L))
    } else if (nrow(levels) > 0L) {
      list(ggplot2::geom_text(data = levels, ggplot2::aes(label = shorten(.data$level, 16L)), size = 3, vjust = -0.8,
                              check_overlap = TRUE),
           # Names of the first and the last level need space.
           ggplot2::scale_x_continuous(expand = ggplot2::expansion(0.2)))
    }
  )
}
