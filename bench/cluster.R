# One model by several processes: time and bytes of a tree beside one process. Writes bench/cluster.md.
#
#   Rscript bench/cluster.R
#
# Data: documents x 136 features of simulate_web(), assigned to ranks by query. Numbers of documents are those of
# RANKMIX_SIZES, default 240,000 and 1.2 million. Processes are started by mpirun on this machine. Each may use all
# processors, because mpirun would otherwise let each of two processes use a single one. The time is the time of 20
# trees of 31 leaves without the binning, in the slowest rank, and the median of three runs. With the smallest data,
# and as root, `tc` limits the loopback device to the rates of networks; both directions share the limit, so the device
# is slower than a network card of the same rate.
#
# Volume of a tree of L leaves: the histograms of the root and of the smaller child of each split but the last,
# L - 1 in all, with 16 bytes for each slot. A slot of packed gradients has 64 bits. It is sent as 66 bits in integers,
# so fewer bytes are sent than this volume. Targets: bytes are at most 1.1 times this volume; two processes of one
# thread take at most 1.25 times as long as one process of two threads.
#
# With the peers of bench/peers, LightGBM's data-parallel training runs beside it: the same documents, leaves and
# processes, connected by LightGBM's own sockets on the loopback device, without limits. Each of LightGBM's
# processes bins and rounds its own rows, so the model depends on the number of processes.

source("bench/common.R")
source("bench/simulate.R")
source("bench/peers.R")
source("bench/cluster-paper.R")

trees <- 20L
leaves <- 31L

specs <- list(gbrt = rankmix::gbrt(trees, num_leaves = leaves), lambdamart = rankmix::lambdamart(trees = trees,
                                                                                                num_leaves = leaves))

# The seconds of rank 0 for the messages of one rank in a reduction: it looks for a message, reads it and answers.
message_seconds <- function() {
  n <- 1000
  system.time(for (i in 1:n) {
    Rmpi::mpi.send(c(0, 1, 1, 2, 3, 4), 2L, 0L, 1L, 0L)
    Rmpi::mpi.iprobe(0L, 1L, 0L)
    Rmpi::mpi.recv(double(Rmpi::mpi.get.count(2L)), 2L, 0L, 1L, 0L)
  })[["elapsed"]] / n
}

# The work of one process. Prints figures of rank 0 as R code.
work <- function(file, threads) {
  cluster <- rankmix::mpi_communicator()
  data <- readRDS(file)
  own <- data$query %% cluster$size == cluster$rank
  part <- ranking_of(data, own)
  data <- NULL
  binned <- rankmix::binned_data(part, threads = threads, verbose = FALSE, cluster = cluster)
  sent <- c(calls = 0, bytes = 0)
  counted <- cluster
  for (name in c("add", "max", "add_integers")) {
    counted[[name]] <- local({
      original <- cluster[[name]]
      bytes <- if (name == "add_integers") 4 else 8
      function(x) {
        sent <<- sent + c(1, bytes * length(x))
        original(x)
      }
    })
  }
  model <- NULL
  figures <- lapply(specs, function(spec) {
    seconds <- vapply(1:3, function(run) {
      cluster$add(0)  # all begin at the same time
      sent[] <<- 0
      own <- system.time(model <<- rankmix::fit(spec, binned, seed = 1, threads = threads, verbose = FALSE,
                                                cluster = counted))[["elapsed"]]
      cluster$max(own)
    }, 0)
    list(seconds = stats::median(seconds) / trees, calls = sent[["calls"]] / trees,
         bytes = sent[["bytes"]] / trees, model = rankmix::provenance(model)$model)
  })
  if (cluster$rank == 0L) {
    slots <- sum(lengths(rankmix:::bins_thresholds(binned$x$bins)) + 1)
    figures <- c(figures, slots = slots, message_seconds = if (cluster$size == 1L) message_seconds())
    cat("FIGURES", paste(deparse(figures), collapse = ""), "\n")
  }
  Rmpi::mpi.quit()
}

arguments <- commandArgs(TRUE)
if (length(arguments) == 2L) {
  suppressMessages(library(rankmix))
  work(arguments[1L], as.integer(arguments[2L]))
  quit(save = "no")
}

# Loading Rmpi here would start MPI in this process.
if (!nzchar(system.file(package = "Rmpi"))) stop("This script needs the package Rmpi.", call. = FALSE)
is_root <- identical(Sys.info()[["user"]], "root")
limit <- function(rate) {
  system2("tc", c("qdisc", "add", "dev", "lo", "root", "tbf", "rate", rate, "burst", "2mb", "latency", "100ms"))
}
unlimit <- function() system2("tc", c("qdisc", "del", "dev", "lo", "root"))

run <- function(file, size, threads, tcp = FALSE, rate = NULL) {
  if (!is.null(rate)) {
    if (limit(rate) != 0L) return(NULL)
    on.exit(unlimit())
  }
  out <- system2("mpirun", c(if (is_root) "--allow-run-as-root", "--oversubscribe", "--bind-to none",
                             if (tcp) c("--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"),
                             "-n", size, file.path(R.home("bin"), "Rscript"), "bench/cluster.R", file, threads),
                 stdout = TRUE)
  line <- grep("^FIGURES", out, value = TRUE)
  if (length(line) != 1L) stop("A run failed: ", paste(out, collapse = "\n"))
  eval(parse(text = sub("^FIGURES", "", line)))
}

