# How long a call continues after an interrupt, measured by the processor time of its process. A busy machine
# lengthens the elapsed time, but not the processor time.

skip_without_processor_time <- function() {
  skip_on_cran()
  skip_if_not(file.exists("/proc/self/stat"), "No processor times of other processes")
}

# Processor seconds of a process, over all threads.
processor_seconds <- function(pid) {
  fields <- strsplit(sub("^.*[)] ", "", readLines(sprintf("/proc/%d/stat", pid))), " ")[[1L]]
  ticks <- as.numeric(system2("getconf", "CLK_TCK", stdout = TRUE))
  sum(as.numeric(fields[12:13])) / ticks
}

# Runs the code `prepare` and then the code `call` in a separate process. Interrupts the call after `after`
# processor seconds. Returns how the call ended, the processor seconds after the signal, and the value of the
# code `then` in the same session.
interrupt_call <- function(prepare, call, after = 0.7, then = "'well'") {
  folder <- withr::local_tempdir()
  script <- child_script(folder, c(
    prepare,
    "writeLines(as.character(Sys.getpid()), 'partial')",
    "invisible(file.rename('partial', 'started'))",
    "end <- tryCatch({",
    call,
    "'finished'",
    "}, interrupt = function(e) 'interrupted')",
    "used <- sum(proc.time()[1:2])",
    sprintf("then <- %s", then),
    "saveRDS(list(end = end, used = used, then = then), 'partial')",
    "invisible(file.rename('partial', 'ended'))"
  ))
  wait_for <- function(good) {
    deadline <- Sys.time() + 120
    while (!good() && Sys.time() < deadline) Sys.sleep(0.01)
    good()
  }
  there <- function(name) file.exists(file.path(folder, name))
  system2(file.path(R.home("bin"), "Rscript"), script, wait = FALSE, stdout = FALSE,
          stderr = FALSE)
  expect_true(wait_for(function() there("started")))
  pid <- as.integer(readLines(file.path(folder, "started")))
  begun <- processor_seconds(pid)
  wait_for(function() there("ended") || processor_seconds(pid) - begun > after)
  sent <- if (there("ended")) NA else processor_seconds(pid)
  tools::pskill(pid, tools::SIGINT)
  expect_true(wait_for(function() there("ended")))
  ended <- readRDS(file.path(folder, "ended"))
  list(end = ended$end, seconds = ended$used - sent, then = ended$then)
}
