# Estimates from clicks against the truth, by simulation: click models and evaluate_clicks(). And the time of
# click models. Writes bench/clicks.md.
#
#   Rscript bench/clicks.R [logs] [sessions]
#
# 1. Estimators: `logs` (1,000) logs of 60 queries, which are drawn from 4,000. So the true value is the mean
#    over the 4,000 queries. A query has 10 documents, and a noisy ranker shows 6 of them in each session. Each document
#    is shown in some session.
# 2. Click models: `logs` logs of 25 queries, each shown 200 times, by users of known behaviour.
# 3. Bias of examination by the number of times that a document is shown.
# 4. Processor time of `sessions` (10,000,000) sessions of 10 results on one thread. Lists have two documents swapped at
#    random.
#
# Targets: unbiased estimators have a mean within 3 standard errors of the truth. Their intervals cover the truth in 94
# to 96 % of logs, with a tolerance of 3 standard errors. 10 million sessions take less than 60 s of processor time.

library(rankmix)
source("bench/common.R")
given <- as.numeric(c(commandArgs(trailingOnly = TRUE), NA, NA)[1:2])
repetitions <- if (is.na(given[1L])) 1000L else as.integer(given[1L])
sessions <- if (is.na(given[2L])) 1e7 else given[2L]
internal <- asNamespace("rankmix")
missed <- character()

# 1. Estimators ------------------------------------------------------------------------------------

attraction <- c(0.1, 0.3, 0.5, 0.7, 0.9)
examination <- 1 / (1:6)
simulation <- simulate_ranking(4000, documents = 10, seed = 1)
all <- simulation$data
scores <- list(new = predict(simulation$truth, all) + withr::with_seed(1, rnorm(nrow(all), 0, 0.5)),
               other = all$x[, 1])
relevance <- attraction[all$relevance + 1L]
weights <- vapply(scores, internal$weight_of_scores, numeric(nrow(all)), all$query,
                  internal$click_weights_of(metric_dcg(5), 10L), FALSE)
truth <- colSums(weights * relevance) / length(all$query_ids)
true_snips <- colSums(weights * relevance) / sum(relevance)
kinds <- list(
  `IPS` = list("ips", "new"), `IPS, other ranker` = list("ips", "other"),
  `IPS, clipped at 4` = list("ips", "new", clip = 4), `IPS by position` = list("ips", "new", propensity = "position"),
  `SNIPS` = list("snips", "new"), `DR` = list("dr", "new"),
  `DR, clipped at 4, true relevance` = list("dr", "new", clip = 4, true = TRUE),
  `DR by position, true relevance` = list("dr", "new", propensity = "position", true = TRUE)
)
unbiased <- !names(kinds) %in% c("IPS, clipped at 4", "IPS by position")
once <- function(i) {
  drawn <- sample(length(all$query_ids), 60L)
  part <- all[sort(drawn)]
  rows <- which(all$query %in% drawn)
  log <- simulate_clicks(part, sessions = 20, ranker = all$x[rows, 2], noise = 3, depth = 6, examination = examination,
                         attraction = attraction, seed = i, output = "log")
  found <- lapply(kinds, function(kind) {
    x <- evaluate_clicks(setNames(list(scores[[kind[[2L]]]][rows]), kind[[2L]]), log, "dcg@5", kind[[1L]], data = part,
                         examination = examination, clip = kind$clip,
                         propensity = if (is.null(kind$propensity)) "policy" else kind$propensity,
                         relevance = if (isTRUE(kind$true)) relevance[rows])$rankers
    c(x$estimate, x$se, x$lower, x$upper)
  })
  pair <- evaluate_clicks(lapply(scores, `[`, rows), log, "dcg@5", data = part, examination = examination)$pairs
  unlist(c(found, list(c(pair$difference, pair$se, pair$lower, pair$upper))))
}
drawn <- suppressWarnings(simulate(once))
true_values <- c(vapply(kinds, function(kind) {
  (if (kind[[1L]] == "snips") true_snips else truth)[[kind[[2L]]]]
}, 0), truth[[1L]] - truth[[2L]])
names <- c(names(kinds), "IPS, difference")
estimated <- vapply(seq_along(names), function(j) {
  x <- drawn[, 4L * (j - 1L) + 1:4]
  true <- true_values[j]
  bias <- mean(x[, 1L]) - true
  error <- sd(x[, 1L]) / sqrt(nrow(x))
  cover <- mean(x[, 3L] <= true & true <= x[, 4L])
  if (c(unbiased, TRUE)[j]) {
    if (abs(bias) >= 3 * error) missed <<- c(missed, paste("bias of", names[j]))
    if (abs(cover - 0.95) > 0.01 + 3 * sqrt(0.0475 / nrow(x))) missed <<- c(missed, paste("coverage of", names[j]))
  }
  table_row(names[j], sprintf("%.4f", true), sprintf("%+.4f", bias), sprintf("%+.1f", bias / error),
            sprintf("%.4f", sd(x[, 1L])), sprintf("%.4f", sqrt(mean(x[, 2L]^2))), sprintf("%.3f", cover))
}, "")

