# Relevance of two kinds. Grades are whole numbers from 0 to 127, stored as integers. Any other relevance,
# such as click rates or revenue, is stored as doubles. `data` is ranking data, or its judged documents.

is_graded <- function(data) !is.double(data$relevance)

# Whether each document is relevant: its relevance is at least `relevant`.
is_relevant <- function(data, relevant, call = rlang::caller_env()) {
  if (is_graded(data) && relevant <= 0) {
    stop_input("argument", "`relevant` must be above 0 for grades.",
               sprintf("It is %s.", format(relevant)), "Grade 0 means not relevant.", call = call)
  }
  data$relevance >= relevant
}

# The common error of all functions that need grades. `who` is the subject of the sentence.
check_graded <- function(data, who, call = rlang::caller_env()) {
  if (!is_graded(data)) {
    stop_input("grade", sprintf("%s needs grades: whole numbers from 0 to %d.", who, largest_grade),
               sprintf("The relevance of the data has other values, such as %s.",
                       format(not_grades(data$relevance)[1L])),
               "Group the values to grades: `group_grades(data, breaks = relevance_breaks(data, 5))`.",
               call = call)
  }
  invisible(data)
}

not_grades <- function(x) x[is.na(x) | x < 0 | x > largest_grade | x != round(x)]

# The checked relevance: integers if all are grades, else doubles.
check_relevance <- function(relevance, call = rlang::caller_env()) {
  usual <- is_plain_number(relevance) || is.logical(relevance)
  if (!usual || length(not_grades(relevance)) == 0L) {
    return(check_grades(relevance, call))
  }
  bad <- which(!is.finite(relevance))
  if (length(bad) > 0L) {
    stop_input("grade", "The relevance must be finite numbers.",
               sprintf("Row %d has %s%s.", bad[1L], format(relevance[bad[1L]]),
                       if (length(bad) > 1L) {
                         sprintf(", and %d more rows are wrong", length(bad) - 1L)
                       } else ""),
               "Leave out documents without a judgement.", call = call, row = bad[1L])
  }
  check_magnitude(relevance, "grade", "Numbers of relevance", call)
  as.double(relevance) + 0  # -0 becomes 0
}

# The checked relevance of a file, for which `graded` was decided when the data were made: a relevance that is not
# graded may have grades only, in a part of the data.
check_stored_relevance <- function(relevance, graded, call = rlang::caller_env()) {
  if (graded) check_grades(relevance, call) else as.double(check_relevance(relevance, call))
}

# The core compares integers. Each query numbers its own distinct values, in increasing order. Numbers start
# at kFirstLevel of src/core/data/queries.h, above all grades. Returns the `levels` of the documents, and
# the `values` of the numbers from kFirstLevel on.
relevance_levels <- function(relevance, query) {
  by <- order(query, relevance, method = "radix")
  sorted <- relevance[by]
  first <- c(TRUE, changes(sorted) | changes(query[by]))
  levels <- integer(length(by))
  levels[by] <- first_level + cumsum(first) - 1L
  list(levels = levels, values = sorted[first])
}

first_level <- 128L

# Integers in the order of the relevance within each query: the grades, if there are grades.
core_grades <- function(data) {
  if (is_graded(data)) data$relevance else relevance_levels(data$relevance, data$query)$levels
}

# An integer for each document. Documents have the same integer only if their relevance is equal, apart from
# collisions of a hash.
relevance_marks <- function(data) {
  if (is_graded(data)) {
    return(as.integer(data$relevance))
  }
  halves <- matrix(readBin(writeBin(data$relevance, raw(), endian = "little"), "integer",
                           2L * length(data$relevance), endian = "little"), 2L)
  bitwAnd(bitwXor(halves[1L, ], halves[2L, ]), .Machine$integer.max)
}

# Metrics of a relevance that is not graded --------------------------------------------------------

# Gains of grades are exponential by default, other relevance is the gain itself. The evaluation shows the
# gain. Conventions use the gain of their tool.
with_linear_gain <- function(metric) {
  unset <- is.null(metric$set$gain) && is.null(metric$convention)
  if (unset && "gain" %in% names(metric_defaults(metric$name))) metric$set$gain <- "linear"
  metric
}

