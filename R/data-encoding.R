# The coding of factors, dates and times as features. An encoding is a list with an entry for each factor:
# its `column`, `levels`, whether it is `ordered`, and its `features`. An entry for dates or times has no
# levels, but the `class` of the values. New data of another class would be in another unit.

# A factor with more levels becomes one feature, the numbers of its levels. Training raises an error for such
# a feature; target_encoding() replaces it.
max_levels <- 1000L

# `new` is TRUE for new data, in which these columns are features of a model.
frame_encoding <- function(frame, features, call = rlang::caller_env(), new = FALSE) {
  columns <- as.list(frame)[features]
  known <- vapply(columns, function(column) {
    is.null(dim(column)) &&
      (is.factor(column) || is_plain_number(column) || is.logical(column) || is_time(column))
  }, logical(1))
  if (!all(known)) {
    bad <- features[!known]
    stop_input(
      "feature",
      if (length(bad) == 1L) {
        sprintf("The column %s is neither a number nor a factor.", enumerate(bad))
      } else {
        sprintf("The columns %s are neither numbers nor factors.", enumerate(bad))
      },
      sprintf("`%s` is of class %s.", bad[1L], class(columns[[bad[1L]]])[1L]),
      if (new && !(is.character(columns[[bad[1L]]]) && any(is_decimal_comma(columns[[bad[1L]]])))) {
        "The model needs numbers here. Convert the column, such as by `as.numeric()`."
      } else if (is.character(columns[[bad[1L]]])) {
        strings_remedy(columns[[bad[1L]]], bad[1L])
      } else {
        "Drop such columns, or turn them into numbers first."
      },
      call = call
    )
  }
  coded <- columns[vapply(columns, function(column) is.factor(column) || is_time(column), logical(1))]
  unname(Map(function(name, column) {
    if (is_time(column)) {
      time_encoding(name, column)
    } else {
      factor_encoding(name, levels(column), is.ordered(column))
    }
  }, names(coded), coded))
}

# The advice for a column of strings among the features.
strings_remedy <- function(column, name) {
  given <- column[!is.na(column)]
  if (any(is_decimal_comma(given))) {
    return(decimal_comma_remedy)
  }
  c(if (looks_like_document(column, name)) document_remedy(name),
    "Drop such columns, or make factors of them, with the levels of all your data.")
}

# Whether a column of strings has a name that is usual for document ids, or a value for nearly each row.
looks_like_document <- function(column, name) {
  is.character(column) &&
    (name == "document" || "document" %in% our_names(name) ||
       length(column) > 3L && length(unique(column)) > 0.9 * length(column))
}

document_remedy <- function(name) {
  sprintf("If it has the ids of the documents, write `document = %s`.", as_name(name))
}

# sprintf() would write bytes such as <fc> for letters that the locale lacks, unless they are in UTF-8.
factor_encoding <- function(column, levels, ordered) {
  levels <- enc2utf8(levels)
  list(column = column, levels = levels, ordered = ordered,
       features = if (ordered || length(levels) > max_levels) column else sprintf("%s=%s", enc2utf8(column), levels))
}

# Whether a factor is coded as one feature with the numbers of its levels.
has_level_numbers <- function(entry) entry$ordered || is_wide_factor(entry)

is_wide_factor <- function(entry) !entry$ordered && length(entry$levels) > max_levels

# Refuses numbers of levels, which have no order, where features are used as numbers.
refuse_wide_factors <- function(encoding, call = rlang::caller_env()) {
  wide <- Filter(is_wide_factor, encoding)
  if (length(wide) > 0L) {
    stop_input("feature", sprintf("The factor `%s` has %s levels, more than %s.", wide[[1L]]$column,
                                  format_count(length(wide[[1L]]$levels)), format_count(max_levels)),
               remedy = c("Leave it out if it is an id.",
                          "Otherwise replace it: `train <- target_encoding(data)$data`."),
               call = call)
  }
}

