# The time of cocr(). Writes bench/cocr-speed.md.
#
#   Rscript bench/cocr-speed.R
#
# 240,000 documents x 136 features, 5 grades (bench/simulate.R), on two threads:
# 1. linear_ranker(): four subproblems, three costs, ten penalties, and the choice by validation data, or by
#    parts of the training queries; each beside direct regression.
# 2. gbrt(1000, max_depth = 4): four subproblems trained together, beside one weighted gbrt() of the same
#    size.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")

seconds_of <- function(code) {
  gc(FALSE)
  time <- system.time(force(code))
  c(elapsed = time[["elapsed"]], cpu = time[["user.self"]] + time[["sys.self"]])
}
line_of <- function(name, seconds) {
  sprintf("| %s | %.2f | %.2f |", name, seconds[["elapsed"]], seconds[["cpu"]])
}

web <- simulate_web(240000)
web <- ranking_data(web$x, web$grade, web$query)
held_out <- simulate_web(12000, seed = 2)
held_out <- ranking_data(held_out$x, held_out$grade, held_out$query + 1e6)
penalties <- 10^seq(-4, 2, length.out = 10)
costs <- c("oerr", "absolute", "squared")
quiet <- function(spec, ...) fit(spec, web, ..., seed = 1, threads = 2, verbose = FALSE)

linear_all <- seconds_of(quiet(cocr(linear_ranker(penalty = penalties), costs), held_out))
linear_parts <- seconds_of(quiet(cocr(linear_ranker(penalty = penalties), costs)))
direct <- seconds_of(quiet(linear_ranker(loss_squared("grade"), penalties), held_out))
direct_parts <- seconds_of(quiet(linear_ranker(loss_squared("grade"), penalties)))

# Weights differ by document, like the weights of a question of COCR.
weighted <- ranking_data(web$x, web$relevance, web$query,
                         weight = (1 + seq_along(web$query_ids) %% 2)[web$query])
one <- seconds_of(fit(gbrt(1000, max_depth = 4), weighted, seed = 1, threads = 2, verbose = FALSE))
four <- seconds_of(quiet(cocr(gbrt(1000, max_depth = 4), "oerr")))
absolute <- seconds_of(quiet(cocr(gbrt(1000, max_depth = 4), "absolute")))

lines <- c(
  "# The time of COCR", "",
  "Written by `Rscript bench/cocr-speed.R`: 240,000 documents, 136 features, 5 grades, two",
  "threads.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "| | seconds | of the processor |", "|---|---|---|",
  line_of("cocr(linear_ranker()), 3 costs, 10 penalties, choice on 12,000 documents", linear_all),
  line_of("the same, choice by five parts of the training queries", linear_parts),
  line_of("linear_ranker(loss_squared(\"grade\")), 10 penalties, choice on 12,000 documents", direct),
  line_of("the same, choice by five parts", direct_parts),
  line_of("gbrt(1000, max_depth = 4), weighted", one),
  line_of("cocr(gbrt(1000, max_depth = 4)), oERR", four),
  line_of("the same, absolute", absolute), "",
  sprintf("The four subproblems of trees take %.2f times the time of one weighted fit with oERR, and %.2f times with absolute costs.",
          four[["elapsed"]] / one[["elapsed"]], absolute[["elapsed"]] / one[["elapsed"]])
)
writeLines(lines, "bench/cocr-speed.md")
cat(lines, sep = "\n")
hold_targets(c("linear, all costs and penalties, in 5 s" = linear_all[["elapsed"]] < 5,
               "four questions of trees in 4 times one" =
                 four[["elapsed"]] <= 4 * one[["elapsed"]]))
