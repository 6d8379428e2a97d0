# Calls every exported function with hostile values for some seconds. A call must give a value or an
# error of class rankmix_error; an error of R itself or of another package is printed. Exits with 1 if
# there was one. A crash ends the script with R's own words, and the call is in
# .build/fuzz-calls/call.R.
#
#   Rscript tools/fuzz_calls.R [SECONDS] [SEED]
#
# A suggested package that is not installed gives the error of rlang. The generics of R raise
# their own errors for classes of other packages.
#
# Each argument is usually a value that suits its name, so that the others are looked at, too.

suppressPackageStartupMessages(library(rankmix))
arguments <- as.numeric(commandArgs(TRUE))
seconds <- c(arguments, 300)[1L]
seed <- if (length(arguments) > 1L) arguments[2L] else as.integer(Sys.time()) %% 1e6
folder <- file.path(".build", "fuzz-calls")
dir.create(folder, FALSE, TRUE)
root <- normalizePath(folder)
setwd(tempdir())

simulated <- simulate_ranking(20, features = 5, documents = c(6, 9), seed = 1)$data
parts <- split_parts(split_queries(simulated, c(train = 0.6, valid = 0.2, test = 0.2), seed = 1), simulated)
quietly <- function(code) suppressWarnings(suppressMessages(code))
tree_model <- quietly(fit(gbrt(3), parts$train, verbose = FALSE))
linear_model <- quietly(fit(linear_ranker(penalty = 1), parts$train, verbose = FALSE))
folds <- query_folds(simulated, 3, seed = 1)
judged <- evaluate(tree_model, parts$test, "ndcg@10")
benchmark <- quietly(benchmark_rankers(list(a = gbrt(2), b = linear_ranker(penalty = 1)), folds,
                                       data = simulated, verbose = FALSE))
compared <- quietly(compare_rankers(benchmark))

suitable <- list(
  data = simulated, train = parts$train, valid = parts$valid, test = parts$test, newdata = parts$test,
  new_data = parts$test, model = tree_model, object = tree_model, x = simulated$x, y = simulated$relevance,
  query = simulated$query, relevance = simulated$relevance, metric = "ndcg@10", metrics = "ndcg@10",
  folds = folds, benchmark = benchmark, comparison = compared, evaluation = judged, seed = 1,
  threads = 1L, verbose = FALSE, scores = seq_along(simulated$query), score = seq_along(simulated$query),
  spec = gbrt(2), ranker = gbrt(2), rankers = list(a = tree_model, b = linear_model),
  file = file.path(tempdir(), "none.txt"), path = tempfile(), directory = tempfile()
)
bytes <- "\xff\xfe"
Encoding(bytes) <- "bytes"
hostile <- list(
  NULL, NA, TRUE, -1, 0, 1.5, 3, 1e308, NaN, Inf, NA_character_, "", "none", bytes, "caf\xe9", 1:3, c(a = 1, a = 2),
  numeric(), character(), list(), list(1, "a"), list(a = NULL), factor(c("u", NA)), as.Date("2026-01-01"), .POSIXct(0),
  1i, as.raw(1), quote(a + b), y ~ x, mean, new.env(), emptyenv(), matrix(numeric(), 0L, 5L), matrix("a"),
  array(1, c(2, 2, 2)),
  data.frame(), data.frame(a = 1:2, b = c("x", NA)), data.frame(a = I(list(1, 2))), structure(1, class = "unknown"),
  structure(list(), class = "rankmix_ranker"), structure(list(), class = "rankmix_data"), stats::lm(dist ~ speed, cars),
  simulated, tree_model, linear_model, gbrt(2), judged, benchmark, compared, folds, tempdir()
)

generics_of <- c("fit", "predict", "explain", "augment", "tidy", "glance", "autoplot", "evaluate",
                 "plot", "coef", "summary", "head", "tail", "update", "nobs", "subset")
exports <- sort(getNamespaceExports("rankmix"))
called <- stats::setNames(lapply(exports, getExportedValue, ns = "rankmix"), exports)
called <- Filter(is.function, called)
for (name in setdiff(generics_of, exports)) called[[name]] <- get(name)

# Whether a call is the package's to answer: generics of R and of the package generics answer for
# classes of others themselves.
answers <- function(name, values) {
  !name %in% generics_of || (length(values) > 0L && ours(values[[1L]]))
}
ours <- function(x) any(grepl("^rankmix_|^ranking_data$", class(x)))

draw_argument <- function(name) {
  if (name %in% names(suitable) && stats::runif(1) < 0.6) {
    return(list(suitable[[name]]))
  }
  hostile[sample(length(hostile), 1L)]
}
# The arguments of a call: the first ones by position, some of the others by name.
draw_arguments <- function(f) {
  known <- setdiff(names(formals(args(f))), "...")
  first <- utils::head(known, sample(0:3, 1L))
  others <- setdiff(known, first)
  others <- others[stats::runif(length(others)) < 0.15]
  values <- c(lapply(first, draw_argument), lapply(others, draw_argument))
  values <- if (length(values) > 0L) unlist(values, recursive = FALSE) else list()
  stats::setNames(values, c(rep("", length(first)), others))
}

found <- c(value = 0, classed = 0, foreign = 0)
problems <- list()
set.seed(seed)
kept <- .Random.seed
started <- proc.time()[["elapsed"]]
grDevices::pdf(NULL)
while (proc.time()[["elapsed"]] - started < seconds) {
  for (name in names(called)) {
    assign(".Random.seed", kept, globalenv())
    values <- draw_arguments(called[[name]])
    kept <- get(".Random.seed", globalenv())
    text <- paste(utils::capture.output(utils::str(values, max.level = 1L, give.attr = FALSE, vec.len = 2L)),
                  collapse = "\n")
    if (!answers(name, values)) {
      next
    }
    writeLines(c(name, text), file.path(root, "call.R"), useBytes = TRUE)
    outcome <- tryCatch({
      setTimeLimit(elapsed = 20, transient = TRUE)
      utils::capture.output(quietly(do.call(called[[name]], values, quote = TRUE)))
      "value"
    }, rankmix_error = function(e) "classed", rlib_error_package_not_found = function(e) "classed",
    error = function(e) e)
    setTimeLimit()
    if (is.character(outcome)) {
      found[outcome] <- found[outcome] + 1
      next
    }
    found["foreign"] <- found["foreign"] + 1
    message <- strtrim(iconv(conditionMessage(outcome), "", "ASCII", sub = "?"), 120L)
    key <- paste0(name, "(): ", gsub("[0-9]+", "0", sub("\n.*", "", message)))
    if (is.null(problems[[key]])) {
      problems[[key]] <- text
      cat(key, "\n", sep = "")
      cat(paste0("    ", utils::head(strsplit(text, "\n")[[1L]], 8L)), sep = "\n")
    }
  }
}
cat(sprintf("seed %.0f: %.0f calls of %d functions: %.0f values, %.0f classed errors, %.0f of others in %d kinds\n",
            seed, sum(found), length(called), found[["value"]], found[["classed"]], found[["foreign"]],
            length(problems)))
if (length(problems) > 0L) quit(status = 1L)
