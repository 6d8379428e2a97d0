#' Can unjudged documents reverse a comparison?
#'
#' Bounds the difference of two runs over all grades that their unjudged documents could have. Both runs
#' have the same judgements, so an unjudged document has one grade in both. Use it for runs that did not
#' contribute to the pool, before you trust a difference or pay for more judgements.
#'
#' @param runs The runs: a named list of two or more, made by [read_run()] or [as_run()].
#' @param qrels The judgements, made by [read_qrels()] or [as_qrels()].
#' @param metric The metric or its text, or a list of several, see [as_metric()].
#' @param control The name of a run. Only pairs with this run are bounded, and this run is `b`. By default, all
#' pairs are bounded.
#' @param topics The rule if the queries of a run and of the judgements differ: `"error"` (the default),
#'   `"qrels"` or `"common"`, see [evaluate()].
#' @param convention,max_grade,threads See [evaluate()].
#' @param level The significance level of the verdicts, default 0.05.
#'
#' @return A value of class `rankmix_judgement_bounds`. `tidy()` returns a data frame with a row for each
#'   metric and pair of runs `a` and `b`:
#'   * `queries`: the number of queries. `unjudged`: the mean number of unjudged documents of both runs;
#'   * `difference`: the mean difference of a and b, with unjudged documents as not relevant;
#'   * `lowest`, `highest`: the means of the lowest and of the highest difference of each query;
#'   * `lower`, `upper`: the lower end of the t interval of the lowest differences, and the upper end of the
#'     interval of the highest differences. The level is `level` divided by the number of pairs of the metric
#'     (Bonferroni);
#'   * `exact`: whether some grades of the unjudged documents give these bounds;
#'   * `verdict`: see Details.
#'
#'   `tidy(x, "queries")` has the bounds of each query. [autoplot.rankmix_judgement_bounds()] draws them.
#' @examples
#' documents <- c("a", "b", "c", "d")
#' qrels <- as_qrels(data.frame(query = rep(1:12, each = 4), document = documents,
#'                              relevance = c(1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1)))
#' run <- function(...) {
#'   as_run(data.frame(query = rep(1:12, each = 4), document = c(...), score = 4:1))
#' }
#' # Nobody has judged x and y.
#' bounds <- judgement_bounds(list(old = run(documents), new = run("x", "b", "a", "y")), qrels, "rbp")
#' bounds
#' head(tidy(bounds, "queries"), 3)
#'
#' @details
#' The unjudged documents of a query are the documents of both runs without a judgement, and the documents
#' with a negative grade. The grades of these documents are 0 to `max_grade`. All other documents are not relevant.
#'
#' **Exact bounds.** For sums over documents (precision, RBP, DCG) a document changes the difference by its
#' gain times \eqn{c_a - c_b}. \eqn{c} is the weight of its rank in each run. For the highest difference,
#' documents with a positive \eqn{c_a - c_b} have the grade `max_grade`, and the others have grade 0. Recall, F,
#' R-precision and NDCG are divided by a number that depends on all grades. Both runs have the same divisor, so
#' the highest fraction is found exactly. For each number of relevant documents, the documents with the highest
#' \eqn{c_a - c_b} are relevant. For success and reciprocal rank at most one document is relevant.
#'
#' **Outer bounds.** For average precision and ERR the value of a document depends on the documents above.
#' The bounds are valid, but no grades may give exactly these values. So `exact` is `FALSE`. The bound of ERR is
#' the highest value of one run minus the lowest of the other. This bound is wide for runs that share unjudged
#' documents. For average precision the sum of precisions is \eqn{\sum_i x_i / r_i + \sum_{i < j} x_i x_j /
#' \max(r_i, r_j)}{sum_i x_i / r_i + sum_(i < j) x_i x_j / max(r_i, r_j)}, with x = 1 for relevant documents and
#' ranks r. Each positive coefficient of a pair is split between both documents, and negative coefficients are left out.
#'
#' **Verdicts** about `a`: "better whatever the unjudged documents are" if `lower` is above 0. "worse
#' whatever the unjudged documents are" if `upper` is below 0. "depends on the unjudged documents" if one of the two
#' ends is significant, or if both are significant in opposite directions. "undecided" if neither end is significant:
#' then more queries are needed, not only more judgements. The intervals are for other queries, with the lowest (or
#' highest) grades in each query. These grades are the worst case, so the error probability is below `level`.
#'
#' **Undefined cases.** Without unjudged documents, `lowest`, `highest` and `difference` are equal. With one query, or
#' equal differences other than 0, there is no interval, and the verdict is "undecided".
#'
#' @section Conditions: `rankmix_error_argument`: fewer than two runs, or runs without names; a metric that
#'   has no bounds (see [evaluate()]), or a metric with `short_lists` other than `"pad"`; a `control` that is no run.
#'   `rankmix_error_grade`: `max_grade` is below the highest grade. `rankmix_error_topics`: see [evaluate()].
#' @section Cost: O(U^2) per query and pair with U unjudged documents.
#' @references Moffat and Zobel (2008). Rank-biased precision for measurement of retrieval effectiveness.
#'   \doi{10.1145/1416950.1416952}. Dinkelbach (1967). On nonlinear fractional programming.
#'   \doi{10.1287/mnsc.13.7.492}
#' @seealso [evaluate()] for the bounds of one run, [leave_out_runs()] for the bias of a pool.
#' @export
judgement_bounds <- function(runs, qrels, metric, control = NULL, convention = NULL, topics = "error",
                             max_grade = NULL, level = 0.05, threads = NULL) {
  check_given(missing(runs), "runs", "Give a named list of runs.")
  check_given(missing(qrels), "qrels", "Make them by `read_qrels()` or `as_qrels()`.")
  check_given(missing(metric), "metric", "For example `metric_ndcg(10)`.")
  check_significance(level)
  check_choice(topics, "topics", c("error", "qrels", "common"))
  threads <- check_threads(threads)
  metrics <- check_metrics(metric, convention)
  call <- rlang::current_env()
  runs <- check_runs(runs, call)
  qrels <- as_qrels(qrels)
  check_has_bounds(metrics, call)
  check_pads_lists(metrics, "Bounds of a difference", call)
  control <- check_control(control, names(runs))
  max_grade <- highest_grade(max_grade, qrels$relevance, metrics, call)
  metrics <- settle_metrics(metrics, c(qrels$relevance, max_grade))
  ids <- common_topics(runs, qrels, topics, names(runs), call)
  names <- family_pairs(names(runs), control)
  queries <- do.call(rbind, lapply(seq_along(metrics), function(m) {
    do.call(rbind, lapply(names, function(pair) {
      cbind(metric = names(metrics)[m], a = pair[1L], b = pair[2L],
            pair_bounds(metrics[m], runs[pair], qrels, ids, max_grade, threads, call))
    }))
  }))
  settings <- list(level = level, max_grade = max_grade, control = control, interval = "t",
                   alternative = "two.sided", family = length(names))
  exact <- vapply(metrics, is_exact_difference, NA)
  pairs <- do.call(rbind, lapply(split_pairs(queries), summarise_bounds, settings, exact))
  row.names(pairs) <- NULL
  structure(list(pairs = pairs, queries = queries, settings = settings),
            class = "rankmix_judgement_bounds")
}

