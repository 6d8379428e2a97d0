all <- simulate_ranking(60, features = 6, seed = 1)$data
small <- all[1:40]
held <- all[41:60]

# A function that returns the rows of a data frame in chunks.
chunks_of <- function(frame, rows) {
  at <- 0L
  function() {
    if (at >= nrow(frame)) {
      return(NULL)
    }
    some <- seq.int(at + 1L, min(nrow(frame), at + rows))
    at <<- max(some)
    frame[some, , drop = FALSE]
  }
}

test_that("models of binned data equal models of the matrix, bit for bit", {
  binned <- binned_data(small, verbose = FALSE)
  of_held <- binned_data(held, like = binned, verbose = FALSE)
  specs <- list(
    gbrt(trees = 15), lambdamart(trees = 15), gbrt(trees = 6, bagging_fraction = 0.5),
    gbrt(trees = 6, query_fraction = 0.5), gbrt(trees = 6, dropout = 0.3),
    gbrt(trees = 6, interaction_constraints = list(small$features[1:2]), feature_cost = rep(0.05, ncol(small$x))),
    gbrt(trees = 6, growth = "oblivious"), adaboost_mh(base_tree(4), rounds = 8),
    adaboost_mh(base_product(2), rounds = 5), rankboost(rounds = 8), cocr(gbrt(trees = 6)),
    yetirank(trees = 5, max_bin = 255),
    gbrt(trees = 6, growth = "oblivious", interaction_constraints = list(small$features[1:2]),
         feature_cost = rep(0.05, ncol(small$x))),
    yetirank(trees = 5, max_bin = 255, interaction_constraints = list(small$features[1:2]),
             feature_cost = rep(0.05, ncol(small$x)))
  )
  for (spec in specs) {
    expected <- fit(spec, small, held, seed = 1, threads = 1, verbose = FALSE)
    found <- fit(spec, binned, of_held, seed = 1, threads = 2, verbose = FALSE)
    expect_identical(found, expected, info = format(spec))
    expect_identical(predict(expected, binned), predict(expected, small), info = format(spec))
    expect_identical(predict(expected, of_held), predict(expected, held), info = format(spec))
  }
})

test_that("early stopping evaluates binned validation data", {
  binned <- binned_data(small, verbose = FALSE)
  train <- function(data, validation) {
    fit(lambdamart(trees = 40), data, validation, seed = 1, patience = 5, eval_every = 2, verbose = FALSE)
  }
  expected <- train(small, held)
  expect_identical(train(binned, binned_data(held, like = binned, verbose = FALSE)), expected)
  expect_identical(train(binned, held), expected)
})

test_that("weights, positions and missing values are as in the matrix", {
  frame <- as.data.frame(small)
  frame[seq(1, nrow(frame), 7), 4] <- NA
  frame$weight <- c(0, 1, 2.5)[match(frame$query, unique(frame$query)) %% 3 + 1]
  frame$position <- rep_len(1:10, nrow(frame))
  expected <- ranking_data(frame, relevance = relevance, query = query, weight = weight, position = position)
  binned <- binned_data(chunks_of(frame, 31L), relevance = relevance, query = query, weight = weight,
                        position = position, verbose = FALSE)
  expect_identical(binned$weight, expected$weight)
  expect_identical(binned$position, expected$position)
  expect_identical(binned$missing, expected$missing)
  for (spec in list(lambdamart(trees = 5), gbrt(trees = 5, objective = loss_lambda(unbiased = "pairs")),
                    gbrt(trees = 5, bagging_fraction = 0.5))) {
    expect_identical(fit(spec, binned, seed = 1, verbose = FALSE), fit(spec, expected, seed = 1, verbose = FALSE))
  }
})

