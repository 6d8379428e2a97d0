# A function that scores documents, as a member of a mixture without training. Its scores are the calibrator
# inputs.

# The members as the user gave them. Functions become models, under their own names.
as_members <- function(members, call = rlang::caller_env()) {
  names <- rlang::names2(members)
  functions <- vapply(members, is.function, NA)
  for (i in which(functions)) {
    check_no_constructor(members[[i]], i, call)
    name <- if (nzchar(names[i])) names[i] else sprintf("function %d", i)
    members[[i]] <- function_model(members[[i]], name)
    names[i] <- ""
  }
  stats::setNames(members, names)
}

# gbrt for gbrt().
check_no_constructor <- function(member, i, call) {
  namespace <- environment(check_no_constructor)
  made <- vapply(built_in_rankers(), function(name) identical(member, get(name, namespace)), NA)
  if (any(made)) {
    name <- built_in_rankers()[made][1L]
    stop_input("argument", sprintf("Member %d is the function `%s`.", i, name),
               remedy = sprintf("Call it: `%s()`.", name), call = call)
  }
}

function_model <- function(scores, name) {
  entry <- registry_entry("function", list(name = parameter(function(x, name, call) NULL)),
                          c("missing", "weights", "sparse", "one_grade"), train = NULL)
  spec <- structure(list(name = name), class = c("rankmix_function_spec", "rankmix_spec"),
                    row = entry)
  structure(list(spec = spec, scores = scores),
            class = c("rankmix_function_model", "rankmix_ranker"))
}

#' @export
format.rankmix_function_spec <- function(x, ...) x$name

# Stands in for features: the scores of the function for the data, documents x 1.
function_scores <- function(model, newdata, threads, call) {
  name <- model$spec$name
  if (!inherits(newdata, "ranking_data")) {
    stop_input("newdata", sprintf("Member %s is a function of ranking data.", show_value(name)),
               remedy = "Give ranking data, made by `ranking_data()`.", call = call)
  }
  scores <- score_columns(stats::setNames(list(model$scores), name), newdata, threads)[[1L]]
  if (any(!is.finite(scores))) {
    stop_input("scores", sprintf("Member %s gives scores that are not finite.", show_value(name)),
               sprintf("The first is in row %d.", which(!is.finite(scores))[1L]),
               "Give a finite number for each document.", call = call)
  }
  cbind(as.double(scores))
}

#' @export
calibrator_input.rankmix_function_model <- function(model, x, rounds, threads) {
  array(x, c(nrow(x), 1L, length(rounds)))
}
