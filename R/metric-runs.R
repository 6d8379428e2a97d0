# Runs against judgements: documents that are retrieved and not judged, and the
# other way round.

# One run or a named list of them; each has documents of its own.
evaluate_runs <- function(object, qrels, metrics, topics, threads,
                          call = rlang::caller_env()) {
  if (is.data.frame(object)) {
    judged <- judge_run(as_run(object), qrels, topics, NULL, call)
    return(evaluation(metrics, judged$scores, judged, threads, NULL, call))
  }
  if (!is.list(object) || is.object(object)) {
    stop_input("argument",
               sprintf("With judgements, `object` must be a run, not %s.",
                       show_value(object)),
               remedy = "Make one by `read_run()` or `as_run()`.", call = call)
  }
  names <- ranker_names(object, call)
  parts <- lapply(names, function(name) {
    judged <- judge_run(as_run(object[[name]]), qrels, topics, name, call)
    evaluation(metrics, judged$scores, judged, threads, name, call)
  })
  structure(do.call(rbind, parts), resolved = attr(parts[[1L]], "resolved"))
}

# The documents of a run and of its judgements as judged_documents(), and their
# `scores`: grade -1 is retrieved but not judged, score NaN judged but not
# retrieved.
judge_run <- function(run, qrels, topics, name, call) {
  query_ids <- common_topics(run, qrels, topics, name, call)
  run <- run[run$query %in% query_ids, ]
  qrels <- qrels[qrels$query %in% query_ids, ]
  documents <- unique(c(run$document, qrels$document))
  # A number for each pair of query and document.
  key <- function(table) {
    match(table$query, query_ids) * (length(documents) + 1) +
      match(table$document, documents)
  }
  at <- match(key(run), key(qrels))
  missed <- setdiff(seq_len(nrow(qrels)), at)
  grades <- c(qrels$relevance[at], qrels$relevance[missed])
  query <- match(c(run$query, qrels$query[missed]), query_ids)
  list(
    relevance = ifelse(is.na(grades), -1L, grades),
    order = order(query) - 1L,
    offsets = c(0L, cumsum(tabulate(query, length(query_ids)))),
    query = query,
    query_ids = query_ids,
    document = c(run$document, qrels$document[missed]),
    scores = c(run$score, rep(NaN, length(missed)))
  )
}

# The queries that count, in the order of the judgements.
common_topics <- function(run, qrels, topics, name, call) {
  judged <- unique(qrels$query)
  ranked <- unique(run$query)
  if (topics == "error" && !setequal(judged, ranked)) {
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
      paste("Set `topics = \"qrels\"` to count what the run lacks as nothing",
            "retrieved, or `topics = \"common\"` to leave it out."),
      call = call
    )
  }
  common <- if (topics == "qrels") judged else judged[judged %in% ranked]
  if (length(common) == 0L) {
    stop_input("topics", "The run and the judgements have no query in common.",
               remedy = "Are the query ids written alike?", call = call)
  }
  common
}
