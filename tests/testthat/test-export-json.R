skip_if_not_installed("jsonlite")

test_that("every model is read back identically and predicts the same", {
  skip_if_quick()
  models <- small_models()
  file <- withr::local_tempfile()
  x <- export_data()$x
  for (name in names(models)) {
    write_model(models[[name]], file)
    back <- read_model(file)
    if (name == "unchosen") {
      expect_error(predict(back, x), class = "rankmix_error_path")
      expect_identical(back, models$unchosen)
      back <- back$path[[2L]]
      models$unchosen <- models$unchosen$path[[2L]]
    }
    # expand.grid() adds these attributes, and the file does not keep them.
    attr(models[[name]]$table, "out.attrs") <- NULL
    expect_identical(back, models[[name]], label = name)
    expect_identical(predict(back, x), predict(models[[name]], x), label = name)
  }
})

test_that("trees of every objective are read back, also trees that later trees rescale", {
  skip_if_quick()
  data <- export_data(FALSE)
  file <- withr::local_tempfile()
  trees <- function(...) gbrt(trees = 4, num_leaves = 3, min_data_in_leaf = 1, ...)
  specs <- c(lapply(list(loss_pairwise(), loss_softmax(), loss_list_mle(), loss_smooth(metric_ndcg(5), warmup = 2),
                         loss_lambda(metric_err(5), sigma = 2), loss_xendcg(), loss_query_rmse(), loss_ordinal()),
                    function(objective) trees(objective = objective)),
             list(trees(dropout = 0.5), gbrt(4, growth = "oblivious", max_depth = 2, min_data_in_leaf = 1),
                  trees(monotone_constraints = c(1, rep(0, length(data$features) - 1))),
                  yetirank(trees = 4, max_depth = 2, rankings = 5, setup = "mse")))
  for (spec in specs) {
    model <- fit(spec, data, seed = 3, verbose = FALSE)
    write_model(model, file)
    again <- read_model(file)
    expect_identical(predict(again, data), predict(model, data), label = format(spec))
    expect_identical(format(again$spec), format(spec))
  }
  custom <- loss_custom(function(scores, query) {
    list(gradient = scores - query$relevance, hessian = rep(1, length(scores)))
  })
  expect_error(write_model(fit(trees(objective = custom), data), file),
               class = "rankmix_error_format")
})

test_that("models of factors, of a chosen path and of validation are read back", {
  frame <- data.frame(grade = rep(0:2, 40), query = rep(1:20, each = 6),
                      a = sin(1:120), b = factor(rep(c("x", "y\"\\\n\u00e9", "{[z"), 40)))
  data <- ranking_data(grade ~ a + b, frame, query = query)
  frame$query <- frame$query + 100
  valid <- ranking_data(grade ~ a + b, frame, query = query)
  file <- withr::local_tempfile()
  for (model in list(fit(gbrt(4, num_leaves = 3, min_data_in_leaf = 1), data, valid, metric_ndcg(3), seed = 1,
                         verbose = FALSE),
                     fit(ranksvm(c(0.1, 1, 10)), data, valid, metric_err(5), verbose = FALSE))) {
    write_model(model, file)
    expect_identical(read_model(file), model)
    expect_identical(predict(read_model(file), frame), predict(model, frame))
  }
})

test_that("models with functions, and models of other versions, are not written", {
  data <- export_data(FALSE)
  file <- withr::local_tempfile()
  own <- cocr(function(x, y, w) NULL)
  model <- fit(gbrt(2, num_leaves = 3), data, seed = 1, verbose = FALSE)
  with_field <- function(value) {
    model$extra <- value
    model
  }
  changed <- model
  changed$spec$lambda_l2 <- -1
  by_own <- fit(best_feature(metric_custom("mine", function(relevance) relevance[1L])), data,
                verbose = FALSE)
  expect_snapshot(error = TRUE, {
    write_model(with_field(function(x) x), file)
    write_model(with_field(quote(x + y)), file)
    write_model(with_field(globalenv()), file)
    write_model(with_field(factor("a")), file)
    write_model(with_field(own), file)
    write_model(with_field(list(a = 1, a = 2)), file)
    write_model(with_field(metric_custom("mine", function(relevance) 1)), file)
    write_model(changed, file)
    write_model(by_own, file)
  })
})

test_that("numbers and texts of any kind are read back to the last bit", {
  model <- fit(linear_ranker(penalty = 0.1), export_data(), verbose = FALSE)
  model$extra <- list(
    numbers = c(0.1, -0, 1e300, 5e-324, 2^53 + 1, NaN, NA, Inf, -Inf), one = 0.1, none = numeric(),
    whole = c(1L, NA, -5L), flag = c(TRUE, NA), text = c("\u00e9\t\u0001\"\\/", NA, "", "[{"),
    named = c(a = 1, b = 2), matrix = matrix(1:6 + 0.5, 2), empty = list(), null = NULL,
    rows = data.frame(a = 1:2, b = c("x", NA)), inner = list(list(1), "a"), missing = NA
  )
  file <- withr::local_tempfile()
  write_model(model, file)
  expect_identical(read_model(file), model)
  expect_identical(1 / read_model(file)$extra$numbers[2L], -Inf)
})

test_that("a model of millions of letters is read back", {
  model <- fit(linear_ranker(penalty = 0.1), export_data(), verbose = FALSE)
  model$extra <- list(numbers = withr::with_seed(1, rnorm(1e5)), text = strrep("long \" ", 2e5))
  file <- withr::local_tempfile()
  write_model(model, file)
  expect_gt(file.size(file), 3e6)
  expect_identical(read_model(file), model)
})

