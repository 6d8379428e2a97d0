# Last stage of a mixture: the trained mixture, its tables, and its print methods.

new_mixture <- function(plan, trained, tuned) {
  models <- Map(function(model, rounds) {
    model$own_rounds <- rounds
    model
  }, trained$models, tuned$own_rounds)
  choice <- tuned$choice
  all <- member_table(models, tuned$about, tuned$candidates, plan$calibrators)
  members <- all[tuned$used, ]
  rownames(members) <- NULL
  members$weight <- tuned$weight
  members$value <- tuned$omega
  members$family <- tuned$about$family[tuned$used]
  structure(
    list(
      models = models,
      fitted = tuned$fitted,
      members = members,
      calibrators = plan$preset,
      scale = tuned$scale,
      metric = plan$metric,
      standardize = plan$weighting$standardize,
      method = plan$weighting$method,
      setting = choice[names(weighting_settings(plan$weighting))],
      c = number_or_na(choice$c),
      threshold = number_or_na(choice$threshold),
      rounds = choice$rounds,
      value = tuned$value,
      contributions = tuned$contributions,
      tuning = tuned$tuning,
      skipped = left_out(plan, trained, all, tuned),
      seed = plan$seed
    ),
    class = c("rankmix_mixture", "rankmix_ranker")
  )
}

# A data frame of all candidates, in the order of the columns of their scores.
member_table <- function(models, about, candidates, calibrators) {
  sets <- vapply(models, set_of, "")
  labels <- mapply(function(model, set) task_label(model$spec, set), models, sets)
  data.frame(
    ranker = about$ranker,
    classifier = make.unique(labels, " #")[candidates$model],
    features = sets[candidates$model],
    calibrator = make.unique(vapply(calibrators, format, ""),
                             " #")[candidates$calibrator],
    model = candidates$model
  )
}

# Weighting methods other than "exponential" have no c and no threshold.
number_or_na <- function(x) if (is.null(x)) NA_real_ else x

# Descriptions of everything that was left out because of the budget or lost workers. The name of each description is
# its kind: a specification, a calibrator (of all classifiers or of one), or values of T. `all` is the table
# of all candidates.
left_out <- function(plan, trained, all, tuned) {
  lacking <- all[setdiff(seq_len(nrow(all)), tuned$used), ]
  everywhere <- setdiff(lacking$calibrator, all$calibrator[tuned$used])
  single <- lacking[!lacking$calibrator %in% everywhere, ]
  calibrators <- c(everywhere, sprintf("%s of %s", single$calibrator, single$classifier))
  kinds <- list(specification = trained$skipped, refit = trained$not_refitted,
                calibrator = calibrators, unfit = unfit_candidates(trained$models, plan$calibrators),
                T = if (length(tuned$not_tried) > 0L) paste("T =", toString(tuned$not_tried)))
  words <- as.character(unlist(kinds))
  if (length(words) > 0L) names(words) <- rep(names(kinds), lengths(kinds))
  words
}

# One row for each ranker, by decreasing weight: the `weight`, summed over its members; the metric
# of the ranker alone (`value`); the metric of the mixture `without` it; and the difference, `adds`,
# with its t interval. For a single ranker only the weight is known.
ranker_table <- function(mixture, level = 0.95) {
  members <- mixture$members
  kept <- mixture$contributions
  rows <- lapply(unique(members$ranker), function(name) {
    own <- members$ranker == name
    data.frame(ranker = name, members = sum(own), weight = sum(members$weight[own]),
               contribution_of(kept, name, level))
  })
  table <- do.call(rbind, rows)
  table <- table[order(-table$weight), , drop = FALSE]
  rownames(table) <- NULL
  table
}

contribution_of <- function(kept, name, level) {
  if (is.null(kept)) {
    return(data.frame(value = NA_real_, without = NA_real_, adds = NA_real_, lower = NA_real_,
                      upper = NA_real_))
  }
  mean_of <- function(values) {
    if (anyNA(values[!is.nan(values)])) NA_real_ else summarise_values(values, kept$weight, level)$mean
  }
  difference <- kept$mixture - kept$without[, name]
  # Without other members there is no mixture, and therefore no difference.
  known <- !anyNA(difference[!is.nan(difference)])
  moments <- summarise_values(difference, kept$weight, level)
  data.frame(value = mean_of(kept$alone[, name]),
             without = if (known) mean_of(kept$without[, name]) else NA_real_,
             adds = if (known) moments$mean else NA_real_,
             lower = if (known) moments$lower else NA_real_,
             upper = if (known) moments$upper else NA_real_)
}

