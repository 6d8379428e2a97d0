# Kernel values of rows, computed pair by pair.
naive_kernel <- function(x, z, kernel, center, spread, width = NULL) {
  used <- spread > 0
  standard <- function(v) ((v - center) / spread)[used]
  k <- matrix(0, nrow(x), nrow(z))
  for (i in seq_len(nrow(x))) {
    for (j in seq_len(nrow(z))) {
      a <- standard(x[i, ])
      b <- standard(z[j, ])
      k[i, j] <- if (kernel$name == "gaussian") {
        exp(-sum((a - b)^2) / (2 * width^2))
      } else {
        (sum(a * b) / sum(used) + kernel$offset)^kernel$degree
      }
    }
  }
  k
}

spread_of <- function(x) apply(x, 2, function(v) sqrt(mean((v - mean(v))^2)))

kernels <- list(kernel_gaussian(), kernel_gaussian(0.7), kernel_polynomial(),
                kernel_polynomial(3, 0.5), kernel_polynomial(1, 0))

test_that("the exact map's inner products are the kernel", {
  train <- random_data(queries = 10, seed = 2)
  train$x[, 4] <- 5  # constant
  new <- random_data(queries = 6, seed = 3)
  center <- colMeans(train$x)
  spread <- spread_of(train$x)
  spread[4] <- 0
  for (kernel in kernels) {
    map <- kernel_features(train, kernel, rank = Inf, seed = 1)
    width <- if (is.null(kernel$width)) sqrt(3) else kernel$width
    phi <- predict(map, train)$x
    expect_equal(tcrossprod(phi), naive_kernel(train$x, train$x, kernel, center, spread, width),
                 tolerance = 1e-8)
    # The same holds between training documents and new documents.
    expect_equal(tcrossprod(phi, predict(map, new)$x),
                 naive_kernel(train$x, new$x, kernel, center, spread, width), tolerance = 1e-8)
    expect_equal(crossprod(phi), diag(map$values, length(map$values)),
                 tolerance = 1e-8)  # principal components without centring
  }
})

test_that("new points are mapped by L^-1/2 U' k(x)", {
  train <- random_data(queries = 8, features = 3, seed = 4)
  new <- random_data(queries = 4, features = 3, seed = 5)
  map <- kernel_features(train, kernel_gaussian(1.5), rank = 12, seed = 7)
  expect_identical(nrow(map$landmarks), 12L)
  standard <- function(x) scale(x, colMeans(train$x), spread_of(train$x))
  kernel <- function(x) {
    exp(-apply(map$landmarks, 1, function(z) rowSums(sweep(x, 2, z)^2)) / (2 * 1.5^2))
  }
  # Each landmark is a training document.
  where <- apply(map$landmarks, 1, function(z) min(colSums(abs(t(standard(train$x)) - z))))
  expect_lt(max(where), 1e-12)
  parts <- eigen(kernel(map$landmarks), symmetric = TRUE)
  expect_equal(map$values, parts$values, tolerance = 1e-10)
  for (data in list(train, new)) {
    slow <- kernel(standard(data$x)) %*% parts$vectors %*% diag(1 / sqrt(parts$values))
    fast <- predict(map, data)$x
    expect_equal(abs(unname(slow)), abs(fast), tolerance = 1e-8)
  }
  # The Nystroem approximation is exact if one of the two points is a landmark.
  at <- predict(map, sweep(sweep(map$landmarks, 2, map$factor, "/"), 2, map$center, "+"))
  expect_equal(unname(tcrossprod(at, predict(map, new)$x)), t(kernel(standard(new$x))),
               tolerance = 1e-8)
})

test_that("with all landmarks the map is exact, whatever the order of rows, copies and seeds", {
  train <- random_data(queries = 10, features = 3, distinct = 3, seed = 1)
  distinct <- nrow(unique(train$x))
  expect_lt(distinct, nrow(train$x))
  exact <- kernel_features(train, rank = Inf, seed = 1)
  expect_identical(nrow(exact$landmarks), distinct)
  expect_identical(kernel_features(train, rank = distinct, seed = 2), exact)
  expect_identical(kernel_features(train, rank = 10000), exact)
  set.seed(1)
  rows <- sample(nrow(train$x))
  mixed <- ranking_data(train$x[rows, ], train$relevance[rows], train$query[rows])
  few <- kernel_features(train, rank = 7, seed = 3)
  same <- kernel_features(mixed, rank = 7, seed = 3)
  keys <- c("landmarks", "values", "coefficients", "center", "factor")
  expect_identical(few[keys], same[keys])
  expect_identical(kernel_features(mixed, rank = Inf)[keys], exact[keys])
  expect_identical(predict(few, mixed)$x, predict(few, train)$x[rows, ])
  expect_false(identical(kernel_features(train, rank = 7, seed = 4)$landmarks, few$landmarks))
  # Copies of all rows change only the last bits of means.
  twice <- c(train, train, shared = "new")
  expect_equal(kernel_features(twice, rank = 7, seed = 3)[keys], few[keys], tolerance = 1e-10)
})

test_that("more landmarks come closer to the kernel", {
  train <- random_data(queries = 20, seed = 6)
  exact <- tcrossprod(predict(kernel_features(train, rank = Inf), train)$x)
  left <- vapply(c(5, 20, 60), function(rank) {
    mean(vapply(1:10, function(seed) {
      near <- tcrossprod(predict(kernel_features(train, rank = rank, seed = seed), train)$x)
      # The difference is positive semidefinite, so its trace measures its size.
      expect_gt(min(eigen(exact - near, TRUE, only.values = TRUE)$values), -1e-8)
      sum(diag(exact - near))
    }, 0))
  }, 0)
  expect_true(all(diff(left) < 0))
})

