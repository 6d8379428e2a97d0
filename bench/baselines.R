# Compares the baseline rankers with other implementations: RankLib, if `java` and the jar of RankLib are
# installed (RANKLIB_JAR names the jar), and LIBLINEAR on pairs of documents. Writes bench/baselines.md, one
# section for each argument:
#
#   Rscript bench/baselines.R [speed] [ranksvm] [accuracy] [--only=RankNet,RankBoost]
#
# Without arguments all sections are written. With --only, `accuracy` trains only the named methods. The other
# rows of its tables come from results that an earlier run saved in .build.
#
# speed     RankNet (100 epochs, 10 hidden units), RankBoost (300 rounds, 10 thresholds), AdaRank
#           (500 rounds) and coordinate ascent (5 restarts) on 70,000 simulated documents x 46
#           features, of the shape of MQ2007, on two threads; RankLib beside each. RankLib's time is the time
#           of its process minus the time of a process that reads the same file and trains one round of
#           AdaRank. evaluate() measures the scores of both.
# ranksvm   the whole path of 11 costs on fold 1 of MQ2008, and on 240,000 documents x 136 features.
# accuracy  five folds of MQ2008 and of OHSUMED: each method and another implementation of the same,
#           on the same folds, chosen on vali.txt, compared by the paired tests of compare_rankers(). For
#           OHSUMED also by the rules of LETOR 3.0.
#
# RANKMIX_DATA names the data folder.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
source("bench/ranklib.R")

report_file <- "bench/baselines.md"
headings <- c(speed = "## Speed beside RankLib", ranksvm = "## The path of RankSVM",
              accuracy = "## Accuracy on the official folds")
arguments <- commandArgs(trailingOnly = TRUE)
only <- sub("^--only=", "", grep("^--only=", arguments, value = TRUE))
arguments <- grep("^--only=", arguments, value = TRUE, invert = TRUE)
asked <- if (length(arguments) == 0L) names(headings) else {
  match.arg(arguments, names(headings), several.ok = TRUE)
}

# Replaces one section of the report, and leaves the others as they are.
write_section <- function(name, lines) {
  old <- if (file.exists(report_file)) readLines(report_file) else character()
  section_of <- function(heading) {
    at <- match(heading, old)
    if (is.na(at)) {
      return(NULL)
    }
    rest <- old[-seq_len(at)]
    ends <- which(rest %in% headings)
    body <- if (length(ends) > 0L) utils::head(rest, ends[1L] - 1L) else rest
    c(heading, body, if (utils::tail(body, 1L) != "") "")
  }
  sections <- lapply(headings, section_of)
  sections[[name]] <- c(headings[[name]], "", lines, "")
  text <- c("# Baselines", "", "Written by `Rscript bench/baselines.R`, which runs one section at a time.", "",
            unlist(sections, use.names = FALSE))
  while (text[length(text)] == "") text <- text[-length(text)]
  writeLines(text, report_file)
  cat(lines, sep = "\n")
}
made_with <- function(...) {
  jar <- ranklib_jar()
  sprintf("rankmix %s%s%s, %s.", packageVersion("rankmix"),
          if (is.null(jar)) "; no RankLib, whose columns are left out" else
            paste0("; RankLib (", basename(jar), ")"), paste0(c("", ...), collapse = ", "),
          R.version.string)
}
markdown <- function(table) {
  cells <- vapply(table, format, character(nrow(table)))
  c(paste0("| ", paste(names(table), collapse = " | "), " |"),
    paste0("|", strrep("---|", ncol(table))),
    paste0("| ", apply(matrix(cells, nrow(table)), 1L, paste, collapse = " | "), " |"))
}
thousands <- function(count) format(count, big.mark = ",")
timed <- function(expression) {
  gc(FALSE)
  seconds <- system.time(value <- expression)[["elapsed"]]
  list(value = value, seconds = seconds)
}
# Tied documents have no order here. The order of the file would favour rankers with few distinct scores.
tied_ndcg <- metric_ndcg(10, ties = "average")
mean_of <- function(scores, data, metric = tied_ndcg) summary(evaluate(scores, data, metric))$mean

# Speed -----------------------------------------------------------------------------------

