# Grades of dawid_skene() against the truth, by simulation. Writes bench/assessors.md.
#
#   Rscript bench/assessors.R [repetitions]
#
# `repetitions` (10) draws of each row. Grade k has a prevalence proportional to .6^k. Assessors err independently. A
# document has the grades of five assessors, or of all if there are fewer. Assessors are of two sorts:
# - any: right with a probability of .5 to .9, the same for each true grade. Wrong grades have weights
#   exp(-distance), times 3 above or below the true grade if the assessor is mild or strict.
# - ordinal: they see the true grade + a shift of -.7 to .7 + a normal number times a spread of .4 to 1.
#
# 1. Accuracy of the most probable grade of both models, of the majority vote, and of the best assessor (known only
#    in a simulation). Among equal votes, the majority vote chooses at random: the table has the mean.
# 2. Calibration: the mean probability of the most probable grade minus its accuracy, and the accuracy where that
#    probability is .75 to .85.
# 3. Bias of the estimated accuracy of assessors, and the mean absolute error of entries of their confusion matrices.
#
# Targets, with a tolerance of two standard errors, for the model that fits the sort of assessors. The most probable
# grade is at least as accurate as the majority vote, with five or more assessors. With 3,000 documents and five or
# more assessors, probabilities are too high by at most .02. For 500 documents and five assessors a fit takes less
# than a second.

library(rankmix)
source("bench/common.R")
repetitions <- as.integer(c(commandArgs(trailingOnly = TRUE), "10")[1L])
max_votes <- 5L

distance_of <- function(grades) outer(seq_len(grades), seq_len(grades), function(k, j) j - k)
draw_any <- function(grades) {
  accuracy <- runif(1L, 0.5, 0.9)
  mild <- sample(c(1 / 3, 1, 3), 1L)
  distance <- distance_of(grades)
  wrong <- exp(-abs(distance)) * mild^sign(distance) * (distance != 0)
  accuracy * (distance == 0) + (1 - accuracy) * wrong / rowSums(wrong)
}
draw_ordinal <- function(grades) {
  shift <- runif(1L, -0.7, 0.7)
  spread <- runif(1L, 0.4, 1)
  upper <- pnorm((distance_of(grades)[, -grades, drop = FALSE] + 0.5 - shift) / spread)
  cbind(upper, 1) - cbind(0, upper)
}
draws <- list(any = draw_any, ordinal = draw_ordinal)

# A column of `given` for each assessor, and NA where the assessor has not judged.
draw_votes <- function(sort, documents, grades, assessors) {
  true <- sample.int(grades, documents, TRUE, 0.6^seq_len(grades))
  confusion <- replicate(assessors, draws[[sort]](grades))
  given <- vapply(seq_len(assessors), function(a) {
    cumulative <- t(apply(confusion[, , a], 1L, cumsum))[true, , drop = FALSE]
    as.integer(rowSums(runif(documents) > cumulative[, -grades, drop = FALSE]))
  }, integer(documents))
  if (assessors > max_votes) {
    chosen <- t(replicate(documents, sample.int(assessors) <= max_votes))
    given[!chosen] <- NA
  }
  list(true = true, given = given, confusion = confusion)
}

# The probability that the majority vote is right, for each document.
majority <- function(votes, grades) {
  counts <- vapply(seq_len(grades) - 1L, function(grade) rowSums(votes$given == grade, na.rm = TRUE),
                   numeric(length(votes$true)))
  first <- counts == apply(counts, 1L, max)
  first[cbind(seq_along(votes$true), votes$true)] / rowSums(first)
}

# The measures of one model.
measures <- function(votes, prevalence, grades, kind) {
  model <- suppressWarnings(dawid_skene(votes$given, kind, grades = grades))
  right <- model$documents$grade == votes$true - 1L
  highest <- apply(model$probability, 1L, max)
  near <- highest >= 0.75 & highest < 0.85
  accuracy <- apply(votes$confusion, 3L, function(p) sum(prevalence * diag(p)))
  c(accuracy = mean(right), surplus = mean(highest) - mean(right), near = sum(near), near_right = sum(right[near]),
    bias = mean(model$assessors$accuracy - accuracy), entries = mean(abs(model$confusion - votes$confusion)))
}
once <- function(row) {
  votes <- draw_votes(row$sort, row$documents, row$grades, row$assessors)
  prevalence <- 0.6^seq_len(row$grades)
  prevalence <- prevalence / sum(prevalence)
  found <- lapply(c(full = "full", ordinal = "ordinal"), function(kind) measures(votes, prevalence, row$grades, kind))
  c(majority = mean(majority(votes, row$grades)),
    best = max(colMeans(votes$given == votes$true - 1L, na.rm = TRUE)), unlist(found))
}

