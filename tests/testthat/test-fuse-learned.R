# Two training queries. The relevant documents are d1 and d3 of q1, and d2 of q2.
taught <- list(x = run_of(list(q1 = c(d1 = 3, d2 = 2, d3 = 1), q2 = c(d1 = 2, d2 = 1))),
               y = run_of(list(q1 = c(d3 = 2, d4 = 1), q2 = c(d2 = 2, d1 = 1))))
qrels <- as_qrels(data.frame(query = c("q1", "q1", "q1", "q2"),
                             document = c("d1", "d2", "d3", "d2"),
                             relevance = c(1, 0, 2, 1)))
# One new query to fuse.
new <- list(x = run_of(list(n = c(a = 1, b = 0))),
            y = run_of(list(n = c(b = 3, c = 2, a = 1))))
learned <- function(method) {
  fused_scores_of(predict(fit(method, taught, qrels), new))$n[c("a", "b", "c")]
}

test_that("learned parameters agree with values computed by hand", {
  # MAP of x is the mean of (1 + 2/3) / 2 and 1 / 2. The list y lacks d1 of q1, so its MAP is the mean of 1 / 2 and 1.
  expect_equal(learned(fuse_map()), c(a = 2 / 3 + 0.75 / 3, b = 1 / 3 + 0.75, c = 0.375))
  # Fractions of relevant documents at ranks 1, 2 and 3. For x they are 1/2, 1/2 and 1, where only one list has a rank
  # 3. For y they are 1, 0 and undefined.
  expect_equal(learned(fuse_pos()), c(a = 0.5, b = 0.5 + 1, c = 0))
  expect_equal(learned(fuse_slide(1)), c(a = 0.5, b = 2 / 3 + 0.5, c = 0.5))
  # With two segments, the first segment of x has ranks 1 and 2 of q1 and rank 1 of q2. The probabilities of x are (1/2
  # + 0) / 2 and (1 + 1) / 2. The probabilities of y are 1 and 0. In the new list of y, b and c are in the first
  # segment.
  expect_equal(learned(fuse_prob(2)), c(a = 0.25, b = 1 / 2 + 1, c = 1))
  # With one segment, x has (2/3 + 1/2) / 2 and y has 1/2. The normalised scores are 1, 0 for x and 0, 1, 1/2 for y.
  expect_equal(learned(fuse_seg()), c(a = 2 * 7 / 12 + 0.5, b = 7 / 12 + 1, c = 0.75))
  # Three relevant documents and three others are retrieved (d2 and d4 of q1, d1 of q2).
  # x has 1 relevant and 1 other document at rank 1, has 2 and 1 at later ranks, and lacks 0 and 1 (d4).
  # y has 2 and 0 at rank 1, has 0 and 2 at later ranks, and lacks 1 and 1 (d1, d2).
  expect_equal(learned(fuse_bayes(1)),
               c(a = log(1.5 / 1.5) + log(0.5 / 2.5), b = log(2.5 / 1.5) + log(2.5 / 0.5),
                 c = log(0.5 / 1.5) + log(0.5 / 2.5)))
  # Only documents of grade 2 are relevant: d3 of q1.
  expect_equal(learned(fuse_pos(relevant = 2)), c(a = 0, b = 0.5, c = 0))
})

# For each rank of a list, the mean relevance of the documents that share the rank.
naive_shown <- function(scores, relevant) {
  vapply(seq_along(scores), function(p) {
    fraction <- vapply(scores, function(s) {
      sum(scores > s) < p && p <= sum(scores >= s)
    }, NA)
    mean(relevant[names(scores)[fraction]])
  }, 1)
}

