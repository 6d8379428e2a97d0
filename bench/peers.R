# The peers, LightGBM and XGBoost, timed through their C APIs (bench/peers). Other scripts source this file.
#
# `bash bench/peers/build.sh` builds the programs, in .build/peers or in the folder that PEERS names. A program
# keeps its data between runs, so that rankmix and the peers can take turns. The program waits while rankmix runs.

peers_folder <- Sys.getenv("PEERS", ".build/peers")
peer_names <- c(lightgbm = "LightGBM", xgboost = "XGBoost")
has_peers <- function() {
  all(file.exists(file.path(peers_folder, c("versions", paste0(names(peer_names), "_peer"), "compiled_peer.o"))))
}
need_peers <- function() {
  if (!has_peers()) {
    stop("There are no peers in '", peers_folder, "': run `make peers`.", call. = FALSE)
  }
}
peer_program <- function(name) file.path(normalizePath(peers_folder), paste0(name, "_peer"))

# The line of versions in a report.
peer_versions <- function() {
  read <- utils::read.table(file.path(peers_folder, "versions"), colClasses = "character",
                            col.names = c("name", "version", "commit"))
  peers <- sprintf("%s %s (commit %s)", peer_names[read$name], read$version, read$commit)
  sprintf("rankmix %s, %s, %s.", utils::packageVersion("rankmix"), toString(peers), R.version.string)
}

# Data ---------------------------------------------------------------------------------------

# RANKMIX_SIZES names the sizes, S, M or L, or has numbers of documents.
bench_sizes <- function(default) {
  known <- c(S = 240000, M = 1200000, L = 2300000)
  wanted <- bench_words("RANKMIX_SIZES", default)
  sizes <- ifelse(wanted %in% names(known), known[wanted], suppressWarnings(as.numeric(wanted)))
  if (anyNA(sizes)) {
    stop("RANKMIX_SIZES must have S, M, L or numbers, not '", wanted[is.na(sizes)][1L], "'.", call. = FALSE)
  }
  stats::setNames(sizes, wanted)
}
# RANKMIX_REPEATS lowers the number of runs, to try a script.
bench_repeats <- as.integer(Sys.getenv("RANKMIX_REPEATS", "5"))
# The page of a script. RANKMIX_REPORT is added to its name, so that a run of other sizes has a page of its own.
report_page <- function(name) sprintf("bench/%s%s.md", name, Sys.getenv("RANKMIX_REPORT"))
one_size <- function(default = "S") bench_sizes(default)[[1L]]

size_text <- function(sizes) {
  toString(sprintf("%s is %s documents", names(sizes), format(sizes, big.mark = ",", scientific = FALSE, trim = TRUE)))
}

# Independent normal features, with grades like those of simulate_web().
simulate_normal <- function(documents = 240000, features = 136, seed = 1) {
  set.seed(seed)
  queries <- documents %/% 120
  query <- sort(sample.int(queries, documents, replace = TRUE))
  x <- matrix(rnorm(documents * features), documents)
  utility <- 1.3 * tanh(x[, 1] * x[, 2]) + pmax(x[, 3], 0) - 0.5 * x[, 4]^2 + 0.8 * sin(2 * x[, 5]) +
    0.5 * x[, 6] + 0.5 * rnorm(queries)[query] + rnorm(documents)
  list(x = x, grade = findInterval(utility, quantile(utility, c(0.52, 0.84, 0.97, 0.99))), query = query)
}
# Two kinds of data: one has the shape of MSLR; the other has no two equal values, which is hard for histograms.
bench_shapes <- function() {
  list(MSLR = simulate_mslr, normal = simulate_normal)
}
# RANKMIX_SHAPES, RANKMIX_LEAVES and RANKMIX_THREADS choose some of the cases.
bench_words <- function(variable, default) strsplit(Sys.getenv(variable, default), " +")[[1L]]
wanted_shapes <- function() {
  match.arg(bench_words("RANKMIX_SHAPES", "MSLR normal"), names(bench_shapes()), several.ok = TRUE)
}
wanted_leaves <- function(default) as.integer(bench_words("RANKMIX_LEAVES", default))
wanted_threads <- function(default) as.integer(bench_words("RANKMIX_THREADS", default))

