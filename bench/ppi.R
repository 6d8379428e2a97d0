# Coverage of the intervals of evaluate_ppi() and the queries that a machine saves, by simulation. Writes
# bench/ppi.md.
#
#   Rscript bench/ppi.R [repetitions]
#
# `repetitions` (2,000) draws of each row. A population of 40,000 simulated queries has human grades, drawn
# from their known probabilities, and the grades of five machines. Two of them are mild: their error is small. The
# true means are those of the population. Each draw has 1,000 queries of this population, of which n have human
# grades.
#
# 1. Coverage and width for values of metrics.
# 2. Coverage of the whole call, with calibrated grades.
# 3. Error rate of the test of the machine, if it errs alike for both rankers.
# 4. Time for 50 rankers and 10,000 queries.
#
# Targets: coverage of the t interval from .94 to .96, with a tolerance of two standard errors, for 50 or more
# human queries. The interval is narrower than the interval from human grades alone. 50 rankers x 10,000 queries
# in less than 5 s of one thread.

library(rankmix)
source("bench/common.R")

repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "2000")[1L])
sizes <- c(20, 50, 100)
sampled <- 1000L
missed <- character()

simulation <- simulate_ranking(40000, documents = c(5, 15), features = 10, seed = 1)
data <- simulation$data
set.seed(2)
noisy <- function(scores, sd) scores + rnorm(length(scores), 0, sd)
best <- log1p(predict(simulation$truth, data))
scores <- list(first = noisy(best, 0.7), second = noisy(best, 0.8), weak = data$x[, "signal1"])

# A machine: the human grade in most documents, else one grade more or less.
grading <- function(errs, upwards) {
  wrong <- runif(nrow(data)) < errs
  up <- runif(nrow(data)) < upwards
  pmin(pmax(data$relevance + ifelse(wrong, ifelse(up, 1L, -1L), 0L), 0L), 4L)
}
machines <- list(`good` = grading(0.15, 0.5), `lenient` = grading(0.4, 0.9))
# A machine that likes the documents of the weak ranker.
machines$`favours weak` <- pmin(machines$good + (scores$weak > quantile(scores$weak, 0.8)), 4L)
# Mild machines err seldom, in both directions or only upwards.
machines$mild <- grading(0.05, 0.5)
machines$`mild, upwards` <- grading(0.05, 1)

metrics <- c("ndcg@10", "precision@5")
values <- function(grades) {
  judged <- data
  judged$relevance <- as.integer(grades)
  table <- as.data.frame(suppressWarnings(evaluate(scores, judged, metrics)))
  lapply(split(table, table$metric), function(rows) matrix(rows$value, ncol = length(scores)))
}
by_human <- values(data$relevance)
by_machine <- lapply(machines, values)
n_queries <- length(data$query_ids)

# Columns: the mean of `first`, and its differences to the other rankers.
columns <- function(x) cbind(x[, 1L], x[, 1L] - x[, 2L], x[, 1L] - x[, 3L])
estimands <- c("mean", "close difference", "wide difference")

estimates <- rankmix:::ppi_estimates
moments <- rankmix:::column_moments
ends <- rankmix:::t_ends

# Whether each interval contains the truth, and its width, for the methods and estimands of one draw.
one_draw <- function(i, human, machine, truth, n, bootstrap) {
  set.seed(i)
  rows <- sample.int(n_queries, sampled, TRUE)
  y <- human[rows[seq_len(n)], , drop = FALSE]
  f <- machine[rows, , drop = FALSE]
  seen <- f[seq_len(n), , drop = FALSE]
  others <- moments(f[-seq_len(n), , drop = FALSE], rep(1, sampled - n))
  weight <- rep(1, n)
  of <- function(lambda) estimates(y, seen, weight, others, lambda)
  best <- of(NULL)
  full <- of(1)
  found <- list(human = ends(best$human_mean, best$human_se, best$human_df, 0.95),
                t = ends(best$mean, best$se, best$df, 0.95),
                `lambda = 1` = ends(full$mean, full$se, full$df, 0.95),
                `normal` = normal_ends(y, seen, f[-seq_len(n), , drop = FALSE]))
  if (bootstrap) {
    draws <- rankmix:::ppi_draws(rep(1, sampled), seq_len(sampled) <= n, f, 500L, i)
    found$bootstrap <- do.call(rbind, lapply(seq_len(ncol(y)), function(j) {
      rankmix:::bootstrap_ends(y[, j], seen[, j], weight,
                               lapply(others, function(field) field[min(j, length(field))]), NULL,
                               draws$judged, draws$other[, j], 0.95)
    }))
  }
  sapply(found, function(own) c(own$lower <= truth & truth <= own$upper, own$upper - own$lower))
}

