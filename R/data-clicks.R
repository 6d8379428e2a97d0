#' Simulate clicks on rankings
#'
#' Simulates users who click on the documents of judged data. Users see documents at the top more often. Use it to test
#' methods that learn from clicks, because the true relevance is known.
#'
#' @param data The judged data, made by [ranking_data()] or [simulate_ranking()].
#' @param sessions Number of sessions per query; default 10. Each session is a query of the result.
#' @param ranker The ranker of the shown lists: scores in row order, or a fitted ranker. The default
#'   `NULL` shows documents in random order in each session.
#' @param noise The standard deviation of normal noise that is added to the scores of each session, in
#'   standard deviations of all scores. The default 0 adds no noise.
#' @param depth Number of documents shown, at most; default 10.
#' @param user The click model. `"position"`, the default: examination depends on the position
#'   alone. `"cascade"`: the user goes from the top down until a click ends the session.
#' @param examination The probabilities of examining position 1, 2, ..., up to `depth`; above 0 and not
#'   increasing. The default is 1 divided by the position.
#' @param attraction The probability that an examined document is clicked, for the grades 0, 1, .... The
#'   default `NULL` is \eqn{0.1 + 0.9 (2^g - 1) / (2^G - 1)}{0.1 + 0.9 (2^g - 1) / (2^G - 1)}, with the
#'   highest grade G of the data.
#' @param stop The probability that a click ends the session, for `"cascade"`; default 1.
#' @param seed The seed. By default R's generator draws one, so that [set.seed()] applies.
#' @param output The form of the result. `"data"`, the default: ranking data, to train rankers. `"log"`: a
#'   click log, for [click_model()] and [evaluate_clicks()].
#'
#' @details With `"position"` a document of grade g at position k is clicked with probability
#'   `examination[k] * attraction[g + 1]`, independently of other documents. With `"cascade"` position 1 is
#'   examined with probability `examination[1]`. A user who examined position k continues to k + 1 with probability
#'   `examination[k + 1] / examination[k]`, unless a click at k ended the session. With `stop = 0` each document has
#'   the same click probability as with `"position"`. Tied documents are shown in random order.
#' @return [ranking_data()] of the shown documents. `relevance` is 1 for clicked documents and 0 for others.
#'   `position` is the position at which the document was shown. A query id is the id in `data`, a colon and the
#'   session, such as `"7:2"`. Sessions without a click are included.
#'
#'   With `output = "log"`: a [click_log()]. The document ids are the ids or row numbers of `data`.
#' @section Conditions: `rankmix_error_argument`: an invalid argument.
#'   `rankmix_error_unjudged`: data without grades.
#' @references Craswell, Zoeter, Taylor and Ramsey (2008). An experimental comparison of click
#'   position-bias models. \doi{10.1145/1341531.1341545}
#'
#'   Joachims, Swaminathan and Schnabel (2017). Unbiased learning-to-rank with biased feedback.
#'   \doi{10.1145/3018661.3018699}
#' @seealso `unbiased` of [loss_lambda()]
#' @examples
#' simulation <- simulate_ranking(20, seed = 1)
#' clicks <- simulate_clicks(simulation$data, sessions = 5, seed = 2)
#' clicks
#' # Clicks by position
#' tapply(clicks$relevance, clicks$position, mean)
#' @export
simulate_clicks <- function(data, sessions = 10, ranker = NULL, noise = 0, depth = 10,
                            user = "position", examination = 1 / seq_len(depth),
                            attraction = NULL, stop = 1, seed = NULL, output = "data") {
  check_given(missing(data), "data")
  check_ranking_data(data)
  check_count(sessions, "sessions", max = 1e6)
  check_number(noise, "noise", 0, Inf)
  check_count(depth, "depth", max = largest_position)
  check_choice(user, "user", c("position", "cascade"))
  check_probabilities(examination, "examination", depth, rlang::current_env())
  if (any(examination == 0) || is.unsorted(-examination)) {
    stop_input("argument", "`examination` must be above 0 and not increase.")
  }
  check_graded(data, "`simulate_clicks()`")
  highest <- max(data$relevance)
  if (is.null(attraction)) {
    attraction <- 0.1 + 0.9 * exponential_gain(0:highest) / max(1, exponential_gain(highest))
  }
  check_probabilities(attraction, "attraction", highest + 1L, rlang::current_env())
  check_number(stop, "stop", 0, 1)
  check_choice(output, "output", c("data", "log"))
  scores <- scores_to_show(ranker, data, rlang::current_env())
  with_seed(check_seed(seed), {
    shown <- shown_rows(scores, data, sessions, noise, depth)
    clicked <- clicks_of(shown, attraction[data$relevance[shown$row] + 1L], examination,
                         if (user == "cascade") stop)
  })
  if (output == "log") {
    return(log_of_shown(shown, clicked, data))
  }
  ids <- paste(id_text(data$query_ids)[data$query[shown$row]], shown$session, sep = ":")
  query_ids <- unique(ids)
  is_sparse(data$x)
  new_ranking_data(data$x[shown$row, , drop = FALSE], as.integer(clicked),
                   match(ids, query_ids), query_ids, data$document[shown$row],
                   data$weight[data$query[shown$row[match(query_ids, ids)]]], schema_of(data),
                   check_threads(NULL), position = shown$position, labels = labels_of_rows(data$labels, shown$row))
}

