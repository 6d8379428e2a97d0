diverse_qrels <- function() {
  data.frame(query = c(1, 1, 1, 1, 2, 2), subtopic = c(1, 1, 2, 3, 1, 2),
             document = c("a", "b", "a", "c", "a", "b"), relevance = c(1, 2, 1, 1, 0, -1))
}
diverse_run <- function(documents = c("a", "c", "x")) {
  as_run(data.frame(query = rep(1:2, each = length(documents)), document = documents,
                    score = rep(rev(seq_along(documents)), 2)))
}

test_that("values are those that ndeval prints", {
  folder <- test_path("fixtures", "ndeval")
  printed <- utils::read.csv(file.path(folder, "printed.csv.gz"), colClasses = "character")
  printed$value[printed$value == "-nan"] <- NA
  printed$value <- as.numeric(printed$value)
  run <- read_run(file.path(folder, "run.txt"))
  qrels <- read_qrels(file.path(folder, "qrels.txt"), subtopics = TRUE)
  for (part in split(printed, printed[c("alpha", "options")], drop = TRUE)) {
    settings <- sprintf("alpha = %s, beta = %s", part$alpha[1], part$beta[1])
    names <- unique(part$metric)
    metrics <- lapply(names, function(name) {
      text <- if (grepl("NRBP", name)) settings else if (grepl("DCG|ERR", name)) sub(",.*", "", settings)
      sprintf("%s(%s)", name, if (is.null(text)) "" else text)
    })
    found <- evaluate_diversity(run, qrels, stats::setNames(metrics, names),
                                topics = if (part$options[1] == "-c") "qrels" else "common")
    means <- summary(found)
    keys <- c(paste(found$metric, found$query), paste(means$metric, "amean"))
    own <- c(found$value, means$mean)[match(paste(part$metric, part$query), keys)]
    # ndeval divides 0 by 0 for nNRBP of query 7, because query 7 has no relevant document.
    undefined <- part$metric == "nNRBP" & part$query %in% c("7", "amean")
    expect_identical(is.na(part$value), undefined)
    expect_lt(max(abs(own - part$value)[!undefined]), 5.1e-7)
  }
})

test_that("one run, several runs and queries without relevant documents are evaluated", {
  one <- evaluate_diversity(diverse_run(), diverse_qrels(), c("strec@2", mine = "P-IA@2"))
  expect_s3_class(one, "rankmix_evaluation")
  expect_identical(one$metric, rep(c("strec@2", "mine"), each = 2))
  expect_equal(one$value, c(1, 0, 3 / 6, 0))
  expect_identical(one$documents, rep(3L, 4))
  expect_identical(one$relevant, c(3L, 0L, 3L, 0L))
  runs <- list(first = diverse_run(), second = diverse_run(c("b", "a")))
  several <- evaluate_diversity(runs, diverse_qrels(), list(diversity_strec(1), diversity_map_ia()))
  expect_identical(several$ranker, rep(rep(c("first", "second"), each = 2), 2))
  expect_equal(several$value, c(2 / 3, 0, 1 / 3, 0, (1 / 2 + 1 + 1 / 2) / 3, 0, (1 + 1 / 2 + 0) / 3, 0))
  expect_snapshot(several)
  expect_s3_class(compare_rankers(several[several$metric == "map_ia", ]), "rankmix_comparison")
})

test_that("equal scores are ranked by decreasing id, and rows have any order", {
  run <- as_run(data.frame(query = 1, document = c("B", "a", "b"), score = 0))
  qrels <- data.frame(query = 1, subtopic = "one", document = c("a", "b", "B"), relevance = c(0, 1, 0))
  found <- function(run, qrels) evaluate_diversity(run, qrels, "P-IA@1")$value
  expect_identical(found(run, qrels), 1)
  expect_identical(found(run[3:1, ], qrels[3:1, ]), 1)
})

test_that("topics are common, judged, or an error", {
  run <- diverse_run()[1:3, ]
  expect_snapshot_error(evaluate_diversity(run, diverse_qrels()), class = "rankmix_error_topics")
  expect_identical(evaluate_diversity(run, diverse_qrels(), "strec@1", topics = "common")$query, "1")
  expect_identical(evaluate_diversity(run, diverse_qrels(), "strec@1", topics = "qrels")$documents, c(3L, 0L))
})

test_that("evaluations of different judgements are not compared", {
  first <- evaluate_diversity(diverse_run(), diverse_qrels(), "strec@1")
  other <- diverse_qrels()
  other$subtopic[4] <- 2
  second <- evaluate_diversity(diverse_run(c("b", "a")), other, "strec@1")
  expect_error(compare_rankers(list(first = first, second = second)), class = "rankmix_error_grade")
})

test_that("judgements are checked", {
  refuse <- function(qrels, class) {
    expect_snapshot_error(evaluate_diversity(diverse_run(), qrels), class = paste0("rankmix_error_", class))
  }
  refuse(diverse_qrels()[-2], "column")
  refuse(as_qrels(diverse_qrels()[4:5, ]), "argument")
  refuse(5, "argument")
  refuse(diverse_qrels()[c(1:6, 3), ], "document")
  refuse(transform(diverse_qrels(), relevance = relevance / 2), "grade")
  expect_snapshot_error(evaluate_diversity(5, diverse_qrels()), class = "rankmix_error_argument")
  expect_snapshot_error(evaluate_diversity(diverse_run(), diverse_qrels(), list()),
                        class = "rankmix_error_argument")
  expect_snapshot_error(evaluate(diverse_run(), new_subtopic_qrels(diverse_qrels()), "map"),
                        class = "rankmix_error_argument")
})

test_that("judgements of subtopics are read and printed", {
  file <- tempfile()
  writeLines(c("1 1 a 1", "1 2 a 0", "2 1 b 2"), file)
  qrels <- read_qrels(file, subtopics = TRUE)
  expect_identical(qrels$subtopic, c("1", "2", "1"))
  expect_identical(qrels$relevance, c(1L, 0L, 2L))
  expect_snapshot(qrels)
  writeLines(c("1 1 a 1", "1 1 a 0"), file)
  expect_error(read_qrels(file, subtopics = TRUE), "line 2", class = "rankmix_error_document")
  writeLines("1 a 1", file)
  expect_error(read_qrels(file, subtopics = TRUE), class = "rankmix_error_parse")
  expect_error(read_qrels(file, subtopics = 1), class = "rankmix_error_argument")
})
