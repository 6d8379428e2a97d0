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

test_that("ids stay with their rows if steps of a recipe move or remove rows", {
  withr::local_envvar(TZ = "UTC")  # a package asks the system for the time zone
  functions <- lapply(stats::setNames(nm = c("recipe", "update_role", "step_arrange", "step_filter", "prep")),
                      function(name) from_package("recipes", name))
  train <- data.frame(g = c(0, 1, 0, 1), s = 4:1, q = c("a", "a", "b", "b"), d = letters[1:4])
  new <- data.frame(g = c(0, 1, 0, 1), s = c(4, 1, 3, 2), q = c("c", "d", "c", "d"), d = c("w", "x", "y", "z"))
  for (as_ids in list(identity, factor)) {
    train[c("q", "d")] <- lapply(train[c("q", "d")], as_ids)
    new[c("q", "d")] <- lapply(new[c("q", "d")], as_ids)
    recipe <- functions$recipe(g ~ ., train)
    recipe <- functions$update_role(recipe, "q", new_role = "query")
    recipe <- functions$update_role(recipe, "d", new_role = "document")
    moved <- ranking_data(functions$prep(functions$step_arrange(recipe, s)), new_data = new)
    expect_identical(as.character(moved$query_ids)[moved$query], c("d", "d", "c", "c"))
    expect_identical(as.character(moved$document), c("x", "z", "y", "w"))
    expect_identical(as.vector(moved$x), c(1, 2, 3, 4))
    fewer <- ranking_data(functions$prep(functions$step_filter(recipe, s > 1, skip = FALSE)), new_data = new)
    expect_identical(as.character(fewer$query_ids)[fewer$query], c("c", "c", "d"))
  }
})