# Shown rows are sorted by query, session and position. Each session begins at position 1.
log_of_shown <- function(shown, clicked, data) {
  rows <- sort(unique(shown$row))
  pairs <- list2DF(list(query = data$query_ids[data$query[rows]], document = documents_of(data)[rows]))
  begins <- which(shown$position == 1L) - 1L
  new_click_log(c(begins, length(shown$row)), match(shown$row, rows) - 1L, as.integer(clicked), pairs)
}

# Documents without ids have the number of their row.
documents_of <- function(data) {
  if (is.null(data$document)) seq_along(data$query) else data$document
}

check_probabilities <- function(x, name, count, call) {
  good <- is_plain_number(x) && length(x) >= count && all(is.finite(x) & x >= 0 & x <= 1)
  if (!good) {
    stop_input("argument", sprintf("`%s` must be %d probabilities, not %s.", name, count,
                                   show_value(x)), call = call)
  }
}

# NULL if the order is random.
scores_to_show <- function(ranker, data, call) {
  if (is.null(ranker)) {
    return(NULL)
  }
  scores <- if (is_plain_number(ranker)) ranker else as.double(stats::predict(ranker, data))
  if (length(scores) != nrow(data$x) || !all(is.finite(scores))) {
    stop_input("argument", "`ranker` must give a finite score for each document.",
               sprintf("There are %d documents, and %s.", nrow(data$x), show_value(ranker)),
               call = call)
  }
  as.double(scores)
}

# The rows that each session shows, from rank 1 down. Sessions are sorted by query.
shown_rows <- function(scores, data, sessions, noise, depth) {
  unit <- noise * if (length(scores) > 1L) stats::sd(scores) else 0
  parts <- lapply(seq_along(data$query_ids), function(q) {
    rows <- data$order[data$offsets[q] + seq_len(data$offsets[q + 1L] - data$offsets[q])] + 1L
    n <- length(rows)
    kept <- min(n, depth)
    row <- vapply(seq_len(sessions), function(s) {
      own <- if (is.null(scores)) numeric(n) else scores[rows] + unit * stats::rnorm(n)
      rows[order(-own, stats::runif(n))[seq_len(kept)]]
    }, integer(kept))
    list(row = as.vector(row), session = rep(seq_len(sessions), each = kept),
         position = rep(seq_len(kept), sessions))
  })
  list(row = unlist(lapply(parts, `[[`, "row")), session = unlist(lapply(parts, `[[`, "session")),
       position = unlist(lapply(parts, `[[`, "position")))
}

# Whether each shown document is clicked. `stop` belongs to the cascade model; otherwise NULL.
clicks_of <- function(shown, attraction, examination, stop) {
  n <- length(attraction)
  attracts <- stats::runif(n) < attraction
  if (is.null(stop)) {
    return(stats::runif(n) < examination[shown$position] & attracts)
  }
  ends <- attracts & stats::runif(n) < stop
  goes_on <- examination / c(1, examination[-length(examination)])
  reached <- stats::runif(n) < goes_on[shown$position]
  clicked <- logical(n)
  looking <- TRUE
  for (i in seq_len(n)) {
    if (shown$position[i] == 1L) looking <- TRUE
    looking <- looking && reached[i]
    clicked[i] <- looking && attracts[i]
    looking <- looking && !ends[i]
  }
  clicked
}
