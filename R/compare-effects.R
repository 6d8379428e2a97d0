# Pooled differences of rankers over several data sets, by a random-effects model.
#
# Problem: a difference may vary between data sets by more than its standard errors explain.
# Input: the difference and its standard error on each data set, by pair of rankers.
# Output: the mean difference over data sets with its interval, the variance between data sets (tau^2), and
# an interval of the difference on a new data set.
# Algorithm: tau^2 by restricted maximum likelihood (Fisher scoring), by Paule and Mandel, or by DerSimonian
# and Laird. Standard error by Hartung and Knapp. The results agree with the package metafor.
# Cost: microseconds a pair.

tau_estimators <- c("REML", "PM", "DL", "fixed")

# Methods for the standard error of the pooled difference.
effect_intervals <- c("hartung-knapp", "truncated", "normal")

# Differences by data set and pair: `dataset`, `a`, `b`, `difference`, `se`.
dataset_effects <- function(x, metric, control, call = rlang::caller_env()) {
  if (is_effect_table(x)) {
    return(towards_control(check_effects(plain_frame(x), call), control, call))
  }
  rankers <- colnames(dataset_means(x, metric, call))
  metric <- common_metric(x, metric, call)
  pairs <- effect_pairs(rankers, control, call)
  tables <- lapply(names(x), function(name) {
    found <- dataset_pairs(x[[name]], metric, call)
    rows <- do.call(rbind, lapply(pairs, function(pair) directed_pair(found, pair[1L], pair[2L], name, call)))
    cbind(dataset = name, rows)
  })
  do.call(rbind, tables)
}

# The text of the metric; by default the first metric of the first data set.
common_metric <- function(x, metric, call = rlang::caller_env()) {
  if (is.null(metric)) {
    return(dataset_table(x[[1L]], call)$metric[1L])
  }
  if (inherits(metric, "rankmix_metric")) format(metric) else metric
}

# With a control, the control is `b` of every pair.
effect_pairs <- function(rankers, control, call) {
  if (is.null(control)) {
    return(utils::combn(rankers, 2L, simplify = FALSE))
  }
  check_choice(control, "control", rankers, call)
  lapply(setdiff(rankers, control), function(ranker) c(ranker, control))
}

# The pairs of one data set. Only differences and standard errors are used, and no p-values.
dataset_pairs <- function(x, metric, call) {
  if (!inherits(x, "rankmix_comparison")) {
    x <- compare_rankers(x, test = "t", adjust = "none", interval = "t",
                         resamples = 100, seed = 1, threads = 1L)
  }
  x$pairs[x$pairs$metric == metric, c("a", "b", "difference", "se")]
}

directed_pair <- function(pairs, a, b, dataset, call) {
  row <- pairs[pairs$a == a & pairs$b == b | pairs$a == b & pairs$b == a, ]
  if (nrow(row) == 0L) {
    stop_input("argument", sprintf("The comparison `%s` has no difference of `%s` and `%s`.", dataset, a, b),
               "It has the pairs with its own control only.",
               sprintf("Give the `control` of all comparisons, or compare all pairs on `%s`.", dataset), call = call)
  }
  sign <- if (row$a == a) 1 else -1
  data.frame(a = a, b = b, difference = sign * row$difference, se = row$se)
}

is_effect_table <- function(x) is.data.frame(x) && all(c("difference", "se") %in% names(x))

check_effects <- function(x, call) {
  if (is.null(x[["dataset"]])) x$dataset <- paste("data set", seq_len(nrow(x)))
  both <- c("a", "b") %in% names(x)
  if (any(both) && !all(both)) {
    stop_input("argument", "`x` must have both columns `a` and `b`, or none of them.",
               "They are the rankers of the difference `a` - `b`.", call = call)
  }
  if (!any(both)) {
    x$a <- "a"
    x$b <- "b"
  }
  x[c("dataset", "a", "b")] <- lapply(x[c("dataset", "a", "b")], as.character)
  for (name in c("difference", "se")) {
    good <- is_plain_number(x[[name]]) & is.finite(x[[name]]) & (name == "difference" | x[[name]] > 0)
    if (!all(good)) {
      at <- which(!good)[1L]
      stop_input("argument", sprintf("`%s` must be finite numbers%s.", name,
                                     if (name == "se") " above 0" else ""),
                 sprintf("`%s` on `%s` has %s.", paste(x$a[at], "-", x$b[at]), x$dataset[at],
                         format(x[[name]][at])), call = call)
    }
  }
  x <- in_one_direction(x)
  twice <- duplicated(x[c("dataset", "a", "b")])
  if (any(twice)) {
    stop_input("argument", "A data set must have one difference for each pair.",
               sprintf("`%s` has several differences of a pair.", x$dataset[twice][1L]), call = call)
  }
  x[c("dataset", "a", "b", "difference", "se")]
}

