# The input of fusion in one form: documents x rankers.

# `runs` are runs, or columns of scores for `data`. Returns a list with `scores`, NaN if a ranker
# did not retrieve a document; `order`, `offsets` and `query`, which assign documents to
# `query_ids`; `document`, their ids or NULL; `rankers`, the names; `by`, `"run"` or
# `"data"`. With judgements also `relevance`, -1 for unjudged documents, and the judged documents
# that no ranker retrieved.
fusion_lists <- function(runs, data, threads, call = rlang::caller_env()) {
  if (is.data.frame(runs) && all(c("query", "document") %in% names(runs))) {
    stop_input("argument", "Fusion needs two or more runs.",
               remedy = "Give a named list of runs.", call = call)
  }
  if (!is.list(runs) && !is.matrix(runs)) {
    stop_input("argument",
               sprintf("`runs` must be a named list of runs, or scores for `data`, not %s.",
                       show_value(runs)),
               remedy = "For example `list(bm25 = first, dense = second)`.", call = call)
  }
  rankers <- ranker_names(runs, call)
  count <- if (is.matrix(runs)) ncol(runs) else length(runs)
  if (count < 2L) {
    stop_input("argument", "Fusion needs two or more rankers.",
               remedy = "Give two or more.", call = call)
  }
  frames <- if (is.list(runs)) vapply(runs, is.data.frame, NA) else FALSE
  lists <- if (any(frames) && !inherits(data, "ranking_data")) {
    pooled_runs(runs, data, frames, call)
  } else {
    score_lists(runs, data, rankers, frames, threads, call)
  }
  check_shared(lists, call)
  lists
}

# Runs, pooled ------------------------------------------------------------------------------

pooled_runs <- function(runs, qrels, frames, call) {
  if (!all(frames)) {
    stop_input("argument",
               sprintf("`%s` must be a run as the others are, not %s.",
                       names(runs)[!frames][1L], show_value(runs[[which(!frames)[1L]]])),
               remedy = "Make one by `read_run()` or `as_run()`.", call = call)
  }
  if (!is.null(qrels)) {
    check_class(qrels, "data", "rankmix_qrels", "`read_qrels()` or `as_qrels()`, for runs",
                call)
    qrels <- as_qrels(qrels)
  }
  runs <- Map(function(run, name) fusion_run(run, name, call), runs, names(runs))
  tables <- c(runs, if (!is.null(qrels)) {
    ranked <- unique(unlist(lapply(runs, function(run) unique(run$query))))
    list(qrels[qrels$query %in% ranked, ])
  })
  pool <- pool_tables(tables)
  check_no_duplicates(pool, runs, call)
  values <- unlist(lapply(tables, function(table) {
    if (is.null(table$score)) as.double(table$relevance) else table$score
  }), use.names = FALSE)
  scores <- matrix(NaN, length(pool$query), length(tables))
  table <- rep.int(seq_along(tables), vapply(tables, nrow, 1L))
  scores[pool$row + (table - 1) * nrow(scores)] <- values
  lists <- list(scores = scores[, seq_along(runs), drop = FALSE],
                order = seq_along(pool$query) - 1L,
                offsets = c(0L, cumsum(tabulate(pool$query, length(pool$query_ids)))),
                query = pool$query, query_ids = pool$query_ids, document = pool$document,
                rankers = names(runs), by = "run")
  if (!is.null(qrels)) {
    grades <- scores[, length(tables)]
    lists$relevance <- ifelse(is.nan(grades), -1L, as.integer(grades))
    lists$judged <- which(pool$query_ids %in% qrels$query)
  }
  lists
}

# Returns a valid run. Objects of read_run() are not checked row by row, because pooling finds
# duplicates.
fusion_run <- function(run, name, call) {
  whole <- inherits(run, "rankmix_run") && is.character(run$query) &&
    is.character(run$document) && is.double(run$score) && !anyNA(run$query) &&
    !anyNA(run$document) && !anyNA(run$score)
  if (whole) {
    return(run)
  }
  tryCatch(as_run(run), rankmix_error = function(e) {
    rlang::abort(sprintf("`%s` is no run.", name), class = class(e)[1:2], parent = e,
                 call = call)
  })
}

# Pools the documents of all tables. `row` is the pool row of each table row. The pool is sorted by
# `query`, and by first appearance within a query. `twice` is the number of a table with a duplicate
# document, or 0.
pool_tables <- function(tables) {
  column <- function(name) unlist(lapply(tables, `[[`, name), use.names = FALSE)
  queries <- coded_texts(column("query"))
  documents <- coded_texts(column("document"))
  pool <- pool_codes(queries$code, documents$code, vapply(tables, nrow, 1L),
                     length(queries$texts), length(documents$texts))
  list(row = pool$row, query = pool$query, query_ids = queries$texts,
       document = documents$texts[pool$document], twice = pool$twice)
}

# Integer codes in order of first appearance, and the text of each code.
coded_texts <- function(texts) {
  texts <- enc2utf8(texts)
  coded <- text_codes(texts)
  list(code = coded$code, texts = texts[coded$first])
}

check_no_duplicates <- function(pool, runs, call) {
  if (pool$twice > 0L) {
    # as_run() finds the duplicate again, and its error names the document.
    class(runs[[pool$twice]]) <- "data.frame"
    fusion_run(runs[[pool$twice]], names(runs)[pool$twice], call)
  }
}

