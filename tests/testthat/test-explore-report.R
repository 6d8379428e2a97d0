# A fast benchmark and its comparison. Both are computed once.
quick_benchmark <- local({
  made <- NULL
  function() {
    if (is.null(made)) made <<- new_benchmark()
    made
  }
})

new_benchmark <- function() {
  rankers <- lapply(c(a = 1L, b = 5L, c = 9L), function(j) {
    force(j)
    function(data) data$x[, j]
  })
  data <- example_part("vali")
  benchmark_rankers(rankers, query_folds(data, 3, seed = 1), c("ndcg@10", "err"), data = data, seed = 1,
                    verbose = FALSE)
}

quick_comparison <- function(benchmark) compare_rankers(benchmark, test = "t", adjust = "none", seed = 1)

test_that("a benchmark is explored on its test queries", {
  benchmark <- quick_benchmark()
  compared <- quick_comparison(benchmark)
  json <- rankmix:::explored_benchmark(benchmark, compared, TRUE, 1)
  index <- jsonlite::fromJSON(json$index, simplifyMatrix = FALSE)
  rated <- compared$rankers[compared$rankers$metric == "ndcg@10", ]
  best <- rated[order(-rated$mean), ][1:2, ]
  expect_identical(index$rankers, best$ranker)
  expect_equal(index$means, best$mean, tolerance = 1e-6)
  values <- compared$values[[1L]]
  at <- match(paste(values$fold, values$query), index$ids)
  expect_equal(sort(index$values[[1L]]), sort(round(unname(values$values[, best$ranker[1L]]), 6)), tolerance = 1e-6)
  expect_length(index$features, 0L)
  expect_match(jsonlite::fromJSON(json[["block-0"]])$id[1:2], "^(document )?[0-9a-z]+")
})

test_that("other rankers are explored by name", {
  benchmark <- quick_benchmark()
  compared <- quick_comparison(benchmark)
  names <- rev(unique(compared$rankers$ranker))
  json <- rankmix:::explored_benchmark(benchmark, compared, names, 1)
  expect_identical(jsonlite::fromJSON(json$index)$rankers, names)
  expect_null(rankmix:::explored_benchmark(benchmark, compared, NULL, 1))
  expect_null(rankmix:::explored_benchmark(benchmark, compared, FALSE, 1))
})

test_that("a benchmark without scores and unknown rankers are refused", {
  benchmark <- quick_benchmark()
  compared <- quick_comparison(benchmark)
  explore <- function(explorer, benchmark) rankmix:::explored_benchmark(benchmark, compared, explorer, 1)
  bare <- benchmark
  bare$scores <- NULL
  expect_snapshot(error = TRUE, {
    explore(TRUE, bare)
    explore("a", benchmark)
    explore(c("a", "a"), benchmark)
    explore(c("nobody", "none"), benchmark)
    explore(3, benchmark)
  })
})

test_that("the explorer replaces its mark", {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  writeLines(c("<body>", paste0("  ", rankmix:::explorer_mark), "</body>"), file)
  rankmix:::insert_explorer(file, list(index = "{}", why = "{}"))
  text <- readLines(file)
  expect_identical(text[c(1L, length(text))], c("<body>", "</body>"))
  expect_false(any(grepl(rankmix:::explorer_mark, text, fixed = TRUE)))
  expect_true(any(grepl("class=\"explorer embedded\"", text, fixed = TRUE)))
})

test_that("documents are numbered within queries", {
  data <- ranking_data(cbind(1:4), c(0, 1, 0, 1), c("b", "a", "b", "a"))
  expect_identical(rankmix:::numbers_in_queries(data), c(1L, 1L, 2L, 2L))
})

# A benchmark with models, and its data and folds. The benchmark without arguments is made once.
made_benchmarks <- new.env()
explained_benchmark <- function() {
  if (is.null(made_benchmarks$plain)) made_benchmarks$plain <- make_explained()
  made_benchmarks$plain
}
make_explained <- function(..., data = example_part("vali")) {
  folds <- query_folds(data, 3, seed = 1)
  benchmark <- benchmark_rankers(
    list(trees = gbrt(trees = 10, num_leaves = 4), linear = linear_ranker(loss_pairwise()),
         sampled = adaboost_mh(base_tree(3), rounds = 3), first = function(data) data$x[, 1]),
    folds, data = data, seed = 7, threads = 1, verbose = FALSE, keep_models = TRUE, ...
  )
  list(benchmark = benchmark, compared = quick_comparison(benchmark), data = data, folds = folds)
}

explored <- function(made, rankers, data = made$data) {
  json <- rankmix:::explored_benchmark(made$benchmark, made$compared, rankers, 1, data)
  page <- lapply(json, jsonlite::fromJSON, simplifyVector = TRUE, simplifyMatrix = FALSE, simplifyDataFrame = FALSE)
  page$why <- jsonlite::fromJSON(json$why, simplifyVector = FALSE)
  page
}

# The numbers as the page rounds them.
four_digits <- function(x) replace(x, !is.na(x), as.double(sprintf("%.4g", x[!is.na(x)])))

# The fold and the id of a query of the page.
fold_and_query <- function(page, query) {
  parts <- strsplit(page$index$ids[query], " ", fixed = TRUE)[[1L]]
  list(fold = parts[1L], id = parts[2L])
}

