#' Plot mean ranks with their critical difference
#'
#' Draws the mean rank of each ranker over data sets, the best on the left, with Nemenyi's critical difference.
#'
#' @param object The result of [compare_over_datasets()].
#' @param n Number of rankers to draw, 2 or more; default 40. The rankers with the best mean ranks are drawn.
#' @param ... Not used.
#' @return A ggplot. Bars connect rankers that differ by less than the critical difference (Demsar 2006). With more
#'   than 15 rankers, each ranker has a line of this length. No difference is shown between rankers whose lines
#'   overlap.
#' @examples
#' # Metrics of three rankers on six collections.
#' values <- cbind(a = c(.41, .52, .33, .60, .47, .39), b = c(.40, .49, .35, .58, .45, .36),
#'                 c = c(.35, .44, .30, .52, .41, .33))
#' test <- compare_over_datasets(values)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(test)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_friedman <- function(object, n = 40, ...) {
  rlang::check_installed("ggplot2", "to plot ranks")
  check_no_others(...)
  check_count(n, "n", min = 2, infinite = TRUE)
  plot_ranks(object, NULL, n)
}

# Ranks and the critical difference are computed over all rankers, even if only n rankers are drawn.
plot_ranks <- function(friedman, metric, n) {
  if (min(n, length(friedman$ranks)) > max_labelled_rows) {
    plot_rank_lines(friedman, metric, n)
  } else {
    plot_rank_bars(friedman, metric, n)
  }
}

rank_title <- "Mean ranks and their critical difference"

rank_subtitle <- function(friedman, metric) {
  wrapped(sprintf("%sFriedman over %d %s: %s", if (is.null(metric)) "" else paste0(metric, "; "),
                  nrow(friedman$means), friedman$blocks, show_p(friedman$p)))
}

# `words` begin the sentence about the rankers without a difference.
rank_caption <- function(friedman, shown, words, ...) {
  caption_lines(..., left_out_words(shown, length(friedman$ranks), "best mean ranks"),
                sprintf("1 is best. %s no difference is shown at level %s (Nemenyi).", words,
                        plain_number(friedman$level)))
}

# The lines of two rankers overlap if their ranks differ by less than the critical difference. The band is the
# line of the best ranker.
plot_rank_lines <- function(friedman, metric, n) {
  ranks <- utils::head(friedman$ranks, n)
  half <- friedman$critical_difference / 2
  rows <- data.frame(ranker = names(ranks), rank = unname(ranks), lower = unname(ranks) - half,
                     upper = unname(ranks) + half, near = unname(ranks) - ranks[[1L]] < 2 * half | ranks == ranks[[1L]])
  rows$label <- factor(rows$ranker, rev(rows$ranker))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$rank, y = .data$label)) +
    ggplot2::annotate("rect", xmin = rows$lower[1L], xmax = rows$upper[1L], ymin = -Inf, ymax = Inf,
                      fill = "grey90") +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper,
                                         colour = .data$near), linewidth = 0.6) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$near, shape = .data$near), size = 1.8) +
    ggplot2::scale_y_discrete(labels = function(names) shorten(names, 26L)) +
    ggplot2::scale_colour_manual(values = c(`FALSE` = "grey45", `TRUE` = ranker_colours(1L)), guide = "none") +
    ggplot2::scale_shape_manual(values = c(`FALSE` = 1, `TRUE` = 16), guide = "none") +
    ggplot2::labs(title = rank_title, subtitle = rank_subtitle(friedman, metric), x = "Mean rank", y = NULL,
                  caption = rank_caption(
                    friedman, nrow(rows), "Between overlapping lines",
                    sprintf("Lines: the critical difference, %.2f, around each mean rank.", 2 * half),
                    "Band: the line of the best. Filled points: lines that overlap it."
                  )) +
    plot_theme() +
    ggplot2::theme(axis.text.y = ggplot2::element_text(size = 7))
}