is_time <- function(column) inherits(column, c("Date", "POSIXt"))

# Dates become days since 1970-01-01, times seconds.
time_encoding <- function(column, values) {
  c(factor_encoding(column, character(), TRUE), list(class = time_class(values)))
}

time_class <- function(values) if (inherits(values, "Date")) "Date" else "POSIXct"

is_time_entry <- function(entry) !is.null(entry$class)

encoded_columns <- function(encoding) {
  vapply(encoding, `[[`, "", "column")
}

# The columns `features` of a data frame as a matrix of doubles, with coded factors. It is filled
# column by column, so that nothing is copied twice.
encode_frame <- function(frame, features, encoding, call = rlang::caller_env()) {
  names(encoding) <- encoded_columns(encoding)
  names <- unlist(lapply(features, function(name) {
    if (is.null(encoding[[name]])) name else encoding[[name]]$features
  }))
  if (length(names) == 0L) {
    stop_input("feature", "The data have no feature columns.",
               remedy = "Give at least one numeric feature.", call = call)
  }
  if (length(encoding) == 0L) {
    x <- bind_columns(unclass(frame)[features], features)
    if (!is.null(x)) {
      return(x)
    }
  }
  x <- matrix(0, nrow(frame), length(names), dimnames = list(NULL, names))
  at <- 0L
  for (name in features) {
    columns <- code_column(frame[[name]], encoding[[name]])
    for (column in columns) {
      at <- at + 1L
      x[, at] <- column
    }
  }
  x
}

# The features of one column, a list of vectors.
code_column <- function(column, encoding) {
  if (is.null(encoding) || is_time_entry(encoding)) {
    return(list(as.double(column)))
  }
  code_levels(match(as.character(column), encoding$levels), encoding)
}

# Codes indexes of levels; NA is missing.
code_levels <- function(level, encoding) {
  if (has_level_numbers(encoding)) {
    return(list(as.double(level)))
  }
  lapply(seq_along(encoding$levels), function(l) as.double(level == l))
}

# Reports values that the model does not have.
warn_new_levels <- function(values, encoding) {
  new <- setdiff(unique(as.character(values)), c(encoding$levels, NA))
  if (length(new) > 0L) {
    warn_input(
      "newdata",
      sprintf("`%s` has levels that the model does not have: %s.", encoding$column,
              enumerate(new)),
      remedy = "They are treated as missing values."
    )
  }
}

# Refuses new dates for a column of times, and numbers, because their unit is unknown.
check_new_times <- function(values, entry, call) {
  if (is_time(values) && time_class(values) == entry$class) {
    return(invisible())
  }
  stop_input("newdata", sprintf("`%s` is of class %s in the model, of class %s in the new data.",
                                entry$column, entry$class, class(values)[1L]),
             remedy = sprintf("Convert the column, such as by `as.%s()`.", entry$class), call = call)
}

# Codes a new data frame like the training data. `wanted` are the columns that the model needs.
encode_new_frame <- function(frame, wanted, encoding, call) {
  for (entry in encoding) {
    values <- frame[[entry$column]]
    if (is_time_entry(entry)) {
      check_new_times(values, entry, call)
      next
    }
    if (is.factor(values) || is.character(values)) {
      warn_new_levels(values, entry)
    } else {
      stop_input(
        "newdata",
        sprintf("`%s` is not a factor in the new data.", entry$column),
        sprintf("It is of class %s; the model has the levels %s.", class(values)[1L],
                enumerate(entry$levels)),
        call = call
      )
    }
  }
  numbers <- setdiff(wanted, encoded_columns(encoding))
  coded <- frame_encoding(frame, numbers, call, new = TRUE)
  if (length(coded) > 0L) {
    times <- all(vapply(coded, is_time_entry, NA))
    stop_input("newdata",
               sprintf("Columns are %2$s in the new data, and numbers in the model: %1$s.",
                       enumerate(encoded_columns(coded)),
                       if (times) "dates or times" else "factors"),
               call = call)
  }
  encode_frame(frame, wanted, encoding, call)
}

