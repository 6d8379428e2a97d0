#' Plot a comparison
#'
#' @param object The comparison, made by [compare_rankers()].
#' @param type The plot:
#'   * `"differences"` (the default): the differences to the best ranker with the interval of each pair alone;
#'   * `"p_values"`: a heat map of the adjusted p-values of all pairs. Rankers with large p-values are
#'     neighbours (average linkage on 1 - p; figure 5 of Busa-Fekete et al. 2013);
#'   * `"wins"`: the differences of two rankers query by query, sorted;
#'   * `"scatter"`: the values of two rankers query by query;
#'   * `"ranks"`: mean ranks over queries with Nemenyi's critical difference, as
#'     [compare_over_datasets()] over data sets. Every query counts the same.
#' @param metric The name of the metric; by default the first metric.
#' @param rankers The names of two rankers for `"wins"` and `"scatter"`; by default the two
#'   with the highest means.
#' @param ... Not used.
#' @return A ggplot.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' rankers <- list(first = function(data) data$x[, 1], second = function(data) data$x[, 2])
#' comparison <- compare_rankers(rankers, data = test, metric = metric_ndcg(10),
#'                              resamples = 1000, seed = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(comparison, type = "wins")
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_comparison <- function(object, type = c("differences", "p_values", "wins",
                                                         "scatter", "ranks"),
                                        metric = NULL, rankers = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot a comparison")
  check_no_others(...)
  type <- check_choice(type[1L], "type",
                       c("differences", "p_values", "wins", "scatter", "ranks"))
  metric <- plotted_metric(metric, names(object$values))
  rated <- object$rankers[object$rankers$metric == metric, ]
  if (type %in% c("wins", "scatter")) {
    rankers <- plotted_rankers(rankers, rated)
  }
  switch(type,
         differences = plot_differences(object, rated, metric),
         p_values = plot_p_values(object, metric),
         wins = plot_wins(object, rankers, metric),
         scatter = plot_scatter(object, rankers, metric),
         ranks = plot_ranks(friedman_nemenyi(check_several_queries(object$values[[metric]]$values),
                                             object$settings$level, "queries"), metric))
}

check_several_queries <- function(values, call = rlang::caller_env()) {
  if (nrow(values) < 2L) {
    stop_input("argument", "Mean ranks need two or more queries.", "There is one.", call = call)
  }
  values
}

plotted_rankers <- function(rankers, rated, call = rlang::caller_env()) {
  if (is.null(rankers)) {
    return(rated$ranker[order(-rated$mean)][1:2])
  }
  if (!is.character(rankers) || length(rankers) != 2L || anyDuplicated(rankers) ||
        !all(rankers %in% rated$ranker)) {
    stop_input("argument",
               sprintf("`rankers` must be two of %s.", enumerate(rated$ranker, 10L)),
               call = call)
  }
  rankers
}

plot_differences <- function(object, rated, metric) {
  settings <- object$settings
  top <- reference_ranker(settings, rated)
  rows <- pairs_against(object$pairs[object$pairs$metric == metric, ], top, settings)
  verdicts <- c("no difference shown", "significantly worse", "significantly better")
  rows$verdict <- factor(verdicts[ifelse(rows$p > settings$level, 1L, 2L + (rows$difference > 0))],
                         verdicts)
  rows$label <- factor(rows$ranker, rows$ranker[order(rows$difference)])
  # The panel has no space for these labels beside the line at 0 and the intervals.
  named <- stats::setNames(paste0(rows$ranker, "\n", show_p(rows$p, rows$at_floor)), rows$ranker)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$difference, y = .data$label,
                                     colour = .data$verdict, shape = .data$verdict)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper),
                            linewidth = 0.8, na.rm = TRUE) +
    ggplot2::geom_point(size = 2.6) +
    ggplot2::scale_y_discrete(labels = named) +
    scale_rankers(3L, drop = FALSE) +
    ggplot2::scale_shape_discrete(drop = FALSE) +
    ggplot2::labs(title = sprintf("Difference of %s to %s", metric, top),
                  subtitle = wrapped(describe_settings(object$settings,
                                                       object$pairs$folds[1L])),
                  x = sprintf("Mean difference of %s over queries", metric), y = NULL,
                  colour = NULL, shape = NULL,
                  caption = wrapped(sprintf("Lines: %s.", interval_words(
                    object$settings, sum(object$pairs$metric == metric)
                  )))) +
    plot_theme()
}

