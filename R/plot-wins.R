# Two rankers query by query.

plot_wins <- function(object, rankers, metric, margin = NULL) {
  short <- shorten(rankers, 22L)
  rows <- win_rows(object$values[[metric]], rankers)
  margin <- wins_margin(margin, object$settings)
  rated <- object$rankers[object$rankers$metric == metric, ]
  means <- rated$mean[match(rankers, rated$ranker)]
  # Queries without a difference have bars of no height, so a thick line shows them.
  equal <- rows[rows$difference == 0, ]
  ends <- extreme_queries(rows)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$position, y = .data$difference)) +
    ggplot2::geom_col(ggplot2::aes(fill = .data$who), width = 1) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey40") +
    ggplot2::geom_rect(ggplot2::aes(xmin = .data$position - 0.5, xmax = .data$position + 0.5,
                                    fill = .data$who),
                       ymin = -0.012 * span_of(rows$difference), ymax = 0.012 * span_of(rows$difference),
                       data = equal) +
    ggplot2::geom_hline(yintercept = means[1L] - means[2L], linetype = "dashed") +
    (if (!is.null(margin)) ggplot2::geom_hline(yintercept = c(-margin, margin), linetype = "dotted")) +
    ggplot2::geom_text(ggplot2::aes(x = .data$x, y = .data$y, label = .data$label, hjust = .data$side,
                                    vjust = .data$side),
                       data = ends, size = 3, lineheight = 0.95, colour = "grey15") +
    ggplot2::scale_fill_manual(values = c(ranker_colours(1L), "#F0C000", ranker_colours(2L)[2L]), drop = FALSE) +
    ggplot2::labs(title = wrapped(sprintf("%s against %s, query by query", short[1L], short[2L])),
                  subtitle = wrapped(wins_counts(rows$difference, margin)),
                  x = "Queries, sorted by the difference",
                  y = sprintf("Difference of %s", metric), fill = NULL,
                  caption = caption_lines(paste0("Dashed: the mean difference.",
                                                 if (!is.null(margin)) " Dotted: the margin.",
                                                 " Named: the queries with the largest differences."))) +
    ggplot2::guides(fill = ranker_legend(levels(rows$who))) +
    plot_theme()
}

# A row for each query, the largest difference first.
win_rows <- function(paired, rankers) {
  difference <- snapped_difference(paired$values[, rankers[1L]], paired$values[, rankers[2L]])
  order <- order(-difference)
  short <- shorten(rankers, 16L)
  who <- c(sprintf("%s better", short[1L]), "equal", sprintf("%s better", short[2L]))
  difference <- difference[order]
  data.frame(position = seq_along(difference), query = query_labels(paired)[order],
             difference = difference, who = factor(2L - sign(difference), 1:3, who))
}

# Queries with the same id in several folds are different queries.
query_labels <- function(paired) {
  label <- as.character(paired$query)
  twice <- label %in% label[duplicated(label)]
  if (!is.null(paired$fold)) label[twice] <- paste0(paired$fold, ": ", label)[twice]
  label
}

span_of <- function(difference) max(diff(range(difference, 0)), 1e-6)

# A relative margin of means is no margin of a query.
wins_margin <- function(margin, settings) {
  if (is.null(margin) && !isTRUE(settings$relative_margin)) settings$margin else margin
}

wins_counts <- function(difference, margin) {
  counts <- sprintf("%d better, %d equal, %d worse of %d queries", sum(difference > 0),
                    sum(difference == 0), sum(difference < 0), length(difference))
  if (is.null(margin)) {
    return(counts)
  }
  paste0(counts, sprintf("; by more than %s: %d better, %d worse", plain_number(margin),
                         sum(difference > margin), sum(difference < -margin)))
}

# The names of the queries at both ends. The gains are written at the top right and the losses at the bottom
# left, because sorted bars leave these corners empty.
extreme_queries <- function(rows, count = 3L) {
  gains <- utils::head(rows[rows$difference > 0, ], count)
  losses <- rev_rows(utils::tail(rows[rows$difference < 0, ], count))
  words <- function(ends) {
    paste(sprintf("%s (%+.3f)", shorten(ends$query, 20L), ends$difference), collapse = "\n")
  }
  limits <- range(rows$difference, 0)
  all <- data.frame(x = c(nrow(rows) + 0.5, 0.5), y = rev(limits), side = c(1, 0),
                    label = c(words(gains), words(losses)))
  all[c(nrow(gains), nrow(losses)) > 0L, ]
}

rev_rows <- function(rows) rows[rev(seq_len(nrow(rows))), ]

plot_scatter <- function(object, rankers, metric) {
  short <- shorten(rankers, 22L)
  values <- object$values[[metric]]$values
  rows <- data.frame(x = values[, rankers[2L]], y = values[, rankers[1L]])
  rated <- object$rankers[object$rankers$metric == metric, ]
  means <- rated$mean[match(rankers, rated$ranker)]
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$x, y = .data$y)) +
    ggplot2::geom_abline(linetype = "dashed", colour = "grey40") +
    ggplot2::geom_point(colour = ranker_colours(1L), alpha = 0.4, size = 1.8) +
    ggplot2::annotate("point", x = means[2L], y = means[1L], shape = 4, size = 4,
                      stroke = 1.3) +
    ggplot2::coord_equal(xlim = range(rows), ylim = range(rows)) +
    ggplot2::labs(title = wrapped(sprintf("%s of %s against %s", metric, short[1L], short[2L]), 44L),
                  subtitle = wrapped(sprintf("%d queries; above the line %s is better", nrow(rows),
                                             short[1L]), 44L),
                  x = sprintf("%s of %s", metric, short[2L]),
                  y = sprintf("%s of %s", metric, short[1L]), caption = "Cross: the means.") +
    plot_theme()
}
