#' Can judgements be reused for a new run?
#'
#' Evaluates each run as if it had not contributed to the pool: documents that only this run contributed
#' become unjudged. Use it to see how much the judgements underestimate later runs. Large drops mean that new
#' runs should be compared with [judgement_bounds()], or need their own judgements.
#'
#' @param runs The runs that made the pool: a named list of two or more, made by [read_run()] or [as_run()].
#' @param qrels The judgements, made by [read_qrels()] or [as_qrels()].
#' @param depth The depth of the pool: the number of top documents of each run that were judged.
#' @param groups The groups of the runs, such as teams or methods, in the order of `runs`. A vector with the names of
#'   the runs may be in any order. The runs of a group are left out together. Runs of one team share documents, so
#'   leaving out only one of them shows too small a change. By default each run is its own group.
#' @param metric The metric or its text, or a list of several; default `"map"`.
#' @param topics The rule if the queries of a run and of the judgements differ: `"error"` (the default),
#'   `"qrels"` or `"common"`, see [evaluate()].
#' @param convention,threads See [evaluate()].
#'
#' @return A value of class `rankmix_leave_out`. `tidy()` returns a data frame with a row for each metric and
#'   run:
#'   * `run`, `group`: the run, and the group that was left out;
#'   * `unique`, `unique_relevant`: the number of judged and of relevant documents that only the group
#'     contributed, over all queries;
#'   * `value`, `value_without`: the mean with all judgements, and without these documents;
#'   * `change`: `value_without` minus `value`. `relative_change`: `change` divided by `value`;
#'   * `rank`, `rank_without`: the rank of the run among all runs by the mean. Equal means share a mean rank;
#'   * `tau`: Kendall's tau (tau-b with ties) of the means of all runs with and without these documents.
#'
#'   [autoplot.rankmix_leave_out()] draws the changes.
#' @examples
#' run <- function(...) as_run(data.frame(query = 1, document = c(...), score = 4:1))
#' runs <- list(one = run("a", "b", "c", "d"), two = run("b", "a", "e", "c"),
#'              new = run("x", "a", "y", "b"))
#' qrels <- as_qrels(data.frame(query = 1, document = c("a", "b", "e", "x", "y"),
#'                              relevance = c(1, 1, 0, 1, 0)))
#' leave_out_runs(runs, qrels, depth = 3)
#'
#' @details
#' For each group the pool of the other runs is the union of their top `depth` documents of each query.
#' Judged documents that only the group contributed become unjudged. These documents then count as not relevant, and do
#' not count in the ideal ranking or in R. Judged documents that no given run has in its top `depth` keep
#' their judgement. `print()` shows their number. If there are many, `depth` is too small, or runs of the
#' pool are missing. Then the changes are underestimated.
#'
#' The relevance of a document does not depend on the run that contributed it. So the change shows how much
#' lower the value would be if the group had not contributed. `tau` near 1 means that the order of the runs
#' hardly depends on the group.
#'
#' **Ties and undefined cases.** The top documents of runs with equal scores follow the metric's rule for
#' ties. If all judged documents of a query become unjudged, the query has the value of an empty query (see
#' `empty` of the metric). `relative_change` is `NA` if `value` is 0, and `tau` is `NA` if all means are
#' equal.
#'
#' @section Conditions: `rankmix_error_argument`: fewer than two runs or groups, runs without names, a wrong
#'   `depth`, or groups of another length. `rankmix_error_topics` and other conditions: see [evaluate()].
#' @section Cost: One evaluation of all runs for each group.
#' @references Zobel (1998). How reliable are the results of large-scale information retrieval experiments?
#'   \doi{10.1145/290941.291014}. Buckley, Dimmick, Soboroff and Voorhees (2007). Bias and the limits of
#'   pooling for large collections. \doi{10.1007/s10791-007-9032-x}
#' @export
leave_out_runs <- function(runs, qrels, depth, groups = NULL, metric = "map", convention = NULL,
                           topics = "error", threads = NULL) {
  check_given(missing(runs), "runs", "Give the named list of runs that made the pool.")
  check_given(missing(qrels), "qrels", "Make them by `read_qrels()` or `as_qrels()`.")
  check_given(missing(depth), "depth", "Give the number of top documents of each run that were judged.")
  call <- rlang::current_env()
  check_count(depth, "depth")
  check_choice(topics, "topics", c("error", "qrels", "common"))
  threads <- check_threads(threads)
  metrics <- check_metrics(metric, convention)
  runs <- check_runs(runs, call)
  groups <- check_run_groups(groups, names(runs), call)
  qrels <- as_qrels(qrels)
  ids <- common_topics(runs, qrels, topics, names(runs), call)
  metrics <- settle_metrics(metrics, qrels$relevance)
  qrels <- as.data.frame(qrels)[qrels$query %in% ids & qrels$relevance >= 0L, ]
  judged <- lapply(runs, judged_run, qrels, ids)
  contributed <- pool_contributions(judged, metrics[1L], qrels, depth, call)
  all <- run_means(metrics, judged, NULL, threads, call)
  parts <- lapply(unique(groups), function(group) {
    own <- groups == group
    unique <- rowSums(contributed[, own, drop = FALSE]) > 0 &
      rowSums(contributed[, !own, drop = FALSE]) == 0
    without <- run_means(metrics, judged, qrels[unique, ], threads, call)
    left_out_rows(all, without, own, group, sum(unique), sum(unique & qrels$relevance > 0L))
  })
  pairs <- do.call(rbind, parts)
  pairs <- pairs[order(match(pairs$metric, names(metrics)), match(pairs$run, names(runs))), ]
  row.names(pairs) <- NULL
  structure(list(runs = pairs, depth = depth, queries = length(ids), judged = nrow(qrels),
                 uncontributed = sum(rowSums(contributed) == 0),
                 grouped = length(unique(groups)) < length(runs)),
            class = "rankmix_leave_out")
}

