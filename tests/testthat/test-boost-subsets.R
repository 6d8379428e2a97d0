subsets <- function(trees = 6, ..., num_leaves = 6, min_data_in_leaf = 2, min_data_per_group = 5) {
  gbrt(trees, num_leaves = num_leaves, min_data_in_leaf = min_data_in_leaf, categories = "subsets",
       min_data_per_group = min_data_per_group, learning_rate = 0.3, ...)
}

test_that("the best prefix of sorted levels is the best of all subsets under squared error", {
  for (seed in 1:20) {
    set.seed(seed)
    count <- sample(2:7, 1)
    level <- c(letters[seq_len(count)], sample(letters[seq_len(count)], 60, TRUE))
    gradient <- rnorm(length(level)) + match(level, letters) %% 3
    hessian <- sample(c(1, 2, 0.5), length(level), TRUE)
    fast <- naive_subset_split(level, gradient * hessian, hessian, cat_smooth = 0, cat_l2 = 0,
                               min_data_per_group = 1)
    slow <- best_subset(all_subsets(letters[seq_len(count)]), level, gradient * hessian, hessian, 0, 0)
    expect_equal(fast$gain, slow$gain, tolerance = 1e-12)
  }
})

# The levels on the left of the first split, by name.
first_set <- function(model) {
  entry <- model$categories[[1L]]
  set <- model$forest$set_levels[seq_len(model$forest$set_begin[2L])]
  sort(model$encoding[[1L]]$levels[entry$numbers %in% set])
}

test_that("the first split agrees with the reference", {
  for (seed in draws(24)) {
    frame <- factor_frame(levels = 9, seed = seed, missing = if (seed %% 2 == 0) 0.1 else 0)
    data <- factor_data(frame[c("query", "grade", "site")])
    set.seed(seed)
    settings <- list(cat_smooth = sample(c(0, 3, 20), 1), cat_l2 = sample(c(0, 5), 1),
                     max_cat_threshold = sample(c(1, 3, 32), 1), min_data_per_group = sample(c(1, 20, 40), 1),
                     min_data_in_leaf = sample(c(1, 30), 1))
    for (precision in c("single", "double")) for (l2 in c(0, 2)) {
      spec <- do.call(gbrt, c(settings, list(1, num_leaves = 2, categories = "subsets", lambda_l2 = l2,
                                             precision = precision)))
      # A fit without a split warns.
      model <- suppressWarnings(fit(spec, data))
      residual <- frame$grade - mean(frame$grade)
      slow <- do.call(naive_subset_split,
                      c(settings, list(frame$site, residual, rep(1, nrow(frame)), l2 = l2)))
      if (is.null(slow)) {
        expect_identical(model$status, "stalled")
        next
      }
      # The core rounds residuals, so the gains agree approximately.
      unit <- if (l2 > 0) 0.5 else 1 / nrow(frame)
      expect_equal(model$forest$gain[1L], slow$gain * unit, tolerance = 1e-4)
      expect_identical(first_set(model), slow$left)
    }
  }
})

test_that("without smoothing the first split is the best of all subsets", {
  for (seed in draws(12)) {
    frame <- factor_frame(queries = 15, levels = 6, seed = seed)
    model <- fit(gbrt(1, num_leaves = 2, categories = "subsets", cat_smooth = 0, cat_l2 = 0,
                      min_data_per_group = 1, min_data_in_leaf = 1), factor_data(frame[c("query", "grade", "site")]))
    residual <- frame$grade - mean(frame$grade)
    slow <- best_subset(all_subsets(levels(frame$site)), frame$site, residual, rep(1, nrow(frame)), 0, 0)
    expect_equal(model$forest$gain, slow$gain / nrow(frame), tolerance = 1e-6)
  }
})

test_that("a factor of two levels is split as its columns are", {
  frame <- factor_frame(levels = 2, queries = 40)
  data <- factor_data(frame)
  spec <- subsets(10, cat_l2 = 0, cat_smooth = 0, min_data_per_group = 2)
  for (precision in c("single", "double")) {
    sets <- fit(update(spec, precision = precision), data)
    expect_true("site" %in% tidy(sets)$feature)
    columns <- fit(update(spec, precision = precision, categories = "columns"), data)
    expect_equal(predict(sets, data), predict(columns, data), tolerance = 1e-6)
  }
})

