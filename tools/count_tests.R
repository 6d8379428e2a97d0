# Adds up the counts of the test runners: files with "passed failed skipped".
# A runner that left no count has crashed, which counts as a failure.

files <- commandArgs(trailingOnly = TRUE)
counts <- vapply(files, function(file) {
  if (!file.exists(file)) c(0L, 1L, 0L) else scan(file, integer(), quiet = TRUE)
}, integer(3))
total <- rowSums(counts)
cat(sprintf("%d passed, %d failed, %d skipped\n", total[1L], total[2L],
            total[3L]))
quit(status = if (total[2L] > 0L || total[1L] == 0L) 1L else 0L)
