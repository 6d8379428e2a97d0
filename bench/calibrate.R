# Time of the calibrators on 250,000 documents, and of tuning a mixture of 500 members.
# Writes bench/calibrate.md.
#
#   Rscript bench/calibrate.R
#
# The discriminants are those of adaboost_mh(base_tree(8), rounds = 100), trained on other
# documents of the same simulated data, 5 grades, about 120 documents a query.

library(rankmix)
source("bench/simulate.R")

documents <- 250000
data <- simulate_web(2 * documents)
half <- data$query <= stats::median(data$query)
train <- ranking_data(data$x[half, ], data$grade[half], data$query[half])
held <- ranking_data(data$x[!half, ], data$grade[!half], data$query[!half])
model <- fit(adaboost_mh(base_tree(8), rounds = 100), train, seed = 1, threads = 2, verbose = FALSE)
f <- predict(model, held, type = "raw", threads = 2)
rm(data, train)

seconds <- function(run) {
  gc(FALSE)
  system.time(run)[["elapsed"]]
}

# 1. Every calibrator, with the scores of the documents.
methods <- all_calibrators()
part <- rankmix:::held_out(held, 2L)
range <- sum(model$alpha)
scores <- list()
times <- vapply(methods, function(method) {
  fitted <- NULL
  c(fit = seconds(fitted <- rankmix:::fit_calibrator(method, f, part, range, 2L)),
    scores = seconds(scores[[format(method)]] <<- rankmix:::calibrated_scores(fitted, f, 2L)))
}, numeric(2))
labels <- vapply(methods, format, "")
omega <- summary(evaluate(scores, held, metric_ndcg(10), threads = 2))$mean
# All calibrators in one call, which shares work between them.
together <- seconds(rankmix:::fit_calibrators(
  list(rankmix:::calibrator_inputs(f, range, methods)), part, 2L
))

# 2. The soft NDCG: an evaluation with its gradient, on one thread.
soft <- rankmix:::fit_calibrator(calibrator_cpc("soft_ndcg"), f, part, range, 2L)
pairs <- sum(as.numeric(diff(held$offsets))^2)
evaluation <- median(replicate(3L, seconds(
  rankmix:::soft_ndcg_target(0.01, f, part, soft$a, soft$b, 1L)
)))

# 3. Tuning c and the threshold of 500 members, which are scores with noise.
set.seed(1)
members <- lapply(seq_len(500L), function(m) {
  base <- scores[[1L + m %% length(scores)]]
  base / stats::sd(base) + stats::rnorm(length(base), sd = 0.3)
})
rm(scores)
names(members) <- sprintf("member %d", seq_along(members))
invisible(gc(reset = TRUE))
before <- sum(gc()[, 6L])
grid_c <- c(0, 1, 2, 5, 10, 20, 50, 100, 150, 200)
values <- NULL
tuned <- seconds({
  own <- rankmix:::metric_means(metric_ndcg(10), members, held, 2L)
  thresholds <- c(-Inf, stats::quantile(own, seq(0.1, 0.9, 0.1), names = FALSE))
  values <- rankmix:::mixture_values(members, own, held, metric_ndcg(10), grid_c, thresholds, 2L)
})
beyond <- sum(gc()[, 6L]) - before

lines <- c(
  "# Time of calibration and mixing", "",
  "Written by `Rscript bench/calibrate.R`: 250,000 validation documents, 5 grades, about 120",
  sprintf("documents a query; two threads. rankmix %s, %s.", packageVersion("rankmix"),
          R.version.string), "",
  sprintf("All %d calibrators at once: **%.1f s** to fit, one after the other %.1f s; %.1f s for the scores.",
          length(methods), together, sum(times["fit", ]), sum(times["scores", ])), "",
  "| calibrator | fit, s | scores, s | NDCG@10 on these documents |", "|---|---|---|---|",
  sprintf("| `%s` | %.2f | %.2f | %.4f |", labels, times["fit", ], times["scores", ], omega), "",
  sprintf("An evaluation of the soft NDCG with its gradient, one thread: %.2f s, **%.1f ns** a pair",
          evaluation, 1e9 * evaluation / pairs),
  sprintf("of documents of a query (%.0f million pairs).", pairs / 1e6), "",
  sprintf("Tuning c (%d values) and the threshold (10 values) of 500 members: **%.1f s**, best %.4f;",
          length(grid_c), tuned, max(values)),
  sprintf("%.0f MB beyond the %.0f MB of the scores (8 bytes per member and document).", beyond,
          500 * length(held$relevance) * 8 / 2^20)
)
writeLines(lines, "bench/calibrate.md")
cat(lines, sep = "\n")
