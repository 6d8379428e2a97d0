# Features that reveal the grades. The check runs once, when data are made. Subsets and combinations of
# data are not checked again. `cluster` has the ranks that hold the other documents.

# The features and their schema, without the features that equal the relevance.
leave_out_leaks <- function(x, relevance, schema, threads, call = rlang::caller_env(), cluster = NULL,
                            what = "the relevance") {
  found <- known_leaks(x, relevance, schema, threads, cluster)
  warn_monotone(found$monotone)
  if (length(found$equal) == 0L) {
    return(list(x = x, schema = schema))
  }
  out <- schema$features %in% found$equal
  columns <- source_columns(found$equal, schema$encoding)
  if (all(out)) {
    stop_input("feature", sprintf("All features are %s itself.", what),
               sprintf("The only features are %s.", enumerate(columns)),
               "Give features that are known before the documents are assessed.", call = call)
  }
  warn_input(
    "leak",
    sprintf("%s %s %s in every row, and %s left out of the features.",
            enumerate(columns), if (length(columns) > 1L) "equal" else "equals", what,
            if (length(columns) > 1L) "are" else "is"),
    remedy = keep_out_of_features(columns, schema)
  )
  is_sparse(x)
  list(x = x[, !out, drop = FALSE], schema = without_columns(schema, out, columns))
}

# For data with numbered features: no feature is removed, because the numbers of the other features would change.
warn_leaks <- function(x, relevance, schema, threads, cluster = NULL) {
  found <- known_leaks(x, relevance, schema, threads, cluster)
  warn_monotone(found$monotone)
  if (length(found$equal) > 0L) {
    warn_input("leak",
               sprintf("%s %s the relevance in every row.", enumerate(found$equal),
                       if (length(found$equal) > 1L) "equal" else "equals"),
               "A model trained on it ranks these data perfectly and does not generalise.",
               sprintf("Leave it out: `data[, data$features != \"%s\"]`.",
                       found$equal[1L]))
  }
}

# The names of the features that equal the relevance (`equal`), and the names of the features that are another
# strictly monotone function of the relevance. All features of a factor are treated together.
known_leaks <- function(x, relevance, schema, threads, cluster = NULL) {
  none <- list(equal = character(), monotone = character())
  # If only one or two documents differ in grade from the others, a feature can match the grades by
  # chance.
  if (are_grades_rare(relevance, cluster)) {
    return(none)
  }
  if (is.double(relevance)) {
    return(list(equal = schema$features[equal_features(x, relevance, cluster)], monotone = character()))
  }
  kind <- if (is_stored(x)) {
    store_leaks(x$pointer, x$columns, relevance, threads, cluster)
  } else {
    find_leaks(x, relevance, threads)
  }
  equal <- schema$features[kind == 1L]
  monotone <- schema$features[kind > 1L]
  for (entry in schema$encoding) {
    if (any(entry$features %in% equal) || labels_are_grades(x, relevance, entry, schema, cluster)) {
      equal <- union(equal, entry$features)
    }
  }
  list(equal = schema$features[schema$features %in% equal],
       monotone = if (cluster_sum(cluster, length(relevance)) >= min_leak_documents) setdiff(monotone, equal))
}

# Whether fewer than min_rare_documents documents differ in relevance from the most frequent one.
are_grades_rare <- function(relevance, cluster) {
  distinct <- if (is.double(relevance)) unique(relevance) else seq.int(0L, largest_grade)
  counts <- tabulate(if (is.double(relevance)) match(relevance, distinct) else relevance + 1L, length(distinct))
  rare <- function(counts) sum(counts) - max(counts) < min_rare_documents
  if (is.null(cluster)) {
    return(rare(counts))
  }
  # The number of differing documents over all ranks is at least the number of any rank. So from here on,
  # ranks have few values to send.
  if (cluster_any(cluster, !rare(counts))) {
    return(FALSE)
  }
  sent <- cluster_gather(cluster, vectors_to_raw(list(as.double(distinct), as.double(counts))))
  parts <- lapply(sent, raw_to_vectors, names = c("values", "counts"))
  rare(rowsum(unlist(lapply(parts, `[[`, "counts")), unlist(lapply(parts, `[[`, "values"))))
}

# Limits below which nothing is reported: with few documents a feature is monotone in the grades by
# chance.
min_rare_documents <- 3L
min_leak_documents <- 10L

# Whether the levels of a factor, read as numbers, are the grades.
labels_are_grades <- function(x, relevance, entry, schema, cluster) {
  numbers <- suppressWarnings(as.numeric(entry$levels))
  if (is_stored(x)) {
    level <- match(relevance, numbers)
    columns <- x$columns[match(entry$features, schema$features)]
    equal <- !anyNA(level) && all(mapply(store_equals, columns, code_levels(level, entry),
                                         MoreArgs = list(store = x$pointer)))
    return(cluster_all(cluster, equal))
  }
  same <- function(rows) {
    coded <- x[rows, match(entry$features, schema$features), drop = FALSE]
    colnames(coded) <- entry$features
    identical(numbers[decode_levels(coded, entry)], as.double(relevance[rows]))
  }
  any(!is.na(numbers)) && same(seq_len(min(50L, length(relevance)))) &&
    same(seq_along(relevance))
}

# Warns about features that are a strictly monotone function of the relevance.
warn_monotone <- function(features) {
  if (length(features) > 0L) {
    warn_input(
      "leak",
      sprintf("%s %s strictly with the relevance over all documents.", enumerate(features),
              if (length(features) > 1L) "rise or fall" else "rises or falls"),
      "So it ranks all documents perfectly. It may be computed from the judgements.",
      "If it is, leave it out. If not, ignore this warning."
    )
  }
}

keep_out_of_features <- function(columns, schema) {
  name <- columns[1L]
  if (!schema$named) {
    return(sprintf("Leave such columns out: `x[, -%s]`.", sub("^x", "", name)))
  }
  sprintf("Leave such columns out of the data, such as by `x[, colnames(x) != \"%s\"]`.",
          name)
}

# Removes the features `out` from the schema. Their `columns` are then marked as not being features.
without_columns <- function(schema, out, columns) {
  schema$features <- schema$features[!out]
  schema$columns <- c(schema$columns, setdiff(columns, schema$columns))
  schema$encoding <- Filter(function(entry) !entry$column %in% columns, schema$encoding)
  schema
}
