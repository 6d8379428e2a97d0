# The steps of reproduce/large.R.

learners <- list(`tree(8)` = base_tree(8), `tree(64)` = base_tree(64), `product(3)` = base_product(3),
                 `product(10)` = base_product(10))

# A folder is of one size.
keep_size <- function(folder, size) {
  file <- file.path(folder, "size.rds")
  if (!file.exists(file)) return(saveRDS(size, file))
  if (!identical(readRDS(file), size)) {
    stop("'", folder, "' holds a run of another size: delete it, or name another with RUN=.",
         call. = FALSE)
  }
}

# The first queries train, a twelfth of all each validate and test.
large_parts <- function(size) {
  all <- simulate_web(round(size$documents * 1.2), size$features, seed = 1)
  query <- match(all$query, unique(all$query))
  fraction <- query / max(query)
  part <- function(rows) ranking_data(all$x[rows, , drop = FALSE], all$grade[rows], query[rows])
  list(train = part(fraction <= 10 / 12), valid = part(fraction > 10 / 12 & fraction <= 11 / 12),
       test = part(fraction > 11 / 12))
}

files_of <- function(folder, name) {
  base <- file.path(folder, gsub("[^a-z0-9]+", "-", name))
  list(model = paste0(base, "model.rds"), checkpoint = paste0(base, "checkpoint.rds"),
       starts = paste0(base, "starts.rds"), seconds = paste0(base, "seconds.rds"))
}

# A file is there when it is whole.
save_whole <- function(value, file) {
  partial <- paste0(file, ".partial")
  saveRDS(value, partial, compress = FALSE)
  file.rename(partial, file)
}

train_learner <- function(folder, name, data, size, threads) {
  files <- files_of(folder, name)
  if (file.exists(files$model)) return(readRDS(files$model))
  close_session(files)
  save_whole(as.numeric(Sys.time()), files$starts)
  message(format(Sys.time(), "%H:%M:%S "), name,
          if (file.exists(files$checkpoint)) " resumes from its checkpoint")
  model <- fit(adaboost_mh(learners[[name]], size$rounds), data, seed = 1, threads = threads,
               checkpoint = files$checkpoint, checkpoint_every = size$every, verbose = TRUE)
  add_seconds(files, as.numeric(Sys.time()) - readRDS(files$starts))
  unlink(files$starts)
  save_whole(model, files$model)
  unlink(files$checkpoint)
  model
}

# A session that was killed has worked until its last checkpoint; what came after is lost, and
# done, and counted, again.
close_session <- function(files) {
  if (!file.exists(files$starts)) return(invisible())
  started <- readRDS(files$starts)
  kept <- if (file.exists(files$checkpoint)) as.numeric(file.mtime(files$checkpoint)) else started
  add_seconds(files, max(0, kept - started))
  unlink(files$starts)
}
add_seconds <- function(files, seconds) {
  before <- if (file.exists(files$seconds)) readRDS(files$seconds) else 0
  save_whole(before + seconds, files$seconds)
}
worked_seconds <- function(folder) {
  vapply(names(learners), function(name) readRDS(files_of(folder, name)$seconds), 0)
}

# The mixture of the paper, and its best member, and each learner with one calibrator.
mixed <- function(folder, models, parts, size, threads) {
  file <- file.path(folder, "values.rds")
  if (file.exists(file)) return(readRDS(file))
  time <- system.time({
    rounds <- unique(pmin(c(200, 500, 1000, 2000), size$rounds))
    mix <- function(models, kind, calibrators = fast_calibrators()) {
      suppressWarnings(tune_and_mix(
        parts$train, parts$valid, unname(models), calibrators, metric_ndcg(10, empty = 1),
        weights = mix_weights(rounds = rounds, members = kind, choose = "best", prior = "member"),
        seed = 1, threads = threads, verbose = FALSE
      ))
    }
    rankers <- c(list(`AB+EXP` = mix(models, "all"), `AB+OneBest` = mix(models, "one_best")),
                 lapply(stats::setNames(nm = names(models)), function(name) {
                   mix(models[name], "one_best", list(calibrator_rbc("linear")))
                 }))
    scores <- lapply(rankers, function(m) suppressWarnings(predict(m, parts$test,
                                                                   threads = threads)))
    values <- as.data.frame(evaluate(scores, parts$test, metric_ndcg(10, empty = 1), threads = threads))
  })
  found <- list(values = do.call(cbind, split(values$value, factor(values$ranker, names(scores)))),
                seconds = time[["elapsed"]], rounds = rankers[[1L]]$rounds)
  save_whole(found, file)
  found
}

size_text <- function(size, threads) {
  sprintf("%s documents x %d features, %d rounds of each, %d thread%s; rankmix %s.",
          format(size$documents, big.mark = ",", scientific = FALSE), size$features, size$rounds,
          threads, if (threads == 1L) "" else "s", utils::packageVersion("rankmix"))
}

large_text <- function(found, seconds, size, threads) {
  values <- found$values
  rows <- vapply(colnames(values), function(name) {
    change <- values[, "AB+EXP"] - values[, name]
    interval <- if (stats::sd(change) > 0) stats::t.test(change)$conf.int
    sprintf("| %s | %.4f | %s |", name, mean(values[, name]), if (is.null(interval)) "" else
      sprintf("%+.4f [%+.4f, %+.4f]", mean(change), interval[1L], interval[2L]))
  }, "")
  c("# The large experiment, simulated", "", size_text(size, threads), "",
    "| learner | seconds of training |", "|---|---|",
    sprintf("| %s | %.0f |", names(seconds), seconds),
    sprintf("| calibrating, mixing, measuring | %.0f |", found$seconds),
    sprintf("| all | %.0f (%.2f h) |", sum(seconds) + found$seconds,
            (sum(seconds) + found$seconds) / 3600), "",
    sprintf("NDCG@10 of %d test queries; T = %d.", nrow(values), found$rounds), "",
    "| ranker | mean | AB+EXP minus it |", "|---|---|---|", unname(rows))
}

# Processor seconds a round of each learner, without the first round and the set-up.
estimate <- function(size, threads, more = 20L) {
  parts <- large_parts(size)
  data <- parts$train
  rm(parts)
  time <- function(name, rounds) {
    gc(FALSE)
    used <- system.time(fit(adaboost_mh(learners[[name]], rounds), data, seed = 1,
                            threads = threads, verbose = FALSE))
    used[["user.self"]] + used[["sys.self"]]
  }
  do.call(rbind, lapply(names(learners), function(name) {
    short <- time(name, 1L)
    long <- time(name, 1L + more)
    data.frame(learner = name, start = short, round = (long - short) / more)
  }))
}

estimate_text <- function(found, size, threads) {
  whole <- found$start + found$round * size$rounds
  c(size_text(size, threads), "",
    "| learner | before, and the first round (s) | a round more (s) | all rounds (h) |",
    "|---|---|---|---|",
    sprintf("| %s | %.1f | %.3f | %.2f |", found$learner, found$start, found$round, whole / 3600),
    "", sprintf("%.2f h of processor time for all four, extrapolated from 20 rounds of each.",
                sum(whole) / 3600))
}
