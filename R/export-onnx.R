# Models as ONNX: trees by the operator of ai.onnx.ml 3, everything else by operators of ai.onnx 16. Features
# and score are floats; computations between trees are in doubles.

onnx_bytes <- function(model, options, call) {
  features <- onnx_features(model, call)
  graph <- new_onnx_graph(model, features, call)
  score <- if (holds_trees(model)) {
    onnx_added_trees(graph)
  } else if (inherits(model, "rankmix_mcsvm_model")) {
    sum <- weighted_sum(model)
    x <- onnx_inputs(graph, onnx_view(graph, model))
    onnx_affine(graph, x, sum$weights, sum$intercept)
  } else {
    onnx_predicted(graph, model)
  }
  onnx_file(graph, options$name, onnx_narrow(graph, score), onnx_width(graph))
}

# The linear score of a classifier.
onnx_added_trees <- function(graph) {
  parts <- added_trees(graph$model, graph$call)
  view <- onnx_view(graph, graph$model)
  onnx_wide(graph, onnx_forest(graph, view, parts$forest, parts$start))
}

# The features of a graph: of all models in it, by name if they have names. NULL for models that
# use discriminants.
onnx_features <- function(model, call) {
  models <- models_inside(model)
  for (inner in models) check_undamaged(inner, call, rounds_known = TRUE)
  if (length(models) == 0L) {
    return(NULL)
  }
  named <- vapply(models, function(inner) isTRUE(inner$named), NA)
  features <- unique(lapply(models, `[[`, "features"))
  if (all(named) || length(features) == 1L) {
    return(unique(unlist(features)))
  }
  if (length(unique(lengths(features))) > 1L) {
    cannot_hold("Its members use features by position, and have different features.")
  }
  features[[1L]]
}

# The models that use features, in a mixture or calibrated classifier.
models_inside <- function(model) {
  inner <- if (inherits(model, "rankmix_mixture")) {
    model$models[unique(model$members$model[model$members$weight > 0])]
  } else if (inherits(model, "rankmix_mix")) {
    model$rankers[model$members$weight > 0]
  } else if (inherits(model, "rankmix_calibrated")) {
    list(model$classifier)
  } else {
    return(if (!is.null(model$features)) list(model))
  }
  unlist(lapply(Filter(Negate(is.null), unname(inner)), models_inside), recursive = FALSE)
}

# Mixed and calibrated ------------------------------------------------------------------------

onnx_calibrated <- function(graph, model) {
  classifier <- model$classifier
  f <- if (is.null(classifier)) onnx_wide(graph, "features") else {
    onnx_member_input(graph, classifier, model$rounds)
  }
  onnx_calibration(graph, model$fitted, f, model$classes)
}

onnx_mixture <- function(graph, model) {
  if (identical(model$standardize, "query")) {
    onnx_refuse(graph, "It standardises the scores of its members query by query.")
  }
  members <- model$members
  wanted <- which(members$weight > 0)
  scores <- vapply(wanted, function(m) {
    inner <- model$models[[members$model[m]]]
    f <- onnx_member_input(graph, inner, member_rounds(inner, model$rounds))
    onnx_calibration(graph, model$fitted[[m]], f, if (is_classifier(inner)) inner$classes else 1L)
  }, "")
  onnx_weighted(graph, scores, members$weight[wanted] * model$scale[wanted])
}

onnx_mix <- function(graph, model) {
  if (identical(model$standardize, "query")) {
    onnx_refuse(graph, "It standardises the scores of its members query by query.")
  }
  wanted <- which(model$members$weight > 0)
  unknown <- wanted[!vapply(model$rankers[wanted], inherits, NA, "rankmix_ranker")]
  if (length(unknown) > 0L) {
    onnx_refuse(graph, sprintf("Its member `%s` is no model of the package.",
                               model$members$ranker[unknown[1L]]))
  }
  scores <- vapply(model$rankers[wanted], function(ranker) {
    if (inherits(ranker, "rankmix_best_feature_model")) {
      onnx_feature(graph, ranker, onnx_view(graph, ranker), ranker$lowest)
    } else {
      onnx_predicted(graph, ranker)
    }
  }, "")
  onnx_weighted(graph, unname(scores), model$members$weight[wanted] * model$scale[wanted])
}

onnx_weighted <- function(graph, scores, weights) {
  onnx_with(graph, "MatMul", onnx_bind(graph, scores), cbind(weights))
}
