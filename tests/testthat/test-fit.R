test_that("data of one grade are an error", {
  data <- ranking_data(matrix(1:4), rep(1, 4), c(1, 1, 2, 2))
  expect_snapshot_error(fit(adaboost_mh(), data),
                        class = "rankmix_error_one_grade")
})

test_that("arguments of fit() are checked", {
  data <- random_data()
  expect_error(fit(adaboost_mh(), data, valdation = data),
               class = "rankmix_error_argument")
  expect_error(predict(fit(adaboost_mh(base_stump(), rounds = 2), data), data,
                       nrounds = 1),
               class = "rankmix_error_argument")
  refuse <- function(code) {
    expect_snapshot_error(code, class = "rankmix_error_argument")
  }
  refuse(fit(adaboost_mh(), data$x))
  refuse(fit(adaboost_mh(), data, validation = 1))
  refuse(fit(adaboost_mh(), data, seed = -1))
  refuse(fit(adaboost_mh(), data, threads = 0))
  refuse(fit(adaboost_mh(), data, verbose = NA))
})

test_that("a progress bar reports and changes nothing", {
  data <- random_data()
  spec <- adaboost_mh(base_tree(3), rounds = 20)
  seen <- integer()
  local_mocked_bar <- function(done, total) seen <<- c(seen, done)
  bins <- rankmix:::bins_of(spec, data, 1L)
  quiet <- fit(spec, data, seed = 1)
  task <- rankmix:::new_task(data, 1, 1L, local_mocked_bar, bins = function(spec) bins)
  loud <- rankmix:::entry_of(spec)$train(spec, task)
  expect_identical(loud$alpha, quiet$alpha)
  expect_identical(utils::tail(seen, 1), 20)
  expect_identical(suppressMessages(fit(spec, data, seed = 1, verbose = TRUE)),
                   quiet)
})

test_that("a ranker without rounds to add is not trained further", {
  data <- random_data(queries = 8, features = 3)
  model <- fit(linear_ranker(penalty = 1), data, verbose = FALSE)
  expect_snapshot_error(fit(model, data), class = "rankmix_error_argument")
  expect_snapshot_error(fit(mix(list(a = model), data), data), class = "rankmix_error_argument")
  entries <- lapply(rankmix:::built_in_rankers(), rankmix:::built_in_entry)
  grows <- vapply(entries, function(entry) !is.null(entry$grow), NA)
  resumes <- vapply(entries, function(entry) {
    all(c("rounds", "resumable") %in% rankmix:::entry_traits(entry))
  }, NA)
  expect_identical(grows, resumes)
})

test_that("a loss without weights of documents is named as the reason", {
  data <- simulate_ranking(12, features = 5, seed = 1)$data
  data <- ranking_data(as.data.frame(data), relevance = relevance, query = query,
                       document_weight = 1 / (1 + relevance))
  expect_error(fit(gbrt(trees = 2, objective = loss_smooth("ndcg")), data), "This loss of `gbrt\\(\\)`",
               class = "rankmix_error_weights")
})

test_that("eval_every without patience is refused", {
  train <- example_part("train")
  valid <- example_part("vali")
  expect_snapshot_error(fit(gbrt(5), train, valid, eval_every = 2, threads = 1), class = "rankmix_error_argument")
  model <- fit(gbrt(5), train, valid, seed = 1, threads = 1, patience = 5, eval_every = 2)
  expect_true(all(c(2, 4, 5) %in% model$curve$rounds))
  expect_error(fit(model, train, valid, rounds = 6, eval_every = 2), "with `patience`",
               class = "rankmix_error_argument")
})

test_that("an option that some settings exclude is not said to be missing in all", {
  alone <- communicator(rank = 0, size = 1, add = identity, max = identity, gather = list)
  data <- simulate_ranking(4, seed = 3)$data
  for (spec in list(gbrt(5, categories = "subsets"), rankboost(max_bin = Inf))) {
    expect_error(fit(spec, data, cluster = alone), "with these settings has no `cluster`",
                 class = "rankmix_error_option")
  }
})