test_that("predictions agree with walking the trees by the names of levels", {
  frame <- factor_frame(missing = 0.1)
  data <- factor_data(frame)
  for (spec in list(subsets(), subsets(objective = loss_lambda(), lambda_l2 = 1), subsets(num_leaves = 2),
                    subsets(bagging_fraction = 0.5, feature_fraction = 0.7))) {
    model <- fit(spec, data, seed = 1)
    expect_gt(length(model$forest$set_levels), 0L)
    forest <- model$forest
    f <- rep(model$start, nrow(frame))
    for (t in seq_len(rounds_used(model))) {
      leaves <- naive_leaves(model, frame, t)
      f <- f + 0.3 * forest$values[forest$leaf_begin[t] + leaves]
      expect_identical(tabulate(leaves), forest$leaf_documents[seq.int(forest$leaf_begin[t] + 1,
                                                                       forest$leaf_begin[t + 1])])
    }
    expect_equal(predict(model, data), f, tolerance = 1e-12)
    # Rows are predicted the same among many rows and among few rows, at several numbers of rounds.
    staged <- function(data) predict(model, data, rounds = c(2, 6))[3:5, ]
    expect_identical(staged(data), staged(data[1]))
  }
})

test_that("neither row order, threads nor the coding of levels changes a model", {
  frame <- factor_frame(missing = 0.05)
  set.seed(2)
  mixed <- frame[sample(nrow(frame)), ]
  recoded <- frame
  recoded$site <- factor(frame$site, c("none", sample(levels(frame$site))))
  for (spec in list(subsets(), subsets(precision = "double"), subsets(objective = loss_pairwise()),
                    subsets(objective = loss_lambda(), lambda_l2 = 1, bagging_fraction = 0.6))) {
    model <- fit(spec, factor_data(frame), seed = 1)
    expect_identical(fit(spec, factor_data(frame), seed = 1, threads = 2), model)
    expect_identical(fit(spec, factor_data(mixed), seed = 1)$forest, model$forest)
    expect_identical(fit(spec, factor_data(recoded), seed = 1)$forest, model$forest)
    expect_identical(predict(fit(spec, factor_data(recoded), seed = 1), factor_data(frame)),
                     predict(model, factor_data(frame)))
  }
})

test_that("weights count copies, and queries of weight 0 are absent", {
  frame <- factor_frame()
  frame$weight <- rep(c(1, 2, 0), length.out = 30)[frame$query]
  # Only queries of weight 0 have this level.
  frame$site[frame$weight == 0][1:3] <- "s12"
  frame$site[frame$weight > 0 & frame$site == "s12"] <- "s11"
  copy <- frame[frame$weight == 2, ]
  copy$query <- copy$query + 1000
  copies <- rbind(frame[frame$weight > 0, ], copy)
  weighted <- factor_data(frame, weight = weight)
  plain <- factor_data(copies[names(copies) != "weight"])
  fields <- c("feature", "set_levels", "left", "right", "values")
  model <- fit(subsets(min_data_per_group = 40), weighted)
  expect_identical(model$forest[fields], fit(subsets(min_data_per_group = 40), plain)$forest[fields])
  expect_identical(model$categories[[1L]]$numbers[12L], 0L)
  # These weights are not whole numbers.
  frame$weight <- frame$weight * 0.7
  absent <- factor_data(frame[frame$weight > 0, ], weight = weight)
  spec <- subsets(objective = loss_softmax(), lambda_l2 = 1)
  all <- factor_data(frame, weight = weight)
  expect_equal(predict(fit(spec, all), absent), predict(fit(spec, absent), absent))
})

test_that("missing and unseen levels go right, and levels beyond max_bin are joined", {
  frame <- factor_frame(queries = 60)
  data <- factor_data(frame)
  model <- fit(subsets(), data)
  new <- frame[1:20, ]
  new$site <- NA_character_
  unknown <- new
  unknown$site <- "elsewhere"
  missing <- predict(model, new)
  expect_warning(scores <- predict(model, unknown), class = "rankmix_warning")
  expect_identical(scores, missing)
  expect_equal(missing, model$start + 0.3 * rowSums(vapply(seq_len(6), function(t) {
    model$forest$values[model$forest$leaf_begin[t] + naive_leaves(model, new, t)]
  }, numeric(20))))
  joined <- fit(subsets(max_bin = 5), data)$categories[[1L]]$numbers
  counts <- tabulate(frame$site)
  frequent <- order(-counts)[1:4]
  expect_identical(joined[frequent], rank(frequent, ties.method = "first"))
  expect_true(all(joined[-frequent] == 5L))
})

