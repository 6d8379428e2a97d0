# Models of Apache Solr: features by name, 32-bit floats, and for trees a tolerance of 0.000001
# that is added to each threshold.

solr_lines <- function(model, options, call) {
  if (holds_trees(model)) {
    forest <- with_start(added_trees(model, call))
    return(solr_model(model, options, "MultipleAdditiveTrees", forest$feature,
                      paste0("{\"isNullSameAsZero\":false,\"trees\":",
                             json_array(solr_trees(model, forest)), "}")))
  }
  if (inherits(model, "rankmix_network_model")) {
    layers <- solr_layers(model, options, call)
    return(solr_model(model, options, "NeuralNetwork", seq_along(model$features) - 1L, layers))
  }
  if (!holds_sum(model)) {
    cannot_hold("It is neither trees, a weighted sum nor a network.")
  }
  sum <- plain_sum(model, "solr", options, call)
  say_no_intercept(sum$intercept)
  used <- used_features(model, which(sum$weights != 0) - 1L)
  solr_model(model, options, "Linear", used - 1L,
             sprintf("{\"weights\":%s}", json_members(model$features[used],
                                                      with_point(sum$weights[used]))))
}

# Feature positions, from 1. A model without features gets the first, because Solr requires one.
used_features <- function(model, features) {
  used <- sort(unique(features)) + 1L
  if (length(used) == 0L) 1L else used
}

# Solr reads 1.0 as a fractional number, and 1 as another type.
with_point <- function(x) {
  text <- exact_text(x)
  whole <- !grepl("[.en]", text)
  text[whole] <- paste0(text[whole], ".0")
  text
}

solr_model <- function(model, options, class, features, params) {
  names <- json_string(model$features[used_features(model, features)])
  paste0("{\"class\":\"org.apache.solr.ltr.model.", class, "Model\",\"name\":",
         json_string(options$name), ",\"features\":", json_array(sprintf("{\"name\":%s}", names)),
         ",\"params\":", params, "}")
}

solr_trees <- function(model, forest) {
  threshold <- solr_thresholds(forest$threshold)
  feature <- json_string(model$features)[forest$feature + 1L]
  missing <- ifelse(forest$missing_left == 1L, "left", "right")
  trees <- nested_trees(
    forest, function(values) sprintf("{\"value\":\"%s\"}", exact_text(values)),
    function(node, left, right) {
      paste0("{\"feature\":", feature[node], ",\"threshold\":\"", float_text(threshold[node]),
             "\",\"missing\":\"", missing[node], "\",\"left\":", left, ",\"right\":", right, "}")
    }
  )
  paste0("{\"weight\":\"1\",\"root\":", trees, "}")
}

# The threshold that Solr effectively uses for a threshold t of the file: t + 0.000001, in floats.
solr_sees <- function(t) as_float(t + as_float(1e-6))

# The floats t whose effective thresholds split floats as the model's thresholds do. If there is no such
# float, the nearest float is used.
solr_thresholds <- function(threshold) {
  wanted <- float_below(threshold)
  best <- as_float(wanted - as_float(1e-6))
  for (by in c(-1, 1)) {
    other <- next_float(best, by)
    better <- abs(solr_sees(other) - wanted) < abs(solr_sees(best) - wanted)
    best <- ifelse(better, other, best)
  }
  lost <- solr_sees(best) != wanted
  if (any(lost)) {
    warn_input("threshold",
               sprintf("Solr adds 0.000001 to thresholds, which moves %s.", counted(sum(lost), "threshold")),
               sprintf("By at most %s.", format(max(abs(solr_sees(best) - wanted)[lost]),
                                                digits = 2)),
               paste("A value this close to a threshold may go to the other side.",
                     "Multiply the features by a number to avoid this."))
  }
  best
}

# Networks -------------------------------------------------------------------------------------

# The scaling of the features is merged into the first layer.
solr_layers <- function(model, options, call) {
  spec <- model$spec
  inputs <- length(model$features)
  refuse <- function(reason) cannot_hold(reason)
  if (spec$normalize != "none") refuse("Solr's networks have no normalisation.")
  if (isTRUE(spec$log1p)) refuse("Solr's networks have no logarithm of features.")
  if (length(model$filling$marked) > 0L) refuse("It has indicators of missing values.")
  check_zero_missing(any(model$filling$numbers != 0), "solr", model, options, call)
  numbers <- model$weights[, model$best_rounds + 1L]
  at <- 0L
  take <- function(count) {
    at <<- at + count
    numbers[seq.int(at - count + 1L, length.out = count)]
  }
  activation <- c(relu = "relu", tanh = "tanh", logistic = "sigmoid")[[spec$activation]]
  from <- inputs
  layers <- character()
  for (units in c(spec$hidden, 1)) {
    weights <- matrix(take(units * from), units)
    bias <- take(units)
    if (length(layers) == 0L) {
      weights <- weights * rep(model$factor, each = units)
      bias <- bias - as.vector(weights %*% model$center)
    }
    last <- length(layers) == length(spec$hidden)
    rows <- apply(weights, 1L, function(row) json_array(with_point(row)))
    layers <- c(layers, sprintf("{\"matrix\":%s,\"bias\":%s,\"activation\":\"%s\"}",
                                json_array(rows), json_array(with_point(bias)),
                                if (last) "identity" else activation))
    from <- units
  }
  paste0("{\"layers\":", json_array(layers), "}")
}
