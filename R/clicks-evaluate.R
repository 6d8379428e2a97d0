#' Evaluate rankers from clicks
#'
#' Estimates the metric that new rankers would have, from clicks on the lists of another ranker. Use it if
#' there are no judgements, or before an online test.
#'
#' @param x The new ranker, or several as a named list. With `data`: anything that [evaluate()] accepts.
#'   Without `data`: a data frame with the columns `query` and `document`, and a column of scores for each
#'   ranker.
#' @param log The click log, made by [click_log()].
#' @param metric The metric, such as `metric_dcg(10)` or its text. Default `"dcg@10"`. The metric must be a sum over
#'   documents: [metric_dcg()], [metric_rbp()], or [metric_precision()] with a cut-off.
#' @param estimator `"ips"` (the default), `"snips"`, `"dr"`, or several of these. See Details.
#' @param examination The probability of examining position 1, 2, .... Numbers, a click model, or the result
#'   of [examination()] or [examination_from_swaps()]. Estimates relative to position 1 may be above 1 by chance. The
#'   default `NULL` fits a position-based model to `log`. The uncertainty of this model is not part of the intervals.
#' @param clip The largest weight of a click. Smaller values give less variance and more bias. The default
#'   `NULL` does not clip.
#' @param data Ranking data with the documents of the queries. The ids must match the ids of the log. Documents
#'   without ids have their row number as id.
#' @param ranks Whether `x` has ranks 1, 2, ... instead of scores; default `FALSE`. `NA` means that a document is not
#'   ranked. Ranks are used unchanged, so `x` may lack documents that were never shown.
#' @param propensity `"policy"`, the default: the mean examination of the document over all sessions of its
#'   query. `"position"`: the examination of the position at which it was clicked.
#' @param beta The probability of a click on an irrelevant document, by position (trust bias). The default
#'   `NULL` is 0.
#' @param relevance The predicted relevance for `"dr"`: numbers from 0 to 1 in the row order of `data`, or of
#'   `x`. By default the attraction of a click model, or click counts divided by examination. A document that
#'   was never shown has the mean of the shown documents of its query, see Details.
#' @param level The confidence level of the intervals; default 0.95.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return A value of class `rankmix_click_evaluation` with two data frames, among others.
#'   * `rankers`: for each ranker and estimator the `estimate` of the metric per session, `se`, and `lower`,
#'     `upper`. `effective_size`, `largest_weight` and `clipped` describe the weights. `never_shown` is the fraction
#'     of never-shown documents among the documents with a weight in the metric.
#'   * `pairs`: the paired differences of rankers, with interval and `p`.
#'
#'   `tidy()` returns `rankers`, `tidy(what = "pairs")` returns `pairs`, and `glance()` a row.
#' @examples
#' simulation <- simulate_ranking(40, seed = 1)
#' data <- simulation$data
#' log <- simulate_clicks(data, sessions = 50, seed = 2, output = "log")
#' new <- list(truth = predict(simulation$truth, data), feature = data$x[, 1])
#' evaluate_clicks(new, log, data = data, examination = 1 / 1:10)
#'
#' @details
#' **Estimators.** A click has the probability \eqn{\alpha_k \mu_d + \beta_k}{alpha_k mu_d + beta_k}, with
#' the examination \eqn{\alpha_k}{alpha_k} of position k and the relevance \eqn{\mu_d}{mu_d}. The metric gives
#' rank r the weight \eqn{\lambda(r)}{lambda(r)}. The goal is the mean over sessions of
#' \eqn{\sum_d \lambda(r_d) \mu_d}{sum_d lambda(r_d) mu_d}. With the propensity \eqn{\rho}{rho}, a session
#' has the value
#' * `"ips"`: \eqn{\sum_i \lambda_i (c_i - \beta_i) / \rho_i}{sum_i lambda_i (c_i - beta_i) / rho_i} over its
#'   rows with the clicks c;
#' * `"snips"`: `"ips"`, but its sum is divided by
#'   \eqn{\sum_i (c_i - \beta_i) / \rho_i}{sum_i (c_i - beta_i) / rho_i} over all sessions. It estimates the mean
#'   \eqn{\lambda}{lambda} of relevant documents, which is on another scale than the metric;
#' * `"dr"`: \eqn{\sum_d \lambda_d \mu_d + \sum_i \lambda_i (c_i - \alpha_i \mu_i - \beta_i) / \rho_i}{sum_d
#'   lambda_d mu_d + sum_i lambda_i (c_i - alpha_i mu_i - beta_i) / rho_i}. `"dr"` is unbiased if the
#'   examination and either the propensities or the relevance are right. So clipping causes no bias if the relevance is
#'   right.
#'
#' **Documents that were never shown.** `"ips"` counts such documents as irrelevant, so the estimate is too low. By
#' default, `"dr"` gives them the mean relevance of the shown documents of their query. This mean is a guess, and
#' intervals do not include its error. The estimate is often too high if the logged ranker was good, because its top has
#' the relevant documents. The estimate is too low if the new ranker is much better. Give `relevance` if you have a
#' better guess, such as the probability of a grade by a calibrated ranker.
#'
#' **Propensity.** `"policy"` is unbiased for documents that are shown in some sessions only. `"position"` counts the
#' document as 0 in sessions that did not show it. Then the estimate is too low on average.
#'
#' **Standard errors.** Sessions of one query are a cluster. With the sum \eqn{u_q}{u_q} of deviations of
#' query q, its number of sessions \eqn{n_q}{n_q} and N sessions, the variance is
#' \eqn{\sum_q u_q^2 / (1 - n_q / N) / N^2}{sum_q u_q^2 / (1 - n_q / N) / N^2} (HC2). Intervals use Student's t with
#' \eqn{N^2 / \sum_q n_q^2 - 1}{N^2 / sum_q n_q^2 - 1} degrees of freedom (Kish's effective number of queries minus
#' 1). With G queries of the same number of sessions, these are the usual factor G / (G - 1) and G - 1. Intervals are
#' for the population of queries from which the log is a sample. For `"snips"`, the ratio is linearised. Differences use
#' the same sessions for both rankers.
#'
#' **Weights.** The weight of a click is 1 / propensity, at most `clip`. `effective_size` is
#' \eqn{(\sum w)^2 / \sum w^2}{(sum w)^2 / sum w^2} over the clicks on documents with a weight in the metric.
#'
#' **Ties.** Tied documents share the mean of their rank weights. Of the metric, only the cut-off, the discount, the
#' gain of grade 1 and the persistence are used.
#'
#' **Undefined cases.** With one query, `se` is `NA`. With fewer than two effective queries, there is no interval. If
#' the estimate is the same for all queries, their spread is unknown, and there is no interval. A difference that is the
#' same for all G queries has the p-value of sign flips, \eqn{2^{1 - G}}{2^(1 - G)}. Without clicks, `"snips"` is `NaN`.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: a metric that is not a sum over documents, or that has `short_lists` other than `"pad"`;
#'   other invalid arguments.
#' * `rankmix_error_document`: a shown document that `data` or `x` lacks; a document twice in a query.
#' * `rankmix_error_position`: a position without examination.
#' * `rankmix_error_scores`: invalid scores, see [evaluate()], or invalid ranks.
#' * `rankmix_warning_support`: more than 10 % of the documents of a ranker were never shown.
#' @references Joachims, Swaminathan and Schnabel (2017), \doi{10.1145/3018661.3018699}. Oosterhuis and de
#'   Rijke (2020), \doi{10.1145/3397271.3401102}. Swaminathan and Joachims (2015), The self-normalized
#'   estimator for counterfactual learning. Vardasbi, Oosterhuis and de Rijke (2020),
#'   \doi{10.1145/3340531.3412031}. Oosterhuis (2023), \doi{10.1145/3569453}.
#' @export
evaluate_clicks <- function(x, log, metric = "dcg@10", estimator = "ips", examination = NULL,
                            clip = NULL, data = NULL, ranks = FALSE, propensity = c("policy", "position"),
                            beta = NULL, relevance = NULL, level = 0.95, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(x), "x", "Give a ranker with `data`, or a data frame of scores.")
  check_given(missing(log), "log", "Make it by `click_log()`.")
  check_click_log(log)
  estimator <- check_estimators(estimator)
  propensity <- check_first_choice(propensity, "propensity", c("policy", "position"))
  if (!is.null(clip)) check_number(clip, "clip", 0, Inf, open_min = TRUE)
  check_flag(ranks, "ranks")
  check_confidence(level)
  threads <- check_threads(threads)
  metric <- additive_metric(metric)
  call <- rlang::current_env()
  table <- ranked_table(x, data, ranks, metric, threads, call)
  model <- examination_source(examination, log, threads, call)
  rows <- weighted_rows(log, model, beta, clip, propensity, call)
  table <- table_of_log(table, log, call)
  if ("dr" %in% estimator) table$mu <- predicted_relevance(relevance, table, log, rows, model, call)
  found <- click_estimates(table, log, rows, estimator, level)
  warn_support(found$rankers)
  structure(c(found, list(metric = format(metric), sessions = log_sessions(log),
                          queries = length(unique(log$pairs$query)), clicks = sum(log$clicked),
                          settings = list(clip = clip, propensity = propensity, level = level))),
            class = "rankmix_click_evaluation")
}

