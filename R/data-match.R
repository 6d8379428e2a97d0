# The features of new data in the order that a model was trained with, as a
# matrix of doubles. Data that are in order already are not copied.
match_features <- function(newdata, model, threads,
                           call = rlang::caller_env()) {
  if (inherits(newdata, "ranking_data")) {
    given <- if (newdata$named) newdata$features
    return(select_matched(newdata$x, given, model, call))
  }
  if (is.data.frame(newdata)) {
    check_names(names(newdata), call)
    newdata <- newdata[!names(newdata) %in% model$columns]
  } else {
    newdata <- as_feature_matrix(newdata, "newdata", call)
  }
  x <- select_matched(newdata, colnames(newdata), model, call)
  x <- as_feature_matrix(x, "newdata", call)
  check_finite(scan_features(x, threads), x, model$features, call)
  x
}

# Columns by name where both sides have names, by position otherwise.
select_matched <- function(x, given, model, call) {
  wanted <- model$features
  if (!is.null(given)) {
    check_names(given, call)
  }
  if (is.null(given) || !model$named) {
    if (ncol(x) != length(wanted)) {
      stop_input(
        "newdata",
        "The new data do not have the features of the model.",
        sprintf("The model has %d features, the new data have %d.",
                length(wanted), ncol(x)),
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
  if (identical(given, wanted)) {
    return(x)
  }
  # By position: the matrix of ranking data may hold no names of its own.
  x[, match(wanted, given), drop = FALSE]
}
