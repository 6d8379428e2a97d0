# Writes lines to a file called `name` in a new folder, and returns its path.
written <- function(name, lines, folder = withr::local_tempdir(.local_envir = parent.frame())) {
  path <- file.path(folder, name)
  writeLines(lines, path)
  path
}

# Output of `trec_eval -q`, with padded names of measures.
trec_output <- function(run, map, width = 22) {
  line <- function(measure, query, value) sprintf("%-*s\t%s\t%s", width, measure, query, value)
  queries <- 300 + seq_along(map)
  c(rbind(line("num_ret", queries, 1000), line("num_rel", queries, 20:(19 + length(map))),
          line("map", queries, sprintf("%.4f", map)), line("11-pt_avg", queries, "0.1000")),
    line("runid", "all", run), line("num_q", "all", length(map)),
    line("map", "all", sprintf("%.4f", mean(map))))
}

test_that("outputs of trec_eval are read, and compared", {
  a <- written("first.eval", trec_output("bm25", c(.1, .25, .3)))
  b <- written("second.eval", trec_output("trees", c(.2, .25, .4), width = 15))
  made <- read_evaluation(c(a, b))
  expect_s3_class(made, "rankmix_evaluation")
  expect_identical(unique(made$ranker), c("bm25", "trees"))
  expect_identical(unique(made$metric), c("map", "11-pt_avg"))
  expect_identical(made$value[made$metric == "map"], c(.1, .25, .3, .2, .25, .4))
  expect_identical(made$query[1:3], c("301", "302", "303"))
  expect_identical(made$documents[1:3], rep(1000L, 3))
  expect_identical(made$relevant[1:6], c(20:22, 20:22))
  named <- read_evaluation(c(x = a, y = b), metric = "map")
  expect_identical(unique(named$ranker), c("x", "y"))
  compared <- compare_rankers(named, seed = 1)
  expect_equal(compared$pairs$difference, -.2 / 3)
  # The files are read one by one, and the call names the rankers.
  apart <- compare_rankers(x = read_evaluation(a), y = read_evaluation(b), metric = "map", seed = 1)
  expect_equal(apart$pairs$p_t, compared$pairs$p_t)
  expect_identical(apart$pairs$a, "x")
})

test_that("the ranker has the name of its file if the file contains no name", {
  lines <- grep("all", trec_output("", c(.1, .2)), invert = TRUE, value = TRUE)
  file <- written("bm25.v2.eval.txt", lines)
  expect_identical(unique(read_evaluation(file)$ranker), "bm25.v2")
})

test_that("compressed files and files of Windows are read", {
  folder <- withr::local_tempdir()
  path <- file.path(folder, "run.gz")
  connection <- gzfile(path, "wb")
  writeLines(trec_output("packed", c(.1, .2)), connection, sep = "\r\n")
  close(connection)
  expect_identical(read_evaluation(path, metric = "map")$value, c(.1, .2))
  packed <- readBin(path, "raw", file.size(path))
  writeBin(head(packed, -12), path)
  expect_error(read_evaluation(path, metric = "map"), "cannot be read to its end", class = "rankmix_error_file")
  marked <- file.path(folder, "values.csv")
  writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw("query;value\r\n1;0.5\r\n\r\n2;0.25\r\n")), marked)
  made <- read_evaluation(marked)
  expect_identical(made$value, c(.5, .25))
  expect_identical(unique(made$ranker), "values")
})

test_that("files that do not go together are errors", {
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  writeLines(trec_output("bm25", c(.1, .2)), "a.eval")
  writeLines(trec_output("bm25", c(.1, .3)), "b.eval")
  writeLines(trec_output("trees", .1), "short.eval")
  writeLines(c("ranker,query,value", "a,1,1", "b,1,1"), "two.csv")
  writeLines(c("ranker,query,value,fold", "a,1,1,f1", "b,1,1,f1"), "folds.csv")
  writeLines(" ", "empty.csv")
  expect_snapshot(error = TRUE, {
    read_evaluation()
    read_evaluation(1)
    read_evaluation("none.eval")
    read_evaluation(character())
    read_evaluation("a.eval", "trec")
    read_evaluation("empty.csv")
    read_evaluation(c("a.eval", "b.eval"))
    read_evaluation(c("a.eval", "short.eval"), metric = "map")
    read_evaluation(c(x = "two.csv"))
    read_evaluation(c("two.csv", "folds.csv"))
    read_evaluation("a.eval", metric = "ndcg")
  })
  expect_error(read_evaluation(c("a.eval", "a.eval")), class = "rankmix_error_queries")
  expect_error(read_evaluation("none.eval"), class = "rankmix_error_file")
  expect_error(read_evaluation("empty.csv"), class = "rankmix_error_empty")
  expect_message(both <- read_evaluation(c("a.eval", "short.eval"), metric = "map", topics = "common"),
                 class = "rankmix_message_evaluation")
  expect_identical(both$value, c(.1, .1))
  expect_message(both <- read_evaluation(c("a.eval", "short.eval"), metric = "map", fill = 0))
  expect_identical(both$value, c(.1, .2, .1, 0))
})
