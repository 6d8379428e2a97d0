# The features of new data in the order of the training data, as a dense or sparse matrix. Matrices that
# are already in this order are not copied.
match_features <- function(newdata, model, threads,
                           call = rlang::caller_env()) {
  load_matrix(newdata)
  if (is_binned(newdata)) newdata$x <- opened_bins(newdata$x, call)
  if (inherits(newdata, "ranking_data")) {
    x <- recode_features(newdata, model$encoding, call)
    if (!newdata$named && !model$named && lacks_positions(newdata, model)) {
      return(select_named(x, newdata$features, model, call, left_out = newdata$columns))
    }
    given <- if (!newdata$named) {
      NULL
    } else if (is.null(colnames(x))) {
      newdata$features
    } else {
      colnames(x)
    }
    return(select_matched(x, given, model, call, left_out = newdata$columns))
  }
  x <- if (is.data.frame(newdata)) {
    match_frame(newdata, model, call)
  } else {
    newdata <- as_feature_matrix(newdata, "newdata", call)
    select_matched(newdata, colnames(newdata), model, call)
  }
  check_finite(list(infinite = find_infinite(x, threads)), x, model$features, call)
  x
}

# Columns are selected before they are converted to numbers, because other columns may have any type.
match_frame <- function(frame, model, call) {
  x <- match_plain_frame(frame, model)
  if (!is.null(x)) {
    return(x)
  }
  check_names(names(frame), call)
  frame <- as.list(frame)[!names(frame) %in% model$columns]
  frame <- list2DF(frame)
  wanted <- source_columns(model$features, model$encoding)
  frame <- select_matched(frame, names(frame), model, call, wanted)
  if (!model$named) {
    return(encode_new_frame(frame, names(frame), list(), call))
  }
  x <- encode_new_frame(frame, wanted, model$encoding, call)
  select_matched(x, colnames(x), model, call)
}

# Whether columns were left out of data without names. The features are then named by their original
# positions, such as `x3`, and `columns` has the positions that were left out.
lacks_positions <- function(...) {
  any(vapply(list(...), function(schema) length(schema$columns) > 0L, NA)) &&
    all(vapply(list(...), function(schema) !anyNA(positions_of(schema)), NA))
}

# The indexes of the features among the columns of a matrix without names.
positions_of <- function(schema) {
  all <- length(schema$features) + length(schema$columns)
  match(schema$features, paste0("x", seq_len(all)))
}

# The usual case, which needs no report: the model's columns, all plain numbers. NULL in other cases.
match_plain_frame <- function(frame, model) {
  given <- names(frame)
  frame <- unclass(frame)
  if (length(model$encoding) > 0L) {
    return(NULL)
  }
  if (isTRUE(model$named) && identical(given, model$features)) {
    return(bind_columns(frame, given))
  }
  if (anyDuplicated(given) || anyNA(given) || !all(nzchar(given))) {
    return(NULL)
  }
  features <- given[!given %in% model$columns]
  wanted <- if (isTRUE(model$named)) model$features else features
  at <- match(wanted, given)
  if (length(features) != length(model$features) || anyNA(at)) {
    return(NULL)
  }
  bind_columns(frame[at], wanted)
}

# Selects columns by name if both sides have names, otherwise by position. `left_out` are known
# columns of the new data that are not features.
select_matched <- function(x, given, model, call, wanted = model$features,
                           left_out = character()) {
  if (isTRUE(model$named) && identical(given, wanted)) {
    return(x)  # names that were checked when the model was made
  }
  if (!is.null(given)) {
    check_names(given, call)
  }
  if (is.null(given) || !model$named) {
    select_positions(x, wanted, model, call)
  } else {
    select_named(x, given, model, call, wanted, left_out)
  }
}

select_positions <- function(x, wanted, model, call) {
  if (dim(x)[2L] == length(wanted)) {
    return(x)
  }
  if (!model$named && lacks_positions(model) &&
        dim(x)[2L] == length(wanted) + length(model$columns)) {
    return(x[, positions_of(model), drop = FALSE])
  }
  stop_input(
    "newdata",
    "The new data do not have the features of the model.",
    sprintf("The model has %d features, the new data have %d.",
            length(wanted), dim(x)[2L]),
    "Give the same columns in the same order, or name them.",
    call = call
  )
}

# A column of numbers in the place of a factor, such as the codes of its levels in a file.
refuse_numbers_for_levels <- function(lacking, given, model, call) {
  entry <- Find(function(entry) entry$column %in% given && any(entry$features %in% lacking), model$encoding)
  if (!is.null(entry)) {
    stop_input("newdata", sprintf("`%s` is a factor in the model, and a number in the new data.", entry$column),
               sprintf("The model has the levels %s.", enumerate(entry$levels)),
               c("Make the column a factor.",
                 sprintf("A source of files needs the name: `factors = %s`.", show_value(entry$column))), call = call)
  }
}

select_named <- function(x, given, model, call, wanted = model$features,
                         left_out = character()) {
  lacking <- setdiff(wanted, given)
  if (length(lacking) > 0L) {
    refuse_numbers_for_levels(lacking, given, model, call)
    known <- intersect(lacking, left_out)
    stop_input(
      "newdata",
      "The new data lack features of the model.",
      c(sprintf("Missing: %s.", enumerate(lacking)),
        if (length(known) > 0L) {
          sprintf("When the new data were made, %s did not become features.",
                  enumerate(known))
        }),
      if (length(known) > 0L) {
        paste("Make the new data with these columns as features. If a column equals the grades of few documents",
              "by chance, leave `relevance` out.")
      } else {
        # read_letor() gives features such names.
        c("Add the columns, with NA where a value is unknown.",
          if (all(grepl("^f[0-9]+$", lacking))) "`read_letor(features = )` keeps trailing features that are all 0.")
      },
      call = call
    )
  }
  extra <- setdiff(given, c(wanted, model$columns))
  if (length(extra) > 0L) {
    warn_input(
      "newdata",
      "The new data have columns that the model does not have.",
      sprintf("Ignored: %s.", enumerate(extra)),
      "Drop them to avoid this warning."
    )
  }
  # By position, because the matrix of ranking data may have no names.
  x[, match(wanted, given), drop = FALSE]
}