click_estimators <- c("ips", "snips", "dr")

check_estimators <- function(estimator, call = rlang::caller_env()) {
  if (!is.character(estimator) || length(estimator) == 0L) {
    return(check_choice(estimator, "estimator", click_estimators, call))
  }
  for (one in estimator) check_choice(one, "estimator", click_estimators, call)
  unique(estimator)
}

# Metrics --------------------------------------------------------------------------------------

additive_metric <- function(metric, call = rlang::caller_env()) {
  metric <- read_metric(metric, call)
  additive <- metric$name %in% c("dcg", "rbp") || metric$name == "precision" && is.finite(metric$k)
  if (!additive) {
    stop_input("argument", sprintf("The metric %s is not a sum over documents.", format(metric)),
               remedy = "Use DCG, RBP, or precision with a cut-off, such as \"dcg@10\".", call = call)
  }
  check_pads_lists(stats::setNames(list(metric), format(metric)), "Estimates from clicks", call)
  metric
}

# The weight of a document with the grade 1 at the ranks 1, 2, ..., `longest`.
click_weights_of <- function(metric, longest, call = rlang::caller_env()) {
  rules <- metric_spec(metric, 1L, longest, call)
  rank_weights(rules, seq_len(longest), longest) * if (is.null(rules$gain)) 1 else rules$gain[2L]
}