test_that("an explorer in a report shows the features of the data", {
  made <- explained_benchmark()
  page <- explored(made, c("trees", "first"))
  expect_gt(length(page$index$features), 0L)
  for (query in seq_along(page$index$ids)) {
    at <- fold_and_query(page, query)
    rows <- which(rankmix:::id_text(made$data$query_ids)[made$data$query] == at$id)
    shown <- explored_documents(page, query)
    own <- rows[as.integer(sub("document ", "", shown$id))]
    expect_equal(as.double(shown$grade), as.double(made$data$relevance[own]))
    shown_features <- vapply(shown[paste0("feature", seq_along(page$index$features) - 1L)], as.double,
                             double(length(own)))
    own_features <- made$data$x[own, match(page$index$features, made$data$features)]
    expect_equal(as.vector(shown_features), four_digits(as.vector(own_features)))
  }
})

test_that("reasons in a report agree with explain_pair() of the model of the test part", {
  skip_if_quick()
  made <- explained_benchmark()
  rankers <- c("trees", "linear", "sampled", "first")
  page <- explored(made, rankers)
  expect_identical(page$index$reasons, c("", "", "", "It is not a model of rankmix."))
  values <- do.call(cbind, page$index$values)
  spread <- apply(values, 1L, max) - apply(values, 1L, min)
  expect_identical(page$index$explained + 1L, sort(order(-spread)[1:20]))
  folds <- vapply(page$index$explained + 1L, function(query) fold_and_query(page, query)$fold, "")
  # The models of all folds are used for explanations.
  expect_setequal(folds, names(made$benchmark$models))
  # Two queries of each fold are checked.
  for (query in (page$index$explained + 1L)[stats::ave(seq_along(folds), folds, FUN = seq_along) <= 2]) {
    at <- fold_and_query(page, query)
    test <- split_parts(made$folds, made$data, as.integer(sub("fold", "", at$fold)))$test
    for (ranker in 1:3) {
      model <- made$benchmark$models[[at$fold]][[rankers[ranker]]]
      scores <- predict(model, test)
      rows <- which(rankmix:::id_text(test$query_ids)[test$query] == at$id)
      rows <- utils::head(rows[order(-scores[rows])], 10L)
      pairs <- page$why$rankers[[ranker]][[as.character(query - 1L)]]
      expect_length(pairs, length(rows) - 1L)
      for (r in seq_along(pairs)) {
        expected <- explain_pair(model, test, rows[r], rows[r + 1L], seed = 7, threads = 1)
        expected <- expected[expected$contribution != 0, ]
        first <- utils::head(expected, 6L)
        # JSON has null for missing values.
        items <- matrix(vapply(pairs[[r]][[2L]], function(x) if (is.null(x)) NA_real_ else as.double(x), 0), 4L)
        expect_identical(as.character(unlist(page$why$names)[items[1L, ] + 1L]), first$feature)
        expect_identical(items[2L, ], four_digits(first$contribution))
        expect_identical(items[3L, ], four_digits(first$above))
        expect_identical(items[4L, ], four_digits(first$below))
      }
    }
  }
})

test_that("an explorer shows what the data and the models allow", {
  made <- explained_benchmark()
  models <- explored(made, c("trees", "first"), NULL)
  expect_length(models$index$features, 0L)
  expect_length(models$index$explained, 0L)
  expect_match(models$index$reasons, "report\\(data = \\)|not a model")
  made$benchmark$models <- NULL
  data <- explored(made, c("trees", "first"))
  expect_length(data$index$features, 8L)
  expect_match(data$index$reasons, "keep_models = TRUE")
  expect_snapshot(error = TRUE, {
    explored(made, FALSE)
    explored(made, c("trees", "first"), made$data[1:3])
  })
  # If only data are given, the explorer has the two best rankers.
  expect_identical(explored(made, NULL)$index$rankers, explored(made, TRUE)$index$rankers)
  expect_null(rankmix:::explored_benchmark(made$benchmark, made$compared, NULL, 1))
})

test_that("data may be the folds of a benchmark, and repeated trainings use the first model", {
  skip_if_quick()
  made <- explained_benchmark()
  rankers <- c("trees", "linear")
  parts <- lapply(1:3, function(fold) split_parts(made$folds, made$data, fold))
  expect_identical(explored(made, rankers, parts), explored(made, rankers))
  repeated <- make_explained(repeats = 2)
  expect_identical(explored(repeated, rankers)$why$rankers, explored(made, rankers)$why$rankers)
  # The features of these parts have another order.
  for (part in names(parts[[2L]])) parts[[2L]][[part]] <- parts[[2L]][[part]][, rev(made$data$features)]
  named <- explored(made, rankers, parts)
  expect_identical(named$index, explored(made, rankers)$index)
  expect_identical(named[["block-0"]], explored(made, rankers)[["block-0"]])
})

test_that("a benchmark on binned data is explained with the data before binning", {
  skip_if_quick()
  data <- example_part("vali")
  folds <- query_folds(data, 3, seed = 1)
  binned <- binned_data(data)
  benchmark <- benchmark_rankers(list(trees = gbrt(trees = 10), other = lambdamart(trees = 10)), folds, data = binned,
                                 seed = 1, threads = 1, verbose = FALSE, keep_models = TRUE)
  expect_null(benchmark$data$fold1$features)
  made <- list(benchmark = benchmark, compared = quick_comparison(benchmark), data = data)
  page <- explored(made, c("trees", "other"))
  expect_identical(page$index$reasons, c("", ""))
  expect_length(page$index$explained, 20L)
  # Other features give other scores, which is an error.
  made$data$x[] <- made$data$x[, ncol(made$data$x):1]
  expect_error(explored(made, c("trees", "other")), "gives row [0-9]+ the score", class = "rankmix_error_data")
})
