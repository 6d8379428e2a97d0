#' Plot a network
#'
#' Draws the training objective and the validation metric against the epoch.
#'
#' @param object The model, trained by [fit()] from [network_ranker()].
#' @param ... Must be empty.
#' @return A ggplot: panels with the epochs as columns. One panel shows the training objective
#' divided by its total weight, computed on each batch during training. With validation data,
#' another panel shows the validation metric. A dashed line marks the chosen number of epochs.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- simulate_ranking(80, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(ranknet(learning_rate = 0.01), parts$train, parts$test, patience = 20, seed = 1,
#'              threads = 1)
#' ggplot2::autoplot(model)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_network_model <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a model")
  values <- list(`Objective in training` = data.frame(round = seq_along(object$values),
                                                      value = object$values))
  held_out <- held_out_panel(object)
  if (all(is.na(object$values))) {  # lambdas have no value
    if (is.null(held_out)) {
      stop_input("argument", "The objective has no value, and there are no validation data: nothing to plot.",
                 remedy = "Give `fit()` validation data.")
    }
    values <- NULL
  }
  subtitle <- sprintf("%s (%s), %d features, %s weights", counted(rounds_used(object), "epoch"),
                      object$status, length(object$features), format_count(nrow(object$weights)))
  plot <- plot_rounds(object, panel_rows(c(values, held_out), names(held_out)), subtitle) +
    ggplot2::labs(x = "Epoch")
  if (is.null(held_out)) {
    return(plot)
  }
  plot + ggplot2::labs(caption = sprintf("The dashed line marks the chosen %s.",
                                         counted(object$best_rounds, "epoch")))
}