# RankLib's rankers, by RankLib's names.
raced <- list(
  RankNet = list(
    spec = quote(ranknet(hidden = 10, epochs = 100)), ranklib = "ranknet",
    options = c(epoch = 100, layer = 1, node = 10)
  ),
  RankBoost = list(
    spec = quote(rankboost(rounds = 300, max_bin = 10)), ranklib = "rankboost",
    options = c(round = 300, tc = 10)
  ),
  AdaRank = list(
    spec = quote(adarank(metric_ndcg(10), rounds = 500, repeats = 1, pause = 10)), ranklib = "adarank",
    options = c(round = 500)
  ),
  # RankLib ends a restart that has gained less than 0.001; so does a sweep here.
  `Coordinate ascent` = list(
    spec = quote(coordinate_ascent(metric_ndcg(10), restarts = 5, iterations = 25, tolerance = 0.001)),
    ranklib = "ascent", options = c(r = 5, i = 25)
  )
)
wanted_ratio <- 20

race <- function(contestant, data, file, reading) {
  ours <- timed(fit(eval(contestant$spec), data, seed = 1, threads = 2L, verbose = FALSE))
  row <- data.frame(call = paste0("`", deparse1(contestant$spec), "`"), seconds = ours$seconds,
                    metric = mean_of(predict(ours$value, data), data))
  if (!is.null(ranklib_jar())) {
    whole <- ranklib_train(contestant$ranklib, file, contestant$options)
    row$ranklib <- whole$seconds - reading
    row$ranklib_metric <- mean_of(ranklib_scores(whole$model, file), data)
    row$ratio <- row$ranklib / row$seconds
  }
  row
}

run_speed <- function() {
  data <- simulate_ranking(1690, documents = c(20, 63), features = 46,
                           grades = c(0.74, 0.2, 0.06), seed = 1)$data
  file <- tempfile(fileext = ".txt")
  write_letor(data, file)
  reading <- if (!is.null(ranklib_jar())) ranklib_train("adarank", file, c(round = 1))$seconds
  rows <- do.call(rbind, lapply(raced, race, data = data, file = file, reading = reading))
  table <- data.frame(method = names(raced), call = rows$call,
                      `seconds, two threads` = sprintf("%.2f", rows$seconds),
                      `training NDCG@10` = sprintf("%.4f", rows$metric), check.names = FALSE)
  lines <- c(made_with(), "",
             sprintf("%s documents x %d features in %s queries.", thousands(nrow(data$x)),
                     ncol(data$x), thousands(length(data$query_ids))), "")
  if (is.null(rows$ratio)) {
    return(write_section("speed", c(lines, markdown(table))))
  }
  table$`RankLib, seconds` <- sprintf("%.1f", rows$ranklib)
  table$`its training NDCG@10` <- sprintf("%.4f", rows$ranklib_metric)
  table$ratio <- sprintf("%.1f", rows$ratio)
  write_section("speed", c(lines, markdown(table)))
  fast <- rows$ratio >= wanted_ratio
  good <- rows$metric >= rows$ranklib_metric - 5e-5
  hold_targets(c(stats::setNames(fast, paste(names(raced), "20 times as fast")),
                 stats::setNames(good, paste(names(raced), "not below RankLib in training"))))
}

# RankSVM ---------------------------------------------------------------------------------

run_ranksvm <- function() {
  fold <- read_folds(data_folder("MQ2008"), 1L)[[1L]]
  web <- simulate_web(240000)
  large <- ranking_data(web$x, web$grade, web$query)
  rm(web)
  path <- function(data) timed(fit(ranksvm(), data, threads = 2L, verbose = FALSE))
  small <- path(fold$train)
  big <- path(large)
  pairs <- sum(vapply(split(large$relevance, large$query), function(grade) {
    (length(grade)^2 - sum(tabulate(grade + 1L)^2)) / 2
  }, 0))
  write_section("ranksvm", c(
    made_with(), "", "Squared hinge, 11 costs from 1e-6 to 1e4, two threads.", "",
    sprintf("* Fold 1 of MQ2008, %s documents x %d features: %.1f s.",
            thousands(nrow(fold$train$x)), ncol(fold$train$x), small$seconds),
    sprintf("* Simulated web data, %s documents x %d features, %.1f million pairs: %.0f s.",
            thousands(nrow(large$x)), ncol(large$x), pairs / 1e6, big$seconds)
  ))
  hold_targets(c("fold 1 of MQ2008 in 5 s" = small$seconds < 5,
                 "240,000 documents in 3 minutes" = big$seconds < 180))
}

