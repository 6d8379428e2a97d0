# The identity of values: are two values the same setting, perhaps in different R sessions?
#
# Problem: results in a run directory, checkpoints and evaluations belong to settings, and a setting may be a function.
# Serialized functions differ between sessions by source references, byte code and unrelated variables of their
# environments. The text of a function lacks the values that a closure has captured.
# Input: any value. Output: plain vectors and lists for rlang::hash() or all.equal().
# Algorithm: a function is its code, and the values that its free names have in its enclosing environments, up to
# the global environment or a namespace. These values are treated in the same way, so helper functions count, too.
# Names of formal arguments are not free. Names that the function itself assigns by `<<-`, such as counters, are its
# state and no settings. Names in strings, such as get("k"), are not found.
# An environment is its contents, to a limited depth. A function or environment that occurs again inside a function
# is its number, so recursion ends.

# `seen` holds the functions and environments around `x`, and is NULL outside of them.
identity_of <- function(x, depth = 0L, seen = NULL) {
  if (is.function(x) || is.environment(x)) {
    if (is.null(seen)) seen <- rlang::new_environment(list(values = list()))
    return(if (is.function(x)) function_identity(x, depth, seen) else environment_identity(x, depth, seen))
  }
  if (is.symbol(x) || is.call(x)) {
    return(code_identity(x, character(), rlang::new_environment(), depth, seen))
  }
  if (is_specification(x) && !is.null(attr(x, "row"))) {
    row <- attr(x, "row")
    attr(x, "row") <- NULL
    return(list(row$name, identity_of(row$own, depth, seen), identity_of(x, depth, seen)))
  }
  if (isS4(x)) {
    return(list(as.character(class(x)), attributes_identity(attributes(x), depth, seen)))
  }
  if (is.expression(x)) x <- as.list(x)
  if (is.list(x)) {
    return(list(class(x), names(x), lapply(unname(unclass(x)), identity_of, depth, seen)))
  }
  if (is.atomic(x)) vector_identity(x, depth, seen) else class(x)
}

# Whether two values are the same setting. all.equal() treats 8 and 8L as equal.
same_identity <- function(one, other) isTRUE(all.equal(identity_of(one), identity_of(other), tolerance = 0))

# R may store equal vectors in different ways, such as 1:3 and c(1L, 2L, 3L). rlang::hash() distinguishes them, so
# the values are copied to plain vectors. 8 and 8L are the same setting, so integers become double.
vector_identity <- function(x, depth, seen) {
  own <- attributes(x)
  attributes(x) <- NULL
  x <- if (is.integer(x)) as.double(x) else x[seq_along(x)]
  if (is.null(own)) x else list(x, attributes_identity(own, depth, seen))
}

# Without source references.
attributes_identity <- function(attributes, depth, seen) {
  names <- sorted_names(setdiff(names(attributes), c("srcref", "wholeSrcref", "srcfile")))
  list(names, lapply(names, function(name) identity_of(attributes[[name]], depth, seen)))
}

# In one order in every locale.
sorted_names <- function(names) sort(as.character(names), method = "radix")

# The number of a function or environment that was met before; NULL for a new one.
seen_before <- function(x, seen) {
  at <- Position(function(one) identical(one, x), seen$values)
  if (!is.na(at)) {
    return(list("seen", at))
  }
  seen$values <- c(seen$values, list(x))
  NULL
}

function_identity <- function(x, depth, seen) {
  if (is.primitive(x)) {
    return(deparse(x))
  }
  known <- seen_before(x, seen)
  if (!is.null(known)) {
    return(known)
  }
  names <- rlang::new_environment()
  code <- closure_identity(formals(x), body(x), character(), names, depth, seen)
  captured <- captured_values(names, environment(x))
  list(code, names(captured), lapply(unname(captured), identity_of, depth, seen),
       attributes_identity(attributes(x), depth, seen))
}