test_that("queries may be scattered over chunks of any size", {
  frame <- as.data.frame(small)
  frame <- frame[order(sin(seq_len(nrow(frame)))), ]
  expected <- ranking_data(frame, relevance = relevance, query = query)
  model <- fit(gbrt(trees = 5), expected, seed = 1, verbose = FALSE)
  digests <- vapply(c(1L, 17L, 1000L), function(rows) {
    binned <- binned_data(chunks_of(frame, rows), relevance = relevance, query = query, verbose = FALSE)
    expect_identical(fit(gbrt(trees = 5), binned, seed = 1, verbose = FALSE), model)
    binned$digest
  }, "")
  expect_identical(unique(digests), binned_data(small, verbose = FALSE)$digest)
  other <- small
  other$relevance[1L] <- 4L - other$relevance[1L]
  expect_false(binned_data(other, verbose = FALSE)$digest == digests[1L])
})

test_that("queries and features can be selected", {
  binned <- binned_data(small, verbose = FALSE)
  part <- binned[c(3, 1)]
  expect_s3_class(part, c("binned_data", "ranking_data"), exact = TRUE)
  expect_identical(part$relevance, small[c(3, 1)]$relevance)
  model <- fit(gbrt(trees = 5), small, verbose = FALSE, seed = 1)
  expect_identical(predict(model, part), predict(model, small[c(3, 1)]))
  folds <- split_parts(split_queries(binned, 0.5, seed = 1), binned)
  expect_identical(nrow(folds$train) + nrow(folds$test), nrow(small))
  expect_s3_class(fit(lambdamart(trees = 3), folds$train, folds$test, verbose = FALSE), "rankmix_ranker")
})

test_that("mixtures take binned data", {
  binned <- binned_data(small, verbose = FALSE)
  of_held <- binned_data(held, like = binned, verbose = FALSE)
  train <- function(data, validation) {
    tune_and_mix(data, validation, list(trees = lambdamart(trees = 20), votes = adaboost_mh(base_tree(4), rounds = 10)),
                 seed = 1, verbose = FALSE)
  }
  expected <- train(small, held)
  found <- train(binned, of_held)
  expect_identical(predict(found, held), predict(expected, held))
  expect_identical(predict(found, of_held), predict(expected, held))
})

test_that("rankers and functions that need values refuse binned data by name", {
  binned <- binned_data(small, verbose = FALSE)
  model <- fit(gbrt(trees = 2), small, verbose = FALSE)
  expect_error(fit(linear_ranker(), binned), "linear_ranker", class = "rankmix_error_bins")
  expect_error(fit(rankboost(max_bin = Inf), binned), class = "rankmix_error_bins")
  expect_error(fit(mixture(gbrt(), linear_ranker()), binned), class = "rankmix_error_bins")
  expect_error(fit(yetirank(), binned), "max_bin", class = "rankmix_error_bins")
  for (use in list(as.data.frame, head, tail, summary, function(x) c(x, x), function(x) explain(model, x),
                   function(x) permutation_importance(model, x, "ndcg"), function(x) write_letor(x, tempfile()))) {
    expect_error(use(binned), class = "rankmix_error_values")
  }
  expect_error(binned_data(binned, verbose = FALSE), class = "rankmix_error_values")
})

test_that("a model with other thresholds is refused", {
  binned <- binned_data(small, verbose = FALSE)
  model <- fit(gbrt(trees = 2), held, verbose = FALSE)
  expect_error(predict(model, binned), class = "rankmix_error_bins")
  expect_error(fit(gbrt(trees = 20), small, binned_data(held, verbose = FALSE), verbose = FALSE),
               class = "rankmix_error_bins")
})

test_that("features that reveal the relevance are left out as in ranking_data()", {
  frame <- as.data.frame(small)
  frame$leak <- as.double(frame$relevance)
  expect_warning(binned <- binned_data(chunks_of(frame, 50L), relevance = relevance, query = query, verbose = FALSE),
                 class = "rankmix_warning_leak")
  expect_identical(binned$features, small$features)
  expect_identical(binned$columns, suppressWarnings(
    ranking_data(frame, relevance = relevance, query = query))$columns)
})

