# Latency of predictions for one query, and sizes of models. Writes bench/serving.md.
#
#   Rscript bench/serving.R [sizes]
#
# 100 documents, 46 and 136 features, one thread, models in memory: median and 95th percentile of 1000 calls
# of predict() of each kind. The kinds of calls of a model take turns. Also the time of the first call of a
# model that was just read by readRDS(). The mixture is the default mixture of tune_and_mix(), with every
# family and its members. Fails if the median of a matrix, a data frame or ranking data is 1 ms or more for
# gbrt() or adaboost_mh(), or 5 ms for the mixture.
# LightGBM and XGBoost are measured too, by their C APIs, if `make peers` has built them. With `sizes`, only
# the sizes are measured and written; the times in the report stay as they are.

library(rankmix)
source("bench/common.R")
source("bench/simulate.R")
source("bench/simulate-mslr.R")
source("bench/peers.R")

calls <- 1000L
documents <- 100L

split_of <- function(data) {
  list(train = ranking_of(data, data$query <= 100),
       valid = ranking_of(data, data$query > 100 & data$query <= 140))
}

train_models <- function(data) {
  parts <- split_of(data)
  list(
    gbrt = fit(gbrt(500), parts$train, seed = 1, verbose = FALSE),
    adaboost_mh = fit(adaboost_mh(base_tree(8), 500), parts$train, seed = 1, verbose = FALSE),
    mcsvm = fit(mcsvm(0.01, scale = "standard"), parts$train, verbose = FALSE),
    mixture = tune_and_mix(parts$train, parts$valid, seed = 1, verbose = FALSE)
  )
}

# Sizes --------------------------------------------------------------------------------------

# Sizes of the files of a model in kilobytes: saveRDS(), JSON, JSON compressed by gzip, and C.
sizes_of <- function(model) {
  file <- tempfile()
  on.exit(unlink(file))
  kilobytes <- function(write) {
    write()
    file.size(file) / 1024
  }
  zipped <- function() {
    text <- readBin(file, "raw", file.size(file))
    connection <- gzfile(file, "wb")
    writeBin(text, connection)
    close(connection)
  }
  c(rds = kilobytes(function() saveRDS(model, file)),
    json = kilobytes(function() write_model(model, file)), zipped = kilobytes(zipped),
    c = kilobytes(function() write_model(model, file, "c")))
}

size_lines <- function(features = 46L) {
  data <- simulate_web(24000, features)
  train <- split_of(data)$train
  models <- c(train_models(data), lapply(list(
    linear = linear_ranker(penalty = 0.1), network = network_ranker(hidden = c(64, 32), epochs = 5),
    `cocr(linear())` = cocr(linear_ranker(penalty = 0.1)), m5p = m5p(),
    `bagging(m5p())` = bagging(m5p(), times = 10)
  ), fit, data = train, seed = 1, verbose = FALSE))
  found <- vapply(models, sizes_of, numeric(4))
  c("", "## Sizes of models", "",
    sprintf("Kilobytes on disk, trained on 100 queries of %d features: by saveRDS(), by", features),
    "write_model() as JSON, as compressed JSON, and as C. The network has 64 and 32 units and keeps 5 epochs (in C one),",
    "bagging() ten trees.", "", "| model | RDS | JSON | JSON, gzip | C |", "|---|---|---|---|---|",
    sprintf("| %s | %s | %s | %s | %s |", names(models), kilobyte_text(found["rds", ]),
            kilobyte_text(found["json", ]), kilobyte_text(found["zipped", ]),
            kilobyte_text(found["c", ])))
}

kilobyte_text <- function(x) {
  format(signif(x, 3), big.mark = ",", scientific = FALSE, drop0trailing = TRUE, trim = TRUE)
}

if (identical(commandArgs(TRUE), "sizes")) {
  before <- readLines("bench/serving.md")
  at <- match("## Sizes of models", before, nomatch = length(before) + 2L)
  lines <- size_lines()
  writeLines(c(before[seq_len(at - 2L)], lines), "bench/serving.md")
  cat(lines, sep = "\n")
  quit()
}

# Times --------------------------------------------------------------------------------------

# The input of a service: the documents of the last query, in several forms.
serving_forms <- function(data) {
  rows <- utils::tail(seq_along(data$grade), documents)
  x <- data$x[rows, ]
  list(matrix = x, frame = as.data.frame(x), grade = data$grade[rows],
       data = ranking_data(x, data$grade[rows], rep(1, documents), threads = 1))
}

# The kinds of calls of a model.
calls_of <- function(model, given) {
  list(
    matrix = function() predict(model, given$matrix, threads = 1),
    `data frame` = function() predict(model, given$frame, threads = 1),
    `ranking data` = function() predict(model, given$data, threads = 1),
    rank = function() predict(model, given$data, type = "rank", threads = 1)
  )
}