# The difference b - a of a data set becomes a - b if an earlier data set has the pair as a, b.
in_one_direction <- function(x) {
  pair <- ifelse(x$a < x$b, paste(x$a, x$b, sep = "\r"), paste(x$b, x$a, sep = "\r"))
  swap_rankers(x, x$a != x$a[match(pair, pair)])
}

swap_rankers <- function(x, swapped) {
  x[swapped, c("a", "b")] <- x[swapped, c("b", "a")]
  x$difference[swapped] <- 0 - x$difference[swapped]
  x
}

# The pairs with the control, as `b`.
towards_control <- function(x, control, call) {
  if (is.null(control)) {
    return(x)
  }
  check_choice(control, "control", unique(c(x$a, x$b)), call)
  x <- x[x$a == control | x$b == control, ]
  swap_rankers(x, x$a == control)
}

# The pooled differences of all pairs. `estimator` is one of `tau_estimators`, `interval` one of
# `effect_intervals`.
pooled_effects <- function(effects, level, estimator, interval, metric, control) {
  key <- paste(effects$a, effects$b, sep = "\r")
  parts <- split(effects, factor_in_order(key))
  few <- vapply(parts, nrow, 0L) < 2L
  if (any(few)) {
    row <- parts[few][[1L]]
    stop_input("argument", "Effects need two or more data sets.",
               sprintf("`%s` has one data set.", paste(row$a, "-", row$b)), call = rlang::caller_env())
  }
  pooled <- lapply(parts, function(rows) {
    cbind(rows[1L, c("a", "b")], pool_effects(rows, level, estimator, interval))
  })
  pairs <- do.call(rbind, c(pooled, make.row.names = FALSE))
  pairs$p_adjusted <- stats::p.adjust(pairs$p, "holm")
  rownames(effects) <- NULL
  structure(list(pairs = pairs, effects = effects, level = level, estimator = estimator, interval = interval,
                 metric = metric, control = control),
            class = "rankmix_effects")
}

# The pooled difference of one pair. Without a standard error on every data set the result is NA.
pool_effects <- function(rows, level, estimator, interval) {
  unknown <- is.na(rows$se) | rows$se <= 0
  if (any(unknown)) {
    found <- as.list(c(difference = NA_real_, se = NA_real_, df = NA_real_, statistic = NA_real_,
                       p = NA_real_, lower = NA_real_, upper = NA_real_, tau2 = NA_real_, i2 = NA_real_,
                       q = NA_real_, p_q = NA_real_, predicted_lower = NA_real_,
                       predicted_upper = NA_real_))
    note <- sprintf("no standard error on %s", enumerate(rows$dataset[unknown]))
    return(data.frame(datasets = nrow(rows), found, note = note))
  }
  y <- rows$difference
  v <- rows$se^2
  sets <- length(y)
  tau2 <- switch(estimator, REML = tau2_reml(y, v), PM = tau2_pm(y, v), DL = tau2_dl(y, v), fixed = 0)
  weight <- 1 / (v + tau2)
  mean <- sum(weight * y) / sum(weight)
  # The factor of the variance by Hartung and Knapp.
  scale <- if (interval == "normal") 1 else sum(weight * (y - mean)^2) / (sets - 1)
  if (interval == "truncated") scale <- max(scale, 1)
  se <- sqrt(scale / sum(weight))
  # Equal differences make the factor 0, up to rounding noise.
  flat <- has_no_spread(mean, se)
  if (flat) se <- 0
  df <- if (interval == "normal") Inf else sets - 1
  quantile <- if (flat) NA_real_ else stats::qt(1 - level / 2, df)
  half <- quantile * se
  beyond <- quantile * sqrt(tau2 + se^2)
  q <- cochran_q(y, v)
  data.frame(
    datasets = sets, difference = mean, se = se, df = df, statistic = if (flat) NA_real_ else mean / se,
    p = t_test_p(list(mean = mean, se = se, df = df), sets),
    lower = mean - half, upper = mean + half, tau2 = tau2, i2 = tau2 / (tau2 + typical_variance(v)),
    q = q, p_q = stats::pchisq(q, sets - 1, lower.tail = FALSE),
    predicted_lower = mean - beyond, predicted_upper = mean + beyond,
    note = if (flat) "the same difference on all data sets" else ""
  )
}

cochran_q <- function(y, v) {
  weight <- 1 / v
  sum(weight * (y - sum(weight * y) / sum(weight))^2)
}