test_that("bins do not survive saveRDS(), unless they are in a file", {
  binned <- binned_data(small, verbose = FALSE)
  copy <- unserialize(serialize(binned, NULL))
  expect_error(fit(gbrt(trees = 2), copy), class = "rankmix_error_bins")
  expect_error(copy[1:2], class = "rankmix_error_bins")
  file <- withr::local_tempfile(fileext = ".bins")
  in_file <- binned_data(small, file = file, verbose = FALSE)
  copy <- unserialize(serialize(in_file, NULL))
  expect_identical(fit(gbrt(trees = 2), copy, seed = 1, verbose = FALSE),
                   fit(gbrt(trees = 2), small, seed = 1, verbose = FALSE))
  # Every function that uses bins opens the file again.
  again <- withr::local_tempfile(fileext = ".bins")
  write_binned_data(copy, again)
  expect_identical(read_binned_data(again)$digest, in_file$digest)
  of_held <- binned_data(held, like = copy, file = withr::local_tempfile(fileext = ".bins"), verbose = FALSE)
  expect_identical(of_held$digest, binned_data(held, like = in_file, verbose = FALSE)$digest)
  of_held <- unserialize(serialize(of_held, NULL))
  expect_identical(fit(gbrt(trees = 3), copy, of_held, seed = 1, verbose = FALSE),
                   fit(gbrt(trees = 3), small, held, seed = 1, verbose = FALSE))
})

test_that("binned data print, and errors name the remedy", {
  withr::local_options(width = 80)
  binned <- binned_data(small, verbose = FALSE)
  expect_snapshot(binned)
  frame <- data.frame(grade = c(0, 1, 0, -1), id = 1, bm25 = c(1, 2, Inf, 3), name = "a")
  try_chunks <- function(frame, ...) {
    binned_data(chunks_of(frame, 2L), relevance = grade, query = id, verbose = FALSE, ...)
  }
  expect_snapshot(error = TRUE, {
    try_chunks(frame)
    try_chunks(frame[-4L])
    try_chunks(frame[-(3:4)])
    binned_data(function() 1, relevance = grade, query = id)
    binned_data(function() NULL, relevance = grade, query = id, verbose = FALSE)
    binned_data(small, relevance = grade)
    binned_data(frame, max_bin = 1, query = id)
    binned_data(frame, query = id, like = small)
    binned_data(1:3)
  })
})

test_that("a full disk is an error", {
  skip_if_not(file.exists("/dev/full"))
  store <- rankmix:::store_start("/dev/full")$store
  written <- rankmix:::store_append(store, matrix(0, 10, 2), 1L)
  ended <- rankmix:::store_finish(store, 0L, 1L)
  expect_type(c(written$error, ended$error), "character")
  expect_error(rankmix:::stop_if_full(ended, "x", NULL), "space", class = "rankmix_error_file")
})

test_that("temporary files are removed", {
  folder <- withr::local_tempdir()
  binned_data(small, folder = folder, verbose = FALSE)
  expect_error(binned_data(function() stop("broken"), query = id, folder = folder, verbose = FALSE), "broken")
  expect_identical(list.files(folder), character())
})

test_that("subset() keeps the bins", {
  data <- binned_data(small, verbose = FALSE)
  part <- subset(data, documents > 20, select = c(signal1, signal3))
  expect_s3_class(part, "binned_data")
  wanted <- data$query_ids[tabulate(data$query) > 20]
  expect_identical(part$digest, data[as.character(wanted), c("signal1", "signal3")]$digest)
  expect_output(print(data$x), "<bins>")
})

test_that("grades of binned data can be grouped", {
  data <- small
  binned <- binned_data(small, verbose = FALSE)
  breaks <- relevance_breaks(data, 2)
  expect_identical(relevance_breaks(binned, 2), breaks)
  grouped <- group_grades(binned, breaks = breaks)
  expect_s3_class(grouped, "binned_data")
  expected <- binned_data(group_grades(data, breaks = breaks), verbose = FALSE)
  expect_identical(grouped$digest, expected$digest)
  expect_identical(group_grades(binned, "binary")$relevance, group_grades(data, "binary")$relevance)
})

