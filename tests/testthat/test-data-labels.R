labelled_frame <- function() {
  data.frame(bm25 = c(1.2, 0.3, 0.5, 0.9, 0.1, 2), price = c(5, 9.5, 1, 3, 2, 8), grade = c(2, 0, 1, 1, 0, 3),
             revenue = c(0, 9.5, 0, 3, 1, 2.5), clicks = c(1, 0, 0, 1, 0, 2), session = c("a", "b", "a", "c", "b", "c"),
             id = letters[1:6])
}

labelled_data <- function() {
  ranking_data(labelled_frame(), grade, session, document = id, labels = c("revenue", "clicks"))
}

test_that("labels are columns or numbers, and no features", {
  frame <- labelled_frame()
  data <- labelled_data()
  expect_identical(data$features, c("bm25", "price"))
  expect_identical(data$labels, list(revenue = frame$revenue, clicks = as.integer(frame$clicks)))
  symbols <- ranking_data(frame, grade, session, document = id, labels = c(revenue, clicks))
  expect_identical(symbols, data)
  expect_identical(ranking_data(grade ~ ., frame, session, document = id, labels = c(revenue, clicks)), data)
  one <- ranking_data(frame, grade, session, document = id, labels = revenue)
  expect_named(one$labels, "revenue")
  expect_true("clicks" %in% one$features)
  computed <- ranking_data(frame, grade, session, document = id, labels = list(profit = revenue - clicks))
  expect_identical(computed$labels$profit, frame$revenue - frame$clicks)
  of_matrix <- ranking_data(as.matrix(frame[c("bm25", "price")]), frame$grade, frame$session, document = frame$id,
                            labels = frame[c("revenue", "clicks")])
  expect_identical(of_matrix$labels, data$labels)
  expect_null(ranking_data(frame, grade, session, document = id)$labels)
})

test_that("use_label() swaps the relevance, and back", {
  data <- labelled_data()
  revenue <- use_label(data, "revenue")
  expect_identical(revenue$relevance, data$labels$revenue)
  expect_identical(revenue$labels$relevance, data$relevance)
  expect_identical(use_label(revenue, "relevance"), data)
  expect_identical(use_label(data, "relevance"), data)
  # Switching between labels keeps the first relevance.
  expect_identical(use_label(use_label(revenue, "clicks"), "relevance"), data)
  plain <- ranking_data(labelled_frame()[c("bm25", "price")], relevance = labelled_frame()$revenue,
                        query = labelled_frame()$session)
  expect_equal(evaluate(data$x[, 1L], revenue, "ndcg@10")$value, evaluate(plain$x[, 1L], plain, "ndcg@10")$value)
  train <- simulate_ranking(20, seed = 1)$data
  value <- train$x[, 1L]^2
  both <- ranking_data(train$x, train$relevance, train$query, labels = list(value = value))
  alone <- ranking_data(train$x, value, train$query)
  expect_identical(predict(fit(gbrt(5), use_label(both, "value"), seed = 1, verbose = FALSE), alone),
                   predict(fit(gbrt(5), alone, seed = 1, verbose = FALSE), alone))
})

test_that("labels follow their documents", {
  data <- labelled_data()
  frame <- labelled_frame()
  expect_identical(data["b"]$labels$revenue, frame$revenue[frame$session == "b"])
  # Revenue stays ungraded even if a subset has whole numbers only.
  expect_identical(use_label(data["a"], "revenue")$relevance, c(0, 0))
  expect_identical(data[, "price"]$labels, data$labels)
  again <- c(data[c(1, 3)], data[2])
  order <- match(as.data.frame(again)$document, frame$id)
  expect_identical(again$labels$revenue, frame$revenue[order])
  table <- as.data.frame(data)
  expect_identical(table[c("revenue", "clicks")], as.data.frame(data$labels))
  expect_identical(as.data.frame(use_label(data, "clicks"))$first_relevance, data$relevance)
  expect_identical(head(data, 2)$revenue, frame$revenue[1:2])
  sorted <- rankmix:::data_by_content(data, 1L)
  expect_identical(sorted$labels$revenue, frame$revenue[match(sorted$document, frame$id)])
  copied <- sample_grades(data, matrix(0.25, 6, 4), copies = 2, seed = 1)
  expect_identical(copied$labels$revenue, rep(frame$revenue, 2))
  shown <- simulate_clicks(labelled_data(), sessions = 2, depth = 2, seed = 1)
  expect_true(all(paste(shown$x[, 1L], shown$labels$revenue) %in% paste(frame$bm25, frame$revenue)))
  parts <- split_parts(split_queries(data, 0.5, seed = 1), data)
  expect_setequal(unlist(lapply(parts, function(part) part$labels$revenue)), frame$revenue)
  for (changed in list(standardize_queries(data), group_grades(data, "binary"),
                       rankmix:::take_features(data, 1L))) {
    expect_identical(changed$labels, data$labels)
  }
})

