# Works in a new folder, so that messages are the same on all machines.
local_text <- function(lines, name, env = parent.frame()) {
  local_letor(lines, name, env)
}

test_that("runs and judgements are read", {
  file <- local_text(c("q1 Q0 b 1 2.5 tag", "", "q2\tQ0\ta 7  -1e-3 tag\r",
                       "q1 Q0 a 2 -inf tag"), "run.txt")
  run <- read_run(file)
  expect_s3_class(run, "rankmix_run")
  expect_identical(run$query, c("q1", "q2", "q1"))
  expect_identical(run$document, c("b", "a", "a"))
  expect_identical(run$score, c(2.5, -1e-3, -Inf))
  expect_identical(run$tag, rep("tag", 3))
  writeLines(c("q1 0 b 2", "q1 0 a -1", "q2 0 a 0"), "qrels.txt")
  qrels <- read_qrels("qrels.txt")
  expect_s3_class(qrels, "rankmix_qrels")
  expect_identical(qrels$relevance, c(2L, -1L, 0L))
})

test_that("written files are read back identically", {
  set.seed(1)
  run <- as_run(data.frame(
    query = rep(c("10", "9"), each = 50), document = sample(1000, 100),
    score = c(rnorm(40), 10^runif(30, -300, 300), 1 / 3, rep(0.1, 29))
  ))
  folder <- tempfile()
  dir.create(folder)
  file <- file.path(folder, "run.txt")
  expect_identical(write_run(run, file), file)
  back <- read_run(file)
  key <- function(run) run[order(run$query, run$document), ]
  expect_equal(key(back), key(run), ignore_attr = "row.names", tolerance = 0)
  lines <- strsplit(readLines(file), " ")
  expect_identical(vapply(lines[1:50], `[[`, "", 4), as.character(1:50))
  # Equal scores are ordered by decreasing id, byte by byte.
  tied <- vapply(Filter(function(l) l[5] == "0.10000000000000001", lines), `[[`, "", 3)
  expect_identical(tied, sort(tied, decreasing = TRUE, method = "radix"))
  qrels <- as_qrels(data.frame(query = 1:3, document = c("x", "\u00e9", "z"),
                               relevance = c(0, 2, -1)))
  write_qrels(qrels, file)
  expect_identical(read_qrels(file), qrels)
  expect_identical(list.files(folder), "run.txt")
})

test_that("scores of ranking data are written with their documents", {
  data <- ranking_data(matrix(0, 3), c(0, 1, 2), c("b", "a", "b"),
                       document = c(7, 8, 9))
  file <- tempfile()
  write_run(c(1, 2, 3), file, data = data, tag = "mine")
  expect_identical(readLines(file),
                   c("b Q0 9 1 3 mine", "b Q0 7 2 1 mine", "a Q0 8 1 2 mine"))
  write_qrels(data, file)
  expect_identical(readLines(file), c("b 0 7 0", "a 0 8 1", "b 0 9 2"))
  plain <- ranking_data(matrix(0, 3), c(0, 1, 2), c("b", "a", "b"))
  expect_snapshot_error(write_run(1:3, file, data = plain),
                        class = "rankmix_error_document")
  expect_error(write_qrels(plain, file), class = "rankmix_error_document")
  expect_error(write_run(1:2, file, data = data), class = "rankmix_error_scores")
})

test_that("a tag is written if it is given", {
  run <- as_run(data.frame(query = 1, document = "a", score = 1, tag = "old"))
  file <- tempfile()
  write_run(run, file)
  expect_identical(read_run(file)$tag, "old")
  write_run(run, file, tag = "new")
  expect_identical(read_run(file)$tag, "new")
  expect_error(write_run(run, file, tag = c("a", "b")),
               class = "rankmix_error_argument")
  expect_error(write_run(run, file, tag = "two words"),
               class = "rankmix_error_argument")
})

test_that("ids are UTF-8, or else latin1", {
  file <- tempfile()
  writeBin(c(charToRaw("1 0 caf"), as.raw(0xe9), charToRaw(" 1\n2 0 caf"),
             as.raw(c(0xc3, 0xa9)), charToRaw(" 1\n")), file)
  expect_identical(read_qrels(file)$document, rep("caf\u00e9", 2))
  writeBin(c(charToRaw("1 qid:caf"), as.raw(c(0xc3, 0xa9)), charToRaw(" 1:1 #docid = "),
             as.raw(0xe9), charToRaw("\n")), file)
  data <- read_letor(file)
  expect_identical(data$query_ids, "caf\u00e9")
  expect_identical(data$document, "\u00e9")
})

