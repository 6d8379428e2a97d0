fold_lines <- list(train = c("1 qid:1 1:1", "0 qid:1 2:1"), valid = "0 qid:2 1:3",
                   test = "2 qid:3 1:1")

make_fold <- function(folder, names) {
  dir.create(folder, recursive = TRUE)
  for (part in names(fold_lines)) {
    writeLines(fold_lines[[part]], file.path(folder, names[[part]]))
  }
}

test_that("folds are found under all the names there are", {
  withr::local_dir(withr::local_tempdir())
  make_fold("b/Fold2", c(train = "train.txt", valid = "vali.txt", test = "test.txt"))
  make_fold("b/Fold10", c(train = "trainingset.txt", valid = "validationset.txt",
                          test = "testset.txt"))
  make_fold("b/Fold1", c(train = "train.txt", valid = "valid.txt", test = "test.txt"))
  folds <- read_folds("b")
  expect_identical(names(folds), c("Fold1", "Fold2", "Fold10"))
  for (fold in folds) {
    expect_identical(names(fold), c("train", "valid", "test"))
    # Only the training part has a second feature. All parts must still have two features.
    expect_identical(unname(lapply(fold, ncol)), list(2L, 2L, 2L))
  }
  expect_identical(folds$Fold1, folds$Fold10)
  expect_identical(names(read_folds("b", folds = 10)), "Fold10")
  expect_identical(read_folds("b/Fold2")[[1]], folds$Fold2)
})

test_that("unknown folds are refused", {
  withr::local_dir(withr::local_tempdir())
  make_fold("b/Fold1", c(train = "train.txt", valid = "vali.txt", test = "test.txt"))
  expect_snapshot_error(read_folds("c"), class = "rankmix_error_file")
  expect_snapshot_error(read_folds("b", folds = 2), class = "rankmix_error_file")
  unlink("b/Fold1/vali.txt")
  expect_snapshot_error(read_folds("b"), class = "rankmix_error_file")
})

test_that("the real folds are read", {
  folds <- read_folds(real_fold("MQ2008"), folds = 1:2)
  expect_identical(ncol(folds$Fold2$test), 46L)
  expect_identical(length(intersect(folds$Fold1$train$query_ids,
                                    folds$Fold1$test$query_ids)), 0L)
})
