# The expected time of a tree on several machines. bench/cluster.R sources this file.
#
# With N documents on K machines of one thread, a tree takes
#   T(K) = a + b N / K + r (w + (K - 2) h) + 2 (K - 1) / K B / rate.
# a + b N   one process, a line through the times of two numbers of documents
# r, B      reductions and bytes of a tree
# w         a reduction without the network, from two processes that share memory
# h         the messages of rank 0 with one further rank in one reduction
# The last term is the traffic of a machine if sums are made in parts, as MPI does with long vectors.

# `results` has the figures of one ranker for two numbers of documents: those of one process and one thread, and of two
# processes that share memory.
cost_model <- function(documents, alone, shared, message_seconds) {
  seconds <- vapply(alone, `[[`, 0, "seconds")
  b <- diff(seconds) / diff(documents)
  a <- max(0, seconds[1L] - b * documents[1L])
  first <- shared[[1L]]
  list(a = a, b = b, reductions = first$calls, bytes = first$bytes, h = message_seconds,
       w = max(0, (first$seconds - a - b * documents[1L] / 2) / first$calls))
}

expected_seconds <- function(model, documents, ranks, bytes_a_second = Inf) {
  with(model, a + b * documents / ranks + (ranks > 1) * reductions * (w + pmax(0, ranks - 2) * h) +
         2 * (ranks - 1) / ranks * bytes / bytes_a_second)
}

paper_lines <- function(models, measured, documents = c(1.2e6, 12e6), ranks = c(2, 4, 8, 64)) {
  rates <- c("1" = 1, "10" = 10, "25" = 25) * 1e9 / 8
  rows <- unlist(lapply(names(models), function(name) {
    unlist(lapply(documents, function(n) {
      vapply(names(rates), function(rate) {
        seconds <- expected_seconds(models[[name]], n, ranks, rates[[rate]])
        parts <- expected_seconds(models[[name]], n, 1) / (ranks * seconds)
        sprintf("| %s | %s | %s | %s |", name, format(n, big.mark = ",", scientific = FALSE), rate,
                paste(sprintf("%.2f", parts), collapse = " | "))
      }, "")
    }))
  }))
  checks <- vapply(seq_len(nrow(measured)), function(i) {
    one <- measured[i, ]
    # Both directions share the limit of the loopback device.
    expected <- expected_seconds(models[[one$ranker]], one$documents, 2, one$gigabits * 1e9 / 8 / 2)
    sprintf("| %s | %s | %.3f | %.3f |", one$ranker, one$gigabits, expected, one$seconds)
  }, "")
  c("## Efficiency on paper", "",
    "Expected seconds of one thread, divided by the seconds of all threads of K machines with one thread each.",
    "`bench/cluster-paper.R` has the formula. Its parts are measured above; messages are handled by R on rank 0.", "",
    sprintf("| ranker | documents | Gbit/s | %s |", paste("K =", ranks, collapse = " | ")),
    "|---|---|---|---|---|---|---|", rows, "",
    "The formula beside the runs of two processes with a limited rate, where both directions share the limit:", "",
    "| ranker | Gbit/s | expected seconds | measured seconds |", "|---|---|---|---|", checks, "")
}
