# Checks of a mixture, and of a calibrated classifier, that was read (export-kinds.R): its parts exist,
# and the numbers of each calibrator fit its discriminants.

check_mixture <- function(model) {
  models <- model$models
  need(is.list(models) && length(models) > 0L && all(vapply(models, is_whole_model, NA)),
       "Its models are broken.")
  for (member in models) check_member_features(member)
  table <- model$members
  need(is.data.frame(table) && nrow(table) > 0L && is_index_vector(table$model, 1L, length(models)) &&
         is_texts(table$ranker) && is_texts(table$classifier) && is_texts(table$calibrator) &&
         is_texts(table$features), "`members` are broken.")
  check_weighted(model, table)
  need(is.list(model$fitted) && length(model$fitted) == nrow(table),
       "It lacks calibrators of members.")
  for (m in seq_along(model$fitted)) {
    check_fitted(model$fitted[[m]], inputs_of_calibrator(models[[table$model[m]]]))
  }
  need(is_index_vector(model$rounds, 0L, .Machine$integer.max, 1L), "`rounds` is no number of rounds.")
  need(is.null(model$calibrators) || is_texts(model$calibrators) && length(model$calibrators) == 1L,
       "`calibrators` is no name.")
  skipped <- model$skipped
  need(is.character(skipped) && (length(skipped) == 0L || is_texts(names(skipped))),
       "`skipped` are no texts with names.")
}

# A single ranker, or the chosen model of a path.
is_whole_model <- function(model) {
  inherits(model, "rankmix_ranker") && !model_kinds()[[kind_of_model(model)]]$together &&
    !is_open(model)
}

# Number of columns of a calibrator's input.
inputs_of_calibrator <- function(model) if (is_classifier(model)) model$classes else 1L

check_member_features <- function(model) {
  set <- set_of(model)
  need(is.character(set) && length(set) == 1L && set %in% feature_sets,
       "A model has features of an unknown kind.")
  if (set != "original") check_schema(model$source)
  need(is.null(model$own_rounds) || is_index_vector(model$own_rounds, 0L, rounds_used(model), 1L),
       "`own_rounds` are no number of its rounds.")
}

# Checks the fields that both kinds of mixtures have: a weight and a value for each member, and the
# weighting.
check_weighted <- function(model, table) {
  need(is_numbers(table$weight) && is.numeric(table$value) && is_texts(table$family),
       "`members` are broken.")
  need(is_numbers(model$scale, nrow(table)), "`scale` is broken.")
  need(inherits(model$metric, "rankmix_metric"), "`metric` is none.")
  need(isTRUE(model$standardize) || isFALSE(model$standardize) ||
         identical(model$standardize, "query"), "`standardize` is broken.")
  need(is_texts(model$method) && length(model$method) == 1L &&
         model$method %in% c(weighting_methods, "fixed"), "`method` is none.")
  need(is.data.frame(model$tuning) && is.data.frame(model$setting) && nrow(model$setting) == 1L,
       "`tuning` is broken.")
  for (columns in list(model$tuning, model$setting, model["value"])) {
    need(all(vapply(columns, is.numeric, NA)), "`tuning` is broken.")
  }
  need(length(model$value) == 1L && is.double(model$c) && length(model$c) == 1L &&
         is.double(model$threshold) && length(model$threshold) == 1L,
       "`value` is no number.")
  check_contributions(model$contributions, table)
}

check_contributions <- function(kept, table) {
  if (is.null(kept)) {
    return(invisible())
  }
  queries <- length(kept$mixture)
  of_rankers <- function(values) {
    is.double(values) && is.matrix(values) && nrow(values) == queries &&
      setequal(colnames(values), table$ranker)
  }
  need(is.double(kept$mixture) && queries > 0L && of_rankers(kept$without) && of_rankers(kept$alone) &&
         (is.null(kept$weight) || is.numeric(kept$weight) && !anyNA(kept$weight) &&
            length(kept$weight) == queries && all(kept$weight >= 0)),
       "`contributions` are broken.")
}

# Models are identified by name. A member given as scores needs scores to predict.
check_mix <- function(model) {
  table <- model$members
  need(is.data.frame(table) && nrow(table) > 0L && is_texts(table$ranker) &&
         !anyDuplicated(table$ranker), "`members` are broken.")
  check_weighted(model, table)
  given <- model$given
  need(is.logical(given) && length(given) == nrow(table) && !anyNA(given) &&
         is.list(model$rankers) && identical(names(model$rankers), table$ranker),
       "Its rankers are broken.")
  need(all(vapply(model$rankers, is.null, NA) == given) &&
         all(vapply(model$rankers[!given], inherits, NA, "rankmix_ranker")),
       "Its rankers are broken.")
}

