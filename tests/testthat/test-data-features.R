test_that("a matrix of doubles is not copied", {
  x <- matrix(runif(12), 6)
  data <- ranking_data(x, rep(0:1, 3), rep(1:2, 3))
  expect_true(rlang::is_reference(data$x, x))
})

test_that("all matrices of the package Matrix are accepted", {
  skip_if_not_installed("Matrix")
  case <- sparse_case(n = 50, features = 8)
  case$x[is.na(case$x)] <- 1
  wanted <- ranking_data(case$x, case$relevance, case$query)
  for (class in c("RsparseMatrix", "TsparseMatrix")) {
    other <- methods::as(case$x, class)
    expect_identical(ranking_data(other, case$relevance, case$query), wanted)
  }
  logical <- case$x > 0
  expect_identical(ranking_data(logical, case$relevance, case$query)$x,
                   methods::as(Matrix::drop0(logical) * 1, "CsparseMatrix"))
  full <- Matrix::Matrix(as.matrix(case$x), sparse = FALSE)
  expect_identical(ranking_data(full, case$relevance, case$query)$x, as.matrix(case$x))
  # Zeros that are stored are dropped.
  stored <- case$x
  stored@x[1:5] <- 0
  expect_identical(ranking_data(stored, case$relevance, case$query)$x,
                   Matrix::drop0(stored))
})

test_that("sparse data are usable where the package Matrix is not loaded yet", {
  skip_if_not_installed("Matrix")
  case <- sparse_case(n = 100)
  data <- ranking_data(case$x, case$relevance, case$query)
  folder <- withr::local_tempdir()
  saveRDS(list(data, fit(adaboost_mh(base_stump(), rounds = 3), data)),
          file.path(folder, "saved.rds"))
  script <- child_script(folder, c(
    "saved <- readRDS('saved.rds')",
    "stopifnot(!'Matrix' %in% loadedNamespaces())",
    "invisible(predict(saved[[2]], saved[[1]]$x))",
    "invisible(ranking_data(saved[[1]]$x, saved[[1]]$relevance, saved[[1]]$query))",
    "part <- saved[[1]][1:3]",
    "stopifnot(!'package:Matrix' %in% search())",
    "invisible(capture.output(print(saved[[1]]), summary(saved[[1]])))",
    "writeLines(as.character(c(dim(part), dim(saved[[1]]))), 'out.txt')",
    "saveRDS(predict(saved[[2]], part), 'scores.rds')"
  ))
  status <- system2(file.path(R.home("bin"), "Rscript"), script, stdout = FALSE)
  expect_identical(status, 0L)
  rows <- sum(data$query %in% 1:3)
  expect_identical(as.integer(readLines(file.path(folder, "out.txt"))),
                   c(rows, 40L, 100L, 40L))
  expect_length(readRDS(file.path(folder, "scores.rds")), rows)
})
