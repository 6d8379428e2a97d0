# The forest plot of a comparison: the differences of all rankers to one ranker.
#
# A row of the plot has `ranker`, `difference`, `lower`, `upper`, `p`, `verdict` and `best`, and `near_lower`
# and `near_upper`, the interval that decides about equivalence (NA without an absolute margin).

plot_differences <- function(object, rated, metric, n) {
  settings <- object$settings
  reference <- reference_ranker(settings, rated)
  shown <- best_rankers(rated, n, settings$control)
  pairs <- object$pairs[object$pairs$metric == metric, ]
  rows <- difference_rows(pairs, rated, reference, settings)
  rows <- rows[rows$ranker %in% shown, ]
  others <- rows[rows$verdict != "reference", ]
  used <- intersect(names(verdict_words(settings)), others$verdict)
  marks <- unname(verdict_words(settings)[used])
  few <- nrow(rows) <= max_labelled_rows
  rows$label <- factor(rows$ranker, rows$ranker[order(rows$difference)])
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$difference, y = .data$label)) +
    margin_band(margin_of_plot(pairs, rated, reference, settings)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    forest_layers(rows, few) +
    # Layers have other subsets of the rows, so the order must be given.
    ggplot2::scale_y_discrete(limits = levels(rows$label), labels = forest_labels(rows, few, settings)) +
    ggplot2::scale_colour_manual(values = verdict_colours, breaks = used, labels = marks) +
    ggplot2::scale_fill_manual(values = verdict_colours, breaks = used, labels = marks) +
    ggplot2::scale_shape_manual(values = verdict_shapes, breaks = used, labels = marks) +
    ggplot2::guides(colour = ranker_legend(marks), shape = ranker_legend(marks),
                    fill = ranker_legend(marks)) +
    ggplot2::labs(title = wrapped(sprintf("Difference of %s to %s", metric, reference)),
                  subtitle = wrapped(describe_settings(settings, pairs$folds[1L])),
                  x = sprintf("Mean difference of %s over queries", metric), y = NULL,
                  colour = NULL, shape = NULL, fill = NULL,
                  caption = forest_caption(rows, rated, pairs, reference, settings)) +
    plot_theme() +
    (if (!few) ggplot2::theme(axis.text.y = ggplot2::element_text(size = 7)))
}

# The reference has a row too, because the rows are the rankers that may be the best.
difference_rows <- function(pairs, rated, reference, settings) {
  rows <- pairs_against(pairs, reference, settings)[c("ranker", "difference", "lower", "upper", "p", "verdict",
                                                      "at_floor")]
  near <- pairs[pairs$a == reference | pairs$b == reference, ]
  if (is.null(near$tost_lower) || settings$relative_margin) {
    near$tost_lower <- near$tost_upper <- rep(NA_real_, nrow(near))
  }
  swapped <- near$a == reference
  rows$near_lower <- ifelse(swapped, 0 - near$tost_upper, near$tost_lower)
  rows$near_upper <- ifelse(swapped, 0 - near$tost_lower, near$tost_upper)
  own <- data.frame(ranker = reference, difference = 0, lower = NA_real_, upper = NA_real_, p = NA_real_,
                    verdict = "reference", at_floor = FALSE, near_lower = NA_real_, near_upper = NA_real_)
  rows <- rbind(rows, own)
  rows$best <- rated$best[match(rows$ranker, rated$ranker)] %in% TRUE
  rows
}

# The legend of the verdicts. Without a margin, the verdict "undecided" is not about equivalence.
verdict_words <- function(settings) {
  words <- stats::setNames(margin_verdicts, margin_verdicts)
  if (is.null(settings$margin)) {
    words[c("better", "worse", "undecided")] <- c("significantly better", "significantly worse",
                                                  "no difference shown")
  }
  words
}

# The margin in units of the metric. A relative margin has a value in these units only if all pairs are
# relative to the reference. NULL without a margin to draw.
margin_of_plot <- function(pairs, rated, reference, settings) {
  if (!isTRUE(settings$relative_margin)) {
    return(settings$margin)
  }
  own <- pairs[pairs$a == reference | pairs$b == reference, ]
  if (all(own$b == reference)) settings$margin * rated$mean[rated$ranker == reference]
}

margin_band <- function(margin) {
  if (is.null(margin)) {
    return(NULL)
  }
  list(ggplot2::annotate("rect", xmin = -margin, xmax = margin, ymin = -Inf, ymax = Inf, fill = "grey88"),
       ggplot2::geom_vline(xintercept = c(-margin, margin), colour = "grey40", linetype = "dashed"))
}

forest_layers <- function(rows, few) {
  others <- rows[rows$verdict != "reference", ]
  # A one-sided interval ends at the edge of the panel.
  list(
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper, colour = .data$verdict),
                            data = others, linewidth = if (few) 0.7 else 0.5, na.rm = TRUE,
                            show.legend = FALSE),
    if (any(!is.na(others$near_lower))) {
      ggplot2::geom_linerange(ggplot2::aes(xmin = .data$near_lower, xmax = .data$near_upper,
                                           colour = .data$verdict),
                              data = others, linewidth = if (few) 2.4 else 1.6, alpha = 0.4, na.rm = TRUE,
                              show.legend = FALSE)
    },
    ggplot2::geom_point(ggplot2::aes(colour = .data$verdict, shape = .data$verdict, fill = .data$verdict),
                        data = others, size = if (few) 2.6 else 1.7),
    ggplot2::geom_point(data = rows[rows$verdict == "reference", ], shape = 18, size = if (few) 3.4 else 2.4)
  )
}

# The panel has no space for p-values next to the line at 0 and the intervals.
forest_labels <- function(rows, few, settings) {
  star <- ifelse(rows$best, "* ", "")
  below <- ifelse(rows$verdict == "reference",
                  if (is.null(settings$control)) "the highest mean" else "the control",
                  show_p(rows$p, rows$at_floor))
  stats::setNames(paste0(star, shorten(rows$ranker, 26L), if (few) paste0("\n", below)), rows$ranker)
}

forest_caption <- function(rows, rated, pairs, reference, settings) {
  relative <- isTRUE(settings$relative_margin)
  drawn <- !is.null(margin_of_plot(pairs, rated, reference, settings))
  hidden <- sum(rated$best[!rated$ranker %in% rows$ranker] %in% TRUE)
  caption_lines(
    left_out_words(nrow(rows), nrow(rated)),
    if (hidden > 0L) sprintf("%s not drawn may be the best, too.", counted(hidden, "ranker")),
    sprintf("Lines: %s.", interval_words(settings, nrow(pairs))),
    if (any(!is.na(rows$near_lower))) {
      sprintf("Thick: %s %% intervals of each pair alone, for equivalence.",
              plain_number(100 * (1 - 2 * settings$level)))
    },
    if (!is.null(settings$margin)) {
      sprintf(if (drawn) "Band: the margin, %s." else "The margin is %s.", show_margin(settings))
    },
    if (!drawn && relative) "It has no band, because each pair has its own.",
    if (any(rows$best)) sprintf("* %s.", star_words(settings))
  )
}
