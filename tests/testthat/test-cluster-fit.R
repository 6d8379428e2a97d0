# The data of these tests: weights, positions, missing values and a feature that is constant in some queries.
ranks_data <- function(queries, seed, weight = FALSE, first = 0) {
  data <- simulate_ranking(queries, documents = 12, features = 6, seed = seed)$data
  x <- data$x
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  x[data$query == 1, 2] <- 0
  x[seq(3, nrow(x), by = 17), 3] <- NA
  ids <- first + data$query
  ranking_data(x, data$relevance, ids, position = stats::ave(data$query, data$query, FUN = seq_along),
               weight = if (weight) 1 + (data$query %% 3) / 2)
}

# Trains all specifications on several ranks, each with the queries that `rank_of` gives it.
on_parts <- function(size, specs, data, validation = NULL, rank_of = NULL, ...) {
  if (is.null(rank_of)) rank_of <- (seq_along(data$query_ids) * 7) %% size
  on_ranks(size, function(cluster, specs, data, validation, rank_of, arguments) {
    own <- function(x, of) x[which(of == cluster$rank)]
    part <- binned_data(own(data, rank_of), verbose = FALSE, cluster = cluster)
    valid <- if (!is.null(validation)) own(validation, seq_along(validation$query_ids) %% cluster$size)
    lapply(specs, function(spec) {
      do.call(fit, c(list(spec, part, valid, seed = 5, cluster = cluster, verbose = FALSE, threads = 1), arguments))
    })
  }, specs, data, validation, rank_of, list(...))
}

expect_same_models <- function(results, specs, data, validation = NULL, ...) {
  whole <- binned_data(data, verbose = FALSE)
  for (i in seq_along(specs)) {
    one <- fit(specs[[i]], whole, validation, seed = 5, verbose = FALSE, threads = 2, ...)
    for (models in results) {
      if (inherits(models, "error")) stop(models)
      expect_identical(models[[i]], one, info = format(specs[[i]]))
    }
  }
}

distributed_specs <- function() {
  small <- lapply(small_settings, function(settings) settings)
  small$cocr <- list(gbrt(trees = 4, num_leaves = 4))
  small$mixture <- NULL
  names <- rankmix:::built_in_rankers()
  names <- names[vapply(names, function(name) {
    "distributed" %in% rankmix:::entry_traits(rankmix:::built_in_entry(name))
  }, NA)]
  lapply(setdiff(names, "mixture"), function(name) {
    spec <- do.call(name, if (is.null(small[[name]])) list() else small[[name]])
    if (!is.null(spec[["max_bin"]])) spec$max_bin <- 255
    spec
  })
}

test_that("every ranker that several processes can train gives the model of one process", {
  specs <- distributed_specs()
  expect_gte(length(specs), 5)
  data <- ranks_data(24, seed = 1)
  for (size in if (test_size() == "quick") 3 else c(2, 3, 5, 8)) {
    expect_same_models(on_parts(size, specs, data), specs, data)
  }
})

test_that("options of trees give the model of one process, with weights", {
  specs <- list(
    gbrt(trees = 6, objective = loss_softmax()), gbrt(trees = 6, objective = loss_pairwise(), dropout = 0.4),
    gbrt(trees = 6, precision = "double"), gbrt(trees = 6, growth = "oblivious", max_depth = 3),
    gbrt(trees = 6, interaction_constraints = list("f1", "f2"), feature_cost = c(f1 = 0.05, f2 = 0.2)),
    gbrt(trees = 6, interaction_constraints = list("f1", "f2"), feature_cost = c(f1 = 0.05, f2 = 0.2),
         growth = "oblivious", max_depth = 3, bagging_fraction = 0.5),
    yetirank(trees = 4, max_depth = 3, rankings = 5, max_bin = 255, interaction_constraints = list("f1", "f2"),
             feature_cost = c(f1 = 0.05, f2 = 0.2)),
    gbrt(trees = 6, monotone_constraints = c(f1 = 1)), gbrt(trees = 6, query_fraction = 0.4),
    gbrt(trees = 6, bagging_fraction = 0.03, min_data_in_leaf = 1), gbrt(trees = 6, objective = loss_ordinal()),
    gbrt(trees = 6, objective = loss_xendcg()), gbrt(trees = 6, objective = loss_query_rmse()),
    gbrt(trees = 6, objective = loss_list_mle()), gbrt(trees = 6, objective = loss_smooth("ndcg@5")),
    lambdamart(trees = 6, metric = "err@5"), lambdamart(trees = 6, bagging_fraction = 0.5, feature_fraction = 0.5)
  )
  for (weight in c(FALSE, TRUE)) {
    data <- ranks_data(20, seed = 2, weight = weight)
    expect_same_models(on_parts(2, specs, data), specs, data)
  }
})