# Milliseconds a round of LightGBM, in the slowest of `size` processes.
lightgbm_round <- function(data, objective, size, threads) {
  ports <- 24400L + seq_len(size)
  machines <- paste0("127.0.0.1:", ports, collapse = ",")
  answers <- vapply(seq_len(size), function(i) {
    own <- data$query %% size == i - 1L
    file <- tempfile(fileext = ".bin")
    write_bin(list(x = data$x[own, ], grade = data$grade[own], query = data$query[own]), file)
    words <- as_words(objective = objective, leaves = leaves, threads = threads, rounds = trees + 2L, short = 2L)
    if (size > 1L) words <- paste(words, as_words(machines = machines, port = ports[i], tree_learner = "data",
                                                  num_machines = size))
    answer <- tempfile()
    system(sprintf("%s %s %s > %s 2> %s.log && rm %s", peer_program("lightgbm"), file, words, answer, answer, file),
           wait = i == size)
    answer
  }, "")
  # Waits for the last process; the others end with it. LightGBM also prints its connections.
  found <- vapply(answers, function(answer) {
    for (i in 1:6000) {
      line <- grep("^ms_per_round", readLines(answer, warn = FALSE), value = TRUE)
      if (length(line) == 1L) return(parse_results(line)[["ms_per_round"]])
      Sys.sleep(0.1)
    }
    stop("LightGBM failed: ", toString(readLines(paste0(answer, ".log"))))
  }, 0)
  max(found)
}
lightgbm_lines <- function(data) {
  unlist(lapply(c(gbrt = "l2", lambdamart = "lambdarank"), function(objective) {
    seconds <- c(lightgbm_round(data, objective, 1L, 2L), lightgbm_round(data, objective, 2L, 1L)) / 1000
    sprintf("| LightGBM, %s | %s | %.3f | %.2f |", objective, c("1 process, 2 threads", "2 processes, 1 thread"),
            seconds, seconds / seconds[1L])
  }))
}

runs <- list(
  list(label = "1 process, 2 threads", size = 1L, threads = 2L),
  list(label = "2 processes, 1 thread", size = 2L, threads = 1L),
  list(label = "1 process, 1 thread", size = 1L, threads = 1L),
  list(label = "2 processes, TCP", size = 2L, threads = 1L, tcp = TRUE),
  list(label = "2 processes, 25 Gbit/s", size = 2L, threads = 1L, tcp = TRUE, rate = "25gbit"),
  list(label = "2 processes, 10 Gbit/s", size = 2L, threads = 1L, tcp = TRUE, rate = "10gbit"),
  list(label = "2 processes, 1 Gbit/s", size = 2L, threads = 1L, tcp = TRUE, rate = "1gbit")
)
rates <- c(NA, NA, NA, NA, 25, 10, 1)
if (!is_root || !nzchar(Sys.which("tc"))) runs <- runs[1:4]
rates <- rates[seq_along(runs)]

held <- c()
# The rows of a table for one number of documents.
table_of <- function(documents, results, runs) {
  lines <- c(
    sprintf("## %s documents", format(documents, big.mark = ",", scientific = FALSE)), "",
    "| ranker | run | seconds | times one process | reductions | MB sent | times the volume |",
    "|---|---|---|---|---|---|---|"
  )
  for (name in names(specs)) {
    base <- results[[1L]][[name]]
    for (i in which(lengths(results) > 0L)) {
      one <- results[[i]][[name]]
      volume <- (leaves - 1) * results[[i]]$slots * 16
      ratio <- one$seconds / base$seconds
      sent <- if (runs[[i]]$size == 1L) "0 | 0.0 | " else {
        sprintf("%.0f | %.1f | %.2f", one$calls, one$bytes / 1e6, one$bytes / volume)
      }
      lines <- c(lines, sprintf("| %s | %s | %.3f | %.2f | %s |", name, runs[[i]]$label, one$seconds, ratio, sent))
      stopifnot(identical(one$model, base$model))
      if (i == 2L) {
        held[paste("time of", name, "with", documents, "documents")] <<- ratio <= 1.25
        held[paste("bytes of", name, "with", documents, "documents")] <<- one$bytes / volume <= 1.1
      }
    }
  }
  c(lines, "")
}

sizes <- bench_sizes("S M")
lines <- c(
  "# One model by several processes", "",
  "Made by `Rscript bench/cluster.R`, whose first lines describe the measurement. Seconds and megabytes are of one tree.",
  "For each ranker and number of documents, all models have the same hash.", ""
)
results <- list()
for (documents in sizes) {
  file <- tempfile(fileext = ".rds")
  saveRDS(simulate_web(documents), file, compress = FALSE)
  own_runs <- if (documents == sizes[1L]) runs else runs[1:4]
  found <- lapply(own_runs, function(one) do.call(run, c(file, one[names(one) != "label"])))
  results <- c(results, list(found))
  lines <- c(lines, table_of(documents, found, own_runs))
  if (has_peers() && documents == sizes[1L]) {
    lines <- c(lines, "LightGBM's data-parallel training on the same documents, in the same run:", "",
               peer_versions(), "", "| training | run | seconds | times one process |", "|---|---|---|---|",
               lightgbm_lines(readRDS(file)), "")
  }
  unlink(file)
}
if (length(sizes) > 1L) {
  models <- lapply(stats::setNames(nm = names(specs)), function(name) {
    of_run <- function(i) lapply(results[1:2], function(found) found[[i]][[name]])
    cost_model(sizes[1:2], of_run(3L), of_run(2L), results[[1L]][[1L]]$message_seconds)
  })
  limited <- which(!is.na(rates) & lengths(results[[1L]]) > 0L)
  measured <- do.call(rbind, lapply(names(specs), function(name) {
    data.frame(ranker = rep(name, length(limited)), documents = rep(sizes[[1L]], length(limited)),
               gigabits = rates[limited],
               seconds = vapply(results[[1L]][limited], function(one) one[[name]]$seconds, 0))
  }))
  lines <- c(lines, paper_lines(models, measured))
}
writeLines(lines, "bench/cluster.md")
hold_targets(held)