# Rankings -------------------------------------------------------------------------------------

# All documents that rankers rank: `query`, `document` and a matrix `lambda` with a column for each ranker. Given ranks
# are used unchanged, because the table may lack some ranked documents.
ranked_table <- function(ranker, data, ranks, metric, threads, call) {
  if (is.null(data)) {
    given <- score_table(ranker, ranks, call)
  } else {
    check_ranking_data(data)
    scores <- score_columns(ranker, data, threads, call, if (ranks) check_ranks else check_scores)
    if (!is.list(scores)) scores <- list(ranker = scores)
    given <- list(query = data$query_ids[data$query], document = documents_of(data), scores = scores)
  }
  query <- match(given$query, unique(given$query))
  longest <- if (ranks) max(1, unlist(given$scores), na.rm = TRUE) else max(tabulate(query))
  weights <- click_weights_of(metric, longest, call)
  given$lambda <- vapply(given$scores, function(column) {
    if (ranks) replace(weights[column], is.na(column), 0) else tied_rank_weights(column, query, weights)
  }, numeric(length(query)))
  dim(given$lambda) <- c(length(query), length(given$scores))
  given
}

score_table <- function(ranker, ranks, call) {
  if (!is.data.frame(ranker) || !all(c("query", "document") %in% names(ranker)) || ncol(ranker) < 3L) {
    stop_input("argument",
               "Without `data`, `x` must be a data frame with `query`, `document` and scores.",
               if (is.data.frame(ranker)) sprintf("It has %s.", enumerate(names(ranker))) else {
                 sprintf("It is %s.", show_value(ranker))
               }, "Or give the ranking data as `data`.", call = call)
  }
  scores <- as.list(ranker)[setdiff(names(ranker), c("query", "document"))]
  for (name in names(scores)) {
    bad <- which(is.na(scores[[name]]))
    if (!is_plain_number(scores[[name]]) || length(bad) > 0L && !ranks) {
      stop_input("scores", sprintf("The scores of `%s` must be numbers.", name),
                 if (length(bad) > 0L) sprintf("The score of row %d is missing.", bad[1L]),
                 "With `ranks = TRUE`, `NA` means that a document is not ranked.", call = call)
    }
    if (ranks) scores[[name]] <- check_ranks(scores[[name]], ranker, name, call)
  }
  check_listed_once(ranker, call)
  list(query = ranker$query, document = ranker$document, scores = scores)
}

