# A reader by the rules of RankLib's parser: elements have a fixed order, and each line has one group of tags.
read_ranklib <- function(lines) {
  stopifnot(lines[1L] == "## LambdaMART", lines[2L] == "<ensemble>",
            lines[length(lines)] == "</ensemble>")
  at <- 3L
  line <- function() trimws(lines[at])
  take <- function(pattern) {
    found <- regmatches(line(), regexec(paste0("^", pattern, "$"), line()))[[1L]]
    if (length(found) == 0L) stop("line ", at, ": ", line())
    at <<- at + 1L
    if (length(found) > 1L) as.numeric(found[2L])
  }
  node <- function() {
    if (grepl("^<output>", line())) {
      return(list(output = take("<output> (.*) </output>")))
    }
    found <- list(feature = take("<feature> (\\d+) </feature>"),
                  threshold = take("<threshold> (.*) </threshold>"))
    for (side in c("left", "right")) {
      take(sprintf("<split pos=\"%s\">", side))
      found[[side]] <- node()
      take("</split>")
    }
    found
  }
  trees <- list()
  while (line() != "</ensemble>") {
    stopifnot(take("<tree id=\"\\d+\" weight=\"(.*)\">") == 1)
    take("<split>")
    trees <- c(trees, list(node()))
    take("</split>")
    take("</tree>")
  }
  trees
}

# The parser's rules: a missing value is 0, and features and thresholds are floats.
score_ranklib <- function(trees, x) {
  x[is.na(x)] <- 0
  x[] <- f32(x)
  rowSums(vapply(trees, walk_tree, numeric(nrow(x)), x = x, children = function(node, x, rows) {
    if (is.null(node$output)) {
      list(node$left, node$right, first = x[rows, node$feature] <= f32(node$threshold))
    }
  }, value = function(node) node$output))
}

test_that("a reader of the rules of RankLib gives the same scores for floats", {
  models <- export_trees()
  for (name in names(models)) {
    model <- models[[name]]
    x <- edge_features(model)
    x[is.na(x)] <- 0
    trees <- read_ranklib(written(model, "ranklib", missing = "zero"))
    expect_equal(score_ranklib(trees, x), linear_score(model, x), tolerance = 1e-12, label = name)
  }
})

test_that("trees that treat a missing value as 0 can be written", {
  data <- export_data(FALSE)
  model <- fit(gbrt(5, num_leaves = 4), data, seed = 1, verbose = FALSE)
  model$forest$missing_left <- as.integer(0 <= model$forest$threshold)
  x <- edge_features(model)
  expect_equal(score_ranklib(read_ranklib(written(model, "ranklib")), x), predict(model, x),
               tolerance = 1e-12)
  model$forest$missing_left[3L] <- 1L - model$forest$missing_left[3L]
  expect_error(written(model, "ranklib"), class = "rankmix_error_missing")
})

test_that("a reader of RankLib's linear models gives the same scores", {
  models <- export_sums()
  x <- export_data()$x
  zeros <- replace(x, is.na(x), 0)
  for (name in names(models)) {
    lines <- written(models[[name]], "ranklib")
    expect_identical(lines[1L], "## Linear Regression")
    pairs <- strsplit(strsplit(lines[!startsWith(lines, "##")], " ")[[1L]], ":")
    position <- as.integer(vapply(pairs, `[`, "", 1L))
    weight <- as.numeric(vapply(pairs, `[`, "", 2L))
    expect_identical(position, 0:6)
    scores <- weight[1L] + as.vector(zeros %*% weight[-1L])
    expect_equal(scores, linear_score(models[[name]], x), tolerance = 1e-12, label = name)
  }
})
