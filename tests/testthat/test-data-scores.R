test_that("scores are read back identically", {
  set.seed(1)
  bits <- rnorm(2000) * 10^runif(2000, -300, 300)
  scores <- c(bits, 0, -0, 1 / 3, .Machine$double.xmax, 5e-324, -Inf, Inf, 1e22,
              123456789012345680)
  file <- tempfile()
  expect_identical(write_scores(scores, file), file)
  back <- read_scores(file)
  expect_identical(back, scores)
  expect_identical(1 / back[2002], -Inf)
})

test_that("scores of other programs are read", {
  file <- local_letor(c(" 1e-5", "+1", ".5\r", "5.", "", "-0"), "scores.txt")
  expect_identical(read_scores(file), c(1e-5, 1, 0.5, 5, -0))
  local_letor(c("Infinity", "-INF", "+inf"), "scores.txt")
  expect_identical(read_scores("scores.txt"), c(Inf, -Inf, Inf))
  expect_error(write_scores(matrix(1, 2, 2), "scores.txt"),
               class = "rankmix_error_scores")
  local_letor(c("1", "2 3"), "scores.txt")
  expect_snapshot_error(read_scores("scores.txt"), class = "rankmix_error_parse")
  local_letor(c("1", "NaN"), "scores.txt")
  expect_snapshot_error(read_scores("scores.txt"), class = "rankmix_error_parse")
})