#' @export
print.rankmix_mixture <- function(x, n = 5L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  rankers <- nrow(ranker_table(x))
  say(sprintf("<mixture> %s, %s%s", counted(rankers, "ranker"), counted(nrow(x$members), "member"),
              if (is.null(x$calibrators)) "" else sprintf(" by %s", x$calibrators)))
  say(sprintf("Chosen: T = %d rounds, %s", x$rounds, setting_words(x)))
  print_left_out(x$skipped)
  print_rankers(x, n)
  invisible(x)
}

print_left_out <- function(skipped) {
  kind <- names(skipped)
  specifications <- skipped[kind == "specification"]
  if (length(specifications) > 0L) {
    say(sprintf("Not trained: %s", enumerate(unname(specifications), 2L)))
  }
  if (any(kind == "refit")) {
    say(sprintf("Not trained anew: %s", enumerate(unname(skipped[kind == "refit"]), 2L)))
  }
  if (any(kind == "unfit")) {
    say(sprintf("Not calibrated: %s", enumerate(unname(skipped[kind == "unfit"]), 2L)))
  }
  calibrators <- sum(kind == "calibrator")
  out_of_time <- c(if (calibrators > 0L) counted(calibrators, "calibrator"),
                   skipped[kind == "T"])
  if (length(out_of_time) > 0L) {
    say(sprintf("Out of time: %s; see $skipped", paste(out_of_time, collapse = "; ")))
  }
}

# Prints the metric of the mixture and of its best ranker, and a line for each of the `n` rankers with the
# largest weights.
print_rankers <- function(mixture, n) {
  table <- ranker_table(mixture)
  metric <- format(mixture$metric)
  known <- !is.null(mixture$contributions)
  alone <- if (known) table$value else mixture$members$value
  best <- max(alone, -Inf, na.rm = TRUE)
  say(sprintf("Validation %s: %.4f; best %s alone %.4f", metric, mixture$value,
              if (known) "ranker" else "member", best))
  # The difference of the shown numbers.
  below <- round(best, 4) - round(mixture$value, 4)
  if (isTRUE(below > 0)) {
    say(sprintf("The mixture is %.4f below its best %s there.", below,
                if (known) "ranker" else "member"))
  }
  shown <- utils::head(table, n)
  if (nrow(shown) > 0L) {
    lines <- ranker_lines(shown, known)
    # The width of labels is the width of the line minus the numbers, three separators and the margin.
    label_width <- max(getOption("width") - max(nchar(lines)) - 5L, shortest_label)
    names <- format(shorten(c("", shown$ranker), label_width))
    say(paste0("  ", names, "  ", lines))
  }
  if (nrow(table) > nrow(shown)) {
    say(sprintf("  ... and %s, see `summary()`", counted(nrow(table) - nrow(shown), "more ranker")))
  }
}

# Lines of text: a header, and the numbers of each ranker.
ranker_lines <- function(table, known) {
  weight <- sprintf("%6.3f", table$weight)
  if (!known) {
    return(c("weight", weight))
  }
  # Rounded numbers; adding 0 turns -0 into 0.
  shown <- lapply(table[c("value", "adds", "lower", "upper")], function(x) round(x, 4) + 0)
  value <- ifelse(is.na(shown$value), "-", sprintf("%.4f", shown$value))
  adds <- ifelse(is.na(shown$adds), "nothing else is left",
                 sprintf("%+.4f [%+.4f, %+.4f]", shown$adds, shown$lower, shown$upper))
  c("weight   alone  adds [95 % interval]",
    paste0(weight, "  ", formatC(value, width = 6L), "  ", adds))
}

