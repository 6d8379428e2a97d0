#' Which ranker is better?
#'
#' Compares rankers on the same queries: paired tests of every two, fold by fold where
#' there are folds, corrected for their number, with the interval of the difference, and
#' which rankers are not significantly worse than the best.
#'
#' @param ... Rankers with names, each different: anything that [evaluate()] takes (runs with
#'   judgements as `data`), or
#'   evaluations that it gave, one by one or in a list; without names one evaluation of several rankers, or a
#'   benchmark made by [benchmark_rankers()].
#' @param data Judged data on which rankers that are not evaluated yet are.
#' @param metric A metric or its text; or several in a list. Of evaluations and benchmarks
#'   by default all metrics.
#' @param test The test whose p-values are adjusted and decide who is worse: `"t"`
#'   (Student's paired t), `"wilcoxon"` (signed ranks) or `"randomization"` (sign flips).
#' @param combine How the p-values of folds become one: `"fisher"` or `"stouffer"`, see
#'   [fisher_combine()]; or `"pool"`, one test over the queries of all folds.
#' @param adjust Which adjusted p-value decides who is worse: `"holm"`, `"BH"` (Benjamini
#'   and Hochberg) or `"none"`, the papers' way.
#' @param level The level of the tests, such as 0.05; intervals have `1 - level`.
#' @param resamples Number of random sign patterns and of bootstrap samples.
#' @param seed Seed of both; by default from R's generator, so that [set.seed()] rules.
#' @param threads Number of threads; results do not depend on it.
#'
#' @details
#' Let \eqn{d_q} be the difference of two rankers' values for query q, of n queries.
#'
#' * `p_t`: \eqn{t = \bar d / (s_d / \sqrt n)}{t = mean(d) / (sd(d) / sqrt(n))}, two-sided
#'   with n - 1 degrees of freedom. With weights of queries the standard error is that of
#'   [evaluate()]'s `summary()`.
#' * `p_wilcoxon`: [stats::wilcox.test()] of d; exact for fewer than 50 queries without
#'   ties and zeros, else its normal approximation. `NA` with weights.
#' * `p_randomization`: the share of sign patterns of the \eqn{d_q}{d} whose
#'   \eqn{|\sum_q d_q|}{|sum d|} reaches the observed one; of all patterns for up to 20
#'   differences that are not 0, else of `resamples` random ones and the observed one.
#' * `lower`, `upper`: the bias-corrected and accelerated bootstrap interval of the mean
#'   difference over all queries.
#' * `effect`: Cohen's \eqn{d_z = \bar d / s_d}{d_z = mean(d) / sd(d)}, both weighted where
#'   queries have weights; `NA` where all differences are the same.
#'
#' Defined where tests are not: with one query, or where all differences are 0, p is 1;
#' where all are the same and not 0, `p_t` is that of the sign flips, \eqn{2^{1 - n}}{2^(1 - n)}.
#' `note` says so. A query that a metric leaves out of the mean (`NaN`) is left out; `NA`
#' counts as 0, as in the mean.
#'
#' A ranker is marked best if its mean is the highest, or its adjusted p-value against the
#' one with the highest mean is above `level`.
#'
#' Diagnostics: `wins`, `losses` and `ties`, the shares of queries in which a is better,
#' worse, or has the same value; `identical`, the share in which both rank all documents
#' alike (`NA` for evaluations, which do not tell); `normality`, the p-value of Shapiro and
#' Wilk's test of the differences (`NA` for fewer than 3 or more than 5000 queries);
#' `folds_ahead`, the number of folds in which a is ahead.
#'
#' @return A value of class `rankmix_comparison` with `pairs`, a data frame with a row for
#'   each metric and pair of rankers `a` and `b`; `rankers`, one with a row for each metric
#'   and ranker; `folds`, the tests fold by fold; and `values`, for each metric the values
#'   of the rankers side by side. `tidy()` gives `pairs`; `autoplot()` see
#'   [autoplot.rankmix_comparison()].
#' @section Conditions: `rankmix_error_queries`: evaluations of different queries or folds.
#'   `rankmix_error_grade`: evaluations of the same queries with different grades. Where
#'   documents have ids, also grades that documents have exchanged.
#'   `rankmix_error_values`: a query that counts for one ranker only.
#'   `rankmix_error_argument`: fewer than two rankers, names that are lacking or the same,
#'   metrics that not all have. And the conditions of [evaluate()].
#' @section Cost: O(pairs x queries x `resamples`) for n queries: 0.1 s a pair for 10,000
#'   queries and 10,000 resamples (`bench/compare.R`).
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), section 7,
#'   \doi{10.1007/s10994-013-5360-9}. Smucker, Allan and Carterette (2007),
#'   \doi{10.1145/1321440.1321528}. Efron (1987), \doi{10.1080/01621459.1987.10478410}.
#' @examples
#' data <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' compared <- compare_rankers(first = data$x[, 1], second = data$x[, 2], third = data$x[, 3],
#'                             data = data, metric = ndcg(10), seed = 1)
#' compared
#' tidy(compared)
#' @export
compare_rankers <- function(..., data = NULL, metric = NULL, test = "t", combine = "fisher",
                            adjust = "holm", level = 0.05, resamples = 10000, seed = NULL,
                            threads = NULL) {
  threads <- check_threads(threads)
  check_choice(test, "test", c("t", "wilcoxon", "randomization"))
  check_choice(combine, "combine", c("fisher", "stouffer", "pool"))
  check_choice(adjust, "adjust", c("holm", "BH", "none"))
  check_number(level, "level", 1e-6, 0.5)
  check_count(resamples, "resamples", min = 100, max = 1e8)
  seed <- check_seed(seed)
  evaluated <- evaluated_rankers(list(...), data, metric, threads)
  values <- paired_values(evaluated)
  if (test == "wilcoxon" && any(vapply(values, weights_differ, NA))) {
    stop_input("argument", "Wilcoxon's test knows no weights of queries.",
               remedy = "Use `test = \"t\"` or `test = \"randomization\"`.")
  }
  settings <- list(test = test, combine = combine, adjust = adjust, level = level,
                   resamples = resamples, seed = seed, threads = threads)
  compared <- lapply(values, compare_pairs, identical = evaluated$identical,
                     settings = settings)
  pairs <- bind_named(lapply(compared, `[[`, "pairs"), "metric")
  structure(
    list(pairs = pairs, rankers = bind_named(Map(rate_rankers, values, split_by(pairs, "metric"),
                                                 list(settings)), "metric"),
         folds = bind_named(lapply(compared, `[[`, "folds"), "metric"), values = values,
         settings = settings[names(settings) != "threads"], shown = evaluated$shown),
    class = "rankmix_comparison"
  )
}

