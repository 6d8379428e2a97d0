# bench/yetirank.md, of the numbers that bench/yetirank.R found.

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
# Runs beside the first one.
factor_table <- function(runs, data, metric = "ndcg") {
  if (is.null(runs)) return(not_yet)
  rows <- lapply(names(runs), function(name) {
    d <- if (name != names(runs)[1L]) difference(runs[[name]], runs[[1L]], data, metric)
    data.frame(setting = name,
               value = plain(mean(runs[[name]]$of[[data]][[metric]]$chosen, na.rm = TRUE)),
               `less the first` = if (is.null(d)) "" else {
                 sprintf("%s [%s, %s], p %s", signed(d$effect), signed(d$low), signed(d$high),
                         p_text(d$p))
               },
               trees = runs[[name]]$rounds, `s a tree` = plain(runs[[name]]$seconds),
               check.names = FALSE)
  })
  table_of(do.call(rbind, rows))
}

speed_table <- function(found) {
  long <- found$speed_long
  wide <- found$speed_wide
  names <- union(names(wide), names(long))
  if (length(names) == 0L) return(not_yet)
  of <- function(seconds, digits) {
    if (is.null(seconds)) "not measured yet" else plain(unname(seconds[names]), digits)
  }
  rows <- data.frame(names, of(long, 3), of(wide, 3), of(wide * 100, 1))
  if (is.null(wide)) rows[[4L]] <- ""
  names(rows) <- c("option", "240,000 x 136", "35,000 x 519",
                   "minutes of 6,000 trees of the latter, one thread, extrapolated")
  table_of(rows)
}
inferred_table <- function(found) {
  if (is.null(found)) return(not_yet)
  table_of(data.frame(buckets = found$buckets, documents = found$size, em = plain(found$em),
                      `paper's rule` = plain(found$expected), check.names = FALSE))
}
curves_table <- function(found) {
  if (is.null(found)) return(not_yet)
  table_of(data.frame(trees = rownames(found), lambdarank = plain(found[, 1L]),
                      aligned = plain(found[, 2L])))
}
band_line <- function(found) {
  if (is.null(found)) return(not_yet)
  sprintf("NDCG@10 of `mse` on OHSUMED, equal scores in their best and worst orders: %s and %s.",
          plain(mean(found["best", ])), plain(mean(found["worst", ])))
}

yeti_report <- function(found) {
  c("# YetiRank", "",
    "Made by `bench/yetirank.R`. Trees of depth 6, step .1, 20 rankings, 150 trees of which",
    "validation queries choose by NDCG@10; 'largest on test' is chosen on the test queries, as in",
    "the paper, and optimistic. Intervals and p are of t tests over queries. Times are CPU seconds",
    "on one thread.", "",
    "## Y1: table 3, step by step", "",
    "Simulated, 3,000 test queries, grades through the Russian matrix; NDCG on the grades as",
    "given:", "",
    steps_table(found$simulated, "test", "ndcg"), "The same on true grades:", "",
    steps_table(found$simulated, "true", "ndcg"), "ERR on true grades:", "",
    steps_table(found$simulated, "true", "err"),
    "Losses of pairs take their last trees there, as they make smaller steps. With 800 trees, NDCG",
    "and ERR on true grades:", "", steps_table(found$many, "true", "ndcg"),
    steps_table(found$many, "true", "err"),
    unlist(lapply(c("MQ2008", "OHSUMED"), function(name) {
      c(paste0(name, ", five folds, NDCG:"), "", steps_table(found[[name]], "test", "ndcg"),
        paste0(name, ", ERR:"), "", steps_table(found[[name]], "test", "err"))
    })),
    "## Y2: alignment", "", "True grades of the simulated queries, NDCG:", "",
    factor_table(found$solvers, "true"),
    "## Y3: what is believed of judges", "",
    if (is.null(found$confusion)) not_yet,
    unlist(lapply(names(found$confusion), function(name) {
      c(sprintf("Errors of judges: %s. NDCG on true grades:", name), "",
        factor_table(found$confusion[[name]], "true"))
    })),
    "## Y4: the matrix from near-duplicates", "",
    "Root mean squared error of the Russian matrix, by buckets and documents in each:", "",
    inferred_table(found$inferred),
    "## Y5 to Y7: positions, rankings, shares of documents", "",
    factor_table(found$positions, "true"), factor_table(found$rankings, "true"),
    factor_table(found$shares, "true"),
    "## Y8: curves of small steps", "", "NDCG of MQ2008's fold 1, step .02, 10 rankings:", "",
    curves_table(found$curves),
    "## Y9: the band of ties", "",
    band_line(found$band), "",
    "## What shortcuts lose", "", "120 features, NDCG on grades as given:", "",
    factor_table(found$shortcuts, "test"),
    "## Seconds a tree", "", speed_table(found))
}