read_error <- function(text) {
  file <- withr::local_tempfile(pattern = "broken")
  writeLines(text, file, useBytes = TRUE)
  tryCatch(read_model(file), error = identity)
}

test_that("files that lack a part of a tree or calibrator are classed errors", {
  local_known_warnings("constant")
  data <- export_data(FALSE)
  text_of <- function(model) {
    file <- withr::local_tempfile()
    write_model(model, file)
    paste(readLines(file), collapse = "\n")
  }
  trees <- text_of(fit(gbrt(3), data, seed = 1, verbose = FALSE))
  for (field in c("round_begin", "gain", "node_documents", "leaf_documents", "right", "values")) {
    other <- sub(sprintf("\"%s\"", field), sprintf("\"%s_\"", field), trees, fixed = TRUE)
    expect_false(identical(other, trees))
    expect_s3_class(read_error(other), "rankmix_error_model_file")
  }
  # A tree with one leaf has no nodes, but its file has the field of nodes.
  few <- ranking_data(cbind(f1 = 1:8), c(0, 1, 0, 1, 1, 0, 1, 0), rep(1:2, each = 4))
  leaf <- fit(m5p(), few, verbose = FALSE)
  expect_length(leaf$forest$feature, 0L)
  text <- text_of(leaf)
  other <- sub("\"node_documents\":{\"integer\":[]},", "", text, fixed = TRUE)
  expect_false(identical(other, text))
  expect_s3_class(read_error(other), "rankmix_error_model_file")
  classifier <- fit(adaboost_mh(base_stump(), rounds = 5), data, seed = 1, verbose = FALSE)
  process <- text_of(calibrate(classifier, data, calibrator_rbc("gaussian_process")))
  other <- sub("\"left\":[-0-9.e]+,\"mean\"", "\"left\":{\"list\":[]},\"mean\"", process)
  expect_false(identical(other, process))
  expect_s3_class(read_error(other), "rankmix_error_model_file")
})

test_that("broken and hostile files are classed errors, and run nothing", {
  touched <- withr::local_tempfile()
  call <- sprintf("{\"made_by\":\"%%s\",\"settings\":{\"command\":\"touch %s\"}}", touched)
  with_spec <- function(spec) {
    sprintf("{\"format\":\"rankmix model\",\"version\":1,\"kind\":\"gbrt\",\"model\":{\"spec\":%s}}",
            spec)
  }
  texts <- c(
    "", "[", "nul", "null", "1", "\"a\"", "[]", "{}", "\377", strrep("[", 1e5), strrep("{\"a\":", 1e5),
    "{\"format\":\"rankmix model\"}", "{\"format\":\"rankmix model\",\"version\":2}",
    "{\"format\":\"rankmix model\",\"version\":1,\"kind\":\"system\",\"model\":{}}",
    "{\"format\":\"rankmix model\",\"version\":1,\"kind\":\"gbrt\",\"model\":{},\"x\":1}",
    with_spec(sprintf(call, "system")), with_spec(sprintf(call, "base::system")),
    with_spec(sprintf(call, "gbrt")), with_spec("{\"made_by\":\"gbrt\",\"settings\":{\"trees\":-1}}"),
    with_spec("{\"made_by\":\"linear\",\"settings\":{}}"), with_spec("{\"integer\":[1.5]}"),
    with_spec("{\"double\":[1],\"dim\":[3,-1]}"), with_spec("{\"double\":[1e999]}"),
    with_spec("{\"function\":[\"x\"]}"), with_spec("{\"text\":[\"\\u0000\"]}"),
    with_spec("{\"double\":[1,\"a\"]}"), with_spec("{\"table\":{\"a\":{\"double\":[1,2]},\"b\":1}}")
  )
  for (text in texts) {
    expect_s3_class(read_error(text), "rankmix_error_model_file")
  }
  expect_false(file.exists(touched))
  zeros <- withr::local_tempfile()
  writeBin(raw(100), zeros)
  expect_error(read_model(zeros), class = "rankmix_error_model_file")
  expect_snapshot(
    for (text in texts[c(1, 8, 10, 13, 14, 16, 19)]) cat(conditionMessage(read_error(text)), "\n"),
    transform = function(lines) sub("'[^']*broken[^']*'", "'<file>'", lines)
  )
})

test_that("a file with random changes is an error or a model that prints and predicts", {
  skip_if_quick()
  texts <- texts_to_mutate()
  data <- export_data()[1:3]
  file <- withr::local_tempfile()
  found <- character()
  kinds <- kinds_of_changes$json
  for (draw in utils::head(draws(8), at_size(1, 8))) {
    for (i in seq_along(texts)) {
      for (kind in seq_along(kinds)) {
        seed <- 1000 * draw + 4 * i + kind
        text <- withr::with_seed(seed, mutated_text(texts[[i]], kinds[kind]))
        writeBin(charToRaw(text), file)
        outcome <- tryCatch(outcome_of_file(file, data), error = identity)
        if (!is.character(outcome)) fail(paste(names(texts)[i], seed, conditionMessage(outcome)))
        found <- c(found, outcome[is.character(outcome)])
      }
    }
  }
  # Both outcomes must occur, or the test would cover one outcome only.
  expect_gt(min(table(factor(found, c("error", "model")))), 10)
})