# Evaluations ---------------------------------------------------------------------------

# One evaluation of all rankers, `table` with a column `ranker`, and what is known beside:
# `identical(a, b)`, for each query whether both rank alike, or NULL.
evaluated_rankers <- function(rankers, data, metric, threads, call = rlang::caller_env()) {
  if (length(rankers) == 1L && is.null(names(rankers))) {
    if (is.object(rankers[[1L]]) || !is.list(rankers[[1L]])) {
      return(evaluated_together(rankers[[1L]], metric, call))
    }
    rankers <- rankers[[1L]]  # in a list, as evaluate() takes them
  }
  names(rankers) <- ranker_names(rankers, call)
  if (length(rankers) < 2L) {
    stop_input("argument", "There is nothing to compare one ranker with.",
               remedy = "Give two or more.", call = call)
  }
  done <- vapply(rankers, inherits, logical(1), what = "rankmix_evaluation")
  if (!all(done) && is.null(data)) {
    stop_input("argument",
               sprintf("`data` is not given, on which `%s` is to be evaluated.",
                       names(rankers)[!done][1L]), call = call)
  }
  if (any(done)) {
    return(evaluated_apart(rankers, done, data, metric, threads, call))
  }
  if (is.null(metric)) {
    stop_input("argument", "`metric` is not given.", remedy = "Such as `ndcg(10)`.",
               call = call)
  }
  if (inherits(data, "rankmix_qrels")) {
    table <- evaluate(rankers, data, metric, threads = threads)
    return(list(table = table, identical = NULL, shown = attr(table, "shown")))
  }
  check_ranking_data(data, made_by = "`ranking_data()`, or `read_qrels()` for runs",
                     call = call)
  scores <- score_columns(rankers, data, threads, call)
  table <- evaluate(scores, data, metric, threads = threads)
  list(table = table, identical = same_rankings(scores, data), shown = attr(table, "shown"))
}

