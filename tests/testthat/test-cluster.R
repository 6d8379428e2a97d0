test_that("a communicator of one process changes nothing", {
  alone <- communicator(0, 1, identity, identity, list)
  expect_output(print(alone), "<communicator> rank 0 of 1 process", fixed = TRUE)
  expect_identical(rankmix:::cluster_sum(alone, 3L), 3)
  expect_identical(rankmix:::cluster_min(alone, c(3, 1)), c(3, 1))
  expect_true(rankmix:::cluster_any(alone, TRUE))
  expect_false(rankmix:::cluster_all(alone, FALSE))
  expect_null(close(alone))
  data <- simulate_ranking(10, seed = 2)$data
  binned <- binned_data(data, verbose = FALSE)
  expect_identical(fit(gbrt(5), binned, seed = 1, cluster = alone, verbose = FALSE),
                   fit(gbrt(5), binned, seed = 1, verbose = FALSE))
})

test_that("arguments are checked", {
  expect_snapshot(error = TRUE, {
    communicator(2, 2, identity, identity, list)
    communicator(0, 2, 1, identity, list)
    folder_communicator(3, 0, 1)
    folder_communicator(tempfile(), 1, 1)
  })
})