# Accuracy --------------------------------------------------------------------------------

# LIBLINEAR's support vector machine on differences of documents of different grades, each alternately with
# either sign, because it needs two classes.
pair_differences <- function(data, x) {
  pairs <- do.call(rbind, lapply(split(seq_along(data$query), data$query), function(rows) {
    grade <- data$relevance[rows]
    at <- which(outer(grade, grade, ">"), arr.ind = TRUE)
    cbind(rows[at[, 1L]], rows[at[, 2L]])
  }))
  sign <- rep_len(c(1, -1), nrow(pairs))
  list(x = sign * (x[pairs[, 1L], , drop = FALSE] - x[pairs[, 2L], , drop = FALSE]), y = sign)
}
# Costs above 1 are left out, because LIBLINEAR takes minutes there. With its default tolerance of .01 it
# stops before the minimum, and another cost would be chosen.
liblinear_costs <- 10^(-6:0)
liblinear_tolerance <- 1e-4

liblinear_svm <- function(fold) {
  need_package("LiblineaR")
  size <- apply(fold$train$x, 2L, stats::sd)
  scaled <- function(data) data$x %*% diag(ifelse(size > 0, 1 / size, 0))
  pairs <- pair_differences(fold$train, scaled(fold$train))
  weights <- vapply(liblinear_costs, function(cost) {
    model <- LiblineaR::LiblineaR(pairs$x, pairs$y, type = 2, cost = cost, bias = 0,
                                  epsilon = liblinear_tolerance)
    drop(model$W) * if (model$ClassNames[1L] > 0) 1 else -1
  }, numeric(ncol(pairs$x)))
  held <- apply(scaled(fold$valid) %*% weights, 2L, mean_of, data = fold$valid, metric = metric_ndcg(10))
  drop(scaled(fold$test) %*% weights[, which.max(held)])
}

ranklib_method <- function(ranker, options, metric = "NDCG@10") {
  function(fold, files) {
    model <- ranklib_train(ranker, files$train, options, metric, files$valid)$model
    ranklib_scores(model, files$test)
  }
}
# By default, RankLib excludes a feature that was just chosen from later rounds. `repeats` and `pause` set the
# same rule here.
compared <- list(
  RankSVM = list(spec = quote(ranksvm(10^(-6:0), pairs = "plain")), by = "LIBLINEAR",
                 other = function(fold, files) liblinear_svm(fold)),
  RankNet = list(spec = quote(ranknet(hidden = 10, epochs = 100)), by = "RankLib",
                 other = ranklib_method("ranknet", c(epoch = 100, layer = 1, node = 10))),
  RankBoost = list(spec = quote(rankboost(rounds = 300)), by = "RankLib",
                   other = ranklib_method("rankboost", c(round = 300, tc = 10))),
  AdaRank.NDCG = list(spec = quote(adarank(metric_ndcg(10), repeats = 1, pause = 10)), by = "RankLib",
                      other = ranklib_method("adarank", c(round = 500))),
  AdaRank.MAP = list(spec = quote(adarank(repeats = 1, pause = 10)), by = "RankLib",
                     other = ranklib_method("adarank", c(round = 500), "MAP")),
  `Coordinate ascent` = list(spec = quote(coordinate_ascent(metric_ndcg(10))), by = "RankLib",
                             other = ranklib_method("ascent", c(r = 5, i = 25))),
  ListNet = list(spec = quote(listnet())), Ridge = list(spec = quote(linear_ranker()))
)
# NDCG of the LETOR page, the mean over the folds of OHSUMED, quoted from memory: for orientation only.
letor_said <- c(RankSVM = 0.4140, ListNet = 0.4410, RankBoost = 0.4302, AdaRank.MAP = 0.4429,
                AdaRank.NDCG = 0.4496, Ridge = 0.4110)

tried <- if (length(only) > 0L) strsplit(only, ",")[[1L]] else names(compared)
stopifnot(tried %in% names(compared))

fold_scores <- function(fold, files) {
  lapply(compared[tried], function(method) {
    model <- fit(eval(method$spec), fold$train, fold$valid, metric_ndcg(10), seed = 1, threads = 2L,
                 verbose = FALSE)
    here <- identical(method$by, "LIBLINEAR") || !is.null(method$by) && !is.null(ranklib_jar())
    list(ours = predict(model, fold$test), other = if (here) method$other(fold, files))
  })
}