plot_p_values <- function(object, metric) {
  pairs <- object$pairs[object$pairs$metric == metric, ]
  rankers <- colnames(object$values[[metric]]$values)
  p <- matrix(NA_real_, length(rankers), length(rankers), dimnames = list(rankers, rankers))
  values <- pairs$p_adjusted
  p[cbind(pairs$a, pairs$b)] <- values
  p[cbind(pairs$b, pairs$a)] <- values
  sorted <- if (length(rankers) > 2L) {
    distance <- 1 - p
    diag(distance) <- 0
    rankers[stats::hclust(stats::as.dist(distance), "average")$order]
  } else {
    rankers
  }
  rows <- data.frame(a = factor(rep(rankers, length(rankers)), sorted),
                     b = factor(rep(rankers, each = length(rankers)), rev(sorted)),
                     p = as.vector(p))
  rows$label <- p_labels(rows$p)
  # P-values below 0.001 have the same colour.
  rows$shade <- log10(pmax(rows$p, 1e-3))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$a, y = .data$b, fill = .data$shade)) +
    ggplot2::geom_tile(colour = "white", linewidth = 1) +
    ggplot2::geom_text(ggplot2::aes(label = .data$label,
                                    colour = !is.na(.data$shade) & .data$shade > -1.2),
                       size = 3, show.legend = FALSE) +
    ggplot2::scale_colour_manual(values = c(`FALSE` = "white", `TRUE` = "black")) +
    ggplot2::scale_fill_viridis_c(limits = c(-3, 0), na.value = "grey92",
                                  breaks = log10(c(0.001, 0.01, 0.05, 0.2, 1)),
                                  labels = c("<= 0.001", "0.01", "0.05", "0.2", "1")) +
    ggplot2::coord_equal() +
    ggplot2::labs(title = sprintf("p-values of all pairs by %s", metric),
                  subtitle = wrapped(describe_settings(object$settings,
                                                       object$pairs$folds[1L])),
                  x = NULL, y = NULL, fill = "p",
                  caption = paste("Rankers with large p-values are beside each other. A large p-value",
                                  "does not\nshow that two rankers are equal.")) +
    plot_theme() +
    ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 35, hjust = 1),
                   panel.grid = ggplot2::element_blank(), legend.position = "right")
}

# A tile has space for four letters: "<.001", ".023", "1".
p_labels <- function(p) {
  text <- sub("^1[.]000$", "1", sub("^0", "", sprintf("%.3f", p)))
  ifelse(is.na(p), "", ifelse(p < 1e-3, "<.001", text))
}

plot_wins <- function(object, rankers, metric) {
  values <- object$values[[metric]]$values
  difference <- sort(snapped_difference(values[, rankers[1L]], values[, rankers[2L]]),
                     decreasing = TRUE)
  rated <- object$rankers[object$rankers$metric == metric, ]
  means <- rated$mean[match(rankers, rated$ranker)]
  who <- c(sprintf("%s better", rankers[1L]), "equal", sprintf("%s better", rankers[2L]))
  rows <- data.frame(query = seq_along(difference), difference = difference,
                     who = factor(who[2L - sign(difference)], who))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$query, y = .data$difference)) +
    ggplot2::geom_col(ggplot2::aes(fill = .data$who), width = 1) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey40") +
    ggplot2::geom_hline(yintercept = means[1L] - means[2L], linetype = "dashed") +
    ggplot2::scale_fill_manual(values = c(ranker_colours(2L), "grey70")[c(1, 3, 2)],
                               drop = FALSE) +
    ggplot2::labs(title = sprintf("%s against %s, query by query", rankers[1L], rankers[2L]),
                  subtitle = sprintf("better in %d, equal in %d, worse in %d of %d queries",
                                     sum(difference > 0), sum(difference == 0),
                                     sum(difference < 0), length(difference)),
                  x = "Queries, sorted by the difference",
                  y = sprintf("Difference of %s", metric), fill = NULL,
                  caption = "Dashed: the mean difference.") +
    ggplot2::guides(fill = ranker_legend(who)) +
    plot_theme()
}

plot_scatter <- function(object, rankers, metric) {
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
    ggplot2::labs(title = sprintf("%s of %s against %s", metric, rankers[1L], rankers[2L]),
                  subtitle = sprintf("%d queries; above the line %s is better", nrow(rows),
                                     rankers[1L]),
                  x = sprintf("%s of %s", metric, rankers[2L]),
                  y = sprintf("%s of %s", metric, rankers[1L]), caption = "Cross: the means.") +
    plot_theme()
}

