# Bars of features, the most important on top.

max_bars <- 20L

plot_importance <- function(model) {
  table <- tidy(model)
  if (nrow(table) == 0L) {
    stop_input("argument", "The model uses no feature: there is nothing to plot.",
               call = rlang::caller_env())
  }
  plot_bars(data.frame(feature = table$feature, value = 100 * table$fraction),
            title = sprintf("Importance of features in %s", format(model$spec)),
            subtitle = paste0(sprintf("%d of %s are used", nrow(table), counted(length(model$features), "feature")),
                              if (has_trait(model$spec, "rounds")) {
                                sprintf(" in %s", counted(as.integer(model$best_rounds), "round"))
                              }),
            x = "Fraction of all gain, %")
}

# `table` has the features, the most important first, and their values.
plot_bars <- function(table, title, subtitle, x) {
  shown <- utils::head(table, max_bars)
  left_out <- nrow(table) - nrow(shown)
  shown$feature <- factor(shown$feature, rev(shown$feature))
  below <- if (any(shown$value < 0)) 0.05 else 0
  ggplot2::ggplot(shown, ggplot2::aes(x = .data$value, y = .data$feature)) +
    ggplot2::geom_col(fill = ranker_colours(1L), width = 0.7) +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(c(below, 0.05))) +
    ggplot2::labs(title = wrapped(title), subtitle = subtitle, x = x, y = NULL,
                  caption = if (left_out > 0L) {
                    sprintf("%s more features are not shown.", format_count(left_out))
                  }) +
    plot_theme() +
    ggplot2::theme(panel.grid.major.y = ggplot2::element_blank())
}

#' Plot the ranker by a single feature
#'
#' Draws bars with the mean metric of single features on the training data, each in its better direction, for the 20
#' best features.
#'
#' @param object The model, trained by [fit()] from [best_feature()].
#' @param ... Must be empty.
#' @return A ggplot.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' ggplot2::autoplot(fit(best_feature(), train))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_best_feature_model <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a model")
  table <- tidy(object)
  table <- table[!is.na(table$value) & !duplicated(table$feature), ]
  plot_bars(data.frame(feature = paste0(ifelse(table$sign < 0, "lowest ", ""), table$feature),
                       value = table$value),
            title = "Each feature as a ranker", subtitle = "Training data",
            x = sprintf("Mean %s", format(object$spec$metric)))
}
