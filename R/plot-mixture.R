#' Plot a mixture
#'
#' Draws the weights and metrics of rankers or members, the largest weight first, or how settings change the validation
#' metric.
#'
#' @param object The mixture, made by [tune_and_mix()] or [mix()].
#' @param type The plot:
#'   * `"rankers"` (the default): a row for each ranker, in three panels. At most 20 rankers are drawn,
#'     those with the largest weights. The panels show the sum of the weights of its members, its metric
#'     alone, and its contribution to the mixture with a 95 % interval. A dashed line marks the metric of
#'     the mixture. See [summary.rankmix_mixture()].
#'   * `"members"`: a row for each member, with the weights in one panel and the metric in the other. At
#'     most 20 members are drawn, those with the largest weights. A dashed line marks the metric of the
#'     mixture. Colours are the rankers, the largest total weight first; shapes are the calibrators. Labels
#'     are short: `adaboost_mh()` and most names of arguments are left out.
#'   * `"tuning"`: the metric of the mixture for each c and threshold, number of steps or
#'     shrinkage, at the chosen T.
#'   * `"normalization"`, `"features"`, `"grouping"`: the metric of pairs of members that differ only in the
#'     normalization of gains by query ([calibrator_rbc()]), the set of features, or the grouping of grades. Points
#'     above the diagonal mean that the change improves the metric. Solid lines mark the metric of the mixture. Only for
#'     mixtures of [tune_and_mix()].
#' @param ... Not used.
#' @return A ggplot object.
#' @section Conditions: `rankmix_error_argument`: no two members differ only in this setting.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid,
#'   members = adaboost_mh(base_tree(4), rounds = 20),
#'   calibrators = list(calibrator_naive(), calibrator_cpc(), calibrator_rbc()), threads = 1)
#' ggplot2::autoplot(mixture)
#' ggplot2::autoplot(mixture, type = "tuning")
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_mixture <- function(object, type = "rankers", ...) {
  rlang::check_installed("ggplot2", "to plot a mixture")
  check_choice(type, "type", c("rankers", "members", "tuning", "normalization", "features", "grouping"))
  switch(type,
         rankers = plot_rankers(object, sprintf("T = %d rounds, %s", object$rounds,
                                                setting_words(object))),
         members = plot_members(
           object, short_labels(object$members), short_calibrators(object$members$calibrator),
           sprintf("Mixture of %d calibrated %s", nrow(object$members),
                   if (all(vapply(object$models, is_classifier, NA))) "classifiers" else {
                     "rankers"
                   }),
           sprintf("T = %d rounds, %s, chosen by %s on validation data",
                   object$rounds, setting_words(object), format(object$metric))
         ),
         tuning = plot_tuning(object, object$tuning[object$tuning$rounds == object$rounds, ],
                              sprintf("T = %d rounds", object$rounds)),
         plot_pairs(object, type))
}

#' @rdname autoplot.rankmix_mixture
#' @exportS3Method ggplot2::autoplot
autoplot.rankmix_mix <- function(object, type = "rankers", ...) {
  rlang::check_installed("ggplot2", "to plot a mixture")
  check_choice(type, "type", c("rankers", "members", "tuning"))
  if (type == "rankers") {
    return(plot_rankers(object, setting_words(object)))
  }
  if (type == "tuning") {
    if (object$method == "fixed") {
      stop_input("argument", "The weights of this mixture were given, so nothing was tuned.",
                 remedy = "Take another `type`.")
    }
    return(plot_tuning(object, object$tuning, NULL))
  }
  plot_members(object, object$members$ranker, NULL,
               sprintf("Mixture of %d rankers", nrow(object$members)),
               sprintf("%s, chosen by %s on validation data", setting_words(object),
                       format(object$metric)))
}

max_rows_shown <- 20L

