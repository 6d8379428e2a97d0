parsnip_frame <- function(env = parent.frame()) {
  withr::local_envvar(TZ = "UTC", .local_envir = env)  # a package asks the system for the time zone
  data <- simulate_ranking(45, documents = 8, features = 5, seed = 2)$data
  data.frame(stats::setNames(as.data.frame(data$x[, 1:4]), paste0("f", 1:4)), grade = data$relevance,
             day = paste0("d", data$query), kind = factor(rep(c("a", "b", "c"), length.out = nrow(data))))
}

# Functions of tidymodels, of which any may be absent.
tidy_function <- function(name) {
  for (package in c("parsnip", "workflows", "recipes", "rsample", "tune", "hardhat")) {
    skip_if_not_installed(package)
    if (name %in% getNamespaceExports(package)) return(getExportedValue(package, name))
  }
}

tree_spec <- function(..., num_leaves = 5, seed = 1) {
  set_engine <- tidy_function("set_engine")
  spec <- tidy_function("boost_tree")(mode = "regression", learn_rate = 0.2, min_n = 3, ...)
  rlang::inject(set_engine(spec, "rankmix", num_leaves = !!rlang::enexpr(num_leaves), seed = !!seed, threads = 1))
}

query_flow <- function(frame, spec) {
  made <- tidy_function("update_role")(tidy_function("recipe")(grade ~ ., data = frame), "day", new_role = "query")
  flow <- tidy_function("add_recipe")(tidy_function("workflow")(), made, blueprint = query_blueprint())
  tidy_function("add_model")(flow, spec)
}

reference <- function(frame, ..., spec = lambdamart(trees = 12, learning_rate = 0.2, min_data_in_leaf = 3,
                                                    num_leaves = 5)) {
  fit(update(spec, ...), ranking_data(frame, relevance = grade, query = day), seed = 1, threads = 1)
}

test_that("a workflow trains and predicts as fit() and predict() do", {
  frame <- parsnip_frame()
  flow <- fit(query_flow(frame, tree_spec(trees = 12, sample_size = 0.7, mtry = 3)), frame)
  model <- reference(frame, bagging_fraction = 0.7, feature_fraction = 3 / 7)
  expect_identical(predict(flow, frame)$.pred, predict(model, frame))
  # Prediction needs no query and no grade, and rows may have any order.
  expect_identical(predict(flow, frame[20:3, c("kind", paste0("f", 4:1))])$.pred, predict(model, frame)[20:3])
  expect_identical(tidy_function("extract_fit_engine")(flow)$spec, model$spec)
  skip_if_not_installed("yardstick")
  scored <- augment(flow, frame)
  expect_identical(query_metrics("ndcg@5", query = "day")(scored, grade, .pred)$.estimate,
                   suppressWarnings(summary(evaluate(model, ranking_data(frame, relevance = grade, query = day),
                                                     "ndcg@5"))$mean))
})

test_that("other rankers, linear models, weights and an outcome with queries are used", {
  frame <- parsnip_frame()
  set_engine <- tidy_function("set_engine")
  fit_xy <- tidy_function("fit_xy")
  data <- ranking_data(frame, relevance = grade, query = day)
  truth <- query_truth(frame$grade, frame$day)
  x <- frame[c(paste0("f", 1:4), "kind")]
  spec <- set_engine(tidy_function("boost_tree")(mode = "regression", trees = 8), "rankmix", seed = 1,
                     ranker = yetirank(rankings = 10))
  expect_identical(predict(fit_xy(spec, x, truth), x)$.pred,
                   predict(fit(yetirank(8, rankings = 10), data, seed = 1), x))
  line <- set_engine(tidy_function("linear_reg")(penalty = 0.5), "rankmix", objective = loss_softmax())
  expect_identical(predict(fit_xy(line, x, truth), x)$.pred,
                   predict(fit(linear_ranker(loss_softmax(), penalty = 0.5), data), x))
  # The formula of parsnip encodes factors itself.
  frame$truth <- truth
  formula <- tidy_function("add_model")(tidy_function("add_formula")(
    tidy_function("workflow")(), truth ~ f1 + f2
  ), line)
  expect_identical(predict(fit(formula, frame), frame)$.pred,
                   predict(fit(linear_ranker(loss_softmax(), penalty = 0.5), data[, c("f1", "f2")]), x[1:2]))
  weight <- as.double(factor(frame$day))
  weighted <- ranking_data(frame[c(names(x), "grade", "day")], relevance = grade, query = day, weight = weight)
  weights <- tidy_function("importance_weights")(weight)
  expect_identical(predict(fit_xy(line, x, truth, case_weights = weights), x)$.pred,
                   predict(fit(linear_ranker(loss_softmax(), penalty = 0.5), weighted), x))
})

test_that("arguments of parsnip that no ranker has are errors", {
  frame <- parsnip_frame()
  truth <- query_truth(frame$grade, frame$day)
  set_engine <- tidy_function("set_engine")
  fit_xy <- tidy_function("fit_xy")
  tree <- function(...) set_engine(tidy_function("boost_tree")(mode = "regression", trees = 2, ...), "rankmix")
  expect_error(fit_xy(tree(stop_iter = 5), frame["f1"], truth), "`stop_iter`", class = "rankmix_error_argument")
  expect_error(fit_xy(tree(loss_reduction = 1), frame["f1"], truth), "`loss_reduction`",
               class = "rankmix_error_argument")
  line <- set_engine(tidy_function("linear_reg")(penalty = 1, mixture = 1), "rankmix")
  expect_error(fit_xy(line, frame["f1"], truth), "`mixture`", class = "rankmix_error_argument")
})