# RankLib reads text files in which the documents of a query stand together. LETOR's files have this order.
files_of <- function(collection, k) {
  path <- file.path(data_folder(collection), paste0("Fold", k))
  list(train = file.path(path, "train.txt"), valid = file.path(path, "vali.txt"),
       test = file.path(path, "test.txt"))
}

collection_rows <- function(collection) {
  folds <- read_folds(data_folder(collection))
  scores <- lapply(seq_along(folds), function(k) fold_scores(folds[[k]], files_of(collection, k)))
  tests <- do.call(c, unname(lapply(folds, `[[`, "test")))
  letor3 <- metric_ndcg(10, convention = "letor3")
  over_folds <- function(method, side, metric) {
    vapply(seq_along(folds), function(k) {
      mean_of(scores[[k]][[method]][[side]], folds[[k]]$test, metric)
    }, 0)
  }
  rows <- do.call(rbind, lapply(tried, function(method) {
    call <- paste0("`", deparse1(compared[[method]]$spec), "`")
    row <- data.frame(method = method, call = call,
                      ours = mean(over_folds(method, "ours", metric_ndcg(10))), beside = "", other = NA,
                      difference = "", p = "", letor3 = NA, letor3_other = NA,
                      letor_said = unname(letor_said[method]))
    if (collection == "OHSUMED") row$letor3 <- mean(over_folds(method, "ours", letor3))
    if (is.null(scores[[1L]][[method]]$other)) {
      return(row)
    }
    # The queries of all folds, each tested once.
    all_scores <- function(side) unlist(lapply(scores, function(fold) fold[[method]][[side]]))
    pair <- tidy(compare_rankers(ours = all_scores("ours"), other = all_scores("other"),
                                 data = tests, metric = metric_ndcg(10), interval = "bca"))
    row$beside <- compared[[method]]$by
    row$other <- mean(over_folds(method, "other", metric_ndcg(10)))
    row$difference <- sprintf("%+.4f [%+.4f, %+.4f]", pair$difference, pair$lower, pair$upper)
    row$p <- format.pval(pair$p_randomization, digits = 2)
    if (collection == "OHSUMED") row$letor3_other <- mean(over_folds(method, "other", letor3))
    row
  }))
  kept <- sprintf(".build/baselines-%s.rds", collection)
  if (length(only) > 0L && file.exists(kept)) {
    old <- readRDS(kept)
    rows <- rbind(old[!old$method %in% tried, ], rows)
  }
  rows <- rows[order(match(rows$method, names(compared))), ]
  dir.create(".build", showWarnings = FALSE)
  saveRDS(rows, kept)
  rows
}

run_accuracy <- function() {
  number <- function(x) ifelse(is.na(x), "", sprintf("%.4f", x))
  lines <- c(made_with(), "",
             paste("Means of NDCG@10 over the five test parts. Differences are paired by query,",
                   "with 95 % intervals and p-values of sign flips."), "")
  worse <- logical()
  for (collection in c("MQ2008", "OHSUMED")) {
    rows <- collection_rows(collection)
    table <- data.frame(method = rows$method, call = rows$call, rankmix = number(rows$ours),
                        beside = rows$beside, its = number(rows$other),
                        difference = rows$difference, p = rows$p)
    if (collection == "OHSUMED") {
      table$`by LETOR 3.0` <- number(rows$letor3)
      table$`its by LETOR 3.0` <- number(rows$letor3_other)
      table$`LETOR said` <- number(rows$letor_said)
    }
    lines <- c(lines, paste("###", collection), "", markdown(table), "")
    highest <- suppressWarnings(as.numeric(sub(".*, (.*)\\]", "\\1", rows$difference)))
    below <- !is.na(highest) & highest < 0
    worse <- c(worse, stats::setNames(below, paste(collection, rows$method)))
  }
  said <- "The values of LETOR are quoted from memory of its page, for orientation."
  write_section("accuracy", c(lines, said))
  hold_targets(stats::setNames(!worse, paste(names(worse), "not below the other")))
}

runs <- list(speed = run_speed, ranksvm = run_ranksvm, accuracy = run_accuracy)
for (name in asked) runs[[name]]()