# Describes the chosen setting.
setting_words <- function(mixture) {
  words <- switch(
    mixture$method,
    exponential = paste0("c = ", format(mixture$c), if (isTRUE(mixture$threshold > -Inf)) {
      sprintf(", threshold %s", format(mixture$threshold))
    }),
    selection = paste(counted(mixture$setting$steps, "step"), "of selection"),
    ascent = sprintf("ascent, shrinkage %s", format(mixture$setting$shrinkage)),
    fixed = "given weights"
  )
  fraction <- max(mixture$tuning$fraction, 0)
  if (fraction > 0 && fraction < 1) sprintf("%s (weight %.2f in the average)", words, fraction) else words
}

is_exponential <- function(mixture) mixture$method == "exponential"

#' Rankers of a mixture, and their contributions
#'
#' `print()` of a mixture shows the rankers with the largest weights. `summary()` shows all rankers and all
#' members.
#'
#' @param object The mixture, made by [tune_and_mix()] or [mix()].
#' @param level The confidence level of the intervals, from 0.5 to below 1; default 0.95.
#' @param ... Must be empty.
#' @return A data frame with one row per member, by decreasing weight: `ranker`,
#'   `classifier`, `features`, `calibrator`, `rounds` (the number in use), `weight` and
#'   `value`, its metric on the validation data. For [mix()]: `ranker`, `weight` and `value`.
#'   The attribute `rankers` is a data frame with a row for each ranker: `ranker`, the number of its
#'   `members`, `weight`, `value`, `without`, `adds`, `lower` and `upper`. `print()` shows the rankers and the
#'   20 members with the largest weights, by short labels cut to `options(width)`. `as.data.frame()` returns
#'   the members, which print in full.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid, list(trees = adaboost_mh(base_tree(4), rounds = 20),
#'                                            line = linear_ranker(penalty = 1)),
#'                         seed = 1, threads = 1)
#' summary(mixture)
#' @details A ranker is an argument of the call: a specification, a model, a function or scores. In mixtures of
#'   [tune_and_mix()] a ranker can have several members: one for each calibrator, set of features, grouping and
#'   step of a path.
#'
#'   * `weight`: the sum of the weights of the ranker's members.
#'   * `value`: the mean validation metric of the ranker alone, as a mixture of its members. With
#'     `mix_holdout("crossfit")`, scores for this value come from out-of-fold calibrators.
#'   * `without`: the metric of the mixture of all other rankers, weighted anew with the same method and
#'     setting.
#'   * `adds`: the mean over queries of the metric of the mixture minus the metric of the mixture without the
#'     ranker. `lower` and `upper` are the limits of its t interval, with n - 1 degrees of freedom for n
#'     queries.
#'
#'   All weights were found on these queries. The interval accounts for the sampling of queries, but not for the
#'   optimism of the fit. Values are `NA` if the other rankers cannot be mixed, for example if all of them are below the
#'   threshold.
#' @export
summary.rankmix_mixture <- function(object, level = 0.95, ...) {
  check_no_others(...)
  check_confidence(level)
  members <- object$members
  used <- vapply(object$models, member_rounds, integer(1), object$rounds)
  members$rounds <- used[members$model]
  columns <- c("ranker", "classifier", "features", "calibrator", "rounds", "weight", "value")
  members <- members[order(-members$weight), intersect(columns, names(members))]
  rownames(members) <- NULL
  new_mixture_summary(members, object, level)
}

new_mixture_summary <- function(members, mixture, level) {
  structure(members, class = c("rankmix_mixture_summary", "data.frame"),
            rankers = ranker_table(mixture, level), shown = format(mixture$metric), level = level)
}

#' @export
print.rankmix_mixture_summary <- function(x, n = 20L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  rankers <- attr(x, "rankers")
  # A subset of a summary has lost the table of rankers; only its members are printed.
  if (!is.null(rankers)) print_ranker_table(rankers, attr(x, "shown"), attr(x, "level"))
  # In mix() a ranker is one member.
  if (!is.null(rankers) && !"calibrator" %in% names(x)) {
    return(invisible(x))
  }
  shown <- utils::head(as.data.frame(x), n)
  if (all(c("classifier", "calibrator") %in% names(shown))) {
    if (!is.null(rankers)) say("Members:")
    shown <- with_member_labels(shown)
  }
  numbers <- intersect(c("weight", "value"), names(shown))
  shown[numbers] <- lapply(shown[numbers], function(value) sprintf("%.4f", value))
  with_points(print(shown, ...))
  if (nrow(x) > nrow(shown)) {
    say(sprintf("... and %d more", nrow(x) - nrow(shown)))
  }
  invisible(x)
}

