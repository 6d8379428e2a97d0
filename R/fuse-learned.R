# Fusion methods that learn the value of each ranker's ranks from judgements.

#' Methods of fusion that learn
#'
#' These methods learn on judged queries how often documents at each rank of a ranker are relevant. Fusion
#' adds these values. `fit()` learns, and `predict()` or [fuse()] fuses other queries. `fuse(folds = )` does
#' both by cross-fitting: a query is fused by values that were learned from other queries.
#'
#' @param segments Number of segments of about equal length into which each list is cut; default 25.
#' @param window Number of ranks on each side that are averaged; default 5. Larger values smooth more.
#' @param bands The last ranks of the bands, increasing; default 5, 10, 15, 20, 30, 100, 200, 500 and 1000. A
#'   further band has all later ranks.
#' @param relevant The smallest grade that is relevant; default 1. Unjudged documents are not relevant.
#' @param object The method, such as `fuse_prob()`, for `fit()`; the learned method for `predict()`.
#' @param x The learned method.
#' @param runs,data The data to learn from: runs and judgements, or scores and judged ranking data. For
#'   `predict()` runs, or scores and ranking data, see [fuse()]. Rankers are identified by name.
#' @param ties,weights,threads As in [fuse()].
#' @param ... Must be empty.
#'
#' @return The constructors: a value of class `rankmix_fusion`. `fit()`: a value of class
#'   `rankmix_fusion_model`, for `predict()` and [fuse()], which return the same as [fuse()].
#'   `tidy()`: a data frame with the columns `ranker`, `from`, `to` and `value`. `from` and `to` are ranks,
#'   for `fuse_prob()` segments. The ranks are `NA` for a document that is not retrieved. `value` is MAP for
#'   `fuse_map()`, and P for `fuse_prob()` and `fuse_seg()`.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' scores <- function(data) data.frame(a = data$x[, 1], b = data$x[, 2], c = data$x[, 4])
#' model <- fit(fuse_slide(), scores(valid), valid, threads = 1)
#' model
#' summary(evaluate(predict(model, scores(test), test, threads = 1), test, metric_ndcg(10)))
#' # On one set of judged queries
#' fused <- fuse(scores(test), test, "slide", folds = 5, seed = 1, threads = 1)
#' summary(evaluate(fused, test, metric_ndcg(10)))
#'
#' @details
#' A document at rank p in the list of ranker r has the fused score
#' \eqn{\sum_r w_r v_r}{sum w v} over the rankers that retrieved it. The value v is
#'
#' * `fuse_map()`: \eqn{\mathrm{MAP}_r / p}{MAP / p}. MAP is the [metric_average_precision()] over the
#'   judged queries with relevant documents, 0 in queries that r lacks.
#' * `fuse_pos()`: P(relevant at rank p), the fraction of the lists with a rank p that have a
#'   relevant document there.
#' * `fuse_slide(window)`: the mean of these fractions over the ranks p - window to p + window that
#'   some list has.
#' * `fuse_prob(segments)`: P(relevant in segment k) / k, with \eqn{k = 1 + \lfloor (p - 1) x /
#'   n \rfloor}{k = 1 + floor((p - 1) x / n)} for x segments and a list of n documents. P is the mean
#'   over lists of the fraction of relevant documents in segment k.
#' * `fuse_seg()`: (1 + s) P(relevant in segment k), s the score normalized by `"min_max"`.
#'   Segments have 5, 15, 35, ..., \eqn{10 \cdot 2^{k-1} - 5}{10 * 2^(k-1) - 5} ranks, whatever
#'   the length of the list.
#' * `fuse_bayes(bands)`: the log of P(band of p if relevant) / P(band of p if not). Rankers
#'   that did not retrieve the document also count, with their own band.
#'
#' Ranks, segments and bands that occur in no list have the value 0. `fuse_bayes()` learns the values of a ranker from
#' the queries for which it has a list, and from the documents that any ranker retrieved for them: R relevant and I
#' others, of which \eqn{R_b} and \eqn{I_b} are in a band. With \eqn{\pi =
#' R / (R + I)}{q = R / (R + I)}, the ratio is \eqn{\frac{R_b + \pi}{I_b + 1 - \pi} \cdot \frac{I}{R}}{(R_b + q) /
#' (I_b + 1 - q) * I / R}. This adds one average document to each band, so an empty band has no effect.
#'
#' A tied document counts in equal parts at each rank that it shares. All judged queries with documents of some
#' ranker are used. Query weights are not supported.
#'
#' Known differences to ranx: its seg_fuse uses the sizes 5, 15, 35 as the ends of segments.
#' Its bayes_fuse uses log odds of relevance, and -6.9 for a document that is not retrieved. Its
#' prob_fuse cuts lists into segments of \eqn{\lceil n / x \rceil}{ceiling(n / x)} ranks. ranx leaves
#' cross-fitting to the user.
#'
#' @section Conditions:
#' * `rankmix_error_unjudged`: no judgements to learn from.
#' * `rankmix_error_grade`: no relevant document was retrieved. For `fuse_bayes()` also: no irrelevant document
#'   was retrieved.
#' * `rankmix_error_topics`: a ranker has no judged query; folds that leave no query to learn
#'   from, or lack a judged query.
#' * `rankmix_error_weight`: data with query weights.
#' * `rankmix_error_argument`: a value that is not allowed, a ranker that the method did not learn
#'   from, or a method that does not learn.
#' * the conditions of [fuse()].
#' @references Lillis, Toolan, Collier and Dunnion (2006), ProbFuse,
#'   \doi{10.1145/1148170.1148197}. Lillis, Toolan, Collier and Dunnion (2008), SlideFuse,
#'   \doi{10.1007/978-3-540-78646-7_33}. Lillis, Zhang, Toolan, Collier, Leonard and Dunnion
#'   (2010), PosFuse and MAPFuse, \doi{10.1145/1835449.1835508}. Shokouhi (2007), SegFuse,
#'   \doi{10.1007/978-3-540-71496-5_19}. Aslam and Montague (2001), Bayes-fuse,
#'   \doi{10.1145/383952.384007}.
#' @name learned_fusion
NULL

