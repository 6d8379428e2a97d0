# The values of levels from some documents, by the formula on the help page.
slow_target <- function(level, levels, grade, weight, smooth) {
  mean <- sum(weight * grade) / sum(weight)
  vapply(levels, function(l) {
    at <- level %in% l
    value <- (sum(weight[at] * grade[at]) + smooth * mean) / (sum(weight[at]) + smooth)
    if (is.nan(value)) mean else value
  }, 0)
}

target_frame <- function(queries = 12, size = 10) {
  set.seed(3)
  n <- queries * size
  brand <- factor(sample(c(letters[1:8], NA), n, TRUE), c(letters[1:8], "never"))
  site <- factor(sample(c("x", "y"), n, TRUE))
  grade <- pmin(3, pmax(0, round(as.integer(brand) %% 3 + rnorm(n) / 2)))
  grade[is.na(grade)] <- 1
  data.frame(grade, query = rep(sprintf("q%02d", seq_len(queries)), each = size),
             weight = rep(sample(c(1, 2.5, 3), queries, TRUE), each = size), brand, score = rnorm(n), site)
}

test_that("values of levels are smoothed means, for training data from other folds", {
  frame <- target_frame()
  data <- ranking_data(frame, grade, query, weight = weight)
  for (smooth in c(0, 10)) {
    encoding <- target_encoding(data, smooth = smooth, folds = 4, seed = 1)
    slow <- function(rows) {
      slow_target(frame$brand[rows], levels(frame$brand), frame$grade[rows], frame$weight[rows], smooth)
    }
    all <- seq_len(nrow(frame))
    expect_equal(encoding$values$brand, unname(slow(all)), tolerance = 1e-14)
    expect_equal(encoding$mean, weighted.mean(frame$grade, frame$weight))
    expect_identical(encoding$data$features, c("score", "brand_target", "site_target"))
    fold <- target_folds(data, 4, 1)[data$query]
    expect_identical(sort(unique(fold)), 1:4)
    expect_true(all(tapply(fold, frame$query, function(f) length(unique(f))) == 1))
    for (f in 1:4) {
      values <- slow(fold != f)[frame$brand[fold == f]]
      values[is.na(values)] <- weighted.mean(frame$grade[fold != f], frame$weight[fold != f])
      expect_equal(encoding$data$x[fold == f, 2], unname(values), tolerance = 1e-14)
    }
    new <- encoding$values$brand[frame$brand]
    expect_identical(predict(encoding, data)$x[, 2], ifelse(is.na(new), encoding$mean, new))
  }
})

test_that("neither the order of rows nor the coding of levels changes an encoding", {
  frame <- target_frame()
  data <- ranking_data(frame, grade, query, weight = weight)
  encoding <- target_encoding(data, seed = 1)
  set.seed(5)
  mixed <- sample(nrow(frame))
  other <- frame[mixed, ]
  other$brand <- factor(as.character(other$brand), rev(levels(frame$brand)))
  again <- target_encoding(ranking_data(other, grade, query, weight = weight), seed = 1)
  expect_identical(rev(again$values$brand), encoding$values$brand)
  expect_identical(again$data$x, encoding$data$x[mixed, ])
})

test_that("a model of encoded data predicts equally for new data, matrices and frames", {
  frame <- target_frame()
  data <- ranking_data(frame, grade, query, weight = weight)
  encoding <- target_encoding(data, columns = "brand", seed = 1)
  expect_identical(encoding$data$features, c("score", "site=x", "site=y", "brand_target"))
  model <- fit(linear_ranker(), encoding$data)
  scores <- predict(model, predict(encoding, data))
  expect_identical(predict(model, predict(encoding, frame)), scores)
  expect_identical(predict(model, predict(encoding, data$x)), scores)
  expect_identical(predict(encoding, data$x), predict(encoding, data)$x)
  new <- frame[1:20, ]
  new$brand <- factor(c("new", rep("a", 19)))
  expect_warning(x <- predict(encoding, new), class = "rankmix_warning_newdata")
  expect_identical(unname(x[1:2, "brand_target"]), c(encoding$mean, encoding$values$brand[1]))
  expect_identical(nrow(predict(encoding, frame[1, ])), 1L)
  both <- target_encoding(data, columns = "brand", add = TRUE, seed = 1)
  expect_identical(unname(both$data$x), unname(cbind(data$x, encoding$data$x[, 4])))
  expect_identical(both$data$encoding, data$encoding)
})

