# The roles of the columns of a data frame: names with or without quotes, expressions, formulas.

# Evaluates the quosure of an argument: its `value`, one per row, and the `columns` that it names or
# uses. `several` allows several columns. With `equal`, columns that are identical to the value count as used. In a
# `chunk` of a source, strings that were not made of columns are names, for any number of rows.
frame_column <- function(quo, frame, name, several = FALSE,
                         call = rlang::caller_env(), equal = TRUE, chunk = FALSE) {
  expr <- rlang::quo_get_expr(quo)
  if (is.null(expr) && name != "query") {
    return(list(value = NULL, columns = character()))
  }
  names <- if (several) listed_names(expr, frame)
  if (is.null(names)) {
    value <- frame_value(quo, frame, name, call)
    check_is_values(value, expr, frame, name, call)
    # Strings of columns are values, also if there is one row.
    made_of_columns <- length(used_columns(expr, names(frame))) > 0L
    named <- names_columns(value, frame, several) ||
      chunk && several && is.character(value) && all(value %in% names(frame))
    if (made_of_columns || !named) {
      values <- if (is.list(value)) unclass(value) else list(value)
      same <- if (equal) unlist(lapply(values, equal_columns, frame))
      used <- c(used_columns(expr, names(frame)), names(frame)[sort(same)])
      return(list(value = value, columns = unique(used),
                  named = is_column_name(expr, frame)))
    }
    names <- value
  }
  check_named(names, frame, call)
  list(value = if (length(names) == 1L) frame[[names]] else as.list(frame)[names],
       columns = names, named = TRUE)
}

# The columns with usual names for these roles, as arguments: "relevance = grade, query = qid". NULL if
# a role has none.
usual_columns <- function(frame, roles = c("relevance", "query")) {
  given <- gsub("[. ]", "_", ascii_lower(names(frame)))
  found <- vapply(roles, function(role) {
    at <- match(c(role, foreign_names[[role]]), given)
    names(frame)[at[!is.na(at)][1L]]
  }, "")
  if (!anyNA(found)) {
    list(columns = found, text = paste(roles, "=", vapply(found, as_name, ""), collapse = ", "))
  }
}

# A name as it is written in code, in quotes if needed.
as_name <- function(name) {
  if (make.names(name) == name) name else sprintf("\"%s\"", name)
}

# The arguments that the user should write if `query` was not given. If the argument `relevance` is a query
# id, the user meant `query`.
usual_remedy <- function(frame, relevance, formula) {
  query <- usual_columns(frame, "query")
  if (is.null(query)) {
    return(NULL)
  }
  both <- if (is.null(formula) && (length(relevance) == 0L || query$columns %in% relevance)) {
    usual_columns(frame)
  }
  sprintf("Write `%s`.", if (is.null(both)) query$text else both$text)
}

# Whether an expression is a single column: `site`, `.data$site` or `.data[["site"]]`.
is_column_name <- function(expr, frame) {
  if (rlang::is_call(expr, c("$", "[["), n = 2L) && identical(expr[[2L]], quote(.data))) {
    expr <- expr[[3L]]
  }
  (is.symbol(expr) || rlang::is_string(expr)) && as.character(expr) %in% names(frame)
}

# The indexes of the columns that are identical to this value.
equal_columns <- function(value, frame) {
  if (is.null(value)) integer() else which(vapply(as.list(frame), identical, logical(1), value))
}

# The columns that an expression uses by name. Columns that come from other objects can only be
# recognised by their values.
used_columns <- function(expr, columns) {
  walk <- function(part) {
    if (is.symbol(part)) {
      return(as.character(part))
    }
    if (!is.call(part)) {
      return(character())
    }
    if (rlang::is_call(part, c("$", "[[")) && identical(part[[2L]], quote(.data))) {
      return(as.character(part[[3L]]))
    }
    if (rlang::is_call(part, c("$", "@"))) {
      return(walk(part[[2L]]))
    }
    unlist(lapply(as.list(part)[-1L], walk))
  }
  intersect(walk(expr), columns)
}

