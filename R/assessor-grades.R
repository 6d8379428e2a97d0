# The grades of assessors: a matrix, units x assessors, from a matrix or a long data frame.

# Returns `grades` (numbers 1, 2, ... of the grades; NA: not graded), `values` (the grades, in order), whether
# they are levels (`is_factor`), and the `query` of each unit (NULL for a matrix).
assessor_grades <- function(x, call = rlang::caller_env()) {
  table <- if (is.matrix(x)) list(grades = x) else if (is.data.frame(x)) long_grades(x, call) else {
    stop_input("argument", sprintf("`x` must be a matrix or a data frame, not %s.", show_value(x)),
               remedy = "Give units x assessors, or columns query, document, assessor and relevance.",
               call = call)
  }
  check_assessors(table$grades, call)
  values <- if (is.null(table$levels)) sort(unique(as.vector(table$grades))) else table$levels
  grades <- matrix(match(table$grades, values), nrow(table$grades),
                   dimnames = list(NULL, colnames(table$grades)))
  if (is.null(colnames(grades))) colnames(grades) <- paste0("assessor", seq_len(ncol(grades)))
  list(grades = grades, values = values, is_factor = !is.null(table$levels), query = table$query)
}

# One row for each grade becomes one row for each unit.
long_grades <- function(x, call) {
  long <- assessor_rows(x, call)
  grades <- matrix(long$relevance[NA_integer_], length(long$document), length(long$assessors),
                   dimnames = list(NULL, long$assessors))
  grades[long$at] <- long$relevance
  list(grades = grades, levels = long$levels, query = long$query)
}

# The rows of a data frame of grades: `at` has the unit and the assessor of each row. `document` and `query`
# (NULL if there is none) have one element for each unit.
assessor_rows <- function(x, call) {
  x <- plain_frame(x)
  needed <- c("document", "assessor", "relevance")
  lacking <- setdiff(needed, names(x))
  if (length(lacking) > 0L) {
    stop_input("argument", sprintf("`x` lacks the column `%s`.", lacking[1L]),
               sprintf("It has %s.", enumerate(names(x))),
               "The columns are query (if any), document, assessor and relevance.", call = call)
  }
  given <- intersect(c("query", needed[1:2]), names(x))
  bad <- given[vapply(x[given], anyNA, NA)]
  if (length(bad) > 0L) {
    stop_input("argument", sprintf("Column `%s` of `x` has missing values.", bad[1L]), call = call)
  }
  query <- if (!is.null(x[["query"]])) id_text(x[["query"]])
  key <- query_keys(query, x$document)
  units <- unique(key)
  assessor <- id_text(x$assessor)
  assessors <- unique(assessor)
  at <- cbind(match(key, units), match(assessor, assessors))
  twice <- which(duplicated(at))
  if (length(twice) > 0L) {
    row <- twice[1L]
    stop_input("argument", sprintf("Assessor `%s` graded document `%s`%s twice.", assessor[row],
                                   id_text(x$document[row]),
                                   if (is.null(query)) "" else sprintf(" of query `%s`", query[row])),
               remedy = "Keep one grade of each assessor for a document.", call = call)
  }
  if (!is.factor(x$relevance)) check_grade_type(x$relevance, call)
  levels <- if (is.factor(x$relevance)) levels(x$relevance)
  relevance <- if (is.null(levels)) x$relevance else as.character(x$relevance)
  first <- match(units, key)
  list(at = at, relevance = relevance, levels = levels, assessors = assessors, query = query[first],
       document = x$document[first])
}

check_grade_type <- function(grades, call) {
  if (!(is_plain_number(grades) || is.character(grades) || is.logical(grades)) || is.object(grades)) {
    stop_input("argument", "The grades must be numbers or text.",
               if (is.object(grades)) sprintf("They are %s.", show_value(grades)) else {
                 sprintf("They are of type %s.", typeof(grades))
               }, call = call)
  }
}

check_assessors <- function(grades, call) {
  check_grade_type(grades, call)
  if (ncol(grades) < 2L || anyDuplicated(colnames(grades))) {
    stop_input("argument", "Agreement needs two or more assessors, with different names.",
               sprintf("There %s.",
                       if (ncol(grades) == 1L) "is 1 assessor" else sprintf("are %d", ncol(grades))),
               call = call)
  }
  if (all(is.na(grades))) {
    stop_input("values", "There are no grades.", remedy = "At least one unit needs two grades.", call = call)
  }
  if (is_plain_number(grades) && any(is.infinite(grades))) {
    stop_input("values", "Grades must be finite.", call = call)
  }
}

# The grades as numbers, which all scales of measurement but "nominal" need.
ordered_values <- function(values, scale, is_factor, call) {
  if (scale == "nominal") {
    return(seq_along(values))
  }
  if (is.logical(values)) values <- as.integer(values)
  if (scale == "ordinal" && is_factor) {
    return(seq_along(values))
  }
  if (!is_plain_number(values)) {
    stop_input("argument", sprintf("`scale = \"%s\"` needs grades that are %s.", scale,
                                   if (scale == "ordinal") "numbers or an ordered factor" else "numbers"),
               sprintf("They are %s.", enumerate(values)),
               "Use `scale = \"nominal\"`, or numbers.", call = call)
  }
  if (scale == "ratio" && any(values < 0)) {
    stop_input("values", "`scale = \"ratio\"` needs grades of 0 or more.",
               sprintf("There is the grade %s.", plain_number(min(values))), call = call)
  }
  as.double(values)
}