test_that("unprintable characters in ids are refused", {
  file <- tempfile()
  writeBin(c(charToRaw("1 0 a"), as.raw(0), charToRaw(" 1\n")), file)
  expect_error(read_qrels(file), class = "rankmix_error_parse")
  writeBin(c(charToRaw("1 qid:1 1:1 #docid = a"), as.raw(0), charToRaw("\n")), file)
  expect_error(read_letor(file), class = "rankmix_error_parse")
})

test_that("a document may stand once in a query", {
  local_text(c("q1 0 a 1", "q2 0 a 1", "", "q1 0 a 0"), "twice.txt")
  expect_snapshot_error(read_qrels("twice.txt"), class = "rankmix_error_document")
  writeLines(c("1 Q0 a 1 2.5 t", "1 Q0 a 2 2.5 t"), "run.txt")
  expect_snapshot_error(read_run("run.txt"), class = "rankmix_error_document")
  expect_snapshot_error(
    as_run(data.frame(query = 1, document = c("a", "b", "b"), score = 1:3)),
    class = "rankmix_error_document"
  )
})

test_that("lines that do not parse are named", {
  refused <- function(read, lines, class) {
    local_text(lines, "bad.txt")
    condition <- expect_snapshot_error(read("bad.txt"), class = class)
  }
  refused(read_run, c("q1 Q0 a 1 2 t", "q1 Q0 b 1 2"), "rankmix_error_parse")
  refused(read_run, "q1 Q0 a 1 high t", "rankmix_error_parse")
  refused(read_run, "q1 Q0 a 1 nan t", "rankmix_error_parse")
  refused(read_qrels, "q1 0 a 1 more", "rankmix_error_parse")
  refused(read_qrels, c("# words", "2 qid:1 # a", "2 qid:1 1:0.5"), "rankmix_error_parse")
  refused(read_run, c("q1 a 1", "q1 b 1"), "rankmix_error_scores")
  refused(read_qrels, "q1 0 a 0.5", "rankmix_error_parse")
  refused(read_qrels, "q1 0 a 128", "rankmix_error_grade")
  refused(read_qrels, c("", ""), "rankmix_error_empty")
  expect_error(read_qrels("absent.txt"), class = "rankmix_error_file")
  local_text("q1 0 a x", "bad.txt")
  condition <- tryCatch(read_qrels("bad.txt"), error = identity)
  expect_identical(condition$line, 1)
  expect_identical(condition$found, "x")
})

test_that("data frames that are no runs are refused", {
  expect_snapshot_error(as_run(data.frame(query = 1, score = 2)),
                        class = "rankmix_error_column")
  expect_snapshot_error(as_run(1:3), class = "rankmix_error_argument")
  expect_snapshot_error(
    as_run(data.frame(query = 1, document = "a", score = NA_real_)),
    class = "rankmix_error_scores"
  )
  expect_snapshot_error(
    as_qrels(data.frame(query = 1, document = "a", relevance = 1.5)),
    class = "rankmix_error_grade"
  )
  expect_error(as_qrels(data.frame(query = NA, document = "a", relevance = 1)),
               class = "rankmix_error_query")
})

test_that("a failed write leaves the old file unchanged", {
  local_text("before", "there.txt")
  blank <- as_run(data.frame(query = 1, document = "a b", score = 1))
  expect_snapshot_error(write_run(blank, "there.txt"),
                        class = "rankmix_error_argument")
  expect_identical(readLines("there.txt"), "before")
  expect_snapshot_error(write_scores(1, file.path("no", "folder.txt")),
                        class = "rankmix_error_file")
  expect_snapshot_error(write_scores(c(1, NA), "there.txt"),
                        class = "rankmix_error_scores")
  expect_identical(readLines("there.txt"), "before")
  expect_identical(list.files(), "there.txt")
})

test_that("comments, and words after the tag, are skipped as by trec_eval", {
  file <- local_text(c("# a comment", "q1 Q0 a 1 2.5 t and more", "#q1 Q0 z 1 3 t",
                       "q1 Q0 b 2 1.5 t"), "run.txt")
  run <- read_run(file)
  expect_identical(run$document, c("a", "b"))
  expect_identical(run$score, c(2.5, 1.5))
  expect_identical(run$tag, c("t", "t"))
  writeLines(c("#q z", "q1 0 a 1", "# q1 0 z 1"), "qrels.txt")
  expect_identical(read_qrels("qrels.txt")$document, "a")
  # Lines that would be read as comments cannot be written.
  expect_snapshot_error(write_run(as_run(data.frame(query = "#1", document = "a", score = 1)),
                                  file), class = "rankmix_error_argument")
  expect_error(write_qrels(as_qrels(data.frame(query = "#1", document = "a", relevance = 1)),
                           file), class = "rankmix_error_argument")
})