missed <- character()
error <- function(x) 2 * sd(x) / sqrt(length(x))
check <- function(row, drawn) {
  model <- if (row$sort == "any") "full" else "ordinal"
  name <- sprintf("%s, %d assessors, %d grades, %d documents", row$sort, row$assessors, row$grades, row$documents)
  if (row$assessors < 5L) return(invisible())
  gain <- drawn[, paste0(model, ".accuracy")] - drawn[, "majority"]
  if (mean(gain) < -error(gain)) missed <<- c(missed, paste("accuracy:", name))
  surplus <- drawn[, paste0(model, ".surplus")]
  if (row$documents == 3000L && mean(surplus) > 0.02 + error(surplus)) {
    missed <<- c(missed, paste("calibration:", name))
  }
}
texts_of <- function(drawn, model) {
  of <- function(name) drawn[, paste(model, name, sep = ".")]
  c(sprintf("%+.3f", mean(of("surplus"))), sprintf("%.2f", sum(of("near_right")) / sum(of("near"))),
    sprintf("%+.3f", mean(of("bias"))), sprintf("%.3f", mean(of("entries"))))
}
rows_of <- function(grid) {
  texts <- lapply(seq_len(nrow(grid)), function(i) {
    row <- grid[i, ]
    drawn <- simulate(function(draw) once(row))
    check(row, drawn)
    start <- c(row$assessors, row$grades, format(row$documents, big.mark = ","))
    accuracy <- sprintf("%.3f", colMeans(drawn[, c("full.accuracy", "ordinal.accuracy", "majority", "best")]))
    list(accuracy = table_row(start, accuracy), full = table_row(start, texts_of(drawn, "full")),
         ordinal = table_row(start, texts_of(drawn, "ordinal")))
  })
  lapply(c(accuracy = "accuracy", full = "full", ordinal = "ordinal"), function(part) {
    vapply(texts, `[[`, "", part)
  })
}
any <- rows_of(expand.grid(sort = "any", documents = c(500L, 3000L), grades = c(2L, 3L, 5L),
                           assessors = c(3L, 5L, 10L), stringsAsFactors = FALSE))
ordinal <- rows_of(expand.grid(sort = "ordinal", documents = c(40L, 500L, 3000L), grades = c(3L, 5L), assessors = 5L,
                               stringsAsFactors = FALSE))
set.seed(1)
votes <- draw_votes("any", 500L, 5L, 5L)
seconds <- seconds_of(dawid_skene(votes$given), "user.self")
if (seconds > 1) missed <- c(missed, "time")

data <- c("assessors", "grades", "documents")
accuracy <- c(data, "full", "ordinal", "majority", "best assessor")
calibration <- c(data, "surplus", "at .8", "bias", "entries")
lines <- c(
  "# Grades of several assessors", "",
  sprintf("Written by `Rscript bench/assessors.R`: means of %d draws of simulated assessors, who err independently.",
          repetitions),
  "Documents have up to five judgements. `dawid_skene()` does not use the true grades.",
  sprintf("rankmix %s, %s.", packageVersion("rankmix"), R.version.string), "",
  "- *full*, *ordinal*: accuracy of the most probable grade of `dawid_skene(confusion = )`.",
  "- *best assessor*: accuracy of the best assessor, who is known only in a simulation.",
  "- *surplus*: mean probability of the most probable grade, minus its accuracy. A surplus above 0 means that probabilities are too high.",
  "- *at .8*: accuracy where the probability of the most probable grade is .75 to .85.",
  "- *bias*: mean error of the estimated accuracy of assessors.",
  "- *entries*: mean absolute error of the entries of confusion matrices.", "",
  "## Assessors with the same accuracy for each grade", "",
  "Assessors are right with a probability of .5 to .9. The ordinal model does not hold.", "",
  markdown_table(accuracy, any$accuracy),
  "The full model:", "", markdown_table(calibration, any$full),
  "## Assessors with a shift and a spread", "",
  "Both models hold. The ordinal one has fewer parameters.", "",
  markdown_table(accuracy, ordinal$accuracy),
  "The full model:", "", markdown_table(calibration, ordinal$full),
  "The ordinal model:", "", markdown_table(calibration, ordinal$ordinal),
  sprintf("The full model of 500 documents, five assessors and five grades took %.2f s of the processor.", seconds)
)
writeLines(lines, "bench/assessors.md")
cat(lines, sep = "\n")
hold_targets(stats::setNames(rep(FALSE, length(missed)), missed))
