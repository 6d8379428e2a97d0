#' Cut rankings at a threshold, with a guarantee
#'
#' Chooses a threshold below which documents are not shown, so that the mean precision, recall or NDCG of new queries
#' is at least a given value. Use it if a list must be short, or if bad documents must not be shown. The guarantee
#' holds for any ranker and any distribution, with a finite number of validation queries. An empty list counts as
#' precision 1.
#'
#' @param model The ranker: anything that [evaluate()] accepts for one ranker. With scores or probabilities in the
#'   row order of `data`, [predict()] needs the scores of the new documents.
#' @param data The judged validation queries, made by [ranking_data()]. The ranker must be neither trained nor
#'   calibrated on them. New queries must come from the same distribution.
#' @param risk The requirement: `"precision >= 0.9"` (the default), `"recall >= 0.8"` or `"ndcg >= 0.6"`, with any
#'   number between 0 and 1. For NDCG, choose a number that complete lists exceed.
#' @param level The confidence level, default 0.95: the requirement holds for the mean of new queries with this
#'   probability. `NULL` guarantees the requirement only on average over validation samples. This is a weaker
#'   guarantee. For recall and NDCG, `NULL` gives shorter lists. For precision, `NULL` is rarely useful (see Details).
#' @param by The scale of the threshold: `"score"` (the default), `"probability"` of relevance, or `"rank"`. Use
#'   `"rank"` if scores of different queries cannot be compared. Then each query keeps the same number of documents.
#' @param relevant The lowest relevance that counts as relevant; default 1. NDCG uses it only for
#'   `by = "probability"`.
#' @param digits The number of digits of the threshold, 1 to 6, default 3: significant digits of a score, decimals of
#'   a probability. Use more digits if all scores begin alike. Choose the number before you see the scores.
#' @param threads Number of threads. Results do not depend on it.
#' @param object,x A cut, made by `cut_list()`.
#' @param newdata The documents, as for [predict()]. For `by = "rank"` [ranking_data()].
#' @param scores The scores (or probabilities) of `newdata`, if `model` was a vector of scores.
#' @param ... Must be empty.
#'
#' @return A value of class `rankmix_cut` with `threshold` and other fields. `predict()` returns `TRUE` for each
#'   document that is kept, else `FALSE`: a logical vector in the row order of `newdata`.
#'
#'   `tidy()` returns a data frame with a row for each threshold, in the order of the tests:
#'   * `threshold`: `Inf` keeps nothing, `-Inf` keeps everything. By rank it is the number of documents to keep, so 0
#'     keeps nothing and `Inf` keeps everything;
#'   * `estimate`: the mean precision, recall or NDCG on the validation queries;
#'   * `estimate_not_empty`: the same over the queries that keep a document;
#'   * `kept`: the mean number of kept documents; `empty`: the fraction of queries that keep none;
#'   * `p_value`: the p-value. After the first p-value above 1 - `level`, it is `NA`. For `level = NULL`, `bound`: the
#'     bound of the expected loss;
#'   * `certified`: whether the guarantee covers this threshold.
#'
#'   `glance()` returns one row: the requirement, the threshold, its row of `tidy()`, and the number of queries.
#'   [autoplot.rankmix_cut()] draws the estimate and the number of documents against the threshold.
#' @examples
#' data <- simulate_ranking(400, seed = 1)$data
#' fractions <- c(train = 0.2, valid = 0.75, new = 0.05)
#' parts <- split_parts(split_queries(data, fractions, seed = 1), data)
#' model <- fit(gbrt(trees = 50), parts$train, threads = 1, verbose = FALSE)
#' cut <- cut_list(model, parts$valid, "recall >= 0.8")
#' cut
#' table(kept = predict(cut, parts$new), relevant = parts$new$relevance > 0)
#'
#' # The same number of documents for all queries
#' cut_list(model, parts$valid, "recall >= 0.8", by = "rank")
#'
#' @details
#' **Losses.** With the set K of kept documents and the set R of relevant documents of a query, the loss is
#' \eqn{1 - |K \cap R| / |K|}{1 - |K and R| / |K|} for precision and
#' \eqn{1 - |K \cap R| / |R|}{1 - |K and R| / |R|} for recall. An empty list has the precision 1, because it has no
#' irrelevant document. `empty` is the fraction of queries with an empty list, and `estimate_not_empty` the precision
#' of the others.
#' The guarantee is for the mean precision that includes empty lists. Queries without a relevant document are left out
#' for recall. So the guarantee for recall is for new queries with a relevant document. The risk is the mean loss of
#' new queries, and \eqn{\alpha}{alpha} is 1 minus the required value.
#'
#' **NDCG.** The loss is 1 minus the NDCG of the kept documents, without a cut-off. The gains are as in [metric_ndcg()].
#' The ideal DCG is of all documents of the query. Kept documents are ranked by the scale of the threshold, and the DCG
#' of ties is the mean over their orders. A document at the end of a list adds to the DCG and moves no other document.
#' So NDCG never falls when a list grows. Complete lists have a loss, too, so they are tested as well. If complete lists
#' do not reach the value, no threshold is certified. Queries without a relevant document are left out.
#'
#' **With a level** (learn then test). \eqn{P(\mathrm{risk} \le \alpha) \ge}{P(risk <= alpha) >=} `level`, over
#' validation samples. For one threshold after another, the hypothesis that the risk exceeds \eqn{\alpha}{alpha} is
#' tested. The tests begin with high thresholds for precision, and with low thresholds for recall and NDCG. The first
#' p-value above 1 - `level` ends the tests. The last threshold before this p-value is chosen. This order needs no
#' adjustment for the number of thresholds, and losses need not be monotone. The p-value of the losses \eqn{L_i}{L_i} is
#' by betting: \deqn{p = 1 / \max_t \prod_{i \le t} (1 + \lambda_i (\alpha - L_i)),}{p = 1 / max_t
#' prod_(i <= t) (1 + lambda_i (alpha - L_i)),} where the bet \eqn{\lambda_i}{lambda_i} depends on earlier losses.
#' Queries are tested in a
#' pseudo-random order that depends only on their ids. All decimal numbers with `digits` digits are thresholds, so
#' their choice does not depend on the data.
#'
#' **Without a level** (conformal risk control). \eqn{E(\mathrm{loss\ of\ a\ new\ query}) \le \alpha}{E(loss of a new
#' query) <= alpha}, on average over validation samples and new queries. The chosen threshold is the last threshold with
#' \deqn{(\sum_i L^*_i + 1) / (n + 1) \le \alpha.}{(sum_i L*_i + 1) / (n + 1) <= alpha.} \eqn{L^*_i}{L*_i} is the
#' largest loss of the query at this threshold or at an earlier one. Recall and NDCG are monotone, so \eqn{L^*_i =
#' L_i}{L*_i = L_i}. For NDCG, the bound counts validation samples without a certified threshold as samples without
#' loss. For precision, the loss of an irrelevant document at the top remains in \eqn{L^*_i}{L*_i} for all longer lists.
#' So the bound is conservative, and `level = 0.95` may keep more documents.
#'
#' **Which scale.** Scores of rankers that compare documents within a query may mean different things in different
#' queries. The guarantee holds on every scale, but on a suitable scale more relevant documents are kept. Compare scales
#' on other data than `data`.
#'
#' **Ties and undefined cases.** Documents with equal scores are kept or cut together. By rank, a group of tied
#' documents is kept if all of them fit. If no threshold is certified, the cut keeps nothing for precision and
#' everything for recall and NDCG, with a warning. Weights of documents are not used.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: a requirement that cannot be read; a level, scale or number out of range.
#' * `rankmix_error_weights`: queries of different weights. The guarantee needs queries that count equally.
#' * `rankmix_error_grade`: recall or NDCG, and no query has a relevant document; NDCG, and relevance below 0.
#' * `rankmix_error_scores`: scores that are missing or infinite. `rankmix_error_probability`: numbers below 0 or
#'   above 1. `rankmix_error_calibration`: a ranker without probabilities, and `by = "probability"`.
#' * `rankmix_warning_uncertified`: no threshold is certified.
#' @section Cost: O(n T) for n queries and T thresholds.
#' @references Angelopoulos, Bates, Candes, Jordan and Lei (2021), Learn then test, *arXiv* 2110.01052. Angelopoulos,
#'   Bates, Fisch, Lei and Schuster (2024), Conformal risk control, *ICLR*. Waudby-Smith and Ramdas (2024),
#'   \doi{10.1093/jrsssb/qkad009}.
#' @seealso [calibrate()] for probabilities.
#' @export
cut_list <- function(model, data, risk = "precision >= 0.9", level = 0.95, by = c("score", "probability", "rank"),
                     relevant = 1, digits = 3, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(model), "model", "Give a ranker, or scores in the row order of `data`.")
  check_given(missing(data), "data")
  risk <- check_risk(risk)
  if (!is.null(level)) check_confidence(level)
  by <- check_first_choice(by, "by", c("score", "probability", "rank"))
  check_number(relevant, "relevant", -Inf, Inf)
  check_count(digits, "digits", max = 6)
  threads <- check_threads(threads)
  check_ranking_data(data, binned = TRUE)
  check_equal_weights(data)
  call <- rlang::current_env()
  marked <- is_relevant(data, relevant, call)
  values <- cut_values(model, data, by, relevant, threads, call)
  position <- positions_of_values(values, model, data, by, digits, call)
  gain <- if (risk$name == "ndcg") ndcg_parts(values, data, call)
  parts <- cut_parts(position, data, if (is.null(gain)) marked else gain > 0, risk, call, gain)
  path <- cut_path(parts, risk, level)
  chosen <- max(1L, which(path$certified))
  cut <- structure(list(model = if (!is.atomic(model)) model, risk = risk, level = level, by = by, relevant = relevant,
                        digits = digits, position = path$position[chosen], path = shown_path(path, by, level),
                        chosen = chosen, certified = chosen > 1L, queries = max(parts$query),
                        left_out = length(data$query_ids) - max(parts$query),
                        documents = length(parts$query) / max(parts$query)),
                   class = "rankmix_cut")
  cut$threshold <- cut$path$threshold[chosen]
  warn_uncertified(cut)
  cut
}

