# Further labels of documents, in addition to the relevance: revenue, margin, quality. Each label is a relevance that
# use_label() can put in the place of the relevance: integers if all its values are grades, else doubles.

#' Rank by another label
#'
#' Replaces the relevance of ranking data by another of their labels. Use it to train or evaluate on another objective,
#' such as revenue. Features and queries do not change.
#'
#' @param data The ranking data with labels, made by [ranking_data()] with `labels`.
#' @param label The name of the label. `"relevance"` restores the original relevance.
#'
#' @return The ranking data with this label as `relevance`. The original relevance becomes the label `"relevance"`. So
#'   `use_label(use_label(data, "revenue"), "relevance")` gives `data`.
#' @examples
#' shop <- data.frame(bm25 = c(1.2, 0.3, 0.5, 0.9), price = c(5, 9.5, 1, 3), grade = c(2, 0, 1, 1),
#'                    revenue = c(0, 9.5, 0, 3), session = c(1, 1, 2, 2))
#' data <- ranking_data(shop, relevance = grade, query = session, labels = "revenue")
#' data
#' summary(evaluate(shop$price, use_label(data, "revenue"), "ndcg@10"))
#'
#' @details
#' A label is graded or not by the same rule as the relevance, see [ranking_data()]. A label of whole numbers from 0 to
#' 127 is graded. The gains of [metric_ndcg()] are then \eqn{2^{grade} - 1}{2^grade - 1}. For revenue in whole numbers
#' use `metric_ndcg(10, gain = "linear")`. The type of a label is decided when the data are made, so a subset has the
#' same type. Labels that are not graded may be negative. Metrics with gains, such as NDCG, then need a function `gain`
#' whose values are 0 or more.
#'
#' [ranking_data()] leaves out features that equal a label, with a warning, as for the relevance. Training, metrics and
#' tests use only the relevance.
#'
#' @section Conditions: `rankmix_error_label`: an unknown label.
#' @seealso [pareto_front()] for several objectives at once
#' @export
use_label <- function(data, label) {
  refuse_unquoted(rlang::enquo(label))
  check_all_given()
  check_ranking_data(data, judged = FALSE, binned = TRUE)
  check_known_label(label, data)
  if (label == "relevance" && is.null(data$labels$relevance)) {
    return(data)
  }
  chosen <- data$labels[[label]]
  if (label == "relevance") data$labels$relevance <- NULL else if (is.null(data$labels$relevance)) {
    data$labels <- c(data$labels, list(relevance = data$relevance))
  }
  with_relevance(data, chosen)
}

# A name without quotes refers to an object, which usually does not exist.
refuse_unquoted <- function(label, call = rlang::caller_env()) {
  if (rlang::quo_is_symbol(label) && !rlang::quo_is_missing(label) &&
        !exists(rlang::as_name(label), envir = rlang::quo_get_env(label))) {
    stop_input("label", sprintf("There is no object `%s`.", rlang::as_name(label)),
               remedy = sprintf("Give the name of a label in quotes: \"%s\".", rlang::as_name(label)), call = call)
  }
}

# The names of all labels: "relevance" first.
label_names <- function(data) union("relevance", names(data$labels))

check_known_label <- function(label, data, call = rlang::caller_env(), name = "data") {
  if (is.character(label) && length(label) == 1L && label %in% label_names(data)) {
    return(invisible(label))
  }
  stop_input("label", sprintf("`%s` has no label %s.", name, show_value(label)),
             sprintf("It has %s.", enumerate(label_names(data))),
             c(if (is.character(label) && length(label) == 1L) did_you_mean(label, label_names(data)),
               "Labels are columns that `ranking_data(labels = )` names."), call = call)
}

# Names that data frames of ranking data use for other columns.
reserved_labels <- c("relevance", "query", "document", "weight", "position", "document_weight")

# The columns of as.data.frame(). The relevance in use is the column "relevance".
label_columns <- function(labels) ifelse(names(labels) == "relevance", "first_relevance", names(labels))

# The labels that frame_column() found, as a list with names.
frame_labels <- function(found) {
  value <- found$value
  if (isTRUE(found$named) && !is.list(value)) stats::setNames(list(value), found$columns[1L]) else value
}

