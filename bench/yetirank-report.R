# Writes bench/yetirank.md from the results of bench/yetirank.R.

plain <- function(x, digits = 4) ifelse(is.na(x), "", sprintf(paste0("%.", digits, "f"), x))
signed <- function(x) ifelse(is.na(x), "", sprintf("%+.4f", x))
p_text <- function(p) ifelse(is.na(p), "", ifelse(p < 1e-4, "< .0001", sprintf("%.2g", p)))
table_of <- function(rows) {
  c(paste0("| ", paste(names(rows), collapse = " | "), " |"),
    paste0("|", strrep("---|", ncol(rows))),
    paste0("| ", do.call(paste, c(lapply(rows, as.character), sep = " | ")), " |"), "")
}

not_yet <- c("Not measured yet.", "")
steps_table <- function(runs, data, metric) {
  if (is.null(runs)) return(not_yet)
  s <- steps_of(runs, data, metric)
  table_of(data.frame(`set-up` = s$setup, chosen = plain(s$mean), step = signed(s$step),
                      interval = ifelse(is.na(s$low), "", sprintf("[%s, %s]", signed(s$low),
                                                                  signed(s$high))),
                      p = p_text(s$p), `p, Holm` = p_text(s$p_holm),
                      `largest on test` = plain(s$largest), check.names = FALSE))
}
# Compares runs with the first run.
factor_table <- function(runs, data, metric = "ndcg") {
  if (is.null(runs)) return(not_yet)
  rows <- lapply(names(runs), function(name) {
    d <- if (name != names(runs)[1L]) difference(runs[[name]], runs[[1L]], data, metric)
    data.frame(setting = name,
               value = plain(mean(runs[[name]]$of[[data]][[metric]]$chosen, na.rm = TRUE)),
               `minus the first` = if (is.null(d)) "" else {
                 sprintf("%s [%s, %s], p %s", signed(d$effect), signed(d$low), signed(d$high),
                         p_text(d$p))
               },
               trees = runs[[name]]$rounds, `s a tree` = plain(runs[[name]]$seconds),
               check.names = FALSE)
  })
  table_of(do.call(rbind, rows))
}

# Settings chosen on validation queries: the step, the depth and the trees of each fold.
choices_table <- function(runs) {
  if (is.null(runs)) return(not_yet)
  of <- function(name) {
    vapply(runs, function(folds) {
      paste(vapply(folds, function(run) format(run[[name]]), ""), collapse = ", ")
    }, "")
  }
  table_of(data.frame(`set-up` = names(runs), step = of("step"), depth = of("depth"),
                      trees = of("rounds"), check.names = FALSE))
}

# The metric that other runs reach in the time of the first run.
equal_time_lines <- function(runs) {
  if (is.null(runs)) return(character())
  first <- runs[[1L]]
  time <- max(first$grid) * first$seconds
  at <- vapply(runs, function(run) {
    fits <- run$grid * run$seconds <= time * (1 + 1e-9)
    if (any(fits)) max(run$of$true$ndcg$curve[fits]) else NA_real_
  }, 0)
  c(sprintf("In the %.1f s that all trees of `%s` take, the highest NDCG on the way is: %s.", time,
            names(runs)[1L], paste(sprintf("%s %.4f", names(at), at), collapse = ", ")), "")
}

variance_table <- function(found) {
  if (is.null(found)) return(not_yet)
  of <- function(f) vapply(found, f, 0)
  table_of(data.frame(
    rankings = names(found), `noise of weights` = plain(of(function(v) v$weights), 3),
    seeds = of(function(v) length(v$values)), NDCG = plain(of(function(v) mean(v$values))),
    `its deviation` = plain(of(function(v) stats::sd(v$values))),
    `correlation of scores` = plain(of(function(v) v$correlation), 3), check.names = FALSE
  ))
}