# Runs ---------------------------------------------------------------------------------------

# A line of names and values.
parse_results <- function(line) {
  words <- strsplit(line, " ")[[1L]]
  stats::setNames(as.numeric(words[c(FALSE, TRUE)]), words[c(TRUE, FALSE)])
}
as_words <- function(...) {
  values <- unlist(list(...))
  paste(sprintf("%s=%s", names(values), values), collapse = " ")
}

# A program that waits for settings. `data` may be deleted after the first run.
start_peer <- function(name, data = NULL) start_program(name, peer_program(name), if (!is.null(data)) shQuote(data))
start_program <- function(name, program, first = NULL) {
  answers <- tempfile(name)
  file.create(answers)
  command <- sprintf("(%s listen=1 2> %s.log; echo finished) > %s", paste(c(program, first), collapse = " "),
                     answers, answers)
  list(name = name, input = pipe(command, "w"), answers = answers)
}
stop_peer <- function(peer) invisible(close(peer$input))

# The results of a run. NULL if the library does not have the combination of settings.
ask_peer <- function(peer, ...) {
  before <- length(readLines(peer$answers))
  writeLines(as_words(...), peer$input)
  flush(peer$input)
  repeat {
    lines <- readLines(peer$answers, warn = FALSE)
    if ("finished" %in% lines) {
      stop(peer$name, " ended: ", toString(readLines(paste0(peer$answers, ".log"))), call. = FALSE)
    }
    # A line that is still being written has no end yet.
    complete <- length(lines) > before && endsWith(readChar(peer$answers, file.size(peer$answers)), "\n")
    if (complete) break
    Sys.sleep(0.01)
  }
  found <- parse_results(lines[before + 1L])
  if (!"failed" %in% names(found)) found
}
# Starts one process for one run or for a repeated measurement. The result is a matrix with a row for each repetition.
run_peer <- function(name, ..., data = NULL) {
  lines <- system2(peer_program(name), c(data, as_words(...)), stdout = TRUE)
  if (!is.null(attr(lines, "status"))) stop(name, " failed.", call. = FALSE)
  do.call(rbind, lapply(lines, parse_results))
}

# Settings -----------------------------------------------------------------------------------

# The fastest setting depends on the data and on the number of leaves.
peer_settings <- function(name, leaves, objective) {
  if (name == "lightgbm") {
    quantised <- c(use_quantized_grad = "true")
    # LightGBM's documentation advises this for rankings. Without it NDCG falls a lot.
    if (objective == "lambdarank") quantised <- c(quantised, quant_train_renew_leaf = "true")
    rows <- c(force_row_wise = "true")
    columns <- c(force_col_wise = "true")
    return(list("row-wise" = rows, "col-wise" = columns, "row-wise, quantised" = c(rows, quantised),
                "col-wise, quantised" = c(columns, quantised)))
  }
  settings <- list(
    "by loss" = c(grow_policy = "lossguide"),
    "by depth" = c(grow_policy = "depthwise", max_depth = as.character(ceiling(log2(leaves))))
  )
  if (objective != "multiclass") return(settings)
  # One tree with a value for each class instead of a tree for each class.
  shared <- lapply(settings, c, multi_strategy = "multi_output_tree")
  c(settings, stats::setNames(shared, paste0(names(settings), ", one tree")))
}

# The first rounds do not count. In the third round rankmix sorts the rows, once.
first_rounds <- 4L

# Milliseconds a round of rankmix. A fit continues from turn to turn, so that data are binned once.
our_rounds <- function(spec, ranking, threads) {
  task <- rankmix:::new_task(ranking, seed = 1, threads = threads)
  grower <- if (inherits(spec, "rankmix_adaboost_mh")) {
    rankmix:::adaboost_grower(spec, task)
  } else {
    rankmix:::gbrt_grower(spec, task)
  }
  grower$run(first_rounds)
  function(rounds) {
    counted <- rounds - first_rounds
    1000 * seconds_of(grower$run(counted)) / counted
  }
}

