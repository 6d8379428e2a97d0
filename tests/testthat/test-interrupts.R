judged <- function(documents, features) {
  c("set.seed(1)", sprintf("n <- %d; x <- matrix(rnorm(n * %d), n)", documents, features),
    "data <- ranking_data(x, rpois(n, 0.5), rep(seq_len(n / 50), each = 50))")
}

test_that("an interrupt ends each long call within a second", {
  skip_without_processor_time()
  skip_if_quick()
  calls <- list(
    ranking_data = list(c(judged(400000, 60), "frame <- as.data.frame(x)",
                          "frame$query <- as.character(data$query); frame$grade <- data$relevance"),
                        "for (i in 1:99) ranking_data(frame, relevance = grade, query = query)", 1),
    read_model = list(c(judged(20000, 20), "file <- tempfile(fileext = '.json')",
                        "model <- fit(gbrt(1000, num_leaves = 64), data, threads = 1, verbose = FALSE)",
                        "write_model(model, file)"), "for (i in 1:99) read_model(file)", 1),
    compare_rankers = list(judged(50000, 1), paste(
      "compare_rankers(lapply(setNames(1:20, letters[1:20]), function(i) rnorm(n)), data = data,",
      "metric = metric_ndcg(10), test = 'randomization', resamples = 1e6, seed = 1, threads = 1)"), 1),
    # LAPACK decomposes a matrix. After the interrupt, LAPACK continues in a thread whose result is not used.
    kernel_features = list(judged(5000, 10), "kernel_features(data, rank = 2000, threads = 1)", 3),
    whiten_queries = list(judged(3000, 1300), "whiten_queries(data, threads = 1)", 1),
    pair_chain = list(judged(20000, 2), paste(
      "pair_chain(lapply(setNames(1:12, letters[1:12]), function(i) rnorm(n)), data,",
      "pairs = 300000, threads = 1)"), 2),
    smoothrank = list(judged(20000, 40), "fit(smoothrank(), data, threads = 1)", 1),
    coordinate_ascent = list(judged(20000, 40), "fit(coordinate_ascent(), data, threads = 1)", 1),
    fit = list(judged(60000, 40), "fit(adaboost_mh(base_tree(16), rounds = 1e6), data, threads = 1)", 1)
  )
  for (name in names(calls)) {
    call <- calls[[name]]
    ended <- interrupt_call(call[[1L]], call[[2L]], call[[3L]],
                            then = "length(fit(gbrt(2), data, threads = 2)$forest) > 0")
    expect_identical(ended$end, "interrupted", info = name)
    expect_lt(ended$seconds, 1, label = paste("seconds of", name))
    expect_true(ended$then, info = name)
  }
})
