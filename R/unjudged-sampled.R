#' Estimate metrics from a sample of judgements
#'
#' Estimates average precision and NDCG if only a random sample of the pool was judged. The estimates account for
#' documents of the pool that were not drawn, instead of counting them as not relevant. Use it if judging all
#' documents is too expensive, and if you know how the judged documents were drawn.
#'
#' @param run The run, made by [read_run()] or [as_run()], or a named list of runs.
#' @param judgements A data frame with a row for each document of the pool and the columns:
#'   * `query`, `document`;
#'   * `relevance`: the grade. `NA` or a negative grade means that the document is in the pool, but not judged.
#'     So the result of [read_qrels()] can be used;
#'   * `stratum`: the stratum from which the document was drawn, if samples are stratified. Optional;
#'   * `probability`: the probability with which a judged document was drawn, in (0, 1]. Optional, for
#'     `"statap"` and `"statap_corrected"`.
#'
#'   Documents that are not listed are outside of the pool, and count as not relevant.
#' @param metrics The estimators: `"infap"`, `"xinfap"`, `"infndcg"`, `"statap"`, `"statap_corrected"`.
#'   `"infndcg@10"` has a cut-off. The default `NULL` uses `"infap"` without strata and probabilities,
#'   `"xinfap"` and `"infndcg"` with strata, and `"statap_corrected"` with probabilities.
#' @param relevant The lowest grade that counts as relevant; default 1.
#' @param gain The gain of a grade r for `"infndcg"`: `"linear"` (the default, r) or `"exponential"`
#'   (\eqn{2^r - 1}).
#' @param topics The rule if the queries of a run and of the judgements differ: `"error"` (the default),
#'   `"qrels"` or `"common"`, see [evaluate()].
#' @param bias_correction `"none"` (the default) gives the published estimates. `"jackknife"` subtracts an estimate of
#'   the bias, which makes the estimates more variable. Use it for means over many queries with few judged documents
#'   each. See *Bias* below.
#'
#' @return A data frame of class `rankmix_evaluation`, as from [evaluate()]. [compare_rankers()] and
#'   `summary()` accept it. `relevant` is the number of documents that were judged relevant. The column `se`
#'   has the standard error of `"statap"` and `"statap_corrected"` over the samples of a query. For other
#'   estimators, `se` is `NA`. The standard error of the mean in `summary()` is computed from the values of
#'   queries. So it includes the sampling of documents.
#' @examples
#' # Five of seven documents of the pool are judged.
#' judgements <- data.frame(query = 1, document = c("a", "b", "c", "d", "f", "g", "h"),
#'                          relevance = c(1, 0, NA, 1, 0, 1, NA),
#'                          stratum = c("top", "top", "top", "top", "rest", "rest", "rest"))
#' run <- as_run(data.frame(query = 1, document = letters[1:7], score = 7:1))
#' evaluate_sampled(run, judgements)
#' evaluate_sampled(run, judgements, "infap")
#'
#' @details
#' A judged document of stratum s stands for \eqn{N_s / n_s} documents. The stratum has \eqn{N_s} documents of
#' the pool. \eqn{n_s} of these are judged, and \eqn{r_s} are judged relevant. Below, k is the rank of a
#' document, and the superscript k - 1 counts only documents above rank k. e is 0.00001. Equal scores are ordered
#' by decreasing document id, as in trec_eval.
#'
#' * `infap` (Yilmaz and Aslam 2006), as trec_eval computes it:
#'   \deqn{\frac{1}{R} \sum_{k\ \mathrm{relevant}} \left(\frac{1}{k} + \frac{p^{k-1}}{k}
#'   \frac{r^{k-1} + e}{n^{k-1} + 2e}\right)}{1/R sum_(k relevant) (1/k + p/k (r + e) / (n + 2e))}
#'   p, n and r are the numbers of documents above rank k that are in the pool, judged, and judged relevant. R is
#'   the number of judged relevant documents. The judged documents must be a simple random sample of the pool.
#' * `xinfap` (Yilmaz, Kanoulas and Aslam 2008):
#'   \deqn{\frac{1}{\hat R} \sum_s \frac{N_s}{n_s} \sum_{k \in s\ \mathrm{relevant}} \frac{1}{k} \left(1 +
#'   \sum_t N_t^{k-1} \frac{r_t^{k-1} + e}{n_t^{k-1} + 2e}\right), \quad \hat R = \sum_s N_s
#'   \frac{r_s}{n_s}}{1/R sum_s N_s/n_s sum_(k in s relevant) 1/k (1 + sum_t N_t (r_t + e) / (n_t + 2e)), R =
#'   sum_s N_s r_s / n_s}
#'   With one stratum, `xinfap` is `infap`.
#' * `infndcg` (Yilmaz, Kanoulas and Aslam 2008): DCG is \eqn{\sum_s \frac{N_s}{n_s} \sum_{k \in s} g_k /
#'   \log_2(1 + k)}{sum_s N_s/n_s sum_(k in s) g_k / log2(1 + k)} over judged documents. In the ideal ranking,
#'   each judged document stands for \eqn{N_s / n_s} documents. If these end between two ranks, the rank is
#'   divided between documents.
#' * `statap` (Aslam and Pavlu 2007): with probabilities \eqn{\pi}{pi} of being drawn, \eqn{\hat R = \sum
#'   1/\pi}{R = sum 1/pi} over judged relevant documents:
#'   \deqn{\frac{1}{\hat R} \sum_{k\ \mathrm{relevant}} \frac{1}{\pi_k} \frac{1}{k} \sum_{j \le k\
#'   \mathrm{relevant}} \frac{1}{\pi_j}}{1/R sum_(k relevant) 1/pi_k 1/k sum_(j <= k relevant) 1/pi_j}
#'   Without `probability`, \eqn{\pi}{pi} is \eqn{n_s / N_s}. The standard error is a linear approximation.
#' * `statap_corrected`: the same with 1 instead of \eqn{1/\pi_k}{1/pi_k} for j = k. So a judged document counts
#'   only once in its own precision.
#'
#' **Bias.** The estimators divide by an estimated number of relevant documents. So they are biased if few documents
#' of a query are judged. The bias of a mean does not become smaller with more queries, but its interval becomes
#' shorter. With `bias_correction = "jackknife"`, the value of a query is
#' \deqn{v - \sum_s (n_s - 1) \left(1 - \frac{n_s}{N_s}\right) (\bar v_s - v)}{v - sum_s (n_s - 1) (1 - n_s/N_s)
#' (w_s - v)}
#' v is the published estimate. \eqn{\bar v_s}{w_s} is the mean of the estimates that lack one judged document of
#' stratum s, over all judged documents of the stratum. The correction removes a bias that is proportional to
#' \eqn{1/n_s - 1/N_s}. A corrected value can be below 0 or above 1. A stratum whose documents are all judged is not
#' corrected. The column `se` remains the standard error of the published estimate.
#'
#' In a simulation, 30 of 100 documents of a query were judged: 18 of the 20 best, and 12 of the other 80. 95 %
#' intervals over 200 queries contained the true value in 67 to 75 % of samples, and in 89 to 95 % with the jackknife.
#' With 10 of 100 documents judged, neither estimator is reliable (`bench/unjudged.md`).
#'
#' **When they fail.** `infap` is biased if the sample is not uniform, such as judgements of top documents
#' only. All estimators of average precision divide by an estimated R. With few judged relevant documents (fewer
#' than about 5 a query), they are noisy and biased. `statap` weights each relevant document by 1 / probability
#' squared. So the estimate is too high, and can exceed 1, unless documents at the first ranks have probabilities
#' near 1. The package has `statap` because it is the published formula. `statap_corrected` does not have this
#' bias, but is too low if few relevant documents are judged: queries without a relevant document count as 0.
#' Standard errors are too small for few relevant documents. `infndcg` divides two noisy numbers, and can exceed 1.
#'
#' **Undefined cases.** A query without a judged relevant document has the value 0 and counts in the mean. With
#' `topics = "qrels"`, queries that the run lacks have the value 0, too. If all documents of the pool are judged,
#' the estimators give average precision (`infap`, `xinfap` up to e) and NDCG with the same gain.
#'
#' @section Conditions:
#' * `rankmix_error_column`: a column is missing.
#' * `rankmix_error_grade`: grades that are not whole numbers.
#' * `rankmix_error_document`: a document is listed twice, or has no id.
#' * `rankmix_error_stratum`: a document without a stratum; a stratum of a query without a judged document.
#'   For `"statap"` without `probability` also a stratum with one judged document of several.
#' * `rankmix_error_probability`: a judged document without a probability in (0, 1].
#' * `rankmix_error_argument`: an unknown estimator. `rankmix_error_topics`: see [evaluate()].
#' @references Yilmaz and Aslam (2006), \doi{10.1145/1183614.1183633}. Yilmaz, Kanoulas and Aslam (2008),
#'   \doi{10.1145/1390334.1390437}. Aslam and Pavlu (2007), A practical sampling strategy for efficient
#'   retrieval evaluation, Northeastern University.
#' @seealso [judgement_bounds()] for what unjudged documents could change at most.
#' @export
evaluate_sampled <- function(run, judgements, metrics = NULL, relevant = 1, gain = "linear",
                             topics = "error", bias_correction = "none") {
  check_given(missing(run), "run", "Make it by `read_run()` or `as_run()`.")
  check_given(missing(judgements), "judgements", "Give a data frame with `query`, `document`, `relevance`.")
  check_count(relevant, "relevant", max = largest_grade)
  check_choice(gain, "gain", c("linear", "exponential"))
  check_choice(topics, "topics", c("error", "qrels", "common"))
  check_choice(bias_correction, "bias_correction", c("none", "jackknife"))
  call <- rlang::current_env()
  pool <- check_pool(judgements, call)
  metrics <- check_sampled_metrics(metrics, pool, call)
  if (bias_correction == "jackknife") check_jackknife(pool, call)
  several <- is.list(run) && !is.data.frame(run)
  names <- if (several) ranker_names(run, call)
  runs <- lapply(if (several) run else list(run), function(one) {
    if (!is.data.frame(one)) {
      stop_input("argument", sprintf("`run` must be a run, not %s.", show_value(one)),
                 remedy = "Make one by `read_run()` or `as_run()`.", call = call)
    }
    as_run(one)
  })
  ids <- common_topics(runs, pool, topics, names, call)
  settings <- list(relevant = relevant,
                   gain = if (gain == "linear") as.double else function(grade) 2^grade - 1,
                   bias_correction = bias_correction)
  parts <- lapply(seq_along(runs), function(i) {
    estimated_run(runs[[i]], pool, ids, metrics, settings, names[i], call)
  })
  all <- do.call(rbind, parts)
  all <- all[order(match(all$metric, names(metrics))), ]
  row.names(all) <- NULL
  text <- vapply(names(metrics), estimator_text, "", relevant = relevant, gain = gain,
                 bias_correction = bias_correction)
  structure(all, class = c("rankmix_evaluation", "data.frame"), rows = nrow(all),
            shown = text,
            grades = judgement_digests(judged_run(runs[[1L]][0L, ], pool, ids)))
}

