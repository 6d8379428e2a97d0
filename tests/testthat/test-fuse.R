# Two lists of one query: a 9, b 5, c 1 and c .9, a .8, d .3. There are N = 4 documents.
first <- run_of(list(q = c(a = 9, b = 5, c = 1)))
second <- run_of(list(q = c(c = 0.9, a = 0.8, d = 0.3)))
pair <- list(first = first, second = second)
fused_pair <- function(...) fused_scores_of(fuse(pair, ...))$q[c("a", "b", "c", "d")]

test_that("methods of ranks give the values computed by hand", {
  # Ranks: a 1 and 2, b 2, c 3 and 1, d 3.
  expect_equal(fused_pair(), c(a = 1 / 61 + 1 / 62, b = 1 / 62, c = 1 / 63 + 1 / 61,
                               d = 1 / 63))
  expect_equal(fused_pair(method = "isr"),
               c(a = 2 * 1.25, b = 0.25, c = 2 * (1 + 1 / 9), d = 1 / 9))
  expect_equal(fused_pair(method = "log_isr"),
               c(a = log(3) * 1.25, b = log(2) / 4, c = log(3) * 10 / 9, d = log(2) / 9))
  # ranx's rule gives 0 to documents that only one ranker has.
  expect_equal(fused_pair(method = fuse_log_isr(0)),
               c(a = log(2) * 1.25, b = 0, c = log(2) * 10 / 9, d = 0))
  expect_equal(fused_pair(method = fuse_rank_biased(0.5)),
               c(a = 0.5 + 0.25, b = 0.25, c = 0.125 + 0.5, d = 0.125))
  # The three ranks of a list have 4, 3 and 2 points. A missing document has (4 - 3 + 1) / 2 = 1 point.
  expect_equal(fused_pair(method = "borda"), c(a = 7, b = 4, c = 6, d = 3))
})

test_that("methods of scores give the values computed by hand", {
  # After min-max scaling, the first list has a 1, b .5, c 0. The second has c 1, a .5 / .6, d 0.
  a <- 5 / 6
  expect_equal(fused_pair(method = "comb_sum"), c(a = 1 + a, b = 0.5, c = 1, d = 0))
  expect_equal(fused_pair(method = "comb_mnz"), c(a = 2 + 2 * a, b = 0.5, c = 2, d = 0))
  expect_equal(fused_pair(method = fuse_comb_mnz(0.5)),
               c(a = sqrt(2) * (1 + a), b = 0.5, c = sqrt(2), d = 0))
  expect_equal(fused_pair(method = "comb_anz"),
               c(a = (1 + a) / 2, b = 0.5, c = 0.5, d = 0))
  expect_equal(fused_pair(method = "comb_min"), c(a = a, b = 0.5, c = 0, d = 0))
  expect_equal(fused_pair(method = "comb_max"), c(a = 1, b = 0.5, c = 1, d = 0))
  expect_equal(fused_pair(method = "comb_med"), c(a = (1 + a) / 2, b = 0.5, c = 0.5, d = 0))
})

test_that("majorities give the values computed by hand", {
  # Votes of two lists: a beats b twice, because b is missing in the second list. a and c have one vote each. a beats d
  # twice. b and c have one vote each. b and d have one vote each, because missing documents are last. c beats d twice.
  expect_equal(fused_pair(method = "copeland"), c(a = 2.5, b = 1, c = 2, d = 0.5))
  # With 2 votes and 4 documents: a leads by 2 + 0 + 2, c by 0 + 0 + 2, b by -2, d by -4.
  expect_equal(fused_pair(method = "condorcet"),
               c(a = 2.5 + 0.1, b = 1 - 0.05, c = 2 + 0.05, d = 0.5 - 0.1))
  # Missing documents have no votes. a beats b, c beats d and a beats d by 1 to 0. a and c have one vote each. b beats
  # c by 1 to 0. No list has both b and d.
  expect_equal(fused_pair(method = "copeland", missing = "skip"),
               c(a = 2.5, b = 1.5, c = 1.5, d = 0.5))
})

