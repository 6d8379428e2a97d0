#' Mix rankers
#'
#' Mixes rankers of any kind with weights that grow exponentially with their metric on
#' held-out data.
#'
#' @param rankers A named list of what ranks the documents, as [evaluate()] takes it:
#'   rankers of this package, models with a [predict()] method, functions that take `data`
#'   and give one score a row, or scores in the row order of `data`.
#' @param data Held-out data on which the mixture is tuned, made by [ranking_data()] or
#'   [read_letor()].
#' @param metric The metric to tune for, such as `ndcg(10)` or `err()`.
#' @param c Values of c to try, each from 0 (equal weights) to 200; `Inf` is the best ranker
#'   alone.
#' @param threshold Values of \eqn{\omega_{min}}{omega_min} to try: rankers whose metric is
#'   not above it are left out. `-Inf` keeps all.
#' @param standardize Whether the scores of each ranker are divided by their standard
#'   deviation on `data` first, or `"query"`, see [weighing()]. The default is `TRUE`, because rankers
#'   have scores of different scales. With `FALSE` a ranker whose scores are 1000 times as large decides
#'   alone; take it where all scores have one scale, such as expected gains.
#' @param weigh How rankers are weighed, by [weighing()], or the name of a method of it:
#'   `"selection"`. In place of `c`, `threshold` and `standardize`.
#' @param seed Where cross-validation or bags draw: a whole number; `NULL` draws one with R's
#'   generator, so that [set.seed()] rules.
#' @param threads Number of threads; results do not depend on it.
#'
#' @details
#' With \eqn{v_m(x)} the score of ranker m and \eqn{\omega_m} its mean metric, the mixture
#' is
#' \deqn{v(x) = \sum_m \pi_m v_m(x), \quad
#'   \pi_m \propto p_m e^{c \omega_m}\ (\omega_m > \omega_{min}).}{
#'   v(x) = sum_m pi_m v_m(x), pi_m proportional to p_m exp(c omega_m) where
#'   omega_m > omega_min, else 0.}
#' Models of one ranker of this package are a family, anything else is one of its own;
#' \eqn{p_m}{p_m} is the same for all rankers, or for families (`prior` of [weighing()]). The
#' weights are averages over the values of c and \eqn{\omega_{min}}{omega_min} that are tried, in
#' which those with the best metric of the mixture on `data` have the largest shares, see
#' [weighing()], also for the weights of the paper. The `c`
#' and `threshold` that are told are the best; ties go to the smaller c, then to the lower
#' threshold. Cost: O(n m) for each c,
#' whatever the number of thresholds, and one evaluation for each pair.
#'
#'   `print()` shows a line for each ranker, see [summary.rankmix_mixture()]. It says so where the mixture has a
#'   lower metric on `data` than its best ranker alone.
#'
#' @return A ranker of class `rankmix_mix`, for [predict()] and [evaluate()]. `members` is
#'   a data frame with the `ranker`, `weight` and held-out `value` of each; `tuning` has the
#'   `value` of each `c` and `threshold`, and its `share` in the weights. For members that were given as scores,
#'   `predict()` needs their scores on the new data: `scores`, a named list or a data frame.
#' @section Conditions: `rankmix_error_scores`: scores of the wrong length, or missing.
#'   `rankmix_error_argument`: rankers without names; no ranker above the threshold.
#'   `rankmix_error_validation`: fewer than two queries of `data` (of weight above 0) have
#'   documents of different grades. `rankmix_error_unjudged`: `data` has no grades.
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), equation 22.
#'   \doi{10.1007/s10994-013-5360-9}
#' @examples
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' mixture <- mix(list(first = function(data) data$x[, 1],
#'                     second = function(data) data$x[, 2],
#'                     all = function(data) rowSums(data$x, na.rm = TRUE)),
#'                valid, threads = 1)
#' mixture
#' @export
mix <- function(rankers, data, metric = ndcg(10), c = default_c, threshold = -Inf,
                standardize = TRUE, threads = NULL, weigh = NULL, seed = NULL, ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  check_ranking_data(data)
  metric <- read_metric(metric)
  if (!is.null(weigh) && !(missing(c) && missing(threshold) && missing(standardize))) {
    stop_input("argument", "`c`, `threshold` and `standardize` are part of `weigh`.",
               remedy = "Write `weigh = weighing(c = ...)`.")
  }
  check_standardize(standardize)
  weigh <- if (is.null(weigh)) {
    weighing(check_c(c), check_threshold(threshold), standardize = standardize)
  } else {
    check_mix_weighing(weigh)
  }
  seed <- if (draws(weigh)) check_seed(seed) else 0
  if (is.data.frame(rankers)) {
    rankers <- as.list(rankers)
  }
  if (!is.list(rankers) || is.object(rankers)) {
    stop_input("argument",
               sprintf("`rankers` must be a named list, not %s.", show_value(rankers)),
               remedy = "Such as `list(mixture = model, bm25 = scores)`.")
  }
  naming_memory({
    scores <- score_columns(rankers, data, threads)
    check_held_out_metric(data, metric, threads, name = "data")
    scaled <- lapply(scores, member_scaling(weigh$standardize, data, threads))
    scores <- lapply(scaled, `[[`, "scores")
    omega <- metric_means(metric, scores, data, threads)
    check_some_member(list(list(omega = omega)), weigh$threshold)
    judge <- new_judge(metric, data, threads)
    family <- ranker_families(rankers)
    group <- prior_groups(weigh$prior, seq_along(scores), family)
    stage <- judge_stage(weigh, scores, omega, group, names(scores), judge, seed)
    tuning <- tuning_of(weigh, list(stage), 1L, judge)[-1L]
    best <- tuning[chosen_row(weigh, tuning), ]
    stage <- chosen_stage(weigh, stage, best, judge)
    given <- vapply(rankers, is.atomic, logical(1))
    structure(
      list(rankers = replace(rankers, given, list(NULL)),
           members = data.frame(ranker = names(scores), weight = stage$weight, value = omega,
                                family = family),
           scale = vapply(scaled, `[[`, 0, "scale"), given = given,
           standardize = weigh$standardize, metric = metric, method = weigh$method,
           setting = best[names(weigh_settings(weigh))], c = number_or_na(best$c),
           threshold = number_or_na(best$threshold), value = stage$chosen, tuning = tuning,
           contributions = stage$contributions),
      class = c("rankmix_mix", "rankmix_ranker")
    )
  })
}