#' @rdname learned_fusion
#' @export
fuse_map <- function(relevant = 1) {
  check_count(relevant, "relevant", max = largest_grade)
  new_learned("map", relevant = relevant)
}

#' @rdname learned_fusion
#' @export
fuse_pos <- function(relevant = 1) {
  check_count(relevant, "relevant", max = largest_grade)
  new_learned("pos", relevant = relevant)
}

#' @rdname learned_fusion
#' @export
fuse_slide <- function(window = 5, relevant = 1) {
  check_count(window, "window", min = 0, max = 1e6)
  check_count(relevant, "relevant", max = largest_grade)
  new_learned("slide", window = window, relevant = relevant)
}

#' @rdname learned_fusion
#' @export
fuse_prob <- function(segments = 25, relevant = 1) {
  check_count(segments, "segments", max = 1e6)
  check_count(relevant, "relevant", max = largest_grade)
  new_learned("prob", segments = segments, relevant = relevant)
}

#' @rdname learned_fusion
#' @export
fuse_seg <- function(relevant = 1) {
  check_count(relevant, "relevant", max = largest_grade)
  new_learned("seg", relevant = relevant)
}

#' @rdname learned_fusion
#' @export
fuse_bayes <- function(bands = c(5, 10, 15, 20, 30, 100, 200, 500, 1000), relevant = 1) {
  good <- is_plain_number(bands) && length(bands) > 0L && all(is.finite(bands)) &&
    all(bands == round(bands)) && bands[1L] >= 1 && all(diff(bands) > 0)
  if (!good) {
    stop_input("argument",
               sprintf("`bands` must be whole numbers of 1 or more that increase, not %s.",
                       if (is_plain_number(bands)) setting_text(bands) else show_value(bands)))
  }
  check_count(relevant, "relevant", max = largest_grade)
  new_learned("bayes", bands = bands, relevant = relevant)
}

new_learned <- function(name, ...) {
  new_fusion(name, ..., class = "rankmix_learned_fusion")
}

#' @rdname learned_fusion
#' @export
fit.rankmix_learned_fusion <- function(object, runs, data, ties = "average", threads = NULL,
                                       ...) {
  check_no_others(...)
  check_given(missing(runs), "runs")
  check_given(missing(data), "data", "Give judgements of the runs, or the judged data.")
  threads <- check_threads(threads)
  check_choice(ties, "ties", c("average", "document"))
  lists <- fusion_lists(runs, data, threads)
  check_teaches(lists)
  learn_fusion(object, teaching_lists(lists, lists$judged), ties, threads)
}

