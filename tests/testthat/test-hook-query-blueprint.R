blueprint_frame <- function(env = parent.frame()) {
  withr::local_envvar(TZ = "UTC", .local_envir = env)  # a package asks the system for the time zone
  frame <- as.data.frame(random_data(queries = 12, features = 2, seed = 4))
  frame$query <- paste0("q", frame$query)
  frame
}

query_recipe <- function(frame) {
  made <- from_package("recipes", "recipe")(relevance ~ ., data = frame)
  from_package("recipes", "update_role")(made, "query", new_role = "query")
}

test_that("the outcome carries the queries in training and for new data", {
  frame <- blueprint_frame()
  mold <- from_package("hardhat", "mold")
  forge <- from_package("hardhat", "forge")
  molded <- mold(query_recipe(frame), frame, blueprint = query_blueprint())
  expect_identical(molded$outcomes$relevance, query_truth(frame$relevance, frame$query))
  expect_named(molded$predictors, c("x1", "x2"))
  # Queries that are not in the training data are kept. Predictors need no query.
  new <- transform(frame[9:4, ], query = paste0("new", 6:1))
  forged <- forge(new, molded$blueprint, outcomes = TRUE)
  expect_identical(forged$outcomes$relevance, query_truth(new$relevance, new$query))
  plain <- forge(new[c("x2", "x1")], molded$blueprint)
  expect_identical(plain$predictors, forged$predictors)
  expect_null(plain$outcomes)
  refreshed <- from_package("hardhat", "refresh_blueprint")(molded$blueprint)
  expect_s3_class(refreshed, class(molded$blueprint), exact = TRUE)
})

test_that("steps, several query variables and options of the blueprint are used", {
  frame <- blueprint_frame()
  frame$site <- factor(rep(c("a", "b"), length.out = nrow(frame)))
  mold <- from_package("hardhat", "mold")
  made <- from_package("recipes", "update_role")(query_recipe(frame), "site", new_role = "query")
  made <- from_package("recipes", "step_normalize")(made, "x1")
  made <- from_package("recipes", "step_filter")(made, x2 > 0, skip = TRUE)
  molded <- mold(made, frame, blueprint = query_blueprint(intercept = TRUE))
  kept <- frame$x2 > 0
  expect_identical(molded$outcomes$relevance,
                   query_truth(frame$relevance[kept], list(frame$query[kept], frame$site[kept])))
  expect_equal(molded$predictors$x1, as.vector(scale(frame$x1))[kept])
  expect_true("(Intercept)" %in% names(molded$predictors))
  required <- from_package("recipes", "update_role_requirements")(query_recipe(frame), "query", bake = TRUE)
  molded <- mold(required, frame, blueprint = query_blueprint())
  expect_error(from_package("hardhat", "forge")(frame[c("x1", "x2", "site")], molded$blueprint), "query")
})

test_that("a recipe without queries is reported", {
  frame <- blueprint_frame()
  mold <- from_package("hardhat", "mold")
  recipe <- from_package("recipes", "recipe")
  molded <- mold(query_recipe(frame), frame, blueprint = query_blueprint())
  two <- from_package("recipes", "update_role")(query_recipe(frame), "x1", new_role = "outcome")
  filtered <- from_package("recipes", "step_filter")(query_recipe(frame), x2 > 0, skip = FALSE)
  filtered <- mold(filtered, frame, blueprint = query_blueprint())
  expect_snapshot(error = TRUE, {
    mold(recipe(relevance ~ ., frame), frame, blueprint = query_blueprint())
    mold(two, frame, blueprint = query_blueprint())
    from_package("hardhat", "forge")(frame[c("x1", "x2", "relevance")], molded$blueprint, outcomes = TRUE)
    from_package("hardhat", "forge")(frame, filtered$blueprint, outcomes = TRUE)
  })
})

test_that("queries stay with their rows if a step moves rows", {
  withr::local_envvar(TZ = "UTC")  # a package asks the system for the time zone
  train <- data.frame(g = c(0, 1, 0, 1), s = 4:1, q = c("a", "a", "b", "b"))
  new <- data.frame(g = c(0, 1, 2, 3), s = c(4L, 1L, 3L, 2L), q = c("c", "d", "c", "d"))
  recipe <- from_package("recipes", "recipe")(g ~ ., train)
  recipe <- from_package("recipes", "update_role")(recipe, "q", new_role = "query")
  recipe <- from_package("recipes", "step_arrange")(recipe, s)
  molded <- from_package("hardhat", "mold")(recipe, train, blueprint = query_blueprint())
  expect_identical(format(molded$outcomes$g), c("1 <b>", "0 <b>", "1 <a>", "0 <a>"))
  forged <- from_package("hardhat", "forge")(new, molded$blueprint, outcomes = TRUE)
  expect_identical(format(forged$outcomes$g), c("1 <d>", "3 <d>", "2 <c>", "0 <c>"))
})
