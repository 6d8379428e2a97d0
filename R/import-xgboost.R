# XGBoost's JSON model. XGBoost rounds features to floats, and floats below the threshold go left. Here a
# double goes left up to the largest double that is rounded to such a float, so all doubles go the same way.

# How XGBoost makes the constant of the sums from `base_score`, by objective. Rankings need no other part
# of the objective.
xgboost_margins <- list(
  identity = c("reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:pseudohubererror",
               "reg:absoluteerror", "reg:quantileerror", "reg:expectileerror", "binary:hinge", "binary:logitraw",
               "rank:ndcg", "rank:pairwise", "rank:map"),
  logit = c("binary:logistic", "reg:logistic"),
  log = c("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft")
)

model_of_xgboost <- function(json) {
  learner <- inside_json(json, "learner")
  parameters <- inside_json(learner, "learner_model_param", "learner")
  features <- xgboost_number(parameters, "num_feature")
  need(features >= 1 && features < 2^31, "`num_feature` is no number of features.")
  need(xgboost_number(parameters, "num_class", 0) <= 1 && xgboost_number(parameters, "num_target", 1) <= 1,
       "It has several classes or targets: only a model with one score can be a ranker.")
  objective <- inside_json(learner, "objective", "learner")[["name"]]
  need(is.character(objective) && length(objective) == 1L && nzchar(objective), "Its objective has no name.")
  start <- xgboost_margin(objective, parameters[["base_score"]])
  booster <- inside_json(learner, "gradient_booster", "learner")
  weights <- NULL
  if (identical(booster[["name"]], "dart")) {
    weights <- booster[["weight_drop"]]
    booster <- inside_json(booster, "gbtree", "gradient_booster")
  }
  need(identical(booster[["name"]], "gbtree"), "Its booster is not made of trees: it cannot be read.")
  model <- inside_json(booster, "model", "gradient_booster")
  trees <- model[["trees"]]
  need(is.list(trees) && is.null(names(trees)), "`trees` is no array.")
  need(all(xgboost_array(model, "tree_info", "The model", length(trees)) == 0),
       "It has trees of several classes: only a model with one score can be a ranker.")
  trees <- lapply(seq_along(trees), function(t) tree_of_xgboost(trees[[t]], features, tree_place(t)))
  if (!is.null(weights)) trees <- dropped_trees(trees, weights)
  imported_model("xgboost", objective, trees, xgboost_features(learner, features), features, start)
}

inside_json <- function(x, name, place = "The file") {
  value <- if (is_json_object(x)) x[[name]]
  need(is_json_object(value), sprintf("%s has no object `%s`.", place, name))
  value
}

# XGBoost writes numbers of parameters as text.
xgboost_number <- function(x, name, default = NULL) {
  value <- if (is.null(x[[name]])) default else x[[name]]
  number <- if (is.atomic(value) && length(value) == 1L) suppressWarnings(as.numeric(value)) else NA
  need(!is.na(number), sprintf("`%s` is no number.", name))
  number
}

# XGBoost from 3.2 keeps probabilities inside (0, 1) by this number. The base score is 0 or 1 if all labels are equal.
xgboost_inside <- 1e-6

xgboost_margin <- function(objective, score) {
  kind <- names(xgboost_margins)[vapply(xgboost_margins, function(names) objective %in% names, NA)]
  need(length(kind) == 1L, sprintf("Its objective \"%s\" is not known, or has several scores.", objective))
  # From version 3.1 the number has brackets.
  if (is.character(score)) score <- sub("^\\[(.*)\\]$", "\\1", score)
  score <- as_float(xgboost_number(list(base_score = score), "base_score"))
  good <- switch(kind, identity = TRUE, logit = score >= 0 && score <= 1, log = score > 0)
  need(good, "`base_score` cannot be.")
  if (kind == "logit") score <- as_float(min(max(score, xgboost_inside), 1 - xgboost_inside))
  # XGBoost computes the constant in floats.
  as_float(switch(kind, identity = score, logit = -log(as_float(as_float(1 / score) - 1)), log = log(score)))
}

# NULL for features without names.
xgboost_features <- function(learner, count) {
  names <- learner[["feature_names"]]
  if (length(names) == 0L) {
    return(NULL)
  }
  names <- items_of_json(names, is.character, NA_character_)
  need(length(names) == count, "`feature_names` are not as many as features.")
  names
}