test_that("a cycle of majorities is settled by votes, not by chance", {
  # a > b > c > a, each by two of three votes. d loses against all others.
  cycle <- list(x = run_of(list(q = c(a = 4, b = 3, c = 2, d = 1))),
                y = run_of(list(q = c(b = 4, c = 3, a = 2, d = 1))),
                z = run_of(list(q = c(c = 4, a = 3, b = 2, d = 1))))
  for (method in c("copeland", "condorcet")) {
    scores <- fused_scores_of(fuse(cycle, method = method))$q
    expect_identical(unname(scores[["a"]]), scores[["b"]])
    expect_identical(unname(scores[["a"]]), scores[["c"]])
    expect_lt(scores[["d"]], scores[["a"]])
  }
  # Run u has only a and b, and run v has only b and d. Now Copeland scores are tied, but votes are not.
  more <- c(cycle, list(u = run_of(list(q = c(a = 3, b = 2)))),
            list(v = run_of(list(q = c(b = 2, d = 3)))))
  lists <- lapply(more, function(run) fused_scores_of(run)$q)
  finer <- fused_scores_of(fuse(more, method = "condorcet"))$q
  expect_equal(finer[order(names(finer))],
               naive_majority(lists, TRUE)[order(names(finer))])
  # These weights tie in exact numbers, but not in doubles: 0.1 + 0.2 is not 0.3, and three rounded sixths are not a
  # half.
  a_first <- run_of(list(q = c(a = 2, b = 1)))
  b_first <- run_of(list(q = c(b = 2, a = 1)))
  even <- function(...) {
    runs <- stats::setNames(c(rep(list(a_first), ...length() - 1L), list(b_first)),
                            letters[seq_len(...length())])
    unname(fused_scores_of(fuse(runs, method = "copeland", weights = c(...)))$q)
  }
  expect_identical(even(0.1, 0.2, 0.3), c(0.5, 0.5))
  expect_identical(even(1, 1, 1, 3), c(0.5, 0.5))
  expect_identical(even(1, 1, 1, 2.999), c(1, 0))
})

test_that("all methods, normalisations and rules agree with the reference implementation", {
  skip_if_quick()
  methods <- list(fuse_rrf(), fuse_rrf(2), fuse_isr(), fuse_log_isr(0.5), fuse_rank_biased(0.8), fuse_borda(), fuse_comb_sum(),
                  fuse_comb_mnz(), fuse_comb_mnz(0.3), fuse_comb_anz(), fuse_comb_min(), fuse_comb_max(), fuse_comb_med())
  for (seed in seq_len(at_size(2, 4))) {
    runs <- random_runs(seed)
    given <- lapply(runs, run_of)
    w <- c(2, 0.5, 1)
    for (method in methods) {
      scored <- startsWith(method$name, "comb")
      weighted <- !method$name %in% c("comb_min", "comb_max", "comb_med")
      for (normalize in if (scored) rankmix:::normalizations else "places") {
        for (missing in c("skip", "zero", "last")) {
          fused <- fused_scores_of(fuse(given, method = method, missing = missing,
                                        normalize = if (scored) normalize,
                                        weights = if (weighted) w))
          for (q in names(fused)) {
            lists <- lapply(runs, function(run) {
              if (is.null(run[[q]])) numeric() else run[[q]]
            })
            slow <- naive_fuse(lists, method, normalize, missing,
                               if (weighted) w else c(1, 1, 1))
            expect_equal(fused[[q]], slow[names(fused[[q]])],
                         info = paste(format(method), normalize, missing, seed))
          }
        }
      }
    }
    for (margins in c(FALSE, TRUE)) {
      for (missing in c("skip", "last")) {
        fused <- fused_scores_of(fuse(given, missing = missing, weights = w,
                                      method = if (margins) fuse_condorcet() else fuse_copeland()))
        for (q in names(fused)) {
          lists <- lapply(runs, function(run) if (is.null(run[[q]])) numeric() else run[[q]])
          slow <- naive_majority(lists, margins, missing, w)
          expect_equal(fused[[q]], slow[names(fused[[q]])], tolerance = 1e-7)
        }
      }
    }
  }
})

