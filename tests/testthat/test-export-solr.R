skip_if_not_installed("jsonlite")

read_solr <- function(model, ...) jsonlite::parse_json(written(model, "solr", ...))

# Solr's rules: all values are floats. Values up to the threshold plus the slack go to the left.
score_solr <- function(json, x, features) {
  names <- vapply(json$features, `[[`, "", "name")
  stopifnot(isFALSE(json$params$isNullSameAsZero))
  x[] <- f32(x)
  rowSums(vapply(json$params$trees, function(tree) {
    stopifnot(is.character(tree$weight), as.numeric(tree$weight) == 1)
    walk_tree(tree$root, x, function(node, x, rows) {
      if (!is.null(node$value)) {
        return(NULL)
      }
      stopifnot(node$feature %in% names)
      v <- x[rows, match(node$feature, features)]
      sees <- f32(f32(as.numeric(node$threshold)) + f32(1e-6))
      list(node$left, node$right, first = ifelse(is.na(v), node$missing == "left", v <= sees))
    }, function(node) as.numeric(node$value))
  }, numeric(nrow(x))))
}

test_that("a reader of the rules of Solr gives the same scores for floats", {
  models <- export_trees()
  for (name in names(models)) {
    model <- models[[name]]
    x <- edge_features(model)
    json <- read_solr(model, name = "my \"model\"")
    expect_identical(json$class, "org.apache.solr.ltr.model.MultipleAdditiveTreesModel")
    expect_identical(json$name, "my \"model\"")
    expect_equal(score_solr(json, x, model$features), linear_score(model, x), tolerance = 1e-12,
                 label = name)
  }
})

# The floats around x, in steps of its last place.
floats_around <- function(x, steps = 40) {
  size <- max(abs(x), 2^-126)
  f32(x + (-steps:steps) * 2^(floor(log2(size)) - 24))
}

test_that("a float balances Solr's slack if there is such a float, else there is a warning", {
  x <- withr::with_seed(3, c(rnorm(150), rnorm(150) * 1e-3, rnorm(150) * 1e-6, 0, 1e-6, -1e-6))
  wanted <- f32(x)
  found <- vapply(wanted, function(float) {
    t <- suppressWarnings(rankmix:::solr_thresholds(float),
                          classes = "rankmix_warning_threshold")
    f32(t + f32(1e-6)) == float
  }, NA)
  possible <- vapply(wanted, function(float) {
    any(f32(floats_around(float - f32(1e-6)) + f32(1e-6)) == float)
  }, NA)
  expect_identical(found, possible)
  expect_gt(sum(!possible), 50)
  expect_silent(t <- rankmix:::solr_thresholds(wanted[possible]))
  expect_true(all(f32(t) == t))
  expect_warning(t <- rankmix:::solr_thresholds(wanted), class = "rankmix_warning_threshold")
  expect_lt(max(abs(f32(t + f32(1e-6)) - wanted) / pmax(abs(wanted), 1e-6)), 2^-23)
  expect_snapshot(invisible(rankmix:::solr_thresholds(c(1e-9 / 3, 1))))
})

test_that("a reader of Solr's linear models ranks the same", {
  models <- export_sums()
  x <- export_data()$x
  zeros <- replace(x, is.na(x), 0)
  for (name in names(models)) {
    lines <- written(models[[name]], "solr")
    json <- jsonlite::parse_json(lines)
    expect_identical(json$class, "org.apache.solr.ltr.model.LinearModel")
    used <- vapply(json$features, `[[`, "", "name")
    expect_setequal(names(json$params$weights), used)
    weights <- vapply(json$params$weights, as.numeric, 0)[used]
    scores <- as.vector(zeros[, match(used, models[[name]]$features), drop = FALSE] %*% weights)
    expected <- linear_score(models[[name]], x)
    expect_equal(scores - scores[1L], expected - expected[1L], tolerance = 1e-12, label = name)
    # Solr would not read a number without a point as a Double.
    numbers <- unlist(strsplit(sub(".*\"weights\":", "", lines), "[:,}]"))
    expect_true(all(grepl("[.e]", grep("^-?[0-9]", numbers, value = TRUE))))
  }
})

score_layers <- function(layers, x) {
  for (layer in layers) {
    weights <- do.call(rbind, lapply(layer$matrix, unlist))
    x <- x %*% t(weights) + rep(unlist(layer$bias), each = nrow(x))
    x <- switch(layer$activation, identity = x, relu = pmax(x, 0), tanh = tanh(x),
                sigmoid = 1 / (1 + exp(-x)))
  }
  x[, 1L]
}

test_that("a reader of Solr's networks gives the same scores", {
  data <- export_data()
  zeros <- replace(data$x, is.na(data$x), 0)
  for (activation in c("relu", "tanh", "logistic")) {
    model <- fit(network_ranker(hidden = c(5, 3), epochs = 4, learning_rate = 0.05, activation = activation,
                         missing = "zero"), data, seed = 1, verbose = FALSE)
    json <- read_solr(model)
    expect_identical(json$class, "org.apache.solr.ltr.model.NeuralNetworkModel")
    expect_length(json$params$layers, 3L)
    expect_equal(score_layers(json$params$layers, zeros), predict(model, data), tolerance = 1e-5)
  }
})