check_runs <- function(runs, call) {
  if (is.object(runs) || !is.list(runs) || length(runs) < 2L) {
    found <- if (is.list(runs) && !is.object(runs)) sprintf("a list of %d", length(runs)) else show_value(runs)
    stop_input("argument", sprintf("`runs` must be a list of two or more runs, not %s.", found),
               remedy = "Write `list(first = run1, second = run2)`.", call = call)
  }
  ranker_names(runs, call, "For example `list(bm25 = run1, trees = run2)`.")
  lapply(runs, function(run) {
    if (!is.data.frame(run)) {
      stop_input("argument", sprintf("`runs` must contain runs, not %s.", show_value(run)),
                 remedy = "Make them by `read_run()` or `as_run()`.", call = call)
    }
    as_run(run)
  })
}

# Lists of different lengths would have different cut-offs, or no value.
check_pads_lists <- function(metrics, what, call) {
  for (name in names(metrics)) {
    short <- metric_rules(metrics[[name]])$short_lists
    if (!is.null(short) && short != "pad") {
      stop_input("argument", sprintf("%s of `%s` need `short_lists = \"pad\"`.", what, name),
                 sprintf("It is \"%s\".", short), call = call)
    }
  }
}

split_pairs <- function(queries) {
  key <- paste(queries$metric, queries$a, queries$b, sep = "\r")
  split(queries, factor(key, unique(key)))
}

