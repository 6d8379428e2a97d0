# Reads hostile files of models for some seconds: each must be a classed error or a model that
# prints and predicts. `make fuzz-models` runs it on a build under sanitizers.
#
#   Rscript tools/fuzz_models.R SECONDS [SEED]
#
# The case at work is kept in .build/fuzz-models/case.json, so that it is there after a crash; those
# that end in another way than they may are kept beside it.

suppressPackageStartupMessages({
  library(rankmix)
  library(testthat)
})
arguments <- as.numeric(commandArgs(TRUE))
seconds <- if (length(arguments) > 0L) arguments[1L] else 600
seed <- if (length(arguments) > 1L) arguments[2L] else as.integer(Sys.time()) %% 1e6
for (helper in c("export", "import", "mutate", "draws")) {
  source(file.path("tests", "testthat", sprintf("helper-%s.R", helper)))
}
folder <- file.path(".build", "fuzz-models")
dir.create(folder, FALSE, TRUE)
case <- file.path(folder, "case.json")

own <- texts_to_mutate()
imported <- texts_of_tools(file.path("tests", "testthat", "fixtures", "imported"))
texts <- c(own, imported$texts)
kinds <- c(rep(list(kinds_of_changes$json), length(own)), imported$kinds)
data <- export_data()[1:3]
found <- c(error = 0, model = 0)
problems <- character()
slowest <- 0
set.seed(seed)
started <- proc.time()[["elapsed"]]
spent <- function() proc.time()[["elapsed"]] - started
while (spent() < seconds) {
  for (i in seq_along(texts)) {
    text <- mutated_text(texts[[i]], kinds[[i]])
    writeBin(charToRaw(text), case)
    begun <- proc.time()[["user.self"]]
    outcome <- tryCatch(outcome_of_file(case, data), error = function(e) e)
    slowest <- max(slowest, proc.time()[["user.self"]] - begun)
    if (is.character(outcome)) {
      found[outcome] <- found[outcome] + 1
    } else {
      problem <- conditionMessage(outcome)
      where <- paste(deparse(conditionCall(outcome))[1L], strtrim(problem, 100L), sep = ": ")
      if (!where %in% problems) {
        problems <- c(problems, where)
        file.copy(case, file.path(folder, sprintf("problem-%d.json", length(problems))),
                  overwrite = TRUE)
        cat(sprintf("problem %d: %s\n", length(problems), where))
      }
    }
  }
}
cat(sprintf("seed %.0f: %.0f cases in %.0f s (%.0f of the processor): ", seed, sum(found), spent(),
            proc.time()[["user.self"]]),
    sprintf("%.0f errors, %.0f models, %d problems; slowest %.1f s\n", found[["error"]],
            found[["model"]], length(problems), slowest), sep = "")
if (length(problems) > 0L) quit(status = 1L)
