# Reads an evaluation from a file with these lines.
read_lines <- function(lines, ..., name = "run.txt") {
  path <- file.path(withr::local_tempdir(), name)
  writeLines(lines, path)
  read_evaluation(path, ...)
}

test_that("formats are detected by their content", {
  detected <- function(...) {
    lines <- c(...)
    detect_format(list(text = lines, number = seq_along(lines)), NULL, "file", NULL)
  }
  expect_identical(detected("map                   \t1\t0.5"), "trec_eval")
  expect_identical(detected("own_measure\t1\t0.5", "own_measure\tall\t0.5"), "trec_eval")
  expect_identical(detected("P_10\tq1\t0.5", "ndcg_cut_10\tq1\t0.5"), "trec_eval")
  expect_identical(detected("map\tabc\t0.5"), "trec_eval")
  expect_identical(detected("1\tnDCG@10\t0.5"), "ir_measures")
  expect_identical(detected("abc\tAP(rel=2)\t0.5", "abc\tRBP(p=0.8)@10\t0.5"), "ir_measures")
  expect_identical(detected("1\tmine\t0.5", "all\tmine\t0.5"), "ir_measures")
  expect_identical(detected("bm25\t1\tP@10\t0.5"), "ir_measures")
  expect_identical(detected("{\"map\": {}}"), "ranx")
  expect_identical(detected("{\"query_id\": \"1\", \"measure\": \"AP\", \"value\": 0.5}"), "ir_measures")
  expect_identical(detected(",name,qid,measure,value"), "pyterrier")
  expect_identical(detected("query_id,measure,value"), "long")
  expect_identical(detected("ranker\tquery\tmetric\tvalue"), "long")
  expect_error(detected("x\ty\t0.5"), class = "rankmix_error_parse")
})

test_that("the error for an unknown format lists the formats that were tried", {
  withr::local_dir(withr::local_tempdir())
  writeLines(c("topic_id,score", "1,0.5"), "own.csv")
  writeLines(c("map\t1\t0.5", "", "map\t2"), "broken.eval")
  expect_snapshot(error = TRUE, {
    read_evaluation("own.csv")
    read_evaluation("broken.eval")
  })
  made <- read_evaluation("own.csv", columns = c(query = "topic_id", value = "score"), metric = "ap")
  expect_identical(made$value, .5)
  expect_identical(made$metric, "ap")
})

test_that("lines that do not parse are named", {
  withr::local_dir(withr::local_tempdir())
  writeLines(c("map\t1\t0.5", "", "map\t2"), "fields.eval")
  writeLines(c("map\t1\t0.5", "map\t2\tO.5", "map\tall\t0.5"), "number.eval")
  writeLines("map\tall\t0.5", "all.eval")
  writeLines("all\tAP\t0.5", "all.txt")
  writeLines(c("1\tAP\t0.5", "1\tRR\tx"), "number.txt")
  writeLines(c("query,value", "1,0.5", "2,0,5"), "fields.csv")
  writeLines(c("query,value", "1,0.5", "2,half"), "number.csv")
  writeLines(c("query,value", "\"1,0.5", "2\",0.5"), "quote.csv")
  writeLines(c("name,qid,value", "a,1,0.5"), "columns.csv")
  expect_snapshot(error = TRUE, {
    read_evaluation("fields.eval", "trec_eval")
    read_evaluation("number.eval")
    read_evaluation("all.eval")
    read_evaluation("all.txt")
    read_evaluation("number.txt")
    read_evaluation("fields.csv")
    read_evaluation("number.csv")
    read_evaluation("quote.csv")
    read_evaluation("columns.csv", "pyterrier")
    read_evaluation("all.eval", "long")
  })
  error <- expect_error(read_evaluation("number.csv"), class = "rankmix_error_parse")
  expect_identical(error$file, "number.csv")
  expect_identical(error$line, 3L)
  expect_identical(error$found, "half")
})

test_that("several outputs of trec_eval may be in one file", {
  one <- function(run, value) {
    c(sprintf("map\t%d\t%.4f", 1:2, value), "relstring_20\t1\t'110-'", sprintf("runid\tall\t%s", run),
      "map\tall\t0.2")
  }
  made <- read_lines(c(one("a", c(.1, .2)), one("b", c(.3, .4))))
  expect_identical(made$ranker, c("a", "a", "b", "b"))
  expect_identical(made$value, c(.1, .2, .3, .4))
  expect_error(read_lines(c(one("a", 1:2), one("b", 1:2)[-4])), class = "rankmix_error_parse")
  # Counts stay metrics if the file has no other metric.
  expect_identical(read_lines(c("num_rel\t1\t7", "num_rel\tall\t7"))$metric, "num_rel")
})