# There are neither rounds nor calibrators here.
check_mix_weighing <- function(weigh, call = rlang::caller_env()) {
  an_option("weighing", weighing_methods)(weigh, "weigh", call)
  if (is.character(weigh)) weigh <- weighing(method = weigh)
  if (!is.null(weigh$rounds) || weigh$members %in% c("cpc", "rbc")) {
    stop_input("argument", "Rankers of `mix()` have no `rounds` and no calibrators to choose.",
               remedy = "Leave out `rounds`, and `members` but for \"one_best\".", call = call)
  }
  if (is.null(weigh$standardize)) weigh$standardize <- TRUE
  weights_to_try(weigh, list())
}

# Models of one ranker of the package are a family, anything else is one of its own.
ranker_families <- function(rankers) {
  known <- lapply(rankers, function(ranker) {
    if (inherits(ranker, "rankmix_ranker")) family_of(ranker)
  })
  unlist(Map(function(family, name) if (is.null(family)) name else family, known, names(rankers)),
         use.names = FALSE)
}

#' @rdname mix
#' @param object What `mix()` gave.
#' @param newdata Ranking data, made by [ranking_data()] or [read_letor()].
#' @param type `"score"`, `"rank"` within the query, or `"member"`, the scores of the
#'   members, documents x members.
#' @param scores The scores on `newdata` of the members that were given as scores.
#' @param ... Must be empty.
#' @export
predict.rankmix_mix <- function(object, newdata, type = c("score", "rank", "member"),
                                scores = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  type <- check_choice(type[1L], "type", c("score", "rank", "member"))
  threads <- check_threads(threads)
  check_ranking_data(newdata, "newdata", judged = FALSE)
  wanted <- if (type == "member") TRUE else object$members$weight > 0
  names <- object$members$ranker[wanted]
  lacking <- setdiff(object$members$ranker[wanted & object$given], names(scores))
  if (length(lacking) > 0L) {
    stop_input("scores",
               sprintf("The scores of %s on the new data are not given.",
                       enumerate(lacking)),
               remedy = "Give `scores`, a named list with a vector for each.")
  }
  members <- object$rankers
  members[object$given] <- as.list(scores)[object$members$ranker[object$given]]
  asking_model(object, {
    columns <- score_columns(members[names], newdata, threads)
    columns <- do.call(cbind, Map(`*`, columns, object$scale[wanted]))
    if (identical(object$standardize, "query")) {
      columns <- standardized_members(columns, newdata, threads)
    }
    if (type == "member") {
      return(columns)
    }
    mixed <- mix_scores(columns, cbind(object$members$weight[wanted]), threads)[, 1L]
    if (type == "score") mixed else rank_within_queries(mixed, newdata, model = object)
  })
}

