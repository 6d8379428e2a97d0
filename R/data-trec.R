#' Rankings and judgements of TREC
#'
#' `read_run()` and `write_run()` read and write rankings in the format of trec_eval, lines
#' `query Q0 document rank score tag`. `read_qrels()` and `write_qrels()` do the same for judgements, lines
#' `query 0 document grade`. `as_run()` and `as_qrels()` make the same values from data frames.
#' [evaluate()] evaluates a run with judgements.
#'
#' @param file The path of a text file. Files to read may be compressed (`.gz`).
#' @param x The run or judgements to write. For `write_run()` also scores in the row order of `data`,
#'   for `write_qrels()` also [ranking_data()]. For `as_run()` a data frame with `query`, `document`,
#'   and `score` or `rank`; for `as_qrels()` with `query`, `document` and `relevance`.
#' @param data The ranking data with document ids, to write scores. Or a [data_source()] with document ids.
#' Then `x` is a model, which scores the source in chunks.
#' @param subtopics Whether judgements are read for each subtopic; default `FALSE`. With `TRUE` lines are
#'   `query subtopic document grade`, for [evaluate_diversity()].
#' @param tag The name of the run, one word. The default `NULL` keeps the tags of a run; for scores it is
#'   "rankmix".
#'
#' @details The first line that is not a comment determines the format. `read_run()` also reads lines
#'   `query document rank`, as in MS MARCO. `read_qrels()` also reads judgement lists, lines `grade
#'   qid:query # document`. Text after the tag and lines that begin with `#` are ignored. Lines of a
#'   query may be scattered. Ids are read as UTF-8, or as latin1 if they are not valid UTF-8. A negative
#'   grade marks a document as not judged.
#'
#'   Documents of a run are ranked by score; ranks and the order of lines are ignored. If there are only
#'   ranks, the score is the negative rank. Scores are written with 17 significant digits, and are read
#'   back identically. Written ranks follow the scores. Tied documents are ranked by decreasing document
#'   id, compared byte by byte, as in trec_eval.
#'
#' @return `read_run()` and `as_run()`: a data frame of class `rankmix_run` with the columns `query`,
#'   `document`, `score` and `tag`. `read_qrels()` and `as_qrels()`: a data frame of class
#'   `rankmix_qrels` with `query`, `document` and `relevance`. With `subtopics = TRUE` the class is
#'   `rankmix_subtopic_qrels`, and there is a column `subtopic`. The writers return `file`, invisibly. A
#'   file is replaced only after everything has been written.
#'
#' @section Conditions: `rankmix_error_parse` with the fields `file`, `line` and `found`: a line that
#'   does not parse. `rankmix_error_document`: a query has a document twice; or ranking data lack
#'   document ids. `rankmix_error_grade`: a grade above 127. `rankmix_error_column`: a data frame lacks
#'   a column. `rankmix_error_file`: the file cannot be read or written. `rankmix_error_empty`: the file has no line.
#'
#' @references The formats: \url{https://github.com/usnistgov/trec_eval}
#' @examples
#' qrels <- as_qrels(data.frame(query = "q1", document = c("a", "b", "c"),
#'                              relevance = c(0, 2, 1)))
#' run <- as_run(data.frame(query = "q1", document = c("a", "b", "d"),
#'                          score = c(1.5, 0.5, 0.1)))
#' evaluate(run, qrels, "ndcg@10", convention = "trec_eval")
#'
#' file <- tempfile()
#' write_run(run, file)
#' readLines(file)
#' identical(read_run(file)$score, run$score[order(-run$score)])
#' @name trec
NULL

#' @rdname trec
#' @export
read_run <- function(file) {
  check_given(missing(file), "file", "Give the path of a run.")
  fields <- read_fields(file, "s-s-ds*|ssi",
                        paste("Lines look like `q1 Q0 document7 1 12.5 mytag`, or",
                              "`q1 document7 1` with ranks alone."))
  where <- function() list(file = file, line = fields$line)
  if (attr(fields, "format") == "ssi") {
    names(fields) <- c("query", "document", "rank", "line")
    fields$score <- scores_of_ranks(fields, where())
    fields$tag <- rep("rankmix", length(fields$rank))
  } else {
    names(fields) <- c("query", "document", "score", "tag", "line")
  }
  new_run(fields, where = where())
}