test_that("position bias, grades of one rank and long queries of one rank change no model", {
  specs <- list(lambdamart(trees = 5, unbiased = "additive"), lambdamart(trees = 5, unbiased = "pairs"),
                gbrt(trees = 5), adaboost_mh(base_tree(4), rounds = 5))
  data <- ranks_data(18, seed = 3)
  # Only rank 0 has the best grades.
  best <- vapply(seq_along(data$query_ids), function(q) max(data$relevance[data$query == q]), 0L)
  rank_of <- ifelse(best == max(best), 0, 1)
  skip_if(length(unique(rank_of)) < 2)
  expect_same_models(on_parts(2, specs, data, rank_of = rank_of), specs, data)
})

test_that("a rank may have only queries or documents of weight 0", {
  frame <- as.data.frame(ranks_data(20, seed = 2))
  query <- as.integer(factor(frame$query))
  frame$w <- ifelse(query %% 2 == 1, 0, 1 + query %% 3)
  binned <- function(frame, role, ...) {
    call <- list(frame, quote(relevance), quote(query), features = paste0("f", 1:6), verbose = FALSE, ...)
    do.call(rankmix::binned_data, c(call, stats::setNames(list(quote(w)), role)))
  }
  fit_parts <- function(cluster, specs, frame, of_rank, binned, role) {
    part <- binned(frame[of_rank == cluster$rank, ], role, cluster = cluster)
    lapply(specs, fit, data = part, seed = 5, cluster = cluster, verbose = FALSE, threads = 1)
  }
  all_specs <- list(weight = c(distributed_specs(), list(gbrt(trees = 6, bagging_fraction = 0.5))),
                    document_weight = list(gbrt(trees = 6), gbrt(trees = 6, bagging_fraction = 0.5)))
  for (role in names(all_specs)) {
    specs <- all_specs[[role]]
    whole <- binned(frame, role)
    one <- lapply(specs, fit, data = whole, seed = 5, verbose = FALSE, threads = 1)
    for (models in on_ranks(2, fit_parts, specs, frame, query %% 2, binned, role)) {
      if (inherits(models, "error")) stop(models)
      expect_identical(models, one)
    }
  }
  frame$w <- 0
  for (error in on_ranks(2, fit_parts, specs, frame, query %% 2, binned, "weight")) {
    expect_s3_class(error, "rankmix_error_weight")
  }
})

test_that("validation queries of all ranks choose the rounds and stop training", {
  specs <- list(gbrt(trees = 30, num_leaves = 4), lambdamart(trees = 30, num_leaves = 4))
  data <- ranks_data(20, seed = 4)
  validation <- ranks_data(11, seed = 5, first = 100)
  expect_same_models(on_parts(2, specs, data, validation), specs, data, validation)
  expect_same_models(on_parts(3, specs, data, validation, patience = 6, eval_every = 3), specs, data, validation,
                     patience = 6, eval_every = 3)
})

test_that("a mixture of members over ranks equals the mixture of one process", {
  spec <- mixture(gbrt(8, num_leaves = 4), lambdamart(trees = 8, num_leaves = 4))
  data <- ranks_data(20, seed = 6)
  validation <- ranks_data(12, seed = 7, first = 100)
  results <- on_parts(2, list(spec), data, validation)
  one <- fit(spec, binned_data(data, verbose = FALSE), validation, seed = 5, verbose = FALSE)
  for (models in results) {
    if (inherits(models, "error")) stop(models)
    mixture <- models[[1]]
    expect_identical(predict(mixture, validation), predict(one, validation))
    for (name in c("models", "members", "tuning", "value")) expect_identical(mixture[[name]], one[[name]])
  }
})

test_that("a checkpoint resumes on another number of ranks", {
  data <- ranks_data(20, seed = 8)
  file <- withr::local_tempfile(fileext = ".rds")
  short <- list(lambdamart(trees = 5, num_leaves = 4))
  full <- list(lambdamart(trees = 11, num_leaves = 4))
  on_parts(3, short, data, checkpoint = file, checkpoint_every = 3)
  expect_true(file.exists(file))
  expect_same_models(on_parts(2, full, data, checkpoint = file, checkpoint_every = 3), full, data)
  expect_same_models(list(list(fit(full[[1]], binned_data(data, verbose = FALSE), seed = 5, checkpoint = file,
                                   verbose = FALSE))), full, data)
})

