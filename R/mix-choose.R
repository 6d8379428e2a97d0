# The choice of the settings of a way of weighing, and of T: by the metric on the held-out
# queries that the weights were found on, or by cross-validation over them. Either the best is
# taken, or the simplest that is within a standard error of it.

# As the paper has it: nothing but means is needed.
plain_choice <- function(weigh) {
  weigh$method == "exponential" && weigh$choose == "best" && repeats_of(weigh) == 0
}

# Ways that fit weights to the metric look better on what they were fitted to.
repeats_of <- function(weigh) {
  if (!is.null(weigh$repeats)) weigh$repeats else if (weigh$method == "exponential") 0 else 2
}

# Whether anything is drawn.
draws <- function(weigh) {
  repeats_of(weigh) > 0 || weigh$method == "selection" && weigh$bags > 1
}

# What there is to know of the members after some T. For each setting: the `weights` by all
# queries, members x settings, and `value`; `per_query`, queries x settings, where the choice
# needs it; and what the mixture is without each family of members.
judge_stage <- function(weigh, scores, omega, family, judge, seed) {
  judge <- with_positions(judge, scores)
  if (plain_choice(weigh)) {
    own <- NULL
    stage <- list(weights = exponential_columns(weigh, omega),
                  value = as.vector(mixture_values(scores, omega, judge$data, judge$metric, weigh$c,
                                                   weigh$threshold, judge$threads)))
  } else {
    own <- member_values(judge, scores)
    stage <- list(weights = weigh_members(weigh, scores, own, judge, judge$weights, seed))
    stage$per_query <- if (repeats_of(weigh) > 0) {
      crossed_values(weigh, scores, own, judge, seed)
    } else {
      judge_values(judge, scores, stage$weights)
    }
    stage$value <- judge_means(stage$per_query, judge$weights)
  }
  at <- if (weigh$choose == "best") which.max(stage$value) else seq_along(stage$value)
  if (length(unique(family)) > 1L && length(at) > 0L) {
    if (is.null(own)) own <- member_values(judge, scores)
    stage$families <- judge_families(weigh, scores, own, family, stage$weights, at, judge, seed)
  }
  stage
}

# The metric of each query by weights that have not seen it: queries x settings, means over
# the repeats. The queries are dealt to folds by chance.
crossed_values <- function(weigh, scores, own, judge, seed) {
  count <- length(judge$weights)
  sum <- 0
  for (again in seq_len(repeats_of(weigh))) {
    drawn <- with_seed(derived_seed(seed, "weigh", again), sample.int(count))
    fold <- integer(count)
    fold[drawn] <- rep_len(seq_len(weigh$folds), count)
    values <- matrix(NaN, count, nrow(weigh_settings(weigh)))
    for (k in unique(fold)) {
      out <- fold == k
      weights <- weigh_members(weigh, scores, own, judge, replace(judge$weights, out, 0),
                               derived_seed(seed, "weigh", again, k))
      values[out, ] <- judge_values(judge, scores, weights, replace(judge$weights, !out, 0))[out, ]
    }
    sum <- sum + values
  }
  sum / repeats_of(weigh)
}

# A row for each T and setting, the simplest first: `value`, and where a standard error
# decides how far it is `behind` the best, a mean over queries with its `se`.
tuning_of <- function(weigh, stages, rounds, judge) {
  settings <- weigh_settings(weigh)
  count <- length(stages)
  tuning <- data.frame(rounds = rep(rounds, each = nrow(settings)),
                       settings[rep(seq_len(nrow(settings)), count), , drop = FALSE],
                       value = unlist(lapply(stages, `[[`, "value")), row.names = NULL)
  if (weigh$choose == "best") {
    return(tuning)
  }
  per_query <- do.call(cbind, lapply(stages, `[[`, "per_query"))
  best <- which.max(tuning$value)
  behind <- lapply(seq_len(nrow(tuning)), function(i) {
    if (is.na(tuning$value[i])) return(c(NA, NA))
    moments <- summarise_values(per_query[, best] - per_query[, i], judge$weights, 0.95)
    c(moments$mean, moments$se)
  })
  tuning$behind <- vapply(behind, `[`, 0, 1L)
  tuning$se <- vapply(behind, `[`, 0, 2L)
  tuning
}

# The row that is chosen. Ties go to the simpler one.
chosen_row <- function(weigh, tuning, call = rlang::caller_env()) {
  best <- which.max(tuning$value)
  if (length(best) == 0L) {
    stop_input("argument", "Every `threshold` leaves no member in some fold.",
               remedy = "Lower `threshold`, or choose without `repeats`.", call = call)
  }
  if (weigh$choose == "best") {
    return(best)
  }
  near <- which(tuning$behind <= tuning$se)
  min(best, near)
}
