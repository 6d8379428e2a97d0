#' Plot means and risks of rankers
#'
#' Draws the mean of each ranker against its URisk, both in units of the metric.
#'
#' @param object The risks, made by [risk()].
#' @param metric The name of the metric; by default the first metric.
#' @param alpha The extra weight of losses; by default the largest weight in `object`.
#' @param ... Not used.
#' @return A ggplot. Larger values of both are better. The line joins the rankers that no other ranker exceeds in
#'   both. If the risks were made from a comparison, filled points mark the rankers that may be the best.
#' @examples
#' values <- cbind(bm25 = c(0.3, 0.5, 0.2, 0.6, 0.4, 0.3),
#'                 trees = c(0.4, 0.7, 0.3, 0.8, 0.2, 0.6),
#'                 ridge = c(0.4, 0.6, 0.2, 0.7, 0.4, 0.4))
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(risk(values, "bm25"))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_risk <- function(object, metric = NULL, alpha = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot risks")
  check_no_others(...)
  metric <- plotted_metric(metric, unique(object$values$metric))
  if (is.null(alpha)) alpha <- max(object$alpha)
  if (!is_plain_number(alpha) || length(alpha) != 1L || !alpha %in% object$alpha) {
    stop_input("argument", sprintf("`alpha` must be one of %s, not %s.", toString(object$alpha),
                                   show_value(alpha)))
  }
  rows <- object$values[object$values$metric == metric & object$values$alpha == alpha, ]
  plot_risk(rows, metric, object$baseline)
}

plot_risk <- function(rows, metric, baseline) {
  rows$kind <- ifelse(rows$ranker == baseline, "baseline",
                      ifelse(rows$best %in% FALSE, "not the best", "may be the best"))
  front <- rows[on_front(rows$mean, rows$urisk), ]
  front <- front[order(front$mean), ]
  known <- !all(is.na(rows$best))
  named <- if (metric == "values") "values" else metric
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$mean, y = .data$urisk)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey40", linetype = "dashed") +
    (if (nrow(front) > 1L) ggplot2::geom_line(data = front, colour = "grey60")) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$kind), size = 2.8, colour = ranker_colours(1L)) +
    ggplot2::geom_text(ggplot2::aes(label = shorten(.data$ranker, 22L), hjust = label_sides(.data$mean)),
                       vjust = -0.9, size = 3, colour = "grey15") +
    ggplot2::scale_shape_manual(values = c(baseline = 18, `may be the best` = 16, `not the best` = 1)) +
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(mult = c(0.05, 0.12))) +
    (if (!known) ggplot2::guides(shape = "none")) +
    ggplot2::labs(title = wrapped(sprintf("Mean and risk, %s", named)),
                  subtitle = wrapped(sprintf("Against %s; losses count %s times", baseline,
                                             plain_number(1 + rows$alpha[1L]))),
                  x = sprintf("Mean of %s", named), y = "URisk", shape = NULL,
                  caption = caption_lines("Right and up is better.",
                                          "Line: no other ranker has a higher mean and a higher URisk.")) +
    plot_theme()
}

# Whether no other ranker is at least as good in mean and risk, and better in one of them.
on_front <- function(mean, risk) {
  vapply(seq_along(mean), function(i) {
    !any(mean >= mean[i] & risk >= risk[i] & (mean > mean[i] | risk > risk[i]))
  }, NA)
}

# Labels at the edges stay in the panel.
label_sides <- function(x) {
  span <- diff(range(x))
  if (span == 0) 0.5 else (x - min(x)) / span
}
