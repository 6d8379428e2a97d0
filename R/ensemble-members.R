# The members of a mixture as the user gives them: specifications, models of fit(), and functions that
# score documents without training. Checks, families and labels.

# Checks that each member can be calibrated: classifiers, and rankers of one score.
check_members <- function(members, call = rlang::caller_env()) {
  if (length(members) == 0L) {
    stop_input("argument", "A mixture needs members.",
               remedy = "For example `mixture(adaboost_mh(base_tree(8)), gbrt())`.", call = call)
  }
  for (i in seq_along(members)) {
    check_can_be_member(members[[i]], i, call)
  }
  members
}

check_can_be_member <- function(member, i, call) {
  spec <- spec_of_member(member)
  if (inherits(member, "rankmix_cascade_model") || is_specification(spec) && has_trait(spec, "queries")) {
    stop_input("argument", sprintf("Member %d scores documents of a query together, not one by one.", i),
               remedy = "Train it first, and mix the model by `mix()`.", call = call)
  }
  if (is.null(spec)) {
    mixed <- inherits(member, "rankmix_ranker")
    stop_input(
      "argument",
      sprintf("Member %d must be %s, not %s.", i, member_makers, show_value(member)),
      if (mixed) "It is mixed or calibrated already.",
      if (mixed) {
        "Give its members, or mix trained rankers by `mix()`."
      } else if (rlang::is_string(member) && member %in% getNamespaceExports("rankmix")) {
        sprintf("Write `%s()`.", member)
      },
      call = call
    )
  }
  if (inherits(spec, "rankmix_mixture_spec")) {
    stop_input("argument", sprintf("A mixture cannot be member %d of a mixture.", i),
               remedy = "Give its members, or mix trained rankers by `mix()`.", call = call)
  }
}

member_makers <- "a specification, such as `gbrt()`, a model that `fit()` gave, or a function"

# A value with a class is one value, not a list of its parts.
listed <- function(x) if (is.list(x) && !is.object(x)) x else list(x)

# The specification of a member, trained or not; NULL if the value cannot be a member.
spec_of_member <- function(member) {
  if (is_specification(member)) {
    return(member)
  }
  if (inherits(member, "rankmix_ranker") && is_specification(member$spec)) member$spec
}

# The text of a specification; NULL for a model.
member_text <- function(member) {
  if (is_specification(member)) format(member) else {
    sprintf("<model of %s>", format(member$spec))
  }
}

# The traits that all members to be trained share.
shared_traits <- function(members) {
  specs <- Filter(is_specification, members)
  shared <- lapply(specs, traits_of)
  Reduce(intersect, shared, c("missing", "weights", "sparse", "bins", "distributed", "one_grade"))
}

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

# An error for a constructor without parentheses, such as `gbrt` instead of `gbrt()`.
check_no_constructor <- function(member, i, call) {
  name <- uncalled_ranker(member)
  if (!is.null(name)) {
    stop_input("argument", sprintf("Member %d is the function `%s`.", i, name),
               remedy = sprintf("Call it: `%s()`.", name), call = call)
  }
}

function_model <- function(scores, name) {
  entry <- registry_entry("function", list(name = parameter(function(x, name, call) NULL)),
                          c("missing", "weights", "sparse", "bins", "one_grade"), train = NULL)
  spec <- structure(list(name = name), class = c("rankmix_function_spec", "rankmix_spec"),
                    row = entry)
  structure(list(spec = spec, scores = scores),
            class = c("rankmix_function_model", "rankmix_ranker"))
}

#' @export
format.rankmix_function_spec <- function(x, ...) x$name

is_function_member <- function(model) inherits(model, "rankmix_function_model")

# The input of a function member in place of features: the scores of the function for the data, documents x 1.
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

# The name of the model's ranker, as in the registry.
family_of <- function(model) {
  if (is_specification(model$spec)) entry_of(model$spec)$name else NULL
}

# For each model the index of the member that the user gave. Models that another mixture trained
# from one specification count as one member.
member_origins <- function(steps) {
  origin <- rep(seq_along(steps), lengths(steps))
  path <- vapply(unlist(steps, recursive = FALSE, use.names = FALSE), function(step) {
    if (is_specification(step) || is.null(step$of_path)) NA_character_ else step$of_path
  }, "")
  first <- origin[match(path, path)]
  ifelse(is.na(path), origin, first)
}

# One label for each given ranker; all labels are different.
ranker_labels <- function(members) {
  specs <- lapply(members, spec_of_member)
  labels <- character(length(members))
  constructor <- vapply(specs, function(spec) written_as(spec)$name, "")
  for (name in unique(constructor)) {
    own <- constructor == name
    labels[own] <- labels_of_one_constructor(specs[own])
  }
  functions <- vapply(members, is_function_member, NA)
  labels[functions] <- vapply(members[functions], function(member) format(member$spec), "")
  named <- nzchar(rlang::names2(members))
  labels[named] <- names(members)[named]
  make.unique(labels, " #")
}

# Labels such as "gbrt()". Several rankers of one constructor are distinguished by as few settings
# as possible, among those that differ from the defaults: "gbrt(num_leaves = 8)".
labels_of_one_constructor <- function(specs) {
  written <- lapply(specs, written_as)
  settings <- unique(unlist(lapply(written, function(one) names(one$settings))))
  differ <- Filter(function(name) {
    length(unique(lapply(written, function(one) one$settings[[name]]))) > 1L
  }, settings)
  shown <- lapply(written, function(one) one$settings[intersect(names(one$settings), differ)])
  text <- function(settings) {
    sprintf("%s(%s)", written[[1L]]$name, paste(unlist(settings), collapse = ", "))
  }
  labels <- vapply(shown, text, "")
  for (i in seq_along(shown)) {
    for (name in names(shown[[i]])) {
      fewer <- shown[[i]][names(shown[[i]]) != name]
      if (!text(fewer) %in% labels[-i]) {
        shown[[i]] <- fewer
        labels[i] <- text(fewer)
      }
    }
  }
  labels
}
