# More trees on new data. Boosting starts from the old scores. For squared error this is boosting on the residuals
# of the old model, with an additional constant.

# The reason why no rounds can be added; NULL if they can.
rounds_reason <- function(spec) {
  if (spec$objective$name == "ordinal" || !is.null(spec$objective$unbiased)) {
    sprintf("cannot add rounds %s, which learns more than scores",
            if (is.null(spec$objective$unbiased)) "for `loss_ordinal()`" else "with `unbiased`")
  } else if (drops_trees(spec)) {
    "with `dropout` cannot add rounds"
  } else if (splits_by_subsets(spec)) {
    "with `categories = \"subsets\"` cannot add rounds on other data"
  }
}

renewed_rounds <- function(model, data, rounds, seed, threads, call) {
  used <- first_rounds(model, model$best_rounds)
  scores <- predict(model, data, threads = threads)
  data <- in_model_order(data, model, threads, call)
  spec <- model$spec
  spec$trees <- rounds
  spec["feature_cost"] <- list(unpaid_costs(used))
  task <- new_task(data, seed, threads, call = call)
  if (spec$objective$name == "squared") {
    task$targets <- objective_targets(spec$objective, data$relevance, "grade", call) - scores
  } else {
    task$start_scores <- scores
  }
  added <- train_by_entry(spec, task)
  used$forest <- append_rounds(used$forest, added$forest)
  used$start <- used$start + added$start
  used$best_rounds <- rounds_used(used)
  used$spec$trees <- used$best_rounds
  used$status <- added$status
  without_training(used)
}

# The data with the features of the model in its order.
in_model_order <- function(data, model, threads, call) {
  data$x <- match_features(data, model, threads, call)
  for (name in names(schema_of(data))) data[name] <- list(.subset2(model, name))
  data
}

# The rounds of both forests in one forest. Neither splits factors by sets of levels.
append_rounds <- function(first, second) {
  begins <- function(name) c(first[[name]], utils::tail(first[[name]], 1L) + second[[name]][-1L])
  of_begins <- c("round_begin", "node_begin", "leaf_begin")
  lapply(stats::setNames(nm = names(first)), function(name) {
    if (name == "outputs") first$outputs else if (name %in% of_begins) begins(name) else {
      c(first[[name]], second[[name]])
    }
  })
}