check_listed_once <- function(table, call) {
  query <- id_text(check_ids(table$query, "query", call))
  document <- id_text(check_ids(table$document, "document", call))
  twice <- anyDuplicated(query_keys(query, document))
  if (twice > 0L) {
    stop_input("document", sprintf("`x` has document `%s` of query `%s` twice.", document[twice],
                                   query[twice]),
               sprintf("The second time in row %d.", twice), "Keep one of them.", call = call)
  }
}

# The weights of all ranks up to the largest one are computed.
largest_rank <- 1e6

# Ranks from the user: 1, 2, ..., or NA for a document that is not ranked.
check_ranks <- function(ranks, data, name = NULL, call = rlang::caller_env()) {
  whose <- if (is.null(name)) "" else sprintf(" of `%s`", name)
  if (!is_plain_number(ranks) || length(ranks) != nrow(data)) {
    stop_input("scores", sprintf("The ranks%s must be one number per row of `data`: %d numbers, not %s.", whose,
                                 nrow(data), show_value(ranks)),
               remedy = "Give ranks in the row order of `data`.", call = call)
  }
  bad <- which(ranks < 1 | ranks > largest_rank | ranks != round(ranks))
  if (length(bad) > 0L) {
    stop_input("scores", sprintf("The ranks%s must be 1, 2, ..., up to %s.", whose, format_count(largest_rank)),
               sprintf("Row %d has %s.", bad[1L], plain_number(ranks[bad[1L]])),
               "Use `NA` for a document that is not ranked, or give scores with `ranks = FALSE`.", call = call)
  }
  as.double(ranks)
}

# Adds `log_query`, the index of the logged query of each row, and `pair_row`, the row of each pair of the log.
table_of_log <- function(table, log, call) {
  at <- match_shown(log$pairs, table)
  if (anyNA(at)) {
    bad <- which(is.na(at))
    stop_input("document",
               sprintf("Document `%s` of query `%s` was shown but is not ranked.",
                       id_text(log$pairs$document[bad[1L]]), id_text(log$pairs$query[bad[1L]])),
               sprintf("This holds for %s.", counted(length(bad), "document")),
               "Give scores for all shown documents, or with `ranks = TRUE` the rank `NA`.", call = call)
  }
  queries <- unique(log$pairs$query)
  table$log_query <- match(id_text(table$query), id_text(queries))
  table$pair_row <- at
  table
}

# Examination and weights ---------------------------------------------------------------------------

