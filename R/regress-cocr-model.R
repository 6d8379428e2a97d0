# Models of cocr(): the regressions h_k of the subproblems, and predictions from them.
#
# Discriminants are the raw probabilities of the grades, h_k - h_(k+1) with h_0 = 1 and h_(K+1) = 0.
# The regressions are sums of discriminants.

# The predictions, documents x subproblems x rounds.
cocr_levels <- function(model, x, rounds, threads) {
  if (needs_filling(model$filling, x)) x <- fill_features(model$filling, x, threads)
  check_data_traits(model$spec, x, call = NULL)
  if (!is.null(model$weights)) {
    h <- linear_predict(x, model$weights, model$intercept, threads)
    return(array(h, c(dim(h), length(rounds))))
  }
  # Boosted trees are predicted by one call of the core.
  if (length(rounds) == 1L && all(vapply(model$parts, inherits, NA, "rankmix_gbrt_model"))) {
    each <- inputs_of_features(model$parts, x, rounds, threads)
  } else {
    each <- lapply(model$parts, part_values, x, rounds, threads)
  }
  aperm(array(unlist(each), c(nrow(x), length(rounds), length(each))), c(1L, 3L, 2L))
}

# The predictions of one part, documents x rounds.
part_values <- function(part, x, rounds, threads) {
  rows <- nrow(x)
  if (is_plain_number(part)) {
    return(matrix(part, rows, length(rounds)))
  }
  if (is.function(part)) {
    return(matrix(predict_function(part, x), rows, length(rounds)))
  }
  stages <- up_to_rounds(rounds, rounds_used(part))
  f <- discriminants(part, x, stages, threads)
  vapply(seq_along(stages), function(i) {
    sum_scores(part, discriminant_slice(f, i), stages[i])
  }, numeric(rows))
}

#' @export
discriminants.rankmix_cocr_model <- function(model, x, rounds, threads) {
  check_chosen(model, NULL)
  h <- cocr_levels(model, x, rounds, threads)
  fractions <- array(0, dim(h) + c(0L, 1L, 0L))
  for (stage in seq_along(rounds)) {
    fractions[, , stage] <- grade_fractions(discriminant_slice(h, stage))
  }
  fractions
}

# Discriminants are between -1 and 1 if predictions are probabilities.
#' @export
discriminant_range.rankmix_cocr_model <- function(model, rounds) rep(1, length(rounds))

#' @export
rounds_used.rankmix_cocr_model <- function(model) {
  if (!is.null(model$weights)) {
    return(1L)
  }
  max(1L, vapply(Filter(is_trained, model$parts), rounds_used, 0L))
}

#' @export
sum_scores.rankmix_cocr_model <- function(model, f, rounds) {
  rank_levels(levels_of_fractions(f), model$spec$ranker)
}

# Documents x subproblems.
levels_of_fractions <- function(f) {
  h <- f[, -1L, drop = FALSE]
  for (k in rev(seq_len(ncol(h) - 1L))) h[, k] <- h[, k] + h[, k + 1L]
  h
}

# The small tolerance keeps rounding errors from deciding predictions near 1/2.
rank_levels <- function(h, ranker) {
  if (ranker == "soft") rowSums(h) else rowSums(h >= 0.5 - 1e-10)
}

# The least-squares fit to the predictions that falls with k and lies in [0, 1].
monotone_levels <- function(h) {
  sums <- matrix(0, nrow(h), ncol(h) + 1L)
  for (k in seq_len(ncol(h))) sums[, k + 1L] <- sums[, k] + h[, k]
  # The min-max formula of isotonic regression: the minimum over starts up to k of the maximum over
  # ends from k on of the mean between both.
  fitted <- h
  for (k in seq_len(ncol(h))) {
    least <- rep(Inf, nrow(h))
    for (from in seq_len(k)) {
      largest <- rep(-Inf, nrow(h))
      for (to in seq.int(k, ncol(h))) {
        largest <- pmax(largest, (sums[, to + 1L] - sums[, from]) / (to - from + 1))
      }
      least <- pmin(least, largest)
    }
    fitted[, k] <- least
  }
  pmin(pmax(fitted, 0), 1)
}

# Probabilities of the grades: differences of consecutive levels, if the levels fall with k.
grade_fractions <- function(levels) {
  cbind(1, levels) - cbind(levels, 0)
}

