frame_case <- function() {
  data.frame(grade = c(0, 1, 2, 0), site = c("a", "a", "b", "b"), day = c(1, 1, 2, 2),
             doc = letters[1:4], bm25 = c(1.5, 2, 3, NA), clicks = 1:4)
}

test_that("columns are named with and without quotes, or given as vectors", {
  frame <- frame_case()
  wanted <- ranking_data(frame, "grade", "site", document = "doc")
  expect_identical(wanted$features, c("day", "bm25", "clicks"))
  expect_identical(ranking_data(frame, grade, site, document = doc), wanted)
  expect_identical(ranking_data(frame, frame$grade, site, doc), wanted)
  name <- "site"
  expect_identical(ranking_data(frame, grade, name, doc), wanted)
  expect_identical(ranking_data(frame, grade, !!name, doc), wanted)
  expect_identical(ranking_data(frame, .data$grade, .data[["site"]], doc), wanted)
  wrapper <- function(data, column) ranking_data(data, {{ column }}, site, doc)
  expect_identical(wrapper(frame, grade), wanted)
  elsewhere <- c(0, 1, 2, 0)
  expect_identical(ranking_data(frame[-1], elsewhere, site, doc)[1:2]$relevance,
                   wanted$relevance)
})

test_that("strings that stand in the call itself are values", {
  frame <- frame_case()[c("grade", "bm25", "clicks")]
  expect_silent(made <- do.call(ranking_data, list(frame, relevance = frame$grade, query = c("a", "a", "b", "b"))))
  site <- c("a", "a", "b", "b")
  expect_identical(made$query_ids, ranking_data(frame, grade, site)$query_ids)
  expect_identical(made$features, c("bm25", "clicks"))
})

test_that("a column has precedence over a variable of the same name", {
  frame <- frame_case()[-4]
  grade <- c(2, 2, 2, 2)
  expect_identical(ranking_data(frame, grade, site)$relevance, c(0L, 1L, 2L, 0L))
})

test_that("columns from which the grade is computed are not features", {
  frame <- frame_case()[-(2:4)]
  frame$day <- 1
  data <- ranking_data(frame, relevance = pmin(grade, 1), query = day)
  expect_identical(data$relevance, c(0L, 1L, 1L, 0L))
  expect_false(any(c("grade", "day") %in% data$features))
})

test_that("columns that are given as arguments are not features", {
  frame <- frame_case()[-c(2, 4)]
  copy <- frame
  target <- "grade"
  elsewhere <- frame$grade
  for (data in list(ranking_data(frame, frame[[target]], day),
                    ranking_data(frame, frame[, 1], day),
                    ranking_data(frame, elsewhere, copy$day),
                    ranking_data(frame, copy$grade, get("copy")[[2]]))) {
    expect_identical(data$features, c("bm25", "clicks"))
  }
  # A column stays a feature if only a part of another object has its name.
  other <- list(clicks = c(0, 1, 2, 0))
  expect_true("clicks" %in% ranking_data(frame, other$clicks, day)$features)
})

test_that("strings are ids if there is one for each row, and names otherwise", {
  frame <- data.frame(grade = 0:1, x = 1:2)
  expect_identical(ranking_data(frame, grade, c("u", "v"))$query_ids, c("u", "v"))
  # A single string is a column name, even if there is a single row. Misspelt names are also read as column names.
  expect_error(ranking_data(frame[1, ], grade, "u"), class = "rankmix_error_column")
  expect_error(ranking_data(frame, grade, c("x", "grdae")), class = "rankmix_error_column")
})

test_that("several columns make a query together", {
  frame <- data.frame(grade = c(0, 1, 2, 0, 1), site = c("a", "a:b", "b", "a", "a"),
                      day = c("b:c", "c", "c", "b:c", "b"), x = 1:5)
  data <- ranking_data(frame, grade, c(site, day))
  expect_identical(data$query, c(1L, 2L, 3L, 1L, 4L))
  expect_identical(data$query_ids, c("a:b\\:c", "a\\:b:c", "b:c", "a:b"))
  expect_identical(data$features, "x")
  for (other in list(ranking_data(frame, grade, c("site", "day")),
                     ranking_data(frame, grade, list(site, day)),
                     ranking_data(frame, grade, frame[c("site", "day")]))) {
    expect_identical(other$query, data$query)
    expect_identical(other$query_ids, data$query_ids)
  }
  x <- matrix(1:5, dimnames = list(NULL, "x"))
  expect_identical(ranking_data(x, frame$grade, frame[c("site", "day")])$query_ids,
                   data$query_ids)
  numbers <- ranking_data(x, frame$grade, list(c(1, 1, 10, 1, 1), c(1e5, 2, 2, 1e5, 0.5)))
  expect_identical(numbers$query_ids, c("1:100000", "1:2", "10:2", "1:0.5"))
  frame$day[3] <- NA
  expect_error(ranking_data(frame, grade, c(site, day)), class = "rankmix_error_query")
})

