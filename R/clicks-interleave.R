#' Interleave two rankers
#'
#' `interleave()` mixes the rankings of two rankers into lists to show to users. Use it to
#' compare rankers online. `interleaving_result()` reports from the clicks which ranker users prefer.
#'
#' @param a,b The rankers: scores in the row order of `data`, or fitted rankers.
#' @param data The ranking data with the documents of each query. Documents without ids have their row number
#'   as id.
#' @param how `"team_draft"`, the default: in each round both rankers add their best document that is not yet
#'   shown, in random order. `"probabilistic"`: for each position, a ranker is drawn, and then one of its documents.
#' @param depth Number of documents shown, at most; default 10, as on many result pages.
#' @param sessions Number of lists per query; default 1. Each session that you show needs its own list.
#' @param seed The seed. By default it is drawn from R's generator.
#' @param threads Number of threads. Results do not depend on it.
#' @param clicks The lists of `interleave()` with a column `click` of 0 and 1. Leave out lists that were never shown.
#' @param level The confidence level of the interval; default 0.95.
#' @param x The result.
#' @param ... Must be empty.
#'
#' @return `interleave()`: a data frame with a row for each shown document. Its columns are `session`,
#'   `query`, `document`, `position`, and `team`, the ranker that added the document. `"probabilistic"` adds
#'   `prob_a`: the probability that `a` added the document, given the list.
#'
#'   `interleaving_result()`: a value of class `rankmix_interleaving`. `estimate` is the preference for `a`,
#'   from -1 to 1, with `se`, `lower`, `upper` and `p`. `wins_a`, `wins_b` and `ties` are fractions of the
#'   sessions with clicks. `tidy()` returns all as one row.
#' @examples
#' simulation <- simulate_ranking(30, seed = 1)
#' data <- simulation$data
#' shown <- interleave(predict(simulation$truth, data), data$x[, 1], data, sessions = 20, seed = 2)
#' # Users of this example click on relevant documents, and see the top more often.
#' set.seed(3)
#' shown$click <- rbinom(nrow(shown), 1, (data$relevance[shown$document] > 0) / shown$position)
#' interleaving_result(shown)
#'
#' @details
#' **Team draft.** A click counts for the ranker that added the document. A session is won by the ranker with
#' more clicks. The outcome is 1 if `a` wins, -1 if `b` wins, and 0 for a tie.
#'
#' **Probabilistic.** The document at rank r of a ranker is drawn with a probability proportional to \eqn{1 / r^3}{1
#' / r^3}, among documents that are not yet shown. The outcome is the expected outcome over all ways in which the
#' rankers could have made the list (marginalised credit). So `team` is not used. The expectation has a lower
#' variance.
#'
#' **Estimate.** The mean outcome over the sessions with clicks. The interval is clustered by query, see
#' [evaluate_clicks()].
#'
#' **Ties and bias.** Tied documents of a ranker are in random order. Team draft may prefer the worse ranker
#' in special cases, where the rankers have the same documents at different ranks (Chapelle et al. 2012).
#'
#' **Undefined cases.** Without clicks, `estimate` is `NaN`. With one query, `se` is `NA`. If all queries have the same
#' outcome, their spread is unknown, and there is no interval. The p-value of G queries is then \eqn{2^{1 - G}}{2^(1 -
#' G)}, and `NA` for ties alone.
#' @section Conditions:
#' * `rankmix_error_argument`: an invalid argument.
#' * `rankmix_error_scores`: invalid scores, see [evaluate()].
#' * `rankmix_error_column`: `clicks` lacks a column. `rankmix_error_click`: a click that is not 0 or 1.
#' * `rankmix_error_session`, `rankmix_error_query`: a missing id, or a session with two queries.
#' * `rankmix_error_empty`: `clicks` has no rows.
#' @references Radlinski, Kurup and Joachims (2008), \doi{10.1145/1458082.1458092}. Hofmann, Whiteson and de
#'   Rijke (2011), \doi{10.1145/2063576.2063618}. Chapelle, Joachims, Radlinski and Yue (2012),
#'   \doi{10.1145/2094072.2094078}.
#' @export
interleave <- function(a, b, data, how = c("team_draft", "probabilistic"), depth = 10, sessions = 1,
                       seed = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(a), "a", "Give scores or a ranker.")
  check_given(missing(b), "b", "Give scores or a ranker.")
  check_given(missing(data), "data")
  check_ranking_data(data)
  how <- check_first_choice(how, "how", c("team_draft", "probabilistic"))
  check_count(depth, "depth", max = largest_position)
  check_count(sessions, "sessions", max = 1e6)
  threads <- check_threads(threads)
  call <- rlang::current_env()
  scores <- Map(function(ranker, name) check_scores(scores_of(ranker, data, threads, call), data, name, call),
                list(a, b), c("a", "b"))
  with_seed(check_seed(seed), interleaved_rows(scores, data, how, depth, sessions))
}

