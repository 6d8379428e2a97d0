#' Fuse runs or scores
#'
#' Combines several rankings into one. The rankings may contain different documents. Use it for runs of search engines,
#' or if scores are not comparable.
#'
#' @param runs The named list of runs, made by [read_run()] or [as_run()], or data frames with the
#'   columns `query`, `document` and `score` (or `rank`, 1 for the first). With ranking data as `data`:
#'   rankers or scores, as for [evaluate()], `NA` for documents that were not retrieved.
#' @param data The ranking data of the scores. For runs: `NULL`, or the judgements ([read_qrels()], [as_qrels()]) if
#' the method learns.
#' @param method The method: one of [fusion_methods], such as `fuse_rrf(k = 60)` or its text `"rrf"` (the
#'   default); one of [learned_fusion] with `folds`; or a learned method, trained by [fit()].
#' @param normalize The normalization of scores in each list, for the methods `comb_...()`:
#'   `"min_max"` (the default), `"sum"`, `"max"`, `"z"`, `"rank"`, `"borda"` or `"none"`, see Details.
#' @param missing The treatment of documents that a ranker did not retrieve: `"skip"`, `"zero"` or
#'   `"last"`, see Details. `NULL` is the method's default.
#' @param ties The treatment of equal scores in a list. `"average"`, the default: tied documents share their ranks. Each
#'   has the mean of the method's values at these ranks, such as the mean of 1 / (k + 1) and 1 / (k + 2).
#'   `"document"`: by decreasing id, compared byte by byte, as in trec_eval.
#' @param weights The weights of the rankers, 0 or more, in the order of `runs` or with their names. A
#'   ranker of weight 0 has no effect.
#' @param folds The number of folds of the judged queries, at least 2, or folds made by [query_folds()],
#'   for a method that learns. Each query is fused by a method learned from the other folds, or from all
#'   judged queries if it has no judgements.
#' @param seed The random seed of the folds. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return For runs a run, as made by [as_run()]: queries in order of appearance, each best
#'   first, equal scores by decreasing document id. `tag` is the name of the method. For scores
#'   one score per row of `data`, `-Inf` for a document that no ranker retrieved. [evaluate()],
#'   [compare_rankers()] and [write_run()] accept both.
#' @examples
#' first <- as_run(data.frame(query = 1, document = c("a", "b", "c"), score = c(9, 5, 1)))
#' second <- as_run(data.frame(query = 1, document = c("c", "a", "d"), score = c(.9, .8, .3)))
#' fused <- fuse(list(first = first, second = second))
#' fused
#' qrels <- as_qrels(data.frame(query = 1, document = c("a", "d"), relevance = 1:2))
#' evaluate(list(first = first, fused = fused), qrels, "ndcg")
#' fuse(list(first = first, second = second), method = "comb_sum",
#'      weights = c(first = 2, second = 1))
#'
#' # Scores of the same documents
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' fused <- fuse(data.frame(a = data$x[, 1], b = data$x[, 2]), data, "borda", threads = 1)
#' summary(evaluate(fused, data, metric_ndcg(10)))
#'
#' @details A list has n documents with the scores s. All rankers together retrieved N documents of the
#'   query. The normalized score is
#'
#' * `"min_max"`: \eqn{(s - min) / (max - min)}; 1 if all scores of the list are equal.
#' * `"sum"`: \eqn{(s - min) / \sum (s - min)}{(s - min) / sum(s - min)}; 1 / n if all are
#'   equal.
#' * `"max"`: \eqn{s / \max |s|}{s / max |s|}; 0 if all are 0.
#' * `"z"`: \eqn{(s - mean) / sd}, sd with the divisor n; 0 if all are equal.
#' * `"rank"`: \eqn{1 - (p - 1) / n} for rank p.
#' * `"borda"`: \eqn{1 - (p - 1) / N}.
#' * `"none"`: s.
#'
#' *Missing documents* were retrieved only by other rankers:
#'
#' * `"skip"`: the ranker does not count for the document, in sums, in \eqn{n_d} (see [fusion_methods])
#'   and in votes.
#' * `"zero"`: the document has the score 0.
#' * `"last"`: the missing documents are tied behind all retrieved documents. They share the ranks n + 1 to N, as in
#'   Borda's rule, with the mean of the values at these ranks. Their score, also with `"rank"`, is the smallest score of
#'   the list. In votes they are below all retrieved documents, and equal to each other.
#'
#' If a ranker retrieved no document for a query, it has no effect on this query.
#'
#' *Ties.* Results are invariant to the order of rows and runs. Documents with the same ranks have the
#' same fused score to the last bit.
#'
#' Scores must be finite for methods that compute with them. Cost of a query with m
#' rankers: O(m N log N), for majorities O(m N^2). Memory: 16 m bytes per document of the pool.
#'
#' @section Conditions:
#' * `rankmix_warning_pairs`: a majority compares so many pairs of documents that it takes more than some ten seconds.
#' * `rankmix_error_argument`: runs without names, fewer than two runs, an unknown method, weights that do
#'   not fit.
#' * `rankmix_error_topics`: a ranker has no query in common with another.
#' * `rankmix_error_document`: no document in common; a document twice in a query; ties by document
#'   without ids.
#' * `rankmix_error_scores`: scores that are not one number per row, or infinite for a method that computes with them.
#' * `rankmix_error_option`: an argument that the method does not support.
#' * `rankmix_error_unjudged` and the other conditions of [learned_fusion].
#' @seealso [aggregate_ranks()] for Markov chains over rankers that score all documents,
#'   [mix()] and [mixture()] for weights by a validation metric.
#' @references Montague and Aslam (2001), Relevance score normalization for metasearch,
#'   \doi{10.1145/502585.502657}, and the references of [fusion_methods].
#' @export
fuse <- function(runs, data = NULL, method = "rrf", normalize = NULL, missing = NULL,
                 ties = "average", weights = NULL, folds = NULL, seed = NULL, threads = NULL,
                 ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  method <- read_fusion(method)
  check_choice(ties, "ties", c("average", "document"))
  how <- fusion_how(method, normalize, missing, ties, weights, folds)
  if (how$kind != "learned") {
    refuse_judgements(method, data)
  }
  lists <- fusion_lists(runs, data, threads)
  weights <- fusion_weights(weights, lists$rankers)
  switch(how$kind,
         model = fused_by_model(method, lists, weights, threads),
         learned = cross_fused(method, lists, ties, weights, folds, seed, threads),
         fused_by_rules(method, how, lists, ties, weights, threads))
}

