# Models as nodes of ONNX: discriminants and scores as from discriminants() and
# sum_scores(), documents x grades or x 1, in doubles.

# The default prediction of the model.
onnx_predicted <- function(graph, model) {
  if (inherits(model, "rankmix_mixture")) {
    return(onnx_mixture(graph, model))
  }
  if (inherits(model, "rankmix_mix")) {
    return(onnx_mix(graph, model))
  }
  if (inherits(model, "rankmix_calibrated")) {
    return(onnx_calibrated(graph, model))
  }
  check_chosen(model, graph$call)
  if (is.null(model$features)) {
    onnx_refuse(graph, sprintf("`%s` does not score documents one by one, by their features.",
                               ranker_text(model)))
  }
  view <- onnx_view(graph, model)
  rounds <- if (is.null(model$best_rounds)) 1L else model$best_rounds
  f <- onnx_discriminants(graph, model, view, rounds)
  if (inherits(model, "rankmix_cocr_model")) {
    return(onnx_ranks_of_levels(graph, model, view, rounds))
  }
  if (!inherits(model, "rankmix_classifier")) {
    return(f)
  }
  gains <- gains_of_grades(model$classes)
  onnx_naive(graph, f, discriminant_range(model, rounds), gains)
}

# The calibrator input from a member after a number of rounds.
onnx_member_input <- function(graph, model, rounds) {
  if (is_function_member(model)) {
    onnx_refuse(graph, sprintf("Its member `%s` is a function in R.", ranker_text(model)))
  }
  if (set_of(model) != "original") {
    onnx_refuse(graph, sprintf("Its member `%s` uses %s features, which are made query by query.",
                               ranker_text(model), set_of(model)))
  }
  view <- onnx_view(graph, model)
  if (inherits(model, "rankmix_best_feature_model")) {
    return(onnx_feature(graph, model, view, model$lowest))
  }
  onnx_discriminants(graph, model, view, rounds)
}

onnx_refuse <- function(graph, reason, remedy = NULL) {
  cannot_hold(reason, remedy)
}

onnx_discriminants <- function(graph, model, view, rounds) {
  if (holds_trees(model)) {
    onnx_boosted(graph, model, view, rounds)
  } else if (inherits(model, "rankmix_network_model")) {
    onnx_network(graph, model, view, rounds)
  } else if (inherits(model, "rankmix_best_feature_model")) {
    onnx_feature(graph, model, view, -Inf)
  } else if (holds_sum(model)) {
    onnx_sums(graph, model, view, rounds)
  } else if (inherits(model, "rankmix_m5p_model")) {
    onnx_model_tree(graph, model, view)
  } else if (inherits(model, "rankmix_bagging_model")) {
    onnx_bag(graph, model, view)
  } else if (inherits(model, "rankmix_cocr_model")) {
    onnx_fractions(graph, onnx_levels(graph, model, view, rounds), model$classes)
  } else {
    onnx_refuse(graph, if (identical(model, graph$model)) {
      "Its scores are made by code in R."
    } else {
      sprintf("The scores of `%s` are made by code in R.", ranker_text(model))
    })
  }
}

onnx_sums <- function(graph, model, view, rounds) {
  x <- onnx_inputs(graph, view)
  if (inherits(model, "rankmix_mcsvm_model")) {
    at <- model$groups + 1L
    return(onnx_affine(graph, x, model$weights[, at, drop = FALSE], model$intercept[at]))
  }
  if (inherits(model, "rankmix_adarank_model")) {
    weights <- round_coefficients(model$chosen, nrow(view), min(rounds, rounds_used(model)))
    return(onnx_affine(graph, x, weights, 0))
  }
  onnx_affine(graph, x, model$weights, shifts_of(model))
}

# Missing values become the number `lowest`.
onnx_feature <- function(graph, model, view, lowest) {
  own <- view[match(model$feature, model$features), ]
  x <- onnx_columns(graph, "features", own$column)
  score <- onnx_with(graph, "Mul", onnx_wide(graph, x), model$sign)
  onnx_op(graph, "Where", onnx_op(graph, "IsNaN", x), onnx_constant(graph, lowest), score)
}

# The mean over the members.
onnx_bag <- function(graph, model, view) {
  scores <- vapply(model$members, function(member) {
    seen <- if (is.null(member$seen)) view else view[member$seen, ]
    onnx_discriminants(graph, member, seen, rounds_used(member))
  }, "")
  onnx_with(graph, "Div", onnx_row_sums(graph, onnx_bind(graph, scores)), length(scores))
}

# COCR -----------------------------------------------------------------------------------------

