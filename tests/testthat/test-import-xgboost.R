skip_if_not_installed("jsonlite")

test_that("scores agree with XGBoost, except for its sums of floats", {
  data <- imported_data()
  scores <- imported_table("scores.csv")
  for (name in c("ndcg", "logistic", "dart")) {
    model <- read_model(imported_file(sprintf("xgboost-%s.json", name)))
    expect_equal(predict(model, data), scores[[name]], tolerance = 3e-7, label = name)
    # XGBoost sums floats in this order. Here the weights of dart are multiplied in doubles.
    if (name != "dart") {
      sum <- rep(model$start, nrow(data$x))
      for (t in 1:6) sum <- f32(sum + tree_values(model, data$x, t))
      expect_identical(sum, f32(scores[[name]]), label = name)
    }
  }
})

test_that("doubles go where XGBoost sends the float to which it rounds them", {
  x <- withr::with_seed(3, c(rnorm(200), rexp(50) * 1e-40, -rexp(50) * 1e38, 2^(-20:20), -2^(-20:20)))
  threshold <- unique(c(f32(x), 0, 2^-149, -2^-149, 2^-126, -2^-126, largest_float, -largest_float, 1, -1))
  threshold <- threshold[is.finite(threshold)]
  found <- below_float(threshold)
  double_above <- function(x) -previous_double(-x)
  for (shift in list(identity, previous_double, double_above, function(x) f32(x))) {
    for (near in list(found, threshold, next_float(threshold, -1), next_float(threshold, 1))) {
      value <- shift(near)
      value <- value[value != 0]
      at <- threshold[shift(near) != 0]
      # Above the largest float, rounding to a float gives infinite values.
      expect_identical(value <= below_float(at), f32(value) < at)
    }
  }
  # This is the largest such double: the next double goes right.
  expect_true(all(f32(found) < threshold))
  expect_false(any(f32(double_above(found)) < threshold))
  expect_identical(float_above(found), threshold)
})

test_that("written models are read with the same decisions and float leaves", {
  for (model in export_trees()) {
    x <- in_floats(rbind(export_data()$x, edge_features(model)))
    file <- withr::local_tempfile()
    suppressMessages(write_model(model, file, "xgboost"), classes = "rankmix_message_export")
    read <- read_model(file)
    expect_equal(predict(read, x), linear_score(model, x), tolerance = 1e-6)
    again <- withr::local_tempfile()
    write_model(read, again, "xgboost")
    expect_identical(read_model(again)[c("forest", "start")], read[c("forest", "start")])
    expect_identical(predict(read_model(again), x), predict(read, x))
  }
})

test_that("the constant of the sums follows the objective", {
  expect_identical(xgboost_margin("rank:ndcg", "5E-1"), 0.5)
  expect_identical(xgboost_margin("rank:ndcg", "[5E-1]"), 0.5)
  expect_identical(xgboost_margin("binary:logistic", "5E-1"), 0)
  expect_identical(xgboost_margin("binary:logitraw", "-2.5E-1"), -0.25)
  # Labels that are all equal: XGBoost 3.2 computes logits of 1e-6 and 1 - 1e-6.
  expect_equal(xgboost_margin("binary:logistic", "[0E0]"), stats::qlogis(1e-6), tolerance = 1e-7)
  expect_equal(xgboost_margin("binary:logistic", "[1E0]"), stats::qlogis(1 - 1e-6), tolerance = 0.01)
  expect_equal(xgboost_margin("reg:logistic", "2E-1"), log(0.2 / 0.8), tolerance = 1e-7)
  expect_equal(xgboost_margin("count:poisson", "2"), log(2), tolerance = 1e-7)
  for (case in list(list("multi:softmax", "5E-1"), list("binary:logistic", "1.5"), list("rank:ndcg", "[1,2]"),
                    list("count:poisson", "0"), list("rank:ndcg", NULL), list("rank:ndcg", list()))) {
    known <- case[[1L]] %in% unlist(xgboost_margins)
    problem <- if (known) "`base_score` (cannot be|is no number)" else "objective \"multi:softmax\" is not known"
    expect_error(xgboost_margin(case[[1L]], case[[2L]]), problem)
  }
})

test_that("deleted nodes are left out, and features may have no names", {
  json <- jsonlite::read_json(imported_file("xgboost-ndcg.json"))
  wanted <- read_model(imported_file("xgboost-ndcg.json"))
  json$learner$feature_names <- list()
  tree <- json$learner$gradient_booster$model$trees[[1L]]
  # A leaf and a deleted node without a parent.
  count <- length(tree$left_children)
  extra <- list(left_children = c(-1, count), right_children = c(-1, count), split_indices = c(0, 2147483647),
                split_conditions = c(9, 9), default_left = c(0, 0), split_type = c(0, 0), sum_hessian = c(0, 0),
                loss_changes = c(0, 0), base_weights = c(0, 0), parents = c(0, 0))
  for (field in names(extra)) tree[[field]] <- c(tree[[field]], as.list(extra[[field]]))
  json$learner$gradient_booster$model$trees[[1L]] <- tree
  file <- withr::local_tempfile()
  writeLines(jsonlite::toJSON(json, auto_unbox = TRUE, digits = NA), file)
  model <- read_model(file)
  expect_identical(model$forest, wanted$forest)
  expect_false(model$named)
  expect_identical(predict(model, unname(imported_data()$x)), predict(wanted, imported_data()))
})