#' @rdname trec
#' @export
as_run <- function(x) {
  check_all_given()
  if (is.data.frame(x) && is.null(x[["score"]]) && !is.null(x[["rank"]])) {
    check_columns(x, c("query", "document"))
    x$score <- scores_of_ranks(x)
  }
  # The user may have changed a run after it was made.
  check_columns(x, c("query", "document", "score"))
  tag <- if ("tag" %in% names(x)) as.character(x[["tag"]]) else "rankmix"
  new_run(list(query = x[["query"]], document = x[["document"]],
               score = x[["score"]], tag = rep_len(tag, nrow(x))))
}

#' @rdname trec
#' @export
write_run <- function(x, file, data = NULL, tag = NULL) {
  check_all_given()
  if (inherits(file, "ranking_data") || is.null(data) && !is.data.frame(x)) {
    stop_input("argument", if (is.null(data)) "`data` is not given." else "`file` must be a path, not data.",
               remedy = sprintf("Write `write_run(%s, \"run.txt\", data)`.",
                                if (inherits(x, "rankmix_ranker")) "predict(model, data)" else "scores"))
  }
  if (is_source(data)) {
    scored <- scored_source(x, data, check_threads(NULL), rlang::current_env(), judged = FALSE)
    data <- scored$data
    x <- scored$scores
  }
  if (!is.null(data)) {
    check_ranking_data(data, judged = FALSE, binned = TRUE)
    check_has_documents(data)
    x <- data.frame(query = data$query_ids[data$query], document = data$document,
                    score = check_scores(x, data))
  }
  run <- as_run(x)
  if (!is.null(tag)) {
    if (!is.character(tag) || length(tag) != 1L) {
      stop_input("argument",
                 sprintf("`tag` must be one string, not %s.", show_value(tag)))
    }
    run$tag <- rep(tag, nrow(run))
  }
  # Queries in order of appearance; radix compares bytes.
  run <- run[order(match(run$query, unique(run$query)), run$score, run$document,
                   decreasing = c(FALSE, TRUE, TRUE), method = "radix"), ]
  check_words(run$query, "query")
  check_no_comment(run$query)
  check_words(run$document, "document")
  check_words(run$tag, "tag")
  rank <- stats::ave(seq_along(run$query), run$query, FUN = seq_along)
  write_text(paste(run$query, "Q0", run$document, rank, exact_text(run$score),
                   run$tag), file)
}

#' @rdname trec
#' @export
read_qrels <- function(file, subtopics = FALSE) {
  check_given(missing(file), "file", "Give the path of a file of judgements.")
  check_flag(subtopics, "subtopics")
  if (subtopics) {
    return(read_subtopic_qrels(file))
  }
  fields <- read_fields(file, "s-si|iqc*",
                        paste("Lines look like `q1 0 document7 2`, or",
                              "`2 qid:q1 # document7`."))
  names(fields) <- if (attr(fields, "format") == "s-si") {
    c("query", "document", "relevance", "line")
  } else {
    c("relevance", "query", "document", "line")
  }
  new_qrels(fields, where = list(file = file, line = fields$line))
}

read_subtopic_qrels <- function(file, call = rlang::caller_env()) {
  fields <- read_fields(file, "sssi", "Lines look like `q1 subtopic1 document7 2`.", call)
  names(fields) <- c("query", "subtopic", "document", "relevance", "line")
  new_subtopic_qrels(fields, where = list(file = file, line = fields$line), call = call)
}

#' @rdname trec
#' @export
as_qrels <- function(x) {
  check_all_given()
  if (inherits(x, "ranking_data")) {
    check_graded(x, "A file of judgements")
    check_judged(x, "x")
    check_has_documents(x)
    x <- data.frame(query = x$query_ids[x$query], document = x$document,
                    relevance = x$relevance)
  }
  check_columns(x, c("query", "document", "relevance"))
  new_qrels(list(query = x[["query"]], document = x[["document"]],
                 relevance = x[["relevance"]]))
}

