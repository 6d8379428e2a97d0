#' Describe a comparison for a paper
#'
#' `methods_sentence()` writes the sentence about tests that a methods section needs.
#' `reporting_checklist()` lists the items that Sakai and Fuhr ask papers to report, and shows which of them
#' the comparison has.
#'
#' @param x The comparison, made by [compare_rankers()].
#' @param results Whether to append the p-values and effect sizes; default `TRUE`. For one pair, the sentence
#' has its numbers. For several pairs, it has their ranges.
#'
#' @return `methods_sentence()`: a string of class `rankmix_sentence`, which prints in lines of the console's
#'   width. `reporting_checklist()`: a data frame with a row for each item, and the columns
#'   * `item`: what to report;
#'   * `source`: the paper that asks for the item;
#'   * `status`: `"done"`, `"not done"`, `"not applicable"`, or `"not shown"` if a comparison cannot show it;
#'   * `report`: the text with the numbers, or what to do.
#' @examples
#' values <- cbind(bm25 = c(0.3, 0.5, 0.2, 0.6, 0.4, 0.3),
#'                 trees = c(0.4, 0.7, 0.3, 0.8, 0.5, 0.6),
#'                 ridge = c(0.5, 0.7, 0.4, 0.8, 0.6, 0.5))
#' compared <- compare_rankers(values, metric = "ndcg@10", seed = 1)
#' methods_sentence(compared)
#' reporting_checklist(compared)[c("item", "status")]
#'
#' @details The sentence has the metrics, the number of queries, folds and weights, and the test. It also has the
#'   adjustment for several pairs, the alternative, the level, the intervals, the version and the seed. If rankers
#'   of a benchmark failed, it names them.
#'
#' P-values and the level have no digit before the point. The effect size is Cohen's d_z (see
#' [compare_rankers()]). If d_z is undefined for every pair, the sentence has no effect size.
#'
#' The items of the checklist are paraphrased. Items on training, hypotheses and digits are `"not shown"`.
#' Sakai (2020) disputes Fuhr's advice against reciprocal rank, ERR, MAP and relative improvements.
#'
#' @section Conditions: `rankmix_error_argument`: not a comparison; `results` is not `TRUE` or `FALSE`.
#' @references Sakai (2014), Statistical reform in information retrieval? *SIGIR Forum* 48(1),
#'   \doi{10.1145/2641383.2641385}. Sakai (2016), Statistical significance, power, and sample sizes,
#'   \doi{10.1145/2911451.2911492}. Fuhr (2017), Some common mistakes in IR evaluation, and how they can be
#'   avoided, *SIGIR Forum* 51(3), \doi{10.1145/3190580.3190586}. Sakai (2020), On Fuhr's guideline for IR
#'   evaluation, *SIGIR Forum* 54(1), \doi{10.1145/3451964.3451976}.
#' @export
methods_sentence <- function(x, results = TRUE) {
  check_given(missing(x), "x", "Give a comparison, made by `compare_rankers()`.")
  check_class(x, "x", "rankmix_comparison", "`compare_rankers()`")
  check_flag(results, "results")
  text <- sprintf("Differences of %s over %s by %s, alpha = %s; %s%s; %s.",
                  join_words(metric_labels(names(x$values))), queries_text(x), test_words(x),
                  level_text(x$settings$level), interval_text(x),
                  if (any(!is.na(x$pairs$effect))) "; effect sizes are Cohen's d_z" else "",
                  software_text(x))
  if (results) text <- paste(text, results_text(x))
  failed <- failed_words(x$failed, Inf)
  if (!is.null(failed)) text <- paste0(text, " ", failed, ".")
  structure(text, class = c("rankmix_sentence", "character"))
}

#' @export
print.rankmix_sentence <- function(x, ...) {
  writeLines(strwrap(unclass(x), max(20L, getOption("width"))))
  invisible(x)
}

# Words of the sentence ----------------------------------------------------------------------

# "a", "a and b", "a, b and c".
join_words <- function(words) {
  count <- length(words)
  if (count < 2L) words else paste(paste(words[-count], collapse = ", "), "and", words[count])
}

