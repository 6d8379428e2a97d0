leak_case <- function(n = 40, seed = 1) {
  set.seed(seed)
  data.frame(grade = sample(0:2, n, TRUE), q = rep(seq_len(n / 5), 5), a = rnorm(n),
             b = round(runif(n)))
}

# A slow reference implementation, which compares the values of the feature between grades.
naive_leak <- function(x, grade) {
  if (anyNA(x) || length(unique(grade)) < 2L) {
    return("none")
  }
  if (all(x == grade)) {
    return("equal")
  }
  of_grade <- tapply(x, grade, unique)
  if (any(lengths(of_grade) > 1L)) {
    return("none")
  }
  steps <- diff(unlist(of_grade))
  if (all(steps > 0)) "rising" else if (all(steps < 0)) "falling" else "none"
}

leaves_out <- function(code, columns) {
  expect_warning(data <- code, class = "rankmix_warning_leak")
  expect_false(any(columns %in% data$features))
  expect_true(columns[1] %in% data$columns)
  data
}

test_that("a copy of the grades of any type is no feature", {
  frame <- leak_case()
  plain <- ranking_data(frame, grade, q)
  # The grades have names, so they are not identical to any column. The check must still find the copy.
  grade <- stats::setNames(frame$grade, frame$q)
  copies <- list(as.double(grade), as.integer(grade), factor(frame$grade),
                 factor(frame$grade, 3:0),
                 factor(frame$grade, 0:2, ordered = TRUE))
  for (copy in copies) {
    frame$copy <- copy
    data <- leaves_out(ranking_data(frame[-1], grade, frame$q),
                       c("copy", "copy=0", "copy=1"))
    expect_identical(data$x, plain$x)
    expect_identical(data$encoding, list())
  }
  binary <- as.integer(grade > 0)
  names(binary) <- frame$q
  for (copy in list(frame$grade > 0, factor(binary, labels = c("no", "yes")),
                    as.double(binary))) {
    frame$copy <- copy
    leaves_out(ranking_data(frame[-1], binary, frame$q), c("copy", "copy=no", "copy=yes"))
  }
})

test_that("a feature that reveals the grades does not make rankers perfect", {
  local_known_warnings("ties")
  frame <- leak_case(100)
  frame$y <- as.double(frame$grade)
  frame$grade <- NULL
  data <- leaves_out(ranking_data(frame, as.integer(frame$y), frame$q), "y")
  model <- fit(adaboost_mh(base_stump(), rounds = 20), data, seed = 1)
  expect_lt(summary(evaluate(model, data, metric_ndcg(10)))$mean, 0.99)
  # New data may have the column or lack it.
  expect_silent(scores <- predict(model, frame))
  expect_identical(predict(model, frame[c("b", "a")]), scores)
  expect_silent(expect_identical(predict(model, as.matrix(frame)), scores))
})

test_that("dense and sparse matrices, formulas and files are searched", {
  frame <- leak_case()
  frame$copy <- as.double(frame$grade)
  x <- as.matrix(frame[c("a", "copy", "b")])
  leaves_out(ranking_data(x, frame$grade, frame$q), "copy")
  leaves_out(ranking_data(pmin(grade, 9L) ~ a + copy, frame, q), "copy")
  if (requireNamespace("Matrix", quietly = TRUE)) {
    sparse <- Matrix::Matrix(x, sparse = TRUE)
    data <- leaves_out(ranking_data(sparse, frame$grade, frame$q), "copy")
    expect_identical(data$features, c("a", "b"))
  }
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(frame, file, row.names = FALSE)
  leaves_out(read_ranking(file, pmin(grade, 9.5), q), "copy")
})

test_that("positions of matrices without names do not change", {
  frame <- leak_case(100)
  x <- unname(as.matrix(cbind(frame$a, frame$grade, frame$b)))
  data <- leaves_out(ranking_data(x, frame$grade, frame$q), "x2")
  expect_identical(data$features, c("x1", "x3"))
  model <- fit(adaboost_mh(base_stump(), rounds = 5), data, seed = 1)
  scores <- predict(model, data)
  expect_identical(predict(model, x), scores)
  expect_identical(predict(model, x[, -2]), scores)
  expect_identical(predict(model, ranking_data(x, query = frame$q)), scores)
  expect_identical(predict(model, as.data.frame(x)), scores)
  expect_error(predict(model, cbind(x, 1)), class = "rankmix_error_newdata")
  # The other data lost another column. No other feature moves into its place.
  y <- x
  y[, 3] <- frame$grade
  y[, 2] <- frame$b
  other <- leaves_out(ranking_data(y, frame$grade, frame$q), "x3")
  expect_snapshot_error(predict(model, other), class = "rankmix_error_newdata")
  whole <- fit(adaboost_mh(base_stump(), rounds = 5),
               ranking_data(cbind(frame$a, frame$b), frame$grade, frame$q), seed = 1)
  expect_identical(predict(whole, frame[c("a", "b")]), scores)
})

