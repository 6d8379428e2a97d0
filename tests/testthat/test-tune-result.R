test_that("print, tidy and glance show the choice and the gain", {
  data <- simulate_ranking(50, documents = 6, seed = 4)$data
  found <- tune_ranker(gbrt(10), data[1:30], data[31:50], budget = 6, seed = 2, threads = 1, verbose = FALSE)
  expect_identical(tidy(found), found$candidates)
  row <- glance(found)
  expect_identical(row$candidates, nrow(found$candidates))
  expect_identical(row[c("gain", "lower", "upper")], found$gain[c("gain", "lower", "upper")])
  found$candidates$value <- round(found$candidates$value, 2)
  withr::local_options(width = 80)
  printed <- utils::capture.output(print(found))
  expect_lte(max(nchar(printed)), 80L)
  expect_match(printed[1L], "<rankmix_tuning> 6 candidates, ndcg@10 on 20 validation queries")
  expect_match(paste(printed, collapse = " "), "optimistic")
  found$best <- found$default
  expect_output(print(found), "No candidate was better than the default settings.")
})

test_that("a best candidate at its limit of rounds gets a hint", {
  data <- simulate_ranking(50, documents = 6, seed = 4)$data
  found <- tune_ranker(gbrt(3), data[1:30], data[31:50], budget = 3, seed = 2, threads = 1, verbose = FALSE,
                       space = list(learning_rate = c(0.1, 0.2)))
  found$candidates$rounds[found$best] <- 3
  expect_output(print(found), "uses 3 of at most 3 rounds")
  found$candidates$rounds[found$best] <- 1
  expect_no_match(paste(utils::capture.output(print(found)), collapse = " "), "at most")
})

test_that("settings that are no numbers are texts", {
  data <- simulate_ranking(50, documents = 6, seed = 4)$data
  found <- tune_ranker(adaboost_mh(rounds = 5), data[1:30], data[31:50], budget = 6, seed = 2, threads = 1,
                       verbose = FALSE, space = list(base = list(base_stump(), base_tree(4))))
  expect_type(found$candidates$base, "character")
  expect_true("base_tree(4)" %in% found$candidates$base)
})
