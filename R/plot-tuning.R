#' Plot what was tuned
#'
#' Draws the mean metric of each candidate against the value of each tuned setting.
#'
#' @param object The result of [tune_ranker()].
#' @param ... Must be empty.
#' @return A ggplot with a panel for each setting. Candidates have the metric for the largest fraction of the
#'   training queries on which they were trained. The ring marks the best candidate. The dashed line marks the default
#'   settings. Values for different fractions are not comparable.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' data <- simulate_ranking(60, documents = 10, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.6, seed = 1), data)
#' tuned <- tune_ranker(gbrt(trees = 20), parts$train, parts$test, budget = 10, seed = 1, threads = 1,
#'                      verbose = FALSE)
#' ggplot2::autoplot(tuned)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_tuning <- function(object, ...) {
  check_no_others(...)
  rlang::check_installed("ggplot2", "to plot a tuning")
  rows <- tuning_plot_rows(object)
  best <- rows[rows$candidate == object$best, ]
  ggplot2::ggplot(rows, ggplot2::aes(.data$x, .data$value)) +
    ggplot2::geom_hline(yintercept = object$candidates$value[object$default], linetype = "dashed",
                        colour = "grey40") +
    ggplot2::geom_point(ggplot2::aes(colour = .data$queries), size = 1.6) +
    ggplot2::geom_point(data = best, shape = 1, size = 4) +
    ggplot2::facet_wrap(~setting, scales = "free_x") +
    ggplot2::scale_colour_manual(values = ranker_colours(length(levels(rows$queries))),
                                 name = "Training queries") +
    ggplot2::labs(title = "Metric of candidates by setting", x = NULL, y = format(object$metric),
                  caption = "Ring: best candidate. Dashed: default settings. Logarithmic settings: base 10.") +
    plot_theme()
}

# A row for each candidate and setting. Choices that are no numbers are numbered.
tuning_plot_rows <- function(object) {
  table <- object$candidates[!is.na(object$candidates$value), ]
  names <- setdiff(names(table), c("candidate", "ranker", "fraction", "value", "se", "rounds", "outcome"))
  rows <- do.call(rbind, lapply(names, function(name) {
    x <- table[[name]]
    label <- name
    if (name %in% object$log_settings) {
      x <- log10(x)
      label <- sprintf("%s\n(log10)", name)
    } else if (is.character(x)) {
      levels <- sort(unique(x))
      label <- paste(c(name, sprintf("%d: %s", seq_along(levels), shorten(levels, 30L))), collapse = "\n")
      x <- match(x, levels)
    }
    data.frame(candidate = table$candidate, setting = label, x = x, value = table$value, fraction = table$fraction)
  }))
  rows <- rows[!is.na(rows$x) & is.finite(rows$x), ]
  fractions <- sort(unique(rows$fraction))
  rows$queries <- factor(rows$fraction, fractions, sprintf("%.0f%%", 100 * fractions))
  rows
}
