# Costs that are subtracted from the gain of the first split on a feature.

feature_costs <- function(x, name, call) {
  names <- names(x)
  problem <- if (!is_plain_number(x) || length(x) == 0L || !all(is.finite(x) & x >= 0)) {
    sprintf("It is %s.", show_value(x))
  } else if (!is.null(names) && (anyNA(names) || !all(nzchar(names)))) {
    sprintf("Cost %d has no name.", which(is.na(names) | !nzchar(names))[1L])
  } else if (anyDuplicated(names)) {
    sprintf("`%s` is there twice.", names[anyDuplicated(names)])
  }
  if (!is.null(problem)) {
    stop_input("argument",
               sprintf("`%s` must have costs of 0 or more, named by features, or one for each feature.", name),
               problem, "For example `c(embedding = 0.05, clicks = 0.01)`.", call = call)
  }
}

# The cost of each column of the data.
costs_of_columns <- function(costs, data, call) {
  if (is.null(names(costs))) {
    if (length(costs) != length(data$features)) {
      stop_input("argument", sprintf("`feature_cost` has %s, but there are %d features.",
                                     counted(length(costs), "cost"), length(data$features)),
                 remedy = "Give one for each, or name them.", call = call)
    }
    return(as.double(costs))
  }
  columns <- columns_of_names(names(costs), "feature_cost", data, call)
  of_columns <- numeric(length(data$features))
  for (name in names(costs)) of_columns[columns[[name]]] <- costs[[name]]
  of_columns
}

# The arguments of the core: the cost and the item of each feature of the trees.
# Features of an item have one common cost. Empty if all features are free.
settings_of_costs <- function(costs, data, categories, call) {
  if (is.null(costs) || all(costs == 0)) {
    return(list())
  }
  inputs <- inputs_of_columns(length(data$features), categories)
  of_columns <- costs_of_columns(costs, data, call)
  units <- unit_of_feature(data)
  first <- match(seq_len(max(inputs)), inputs)
  list(costs = as.vector(tapply(of_columns, inputs, max)), items = match(units, unique(units))[first] - 1L)
}

# The costs of the features that a model does not use yet, by name.
unpaid_costs <- function(model) {
  costs <- model$spec$feature_cost
  if (is.null(costs)) {
    return(NULL)
  }
  left <- costs_of_columns(costs, model, NULL)
  paid <- unit_of_feature(model) %in% units_used(model)
  left[paid] <- 0
  stats::setNames(left, model$features)
}

# The features of the data frame that the first `best_rounds` rounds test.
units_used <- function(model) {
  used <- unique(first_rounds(model, model$best_rounds)$forest$feature) + 1L
  unique(source_columns(features_of_trees(model)[used], model$encoding))
}

# The sum of the costs of the features that a model uses; NULL if features have no costs.
paid_cost <- function(model) {
  costs <- .subset2(model$spec, "feature_cost")
  if (is.null(costs)) {
    return(NULL)
  }
  units <- unit_of_feature(model)
  by_unit <- tapply(costs_of_columns(costs, model, NULL), factor(units, unique(units)), max)
  sum(by_unit[units_used(model)])
}