test_that("factors of thousands of levels are encoded like factors of few levels", {
  set.seed(6)
  effect <- rnorm(3000)
  brand <- sample(3000, 9000, TRUE)
  frame <- data.frame(query = rep(1:300, each = 30), score = rnorm(9000),
                      grade = pmin(3, pmax(0, round(1.5 + effect[brand] + rnorm(9000) / 2))),
                      brand = factor(sprintf("b%d", brand), sprintf("b%d", 1:3000)))
  rows <- frame$query <= 200
  train <- ranking_data(frame[rows, ], grade, query)
  test <- ranking_data(frame[!rows, ], grade, query)
  for (add in c(FALSE, TRUE)) {
    encoding <- target_encoding(train, add = add, seed = 1)
    expect_identical(encoding$data$features, c("score", "brand_target"))
    expect_identical(encoding$data$encoding, list())
    slow <- slow_target(frame$brand[rows], levels(frame$brand), frame$grade[rows], rep(1, sum(rows)), 10)
    expect_equal(encoding$values$brand, unname(slow), tolerance = 1e-14)
  }
  model <- fit(linear_ranker(), encoding$data)
  scores <- predict(model, predict(encoding, test))
  # Levels are matched by name, even if new data have few of the levels.
  expect_identical(predict(model, predict(encoding, frame[!rows, ])), scores)
  few <- droplevels(frame[which(!rows)[1:30], ])
  expect_identical(predict(model, predict(encoding, ranking_data(few, grade, query))), scores[1:30])
  alone <- fit(linear_ranker(), train[, "score"])
  value <- function(model, data) mean(evaluate(model, data, metric_ndcg(10))$value)
  expect_gt(value(model, predict(encoding, test)), value(alone, test[, "score"]) + 0.1)
})

test_that("out-of-fold values of pure noise do not predict the grades", {
  set.seed(2)
  frame <- data.frame(grade = sample(0:1, 600, TRUE), q = rep(1:60, each = 10), x = 0,
                      id = factor(sample(200, 600, TRUE)))
  encoding <- target_encoding(ranking_data(frame, grade, q), smooth = 1, seed = 1)
  of <- function(data) cor(data$x[, 2], frame$grade)
  expect_lt(of(encoding$data), 0.1)
  expect_gt(of(predict(encoding, ranking_data(frame, grade, q))), 0.4)
})

test_that("encodings print, and errors name the problem", {
  data <- ranking_data(target_frame(), grade, query, weight = weight)
  expect_snapshot(print(target_encoding(data, seed = 1)))
  refuse <- function(code, class) expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  refuse(target_encoding(data, "score"), "argument")
  refuse(target_encoding(data[, "score"]), "argument")
  refuse(target_encoding(data["q01"]), "argument")
  refuse(target_encoding(standardize_queries(data)), "feature")
})

test_that("weights of documents and positions are kept", {
  frame <- data.frame(shop = factor(rep(c("a", "b"), 20)), bm25 = 1:40, grade = rep(0:3, 10), id = rep(1:10, each = 4))
  data <- ranking_data(frame, relevance = grade, query = id, document_weight = seq_len(40) / 40,
                       position = rep(1:4, 10))
  encoding <- target_encoding(data, seed = 1)
  for (encoded in list(encoding$data, predict(encoding, data))) {
    expect_identical(encoded$document_weight, data$document_weight)
    expect_identical(encoded$position, data$position)
  }
})

test_that("encoded features have their names", {
  set.seed(1)
  frame <- data.frame(brand = factor(sample(letters[1:4], 60, TRUE)), f = rnorm(60), r = rep(0:2, 20),
                      id = rep(1:10, each = 6))
  encoding <- target_encoding(ranking_data(frame, relevance = r, query = id), seed = 1)
  data <- ranking_data(frame, relevance = r, query = id)
  expect_identical(colnames(encoding$data$x), encoding$data$features)
  expect_identical(unname(encoding$data$x[, "f"]), frame$f)
  expect_identical(colnames(predict(encoding, data)$x), encoding$data$features)
})