# The names in c(site, day). Evaluating this call would concatenate the columns. If there are as many strings as
# rows, and a string is repeated, the strings are values.
listed_names <- function(expr, frame) {
  if (!rlang::is_call(expr, "c") || length(expr) < 2L) {
    return(NULL)
  }
  parts <- as.list(expr)[-1L]
  strings <- vapply(parts, is.character, NA)
  names <- vapply(parts, function(part) {
    if (is.symbol(part) || is.character(part)) as.character(part) else NA_character_
  }, character(1))
  known <- names %in% names(frame)
  values <- all(strings) && length(names) == nrow(frame) && anyDuplicated(names) > 0L
  if (!values && all(known | strings) && any(known)) names
}

# A string is the name of a column. Several strings are names of columns if their number is not the number of rows. A
# vector with one value per row is never read as names.
names_columns <- function(value, frame, several) {
  is.character(value) && !is.object(value) &&
    (length(value) == 1L || several && length(value) > 1L && length(value) != nrow(frame))
}

frame_value <- function(quo, frame, name, call) {
  tryCatch(rlang::eval_tidy(quo, frame), error = function(e) {
    expr <- rlang::quo_get_expr(quo)
    stop_input(
      "column",
      sprintf("`%s = %s` cannot be found or computed.", name, rlang::as_label(expr)),
      sprintf("The columns of the data frame are %s.", enumerate(names(frame), 10L)),
      column_remedy(unknown_names(expr, frame), frame), call = call, parent = e
    )
  })
}

# A name that is not a column may be another object, such as the R function rank(). The user meant a
# column if that object has no value for each row.
check_is_values <- function(value, expr, frame, name, call) {
  from_column <- rlang::is_call(expr, c("$", "[[", "@"))
  # A variable with the value NULL counts as not given: a calling function passed it on.
  if (is.null(value) && name != "query" && !from_column) {
    return(invisible())
  }
  values <- is_values(value) || is.list(value) && all(vapply(value, is_values, NA)) ||
    inherits(value, "rankmix_groups")
  stray <- is.symbol(expr) && !as.character(expr) %in% names(frame) && values &&
    !is.list(value) && !inherits(value, "rankmix_groups") &&
    !names_columns(value, frame, TRUE) && length(value) != nrow(frame)
  if (values && !stray) {
    return(invisible())
  }
  what <- if (is.function(value)) {
    "a function"
  } else if (is.null(value)) {
    "NULL"
  } else {
    show_value(value)
  }
  wanted <- if (is.symbol(expr)) as.character(expr) else unknown_names(expr, frame)
  stop_input(
    "column",
    if (is.symbol(expr)) {
      sprintf("The data frame has no column `%s`.", as.character(expr))
    } else {
      sprintf("`%s = %s` is no column and has no values.", name, rlang::as_label(expr))
    },
    c(sprintf("%s is %s.", if (is.symbol(expr)) paste0("Elsewhere `", expr, "`") else "It",
              what),
      sprintf("The columns of the data frame are %s.", enumerate(names(frame), 10L))),
    column_remedy(wanted, frame), call = call
  )
}

is_values <- function(value) {
  !is.null(value) && (is.atomic(value) || inherits(value, "POSIXlt"))
}

# The unknown names of an expression: they are used as columns or as objects with parts, but the
# data frame has no such column.
unknown_names <- function(expr, frame) {
  name <- if (is.symbol(expr)) {
    as.character(expr)
  } else if (rlang::is_call(expr, c("$", "[["), n = 2L) &&
               (is.symbol(expr[[3L]]) || is.character(expr[[3L]]))) {
    as.character(expr[[3L]])
  } else if (is.call(expr)) {
    unlist(lapply(as.list(expr)[-1L], unknown_names, frame))
  }
  setdiff(name, names(frame))
}