evaluated_together <- function(object, metric, call) {
  if (inherits(object, "rankmix_benchmark")) {
    return(benchmark_evaluation(object, metric, call))
  }
  if (!inherits(object, "rankmix_evaluation") || is.null(object$ranker)) {
    stop_input("argument",
               sprintf("Rankers need names, unlike %s.", show_value(object)),
               remedy = paste("Such as `compare_rankers(ours = model, bm25 = scores, data =",
                              "test, metric = ndcg(10))`."), call = call)
  }
  list(table = chosen_metrics(object, metric, call), identical = NULL,
       shown = attr(object, "shown"))
}

evaluated_apart <- function(rankers, done, data, metric, threads, call) {
  several <- vapply(rankers[done], function(table) !is.null(table$ranker), NA)
  if (any(several)) {
    stop_input("argument",
               sprintf("`%s` is an evaluation of several rankers.",
                       names(rankers)[done][several][1L]),
               remedy = "Give it alone and without a name.", call = call)
  }
  if (!all(done) && is.null(metric)) {
    stop_input("argument", "`metric` is not given.", remedy = "Such as `ndcg(10)`.",
               call = call)
  }
  rankers[!done] <- lapply(rankers[!done], evaluate, data = data, metrics = metric,
                           threads = threads)
  check_same_grades(rankers, call)
  tables <- Map(function(table, name) {
    table <- as.data.frame(chosen_metrics(table, metric, call))
    # Ids are numbers in one evaluation and strings in another.
    table$query <- id_text(table$query)
    cbind(ranker = name, table[intersect(c("fold", "query", "metric", "value", "weight"),
                                         names(table))])
  }, rankers, names(rankers))
  check_alike(tables, call)
  list(table = do.call(rbind, c(unname(tables), make.row.names = FALSE)),
       identical = NULL, shown = attr(rankers[[1L]], "shown"))
}

# Evaluations that are put under each other have the same metrics, and all or none of them
# folds and weights.
check_alike <- function(tables, call) {
  first <- tables[[1L]]
  for (name in names(tables)[-1L]) {
    own <- tables[[name]]
    if (!setequal(own$metric, first$metric)) {
      stop_input("argument",
                 sprintf("`%s` and `%s` were not evaluated by the same metrics.",
                         names(tables)[1L], name),
                 sprintf("%s and %s.", enumerate(unique(first$metric)),
                         enumerate(unique(own$metric))),
                 "Give `metric`, which both have.", call = call)
    }
    only <- c(setdiff(names(own), names(first)), setdiff(names(first), names(own)))
    if (length(only) > 0L) {
      stop_input("queries",
                 sprintf("Of `%s` and `%s` only one has a %s of the queries.",
                         names(tables)[1L], name, only[1L]),
                 remedy = "Evaluate both on the same data.", call = call)
    }
  }
}

# The rows of some metrics, or all. `metric` may be a metric, its text, or a list.
chosen_metrics <- function(table, metric, call) {
  if (is.null(metric)) {
    return(table)
  }
  wanted <- names(check_metrics(metric, NULL, call))
  lacking <- setdiff(wanted, table$metric)
  if (length(lacking) > 0L) {
    stop_input("argument", sprintf("The evaluation has no metric %s.", enumerate(lacking)),
               sprintf("It has %s.", enumerate(unique(table$metric))), call = call)
  }
  table[table$metric %in% wanted, ]
}

# Evaluations know the grades they were made from, query by query.
check_same_grades <- function(evaluations, call) {
  digests <- lapply(evaluations, attr, "grades")
  known <- digests[lengths(digests) > 0L]
  kind <- if (all(lengths(lapply(known, `[[`, "documents")) > 0L)) "documents" else "grades"
  known <- lapply(known, function(own) stats::setNames(own[[kind]], id_text(own$query)))
  for (other in names(known)[-1L]) {
    shared <- intersect(names(known[[1L]]), names(known[[other]]))
    bad <- shared[known[[1L]][shared] != known[[other]][shared]]
    if (length(bad) > 0L) {
      stop_input("grade",
                 sprintf("`%s` and `%s` were evaluated with different grades.",
                         names(known)[1L], other),
                 sprintf("Those of query %s differ.", enumerate(bad)),
                 "Evaluate both on the same judgements.", call = call)
    }
  }
}

# For two rankers, in which queries they rank alike.
same_rankings <- function(scores, data) {
  digests <- lapply(scores, ranking_digests_of, data = data)
  function(a, b) {
    stats::setNames(digests[[a]] == digests[[b]], query_keys(NULL, data$query_ids))
  }
}