plot_rankers <- function(object, chosen) {
  table <- ranker_table(object)
  shown <- utils::head(table, max_rows_shown)
  metric <- format(object$metric)
  panels <- c("Weight", paste(metric, "alone"), paste(metric, "added"))
  known <- !all(is.na(shown$value))
  if (!known) panels <- panels[1L]
  labels <- shorten(shown$ranker, 34L)
  labels <- factor(labels, rev(labels))
  rows <- function(panel, value, lower = NA_real_, upper = NA_real_) {
    data.frame(ranker = labels, panel = factor(panels[panel], panels), value = value, lower = lower,
               upper = upper)
  }
  points <- rbind(rows(1L, shown$weight), if (known) rows(2L, shown$value),
                  if (known) rows(3L, shown$adds, shown$lower, shown$upper))
  lines <- data.frame(panel = factor(panels, panels), at = c(0, object$value, 0)[seq_along(panels)],
                      kind = c("zero", "mixture", "zero")[seq_along(panels)])
  left_out <- nrow(table) - nrow(shown)
  points <- points[!is.na(points$value), ]
  ggplot2::ggplot(points, ggplot2::aes(x = .data$value, y = .data$ranker)) +
    ggplot2::geom_vline(data = lines, ggplot2::aes(xintercept = .data$at, linetype = .data$kind),
                        colour = "grey50", show.legend = FALSE) +
    ggplot2::geom_segment(data = points[!is.na(points$lower), ],
                          ggplot2::aes(x = .data$lower, xend = .data$upper, yend = .data$ranker),
                          colour = "grey50") +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 2.5) +
    ggplot2::scale_linetype_manual(values = c(zero = "solid", mixture = "dashed")) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_x", nrow = 1L) +
    ggplot2::scale_x_continuous(n.breaks = 3L, guide = ggplot2::guide_axis(check.overlap = TRUE)) +
    ggplot2::labs(
      title = sprintf("Mixture of %s", counted(nrow(table), "ranker")),
      subtitle = wrapped(sprintf("%s, chosen by %s on the validation queries", chosen, metric)),
      x = NULL, y = NULL,
      caption = paste0(if (known) {
        paste0("Dashed: the mixture. Added: the mixture minus the mixture without the ranker,\n",
               "with the 95 % interval over queries.")
      }, if (left_out > 0L) sprintf("\n%s lighter not shown.", counted(left_out, "ranker")))
    ) +
    plot_theme() +
    ggplot2::theme(axis.text.y = ggplot2::element_text(size = if (nrow(shown) > 12L) 7 else 9))
}

plot_members <- function(object, labels, kinds, title, subtitle) {
  metric <- format(object$metric)
  panels <- c("Weight", paste("Validation", metric))
  top <- utils::head(order(-object$members$weight), max_rows_shown)
  rows <- mixture_plot_rows(object$members[top, ], labels[top], panels)
  families <- shown_families(object$members)
  by_family <- !is.null(families)
  # Shorter names leave space for two legends in a low figure.
  if (by_family && !is.null(kinds)) kinds <- sub("\\(.*", "()", kinds)
  rows$kind <- if (is.null(kinds)) "ranker" else rep(kinds[top], 2L)
  rows$family <- if (by_family) factor(rep(object$members$family[top], 2L), families)
  mixture_line <- data.frame(panel = factor(panels[2L], panels), value = object$value)
  left_out <- length(labels) - length(top)
  plot <- ggplot2::ggplot(rows, ggplot2::aes(x = .data$value, y = .data$member)) +
    ggplot2::geom_segment(
      data = rows[rows$panel == panels[1L], ],
      ggplot2::aes(x = 0, xend = .data$value, yend = .data$member),
      colour = "grey70"
    ) +
    ggplot2::geom_point(
      if (by_family) ggplot2::aes(colour = .data$family, shape = .data$kind) else {
        ggplot2::aes(colour = .data$kind, shape = .data$kind)
      }, size = 3
    ) +
    ggplot2::geom_vline(data = mixture_line,
                        ggplot2::aes(xintercept = .data$value),
                        linetype = "dashed") +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_x") +
    ggplot2::scale_x_continuous(guide = ggplot2::guide_axis(check.overlap = TRUE)) +
    (if (by_family) scale_rankers(length(families)) else {
      ggplot2::scale_colour_brewer(palette = "Dark2")
    }) +
    ggplot2::labs(
      title = title, subtitle = subtitle, x = NULL, y = NULL,
      colour = if (by_family) "Family" else "Calibrator", shape = "Calibrator",
      caption = paste0(if (is_exponential(object)) {
        "Members with a higher validation metric have more weight;\nthe dashed line is the mixture."
      } else {
        "The dashed line is the mixture."
      },
                       if (left_out > 0L) sprintf("\n%s not shown.",
                                                  if (left_out == 1L) "A lighter member is" else
                                                    paste(left_out, "lighter members are")))
    ) +
    plot_theme() +
    # Small text, because many lines must fit a low figure.
    ggplot2::theme(axis.text.y = ggplot2::element_text(size = if (length(top) > 12L) 6.5 else 9))
  # Legends in columns, so that long names are not cut.
  keys <- if (is.null(kinds)) "none" else ranker_legend(unique(kinds[top]))
  if (!by_family) {
    return(plot + ggplot2::guides(colour = keys, shape = keys))
  }
  # One legend below the other: side by side they are too wide.
  plot +
    ggplot2::guides(colour = ranker_legend(families, order = 1), shape = keys) +
    ggplot2::theme(legend.box = "vertical", legend.box.just = "right",
                   legend.justification = "right", legend.spacing.y = ggplot2::unit(0, "lines"),
                   legend.margin = ggplot2::margin(0, 0, 0, 0))
}

