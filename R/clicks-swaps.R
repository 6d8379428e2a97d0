#' Examination from documents shown at several positions
#'
#' Estimates the examination of each position relative to position 1, from the click rates of the same documents at
#' different positions. Use it if documents were swapped at random, or if several rankers were in use.
#'
#' @param log The click log, made by [click_log()].
#' @param how `"pivot"`, the default, compares each position with position 1. Use it after random swaps with
#'   position 1. `"adjacent"` compares neighbouring positions, and multiplies their ratios. Use it after
#'   random swaps of neighbours.
#' @param level The confidence level; default 0.95.
#' @param ... Must be empty.
#'
#' @details
#' **Formula.** A document d was shown \eqn{n_{dk}}{n_dk} times at position k and clicked
#' \eqn{c_{dk}}{c_dk} times. The examination of position k relative to j is estimated by the ratio of Mantel
#' and Haenszel: \deqn{\frac{\sum_d c_{dk} n_{dj} / (n_{dk} + n_{dj})}{\sum_d c_{dj} n_{dk} / (n_{dk} +
#' n_{dj})}.}{ sum_d c_dk n_dj / (n_dk + n_dj) / sum_d c_dj n_dk / (n_dk + n_dj).} It needs no model of
#' attraction. The estimate is consistent if a document is equally attractive to the users at both positions. Random
#' swaps guarantee this. For other logs, it is an assumption.
#'
#' **Standard errors.** The ratio is linearised on the log scale, and documents of one query are a cluster.
#' Intervals use Student's t on the log scale. The variance and the degrees of freedom are as in [evaluate_clicks()],
#' with the fraction of a query in both sums.
#' @return A data frame: `position`, `estimate`, `se`, `lower`, `upper`, and the number of `documents` that
#'   are compared. Position 1 has the estimate 1.
#'
#'   Undefined cases: an estimate is `NA` if no document links the positions, or if one of them has no clicks
#'   to compare. `se` is `NA` with one query. There is no interval with fewer than two effective queries, or if the
#'   ratio is the same for all queries.
#' @section Conditions: `rankmix_error_argument`: an invalid argument. `rankmix_warning_identification`: a
#'   position without an estimate.
#' @references Joachims, Swaminathan and Schnabel (2017), \doi{10.1145/3018661.3018699}. Agarwal, Zaitsev,
#'   Wang, Li, Najork and Joachims (2019), \doi{10.1145/3289600.3291017}. Mantel and Haenszel (1959).
#' @seealso [click_model()], which also uses documents that were shown once.
#' @examples
#' judged <- simulate_ranking(50, seed = 1)$data
#' # Random orders: every document is shown at every position.
#' log <- simulate_clicks(judged, sessions = 100, depth = 4, seed = 2, output = "log")
#' examination_from_swaps(log)
#' @export
examination_from_swaps <- function(log, how = c("pivot", "adjacent"), level = 0.95, ...) {
  check_no_others(...)
  check_given(missing(log), "log", "Make it by `click_log()`.")
  check_click_log(log)
  how <- check_first_choice(how, "how", c("pivot", "adjacent"))
  check_confidence(level)
  counts <- pair_counts(log)
  queries <- length(unique(log$pairs$query))
  total <- list(log_ratio = 0, influence = numeric(queries), share = numeric(queries))
  rows <- lapply(seq_len(log$depth)[-1L], function(k) {
    found <- position_ratio(counts, k, if (how == "pivot") 1L else k - 1L, queries)
    if (how == "adjacent") {
      total <<- Map(`+`, total, found[names(total)])
      found[names(total)] <- total
    }
    data.frame(position = k, position_interval(found, level), documents = found$documents)
  })
  first <- data.frame(position = 1L, estimate = 1, se = 0, lower = 1, upper = 1, documents = NA_integer_)
  table <- do.call(rbind, c(list(first), rows))
  warn_unlinked(table)
  table
}

# Counts of the pairs at each position: `pair`, `position`, `query`, `shown` and `clicked`.
pair_counts <- function(log) {
  position <- log_positions(log)
  code <- log$pair * as.double(log$depth) + position
  sums <- rowsum(cbind(1, log$clicked), code, reorder = FALSE)
  code <- as.double(rownames(sums))
  pair <- as.integer((code - 1) %/% log$depth) + 1L
  query <- match(log$pairs$query, unique(log$pairs$query))
  list(pair = pair, position = as.integer(code - (pair - 1) * log$depth), query = query[pair],
       shown = sums[, 1L], clicked = sums[, 2L])
}

# The log ratio of two positions, its influence by query, and the share of each query in both sums.
position_ratio <- function(counts, k, j, queries) {
  at_k <- which(counts$position == k)
  at_j <- which(counts$position == j)
  both <- match(counts$pair[at_k], counts$pair[at_j])
  at_k <- at_k[!is.na(both)]
  at_j <- at_j[both[!is.na(both)]]
  n_k <- counts$shown[at_k]
  n_j <- counts$shown[at_j]
  top <- counts$clicked[at_k] * n_j / (n_k + n_j)
  bottom <- counts$clicked[at_j] * n_k / (n_k + n_j)
  if (length(at_k) == 0L || sum(top) == 0 || sum(bottom) == 0) {
    none <- rep(NA_real_, queries)
    return(list(log_ratio = NA_real_, influence = none, share = none, documents = length(at_k)))
  }
  by_query <- function(x) tabulate_sums(counts$query[at_k], x, queries) / sum(x)
  list(log_ratio = log(sum(top) / sum(bottom)), influence = by_query(top) - by_query(bottom),
       share = by_query(top) + by_query(bottom), documents = length(at_k))
}

position_interval <- function(found, level) {
  scale <- mean_interval(found$log_ratio, found$influence, found$share / sum(found$share), level)
  estimate <- exp(found$log_ratio)
  data.frame(estimate = estimate, se = estimate * scale$se, lower = exp(scale$lower),
             upper = exp(scale$upper))
}

warn_unlinked <- function(table) {
  apart <- table$position[is.na(table$estimate)]
  if (length(apart) > 0L) {
    warn_input("identification",
               sprintf("Examination has no estimate for the %s %s.",
                       if (length(apart) == 1L) "position" else "positions", enumerate(apart)),
               "There are no clicked documents that were shown at both positions.",
               "Try the other `how`, or fit `click_model()`.")
  }
}