speed_table <- function(speed) {
  names <- names(speed$wide[[1L]])
  cell <- function(x, digits) ifelse(is.na(x), "not measured yet", plain(x, digits))
  rows <- data.frame(
    names, cell(speed$long[[1L]], 3), cell(speed$long[[2L]], 3), cell(speed$wide[[1L]], 4),
    cell(speed$wide[[2L]], 4), plain(speed$wide[[1L]] * 100, 1), plain(speed$wide[[2L]] * 100, 1)
  )
  names(rows) <- c("option", "240,000 x 136, 1 thread", "2 threads", "35,000 x 519, 1 thread",
                   "2 threads", "minutes of 6,000 trees, 1 thread", "2 threads")
  table_of(rows)
}
inferred_table <- function(found) {
  if (is.null(found)) return(not_yet)
  table_of(data.frame(buckets = found$buckets, documents = found$size, em = plain(found$em),
                      `paper's rule` = plain(found$expected), check.names = FALSE))
}
# Means over the folds that have results.
mean_curve <- function(curves) {
  if (length(curves) == 0L) return(NULL)
  Reduce(`+`, curves) / length(curves)
}
curves_table <- function(found) {
  means <- lapply(found, mean_curve)
  means <- means[!vapply(means, is.null, NA)]
  if (length(means) == 0L) return(not_yet)
  at <- c(100, 300, 1000, 2000, 3000, 4000, 5000, 6000)
  columns <- lapply(means, function(curve) {
    curve <- curve[match(at, curve$trees), ]
    data.frame(NDCG = plain(curve$ndcg), `NDCG@10` = plain(curve$ndcg10), ERR = plain(curve$err),
               check.names = FALSE)
  })
  largest <- vapply(means, function(curve) curve$trees[which.max(curve$ndcg)], 0)
  rows <- do.call(cbind, c(list(trees = at), unname(Map(function(column, name) {
    stats::setNames(column, paste(name, names(column)))
  }, columns, names(columns)))))
  c(table_of(rows), sprintf("The largest NDCG is that of %s; folds: %d of 5.",
                            paste(sprintf("%d trees (%s)", largest, names(largest)),
                                  collapse = " and "), length(found[[1L]])), "")
}
# Means over folds, with a column for each metric and order of ties.
mean_band <- function(found) {
  if (is.null(found)) return(NULL)
  of <- function(ties) {
    folds <- lapply(found, function(band) band[band$ties == ties, c("trees", "err", "ndcg10")])
    Reduce(`+`, folds) / length(folds)
  }
  best <- of("best")
  worst <- of("worst")
  data.frame(trees = best$trees, err_worst = worst$err, err_best = best$err,
             ndcg10_worst = worst$ndcg10, ndcg10_best = best$ndcg10)
}
band_table <- function(found) {
  band <- mean_band(found)
  if (is.null(band)) return(not_yet)
  band <- band[band$trees %in% c(1, 5, 10, 30, 100, 200), ]
  table_of(data.frame(trees = band$trees, `ERR, worst` = plain(band$err_worst),
                      `ERR, best` = plain(band$err_best),
                      `NDCG@10, worst` = plain(band$ndcg10_worst),
                      `NDCG@10, best` = plain(band$ndcg10_best), check.names = FALSE))
}

yeti_report <- function(found) {
  c("# YetiRank", "",
    "Made by `bench/yetirank.R`. Validation queries choose the learning rate (.1 or .3) and the number of trees by NDCG@10,",
    sprintf("up to %d trees. For table 3 they also choose the depth, 6 or 4, with the learning rate that is best at depth 6,",
            trees),
    sprintf("and up to %d trees on simulated queries, %d on collections. 20 rankings. 'Largest on test' is",
            step_trees[["simulated"]], step_trees[["MQ2008"]]),
    "chosen on the test queries, as in the paper, so it is optimistic. Intervals and p-values are of t tests over",
    "queries. Seconds a tree are CPU seconds on one thread of a busy machine.", "",
    "## Y1: table 3, step by step", "",
    "Simulated data, 3,000 test queries. Grades have the errors of the Russian matrix. NDCG is measured on the grades with errors:", "",
    steps_table(found$simulated, "test", "ndcg"), "The same on true grades:", "",
    steps_table(found$simulated, "true", "ndcg"), "ERR on true grades:", "",
    steps_table(found$simulated, "true", "err"), "Settings that validation queries chose:", "",
    choices_table(found$simulated),
    unlist(lapply(c("MQ2008", "OHSUMED"), function(name) {
      c(paste0(name, ", five folds, NDCG:"), "", steps_table(found[[name]], "test", "ndcg"),
        paste0(name, ", ERR:"), "", steps_table(found[[name]], "test", "err"),
        "Settings that validation queries chose, by fold:", "", choices_table(found[[name]]))
    })),
    "## Y2: alignment", "", "True grades of the simulated queries, NDCG:", "",
    factor_table(found$solvers, "true"), equal_time_lines(found$solvers),
    "## Y3: confusion matrices of assessors", "",
    if (is.null(found$confusion)) not_yet,
    unlist(lapply(names(found$confusion), function(name) {
      c(sprintf("Errors of assessors: %s. Up to %d trees, NDCG on true grades:", name, few_trees), "",
        factor_table(found$confusion[[name]], "true"))
    })),
    "## Y4: the matrix from near-duplicates", "",
    "Root mean squared error of the estimated Russian matrix, by number of buckets and documents in each:", "",
    inferred_table(found$inferred),
    "## Y5 to Y7: positions, rankings, fractions of documents", "",
    factor_table(found$positions, "true"), factor_table(found$rankings, "true"),
    "Y6: the effect of the seed on `lambdarank` with 150 trees and learning rate .3. The noise of weights is their standard",
    "deviation over seeds relative to their size, both as root mean squares over pairs. The correlation is between the scores of",
    "two seeds within queries:", "",
    variance_table(found$variance),
    factor_table(found$fractions, "true"),
    "## Y8: curves of small learning rates", "", "MQ2008, learning rate .02, 10 rankings, means of folds:", "",
    curves_table(found$curves),
    "## Y9: the band of ties", "",
    "`mse` with learning rate .1, means over the folds of OHSUMED, with tied scores in their worst and best orders:",
    "", band_table(found$band),
    "## The loss by shortcuts", "",
    sprintf("120 features, up to %d trees, NDCG on grades with errors:", few_trees), "",
    factor_table(found$shortcuts, "test"),
    "## Seconds a tree", "",
    "Elapsed time per tree, from a fit of 2 trees and a fit of up to 202 trees, with 100 rankings unless stated otherwise. Times of",
    "6,000 trees are extrapolated. lightgbm has its fastest setting, quantised or not.", "",
    speed_table(found$speed))
}
