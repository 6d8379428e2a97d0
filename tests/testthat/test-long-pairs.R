# Functions that compare all pairs of documents of a query warn before they take long.
long_data <- function(n) {
  ranking_data(matrix(seq_len(n) %% 7, n, 1), relevance = seq_len(n) %% 3, query = rep(1, n))
}

test_that("functions of all pairs warn for long lists, and for no others", {
  warned <- function(expr) {
    found <- NULL
    # The work that follows the warning would take long.
    tryCatch(expr, rankmix_warning_pairs = function(w) found <<- conditionMessage(w))
    found
  }
  long <- long_data(60000)
  scores <- list(a = seq_len(60000) %% 11, b = seq_len(60000) %% 13, c = -seq_len(60000))
  expect_match(warned(fuse(scores, long, fuse_copeland())), "`fuse_copeland()` compares 1.8e+09 pairs", fixed = TRUE)
  expect_match(warned(fuse(scores, long, fuse_condorcet())), "60,000 documents", fixed = TRUE)
  expect_null(warned(fuse(scores, long, fuse_rrf())))
  expect_match(warned(aggregate_ranks(scores, long, "mc1")), "method = \"mc1\"", fixed = TRUE)
  expect_error(aggregate_ranks(scores, long, "mc4"), "29 GB", class = "rankmix_error_memory")
  expect_null(warned(aggregate_ranks(scores, long)))
  expect_match(warned(ranking_agreement(scores$a, scores$b, long, how = "rbo")), "with ties", fixed = TRUE)
  expect_null(warned(ranking_agreement(scores$a, scores$b, long, how = c("tau", "tau_b", "tau_ap"))))
  expect_null(warned(ranking_agreement(scores$c, seq_len(60000), long, how = "rbo")))
  chain <- pair_chain(list(a = rnorm(40), b = rnorm(40)), ranking_data(matrix(0, 40, 1), rep(0:1, 20), rep(1:4, each = 10)),
                      pairs = 20)
  expect_error(predict(chain, long, scores = scores[c("a", "b")]), "`pair_chain()` takes too much memory", fixed = TRUE,
               class = "rankmix_error_memory")
  medium <- long_data(6000)
  expect_match(warned(predict(chain, medium, scores = lapply(scores[c("a", "b")], utils::head, 6000))), "`pair_chain()`",
               fixed = TRUE)
  short <- long_data(2000)
  scores <- lapply(scores, utils::head, 2000)
  expect_null(warned(fuse(scores, short, fuse_copeland())))
})
