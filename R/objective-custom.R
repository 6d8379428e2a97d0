#' An objective of your own
#'
#' An objective of [gbrt()] that a function in R works out, to try ideas: slower than those of the
#' package, as the function is called for each query and tree.
#'
#' @param slopes A function of `scores` and `query` that gives a list of `slope` and `curvature`,
#'   a number a document each: the derivative of what is to be small by the score of the document,
#'   and how fast that grows, 0 or more (the second derivative, or a bound of it). See Details.
#' @param name What it is called when it is printed.
#'
#' @details `scores` are those of the documents of one query, highest first. `query` is a list of
#'   what is known of them, in the same order:
#'   * `relevance`, their grades, and `position`, where the data have positions, or `NULL`;
#'   * `rows`, their rows in the training data, for what else is known of them;
#'   * `query`, the id of the query, and `weight`, its weight, or 1.
#'
#'   Documents of the same score come lowest grade first. Slopes and curvatures are multiplied by
#'   the weight of the query afterwards: the function is to leave it alone. It is called on the main
#'   thread, once a query and round; models are the same for any number of threads, and for any
#'   order of rows where the function does not look at rows. It is to give the same for the same
#'   arguments: where it draws, a fit that is taken up again is refused. The model keeps the
#'   function, so that it can go on. Scores start at 0.
#' @return A value of class `rankmix_objective`.
#' @section Conditions: `rankmix_error_objective`, of [fit()]: the function fails, or does not give a
#'   list of finite slopes and curvatures, none below 0, of the length of `scores`; the message
#'   names the query. `rankmix_error_argument`: it is no function of two arguments, or `name` no
#'   string.
#' @seealso [metric_custom()], [new_ranker()]
#' @examples
#' # Squared error, with errors above 1 counting like the hinge's (Huber)
#' huber <- loss_custom(function(scores, query) {
#'   error <- scores - query$relevance
#'   list(slope = pmax(-1, pmin(1, error)), curvature = rep(1, length(error)))
#' }, name = "huber")
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' fit(gbrt(trees = 20, leaves = 4, objective = huber), train, threads = 1)
#' @export
loss_custom <- function(slopes, name = "custom") {
  check_all_given()
  if (!is.character(name) || length(name) != 1L || is.na(name) || !nzchar(name)) {
    stop_input("argument", sprintf("`name` must be one string, not %s.", show_value(name)))
  }
  takes <- if (is.function(slopes)) names(formals(args(slopes)))
  if (!is.function(slopes) || length(takes) < 2L && !"..." %in% takes) {
    stop_input("argument",
               sprintf("`slopes` must be a function of scores and query, not %s.",
                       if (is.function(slopes)) "of less" else show_value(slopes)),
               remedy = paste("Such as `function(scores, query) list(slope = scores -",
                              "query$relevance, curvature = rep(1, length(scores)))`."))
  }
  new_objective("custom", slopes = slopes, label = name)
}

# As the core calls it: slopes and then curvatures of the documents in `rows` of query q.
custom_slopes <- function(objective, data, call) {
  force(objective)
  force(data)
  function(q, rows, scores) {
    query <- list(relevance = data$relevance[rows], position = data$position[rows], rows = rows,
                  query = data$query_ids[q],
                  weight = if (is.null(data$weight)) 1 else data$weight[q])
    fail <- function(problem, details = NULL, parent = NULL) {
      stop_input("objective", sprintf("The function of the objective `%s` %s.", objective$label,
                                      problem),
                 c(details, sprintf("It was called for query %s.", query$query)),
                 if (is.null(parent)) {
                   "It is to give a list of `slope` and `curvature`, a number a document."
                 }, call = call, parent = parent)
    }
    found <- tryCatch(objective$slopes(scores, query),
                      error = function(e) fail("fails", parent = e))
    if (!is.list(found) || !all(c("slope", "curvature") %in% names(found))) {
      fail("must give a list of `slope` and `curvature`",
           sprintf("It gave %s.", show_value(found)))
    }
    for (name in c("slope", "curvature")) {
      check_of_documents(found[[name]], name, length(scores), fail)
    }
    if (any(found$curvature < 0)) {
      fail("gives a curvature below 0",
           sprintf("The lowest is %s.", format(min(found$curvature))))
    }
    as.double(c(found$slope, found$curvature))
  }
}

check_of_documents <- function(x, name, count, fail) {
  if (!is_plain_number(x) || length(x) != count) {
    fail(sprintf("must give a `%s` for each document", name),
         sprintf("Of %s it gave %s.", counted(count, "document"), show_value(x)))
  }
  if (!all(is.finite(x))) {
    fail(sprintf("gives a `%s` that is not finite", name),
         sprintf("The first is %s.", format(x[!is.finite(x)][1L])))
  }
}
