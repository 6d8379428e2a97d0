# Tests of reproduce/: its report at a tiny size, that a run which was killed resumes and redoes
# nothing, workers, verdicts, and the large experiment killed and resumed. `make test-reproduce`
# calls it; nothing but the package is needed, no judged data.

suppressPackageStartupMessages(library(rankmix))
source("reproduce/test-claims.R")
source("reproduce/test-page.R")

passed <- 0L
check <- function(truth, text) {
  if (!isTRUE(truth)) stop("not so: ", text, call. = FALSE)
  passed <<- passed + 1L
}
folder <- tempfile("reproduce")
dir.create(folder)
rscript <- file.path(R.home("bin"), "Rscript")
start <- function(script, ..., settings = character()) {
  log <- tempfile()
  command <- paste("exec env", paste(shQuote(settings), collapse = " "), shQuote(rscript), script,
                   ..., ">", log, "2>&1 & echo $!")
  list(pid = as.integer(system(command, intern = TRUE)), log = log)
}
alive <- function(pid) tools::pskill(pid, 0L)
wait <- function(process, until = function() FALSE, seconds = 3600) {
  end <- Sys.time() + seconds
  while (alive(process$pid) && !until() && Sys.time() < end) Sys.sleep(0.05)
  if (Sys.time() >= end) stop("it took longer than ", seconds, " s", call. = FALSE)
}
log_of <- function(process) paste(readLines(process$log, warn = FALSE), collapse = "\n")

test_verdicts(check)

# Killed in the middle -------------------------------------------------------------------
run <- file.path(folder, "tiny")
tasks <- function() list.files(run, "^task-", full.names = TRUE)
settings <- c(paste0("RUN=", run), "ONLY=bounds|duplicates|linear|M5P")
first <- start("reproduce/run.R", "tiny", settings = settings)
wait(first, function() length(tasks()) >= 2L)
killed <- alive(first$pid)
tools::pskill(first$pid, tools::SIGKILL)
wait(first)
check(killed && !file.exists(file.path(run, "report.html")), "the run was killed before its end")
before <- tasks()
made <- file.mtime(before)
# The rest is done by workers.
second <- start("reproduce/run.R", "tiny",
                settings = c(settings, "R_FUTURE_PLAN=multisession",
                             "R_PARALLELLY_AVAILABLECORES_FALLBACK=2"))
wait(second)
check(file.exists(file.path(run, "report.html")), paste("the run went on:", log_of(second)))
check(length(tasks()) > length(before), "more was done")
check(identical(file.mtime(before), made), "nothing was done again")
rows <- readRDS(file.path(run, "claims.rds"))
check(all(rows$status[rows$paper == "Tune and mix (2013)" & grepl("^T", rows$id)] == "not run"),
      "what was not asked for is said not to be run")

# The whole of it ------------------------------------------------------------------------
whole <- start("reproduce/run.R", "tiny", settings = paste0("RUN=", run))
wait(whole)
rows <- readRDS(file.path(run, "claims.rds"))
check(!any(grepl("^failed", rows$status)), paste("no claim fails:", log_of(whole)))
check(all(c("holds", "undecided") %in% rows$verdict), "there are verdicts")
check(mean(rows$status == "run") > 0.85, "nearly all claims are run")
tested <- !is.na(rows$p)
check(isTRUE(all.equal(rows$p_holm[tested], p.adjust(rows$p[tested], "holm"))),
      "p is adjusted over all claims that have one")
page <- paste(readLines(file.path(run, "report.html")), collapse = "\n")
check(all(vapply(unique(rows$paper[rows$paper != "Numbers to beat"]), grepl, NA, page,
                 fixed = TRUE)), "each paper is on the page")
check(!grepl("(src|href)=\"(https?:)?//", page), "the page loads nothing from elsewhere")
check(nrow(rows) == lengths(regmatches(page, gregexpr("data-label=\"verdict\"", page))),
      "each claim has a row on the page")
test_page(check, file.path(run, "report.html"), folder)
check(any(grepl("## COCR", readLines(file.path(run, "claims.md")))), "there is a summary")

# The large experiment -------------------------------------------------------------------
large <- function(name, ...) {
  start("reproduce/large.R", settings = c("DOCUMENTS=6000", "FEATURES=30", "ROUNDS=300", "EVERY=20",
                                          "THREADS=1", paste0("RUN=", file.path(folder, name))))
}
model <- function(name) readRDS(file.path(folder, name, "tree-64-model.rds"))
# In the middle of the second learner.
cut <- large("cut")
wait(cut, function() file.exists(file.path(folder, "cut", "tree-64-checkpoint.rds")))
tools::pskill(cut$pid, tools::SIGKILL)
wait(cut)
check(!file.exists(file.path(folder, "cut", "tree-64-model.rds")) &&
        file.exists(file.path(folder, "cut", "tree-64-checkpoint.rds")),
      "it was killed within a learner")
kept <- file.mtime(file.path(folder, "cut", "tree-8-model.rds"))
resumed <- large("cut")
wait(resumed)
straight <- large("straight")
wait(straight)
check(grepl("resumes from its checkpoint", log_of(resumed), fixed = TRUE), "it went on")
check(identical(kept, file.mtime(file.path(folder, "cut", "tree-8-model.rds"))),
      "what was trained is not trained again")
check(identical(model("cut"), model("straight")), "the model is that of a run never killed")
check(identical(readRDS(file.path(folder, "cut", "values.rds"))$values,
                readRDS(file.path(folder, "straight", "values.rds"))$values),
      "and so is what is measured")
check(file.exists(file.path(folder, "cut", "large.md")), "there is a summary")

unlink(folder, recursive = TRUE)
cat(passed, "checks passed\n")