# Parses a risk such as "precision >= 0.9".
check_risk <- function(risk, call = rlang::caller_env()) {
  pattern <- "^\\s*(precision|recall|ndcg)\\s*>=\\s*([0-9]*\\.?[0-9]+)\\s*$"
  bound <- if (is.character(risk) && length(risk) == 1L && grepl(pattern, risk)) {
    as.numeric(sub(pattern, "\\2", risk))
  }
  if (is.null(bound) || bound <= 0 || bound >= 1) {
    stop_input("argument", sprintf("`risk` must be a requirement, not %s.", show_value(risk)),
               if (!is.null(bound)) "The number must be above 0 and below 1.",
               "For example \"precision >= 0.9\", \"recall >= 0.8\" or \"ndcg >= 0.6\".", call = call)
  }
  list(name = sub(pattern, "\\1", risk), bound = bound, alpha = signif(1 - bound, 12))
}

check_equal_weights <- function(data, call = rlang::caller_env()) {
  if (length(unique(data$weight)) > 1L) {
    stop_input("weights", "The queries must have equal weights.",
               "The guarantee is for the mean of new queries, of which the validation queries are a sample.",
               "Make the data without `weight`.", call = call)
  }
}

# The documents of the queries that count. The order of queries depends only on their ids.
cut_parts <- function(position, data, relevant, risk, call, gain = NULL) {
  count <- length(data$query_ids)
  used <- if (risk$name == "precision") rep(TRUE, count) else tabulate(data$query[relevant], count) > 0L
  if (!any(used)) {
    stop_input("grade", "No query of `data` has a relevant document.",
               remedy = if (risk$name == "ndcg") "NDCG needs them." else {
                 "Recall needs them. Set the lowest relevant value by `relevant`."
               }, call = call)
  }
  ids <- which(used)
  ids <- ids[order(id_text(data$query_ids[ids]), method = "radix")]
  ids <- ids[with_seed(1, sample.int(length(ids)))]
  rows <- used[data$query]
  parts <- list(position = position[rows], query = match(data$query[rows], ids), relevant = relevant[rows])
  if (is.null(gain)) {
    return(parts)
  }
  # Sums of gains in this order are invariant to row order.
  parts$gain <- gain[rows]
  lapply(parts, `[`, order(parts$query, parts$position, parts$gain))
}

shown_path <- function(path, by, level) {
  names(path)[names(path) == "test"] <- if (is.null(level)) "bound" else "p_value"
  names(path)[1L] <- "threshold"
  if (by == "rank") path$threshold <- pmax(-path$threshold, 0)
  path
}

warn_uncertified <- function(cut) {
  if (cut$certified) {
    return(invisible())
  }
  least <- min_queries(cut$risk$alpha, cut$level)
  warn_input("uncertified", sprintf("No threshold is certified for %s.", risk_text(cut$risk)),
             c(if (cut$queries < least) {
               sprintf("There are %s. Even without any loss, %s would be needed.",
                       counted(cut$queries, "query", "queries"), format_count(least))
             }, if (cut$risk$name == "ndcg") {
               sprintf("Complete lists have a mean NDCG of %.3f on the validation queries.", cut$path$estimate[1L])
             }, sprintf("The cut keeps %s.", if (cut$risk$name == "precision") "nothing" else "everything")),
             "Use more validation queries, or require less.")
}

risk_text <- function(risk) sprintf("%s >= %s", risk$name, plain_number(risk$bound))
