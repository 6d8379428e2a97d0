# Simulates training on many processors: how much of training is serial, and how long calls of the
# thread pool would take on up to 64 threads. Writes bench/threads.md.
#
#   Rscript bench/threads.R
#
# A program without R (bench/threads) trains gbrt(num_leaves = 64) with squared loss and with
# loss_lambda(metric_ndcg()), and adaboost_mh(base_tree(8)). It runs all tasks on one thread, and records the
# time of each task and of the code between calls. The policy of src/host_pool.cpp is then
# simulated. The program also trains on one and two real threads, which checks the simulation.
# Needs a C++ compiler, make and addr2line. RANKMIX_DOCUMENTS names another number of documents
# than 1,200,000. Fails if the serial part of binning or of rounds is 2 % or more, or if
# the simulation of two threads is off by a fifth.

source("bench/common.R")
source("bench/simulate.R")
source("bench/simulate-mslr.R")
source("bench/threads-report.R")

documents <- as.integer(Sys.getenv("RANKMIX_DOCUMENTS", "1200000"))
rounds <- 10L
repeats <- 3L
folder <- ".build/threads"
program <- file.path(folder, "replay")
kinds <- c(lambda = "`gbrt()`, `loss_lambda()`", squared = "`gbrt()`", adaboost = "`adaboost_mh()`")

shape <- "mslr"
data_file <- file.path(folder, sprintf("%s-%d.bin", shape, documents))
make_data <- function() {
  write_bin(simulate_mslr(documents), data_file)
}

# Lines of the program as a list of tables by their first word.
run_program <- function(kind, threads) {
  lines <- system2(program, c(data_file, kind, rounds, threads), stdout = TRUE)
  if (!is.null(attr(lines, "status"))) stop("The program failed for ", kind, ".", call. = FALSE)
  words <- strsplit(lines, "\t", fixed = TRUE)
  tables <- split(words, vapply(words, `[[`, "", 1L))
  lapply(tables, function(rows) {
    columns <- as.data.frame(do.call(rbind, rows)[, -1L, drop = FALSE])
    # Columns of addresses are not converted to numbers.
    columns[] <- lapply(columns, function(x) {
      if (any(grepl("^0x|nil", x))) x else utils::type.convert(x, as.is = TRUE)
    })
    columns
  })
}

# The seconds of rounds on one and two threads in turn, and on two threads as simulated.
validate <- function(kind, recorded) {
  real <- vapply(seq_len(repeats), function(i) {
    vapply(1:2, function(threads) {
      phases <- run_program(kind, threads)$phase
      phases[phases$V1 == "rounds", "V2"]
    }, numeric(1))
  }, numeric(2))
  curve <- recorded$curve
  simulated <- curve[curve$V1 == "rounds" & curve$V3 == "low" & curve$V2 <= 2, "V4"]
  list(one = stats::median(real[1L, ]), two = stats::median(real[2L, ]),
       recorded = simulated[1L], simulated = simulated[2L],
       # The ratio hardly depends on how fast the machine is at the moment.
       error = (simulated[2L] / simulated[1L]) / stats::median(real[2L, ] / real[1L, ]) - 1)
}

dir.create(folder, showWarnings = FALSE, recursive = TRUE)
if (system2("make", c("-s", "-C", "bench/threads")) != 0L) stop("The program does not compile.", call. = FALSE)
if (!file.exists(data_file)) make_data()
invisible(gc(FALSE))

recorded <- lapply(stats::setNames(nm = names(kinds)), run_program, threads = 0L)
checked <- Map(validate, names(kinds), recorded)
places <- name_places(program, unlist(lapply(recorded, function(r) r$place$V2)))

lines <- c(
  "# What many processors would do", "",
  "Written by `Rscript bench/threads.R`. A program trains without R, on one thread, and records the time of",
  sprintf("each task: %s documents x %d features (simulated, shape %s), 255 bins, 64 leaves (AdaBoost.MH: 8).",
          format(documents, big.mark = ",", scientific = FALSE), 136L, shape),
  "Phases: binning, start (first scores), order (the first trees, which also reorder rows), and rounds,",
  sprintf("of which there are %d.", rounds),
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  serial_section(kinds, recorded),
  curve_section(kinds, recorded),
  limit_section(kinds, recorded, places),
  check_section(kinds, checked),
  locality_section(kinds, recorded, places),
  gap_section(kinds, recorded, places)
)
writeLines(lines, "bench/threads.md")
cat(lines, sep = "\n")

serial <- unlist(lapply(recorded, function(r) {
  held <- r$phase[r$phase$V1 %in% c("binning", "rounds"), ]
  stats::setNames(held$V3 / held$V2 < 0.02, paste("serial part of", held$V1))
}))
simulation <- vapply(checked, function(found) abs(found$error) < 0.2, NA)
hold_targets(c(serial, stats::setNames(simulation, paste("simulation of", names(kinds)))))