peer_round <- function(peer, setting, common, rounds) {
  found <- ask_peer(peer, setting, common, rounds = rounds, short = first_rounds)
  if (is.null(found)) NA_real_ else found[["ms_per_round"]]
}

fastest_setting <- function(peer, common, rounds, times = min(2L, bench_repeats)) {
  settings <- peer_settings(peer$name, as.numeric(common[["leaves"]]), common[["objective"]])
  tried <- replicate(times, vapply(settings, function(setting) peer_round(peer, setting, common, rounds), 0))
  medians <- apply(matrix(tried, length(settings)), 1L, stats::median)
  name <- names(settings)[which.min(medians)]
  list(name = name, values = settings[[name]])
}

# Milliseconds a round: a row for rankmix and for each peer, a column for each turn. `ours` is of our_rounds().
peer_times <- function(ours, peers, common, rounds, repeats = bench_repeats) {
  fastest <- lapply(peers, fastest_setting, common, max(6L, rounds %/% 2L))
  times <- vapply(seq_len(repeats), function(i) {
    c(rankmix = ours(rounds), vapply(names(peers), function(name) {
      peer_round(peers[[name]], fastest[[name]]$values, common, rounds)
    }, 0))
  }, numeric(1L + length(peers)))
  list(times = times, settings = vapply(fastest, `[[`, "", "name"))
}

# Columns of both peers in a table: the setting, the time and the ratio.
peer_header <- c(t(outer(peer_names, c("'s setting", "", ": ratio"), paste0)))
peer_columns <- function(found, digits = 1L) {
  paste(vapply(names(peer_names), function(name) {
    paste(found$settings[[name]], ratio_cells(found$times["rankmix", ], found$times[name, ], digits), sep = " | ")
  }, ""), collapse = " | ")
}
median_ratio <- function(found, name) stats::median(found$times[name, ] / found$times["rankmix", ])

# Whether rankmix is at least `least` times as fast as each peer. `label` names the case.
held_ratios <- function(found, least, label) {
  least <- rep_len(least, length(peer_names))
  held <- mapply(function(name, times) median_ratio(found, name) >= times, names(peer_names), least)
  stats::setNames(held, sprintf("%s, %g times %s", label, least, peer_names))
}

# The data of a size and a shape, for rankmix and for the programs, which read it in their first run.
start_case <- function(simulate, documents) {
  data <- simulate(documents)
  file <- tempfile(fileext = ".bin")
  write_bin(data, file)
  peers <- lapply(stats::setNames(nm = names(peer_names)), start_peer, data = file)
  for (peer in peers) ask_peer(peer, objective = "l2", leaves = 4L, threads = 2L, rounds = 3L)
  unlink(file)
  list(ranking = ranking_data(data$x, data$grade, data$query), peers = peers)
}
end_case <- function(case) for (peer in case$peers) stop_peer(peer)

# Prediction ---------------------------------------------------------------------------------

# A program of an exported model, which only predicts.
start_compiled <- function(model) {
  base <- tempfile("compiled")
  write_model(model, paste0(base, ".c"), "c")
  objects <- file.path(peers_folder, c("run.o", "compiled_peer.o"))
  commands <- c(
    sprintf("%s -O3 -march=native -c %s.c -o %s.o", Sys.getenv("CC", "gcc"), base, base),
    sprintf("%s -fopenmp -pthread %s %s.o -o %s -lm", Sys.getenv("CXX", "g++"), quoted(objects), base, base)
  )
  for (command in commands) if (system(command) != 0L) stop("Failed: ", command, call. = FALSE)
  start_program("compiled", base, sprintf("model=%s.c", base))
}
quoted <- function(x) paste(shQuote(x), collapse = " ")

# The best of a measure over the methods of a peer. Names with a further part, such as query_us_99, are reduced to
# this part.
best_method <- function(found, measure, best) {
  best(found[grepl(sprintf("^%s_[a-z]+$", measure), names(found))])
}