# The usual spelling of metrics: "NDCG@10" for "ndcg@10", "P@5" for "precision@5". Other names stay.
metric_labels <- function(names) {
  family <- sub("[@(].*$", "", names)
  known <- c(average_precision = "AP", precision = "P", reciprocal_rank = "RR")
  upper <- family %in% c("ndcg", "dcg", "err", "map", "ap", "rr", "mrr", "rbp")
  label <- ifelse(upper, ascii_upper(family), ifelse(family %in% names(known), known[family], family))
  paste0(label, substring(names, nchar(family) + 1L))
}

# ".05" for 0.05.
level_text <- function(level) sub("^0", "", plain_number(level))

p_text <- function(p) {
  ifelse(p < 1e-4, "p < .0001", sprintf("p = %s", sub("^0", "", p_number(p))))
}

# "784 queries (5 folds, pooled)".
queries_text <- function(x) {
  queries <- range(x$pairs$queries)
  folds <- x$pairs$folds[1L]
  repeats <- x$values[[1L]]$repeats
  weighted <- any(vapply(x$values, weights_differ, NA))
  combined <- c(pool = "pooled", fisher = "p-values combined by Fisher's method",
                stouffer = "p-values combined by Stouffer's method")
  more <- c(
    if (folds > 1L) sprintf("%d folds, %s", folds, combined[[x$settings$combine]]),
    if (!is.null(repeats)) sprintf("means of %s", repeat_words(repeats)),
    if (weighted) sprintf("weighted, %.1f effective", min(x$pairs$n_effective))
  )
  paste0(if (queries[1L] == queries[2L]) counted(queries[1L], "query", "queries") else {
    sprintf("%s to %s queries", format_count(queries[1L]), format_count(queries[2L]))
  }, if (length(more) > 0L) sprintf(" (%s)", paste(more, collapse = "; ")))
}

# "joint sign flips, 10,000 patterns, step-down maxT over 10 pairs, two-sided".
test_words <- function(x) {
  paste(c(test_text(x), pattern_text(x), family_text(x), side_text(x)), collapse = ", ")
}

test_text <- function(x) {
  switch(adjustment_of(x), maxt = "joint sign flips", tukey = if (x$settings$test == "t") {
    "Tukey's HSD test of the two-way analysis of variance"
  } else {
    "the randomised Tukey HSD test"
  },
         switch(x$settings$test, t = if (x$settings$variance != "queries") {
           sprintf("paired t tests with standard errors over queries and %d trainings",
                   dim(x$values[[1L]]$trainings)[3L])
         } else if (x$pairs$folds[1L] > 1L && x$settings$combine == "pool") {
           "paired t tests with standard errors stratified by fold"
         } else {
           "paired t tests"
         }, wilcoxon = "Wilcoxon's signed-rank tests", randomization = "sign-flip randomisation tests"))
}

# One pair is tested without an adjustment, because the adjustment would have no effect.
adjustment_of <- function(x) if (family_size(x) > 1L) x$settings$adjust else "none"

family_size <- function(x) sum(x$pairs$metric == x$pairs$metric[1L])

# The number of sign patterns or permutations.
pattern_text <- function(x) {
  count <- sprintf("%s random", format_count(x$settings$resamples))
  if (adjustment_of(x) == "tukey") {
    return(if (x$settings$test == "randomization") paste(count, "permutations"))
  }
  if (x$settings$test != "randomization") {
    return(NULL)
  }
  if (all(x$flips$exact)) {
    return("all sign patterns")
  }
  # `patterns` also counts the observed pattern. For metrics with few differences, all patterns may have been used.
  sprintf("%s random patterns", format_count(max(x$flips$patterns[!x$flips$exact]) - 1))
}

# "step-down maxT over 10 pairs".
family_text <- function(x) {
  size <- family_size(x)
  control <- x$settings[["control"]]
  pairs <- paste0(if (size == 1L) "one pair" else counted(size, "pair"),
                  if (!is.null(control)) sprintf(" with %s", control),
                  if (length(x$values) > 1L) " for each metric")
  how <- switch(adjustment_of(x), maxt = "step-down maxT over", tukey = "over",
                holm = "Holm's adjustment over", BH = "Benjamini and Hochberg's adjustment over",
                if (size > 1L) "no adjustment over")
  if (is.null(how)) pairs else paste(how, pairs)
}

side_text <- function(x) {
  side <- x$settings$alternative
  if (side == "two.sided") {
    return("two-sided")
  }
  control <- x$settings[["control"]]
  sprintf("one-sided (%s than %s)", if (side == "greater") "better" else "worse",
          if (is.null(control)) "the second ranker of a pair" else control)
}

