#' Custom objectives
#'
#' An objective of [gbrt()] that an R function computes, to try ideas. A custom objective is slower than the
#' objectives of the package, because the function is called once per query and tree.
#'
#' @param gradients The function of `scores` and `query`, which must return a list of `gradient` and
#'   `hessian` with one number per document. `gradient` is the derivative of the loss
#'   by the document's score. `hessian` is the second derivative or an upper bound of it, 0 or more. See
#'   Details.
#' @param name The name that is printed; default `"custom"`.
#' @param ... Must be empty.
#'
#' @details `scores` are the scores of the documents of one query, highest first. Documents with equal
#' scores are sorted by grade, the lowest first. `query` is a list about these documents, in the same
#' order:
#'   * `relevance`, their grades;
#'   * `position`, their positions, or `NULL` if the data have none;
#'   * `rows`, their rows in the training data, to look up other columns;
#'   * `query`, the id of the query, and `weight`, its weight, or 1.
#'
#'   rankmix multiplies the results by the query weight, so the function must not use the weight. The
#'   function is called on the main thread. Models are identical for any number of threads, and for any row
#'   order if the function does not use `rows`. The function must be deterministic: a fit is not resumed if
#'   the function gives other values than before. The model stores the function, so that training can
#'   resume. [saveRDS()] also saves the variables of the function that made it. Scores start at 0.
#' @return A value of class `rankmix_objective`.
#' @section Conditions: `rankmix_error_objective`, from [fit()]: the function fails, or does not return
#'   a list of finite gradients and nonnegative hessians of the length of `scores`; the message
#'   names the query. `rankmix_error_argument`: not a function of two arguments, or `name` is not a string.
#' @seealso [metric_custom()], [new_ranker()]
#' @examples
#' # Squared error, linear for errors above 1 (Huber)
#' huber <- loss_custom(function(scores, query) {
#'   error <- scores - query$relevance
#'   list(gradient = pmax(-1, pmin(1, error)), hessian = rep(1, length(error)))
#' }, name = "huber")
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' fit(gbrt(trees = 20, num_leaves = 4, objective = huber), train, threads = 1)
#' @export
loss_custom <- function(gradients, name = "custom", ...) {
  check_no_others(...)
  check_all_given()
  if (!is.character(name) || length(name) != 1L || is.na(name) || !nzchar(name)) {
    stop_input("argument", sprintf("`name` must be one string, not %s.", show_value(name)))
  }
  takes <- if (is.function(gradients)) names(formals(args(gradients)))
  if (!is.function(gradients) || length(takes) < 2L && !"..." %in% takes) {
    stop_input("argument",
               sprintf("`gradients` must be a function of scores and query, not %s.",
                       if (is.function(gradients)) "of less" else show_value(gradients)),
               remedy = paste("For example `function(scores, query) list(gradient = scores -",
                              "query$relevance, hessian = rep(1, length(scores)))`."))
  }
  new_objective("custom", gradients = gradients, label = name)
}

# The function that the core calls. It returns the gradients and then the hessians of the documents
# in `rows` of query q.
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
                   "It must return a list of `gradient` and `hessian`, a number per document."
                 } else {
                   c("It is called as `f(scores, query)`, once for each query and tree.",
                     "`query` is a list: the grades are `query$relevance`.")
                 }, call = call, parent = parent)
    }
    found <- tryCatch(objective$gradients(scores, query),
                      error = function(e) fail("fails", parent = e))
    if (!is.list(found) || !all(c("gradient", "hessian") %in% names(found))) {
      fail("must give a list of `gradient` and `hessian`",
           if (is.list(found) && !is.null(names(found))) {
             sprintf("It gave a list of %s.", enumerate(names(found)))
           } else {
             sprintf("It gave %s.", show_value(found))
           })
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
