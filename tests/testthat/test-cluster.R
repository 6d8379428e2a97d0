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

test_that("a communicator cannot be used after a call that failed", {
  answers <- function(x) if (x[1] < 0) stop("no answer") else x
  one <- communicator(0, 1, answers, identity, list)
  expect_identical(one$add(one$add(2)), 2)
  expect_error(one$add(-1), "no answer")
  for (name in c("add", "max", "gather")) expect_error(one[[name]](2), class = "rankmix_error_cluster")
  stopped <- communicator(0, 1, identity, identity, list, abort = function(message) "sent")
  expect_error(rankmix:::with_cluster_failure(stopped, stop("my own fault")), "my own fault")
  expect_snapshot(error = TRUE, stopped$add(2))
  # All ranks refuse different arguments alike, so they are still at the same call.
  two <- communicator(0, 2, identity, identity, function(raw) {
    list(raw, rankmix:::vectors_to_raw(list("seed", "2")))
  })
  expect_error(rankmix:::cluster_handshake(two, list(seed = 1)), "Rank 1 differs")
  expect_identical(two$add(2), 2)
})
