# First stage of a mixture: the data of the other stages. `train` trains the members, `calibration` fits
# the calibrators, `validation` tunes the mixture. `calibration` is NULL if the validation data do both.

# Holds out validation queries if none are given, and calibration queries by `holdout`. `x` has the
# features of the validation data in the order of the training data.
split_mixture_data <- function(plan, train, validation = NULL, x = NULL) {
  if (is.null(validation)) {
    parts <- split_off(plan, train, plan$seed)
    check_held_out_metric(parts$test, plan$metric, plan$threads, plan$call)
    train <- parts$train
    validation <- parts$test
    if (!plan$one_grade) check_several_grades(train, plan$call)
  } else {
    validation <- with_columns(validation, x, schema_of(train), plan$threads, plan$call)
  }
  # Means over queries in another order have other rounding errors, which can decide between members.
  data <- list(train = train, validation = sorted_by_id(validation))
  if (plan$holdout$method == "split") {
    parts <- split_off(plan, train, derived_seed(plan$seed, "calibration"))
    if (!plan$one_grade) check_several_grades(parts$train, plan$call)
    data$train <- parts$train
    data$calibration <- parts$test
  }
  check_held_out_grades(plan$members, data, plan$call)
  check_crossfit(plan$holdout, validation, plan$call)
  data
}

# A random fraction of the queries as `train`, the others as `test`.
split_off <- function(plan, data, seed) {
  split_parts(split_queries(data, plan$holdout$fraction, seed = seed), data)
}

# The data to which calibrators are fitted.
calibration_part <- function(data) {
  if (is.null(data$calibration)) data$validation else data$calibration
}

# An error for unknown grades: classifiers have outputs only for the grades of their training data.
check_held_out_grades <- function(members, data, call) {
  classifiers <- Filter(is_classifier, members)
  if (length(classifiers) == 0L) {
    return(invisible())
  }
  classes <- as.integer(highest(data$train, data$train$relevance)) + 1L
  for (part in Filter(Negate(is.null), data[c("calibration", "validation")])) {
    check_known_grades(part, classes, call)
    for (classifier in Filter(Negate(is_specification), classifiers)) {
      check_known_grades(part, classifier$classes, call)
    }
  }
  warn_missing_grades(calibration_part(data), classes)
}

check_crossfit <- function(holdout, validation, call = rlang::caller_env()) {
  # Queries of weight 0 have no effect.
  queries <- sum(positive_weight(validation))
  if (crossfit_of(holdout) > queries) {
    stop_input("argument",
               sprintf("%d calibration queries cannot be assigned to %d parts.", queries,
                       as.integer(holdout$parts)),
               remedy = "Lower `parts` of `mix_holdout()`, or hold out more queries.",
               call = call)
  }
}

# Number of folds for cross-fitting calibrators; 1 without cross-fitting.
crossfit_of <- function(holdout) if (holdout$method == "crossfit") holdout$parts else 1