# The rules that the arguments select: the rules of a method, with `value` and `missing` settled.
fusion_how <- function(method, normalize, missing, ties, weights, folds,
                       call = rlang::caller_env()) {
  model <- inherits(method, "rankmix_fusion_model")
  learned <- inherits(method, "rankmix_learned_fusion")
  if (model || learned) {
    refuse_option(method, "normalize", normalize, call)
    refuse_option(method, "missing", missing, call)
  }
  if (!learned) {
    refuse_option(method, "folds", folds, call)
  } else if (is.null(folds)) {
    stop_input("argument",
               sprintf("`%s` learns from judgements; `folds` is not given.", format(method)),
               remedy = paste0("Set `folds = 5`, so that no query is fused by values learned ",
                               "from itself; or learn from other queries: `fit(", format(method),
                               ", runs, qrels)`."), call = call)
  }
  if (model && !ties %in% c("average", method$ties)) {
    stop_input("option", sprintf("The model was trained with `ties = \"%s\"`.", method$ties),
               remedy = "Leave `ties` out.", call = call)
  }
  if (model || learned) {
    return(list(kind = if (model) "model" else "learned"))
  }
  rules <- fusion_rules[[method$name]]
  if (!rules$weighted) {
    refuse_option(method, "weights", weights, call)
  }
  settle_value(rules, method, normalize, missing, call)
}