print_ranker_table <- function(rankers, metric, level) {
  say(sprintf("Rankers, by %s on the validation queries:", metric))
  lines <- ranker_lines(rankers, !all(is.na(rankers$value)))
  lines[1L] <- sub("95 %", paste(number_text(100 * level), "%"), lines[1L], fixed = TRUE)
  label_width <- max(getOption("width") - max(nchar(lines)) - 5L, shortest_label)
  say(paste0("  ", format(shorten(c("", rankers$ranker), label_width)), "  ", lines))
}

# A short label of classifier, features and calibrator, cut to the width that the other columns
# leave.
with_member_labels <- function(members) {
  others <- members[setdiff(names(members), c("ranker", "classifier", "features", "calibrator"))]
  # A numeric column is as wide as its header, plus a space.
  label_width <- getOption("width") - max(0L, nchar(rownames(members))) -
    sum(pmax(nchar(names(others)), 6L) + 1L) - 2L
  data.frame(member = format(shorten(short_labels(members), max(label_width, shortest_label))),
             others, row.names = rownames(members))
}

shortest_label <- 10L

#' @export
as.data.frame.rankmix_mixture_summary <- function(x, ...) {
  structure(x, class = "data.frame", rankers = NULL, shown = NULL, level = NULL)
}

#' Mixtures as data frames
#'
#' `tidy()` shows the members, and `glance()` the mixture in one row.
#'
#' @param x,object The mixture, made by [tune_and_mix()] or [mix()].
#' @param ... Not used.
#' @return `tidy()` returns a data frame with a row for each member, by decreasing weight. For
#'   [tune_and_mix()] it has the columns of `summary()`. For [mix()] it has `ranker`, `weight` and
#'   `value`, the metric on the validation data.
#'
#'   `glance()` returns one row. `members` is the number of members, and `used` the number of positive
#'   weights. `effective` is the number of equal weights with the same diversity,
#'   \eqn{1 / \sum_m \pi_m^2}{1 / sum_m pi_m^2}. `c` and `threshold` are the chosen settings, `NA` unless
#'   the weighting method is `"exponential"`. `metric` and `value` are the validation metric and its value.
#'   `best_member` is the highest value of a member. For [tune_and_mix()] there are also `models` and
#'   `rounds`.
#'
#'   `coef()` returns the weights, named by the members.
#' @examples
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- mix(list(first = function(data) data$x[, 1],
#'                     second = function(data) data$x[, 2]), valid, threads = 1)
#' tidy(mixture)
#' glance(mixture)
#' coef(mixture)
#' @export
tidy.rankmix_mixture <- function(x, ...) {
  as.data.frame(summary(x))
}

#' @rdname tidy.rankmix_mixture
#' @export
tidy.rankmix_mix <- function(x, ...) {
  members <- x$members[order(-x$members$weight), c("ranker", "weight", "value")]
  rownames(members) <- NULL
  members
}

#' @rdname tidy.rankmix_mixture
#' @export
glance.rankmix_mixture <- function(x, ...) {
  cbind(mixture_size(x), models = length(x$models), rounds = x$rounds,
        mixture_choice(x))
}

#' @rdname tidy.rankmix_mixture
#' @export
glance.rankmix_mix <- function(x, ...) {
  cbind(mixture_size(x), mixture_choice(x))
}

mixture_size <- function(x) {
  weight <- x$members$weight
  data.frame(members = length(weight), used = sum(weight > 0), effective = 1 / sum(weight^2))
}

mixture_choice <- function(x) {
  data.frame(c = x$c, threshold = x$threshold, metric = format(x$metric), value = x$value,
             best_member = max(x$members$value))
}

#' @rdname tidy.rankmix_mixture
#' @export
coef.rankmix_mixture <- function(object, ...) {
  stats::setNames(object$members$weight, member_labels(object))
}

#' @rdname tidy.rankmix_mixture
#' @export
coef.rankmix_mix <- function(object, ...) {
  stats::setNames(object$members$weight, object$members$ranker)
}
