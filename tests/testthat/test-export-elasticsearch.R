skip_if_not_installed("jsonlite")

read_plugin <- function(model, type, ...) {
  json <- jsonlite::parse_json(written(model, "elasticsearch", ...))
  expect_identical(json$model$model$type, type)
  expect_type(json$model$model$definition, "character")
  jsonlite::parse_json(json$model$model$definition)
}

# Reference for the plugin's rules. All values are floats. Values below the threshold go to the first child. The parser
# refuses other keys.
score_plugin <- function(trees, x, features) {
  x[] <- f32(x)
  inner <- c("nodeid", "depth", "split", "split_condition", "yes", "no", "missing", "children")
  rowSums(vapply(trees, walk_tree, numeric(nrow(x)), x = x, children = function(node, x, rows) {
    if (!is.null(node$leaf)) {
      stopifnot(setequal(names(node), c("nodeid", "leaf")))
      return(NULL)
    }
    stopifnot(setequal(names(node), inner), node$split %in% features, length(node$children) == 2L,
              node$yes == node$children[[1L]]$nodeid, node$no == node$children[[2L]]$nodeid,
              node$missing %in% c(node$yes, node$no))
    v <- x[rows, match(node$split, features)]
    list(node$children[[1L]], node$children[[2L]],
         first = ifelse(is.na(v), node$missing == node$yes, f32(node$split_condition) > v))
  }, value = function(node) node$leaf))
}

nodes_of <- function(node, depth = 0L) {
  if (is.null(node$leaf)) stopifnot(node$depth == depth)
  c(node$nodeid, unlist(lapply(node$children, nodes_of, depth + 1L)))
}

test_that("a reader of the rules of the plugin gives the same scores for floats", {
  models <- export_trees()
  for (name in names(models)) {
    model <- models[[name]]
    x <- edge_features(model)
    trees <- read_plugin(model, "model/xgboost+json")
    expect_false(any(vapply(trees, function(tree) anyDuplicated(nodes_of(tree)) > 0L, NA)))
    expect_equal(score_plugin(trees, x, model$features), linear_score(model, x),
                 tolerance = 1e-12, label = name)
  }
})

test_that("a reader of the plugin's linear models ranks the same", {
  models <- export_sums()
  x <- export_data()$x
  zeros <- replace(x, is.na(x), 0)
  for (name in names(models)) {
    weights <- unlist(read_plugin(models[[name]], "model/linear"))
    at <- match(names(weights), models[[name]]$features)
    scores <- as.vector(zeros[, at, drop = FALSE] %*% weights)
    expected <- linear_score(models[[name]], x)
    expect_equal(scores - scores[1L], expected - expected[1L], tolerance = 1e-12, label = name)
  }
})

test_that("the version of an engine decides how it treats missing values", {
  data <- export_data()
  trees <- fit(gbrt(6, num_leaves = 4, min_data_in_leaf = 1), data, seed = 1, verbose = FALSE)
  forest <- trees$forest
  # Some nodes send missing values to the left, and some send them to the right.
  expect_setequal(unique(forest$missing_left), c(0L, 1L))
  file <- withr::local_tempfile()
  write <- function(engine, ...) write_model(trees, file, "elasticsearch", engine = engine, ...)
  for (engine in c("elasticsearch", "opensearch", "elasticsearch 8.11.4", "Elasticsearch 9.0",
                   "opensearch 3.8", "OpenSearch-3.10")) {
    expect_no_warning(write(engine))
  }
  for (engine in c("elasticsearch 8.11.3", "elasticsearch 7.10", "opensearch 2.19",
                   "opensearch 3.1", "opensearch 3.2", "opensearch 3.7.9")) {
    expect_error(write(engine), class = "rankmix_error_missing")
    expect_no_warning(write(engine, missing = "zero"))
  }
  expect_snapshot(error = TRUE, {
    write("opensearch 2.19")
    write("opensearch 3.5")
    write("solr 9")
    write("opensearch x")
    write_model(trees, file, "solr", engine = "opensearch")
  })
  expect_snapshot(write(NULL))
})

test_that("a model is written for an engine whose rule changes no score", {
  # OpenSearch 3.2 to 3.7 send missing values to the right. All nodes do so here. All thresholds are below 0, so 0 goes
  # to the right, too.
  data <- ranking_data(cbind(a = rep(-(1:8), 5)), relevance = rep(c(2, 2, 1, 1, 0, 0, 0, 0), 5),
                       query = rep(1:5, each = 8))
  trees <- fit(gbrt(3, num_leaves = 4, min_data_in_leaf = 1), data, seed = 1, verbose = FALSE)
  trees$forest$missing_left[] <- 0L
  file <- withr::local_tempfile()
  expect_true(all(trees$forest$threshold < 0))
  for (engine in list(NULL, "opensearch 2.19", "opensearch 3.5", "elasticsearch 7.10")) {
    expect_no_warning(write_model(trees, file, "elasticsearch", engine = engine))
  }
})