column_remedy <- function(names, frame) {
  c(unlist(lapply(utils::head(names, 3L), did_you_mean, names(frame))),
    "Give the name of a column, or a vector with one value per row.")
}

check_named <- function(names, frame, call) {
  unknown <- setdiff(names, names(frame))
  if (length(unknown) > 0L) {
    stop_input(
      "column",
      sprintf("The data frame has no column %s.", enumerate(unknown)),
      sprintf("Its columns are %s.", enumerate(names(frame), 10L)),
      column_remedy(unknown, frame), call = call
    )
  }
}

# The left side of a formula as a quosure, a quosure of NULL if there is none.
formula_relevance <- function(formula) {
  rlang::new_quosure(if (length(formula) == 3L) formula[[2L]], rlang::f_env(formula))
}

# The columns that the right side of a formula names; `.` stands for `rest`.
formula_features <- function(formula, frame, rest, call = rlang::caller_env()) {
  stop_term <- function(term, problem, remedy) {
    stop_input("column", sprintf("The term `%s` of the formula %s.",
                                 rlang::as_label(term), problem),
               sprintf("The columns of the data frame are %s.",
                       enumerate(names(frame), 10L)),
               remedy, call = call)
  }
  walk <- function(term) {
    if (rlang::is_call(term, "(")) {
      return(walk(term[[2L]]))
    }
    if (rlang::is_call(term, "+", n = 2L)) {
      return(union(walk(term[[2L]]), walk(term[[3L]])))
    }
    if (rlang::is_call(term, "-", n = 2L)) {
      return(setdiff(walk(term[[2L]]), walk(term[[3L]])))
    }
    if (identical(term, quote(.))) {
      return(rest)
    }
    if (is.symbol(term) && as.character(term) %in% names(frame)) {
      return(as.character(term))
    }
    if (is.symbol(term)) {
      stop_term(term, "is not a column",
                c(did_you_mean(as.character(term), names(frame)), "Check the name."))
    }
    stop_term(term, "is not the name of a column",
              "Add the computed values to the data frame as a column, and name the column.")
  }
  features <- walk(formula[[length(formula)]])
  # The columns of the relevance and of ids cannot be features.
  taken <- setdiff(features, rest)
  if (length(taken) > 0L) {
    stop_input("column", sprintf("%s cannot be a feature.", enumerate(taken)),
               "It is the relevance, query, document or weight, or these are made of it.",
               "Leave it out of the right side of the formula.", call = call)
  }
  features
}

# One query id per row: from groups, from several columns, or unchanged.
single_query <- function(query, rows, call = rlang::caller_env()) {
  if (inherits(query, "rankmix_groups")) {
    return(groups_of_rows(query, rows, call))
  }
  if (!is.list(query)) {
    return(query)
  }
  if (length(query) == 0L) {
    stop_input("query", "No query column is given.", call = call)
  }
  lengths <- lengths(query)
  if (any(lengths != rows)) {
    stop_input("length",
               sprintf("Each query column must have one id for each of %d rows.", rows),
               sprintf("The columns have the lengths %s.", paste(lengths, collapse = ", ")),
               call = call)
  }
  parts <- lapply(query, check_ids, name = "query", call = call)
  if (length(parts) == 1L) {
    return(parts[[1L]])
  }
  # Columns are combined as codes, so text is made once for each query and not for each row.
  code <- match(parts[[1L]], unique(parts[[1L]]))
  for (part in parts[-1L]) {
    ids <- unique(part)
    pair <- (code - 1) * length(ids) + match(part, ids)
    code <- match(pair, unique(pair))
  }
  first <- which(!duplicated(code))
  labels <- lapply(parts, function(part) {
    gsub("([:\\\\])", "\\\\\\1", id_text(part[first]))
  })
  do.call(paste, c(unname(labels), sep = ":"))[code]
}