test_that("LETOR text keeps the feature and warns", {
  frame <- leak_case()
  file <- local_letor(sprintf("%d qid:%d 1:%f 2:%d", frame$grade, frame$q, frame$a,
                              frame$grade))
  suppressMessages({
    expect_snapshot(data <- read_letor(file))
    expect_warning(sparse <- read_letor(file, sparse = TRUE),
                   class = "rankmix_warning_leak")
  })
  expect_identical(data$features, c("f1", "f2"))
})

test_that("a feature that rises or falls with the grades is kept, with a warning", {
  frame <- leak_case()
  frame$twice <- 2 * frame$grade + 1
  frame$less <- -exp(frame$grade)
  expect_snapshot(data <- ranking_data(frame, grade, q))
  expect_identical(data$features, c("a", "b", "twice", "less"))
  frame$twice[7] <- frame$twice[7] + 1e-9
  frame$less[3] <- NA
  expect_silent(ranking_data(frame, grade, q))
  frame$mixed <- c(5, 1, 7)[frame$grade + 1]
  expect_silent(ranking_data(frame, grade, q))
})

test_that("messages name the feature and the remedy", {
  frame <- leak_case()
  frame$copy <- as.double(frame$grade)
  expect_snapshot(data <- ranking_data(frame, pmin(frame$grade, 9), q))
  expect_snapshot(data <- ranking_data(unname(as.matrix(frame[3:5])), frame$grade, frame$q))
  frame$again <- factor(frame$grade)
  expect_snapshot_error(ranking_data(frame[5:6], frame$grade + 0L, frame$q),
                        class = "rankmix_error_feature")
})

test_that("there is no message if the order of grades has no meaning", {
  # All documents have the same grade.
  expect_silent(ranking_data(cbind(a = rep(1, 20), b = 1:20), rep(1, 20), rep(1:4, 5)))
  # There are too few documents.
  expect_silent(ranking_data(cbind(a = c(1, 0, 0, 0, 1, 0), b = 1:6), c(1, 0, 0, 0, 1, 0),
                             c(1, 1, 1, 2, 2, 2)))
  expect_silent(ranking_data(cbind(a = c(3, 1, 5, 1, 3, 1)), c(1, 0, 2, 0, 1, 0),
                             c(1, 1, 1, 2, 2, 2)))
})

test_that("parts of data are not searched for leaks again", {
  frame <- leak_case()
  frame$b <- ifelse(frame$q <= 4, frame$grade, frame$b)
  data <- ranking_data(frame, grade, q)
  expect_silent(part <- data[1:4])
  expect_true("b" %in% part$features)
  expect_silent(c(data[1:2], data[3:4]))
  expect_silent(split_parts(split_queries(data, 0.5, seed = 1), data))
})

test_that("the core and the simple method find the same leaks, in dense and sparse data", {
  set.seed(1)
  for (i in seq_len(60)) {
    n <- sample(1:30, 1)
    grade <- sample(0:3, n, TRUE, prob = runif(4))
    maps <- replicate(12, sample(c(-1, 0, 0.5, 1, 2, 3), 4, TRUE))
    x <- cbind(apply(maps, 2, function(map) map[grade + 1]), grade, 3 - grade,
               sample(0:1, n, TRUE))
    x <- matrix(as.double(x), n)
    x[sample(length(x), sample(0:2, 1))] <- NA
    wanted <- match(apply(x, 2, naive_leak, grade),
                    c("none", "equal", "rising", "falling")) - 1L
    expect_identical(rankmix:::find_leaks(x, grade, 2L), wanted)
    skip_if_not_installed("Matrix")
    sparse <- methods::as(methods::as(Matrix::Matrix(x, sparse = TRUE), "generalMatrix"),
                          "CsparseMatrix")
    expect_identical(rankmix:::find_leaks(sparse, grade, 2L), wanted)
  }
})