naive_values <- function(method, lists, relevant, candidates, longest) {
  shown <- Map(naive_shown, lists, relevant[names(lists)])
  fractions <- function(p) {
    of <- unlist(lapply(shown, function(s) if (length(s) >= p) s[p]))
    if (length(of) == 0) NaN else mean(of)
  }
  by_segment <- function(segment_of, k) {
    of <- unlist(lapply(shown, function(s) {
      part <- s[segment_of(seq_along(s), length(s)) == k]
      if (length(part) > 0) mean(part)
    }))
    if (length(of) == 0) 0 else mean(of)
  }
  ranks <- seq_len(longest)
  zero <- function(v) ifelse(is.nan(v), 0, v)
  switch(method$name,
         pos = zero(vapply(ranks, fractions, 1)),
         slide = {
           all <- vapply(seq_len(longest + method$window), fractions, 1)
           last <- max(lengths(lists))
           vapply(ranks, function(p) {
             if (p > last) return(0)
             mean(all[max(1, p - method$window):min(last, p + method$window)])
           }, 1)
         },
         prob = vapply(seq_len(method$segments), by_segment, 1, segment_of = function(p, n) {
           floor((p - 1) * method$segments / n) + 1
         }),
         seg = {
           ends <- cumsum(c(5, 15, 35, 75))
           of <- function(p, n) vapply(p, function(one) sum(ends < one) + 1, 1)
           vapply(of(ranks), by_segment, 1, segment_of = of)
         },
         bayes = {
           band_of <- function(p) sum(method$bands < p) + 1
           count <- function(of, b) {
             sum(unlist(lapply(names(lists), function(q) {
               s <- of(shown[[q]])
               retrieved <- s[vapply(seq_along(s), band_of, 1) == b]
               if (b <= length(method$bands) + 1) return(sum(retrieved))
               sum(of(relevant[[q]][setdiff(candidates[[q]], names(lists[[q]]))]))
             })))
           }
           b <- c(vapply(ranks, band_of, 1), length(method$bands) + 2)
           r <- vapply(seq_len(length(method$bands) + 2), count, 1, of = identity)
           i <- vapply(seq_len(length(method$bands) + 2), count, 1, of = function(s) 1 - s)
           rate <- sum(r) / sum(r + i)
           log((r + rate) / (i + 1 - rate) * sum(i) / sum(r))[b]
         })
}

test_that("curves agree with the reference implementation, with ties and lacking queries", {
  for (seed in 1:3) {
    runs <- random_runs(seed, queries = 6)
    set.seed(seed + 100)
    relevant <- lapply(stats::setNames(nm = paste0("q", 1:6)), function(q) {
      stats::setNames(as.double(runif(9) < 0.4), letters[1:9])
    })
    judged <- as_qrels(data.frame(query = rep(names(relevant), each = 9),
                                  document = letters[1:9], relevance = unlist(relevant)))
    candidates <- lapply(stats::setNames(nm = names(relevant)), function(q) {
      unique(unlist(lapply(runs, function(run) names(run[[q]]))))
    })
    for (method in list(fuse_pos(), fuse_slide(2), fuse_prob(3), fuse_seg(),
                        fuse_bayes(c(1, 3)))) {
      model <- fit(method, lapply(runs, run_of), judged)
      for (r in names(runs)) {
        curve <- model$curves[[match(r, model$rankers)]]
        longest <- 8
        table <- rankmix:::curve_table(curve, method, longest)
        if (method$name == "prob") table <- table * seq_along(table)
        if (method$name == "bayes") table <- c(table, curve$value[length(curve$value)])
        expect_equal(table, naive_values(method, runs[[r]], relevant, candidates, longest),
                     info = paste(format(method), r, seed))
      }
    }
  }
})

test_that("MAP agrees with evaluate()", {
  runs <- lapply(random_runs(5, queries = 8), run_of)
  set.seed(6)
  judged <- as_qrels(data.frame(query = rep(paste0("q", 1:8), each = 9), document = letters[1:9],
                                relevance = rbinom(72, 2, 0.3)))
  model <- fit(fuse_map(), runs, judged)
  table <- evaluate(runs, judged, metric_average_precision(ties = "average", empty = "drop"),
                    topics = "qrels")
  expect_equal(tidy(model)$value, summary(table)$mean)
})

