#' Training data from uncertain grades
#'
#' Makes ranking data whose grades are sampled from probabilities of grades. Each query gets several copies
#' with their own grades, and the copies share its weight. So any ranker can be trained on the expected loss,
#' instead of on rounded grades.
#'
#' @param data The documents, made by [ranking_data()], with or without grades.
#' @param probability The probabilities of the grades 0, 1, ...: documents x grades, in row order. Or a model of
#'   assessors made by [dawid_skene()] from a data frame. Then documents are matched by query and document.
#' @param copies Number of copies of each query; default 10. With more copies, the grades follow the probabilities
#' more closely. Memory and training time grow with this number.
#' @param seed The seed. By default R's generator draws one.
#' @param ... Not used.
#' @return [ranking_data()] with `copies` times the queries. Copy i of query 7 is `"7:i"`. The weight of a copy is the
#'   weight of its query divided by `copies`.
#' @details
#' A loss of a query is \eqn{L(g_1, \ldots, g_n)} for the grades of its documents. With more copies, the mean over the
#' copies tends to the expectation \eqn{E[L]} for independent grades with these probabilities. For a loss that is linear
#' in the gains, this is the loss of the expected gains.
#'
#' Use the data for training, not for evaluation: [evaluate_ppi()] accepts probabilities.
#' @section Conditions: `rankmix_error_argument`: probabilities of the wrong size. `rankmix_error_document`: a
#'   document without probabilities; no document ids for a model of assessors.
#' @examples
#' simulation <- simulate_ranking(20, seed = 1)
#' training <- sample_grades(simulation$data, simulation$probability, copies = 5, seed = 1)
#' training
#' fit(linear_ranker(), training)
#' @seealso [yetirank()] with a confusion matrix for pairs of uncertain grades.
#' @export
sample_grades <- function(data, probability, copies = 10, seed = NULL, ...) {
  check_no_others(...)
  check_given(missing(data), "data")
  check_ranking_data(data, judged = FALSE)
  check_given(missing(probability), "probability", "Give the probabilities of the grades.")
  check_count(copies, "copies", max = 10000)
  probability <- if (inherits(probability, "rankmix_dawid_skene")) {
    probability_of_documents(probability, data)
  } else {
    check_machine_probabilities(probability, nrow(data), rlang::current_env())
  }
  at_least <- reached_probabilities(probability)
  n <- nrow(data)
  rows <- rep(seq_len(n), copies)
  relevance <- with_seed(check_seed(seed), as.integer(replicate(copies, drawn_grades(at_least))))
  queries <- length(data$query_ids)
  copy <- rep(seq_len(copies), each = queries)
  weight <- if (is.null(data$weight)) rep(1, queries) else data$weight
  is_sparse(data$x)
  new_ranking_data(data$x[rows, , drop = FALSE], relevance,
                   rep(data$query, copies) + rep(seq_len(copies) - 1L, each = n) * queries,
                   paste(rep(id_text(data$query_ids), copies), copy, sep = ":"), data$document[rows],
                   rep(weight, copies) / copies, schema_of(data), check_threads(NULL), rlang::current_env(),
                   data$position[rows], data$document_weight[rows], labels_of_rows(data$labels, rows))
}

# The probabilities of the model in row order.
probability_of_documents <- function(model, data, call = rlang::caller_env()) {
  if (is.null(model$documents$query) || is.null(data$document)) {
    stop_input("document", "Documents cannot be matched without ids.",
               remedy = c("Give `document` to `ranking_data()`, and a data frame to `dawid_skene()`.",
                          "Or give the probabilities as a matrix, in row order."), call = call)
  }
  key <- function(query, document) paste(id_text(query), id_text(document), sep = "\r")
  at <- match(key(data$query_ids[data$query], data$document),
              key(model$documents$query, model$documents$document))
  if (anyNA(at)) {
    row <- which(is.na(at))[1L]
    stop_input("document", sprintf("No assessor judged the document `%s` of query %s.", data$document[row],
                                   id_text(data$query_ids[data$query[row]])),
               sprintf("Documents without a judgement: %d.", sum(is.na(at))),
               "Leave them out, or give their probabilities in a matrix.", call = call)
  }
  unname(model$probability[at, , drop = FALSE])
}