test_that("models resume, stop early and drop trees with sets", {
  data <- factor_data(factor_frame(missing = 0.05))
  valid <- factor_frame(seed = 2)
  valid$query <- valid$query + 1000
  valid <- factor_data(valid)
  for (spec in list(subsets(12), subsets(12, objective = loss_lambda(), lambda_l2 = 1),
                    subsets(12, dropout = 0.4), subsets(12, num_leaves = 2, bagging_fraction = 0.5))) {
    whole <- fit(spec, data, seed = 3)
    expect_identical(fit(fit(update(spec, trees = 5), data, seed = 3), data, rounds = 12), whole)
    chosen <- fit(spec, data, validation = valid, metric = "ndcg@5", seed = 3)
    scores <- predict(whole, valid, rounds = chosen$curve$rounds)
    expect_equal(chosen$curve$value, metric_means(metric_ndcg(5), scores, valid, 1L))
    patient <- fit(spec, data, validation = valid, metric = "ndcg@5", seed = 3, patience = 100,
                   eval_every = 4)
    expect_identical(patient$forest, whole$forest)
    scores <- predict(whole, valid, rounds = patient$curve$rounds)
    expect_equal(patient$curve$value, metric_means(metric_ndcg(5), scores, valid, 1L))
  }
  file <- withr::local_tempfile()
  fit(update(subsets(12), trees = 7), data, checkpoint = file, seed = 3)
  other <- factor_frame(missing = 0.05)
  levels(other$site)[1:2] <- levels(other$site)[2:1]
  expect_error(fit(fit(subsets(5), data, seed = 3), factor_data(other), rounds = 12), class = "rankmix_error")
})

test_that("contributions add up, and are Shapley values with the factor as one feature", {
  frame <- factor_frame(queries = 8, missing = 0.1)
  data <- factor_data(frame)
  model <- fit(subsets(4), data)
  of_trees <- explain(model, data)
  expect_equal(rowSums(of_trees$values) + of_trees$base, predict(model, data))
  levels <- setdiff(seq_along(data$features), match(c("a", "b"), data$features))
  own <- ifelse(is.na(frame$site), 1L, as.integer(frame$site))
  expect_true(all(of_trees$values[, levels][cbind(seq_along(own), own)] != 0))
  expect_identical(rowSums(of_trees$values[, levels] != 0), rep(1, nrow(frame)))
  leaves <- rep(round_weights(model), diff(model$forest$leaf_begin))
  numbered <- number_levels(data$x, model$categories)[1:5, ]
  slow <- naive_by_cover(model$forest, model$forest$values * leaves, numbered)
  found <- of_trees$values[1:5, ]
  expect_equal(unname(cbind(found[, "a"], rowSums(found[, levels]), found[, "b"])), unname(slow$values))
  expect_equal(of_trees$base, model$start + slow$base)
  # With a background: the mean of scores in which some features are taken from the document and the others from the
  # background.
  some <- frame[1:6, ]
  background <- frame[20:29, ]
  found <- explain(model, factor_data(frame)[1], background = data[3])
  background <- frame[frame$query == 3, ]
  for (row in 1:3) {
    slow <- naive_shapley(function(known) {
      new <- background
      for (name in c("a", "site", "b")[known]) new[[name]] <- frame[[name]][row]
      mean(predict(model, new))
    }, 3)
    values <- found$values[row, ]
    expect_equal(unname(c(values["a"], sum(values[levels]), values["b"])), slow)
  }
})

test_that("importance and summaries name the factor", {
  data <- factor_data(factor_frame())
  model <- fit(subsets(), data)
  expect_setequal(tidy(model)$feature, c("a", "b", "site"))
  expect_identical(glance(model)$features_used, 3L)
  expect_snapshot(print(model))
})

test_that("pairs are explained, and figures drawn", {
  frame <- factor_frame()
  data <- factor_data(frame)
  model <- fit(subsets(), data)
  pair <- explain_pair(model, data, 1, 2)
  expect_equal(sum(pair$contribution), unname(diff(predict(model, data)[2:1])))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(model, type = "importance"), "ggplot")
})

test_that("a mixture predicts its members with sets", {
  data <- factor_data(factor_frame())
  models <- list(fit(subsets(), data), fit(gbrt(5, num_leaves = 4), data),
                 fit(subsets(dropout = 0.3), data, seed = 1))
  inputs <- inputs_of_features(models, data$x, 4L, 1L)
  for (i in seq_along(models)) {
    expect_identical(inputs[[i]][, 1L], unname(predict(models[[i]], data, rounds = 4)))
  }
  mixed <- fit(mixture(subsets(), gbrt(5, num_leaves = 4), weights = mix_weights(c(0, 20))), data, seed = 1)
  expect_true(all(is.finite(predict(mixed, data))))
  file <- withr::local_tempfile(fileext = ".json")
  write_model(mixed, file)
  expect_identical(predict(read_model(file), data), predict(mixed, data))
})