test_that("many combinations are distinguished", {
  set.seed(1)
  parts <- replicate(3, sample(c("", ":", "\\", "a", ":a", "a:"), 500, TRUE),
                     simplify = FALSE)
  data <- ranking_data(matrix(0, 500), rep(0:1, 250), parts)
  key <- vapply(1:500, function(i) deparse(c(parts[[1]][i], parts[[2]][i], parts[[3]][i])),
                character(1))
  expect_identical(data$query, match(key, unique(key)))
  expect_false(anyDuplicated(data$query_ids) > 0)
})

test_that("a formula names relevance and features", {
  frame <- frame_case()
  wanted <- ranking_data(frame[c("grade", "site", "bm25", "clicks")], grade, site)
  same <- c("x", "relevance", "query", "features")
  expect_same <- function(data) {
    expect_identical(unclass(data)[same], unclass(wanted)[same])
  }
  expect_same(ranking_data(grade ~ bm25 + clicks, frame, query = site))
  expect_same(ranking_data(grade ~ . - day - doc, frame, query = "site"))
  expect_same(ranking_data(grade ~ (bm25 + clicks), data = frame, query = site))
  expect_same(ranking_data(grade ~ ., frame[c("grade", "site", "bm25", "clicks")], site))
  expect_identical(ranking_data(pmin(grade, 1) ~ bm25, frame, site)$relevance,
                   c(0L, 1L, 1L, 0L))
  expect_identical(ranking_data(grade ~ clicks + bm25, frame, site)$features,
                   c("clicks", "bm25"))
  names(frame)[5] <- "b m"
  expect_identical(ranking_data(grade ~ `b m`, frame, site)$features, "b m")
})

test_that("a model of a formula accepts data frames with more columns", {
  set.seed(1)
  frame <- data.frame(grade = rep(0:1, 20), q = rep(1:8, 5), a = rnorm(40), b = rnorm(40))
  model <- fit(adaboost_mh(base_stump(), rounds = 3), ranking_data(grade ~ a, frame, q))
  expect_silent(scores <- predict(model, frame))
  expect_identical(predict(model, frame["a"]), scores)
})

test_that("errors name the problem of names and formulas", {
  frame <- frame_case()
  refuse <- function(code, class = "rankmix_error_column") {
    expect_snapshot_error(code, class = class)
  }
  refuse(ranking_data(frame, grdae, site))
  refuse(ranking_data(frame, "grdae", site))
  refuse(ranking_data(frame, grade, c(site, "week")))
  refuse(ranking_data(frame, grade), "rankmix_error_argument")
  refuse(ranking_data(grade ~ log(bm25), frame, site))
  refuse(ranking_data(grade ~ bm25:clicks, frame, site))
  refuse(ranking_data(grade ~ bm52, frame, site))
  refuse(ranking_data(grade ~ bm25 + site, frame, site))
  refuse(ranking_data(grade ~ grade, frame, site))
  refuse(ranking_data(grade ~ bm25, as.matrix(frame[5:6]), site), "rankmix_error_argument")
  refuse(ranking_data(frame[c("grade", "site")], grade, site), "rankmix_error_feature")
})

test_that("tibbles and data tables are data frames", {
  frame <- frame_case()
  wanted <- ranking_data(frame, grade, c(site, day), doc)
  if (requireNamespace("tibble", quietly = TRUE)) {
    expect_identical(ranking_data(tibble::as_tibble(frame), grade, c(site, day), doc),
                     wanted)
  }
  skip_if_not_installed("data.table")
  expect_identical(ranking_data(data.table::as.data.table(frame), grade, c(site, day), doc),
                   wanted)
})

test_that("sizes of groups are queries", {
  x <- matrix(1:5)
  data <- ranking_data(x, c(0, 1, 0, 1, 2), query_groups(c(2, 0, 3)))
  expect_identical(data$query_ids, c(1L, 3L))
  expect_identical(data$query, c(1L, 1L, 2L, 2L, 2L))
  frame <- data.frame(x = 1:5, grade = c(0, 1, 0, 1, 2))
  expect_identical(ranking_data(frame, grade, query_groups(c(2, 0, 3)))$query, data$query)
  expect_snapshot(print(query_groups(c(2, 0, 3))))
  refuse <- function(code, class) expect_snapshot_error(code, class = class)
  refuse(ranking_data(x, c(0, 1, 0, 1, 2), query_groups(c(2, 2))), "rankmix_error_length")
  refuse(query_groups(c(1, -1)), "rankmix_error_groups")
  refuse(query_groups(c(1, 1.5)), "rankmix_error_groups")
  refuse(query_groups(c(1, NA)), "rankmix_error_groups")
  refuse(query_groups(list(1)), "rankmix_error_groups")
  refuse(query_groups("no such file"), "rankmix_error_file")
})