test_that("neither rows nor runs nor threads change a bit", {
  keyed <- function(run) {
    run <- as.data.frame(run)
    run <- run[order(run$query, run$document), ]
    row.names(run) <- NULL
    run
  }
  runs <- lapply(random_runs(7, rankers = 4), run_of)
  set.seed(8)
  moved <- lapply(runs[c(3, 1, 4, 2)], function(run) run[sample(nrow(run)), ])
  w <- c(r1 = 0.1, r2 = 0.7, r3 = 0.3, r4 = 1 / 3)
  for (method in names(rankmix:::fusion_rules)) {
    weights <- if (!method %in% c("comb_min", "comb_max", "comb_med")) w
    for (ties in c("average", "document")) {
      fused <- fuse(runs, method = method, weights = weights, ties = ties)
      expect_identical(keyed(fuse(moved, method = method, weights = weights, ties = ties,
                                  threads = 4)), keyed(fused))
      expect_identical(fuse(runs, method = method, weights = weights, ties = ties,
                            threads = 1), fused)
    }
  }
})

test_that("a query is fused alone, and a query of a single run keeps its order", {
  runs <- lapply(random_runs(3, queries = 4), run_of)
  all <- fuse(runs)
  alone <- fuse(lapply(runs, function(run) run[run$query == "q2", ]))
  expect_equal(all[all$query == "q2", ], alone, ignore_attr = "row.names")
  more <- rbind(as.data.frame(second),
                data.frame(query = "only", document = c("x", "y"), score = 2:1, tag = "t"))
  expect_identical(tail(fuse(list(first = first, second = more)), 2)$document, c("x", "y"))
})

test_that("output is sorted: queries as they appear, scores, then documents", {
  runs <- list(a = as_run(data.frame(query = c(2, 1, 2), document = c("x", "y", "w"), score = 1)),
               b = as_run(data.frame(query = c(3, 1, 2), document = c("x", "z", "z"), score = 1)),
               c = as_run(data.frame(query = c(1, 2, 3), document = c("z", "x", "y"), score = 1)))
  fused <- fuse(runs, method = "comb_sum")
  expect_identical(fused$query, c("2", "2", "2", "1", "1", "3", "3"))
  # Equal scores are ordered by decreasing id.
  expect_identical(fused$document, c("x", "z", "w", "z", "y", "y", "x"))
  expect_identical(fused$tag, rep("comb_sum", 7))
  expect_identical(fused, as_run(fused))
})

test_that("ties share ranks, or follow the ids", {
  tied <- list(x = run_of(list(q = c(a = 1, b = 1, c = 0))),
               y = run_of(list(q = c(c = 3, b = 2))))
  expect_equal(fused_scores_of(fuse(tied))$q,
               c(b = (1 / 61 + 1 / 62) / 2 + 1 / 62, c = 1 / 63 + 1 / 61,
                 a = (1 / 61 + 1 / 62) / 2))
  by_id <- fused_scores_of(fuse(tied, ties = "document"))$q
  expect_equal(by_id, c(b = 1 / 61 + 1 / 62, c = 1 / 63 + 1 / 61, a = 1 / 62))
})

test_that("a weight counts copies, and weight 0 leaves out", {
  for (method in c("rrf", "isr", "comb_sum", "comb_mnz", "comb_anz", "borda", "condorcet")) {
    expect_equal(fused_pair(method = method, weights = c(second = 1, first = 2)),
                 {
                   twice <- fuse(list(a = first, b = first, c = second), method = method)
                   fused_scores_of(twice)$q[c("a", "b", "c", "d")]
                 }, info = method)
  }
  three <- c(pair, list(third = run_of(list(q = c(z = 1, a = 0)))))
  expect_identical(fuse(three, weights = c(1, 1, 0)), fuse(pair))
})