# 2. Click models ------------------------------------------------------------------------------------

judged <- all[1:25]
users <- list(
  pbm = list(user = "position", examination = examination), ubm = list(user = "position", examination = examination),
  dcm = list(user = "cascade", examination = rep(1, 6), stop = 0.6),
  dbn = list(user = "cascade", examination = 0.9^(0:5), stop = 0.6),
  cascade = list(user = "cascade", examination = rep(1, 6), stop = 1)
)
log_of <- function(user, seed) {
  do.call(simulate_clicks, c(list(judged, 200, depth = 6, attraction = attraction, seed = seed, output = "log"), user))
}
models <- unlist(lapply(names(users), function(name) {
  found <- simulate(function(i) {
    log <- log_of(users[[name]], i)
    model <- click_model(log, name)
    x <- model$parameters[!is.na(model$parameters$estimate), ]
    error <- mean(model$pairs$attraction - attraction[judged$relevance[model$pairs$document] + 1L])
    c(x$estimate, x$lower, x$upper, error)
  })
  count <- (ncol(found) - 1L) %/% 3L
  true <- switch(name, pbm = examination, ubm = rep(examination, 1:6), dcm = rep(0.4, 5), dbn = 0.9,
                 cascade = numeric())
  last <- table_row(name, "attraction, mean error", "0", sprintf("%+.4f", mean(found[, ncol(found)])), "")
  c(vapply(setdiff(seq_len(count), if (name %in% c("pbm", "ubm")) 1L), function(j) {
    cover <- mean(found[, count + j] <= true[j] & true[j] <= found[, 2L * count + j])
    if (name == "pbm" && abs(cover - 0.95) > 0.02 + 3 * sqrt(0.0475 / nrow(found))) {
      missed <<- c(missed, sprintf("coverage of examination %d", j))
    }
    at <- if (name == "ubm") sprintf("position %d after %d", rep(1:6, 1:6)[j], (sequence(1:6) - 1L)[j]) else j
    table_row(name, at, sprintf("%.3f", true[j]), sprintf("%.3f", mean(found[, j])),
              if (is.na(cover)) "" else sprintf("%.3f", cover))
  }, ""), last)
}))

# 3. Bias ------------------------------------------------------------------------------------------