check_calibrated <- function(model) {
  need(is_index_vector(model$classes, 2L, 2^20, 1L), "`classes` is no number of grades.")
  need(is_numbers(model$discriminants, 2L) && is.data.frame(model$reliability),
       "The description of its discriminants is invalid.")
  classifier <- model$classifier
  if (!is.null(classifier)) {
    need(is_whole_model(classifier) && is_classifier(classifier) &&
           classifier$classes == model$classes, "Its classifier is broken.")
    need(is.numeric(model$rounds) && length(model$rounds) == 1L &&
           model$rounds %in% seq.int(0L, rounds_used(classifier)),
         "`rounds` is no number of its rounds.")
  }
  check_fitted(model$fitted, model$classes)
}

# The ranker is NULL for calibrated scores.
check_probability_model <- function(model) {
  need(is.null(model$ranker) || inherits(model$ranker, "rankmix_ranker"), "Its ranker is broken.")
  need(is.null(model$rounds) || !is.null(model$ranker) && is.numeric(model$rounds) && length(model$rounds) == 1L &&
         model$rounds %in% seq.int(0L, rounds_used(model$ranker)), "`rounds` is no number of its rounds.")
  need(is_probability(model$method), "`method` is no calibrator.")
  check_fitted(model$fitted, 1L)
  # Damaged regressions of another kind could predict anything.
  need(identical(model$fitted$method$model, if (model$method$model == "platt") "logistic" else "isotonic"),
       "`method` is no calibrator.")
  need(is_index_vector(model$queries, 1L, .Machine$integer.max, 1L) && is.data.frame(model$reliability),
       "The description of its data is invalid.")
}

# Calibrators -------------------------------------------------------------------------------

# Checks the numbers of a calibrator for this number of discriminants.
check_fitted <- function(fitted, inputs) {
  need(inherits(fitted, "rankmix_fitted"), "A calibrator is broken.")
  method <- fitted$method
  one <- function(...) {
    for (name in c(...)) need(is_numbers(fitted[[name]], 1L), calibrator_problem(name))
  }
  each <- function(name, count = inputs) {
    need(is_numbers(fitted[[name]], count), calibrator_problem(name))
  }
  need(method$name == "rbc" || inputs > 1L, "A calibrator is none of one score.")
  switch(
    if (method$name == "rbc") method$model else method$name,
    naive = one("range"),
    cpc = one("a", "b"),
    linear = each("beta", inputs + 1L),
    logistic = {
      one("largest")
      each("beta", inputs + 1L)
    },
    polynomial = check_polynomial(fitted, inputs, each),
    network = {
      one("size")
      for (name in c("center", "factor")) each(name)
      each("output", NULL)
      need(length(fitted$output) > 1L, calibrator_problem("output"))
      each("hidden", (inputs + 1L) * (length(fitted$output) - 1L))
    },
    gaussian_process = {
      one("mean")
      each("scale")
      each("coefficients", NULL)
      each("centers", inputs * length(fitted$coefficients))
    },
    isotonic = check_isotonic(fitted, one)
  )
}

calibrator_problem <- function(name) sprintf("`%s` of a calibrator is broken.", name)

check_polynomial <- function(fitted, inputs, each) {
  count <- monomials_of(fitted$method, inputs)
  need(count <= max_monomials, "A calibrator is of too many monomials.")
  need(isTRUE(fitted$degree == fitted$method$degree), calibrator_problem("degree"))
  for (name in c("lower", "upper")) each(name)
  each("coefficients", count)
}

check_isotonic <- function(fitted, one) {
  one("range")
  need(is_numbers(fitted$at) && length(fitted$at) > 0L &&
         !is.unsorted(fitted$at, strictly = TRUE) &&
         is_numbers(fitted$value, length(fitted$at)), calibrator_problem("at"))
}

check_cascade <- function(model) {
  check_schema(model)
  stages <- model$stages
  need(is.list(stages) && length(stages) > 1L && all(vapply(stages, function(stage) {
    inherits(stage, "rankmix_ranker") && !is.null(kind_of_model(stage))
  }, NA)), "Its stages are broken.")
  need(is_numbers(model$keep, length(stages) - 1L) && all(model$keep >= 1) && all(diff(model$keep) < 0),
       "`keep` is broken.")
  table <- model$table
  need(is.data.frame(table) && nrow(table) == length(stages) && is_texts(table$ranker) &&
         is.integer(table$stage) && all(vapply(table[c("keep", "documents", "relevant")], is.double, NA)),
       "`table` is broken.")
}
