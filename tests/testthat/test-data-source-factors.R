# Documents with a factor of strings, an ordered factor and numbers. Some chunks lack some levels.
factor_frame <- function(rows = 400, seed = 1) {
  withr::with_seed(seed, {
    frame <- data.frame(id = rep(seq_len(rows / 8), each = 8), grade = sample(0:2, rows, TRUE), bm25 = round(rnorm(rows), 3),
                        site = sample(c("shop", "B\u00fccher", "news", "blog"), rows, TRUE),
                        size = factor(sample(c("S", "M", "L"), rows, TRUE), c("S", "M", "L"), ordered = TRUE))
  })
  frame$site[c(3, 50)] <- NA
  frame$site[seq_len(60)][frame$site[seq_len(60)] %in% "news"] <- "shop"
  frame$grade <- pmin(2, frame$grade + (frame$site %in% "blog"))
  frame
}

in_chunks <- function(frame, rows) {
  at <- 0
  function() {
    at <<- at + rows
    if (at - rows < nrow(frame)) frame[seq.int(at - rows + 1, min(at, nrow(frame))), ]
  }
}

as_c_factor <- function(x) factor(x, sort(unique(enc2utf8(x)), method = "radix"))

expect_same_bins <- function(found, expected) {
  same <- setdiff(names(expected), "x")
  expect_identical(unclass(found)[same], unclass(expected)[same])
  expect_identical(found$x$content, expected$x$content)
  expect_identical(found$x$constant, expected$x$constant)
  expect_identical(found$x$missing, expected$x$missing)
  expect_identical(found$x$background, expected$x$background)
}

test_that("strings in chunks are coded as factors of all data", {
  frame <- factor_frame()
  coded <- transform(frame, site = as_c_factor(site))
  expected <- binned_data(ranking_data(coded, grade, id), verbose = FALSE)
  for (rows in c(7, 100, 1000)) {
    found <- binned_data(in_chunks(frame, rows), grade, id, factors = "site", verbose = FALSE)
    expect_same_bins(found, expected)
  }
  all <- binned_data(in_chunks(frame, 33), grade, id, factors = TRUE, verbose = FALSE)
  expect_same_bins(all, expected)
  expect_identical(all$digest, expected$digest)
  expect_same_bins(binned_data(frame, grade, id, factors = TRUE, verbose = FALSE), expected)
  expect_identical(fit(gbrt(trees = 5), all, seed = 1, verbose = FALSE)$forest,
                   fit(gbrt(trees = 5), ranking_data(coded, grade, id), seed = 1, verbose = FALSE)$forest)
})

test_that("factors keep the order of their levels, if all chunks have these levels", {
  frame <- factor_frame()
  frame$site <- factor(frame$site, c("shop", "news", "never", "blog", "B\u00fccher"))
  expected <- binned_data(ranking_data(frame, grade, id), verbose = FALSE)
  expect_same_bins(binned_data(in_chunks(frame, 50), grade, id, verbose = FALSE), expected)
  chunks <- in_chunks(frame, 50)
  dropped <- binned_data(function() {
    chunk <- chunks()
    if (!is.null(chunk)) droplevels(chunk, except = 5)
  }, grade, id, verbose = FALSE)
  frame$site <- as_c_factor(as.character(frame$site))
  expect_same_bins(dropped, binned_data(ranking_data(frame, grade, id), verbose = FALSE))
})

test_that("CSV files and databases have factors of strings", {
  frame <- factor_frame()[-5]
  expected <- binned_data(ranking_data(transform(frame, site = as_c_factor(site)), grade, id), verbose = FALSE)
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(frame, file, row.names = FALSE, fileEncoding = "UTF-8")
  found <- binned_data(file, grade, id, factors = "site", chunk = 30, verbose = FALSE)
  expect_identical(found$digest, expected$digest)
  expect_identical(found$features, expected$features)
  expect_identical(read_ranking(file, grade, id, factors = TRUE)$features, expected$features)
  expect_identical(read_ranking(file, grade, id, factors = "site")$features, expected$features)
  skip_if_not_installed("RSQLite")
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbWriteTable(connection, "documents", frame)
  result <- DBI::dbSendQuery(connection, "SELECT * FROM documents")
  of_table <- binned_data(result, grade, id, factors = TRUE, chunk = 30, verbose = FALSE)
  DBI::dbClearResult(result)
  expect_identical(of_table$digest, expected$digest)
})