test_that("resampling gives the values of evaluate() on each fold", {
  frame <- parsnip_frame()
  set.seed(1)
  folds <- tidy_function("group_vfold_cv")(frame, group = "day", v = 3)
  flow <- query_flow(frame, tree_spec(trees = 12))
  skip_if_not_installed("yardstick")
  done <- tidy_function("fit_resamples")(flow, folds, metrics = query_metrics("ndcg@5", "err"),
                                         control = tidy_function("control_resamples")(save_pred = TRUE))
  expect_identical(nrow(tidy_function("collect_notes")(done)), 0L)
  found <- tidy_function("collect_metrics")(done, summarize = FALSE)
  part <- function(split, what) getExportedValue("rsample", what)(split)
  for (i in 1:3) {
    held <- part(folds$splits[[i]], "assessment")
    model <- reference(part(folds$splits[[i]], "analysis"))
    expect_length(intersect(held$day, part(folds$splits[[i]], "analysis")$day), 0L)
    data <- ranking_data(held, relevance = grade, query = day)
    expected <- suppressWarnings(summary(evaluate(model, data, c("ndcg@5", "err"))))  # warns of ties
    expect_equal(found$.estimate[found$id == folds$id[i]], expected$mean, tolerance = 1e-14)
    expect_identical(done$.predictions[[i]]$.pred, predict(model, held))
    expect_identical(done$.predictions[[i]]$grade, query_truth(held$grade, held$day))
  }
  # Folds of rankmix can be used for resampling, too.
  data <- ranking_data(frame, relevance = grade, query = day)
  own <- as_rset(query_folds(data, 3, seed = 1), data, frame)
  again <- tidy_function("fit_resamples")(flow, own, metrics = query_metrics("ndcg@5"))
  expect_identical(tidy_function("collect_metrics")(again)$n, 3L)
})

test_that("tuning predicts for fewer trees, and chooses as with separate trainings", {
  frame <- parsnip_frame()
  tune <- tidy_function("tune")
  set.seed(1)
  folds <- tidy_function("group_vfold_cv")(frame, group = "day", v = 2)
  skip_if_not_installed("yardstick")
  flow <- query_flow(frame, tree_spec(trees = tune(), num_leaves = tune()))
  grid <- expand.grid(trees = c(4, 12), num_leaves = c(2, 5))
  done <- tidy_function("tune_grid")(flow, folds, grid = grid, metrics = query_metrics("ndcg@5"))
  found <- tidy_function("collect_metrics")(done, summarize = FALSE)
  expect_identical(nrow(found), 8L)
  for (i in seq_len(nrow(found))) {
    split <- folds$splits[[match(found$id[i], folds$id)]]
    held <- getExportedValue("rsample", "assessment")(split)
    model <- reference(getExportedValue("rsample", "analysis")(split), trees = found$trees[i],
                       num_leaves = found$num_leaves[i])
    expect_equal(found$.estimate[i], metric_vec("ndcg@5", held$grade, predict(model, held), held$day),
                 tolerance = 1e-14)
  }
  best <- tidy_function("select_best")(done, metric = "ndcg@5")
  means <- stats::aggregate(.estimate ~ trees + num_leaves, found, mean)
  expect_equal(unlist(best[c("trees", "num_leaves")]), unlist(means[which.max(means$.estimate), 1:2]))
  final <- fit(tidy_function("finalize_workflow")(flow, best), frame)
  expect_identical(predict(final, frame)$.pred,
                   predict(reference(frame, trees = best$trees, num_leaves = best$num_leaves), frame))
  expect_named(tidy_function("extract_parameter_set_dials")(flow)$object[[1]]$label, "trees")
})

test_that("train_parsnip() reports outcomes without queries, and rankers that do not fit", {
  x <- data.frame(a = c(3, 1, 2, 5), b = c(0, 1, 0, 2))
  y <- query_truth(c(1, 0, 0, 2), c("a", "a", "b", "b"))
  expect_snapshot(error = TRUE, {
    train_parsnip(x, c(1, 0, 0, 2))
    train_parsnip(x, y, ranker = linear_ranker())
    train_parsnip(x, y, ranker = 3)
    train_parsnip(x, y, leafs = 3)
    train_parsnip(x, y, model = "mars")
    train_parsnip(x)
    train_parsnip(mean, y)
    train_parsnip(x, y, mtry = 0)
  })
  model <- train_parsnip(x, y, model = "linear_reg", penalty = 1)
  data <- ranking_data(x, relevance = as.double(y), query = c(1, 1, 2, 2))
  expect_identical(predict(model, x), predict(fit(linear_ranker(penalty = 1), data), x))
})

test_that("the engine is registered once, whichever package is loaded first", {
  skip_if_not_installed("callr")
  tidy_function("boost_tree")
  for (order in list(c("rankmix", "parsnip"), c("parsnip", "rankmix"))) {
    found <- callr::r(function(order) {
      for (package in order) loadNamespace(package)
      asNamespace("rankmix")$register_engine()
      engines <- asNamespace("parsnip")$show_engines("boost_tree")
      as.character(engines$mode[engines$engine == "rankmix"])
    }, list(order), libpath = .libPaths())
    expect_identical(found, "regression")
  }
})