# What tells a query from all others: its id, and its fold where there are folds.
query_keys <- function(fold, query) paste(fold, id_text(query), sep = "\r")

ranking_digests_of <- function(scores, data) {
  ranking_digests(rows_by_score(scores, data) - 1L, data$offsets)
}

# Values side by side -------------------------------------------------------------------

# For each metric: `fold` (NULL without), `query`, `weight` (NULL without) and `values`,
# queries x rankers; what does not count is left out.
paired_values <- function(evaluated, call = rlang::caller_env()) {
  table <- as.data.frame(evaluated$table)
  rankers <- unique(table$ranker)
  if (length(rankers) < 2L) {
    stop_input("argument", "There is nothing to compare one ranker with.",
               remedy = "Give two or more.", call = call)
  }
  metrics <- lapply(split_by(table, "metric"), function(rows) {
    side_by_side(rows, rankers, call)
  })
  lapply(metrics, function(paired) only_counting(paired, call))
}

# A list of the rows of each value of a column, in the order of the table.
split_by <- function(table, column) {
  split(table, factor(table[[column]], unique(table[[column]])))
}

side_by_side <- function(rows, rankers, call) {
  key <- query_keys(rows$fold, rows$query)
  all <- unique(key)
  first <- match(all, key)
  columns <- lapply(stats::setNames(rankers, rankers), function(ranker) {
    own <- which(rows$ranker == ranker)
    if (anyDuplicated(key[own])) {
      stop_input("queries", sprintf("`%s` has a query twice.", ranker),
                 sprintf("Query %s.", enumerate(rows$query[own][duplicated(key[own])])),
                 "Evaluate each ranker once, or tell folds apart in a column `fold`.",
                 call = call)
    }
    at <- match(all, key[own])
    if (anyNA(at)) {
      lacking <- rows$query[first[is.na(at)]]
      stop_input("queries", "The rankers were not evaluated on the same queries.",
                 sprintf("`%s` lacks %d of %d, such as %s.", ranker, length(lacking),
                         length(all), enumerate(lacking)),
                 "Compare them on queries that all have.", call = call)
    }
    own[at]
  })
  beside <- function(name) {
    matrix(vapply(columns, function(own) as.double(rows[[name]][own]), numeric(length(all))),
           length(all), dimnames = list(NULL, rankers))
  }
  weights <- if (!is.null(rows$weight)) beside("weight")
  if (!is.null(weights) && any(weights != weights[, 1L])) {
    stop_input("queries", "The rankers were evaluated with different weights of queries.",
               remedy = "Evaluate them on the same data.", call = call)
  }
  list(fold = rows$fold[first], query = rows$query[first],
       weight = if (!is.null(weights)) unname(weights[, 1L]), values = beside("value"))
}

only_counting <- function(paired, call) {
  # NA, which is not NaN, counts as 0.
  out <- is.nan(paired$values)
  mixed <- which(rowSums(out) > 0L & rowSums(out) < ncol(out))
  if (length(mixed) > 0L) {
    stop_input("values", "Some queries count for one ranker and not for another.",
               sprintf("Query %s of `%s`.", enumerate(paired$query[mixed]),
                       colnames(out)[colSums(out[mixed, , drop = FALSE]) > 0L][1L]),
               "Evaluate all rankers with the same metric on the same data.", call = call)
  }
  keep <- rowSums(out) == 0L & (if (is.null(paired$weight)) TRUE else paired$weight > 0)
  if (!any(keep)) {
    stop_input("values", "No query counts for the metric.",
               remedy = "Compare on queries with relevant documents.", call = call)
  }
  values <- paired$values[keep, , drop = FALSE]
  if (any(is.infinite(values))) {
    stop_input("values", "Values of metrics must be finite.", call = call)
  }
  undefined <- colSums(is.na(values))
  values[is.na(values)] <- 0
  list(fold = paired$fold[keep], query = paired$query[keep], weight = paired$weight[keep],
       values = values, undefined = undefined)
}

weights_differ <- function(paired) length(unique(paired$weight)) > 1L

# Pairs ---------------------------------------------------------------------------------

