# Do data of simulate_mslr() have the shape of MSLR-WEB? Writes bench/mslr-shape.md.
#
#   Rscript bench/mslr-shape.R
#
# Needs the folder MSLR-sample (RANKMIX_DATA). RANKMIX_DOCUMENTS is the number of simulated documents (240,000).
# - Of each feature: the fraction of zeros, the fraction of the most frequent value, the number of distinct values in
#   blocks of the size of the sample, and the quantiles .5, .9, .99 and .999 of the positive values.
# - Of the data: zeros that come together, grades, lengths of lists, and Spearman correlations with the grades.
# - NDCG@10 of a random order, of BM25 and of two rankers on test queries.
# Fails where the shape differs by more than the tolerances stated in the report.

library(rankmix)
source("bench/common.R")
source("bench/simulate-mslr.R")

documents <- as.integer(Sys.getenv("RANKMIX_DOCUMENTS", "240000"))
folder <- data_folder("MSLR-sample")

read_sample <- function() {
  parts <- lapply(c("train.txt", "vali.txt", "test.txt"), function(name) read_letor(file.path(folder, name)))
  query <- unlist(lapply(seq_along(parts), function(i) paste(i, parts[[i]]$query)))
  list(x = do.call(rbind, lapply(parts, function(part) unname(part$x))),
       grade = unlist(lapply(parts, `[[`, "relevance")), query = match(query, unique(query)))
}

real <- read_sample()
seconds <- seconds_of(simulated <- simulate_mslr(documents))
size <- nrow(real$x)

# Features ------------------------------------------------------------------------------------

levels <- c(0.5, 0.9, 0.99, 0.999)
distinct_of <- function(x) apply(x, 2L, function(v) length(unique(v)))
# Distinct values in blocks of as many documents as the sample has: medians of up to five blocks.
distinct_in_blocks <- function(x) {
  blocks <- lapply(seq_len(min(5L, nrow(x) %/% size)) - 1L, function(b) distinct_of(x[b * size + seq_len(size), ]))
  apply(do.call(rbind, blocks), 2L, stats::median)
}
top_value <- function(v) max(tabulate(match(v, unique(v)))) / length(v)
# Values of language models are negative, so the quantiles of absolute values are computed.
tail_of <- function(v) stats::quantile(abs(v[v != 0]), levels, names = FALSE)
describe <- function(data, distinct) {
  list(zero = colMeans(data$x == 0), top = apply(data$x, 2L, top_value), distinct = distinct,
       tail = apply(data$x, 2L, tail_of))
}
features <- list(real = describe(real, distinct_of(real$x)),
                 simulated = describe(simulated, distinct_in_blocks(simulated$x)))

differ <- function(name) abs(features$simulated[[name]] - features$real[[name]])
log_ratio <- function(name) abs(log10(features$simulated[[name]] / features$real[[name]]))

# The data ------------------------------------------------------------------------------------

# Features of a text without a term: all but the length, IDF and the language models.
of_terms <- setdiff(1:25, c(3:4, 23:25))
joint_zeros <- function(data, stream) {
  mean(rowSums(data$x[, 5 * (of_terms - 1) + stream] != 0) == 0)
}
whole_is_sum <- function(data) {
  mean(rowSums(data$x[, 21:24]) == data$x[, 25] & rowSums(data$x[, 11:14]) == data$x[, 15])
}
# Means over queries of Spearman's correlation of a feature and the grades. Constant features have 0.
correlations <- function(data) {
  of_query <- lapply(split(seq_along(data$grade), data$query), function(rows) {
    ranks <- apply(data$x[rows, , drop = FALSE], 2L, rank)
    found <- suppressWarnings(stats::cor(ranks, rank(data$grade[rows])))
    ifelse(is.na(found), 0, found)
  })
  Reduce(`+`, of_query) / length(of_query)
}
first_block <- seq_len(size)
with_grades <- list(
  real = correlations(real),
  simulated = correlations(list(x = simulated$x[first_block, ], grade = simulated$grade[first_block],
                                query = simulated$query[first_block]))
)

# Rankings ------------------------------------------------------------------------------------

# Trains on two thirds of the queries of at most 40,000 documents.
ndcg_of <- function(data) {
  rows <- seq_len(min(length(data$grade), 40000L))
  is_train <- data$query[rows] <= 2 / 3 * data$query[max(rows)]
  train <- ranking_of(data, rows[is_train])
  test_rows <- rows[!is_train]
  test <- ranking_of(data, test_rows)
  ndcg <- function(scores) {
    mean(metric_vec("ndcg@10", data$grade[test_rows], scores, data$query[test_rows]))
  }
  fitted <- function(spec) ndcg(predict(fit(spec, train, seed = 1, verbose = FALSE), test))
  set.seed(1)
  c("random order" = ndcg(runif(length(test_rows))), BM25 = ndcg(data$x[test_rows, 110]),
    "`gbrt()`" = fitted(gbrt(trees = 100, num_leaves = 31)),
    "`lambdamart()`" = fitted(lambdamart(metric_ndcg(10), trees = 100, num_leaves = 31)))
}
rankings <- list(real = ndcg_of(real), simulated = ndcg_of(simulated))

# The page ------------------------------------------------------------------------------------