test_that("side files hold sizes of groups", {
  file <- local_letor(c("0 1:1", "1 1:2 2:5", "0 2:1 # docid = z"))
  writeLines(c("2", "", "1\r"), "data.txt.query")
  data <- read_letor(file, query = query_groups("data.txt.query"))
  expect_identical(data$query, c(1L, 1L, 2L))
  expect_identical(data$document, c(NA, NA, "z"))
  refuse <- function(code, class) expect_snapshot_error(code, class = class)
  writeLines(c("2", "2"), "data.txt.query")
  refuse(read_letor(file, query = query_groups("data.txt.query")), "rankmix_error_length")
  writeLines(c("2", "x"), "data.txt.query")
  refuse(query_groups("data.txt.query"), "rankmix_error_parse")
  writeLines(c("2", "-1"), "data.txt.query")
  refuse(query_groups("data.txt.query"), "rankmix_error_groups")
  writeLines(character(), "data.txt.query")
  refuse(query_groups("data.txt.query"), "rankmix_error_groups")
  refuse(read_letor(file, query = c(2, 1)), "rankmix_error_argument")
  writeLines(c("1 1:2", "0 qid:1 1:1"), file)
  refuse(read_letor(file, query = query_groups(2)), "rankmix_error_parse")
})

test_that("side files are written, query by query", {
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  data <- ranking_data(matrix(c(1, NA, 0.1, 4), 4), c(0, 1, 2, 0), c("b", "a", "b", "a"))
  expect_identical(write_letor(data, "out.txt", groups = "out.txt.group"), "out.txt")
  expect_identical(readLines("out.txt"), c("0 1:1", "2 1:0.1", "1 1:NULL", "0 1:4"))
  expect_identical(readLines("out.txt.group"), c("2", "2"))
  back <- read_letor("out.txt", query = query_groups("out.txt.group"))
  expect_identical(back$x[, 1], data$x[data$order + 1])
  # Nothing is written if one of the two files cannot be written.
  unlink(dir())
  expect_error(write_letor(data, "out.txt", groups = "out.txt"),
               class = "rankmix_error_argument")
  expect_error(write_letor(data, "out.txt", groups = "no folder/out"),
               class = "rankmix_error_file")
  expect_identical(dir(), character())
  long <- ranking_data(matrix(0, 100000), rep(0:1, 50000), rep(1, 100000))
  write_letor(long, "out.txt", groups = "out.txt.group")
  expect_identical(readLines("out.txt.group"), "100000")
})

test_that("the error for a missing column names it, whatever other objects have its name", {
  frame <- frame_case()[-(3:4)]
  refuse <- function(code, class = "rankmix_error_column") {
    expect_snapshot_error(code, class = class)
  }
  refuse(ranking_data(frame, grade, rank))
  refuse(ranking_data(frame, frame$garde, site))
  refuse(ranking_data(frame, grade, frame[["sites"]]))
  refuse(ranking_data(frame, grade, site, document = frame$dco))
  refuse(ranking_data(frame, grade, NULL))
  refuse(ranking_data(frame, grade, clikcs))
  refuse(ranking_data(frame, grade, site, weight = pi))
  refuse(ranking_data(grade ~ clikcs, frame, site))
  refuse(ranking_data(frame, grade, globalenv()))
  refuse(ranking_data(as.matrix(frame[3:4]), frame$garde, frame$site))
  # A wrapper may pass NULL on.
  wrapper <- function(document = NULL) ranking_data(frame, grade, site, document = document)
  expect_null(wrapper()$document)
})

test_that("names of other packages give errors with our names", {
  frame <- frame_case()[-(3:4)]
  refuse <- function(code) {
    expect_snapshot_error(code, class = "rankmix_error_argument")
  }
  refuse(ranking_data(frame, label = grade, qid = site))
  refuse(ranking_data(frame, grade, qid = site))
  refuse(ranking_data(as.matrix(frame[3:4]), label = frame$grade, query = frame$site))
  refuse(ranking_data(grade ~ ., frame, group = site))
  refuse(ranking_data(frame, grade, site, wieght = 1))
  refuse(ranking_data(frame, grade, site, NULL, NULL, 1, NULL, NULL, 2))
  expect_identical(conditionCall(tryCatch(ranking_data(frame, label = grade),
                                          error = identity))[[1]], quote(ranking_data))
})