# A log with random rotations of 20 documents of each query. `swapped`: the first 10 instead, with a random swap.
simulated_log <- function(count, queries, swapped = FALSE, chunks = 1L) {
  documents <- 20L
  liked <- rbeta(queries * documents, 1, 4)
  pair <- clicked <- integer(count * 10)
  part <- count %/% chunks
  for (chunk in seq_len(chunks)) {
    query <- sample.int(queries, part, TRUE) - 1L
    shown <- if (swapped) swapped_lists(part) else {
      (rep(sample.int(documents, part, TRUE), each = 10L) + rep(0:9, part)) %% documents
    }
    own <- as.integer(rep(query, each = 10L) * documents + shown)
    at <- (chunk - 1) * part * 10 + seq_len(part * 10)
    pair[at] <- own
    clicked[at] <- as.integer(runif(part * 10) < liked[own + 1L] / rep(1:10, part))
  }
  pairs <- list2DF(list(query = rep(seq_len(queries), each = documents), document = rep(seq_len(documents), queries)))
  internal$new_click_log(as.integer(seq(0, part * chunks * 10, by = 10)), pair, clicked, pairs)
}
swapped_lists <- function(count) {
  lists <- matrix(0:9, 10L, count)
  a <- cbind(sample.int(10L, count, TRUE), seq_len(count))
  b <- cbind(sample.int(10L, count, TRUE), seq_len(count))
  kept <- lists[a]
  lists[a] <- lists[b]
  lists[b] <- kept
  as.vector(lists)
}
set.seed(1)
biased <- unlist(lapply(c(5000L, 500L, 50L), function(queries) {
  log <- simulated_log(50000L, queries)
  ratios <- vapply(list(c(1, 1), c(0.1, 0.1), c(0.01, 0.01)), function(prior) {
    mean((click_model(log, prior = prior, iterations = 5000)$parameters$estimate * 1:10)[-1L])
  }, 0)
  swaps <- mean((examination_from_swaps(log)$estimate * 1:10)[-1L])
  table_row(500000 / (20 * queries), sprintf("%.2f", c(ratios, swaps)))
}))

# 4. Times -----------------------------------------------------------------------------------------

log <- simulated_log(sessions, 20000L, swapped = TRUE, chunks = 10L)
gc(FALSE)
times <- unlist(lapply(names(users), function(name) {
  seconds <- system.time(model <- click_model(log, name, threads = 1L))[["user.self"]]
  if (seconds > 60 * sessions / 1e7) missed <<- c(missed, paste("time of", name))
  message(format(Sys.time(), "%H:%M:%S"), " ", name, " in ", round(seconds, 1), " s")
  table_row(name, sprintf("%.1f", seconds), model$iterations)
}))

writeLines(c(
  "# Estimates from clicks", "",
  sprintf("Written by `Rscript bench/clicks.R %d %s`. rankmix %s, %s.", repetitions,
          format(sessions, scientific = FALSE),
          utils::packageVersion("rankmix"), R.version.string), "",
  "## Estimators", "",
  sprintf("DCG@5 of new rankers from %d logs: 60 queries with 10 documents, 20 sessions a query, 6 shown documents.",
          repetitions),
  "`z` is the bias divided by its standard error. `sd` is the spread of the estimates, and `se` the mean standard error.",
  "Intervals should have a coverage of .95. IPS by position and clipped IPS are biased by design. DR with the",
  "true relevance repairs both.", "",
  markdown_table(c("estimator", "truth", "bias", "z", "sd", "se", "coverage"), estimated),
  "## Click models", "",
  sprintf("Means of %d logs of 25 queries with 200 sessions each. The users of each log behave as its model says. `ubm` is",
          repetitions),
  "fitted to position-based users. The intervals come from the observed information.", "",
  markdown_table(c("model", "position", "truth", "mean estimate", "coverage"), models),
  "## Bias", "",
  "The table shows estimated examination divided by true examination, the mean of the positions 2 to 10, by the number of showings of a document and by",
  "`prior`. Attractions have the mean .2. The last column is `examination_from_swaps()`.", "",
  markdown_table(c("showings", "1, 1", "0.1, 0.1", "0.01, 0.01", "swaps"), biased),
  "## Times", "",
  sprintf("Processor seconds of `click_model()` for %s sessions of 10 results and 20,000 queries, one thread.",
          format(sessions, big.mark = ",", scientific = FALSE)), "",
  markdown_table(c("model", "seconds", "iterations"), times),
  "## Missed targets", "",
  if (length(missed) == 0L) "None." else paste0("* ", missed)
), "bench/clicks.md")
if (length(missed) > 0L) stop("Missed: ", paste(missed, collapse = "; "))
