#' Plot a comparison
#'
#' Draws the differences of rankers, their p-values, their mean ranks, or two rankers query by query. Use it to
#' see the size of differences, and which differences the queries could not decide.
#'
#' @param object The comparison, made by [compare_rankers()].
#' @param type The plot:
#'   * `"differences"` (the default): a forest plot of the differences to the control, or to the highest mean.
#'     Lines are the simultaneous intervals, if the comparison has them. The band is the margin. A star marks
#'     the rankers that may be the best;
#'   * `"p_values"`: a heat map of the adjusted p-values of all pairs, with the direction of each difference.
#'     Rows are ordered by their means;
#'   * `"wins"`: the differences of two rankers query by query, sorted. The plot names the queries with the
#'     largest differences;
#'   * `"scatter"`: the values of two rankers query by query;
#'   * `"ranks"`: mean ranks over queries with Nemenyi's critical difference, as in
#'     [compare_over_datasets()] for data sets. Every query counts the same.
#' @param metric The name of the metric; by default the first metric.
#' @param rankers The names of two rankers for `"wins"` and `"scatter"`; by default the two rankers with the
#' highest means.
#' @param n Number of rankers to draw in `"differences"`, `"p_values"` and `"ranks"`, 2 or more; default 40,
#'   because more are hard to read. The rankers with the highest means are drawn, and the control. For
#'   `"ranks"` the best mean ranks are drawn. The caption gives the number of other rankers.
#' @param margin The difference of one query that matters in practice, in units of the metric, for `"wins"`.
#'   The subtitle counts the queries with larger differences. By default the `margin` of the comparison, if it
#'   has one in units of the metric.
#' @param ... Not used.
#' @return A ggplot. The element `data` of the ggplot has the numbers that are drawn.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' comparison <- compare_rankers(first = test$x[, 1], second = test$x[, 2], third = test$x[, 3],
#'                               data = test, metric = "ndcg@10", resamples = 1000, seed = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(comparison)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(comparison, "wins", margin = 0.1)
#'
#' @details
#' **Size.** Text is readable in a figure of 5.2 inches width. With at most 15 rankers, p-values are written as
#' text. These heights are enough, in inches:
#'
#' * `"differences"` of k rankers: 1.9 + 0.42 k, and 2.1 + 0.14 k for more than 15 rankers. A margin needs 0.8
#'   inches more.
#' * `"p_values"`: 5.8.
#' * `"ranks"`: 2 + 0.24 k, and 2 + 0.14 k for more than 15 rankers.
#'
#' **Colours.** Each verdict has a colour and a shape, so the plots are readable in black and white. Filled
#' shapes mark differences whose verdict is not "undecided". The colour of a tile of the heat map is
#' \eqn{-\log_{10} p}{-log10(p)} with the sign of the difference. P-values below 0.001 have the same colour.
#'
#' **Margin.** If the comparison has a margin in units of the metric, thick lines are the intervals that decide
#' about equivalence, see [equivalence()]. A relative margin is drawn only if the comparison has a control,
#' because it is then relative to the same ranker for all pairs.
#'
#' **Ranks.** With at most 15 rankers, the plot of mean ranks is the diagram of Demsar. Bars join rankers
#' between which no difference is shown. With more rankers, each mean rank has a line as long as the critical
#' difference. No difference is shown between rankers whose lines overlap.
#'
#' **Undefined cases.** A pair without an interval has only a point. A tile of a pair that was not tested is
#' grey. `"ranks"` needs two or more queries.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: an unknown type, metric or ranker; not two `rankers`; an `n` below 2; a
#'   `margin` that is not positive; `"ranks"` of one query.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), figure 5, \doi{10.1007/s10994-013-5360-9}. Demsar
#'   (2006), Statistical comparisons of classifiers over multiple data sets, *Journal of Machine Learning
#'   Research* 7, 1-30.
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_comparison <- function(object, type = c("differences", "p_values", "wins",
                                                         "scatter", "ranks"),
                                        metric = NULL, rankers = NULL, n = 40, margin = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot a comparison")
  check_no_others(...)
  type <- check_first_choice(type, "type",
                             c("differences", "p_values", "wins", "scatter", "ranks"))
  metric <- plotted_metric(metric, names(object$values))
  check_count(n, "n", min = 2, infinite = TRUE)
  rated <- object$rankers[object$rankers$metric == metric, ]
  if (type %in% c("wins", "scatter")) {
    rankers <- plotted_rankers(rankers, rated)
  }
  if (!is.null(margin)) check_number(margin, "margin", 0, Inf, open_min = TRUE)
  plot <- switch(type,
                 differences = plot_differences(object, rated, metric, n),
                 p_values = plot_p_values(object, rated, metric, n),
                 wins = plot_wins(object, rankers, metric, margin),
                 scatter = plot_scatter(object, rankers, metric),
                 ranks = plot_ranks(friedman_nemenyi(check_several_queries(object$values[[metric]]$values),
                                                     object$settings$level, "queries"), metric, n))
  if (type %in% c("wins", "scatter")) plot else with_failed_caption(plot, object$failed)
}

# The caption of a plot of all rankers also names the rankers that failed.
with_failed_caption <- function(plot, failed) {
  words <- failed_words(failed)
  if (is.null(words)) {
    return(plot)
  }
  plot + ggplot2::labs(caption = paste(c(plot$labels$caption, caption_lines(paste0(words, "."))), collapse = "\n"))
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

# The n rankers with the highest means, the best first. `always` is kept too.
best_rankers <- function(rated, n, always = NULL) {
  sorted <- rated$ranker[order(-rated$mean)]
  sorted[seq_along(sorted) <= n | sorted %in% always]
}

# "The 40 highest means of 60 rankers." NULL if all rankers are drawn.
left_out_words <- function(shown, all, what = "highest means") {
  if (shown < all) sprintf("The %d %s of %d rankers.", shown, what, all)
}

# The height of a figure of 5.2 inches width, for report().
figure_height <- function(type, rankers, settings = list()) {
  k <- min(length(rankers), 40L)
  many <- k > max_labelled_rows
  switch(type,
         # The verdicts about a margin have a longer legend.
         differences = (if (many) 2.1 + 0.14 * k else 1.9 + 0.42 * k) + if (is.null(settings$margin)) 0 else 0.8,
         folds = if (many) 2.1 + 0.14 * k else 2.1 + 0.25 * k,
         p_values = 5.8,
         ranks = if (many) 2 + 0.14 * k else {
           2 + (if (any(nchar(rankers) > 12L)) 0.24 else 0.17) * k
         })
}
