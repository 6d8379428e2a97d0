#' Plot drift
#'
#' Draws the distances of features and scores between new data and the reference, or the distributions in both data
#' sets.
#'
#' @param object The result of [drift()].
#' @param type The plot: `"features"` (the default, the distances), `"bins"` (the distributions of features) or
#'   `"scores"` (the distributions of scores).
#' @param n Number of features to draw, default 15 for `"features"` and 6 for `"bins"`. The features with the
#'   largest distances are drawn.
#' @param ... Not used.
#' @return A ggplot. `"features"` shows the distance of each feature and of the scores, and the mean distance
#' of permuted data. `"bins"` and `"scores"` show the fraction of each bin in both data sets.
#' @examples
#' vali <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' found <- drift(function(data) data$x[, 1], test, vali, permutations = 199, seed = 1, threads = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(found)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(found, "bins")
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_drift <- function(object, type = "features", n = NULL, ...) {
  rlang::check_installed("ggplot2", "to plot drift")
  check_no_others(...)
  check_choice(type, "type", c("features", "bins", "scores"))
  if (is.null(n)) n <- if (type == "features") 15 else 6
  check_count(n, "n")
  switch(type, features = plot_drifts(object, n),
         bins = plot_drift_bins(object, utils::head(object$features$feature, n), "features"),
         scores = plot_drift_bins(object, drift_score_names, "scores"))
}

drift_words <- c("changed", "no change shown")

plot_drifts <- function(object, n) {
  scores <- stats::setNames(object$scores, names(object$features))
  rows <- rbind(cbind(utils::head(object$features, n), panel = "Features"), cbind(scores, panel = "Scores"))
  rows$label <- factor(rows$feature, rev(unique(rows$feature)))
  rows$word <- factor(drift_words[2L - (rows$p_adjusted <= object$settings$level)], drift_words)
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$distance, y = .data$label)) +
    ggplot2::geom_point(ggplot2::aes(x = .data$expected), shape = 124, size = 4, colour = "grey40") +
    ggplot2::geom_point(ggplot2::aes(colour = .data$word, shape = .data$word), size = 2.4) +
    ggplot2::facet_grid(rows = ggplot2::vars(.data$panel), scales = "free_y", space = "free_y") +
    ggplot2::scale_colour_manual(values = ranker_colours(2L)[2:1], drop = FALSE) +
    ggplot2::scale_shape_manual(values = c(17, 16), drop = FALSE) +
    ggplot2::expand_limits(x = 0) +
    ggplot2::labs(title = wrapped("Distance of new data from the reference"),
                  subtitle = wrapped(drift_counts(object)), x = "Fraction of documents in other bins", y = NULL,
                  colour = NULL, shape = NULL,
                  caption = caption_lines("Bars: the mean distance without a change, by permutations.",
                                          left_out_features(n, nrow(object$features)))) +
    plot_theme()
}

left_out_features <- function(shown, all) {
  if (shown < all) sprintf("%s with smaller distances %s not shown.", counted(all - shown, "feature"),
                           if (all - shown == 1L) "is" else "are")
}

drift_counts <- function(object) {
  sprintf("%s, %s", counted(object$queries[["reference"]], "reference query", "reference queries"),
          counted(object$queries[["new"]], "new query", "new queries"))
}

plot_drift_bins <- function(object, shown, what) {
  rows <- object$bins[object$bins$feature %in% shown, ]
  long <- rbind(data.frame(rows[c("feature", "bin", "to")], data = "reference", fraction = rows$reference),
                data.frame(rows[c("feature", "bin", "to")], data = "new", fraction = rows$new))
  long$data <- factor(long$data, c("reference", "new"))
  long$feature <- factor(long$feature, shown)
  long$label <- ifelse(is.na(long$to), "NA", as.character(long$bin))
  long$label <- factor(long$label, unique(long$label[order(long$label == "NA", long$bin)]))
  ggplot2::ggplot(long, ggplot2::aes(x = .data$label, y = .data$fraction, fill = .data$data)) +
    ggplot2::geom_col(position = "dodge", width = 0.8) +
    ggplot2::facet_wrap(ggplot2::vars(.data$feature)) +
    ggplot2::scale_fill_manual(values = ranker_colours(2L)) +
    ggplot2::labs(title = wrapped(sprintf("Distributions of %s in both data sets", what)),
                  subtitle = wrapped(drift_counts(object)), x = "Bin, from small values to large ones",
                  y = "Fraction of documents", fill = NULL,
                  caption = caption_lines("Each query has the same weight, or its own.",
                                          if (any(is.na(long$to))) "NA: missing values.")) +
    plot_theme()
}