#' Predict by ordinal classification via regression
#'
#' Computes scores, grades or probabilities from the regressions of the subproblems.
#'
#' @param object The model, trained by [fit()] from [cocr()].
#' @param newdata,rounds,threads As in [predict.rankmix_classifier()].
#' @param type The result, see Value; default `"score"`.
#' @param ... Must be empty.
#' @return In the row order of `newdata`:
#'   * `"score"`: the score of the soft or hard ranker, see [cocr()];
#'   * `"rank"`: the rank within the query, 1 for the best, ties in row order;
#'   * `"label"`: the grade of the hard ranker;
#'   * `"level"`: the predictions \eqn{h_k(x)}{h_k(x)}, documents x subproblems, which may be outside of
#'     0 and 1 and rise with k;
#'   * `"cumulative"`: \eqn{P(y \ge k)}{P(y >= k)}, the nearest numbers, by least squares, that
#'     fall with k and lie in \[0, 1\];
#'   * `"prob"`: the probabilities of the grades, which are differences of `"cumulative"`, documents x grades;
#'   * `"raw"`: \eqn{h_k - h_{k+1}}{h_k - h_(k+1)} with \eqn{h_0 = 1}{h_0 = 1} and \eqn{h_{K+1} =
#'     0}{h_(K+1) = 0}, the discriminants for calibrators.
#'
#'   If `rounds` has several numbers, the last dimension of the result is for these numbers.
#' @section Conditions: As in [predict.rankmix_classifier()].
#' @examples
#' train <- simulate_ranking(50, seed = 1)$data
#' model <- fit(cocr(gbrt(20, num_leaves = 4)), train, threads = 1)
#' head(predict(model, train))
#' head(predict(model, train, "prob"))
#' @export
predict.rankmix_cocr_model <- function(object, newdata,
                                       type = c("score", "rank", "label", "level", "cumulative",
                                                "prob", "raw"),
                                       rounds = object$best_rounds, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  check_chosen(object)
  type <- check_first_choice(type, "type", c("score", "rank", "label", "level", "cumulative", "prob", "raw"))
  threads <- check_threads(threads)
  if (is_source(newdata)) {
    return(predict_source(object, newdata, type, threads, function(data) {
      predict(object, data, type = if (type == "rank") "score" else type, rounds = rounds, threads = threads)
    }))
  }
  asking_model(object, {
    x <- match_features(newdata, object, threads)
    call <- rlang::current_env()
    predict_stages(object, x, rounds, threads, values = cocr_levels, function(h, rounds) {
      switch(
        type,
        score = rank_levels(h, object$spec$ranker),
        rank = rank_within_queries(rank_levels(h, object$spec$ranker), newdata, call, object),
        label = as.integer(rank_levels(h, "hard")),
        level = name_levels(h),
        cumulative = name_levels(monotone_levels(h)),
        prob = name_grades(grade_fractions(monotone_levels(h))),
        raw = name_grades(grade_fractions(h))
      )
    })
  })
}

name_levels <- function(h) {
  colnames(h) <- level_names(ncol(h))
  h
}

level_names <- function(count) paste0("grade>=", seq_len(count))

#' @export
coef.rankmix_cocr_model <- function(object, ...) {
  check_chosen(object)
  if (is.null(object$weights)) {
    stop_input("argument", sprintf("`%s` has no weights of features.", format(object$spec)),
               remedy = "See `tidy()`.")
  }
  weights <- rbind(object$weights, object$intercept)
  dimnames(weights) <- list(c(input_names(object), "(Intercept)"), level_names(ncol(weights)))
  weights
}

# The weights of the soft ranker, summed over the subproblems, or the values of each part.
#' @export
tidy.rankmix_cocr_model <- function(x, ...) {
  if (!is.null(x$weights)) {
    weights <- rowSums(coef(x))
    return(data.frame(feature = names(weights), weight = unname(weights)))
  }
  tables <- lapply(seq_along(x$parts), function(k) {
    if (!is_trained(x$parts[[k]])) {
      return(NULL)
    }
    part <- x$parts[[k]]
    part$best_rounds <- min(x$best_rounds, rounds_used(part))
    table <- tidy(part, ...)
    if (nrow(table) > 0L) cbind(level = level_names(k)[k], table)
  })
  found <- do.call(rbind, tables)
  if (is.null(found)) data.frame() else found
}

#' @export
glance.rankmix_cocr_model <- function(x, ...) {
  row <- data.frame(cost = cost_text(x$spec$cost), base = setting_text(x$spec$base),
                    ranker = x$spec$ranker, grades = x$classes, features = length(x$features),
                    documents = x$documents)
  if (!is.null(x$weights)) row$penalty <- x$spec$base$penalty
  if (has_trait(x$spec, "rounds")) row$rounds <- x$best_rounds
  if (!is.null(x$metric) && !is.null(x$value)) {
    row$metric <- format(x$metric)
    row$value <- x$value
  }
  row
}

cost_text <- function(cost) if (is.character(cost)) cost else setting_text(cost)

#' @export
print.rankmix_cocr_model <- function(x, ...) {
  say("<classifier> ", format(x$spec))
  say(sprintf("%d grades, %d features, %s documents", x$classes, length(x$features),
              format_count(x$documents)))
  if (x$answers[1L] > 0L || x$answers[2L] < x$classes - 1L) {
    say(sprintf("Training documents have the grades %d to %d: other subproblems have one target",
                x$answers[1L], x$answers[2L]))
  }
  if (has_trait(x$spec, "rounds")) print_best(x)
  say_filling(x)
  invisible(x)
}
