# Words that the repository should not use, because the field has other words for what they mean, and
# former names of functions. tools/language_limits.csv has the number of uses that are left of each
# word in each area. A number may fall and never rise: more uses fail here, and fewer ask for a
# smaller limit.
#
#   Rscript tools/check_language.R [--write]
#
# `--write` writes the numbers of today as limits, but none that is higher than its limit.

# The word that is counted, as a regular expression, and what to write in its place.
words <- c(
  "slopes?" = "gradient", "curvatures?" = "hessian", "pulls?" = "lambda, pairwise gradient",
  "worths?" = "gain, score", "parted" = "split", "ways? of weighing" = "weighting method",
  "weigh(s|ed|ing)?" = "weight, weighting", "judges?" = "scorer; assessor, if a person", "cells?" = "leaf, candidate",
  "workshops?" = "training cache", "pace" = "time budget", "crews?" = "thread pool", "climb(s|ing)?" = "search",
  "stretch(es)?" = "interval", "deals?|dealt" = "assign", "least_" = "min_", "most_" = "max_",
  "rooms?" = "buffer", "go(es)? on|gone on" = "resume, continue", "tells?|told|telling" = "report, say",
  "hears?|heard" = "receive", "heed(s|ed)?" = "use", "dear(est)?" = "expensive", "twins?" = "reference",
  "excused?" = "exempt", "held-out" = "validation, out-of-fold or test", "exchanges?" = "swap",
  "what takes it" = "rankers that support it", "who gives none" = "name the subject"
)
areas <- list(
  R = "R/*.R", src = c("src/*.cpp", "src/*.h", "src/core/*/*.cpp", "src/core/*/*.h"), man = "man/*.Rd",
  vignettes = c("vignettes/*.Rmd", "vignettes/articles/*.Rmd"),
  tests = c("tests/testthat/*.R", "tests/cpp/*.cpp", "tests/cpp/*.h"), bench = c("bench/*.R", "bench/*.md"),
  reproduce = c("reproduce/*.R", "reproduce/papers/*.R", "reproduce/*.md"),
  documents = c("ARCHITECTURE.md", "CONTRIBUTING.md", "NEWS.md", "README.md")
)
# What functions were called before they had the prefix of their family. Calls of these names are
# mistakes in R code and in help; some are R's own names, which have a package in front.
families <- list(
  metric_ = c("average_precision", "bpref", "dcg", "err", "f_measure", "mean_ndcg", "ndcg", "r_precision", "rbp",
              "reciprocal_rank"),
  loss_ = c("xendcg", "query_rmse", "list_mle"), calibrator_ = c("cpc", "rbc"), base_ = "hamming_tree",
  fuse_ = c("rrf", "borda", "copeland", "condorcet", "isr", "log_isr", "comb_sum", "comb_mnz", "comb_anz", "comb_min",
            "comb_max", "comb_med", "rank_biased")
)

contents <- lapply(areas, function(globs) {
  files <- unlist(lapply(globs, Sys.glob))
  files <- files[!grepl("RcppExports", files)]
  stats::setNames(lapply(files, readLines, warn = FALSE, encoding = "UTF-8"), files)
})
# NEWS says what former names are now.
news <- contents$documents[["NEWS.md"]]
sections <- cumsum(startsWith(news, "## "))
contents$documents[["NEWS.md"]] <- news[sections != sections[match("## Renamed", news)]]
texts <- lapply(contents, function(lines) tolower(paste(unlist(lines, use.names = FALSE), collapse = "\n")))
count_uses <- function(pattern, text) {
  at <- gregexpr(pattern, text, perl = TRUE, useBytes = TRUE)[[1L]]
  sum(at > 0L)
}
bounded <- function(word) {
  sprintf("(?<![a-z])(?:%s)%s", word, if (endsWith(word, "_")) "" else "(?![a-z])")
}
counts <- vapply(texts, function(text) {
  vapply(names(words), function(word) count_uses(bounded(word), text), 0)
}, numeric(length(words)))

limits_file <- "tools/language_limits.csv"
limits <- if (file.exists(limits_file)) {
  as.matrix(utils::read.csv(limits_file, row.names = 1L, check.names = FALSE))
} else {
  counts + 0
}
if ("--write" %in% commandArgs(TRUE)) {
  utils::write.csv(pmin(counts, limits[names(words), names(areas)]), limits_file)
  quit()
}
if (!identical(dimnames(limits), dimnames(counts))) {
  stop("Words or areas have changed. Delete tools/language_limits.csv and write it anew.", call. = FALSE)
}

problems <- character()
above <- which(counts > limits, arr.ind = TRUE)
for (i in seq_len(nrow(above))) {
  word <- names(words)[above[i, 1L]]
  problems <- c(problems, sprintf("%s: %d uses of \"%s\", at most %d are left. Write %s.", names(areas)[above[i, 2L]],
                                  counts[above[i, , drop = FALSE]], word, limits[above[i, , drop = FALSE]],
                                  words[[word]]))
}
for (prefix in names(families)) {
  former <- sprintf("(?<![A-Za-z0-9_.$:`\"'])(%s)\\(", paste(families[[prefix]], collapse = "|"))
  for (area in c("R", "man", "vignettes", "documents")) {
    for (file in names(contents[[area]])) {
      lines <- contents[[area]][[file]]
      # What metrics and methods are called in text, and functions that a file defines for itself.
      own <- unlist(regmatches(lines, gregexpr("\\b[a-z_]+(?= <- function)", lines, perl = TRUE)))
      used <- unlist(regmatches(lines, gregexpr(former, lines, perl = TRUE)))
      used <- setdiff(sub("\\($", "", used), own)
      if (length(used) > 0L) {
        problems <- c(problems, sprintf("%s calls %s(), which is %s%s() now.", file, used[1L], prefix, used[1L]))
      }
    }
  }
}
if (length(problems) > 0L) {
  stop(paste(problems, collapse = "\n"), call. = FALSE)
}
fewer <- sum(counts < limits)
cat(sprintf("%d words of the former language are left%s\n", sum(counts),
            if (fewer > 0L) ". Write smaller limits: Rscript tools/check_language.R --write" else ""))
