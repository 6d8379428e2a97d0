# The background of an explanation is the training documents, which the model keeps.

realistic <- simulate_ranking(60, features = 6, seed = 11)$data
new <- simulate_ranking(8, features = 6, seed = 12)$data
every_ranker <- lapply(stats::setNames(nm = rankers_of_documents()), function(name) {
  do.call(name, small_arguments(name))
})

for (name in names(every_ranker)) {
  test_that(paste(name, "explains one document as it is among others"), {
    learned <- suppressWarnings(fit(every_ranker[[name]], realistic, seed = 3, verbose = FALSE))
    rows <- order(predict(learned, new))[c(1L, nrow(new$x))]
    all <- explain(learned, new, seed = 1, threads = 1)
    expect_true(any(all$values[rows, ] != 0))
    for (row in rows) {
      one <- explain(learned, new$x[row, , drop = FALSE], seed = 1, threads = 2)
      expect_equal(one$values[1L, ], all$values[row, ], tolerance = 1e-12)
      expect_identical(one$base, all$base)
    }
    expect_lt(max(abs(all$scores - predict(learned, new))), 1e-9)

    file <- withr::local_tempfile(fileext = ".rds")
    saveRDS(learned, file)
    expect_identical(explain(readRDS(file), new, seed = 1), all)
    skip_if_not_installed("jsonlite")
    expect_identical(explain(written_and_read(learned), new, seed = 1), all)
  })
}

kept <- function(data, threads = 1) {
  fit(mcsvm(), data, seed = 1, threads = threads, verbose = FALSE)$background
}

test_that("the kept documents do not depend on row order, threads, or copies in place of weights", {
  expected <- kept(realistic)
  expect_identical(dim(expected$documents), c(100L, 6L))
  rows <- withr::with_seed(2, sample(nrow(realistic$x)))
  shuffled <- ranking_data(realistic$x[rows, ], realistic$relevance[rows], realistic$query[rows])
  expect_identical(kept(shuffled), expected)
  expect_identical(kept(realistic, threads = 2), expected)

  weight <- rep(c(1, 2, 0), length.out = 60)
  weighted <- ranking_data(realistic$x, realistic$relevance, realistic$query,
                           weight = weight[realistic$query])
  once <- which(weight[realistic$query] > 0)
  twice <- which(weight[realistic$query] == 2)
  copies <- ranking_data(realistic$x[c(once, twice), ], realistic$relevance[c(once, twice)],
                         c(realistic$query[once], realistic$query[twice] + 100))
  expect_identical(kept(weighted)$documents, kept(copies)$documents)
  expect_equal(kept(weighted)$means, unname(colMeans(copies$x)), tolerance = 1e-12)
})

test_that("the documents that are kept stand for the others", {
  expect_equal(kept(realistic)$means, unname(colMeans(realistic$x)), tolerance = 1e-12)
  documents <- kept(realistic)$documents
  expect_true(all(paste(documents[, 1], documents[, 6]) %in%
                    paste(realistic$x[, 1], realistic$x[, 6])))
  error <- apply(realistic$x, 2, stats::sd) / sqrt(nrow(documents))
  expect_true(all(abs(colMeans(documents) - colMeans(realistic$x)) <= error))
})

test_that("sparse data keep the same documents as dense data", {
  skip_if_not_installed("Matrix")
  thin <- realistic$x
  thin[abs(thin) < 0.4] <- 0
  dense <- ranking_data(thin, realistic$relevance, realistic$query)
  sparse <- ranking_data(Matrix::Matrix(thin, sparse = TRUE), realistic$relevance, realistic$query)
  one <- rankmix:::with_background(structure(list(), class = "rankmix_mcsvm_model"), dense, 1)
  other <- rankmix:::with_background(structure(list(), class = "rankmix_mcsvm_model"), sparse, 1)
  expect_identical(other, one)
})

test_that("a model that keeps no documents asks for them", {
  learned <- fit(mcsvm(), realistic, verbose = FALSE)
  learned$background <- NULL
  expect_snapshot_error(explain(learned, new), class = "rankmix_error_argument")
  expect_silent(explain(learned, new, background = realistic, times = 2))
  expect_error(explain(learned, new, type = "linear"), class = "rankmix_error_argument")
})

# A slow reference implementation of content_keys() of the core.
naive_keys <- function(x, weights) {
  x <- as.matrix(x)
  keys <- numeric(nrow(x))
  for (j in seq_len(ncol(x))) {
    largest <- max(abs(x[weights > 0, j]), 0, na.rm = TRUE)
    if (largest == 0) next
    factor <- 0.5 + (j * 0.6180339887498949) %% 1
    keys <- keys + ifelse(is.na(x[, j]), -1.7320508075688772, x[, j] / largest) * factor
  }
  keys
}

test_that("documents are in the order of sums of their features, dense or sparse", {
  x <- cbind(realistic$x, 0, NA)
  x[seq(2, length(x), by = 7)] <- 0
  x[seq(5, length(x), by = 11)] <- NA
  weights <- rep(c(1, 0, 2), length.out = nrow(x))
  keys <- rankmix:::content_keys(x, weights)
  expect_equal(keys[weights > 0], naive_keys(x, weights)[weights > 0], tolerance = 1e-12)
  skip_if_not_installed("Matrix")
  expect_identical(rankmix:::content_keys(Matrix::Matrix(x, sparse = TRUE), weights), keys)
})