test_that("outputs of ir_measures are read", {
  made <- read_lines(c("q1\tnDCG@10\t0.5000", "q2\tnDCG@10\t0.2500", "q1\tAP(rel=2)\t0.1000",
                       "q2\tAP(rel=2)\tnan", "all\tnDCG@10\t0.3750", "all\tAP(rel=2)\t0.1000"))
  expect_identical(made$query, c("q1", "q2", "q1", "q2"))
  expect_identical(made$metric, rep(c("nDCG@10", "AP(rel=2)"), each = 2))
  expect_identical(made$value, c(.5, .25, .1, NaN))
  expect_identical(unique(made$ranker), "run")
  skip_if_not_installed("jsonlite")
  object <- function(query, value) {
    sprintf("{\"query_id\": \"%s\", \"measure\": \"nDCG@10\", \"value\": %s}", query, value)
  }
  json <- read_lines(c(object("q1", "0.5"), object("q2", "NaN"), object("all", "0.5")))
  expect_identical(json$value, c(.5, NaN))
  expect_identical(json$query, c("q1", "q2"))
  error <- expect_error(read_lines(c(object("q1", "0.5"), object("q2", "\"x\""))),
                        class = "rankmix_error_parse")
  expect_identical(error$line, 2L)
  error <- expect_error(read_lines(c(object("q1", "0.5"), "{}")), class = "rankmix_error_parse")
  expect_identical(error$line, 2L)
  several <- read_lines(c("a\t1\tP@5\t0.2", "b\t1\tP@5\t0.4"))
  expect_identical(several$ranker, c("a", "b"))
})

test_that("tables of PyTerrier and others are read", {
  lines <- c(",name,qid,measure,value", "0,bm25,1,map,0.5", "1,bm25,2,map,0.25",
             "2,\"tree, deep\",1,map,1e-2", "3,\"tree, deep\",2,map,1")
  made <- read_lines(lines, name = "x.csv")
  expect_identical(made$ranker, rep(c("bm25", "tree, deep"), each = 2))
  expect_identical(made$value, c(.5, .25, .01, 1))
  expect_identical(names(made), c("ranker", "query", "metric", "value"))
  expect_error(read_lines(sub("1e-2", "", lines)), class = "rankmix_error_queries")
  long <- read_lines(c("fold\tranker\tquery\tmetric\tvalue\tweight\tkind", "1\ta\t1\tap\t.5\t2\tlong",
                       "2\ta\t2\tap\tNaN\t1\tshort"))
  expect_identical(long$fold, c("1", "2"))
  expect_identical(long$weight, c(2, 1))
  expect_identical(long$value, c(.5, NaN))
  expect_identical(long$kind, c("long", "short"))
})

test_that("values of ranx are read, and other files of ranx are errors", {
  skip_if_not_installed("jsonlite")
  one <- read_lines("{\"ndcg@10\": {\"q1\": 0.5, \"q2\": NaN}, \"mrr\": {\"q1\": 1, \"q2\": 0.25}}",
                    name = "a.json")
  expect_identical(one$ranker, rep("a", 4))
  expect_identical(one$value, c(.5, NaN, 1, .25))
  expect_identical(one$metric, rep(c("ndcg@10", "mrr"), each = 2))
  two <- read_lines(c("{\"b\": {\"map@100\": {\"1\": 0.5}},", " \"c\": {\"map@100\": {\"1\": null}}}"),
                    fill = 0)
  expect_identical(two$ranker, c("b", "c"))
  expect_identical(two$value, c(.5, 0))
  withr::local_dir(withr::local_tempdir())
  writeLines("{\"q1\": {\"d1\": 12.5}}", "run.json")
  writeLines("{\"stat_test\": \"student\", \"metrics\": [\"map\"], \"model_names\": [\"a\"]}", "report.json")
  writeLines("{\"map\": {\"q1\": \"x\"}}", "text.json")
  writeLines("{\"map\": {\"q1\"", "cut.json")
  expect_snapshot(error = TRUE, {
    read_evaluation("run.json")
    read_evaluation("report.json")
    read_evaluation("text.json")
  })
  expect_error(read_evaluation("cut.json"), class = "rankmix_error_parse")
})