#' @rdname trec
#' @export
write_qrels <- function(x, file) {
  check_all_given()
  qrels <- as_qrels(x)
  check_words(qrels$query, "query")
  check_no_comment(qrels$query)
  check_words(qrels$document, "document")
  write_text(paste(qrels$query, "0", qrels$document, qrels$relevance), file)
}

read_fields <- function(file, format, usage, call = rlang::caller_env()) {
  check_readable(file, call)
  fields <- fields_parse(enc2native(path.expand(file)), format, usage)
  stop_if_failed(file, fields, call)
  fields[] <- lapply(fields, as_utf8)
  if (length(fields[[1L]]) == 0L) {
    stop_input("empty", sprintf("'%s' has no lines.", file), remedy = usage,
               call = call)
  }
  fields
}

# Files may have ranks instead of scores; the score is then the negative rank. A file without a
# header does not mark its numbers as ranks, so two documents of a query with one rank are an error.
scores_of_ranks <- function(run, where = NULL, call = rlang::caller_env()) {
  rank <- run[["rank"]]
  if (!is_plain_number(rank) || anyNA(rank)) {
    stop_input("scores",
               if (is_plain_number(rank)) {
                 sprintf("The rank of row %d is missing.", which(is.na(rank))[1L])
               } else {
                 sprintf("The ranks must be numbers, not %s.", show_value(rank))
               },
               remedy = "Give a column `score`, or `rank`, 1 for the first document.",
               call = call)
  }
  ids <- run[["query"]]
  again <- if (!is.null(where)) which(duplicated(data.frame(match(ids, ids), rank)))[1L] else NA
  if (!is.na(again)) {
    first <- which(ids == ids[again] & rank == rank[again])[1L]
    stop_input(
      "scores",
      sprintf("Query `%s` has two documents at rank %s.", ids[again],
              plain_number(rank[again])),
      sprintf("'%s', lines %s and %s.", where$file, plain_number(where$line[first]),
              plain_number(where$line[again])),
      "Give each document of a query another rank, or scores in place of ranks.",
      call = call
    )
  }
  -as.double(rank)
}

# `where` gives file and lines if the rows come from a file.
new_run <- function(fields, where = NULL, call = rlang::caller_env()) {
  run <- data.frame(query = id_text(check_ids(fields$query, "query", call)),
                    document = id_text(check_ids(fields$document, "document",
                                                 call)),
                    score = check_run_scores(fields$score, call),
                    tag = fields$tag)
  check_once(run, "retrieved", where, call)
  structure(run, class = c("rankmix_run", "data.frame"))
}

new_qrels <- function(fields, where = NULL, call = rlang::caller_env()) {
  qrels <- data.frame(query = id_text(check_ids(fields$query, "query", call)),
                      document = id_text(check_ids(fields$document, "document",
                                                   call)),
                      relevance = check_judgements(fields$relevance, where, call))
  check_once(qrels, "judged", where, call)
  structure(qrels, class = c("rankmix_qrels", "data.frame"))
}

#' @param n Number of rows to print; default 10.
#' @param ... Not used.
#' @rdname trec
#' @export
print.rankmix_run <- function(x, n = 10L, ...) {
  print_table(x, n, "retrieved")
}

#' @rdname trec
#' @export
print.rankmix_qrels <- function(x, n = 10L, ...) {
  print_table(x, n, "judged")
}

# A subset of the columns is printed as a plain data frame.
print_table <- function(x, n, done, call = rlang::caller_env()) {
  check_count(n, "n", min = 0, infinite = TRUE, call = call)
  size <- if (is.null(x[["query"]])) {
    counted(nrow(x), "row")
  } else {
    sprintf("%s %s for %s", counted(nrow(x), "document"), done,
            counted(length(unique(x$query)), "query", "queries"))
  }
  say(sprintf("<%s> %s", class(x)[1L], size))
  print_rows(x, n)
  invisible(x)
}

