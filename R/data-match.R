# The features of new data in the order that a model was trained with, as a dense or
# sparse matrix. Matrices that are in order already are not copied.
match_features <- function(newdata, model, threads,
                           call = rlang::caller_env()) {
  load_matrix(newdata)
  if (inherits(newdata, "ranking_data")) {
    x <- recode_features(newdata, model$encoding, call)
    given <- if (!newdata$named) {
      NULL
    } else if (is.null(colnames(x))) {
      newdata$features
    } else {
      colnames(x)
    }
    return(select_matched(x, given, model, call))
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

# Columns are chosen before they become numbers: others may hold anything.
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

# The usual case, which nothing is to be said about: the model's columns, all of plain
# numbers. NULL if it is another.
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

# Columns by name where both sides have names, by position otherwise.
select_matched <- function(x, given, model, call, wanted = model$features) {
  if (isTRUE(model$named) && identical(given, wanted)) {
    return(x)  # names that were checked when the model was made
  }
  if (!is.null(given)) {
    check_names(given, call)
  }
  if (is.null(given) || !model$named) {
    if (dim(x)[2L] != length(wanted)) {
      stop_input(
        "newdata",
        "The new data do not have the features of the model.",
        sprintf("The model has %d features, the new data have %d.",
                length(wanted), dim(x)[2L]),
        "Give the same columns in the same order, or name them.",
        call = call
      )
    }
    return(x)
  }
  lacking <- setdiff(wanted, given)
  if (length(lacking) > 0L) {
    stop_input(
      "newdata",
      "The new data lack features of the model.",
      sprintf("Missing: %s.", enumerate(lacking)),
      paste("Add the columns (NA where a value is unknown);",
            "`read_letor(features = )` keeps trailing features that are all 0."),
      call = call
    )
  }
  extra <- setdiff(given, wanted)
  if (length(extra) > 0L) {
    warn_input(
      "newdata",
      "The new data have columns that the model does not know.",
      sprintf("Ignored: %s.", enumerate(extra)),
      "Drop them if that is not what you want."
    )
  }
  # By position: the matrix of ranking data may hold no names of its own.
  x[, match(wanted, given), drop = FALSE]
}