test_that("JSON holds models with sets, and damaged sets are refused", {
  data <- factor_data(factor_frame(missing = 0.1))
  model <- fit(subsets(), data)
  file <- withr::local_tempfile(fileext = ".json")
  write_model(model, file)
  expect_identical(read_model(file), model)
  damages <- list(
    function(model) { model$forest$set_levels <- rev(model$forest$set_levels); model },
    function(model) { model$forest$set_begin <- NULL; model },
    function(model) { model$forest$set_begin[2L] <- 10000L; model },
    function(model) { model$categories <- NULL; model },
    # These columns exist in the data, but they contradict the trees.
    function(model) { model$forest$feature[1L] <- 3L; model },
    function(model) { model$categories[[1L]]$columns[1L] <- 0L; model },
    function(model) { model$categories[[1L]]$numbers[1L] <- 300L; model }
  )
  for (damage in damages) {
    expect_error(check_fields(damage(model), "gbrt"), "broken|not name")
  }
})

test_that("a split by sets and a monotone feature work together", {
  frame <- factor_frame()
  data <- factor_data(frame)
  model <- fit(subsets(20, monotone_constraints = c(a = 1)), data)
  expect_gt(length(model$forest$set_levels), 0L)
  grid <- seq(-3, 3, 0.1)
  for (row in 1:10) {
    new <- frame[rep(row, length(grid)), ]
    new$a <- grid
    expect_gte(min(diff(predict(model, new))), 0)
  }
})

test_that("binned data give the model of the matrix", {
  frame <- factor_frame(missing = 0.1)
  frame$shop <- factor(rep(c("x", "y", NA, "x", "x"), length.out = nrow(frame)), c("y", "never", "x"))
  valid <- factor_frame(seed = 2, missing = 0.1)
  valid$query <- valid$query + 1000
  valid$shop <- factor(rep(c("x", "y"), length.out = nrow(valid)), levels(frame$shop))
  data <- factor_data(frame)
  binned <- binned_data(data, verbose = FALSE)
  other <- factor_data(valid)
  other_binned <- binned_data(other, like = binned, verbose = FALSE)
  for (spec in list(subsets(), subsets(max_bin = 5), subsets(objective = loss_lambda(), lambda_l2 = 1),
                    subsets(dropout = 0.4), subsets(query_fraction = 0.6, feature_fraction = 0.7))) {
    bins <- if (spec$max_bin == 5) binned_data(data, max_bin = 5, verbose = FALSE) else binned
    model <- fit(spec, data, seed = 1)
    expect_gt(length(model$forest$set_levels), 0L)
    expect_identical(fit(spec, bins, seed = 1), model)
    expect_identical(predict(model, bins), predict(model, data))
    expect_identical(predict(model, bins, rounds = c(2, 6)), predict(model, data, rounds = c(2, 6)))
    expect_identical(fit(fit(update(spec, trees = 3), bins, seed = 1), bins, rounds = 6), model)
  }
  spec <- subsets(12)
  chosen <- fit(spec, data, other, "ndcg@5", seed = 3, patience = 4)
  expect_identical(fit(spec, binned, other_binned, "ndcg@5", seed = 3, patience = 4), chosen)
  expect_identical(predict(chosen, other_binned), predict(chosen, other))
  expect_identical(predict(chosen, other_binned[1:3]), predict(chosen, other[1:3]))
  part <- fit(spec, binned[1:20], seed = 1)
  expect_identical(part$categories, fit(spec, data[1:20], seed = 1)$categories)
  expect_error(fit(subsets(bagging_fraction = 0.5), binned), "query_fraction", class = "rankmix_error_bins")
})

test_that("a factor is constant if the documents have one of its levels, also in bins", {
  frame <- factor_frame()
  frame$shop <- factor("only", c("a", "only", "z"))
  frame$shop[1:9] <- NA
  data <- factor_data(frame)
  binned <- binned_data(data, verbose = FALSE)
  model <- fit(subsets(), data, seed = 1)
  shop <- Find(function(entry) entry$column == "shop", model$categories)
  expect_identical(shop$numbers, c(0L, 1L, 0L))
  expect_identical(fit(subsets(), binned, seed = 1), model)
  expect_identical(predict(model, binned), predict(model, data))
})

test_that("data and settings that sets do not support are refused", {
  skip_if_not_installed("Matrix")
  frame <- factor_frame()
  data <- factor_data(frame)
  sparse <- data
  sparse$x <- methods::as(data$x, "CsparseMatrix")
  # Data without factors have no categories, so both settings give the same trees.
  numbers <- factor_data(frame[c("query", "grade", "a", "b")])
  columns <- fit(update(subsets(), categories = "columns"), numbers)
  expect_identical(fit(subsets(), numbers)$forest, columns$forest)
  expect_snapshot(error = TRUE, {
    gbrt(categories = "levels")
    gbrt(categories = "subsets", growth = "oblivious")
    fit(subsets(), sparse)
    fit(subsets(monotone_constraints = c("site=s01" = 1)), data)
  })
})
