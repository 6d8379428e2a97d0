#' Click logs
#'
#' Makes a click log from a data frame with a row for each shown document. Use it for [click_model()],
#' [evaluate_clicks()] and [examination_from_swaps()].
#'
#' @param data The data frame. Rows may be in any order.
#' @param session The column with the id of the session: one list that was shown once.
#' @param query The column with the id of the query. All rows of a session have the same query.
#' @param document The column with the id of the document.
#' @param position The column with the position at which the document was shown: 1, 2, ... without gaps in
#'   each session.
#' @param click The column with the clicks: 0 or 1, or `FALSE` or `TRUE`.
#' @param object,x The click log.
#' @param ... Must be empty.
#'
#' @details Columns are named with or without quotes, as in [ranking_data()]. A document is identified by
#'   its query and its id. So one id may occur in several queries.
#' @return A value of class `rankmix_click_log`. `as.data.frame()` gives its rows, sorted by session
#'   and position. Sessions keep the order of their first rows. `summary()` gives a data frame with a row
#'   for each position: the number of documents `shown`, the number of `clicks`, and their ratio `rate`.
#' @section Conditions:
#' * `rankmix_error_column`: a column that does not exist, or that is not given.
#' * `rankmix_error_position`: positions that are not 1, 2, ... in a session.
#' * `rankmix_error_click`: a click that is not 0 or 1.
#' * `rankmix_error_query`, `rankmix_error_session`, `rankmix_error_document`: a missing id; a session
#'   with two queries, or with a document twice.
#' * `rankmix_error_empty`: no rows.
#' @seealso [simulate_clicks()] with `output = "log"`.
#' @examples
#' shown <- data.frame(session = c(1, 1, 2, 2), query = "rivers", document = c("a", "b", "b", "a"),
#'                     position = c(1, 2, 1, 2), click = c(1, 0, 0, 1))
#' log <- click_log(shown, session, query, document, position, click)
#' log
#' summary(log)
#' @export
click_log <- function(data, session, query, document, position, click) {
  check_given(missing(data), "data", "Give a data frame with a row for each shown document.")
  if (!is.data.frame(data)) {
    stop_input("argument", sprintf("`data` must be a data frame, not %s.", show_value(data)))
  }
  call <- rlang::current_env()
  columns <- list(session = rlang::enquo(session), query = rlang::enquo(query),
                  document = rlang::enquo(document), position = rlang::enquo(position),
                  click = rlang::enquo(click))
  columns <- Map(function(quo, name) log_column(quo, data, name, call), columns, names(columns))
  if (nrow(data) == 0L) {
    stop_input("empty", "The log has no rows.", remedy = "Give at least one shown document.")
  }
  for (name in c("session", "query", "document")) {
    columns[[name]] <- check_ids(columns[[name]], name, call)
  }
  clicked <- check_clicks(columns$click, call)
  position <- check_log_positions(columns$position, call)
  log_of_rows(columns$session, columns$query, columns$document, position, clicked, call)
}

# If no column has the name of the role, the argument has no default.
log_column <- function(quo, data, name, call) {
  if (rlang::quo_is_missing(quo)) {
    if (!name %in% names(data)) {
      stop_input("column", sprintf("`%s` is not given.", name),
                 sprintf("The columns of the data frame are %s.", enumerate(names(data), 10L)),
                 sprintf("Name the column of each %s.", name), call = call)
    }
    return(data[[name]])
  }
  value <- frame_column(quo, data, name, call = call)$value
  if (length(value) != nrow(data)) {
    stop_input("column", sprintf("`%s` must have one value per row: %d, not %d.", name, nrow(data),
                                 length(value)), call = call)
  }
  value
}

check_clicks <- function(click, call) {
  if (!is.logical(click) && !is_plain_number(click)) {
    stop_input("click", sprintf("Clicks must be numbers 0 or 1, not %s.", show_value(click)),
               remedy = "Recode them: 1 is a click, 0 is none.", call = call)
  }
  good <- click %in% c(0, 1)
  if (!all(good)) {
    row <- which(!good)[1L]
    stop_input("click", "Clicks must be 0 or 1.",
               sprintf("Row %d has %s.", row, show_value(click[row])),
               "A document with several clicks in a session has the click 1.", call = call, row = row)
  }
  as.integer(click)
}

check_log_positions <- function(position, call) {
  if (!is_plain_number(position)) {
    stop_input("position", sprintf("Positions must be numbers, not %s.", show_value(position)),
               remedy = "Convert text or a factor by `as.integer(as.character(position))`.", call = call)
  }
  good <- is.finite(position) & position >= 1 & position <= largest_position & position == round(position)
  if (!all(good)) {
    row <- which(!good)[1L]
    stop_input("position", "Positions must be whole numbers 1, 2, ....",
               sprintf("Row %d has %s.", row, show_value(position[row])),
               "The top of a list has the position 1.", call = call, row = row)
  }
  as.integer(position)
}

