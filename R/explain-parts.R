# Contributions of models that are sums: of trees, or of features.

is_linear_model <- function(model) {
  inherits(model, c("rankmix_linear_model", "rankmix_ascent_model", "rankmix_adarank_model"))
}

# The contributions of a fill value and of the indicator of a missing value belong to the feature.
linear_contributions <- function(model, x, background, threads, call, weights = coef(model)) {
  if (needs_filling(model$filling, x)) x <- fill_features(model$filling, x, threads)
  means <- background_means(model, background, threads, call)
  intercept <- sum(weights["(Intercept)"], na.rm = TRUE)
  weights <- unname(weights[seq_len(ncol(x))])
  features <- length(model$features)
  values <- weighted_deviations(x, as.double(means), as.double(weights))
  marks <- seq_len(ncol(x) - features)
  if (length(marks) > 0L) {
    marked <- model$filling$marked[marks]
    values[, marked] <- values[, marked] + values[, features + marks]
    values <- values[, seq_len(features), drop = FALSE]
  }
  list(values = values,
       base = intercept + sum(means * weights), method = "linear")
}

# The rounds in use as a forest whose leaf values add to the score, with `start`, the constant of
# all scores. NULL for other models.
additive_forest <- function(model) {
  if (!inherits(model, c("rankmix_gbrt_model", "rankmix_rankboost_model"))) {
    return(NULL)
  }
  used <- first_rounds(model, model$best_rounds)
  forest <- used$forest
  forest$values <- forest$values * rep(round_weights(used), diff(forest$leaf_begin))
  list(forest = forest, start = if (is.null(model$start)) 0 else model$start)
}

# `score` computes the sum of the trees from a matrix of features.
forest_contributions <- function(score, of_model, x, background, threads, call) {
  forest <- of_model$forest
  if (!is.null(background)) {
    check_paths(forest, call)
    values <- explain_by_background(forest, x, background, threads)
    base <- mean(score(background))
    return(list(values = values, base = base, method = "background"))
  }
  found <- explain_by_cover(forest, x, threads)
  list(values = found$values, base = of_model$start + found$mean, method = "cover")
}

# A factor is one feature of the trees. Its contribution is in the column of the document's level. For a missing
# level it is in the column of the level of the background if that is one document, else in the first column.
category_contributions <- function(score, of_model, categories, x, background, threads, call) {
  numbered <- if (!is.null(background)) number_levels(background, categories)
  found <- forest_contributions(function(numbered) score(background), of_model,
                                number_levels(x, categories), numbered, threads, call)
  values <- matrix(0, nrow(x), ncol(x))
  values[, columns_of_trees(ncol(x), categories)] <- found$values
  for (entry in categories) {
    first <- min(entry$columns)
    own <- entry$columns[own_level(x, entry)]
    reference <- if (NROW(background) == 1L) entry$columns[own_level(background, entry)]
    own[is.na(own)] <- stats::na.omit(c(reference, first))[1L]
    contributions <- values[, first]
    values[, first] <- 0
    values[cbind(seq_along(own), own)] <- contributions
  }
  found$values <- values
  found
}

check_paths <- function(forest, call) {
  if (!explain_paths_fit(forest)) {
    stop_input("argument", "A tree has more than 64 features on the way to a leaf.",
               remedy = "Leave `background` out.", call = call)
  }
}

# The linear score sum_l (2^l - 1) f_l of a classifier whose discriminants are sums -------------

linear_score_contributions <- function(model, x, background, threads, call) {
  if (!inherits(model, c("rankmix_adaboost_mh_model", "rankmix_mcsvm_model"))) {
    stop_input("argument", sprintf("`%s` has no linear score.", ranker_text(model)),
               "It is one of `adaboost_mh()` and `mcsvm()`.", "Leave `type` out.", call = call)
  }
  gains <- group_gains(model)
  if (inherits(model, "rankmix_mcsvm_model")) {
    weights <- c(as.vector(model$weights %*% gains), "(Intercept)" = sum(model$intercept * gains))
    return(linear_contributions(model, x, background, threads, call, weights))
  }
  # The leaves of multiplied trees have no counts of training documents.
  if (any(diff(model$forest$round_begin) > 1L)) {
    background <- background_documents(model, background, ncol(x), call)
  }
  forest <- tryCatch(summed_trees(model, gains, call), rankmix_error_format = function(e) {
    stop_input("argument", conditionMessage(e), remedy = "Leave `type` out.", call = call)
  })
  score <- function(x) {
    f <- discriminants(model, x, model$best_rounds, threads)
    as.vector(discriminant_slice(f, 1L) %*% gains_of_grades(model$classes))
  }
  forest_contributions(score, forest, x, background, threads, call)
}