# The interval of PPI++: normal, without a correction for few human queries.
normal_ends <- function(y, seen, others) {
  n <- nrow(y)
  m <- nrow(others)
  result <- vapply(seq_len(ncol(y)), function(j) {
    lambda <- cov(y[, j], seen[, j]) / ((1 + n / m) * var(c(seen[, j], others[, j])))
    if (!is.finite(lambda)) lambda <- 0
    lambda <- min(max(lambda, 0), 1)
    centre <- mean(y[, j] - lambda * seen[, j]) + lambda * mean(others[, j])
    half <- qnorm(0.975) * sqrt(var(y[, j] - lambda * seen[, j]) / n + lambda^2 * var(others[, j]) / m)
    c(centre - half, centre + half)
  }, numeric(2))
  data.frame(lower = result[1L, ], upper = result[2L, ])
}

value_rows <- function(metric, name, n, draws = repetitions, bootstrap = FALSE) {
  human <- columns(by_human[[metric]])
  machine <- columns(by_machine[[name]][[metric]])
  truth <- colMeans(human)
  all <- simplify2array(lapply(seq_len(draws), one_draw, human = human, machine = machine, truth = truth,
                               n = n, bootstrap = bootstrap))
  # A missing width means that there is no interval, and an interval that does not exist cannot cover.
  all[is.na(all)] <- 0
  rates <- rowMeans(all, dims = 2L)
  message(format(Sys.time(), "%H:%M:%S "), metric, ", ", name, ", ", n)
  k <- length(estimands)
  lapply(seq_len(k), function(j) {
    cover <- rates[j, ]
    width <- rates[k + j, ]
    tolerance <- 2 * sqrt(0.95 * 0.05 / draws)
    if (!bootstrap && n >= 50 && (cover[["t"]] < 0.94 - tolerance || cover[["t"]] > 0.96 + tolerance)) {
      missed <<- c(missed, sprintf("coverage of %s by %s, n = %d", estimands[j], name, n))
    }
    if (!bootstrap && n >= 50 && width[["t"]] >= width[["human"]]) {
      missed <<- c(missed, sprintf("width of %s by %s, n = %d", estimands[j], name, n))
    }
    table_row(metric, name, estimands[j], n, sprintf("%.3f", cover),
              sprintf("%.2f", width[["t"]] / width[["human"]]))
  })
}

first <- unlist(lapply(metrics_done <- names(by_human), function(metric) {
  lapply(names(machines), function(name) lapply(sizes, function(n) value_rows(metric, name, n)))
}))
few <- max(200L, repetitions %/% 4L)
boot <- unlist(lapply(sizes[1:2], function(n) value_rows(metrics_done[1L], "lenient", n, few, TRUE)))

# The whole call, with isotonic calibration of the grades. 300 queries a draw.
whole_call <- function(n, name, draws) {
  truth <- colMeans(by_human[["ndcg@10"]])
  found <- vapply(seq_len(draws), function(i) {
    set.seed(i)
    rows <- sample.int(n_queries, 300L)
    part <- data[sort(rows)]
    kept <- which(data$query %in% rows)
    human <- ifelse(part$query %in% sample.int(300L, n), part$relevance, NA)
    result <- suppressWarnings(evaluate_ppi(lapply(scores, `[`, kept), part, "ndcg@10", human = human,
                                            machine = machines[[name]][kept], draws = 5, seed = i, threads = 1))
    own <- tidy(result)
    pair <- tidy(result, "pairs")[2L, ]
    c(own$lower[1L] <= truth[1L] & truth[1L] <= own$upper[1L],
      pair$lower <= truth[1L] - truth[3L] & truth[1L] - truth[3L] <= pair$upper,
      (own$upper - own$lower)[1L] / (own$human_upper - own$human_lower)[1L],
      (pair$upper - pair$lower) / (pair$human_upper - pair$human_lower))
  }, numeric(4))
  message(format(Sys.time(), "%H:%M:%S "), "whole call, ", name, ", ", n)
  rates <- rowMeans(found)
  table_row(name, n, sprintf("%.3f", rates[1:2]), sprintf("%.2f", rates[3:4]))
}
calls <- unlist(lapply(names(machines), function(name) lapply(c(20, 60), whole_call, name = name, draws = few)))

