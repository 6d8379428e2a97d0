# Buckets of documents with the same features. Assessors make errors: `said[u, v]` is the probability of grade v if
# grade u is true.
judged_buckets <- function(buckets, size, said, prior, seed = 1) {
  withr::with_seed(seed, {
    grades <- length(prior)
    truth <- sample(grades, buckets, TRUE, prior)
    judged <- vapply(rep(truth, each = size), function(u) sample(grades, 1L, prob = said[u, ]), 0L)
    bucket <- rep(seq_len(buckets), each = size)
    x <- cbind(rnorm(buckets), rnorm(buckets))[bucket, ]
    order <- sample(length(bucket))
    query <- (bucket %% 20)[order]
    ranking_data(x[order, ], judged[order] - 1L, query)
  })
}
said <- matrix(c(0.8, 0.15, 0.05, 0.2, 0.7, 0.1, 0.02, 0.18, 0.8), 3, byrow = TRUE)
prior <- c(0.5, 0.3, 0.2)
known <- t(prior * said) / colSums(prior * said)

test_that("the paper's tables are matrices with rows that sum to 1", {
  expect_named(yeti_confusion, c("russian", "ukrainian", "inferred"))
  for (p in yeti_confusion) {
    expect_identical(dim(p), c(5L, 5L))
    expect_true(all(abs(rowSums(p) - 1) < 0.0101))
    expect_gt(max(abs(colSums(p) - 1)), 0.02)
  }
  expect_identical(yeti_confusion$russian["3", "2"], 0.52)
})

test_that("a known confusion is estimated, and more precisely with more buckets", {
  error <- function(buckets, method) {
    data <- judged_buckets(buckets, 6, said, prior)
    sqrt(mean((infer_confusion(data, method = method) - known)^2))
  }
  few <- error(200, "em")
  many <- error(5000, "em")
  # 25 times as many buckets divide the error by about 5. The bound of 2.5 leaves a margin.
  expect_lt(many, few / 2.5)
  # The paper's rule takes the truth from the given grades themselves, so its error stays.
  expect_gt(error(5000, "expected"), 2 * many)
})

test_that("the paper's rule agrees with its formula, and a draw is near it", {
  data <- judged_buckets(400, 3, said, prior)
  key <- paste(data$query, data$x[, 1], data$x[, 2])
  counts <- unclass(table(key, data$relevance))
  s <- matrix(0, 3, 3)
  for (b in seq_len(nrow(counts))) s <- s + outer(counts[b, ], counts[b, ]) / sum(counts[b, ])
  found <- infer_confusion(data, method = "expected")
  expect_equal(unclass(found), s / colSums(counts), ignore_attr = TRUE)
  n <- attr(found, "judged")
  expect_equal(n, as.vector(colSums(counts)))
  expect_identical(attr(found, "buckets"), 400L)
  # By the formula, n(v) p(u | v) = n(u) p(v | u).
  expect_equal(n * unclass(found), t(n * unclass(found)), ignore_attr = TRUE)
  drawn <- infer_confusion(data, method = "draw", seed = 1)
  expect_lt(max(abs(drawn - found)), 0.06)
  expect_identical(drawn, infer_confusion(data, method = "draw", seed = 1))
  expect_false(identical(drawn, infer_confusion(data, method = "draw", seed = 2)))
})

test_that("buckets are of near documents of a query, of several, not of zeros", {
  x <- cbind(c(1, 1, 1.01, 5, 0, 0, 1, 3, 3), 1)
  x[5:6, ] <- 0
  data <- ranking_data(x, c(0, 1, 1, 0, 0, 1, 1, 0, 0), c(1, 1, 1, 1, 1, 1, 2, 2, 2))
  judged <- function(...) attr(infer_confusion(data, method = "expected", ...), "judged")
  expect_identical(judged(), c(3, 1))
  expect_identical(judged(zeros = TRUE), c(4, 2))
  expect_identical(judged(within = FALSE), c(3, 2))
  expect_identical(judged(epsilon = 0.01), c(3, 2))
  expect_identical(judged(epsilon = 100), c(4, 3))
  turned <- ranking_data(x[9:1, ], rev(data$relevance), c(2, 2, 2, 1, 1, 1, 1, 1, 1))
  expect_identical(infer_confusion(turned, epsilon = 0.01), infer_confusion(data, epsilon = 0.01))
})

test_that("data without enough information are reported", {
  alone <- ranking_data(matrix(1:6, 6), c(0, 1, 2, 0, 1, 2), rep(1:2, each = 3))
  some <- ranking_data(matrix(c(1, 1, 2, 3, 4, 5), 6), c(0, 1, 2, 0, 1, 2), rep(1:2, each = 3))
  expect_snapshot(error = TRUE, {
    infer_confusion(alone)
    infer_confusion(alone, epsilon = -1)
    infer_confusion(alone, epsilon = 1, within = FALSE)
  })
  expect_error(infer_confusion(alone), class = "rankmix_error_confusion")
  expect_snapshot(p <- infer_confusion(some, method = "expected"))
  expect_warning(infer_confusion(some), class = "rankmix_warning_confusion")
  expect_equal(unclass(p)[3, ], c(0, 0, 1), ignore_attr = TRUE)
  expect_snapshot(p)
})

test_that("the inferred matrix is accepted by yetirank()", {
  data <- judged_buckets(300, 3, said, prior)
  spec <- yetirank(setup = "yetirank", confusion = infer_confusion(data))
  expect_equal(rowSums(spec$confusion), rep(1, 3))
  expect_s3_class(fit(update(spec, trees = 2), data, seed = 1, verbose = FALSE),
                  "rankmix_yetirank_model")
})
