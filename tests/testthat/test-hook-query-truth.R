test_that("grades keep their queries when they are selected and combined", {
  truth <- query_truth(c(2, 0, 1, NA), factor(c("b", "a", "b", "c")))
  expect_identical(as.double(truth), c(2, 0, 1, NA))
  expect_identical(queries_of_truth(truth), c("b", "a", "b", "c"))
  expect_identical(truth[c(3, 1)], query_truth(c(1, 2), c("b", "b")))
  expect_identical(truth[[2]], query_truth(0, "a"))
  expect_identical(c(truth[1:2], truth[3:4]), truth)
  expect_identical(rev(rev(truth)), truth)
  expect_identical(rep(truth[1:2], 2), c(truth[1:2], truth[1:2]))
  expect_true(is.numeric(truth))
  expect_identical(truth * 2, c(4, 0, 2, NA))
  expect_identical(-truth, c(-2, 0, -1, NA))
  expect_identical(truth - truth, c(0, 0, 0, NA))
  expect_identical(3 > truth, c(TRUE, TRUE, TRUE, NA))
  frame <- data.frame(truth = truth, x = 1:4)
  expect_identical(frame[frame$x > 2, "truth"], truth[3:4])
  expect_identical(query_truth(1:2, list(c("a", "b"), 1:2)), query_truth(1:2, c("a:1", "b:2")))
  expect_identical(query_truth(truth, truth * 0 + 1)[1:3], query_truth(c(2, 0, 1), rep(1, 3))) |>
    expect_error(class = "rankmix_error_query")
})

test_that("base R binds, replaces and summarises grades", {
  truth <- query_truth(c(2, 0, 1), c("b", "a", "b"))
  other <- query_truth(1:2, c("c", "d"))
  bound <- rbind(data.frame(truth = truth), data.frame(truth = other))$truth
  expect_identical(bound, c(truth, other))
  truth[2:3] <- other
  expect_identical(truth, query_truth(c(2, 1, 2), c("b", "c", "d")))
  truth[[1]] <- 4L
  truth[truth > 1] <- NA
  expect_identical(truth, query_truth(c(NA, 1, NA), c("b", "c", "d")))
  truth[] <- 0
  expect_identical(truth, query_truth(c(0, 0, 0), c("b", "c", "d")))
  expect_error(truth[5] <- 1, class = "rankmix_error_argument")
  expect_error(truth[1] <- "x", class = "rankmix_error_argument")
  expect_identical(summary(other), summary(c(1, 2)))
})

test_that("printing shows grades with queries", {
  expect_snapshot({
    query_truth(c(2, 0, 1), c("b", "a", "b"))
    query_truth(rep(0:1, 10), rep(1:4, 5))
    query_truth(numeric(), character())
  })
})

test_that("bad input is reported", {
  expect_snapshot(error = TRUE, {
    query_truth("a", 1)
    query_truth(c(1, 0), 1)
    query_truth(c(1, 0), c("a", NA))
    c(query_truth(1, "a"), 2)
    query_truth(1)
  })
})

test_that("vctrs and dplyr select, sort and bind rows with their queries", {
  truth <- query_truth(c(2, 0, 1), c("b", "a", "b"))
  expect_identical(from_package("vctrs", "vec_slice")(truth, 3:2), truth[3:2])
  other <- query_truth(1:2, c(7, 8))
  expect_identical(from_package("vctrs", "vec_c")(truth, other), c(truth, other))
  expect_identical(from_package("vctrs", "vec_cast")(truth, double()), c(2, 0, 1))
  skip_if_not_installed("tibble")
  frame <- tibble::tibble(truth = truth, x = c(3, 1, 2))
  expect_identical(from_package("dplyr", "arrange")(frame, x)$truth, truth[c(2, 3, 1)])
  expect_identical(from_package("dplyr", "bind_rows")(frame, frame)$truth, c(truth, truth))
  joined <- from_package("dplyr", "full_join")(frame, tibble::tibble(x = 1:3, y = 1:3), by = "x")
  expect_identical(joined$truth, truth)
  expect_output(print(frame), "2 <b>")
})
