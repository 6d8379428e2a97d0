# Rank 0 of two ranks. `other` has the numbers that rank 1 adds.
with_other <- function(other) {
  rankmix:::new_communicator(0, 2, function(x) x + other, pmax, function(raw) list(raw, raw))
}

test_that("a folder that a rank cannot see is an error that names the rank", {
  folder <- withr::local_tempdir()
  expect_error(open_run_of_ranks(folder, with_other(c(0, 1)), function() list(identity = "a", seed = 1)),
               "Rank 1 cannot see", class = "rankmix_error_cluster")
  expect_error(open_run_of_ranks(file.path(folder, "none"), with_other(c(0, 0)), function() list(identity = "a", seed = 1)),
               "Rank 0 cannot see", class = "rankmix_error_cluster")
})

test_that("results that a rank lacks are computed again", {
  run <- open_run_of_ranks(withr::local_tempdir(), with_other(c(0, 0)), function() list(identity = "a", seed = 1))
  expect_identical(run$agree(list(1, NULL)), list(1, NULL))
  expect_identical(results_of_ranks(list(1, 2, NULL), with_other(c(0, 1, 0))), list(1, NULL, NULL))
})

test_that("the identity of data does not depend on the order of queries, and covers all roles", {
  data <- random_data(queries = 6, seed = 2)
  data$weight <- c(1, 2, 1, 1, 3, 1)
  expect_identical(contents_of_validation(data), contents_of_validation(sorted_by_id(data)))
  whole <- binned_data(data, verbose = FALSE)
  found <- contents_of_binned(whole, 1L)
  other <- whole
  other$weight[2] <- 1
  expect_identical(found, contents_of_binned(whole, 1L))
  expect_false(identical(contents_of_binned(other, 1L)$weight, found$weight))
  expect_identical(contents_of_binned(other, 1L)$digest, found$digest)
})
