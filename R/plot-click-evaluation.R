#' Plot estimates from clicks
#'
#' Draws the estimated metric of each ranker with its interval.
#'
#' @param object The estimates, made by [evaluate_clicks()].
#' @param ... Must be empty.
#' @return A ggplot with a panel for each estimator. `"snips"` has another scale than the other estimators.
#' @examples
#' simulation <- simulate_ranking(40, seed = 1)
#' data <- simulation$data
#' log <- simulate_clicks(data, sessions = 50, seed = 2, output = "log")
#' new <- list(truth = predict(simulation$truth, data), feature = data$x[, 1])
#' found <- evaluate_clicks(new, log, data = data, estimator = c("ips", "dr"), examination = 1 / 1:10)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(found)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_click_evaluation <- function(object, ...) {
  rlang::check_installed("ggplot2", "to plot estimates")
  check_no_others(...)
  rows <- object$rankers
  first <- rows[rows$estimator == rows$estimator[1L], ]
  rows$ranker <- factor(rows$ranker, first$ranker[order(first$estimate)])
  rows$estimator <- factor(rows$estimator, unique(rows$estimator))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$estimate, y = .data$ranker)) +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper), colour = ranker_colours(1L),
                            linewidth = 0.7, na.rm = TRUE) +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 2.4) +
    (if (nlevels(rows$estimator) > 1L) {
      ggplot2::facet_wrap(ggplot2::vars(.data$estimator), scales = "free_x")
    }) +
    ggplot2::labs(title = wrapped(sprintf("%s from clicks", object$metric)),
                  subtitle = wrapped(sprintf("%s of %s", counted(object$sessions, "session"),
                                             counted(object$queries, "query", "queries"))),
                  x = "Estimate per session", y = NULL,
                  caption = sprintf("Lines: %s %% intervals, clustered by query.",
                                    plain_number(100 * object$settings$level))) +
    plot_theme()
}