# Two rankers differ by noise of the same kind, so that the machine cannot favour one of them.
machine_errors <- function(n) {
  alike <- list(a = noisy(best, 0.7), b = noisy(best, 0.7))
  differ <- function(grades) {
    judged <- data
    judged$relevance <- as.integer(grades)
    table <- as.data.frame(suppressWarnings(evaluate(alike, judged, "ndcg@10")))
    matrix(table$value, ncol = 2L)
  }
  error <- differ(machines$lenient) - differ(data$relevance)
  # Swapped names make the true mean difference exactly 0.
  error[seq_len(n_queries) %% 2L == 0L, ] <- error[seq_len(n_queries) %% 2L == 0L, 2:1]
  mean(vapply(seq_len(repetitions), function(i) {
    set.seed(i)
    rows <- sample.int(n_queries, n, TRUE)
    values <- list(human = matrix(0, n, 2L), machine = error[rows, ], weight = rep(1, n))
    colnames(values$human) <- colnames(values$machine) <- c("a", "b")
    rankmix:::bias_p(values, rep(TRUE, n), list(c("a", "b")),
                     list(resamples = 1000L, seed = i, threads = 1L)) <= 0.05
  }, NA))
}
machine_rates <- vapply(sizes, machine_errors, 0)
if (any(machine_rates > 0.05 + 2 * sqrt(0.05 * 0.95 / repetitions))) {
  missed <- c(missed, "error rate of the test of the machine")
}

# Time.
big <- data[seq_len(10000L)]
rows <- which(data$query <= 10000L)
many <- lapply(stats::setNames(1:50, paste0("ranker", 1:50)), function(i) noisy(best[rows], 0.5 + i / 50))
human <- ifelse(big$query <= 200L, big$relevance, NA)
seconds <- vapply(list(whole = NULL, calibrated = calibrator_rbc("isotonic")), function(calibrator) {
  seconds_of(suppressWarnings(evaluate_ppi(many, big, "ndcg@10", human = human, machine = machines$lenient[rows],
                                           calibrator = calibrator, seed = 1, threads = 1)), "user.self")
}, 0)
if (seconds[["whole"]] >= 5) missed <- c(missed, "5 s for 50 rankers x 10,000 queries")

writeLines(c(
  "# Machine grades and few human grades", "",
  sprintf(paste0("Written by `Rscript bench/ppi.R %d`: %d draws per row, so that a rate of .95 has a standard\n",
                 "error of %.3f. rankmix %s, %s."), repetitions, repetitions,
          sqrt(0.05 * 0.95 / repetitions), packageVersion("rankmix"), R.version.string), "",
  "40,000 simulated queries with 5 to 15 documents are the population, and their means are the truth. Each draw has",
  "1,000 queries with machine grades, of which n have human grades. The machine `good` errs in 15 % of the documents,",
  "`lenient` in 40 % and mostly upwards. `favours weak` adds a grade to documents that the ranker `weak` likes. `mild`",
  "errs in 5 %, and `mild, upwards` in 5 % and only upwards.", "",
  "## Coverage of 95 % intervals", "",
  "`human`: the t interval of human grades alone. `t`: the default of `evaluate_ppi()`. `normal`: PPI++. `width` is the mean",
  "width of `t`, divided by that of `human`.", "",
  markdown_table(c("metric", "machine", "estimand", "n", "human", "t", "lambda = 1", "normal", "width"), first),
  sprintf("With the bootstrap (500 resamples, %d draws, machine `lenient`):", few), "",
  markdown_table(c("metric", "machine", "estimand", "n", "human", "t", "lambda = 1", "normal", "bootstrap",
                   "width"), boot),
  "## The whole call", "",
  sprintf(paste0("300 queries, isotonic calibration of the machine's grades, 5 draws of grades; %d draws per row. ",
                 "Coverage and\nrelative width for the mean of `first` and its difference to `weak`."), few), "",
  markdown_table(c("machine", "n", "mean", "difference", "width of mean", "width of difference"), calls),
  "## The test of the machine", "",
  paste0("Two rankers of the same kind, so that the machine errs equally for both. Rate of p <= .05: ",
         paste(sprintf("%.3f (n = %d)", machine_rates, sizes), collapse = ", "), "."), "",
  "## Time", "",
  sprintf(paste0("50 rankers x 10,000 queries (%d documents), all means and 1,225 pairs, one thread: %.1f s of\n",
                 "processor time with the machine's grades as they are, %.1f s with calibrated grades and 10 draws."), nrow(big),
          seconds[["whole"]], seconds[["calibrated"]]), "",
  "## Missed targets", "",
  if (length(missed) == 0L) "None." else paste0("* ", missed)
), "bench/ppi.md")
if (length(missed) > 0L) stop("Missed: ", paste(missed, collapse = "; "), ".", call. = FALSE)