# The name with the settings that are not defaults.
estimator_text <- function(name, relevant, gain, bias_correction) {
  is_ndcg <- startsWith(name, "infndcg")
  settings <- c(if (is_ndcg && gain != "linear") sprintf("gain = \"%s\"", gain),
                if (!is_ndcg && relevant != 1) paste("relevant =", plain_number(relevant)),
                if (bias_correction != "none") sprintf("bias_correction = \"%s\"", bias_correction))
  if (is.null(settings)) name else sprintf("%s(%s)", name, toString(settings))
}

# The judgements, with NA for documents that are not judged as -1.
check_pool <- function(judgements, call) {
  if (!is.data.frame(judgements)) {
    stop_input("argument", sprintf("`judgements` must be a data frame, not %s.", show_value(judgements)),
               call = call)
  }
  check_columns(judgements, c("query", "document", "relevance"), call)
  grades <- judgements[["relevance"]]
  if (is_plain_number(grades) || is.logical(grades)) grades[is.na(grades)] <- -1
  pool <- new_qrels(list(query = judgements[["query"]], document = judgements[["document"]],
                         relevance = grades), call = call)
  pool$stratum <- judgements[["stratum"]]
  pool$probability <- judgements[["probability"]]
  pool$stratum <- checked_strata(pool, call)
  check_inclusion(pool, call)
  pool
}