#' @rdname learned_fusion
#' @export
fit.rankmix_fusion <- function(object, ...) {
  stop_input("argument", sprintf("`%s` learns nothing.", format(object)),
             remedy = sprintf("Write `fuse(runs, method = %s)`.", format(object)))
}

#' @rdname learned_fusion
#' @export
predict.rankmix_fusion_model <- function(object, runs, data = NULL, weights = NULL,
                                         threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(runs), "runs")
  threads <- check_threads(threads)
  refuse_judgements(object, data)
  lists <- fusion_lists(runs, data, threads)
  fused_by_model(object, lists, fusion_weights(weights, lists$rankers), threads)
}

#' @rdname learned_fusion
#' @export
print.rankmix_fusion_model <- function(x, ...) {
  say(sprintf("<fusion> %s of %s, learned from %s", format(x$method),
              counted(length(x$rankers), "ranker"), counted(x$queries, "query", "queries")))
  invisible(x)
}

#' @rdname learned_fusion
#' @export
tidy.rankmix_fusion_model <- function(x, ...) {
  rows <- Map(function(curve, ranker) {
    data.frame(ranker = rep(ranker, length(curve$value)), from = curve$from, to = curve$to,
               value = curve$value)
  }, x$curves, x$rankers)
  do.call(rbind, c(unname(rows), make.row.names = FALSE))
}

# Learning --------------------------------------------------------------------------------

check_teaches <- function(lists, call = rlang::caller_env()) {
  if (length(lists$judged) == 0L) {
    stop_input("unjudged", "There are no judgements to learn from.",
               remedy = if (lists$by == "data") {
                 "Give ranking data with grades."
               } else {
                 "Give judgements of these queries as `data`: `read_qrels()` or `as_qrels()`."
               }, call = call)
  }
  check_graded(lists, "A learned fusion", call)
  if (!is.null(lists$weight)) {
    stop_input("weight", "Methods of fusion do not support weights of queries.",
               remedy = "Leave them out of the data.", call = call)
  }
}

# The lists of some queries, sorted by query id, so that sums are invariant to row order.
teaching_lists <- function(lists, queries) {
  ids <- enc2utf8(id_text(lists$query_ids[queries]))
  take_lists(lists, queries[order(ids, method = "radix")])
}

# `lists` has judged queries only. A curve has the `value` of each range of ranks (or segments),
# from `from` to `to`.
learn_fusion <- function(method, lists, ties, threads, call = rlang::caller_env()) {
  relevant <- lists$relevance >= method$relevant
  retrieved <- rowSums(!is.nan(lists$scores)) > 0
  if (!any(relevant & retrieved)) {
    stop_input("grade", "No relevant document was retrieved for the queries to learn from.",
               sprintf("Relevant is a grade of %s or more.", plain_number(method$relevant)),
               call = call)
  }
  positions <- tie_positions(lists, ties, call)
  ranks <- places_in_lists(lists$scores, lists$order, lists$offsets, positions, threads)
  lacking <- which(colSums(ranks$first) == 0)[1L]
  if (!is.na(lacking)) {
    stop_input("topics", sprintf("`%s` has no documents for the queries to learn from.",
                                 lists$rankers[lacking]), call = call)
  }
  shown <- lapply(seq_along(lists$rankers), function(r) {
    shown_ranks(ranks$first[, r], ranks$last[, r], lists$query, relevant)
  })
  curves <- switch(
    method$name,
    map = map_curves(method, lists, ties, threads),
    bayes = bayes_curves(method, shown, lists, relevant & retrieved, retrieved, call),
    lapply(shown, learned_curve, method = method)
  )
  structure(list(method = method, rankers = lists$rankers, curves = unname(curves),
                 ties = ties, queries = length(lists$query_ids)),
            class = "rankmix_fusion_model")
}

# The ranks of a ranker's lists: `query` and `rank`, the length of the list (`long`), and the fraction of
# relevant documents among those that share the rank. `first` and `last` are 0 if the list
# lacks the document.
shown_ranks <- function(first, last, query, relevant) {
  rows <- which(first > 0L)
  long <- tabulate(query[rows], max(query))
  start <- c(0L, cumsum(long))
  slot <- start[query[rows]] + first[rows]
  total <- numeric(sum(long))
  sums <- rowsum(as.double(relevant[rows]), slot)
  total[as.integer(rownames(sums))] <- sums
  head <- size <- integer(sum(long))
  head[slot] <- slot
  size[slot] <- last[rows] - first[rows] + 1L
  head <- cummax(head)  # for each document the first of the ranks that it ties with
  list(query = rep(seq_along(long), long), rank = sequence(long), long = rep(long, long),
       relevant = total[head] / size[head])
}

