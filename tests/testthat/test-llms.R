# The page for coding assistants is inst/llms.txt. Its code must run, and its wrong calls must fail.

llms_lines <- function() {
  # The source file may be newer than the installed file.
  file <- test_path("..", "..", "inst", "llms.txt")
  if (!file.exists(file)) file <- system.file("llms.txt", package = "rankmix")
  readLines(file, encoding = "UTF-8")
}

# The calls in all blocks of code that begin with ```<info>.
calls_of <- function(info) {
  lines <- llms_lines()
  begins <- which(lines == paste0("```", info))
  ends <- which(lines == "```")
  code <- lapply(begins, function(at) lines[(at + 1L):(min(ends[ends > at]) - 1L)])
  as.list(parse(text = unlist(code), keep.source = FALSE))
}

test_that("the recipes for coding assistants run, and the wrong calls are errors", {
  skip_on_cran()
  skip_if_not_installed("jsonlite")
  place <- new.env(parent = globalenv())
  recipes <- calls_of("r")
  expect_gt(length(recipes), 20L)
  capture.output(for (call in recipes) expect_no_error(suppressMessages(eval(call, place))))
  expect_identical(predict(place$same, place$test), predict(place$trees, place$test))

  wrong <- calls_of("r wrong")
  expect_length(wrong, 12L)
  remedies <- "There (is no argument|are no arguments)|Write `objective = |needs validation data|made by `ranking_data|function \"ndcg\"|one number per row"
  for (call in wrong) expect_error(eval(call, place), remedies)
})

test_that("the page for coding assistants names functions that exist", {
  text <- paste(llms_lines(), collapse = "\n")
  named <- unique(unlist(regmatches(text, gregexpr("\\b[A-Za-z_.]+(?=\\()", text, perl = TRUE))))
  known <- c(getNamespaceExports("rankmix"), ls(baseenv()), getNamespaceExports("stats"), getNamespaceExports("utils"))
  expect_identical(setdiff(named, known), "ndcg")
})