test_that("scores of ranking data are fused as runs of them", {
  data <- random_data(queries = 20)
  documents <- sprintf("d%03d", seq_len(nrow(data$x)))
  data <- ranking_data(data$x, data$relevance, data$query_ids[data$query], document = documents)
  set.seed(5)
  scores <- data.frame(a = round(data$x[, 1], 1), b = data$x[, 2], c = data$x[, 3])
  scores$a[sample(nrow(scores), 40)] <- NA
  scores$b[sample(nrow(scores), 40)] <- NA
  runs <- lapply(scores, function(s) {
    as_run(data.frame(query = data$query_ids[data$query], document = documents,
                      score = s)[!is.na(s), ])
  })
  for (method in c("rrf", "comb_mnz", "condorcet", "borda")) {
    fused <- fuse(scores, data, method)
    expect_length(fused, nrow(data$x))
    run <- fuse(runs, method = method)
    expect_identical(fused[match(run$document, documents)], run$score)
    expect_equal(evaluate(fused, data, metric_ndcg(ties = "average"))$value,
                 evaluate(run, as_qrels(data), metric_ndcg(ties = "average"))$value)
  }
  expect_identical(fuse(as.matrix(scores), data), fuse(scores, data))
  expect_identical(fuse(as.list(scores), data), fuse(scores, data))
  unjudged <- ranking_data(data$x, query = data$query_ids[data$query])
  expect_identical(fuse(scores, unjudged), fuse(scores, data))
  # No ranker has the first document.
  scores[1, ] <- NA
  expect_identical(fuse(scores, data)[1], -Inf)
  expect_identical(sum(is.infinite(fuse(scores, data))), sum(rowSums(!is.na(scores)) == 0))
})

test_that("Borda agrees with aggregate_ranks() if all rankers rank all documents", {
  data <- random_data(queries = 10, distinct = 3)
  scores <- data.frame(a = data$x[, 1], b = data$x[, 2])
  expect_equal(fuse(scores, data, "borda"), 2 * aggregate_ranks(scores, data) + 2)
})

test_that("a fused run is accepted by write_run(), evaluate() and compare_rankers()", {
  local_known_warnings("ties")
  runs <- lapply(random_runs(11, queries = 6), run_of)
  fused <- fuse(runs, method = "comb_sum")
  qrels <- as_qrels(data.frame(query = rep(paste0("q", 1:6), each = 9), document = letters[1:9],
                               relevance = rep(0:2, 18)))
  file <- tempfile()
  write_run(fused, file)
  expect_identical(as.data.frame(read_run(file)), as.data.frame(fused))
  all <- c(runs[1:2], list(fused = fused))
  table <- evaluate(all, qrels, metric_ndcg(5), topics = "qrels")
  expect_setequal(table$ranker, c("r1", "r2", "fused"))
  compared <- compare_rankers(all, data = qrels, metric = metric_ndcg(5), seed = 1)
  expect_identical(nrow(tidy(compared)), 3L)
  frames <- lapply(runs, function(run) as.data.frame(run)[c("query", "document", "score")])
  expect_identical(fuse(frames, method = "comb_sum"), fused)
})

test_that("bad input is refused", {
  refuse <- function(code, class = "rankmix_error_argument") {
    expect_snapshot_error(code, class = class)
  }
  refuse(fuse(first))
  refuse(fuse(list(first, second)))
  refuse(fuse(list(first = first)))
  refuse(fuse(3))
  refuse(fuse(list(a = first, b = 1:3)))
  refuse(fuse(list(a = 1:3, b = 1:3)))
  refuse(fuse(pair, random_data()))
  refuse(fuse(pair, 3))
  refuse(fuse(pair, weights = 1:3))
  refuse(fuse(pair, weights = c(-1, 1)))
  refuse(fuse(pair, weights = c(0, 0)))
  expect_error(fuse(pair, weights = c(NaN, 1)), "not c(NaN, 1)", fixed = TRUE, class = "rankmix_error_argument")
  refuse(fuse(pair, weights = c(first = 1, secnd = 1)))
  refuse(fuse(pair, ties = "order"))
  refuse(fuse(pair, method = "comb_sum", normalization = "sum"))
  refuse(fuse(pair, method = "comb_sum", normalize = "minmax"))
  refuse(fuse(pair, missing = "none"))
  refuse(fuse(pair, method = "condorcet", missing = "zero"))
  refuse(fuse(pair, method = "prob"))
  refuse(fuse(pair, method = "rrf", normalize = "sum"), "rankmix_error_option")
  refuse(fuse(pair, method = "comb_max", weights = 1:2), "rankmix_error_option")
  refuse(fuse(pair, method = "rrf", folds = 3), "rankmix_error_option")
  qrels <- as_qrels(data.frame(query = "q", document = "a", relevance = 1))
  refuse(fuse(pair, qrels), "rankmix_error_option")
})