test_that("ranks alone are a run", {
  file <- local_text(c("7\ta\t2", "7\tb\t1", "8\ta\t10"), "run.tsv")
  expected <- as_run(data.frame(query = c("7", "7", "8"), document = c("a", "b", "a"),
                                score = c(-2, -1, -10)))
  expect_identical(read_run(file), expected)
  frame <- data.frame(query = c(7, 7, 8), document = c("a", "b", "a"), rank = c(2, 1, 10))
  expect_identical(as_run(frame), expected)
  # Scores win over ranks. A third column that is not a rank is refused.
  expect_identical(as_run(cbind(frame, score = 3:1))$score, c(3, 2, 1))
  writeLines("7 a 0.5", "run.tsv")
  expect_error(read_run("run.tsv"), class = "rankmix_error_parse")
  frame$rank[2] <- NA
  expect_snapshot_error(as_run(frame), class = "rankmix_error_scores")
})

test_that("judgement lists without features are judgements", {
  file <- local_text(c("# qid:1: first words", "4\tqid:1 #\t70 A title", "0 qid:1 #71",
                       "3 qid:2 1:0.5 2:7 #docid = 72 inc = 1"), "list.txt")
  expect_identical(read_qrels(file),
                   as_qrels(data.frame(query = c("1", "1", "2"),
                                       document = c("70", "71", "72"),
                                       relevance = c(4, 0, 3))))
  writeLines(c("4 qid:1 # 70", "0 qid:1 # 71"), file)
  expect_error(read_letor(file), "read_qrels", class = "rankmix_error_feature")
})

test_that("ten lines of a run or of judgements are printed", {
  run <- as_run(data.frame(query = rep(1:3, each = 10), document = 1:10, score = 1:30))
  expect_snapshot(print(run))
  expect_snapshot(print(run, n = 2))
  qrels <- as_qrels(data.frame(query = rep(1:3, each = 10), document = 1:10, relevance = 1))
  expect_snapshot(print(qrels))
  expect_output(print(run["score"], n = 1), "<rankmix_run> 30 rows")
  expect_error(print(run, n = -1), class = "rankmix_error_argument")
})

test_that("grades go up to 127, as in trec_eval, in files and in data", {
  file <- local_text(c("q 0 a 127", "q 0 b 50", "q 0 c 0", "q 0 d -1"), "qrels.txt")
  qrels <- read_qrels(file)
  expect_identical(qrels$relevance, c(127L, 50L, 0L, -1L))
  run <- as_run(data.frame(query = "q", document = c("c", "b", "a"), score = 3:1))
  gain <- 2^c(0, 50, 127) - 1
  expect_equal(evaluate(run, qrels, "ndcg")$value,
               sum(gain / log2(2:4)) / sum(rev(gain) / log2(2:4)))
  expect_equal(evaluate(run, qrels, "precision@2(relevant = 50)")$value, 0.5)
  data <- ranking_data(cbind(a = rep(1:4, 10)), relevance = 39:0, query = rep(1, 40))
  expect_identical(data$relevance, 39:0)
  write_letor(data, file)
  expect_identical(read_letor(file)$relevance, 39:0)
  # Rankers that vote on grades support fewer grades.
  expect_snapshot_error(suppressWarnings(fit(adaboost_mh(), data)), class = "rankmix_error_grade")
  expect_error(fit(mcsvm(cost = 1), data), class = "rankmix_error_grade")
  expect_true(all(is.finite(predict(fit(gbrt(trees = 2), data), data))))
})

test_that("write_run() gets its arguments in order", {
  local_known_warnings("constant")
  data <- random_data(queries = 3, features = 2)
  model <- fit(gbrt(trees = 2), data)
  file <- withr::local_tempfile()
  expect_error(write_run(model, data, file), "`write_run(predict(model, data), \"run.txt\", data)`", fixed = TRUE)
  expect_error(write_run(predict(model, data), file), "`data` is not given", fixed = TRUE)
  expect_false(file.exists(file))
})

test_that("a run of lines that end in a carriage return alone is refused, because only its first line would be read", {
  file <- withr::local_tempfile()
  writeBin(charToRaw("q1 Q0 d1 1 0.5 tag\rq1 Q0 d2 2 0.4 tag\r"), file)
  expect_error(read_run(file), "carriage return", class = "rankmix_error_parse")
})