# `alpha`: examination by position. `attraction`: of the pairs of the log, or NULL.
examination_source <- function(examination, log, threads, call) {
  if (is.null(examination)) examination <- click_model(log, "pbm", threads = threads)
  if (inherits(examination, "rankmix_click_model")) {
    alpha <- if (examination$model == "pbm") examination$position else mean_examination(examination, log)
    mu <- examination$pairs$attraction
    return(list(alpha = check_examination(alpha, log, call),
                model = list(query = examination$pairs$query, document = examination$pairs$document, mu = mu,
                             mean = stats::weighted.mean(mu, examination$pairs$shown))))
  }
  if (is.data.frame(examination) && all(c("position", "estimate") %in% names(examination))) {
    examination <- examination$estimate[match(seq_len(log$depth), examination$position)]
  }
  list(alpha = check_examination(examination, log, call))
}

check_examination <- function(alpha, log, call) {
  if (!is_plain_number(alpha) || any(alpha <= 0 | is.infinite(alpha), na.rm = TRUE)) {
    stop_input("argument", "`examination` must be numbers above 0, by position.",
               sprintf("It is %s.", show_value(alpha)),
               "Or a click model, or the result of `examination_from_swaps()`.", call = call)
  }
  missing <- which(is.na(alpha[seq_len(log$depth)]))
  if (length(missing) > 0L) {
    stop_input("position", sprintf("`examination` has no value for position %d.", missing[1L]),
               sprintf("The log has %d positions.", log$depth), call = call)
  }
  as.double(alpha)
}

# For each row of the log: `alpha`, `beta`, the weight `w`, whether it was clipped, and the query.
weighted_rows <- function(log, model, beta, clip, propensity, call) {
  position <- log_positions(log)
  if (!is.null(beta)) check_probabilities(beta, "beta", log$depth, call)
  if (is.null(clip)) clip <- Inf
  alpha <- model$alpha[position]
  query <- match(log$pairs$query, unique(log$pairs$query))
  sessions <- tabulate(session_queries(log), max(query))
  rho <- if (propensity == "position") alpha else {
    examined <- tabulate_sums(log$pair + 1L, alpha, nrow(log$pairs))
    (examined / sessions[query])[log$pair + 1L]
  }
  w <- 1 / rho
  list(alpha = alpha, beta = if (is.null(beta)) 0 else beta[position], w = pmin(w, clip),
       clipped = w > clip, pair = log$pair + 1L,
       query = query[log$pair + 1L], sessions = sessions)
}

# Sums of x for the groups 1, 2, ..., count.
tabulate_sums <- function(group, x, count) {
  sums <- rowsum(x, group, reorder = FALSE)
  replace(numeric(count), as.integer(rownames(sums)), sums)
}

# Relevance of each row of the table.
predicted_relevance <- function(relevance, table, log, rows, model, call) {
  n <- length(table$query)
  if (!is.null(relevance)) {
    check_probabilities(relevance, "relevance", n, call)
    if (length(relevance) != n) {
      stop_input("argument", sprintf("`relevance` must have a number for each of %d documents, not %d.", n,
                                     length(relevance)), call = call)
    }
    return(relevance)
  }
  if (!is.null(model$model)) {
    mu <- model$model$mu[match_shown(table, model$model)]
    return(fill_never_shown(mu, table$query, model$model$mean))
  }
  # The clicks of each document are smoothed: one examination with the mean relevance is added.
  surplus <- log$clicked - rows$beta
  mean <- sum(surplus) / sum(rows$alpha)
  counts <- nrow(log$pairs)
  examined <- tabulate_sums(rows$pair, rows$alpha, counts)
  mu <- (tabulate_sums(rows$pair, surplus, counts) + mean) / (examined + 1)
  pmin(1, pmax(0, fill_never_shown(replace(rep(NA_real_, n), table$pair_row, mu), table$query, mean)))
}

# Documents that were never shown get the mean of the other documents of their query. The mean of all clicks
# would be higher, because top positions have more relevant documents and more examinations.
fill_never_shown <- function(mu, query, otherwise) {
  query <- match(query, unique(query))
  shown <- !is.na(mu)
  counts <- tabulate(query[shown], max(query))
  means <- ifelse(counts > 0L, tabulate_sums(query[shown], mu[shown], length(counts)) / counts, otherwise)
  ifelse(shown, mu, means[query])
}

