#' Compare rankers under the rules of every tool
#'
#' Computes one metric of several rankers under all [conventions], and reports which rankers swap
#' ranks. Use it to see whether a comparison depends on the evaluation tool.
#'
#' @param scores The scores of one or more rankers, or the rankers, as in [evaluate()].
#' @param data The judged data, made by [ranking_data()] or [read_letor()].
#' @param metric The metric, such as `metric_ndcg(10)` (the default), or its text.
#' @param conventions The names of the conventions; default all.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @details Rankers whose means differ by less than 1e-12 from the next higher mean share its rank. The
#'   report lists, with the reason, each tool that lacks the metric, does not support a grade of the
#'   data, or breaks ties by document ids that the data lack.
#'
#' @return A value of class `rankmix_convention_report` with three data frames:
#'   * `table`: one row per ranker and convention, with `convention`, `ranker`, `mean`, `rank`, `queries`;
#'   * `left_out`: `convention` and `reason`;
#'   * `swaps`: one row per pair of rankers that swap ranks, with `ranker`, `other`, and the
#'     conventions under which the first is `ahead` or `behind`, as text.
#'
#'   `print()` shows means and ranks side by side, `autoplot()` plots them.
#' @section Conditions: `rankmix_error_convention`: an unknown convention, or no convention applies.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' report <- convention_report(as.data.frame(data$x[, 1:3]), data, metric_ndcg(10))
#' report
#' @export
convention_report <- function(scores, data, metric = metric_ndcg(10),
                              conventions = names(convention_table),
                              threads = NULL) {
  check_all_given()
  threads <- check_threads(threads)
  check_ranking_data(data, binned = TRUE)
  metric <- read_metric(metric)
  if (!is.null(metric$convention)) {
    stop_input("argument", "`metric` has a convention already.",
               remedy = "Leave the convention out of the metric, and set `conventions`.")
  }
  check_known_conventions(conventions)
  columns <- score_columns(scores, data, threads)
  if (!is.list(columns)) {
    columns <- list(scores = columns)
  }
  judged <- judged_documents(data)
  metrics <- lapply(stats::setNames(conventions, conventions), function(convention) {
    tryCatch(metric_by(convention, metric, columns, judged),
             rankmix_error_convention = reason_of, rankmix_error_grade = reason_of,
             rankmix_error_document = reason_of)
  })
  failed <- vapply(metrics, is.character, logical(1))
  if (all(failed)) {
    stop_input("convention",
               sprintf("No convention applies to %s of these data.", format(metric)),
               unique(unlist(metrics)))
  }
  table <- convention_means(metrics[!failed], columns, judged, threads)
  structure(
    list(metric = metric, table = table,
         left_out = data.frame(convention = conventions[failed],
                               reason = as.character(unlist(metrics[failed]))),
         swaps = swapped_pairs(table)),
    class = "rankmix_convention_report"
  )
}

check_known_conventions <- function(conventions, call = rlang::caller_env()) {
  if (!is.character(conventions) || length(conventions) == 0L ||
        anyDuplicated(conventions)) {
    stop_input("argument",
               sprintf("`conventions` must be different names, not %s.",
                       show_value(conventions)),
               call = call)
  }
  for (convention in conventions) {
    find_convention(convention, call)
  }
}

# The first line of the message: the problem, without locations and remedies.
reason_of <- function(condition) {
  sub("\n.*", "", conditionMessage(condition))
}

# The metric with the rules of a tool, or the condition with the reason why it does not apply.
metric_by <- function(convention, metric, columns, judged) {
  metric <- settle_metric(with_convention(metric, convention), judged$relevance)
  metric_spec(metric, judged$relevance, max(diff(judged$offsets)), query = judged$query)
  check_document_ties(list(ranking_rule(metric)), columns, judged, NULL)
  metric
}

# One row per ranker and convention; all metrics in one pass.
convention_means <- function(metrics, columns, judged, threads) {
  values <- metric_matrix(metrics, columns, judged, threads)
  means <- matrix(query_means(values, as.double(scaled_weights(judged$weight))),
                  length(columns))
  counted <- if (is.null(judged$weight)) TRUE else judged$weight > 0
  data.frame(convention = rep(names(metrics), each = length(columns)),
             ranker = rep(names(columns), times = length(metrics)),
             mean = as.vector(means),
             rank = as.vector(apply(means, 2L, rank_means)),
             queries = colSums(!is.nan(values) & counted))
}

# Rank 1 is the highest mean. A mean that is less than 1e-12 below the next higher one shares its
# rank.
rank_means <- function(means) {
  sorted <- order(-means)
  ordered <- means[sorted]
  new <- c(TRUE, diff(ordered) <= -1e-12)
  ranks <- means
  ranks[sorted] <- cummax(ifelse(new | is.na(new), seq_along(ordered), 0L))
  ranks[is.na(means)] <- NA
  ranks
}

# Pairs of rankers whose order differs between conventions.
swapped_pairs <- function(table) {
  rankers <- unique(table$ranker)
  conventions <- unique(table$convention)
  rank <- matrix(table$rank, length(rankers))
  pairs <- which(upper.tri(diag(length(rankers))), arr.ind = TRUE)
  rows <- lapply(seq_len(nrow(pairs)), function(p) {
    difference <- rank[pairs[p, 1L], ] - rank[pairs[p, 2L], ]
    ahead <- which(difference < 0)
    behind <- which(difference > 0)
    if (length(ahead) > 0L && length(behind) > 0L) {
      data.frame(ranker = rankers[pairs[p, 1L]], other = rankers[pairs[p, 2L]],
                 ahead = paste(conventions[ahead], collapse = ", "),
                 behind = paste(conventions[behind], collapse = ", "))
    }
  })
  swaps <- do.call(rbind, rows)
  if (is.null(swaps)) {
    swaps <- data.frame(ranker = character(), other = character(),
                        ahead = character(), behind = character())
  }
  swaps
}

#' @export
print.rankmix_convention_report <- function(x, ...) {
  table <- x$table
  rankers <- unique(table$ranker)
  conventions <- unique(table$convention)
  say(sprintf("<convention_report> %s: %s by %s, mean (rank)",
              format(x$metric), counted(length(rankers), "ranker"), counted(length(conventions), "convention")))
  cells <- ifelse(is.na(table$mean), "-",
                  sprintf("%.4f (%s)", table$mean, table$rank))
  wide <- t(matrix(cells, length(rankers)))
  dimnames(wide) <- list(conventions, rankers)
  with_points(print(wide, quote = FALSE, right = TRUE))
  for (i in seq_len(nrow(x$left_out))) {
    say(sprintf("%s left out: %s", x$left_out$convention[i],
                x$left_out$reason[i]))
  }
  print_swaps(x$swaps, length(rankers))
  invisible(x)
}

print_swaps <- function(swaps, rankers) {
  if (rankers < 2L) {
    return(invisible())
  }
  if (nrow(swaps) == 0L) {
    say("No two rankers swap ranks.")
    return(invisible())
  }
  say(sprintf("Rankers that swap ranks: %d of %d pairs", nrow(swaps),
              choose(rankers, 2L)))
  for (i in seq_len(min(nrow(swaps), 8L))) {
    say(sprintf("  %s ahead of %s by %s; behind by %s", swaps$ranker[i],
                swaps$other[i], swaps$ahead[i], swaps$behind[i]))
  }
  if (nrow(swaps) > 8L) {
    say(sprintf("  ... and %d more, see `$swaps`", nrow(swaps) - 8L))
  }
}