# Labels as a list with names, of one checked vector each; NULL without labels.
check_labels <- function(labels, rows, relevance, call = rlang::caller_env()) {
  if (is.null(labels)) {
    return(NULL)
  }
  if (is.null(relevance)) {
    stop_input("label", "`labels` are given without `relevance`.",
               remedy = "Give the main label as `relevance`, and further labels as `labels`.", call = call)
  }
  names <- names(labels)
  if (!is.list(labels) || length(labels) == 0L || is.null(names) || !all(nzchar(names)) || anyDuplicated(names)) {
    stop_input("label", sprintf("`labels` must be names of columns, or a list of numbers with names, not %s.",
                                show_value(labels)),
               remedy = c(paste("For example `labels = c(\"revenue\", \"margin\")` or",
                                "`labels = list(revenue = price * sold)`."),
                          "A single label of each document is the `relevance`."), call = call)
  }
  taken <- intersect(names, reserved_labels)
  if (length(taken) > 0L) {
    stop_input("label", sprintf("A label cannot have the name `%s`.", taken[1L]),
               remedy = "Give it another name.", call = call)
  }
  Map(check_label, unclass(as.list(labels)), names, MoreArgs = list(rows = rows, call = call))
}

check_label <- function(values, name, rows, call) {
  if (length(values) != rows) {
    stop_input("length", "The arguments must describe the same documents.",
               sprintf("`x` has %d rows, the label `%s` has length %d.", rows, name, length(values)), call = call)
  }
  if (!is_plain_number(values) && !is.logical(values)) {
    stop_input("label", sprintf("The label `%s` must be numbers, not %s.", name, show_value(values)), call = call)
  }
  bad <- which(!is.finite(values))
  if (length(bad) > 0L) {
    stop_input("label", sprintf("The label `%s` must be finite numbers.", name),
               sprintf("Row %d has %s.", bad[1L], format(values[bad[1L]])),
               "Write 0 where nothing was earned. Leave out documents whose label is unknown.", call = call,
               row = bad[1L])
  }
  check_relevance(values, call)
}

labels_of_rows <- function(labels, rows) {
  if (!is.null(labels)) lapply(labels, `[`, rows)
}

# The labels of chunks or parts of rows, one after the other. A label is graded if it is graded in all parts.
bound_labels <- function(parts) {
  if (length(parts) == 0L || is.null(parts[[1L]])) {
    return(NULL)
  }
  names <- names(parts[[1L]])
  lapply(stats::setNames(names, names), function(name) unlist(lapply(parts, `[[`, name)))
}

joined_labels <- function(parts, call = rlang::caller_env()) {
  labels <- lapply(parts, `[[`, "labels")
  for (i in seq_along(labels)) {
    if (!setequal(names(labels[[i]]), names(labels[[1L]]))) {
      shown <- function(names) if (length(names) > 0L) enumerate(names) else "none"
      stop_input("label", sprintf("Part %d does not have the labels of part 1.", i),
                 sprintf("Part 1 has %s, part %d has %s.", shown(names(labels[[1L]])), i, shown(names(labels[[i]]))),
                 "Give all parts the same labels, or none.", call = call)
    }
  }
  bound_labels(labels)
}

# The features and their schema without the features that equal a label. Such a feature is known only after the
# ranking.
leave_out_labels <- function(x, labels, schema, threads, call = rlang::caller_env(), cluster = NULL) {
  kept <- list(x = x, schema = schema)
  for (name in names(labels)) {
    kept <- leave_out_leaks(kept$x, as.double(labels[[name]]), kept$schema, threads, call, cluster,
                            what = sprintf("the label `%s`", name))
  }
  kept
}

print_labels <- function(labels) {
  if (is.null(labels)) {
    return(invisible())
  }
  ends <- function(values) paste(number_text(range(values), digits = 4L, trim = TRUE), collapse = " to ")
  say("Labels: ", paste0(names(labels), " (", vapply(labels, ends, ""), ")", collapse = ", "))
}

# Files of binned data: the labels as one vector, their names, and which are graded.
label_sections <- function(labels) {
  if (is.null(labels)) {
    return(list())
  }
  list(labels = unlist(lapply(labels, as.double), use.names = FALSE), label_names = enc2utf8(names(labels)),
       label_graded = as.integer(vapply(labels, is.integer, NA)))
}

labels_of_sections <- function(of, rows, call) {
  names <- of$label_names
  check_section(length(of$labels) == rows * length(names), "labels", call)
  check_section(length(of$label_graded) == length(names) && all(of$label_graded %in% 0:1), "label_graded", call)
  if (length(names) == 0L) {
    return(NULL)
  }
  check_section(!is.null(of$relevance) && !anyNA(names) && all(nzchar(names)) && !anyDuplicated(names), "label_names",
                call)
  values <- matrix(of$labels, ncol = length(names))
  labels <- lapply(seq_along(names), function(k) check_stored_relevance(values[, k], of$label_graded[k] == 1L, call))
  stats::setNames(labels, names)
}