# The bounds of each query, for one metric and two runs.
pair_bounds <- function(metric, pair, qrels, ids, max_grade, threads, call) {
  ranked <- lapply(pair, run_ranks, metric[[1L]], metric, qrels, ids, call)
  judged <- joint_judged(ranked, qrels, ids)
  ranks <- stats::setNames(judged$ranks, c("a", "b"))
  # Ranks are used as scores, because they have no ties.
  metric[[1L]] <- with_ties(metric[[1L]], "order")
  scores <- lapply(judged$ranks, function(rank) ifelse(is.finite(rank), -rank, NaN))
  rules <- filling_rules(metric[[1L]], judged, max_grade, call)
  values <- function(sides) {
    if (!is.null(sides)) judged$relevance <- highest_filling(rules, judged, sides, max_grade)
    metric_matrix(metric, scores, judged, threads, call)
  }
  difference <- function(sides = NULL) {
    both <- values(sides)
    snapped_difference(both[, 1L], both[, 2L])
  }
  highest_of <- function(first, second) {
    if (is_exact_difference(metric[[1L]])) {
      sides <- stats::setNames(ranks[c(first, second)], c("a", "b"))
      return(difference(sides) * (if (first == "a") 1 else -1))
    }
    column <- c(a = 1L, b = 2L)
    plain <- values(NULL)
    outer_bound(rules, judged, list(a = ranks[[first]], b = ranks[[second]]),
                values(list(a = ranks[[first]]))[, column[[first]]],
                values(list(b = ranks[[second]]))[, column[[second]]],
                plain[, column[[first]]] - plain[, column[[second]]])
  }
  data.frame(query = ids, difference = difference(), lowest = 0 - highest_of("b", "a"),
             highest = highest_of("a", "b"),
             unjudged = tabulate(judged$query[judged$relevance < 0L], length(ids)))
}

# The ranks of the documents of one run, by its own ties.
run_ranks <- function(run, metric, metrics, qrels, ids, call) {
  judged <- judged_run(run, qrels, ids)
  positions <- document_positions(metrics, judged$scores, judged, call)
  ranks <- document_ranks(metric, judged$scores, judged, positions)
  found <- is.finite(ranks)
  data.frame(query = ids[judged$query[found]], document = judged$document[found], rank = ranks[found])
}

# The documents of the runs and of the judgements in the form of judged_documents(), and their `ranks` in
# each run.
joint_judged <- function(ranked, qrels, ids) {
  qrels <- as.data.frame(qrels)[qrels$query %in% ids, c("query", "document", "relevance")]
  all <- do.call(rbind, c(list(qrels[c("query", "document")]),
                          unname(lapply(ranked, `[`, c("query", "document")))))
  all <- all[!duplicated(match_pairs(all, all)), ]
  grades <- qrels$relevance[match_pairs(all, qrels)]
  query <- match(all$query, ids)
  c(query_places(query, ids), list(
    relevance = ifelse(is.na(grades), -1L, grades),
    document = all$document,
    ranks = lapply(ranked, function(own) {
      rank <- own$rank[match_pairs(all, own)]
      ifelse(is.na(rank), Inf, rank)
    })
  ))
}