milliseconds <- function(call) {
  start <- Sys.time()
  call()
  1000 * as.numeric(difftime(Sys.time(), start, units = "secs"))
}

# Times, kinds x calls. The kinds take turns, so that a busy moment of the machine affects all kinds. Only one
# model is measured at a time, because other models would replace its data in the processor's caches.
measure <- function(kinds) {
  if (length(kinds) == 0L) {
    return(NULL)
  }
  for (i in 1:20) for (kind in kinds) kind()
  gc(FALSE)
  found <- vapply(seq_len(calls), function(i) vapply(kinds, milliseconds, 0),
                  numeric(length(kinds)))
  matrix(found, length(kinds), dimnames = list(names(kinds), NULL))
}

# The time of the first call of a model that was just read. R has already compiled the functions, but no data
# of the model are in the processor's caches.
first_call <- function(model, given) {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(model, file, compress = FALSE)
  times <- vapply(1:20, function(i) {
    read <- readRDS(file)
    milliseconds(function() predict(read, given$matrix, threads = 1))
  }, 0)
  stats::median(times)
}

# Medians and 95th percentiles of each peer's fastest method, a column for each peer.
peer_latencies <- function(data) {
  if (!has_peers()) {
    return(NULL)
  }
  rows <- data$query <= 100
  last <- utils::tail(seq_along(data$grade), documents)
  files <- c(tempfile(), tempfile())
  on.exit(unlink(files))
  write_bin(list(x = data$x[rows, ], grade = data$grade[rows], query = data$query[rows]), files[1L])
  write_bin(list(x = data$x[last, ], grade = data$grade[last], query = rep(1, documents)), files[2L])
  vapply(names(peer_names), function(name) {
    found <- run_peer(name, data = files[1L], predict = 1L, test = files[2L], trees = 500L, leaves = 31L, threads = 1L,
                      calls = calls)[1L, ]
    c(best_method(found, "query_us", min), best_method(found, "query_us_95", min)) / 1000
  }, numeric(2))
}

data_calls <- function(given) {
  query <- rep(1, documents)
  list(
    matrix = function() ranking_data(given$matrix, given$grade, query, threads = 1),
    `data frame` = function() ranking_data(given$frame, given$grade, query, threads = 1)
  )
}

limits <- c(gbrt = 1, adaboost_mh = 1, mcsvm = Inf, mixture = 5)

# The rows of the table for this number of features, and which targets were met.
serve <- function(features) {
  data <- simulate_web(24000, features)
  given <- serving_forms(data)
  models <- train_models(data)
  kinds <- c(lapply(models, calls_of, given), `ranking_data()` = list(data_calls(given)))
  times <- do.call(rbind, lapply(names(kinds), function(name) {
    found <- measure(kinds[[name]])
    if (!is.null(found)) rownames(found) <- paste(name, rownames(found), sep = ": ")
    found
  }))
  medians <- apply(times, 1L, stats::median)
  late <- apply(times, 1L, stats::quantile, 0.95, names = FALSE)
  first <- vapply(models, first_call, 0, given)
  peers <- peer_latencies(data)
  held <- unlist(lapply(names(models), function(name) {
    of_model <- paste(name, c("matrix", "data frame", "ranking data"), sep = ": ")
    medians[of_model] < limits[[name]]
  }))
  names(held) <- paste(names(held), "of", features, "features")
  list(lines = c(sprintf("| %d | %s | %.2f | %.2f |", features, names(medians), medians, late),
                 sprintf("| %d | %s: just read | %.2f | |", features, names(first), first),
                 if (!is.null(peers)) {
                   sprintf("| %d | %s | %.2f | %.2f |", features, peer_names[colnames(peers)], peers[1L, ], peers[2L, ])
                 }),
       held = held)
}
results <- lapply(c(46L, 136L), serve)

lines <- c(
  "# Latency of predictions for one query", "",
  sprintf("Written by `Rscript bench/serving.R`: predict() for %d documents, one thread, models in",
          documents),
  sprintf("memory. The table shows the median and the 95th percentile of %d calls, in milliseconds. gbrt() has 500 trees of",
          calls),
  "31 leaves, and adaboost_mh() 500 trees of 8 leaves. The mixture is the default of tune_and_mix(). \"rank\" is",
  "`type = \"rank\"` for ranking data. \"just read\" is the first call after readRDS(), for a matrix: the median of 20 such calls.",
  "The target for the median is 1 ms for scores of a single model, and 5 ms for the mixture.",
  if (has_peers()) {
    c("LightGBM and XGBoost have 500 trees of 31 leaves, and run by their C APIs on a matrix in memory, without R.",
      peer_versions())
  } else {
    sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string)
  }, "",
  "| features | call | median, ms | 95 %, ms |", "|---|---|---|---|",
  unlist(lapply(results, `[[`, "lines")), size_lines()
)
writeLines(lines, "bench/serving.md")
cat(lines, sep = "\n")
hold_targets(unlist(lapply(results, `[[`, "held")))