# "95 % intervals are simultaneous". With one pair, the interval of the joint flips is of this pair alone.
interval_text <- function(x) {
  level <- plain_number(100 * (1 - x$settings$level))
  if (has_simultaneous(x$settings) && family_size(x) > 1L) {
    return(sprintf("%s %% intervals are simultaneous", level))
  }
  if (all(is.na(shown_ends(x$pairs, x$settings)$lower))) {
    return("intervals are undefined")
  }
  kind <- switch(x$settings$adjust, maxt = "studentised sign-flip", tukey = "Tukey",
                 interval_names[[x$settings$interval]])
  paste0(level, " % ", kind, " intervals", if (family_size(x) > 1L) " of each pair alone",
         if (!has_simultaneous(x$settings) && x$settings$interval == "bca") {
           sprintf(" (%s samples)", format_count(x$settings$resamples))
         })
}

software_text <- function(x) {
  sprintf("rankmix %s, seed %s", format(utils::packageVersion("rankmix")), plain_number(x$settings$seed))
}

# The numbers of one pair, or the ranges of several.
results_text <- function(x) {
  if (family_size(x) == 1L) {
    rows <- vapply(seq_len(nrow(x$pairs)), function(i) pair_text(x, i), "")
    return(paste0(paste(rows, collapse = "; "), "."))
  }
  p <- decisive_p(x)
  effect <- abs(x$pairs$effect)
  sprintf("%s are from %s to %s%s.",
          if (adjustment_of(x) == "none") "P-values" else "Adjusted p-values",
          bare_p(min(p, na.rm = TRUE)), bare_p(max(p, na.rm = TRUE)),
          if (all(is.na(effect))) "" else {
            sprintf(", effect sizes |d_z| from %.2f to %.2f", min(effect, na.rm = TRUE),
                    max(effect, na.rm = TRUE))
          })
}

bare_p <- function(p) sub("^p (= )?", "", p_text(p))

# "NDCG@10: trees - bm25 = 0.0750, 95 % interval [0.0008, 0.1492], p = .0478, d_z = 0.47".
pair_text <- function(x, i) {
  row <- x$pairs[i, ]
  ends <- shown_ends(row, x$settings)
  paste0(metric_labels(row$metric), ": ", row$a, " - ", row$b, sprintf(" = %.4f", row$difference),
         if (!is.na(ends$lower)) {
           sprintf(", %s %% interval [%.4f, %.4f]", plain_number(100 * (1 - x$settings$level)), ends$lower,
                   ends$upper)
         }, ", ", p_text(decisive_p(x)[i]), if (!is.na(row$effect)) sprintf(", d_z = %.2f", row$effect))
}

# Metrics that Fuhr advises against.
disputed_metrics <- "^(m?rr|n?err|map|ap|average_precision|reciprocal_rank|recip_rank)([@(_].*)?$"

# The checklist ------------------------------------------------------------------------------

#' @rdname methods_sentence
#' @export
reporting_checklist <- function(x) {
  check_given(missing(x), "x", "Give a comparison, made by `compare_rankers()`.")
  check_class(x, "x", "rankmix_comparison", "`compare_rankers()`")
  rows <- c(test_items(x), result_items(x), design_items(x))
  table <- do.call(rbind, lapply(rows, function(row) list2DF(as.list(row))))
  stats::setNames(table, c("item", "source", "status", "report"))
}

checklist_item <- function(item, source, status, report) c(item, source, status, report)

sakai <- "Sakai 2014, 2016"
fuhr <- "Fuhr 2017"

test_items <- function(x) {
  size <- family_size(x)
  metrics <- length(x$values)
  list(
    checklist_item("name of the test", sakai, "done", test_text(x)),
    checklist_item("paired or not", sakai, "done", "paired: all rankers on the same queries"),
    checklist_item("sidedness", sakai, "done", side_text(x)),
    checklist_item("significance level", sakai, "done", sprintf("alpha = %s", level_text(x$settings$level))),
    checklist_item("number of topics", sakai, "done", queries_text(x)),
    checklist_item("adjustment for several pairs", paste(sakai, fuhr, sep = "; "),
                   if (size == 1L) "not applicable" else {
                     if (x$settings$adjust == "none") "not done" else "done"
                   }, if (size > 1L && x$settings$adjust == "none") {
                     sprintf("%d pairs were tested without an adjustment; set `adjust`", size)
                   } else {
                     family_text(x)
                   }),
    checklist_item("adjustment for several metrics", fuhr,
                   if (metrics == 1L) "not applicable" else "not done",
                   if (metrics == 1L) "one metric" else {
                     sprintf("%d metrics were tested, each for itself; name the main metric", metrics)
                   })
  )
}

