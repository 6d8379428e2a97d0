#' Do two rankers rank documents in the same way?
#'
#' Computes for each query how similar two rankings of its documents are. Use it to see whether a new ranker,
#' a reproduction or a faster version changes what users see, even if a metric stays the same.
#'
#' @param a,b The rankers: models, scores in the row order of `data`, or functions of `data`. Or runs made by
#'   [read_run()] or [as_run()]; then `data` is not needed. `a` is the reference of `"tau_ap"`.
#' @param data The documents, made by [ranking_data()] or [read_letor()]. `NULL` (the default) for runs.
#' @param how The measures, by default all: `"tau"`, `"tau_b"`, `"tau_ap"` and `"rbo"`, see
#'   [order_agreement()].
#' @param ties The treatment of ties by `"tau_ap"` and `"rbo"`: `"a"` (the default), `"b"`, or `"w"` for
#'   `"rbo"` alone. See [rbo()].
#' @param p The persistence of `"rbo"`, default 0.9, see [rbo()].
#' @param topics The rule if two runs have different queries: `"error"` (the default) or `"common"`.
#' @param threads Number of threads for predictions. Results do not depend on it.
#'
#' @return A data frame of class `rankmix_ranking_agreement` with a row for each query:
#'   * `query`; `documents`: number of documents in either ranking; `shared`: number of documents in both;
#'   * `identical`: whether both rankings have the same order, with ties at the same places;
#'   * `moved`: number of documents with another rank. Tied documents share their mean rank;
#'   * a column for each measure of `how`. It is `NA` if the measure is undefined;
#'   * `residual`: the uncertainty of `rbo` that is due to documents below the ends of the lists.
#'
#'   `tidy()` returns a plain data frame. `summary()` returns for each measure the `mean`, `min` and number of
#'   `queries` that are defined.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' agreement <- ranking_agreement(test$x[, 1], test$x[, 2], test)
#' agreement
#' # The queries that change most.
#' head(agreement[order(agreement$rbo), c("query", "documents", "rbo")], 3)
#'
#' @details
#' The formulas are in [order_agreement()] and [rbo()]. Documents of a run with equal scores are tied.
#'
#' **Documents of one run only.** `"rbo"` uses both lists as they are. For the other measures, documents that
#' a run did not retrieve are tied below all retrieved documents. Other tools have other rules. "Kendall's tau
#' union" of repro_eval is another measure: it correlates the alphabetical positions of the documents at equal
#' ranks. So its values are near 0 even for similar runs.
#'
#' **Undefined cases.** A query with one document has no `tau`, `tau_b` and `tau_ap`. `tau_b` is also
#' undefined if a ranking ties all documents. `rbo` is always defined.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: one run and one ranker; `data` that are missing or not ranking data; an unknown
#'   measure.
#' * `rankmix_error_scores`: scores of the wrong length or missing. `rankmix_error_topics`: runs of different
#'   queries.
#' * `rankmix_error_document`: a run has a document twice in a query.
#' @section Cost: O(n log n) for each query of n documents, but O(n^2) for `"rbo"` with ties. Long lists with ties cause
#'   the warning `rankmix_warning_pairs`.
#' @inherit order_agreement references
#' @export
ranking_agreement <- function(a, b, data = NULL, how = c("tau", "tau_b", "tau_ap", "rbo"), ties = "a",
                              p = 0.9, topics = "error", threads = NULL) {
  check_given(missing(a), "a", "Give a ranker, scores, or a run.")
  check_given(missing(b), "b", "Give a ranker, scores, or a run.")
  settings <- agreement_settings(check_measures(how), ties, p, 0.95)
  check_choice(topics, "topics", c("error", "common"))
  runs <- c(inherits(a, "rankmix_run"), inherits(b, "rankmix_run"))
  if (any(runs) && !all(runs)) {
    stop_input("argument", "`a` and `b` must both be runs, or both be rankers.",
               remedy = "For scores of a run, write `as_run()`.")
  }
  pairs <- if (all(runs)) paired_runs(a, b, topics) else paired_scores(a, b, data, check_threads(threads))
  rows <- lapply(pairs$scores, function(pair) query_agreement(pair, settings))
  table <- list2DF(c(list(query = pairs$query),
                     lapply(stats::setNames(nm = names(rows[[1L]])), function(column) {
    unlist(lapply(rows, `[[`, column), use.names = FALSE)
  })))
  structure(table, class = c("rankmix_ranking_agreement", "data.frame"), settings = settings)
}

# For each query the scores of its documents by both rankers, without NA.
paired_scores <- function(a, b, data, threads, call = rlang::caller_env()) {
  check_given(is.null(data), "data", "Scores and models need ranking data, runs do not.", call = call)
  check_ranking_data(data, judged = FALSE, call = call, binned = TRUE)
  scores <- Map(function(object, name) check_scores(scores_of(object, data, threads, call), data, name, call),
                list(a, b), c("a", "b"))
  rows <- split(seq_along(data$query), data$query)
  list(query = data$query_ids, scores = lapply(unname(rows), function(own) {
    list(a = scores[[1L]][own], b = scores[[2L]][own])
  }))
}

