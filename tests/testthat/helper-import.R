# The data of the models in fixtures/imported, see data-raw/imported-models.R: missing values, and zeros.
imported_data <- function() {
  data <- simulate_ranking(30, features = 5, seed = 8)$data
  x <- data$x
  x[seq(1, length(x), by = 13)] <- NA
  x[seq(3, length(x), by = 7)] <- 0
  colnames(x) <- paste0("f", 1:5)
  ranking_data(x, data$relevance, data$query)
}

imported_file <- function(name) testthat::test_path("fixtures", "imported", name)

imported_table <- function(name) utils::read.csv(imported_file(name))

# Replaces each value by the nearest float.
in_floats <- function(x) {
  x[] <- f32(x)
  x
}

# The values of the leaves that the rows reach in tree t.
tree_values <- function(model, x, t) {
  nodes <- length(model$forest$feature)
  # Products of trees have no document counts.
  model$forest$gain <- numeric(nodes)
  model$forest$node_documents <- integer(nodes)
  model$forest$leaf_documents <- integer(nodes + length(model$forest$node_begin) - 1L)
  forest_predict(some_rounds(model$forest, t - 1L, t), 1, x, 1L, 1L)[, 1L, 1L]
}

# Debian's package python3-xgboost.
system_python <- "/usr/bin/python3"

has_xgboost <- function() {
  file.exists(system_python) &&
    suppressWarnings(system2(system_python, c("-c", shQuote("import xgboost, numpy")), FALSE, FALSE)) == 0L
}

# The scores of a model file by XGBoost, which are floats.
predict_by_xgboost <- function(file, x) {
  data <- withr::local_tempfile()
  out <- withr::local_tempfile()
  writeBin(as.double(x), data)
  code <- c(
    "import sys, numpy as np, xgboost as xgb",
    "x = np.fromfile(sys.argv[2]).reshape((-1, int(sys.argv[4])), order='F')",
    "model = xgb.Booster(model_file=sys.argv[1])",
    "model.set_param({'nthread': 1})",
    "score = model.predict(xgb.DMatrix(x, feature_names=model.feature_names))",
    "score.astype(np.float64).tofile(sys.argv[3])"
  )
  status <- system2(system_python, c("-c", shQuote(paste(code, collapse = "\n")), file, data, out, ncol(x)))
  stopifnot(status == 0L)
  readBin(out, "double", nrow(x))
}
