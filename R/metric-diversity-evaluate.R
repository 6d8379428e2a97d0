#' Evaluate the novelty and diversity of runs
#'
#' Computes metrics of rankings from judgements of subtopics, query by query. Use it for ambiguous queries,
#' where a good list covers several meanings.
#'
#' @param run The run, made by [read_run()] or [as_run()], or a named list of runs.
#' @param qrels The judgements of subtopics, from `read_qrels(file, subtopics = TRUE)`. Or a data frame with
#'   the columns `query`, `subtopic`, `document` and `relevance`. A grade above 0 means relevant.
#' @param metrics The metrics, such as `"alpha_ndcg@20"` or [diversity_alpha_ndcg()], or a list of them. The
#'   default has the four metrics of the TREC web tracks. Names of the list become the names in the result.
#' @param topics The rule if the queries of a run and of the judgements differ, as in [evaluate()]. `"error"`
#'   (the default) stops. `"qrels"` counts every judged query, as `ndeval -c`. `"common"` counts only
#'   queries that are judged and in every run, as ndeval does otherwise.
#' @param ... Must be empty.
#'
#' @return A data frame of class `rankmix_evaluation`, as from [evaluate()]. Its column `relevant` has the
#'   number of documents that are relevant to any subtopic. [compare_rankers()] accepts it, and `summary()`
#'   gives means.
#' @examples
#' qrels <- data.frame(query = 1, subtopic = c(1, 1, 2, 3), document = c("a", "b", "a", "c"),
#'                     relevance = 1)
#' diverse <- as_run(data.frame(query = 1, document = c("a", "c", "b"), score = 3:1))
#' alike <- as_run(data.frame(query = 1, document = c("b", "a", "c"), score = 3:1))
#' result <- evaluate_diversity(list(diverse = diverse, alike = alike), qrels)
#' summary(result)
#'
#' @details The formulas are under [diversity_metrics]. The values agree with ndeval 4.5, the program of the TREC
#'   web tracks, with its option `-traditional`. Without this option ndeval uses the column of ranks,
#'   whereas rankmix ranks by score. Documents with equal scores are ranked by decreasing id, compared
#'   byte by byte. Subtopics are sorted by number, or as text if not all are numbers.
#'
#'   Documents without a judgement are relevant to no subtopic. A subtopic without a relevant document does
#'   not count. A query without a relevant document has the value 0; ndeval prints `nan` for nNRBP.
#'
#' @section Conditions: `rankmix_error_argument`: an unknown metric, or two metrics of the same name; or
#'   judgements without subtopics. `rankmix_error_topics`: queries in only one of run and judgements.
#'   `rankmix_error_document`: a document is judged twice for a subtopic, or a run has it twice for a query.
#'   `rankmix_error_column`: the judgements lack a column. `rankmix_error_grade`: an invalid grade.
#' @references The program ndeval, as in \url{https://github.com/seanmacavaney/pyndeval}.
#' @seealso [diversity_metrics].
#' @export
evaluate_diversity <- function(run, qrels, metrics = c("alpha_ndcg@20", "err_ia@20", "nrbp", "strec@20"),
                               topics = "error", ...) {
  check_no_others(...)
  check_given(missing(run), "run", "Make one by `read_run()` or `as_run()`.")
  check_given(missing(qrels), "qrels", "Read them by `read_qrels(file, subtopics = TRUE)`.")
  call <- rlang::current_env()
  metrics <- check_diversity_metrics(metrics, call)
  check_choice(topics, "topics", c("error", "qrels", "common"))
  qrels <- subtopic_judgements(qrels, call)
  several <- is.list(run) && !is.object(run)
  if (!several && !is.data.frame(run)) {
    stop_input("argument", sprintf("`run` must be a run, not %s.", show_value(run)),
               remedy = "Make one by `read_run()` or `as_run()`.")
  }
  rankers <- if (several) ranker_names(run, call)
  runs <- lapply(if (several) run else list(run), as_run)
  query_ids <- common_topics(runs, qrels, topics, rankers, call)
  diversity_evaluation(metrics, runs, rankers, qrels[qrels$query %in% query_ids, ], query_ids)
}

# Rows are sorted by metric, then ranker, as in evaluate().
diversity_evaluation <- function(metrics, runs, rankers, qrels, query_ids) {
  judged <- lapply(split(qrels, factor(qrels$query, query_ids)), judged_subtopics)
  ranked <- lapply(runs, ranked_subtopics, judged)
  values <- lapply(metrics, function(metric) {
    lapply(ranked, function(lists) {
      vapply(names(lists), function(q) diversity_value(metric, lists[[q]], judged[[q]]), 0)
    })
  })
  queries <- length(query_ids)
  times <- length(runs) * length(metrics)
  rows <- list(
    query = rep(query_ids, times),
    documents = rep(unlist(lapply(ranked, function(lists) vapply(lists, nrow, 0L)), use.names = FALSE),
                    length(metrics)),
    relevant = rep(vapply(judged, function(own) sum(rowSums(own) > 0), 0L, USE.NAMES = FALSE), times),
    metric = rep(names(metrics), each = queries * length(runs)),
    value = unlist(values, use.names = FALSE)
  )
  if (!is.null(rankers)) {
    rows <- c(list(ranker = rep(rep(rankers, each = queries), length(metrics))), rows)
  }
  text <- vapply(metrics, format, "")
  structure(list2DF(rows), class = c("rankmix_evaluation", "data.frame"),
            shown = ifelse(names(metrics) == text, text, paste(names(metrics), "=", text)),
            rows = queries * times, grades = subtopic_digests(qrels, query_ids))
}