# One row for a pair.
summarise_bounds <- function(queries, settings, exact) {
  interval <- function(values) {
    family <- settings
    family$level <- settings$level / settings$family
    difference_interval(snapped(values), NULL, stratified_moments(snapped(values), NULL, NULL), family)
  }
  low <- interval(queries$lowest)
  high <- interval(queries$highest)
  data.frame(
    metric = queries$metric[1L], a = queries$a[1L], b = queries$b[1L], queries = nrow(queries),
    unjudged = mean(queries$unjudged), difference = mean(queries$difference),
    lowest = mean(queries$lowest), highest = mean(queries$highest), lower = low[["lower"]],
    upper = high[["upper"]], exact = exact[[queries$metric[1L]]] || all(queries$unjudged == 0),
    verdict = bounds_verdict(low, high)
  )
}

# Rounding noise does not make a difference.
snapped <- function(values) snapped_difference(values, numeric(length(values)))

bounds_verdicts <- c(better = "better whatever the unjudged documents are",
                     worse = "worse whatever the unjudged documents are",
                     depends = "depends on the unjudged documents", undecided = "undecided")

bounds_verdict <- function(low, high) {
  side <- function(interval) {
    if (anyNA(interval)) 0 else (interval[["lower"]] > 0) - (interval[["upper"]] < 0)
  }
  sides <- c(side(low), side(high))
  bounds_verdicts[[if (sides[1L] == 1) "better" else if (sides[2L] == -1) "worse" else {
    if (all(sides == 0)) "undecided" else "depends"
  }]]
}

#' @param x The bounds, made by `judgement_bounds()`.
#' @param what The rows of `tidy()`: `"pairs"` (the default) or `"queries"`.
#' @param ... Must be empty.
#' @rdname judgement_bounds
#' @export
tidy.rankmix_judgement_bounds <- function(x, what = "pairs", ...) {
  check_no_others(...)
  check_choice(what, "what", c("pairs", "queries"))
  x[[what]]
}

#' @export
print.rankmix_judgement_bounds <- function(x, ...) {
  metrics <- unique(x$pairs$metric)
  pairs <- x$pairs[x$pairs$metric == metrics[1L], ]
  shown <- utils::head(pairs, max_printed_pairs)
  say(sprintf("<rankmix_judgement_bounds> %s, %s; %.1f unjudged a query",
              counted(nrow(pairs), "pair of runs", "pairs of runs"),
              counted(pairs$queries[1L], "query", "queries"), mean(pairs$unjudged)))
  values <- sprintf("%+.4f  [%+.4f, %+.4f]", shown$difference + 0, shown$lowest + 0, shown$highest + 0)
  verdicts <- sub("whatever the unjudged documents are", "for all grades", shown$verdict)
  verdicts <- sub("the unjudged documents", "the grades", verdicts)
  say_pairs(metrics[1L], shown, "difference", values, verdicts)
  more <- c(if (nrow(pairs) > nrow(shown)) sprintf("%d more pairs", nrow(pairs) - nrow(shown)),
            if (length(metrics) > 1L) counted(length(metrics) - 1L, "more metric"))
  if (length(more) > 0L) say("  ... and ", paste(more, collapse = ", "), ", see `tidy()`")
  say(sprintf("[ ]: the mean difference over all grades 0 to %d of unjudged documents%s",
              x$settings$max_grade,
              if (all(shown$exact)) "" else "; outer bounds, which may not be reached"))
  say(sprintf("verdicts: %s %% t intervals of both ends%s", plain_number(100 * (1 - x$settings$level)),
              if (nrow(pairs) > 1L) sprintf(", Bonferroni over %d pairs", nrow(pairs)) else ""))
  invisible(x)
}