test_that("the checkpoint of a mixture resumes on another number of ranks", {
  members <- list(gbrt(8, num_leaves = 4), lambdamart(trees = 8, num_leaves = 4), gbrt(6, num_leaves = 3))
  data <- ranks_data(20, seed = 6)
  validation <- ranks_data(12, seed = 7, first = 100)
  folder <- withr::local_tempdir()
  first <- on_parts(2, list(do.call(mixture, members[1:2])), data, validation, checkpoint = folder)
  results <- function() list.files(folder, "^task-", full.names = TRUE)
  written <- file.mtime(results())
  expect_length(written, 2L)
  spec <- do.call(mixture, members)
  one <- fit(spec, binned_data(data, verbose = FALSE), validation, seed = 5, verbose = FALSE)
  resumed <- c(on_parts(3, list(spec), data, validation, checkpoint = folder),
               list(list(fit(spec, binned_data(data, verbose = FALSE), validation, seed = 5, checkpoint = folder,
                             verbose = FALSE))))
  for (models in resumed) {
    if (inherits(models, "error")) stop(models)
    expect_identical(predict(models[[1]], validation), predict(one, validation))
  }
  # Models that were trained before are only read.
  expect_length(results(), 3L)
  expect_identical(sort(file.mtime(results()))[1:2], sort(written))
  # Data that differ in a single weight are other data.
  data$weight <- replace(rep(1, 20), 3, 2)
  for (result in on_parts(2, list(spec), data, validation, checkpoint = folder)) {
    expect_s3_class(result, "error")
    expect_match(conditionMessage(result), "run on other data")
  }
})

test_that("ranks with other arguments get an error that names the difference", {
  data <- ranks_data(8, seed = 9)
  results <- on_ranks(2, function(cluster, data) {
    part <- data[which(seq_along(data$query_ids) %% 2 == cluster$rank)]
    fit(gbrt(trees = 5 + cluster$rank), part, seed = 1, cluster = cluster, verbose = FALSE)
  }, data)
  for (result in results) {
    expect_s3_class(result, "rankmix_error_cluster")
    expect_match(conditionMessage(result), "Rank 1 differs from rank 0 in: specification")
  }
})

test_that("a feature that one rank lacks is named", {
  data <- ranks_data(8, seed = 9)
  results <- on_ranks(2, function(cluster, data) {
    own <- data$query %% 2 == cluster$rank
    x <- cbind(data$x[own, ], f7 = data$relevance[own])
    if (cluster$rank == 0) x[, "f7"] <- rev(x[, "f7"])
    part <- suppressWarnings(ranking_data(x, data$relevance[own], data$query[own]))
    fit(gbrt(trees = 5), part, seed = 1, cluster = cluster, verbose = FALSE)
  }, data)
  for (result in results) {
    expect_s3_class(result, "rankmix_error_cluster")
    expect_match(conditionMessage(result), "Rank 1 has other features than rank 0.*f7.*leaves out a feature that equals")
  }
  order <- on_ranks(2, function(cluster, data) {
    own <- data$query %% 2 == cluster$rank
    part <- ranking_data(data$x[own, if (cluster$rank == 0) 1:6 else 6:1], data$relevance[own], data$query[own])
    fit(gbrt(trees = 5), part, seed = 1, cluster = cluster, verbose = FALSE)
  }, data)
  for (result in order) expect_match(conditionMessage(result), "Rank 1 differs from rank 0 in: order of features")
})

test_that("a rank that is killed during training stops the others, and the checkpoint resumes", {
  skip_on_os("windows")
  data <- ranks_data(40, seed = 10)
  file <- withr::local_tempfile(fileext = ".rds")
  long <- function(cluster, data, file) {
    part <- binned_data(data[which(seq_along(data$query_ids) %% 3 == cluster$rank)], verbose = FALSE, cluster = cluster)
    fit(lambdamart(trees = 1e5), part, seed = 5, cluster = cluster, checkpoint = file, checkpoint_every = 2,
        verbose = FALSE)
  }
  processes <- on_ranks(3, long, data, file, wait = FALSE)
  wait_until(function() file.exists(file))
  processes[[3]]$kill()
  for (result in results_of(processes[1:2])) {
    expect_s3_class(result, "rankmix_error_cluster")
    expect_match(conditionMessage(result), "Rank 2 has stopped")
  }
  done <- rankmix:::rounds_used(readRDS(file)$model)
  specs <- list(lambdamart(trees = done + 3))
  expect_same_models(on_parts(2, specs, data, checkpoint = file), specs, data)
  expect_identical(list.files(dirname(file), paste0(basename(file), ".")), character())
})

test_that("a factor whose levels differ between ranks is named", {
  frame <- data.frame(query = rep(1:6, each = 4), grade = rep(0:3, 6), a = sin(1:24), site = letters[rep(1:3, 8)])
  results <- on_ranks(2, function(cluster, frame) {
    own <- frame[frame$query %% 2 == cluster$rank, ]
    own$site <- factor(own$site, levels = if (cluster$rank == 0) c("a", "b", "c") else c("a", "b", "c", "d"))
    fit(gbrt(trees = 5), ranking_data(own, grade, query), seed = 1, cluster = cluster, verbose = FALSE)
  }, frame)
  for (result in results) {
    expect_s3_class(result, "rankmix_error_cluster")
    expect_match(conditionMessage(result), "`site` of rank 1 has other levels.*factor\\(x, levels = \\)")
  }
})