# Numbers of a tree. Texts and other types are an error that names the place.
xgboost_array <- function(tree, name, place, length = NULL) {
  what <- sprintf("%s: `%s`", place, name)
  need(!is.null(tree[[name]]), sprintf("%s is missing.", what))
  values <- tree[[name]]
  values <- tryCatch(if (all(vapply(values, is.logical, NA))) as.numeric(unlist(values)) else numbers_of_json(values),
                     error = function(e) NULL)
  need(!is.null(values), sprintf("%s has something that is no number.", what))
  need(is.null(length) || base::length(values) == length, sprintf("%s has another length.", what))
  values
}

tree_of_xgboost <- function(tree, features, place) {
  need(is_json_object(tree), sprintf("%s is no object.", place))
  what <- function(name) sprintf("%s: `%s`", place, name)
  left <- xgboost_array(tree, "left_children", place)
  count <- length(left)
  need(count > 0L, sprintf("%s has no nodes.", place))
  array <- function(name) xgboost_array(tree, name, place, count)
  right <- array("right_children")
  is_child <- function(x) !anyNA(x) && all(x == round(x) & x >= -1 & x < count)
  need(is_child(left) && is_child(right) && all((left < 0) == (right < 0)),
       sprintf("%s has children that there are not.", place))
  leaf <- left < 0
  need(!leaf[1L] || all(leaf), sprintf("%s has nodes that nothing leads to.", place))
  number <- numeric(count)
  number[!leaf] <- seq_len(sum(!leaf)) - 1L
  number[leaf] <- -seq_len(sum(leaf))
  nodes <- list(feature = array("split_indices")[!leaf], left = as.integer(number[left[!leaf] + 1]),
                right = as.integer(number[right[!leaf] + 1]))
  walked <- walked_nodes(nodes, place)
  condition <- array("split_conditions")
  default_left <- array("default_left")
  if (!is.null(tree[["split_type"]])) {
    need(all(array("split_type") == 0), sprintf("%s splits a categorical feature: it cannot be read.", place))
  }
  # Nodes that XGBoost has deleted can have an invalid feature.
  good <- nodes$feature[walked]
  need(!anyNA(good) && all(good == round(good) & good >= 0 & good < features),
       sprintf("%s has a number that cannot be.", what("split_indices")))
  nodes$feature[setdiff(seq_along(nodes$feature), walked)] <- 0
  # Decimals of the largest float can be a bit larger. Half of the way to 2^128 is rounded to infinity.
  need(all(is.finite(condition)) && all(abs(condition) < largest_float + 2^103),
       sprintf("%s has a number that cannot be.", what("split_conditions")))
  need(all(default_left %in% 0:1), sprintf("%s has a number that cannot be.", what("default_left")))
  condition <- as_float(condition)
  optional <- function(name) {
    tryCatch(xgboost_array(tree, name, place, count), error = function(e) rep(0, count))
  }
  gain <- optional("loss_changes")
  gain[!is.finite(gain)] <- 0
  list(feature = as.integer(nodes$feature), threshold = below_float(condition[!leaf]),
       missing_left = as.integer(default_left[!leaf]), left = nodes$left, right = nodes$right, gain = gain[!leaf],
       values = condition[leaf], documents = xgboost_covers(optional("sum_hessian")[leaf], nodes, walked))
}

# The hessians of the leaves that are used, as whole numbers.
xgboost_covers <- function(hessian, nodes, walked) {
  child <- c(nodes$left[walked], nodes$right[walked])
  used <- if (length(walked) == 0L) 1L else -child[child < 0L]
  covers <- numeric(length(hessian))
  covers[used] <- whole_covers(hessian[used])
  covers
}

# The largest double that is rounded to a float below each of these floats. Half of the way between two
# floats is rounded to the float with an even last bit.
below_float <- function(x) {
  before <- next_float(x, -1)
  half <- (before + x) / 2
  lowest <- x <= -largest_float
  # The only number below the lowest float is -Inf. Numbers beyond half of the way to the next power of 2 are
  # rounded to -Inf.
  half[lowest] <- -largest_float - 2^103
  down <- as_float(half) < x | lowest
  ifelse(down, half, previous_double(half))
}

previous_double <- function(x) {
  step <- 2^(floor(log2(abs(x))) - 52)
  # Below a power of two numbers are twice as dense.
  ifelse(x > 0 & x == 2^floor(log2(abs(x))), x - step / 2, x - step)
}

dropped_trees <- function(trees, weights) {
  weights <- tryCatch(numbers_of_json(weights), error = function(e) NULL)
  need(length(weights) == length(trees) && all(is.finite(weights)), "`weight_drop` does not fit the trees.")
  Map(function(tree, weight) {
    tree$values <- tree$values * weight
    tree
  }, trees, weights)
}
