# How cost grows with documents, features, list length, and leaves or trees. Writes bench/growth.md.
#
#   Rscript bench/growth.R [WORDS]
#
# With WORDS, only cases are measured whose name contains one of them, and nothing is written.
# Times are processor times (user and system) on one thread. A run repeats a short call until
# it takes .05 s. Each size has three runs; the shortest time counts. An exponent is the coefficient of log time
# on log size over the three largest sizes. Its standard error is that of the three runs.
# - documents, features, trees: the time of the smallest size, and this size, are subtracted first, because they
#   contain the fixed costs.
# - list length (at the same number of documents) and leaves: nothing is subtracted.
# The times of each case are a file of .build/growth-SCALE. A case is not measured again while its file exists.
# n log n gives an exponent of about 1.05 to 1.1. RANKMIX_SCALE multiplies the numbers of documents; with
# 1, the default, a run takes up to 25 minutes. Fails if an exponent is above 1.15 by
# two standard errors, and its cause is not in `causes` below. For list length the limit is .5 instead of 1.15.

library(rankmix)
source("bench/common.R")
source("bench/growth-cases.R")

scale <- as.numeric(Sys.getenv("RANKMIX_SCALE", "1"))
limit <- 5        # seconds; larger sizes are left out
runs <- 3L
steep <- 1.15
steep_in_length <- 0.5  # at the same number of documents, so 1 is the square of the list length
sizes <- list(documents = c(1, 4, 8, 16, 32), features = c(5, 20, 40, 80, 160), length = c(50, 200, 400, 800, 1600))

# Why a cost grows faster than its size. "named": the help page of the function states the cost.
memory <- "memory: R's arrays leave the cache; no algorithm"
causes <- c(
  "linear_ranker(penalty = 0.1): features" = "n p^2 operations, named",
  "linear_ranker(loss_softmax(), penalty = 0.1): features" = "the preconditioner: p^2 a document, named",
  "ranksvm(0.1): features" = "the preconditioner: p^2 a document, named",
  "smoothrank(metric_ndcg(10), penalty = 0.1, schedule = c(8, 1)): features" = "more steps, named",
  "coordinate_ascent(restarts = 1, iterations = 2): length" = "m n^2 comparisons a query, named",
  "coordinate_ascent(restarts = 1, iterations = 2, search = \"ranklib\"): features" = "more sweeps, named",
  "mcsvm(0.1): features" = "equations: the cube of K p, named",
  "cocr(linear_ranker(penalty = 0.1)): features" = "p^3 operations, named",
  "yetirank(4, max_depth = 4): length" = "sampled pairs, named; long lists have more different pairs",
  "gbrt(5, num_leaves = 8, objective = loss_pairwise()): length" = "n^2 pairs up to 5,000 documents, then n log n",
  "linear_ranker(loss_pairwise(), penalty = 0.1): length" = "n^2 pairs up to 5,000 documents, then n log n",
  "fuse(, method = \"condorcet\"): length" = "n^2 pairs a query, named",
  "fuse(, method = \"copeland\"): length" = "n^2 pairs a query, named",
  "split_parts(): documents" = memory, "split_parts(): features" = memory
)

simulate_lists <- function(documents, features, length) {
  set.seed(1)
  x <- matrix(rnorm(documents * features), documents)
  utility <- x[, 1] + 0.5 * x[, 2]^2 + 0.5 * x[, 3] + rnorm(documents)
  grade <- findInterval(utility, quantile(utility, c(0.5, 0.8, 0.93, 0.98)))
  query <- (seq_len(documents) - 1L) %/% length + 1L
  list(ranking = ranking_data(x, grade, query, threads = 1), x = x, grade = grade, query = query)
}
made <- new.env()
lists_of <- function(documents, features, length) {
  key <- paste(documents, features, length)
  if (is.null(made[[key]])) made[[key]] <- simulate_lists(documents, features, length)
  made[[key]]
}

processor_time <- function() sum(proc.time()[c("user.self", "sys.self")])
seconds_of <- function(run) {
  gc(FALSE)
  begin <- processor_time()
  times <- 0L
  repeat {
    run()
    times <- times + 1L
    spent <- processor_time() - begin
    if (spent >= 0.05) return(spent / times)
  }
}

# The data and k of a case at the i-th size of an axis.
setting <- function(case, axis, i) {
  n <- case$documents * scale
  at <- list(documents = 4 * n, features = 20, length = 100, k = case$size[2L])
  if (axis == "documents") at$documents <- n * sizes$documents[i]
  if (axis == "features") at$features <- sizes$features[i]
  if (axis == "length") at[c("documents", "length")] <- list(max(16 * n, 6400), sizes$length[i])
  if (axis == "size") at[c("documents", "k")] <- list(8 * n, case$size[i])
  queries <- if (axis == "length") 4 else 10  # with fewer queries a choice may fail
  at$documents <- at$length * max(queries, round(at$documents / at$length))
  at
}
value_of <- function(at, axis) if (axis == "size") at$k else at[[axis]]

# A matrix of seconds, a column per size and a row per run.
measure <- function(case, axis) {
  seconds <- matrix(NA_real_, runs, 5L)
  values <- rep(NA_real_, 5L)
  for (i in 1:5) {
    at <- setting(case, axis, i)
    values[i] <- value_of(at, axis)
    # Stops if a quadratic cost would take longer than the limit.
    last <- if (i > 3L) min(seconds[, i - 1L]) else 0
    if (last * (values[i] / values[max(1L, i - 1L)])^2 > limit) break
    ready <- case$prepare(lists_of(at$documents, at$features, at$length), at$k)
    # The first call of a function also loads and compiles it.
    if (i == 1L) suppressWarnings(case$run(ready, at$k))
    # Warnings of few queries or steps do not matter for times.
    seconds[, i] <- vapply(seq_len(runs), function(r) {
      seconds_of(function() suppressWarnings(case$run(ready, at$k)))
    }, 1)
    if (i > 1L && values[i] == values[i - 1L]) seconds[, i - 1L] <- NA
  }
  list(values = values[!is.na(seconds[1L, ])], seconds = seconds[, !is.na(seconds[1L, ]), drop = FALSE])
}