test_that("the result has the bins and features of `like`", {
  frame <- data.frame(bm25 = 1:4, title = 4:1, grade = c(0, 1, 0, 2), id = c(1, 1, 2, 2))
  read <- function(...) binned_data(..., relevance = grade, query = id, verbose = FALSE)
  like <- read(frame, max_bin = 16)
  expect_error(read(frame[-1], like = like), "Missing: `bm25`", class = "rankmix_error_newdata")
  expect_error(read(frame, like = like, max_bin = 255), "up to 16", class = "rankmix_error_argument")
  expect_identical(read(frame, like = like, max_bin = 16)$digest, like$digest)
  expect_error(binned_data(like), "`x` are binned data", class = "rankmix_error_values")
})

test_that("a benchmark of binned data equals the benchmark of the data", {
  # Few distinct values, so that the bins of a part are those of the whole.
  data <- small
  data$x <- round(data$x)
  binned <- binned_data(data, verbose = FALSE)
  folds <- query_folds(data, 3, seed = 1)
  run <- function(data) {
    tidy(benchmark_rankers(list(trees = gbrt(trees = 2)), folds, data = data,
                           metric = "ndcg@10", seed = 1, verbose = FALSE))
  }
  expect_equal(run(binned)$mean, run(data)$mean)
})

test_that("dates and times are features, as in ranking_data()", {
  frame <- as.data.frame(small)
  frame$day <- as.Date("2024-01-01") + seq_len(nrow(frame)) %% 90
  frame$seen <- as.POSIXct("2024-01-01", "UTC") + seq_len(nrow(frame)) %% 7
  expected <- ranking_data(frame, relevance = relevance, query = query)
  model <- fit(gbrt(trees = 3), expected, seed = 1, verbose = FALSE)
  read <- function(...) binned_data(..., relevance = relevance, query = query, verbose = FALSE)
  file <- withr::local_tempfile(fileext = ".bins")
  binned <- read(chunks_of(frame, 100), file = file)
  expect_identical(binned$encoding, expected$encoding)
  expect_identical(fit(gbrt(trees = 3), binned, seed = 1, verbose = FALSE), model)
  expect_identical(predict(model, data_source(frame, query = query, relevance = relevance)), predict(model, frame))
  numbers <- frame
  numbers$day <- as.double(frame$day)
  expect_error(read(numbers, like = binned), "`day` is of another type", class = "rankmix_error_newdata")
  parts <- list(frame[1:50, ], numbers[51:90, ])
  expect_error(read(function() {
    one <- if (length(parts) > 0L) parts[[1L]]
    parts <<- parts[-1L]
    one
  }), "`day` is of another type", class = "rankmix_error_feature")
})

test_that("ranking data that lack a level are binned like others", {
  frame <- data.frame(cat = factor(rep(c("a", "b", "c"), 20)), f = sin(1:60), r = rep(c(0, 1, 2, 1, 0), 12),
                      id = rep(1:10, each = 6))
  like <- binned_data(ranking_data(frame, relevance = r, query = id), verbose = FALSE)
  fewer <- droplevels(frame[frame$cat != "c", ])
  found <- binned_data(ranking_data(fewer, relevance = r, query = id), like = like, verbose = FALSE)
  expected <- binned_data(fewer, relevance = r, query = id, like = like, verbose = FALSE)
  expect_identical(found$features, like$features)
  expect_identical(found$digest, expected$digest)
})

test_that("the folder of binned data must exist", {
  data <- random_data(queries = 3)
  expect_error(binned_data(data, folder = file.path(tempdir(), "no folder")), "existing folder",
               class = "rankmix_error_argument")
})

test_that("weights of documents are no ids of documents", {
  frame <- data.frame(a = c(3, 1, 2, 4), grade = c(0, 1, 1, 0), id = c(1, 1, 2, 2), sure = c(0.5, 1, 1, 0.5))
  file <- withr::local_tempfile(fileext = ".bins")
  for (to in list(NULL, file)) {
    data <- binned_data(frame, grade, id, document_weight = sure, file = to, verbose = FALSE)
    expect_null(data$document)
    expect_identical(data$document_weight, frame$sure)
  }
})
