skip_if_not_installed("Matrix")

both_forms <- function(case) {
  list(sparse = ranking_data(case$x, case$relevance, case$query),
       dense = ranking_data(as.matrix(case$x), case$relevance, case$query))
}

test_that("sparse data train and predict as dense data do, bit for bit", {
  for (case in list(sparse_case(), sparse_case(n = 3000, features = 8, seed = 2),
                    sparse_case(n = 80, features = 300, seed = 3, density = 0.02))) {
    data <- both_forms(case)
    for (spec in list(adaboost_mh(base_stump(), rounds = 10),
                      adaboost_mh(base_tree(8), rounds = 10, max_bin = 4),
                      adaboost_mh(base_tree(12), rounds = 5, feature_fraction = 0.5))) {
      sparse <- fit(spec, data$sparse, seed = 1, threads = 2)
      dense <- fit(spec, data$dense, seed = 1, threads = 1)
      expect_identical(sparse$forest, dense$forest)
      expect_identical(sparse$alpha, dense$alpha)
      scores <- predict(dense, data$dense)
      expect_identical(predict(sparse, data$sparse), scores)
      expect_identical(predict(dense, case$x, threads = 2), scores)
      expect_identical(predict(sparse, as.matrix(case$x)), scores)
    }
  }
})

test_that("tiles of wide sparse data are cut and still give the same", {
  set.seed(5)
  x <- Matrix::rsparsematrix(200, 3000, 0.3)  # 180,000 entries, many times the rows
  y <- as.integer(as.vector(x[, 2999] + x[, 10]) > 0)
  data <- both_forms(list(x = x, relevance = y, query = rep(1:20, 10)))
  spec <- adaboost_mh(base_tree(6), rounds = 8)
  expect_identical(fit(spec, data$sparse, threads = 2)$forest,
                   fit(spec, data$dense)$forest)
})

test_that("sparse data have the same properties as dense data", {
  data <- both_forms(sparse_case())
  expect_s4_class(data$sparse$x, "dgCMatrix")
  expect_identical(data$sparse$constant, data$dense$constant)
  expect_identical(data$sparse$constant, c("x5", "x6"))
  expect_identical(data$sparse$missing, data$dense$missing)
  expect_identical(dim(data$sparse), dim(data$dense))
  expect_equal(summary(data$sparse), summary(data$dense))
  expect_identical(as.data.frame(data$sparse), as.data.frame(data$dense))
  expect_snapshot(print(data$sparse))
})

test_that("parts of sparse data stay sparse", {
  data <- both_forms(sparse_case())
  part <- data$sparse[c(3, 1, 20)]
  expect_s4_class(part$x, "dgCMatrix")
  expect_identical(as.matrix(part$x), data$dense[c(3, 1, 20)]$x)
  expect_s4_class(data$sparse[1:2]$x, "dgCMatrix")
  expect_equal(head(data$sparse, 3), head(as.data.frame(data$sparse), 3))
  joined <- rbind(data$sparse[1:3], data$sparse[7])
  expect_s4_class(joined$x, "dgCMatrix")
  expect_identical(as.matrix(joined$x), c(data$dense[1:3], data$dense[7])$x)
  # If one part is dense, the combined data are dense.
  mixed <- c(data$sparse[1:3], data$dense[7])
  expect_true(is.matrix(mixed$x))
  expect_identical(mixed$x, c(data$dense[1:3], data$dense[7])$x)
})

test_that("transformations of sparse data agree with transformations of dense data", {
  case <- sparse_case()
  data <- both_forms(case)
  expect_identical(standardize_queries(data$sparse, add = TRUE)$x,
                   standardize_queries(data$dense, add = TRUE)$x)
  case$x[is.na(case$x)] <- 0
  data <- both_forms(case)
  expect_identical(whiten_queries(data$sparse)$x, whiten_queries(data$dense)$x)
})

test_that("columns of sparse new data are matched by name", {
  case <- sparse_case()
  colnames(case$x) <- paste0("f", seq_len(ncol(case$x)))
  data <- ranking_data(case$x, case$relevance, case$query)
  model <- fit(adaboost_mh(base_tree(4), rounds = 10), data)
  shuffled <- case$x[, sample(ncol(case$x))]
  expect_identical(predict(model, shuffled), predict(model, data))
  expect_identical(predict(model, ranking_data(shuffled, case$relevance, case$query)),
                   predict(model, data))
  expect_error(predict(model, case$x[, 1:3]), class = "rankmix_error_newdata")
})

test_that("bad values of sparse data are found", {
  x <- Matrix::sparseMatrix(i = c(2, 3), j = c(1, 2), x = c(1, Inf), dims = c(3, 2))
  expect_snapshot_error(ranking_data(x, c(0, 1, 0), 1:3), class = "rankmix_error_feature")
  expect_error(ranking_data(x[, 0], c(0, 1, 0), 1:3), class = "rankmix_error_feature")
  expect_error(ranking_data(x, 0:1, 1:3), class = "rankmix_error_length")
  x@i <- c(1L, 7L)
  expect_error(ranking_data(x, c(0, 1, 0), 1:3), class = "rankmix_error_feature")
})

test_that("LETOR text is read as sparse data and written from them", {
  file <- local_letor(c("2 qid:a 2:0.5 7:-1e-3 # docid = x", "0 qid:b 1:0 2:0.0 3:NULL",
                        "1 qid:a 6:3"))
  dense <- suppressMessages(read_letor(file))
  sparse <- suppressMessages(read_letor(file, sparse = TRUE))
  expect_identical(as.matrix(sparse$x), dense$x)
  expect_length(sparse$x@x, 4L)
  same <- setdiff(names(dense), "x")
  expect_identical(unclass(sparse)[same], unclass(dense)[same])
  expect_identical(dim(read_letor(file, features = 9, sparse = TRUE)), c(3L, 9L)) |>
    suppressMessages()

  for (case in list(sparse_case(), sparse_case(n = 400, features = 7, seed = 4))) {
    data <- ranking_data(case$x, case$relevance, sort(case$query))
    write_letor(data, "written.txt", threads = 2)
    back <- read_letor("written.txt", sparse = TRUE, threads = 2)
    expect_identical(unname(back$x), data$x)
    expect_identical(colnames(back$x), back$features)
    expect_identical(back$query, data$query)
  }
})

test_that("indexes of sparse text may go further", {
  file <- local_letor(c("1 qid:1 100001:1", "0 qid:1 1000000:2"))
  expect_error(read_letor(file), "larger than 100000", class = "rankmix_error_parse")
  data <- read_letor(file, sparse = TRUE)
  expect_identical(dim(data), c(2L, 1000000L))
  writeLines("1 qid:1 1000001:1", file)
  expect_error(read_letor(file, sparse = TRUE), "larger than 1000000",
               class = "rankmix_error_parse")
})