interleaved_rows <- function(scores, data, how, depth, sessions) {
  mix <- if (how == "team_draft") team_draft else probabilistic_mix
  lists <- lapply(seq_along(data$query_ids), function(q) {
    rows <- data$order[data$offsets[q] + seq_len(data$offsets[q + 1L] - data$offsets[q])] + 1L
    lapply(seq_len(sessions), function(session) {
      ranked <- lapply(scores, function(score) rows[order(-score[rows], stats::runif(length(rows)))])
      c(list(query = rep(q, min(depth, length(rows)))), mix(ranked[[1L]], ranked[[2L]], depth))
    })
  })
  lists <- unlist(lists, recursive = FALSE)
  # Lists instead of data frames, because R's checks of data frames took half of the time.
  all <- lapply(stats::setNames(nm = names(lists[[1L]])), function(name) unlist(lapply(lists, `[[`, name)))
  sizes <- lengths(lapply(lists, `[[`, "query"))
  out <- data.frame(session = rep(seq_along(sizes), sizes), query = data$query_ids[all$query],
                    document = documents_of(data)[all$document], position = sequence(sizes), team = all$team)
  out$prob_a <- all$prob_a
  out
}

# `a` and `b` rank the same documents. `coins` decide who begins each round.
team_draft <- function(a, b, depth, coins = stats::runif(length(a)) < 0.5) {
  depth <- min(depth, length(a))
  rounds <- seq_len((depth + 1L) %/% 2L)
  team <- as.vector(rbind(ifelse(coins[rounds], "a", "b"), ifelse(coins[rounds], "b", "a")))[seq_len(depth)]
  orders <- list(a = seq_along(a), b = match(b, a))
  at <- c(a = 1L, b = 1L)
  taken <- logical(length(a))
  picked <- integer(depth)
  for (i in seq_len(depth)) {
    who <- team[i]
    order <- orders[[who]]
    # The best document that is not taken yet.
    while (taken[order[at[[who]]]]) at[[who]] <- at[[who]] + 1L
    picked[i] <- order[at[[who]]]
    taken[picked[i]] <- TRUE
  }
  list(document = a[picked], team = team)
}

probabilistic_mix <- function(a, b, depth) {
  depth <- min(depth, length(a))
  chance <- list(a = 1 / seq_along(a)^3, b = (1 / seq_along(b)^3)[match(a, b)])
  picked <- integer(depth)
  team <- ifelse(stats::runif(depth) < 0.5, "a", "b")
  draws <- stats::runif(depth)
  for (k in seq_len(depth)) {
    sums <- cumsum(chance[[team[k]]])
    picked[k] <- findInterval(draws[k] * sums[length(sums)], sums) + 1L
    chance$a[picked[k]] <- 0
    chance$b[picked[k]] <- 0
  }
  document <- a[picked]
  list(document = document, team = team, prob_a = assignment_probabilities(document, a, b))
}

# For each document of a shown list the probability that `a` added it.
assignment_probabilities <- function(document, a, b) {
  softmax <- function(ranking) {
    chance <- 1 / match(document, ranking)^3
    # The remaining probability before each draw, summed from small to large numbers, so that it stays above 0.
    chance / (sum(1 / seq_along(ranking)^3) - cumsum(c(0, chance))[seq_along(chance)])
  }
  of_a <- softmax(a)
  of_a / (of_a + softmax(b))
}

#' @rdname interleave
#' @export
interleaving_result <- function(clicks, level = 0.95, ...) {
  check_no_others(...)
  check_given(missing(clicks), "clicks", "Give the lists of `interleave()` with a column `click`.")
  clicks <- check_interleaved(clicks)
  check_confidence(level)
  clicked <- check_clicks(clicks$click, rlang::current_env())
  session <- match(clicks$session, unique(clicks$session))
  prob_a <- if (is.null(clicks[["prob_a"]])) as.double(clicks$team == "a") else clicks[["prob_a"]]
  # Probabilities of a win of a, and of b, for each session with clicks.
  wins <- vapply(split(prob_a[clicked == 1L], session[clicked == 1L]), win_probabilities, numeric(2L))
  query <- clicks$query[match(as.integer(colnames(wins)), session)]
  summarise_wins(wins[1L, ], wins[2L, ], match(query, unique(query)), length(unique(session)), level)
}