# The rules of the metric with `levels`, one integer for each document, to which the rules apply.
rules_of_levels <- function(metric, rules, relevance, query, call) {
  if (metric$name == "err") check_graded(list(relevance = relevance), "err", call)
  if (!is.null(rules$relevant)) {
    if (is.null(metric$set$relevant)) stop_no_threshold(metric, call)
    rules$levels <- as.integer(relevance >= rules$relevant)
    rules$relevant <- 1L
    return(rules)
  }
  found <- relevance_levels(relevance, query)
  rules$levels <- found$levels
  if (!is.null(rules$gain)) {
    rules$gain <- c(numeric(first_level), gains_of_values(metric, rules$gain, found$values, call))
  }
  rules
}

stop_no_threshold <- function(metric, call) {
  stop_input("grade", sprintf("%s needs a threshold of relevance.", format(metric)),
             "The relevance of the data is not graded.",
             sprintf("Set the lowest relevant value: `metric_%s(relevant = 0.5)`.", metric$name), call = call)
}

gains_of_values <- function(metric, gain, values, call) {
  if (is.function(gain)) {
    return(function_gain(metric, gain, values, call))
  }
  linear <- sprintf(paste("Set `gain = \"linear\"`, which is the relevance, or a function:",
                          "`metric_%s(gain = sqrt)`."), metric$name)
  if (!identical(gain, "linear")) {
    stop_input("grade", sprintf("The gains of %s are for grades.", format(metric)),
               "The relevance of the data is not graded.", linear, call = call)
  }
  if (values[which.min(values)] < 0) {
    stop_input("grade", sprintf("%s needs gains of 0 or more.", format(metric)),
               sprintf("The lowest relevance is %s.", format(min(values))),
               sprintf("Set a function: `metric_%s(gain = function(x) pmax(x, 0))`.", metric$name),
               call = call)
  }
  check_weights(values, "gain", "the relevance of the documents", call)
  values
}

# One gain for each value; also for grades.
function_gain <- function(metric, gain, values, call) {
  gains <- tryCatch(gain(values), error = function(e) {
    stop_input("argument", sprintf("The function `gain` of %s fails.", metric$name), call = call, parent = e)
  })
  if (!is_plain_number(gains) || length(gains) != length(values)) {
    stop_input("argument", sprintf("The function `gain` must give one number for each relevance, not %s.",
                                   show_value(gains)),
               remedy = "For example `function(x) sqrt(x)`.", call = call)
  }
  metric_parameters$gain(gains, metric$name, call)
  as.double(gains)
}

# Grades count as relevant from `relevant` on, which must exclude grade 0.
check_relevant_grade <- function(metric, relevant, call) {
  if (!is.null(relevant) && relevant <= 0) {
    stop_input("argument", sprintf("`relevant` of %s must be above 0 for grades.", metric$name),
               sprintf("It is %s.", format(relevant)), "Grade 0 means not relevant.", call = call)
  }
}

# Targets of losses --------------------------------------------------------------------------------

# The relevance as a target. `gains`: the loss needs gains of 0 or more.
targets_of_values <- function(objective, relevance, gains, call) {
  if (identical(objective$target, "gain")) {
    stop_input("grade", "`target = \"gain\"` needs grades.", "The relevance of the data is not graded.",
               "Leave `target` out: the target is the relevance.", call = call)
  }
  if (gains && min(relevance) < 0) {
    stop_input("grade", sprintf("`%s` needs a relevance of 0 or more.", format(objective)),
               sprintf("The lowest is %s.", format(min(relevance))),
               "Raise the relevance, or use another loss, such as `loss_pairwise()`.", call = call)
  }
  relevance
}

# Leaks --------------------------------------------------------------------------------------------

# The features that equal the relevance in every row.
equal_features <- function(x, relevance, cluster = NULL) {
  if (is_stored(x)) return(which(cluster_all(cluster, store_equals(x$pointer, x$columns, relevance))))
  rows <- seq_len(min(50L, length(relevance)))
  equals <- function(j, rows) isTRUE(all(x[rows, j] == relevance[rows]))
  which(vapply(seq_len(ncol(x)), function(j) equals(j, rows) && equals(j, seq_along(relevance)), NA))
}
