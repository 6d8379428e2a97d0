#' Plot tests of equivalence
#'
#' Draws the difference of each ranker to one ranker, in units of the metric, with the interval that decides about
#' equivalence. The margin is a band.
#'
#' @param object The tests, made by [equivalence()].
#' @param metric The name of the metric; by default the first metric.
#' @param against The name of the ranker that all others are compared with. By default the control of the
#'   comparison, or the ranker with the highest mean. With a relative margin only pairs with this ranker as
#'   `b` are drawn.
#' @param ... Not used.
#' @return A ggplot. Shapes and colours are the verdicts. P-values of equivalence are shown for up to 15 rankers.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' compared <- compare_rankers(first = test$x[, 1], second = test$x[, 2], third = test$x[, 3],
#'                             data = test, metric = "ndcg@10", resamples = 1000, seed = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(equivalence(compared, 0.05))
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_equivalence <- function(object, metric = NULL, against = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot tests of equivalence")
  check_no_others(...)
  metric <- plotted_metric(metric, unique(object$pairs$metric))
  pairs <- object$pairs[object$pairs$metric == metric, ]
  against <- plotted_reference(against, pairs, object$settings)
  rows <- equivalence_rows(pairs, against, object$settings)
  plot_equivalence(rows, against, metric, object$settings)
}

plotted_reference <- function(against, pairs, settings, call = rlang::caller_env()) {
  rankers <- unique(c(pairs$a, pairs$b))
  if (!is.null(against)) {
    check_choice(against, "against", rankers, call = call)
    if (settings$relative_margin && !against %in% pairs$b) {
      stop_input("argument", sprintf("No relative margin is relative to `%s`.", against),
                 sprintf("Pairs have %s as `b`.", enumerate(unique(pairs$b))),
                 "Compare again with it as `control`, or with other rankers before it.", call = call)
    }
    return(against)
  }
  if (!is.null(settings$control)) {
    return(settings$control)
  }
  if (settings$relative_margin) {
    # The last ranker is `b` in all of its pairs.
    return(utils::tail(pairs$b, 1L))
  }
  # The ranker that no other exceeds.
  lead <- function(ranker) {
    min(Inf, pairs$difference[pairs$a == ranker], -pairs$difference[pairs$b == ranker])
  }
  rankers[which.max(vapply(rankers, lead, 0))]
}

# One row for each other ranker: its difference to `against`.
equivalence_rows <- function(pairs, against, settings) {
  swapped <- !settings$relative_margin & pairs$a == against
  rows <- pairs[swapped | pairs$b == against, ]
  swapped <- swapped[swapped | pairs$b == against]
  estimate <- if (settings$relative_margin) rows$relative_difference else rows$difference
  ends <- data.frame(lower = ifelse(swapped, 0 - rows$tost_upper, rows$tost_lower),
                     upper = ifelse(swapped, 0 - rows$tost_lower, rows$tost_upper))
  data.frame(ranker = ifelse(swapped, rows$b, rows$a),
             estimate = ifelse(swapped, 0 - estimate, estimate), ends,
             p = rows$p_equivalent_adjusted,
             verdict = ifelse(swapped, mirrored_verdict(rows$verdict), rows$verdict))
}

plot_equivalence <- function(rows, against, metric, settings) {
  scale <- if (settings$relative_margin) 100 else 1
  margin <- scale * settings$margin
  rows$verdict <- factor(rows$verdict, margin_verdicts)
  rows$label <- factor(rows$ranker, rows$ranker[order(rows$estimate)])
  shown <- levels(droplevels(rows$verdict))
  labels <- if (nrow(rows) > max_labelled_rows) rows$ranker else {
    paste0(rows$ranker, "\n", show_p(rows$p, rep(FALSE, nrow(rows))))
  }
  ggplot2::ggplot(rows, ggplot2::aes(x = scale * .data$estimate, y = .data$label,
                                     colour = .data$verdict, shape = .data$verdict,
                                     fill = .data$verdict)) +
    ggplot2::annotate("rect", xmin = -margin, xmax = margin, ymin = -Inf, ymax = Inf, fill = "grey85") +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::geom_vline(xintercept = c(-margin, margin), colour = "grey40", linetype = "dashed") +
    ggplot2::geom_linerange(ggplot2::aes(xmin = scale * .data$lower, xmax = scale * .data$upper),
                            linewidth = 0.7, na.rm = TRUE) +
    ggplot2::geom_point(size = 2.4) +
    ggplot2::scale_y_discrete(labels = stats::setNames(labels, rows$ranker)) +
    ggplot2::scale_colour_manual(values = verdict_colours) +
    ggplot2::scale_fill_manual(values = verdict_colours) +
    ggplot2::scale_shape_manual(values = verdict_shapes) +
    ggplot2::guides(colour = ranker_legend(shown), shape = ranker_legend(shown),
                    fill = ranker_legend(shown)) +
    ggplot2::labs(title = wrapped(sprintf("Difference of %s to %s", metric, against)),
                  subtitle = wrapped(sprintf("Band: margin %s", show_margin(settings, against))),
                  x = if (settings$relative_margin) "Relative difference of the means, %" else {
                    sprintf("Mean difference of %s over queries", metric)
                  }, y = NULL, colour = NULL, shape = NULL, fill = NULL,
                  caption = wrapped(equivalence_caption(settings, nrow(rows)))) +
    plot_theme()
}

# More rankers have no space for p-values.
max_labelled_rows <- 15L

equivalence_caption <- function(settings, rows) {
  paste0(sprintf("Lines: %s %% intervals of each pair alone. ",
                 plain_number(100 * (1 - 2 * settings$level))),
         if (rows <= max_labelled_rows) "p: of equivalence", if (rows <= max_labelled_rows) {
           if (margin_adjustment(settings) == "none") ", not adjusted." else ", adjusted."
         })
}

# Filled shapes are decisions about a direction, open shapes are none.
verdict_colours <- stats::setNames(c("#009E73", "#56B4E9", "#0072B2", "#777777", "#E69F00", "#D55E00"),
                                   margin_verdicts)
verdict_shapes <- stats::setNames(c(17, 2, 15, 1, 6, 25), margin_verdicts)