# The documents of both runs of each query. NA: not retrieved.
paired_runs <- function(a, b, topics, call = rlang::caller_env()) {
  runs <- list(a = a, b = b)
  queries <- lapply(runs, function(run) unique(id_text(run$query)))
  shared <- intersect(queries$a, queries$b)
  odd <- setdiff(c(queries$a, queries$b), shared)
  if (length(shared) == 0L || length(odd) > 0L && topics == "error") {
    stop_input("topics", "The runs have different queries.",
               sprintf("Only one of them has %s.", enumerate(odd)),
               if (length(shared) > 0L) "Write `topics = \"common\"` for the queries that both have.",
               call = call)
  }
  rows <- lapply(runs, function(run) split(seq_along(run$query), factor(id_text(run$query), shared)))
  list(query = a$query[match(shared, id_text(a$query))], scores = lapply(seq_along(shared), function(i) {
    documents <- Map(function(run, own) id_text(run$document[own[[i]]]), runs, rows)
    Map(check_single_documents, documents, names(runs), shared[i], list(call))
    all <- union(documents$a, documents$b)
    Map(function(run, own, names) as.double(run$score[own[[i]]])[match(all, names)], runs, rows, documents)
  }))
}

check_single_documents <- function(documents, run, query, call) {
  if (anyDuplicated(documents)) {
    stop_input("document", sprintf("Run `%s` has the document `%s` twice in query %s.", run,
                                   documents[duplicated(documents)][1L], query),
               remedy = "Keep one of them.", call = call)
  }
}

query_agreement <- function(pair, settings) {
  ranks <- lapply(pair, function(scores) rank(-fill_unretrieved(scores)))
  filled <- lapply(ranks, `-`)
  row <- list(documents = length(pair$a), shared = sum(!is.na(pair$a) & !is.na(pair$b)),
              identical = identical(ranks$a, ranks$b) && identical(is.na(pair$a), is.na(pair$b)),
              moved = sum(ranks$a != ranks$b))
  measures <- setdiff(settings$how, "rbo")
  row[measures] <- lapply(measures, function(one) agreement_value(filled$a, filled$b, one, settings))
  if ("rbo" %in% settings$how) {
    found <- overlap_values(retrieved_list(pair$a), retrieved_list(pair$b), settings$p, settings$ties)
    row[c("rbo", "residual")] <- found[c("ext", "res")]
  }
  row
}

# Scores below all others for documents that were not retrieved. -Inf may be a score.
fill_unretrieved <- function(scores) {
  ranks <- rank(-scores, na.last = "keep", ties.method = "min")
  ranks[is.na(ranks)] <- length(ranks) + 1
  -ranks
}

# The list of rbo() of the documents with a score, which are numbered.
retrieved_list <- function(scores) {
  own <- which(!is.na(scores))
  list <- scores_list(scores[own])
  list$item <- own[list$item]
  list
}

#' @export
summary.rankmix_ranking_agreement <- function(object, ...) {
  check_no_others(...)
  measures <- intersect(c("identical", order_measures, "residual"), names(object))
  rows <- lapply(stats::setNames(nm = measures), function(one) {
    values <- as.double(object[[one]])
    values <- values[!is.na(values)]
    data.frame(mean = if (length(values) > 0L) mean(values) else NA_real_,
               min = if (length(values) > 0L) min(values) else NA_real_, queries = length(values))
  })
  bind_named(rows, "measure")
}

#' @export
tidy.rankmix_ranking_agreement <- function(x, ...) {
  check_no_others(...)
  structure(x, class = "data.frame")
}

#' @export
print.rankmix_ranking_agreement <- function(x, ...) {
  # A subset of columns is printed as a plain data frame, because it has no summary.
  if (is.null(x$query) || is.null(x$identical)) {
    with_points(print(structure(x, class = "data.frame")))
    return(invisible(x))
  }
  say(sprintf("<rankmix_ranking_agreement> %s; %s%% ranked alike", counted(nrow(x), "query", "queries"),
              if (nrow(x) > 0L) sprintf("%.0f ", 100 * mean(x$identical)) else "NA "))
  table <- summary(x)
  table <- table[table$measure != "identical", ]
  left <- nrow(x) - table$queries
  say(sprintf("  %s  mean %s, lowest %s%s", format(table$measure), number_text(round(table$mean, 3), nsmall = 3),
              number_text(round(table$min, 3), nsmall = 3), ifelse(left > 0L, sprintf(
                " (undefined for %s)", vapply(left, counted, "", one = "query", many = "queries")), "")))
  if ("residual" %in% table$measure && table$mean[table$measure == "residual"] > large_residual) {
    say("The residual is large: the lists are too short for `p`. Smaller values of `p` need shorter lists.")
  }
  invisible(x)
}

# Above this residual, unseen documents have as much influence as the documents in the lists.
large_residual <- 0.3