check_run_groups <- function(groups, names, call) {
  if (is.null(groups)) {
    return(names)
  }
  if (!is.atomic(groups) && !is.factor(groups) || length(groups) != length(names) || anyNA(groups)) {
    stop_input("argument", sprintf("`groups` must have one group for each of the %d runs, not %s.",
                                   length(names), show_value(groups)),
               remedy = "Give them in the order of `runs`.", call = call)
  }
  if (!is.null(names(groups))) {
    if (!setequal(names(groups), names)) {
      stop_input("argument", "The names of `groups` must be the names of the runs.",
                 sprintf("They are %s.", enumerate(names(groups))),
                 sprintf("The runs are %s.", enumerate(names)), call = call)
    }
    groups <- groups[names]
  }
  groups <- as.character(groups)
  if (length(unique(groups)) < 2L) {
    stop_input("argument", "All runs are in one group.", "Without it no run is left.",
               "Give two or more groups.", call = call)
  }
  groups
}

# Judged documents x runs: whether the document is in the top `depth` of the run.
pool_contributions <- function(judged, metric, qrels, depth, call) {
  top <- lapply(judged, function(own) {
    positions <- document_positions(metric, own$scores, own, call)
    found <- document_ranks(metric[[1L]], own$scores, own, positions) <= depth
    rows <- data.frame(query = own$query_ids[own$query[found]], document = own$document[found])
    !is.na(match_pairs(qrels, rows))
  })
  matrix(unlist(top), nrow(qrels), length(judged), dimnames = list(NULL, names(judged)))
}

# The means of each run and metric: runs x metrics. `removed` are judgements that do not count.
run_means <- function(metrics, judged, removed, threads, call) {
  means <- vapply(judged, function(own) {
    if (!is.null(removed)) {
      rows <- data.frame(query = own$query_ids[own$query], document = own$document)
      own$relevance[!is.na(match_pairs(rows, removed))] <- -1L
    }
    query_means(metric_matrix(metrics, own$scores, own, threads, call), double())
  }, numeric(length(metrics)))
  matrix(means, length(judged), length(metrics), byrow = TRUE,
         dimnames = list(names(judged), names(metrics)))
}

left_out_rows <- function(all, without, own, group, unique, relevant) {
  rows <- lapply(colnames(all), function(metric) {
    value <- all[own, metric]
    changed <- without[own, metric]
    data.frame(
      metric = metric, run = rownames(all)[own], group = group, unique = unique,
      unique_relevant = relevant, value = unname(value), value_without = unname(changed),
      change = unname(changed - value),
      relative_change = ifelse(value == 0, NA_real_, unname((changed - value) / value)),
      rank = unname(rank(-all[, metric])[own]), rank_without = unname(rank(-without[, metric])[own]),
      tau = kendall_tau(all[, metric], without[, metric], TRUE)
    )
  })
  do.call(rbind, rows)
}

#' @param x The result of `leave_out_runs()`.
#' @param ... Must be empty.
#' @rdname leave_out_runs
#' @export
tidy.rankmix_leave_out <- function(x, ...) {
  check_no_others(...)
  x$runs
}

#' @export
print.rankmix_leave_out <- function(x, ...) {
  metrics <- unique(x$runs$metric)
  rows <- x$runs[x$runs$metric == metrics[1L], ]
  say(sprintf("<rankmix_leave_out> %d runs%s, %s; %s judged documents, pool depth %s", nrow(rows),
              if (x$grouped) sprintf(" in %d groups", length(unique(rows$group))) else "",
              counted(x$queries, "query", "queries"), format_count(x$judged), plain_number(x$depth)))
  shown <- utils::head(rows[order(rows$change), ], max_printed_pairs)
  names <- format(shorten(c(metrics[1L], shown$run), max(getOption("width") - 52L, 12L)))
  ranks <- format(c("rank", paste(plain_rank(shown$rank), "to", plain_rank(shown$rank_without))))
  say(sprintf("  %s    with without   change  %s     tau  only there", names[1L], ranks[1L]))
  say(sprintf("  %s  %.4f  %.4f  %+.4f  %s  %6s  %d (%d relevant)", names[-1L], shown$value,
              shown$value_without, shown$change + 0, ranks[-1L],
              ifelse(is.na(shown$tau), "NA", sprintf("%.3f", shown$tau)), shown$unique,
              shown$unique_relevant))
  more <- c(if (nrow(rows) > nrow(shown)) counted(nrow(rows) - nrow(shown), "more run"),
            if (length(metrics) > 1L) counted(length(metrics) - 1L, "more metric"))
  if (length(more) > 0L) say("  ... and ", paste(more, collapse = ", "), ", see `tidy()`")
  worst <- rows[which.min(rows$change), ]
  say(sprintf("largest drop: %.4f (%s), `%s`", 0 - worst$change,
              if (is.na(worst$relative_change)) "of 0" else sprintf("%.1f %%", -100 * worst$relative_change),
              worst$run))
  if (x$uncontributed > 0L) {
    say(sprintf("%s of no run's top %s kept the judgement",
                counted(x$uncontributed, "judged document"), plain_number(x$depth)))
  }
  invisible(x)
}

plain_rank <- function(rank) vapply(rank, plain_number, "")