test_that("with folds each query is fused by values learned from the other folds", {
  runs <- lapply(random_runs(9, queries = 12), run_of)
  set.seed(10)
  judged <- as_qrels(data.frame(query = rep(paste0("q", 1:11), each = 9), document = letters[1:9],
                                relevance = rbinom(99, 1, 0.4)))
  for (method in list(fuse_map(), fuse_prob(4), fuse_bayes())) {
    fused <- fuse(runs, judged, method, folds = 3, seed = 2)
    expect_setequal(fused$query, paste0("q", 1:12))
    # The judgements of a query do not affect its own fused scores.
    other <- judged
    own <- other$query == "q4"
    other$relevance[own] <- 1L - other$relevance[own]
    changed <- fuse(runs, other, method, folds = 3, seed = 2)
    of <- function(run, q) as.data.frame(run)[run$query == q, ]
    expect_equal(of(changed, "q4"), of(fused, "q4"), ignore_attr = "row.names")
    expect_false(identical(changed$score, fused$score))
    # q12 has no judgements, so all judged queries are used.
    all <- predict(fit(method, runs, judged), runs)
    expect_equal(of(fused, "q12"), of(all, "q12"), ignore_attr = "row.names")
    # Rows and runs may have any order.
    moved <- fuse(lapply(rev(runs), function(run) run[rev(seq_len(nrow(run))), ]), judged, method,
                  folds = 3, seed = 2)
    key <- function(run) order(run$query, run$document)
    expect_identical(moved$score[key(moved)], fused$score[key(fused)])
    expect_identical(fuse(runs, judged, method, folds = 3, seed = 2, threads = 1), fused)
  }
  expect_false(identical(fuse(runs, judged, "prob", folds = 3, seed = 3)$score,
                         fuse(runs, judged, "prob", folds = 3, seed = 2)$score))
})

test_that("methods also learn from scores of ranking data, with folds of query_folds()", {
  data <- random_data(queries = 24)
  data <- ranking_data(data$x, data$relevance, data$query_ids[data$query],
                       document = seq_len(nrow(data$x)))
  scores <- data.frame(a = data$x[, 1], b = data$x[, 2], c = data$x[, 3])
  scores$b[c(3, 30, 60)] <- NA
  runs <- lapply(scores, function(s) {
    as_run(data.frame(query = data$query_ids[data$query], document = data$document,
                      score = s)[!is.na(s), ])
  })
  folds <- query_folds(data, 4, seed = 1)
  for (method in rankmix:::learned_names) {
    fused <- fuse(scores, data, method, folds = folds)
    run <- fuse(runs, as_qrels(data), method, folds = folds)
    expect_equal(fused[match(run$document, data$document)], run$score)
    parts <- split_parts(folds, data, 2)
    train <- c(parts$train, parts$valid)
    model <- fit(do.call(paste0("fuse_", method), list()), lapply(runs, function(run) {
      run[run$query %in% train$query_ids, ]
    }), as_qrels(train))
    test <- lapply(runs, function(run) run[run$query %in% parts$test$query_ids, ])
    expect_equal(predict(model, test)$score, fuse(test, method = model)$score)
    own <- as.data.frame(run)[run$query %in% parts$test$query_ids, ]
    again <- as.data.frame(predict(model, test))
    key <- function(run) order(run$query, run$document)
    expect_equal(again$score[key(again)], own$score[key(own)])
    expect_true(all(is.finite(evaluate(fused, data, metric_ndcg(ties = "average"))$value)))
  }
})

test_that("models print, are tidied and saved", {
  model <- fit(fuse_bayes(c(1, 5)), taught, qrels)
  expect_snapshot(print(model))
  expect_snapshot(print(tidy(model)))
  expect_snapshot(print(tidy(fit(fuse_seg(), taught, qrels))))
  file <- tempfile()
  saveRDS(model, file)
  expect_identical(predict(readRDS(file), new), predict(model, new))
  expect_identical(predict(model, new[2:1]), predict(model, new))
  expect_identical(predict(model, new, weights = c(1, 2)),
                   predict(model, new, weights = c(y = 2, x = 1)))
})