result_items <- function(x) {
  pairs <- x$pairs
  effect <- abs(pairs$effect)
  p <- decisive_p(x)
  list(
    statistic_item(x),
    checklist_item("mean of each ranker", sakai, "done",
                   sprintf("from %.4f to %.4f, see `summary()`", min(x$rankers$mean), max(x$rankers$mean))),
    checklist_item("p-values, not only stars", sakai, "done",
                   sprintf("%s, from %s to %s, see `tidy()`", counted(length(p), "p-value"),
                           bare_p(min(p, na.rm = TRUE)), bare_p(max(p, na.rm = TRUE)))),
    checklist_item("effect sizes", paste(sakai, fuhr, sep = "; "),
                   if (all(is.na(effect))) "not done" else "done",
                   if (all(is.na(effect))) "undefined for all pairs" else {
                     sprintf("Cohen's d_z, |d_z| from %.2f to %.2f", min(effect, na.rm = TRUE),
                             max(effect, na.rm = TRUE))
                   }),
    checklist_item("confidence intervals of differences", sakai,
                   if (all(is.na(shown_ends(pairs, x$settings)$lower))) "not done" else "done",
                   interval_text(x)),
    checklist_item("differences, not relative improvements of means", fuhr, "done",
                   sprintf("differences of means, from %+.4f to %+.4f", min(pairs$difference),
                           max(pairs$difference)))
  )
}

statistic_item <- function(x) {
  adjust <- adjustment_of(x)
  t <- x$pairs$difference / x$pairs$se
  t <- t[is.finite(t)]
  if (adjust %in% c("maxt", "tukey") || x$settings$test == "randomization") {
    checklist_item("test statistic", sakai, "done",
                   "the mean difference and its standard error, see `tidy()`")
  } else if (x$settings$test == "t" && length(t) > 0L) {
    checklist_item("test statistic", sakai, "done",
                   sprintf("t = difference / se, from %.3f to %.3f", min(t), max(t)))
  } else {
    checklist_item("test statistic", sakai, "not done", if (x$settings$test == "t") "t is undefined" else {
      "the sum of ranks is not part of the comparison"
    })
  }
}

design_items <- function(x) {
  metrics <- names(x$values)
  disputed <- metrics[grepl(disputed_metrics, ascii_lower(metrics))]
  folds <- x$pairs$folds[1L]
  se <- x$rankers$se[!is.na(x$rankers$se)]
  list(
    checklist_item("neither reciprocal rank, ERR nor MAP", fuhr,
                   if (length(disputed) > 0L) "not done" else "done",
                   if (length(disputed) == 0L) "no such metric" else {
                     sprintf("%s; disputed by Sakai (2020)", join_words(metric_labels(disputed)))
                   }),
    checklist_item("no more digits than the precision allows", fuhr, "not shown",
                   if (length(se) == 0L) "standard errors are undefined" else {
                     sprintf("standard errors of the means are from %.4f to %.4f", min(se), max(se))
                   }),
    checklist_item("cross-validation instead of one split", fuhr, if (folds > 1L) "done" else "not shown",
                   if (folds > 1L) sprintf("%d folds", folds) else {
                     "one set of test queries; say how trained rankers were split"
                   }),
    checklist_item("number of topics planned by power", sakai, "not shown",
                   "state the difference that the number of queries can find"),
    checklist_item("hypotheses stated before the experiment", fuhr, "not shown",
                   "state the hypotheses and the main metric first"),
    checklist_item("adjustment for earlier tests on the same queries", fuhr, "not shown",
                   "count the tests that were published on the same collection"),
    checklist_item("reproducibility", fuhr, "done",
                   paste0(software_text(x), ", R ", getRversion(), "; data and code are for you to share")),
    checklist_item("no claim of proof", fuhr, "not shown",
                   "say that the results support a hypothesis; a large p-value shows no equality")
  )
}
