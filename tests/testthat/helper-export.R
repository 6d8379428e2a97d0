# Models for the formats of other programs, features near the thresholds of these models, and helpers that
# readers of these formats share.

export_data <- function(missing = TRUE, digits = NULL) {
  data <- simulate_ranking(40, features = 6, seed = 4)$data
  x <- if (is.null(digits)) data$x else round(data$x, digits)
  if (missing) x[seq(1, length(x), by = 11)] <- NA
  ranking_data(x, data$relevance, data$query)
}

# Models of every kind that consists of trees, with and without missing values.
export_trees <- function() {
  data <- export_data()
  coarse <- export_data(FALSE, 0)
  list(
    gbrt = fit(gbrt(15, num_leaves = 6, min_data_in_leaf = 5), data, seed = 1, verbose = FALSE),
    rankboost = fit(rankboost(20), data, seed = 1, verbose = FALSE),
    coarse = fit(gbrt(10, num_leaves = 5, min_data_in_leaf = 5), coarse, seed = 1, verbose = FALSE),
    trees = fit(adaboost_mh(base_tree(4), rounds = 6), data, seed = 1, verbose = FALSE),
    stumps = fit(adaboost_mh(base_stump(), rounds = 8, grouping = "binary"), data, seed = 1,
                 verbose = FALSE),
    product = fit(adaboost_mh(base_product(3), rounds = 5), data, seed = 1, verbose = FALSE)
  )
}

export_sums <- function(missing = "zero") {
  data <- export_data()
  train <- function(spec) fit(spec, data, seed = 1, verbose = FALSE)
  list(
    linear = train(linear_ranker(penalty = 0.1, missing = missing)),
    listnet = train(linear_ranker(loss_softmax(), penalty = 0.1, missing = missing)),
    ranksvm = train(ranksvm(0.1, missing = missing)),
    ascent = train(coordinate_ascent(restarts = 1, iterations = 2, missing = missing)),
    adarank = train(adarank(rounds = 5, repeats = 1, missing = missing)),
    mcsvm = train(mcsvm(0.1, missing = missing)),
    smoothrank = train(smoothrank(start = linear_ranker(penalty = 0.1), schedule = c(8, 1),
                                  penalty = 0.1, missing = missing))
  )
}

# The score that an exported classifier computes: the linear score of its discriminants.
linear_score <- function(model, x) {
  if (!inherits(model, "rankmix_classifier")) {
    return(predict(model, x))
  }
  f <- predict(model, x, type = "raw")
  as.vector(f %*% (2^(seq_len(ncol(f)) - 1) - 1))
}

# The nearest float, by the conversion of C and not by the package.
f32 <- function(x) readBin(writeBin(as.double(x), raw(), size = 4L), "double", length(x), size = 4L)

# Features with values at and next to all thresholds of the model, 0, and missing values, as floats.
edge_features <- function(model, rows = 400) {
  withr::with_seed(7, vapply(seq_along(model$features), function(j) {
    thresholds <- model$forest$threshold[model$forest$feature == j - 1L]
    near <- f32(c(thresholds[is.finite(thresholds)], 0.5))
    step <- pmax(abs(near) * 2^-23, 2^-149)
    values <- f32(c(near, near - step, near + step, near - 3 * step, near + 3 * step, 0, NA))
    sample(values, rows, replace = TRUE)
  }, numeric(rows)))
}

# The value of a tree for each row of x. `children(node, x, rows)` returns NULL for a leaf, else the two nodes
# and which rows go to the first one. `value(node)` returns the value of a leaf.
walk_tree <- function(node, x, children, value, rows = seq_len(nrow(x))) {
  scores <- numeric(nrow(x))
  visit <- function(node, rows) {
    split <- children(node, x, rows)
    if (is.null(split)) {
      scores[rows] <<- value(node)
    } else {
      stopifnot(!anyNA(split$first))
      visit(split[[1L]], rows[split$first])
      visit(split[[2L]], rows[!split$first])
    }
  }
  visit(node, rows)
  scores
}

written <- function(model, format, ...,
                    engine = if (format == "elasticsearch") "elasticsearch 9.0") {
  file <- withr::local_tempfile()
  suppressMessages(write_model(model, file, format, ..., engine = engine),
                   classes = "rankmix_message_export")
  readLines(file, encoding = "UTF-8")
}

# The predictions of a model of each type.
all_predictions <- function(model, newdata, ...) {
  methods <- lapply(class(model), function(class) {
    utils::getS3method("predict", class, optional = TRUE, envir = asNamespace("rankmix"))
  })
  types <- eval(formals(Find(is.function, methods))$type)
  lapply(stats::setNames(nm = types), function(type) {
    tryCatch(predict(model, newdata, type = type, ...),
             rankmix_error = function(e) conditionMessage(e))
  })
}

written_and_read <- function(model) {
  file <- withr::local_tempfile()
  write_model(model, file)
  read_model(file)
}

# Models of every kind that JSON supports, except mixtures.
small_models <- function() {
  data <- export_data()
  others <- list(best_feature = best_feature("ndcg@5"),
                 network = network_ranker(hidden = c(4, 3), epochs = 4, normalize = "batch"),
                 layer = network_ranker(loss_pairwise("logistic"), hidden = 3, epochs = 2,
                                 normalize = "layer", missing = "indicator"),
                 m5p = m5p(min_data_in_split = 40), bagging = bagging(m5p(min_data_in_split = 40), times = 3),
                 features = bagging(gbrt(3, num_leaves = 4), times = 3, feature_fraction = 0.5),
                 cocr = cocr(linear_ranker(penalty = 0.1)), levels = cocr(gbrt(4, num_leaves = 4)),
                 smooth = gbrt(3, num_leaves = 4, objective = loss_smooth(metric_ndcg(5), 2)),
                 bandit = adaboost_mh(base_stump("confidence"), 4, search = search_bandit(0.2)),
                 path = ranksvm(c(0.1, 1)))
  models <- c(export_trees(), export_sums("indicator"),
              lapply(others, fit, data = data, seed = 1, verbose = FALSE))
  models$unchosen <- rankmix:::new_path(unname(models$path$path), models$path$spec, c("a", "b"))
  models
}