test_that("predictions and metrics of a source with strings equal those from the whole data", {
  frame <- factor_frame()
  coded <- transform(frame, site = as_c_factor(site))
  data <- ranking_data(coded, grade, id)
  model <- fit(gbrt(trees = 10), data, seed = 1, verbose = FALSE)
  source <- function(frame) data_source(in_chunks(frame, 30), grade, id, factors = "site", verbose = FALSE)
  expect_identical(predict(model, source(frame)), predict(model, data))
  expect_equal(evaluate(model, source(frame), "ndcg"), evaluate(model, data, "ndcg"))
  # All values of this chunk are missing.
  frame$site[1:30] <- NA
  expect_identical(predict(model, source(frame)), predict(model, transform(coded, site = replace(site, 1:30, NA))))
  frame$site[100] <- "unseen"
  expect_warning(found <- predict(model, source(frame)), "levels that the model does not have: `unseen`",
                 class = "rankmix_warning_newdata")
  coded$site[c(1:30, 100)] <- NA
  expect_identical(found, predict(model, coded))
})

test_that("binned data like others keep the levels of these", {
  frame <- factor_frame()
  train <- binned_data(in_chunks(frame[1:200, ], 30), grade, id, factors = "site", verbose = FALSE)
  new <- frame[201:400, ]
  new$site[10] <- "unseen"
  expect_warning(found <- binned_data(in_chunks(new, 30), grade, id, factors = "site", like = train, verbose = FALSE),
                 "`site` has levels that `like` does not have: `unseen`", class = "rankmix_warning_newdata")
  expect_identical(found$encoding, train$encoding)
  model <- fit(gbrt(trees = 10), train, seed = 1, verbose = FALSE)
  new$site <- factor(replace(new$site, 10, NA), train$encoding[[1]]$levels)
  expect_identical(predict(model, found), predict(model, new))
})

test_that("ranks read factors with the levels of all ranks", {
  frame <- factor_frame(240)
  frame$part <- (frame$id - 1) %% 3
  frame$site <- ifelse(frame$part == 1 & frame$site %in% c("news", "blog"), "shop", frame$site)
  found <- on_ranks(3, function(cluster, frame) {
    own <- frame[frame$part == cluster$rank, names(frame) != "part"]
    data <- binned_data(own, grade, id, factors = "site", verbose = FALSE, cluster = cluster)
    list(digest = data$digest, features = data$features, encoding = data$encoding)
  }, frame)
  expected <- binned_data(frame[names(frame) != "part"], grade, id, factors = "site", verbose = FALSE)
  for (facts in found) {
    expect_identical(facts, list(digest = expected$digest, features = expected$features,
                                 encoding = expected$encoding))
  }
})

test_that("a factor whose levels are the grades is no feature", {
  frame <- factor_frame(80)
  frame$label <- as.character(frame$grade)
  frame$order <- factor(frame$grade, ordered = TRUE)
  expect_warning(found <- binned_data(in_chunks(frame, 7), grade, id, factors = TRUE, verbose = FALSE), "label",
                 class = "rankmix_warning_leak")
  coded <- transform(frame, site = as_c_factor(site), label = factor(label))
  expect_warning(expected <- ranking_data(coded, grade, id), class = "rankmix_warning_leak")
  expect_identical(found$features, expected$features)
  frame$label[7] <- "9"
  coded$label <- factor(frame$label)
  expect_identical(suppressWarnings(binned_data(in_chunks(frame, 7), grade, id, factors = TRUE, verbose = FALSE))$features,
                   suppressWarnings(ranking_data(coded, grade, id))$features)
})

