# More trees of squared error on new data: they are trained on the residuals of the old model. The sum of both
# models is what boosting would give that starts from the old scores, but for an additional constant.

# Why no rounds can be added; NULL if they can.
rounds_reason <- function(spec) {
  if (!has_squared_loss(spec) && spec$objective$name != "squared") {
    sprintf("cannot add rounds for `%s`, whose gradients need the old scores",
            component_name("loss", paste0(spec$objective$name, "()")))
  } else if (drops_trees(spec)) {
    "with `dropout` cannot add rounds"
  } else if (splits_by_subsets(spec)) {
    "with `categories = \"subsets\"` cannot add rounds on other data"
  }
}

renewed_rounds <- function(model, data, rounds, seed, threads, call) {
  used <- first_rounds(model, model$best_rounds)
  residuals <- as.double(data$relevance) - predict(model, data, threads = threads)
  data <- in_model_order(data, model, threads, call)
  spec <- model$spec
  spec$trees <- rounds
  spec["feature_cost"] <- list(unpaid_costs(used))
  added <- train_by_entry(spec, new_task(data, seed, threads, call = call, targets = residuals))
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

# The rounds of both forests, which have no sets of levels.
append_rounds <- function(first, second) {
  begins <- function(name) c(first[[name]], utils::tail(first[[name]], 1L) + second[[name]][-1L])
  of_begins <- c("round_begin", "node_begin", "leaf_begin")
  lapply(stats::setNames(nm = names(first)), function(name) {
    if (name == "outputs") first$outputs else if (name %in% of_begins) begins(name) else {
      c(first[[name]], second[[name]])
    }
  })
}