# Recodes the features of ranking data, whose factors have their own levels, with the model's levels.
recode_features <- function(data, encoding, call) {
  is_sparse(data$x)
  if (identical(data$encoding, encoding)) {
    return(data$x)
  }
  own <- data$encoding
  names(own) <- encoded_columns(own)
  x <- data$x
  colnames(x) <- data$features
  for (entry in encoding) {
    from <- own[[entry$column]]
    if (is.null(from) || identical(from, entry)) {
      next
    }
    if (!identical(from$changed, entry$changed)) {
      stop_input("newdata",
                 sprintf("The features of %s are transformed, and the features of %s are not.",
                         if (isTRUE(entry$changed)) "the model" else "the new data",
                         if (isTRUE(entry$changed)) "the new data" else "the model"),
                 remedy = "Transform the new data by the same call as the training data.",
                 call = call)
    }
    if (!identical(from$class, entry$class)) {
      stop_input("newdata",
                 sprintf("`%s` is of another kind in the new data than in the model.", entry$column),
                 sprintf("The model has %s, the new data %s.", entry_kind(entry), entry_kind(from)),
                 call = call)
    }
    if (!identical(from$ordered, entry$ordered)) {
      stop_input("newdata",
                 sprintf("`%s` is an ordered factor in one of model and new data only.",
                         entry$column), call = call)
    }
    if (isTRUE(from$changed)) {
      stop_input("newdata",
                 sprintf("`%s` has other levels in the new data than in the model.",
                         entry$column),
                 sprintf("The model has %s, the new data %s.", enumerate(entry$levels),
                         enumerate(from$levels)),
                 "Give the factors of all data the same levels before you transform them.",
                 call = call)
    }
    level <- decode_levels(x, from)
    warn_new_levels(from$levels[level], entry)
    coded <- do.call(cbind, code_levels(match(from$levels[level], entry$levels), entry))
    colnames(coded) <- entry$features
    x <- cbind(x[, setdiff(colnames(x), from$features), drop = FALSE], coded)
  }
  x
}

entry_kind <- function(entry) if (is_time_entry(entry)) paste("the class", entry$class) else "a factor"

# The index of each row's level, from its features.
decode_levels <- function(x, encoding) {
  coded <- x[, encoding$features, drop = FALSE]
  if (has_level_numbers(encoding)) {
    return(as.integer(coded[, 1L]))
  }
  missing <- is.na(coded[, 1L])
  level <- max.col(coded, "first")
  level[missing] <- NA
  level
}

# The features of ranking data as columns of a data frame. Codes become factors again unless
# they were transformed.
decode_frame <- function(data) {
  is_sparse(data$x)
  encoding <- Filter(function(entry) !isTRUE(entry$changed), data$encoding)
  names(encoding) <- encoded_columns(encoding)
  x <- data$x
  if (length(encoding) > 0L) {
    colnames(x) <- data$features
  }
  sources <- source_columns(data$features, encoding)
  columns <- lapply(sources, function(name) {
    entry <- encoding[[name]]
    if (is.null(entry)) {
      return(as.vector(x[, match(name, data$features)]))
    }
    if (is_time_entry(entry)) {
      values <- as.vector(x[, name])
      return(if (entry$class == "Date") as.Date(values, origin = "1970-01-01") else .POSIXct(values, "UTC"))
    }
    factor(entry$levels[decode_levels(x, entry)], entry$levels, ordered = entry$ordered)
  })
  stats::setNames(columns, sources)
}

# The columns of a data frame that features come from, in the order of the features.
source_columns <- function(features, encoding) {
  of_feature <- features
  for (entry in encoding) {
    of_feature[features %in% entry$features] <- entry$column
  }
  unique(of_feature)
}