# Numbers of the strata. For a stratum without a judged document, no estimate is possible.
checked_strata <- function(pool, call) {
  if (is.null(pool$stratum)) {
    return(NULL)
  }
  none <- which(is.na(pool$stratum))[1L]
  if (!is.na(none)) {
    stop_input("stratum", sprintf("Document `%s` of query `%s` has no stratum.", pool$document[none],
                                  pool$query[none]), sprintf("Row %d.", none),
               "Give every document of the pool a stratum.", call = call)
  }
  key <- paste(pool$query, pool$stratum, sep = "\r")
  empty <- which(!key %in% key[pool$relevance >= 0L])[1L]
  if (!is.na(empty)) {
    stop_input("stratum", sprintf("Stratum `%s` of query `%s` has no judged document.", pool$stratum[empty],
                                  pool$query[empty]),
               remedy = paste("Merge it with another stratum, or leave its documents out to count them as",
                              "not relevant."), call = call)
  }
  match(pool$stratum, unique(pool$stratum))
}

check_inclusion <- function(pool, call) {
  p <- pool$probability
  if (is.null(p)) {
    return(invisible())
  }
  good <- if (is_plain_number(p)) !is.na(p) & p > 0 & p <= 1 else rep(FALSE, nrow(pool))
  bad <- which(!good & pool$relevance >= 0L)[1L]
  if (!is.na(bad)) {
    stop_input("probability", sprintf("The probability of document `%s` of query `%s` is %s.",
                                      pool$document[bad], pool$query[bad], show_value(p[bad])),
               sprintf("Row %d.", bad), "Give every judged document a probability above 0, and at most 1.",
               call = call)
  }
}

