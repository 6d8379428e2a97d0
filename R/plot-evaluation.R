#' Plot an evaluation
#'
#' Draws the values of the metric for all queries, sorted, or the mean of each ranker with its confidence interval.
#'
#' @param object The evaluation, made by [evaluate()].
#' @param type The plot:
#'   * `"queries"` (the default): the values of all queries, sorted, a line for each ranker.
#'     The plot shows how many queries have the value 0, how many have the value 1, and where
#'     rankers differ. Dashed lines are the means.
#'   * `"means"`: the means with their confidence intervals.
#' @param by The columns of the evaluation by which queries are grouped, for `"means"`, as in
#'   `summary()`.
#' @param n Number of rankers to draw, 1 or more. The rankers with the highest means of the last metric are drawn. The
#'   default is 8 for `"queries"` and for `by`, because more colours cannot be distinguished. It is 40 for the other
#'   means. The subtitle gives the number of all rankers.
#' @param ... Must be empty.
#' @return A ggplot with a panel for each metric.
#' @section Conditions: `rankmix_error_argument`: an unknown column; nothing to draw.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' result <- evaluate(list(first = test$x[, 1], second = test$x[, 2]), test, metric_ndcg(10))
#' ggplot2::autoplot(result)
#' result$short <- result$documents <= 10
#' ggplot2::autoplot(result, "means", by = "short")
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_evaluation <- function(object, type = c("queries", "means"), by = NULL, n = NULL,
                                        ...) {
  rlang::check_installed("ggplot2", "to plot an evaluation")
  check_no_others(...)
  type <- check_choice(if (is.null(by)) type[1L] else "means", "type", c("queries", "means"))
  check_by(by, object)
  if (is.null(n)) n <- if (type == "queries" || !is.null(by)) max_curves else 40L
  check_count(n, "n", infinite = TRUE)
  rows <- as.data.frame(object)
  rows <- rows[!is.nan(rows$value), ]
  if (nrow(rows) == 0L) {
    stop_input("argument", "No query counts: there is nothing to plot.")
  }
  rows$value[is.na(rows$value)] <- 0
  if (is.null(rows$ranker)) rows$ranker <- ""
  rows$ranker <- factor(rows$ranker, unique(rows$ranker))
  rows$metric <- factor(rows$metric, unique(rows$metric))
  table <- summary(object, by = by)
  left <- NULL
  if (!is.null(table$ranker)) {
    last <- levels(rows$metric)[nlevels(rows$metric)]
    overall <- summary(object)
    overall <- overall[overall$metric == last, ]
    shown <- drawn_rankers(stats::setNames(overall$mean, overall$ranker), n)
    left <- drawn_words(length(shown), nrow(overall), last)
    rows <- rows[rows$ranker %in% shown, ]
    rows$ranker <- droplevels(rows$ranker)
    table <- table[table$ranker %in% shown, ]
  }
  if (type == "queries") plot_queries(rows, table, left) else plot_means(table, by, left)
}

plot_queries <- function(rows, table, left) {
  rows <- rows[order(rows$metric, rows$ranker, rows$value), ]
  group <- interaction(rows$metric, rows$ranker, drop = TRUE)
  # The curve has a step for each query. The end of the last step needs one more row.
  rows$fraction <- 100 * stats::ave(rows$value, group, FUN = function(v) {
    (seq_along(v) - 1) / length(v)
  })
  ends <- rows[!duplicated(group, fromLast = TRUE), ]
  ends$fraction <- rep(100, nrow(ends))
  rows <- rbind(rows, ends)
  rankers <- levels(rows$ranker)
  table$ranker <- factor(if (is.null(table$ranker)) "" else table$ranker, rankers)
  table$metric <- factor(table$metric, levels(rows$metric))
  several <- length(rankers) > 1L
  plot <- ggplot2::ggplot(rows, ggplot2::aes(x = .data$fraction, y = .data$value,
                                             colour = .data$ranker)) +
    ggplot2::geom_hline(data = table, linetype = "dashed", na.rm = TRUE,
                        ggplot2::aes(yintercept = .data$mean, colour = .data$ranker)) +
    ggplot2::geom_step(linewidth = 0.7) +
    ggplot2::facet_wrap(ggplot2::vars(.data$metric), scales = "free_y") +
    scale_rankers(length(rankers), labels = short_labels_of_rankers) +
    ggplot2::labs(title = if (nlevels(rows$metric) == 1L) {
                    sprintf("%s of all queries, from the worst to the best", rows$metric[1L])
                  } else "All queries, from the worst to the best",
                  subtitle = paste(c(counted(length(unique(rows$query)), "query", "queries"), left), collapse = "\n"),
                  x = "Queries, % of those that count", y = NULL, colour = NULL,
                  caption = "Dashed: the mean.") +
    plot_theme()
  plot + ggplot2::guides(colour = if (several) ranker_legend(short_labels_of_rankers(rankers)) else "none")
}

plot_means <- function(table, by, left) {
  several <- !is.null(table$ranker) && length(unique(table$ranker)) > 1L
  table$ranker <- if (is.null(table$ranker)) "" else table$ranker
  table$ranker <- factor(table$ranker, unique(table$ranker))
  # Puts the first ranker on top.
  table$order <- factor(table$ranker, rev(levels(table$ranker)))
  table$metric <- factor(table$metric, unique(table$metric))
  text <- function(column) factor(as.character(column), unique(as.character(column)))
  table$group <- if (is.null(by)) {
    table$ranker
  } else {
    text(do.call(paste, c(Map(function(name) paste(name, table[[name]], sep = " = "), by),
                          sep = ", ")))
  }
  table$group <- factor(table$group, rev(levels(table$group)))
  dodge <- ggplot2::position_dodge(width = if (is.null(by)) 0 else 0.5)
  plot <- ggplot2::ggplot(table, ggplot2::aes(y = .data$group, x = .data$mean,
                                              colour = .data$ranker, shape = .data$ranker,
                                              group = .data$order)) +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper),
                            position = dodge, linewidth = 0.8, na.rm = TRUE) +
    ggplot2::geom_point(position = dodge, size = 2.4, na.rm = TRUE) +
    ggplot2::facet_wrap(ggplot2::vars(.data$metric), scales = "free_x") +
    scale_rankers(nlevels(table$ranker), labels = short_labels_of_rankers) +
    ggplot2::scale_shape_manual(values = ranker_shapes(nlevels(table$ranker)), labels = short_labels_of_rankers) +
    (if (is.null(by)) ggplot2::scale_y_discrete(labels = short_labels_of_rankers)) +
    ggplot2::labs(title = if (is.null(by)) "Means over queries" else {
                    sprintf("Means over queries, by %s", paste(by, collapse = " and "))
                  },
                  subtitle = left, x = NULL, y = NULL, colour = NULL, shape = NULL,
                  caption = paste("Lines: the 95 % t interval of each mean. They do not compare rankers:",
                                  "compare_rankers() tests differences query by query.", sep = "\n")) +
    plot_theme() +
    # The names of 40 rows fit a figure of 5 inches height.
    (if (nlevels(table$group) > max_labelled_rows) {
      ggplot2::theme(axis.text.y = ggplot2::element_text(size = max(6, 150 / nlevels(table$group))))
    })
  keys <- if (several && !is.null(by)) ranker_legend(short_labels_of_rankers(levels(table$ranker))) else "none"
  plot + ggplot2::guides(colour = keys, shape = keys)
}