# Estimates -------------------------------------------------------------------------------------

click_estimates <- function(table, log, rows, estimators, level) {
  names <- names(table$scores)
  parts <- unlist(lapply(estimators, function(estimator) {
    lapply(seq_along(names), function(j) {
      c(list(ranker = names[j], estimator = estimator), one_estimate(table, log, rows, estimator, j))
    })
  }), recursive = FALSE)
  rankers <- do.call(rbind, lapply(parts, function(part) {
    data.frame(ranker = part$ranker, estimator = part$estimator,
               mean_interval(part$estimate, part$influence, part$share, level)[c("estimate", "se", "lower", "upper")],
               part$weights)
  }))
  list(rankers = rankers, pairs = click_differences(parts, level))
}

# The estimate; the influence of each query, which is the deviations of its sessions divided by the number of all
# sessions; and the share of each query in the sessions.
one_estimate <- function(table, log, rows, estimator, j) {
  lambda <- table$lambda[table$pair_row, j][rows$pair]
  sums <- function(x) tabulate_sums(rows$query, x, length(rows$sessions))
  surplus <- log$clicked - rows$beta
  direct <- 0
  if (estimator == "dr") {
    surplus <- surplus - rows$alpha * table$mu[table$pair_row][rows$pair]
    of_log <- !is.na(table$log_query)
    direct <- rows$sessions * tabulate_sums(table$log_query[of_log], (table$lambda[, j] * table$mu)[of_log],
                                            length(rows$sessions))
  }
  top <- sums(lambda * rows$w * surplus) + direct
  bottom <- if (estimator == "snips") sums(rows$w * surplus) else rows$sessions
  estimate <- sum(top) / sum(bottom)
  list(estimate = estimate, influence = (top - estimate * bottom) / sum(bottom),
       share = rows$sessions / sum(rows$sessions),
       weights = click_weights(table, log, rows, lambda, j))
}

click_weights <- function(table, log, rows, lambda, j) {
  counts <- log$clicked == 1L & lambda > 0
  w <- rows$w[counts]
  wanted <- which(table$lambda[, j] > 0 & !is.na(table$log_query))
  data.frame(clicks = length(w), effective_size = if (length(w) > 0L) sum(w)^2 / sum(w^2) else 0,
             largest_weight = if (length(w) > 0L) max(w) else NA_real_,
             clipped = if (length(w) > 0L) mean(rows$clipped[counts]) else NA_real_,
             never_shown = mean(!wanted %in% table$pair_row))
}

# The interval of a mean over sessions. Queries are clusters, and `share` is the fraction of the sessions of each query.
# With queries of unequal sizes the usual variance and its G - 1 degrees of freedom are too optimistic. So the variance
# is HC2, with the degrees of freedom of Kish's effective number of queries. With queries of equal size these are
# G / (G - 1) sum_q u_q^2 and G - 1. If all influences are 0, the spread is unknown. The p-value is then the p-value of
# sign flips of queries.
mean_interval <- function(estimate, influence, share, level) {
  groups <- sum(share > 0)
  df <- 1 / sum(share^2) - 1
  se <- if (isTRUE(groups >= 2L)) sqrt(sum_hc2(influence^2, share)) else NA_real_
  if (!is.na(se) && estimate != 0 && has_no_spread(estimate, se)) {
    return(data.frame(estimate = estimate, se = 0, lower = NA_real_, upper = NA_real_, p = 2^(1 - groups)))
  }
  t <- abs(estimate) / se
  p <- if (is.na(t)) NA_real_ else 2 * stats::pt(-t, df)
  data.frame(estimate = estimate, se = se, t_ends(estimate, se, if (isTRUE(df >= 1)) df else NA_real_, level), p = p)
}