learned_curve <- function(shown, method) {
  switch(
    method$name,
    pos = rank_curve(rank_fractions(shown)),
    slide = rank_curve(sliding_means(rank_fractions(shown), method$window)),
    prob = {
      segment <- ((shown$rank - 1) * method$segments) %/% shown$long + 1
      fractions <- segment_fractions(shown, segment, method$segments)
      list(from = seq_along(fractions), to = seq_along(fractions), value = fractions)
    },
    seg = {
      ends <- segment_ends(max(shown$rank))
      fractions <- segment_fractions(shown, findInterval(shown$rank - 1, c(0, ends)), length(ends))
      list(from = c(1, ends[-length(ends)] + 1), to = ends, value = fractions)
    }
  )
}

rank_curve <- function(value) {
  list(from = seq_along(value), to = seq_along(value), value = value)
}

# Every rank up to the largest occurs in some list.
rank_fractions <- function(shown) {
  as.vector(rowsum(shown$relevant, shown$rank)) / tabulate(shown$rank)
}

sliding_means <- function(value, window) {
  n <- length(value)
  low <- pmax(seq_len(n) - window, 1)
  high <- pmin(seq_len(n) + window, n)
  vapply(seq_len(n), function(p) mean(value[low[p]:high[p]]), 1)
}

# The mean over lists of the fraction of relevant documents in a segment, 0 if no list has it.
segment_fractions <- function(shown, segment, segments) {
  key <- (shown$query - 1) * segments + segment
  lists <- unique(key)
  fraction <- as.vector(rowsum(shown$relevant, key, reorder = FALSE)) /
    tabulate(match(key, lists))
  of <- (lists - 1) %% segments + 1
  value <- numeric(segments)
  sums <- rowsum(fraction, of)
  value[as.integer(rownames(sums))] <- sums / tabulate(of)[as.integer(rownames(sums))]
  value
}

# 5, 20, 55, ...: up to the first that is not below `longest`.
segment_ends <- function(longest) {
  ends <- cumsum(10 * 2^(0:40) - 5)
  ends[seq_len(sum(ends < longest) + 1L)]
}

map_curves <- function(method, lists, ties, threads) {
  metric <- metric_average_precision(relevant = method$relevant, ties = ties, empty = "drop")
  metrics <- settle_metrics(check_metrics(metric), lists$relevance)
  scores <- lapply(seq_along(lists$rankers), function(r) lists$scores[, r])
  names(scores) <- lists$rankers
  judged <- lists[c("relevance", "order", "offsets", "query", "query_ids", "document")]
  values <- metric_matrix(metrics, scores, judged, threads)
  lapply(query_means(values, numeric()), function(map) list(from = 1, to = Inf, value = map))
}

# The documents to learn from are `retrieved`, of which some are `relevant`.
bayes_curves <- function(method, shown, lists, relevant, retrieved, call) {
  bands <- length(method$bands) + 1L
  Map(function(shown, r) {
    has_list <- lists$query %in% shown$query
    absent <- retrieved & has_list & is.nan(lists$scores[, r])
    band <- c(findInterval(shown$rank - 1, c(0, method$bands)),
              rep(bands + 1L, sum(absent)))
    fraction <- c(shown$relevant, as.double(relevant[absent]))
    relevant_in <- irrelevant_in <- numeric(bands + 1L)
    at <- sort(unique(band))
    relevant_in[at] <- rowsum(fraction, band)
    irrelevant_in[at] <- rowsum(1 - fraction, band)
    list(from = c(1, method$bands + 1, NA), to = c(method$bands, Inf, NA),
         value = log_ratios(relevant_in, irrelevant_in, lists$rankers[r], call))
  }, shown, seq_along(shown))
}

log_ratios <- function(relevant, other, ranker, call) {
  all <- c(sum(relevant), sum(other))
  if (any(all == 0)) {
    stop_input("grade",
               sprintf("%s retrieved by `%s` is relevant.",
                       if (all[1L] == 0) "No document" else "Every document", ranker),
               remedy = "`fuse_bayes()` needs relevant and irrelevant documents.", call = call)
  }
  rate <- all[1L] / sum(all)
  log((relevant + rate) / (other + 1 - rate) * all[2L] / all[1L])
}

