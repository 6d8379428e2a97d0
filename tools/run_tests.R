# Runs the R tests and leaves "passed failed skipped" in the file that is named. A second argument
# takes the files alone whose names match.

target <- commandArgs(trailingOnly = TRUE)[1L]
filter <- commandArgs(trailingOnly = TRUE)[2L]
unlink(target)
# In several processes testthat does not measure the times of tests.
if (Sys.getenv("TESTTHAT_CPUS", "1") == "1") Sys.setenv(TESTTHAT_PARALLEL = "false")
reporter <- testthat::MultiReporter$new(list(testthat::CheckReporter$new(),
                                             testthat::ListReporter$new()))
results <- testthat::test_local(".", reporter = reporter, load_package = "installed",
                                stop_on_failure = FALSE, filter = if (!is.na(filter)) filter)
table <- as.data.frame(results)
failed <- sum(table$failed) + sum(table$error)
skipped <- sum(table$skipped)
passed <- sum(table$nb) - sum(table$failed) - skipped - sum(table$warning)
# Times mean nothing if several processes ran the tests.
if (Sys.getenv("TESTTHAT_PARALLEL") == "false") {
  seconds <- sort(tapply(table$real, table$file, sum), decreasing = TRUE)
  seconds <- utils::head(seconds, 20L)
  cat("Slowest files (s):", paste(sprintf("%s %.1f", sub("^test-(.*)\\.R$", "\\1", names(seconds)),
                                          seconds), collapse = ", "), "\n")
  # The tests that may be left out of the quick size, see helper-draws.R.
  processor <- table$user + table$system
  slow <- utils::head(order(-processor), 60L)
  cat("Slowest tests (s of processor time):",
      sprintf("%.1f %s: %s", processor[slow], sub("^test-(.*)\\.R$", "\\1", table$file[slow]), table$test[slow]),
      sep = "\n  ")
}
# A test without an expectation tests nothing at this size.
is_empty <- vapply(results, function(test) {
  any(vapply(test$results, function(one) {
    inherits(one, "expectation_skip") && grepl("empty test", conditionMessage(one), fixed = TRUE)
  }, NA))
}, NA)
empty <- paste0(table$file, ": ", table$test)[is_empty]
if (length(empty) > 0L) {
  cat("Tests without an expectation:", empty, sep = "\n  ")
}
warned <- sum(table$warning)
if (warned > 0L) {
  message(warned, " warnings in tests")
}
# What failed comes last, so that it is in the end of a long log.
for (test in results) {
  for (one in test$results) {
    if (inherits(one, c("expectation_failure", "expectation_error"))) {
      cat("Failed: ", test$file, ": ", test$test, "\n", conditionMessage(one), "\n", sep = "")
    }
  }
}
failed <- failed + length(empty)
writeLines(paste(passed, failed, skipped), target)
quit(status = if (failed > 0L) 1L else 0L)