# A logical matrix of relevance, documents x subtopics that have a relevant document. Documents have decreasing
# ids.
judged_subtopics <- function(qrels) {
  documents <- sort(unique(enc2utf8(qrels$document)), decreasing = TRUE, method = "radix")
  good <- qrels[qrels$relevance > 0L, ]
  subtopics <- sorted_subtopics(unique(good$subtopic))
  covers <- matrix(FALSE, length(documents), length(subtopics), dimnames = list(documents, NULL))
  covers[cbind(match(enc2utf8(good$document), documents), match(good$subtopic, subtopics))] <- TRUE
  covers
}

sorted_subtopics <- function(ids) {
  numbers <- suppressWarnings(as.numeric(ids))
  if (anyNA(numbers)) sort(ids, method = "radix") else ids[order(numbers)]
}

# The rows of this matrix for the documents of a run, in the order of the run. Documents without a row are not
# relevant.
ranked_subtopics <- function(run, judged) {
  run <- run[order(run$score, enc2utf8(run$document), decreasing = TRUE, method = "radix"), ]
  lists <- split(enc2utf8(run$document), factor(run$query, names(judged)))
  Map(function(documents, own) {
    at <- match(documents, rownames(own))
    covers <- own[at, , drop = FALSE]
    covers[is.na(at), ] <- FALSE
    covers
  }, lists, judged)
}

# Digests of the judgements. Comparisons use them to check that rankers were evaluated on the same judgements.
subtopic_digests <- function(qrels, query_ids) {
  judgement_digests(c(query_places(match(qrels$query, query_ids), query_ids),
                      list(relevance = qrels$relevance, document = paste(qrels$subtopic, qrels$document))))
}

check_diversity_metrics <- function(metrics, call) {
  if (inherits(metrics, "rankmix_diversity_metric")) {
    metrics <- list(metrics)
  }
  if (!(is.list(metrics) && !is.object(metrics) || is.character(metrics)) || length(metrics) == 0L) {
    stop_input("argument", sprintf("`metrics` must be diversity metrics, not %s.", show_value(metrics)),
               remedy = "For example \"alpha_ndcg@20\" or `diversity_alpha_ndcg(20)`.", call = call)
  }
  read <- lapply(metrics, read_diversity_metric, call = call)
  labels <- vapply(read, format, "", USE.NAMES = FALSE)
  given <- rlang::names2(metrics)
  labels <- ifelse(nzchar(given), given, labels)
  if (anyDuplicated(labels)) {
    stop_input("argument", sprintf("`metrics` contains %s more than once.",
                                   enumerate(unique(labels[duplicated(labels)]))),
               remedy = "Leave one out, or name them: `list(a = ..., b = ...)`.", call = call)
  }
  stats::setNames(read, labels)
}

# Judgements of subtopics ------------------------------------------------------------------

subtopic_judgements <- function(x, call) {
  if (inherits(x, c("rankmix_qrels", "ranking_data"))) {
    stop_input("argument", "The judgements have no subtopics.",
               remedy = "Read them by `read_qrels(file, subtopics = TRUE)`, or give a data frame.",
               call = call)
  }
  if (!is.data.frame(x)) {
    stop_input("argument", sprintf("`qrels` must be a data frame, not %s.", show_value(x)),
               remedy = "Read judgements by `read_qrels(file, subtopics = TRUE)`.", call = call)
  }
  columns <- c("query", "subtopic", "document", "relevance")
  check_columns(x, columns, call)
  new_subtopic_qrels(unclass(x)[columns], call = call)
}

# `where` gives file and lines if the rows come from a file.
new_subtopic_qrels <- function(fields, where = NULL, call = rlang::caller_env()) {
  ids <- lapply(stats::setNames(nm = c("query", "subtopic", "document")), function(name) {
    id_text(check_ids(fields[[name]], name, call))
  })
  qrels <- data.frame(ids, relevance = check_judgements(fields$relevance, where, call))
  again <- which(duplicated(qrels[1:3]))[1L]
  if (!is.na(again)) {
    stop_input("document",
               sprintf("Document `%s` is judged twice for subtopic `%s` of query `%s`.",
                       qrels$document[again], qrels$subtopic[again], qrels$query[again]),
               if (is.null(where)) {
                 sprintf("The second time in row %d.", again)
               } else {
                 sprintf("The second time in '%s', line %s.", where$file, plain_number(where$line[again]))
               },
               "Keep one of them.", call = call)
  }
  structure(qrels, class = c("rankmix_subtopic_qrels", "data.frame"))
}

#' @rdname trec
#' @export
print.rankmix_subtopic_qrels <- function(x, n = 10L, ...) {
  check_count(n, "n", min = 0, infinite = TRUE)
  size <- counted(nrow(x), "judgement")
  if (all(c("query", "subtopic") %in% names(x))) {
    subtopics <- nrow(unique(as.data.frame(x)[c("query", "subtopic")]))
    size <- sprintf("%s of %s for %s", size, counted(subtopics, "subtopic"),
                    counted(length(unique(x$query)), "query", "queries"))
  }
  say("<rankmix_subtopic_qrels> ", size)
  print_rows(x, n)
  invisible(x)
}