# Fusing ----------------------------------------------------------------------------------

fused_by_model <- function(model, lists, weights, threads, call = rlang::caller_env()) {
  fused_value(model_scores(model, lists, weights, threads, call), lists, model$method$name)
}

model_scores <- function(model, lists, weights, threads, call) {
  odd <- c(setdiff(lists$rankers, model$rankers), setdiff(model$rankers, lists$rankers))
  if (length(odd) > 0L) {
    stop_input("argument", "The model was trained on other rankers.",
               c(sprintf("It has %s.", enumerate(model$rankers)),
                 sprintf("Given are %s.", enumerate(lists$rankers))), call = call)
  }
  method <- model$method
  if (method$name == "seg") check_finite_scores(lists, call)
  weighted <- weighted_lists(lists, weights)
  curves <- model$curves[match(weighted$lists$rankers, model$rankers)]
  longest <- max(diff(lists$offsets))
  table <- vapply(curves, curve_table, numeric(table_length(method, longest)), method = method,
                  longest = longest)
  given <- vapply(curves, function(curve) curve$value[length(curve$value)], 1)
  segments <- method$name == "prob"
  how <- list(value = "table", segments = if (segments) as.integer(method$segments) else 0L,
              times_scores = method$name == "seg",
              missing = if (method$name == "bayes") "given" else "skip",
              combination = "sum", reward = "none", parameter = 1)
  fused_scores(weighted$lists$scores, lists$order, lists$offsets,
               tie_positions(lists, model$ties, call),
               matrix(table, ncol = length(curves)), given, weighted$weights, how, threads)
}

table_length <- function(method, longest) {
  if (method$name == "prob") method$segments else longest
}

# The value of each rank, or segment.
curve_table <- function(curve, method, longest) {
  rows <- seq_len(table_length(method, longest))
  if (method$name %in% c("map", "prob")) {
    return(curve$value / rows)
  }
  ranks <- !is.na(curve$from)
  at <- findInterval(rows, curve$from[ranks])
  ifelse(rows <= curve$to[at], curve$value[at], 0)
}

# Fuses queries by cross-fitting: the values for the queries of a fold are learned on the other folds.
cross_fused <- function(method, lists, ties, weights, folds, seed, threads,
                        call = rlang::caller_env()) {
  check_teaches(lists, call)
  fold <- assigned_folds(lists, folds, seed, call)
  scores <- rep(NaN, nrow(lists$scores))
  all <- seq_along(lists$query_ids)
  for (part in c(sort(unique(fold)), NA)) {
    # Without judgements a query has no fold.
    own <- if (is.na(part)) setdiff(all, lists$judged) else lists$judged[fold == part]
    if (length(own) == 0L) next
    others <- if (is.na(part)) lists$judged else lists$judged[fold != part]
    model <- learn_fusion(method, teaching_lists(lists, others), ties, threads, call)
    of_part <- take_lists(lists, own)
    scores[of_part$rows] <- model_scores(model, of_part, weights, threads, call)
  }
  fused_value(scores, lists, method$name)
}

# The fold of each judged query. The seed assigns queries in the order of their ids, so folds are
# invariant to row order.
assigned_folds <- function(lists, folds, seed, call) {
  ids <- id_text(lists$query_ids[lists$judged])
  if (inherits(folds, "rankmix_folds")) {
    tested <- lapply(folds$folds, `[[`, "test")
    fold <- rep(seq_along(tested), lengths(tested))[match(ids, unlist(tested))]
    if (anyNA(fold)) {
      stop_input("topics", sprintf("The folds lack the judged query %s.",
                                   enumerate(ids[is.na(fold)])), call = call)
    }
  } else {
    check_count(folds, "folds", min = 2, max = 1e6, call = call)
    seed <- check_seed(seed, call)
    fold <- integer(length(ids))
    drawn <- order(enc2utf8(ids), method = "radix")
    drawn <- drawn[with_seed(seed, sample.int(length(ids)))]
    fold[drawn] <- rep_len(seq_len(folds), length(ids))
  }
  if (length(unique(fold)) < 2L) {
    stop_input("topics", sprintf("%s cannot be cross-fitted: all are in one fold.",
                                 counted(length(ids), "judged query", "judged queries")),
               call = call)
  }
  fold
}