# The families to show. There must be several families, and one of them must have several members. The family
# with
# the largest weight is first.
shown_families <- function(members) {
  families <- unique(members$family)
  if (length(families) < 2L || length(families) == nrow(members)) {
    return(NULL)
  }
  weights <- vapply(families, function(name) sum(members$weight[members$family == name]), 0)
  families[order(-weights)]
}

# Short labels that distinguish members.
short_labels <- function(members) {
  classifier <- sub("^adaboost_mh\\((.*)\\)( on .*| #.*)?$", "\\1\\2", members$classifier)
  # The prefixes of component families are left out.
  classifier <- gsub("\\bbase_", "", classifier)
  classifier <- gsub("\\b(trees|num_leaves|learning_rate) = ", "", classifier)
  calibrator <- sub("^(cpc|rbc|naive)\\(\"([a-z_]*)\"", "\\1 \\2", sub("^calibrator_", "", members$calibrator))
  calibrator <- gsub("naive\\(\\)", "naive", gsub("normalize = TRUE", "normalized", calibrator))
  calibrator <- sub("\\)( #.*)?$", "\\1", calibrator)
  make.unique(paste(classifier, gsub("(degree|sigma|exponent) = ", "", calibrator), sep = " + "))
}

# The family, if there are more calibrators than colours.
short_calibrators <- function(calibrators) {
  if (length(unique(calibrators)) <= 6L) calibrators else sub("\\(.*", "()", calibrators)
}

# One row for each member and panel, sorted by weight, the largest on top.
mixture_plot_rows <- function(members, labels, panels) {
  member <- factor(labels, levels = labels[order(members$weight)])
  row <- function(panel, value) {
    data.frame(member = member, panel = factor(panel, panels), value = value)
  }
  rbind(row(panels[1L], members$weight), row(panels[2L], members$value))
}

plot_tuning <- function(object, rows, where) {
  rows <- rows[!is.na(rows$value), ]
  if (is.null(rows$c)) {
    return(plot_setting(object, rows, where))
  }
  steps <- sort(unique(rows$c))
  rows$at <- factor(format(rows$c, trim = TRUE), format(steps, trim = TRUE))
  thresholds <- sort(unique(rows$threshold))
  rows$least <- factor(match(rows$threshold, thresholds), seq_along(thresholds),
                       different_labels(thresholds))
  labels <- ggplot2::labs(
    title = paste("Validation", format(object$metric), "of the mixture"),
    subtitle = paste(c(where, sprintf("best: c = %s", format(object$c)),
                       if (object$threshold > -Inf) {
                         sprintf("threshold %s", number_text(object$threshold, digits = 3))
                       }), collapse = ", "),
    x = "c: 0 gives equal weights, large values all weight to the best"
  )
  theme <- plot_theme()
  if (length(thresholds) == 1L) {
    return(ggplot2::ggplot(rows, ggplot2::aes(x = .data$at, y = .data$value, group = 1)) +
             ggplot2::geom_line(colour = ranker_colours(1L)) +
             ggplot2::geom_point(colour = ranker_colours(1L), size = 2) +
             labels + ggplot2::labs(y = format(object$metric)) + theme)
  }
  chosen <- rows[which.max(rows$value), ]
  # Only the two end labels of the colour bar, because more would overlap.
  ends <- unique(range(rows$value))
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$at, y = .data$least)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$value)) +
    ggplot2::geom_point(data = chosen, shape = 4, size = 4, colour = "white", stroke = 1.5) +
    ggplot2::scale_fill_viridis_c(breaks = ends, labels = different_labels(ends),
                                  guide = ggplot2::guide_colourbar(barwidth = 12)) +
    labels +
    ggplot2::labs(y = "Threshold", fill = format(object$metric),
                  caption = "The cross marks the best. Members above the threshold are mixed.") +
    theme + ggplot2::theme(panel.grid = ggplot2::element_blank())
}