closure_identity <- function(arguments, body, bound, names, depth, seen) {
  bound <- c(bound, names(arguments))
  list("function", names(arguments),
       lapply(seq_along(arguments), function(i) code_identity(arguments[[i]], bound, names, depth, seen)),
       code_identity(body, bound, names, depth, seen))
}

# Returns the code as lists and strings. Adds free names to the environment `names`: as `values`, as `calls` if the
# name is that of a called function, and as `changed` if the code assigns to it by `<<-`.
code_identity <- function(code, bound, names, depth, seen) {
  if (rlang::is_missing(code)) {
    return(list())
  }
  if (is.symbol(code)) {
    add_name(code, "values", bound, names)
    return(list("name", as.character(code)))
  }
  if (!is.call(code)) {
    return(identity_of(code, depth, seen))
  }
  head <- if (is.symbol(code[[1L]])) as.character(code[[1L]]) else ""
  if (head == "function") {
    return(closure_identity(code[[2L]], code[[3L]], bound, names, depth, seen))
  }
  if (head == "<<-") names$changed <- c(names$changed, all.vars(code[[2L]])[1L])
  if (nzchar(head)) add_name(code[[1L]], "calls", bound, names)
  # In `x$k` the name k is no variable.
  no_variable <- switch(head, `$` = , `@` = 3L, `::` = , `:::` = 2:3, integer())
  parts <- as.list(code)
  list("call", names(parts), lapply(seq_along(parts), function(i) {
    if (i == 1L && nzchar(head) || i %in% no_variable && is.symbol(parts[[i]])) {
      return(as.character(parts[[i]]))
    }
    code_identity(parts[[i]], bound, names, depth, seen)
  }))
}

add_name <- function(symbol, kind, bound, names) {
  name <- as.character(symbol)
  if (grepl("^[.][.][0-9]+$", name)) name <- "..."
  if (!name %in% bound) names[[kind]] <- unique(c(names[[kind]], name))
}

# The values of free names in the enclosing environments of a function. Functions of the global environment and of
# packages have none.
captured_values <- function(names, environment) {
  enclosing <- list()
  top <- topenv(environment)
  while (!identical(environment, top) && !identical(environment, emptyenv())) {
    enclosing <- c(enclosing, list(environment))
    environment <- parent.env(environment)
  }
  wanted <- sorted_names(setdiff(c(names$values, names$calls), names$changed))
  found <- lapply(stats::setNames(nm = wanted), function(name) {
    c(if (name %in% names$values) captured_value(name, enclosing, function(value) TRUE),
      # R skips values that are no functions if it looks for a function.
      if (name %in% names$calls) captured_value(name, enclosing, is.function))
  })
  Filter(length, found)
}

# A list with the first value of this name that is wanted, or NULL.
captured_value <- function(name, enclosing, is_wanted) {
  for (environment in enclosing) {
    if (exists(name, environment, inherits = FALSE)) {
      value <- tryCatch(
        if (name == "...") eval(quote(list(...)), environment) else get(name, environment, inherits = FALSE),
        error = function(e) NULL
      )
      if (is_wanted(value)) {
        return(list(value))
      }
    }
  }
  NULL
}

# A value in which functions are replaced by their identities, and are plain data.
with_identities <- function(x) {
  if (is.function(x)) {
    return(identity_of(x))
  }
  if (!is.list(x)) {
    return(x)
  }
  own <- attributes(x)
  x <- lapply(unclass(x), with_identities)
  attributes(x) <- own
  x
}

environment_identity <- function(x, depth, seen) {
  if (identical(x, topenv(x)) || identical(x, emptyenv())) {
    return(list("environment", environmentName(x)))
  }
  known <- seen_before(x, seen)
  if (!is.null(known)) {
    return(known)
  }
  if (depth > 3L) {
    return(class(x))
  }
  names <- sorted_names(ls(x, sorted = FALSE))
  held <- lapply(names, function(name) tryCatch(get(name, x), error = function(e) NULL))
  list(class(x), names, lapply(held, identity_of, depth + 1L, seen))
}
