# Small random data, and the folds of real data if they are installed.

random_data <- function(queries = 12, features = 4, classes = 3, missing = 0,
                        distinct = Inf, seed = 1) {
  set.seed(seed)
  sizes <- sample(1:15, queries, replace = TRUE)
  query <- sample(rep(seq_len(queries), sizes))
  n <- length(query)
  x <- matrix(rnorm(n * features), n)
  if (is.finite(distinct)) {
    x <- matrix(as.double(sample.int(distinct, n * features, TRUE)), n)
  }
  relevance <- pmin(classes - 1, pmax(0, round(x[, 1] / 2 + rnorm(n))))
  relevance[sample(n, 2)] <- c(0, classes - 1)
  x[sample(length(x), missing * length(x))] <- NA
  ranking_data(x, relevance, query)
}

example_part <- function(name) {
  read_letor(system.file("extdata", paste0(name, ".txt.gz"),
                         package = "rankmix", mustWork = TRUE))
}

real_fold <- function(...) {
  root <- Sys.getenv("RANKMIX_DATA")
  folder <- file.path(root, ...)
  if (!nzchar(root) || !dir.exists(folder)) {
    skip("RANKMIX_DATA does not name the judged data")
  }
  folder
}

# Writes an R script into a folder, for a separate process. The process has the
# libraries of this process and works in the folder.
child_script <- function(folder, lines) {
  script <- file.path(folder, "script.R")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(rankmix)",
    sprintf("setwd(%s)", deparse(folder)),
    lines
  ), script)
  shQuote(script)
}

# Writes the lines to a file in a new folder, which is the working directory until the test ends. So messages
# are the same on every machine.
local_letor <- function(lines, name = "data.txt", env = parent.frame()) {
  folder <- tempfile("letor")
  dir.create(folder)
  withr::local_dir(folder, .local_envir = env)
  writeLines(lines, name)
  name
}

# The path of a folder that is deleted when the test ends.
local_folder <- function(env = parent.frame()) {
  folder <- tempfile("run")
  withr::defer(unlink(folder, recursive = TRUE), envir = env)
  folder
}

# Sparse data with columns of different kinds: constant, dense, with few and with many distinct values.
sparse_case <- function(n = 600, features = 40, seed = 1, density = 0.1) {
  set.seed(seed)
  x <- Matrix::rsparsematrix(n, features, density)
  x@x <- sample(c(-1, 1, 2, 1000), length(x@x), TRUE) * round(abs(x@x), 1) + 0.1
  x[sample(n, 20), 3] <- NA
  x[, 5] <- 0          # constant: no entry
  x[, 6] <- 2          # constant: all entries
  x[, 7] <- -abs(rnorm(n))  # dense
  x <- Matrix::drop0(x)
  signal <- as.vector(x[, 1] > 0) + as.vector(x[, 2] > 0) + as.vector(x[, 7] > -0.5)
  list(x = x, relevance = pmin(3, signal + rbinom(n, 1, 0.2)), query = sample(30, n, TRUE))
}

# A data frame with a factor that has an unused level and missing values, an ordered factor and a number.
colour_frame <- function(queries = 12, documents = 10, seed = 5) {
  with_seed(seed, {
    rows <- queries * documents
    frame <- data.frame(query = rep(seq_len(queries), each = documents), x = as.double(sample(3, rows, TRUE)),
                        colour = factor(sample(c("blue", "green", "red"), rows, TRUE, c(1, 2, 3)),
                                        c("blue", "green", "red", "unused")),
                        size = factor(sample(c("s", "m", "l"), rows, TRUE), c("s", "m", "l"), ordered = TRUE))
    frame$colour[sample(rows, 6)] <- NA
    frame$grade <- pmin(2, frame$x - 1 + (frame$colour %in% "red"))
    frame
  })
}
