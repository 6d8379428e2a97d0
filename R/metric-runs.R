# Evaluation of runs with judgements. Some documents are retrieved but not judged; others are judged
# but not retrieved.

# Evaluates one run or a named list of runs. Each run has its own documents, but all use the same
# queries and the same scale of grades.
evaluate_runs <- function(object, qrels, metrics, topics, threads,
                          unjudged = list(judged_only = FALSE, bounds = FALSE),
                          call = rlang::caller_env()) {
  if (unjudged$bounds) check_has_bounds(metrics, call)
  qrels <- as_qrels(qrels)
  several <- is.list(object) && !is.object(object)
  if (!several && !is.data.frame(object)) {
    stop_input("argument",
               sprintf("With judgements, `object` must be a run, not %s.",
                       show_value(object)),
               remedy = "Make one by `read_run()` or `as_run()`.", call = call)
  }
  names <- if (several) ranker_names(object, call)
  runs <- lapply(if (several) object else list(object), as_run)
  query_ids <- common_topics(runs, qrels, topics, names, call)
  metrics <- settle_metrics(metrics, c(qrels$relevance, unjudged$max_grade))
  judged <- lapply(runs, judged_run, qrels, query_ids)
  if (unjudged$judged_only) judged <- lapply(judged, without_unjudged)
  parts <- lapply(seq_along(runs), function(i) {
    own <- evaluation(metrics, judged[[i]]$scores, judged[[i]], threads, names[i], call)
    if (!unjudged$bounds) {
      return(own)
    }
    add_bounds(own, metrics, judged[[i]], unjudged$max_grade, threads, call)
  })
  warn_ties(metrics, lapply(seq_along(runs), function(i) {
    list(scores = judged[[i]]$scores, judged = judged[[i]], rankers = names[i])
  }), threads)
  if (!several) {
    return(parts[[1L]])
  }
  # Rows are sorted by metric, as for columns of scores.
  all <- do.call(rbind, parts)
  all <- all[order(match(all$metric, names(metrics))), ]
  row.names(all) <- NULL
  structure(all, shown = attr(parts[[1L]], "shown"), functions = attr(parts[[1L]], "functions"), rows = nrow(all))
}

# The documents of a run and of its judgements, in the form of judged_documents(), and their `scores`.
# Grade -1 marks documents that are retrieved but not judged, score NaN documents that are judged but not
# retrieved. `pooled` marks documents with a line in the judgements, even if its grade is negative.
judged_run <- function(run, qrels, query_ids) {
  run <- run[run$query %in% query_ids, ]
  qrels <- qrels[qrels$query %in% query_ids, ]
  at <- match_pairs(run, qrels)
  missed <- setdiff(seq_len(nrow(qrels)), at)
  grades <- c(qrels$relevance[at], qrels$relevance[missed])
  query <- match(c(run$query, qrels$query[missed]), query_ids)
  c(query_places(query, query_ids), list(
    relevance = ifelse(is.na(grades), -1L, grades),
    document = c(run$document, qrels$document[missed]),
    pooled = c(!is.na(at), rep(TRUE, length(missed))),
    scores = c(run$score, rep(NaN, length(missed)))
  ))
}

# Condensed lists: documents without a judgement are removed.
without_unjudged <- function(judged) {
  keep <- judged$relevance >= 0L
  c(query_places(judged$query[keep], judged$query_ids),
    list(relevance = judged$relevance[keep], document = judged$document[keep], scores = judged$scores[keep]))
}

# For each row of `table`, the row of `others` with the same query and document.
match_pairs <- function(table, others) {
  queries <- unique(c(table$query, others$query))
  documents <- unique(c(table$document, others$document))
  key <- function(t) {
    (match(t$query, queries) - 1) * length(documents) + match(t$document, documents)
  }
  match(key(table), key(others))
}

# The queries that count, in the order of the judgements.
common_topics <- function(runs, qrels, topics, names, call) {
  judged <- unique(qrels$query)
  ranked <- lapply(runs, function(run) unique(run$query))
  if (topics == "error") {
    for (i in seq_along(runs)) {
      check_same_topics(ranked[[i]], judged, names[i], call)
    }
  }
  if (topics == "qrels") {
    return(judged)
  }
  common <- judged[judged %in% Reduce(intersect, ranked)]
  if (length(common) == 0L) {
    stop_input("topics",
               if (length(runs) == 1L) {
                 "The run and the judgements have no query in common."
               } else {
                 "The runs and the judgements have no query in common."
               },
               remedy = "Are the query ids written alike?", call = call)
  }
  common
}

check_same_topics <- function(ranked, judged, name, call) {
  if (setequal(judged, ranked)) {
    return(invisible(ranked))
  }
  only <- function(a, b, text) {
    rest <- setdiff(a, b)
    if (length(rest) > 0L) sprintf(text, enumerate(rest, 10L))
  }
  stop_input(
    "topics",
    sprintf("%s and the judgements have different queries.",
            if (is.null(name)) "The run" else sprintf("The run `%s`", name)),
    c(only(ranked, judged, "Only in the run: %s."),
      only(judged, ranked, "Only in the judgements: %s.")),
    paste("Set `topics = \"qrels\"` to count a query that the run lacks as an empty",
          "list, or `topics = \"common\"` to leave it out."),
    call = call
  )
}