fit_exponent <- function(seconds, values, subtract) {
  if (subtract && all(utils::tail(seconds, 3L) > 1.1 * seconds[1L])) {
    seconds <- (seconds - seconds[1L])[-1L]
    values <- (values - values[1L])[-1L]
  }
  upper <- utils::tail(seq_along(values), 3L)
  unname(stats::coef(stats::lm(log(seconds[upper]) ~ log(values[upper])))[2L])
}

exponent <- function(case, axis) {
  found <- measure(case, axis)
  subtract <- axis %in% c("documents", "features") || axis == "size" && !case$what %in% c("leaves", "stumps")
  of <- function(seconds) fit_exponent(seconds, found$values, subtract)
  best <- apply(found$seconds, 2L, min)
  list(exponent = of(best), se = stats::sd(apply(found$seconds, 1L, of)) / sqrt(runs),
       largest = max(found$values), seconds = best[length(best)])
}

steep_of <- function(axis) ifelse(axis == "length", steep_in_length, steep)
axis_text <- function(found, axis) {
  if (is.null(found)) return("")
  text <- sprintf("%.2f (%.2f)", found$exponent, found$se)
  if (found$exponent > steep_of(axis)) sprintf("**%s**", text) else text
}

grow <- function(case) {
  axes <- c(case$axes, if (!is.null(case$size)) "size")
  # A case that fails is reported at the end.
  found <- tryCatch(lapply(stats::setNames(nm = axes), function(axis) exponent(case, axis)), error = identity)
  if (inherits(found, "error")) {
    message(case$name, " failed: ", conditionMessage(found))
    return(NULL)
  }
  seconds <- sprintf("%.2fs", vapply(found, `[[`, 1, "seconds"))
  message(paste(axes, mapply(axis_text, found, axes), seconds, collapse = ", "))
  found
}

case_row <- function(case, found) {
  largest <- found$documents
  table_row(sprintf("`%s`", case$name), vapply(every_axis, function(axis) axis_text(found[[axis]], axis), ""),
            if (is.null(found$size)) "" else paste0(case$what, " ", axis_text(found$size, "size")),
            format(largest$largest, big.mark = ",", scientific = FALSE), sprintf("%.3f", largest$seconds))
}

words <- commandArgs(trailingOnly = TRUE)
cases <- growth_cases()
if (length(words) > 0L) {
  cases <- Filter(function(case) any(vapply(words, grepl, NA, case$name, fixed = TRUE)), cases)
}
begin <- Sys.time()
kept <- keep_pieces(file.path(".build", sprintf("growth-%g", scale)))
found <- lapply(cases, function(case) kept(gsub("[^a-z0-9]+", "-", tolower(case$name)), grow(case)))
message("All in ", format(Sys.time() - begin, digits = 3))
ran <- lengths(found) > 0L
names(ran) <- vapply(cases, `[[`, "", "name")
cases <- cases[ran]
found <- found[ran]
if (length(words) > 0L) quit()

# One line for each exponent that is too large.
flagged <- do.call(rbind, unlist(Map(function(case, axes) {
  lapply(names(axes), function(axis) {
    data.frame(name = case$name, axis = if (axis == "size") case$what else axis, exponent = axes[[axis]]$exponent,
               se = axes[[axis]]$se)
  })
}, cases, found), recursive = FALSE))
flagged <- flagged[flagged$exponent > steep_of(flagged$axis), ]
key <- paste(flagged$name, flagged$axis, sep = ": ")
cause <- unname(causes[key])
cause[is.na(cause)] <- "not known: perhaps noise"

lines <- c(
  "# How cost grows", "",
  "Written by `Rscript bench/growth.R`. Exponents of the time of the processor on one thread: the coefficient of log",
  "time on log size over the three largest of five sizes, with its standard error. The largest size is 32 times",
  "the smallest. Exponent 1 means that time is proportional to the size. n log n has an exponent of about 1.05 to 1.1.",
  "Documents: at 100 documents a query and 20 features. Features: 5 to 160.",
  "List length: 50 to 1,600 documents a query, at the same number of documents.",
  "For documents, features, trees and rounds, the time of the smallest size is subtracted as a fixed cost.",
  sprintf("Exponents above %.2f are bold, and above %.1f for list length: there, 1 is the square of the length.",
          steep, steep_in_length),
  "The last columns have the largest number of documents, and its time.",
  sprintf("rankmix %s, %s, scale %g.", packageVersion("rankmix"), R.version.string, scale), "",
  markdown_table(c("call", "documents", "features", "list length", "size", "largest", "seconds"),
                 unlist(Map(case_row, cases, found))),
  "## Where cost grows faster than the size", "",
  markdown_table(c("call", "exponent of", "exponent", "cause"),
                 sprintf("| `%s` | %s | %.2f (%.2f) | %s |", flagged$name, flagged$axis, flagged$exponent, flagged$se,
                         cause))
)
writeLines(lines, "bench/growth.md")
cat(lines, sep = "\n")
open <- flagged$exponent - 2 * flagged$se > steep_of(flagged$axis) & !key %in% names(causes)
hold_targets(c(ran, stats::setNames(!open, key), "25 minutes" = difftime(Sys.time(), begin, units = "mins") < 25))