#' Plot mean ranks with their critical difference
#'
#' @param object The result of [compare_over_datasets()].
#' @param ... Not used.
#' @return A ggplot: mean ranks, the best on the left. Bars connect rankers that differ by less
#'   than the critical difference (Demsar 2006).
#' @examples
#' # Metrics of three rankers on six collections.
#' values <- cbind(a = c(.41, .52, .33, .60, .47, .39), b = c(.40, .49, .35, .58, .45, .36),
#'                 c = c(.35, .44, .30, .52, .41, .33))
#' test <- compare_over_datasets(values)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(test)
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_friedman <- function(object, ...) {
  rlang::check_installed("ggplot2", "to plot ranks")
  check_no_others(...)
  plot_ranks(object, NULL)
}

plot_ranks <- function(friedman, metric) {
  ranks <- friedman$ranks
  k <- length(ranks)
  width <- friedman$critical_difference
  axis <- rank_axis(ranks, width)
  # The better half of the names is on the left, the others on the right. Names are lower the
  # farther they are from the end.
  left <- seq_len(ceiling(k / 2))
  depth <- ifelse(seq_len(k) %in% left, seq_len(k), k + 1L - seq_len(k))
  bars <- rank_groups(ranks, width)
  bars$y <- -0.25 - 0.22 * (seq_len(nrow(bars)) - 1L)
  beside <- 0.04 * axis$span
  names <- data.frame(rank = ranks,
                      y = min(bars$y, -0.25) - 0.6 * depth,
                      side = ifelse(seq_len(k) %in% left, axis$from - beside, axis$to + beside),
                      hjust = ifelse(seq_len(k) %in% left, 1, 0),
                      label = rank_labels(ranks))
  # The margin for names is the length of the longest line, as a fraction of a narrow figure.
  longest <- max(nchar(unlist(strsplit(names$label, "\n"))))
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
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(
      add = c(0.13 * max(nchar(gsub("[^\n]", "", names$label)) + 1), 0.25))) +
    ggplot2::labs(title = "Mean ranks and their critical difference",
                  subtitle = sprintf("%sFriedman over %d %s: %s",
                                     if (is.null(metric)) "" else paste0(metric, "; "),
                                     nrow(friedman$means), friedman$blocks, show_p(friedman$p)),
                  caption = paste("1 is best. Bars join rankers between which no difference is",
                                  "shown at level", plain_number(friedman$level), "(Nemenyi).")) +
    ggplot2::theme_void(base_size = 11) +
    ggplot2::theme(plot.caption = ggplot2::element_text(hjust = 0, colour = "grey30"),
                   plot.margin = ggplot2::margin(8, 8, 8, 8))
}

# The limits of the axis, from the best to the worst rank, within 1 and the number of rankers. The
# axis is long enough for the critical difference.
rank_axis <- function(ranks, width) {
  ends <- range(ranks)
  lacking <- max(0, 1.1 * width - diff(ends), 0.2 - diff(ends))
  ends <- ends + c(-0.5, 0.5) * lacking
  ticks <- pretty(ends, 5L)
  ticks <- ticks[ticks >= 1 & ticks <= length(ranks)]
  from <- max(1, min(ends[1L], ticks))
  to <- min(length(ranks), max(ends[2L], ticks))
  list(from = from, to = to, span = max(to - from, 0.1), ticks = ticks)
}

# " mixture (1.25) ", long names in lines.
rank_labels <- function(ranks) {
  text <- sprintf("%s (%.2f)", names(ranks), ranks)
  vapply(text, function(one) paste0(" ", broken_name(one, 20L), " ", collapse = "\n"), "",
         USE.NAMES = FALSE)
}

# Breaks a name into lines: at blanks, else after "_", "." or "-", else anywhere.
broken_name <- function(name, width) {
  unlist(lapply(strwrap(name, width), function(line) {
    lines <- character()
    while (nchar(line) >= width) {
      at <- utils::tail(gregexpr("[_.-]", substr(line, 1L, width - 1L))[[1L]], 1L)
      at <- if (at > 0L) at else width - 1L
      lines <- c(lines, substr(line, 1L, at))
      line <- substr(line, at + 1L, nchar(line))
    }
    c(lines, line)
  }))
}

# The longest groups of sorted ranks within `width`, of at least two rankers.
rank_groups <- function(ranks, width) {
  last <- vapply(seq_along(ranks), function(i) max(which(ranks - ranks[i] < width)), 0L)
  first <- seq_along(ranks)
  new <- last > first & !duplicated(last)
  data.frame(from = ranks[first[new]], to = ranks[last[new]])
}
