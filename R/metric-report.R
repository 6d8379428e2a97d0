#' Every ranker by the rules of every tool
#'
#' Computes one metric of several rankers under all [conventions], and says which
#' rankers change places.
#'
#' @param scores Scores of two or more rankers, or rankers, as for [evaluate()]; one
#'   ranker works too.
#' @param data Judged data, made by [ranking_data()] or [read_letor()].
#' @param metric A metric such as `metric_ndcg(10)`, or its text.
#' @param conventions Names of conventions.
#' @param threads Number of threads; results do not depend on it.
#'
#' @details A mean that differs from the next higher one by less than 1e-12 shares its
#'   rank. A tool without the
#'   metric, that does not know a grade of the data, or that breaks ties by
#'   document ids that the data lack is listed with the reason.
#'
#' @return A value of class `rankmix_convention_report` with the data frames
#'   `table` (one row per ranker and convention: `convention`, `ranker`, `mean`,
#'   `rank`, `queries`), `left_out` (`convention`, `reason`) and `swaps` (one row
#'   per pair of rankers that changes places: `ranker`, `other`, and the
#'   conventions by which the one or the other is `ahead` or `behind`, as text).
#'   `print()` shows means and ranks side by side, `autoplot()` draws them.
#' @section Conditions: `rankmix_error_convention`: an unknown convention, or none
#'   that applies.
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
  check_ranking_data(data)
  metric <- read_metric(metric)
  if (!is.null(metric$convention)) {
    stop_input("argument", "`metric` has a convention already.",
               remedy = "Leave it out of the metric; the report takes all.")
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

# The first line of the message: what is wrong, without places and remedies.
reason_of <- function(condition) {
  sub("\n.*", "", conditionMessage(condition))
}

# The metric by the rules of a tool, or the condition that says why there is none.
metric_by <- function(convention, metric, columns, judged) {
  metric <- settle_metric(with_convention(metric, convention), judged$relevance)
  metric_spec(metric, judged$relevance, max(diff(judged$offsets)))
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

# 1 for the highest mean; means share a rank with the next higher one where they
# differ by less than 1e-12.
rank_means <- function(means) {
  sorted <- order(-means)
  ordered <- means[sorted]
  new <- c(TRUE, diff(ordered) <= -1e-12)
  ranks <- means
  ranks[sorted] <- cummax(ifelse(new | is.na(new), seq_along(ordered), 0L))
  ranks[is.na(means)] <- NA
  ranks
}

# Pairs of rankers whose order is not the same by all conventions.
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
  say(sprintf("<convention_report> %s: %d rankers by %d conventions, mean (rank)",
              format(x$metric), length(rankers), length(conventions)))
  cells <- ifelse(is.na(table$mean), "-",
                  sprintf("%.4f (%s)", table$mean, table$rank))
  wide <- t(matrix(cells, length(rankers)))
  dimnames(wide) <- list(conventions, rankers)
  print(wide, quote = FALSE, right = TRUE)
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
    say("No two rankers change places.")
    return(invisible())
  }
  say(sprintf("Rankers that change places: %d of %d pairs", nrow(swaps),
              choose(rankers, 2L)))
  for (i in seq_len(min(nrow(swaps), 8L))) {
    say(sprintf("  %s ahead of %s by %s; behind by %s", swaps$ranker[i],
                swaps$other[i], swaps$ahead[i], swaps$behind[i]))
  }
  if (nrow(swaps) > 8L) {
    say(sprintf("  ... and %d more, see `$swaps`", nrow(swaps) - 8L))
  }
}
