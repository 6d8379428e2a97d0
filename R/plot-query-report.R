#' Plot reports of queries
#'
#' Draws the difference of two rankers for each query, sorted, or the mean difference of each group with its interval.
#'
#' @param object The report, made by [query_report()].
#' @param type The plot: `"queries"` (the default, the difference of each query) or `"groups"` (the mean
#'   difference of each group).
#' @param n Number of influential queries with names, default 6.
#' @param ... Not used.
#' @return A ggplot. Of `"queries"`: a bar for each query, with the names of the most influential queries, and
#'   the tolerance as a band. Of `"groups"`: means with intervals, and the p-value of each interaction.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' values <- evaluate(list(first = test$x[, 1], second = test$x[, 2]), test, "ndcg@10")
#' report <- query_report(values, by = "relevant", resamples = 1000, seed = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(report)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(report, "groups")
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_query_report <- function(object, type = "queries", n = 6, ...) {
  rlang::check_installed("ggplot2", "to plot reports")
  check_no_others(...)
  check_choice(type, "type", c("queries", "groups"))
  check_count(n, "n", min = 0)
  if (type == "queries") plot_report_queries(object, n) else plot_report_groups(object)
}

plot_report_queries <- function(object, n) {
  short <- shorten(c(object$a, object$b), 20L)
  queries <- object$queries
  queries$label <- query_labels(queries)
  queries$named <- seq_len(nrow(queries)) <= n & !is.na(queries$influence) & queries$influence != 0
  rows <- queries[order(-queries$difference), ]
  rows$position <- seq_len(nrow(rows))
  who <- c(better = paste(short[1L], "better"), equal = "equal", worse = paste(short[2L], "better"))
  rows$who <- factor(who[rows$verdict], who)
  metric <- if (object$metric == "values") "values" else object$metric
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$position, y = .data$difference)) +
    ggplot2::annotate("rect", xmin = -Inf, xmax = Inf, ymin = -object$tolerance, ymax = object$tolerance,
                      fill = "grey88") +
    ggplot2::geom_col(ggplot2::aes(fill = .data$who), width = 1) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey40") +
    equal_bars(rows) +
    ggplot2::geom_hline(yintercept = object$difference, linetype = "dashed") +
    influence_labels(rows) +
    ggplot2::scale_fill_manual(values = c(ranker_colours(1L), "#F0C000", ranker_colours(2L)[2L]),
                               drop = FALSE) +
    ggplot2::labs(title = wrapped(sprintf("%s against %s, query by query", short[1L], short[2L])),
                  subtitle = wrapped(report_counts(queries)), x = "Queries, sorted by the difference",
                  y = sprintf("Difference of %s", metric), fill = NULL,
                  caption = caption_lines("Dashed: the mean difference. Band: the tolerance.",
                                          if (any(rows$named)) "Named: the most influential queries.")) +
    ggplot2::guides(fill = ranker_legend(levels(rows$who))) +
    plot_theme()
}

# Bars of equal queries have almost no height, so a thick line shows them.
equal_bars <- function(rows) {
  half <- 0.012 * span_of(rows$difference)
  ggplot2::geom_rect(ggplot2::aes(xmin = .data$position - 0.5, xmax = .data$position + 0.5, fill = .data$who),
                     ymin = -half, ymax = half, data = rows[rows$verdict == "equal", ])
}

report_counts <- function(queries) {
  counts <- table(factor(queries$verdict, c("better", "equal", "worse")))
  sprintf("%d better, %d equal, %d worse of %s", counts[1L], counts[2L], counts[3L],
          counted(nrow(queries), "query", "queries"))
}

# The names of gains stand at the top right, and of losses at the bottom left: sorted bars leave these corners
# empty.
influence_labels <- function(rows) {
  named <- rows[rows$named, ]
  gains <- named[named$difference > 0, ]
  losses <- rev_rows(named[named$difference < 0, ])
  words <- function(own) {
    paste(sprintf("%s (%+.3f)", shorten(own$label, 20L), own$difference), collapse = "\n")
  }
  limits <- range(rows$difference, 0)
  corners <- data.frame(x = c(nrow(rows) + 0.5, 0.5), y = rev(limits), side = c(1, 0),
                        label = c(words(gains), words(losses)))
  corners <- corners[c(nrow(gains), nrow(losses)) > 0L, ]
  list(
    ggplot2::geom_point(data = named, size = 1.6, colour = "grey15"),
    if (nrow(corners) > 0L) {
      ggplot2::geom_text(ggplot2::aes(x = .data$x, y = .data$y, label = .data$label, hjust = .data$side,
                                      vjust = .data$side),
                         data = corners, size = 3, lineheight = 0.95, colour = "grey15")
    }
  )
}

plot_report_groups <- function(object) {
  rows <- tidy(object, "groups")
  rows$label <- factor(seq_len(nrow(rows)), rev(seq_len(nrow(rows))))
  tests <- object$tests
  panels <- ifelse(is.na(tests$p_interaction), paste0(tests$column, ": one group"),
                   sprintf("%s: interaction %s", shorten(tests$column, 24L),
                           show_p(tests$p_adjusted, rep(FALSE, nrow(tests)))))
  rows$panel <- factor(panels[match(rows$column, tests$column)], panels)
  names <- sprintf("%s\n%s", shorten(rows$group, 24L), vapply(rows$queries, counted, "", one = "query",
                                                               many = "queries"))
  metric <- if (object$metric == "values") "values" else object$metric
  short <- shorten(c(object$a, object$b), 20L)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$difference, y = .data$label)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::geom_vline(xintercept = object$difference, linetype = "dashed") +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper), linewidth = 0.7,
                            colour = ranker_colours(1L), na.rm = TRUE) +
    ggplot2::geom_point(size = 2.4, colour = ranker_colours(1L)) +
    ggplot2::scale_y_discrete(labels = stats::setNames(names, rev(levels(rows$label)))) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), ncol = 1, scales = "free_y") +
    ggplot2::labs(title = wrapped(sprintf("%s minus %s by group", short[1L], short[2L])),
                  x = sprintf("Mean difference of %s", metric), y = NULL,
                  caption = caption_lines(
                    sprintf("Lines: %s %% intervals of each group. Dashed: all queries.",
                            plain_number(100 * (1 - object$level))),
                    if (nrow(tests) > 1L) "p: adjusted for the number of columns."
                  )) +
    plot_theme()
}