# Grades as for check_grades(), or negative for documents without a judgement.
check_judgements <- function(grades, where, call) {
  if (!(is_plain_number(grades) || is.logical(grades))) {
    stop_input("grade",
               sprintf("Grades must be whole numbers, not %s.", show_value(grades)),
               remedy = grades_as_numbers(grades), call = call)
  }
  bad <- which(is.na(grades) | grades != round(grades) | grades > largest_grade)[1L]
  if (!is.na(bad)) {
    stop_input(
      "grade", sprintf("Grades must be whole numbers of at most %d.", largest_grade),
      sprintf("%s %s has the grade %s.",
              if (is.null(where)) "Row" else sprintf("'%s', line", where$file),
              plain_number(if (is.null(where)) bad else where$line[bad]),
              format(grades[bad])),
      "Recode the grades as 0, 1, 2, ...; negative ones mean not judged.",
      call = call
    )
  }
  as.integer(pmax(grades, -1))
}

check_run_scores <- function(scores, call) {
  if (!is_plain_number(scores) || !is.null(dim(scores)) || anyNA(scores)) {
    stop_input("scores",
               if (is_plain_number(scores) && is.null(dim(scores))) {
                 sprintf("The score of row %d is missing.", which(is.na(scores))[1L])
               } else {
                 sprintf("The scores must be numbers, not %s.", show_value(scores))
               },
               remedy = "A document without a score has no rank; drop it.",
               call = call)
  }
  as.double(scores)
}

check_columns <- function(x, columns, call = rlang::caller_env()) {
  if (!is.data.frame(x)) {
    stop_input("argument",
               sprintf("`x` must be a data frame, not %s.", show_value(x)),
               call = call)
  }
  lacking <- setdiff(columns, names(x))
  if (length(lacking) > 0L) {
    stop_input("column",
               sprintf("The data frame has no column %s.", enumerate(lacking)),
               sprintf("Its columns are %s.", enumerate(names(x), 10L)),
               call = call)
  }
}

# A document of a query may occur in one line only.
check_once <- function(table, done, where, call) {
  again <- which(match_pairs(table, table) != seq_len(nrow(table)))[1L]
  if (is.na(again)) {
    return(invisible(table))
  }
  first <- which(table$query == table$query[again] &
                   table$document == table$document[again])[1L]
  lines <- if (is.null(where)) c(first, again) else where$line[c(first, again)]
  stop_input(
    "document",
    sprintf("Document `%s` is %s twice for query `%s`.", table$document[again],
            done, table$query[again]),
    if (is.null(where)) {
      sprintf("Rows %d and %d.", lines[1L], lines[2L])
    } else {
      sprintf("'%s', lines %s and %s.", where$file, plain_number(lines[1L]),
              plain_number(lines[2L]))
    },
    "Keep one of them.",
    call = call
  )
}

check_has_documents <- function(data, call = rlang::caller_env()) {
  if (is.null(data$document) || anyNA(data$document)) {
    stop_input(
      "document",
      if (is.null(data$document)) {
        "The data have no document ids."
      } else {
        sprintf("Row %d has no document id.", which(is.na(data$document))[1L])
      },
      remedy = paste("Give `document = ` to `ranking_data()`, or comments",
                     "`#docid = X` in LETOR text."),
      call = call
    )
  }
}

# A line that begins with "#" is a comment.
check_no_comment <- function(ids, call = rlang::caller_env()) {
  bad <- which(startsWith(ids, "#"))[1L]
  if (!is.na(bad)) {
    stop_input("argument",
               sprintf("The query %s cannot be written: a line that begins with `#` is a comment.",
                       show_value(ids[bad])),
               remedy = "Replace the `#`.", call = call)
  }
}

# Fields are separated by blanks, so no field may contain a blank or be empty.
check_words <- function(words, name, call = rlang::caller_env()) {
  bad <- which(is.na(words) | !nzchar(words) |
                 grepl("[[:space:]]", words))[1L]
  if (!is.na(bad)) {
    stop_input(
      "argument",
      sprintf("The %s %s cannot be written: fields are separated by blanks.", name,
              show_value(words[bad])),
      remedy = "Replace blanks, and leave nothing empty.",
      call = call
    )
  }
}
