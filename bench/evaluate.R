# Time and memory of evaluating scores, beside plain R code for the same metrics. Writes
# bench/evaluate.md.
#
#   Rscript bench/evaluate.R
#
# 1.2 million documents in 10,000 queries of 120, five grades, NDCG@10, ERR and AP of
# each query, sorting included. The plain R sorts once and computes what trec_eval
# would, query by query.

library(rankmix)

repeats <- 9L
queries <- 10000L
length_of_query <- 120L

set.seed(1)
n <- queries * length_of_query
query <- rep(seq_len(queries), each = length_of_query)
grade <- sample(0:4, n, TRUE, prob = c(52, 32, 13, 2, 1))
scores <- grade + rnorm(n, sd = 3)
data <- ranking_data(matrix(0, n), grade, query)
metrics <- list(metric_ndcg(10), metric_err(max_grade = 4), metric_average_precision())

by_rankmix <- function(threads) {
  evaluate(scores, data, metrics, threads = threads)$value
}

by_plain_r <- function() {
  ranked <- split(grade[order(query, -scores)], query)
  discount <- 1 / log2(seq_len(10L) + 1)
  cut_dcg <- function(g) sum((2^g[1:10] - 1) * discount)
  one <- function(g) {
    ideal <- cut_dcg(sort(g, decreasing = TRUE))
    r <- (2^g - 1) / 16
    rank <- seq_along(g)
    hit <- g >= 1
    c(if (ideal > 0) cut_dcg(g) / ideal else 0,
      sum(r / rank * cumprod(c(1, 1 - r[-length(r)]))),
      if (any(hit)) sum((cumsum(hit) / rank)[hit]) / sum(hit) else 0)
  }
  as.vector(t(vapply(ranked, one, numeric(3))))
}

seconds <- function(run) {
  vapply(seq_len(repeats), function(i) {
    gc(FALSE)
    system.time(run())[["elapsed"]]
  }, numeric(1))
}

# Memory is measured first, while the process has no freed memory to use again. Measured are the growth of the
# process, which includes the memory of the core, and R's largest allocation. If the scores are copied, this
# allocation is as large as the scores.
peak <- function() {
  status <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep("^VmHWM", status, value = TRUE))) * 1024
}
grown <- NA
if (file.access("/proc/self/clear_refs", 2L) == 0L) {
  gc(FALSE)
  writeLines("5", "/proc/self/clear_refs")
  before <- peak()
  by_rankmix(2L)
  grown <- peak() - before
}

allocated <- function(run) {
  log <- tempfile()
  on.exit(unlink(log))
  Rprofmem(log, threshold = 1000)
  run()
  Rprofmem(NULL)
  sizes <- as.numeric(sub(" :.*", "", grep("^[0-9]+ :", readLines(log), value = TRUE)))
  max(c(0, sizes))
}
largest <- if (capabilities("profmem")) allocated(function() by_rankmix(2L)) else NA

stopifnot(isTRUE(all.equal(by_rankmix(2L), by_plain_r(), tolerance = 1e-12)))

times <- list(
  "rankmix, 2 threads" = seconds(function() by_rankmix(2L)),
  "rankmix, 1 thread" = seconds(function() by_rankmix(1L)),
  "plain R" = seconds(by_plain_r)[1:3]
)

row <- function(name) {
  t <- times[[name]]
  sprintf("| %s | %.3f | %.3f to %.3f |", name, median(t), min(t), max(t))
}
lines <- c(
  "# Time and memory of evaluating", "",
  "Written by `Rscript bench/evaluate.R`: NDCG@10, ERR and AP of each of 10,000 queries",
  "with 120 documents, sorting included. Seconds, median and range.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| | median | range |", "|---|---|---|",
  vapply(names(times), row, character(1)), "",
  sprintf("The largest vector that R allocates has %s bytes (the scores have %s);",
          format(largest, big.mark = ","), format(8 * n, big.mark = ",")),
  sprintf("the process grows by %s bytes, %.2f a document.",
          format(grown, big.mark = ","), grown / n)
)
writeLines(lines, "bench/evaluate.md")
cat(lines, sep = "\n")
