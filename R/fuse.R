#' Fuse runs or scores
#'
#' Makes one ranking of several, query by query, also where the rankers retrieved different
#' documents: by what their places or normalised scores are worth, or by what judged queries
#' say of them.
#'
#' @param runs A named list of runs, made by [read_run()] or [as_run()], or data frames with the
#'   columns `query`, `document` and `score` (or `rank`, 1 for the first); or, with ranking data
#'   as `data`, what [evaluate()] takes: a named list of rankers or scores, a data frame or
#'   matrix with a column of scores for each ranker, `NA` where it did not retrieve the
#'   document.
#' @param data For scores the ranking data they are of, made by [ranking_data()] or
#'   [read_letor()]. For runs nothing; or, for a method that learns, judgements
#'   ([read_qrels()], [as_qrels()]).
#' @param method One of [fusion_methods], such as `fuse_rrf(k = 60)` or its text `"rrf"`; one of
#'   [learned_fusion] with `folds`; or what [fit()] made of one.
#' @param normalize For the methods `comb_...()`, how the scores of each list are made
#'   comparable: `"min_max"` (the default), `"sum"`, `"max"`, `"z"`, `"rank"`, `"borda"` or
#'   `"none"`, see Details.
#' @param missing What a document counts in the list of a ranker that did not retrieve it:
#'   `"skip"`, `"zero"` or `"last"`, see Details; `NULL` for the method's default.
#' @param ties How documents of a list with equal scores are placed: `"average"`, each is worth
#'   the mean of the places that they share; or `"document"`, by decreasing id, compared byte by
#'   byte, as trec_eval does.
#' @param weights Weights of the rankers, 0 or more: numbers in the order of `runs`, or with
#'   their names. A ranker of weight 0 is as good as absent.
#' @param folds For a method that learns: the number of folds into which the judged queries are
#'   dealt, at least 2, or what [query_folds()] gave. Each query is fused by what was learned
#'   from those of the other folds; a query without judgements by what was learned from all.
#' @param seed Seed of the deal; by default from R's generator, so that [set.seed()] rules.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#'
#' @details
#' With the scores s of a list of n documents, their least and largest min and max, and N
#' documents of the query that any ranker retrieved, the normalised score is
#'
#' * `"min_max"`: \eqn{(s - min) / (max - min)}; 1 where all scores of the list are equal.
#' * `"sum"`: \eqn{(s - min) / \sum (s - min)}{(s - min) / sum(s - min)}; 1 / n where all are
#'   equal.
#' * `"max"`: \eqn{s / \max |s|}{s / max |s|}, which for scores of 0 and more is the usual s /
#'   max; 0 where all are 0.
#' * `"z"`: \eqn{(s - mean) / sd}, sd with the divisor n; 0 where all are equal.
#' * `"rank"`: \eqn{1 - (p - 1) / n} of the place p.
#' * `"borda"`: \eqn{1 - (p - 1) / N}.
#' * `"none"`: s.
#'
#' *Missing documents.* A ranker that lacks a document that another has
#'
#' * `"skip"`: does not count for it. A sum has a term less, and \eqn{n_d} (see
#'   [fusion_methods]) does not count the ranker; it has no vote on pairs with the document.
#' * `"zero"`: counts, with 0.
#' * `"last"`: counts, as though it had it behind all others. Places are worth the mean of the
#'   places n + 1 to N (which is Borda's rule); scores and `"rank"` the least of the list. In
#'   votes it is below all that the ranker retrieved, and equal to the others that it lacks.
#'
#' A ranker that has no document for a query does not count in that query, whatever `missing`
#' is. A query that only one ranker has is fused from its list alone.
#'
#' *Ties.* The order of rows never matters, nor does that of the runs: terms are sorted
#' before they are added, so that documents with the same places have the same fused score to
#' the last bit. Fused scores that are equal are ties, for [evaluate()] to break by its rule.
#'
#' Scores must be finite for the methods that calculate with them. Cost of a query with m
#' rankers: O(m N log N), of majorities O(m N^2). Memory: 8 m bytes a document of the pool, and
#' as much again in the making.
#'
#' @return For runs a run as [as_run()] gives it: queries in order of appearance, each best
#'   first, equal scores by decreasing document id; `tag` is the name of the method. For scores
#'   one score a row of `data`, `-Inf` for a document that no ranker retrieved. Both go into
#'   [evaluate()], [compare_rankers()] and [write_run()].
#' @section Conditions: `rankmix_error_argument`: runs without names, fewer than two, a method
#'   that there is not, weights that do not fit. `rankmix_error_topics`: a ranker has no query
#'   in common with another; `rankmix_error_document`: no document in common; or a document
#'   twice in a query; or ties by document without ids. `rankmix_error_scores`: scores that are
#'   not one number a row, or infinite where that has no meaning. `rankmix_error_option`: an
#'   argument that the method does not take. `rankmix_error_unjudged` and others of
#'   [learned_fusion].
#' @seealso [aggregate_ranks()] for Markov chains over rankers that score all documents,
#'   [mix()] and [mixture()] for weights by a held-out metric.
#' @references Montague and Aslam (2001), Relevance score normalization for metasearch,
#'   \doi{10.1145/502585.502657}, and those of [fusion_methods].
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