click_differences <- function(parts, level) {
  estimators <- vapply(parts, `[[`, "", "estimator")
  rows <- lapply(unique(estimators), function(estimator) {
    own <- parts[estimators == estimator]
    pairs <- if (length(own) > 1L) utils::combn(length(own), 2L, simplify = FALSE)
    do.call(rbind, lapply(pairs, function(pair) {
      a <- own[[pair[1L]]]
      b <- own[[pair[2L]]]
      found <- mean_interval(a$estimate - b$estimate, a$influence - b$influence, a$share, level)
      names(found)[1L] <- "difference"
      data.frame(estimator = estimator, a = a$ranker, b = b$ranker, found)
    }))
  })
  do.call(rbind, rows)
}

warn_support <- function(rankers) {
  poor <- rankers[rankers$never_shown > 0.1 & !duplicated(rankers$ranker), ]
  if (nrow(poor) > 0L) {
    warn_input("support",
               sprintf("Many documents of %s were never shown.", enumerate(poor$ranker)),
               sprintf("%.0f %% of the documents of `%s` have no data.", 100 * poor$never_shown[1L],
                       poor$ranker[1L]),
               "\"ips\" counts them as irrelevant; \"dr\" guesses their relevance.")
  }
}

#' @export
tidy.rankmix_click_evaluation <- function(x, what = c("rankers", "pairs"), ...) {
  check_no_others(...)
  x[[check_first_choice(what, "what", c("rankers", "pairs"))]]
}

#' @export
glance.rankmix_click_evaluation <- function(x, ...) {
  data.frame(metric = x$metric, sessions = x$sessions, queries = x$queries, clicks = x$clicks,
             propensity = x$settings$propensity)
}

#' @export
print.rankmix_click_evaluation <- function(x, ...) {
  say(sprintf("<rankmix_click_evaluation> %s; %s, %s, %s", x$metric,
              counted(x$sessions, "session"), counted(x$queries, "query", "queries"),
              counted(x$clicks, "click")))
  width <- max(nchar(x$rankers$ranker))
  with(x$rankers, say(sprintf("%-5s %-*s %.4f %s", estimator, width, ranker, estimate, click_interval(lower, upper))))
  if (!is.null(x$pairs)) print_click_pairs(x$pairs)
  say(sprintf("[ ]: %s %% intervals, clustered by query", plain_number(100 * x$settings$level)))
  print_click_weights(x$rankers[!duplicated(x$rankers$ranker), ])
  invisible(x)
}

click_interval <- function(lower, upper, number = "%.4f") {
  ifelse(is.na(lower), "[no interval]", sprintf(sprintf("[%s, %s]", number, number), lower, upper))
}

print_click_pairs <- function(pairs, show = 10L) {
  rows <- utils::head(pairs, show)
  p <- rep("no p-value", nrow(rows))
  known <- !is.na(rows$p)
  p[known] <- vapply(rows$p[known], show_p, "")
  say(sprintf("%-5s %s - %s: %+.4f %s, %s", rows$estimator, rows$a, rows$b, rows$difference,
              click_interval(rows$lower, rows$upper, "%+.4f"), p))
  if (nrow(pairs) > show) {
    say(sprintf("  ... and %d more differences, see `tidy(what = \"pairs\")`", nrow(pairs) - show))
  }
}

# The weights do not depend on the estimator.
print_click_weights <- function(rankers) {
  say(sprintf("%s: %s, as many as %s of equal weight; largest weight %s", rankers$ranker,
              vapply(rankers$clicks, counted, "", one = "click"), format_count(round(rankers$effective_size)),
              formatC(rankers$largest_weight, digits = 3L, format = "g")))
  poor <- rankers[rankers$never_shown > 0, ]
  if (nrow(poor) > 0L) {
    say(sprintf("Never shown: %.1f %% of the documents of `%s`", 100 * poor$never_shown, poor$ranker))
  }
  clipped <- rankers[which(rankers$clipped > 0), ]
  if (nrow(clipped) > 0L) {
    say(sprintf("Clipped: the weights of %.1f %% of the clicks of `%s`", 100 * clipped$clipped,
                clipped$ranker))
  }
}