plot_rank_bars <- function(friedman, metric, n) {
  ranks <- utils::head(friedman$ranks, n)
  k <- length(ranks)
  width <- friedman$critical_difference
  axis <- rank_axis(ranks, width, length(friedman$ranks))
  # The better half of the names is on the left, the others on the right. Names are lower the
  # farther they are from the end.
  left <- seq_len(ceiling(k / 2))
  depth <- ifelse(seq_len(k) %in% left, seq_len(k), k + 1L - seq_len(k))
  bars <- rank_groups(ranks, width)
  bars$y <- -0.25 - 0.22 * (seq_len(nrow(bars)) - 1L)
  beside <- 0.04 * axis$span
  labels <- rank_labels(ranks)
  lines <- if (any(grepl("\n", labels))) 2 else 1
  names <- data.frame(rank = ranks,
                      y = min(bars$y, -0.25) - c(0.6, 0.9)[lines] * depth,
                      side = ifelse(seq_len(k) %in% left, axis$from - beside, axis$to + beside),
                      hjust = ifelse(seq_len(k) %in% left, 1, 0),
                      label = labels)
  # The margin for names is the length of the longest line, as a fraction of a narrow figure.
  longest <- max(nchar(unlist(strsplit(labels, "\n"))))
  fraction <- min(0.36, 0.016 * longest + 0.02)
  margin <- axis$span * fraction / (1 - 2 * fraction)
  ggplot2::ggplot(names) +
    ggplot2::annotate("segment", x = axis$from, xend = axis$to, y = 0, yend = 0) +
    ggplot2::annotate("segment", x = axis$ticks, xend = axis$ticks, y = 0, yend = 0.12) +
    ggplot2::annotate("text", x = axis$ticks, y = 0.32, label = format(axis$ticks), size = 3.4) +
    ggplot2::annotate("segment", x = axis$from, xend = min(axis$from + width, axis$to), y = 0.85,
                      yend = 0.85, linewidth = 1.1, colour = ranker_colours(2L)[2L]) +
    ggplot2::annotate("text", x = axis$from, y = 1.08, hjust = 0, size = 3.2,
                      label = sprintf("critical difference %.2f%s", width,
                                      if (width > axis$span) " (wider than the axis)" else "")) +
    ggplot2::geom_segment(ggplot2::aes(x = .data$rank, xend = .data$rank, y = 0, yend = .data$y),
                          colour = "grey40") +
    ggplot2::geom_segment(ggplot2::aes(x = .data$rank, xend = .data$side, y = .data$y,
                                       yend = .data$y), colour = "grey40") +
    ggplot2::geom_text(ggplot2::aes(x = .data$side, y = .data$y, hjust = .data$hjust,
                                    label = .data$label), size = 3.4, lineheight = 0.85) +
    ggplot2::geom_segment(data = bars, ggplot2::aes(x = .data$from, xend = .data$to, y = .data$y,
                                                    yend = .data$y), linewidth = 2.2,
                          colour = ranker_colours(1L)) +
    ggplot2::scale_x_continuous(expand = ggplot2::expansion(add = margin)) +
    # The lowest name needs space for all of its lines.
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(add = c(0.2 * lines, 0.25))) +
    ggplot2::labs(title = rank_title, subtitle = rank_subtitle(friedman, metric),
                  caption = rank_caption(friedman, k, "Between rankers joined by a bar")) +
    ggplot2::theme_void(base_size = 11) +
    ggplot2::theme(plot.caption = ggplot2::element_text(hjust = 0, colour = "grey30"),
                   plot.margin = ggplot2::margin(8, 8, 8, 8))
}

# The limits of the axis, from the best to the worst rank, within 1 and the number of rankers. The
# axis is long enough for the critical difference.
rank_axis <- function(ranks, width, worst = length(ranks)) {
  ends <- range(ranks)
  lacking <- max(0, 1.1 * width - diff(ends), 0.2 - diff(ends))
  ends <- ends + c(-0.5, 0.5) * lacking
  ticks <- pretty(ends, 4L)
  ticks <- ticks[ticks >= 1 & ticks <= worst]
  from <- max(1, min(ends[1L], ticks))
  to <- min(worst, max(ends[2L], ticks))
  list(from = from, to = to, span = max(to - from, 0.1), ticks = ticks)
}

# " mixture (1.25) ", with the rank below a long name.
rank_labels <- function(ranks) {
  name <- shorten(names(ranks), 20L)
  paste0(" ", name, ifelse(nchar(name) > 13L, " \n ", " "), sprintf("(%.2f) ", ranks))
}

# The longest groups of sorted ranks within `width`, of at least two rankers.
rank_groups <- function(ranks, width) {
  last <- vapply(seq_along(ranks), function(i) max(which(ranks - ranks[i] < width)), 0L)
  first <- seq_along(ranks)
  new <- last > first & !duplicated(last)
  data.frame(from = ranks[first[new]], to = ranks[last[new]])
}