test_that("broken files and models that are not rankers are refused with their place", {
  json <- jsonlite::read_json(imported_file("xgboost-ndcg.json"))
  file <- withr::local_tempfile(fileext = ".json")
  reason <- function(path, value) {
    json[[path]] <- value
    writeLines(jsonlite::toJSON(json, auto_unbox = TRUE, digits = NA), file)
    conditionMessage(expect_error(read_model(file, "xgboost"), class = "rankmix_error_model_file"))
  }
  parameter <- function(name) c("learner", "learner_model_param", name)
  booster <- c("learner", "gradient_booster")
  tree <- function(field, at = NULL) {
    # Indices begin at 0 in the file and at 1 in R.
    c(match("learner", names(json)), match("gradient_booster", names(json$learner)),
      match("model", names(json$learner$gradient_booster)),
      match("trees", names(json$learner$gradient_booster$model)), 2L,
      match(field, names(json$learner$gradient_booster$model$trees[[2L]])), at)
  }
  expect_match(reason(parameter("num_class"), "3"), "several classes")
  expect_match(reason(parameter("num_target"), "2"), "several classes")
  expect_match(reason(parameter("num_feature"), "2"), "Tree [01]: `split_indices` has a number that cannot be")
  expect_match(reason(parameter("base_score"), "x"), "`base_score` is no number")
  expect_match(reason(c("learner", "objective", "name"), "multi:softmax"), "multi:softmax")
  expect_match(reason(c(booster, "name"), "gblinear"), "not made of trees")
  expect_match(reason(c(booster, "model", "trees"), list()), "tree_info")
  expect_match(reason(c("learner", "feature_names"), list("a")), "`feature_names`")
  expect_match(reason(tree("left_children"), list(-1)), "Tree 1: `right_children` has another length")
  expect_match(reason(tree("left_children", 1L), 99), "Tree 1 has children that there are not")
  expect_match(reason(tree("left_children", 1L), 0), "Tree 1 goes round in a circle")
  expect_match(reason(tree("right_children", 1L), -1), "Tree 1 has children that there are not")
  expect_match(reason(tree("split_conditions", 1L), "NaN"), "Tree 1: `split_conditions` has a number that cannot be")
  expect_match(reason(tree("split_conditions", 1L), 1e39), "Tree 1: `split_conditions` has a number that cannot be")
  expect_match(reason(tree("split_indices", 1L), 5), "Tree 1: `split_indices` has a number that cannot be")
  expect_match(reason(tree("default_left", 1L), 2), "Tree 1: `default_left` has a number that cannot be")
  expect_match(reason(tree("split_type", 1L), 1), "Tree 1 splits a categorical feature")
  expect_match(reason("learner", 1), "The file has no object `learner`")
})

test_that("numbers that are not JSON are read, as XGBoost writes them", {
  text <- paste(readLines(imported_file("xgboost-ndcg.json"), warn = FALSE), collapse = "\n")
  file <- withr::local_tempfile(fileext = ".json")
  changed <- function(field, value) {
    # The first number of the array in the first tree.
    made <- sub(sprintf("(\"%s\":\\[)[^],]+", field), paste0("\\1", value), text)
    expect_false(identical(made, text))
    made
  }
  wanted <- read_model(imported_file("xgboost-ndcg.json"))
  for (value in c("NaN", "Infinity", "-Infinity")) {
    writeLines(changed("loss_changes", value), file)
    expect_identical(predict(read_model(file), imported_data()), predict(wanted, imported_data()))
  }
  writeLines(sub("\"split_type\":\\[0", "\"split_type\":[1", changed("split_conditions", "NaN")), file)
  expect_error(read_model(file), "Tree 0 splits a categorical feature", class = "rankmix_error_model_file")
  names <- c("a", "NaN", "x,NaN,-Infinity]", "q\": NaN, \\\"", "NaNa")
  expect_identical(unlist(jsonlite::parse_json(quoted_numbers(json_array(json_string(names))))), names)
  expect_identical(quoted_numbers("[NaN,-Infinity,Infinity,1]"), "[\"NaN\",\"-Inf\",\"Inf\",1]")
})

test_that("a root that is a leaf has no other nodes", {
  node <- function(left, right) {
    # jsonlite returns lists.
    lapply(list(left_children = left, right_children = right, split_indices = c(0, 0, 0, 0),
                split_conditions = c(5, 1, 2, 3), default_left = c(0, 0, 0, 0)), as.list)
  }
  alone <- lapply(node(-1, -1), `[`, 1L)
  expect_identical(tree_of_xgboost(alone, 1, "Tree 0")$values, 5)
  apart <- node(c(-1, 2, -1, -1), c(-1, 3, -1, -1))
  expect_error(tree_of_xgboost(apart, 1, "Tree 0"), "Tree 0 has nodes that nothing leads to", fixed = TRUE)
})

test_that("a split of missing and present values is read back", {
  x <- cbind(a = c(NA, 1, 2, 3, NA, 5, 6, 7))
  model <- fit(gbrt(trees = 1, num_leaves = 2, min_data_in_leaf = 1),
               ranking_data(x, c(1, 0, 0, 0, 1, 0, 0, 0), rep(1:2, each = 4)), threads = 1)
  file <- withr::local_tempfile(fileext = ".json")
  write_model(model, file, "xgboost")
  # The largest float has more than its digits in decimals.
  expect_match(readLines(file), "3.40282347e+38", fixed = TRUE, all = FALSE)
  expect_equal(predict(read_model(file), x), predict(model, x), tolerance = 1e-7)
})
