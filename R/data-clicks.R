#' Simulate clicks on rankings
#'
#' Shows the documents of judged data to users who look at the top more than below, and makes
#' data of what they click on: for methods that learn from clicks, with the truth known.
#'
#' @param data Judged data, made by [ranking_data()] or [simulate_ranking()].
#' @param sessions How many times each query is asked; each time is a query of the result.
#' @param ranker What ranks the documents that are shown: scores in the order of the rows, a ranker
#'   that [fit()] gave, or `NULL`, for an order drawn anew for each session.
#' @param noise Standard deviation of normal numbers that are added to the scores of each session, in
#'   standard deviations of all scores: 0 shows the same list each time.
#' @param depth How many documents are shown at most.
#' @param user `"position"`: whether a user looks at a position depends on it alone; `"cascade"`: from
#'   the top down, until a click ends it.
#' @param examination The probability of looking at position 1, 2, ..., above 0 and not
#'   increasing; as many as `depth`.
#' @param attraction The probability that a document is clicked that is looked at, by its grade 0, 1,
#'   ...; `NULL`: \eqn{0.1 + 0.9 (2^g - 1) / (2^G - 1)}{0.1 + 0.9 (2^g - 1) / (2^G - 1)}, G being the
#'   highest grade of the data.
#' @param stop For `"cascade"`, the probability that a click ends the session.
#' @param seed Seed of the draw; by default it is taken from R's generator, so that [set.seed()]
#'   rules.
#'
#' @details With `"position"` a document of grade g at position k is clicked with probability
#'   `examination[k] * attraction[g + 1]`, independently of others. With `"cascade"` position 1 is
#'   looked at with probability `examination[1]`; who looked at k goes on to k + 1 with probability
#'   `examination[k + 1] / examination[k]`, unless a click there was the end: without `stop` it is
#'   the same as `"position"` for each document alone. Documents that tie are shown in an order
#'   that is drawn.
#' @return [ranking_data()] of the documents that were shown: `relevance` is 1 where one was clicked
#'   and 0 elsewhere, `position` is where it was shown, and the query ids are those of `data` with
#'   the session behind a colon, such as `"7:2"`. Sessions without a click are among them.
#' @section Conditions: `rankmix_error_argument`: an argument that is not allowed.
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
                            attraction = NULL, stop = 1, seed = NULL) {
  check_given(missing(data), "data")
  check_ranking_data(data)
  check_count(sessions, "sessions", max = 1e6)
  check_number(noise, "noise", 0, Inf)
  check_count(depth, "depth", max = most_positions)
  check_choice(user, "user", c("position", "cascade"))
  check_probabilities(examination, "examination", depth, rlang::current_env())
  if (any(examination == 0) || is.unsorted(-examination)) {
    stop_input("argument", "`examination` must be above 0 and not increase.")
  }
  highest <- max(data$relevance)
  if (is.null(attraction)) {
    attraction <- 0.1 + 0.9 * exponential_gain(0:highest) / max(1, exponential_gain(highest))
  }
  check_probabilities(attraction, "attraction", highest + 1L, rlang::current_env())
  check_number(stop, "stop", 0, 1)
  scores <- scores_to_show(ranker, data, rlang::current_env())
  with_seed(check_seed(seed), {
    shown <- shown_rows(scores, data, sessions, noise, depth)
    clicked <- clicks_of(shown, attraction[data$relevance[shown$row] + 1L], examination,
                         if (user == "cascade") stop)
  })
  ids <- paste(id_text(data$query_ids)[data$query[shown$row]], shown$session, sep = ":")
  query_ids <- unique(ids)
  is_sparse(data$x)
  new_ranking_data(data$x[shown$row, , drop = FALSE], as.integer(clicked),
                   match(ids, query_ids), query_ids, data$document[shown$row],
                   data$weight[data$query[shown$row[match(query_ids, ids)]]], schema_of(data),
                   check_threads(NULL), position = shown$position)
}

check_probabilities <- function(x, name, count, call) {
  good <- is_plain_number(x) && length(x) >= count && all(is.finite(x) & x >= 0 & x <= 1)
  if (!good) {
    stop_input("argument", sprintf("`%s` must be %d probabilities, not %s.", name, count,
                                   show_value(x)), call = call)
  }
}

# NULL where orders are to be drawn.
scores_to_show <- function(ranker, data, call) {
  if (is.null(ranker)) {
    return(NULL)
  }
  scores <- if (is.numeric(ranker)) ranker else as.double(stats::predict(ranker, data))
  if (length(scores) != nrow(data$x) || !all(is.finite(scores))) {
    stop_input("argument", "`ranker` must give a finite score for each document.",
               sprintf("There are %d documents, and %s.", nrow(data$x), show_value(ranker)),
               call = call)
  }
  as.double(scores)
}

# The rows that each session shows, from the top down, session after session of each query.
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

# Whether each is clicked; `stop` of a cascade, else NULL.
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