check_interleaved <- function(clicks, call = rlang::caller_env()) {
  if (!is.data.frame(clicks)) {
    stop_input("argument", sprintf("`clicks` must be a data frame, not %s.", show_value(clicks)), call = call)
  }
  clicks <- plain_frame(clicks)
  missing <- setdiff(c("session", "query", "team", "click"), names(clicks))
  if (length(missing) > 0L) {
    stop_input("column", sprintf("`clicks` has no column %s.", enumerate(missing)),
               remedy = "Add `click` to the result of `interleave()`, and keep its columns.", call = call)
  }
  if (nrow(clicks) == 0L) {
    stop_input("empty", "`clicks` has no rows.", remedy = "Give at least one shown list.", call = call)
  }
  check_interleaved_sessions(clicks, call)
  bad <- which(!clicks$team %in% c("a", "b"))[1L]
  if (!is.na(bad)) {
    stop_input("column", "`team` must be \"a\" or \"b\".",
               sprintf("Row %d has %s.", bad, show_value(clicks$team[bad])),
               "Keep the column that `interleave()` made.", call = call)
  }
  prob <- clicks[["prob_a"]]
  if (!is.null(prob) && (!is_plain_number(prob) || anyNA(prob) || any(prob < 0 | prob > 1))) {
    stop_input("column", "`prob_a` must be probabilities, without missing values.", call = call)
  }
  clicks
}

# Each session has one query, which is the cluster of its outcome.
check_interleaved_sessions <- function(clicks, call) {
  session <- check_ids(clicks$session, "session", call)
  query <- check_ids(clicks$query, "query", call)
  first <- match(session, session)
  other <- which(query != query[first])[1L]
  if (!is.na(other)) {
    stop_input("query", sprintf("Session %s has two queries.", id_text(session[other])),
               sprintf("They are %s.", enumerate(id_text(query[c(first[other], other)]))),
               "Keep the sessions and queries of `interleave()`.", call = call)
  }
}

# The number of clicks of a is a sum of independent draws. A win is more than half.
win_probabilities <- function(prob_a) {
  count <- 1
  for (p in prob_a) count <- c(count * (1 - p), 0) + c(0, count * p)
  half <- length(prob_a) / 2
  of_a <- seq_along(count) - 1
  c(sum(count[of_a > half]), sum(count[of_a < half]))
}

summarise_wins <- function(wins_a, wins_b, query, sessions, level) {
  n <- length(wins_a)
  outcome <- wins_a - wins_b
  estimate <- mean(outcome)
  influence <- as.vector(rowsum(outcome - estimate, query)) / n
  structure(c(as.list(mean_interval(estimate, influence, tabulate(query) / n, level)),
              list(wins_a = mean(wins_a), wins_b = mean(wins_b), ties = 1 - mean(wins_a) - mean(wins_b),
                   sessions = sessions, clicked = n, queries = length(influence), level = level)),
            class = "rankmix_interleaving")
}

#' @export
tidy.rankmix_interleaving <- function(x, ...) list2DF(unclass(x))

#' @rdname interleave
#' @export
print.rankmix_interleaving <- function(x, ...) {
  say(sprintf("<rankmix_interleaving> %s with clicks, of %s; %s", counted(x$clicked, "session"),
              format_count(x$sessions), counted(x$queries, "query", "queries")))
  if (x$clicked == 0L) {
    say("No preference without clicks.")
    return(invisible(x))
  }
  say(sprintf("a wins %.1f %%, b wins %.1f %%, ties %.1f %%", 100 * x$wins_a, 100 * x$wins_b, 100 * x$ties))
  if (is.na(x$se)) {
    say(sprintf("Preference for a: %+.3f; an interval needs two queries", x$estimate))
    return(invisible(x))
  }
  say(sprintf("Preference for a: %+.3f %s, %s", x$estimate, click_interval(x$lower, x$upper, "%+.3f"),
              if (is.na(x$p)) "no p-value" else show_p(x$p)))
  say(sprintf("[ ]: %s %% interval, clustered by query", plain_number(100 * x$level)))
  invisible(x)
}