# All pairs of the rankers of a metric.
compare_pairs <- function(paired, identical, settings) {
  rankers <- colnames(paired$values)
  pairs <- utils::combn(rankers, 2L, simplify = FALSE)
  tested <- lapply(pairs, function(pair) {
    compare_pair(paired, pair[1L], pair[2L], identical, settings)
  })
  folds <- do.call(rbind, lapply(tested, `[[`, "folds"))
  pairs <- do.call(rbind, lapply(tested, `[[`, "pair"))
  p <- pairs[[paste0("p_", settings$test)]]
  pairs$p_holm <- stats::p.adjust(p, "holm")
  pairs$p_bh <- stats::p.adjust(p, "BH")
  list(pairs = pairs, folds = folds)
}

compare_pair <- function(paired, a, b, identical, settings) {
  difference <- paired$values[, a] - paired$values[, b]
  tests <- function(rows) {
    as.data.frame(paired_tests(difference[rows], paired$weight[rows], settings$resamples,
                               settings$seed, settings$threads))
  }
  fold <- if (is.null(paired$fold)) rep("all", length(difference)) else paired$fold
  folds <- lapply(split(seq_along(fold), factor(fold, unique(fold))), tests)
  folds <- cbind(a = a, b = b, fold = names(folds),
                 do.call(rbind, c(folds, make.row.names = FALSE)))
  all <- if (nrow(folds) == 1L) folds[-(1:3)] else tests(seq_along(difference))
  if (settings$combine != "pool") {
    for (name in c("p_t", "p_wilcoxon", "p_randomization")) {
      all[[name]] <- combine_folds(folds[[name]], folds, settings$combine)
    }
  }
  same <- if (is.null(identical)) NA_real_ else {
    mean(identical(a, b)[query_keys(paired$fold, paired$query)])
  }
  interval <- bootstrap_interval(difference, paired$weight, 1 - settings$level,
                                 settings$resamples, settings$seed, settings$threads)
  pair <- data.frame(
    a = a, b = b, queries = all$queries, difference = all$difference, se = all$se,
    lower = interval[["lower"]], upper = interval[["upper"]],
    effect = effect_size(difference, paired$weight),
    p_t = all$p_t, p_wilcoxon = all$p_wilcoxon, p_randomization = all$p_randomization,
    wins = mean(difference > 0), losses = mean(difference < 0), ties = mean(difference == 0),
    identical = same, normality = normality_p(difference), folds = nrow(folds),
    folds_ahead = sum(folds$difference > 0), note = pair_note(difference, folds)
  )
  list(pair = pair, folds = folds)
}

combine_folds <- function(p, folds, how) {
  if (length(p) == 1L || anyNA(p)) {
    return(if (length(p) == 1L) p else NA_real_)
  }
  if (how == "fisher") {
    return(fisher_combine(p))
  }
  stouffer_combine(p, folds$difference, sqrt(folds$queries))
}

pair_note <- function(difference, folds) {
  if (all(difference == 0)) {
    return("all differences are 0")
  }
  if (length(difference) == 1L) {
    return("one query")
  }
  several <- nrow(folds) > 1L
  notes <- c(
    if (any(folds$queries == 1L)) "a fold with one query",
    if (several && any(folds$queries > 1L & folds$difference == 0 & folds$se == 0)) {
      "a fold with all differences 0"
    },
    if (any(folds$queries > 1L & folds$difference != 0 &
              has_no_spread(folds$difference, folds$se))) {
      if (several) "a fold with all differences the same" else "all differences are the same"
    }
  )
  paste(notes, collapse = ", ")
}

# Rankers -------------------------------------------------------------------------------

rate_rankers <- function(paired, pairs, settings) {
  rankers <- colnames(paired$values)
  rows <- lapply(rankers, function(ranker) {
    data.frame(ranker = ranker,
               summarise_values(paired$values[, ranker], paired$weight, 1 - settings$level))
  })
  table <- do.call(rbind, rows)
  top <- top_ranker(table)
  column <- verdict_column(settings)
  against <- vapply(rankers, function(ranker) {
    if (ranker == top) {
      return(NA_real_)
    }
    pairs[[column]][(pairs$a == ranker & pairs$b == top) |
                      (pairs$a == top & pairs$b == ranker)]
  }, numeric(1))
  table$rank <- rank_means(table$mean)
  table$p_best <- unname(against)
  table$best <- is.na(table$p_best) | table$p_best > settings$level
  table$undefined <- unname(paired$undefined)
  table
}