both <- function(of, digits = 2L) sprintf(paste0("%.", digits, "f"), c(of(real), of(simulated)))
sizes <- function(data) as.numeric(table(data$query))
shares <- function(data) paste(sprintf("%.3f", tabulate(data$grade + 1L, 5L) / length(data$grade)), collapse = " ")
summary_rows <- c(
  table_row("documents", size, documents),
  table_row("mean fraction of zeros", both(function(d) mean(d$x == 0), 3L)),
  table_row("features with at most 16 values", sum(features$real$distinct <= 16),
            sum(features$simulated$distinct <= 16)),
  vapply(1:5, function(s) {
    table_row(sprintf("all %d features of terms are zero: %s", length(of_terms), mslr_streams[s]),
              both(function(d) joint_zeros(d, s)))
  }, ""),
  table_row("the whole is the sum of the streams", both(whole_is_sum)),
  table_row("documents of a query: mean", both(function(d) mean(sizes(d)), 0L)),
  table_row("documents of a query: most", both(function(d) max(sizes(d)), 0L)),
  table_row("fractions of grades", shares(real), shares(simulated)),
  table_row("correlation with grades: title BM25", sprintf("%.2f", vapply(with_grades, `[`, 0, 108L))),
  table_row("correlation with grades: clicks", sprintf("%.2f", vapply(with_grades, `[`, 0, 134L))),
  vapply(names(rankings$real), function(name) {
    table_row(paste("test NDCG@10 of", name), sprintf("%.3f", vapply(rankings, `[[`, 0, name)))
  }, "")
)

close <- c(
  "fractions of zeros, mean difference" = mean(differ("zero")), "fractions of zeros, largest" = max(differ("zero")),
  "most frequent values, mean difference" = mean(differ("top")),
  "most frequent values, largest" = max(differ("top")),
  "distinct values, median factor" = 10^stats::median(log_ratio("distinct")),
  "features with 1.5 times or 2/3 of the distinct values" = mean(log_ratio("distinct") > log10(1.5)),
  "quantiles .5 to .99, median factor" = 10^stats::median(log_ratio("tail")[1:3, ]),
  "quantiles .5 to .99 beyond a factor of 2" = mean(log_ratio("tail")[1:3, ] > log10(2)),
  "quantiles .999 beyond a factor of 3" = mean(log_ratio("tail")[4L, ] > log10(3))
)
most <- c(0.02, 0.05, 0.02, 0.07, 1.2, 0.1, 1.2, 0.1, 0.1)
held <- c(close <= most,
          "NDCG@10 of the rankers" = all(rankings$simulated[3:4] > 0.45 & rankings$simulated[3:4] < 0.75),
          "correlation of the correlations with grades" = stats::cor(with_grades$real, with_grades$simulated)[1L] > 0.7)

kinds <- c("covered terms", "covered ratio", "length", "IDF",
           outer(c("sum", "min", "max", "mean", "variance"), c("tf", "tf / length", "tf*idf"), paste),
           "boolean", "vector space", "BM25", "LMIR.ABS", "LMIR.DIR", "LMIR.JM")
labels <- c(outer(mslr_streams, kinds, function(a, b) paste0(b, ", ", a)),
            "slashes in URL", "length of URL", "inlinks", "outlinks", "PageRank", "SiteRank", "quality 1", "quality 2",
            "query-URL clicks", "URL clicks", "dwell time")
entry <- function(a, b, format) paste(sprintf(format, a), sprintf(format, b), sep = " / ")
pair <- function(name, format) entry(features$real[[name]], features$simulated[[name]], format)
tails <- function(k) entry(features$real$tail[k, ], features$simulated$tail[k, ], "%.3g")
columns <- cbind(seq_len(136), labels, pair("zero", "%.2f"), pair("top", "%.2f"), pair("distinct", "%.0f"),
               tails(1L), tails(2L), tails(3L), tails(4L))
feature_rows <- apply(columns, 1L, table_row)

lines <- c(
  "# Simulated data of the shape of MSLR-WEB", "",
  "Written by `Rscript bench/mslr-shape.R`. It compares `simulate_mslr()` of `bench/simulate-mslr.R` with a sample of",
  "MSLR-WEB10K. The sample has few queries, so its values have sampling errors. The simulation was adjusted to them.",
  sprintf("The simulation took %.1f seconds. Rankers are trained on two thirds of at most 40,000 documents.", seconds),
  paste0("rankmix ", packageVersion("rankmix"), ", ", R.version.string, "."), "",
  markdown_table(c("", "sample", "simulated"), summary_rows),
  "## Differences", "",
  "Quantiles are of the magnitudes of values other than 0. Fractions of features or quantiles must not be above the",
  "tolerance. Distinct values are counted in samples of equal numbers of documents.", "",
  markdown_table(c("difference", "value", "tolerance"),
                 vapply(seq_along(close), function(k) {
                   table_row(names(close)[k], sprintf("%.3f", close[[k]]), most[k])
                 }, "")),
  "## Features", "", "Each entry has the sample first, then the simulation.", "",
  markdown_table(c("", "feature", "zeros", "most frequent", "distinct", ".5", ".9", ".99", ".999"), feature_rows)
)
writeLines(lines, "bench/mslr-shape.md")
cat(lines[seq_len(45L)], sep = "\n")
hold_targets(held)