# Sorts checked rows by session and position.
log_of_rows <- function(session, query, document, position, clicked, call) {
  sessions <- unique(session)
  session <- match(session, sessions)
  rows <- order(session, position, method = "radix")
  session <- session[rows]
  query <- query[rows]
  starts <- c(0L, cumsum(tabulate(session, length(sessions))))
  first <- starts[-length(starts)] + 1L
  check_no_gaps(position[rows], session, starts, sessions, call)
  other <- which(query != query[first][session])[1L]
  if (!is.na(other)) {
    stop_input("query", sprintf("Session %s has two queries.", id_text(sessions[session[other]])),
               sprintf("They are %s.", enumerate(id_text(c(query[first][session[other]], query[other])))),
               "Give each list that was shown its own session id.", call = call)
  }
  pairs <- coded_pairs(query, document[rows])
  twice <- anyDuplicated(as.double(session) * nrow(pairs$table) + pairs$code)
  if (twice > 0L) {
    stop_input("document",
               sprintf("Session %s shows the document `%s` twice.", id_text(sessions[session[twice]]),
                       id_text(pairs$table$document[pairs$code[twice] + 1L])), call = call)
  }
  new_click_log(starts, pairs$code, clicked[rows], pairs$table, sessions)
}

check_no_gaps <- function(position, session, starts, sessions, call) {
  due <- seq_along(position) - starts[session]
  bad <- which(position != due)[1L]
  if (!is.na(bad)) {
    stop_input("position",
               sprintf("Session %s has no unique document at position %d.", id_text(sessions[session[bad]]),
                       due[bad]),
               sprintf("Its %s document is at position %d.", ordinal_text(due[bad]), position[bad]),
               "Positions of a session must be 1, 2, ... without gaps.", call = call)
  }
}

ordinal_text <- function(n) {
  ending <- if (n %% 100 %in% 11:13) "th" else switch(n %% 10 + 1, "th", "st", "nd", "rd", "th", "th", "th",
                                                      "th", "th", "th")
  paste0(n, ending)
}

# Codes 0, 1, ... of the distinct pairs of query and document.
coded_pairs <- function(query, document) {
  queries <- unique(query)
  documents <- unique(document)
  key <- (match(query, queries) - 1) * length(documents) + match(document, documents) - 1
  distinct <- unique(key)
  table <- list2DF(list(query = queries[distinct %/% length(documents) + 1],
                        document = documents[distinct %% length(documents) + 1]))
  list(code = match(key, distinct) - 1L, table = table)
}

# `starts`: the rows of session i are starts[i] + 1 to starts[i + 1], in the order of positions. `pair`: the
# row of `pairs`, from 0. `sessions`: ids, or NULL for 1, 2, ....
new_click_log <- function(starts, pair, clicked, pairs, sessions = NULL) {
  structure(list(starts = starts, pair = pair, clicked = clicked, pairs = pairs, sessions = sessions,
                 depth = max(diff(starts))), class = "rankmix_click_log")
}

check_click_log <- function(log, name = "log", call = rlang::caller_env()) {
  check_class(log, name, "rankmix_click_log", "`click_log()`", call,
              if (inherits(log, "ranking_data")) "Or by `simulate_clicks(output = \"log\")`.")
}

log_sessions <- function(log) length(log$starts) - 1L
log_positions <- function(log) sequence(diff(log$starts))

# The row of `pairs` that has the query of each session.
session_queries <- function(log) {
  query <- log$pairs$query
  match(query, unique(query))[log$pair[log$starts[-length(log$starts)] + 1L] + 1L]
}

#' @export
as.data.frame.rankmix_click_log <- function(x, ...) {
  sizes <- diff(x$starts)
  ids <- if (is.null(x$sessions)) seq_along(sizes) else x$sessions
  data.frame(session = rep(ids, sizes), query = x$pairs$query[x$pair + 1L],
             document = x$pairs$document[x$pair + 1L], position = sequence(sizes), click = x$clicked)
}

#' @rdname click_log
#' @export
summary.rankmix_click_log <- function(object, ...) {
  check_no_others(...)
  position <- log_positions(object)
  shown <- tabulate(position, object$depth)
  clicks <- tabulate(position[object$clicked == 1L], object$depth)
  data.frame(position = seq_len(object$depth), shown = shown, clicks = clicks, rate = clicks / shown)
}

#' @rdname click_log
#' @export
print.rankmix_click_log <- function(x, ...) {
  position <- summary(x)
  say(sprintf("<rankmix_click_log> %s, %s, %s", counted(log_sessions(x), "session"),
              counted(length(unique(x$pairs$query)), "query", "queries"),
              counted(nrow(x$pairs), "query-document pair")))
  say(sprintf("%s of %s shown documents (%.1f %%)", counted(sum(position$clicks), "click"),
              format_count(length(x$pair)), 100 * mean(x$clicked)))
  shown <- utils::head(position$rate, 10L)
  say(sprintf("Click rates of the positions 1 to %d: %s", length(shown),
              paste(sprintf("%.3f", shown), collapse = " ")))
  invisible(x)
}