# Documents x subproblems.
onnx_levels <- function(graph, model, view, rounds) {
  if (!is.null(model$weights)) {
    return(onnx_affine(graph, onnx_inputs(graph, view), model$weights, model$intercept))
  }
  levels <- vapply(model$parts, function(part) {
    if (is.function(part)) onnx_refuse(graph, "Its regressions are functions in R.")
    if (is.numeric(part)) onnx_number(graph, part) else {
      onnx_discriminants(graph, part, view, min(rounds, rounds_used(part)))
    }
  }, "")
  onnx_bind(graph, levels)
}

# A constant column. A tree of one leaf adds the part of the number that a float can hold.
onnx_number <- function(graph, x) {
  leaf <- list(outputs = 1L, feature = integer(), threshold = double(), missing_left = integer(),
               left = integer(), right = integer(), values = 0, node_begin = c(0L, 0L))
  view <- data.frame(column = 1L, mark = FALSE, fill = NA_real_)
  onnx_with(graph, "Add", onnx_wide(graph, onnx_forest(graph, view, leaf)), x)
}

onnx_fractions <- function(graph, levels, classes) {
  by <- matrix(0, classes - 1L, classes)
  subproblems <- seq_len(classes - 1L)
  by[cbind(subproblems, subproblems)] <- -1
  by[cbind(subproblems, subproblems + 1L)] <- 1
  onnx_affine(graph, levels, by, c(1, rep(0, classes - 1L)))
}

onnx_ranks_of_levels <- function(graph, model, view, rounds) {
  levels <- onnx_levels(graph, model, view, rounds)
  if (model$spec$ranker != "soft") {
    if (!is.null(model$parts)) {
      onnx_refuse(graph, "Its predictions are rounded at 1/2, where sums of floats may go either way.")
    }
    above <- onnx_with(graph, "GreaterOrEqual", levels, 0.5 - 1e-10)
    levels <- onnx_cast(graph, above, "double")
  }
  onnx_row_sums(graph, levels)
}

# Networks -------------------------------------------------------------------------------------

# Computes in floats, as in training. Features are scaled in doubles.
onnx_network <- function(graph, model, view, rounds) {
  spec <- model$spec
  numbers <- model$weights[, min(rounds, rounds_used(model)) + 1L]
  at <- 0L
  take <- function(count) {
    at <<- at + count
    numbers[seq.int(at - count + 1L, length.out = count)]
  }
  batch <- spec$normalize == "batch"
  from <- nrow(view)
  layers <- lapply(spec$hidden, function(units) {
    layer <- list(weights = t(matrix(take(units * from), units)),
                  bias = if (batch) 0 else take(units))
    from <<- units
    if (spec$normalize != "none") layer <- c(layer, list(scale = take(units), shift = take(units)))
    layer
  })
  score <- list(weights = take(from), bias = take(1L))
  if (batch) {
    layers <- lapply(layers, function(layer) {
      units <- ncol(layer$weights)
      c(layer, list(mean = take(units), variance = take(units)))
    })
  }
  z <- onnx_scaled(graph, model, view)
  for (layer in layers) z <- onnx_layer(graph, z, layer, spec)
  onnx_wide(graph, onnx_affine(graph, z, score$weights, score$bias, "float"))
}

onnx_scaled <- function(graph, model, view) {
  x <- onnx_inputs(graph, view)
  if (isTRUE(model$spec$log1p)) {
    size <- onnx_op(graph, "Log", onnx_with(graph, "Add", onnx_op(graph, "Abs", x), 1))
    x <- onnx_op(graph, "Mul", onnx_op(graph, "Sign", x), size)
  }
  centered <- onnx_with(graph, "Sub", x, model$center)
  onnx_cast(graph, onnx_with(graph, "Mul", centered, model$factor), "float")
}

onnx_min_variance <- 1e-5

onnx_layer <- function(graph, z, layer, spec) {
  with <- function(type, name, x) onnx_with(graph, type, name, x, "float")
  z <- onnx_affine(graph, z, layer$weights, layer$bias, "float")
  if (spec$normalize == "batch") {
    z <- with("Mul", with("Sub", z, layer$mean), 1 / sqrt(layer$variance + onnx_min_variance))
  } else if (spec$normalize == "layer") {
    mean_of <- function(name) {
      onnx_op(graph, "ReduceMean", name,
              attributes = list(onnx_ints("axes", 1), onnx_int("keepdims", 1)))
    }
    z <- onnx_op(graph, "Sub", z, mean_of(z))
    variance <- with("Add", mean_of(onnx_op(graph, "Mul", z, z)), onnx_min_variance)
    z <- onnx_op(graph, "Div", z, onnx_op(graph, "Sqrt", variance))
  }
  if (spec$normalize != "none") z <- with("Add", with("Mul", z, layer$scale), layer$shift)
  onnx_op(graph, c(relu = "Relu", tanh = "Tanh", logistic = "Sigmoid")[[spec$activation]], z)
}