# Columns of scores ---------------------------------------------------------------------------

score_lists <- function(runs, data, rankers, frames, threads, call) {
  if (is.null(data)) {
    stop_input("argument", "`data` is not given. It has the documents of the scores.",
               remedy = paste("Give ranking data; or give runs, made by `read_run()` or",
                              "`as_run()`, instead of scores."), call = call)
  }
  check_ranking_data(data, judged = FALSE,
                     made_by = "`ranking_data()`, or `read_qrels()` for runs", call = call)
  if (any(frames)) {
    stop_input("argument", "Runs have their own documents, and need no ranking data.",
               remedy = "Leave `data` out, or give `as_qrels(data)` to learn from.", call = call)
  }
  columns <- if (is.matrix(runs)) {
    lapply(seq_len(ncol(runs)), function(j) runs[, j])
  } else {
    as.list(runs)
  }
  columns <- Map(function(column, name) {
    fusion_scores(scores_of(column, data, threads, call), data, name, call)
  }, columns, rankers)
  list(scores = do.call(cbind, unname(columns)), order = data$order, offsets = data$offsets,
       query = data$query, query_ids = data$query_ids, document = data$document,
       rankers = rankers, by = "data", relevance = data$relevance, weight = data$weight,
       judged = if (is_judged(data)) seq_along(data$query_ids))
}

# Missing scores are documents that the ranker did not retrieve.
fusion_scores <- function(scores, data, name, call) {
  if (is.logical(scores) && all(is.na(scores))) {
    scores <- as.double(scores)
  }
  absent <- is.na(scores)
  scores <- check_scores(replace(scores, which(absent), 0), data, name, call)
  replace(scores, which(absent), NaN)
}

# If a ranker shares no document with any other, its ids have another form.
check_shared <- function(lists, call) {
  has <- !is.nan(lists$scores)
  several <- rowSums(has) > 1
  alone <- which(colSums(has & several) == 0)[1L]
  if (is.na(alone)) {
    return(invisible(lists))
  }
  queries_of <- function(r) unique(lists$query[has[, r]])
  own <- queries_of(alone)
  others <- unique(unlist(lapply(setdiff(seq_along(lists$rankers), alone), queries_of)))
  name <- lists$rankers[alone]
  if (length(intersect(own, others)) == 0L) {
    stop_input("topics",
               sprintf("`%s` has no query in common with another ranker.", name),
               c(if (length(own) > 0L) example_ids(name, lists$query_ids[own]),
                 if (length(others) > 0L) example_ids("The others", lists$query_ids[others])),
               "Are the query ids written alike?", call = call)
  }
  ids_of <- function(rows) unique(lists$document[rows & lists$query %in% own])
  stop_input("document",
             sprintf("`%s` has no document in common with another ranker.", name),
             if (!is.null(lists$document)) {
               c(example_ids(name, ids_of(has[, alone])),
                 example_ids("The others", ids_of(rowSums(has) > 0 & !has[, alone])))
             },
             paste("Are the document ids written alike? Combine the rows of runs over different",
                   "collections by `rbind()`."), call = call)
}

example_ids <- function(who, ids) {
  sprintf("%s: %s.", if (who == "The others") who else sprintf("`%s`", who), enumerate(ids, 3L))
}

# Parts of lists ----------------------------------------------------------------------------

# The lists of some queries, given by position. `rows` are their row numbers in all lists.
take_lists <- function(lists, queries) {
  rows <- which(lists$query %in% queries)
  query <- match(lists$query[rows], queries)
  list(scores = lists$scores[rows, , drop = FALSE], order = order(query) - 1L,
       offsets = c(0L, cumsum(tabulate(query, length(queries)))), query = query,
       query_ids = lists$query_ids[queries], document = lists$document[rows],
       rankers = lists$rankers, by = lists$by, relevance = lists$relevance[rows],
       judged = which(queries %in% lists$judged), rows = rows)
}

# The order in which tied documents are ranked, for the core. Empty if they share ranks; otherwise
# by decreasing id, as in trec_eval.
tie_positions <- function(lists, ties, call = rlang::caller_env()) {
  if (ties == "average") {
    return(integer())
  }
  check_has_documents(lists, call)
  ids <- enc2utf8(lists$document)
  match(ids, sort(unique(ids), decreasing = TRUE, method = "radix"))
}

# The input with fused scores: a run, best first, or one score per row of the data. The score of a
# document that no ranker retrieved is NaN.
fused_value <- function(scores, lists, tag) {
  if (lists$by == "data") {
    scores[is.nan(scores)] <- -Inf
    return(scores)
  }
  rows <- which(!is.nan(scores))
  rows <- rows[order(lists$query[rows], -scores[rows], method = "radix")]
  n <- length(rows)
  tied <- which(lists$query[rows[-1L]] == lists$query[rows[-n]] &
                  scores[rows[-1L]] == scores[rows[-n]])
  if (length(tied) > 0L) {
    tied <- sort(unique(c(tied, tied + 1L)))
    part <- rows[tied]
    rows[tied] <- part[order(lists$query[part], -scores[part], enc2utf8(lists$document[part]),
                             decreasing = c(FALSE, FALSE, TRUE), method = "radix")]
  }
  run <- list(query = lists$query_ids[lists$query[rows]], document = lists$document[rows],
              score = scores[rows], tag = rep(tag, n))
  structure(run, row.names = .set_row_names(n), class = c("rankmix_run", "data.frame"))
}