test_that("learning can break ties by ids", {
  tied <- list(x = run_of(list(q1 = c(d1 = 1, d3 = 1, d2 = 1), q2 = c(d2 = 1))),
               y = run_of(list(q1 = c(d1 = 1), q2 = c(d2 = 1))))
  fractions <- function(ties) tidy(fit(fuse_pos(), tied, qrels, ties = ties))$value[1:3]
  expect_equal(fractions("average"), c((2 / 3 + 1) / 2, 2 / 3, 2 / 3))
  # The order by id is d3, d2, d1.
  expect_equal(fractions("document"), c(1, 0, 1))
})

test_that("bad runs and judgements are refused", {
  refuse <- function(code, class = "rankmix_error_argument") {
    expect_snapshot_error(code, class = class)
  }
  refuse(fit(fuse_rrf(), taught, qrels))
  refuse(fit(fuse_pos()))
  refuse(fit(fuse_pos(), taught))
  refuse(fit(fuse_pos(), taught, 3))
  other <- as_qrels(data.frame(query = "z", document = "d1", relevance = 1))
  refuse(fit(fuse_pos(), taught, other), "rankmix_error_unjudged")
  refuse(fuse(taught, method = "pos", folds = 2), "rankmix_error_unjudged")
  none <- qrels
  none$relevance[] <- 0L
  refuse(fit(fuse_pos(), taught, none), "rankmix_error_grade")
  refuse(fit(fuse_pos(relevant = 3), taught, qrels), "rankmix_error_grade")
  all <- as_qrels(data.frame(query = c("q1", "q1"), document = c("d1", "d3"), relevance = 1))
  same <- list(x = run_of(list(q1 = c(d1 = 1, d3 = 2))), y = run_of(list(q1 = c(d1 = 1))))
  refuse(fit(fuse_bayes(), same, all), "rankmix_error_grade")
  lacking <- list(x = taught$x, y = run_of(list(q3 = c(d2 = 1), q1 = c(d1 = 1))),
                  z = taught$x)
  refuse(fit(fuse_pos(), lacking, qrels[qrels$query == "q2", ]), "rankmix_error_topics")
  refuse(fuse(taught, qrels[qrels$query == "q1", ], "pos", folds = 2),
         "rankmix_error_topics")
  refuse(fuse(taught, qrels, "pos", folds = 1))
  model <- fit(fuse_pos(), taught, qrels)
  refuse(predict(model))
  refuse(predict(model, list(x = new$x, z = new$y)))
  refuse(predict(model, new, qrels), "rankmix_error_option")
  refuse(fuse(new, method = model, missing = "zero"), "rankmix_error_option")
  refuse(fuse(new, method = model, folds = 2), "rankmix_error_option")
  refuse(fuse(new, method = model, ties = "document"), "rankmix_error_option")
  refuse(fuse_prob(0))
  refuse(fuse_slide(-1))
  refuse(fuse_bayes(c(5, 5)))
  refuse(fuse_pos(0.5))
  data <- random_data()
  weighted <- ranking_data(data$x, data$relevance, data$query_ids[data$query],
                           weight = rep(2, nrow(data$x)))
  refuse(fit(fuse_pos(), data.frame(a = data$x[, 1], b = data$x[, 2]), weighted),
         "rankmix_error_weight")
  unjudged <- ranking_data(data$x, query = data$query_ids[data$query])
  refuse(fit(fuse_pos(), data.frame(a = data$x[, 1], b = data$x[, 2]), unjudged),
         "rankmix_error_unjudged")
  folds <- query_folds(data, 3, seed = 1)
  folds$folds[[1]]$test <- folds$folds[[1]]$test[-1]
  refuse(fuse(data.frame(a = data$x[, 1], b = data$x[, 2]), data, "pos", folds = folds),
         "rankmix_error_topics")
})
