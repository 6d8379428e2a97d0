# One model by several processes: time and bytes of a tree beside one process. Writes bench/cluster.md.
#
#   Rscript bench/cluster.R
#
# Data: 240,000 documents x 136 features of simulate_web(), assigned to ranks by query. Processes are started by
# mpirun on this machine. Time is that of 20 trees of 31 leaves after the bins, in the slowest rank. As root, `tc`
# limits the loopback device to the rates of networks; both directions share the limit, which is harder than a
# network card.
#
# Volume of a tree of L leaves: the histograms of the root and of the smaller child of each split but the last,
# L - 1 in all. A slot of packed gradients is 64 bits, which are sent as two doubles. Targets: bytes are at most
# 1.1 times this volume; two processes of one thread take at most 1.25 times as long as one process of two threads.

source("bench/common.R")
source("bench/simulate.R")

trees <- 20L
leaves <- 31L

specs <- list(gbrt = rankmix::gbrt(trees, num_leaves = leaves), lambdamart = rankmix::lambdamart(trees = trees,
                                                                                                num_leaves = leaves))

# The work of one process. Prints figures of rank 0 as R code.
work <- function(file, threads) {
  cluster <- rankmix::mpi_communicator()
  data <- readRDS(file)
  own <- data$query %% cluster$size == cluster$rank
  part <- ranking_of(data, own)
  data <- NULL
  binned <- rankmix::binned_data(part, threads = threads, verbose = FALSE, cluster = cluster)
  sent <- c(calls = 0, numbers = 0)
  counted <- cluster
  for (name in c("add", "max")) {
    counted[[name]] <- local({
      original <- cluster[[name]]
      function(x) {
        sent <<- sent + c(1, length(x))
        original(x)
      }
    })
  }
  figures <- lapply(specs, function(spec) {
    cluster$add(0)  # all begin at the same time
    sent[] <<- 0
    seconds <- system.time(model <- rankmix::fit(spec, binned, seed = 1, threads = threads, verbose = FALSE,
                                                 cluster = counted))[["elapsed"]]
    list(seconds = cluster$max(seconds) / trees, calls = sent[["calls"]] / trees,
         numbers = sent[["numbers"]] / trees, model = rankmix::provenance(model)$model)
  })
  if (cluster$rank == 0L) {
    slots <- sum(lengths(rankmix:::bins_thresholds(binned$x$bins)) + 1)
    cat("FIGURES", paste(deparse(c(figures, slots = slots)), collapse = ""), "\n")
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
file <- tempfile(fileext = ".rds")
saveRDS(simulate_web(), file, compress = FALSE)

limit <- function(rate) {
  system2("tc", c("qdisc", "add", "dev", "lo", "root", "tbf", "rate", rate, "burst", "2mb", "latency", "100ms"))
}
unlimit <- function() system2("tc", c("qdisc", "del", "dev", "lo", "root"))

run <- function(size, threads, tcp = FALSE, rate = NULL) {
  if (!is.null(rate)) {
    if (limit(rate) != 0L) return(NULL)
    on.exit(unlimit())
  }
  out <- system2("mpirun", c(if (is_root) "--allow-run-as-root", "--oversubscribe",
                             if (tcp) c("--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"),
                             "-n", size, file.path(R.home("bin"), "Rscript"), "bench/cluster.R", file, threads),
                 stdout = TRUE)
  line <- grep("^FIGURES", out, value = TRUE)
  if (length(line) != 1L) stop("A run failed: ", paste(out, collapse = "\n"))
  eval(parse(text = sub("^FIGURES", "", line)))
}

runs <- list(
  list(label = "1 process, 2 threads", size = 1L, threads = 2L),
  list(label = "2 processes, 1 thread", size = 2L, threads = 1L),
  list(label = "2 processes, TCP", size = 2L, threads = 1L, tcp = TRUE),
  list(label = "2 processes, 25 Gbit/s", size = 2L, threads = 1L, tcp = TRUE, rate = "25gbit"),
  list(label = "2 processes, 10 Gbit/s", size = 2L, threads = 1L, tcp = TRUE, rate = "10gbit"),
  list(label = "2 processes, 1 Gbit/s", size = 2L, threads = 1L, tcp = TRUE, rate = "1gbit")
)
if (!is_root || !nzchar(Sys.which("tc"))) runs <- runs[1:3]
results <- lapply(runs, function(one) do.call(run, one[names(one) != "label"]))
held <- c()
lines <- c(
  "# One model by several processes", "",
  "Made by `Rscript bench/cluster.R`, which says what is measured. Seconds and megabytes are of one tree.", "",
  "| ranker | run | seconds | times one process | reductions | MB sent | times the volume |",
  "|---|---|---|---|---|---|---|"
)
for (name in names(specs)) {
  base <- results[[1L]][[name]]
  for (i in which(lengths(results) > 0L)) {
    one <- results[[i]][[name]]
    volume <- (leaves - 1) * results[[i]]$slots * 16 / 1e6
    sent <- one$numbers * 8 / 1e6
    ratio <- one$seconds / base$seconds
    lines <- c(lines, sprintf("| %s | %s | %.3f | %.2f | %.0f | %.1f | %s |", name, runs[[i]]$label, one$seconds, ratio,
                              if (runs[[i]]$size == 1L) 0 else one$calls, if (runs[[i]]$size == 1L) 0 else sent,
                              if (runs[[i]]$size == 1L) "" else sprintf("%.2f", sent / volume)))
    stopifnot(identical(one$model, base$model))
    if (i == 2L) {
      held[paste("time of", name)] <- ratio <= 1.25
      held[paste("bytes of", name)] <- sent / volume <= 1.1
    }
  }
}
lines <- c(lines, "", "All models of a ranker have the same hash.", "")
writeLines(lines, "bench/cluster.md")
hold_targets(held)