# The variance within data sets that I^2 uses (Higgins and Thompson 2002).
typical_variance <- function(v) {
  weight <- 1 / v
  (length(v) - 1) * sum(weight) / (sum(weight)^2 - sum(weight^2))
}

tau2_dl <- function(y, v) {
  weight <- 1 / v
  scale <- sum(weight) - sum(weight^2) / sum(weight)
  max(0, (cochran_q(y, v) - (length(y) - 1)) / scale)
}

# The tau^2 for which the weighted sum of squares is J - 1. The sum decreases with tau^2.
tau2_pm <- function(y, v) {
  excess <- function(tau2) cochran_q(y, v + tau2) - (length(y) - 1)
  if (excess(0) <= 0) {
    return(0)
  }
  upper <- stats::var(y)
  while (excess(upper) > 0) upper <- 2 * upper
  stats::uniroot(excess, c(0, upper), tol = .Machine$double.eps * upper)$root
}

# The maximum of the restricted likelihood. The likelihood can have several maxima. So a grid finds the
# highest point, and the search continues between the neighbours of this point.
tau2_reml <- function(y, v) {
  # Computed for many tau^2 at once, because this takes most of the time.
  likelihood <- function(tau2) {
    variance <- outer(v, tau2, `+`)
    weight <- 1 / variance
    mean <- colSums(weight * y) / colSums(weight)
    -0.5 * (colSums(log(variance)) + log(colSums(weight)) + colSums(weight * outer(y, mean, `-`)^2))
  }
  score <- function(tau2) {
    weight <- 1 / (v + tau2)
    mean <- sum(weight * y) / sum(weight)
    sum(weight^2 * (y - mean)^2) - sum(weight) + sum(weight^2) / sum(weight)
  }
  # Above this number the score is negative.
  most <- length(y) * sum((y - mean(y))^2) + max(v)
  grid <- c(0, exp(seq(log(most * 1e-8), log(most), length.out = 200L)))
  best <- which.max(likelihood(grid))
  ends <- grid[c(max(best - 1L, 1L), min(best + 1L, length(grid)))]
  if (best == 1L && score(0) <= 0) {
    return(0)
  }
  stats::uniroot(score, ends, tol = .Machine$double.eps * ends[2L])$root
}

#' @export
tidy.rankmix_effects <- function(x, ...) x$pairs

#' @export
glance.rankmix_effects <- function(x, ...) {
  data.frame(datasets = max(x$pairs$datasets), pairs = nrow(x$pairs), method = "effects",
             metric = if (is.null(x$metric)) NA_character_ else x$metric, estimator = x$estimator,
             interval = x$interval, level = x$level)
}

effect_interval_names <- c(`hartung-knapp` = "Hartung-Knapp", truncated = "truncated Hartung-Knapp",
                 normal = "normal")

#' @export
print.rankmix_effects <- function(x, ...) {
  sets <- max(x$pairs$datasets)
  say(sprintf("<rankmix_effects> %s on %s%s; %s, %s", counted(nrow(x$pairs), "pair"),
              counted(sets, "data set"), if (is.null(x$metric)) "" else paste0("; ", x$metric),
              x$estimator, effect_interval_names[[x$interval]]))
  shown <- utils::head(x$pairs, 10L)
  say(effect_lines(shown))
  if (nrow(x$pairs) > nrow(shown)) say(sprintf("... and %d more pairs", nrow(x$pairs) - nrow(shown)))
  say(sprintf(paste("[ ]: %s %% interval of the mean difference over data sets%s.",
                    "new: interval of the difference on a new data set."),
              plain_number(100 * (1 - x$level)),
              if (nrow(x$pairs) > 1L) sprintf("; p adjusted over %d pairs (Holm)", nrow(x$pairs)) else ""))
  if (sets == 2L) say("Two data sets cannot show much: intervals have one degree of freedom.")
  invisible(x)
}

effect_lines <- function(pairs) {
  text <- sprintf("%+.4f %s, %s; new %s; tau %.4f, I2 %.0f %%", pairs$difference, ends_text(pairs$lower, pairs$upper),
                  show_p(pairs$p_adjusted), ends_text(pairs$predicted_lower, pairs$predicted_upper),
                  sqrt(pairs$tau2), 100 * pairs$i2)
  text[is.na(pairs$difference)] <- "not pooled"
  sprintf("%s - %s: %s%s", pairs$a, pairs$b, text, ifelse(nzchar(pairs$note), paste0("; ", pairs$note), ""))
}

ends_text <- function(lower, upper) ifelse(is.na(lower), "[no interval]", sprintf("[%+.4f, %+.4f]", lower, upper))