test_that("labels pass through files, sources and bins", {
  frame <- labelled_frame()
  source <- data_source(frame, relevance = grade, query = session, document = id, labels = c(revenue, clicks))
  binned <- binned_data(source, verbose = FALSE)
  expect_identical(binned$labels, labelled_data()$labels)
  expect_identical(binned$features, c("bm25", "price"))
  file <- withr::local_tempfile()
  write_binned_data(binned, file)
  expect_identical(read_binned_data(file)$labels, binned$labels)
  changed <- use_label(binned, "revenue")
  expect_identical(changed$relevance, frame$revenue)
  expect_false(identical(changed$digest, binned$digest))
  expect_identical(binned_data(labelled_data(), verbose = FALSE)$labels, binned$labels)
  skip_if_not_installed("data.table")
  csv <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(frame, csv, row.names = FALSE)
  expect_identical(read_ranking(csv, grade, session, document = id, labels = c(revenue, clicks))$labels,
                   binned$labels)
  # In chunks of two rows, the first chunk has whole numbers only.
  parts <- binned_data(csv, grade, session, document = id, labels = c(revenue, clicks), chunk = 2, verbose = FALSE)
  expect_identical(parts$labels, binned$labels)
})

test_that("a feature that equals a label is left out", {
  frame <- labelled_frame()
  x <- cbind(frame$bm25, frame$revenue)
  expect_warning(data <- ranking_data(x, frame$grade, frame$session, labels = frame["revenue"]),
                 class = "rankmix_warning_leak")
  expect_identical(data$features, "x1")
})

test_that("recipes have labels by role", {
  skip_if_not_installed("recipes")
  attachNamespace("recipes")
  withr::defer(detach("package:recipes"))
  frame <- labelled_frame()[-7]
  recipe <- prep(update_role(update_role(recipe(grade ~ ., frame), session, new_role = "query"), revenue, clicks,
                             new_role = "label"))
  expect_identical(ranking_data(recipe)$labels, labelled_data()$labels)
  expect_null(ranking_data(recipe, new_data = frame[names(frame) != "grade"])$labels)
})

test_that("labels are shown", {
  expect_snapshot(print(labelled_data()))
})

test_that("errors of wrong labels name the problem", {
  frame <- labelled_frame()[-7]
  data <- labelled_data()
  expect_snapshot(error = TRUE, {
    ranking_data(frame, grade, session, labels = "profit")
    ranking_data(frame, grade, session, labels = revenue * 2)
    ranking_data(frame, query = session, labels = revenue)
    ranking_data(frame, grade, session, labels = list(revenue))
    ranking_data(frame, grade, session, labels = list(query = revenue))
    ranking_data(frame, grade, session, labels = list(value = letters[1:6]))
    ranking_data(frame, grade, session, labels = list(value = c(1, NA, 3:6)))
    ranking_data(frame, grade, session, labels = list(value = 1:3))
    ranking_data(as.matrix(frame[1:2]), frame$grade, frame$session, labels = frame$revenue)
    ranking_data(as.matrix(frame[1:2]), frame$grade, frame$session, label = frame$revenue)
    use_label(data, "revenu")
    use_label(data, 1)
    c(data[1], ranking_data(labelled_frame()[-5], grade, session, document = id, labels = revenue)[2])
  })
})

test_that("a label without quotes is an error that advises quotes", {
  frame <- data.frame(g = c(0, 1, 2, 1), q = 1, x = c(4, 2, 8, 5), revenue = c(0, 3.5, 1, 2))
  data <- ranking_data(frame, g, q, labels = "revenue")
  expect_snapshot_error(use_label(data, revenue), class = "rankmix_error_label")
  named <- "revenue"
  expect_identical(use_label(data, named)$relevance, frame$revenue)
  expect_error(use_label(data), class = "rankmix_error_argument")
  # The arguments are swapped.
  expect_snapshot_error(use_label(gbrt(), "revenue"), class = "rankmix_error_argument")
})