# For weighting methods with one setting.
plot_setting <- function(object, rows, where) {
  name <- names(object$setting)
  rows$at <- rows[[name]]
  ggplot2::ggplot(rows, ggplot2::aes(x = .data$at, y = .data$value)) +
    ggplot2::geom_line(colour = ranker_colours(1L)) +
    ggplot2::geom_point(colour = ranker_colours(1L), size = 2) +
    ggplot2::labs(
      title = paste("Validation", format(object$metric), "of the mixture"),
      subtitle = paste(c(where, paste("chosen:", setting_words(object))), collapse = ", "),
      x = switch(name, steps = "Steps of forward selection",
                 shrinkage = "Shrinkage: 1 gives equal weights, 0 the weights found by ascent"),
      y = format(object$metric)
    ) + plot_theme()
}

# Labels with as many digits as are needed to distinguish the numbers.
different_labels <- function(thresholds) {
  for (digits in 3:15) {
    labels <- number_text(signif(thresholds, digits), digits = digits, trim = TRUE)
    if (!anyDuplicated(labels)) break
  }
  ifelse(thresholds == -Inf, "none", labels)
}

# Pairs of members that differ in only one respect.
plot_pairs <- function(object, type, call = rlang::caller_env()) {
  pairs <- member_pairs(object, type)
  if (nrow(pairs) == 0L) {
    stop_input("argument",
               sprintf("No two members of the mixture differ in `%s` only.", type),
               remedy = switch(type,
                 normalization = "Mix with `calibrator_rbc()` of both values of `normalize`.",
                 features = "Mix with several `features`, \"original\" among them.",
                 grouping = "Mix with several `groupings`, \"identity\" among them."
               ), call = call)
  }
  what <- c(normalization = "normalised gains", features = "added features",
            grouping = "grouped grades")[[type]]
  from <- c(normalization = "plain gains", features = "original features",
            grouping = "all grades")[[type]]
  metric <- format(object$metric)
  limits <- range(pairs$base, pairs$changed, object$value)
  ggplot2::ggplot(pairs, ggplot2::aes(x = .data$base, y = .data$changed)) +
    ggplot2::geom_abline(linetype = "dashed", colour = "grey50") +
    ggplot2::geom_hline(yintercept = object$value, colour = "grey40") +
    ggplot2::geom_vline(xintercept = object$value, colour = "grey40") +
    ggplot2::geom_point(ggplot2::aes(colour = .data$kind, shape = .data$kind), size = 2,
                        alpha = 0.8) +
    ggplot2::scale_colour_brewer(palette = "Dark2") +
    ggplot2::coord_equal(xlim = limits, ylim = limits) +
    ggplot2::labs(
      title = sprintf("Do %s help?", what),
      subtitle = sprintf("%d pairs of members, %d above the diagonal", nrow(pairs),
                         sum(pairs$changed > pairs$base)),
      x = sprintf("Validation %s, %s", metric, from),
      y = sprintf("Validation %s, %s", metric, what),
      colour = NULL, shape = NULL, caption = "Solid lines: the mixture."
    ) +
    plot_theme()
}

# The validation metric of each base member and of its changed partner. `kind` decides the colour of
# the points.
member_pairs <- function(object, type) {
  parts <- lapply(seq_len(nrow(object$members)), function(m) {
    model <- object$models[[object$members$model[m]]]
    list(spec = model$spec, features = model$feature_set,
         method = object$fitted[[m]]$method)
  })
  changed <- vapply(parts, function(part) {
    switch(type,
           normalization = if (isTRUE(part$method$normalize)) "yes" else "",
           features = if (part$features == "original") "" else part$features,
           grouping = if (is.null(part$spec$grouping) ||
                            identical(part$spec$grouping, "identity")) "" else {
             paste(part$spec$grouping, collapse = " ")
           })
  }, "")
  keys <- vapply(parts, function(part) {
    if (type == "normalization") part$method$normalize <- NULL
    if (type == "features") part$features <- ""
    if (type == "grouping") part$spec$grouping <- "identity"
    rlang::hash(list(unclass(part$spec), part$features, unclass(part$method)))
  }, "")
  base <- match(keys, keys[changed == ""])
  rows <- which(changed != "" & !is.na(base))
  data.frame(
    base = object$members$value[changed == ""][base[rows]],
    changed = object$members$value[rows],
    kind = if (type == "normalization") {
      vapply(parts[rows], function(part) part$method$model, "")
    } else {
      changed[rows]
    }
  )
}