# The p-values that decide.
verdict_column <- function(settings) {
  switch(settings$adjust, holm = "p_holm", BH = "p_bh", none = paste0("p_", settings$test))
}

# The ranker with the highest mean.
top_ranker <- function(table) table$ranker[which.max(table$mean)]

# Data frames of one list under each other, their names as the first column.
bind_named <- function(tables, name) {
  if (length(tables) == 0L) {
    return(stats::setNames(data.frame(character()), name))
  }
  rows <- Map(function(table, value) {
    cbind(stats::setNames(data.frame(value), name), table, row.names = NULL)
  }, tables, names(tables))
  do.call(rbind, c(rows, make.row.names = FALSE))
}

#' @export
tidy.rankmix_comparison <- function(x, ...) x$pairs

test_names <- c(t = "paired t tests", wilcoxon = "Wilcoxon's signed ranks",
                randomization = "sign-flip randomisation")
combine_names <- c(fisher = "combined by Fisher", stouffer = "combined by Stouffer",
                   pool = "pooled")
adjust_names <- c(holm = "Holm", BH = "Benjamini-Hochberg", none = "not adjusted")

describe_settings <- function(settings, folds) {
  paste0(test_names[[settings$test]],
         if (folds > 1L) sprintf(" in %d folds, %s", folds, combine_names[[settings$combine]]),
         ", ", if (settings$adjust == "none") "p not adjusted" else {
           paste("p adjusted after", adjust_names[[settings$adjust]])
         })
}

#' @export
print.rankmix_comparison <- function(x, ...) {
  metrics <- names(x$values)
  table <- x$rankers[x$rankers$metric == metrics[1L], ]
  table <- table[order(table$rank), ]
  say(sprintf("<rankmix_comparison> %d rankers, %s; %s", nrow(table),
              counted(table$queries[1L], "query", "queries"),
              describe_settings(x$settings, x$pairs$folds[1L])))
  shown <- utils::head(table, if (nrow(table) > 6L) 5L else 6L)
  against <- vapply(shown$ranker, against_best, "", x = x, metric = metrics[1L])
  # Beside a name there are 12 letters and what follows.
  names <- shorten(c(metrics[1L], shown$ranker),
                   max(getOption("width") - 12L - max(nchar(against)), 8L))
  names <- format(names)
  say("  ", names[1L], "    mean")
  say(sprintf("%s %s  %.4f  %s", ifelse(shown$best, "*", " "), names[-1L], shown$mean, against))
  if (nrow(table) > nrow(shown)) {
    say(sprintf("  ... and %d more", nrow(table) - nrow(shown)))
  }
  notes <- c(if (length(metrics) > 1L) sprintf("%d more metric%s", length(metrics) - 1L,
                                               if (length(metrics) > 2L) "s" else ""),
             if (any(nzchar(x$pairs$note))) "pairs with notes")
  say(sprintf("* best, or not significantly worse at level %s%s",
              plain_number(x$settings$level),
              if (length(notes) > 0L) paste0("; see `tidy()`: ", paste(notes, collapse = ", "))
              else ""))
  invisible(x)
}

# "-0.0213 [-0.0400, -0.0012], p = 0.03, all differences are 0" against the best.
against_best <- function(ranker, x, metric) {
  table <- x$rankers[x$rankers$metric == metric, ]
  top <- top_ranker(table)
  if (ranker == top) {
    return("the highest mean")
  }
  rows <- pairs_against(x$pairs[x$pairs$metric == metric, ], top)
  row <- rows[rows$ranker == ranker, ]
  paste0(sprintf("%+.4f [%+.4f, %+.4f], %s", row$difference, row$lower, row$upper,
                 show_p(table$p_best[table$ranker == ranker])),
         if (nzchar(row$note)) paste0("; ", row$note) else "")
}

# The rows of pairs with `b` as their second ranker; 0 - x, so that no 0 has a sign.
pairs_against <- function(pairs, b) {
  rows <- pairs[pairs$a == b | pairs$b == b, ]
  turned <- rows$a == b
  data.frame(ranker = ifelse(turned, rows$b, rows$a),
             difference = ifelse(turned, 0 - rows$difference, rows$difference),
             lower = ifelse(turned, 0 - rows$upper, rows$lower),
             upper = ifelse(turned, 0 - rows$lower, rows$upper), note = rows$note)
}

show_p <- function(p) {
  ifelse(p < 1e-4, "p < 0.0001", sprintf("p = %.4f", p))
}
