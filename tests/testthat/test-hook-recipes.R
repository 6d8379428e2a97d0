recipe_frame <- function() {
  data <- random_data(queries = 12, features = 2, seed = 4)
  frame <- as.data.frame(data)
  frame$site <- paste0("s", frame$query %% 3)
  frame$note <- "x"
  frame
}

# A stand-in for recipes, by its documentation: summary() returns roles, and bake() returns columns.
recipes_stand_in <- list(
  summary.recipe = function(object, ...) object$roles,
  bake = function(object, new_data) if (is.null(new_data)) object$template else new_data
)

test_that("roles mark queries, grades and features", {
  withr::local_envvar(FRAME = tempfile())
  frame <- recipe_frame()
  saveRDS(frame, Sys.getenv("FRAME"))
  found <- with_stand_in("recipes", recipes_stand_in, function() {
    options(cli.unicode = FALSE)
    frame <- readRDS(Sys.getenv("FRAME"))
    roles <- c(query = "query", site = "query", relevance = "outcome", x1 = "predictor",
               x2 = "predictor", note = "remark")
    recipe <- structure(list(roles = data.frame(variable = names(roles), role = unname(roles)),
                             last_term_info = TRUE, template = frame), class = "recipe")
    data <- rankmix::ranking_data(recipe)
    rankmix::fit(rankmix::linear_ranker(penalty = 1), data)
    new <- rankmix::ranking_data(recipe, new_data = frame[c("query", "site", "x1", "x2")])
    error_of <- function(change) {
      tryCatch(rankmix::ranking_data(change(recipe)), error = function(e) e)
    }
    two <- rankmix::ranking_data(recipe, new_data = frame[1:2, ])
    list(data = data, new = new, two = two, errors = list(
      untrained = error_of(function(recipe) structure(recipe["roles"], class = "recipe")),
      no_query = error_of(function(recipe) {
        recipe$roles <- recipe$roles[-(1:2), ]
        recipe
      }),
      two_outcomes = error_of(function(recipe) {
        recipe$roles$role[4] <- "outcome"
        recipe
      })
    ))
  })
  expect_identical(found$data$features, c("x1", "x2"))
  plain <- ranking_data(frame[names(frame) != "note"], relevance = relevance,
                        query = c(query, site))
  for (part in c("x", "relevance", "query", "query_ids")) {
    expect_identical(found$data[[part]], plain[[part]])
  }
  expect_identical(found$two$query_ids, plain$query_ids[plain$query[1:2]])
  expect_null(found$new$relevance)
  expect_identical(found$new$x, found$data$x)
  for (error in found$errors) {
    expect_s3_class(error, "rankmix_error_recipe")
    expect_snapshot_error(stop(error), class = "rankmix_error_recipe")
  }
})

test_that("new ids that are text are those of the new data", {
  baked <- data.frame(q = factor(c("a", NA), "a"), day = factor(c("x", "y")), a = 1:2)
  new <- data.frame(q = c("a", "b"), day = c("x", "changed"), a = 3:4)
  found <- ids_as_given(baked, new, c("q", "day", "a"))
  expect_identical(found$q, c("a", "b"))
  # ids_as_given() does not change columns that a step has changed, or columns that are not text.
  expect_identical(found$day, baked$day)
  expect_identical(found$a, 1:2)
  expect_identical(ids_as_given(baked, NULL, "q"), baked)
})

test_that("a recipe of the package is baked", {
  withr::local_envvar(TZ = "UTC")  # a package asks the system for the time zone
  recipe <- from_package("recipes", "recipe")
  update_role <- from_package("recipes", "update_role")
  frame <- recipe_frame()
  made <- recipe(relevance ~ ., data = frame)
  made <- update_role(made, "query", new_role = "query")
  made <- update_role(made, "site", "note", new_role = "remark")
  made <- from_package("recipes", "step_normalize")(made, "x1")
  expect_error(ranking_data(made), class = "rankmix_error_recipe")
  made <- from_package("recipes", "prep")(made)
  data <- ranking_data(made)
  expect_identical(data$features, c("x1", "x2"))
  expect_equal(unname(data$x[, 1]), as.vector(scale(frame$x1)))
  expect_identical(data$relevance, as.integer(frame$relevance))
  expect_identical(data$query, match(frame$query, unique(frame$query)))
  model <- fit(linear_ranker(penalty = 1), data)
  new <- ranking_data(made, new_data = frame[5:1, setdiff(names(frame), "relevance")])
  expect_null(new$relevance)
  expect_equal(predict(model, new), predict(model, data)[5:1])
  # predict() also supports the result of bake(), without columns that the model does not know.
  baked <- from_package("recipes", "bake")(made, frame)
  expect_equal(predict(model, baked[setdiff(names(baked), c("site", "note"))]),
               predict(model, data))
})