test_that("the result is ranking data like any other", {
  train <- random_data(queries = 10)
  map <- kernel_features(train, rank = 8, seed = 1)
  mapped <- predict(map, train)
  expect_s3_class(mapped, "ranking_data")
  expect_identical(mapped$features, paste0("kernel", 1:8))
  for (part in c("query", "query_ids", "relevance", "order", "offsets")) {
    expect_identical(mapped[[part]], train[[part]])
  }
  expect_identical(predict(map, train, threads = 1), mapped)
  # A subset of queries has the same features as in the whole data. A matrix has the same features as ranking data.
  expect_identical(predict(map, train[3:5])$x, mapped[3:5]$x)
  expect_identical(unname(predict(map, train$x)), mapped$x)
  named <- ranking_data(`colnames<-`(train$x, letters[1:4]), train$relevance, train$query)
  map_named <- kernel_features(named, rank = 8, seed = 1)
  frame <- as.data.frame(named$x)
  names(frame) <- letters[1:4]
  expect_identical(unname(predict(map_named, frame[4:1])), mapped$x)
  # A saved map gives the same features.
  file <- withr::local_tempfile()
  saveRDS(map, file)
  expect_identical(predict(readRDS(file), train), mapped)
  unjudged <- ranking_data(train$x, query = train$query)
  expect_identical(predict(kernel_features(unjudged, rank = 8, seed = 1), unjudged)$x, mapped$x)
  expect_output(print(map), "8 of .* distinct documents, 4 features to 8")
  expect_output(print(kernel_polynomial()), "kernel_polynomial(degree = 2, offset = 1)",
                fixed = TRUE)
})

test_that("with a seed R's generator is unchanged, and without a seed it decides", {
  train <- random_data(queries = 10)
  set.seed(1)
  before <- .Random.seed
  kernel_features(train, rank = 5, seed = 1)
  expect_identical(.Random.seed, before)
  first <- kernel_features(train, rank = 5)
  set.seed(1)
  expect_identical(kernel_features(train, rank = 5), first)
})

test_that("a linear ranker learns a nonlinear function", {
  set.seed(1)
  x <- matrix(runif(1200, -1, 1), 600)
  data <- ranking_data(x, as.integer(x[, 1] * x[, 2] > 0), rep(1:60, each = 10))
  train <- data[1:30]
  test <- data[31:60]
  plain <- fit(linear_ranker(penalty = 1e-4), train, threads = 1)
  for (kernel in list(kernel_gaussian(), kernel_polynomial())) {
    map <- kernel_features(train, kernel, rank = 100, seed = 1)
    curved <- fit(linear_ranker(penalty = 1e-4), predict(map, train), threads = 1)
    value <- function(model, data) summary(evaluate(model, data, "ap"))$mean
    expect_gt(value(curved, predict(map, test)), 0.95)
    expect_lt(value(plain, test), 0.75)
  }
})

test_that("sparse, constant and single data are mapped", {
  train <- random_data(queries = 10, distinct = 3, seed = 2)
  train$x[train$x == 1] <- 0
  skip_if_not_installed("Matrix")
  sparse <- ranking_data(Matrix::Matrix(train$x, sparse = TRUE), train$relevance, train$query)
  dense <- ranking_data(train$x, train$relevance, train$query)
  map <- kernel_features(dense, rank = 9, seed = 1)
  expect_identical(kernel_features(sparse, rank = 9, seed = 1)$values, map$values)
  expect_identical(predict(map, sparse)$x, predict(map, dense)$x)
  constant <- ranking_data(matrix(3, 4, 2), c(0, 1, 0, 1), rep(1, 4))
  expect_identical(predict(kernel_features(constant), constant)$x, matrix(1, 4, 1))
  none <- predict(kernel_features(constant, kernel_polynomial(1, 0)), constant)
  expect_identical(none$x, matrix(0, 4, 1))
  # Without scaling, the width is the root of the sum of the variances.
  unscaled <- kernel_features(dense, scale = FALSE)
  expect_equal(unscaled$kernel$width, sqrt(sum(spread_of(train$x)^2)))
  expect_equal(tcrossprod(predict(unscaled, dense)$x),
               exp(-as.matrix(unname(dist(train$x)))^2 / (2 * unscaled$kernel$width^2)),
               tolerance = 1e-8, ignore_attr = TRUE)
})

test_that("bad input is refused", {
  train <- random_data(queries = 10)
  map <- kernel_features(train, rank = 5, seed = 1)
  argument <- function(code) expect_snapshot_error(code, class = "rankmix_error_argument")
  argument(kernel_features())
  argument(kernel_features(train, "gaussian"))
  argument(kernel_features(train, rank = 0))
  argument(kernel_gaussian(0))
  argument(kernel_polynomial(1.5))
  argument(kernel_polynomial(2, -1))
  argument(predict(map))
  argument(predict(map, train, rounds = 3))
  many <- ranking_data(matrix(as.double(1:10001)), rep(0:1, length.out = 10001), rep(1, 10001))
  argument(kernel_features(many, rank = Inf))
  lacking <- random_data(queries = 10, missing = 0.1)
  expect_snapshot_error(kernel_features(lacking), class = "rankmix_error_missing")
  expect_snapshot_error(predict(map, lacking), class = "rankmix_error_missing")
  expect_snapshot_error(predict(map, train$x[, 1:3]), class = "rankmix_error_newdata")
  huge <- ranking_data(matrix(c(1, 2, .Machine$double.xmax, 0), 4), c(0, 1, 0, 1), rep(1, 4))
  expect_snapshot_error(kernel_features(huge), class = "rankmix_error_feature")
})