# What the arguments say is done: the rules of a method with `worth` and `missing` settled.
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
               remedy = paste0("Set `folds = 5`, so that no query is fused by what was learned ",
                               "from itself; or learn from other queries: `fit(", format(method),
                               ", runs, qrels)`."), call = call)
  }
  if (model && !ties %in% c("average", method$ties)) {
    stop_input("option", sprintf("The model has learned with `ties = \"%s\"`.", method$ties),
               remedy = "Leave `ties` out.", call = call)
  }
  if (model || learned) {
    return(list(kind = if (model) "model" else "learned"))
  }
  rules <- fusion_rules[[method$name]]
  if (!rules$weighted) {
    refuse_option(method, "weights", weights, call)
  }
  settle_worth(rules, method, normalize, missing, call)
}

refuse_option <- function(method, name, value, call) {
  if (!is.null(value)) {
    what <- if (inherits(method, "rankmix_fusion_model")) method$method else method
    stop_input("option", sprintf("`%s` takes no `%s`.", format(what), name),
               remedy = sprintf("Leave `%s` out.", name), call = call)
  }
}

# What does not learn, or has learned, has no use for them.
refuse_judgements <- function(method, data, call = rlang::caller_env()) {
  if (inherits(data, "rankmix_qrels")) {
    stop_input("option",
               if (inherits(method, "rankmix_fusion_model")) {
                 "The model has learned, and takes no judgements."
               } else {
                 sprintf("`%s` does not learn from judgements.", format(method))
               },
               remedy = "Leave `data` out; `evaluate()` takes them with the fused run.",
               call = call)
  }
}

# One a ranker, in their order.
fusion_weights <- function(weights, rankers, call = rlang::caller_env()) {
  if (is.null(weights)) {
    return(rep(1, length(rankers)))
  }
  weights <- if (is.list(weights)) unlist(weights) else weights
  good <- is_plain_number(weights) && length(weights) == length(rankers) &&
    all(is.finite(weights)) && all(weights >= 0) && any(weights > 0)
  if (!good) {
    stop_input("argument",
               sprintf(paste("`weights` must be %d numbers of 0 or more, one a ranker, not all 0;",
                             "not %s."), length(rankers),
                       if (is.numeric(weights)) setting_text(weights) else show_value(weights)),
               call = call)
  }
  if (is.null(names(weights))) {
    return(as.double(weights))
  }
  odd <- setdiff(names(weights), rankers)
  if (length(odd) > 0L || anyDuplicated(names(weights))) {
    stop_input("argument", "The names of `weights` must be those of the rankers, each once.",
               c(if (length(odd) > 0L) sprintf("There is no ranker %s.", enumerate(odd)),
                 if (length(odd) > 0L) did_you_mean(odd[1L], rankers)), call = call)
  }
  as.double(weights[rankers])
}

# Without the rankers of weight 0.
weighed_lists <- function(lists, weights) {
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
  weighed <- weighed_lists(lists, weights)
  positions <- tie_positions(lists, ties, call)
  scores <- if (how$kind == "majority") {
    majority_counts(weighed$lists$scores, lists$order, lists$offsets, positions,
                    weighed$weights, how$missing == "last", how$margins, threads)
  } else {
    if (how$worth %in% calculating) check_finite_scores(weighed$lists, call)
    fused_scores(weighed$lists$scores, lists$order, lists$offsets, positions,
                 place_table(method, how, lists, length(weighed$weights)), numeric(),
                 weighed$weights, core_options(how, method), threads)
  }
  fused_value(scores, lists, method$name)
}

# What places are worth to each ranker, as far as a list can go.
place_table <- function(method, how, lists, rankers) {
  if (how$worth != "table") {
    return(matrix(0, 0L, rankers))
  }
  matrix(how$table(method, as.double(seq_len(max(diff(lists$offsets))))), ncol = rankers,
         nrow = max(diff(lists$offsets)))
}

core_options <- function(how, method) {
  list(worth = how$worth, segments = 0L, times_scores = FALSE, missing = how$missing,
       combination = how$combination, reward = how$reward, parameter = how$parameter(method))
}