refuse_option <- function(method, name, value, call) {
  if (!is.null(value)) {
    what <- if (inherits(method, "rankmix_fusion_model")) method$method else method
    stop_input("option", sprintf("`%s` takes no `%s`.", format(what), name),
               remedy = sprintf("Leave `%s` out.", name), call = call)
  }
}

# Methods that do not learn, and methods that have learned, do not use judgements.
refuse_judgements <- function(method, data, call = rlang::caller_env()) {
  if (inherits(data, "rankmix_qrels")) {
    stop_input("option",
               if (inherits(method, "rankmix_fusion_model")) {
                 "The model is trained, and needs no judgements."
               } else {
                 sprintf("`%s` does not learn from judgements.", format(method))
               },
               remedy = "Leave `data` out; `evaluate()` takes them with the fused run.",
               call = call)
  }
}

# One weight for each ranker, in the order of the rankers.
fusion_weights <- function(weights, rankers, call = rlang::caller_env()) {
  if (is.null(weights)) {
    return(rep(1, length(rankers)))
  }
  weights <- if (is.list(weights)) unlist(weights) else weights
  good <- is_plain_number(weights) && length(weights) == length(rankers) &&
    all(is.finite(weights)) && all(weights >= 0) && any(weights > 0)
  if (!good) {
    stop_input("argument",
               sprintf(paste("`weights` must be %d numbers of 0 or more, one per ranker, not all 0;",
                             "not %s."), length(rankers),
                       if (is_plain_number(weights)) setting_text(weights) else show_value(weights)),
               call = call)
  }
  if (is.null(names(weights))) {
    return(as.double(weights))
  }
  odd <- setdiff(names(weights), rankers)
  if (length(odd) > 0L || anyDuplicated(names(weights))) {
    stop_input("argument", "The names of `weights` must be the names of the rankers, each once.",
               if (length(odd) > 0L) sprintf("There is no ranker %s.", enumerate(odd)),
               if (length(odd) > 0L) did_you_mean(odd[1L], rankers), call = call)
  }
  as.double(weights[rankers])
}

# Leaves out the rankers of weight 0.
weighted_lists <- function(lists, weights) {
  keep <- weights > 0
  if (all(keep)) {
    return(list(lists = lists, weights = weights))
  }
  lists$scores <- lists$scores[, keep, drop = FALSE]
  lists$rankers <- lists$rankers[keep]
  list(lists = lists, weights = weights[keep])
}

fused_by_rules <- function(method, how, lists, ties, weights, threads,
                           call = rlang::caller_env()) {
  weighted <- weighted_lists(lists, weights)
  positions <- tie_positions(lists, ties, call)
  scores <- if (how$kind == "majority") {
    warn_all_pairs(sprintf("`fuse_%s()`", method$name), diff(lists$offsets),
                   "Use `fuse_borda()` or `fuse_rrf()`, or give only the first documents of each run.",
                   length(weighted$weights) / 10)
    majority_counts(weighted$lists$scores, lists$order, lists$offsets, positions,
                    weighted$weights, how$missing == "last", how$margins, threads)
  } else {
    if (how$value %in% calculating) check_finite_scores(weighted$lists, call)
    fused_scores(weighted$lists$scores, lists$order, lists$offsets, positions,
                 rank_table(method, how, lists, length(weighted$weights)), numeric(),
                 weighted$weights, core_options(how, method), threads)
  }
  fused_value(scores, lists, method$name)
}

# The value of each rank for each ranker, up to the longest possible list.
rank_table <- function(method, how, lists, rankers) {
  if (how$value != "table") {
    return(matrix(0, 0L, rankers))
  }
  matrix(how$table(method, as.double(seq_len(max(diff(lists$offsets))))), ncol = rankers,
         nrow = max(diff(lists$offsets)))
}

core_options <- function(how, method) {
  list(value = how$value, segments = 0L, times_scores = FALSE, missing = how$missing,
       combination = how$combination, reward = how$reward, parameter = how$parameter(method))
}
