#' Write a page to explore queries
#'
#' Writes one HTML page that shows the first documents of two rankers side by side, for every query. Use it after
#' [compare_rankers()] or [query_report()], to see which queries lose and why.
#'
#' @param rankers The rankers, two or more: a named list of models, functions of `data` or scores, or a matrix or
#'   data frame of scores, as in [evaluate()]. Readers of the page choose two of them.
#' @param data The judged data, made by [ranking_data()] or [read_letor()].
#' @param file The path of the page. An existing file is replaced once the new page is complete.
#' @param metric The metric whose values and differences are shown, one metric or its text; default `"ndcg@10"`.
#' @param depth Number of documents of each ranking that are shown; default 10. More documents make the page larger in
#'   proportion. 1 to 100.
#' @param features The names of the features that are shown for each document; `character()` for none. The default
#'   `NULL` shows up to 8, see Details. More features make the page larger.
#' @param explain Number of queries for which the page explains why each document is above the next one; default 20. The
#'   queries whose values differ most are explained. More queries take longer, in particular for models that [explain()]
#'   explains by sampling. 0 for none.
#' @param document_text The texts of the documents (optional), one for each row of `data`, such as titles. Texts are cut
#'   after 200 characters.
#' @param query_text The texts of the queries (optional), in the order of `data$query_ids`. Or texts with the ids of
#'   queries as names, in any order; other queries have no text. Texts are cut after 200 characters.
#' @param title The title of the page; default `"Query by query"`.
#' @param seed The seed of explanations by sampling; by default drawn from R's generator.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return The path of the page, invisibly.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' old <- fit(gbrt(trees = 20), train, threads = 1)
#' new <- fit(lambdamart(trees = 20), train, threads = 1)
#' file <- tempfile(fileext = ".html")
#' explore_queries(list(new = new, old = old), test, file, explain = 3, threads = 1)
#' if (interactive()) utils::browseURL(file)
#'
#' @details
#' The page is one file. It needs no server and loads nothing from the network. Anyone with the file can read all ids,
#' texts, grades and features on the page.
#'
#' **Queries.** The list of queries can be sorted by difference, id or number of documents, and filtered by text, better
#' ranker and smallest difference. The difference is the value of the first ranker minus the value of the second one.
#' The URL contains the query and all settings, so a copied URL opens the same view. Press `?` on the page to see the
#' keyboard shortcuts.
#'
#' **Documents.** Each document has its rank, grade, score and features, and its rank by the other ranker. Ties are
#' ranked by the rule of the metric. If the metric averages ties, tied documents are in row order.
#'
#' **Reasons.** [explain_pair()] explains why a document is above the next one. The page shows the six features with the
#' largest contributions, and the sum of the others. The page explains models of rankmix, but not scores or functions.
#'
#' **Features.** By default, the page shows the features with the largest mean absolute contribution to the
#' explanations. Each model has the same weight. Without explanations, the page shows the features that correlate most
#' with the change of rank from the second to the first ranker, see [compare_models()].
#'
#' **Rounding.** Values of the metric are rounded to 6 decimals, scores to 5 and features to 4 significant digits.
#' Queries whose rounded values are equal count as ties.
#'
#' **Undefined cases.** A query without a value for the metric has no difference. Such a query is last in the list. With
#' `short_lists = "undefined"` of the metric, a query with a short list counts as 0, as in means.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: fewer than two rankers, or rankers without names; several metrics; an unknown feature;
#'   texts that do not fit `data`.
#' * `rankmix_error_scores`: scores that do not fit `data`.
#' * `rankmix_error_file`: the page cannot be written.
#' * `rankmix_warning_ties`: as from [evaluate()].
#' @section Cost: O(n log n) for n documents. 10,000 queries with lists of 10 documents and 8 features take some
#'   seconds and 15 MB.
#' @seealso [query_report()] for tests, [report()] for benchmarks, [explain_pair()]
#' @export
explore_queries <- function(rankers, data, file, metric = "ndcg@10", depth = 10, features = NULL, explain = 20,
                            document_text = NULL, query_text = NULL, title = "Query by query", seed = NULL,
                            threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(rankers), "rankers", "For example `list(new = model, old = scores)`.")
  check_given(missing(data), "data")
  check_given(missing(file), "file", "Give the path of the page, such as \"queries.html\".")
  check_ranking_data(data)
  check_path(file, rlang::current_env())
  metric <- single_metric(metric)
  check_count(depth, "depth", max = 100)
  check_count(explain, "explain", min = 0, max = 1e6)
  check_page_title(title)
  if (!is.null(features) && !identical(features, character())) features <- check_feature_names(features, data)
  texts <- list(document = check_document_text(document_text, data), query = check_query_text(query_text, data))
  threads <- check_threads(threads)
  scores <- explored_scores(rankers, data, threads)
  contents <- explorer_contents(scores, data, metric, depth, threads)
  why <- explained_lists(explained_models(rankers, scores), data, contents, explain, seed, threads)
  if (is.null(features)) features <- features_to_show(why, scores, data)
  json <- with_points(explorer_json(contents, data, features, texts, why, title))
  write_text(explorer_page(json, title), file)
  invisible(file)
}

check_page_title <- function(title, call = rlang::caller_env()) {
  if (!is.character(title) || length(title) != 1L || is.na(title)) {
    stop_input("argument", sprintf("`title` must be one string, not %s.", show_value(title)), call = call)
  }
}

# The scores of each ranker as a named list.
explored_scores <- function(rankers, data, threads, call = rlang::caller_env()) {
  scores <- if (inherits(rankers, "rankmix_ranker") || is.function(rankers)) NULL else {
    score_columns(rankers, data, threads, call)
  }
  if (!is.list(scores) || length(scores) < 2L) {
    stop_input("argument", "`rankers` must be two or more rankers.",
               remedy = "Give a named list, such as `list(new = model, old = scores)`.", call = call)
  }
  scores
}

# The models of rankmix among the rankers; NULL for others.
explained_models <- function(rankers, scores) {
  lapply(stats::setNames(nm = names(scores)), function(name) {
    ranker <- if (is.list(rankers)) rankers[[name]]
    if (inherits(ranker, "rankmix_ranker")) ranker
  })
}

check_document_text <- function(text, data, call = rlang::caller_env()) {
  if (is.null(text)) {
    return(NULL)
  }
  if (!is_text_vector(text) || length(text) != nrow(data)) {
    stop_input("argument", sprintf("`document_text` must be one text per row of `data`: %d texts, not %s.", nrow(data),
                                   show_value(text)), call = call)
  }
  page_text(text)
}

check_query_text <- function(text, data, call = rlang::caller_env()) {
  if (is.null(text)) {
    return(NULL)
  }
  count <- length(data$query_ids)
  if (is_text_vector(text) && !is.null(names(text))) {
    at <- match(id_text(data$query_ids), names(text))
    if (all(is.na(at))) {
      stop_input("argument", "The names of `query_text` are no ids of queries in `data`.",
                 sprintf("The ids are %s.", enumerate(id_text(data$query_ids))), call = call)
    }
    return(page_text(unname(text)[at]))
  }
  if (!is_text_vector(text) || length(text) != count) {
    stop_input("argument", sprintf("`query_text` must be one text per query of `data`: %d texts, not %s.", count,
                                   show_value(text)),
               remedy = "Or give texts with the ids of queries as names.", call = call)
  }
  page_text(text)
}

is_text_vector <- function(text) is.character(text) || is.factor(text)

page_text <- function(text) {
  text <- printable(as.character(text))
  text[is.na(text)] <- ""
  cut_text(text, 200L)
}