#' @export
print.rankmix_mix <- function(x, n = 5L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  say("<mixture> ", counted(nrow(x$members), "ranker"))
  say(sprintf("Chosen: %s", setting_words(x)))
  print_rankers(x, n)
  invisible(x)
}

# What was chosen beside T. Mixtures of earlier versions know the exponential way only, the first
# of them no threshold.
setting_words <- function(mixture) {
  words <- switch(
    if (is_exponential(mixture)) "exponential" else mixture$method,
    exponential = paste0("c = ", format(mixture$c), if (isTRUE(mixture$threshold > -Inf)) {
      sprintf(", threshold %s", format(mixture$threshold))
    }),
    selection = paste(counted(mixture$setting$steps, "step"), "of selection"),
    ascent = sprintf("ascent, shrinkage %s", format(mixture$setting$shrinkage))
  )
  share <- max(mixture$tuning$share, 0)
  if (share > 0 && share < 1) sprintf("%s with a share of %.2f", words, share) else words
}

is_exponential <- function(mixture) {
  is.null(mixture$method) || mixture$method == "exponential"
}

# The metric of the mixture beside that of its best ranker, and a line for each of the `n` heaviest
# rankers.
print_rankers <- function(mixture, n) {
  table <- ranker_table(mixture)
  metric <- format(mixture$metric)
  known <- !is.null(mixture$contributions)
  alone <- if (known) table$value else mixture$members$value
  best <- max(alone, -Inf, na.rm = TRUE)
  say(sprintf("Validation %s: %.4f; best %s alone %.4f", metric, mixture$value,
              if (known) "ranker" else "member", best))
  if (isTRUE(mixture$value < best)) {
    say(sprintf("The mixture is %.4f below its best %s there.", best - mixture$value,
                if (known) "ranker" else "member"))
  }
  shown <- utils::head(table, n)
  if (nrow(shown) > 0L) {
    lines <- ranker_lines(shown, known)
    # Beside a name there are the numbers, three columns of space and the margin.
    room <- max(getOption("width") - max(nchar(lines)) - 5L, shortest_label)
    names <- format(shorten(c("", shown$ranker), room))
    say(paste0("  ", names, "  ", lines))
  }
  if (nrow(table) > nrow(shown)) {
    say(sprintf("  ... and %s, see `summary()`", counted(nrow(table) - nrow(shown), "more ranker")))
  }
}

# A header, and the numbers of each ranker.
ranker_lines <- function(table, known) {
  weight <- sprintf("%6.3f", table$weight)
  if (!known) {
    return(c("weight", weight))
  }
  # Rounded and plus 0, so that no 0 has a sign.
  shown <- lapply(table[c("value", "adds", "lower", "upper")], function(x) round(x, 4) + 0)
  value <- ifelse(is.na(shown$value), "-", sprintf("%.4f", shown$value))
  adds <- ifelse(is.na(shown$adds), "nothing else is left",
                 sprintf("%+.4f [%+.4f, %+.4f]", shown$adds, shown$lower, shown$upper))
  c("weight   alone  adds [95 % interval]",
    paste0(weight, "  ", formatC(value, width = 6L), "  ", adds))
}
