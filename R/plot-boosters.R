#' Plot AdaRank and RankBoost
#'
#' Draws metrics and edges against the round, or bars with the weight or importance of features, the largest first.
#'
#' @param object The model, trained by [fit()] from [adarank()] or [rankboost()].
#' @param type The plot:
#'   * `"rounds"` (the default): panels with the rounds as columns. For [adarank()]: the mean metric
#'     over training queries after each round, and the metric of the feature added, with the query
#'     weights of that round. For [rankboost()]: the edge \eqn{|r_t|}{|r_t|} of each weak ranker, and
#'     the bound \eqn{\prod_t Z_t}{prod_t Z_t} of the fraction of wrongly ordered training pairs.
#'     With validation data, another panel shows the validation metric. A dashed line marks the chosen number of rounds.
#'   * `"weights"`, for [adarank()]: up to 20 weights of features, as in [tidy()].
#'   * `"importance"`, for [rankboost()]: up to 20 features with the largest edges.
#' @param ... Must be empty.
#' @return A ggplot object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' model <- fit(adarank(rounds = 100, repeats = 1), train, validation = valid, threads = 1)
#' ggplot2::autoplot(model)
#' ggplot2::autoplot(model, "weights")
#' ggplot2::autoplot(fit(rankboost(100), train, validation = valid, threads = 1))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_adarank_model <- function(object, type = c("rounds", "weights"), ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a model")
  type <- check_first_choice(type, "type", c("rounds", "weights"))
  table <- tidy(object)
  if (type == "weights") {
    return(plot_bars(data.frame(feature = table$feature, value = table$weight),
                     title = format(object$spec),
                     subtitle = sprintf("%d of %s are used in %s", nrow(table),
                                        counted(length(object$features), "feature"),
                                        counted(object$best_rounds, "round")),
                     x = "Weight of the unscaled feature"))
  }
  metric <- format(object$spec$metric)
  round <- seq_len(rounds_used(object))
  held_out <- held_out_panel(object)
  panels <- stats::setNames(
    list(data.frame(round = round, value = object$chosen$mean),
         data.frame(round = round, value = object$chosen$value)),
    c(paste("Training", metric),
      paste("Training", metric, "of the feature added, queries weighted"))
  )
  plot_rounds(object, panel_rows(c(panels, held_out), names(held_out)),
              sprintf("%s (%s), %d of %s are used", counted(rounds_used(object), "round"),
                      object$status, length(unique(object$chosen$feature)),
                      counted(length(object$features), "feature")))
}

#' @rdname autoplot.rankmix_adarank_model
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_rankboost_model <- function(object, type = c("rounds", "importance"), ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a model")
  type <- check_first_choice(type, "type", c("rounds", "importance"))
  if (type == "importance") {
    return(plot_importance(object))
  }
  round <- seq_len(rounds_used(object))
  held_out <- held_out_panel(object)
  panels <- list(`Edge of each weak ranker` = data.frame(round = round, value = object$edge),
                 `Bound of the fraction of training pairs ordered wrongly` =
                   data.frame(round = round, value = cumprod(object$z)))
  plot_rounds(object, panel_rows(c(panels, held_out), names(held_out)),
              sprintf("%s (%s), %d of %s are used", counted(rounds_used(object), "round"),
                      object$status, length(unique(object$forest$feature)),
                      counted(length(object$features), "feature")))
}
