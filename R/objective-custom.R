#' An objective of your own
#'
#' An objective of [gbrt()] that a function in R works out, to try ideas: slower than those of the
#' package, as the function is called for each query and tree.
#'
#' @param gradients A function of `scores` and `query` that gives a list of `gradient` and `hessian`,
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
#'   Documents of the same score come lowest grade first. Gradients and hessians are multiplied by
#'   the weight of the query afterwards: the function is to leave it alone. It is called on the main
#'   thread, once a query and round; models are the same for any number of threads, and for any
#'   order of rows where the function does not look at rows. It is to give the same for the same
#'   arguments: where it draws, a fit that is taken up again is refused. The model keeps the
#'   function, so that it can go on. Scores start at 0.
#' @return A value of class `rankmix_objective`.
#' @section Conditions: `rankmix_error_objective`, of [fit()]: the function fails, or does not give a
#'   list of finite gradients and hessians, none below 0, of the length of `scores`; the message
#'   names the query. `rankmix_error_argument`: it is no function of two arguments, or `name` no
#'   string.
#' @seealso [metric_custom()], [new_ranker()]
#' @examples
#' # Squared error, with errors above 1 counting like the hinge's (Huber)
#' huber <- loss_custom(function(scores, query) {
#'   error <- scores - query$relevance
#'   list(gradient = pmax(-1, pmin(1, error)), hessian = rep(1, length(error)))
#' }, name = "huber")
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' fit(gbrt(trees = 20, num_leaves = 4, objective = huber), train, threads = 1)
#' @export
loss_custom <- function(gradients, name = "custom") {
  check_all_given()
  if (!is.character(name) || length(name) != 1L || is.na(name) || !nzchar(name)) {
    stop_input("argument", sprintf("`name` must be one string, not %s.", show_value(name)))
  }
  takes <- if (is.function(gradients)) names(formals(args(gradients)))
  if (!is.function(gradients) || length(takes) < 2L && !"..." %in% takes) {
    stop_input("argument",
               sprintf("`gradients` must be a function of scores and query, not %s.",
                       if (is.function(gradients)) "of less" else show_value(gradients)),
               remedy = paste("Such as `function(scores, query) list(gradient = scores -",
                              "query$relevance, hessian = rep(1, length(scores)))`."))
  }
  new_objective("custom", gradients = gradients, label = name)
}

# As the core calls it: gradients and then hessians of the documents in `rows` of query q.
custom_gradients <- function(objective, data, call) {
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
                   "It is to give a list of `gradient` and `hessian`, a number a document."
                 }, call = call, parent = parent)
    }
    found <- tryCatch(objective$gradients(scores, query),
                      error = function(e) fail("fails", parent = e))
    if (!is.list(found) || !all(c("gradient", "hessian") %in% names(found))) {
      fail("must give a list of `gradient` and `hessian`",
           sprintf("It gave %s.", show_value(found)))
    }
    for (name in c("gradient", "hessian")) {
      check_of_documents(found[[name]], name, length(scores), fail)
    }
    if (any(found$hessian < 0)) {
      fail("gives a hessian below 0",
           sprintf("The lowest is %s.", format(min(found$hessian))))
    }
    as.double(c(found$gradient, found$hessian))
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
