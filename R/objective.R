# What rankers learn: objectives, which are values. Which learner takes which is in the learner's
# row.

#' Squared error
#'
#' An objective of [linear()]: the squared difference of a document's score from its target,
#' document by document.
#'
#' @param target What the score is to be: `"grade"`, the grade as a number, or `"gain"`,
#'   2^grade - 1. `NULL` leaves it to the learner: [linear()] takes the gain.
#'
#' @details With the target \eqn{y_i}{y_i}, the score \eqn{f_i}{f_i} and the weight
#'   \eqn{w_i}{w_i} of document i, which is that of its query or 1, the objective is
#'   \deqn{\sum_i w_i (y_i - f_i)^2.}{sum_i w_i (y_i - f_i)^2.}
#' @return A value of class `rankmix_objective`.
#' @references Cossock and Zhang (2006). Subset ranking using regression.
#'   \doi{10.1007/11776420_44}
#' @examples
#' linear(squared("grade"))
#' @export
squared <- function(target = NULL) {
  if (!is.null(target)) check_choice(target, "target", c("grade", "gain"))
  new_objective("squared", target = target)
}

new_objective <- function(name, ...) {
  structure(c(list(name = name), Filter(Negate(is.null), list(...))),
            class = "rankmix_objective")
}

# A check of the registry: an objective of one of these names.
an_objective <- function(...) {
  names <- c(...)
  function(x, name, call) {
    makers <- enumerate(paste0(names, "()"), 10L)
    check_class(x, name, "rankmix_objective", makers, call)
    if (!x$name %in% names) {
      stop_input("argument", sprintf("`%s` cannot be %s here.", name, format(x)),
                 remedy = sprintf("Take %s.", makers), call = call)
    }
  }
}

# The target of each document; `default` is what the learner takes.
objective_targets <- function(objective, relevance, default) {
  target <- if (is.null(objective$target)) default else objective$target
  as.double(if (target == "gain") exponential_gain(relevance) else relevance)
}

#' @export
format.rankmix_objective <- function(x, ...) {
  settings <- unlist(x[names(x) != "name"])
  sprintf("%s(%s)", x$name, if (length(settings) == 0L) "" else {
    paste(vapply(settings, show_value, ""), collapse = ", ")
  })
}

#' @export
print.rankmix_objective <- function(x, ...) {
  say("<objective> ", format(x))
  invisible(x)
}