# A list of the estimators under their names, each with its cut-off.
check_sampled_metrics <- function(metrics, pool, call) {
  if (is.null(metrics)) {
    metrics <- c(if (!is.null(pool$stratum)) c("xinfap", "infndcg"),
                 if (!is.null(pool$probability)) "statap_corrected")
    if (is.null(metrics)) metrics <- "infap"
  }
  known <- names(sampled_estimators)
  good <- is.character(metrics) && length(metrics) > 0L && !anyDuplicated(metrics)
  parts <- if (good) regmatches(metrics, regexec("^(infndcg)@([1-9][0-9]*)$", metrics))
  found <- if (good) vapply(seq_along(parts), function(i) {
    if (length(parts[[i]]) > 0L) parts[[i]][2L] else metrics[i]
  }, "")
  if (!good || !all(found %in% known)) {
    odd <- if (good) metrics[!found %in% known][1L] else metrics
    stop_input("argument", sprintf("`metrics` must be of %s, each once, not %s.", enumerate(known),
                                   show_value(odd)),
               remedy = if (is.character(odd)) did_you_mean(odd[1L], known), call = call)
  }
  if (any(startsWith(found, "statap")) && is.null(pool$probability)) {
    check_stratum_sizes(pool, "The standard error of `statap` needs two.",
                        "Merge strata, or give the column `probability`.", call)
  }
  stats::setNames(lapply(seq_along(found), function(i) {
    list(name = found[i], k = if (length(parts[[i]]) > 0L) as.numeric(parts[[i]][3L]) else Inf)
  }), metrics)
}

# The jackknife needs a stratified sample. It leaves out one judged document after the other.
check_jackknife <- function(pool, call) {
  if (!is.null(pool$probability)) {
    stop_input("argument", "`bias_correction = \"jackknife\"` needs strata, not probabilities.",
               remedy = "Leave out the column `probability`, and give `stratum` if samples are stratified.",
               call = call)
  }
  check_stratum_sizes(pool, "The jackknife needs two.", "Merge strata, or use `bias_correction = \"none\"`.", call)
}

# One judged document of several has neither a variance nor a jackknife.
check_stratum_sizes <- function(pool, reason, remedy, call) {
  key <- paste(pool$query, if (is.null(pool$stratum)) 1L else pool$stratum, sep = "\r")
  sizes <- tapply(pool$relevance >= 0L, key, sum)
  single <- which(sizes[key] == 1L & tapply(key, key, length)[key] > 1L)[1L]
  if (!is.na(single)) {
    stop_input("stratum",
               sprintf("A stratum of query `%s` has only one judged document.", pool$query[single]),
               reason, remedy, call = call)
  }
}

# The evaluation of one run.
estimated_run <- function(run, pool, ids, metrics, settings, name, call) {
  own <- pool_ranks(run, pool, ids, call)
  judged <- tabulate(own$query[which(own$relevance >= settings$relevant)], length(ids))
  rows <- split(seq_len(nrow(own)), factor(own$query, seq_along(ids)))
  tables <- lapply(names(metrics), function(metric) {
    estimator <- sampled_estimators[[metrics[[metric]]$name]]
    if (settings$bias_correction == "jackknife") estimator <- jackknifed(estimator)
    settings$k <- metrics[[metric]]$k
    values <- vapply(rows, function(at) {
      estimator(as.list(own[at, ]), settings)
    }, c(value = 0, se = 0))
    part <- list(query = ids, documents = attr(own, "lengths"), relevant = judged,
                 metric = rep(metric, length(ids)), value = unname(values["value", ]),
                 se = unname(values["se", ]))
    list2DF(if (is.null(name)) part else c(list(ranker = rep(name, length(ids))), part))
  })
  do.call(rbind, tables)
}

# The documents of the pool with their ranks in the run. Equal scores are ordered as in trec_eval.
pool_ranks <- function(run, pool, ids, call) {
  run <- as.data.frame(run)[run$query %in% ids, ]
  pool <- as.data.frame(pool)[pool$query %in% ids, ]
  run$query <- match(run$query, ids)
  run <- run[order(run$query, run$score, enc2utf8(run$document), decreasing = c(FALSE, TRUE, TRUE),
                   method = "radix"), ]
  lengths <- tabulate(run$query, length(ids))
  rank <- sequence(lengths)
  pool$query <- match(pool$query, ids)
  rank <- rank[match_pairs(pool, run)]
  own <- data.frame(query = pool$query, rank = ifelse(is.na(rank), Inf, rank),
                    relevance = ifelse(pool$relevance < 0L, NA, pool$relevance),
                    stratum = if (is.null(pool$stratum)) 1L else pool$stratum)
  own$probability <- pool$probability
  structure(own, lengths = lengths)
}