test_that("wrong factors of a source are refused", {
  frame <- factor_frame(80)
  read <- function(..., chunks = in_chunks(frame, 20)) binned_data(chunks, grade, id, ..., verbose = FALSE)
  expect_error(read(), "factors = \"site\"", class = "rankmix_error_feature")
  expect_error(read(factors = "color"), "`color`, which is not a feature", class = "rankmix_error_argument")
  expect_error(read(factors = "sit"), "Did you mean `site`", class = "rankmix_error_argument")
  expect_error(read(factors = 1), "TRUE, FALSE or names", class = "rankmix_error_argument")
  expect_error(binned_data(system.file("extdata", "test.txt.gz", package = "rankmix"), factors = TRUE),
               "is for tables", class = "rankmix_error_argument")
  expect_error(data_source(ranking_data(frame[-4], grade, id), factors = TRUE), "is for tables",
               class = "rankmix_error_argument")
  numbers <- frame
  numbers$site <- "7"
  types <- function() {
    n <- 0
    function() {
      n <<- n + 1
      if (n == 1) transform(numbers, site = 7) else if (n == 2) numbers
    }
  }
  expect_error(read(factors = TRUE, chunks = types()), "Chunk 2: `site` has a factor or strings, but numbers",
               class = "rankmix_error_feature")
  expect_identical(read(factors = "site", chunks = types())$features[2L], "site=7")
  sizes <- in_chunks(frame, 20)
  expect_error(read(factors = "site", chunks = function() {
    chunk <- sizes()
    if (!is.null(chunk)) transform(chunk, size = factor(size, rev(levels(size)), ordered = id[1L] < 5))
  }), "ordered factor `size`", class = "rankmix_error_feature")
  frame$site <- paste0("s", seq_len(80))
  many <- frame[rep(1:80, 20), ]
  many$site <- paste0("s", seq_len(1600))
  expect_error(read(factors = "site", chunks = in_chunks(many, 300)), "more than 1,000 levels",
               class = "rankmix_error_feature")
})

test_that("errors of CSV name `factors`", {
  skip_if_not_installed("data.table")
  frame <- factor_frame(80)
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(frame[-5], file, row.names = FALSE, fileEncoding = "UTF-8")
  for (of_file in list(read_ranking, function(...) binned_data(..., verbose = FALSE))) {
    expect_error(of_file(file, grade, id, factors = "sit"), "Did you mean `site`", class = "rankmix_error_argument")
    expect_error(of_file(file, grade, id), "factors = \"site\"", class = "rankmix_error_parse")
  }
  expect_error(read_ranking(file, grade, id, factors = NA), "names of columns", class = "rankmix_error_argument")
})

test_that("levels of CSV that look like numbers do not depend on the chunks", {
  skip_if_not_installed("data.table")
  frame <- factor_frame(80)[c("id", "grade", "bm25")]
  frame$brand <- rep_len(c("0123", "123", "0456", "456", "1e5", "100000"), 80)
  frame$brand[70] <- "2A"
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(frame, file, row.names = FALSE)
  whole <- binned_data(read_ranking(file, grade, id, factors = "brand"), verbose = FALSE)
  expect_identical(whole$encoding[[1L]]$levels, sort(unique(frame$brand), method = "radix"))
  model <- fit(gbrt(trees = 5), whole, seed = 1, verbose = FALSE)
  for (chunk in c(4, 30, 1e5)) {
    found <- binned_data(file, grade, id, factors = "brand", chunk = chunk, verbose = FALSE)
    expect_identical(found$digest, whole$digest)
    source <- data_source(file, grade, id, factors = "brand", chunk = chunk)
    expect_identical(predict(model, source), predict(model, whole))
  }
  expect_error(binned_data(file, grade, id, chunk = 4, verbose = FALSE), "factors = \"brand\"",
               class = "rankmix_error_parse")
})

test_that("numbers that become factors have the same levels in all sources", {
  frame <- data.frame(grade = c(0, 1, 2, 0), id = 1, site = c(1e5, 100001, 0.5, NaN), bm25 = 1:4)
  found <- binned_data(in_chunks(frame, 2), grade, id, factors = "site", verbose = FALSE)
  expect_identical(found$encoding[[1L]]$levels, c("0.5", "100000", "100001"))
  expect_identical(unname(found$x$missing), c(1, 1, 1, 0))
  whole <- transform(frame, site = factor(c("100000", "100001", "0.5", NA)))
  model <- fit(gbrt(trees = 5, min_data_in_leaf = 1), ranking_data(whole, grade, id), seed = 1, verbose = FALSE)
  source <- data_source(in_chunks(frame, 2), grade, id, factors = "site", verbose = FALSE)
  expect_identical(predict(model, source), predict(model, whole))
})
