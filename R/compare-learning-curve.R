#' Learning curves
#'
#' Measures how the test metric changes with the number of training queries. Use it to decide whether
#' more graded queries would help.
#'
#' @param rankers The rankers: a named list, as for [benchmark_rankers()].
#' @param data The data: a list of ranking data `train`, `valid` (optional) and `test`, or a list
#'   of such folds, as [read_folds()] returns.
#' @param fractions The fractions of the training queries, in (0, 1]; default 0.1, 0.2, ..., 1.
#' @param order The order in which training queries are added: `"random"` (the default), `"hard_first"`,
#'   `"easy_first"`, or several of them. A query is easy if [best_feature()], trained on the whole
#'   training part, has a high metric on it. Queries that do not count for the metric come last.
#' @param metric The metric, or its text.
#' @param repeats Number of random orders; default 1. More orders give smoother curves.
#' @inheritParams benchmark_rankers
#'
#' @return A value of class `rankmix_learning_curve`. `results` has a row for each test query, ranker,
#'   fraction, order, repeat and fold. `runs` is as in [benchmark_rankers()]. `summary()` has a row for each
#'   ranker, order and fraction: the mean over test queries, its standard error and interval, the
#'   number of test `queries`, and the mean number of `train_queries`. The value of a query is its
#'   mean over repeats. A point is left out if the ranker failed in one of its folds or repeats.
#'   `autoplot()` draws the curves with bands.
#' @examples
#' parts <- c(train = "train", valid = "vali", test = "test")
#' fold <- lapply(parts, function(part) {
#'   read_letor(system.file("extdata", paste0(part, ".txt.gz"), package = "rankmix"))
#' })
#' curve <- learning_curve(list(boosted = adaboost_mh(base_stump(), rounds = 20),
#'                              feature = best_feature()),
#'                         fold, fractions = c(0.25, 0.5, 1), seed = 1)
#' summary(curve)
#'
#' @details A fraction s of n queries is the first \eqn{\max(1, round(sn))}{max(1, round(s n))} queries
#'   of the order. A larger fraction contains all queries of a smaller fraction. Validation and test parts stay whole.
#' @section Conditions: as [benchmark_rankers()].
#' @references Busa-Fekete, Kegl, Elteto and Szarvas (2013), section 7.5 and figure 3,
#'   \doi{10.1007/s10994-013-5360-9}.
#' @export
learning_curve <- function(rankers, data, fractions = 1:10 / 10, order = "random",
                           metric = metric_ndcg(10), repeats = 1, tune = list(), patience = NULL,
                           directory = NULL, seed = NULL, threads = NULL,
                           verbose = TRUE, ...) {
  check_no_others(...)
  check_all_given()
  threads <- check_threads(threads)
  check_flag(verbose, "verbose")
  fractions <- check_curve_fractions(fractions)
  for (one in if (length(order) > 0L) order else list(order)) {
    check_choice(one, "order", c("random", "hard_first", "easy_first"))
  }
  check_count(repeats, "repeats", max = 1e4)
  rankers <- as_ranker_list(rankers)
  check_rankers(rankers)
  tune <- check_tuning(rankers, tune)
  folds <- fold_source(data, NULL, name = "data")
  check_validation_parts(folds, rankers, tune)
  metrics <- settle_metrics(check_metrics(list(read_metric(metric)), NULL), folds$highest)
  run <- open_run(directory, "learning_curve()", list(folds = folds$identity), seed,
                  verbose = isTRUE(verbose))
  on.exit(run$close())
  cuts <- curve_cuts(folds, unique(order), repeats, fractions, metrics[[1L]], run$seed, threads)
  tasks <- benchmark_tasks(rankers, NULL, metrics, tune, patience, run$seed, cuts)
  results <- benchmark_runs(tasks, folds, run, threads, verbose)
  new_learning_curve(tasks, results, cuts, metrics, run$seed)
}

check_curve_fractions <- function(fractions, call = rlang::caller_env()) {
  if (!is_plain_number(fractions) || length(fractions) == 0L || anyNA(fractions) ||
        any(fractions <= 0 | fractions > 1)) {
    stop_input("argument",
               sprintf("`fractions` must be numbers above 0 and at most 1, not %s.",
                       show_value(fractions)), call = call)
  }
  sort(unique(fractions))
}

# One row for each training subset, with the ids of its queries. Orders by difficulty have one
# repeat.
curve_cuts <- function(folds, order, repeats, fractions, metric, seed, threads) {
  cuts <- expand.grid(fraction = fractions, repetition = seq_len(repeats), order = order,
                      fold = names(folds$identity), stringsAsFactors = FALSE)
  cuts <- cuts[cuts$order == "random" | cuts$repetition == 1L, ]
  cuts$name <- with(cuts, sprintf("%s, %s %d, %s", fold, order, repetition, fraction))
  cuts$train <- vector("list", nrow(cuts))
  for (fold in unique(cuts$fold)) {
    train <- folds$part(fold)$train
    for (rows in split(which(cuts$fold == fold),
                       paste(cuts$order, cuts$repetition)[cuts$fold == fold])) {
      first <- cuts[rows[1L], ]
      ids <- query_order(train, first$order, metric,
                         derived_seed(seed, "order", fold, first$repetition), threads)
      cuts$train[rows] <- lapply(cuts$fraction[rows], function(fraction) {
        ids[seq_len(max(1, round(fraction * length(ids))))]
      })
    }
  }
  cuts
}

# The ids of the training queries in the order in which they are added.
query_order <- function(train, order, metric, seed, threads) {
  ids <- id_text(train$query_ids)
  if (order == "random") {
    return(ids[with_seed(seed, sample.int(length(ids)))])
  }
  feature <- fit(best_feature(metric), train, threads = threads)
  ease <- without_tie_warning(evaluate(feature, train, choosing_metric(metric), threads = threads))$value
  ids[order(if (order == "hard_first") ease else -ease)]
}

new_learning_curve <- function(tasks, results, cuts, metrics, seed) {
  at <- cuts[match(vapply(tasks, `[[`, "", "cut"), cuts$name), ]
  columns <- data.frame(fold = at$fold, order = at$order, repetition = at$repetition,
                        fraction = at$fraction, ranker = vapply(tasks, `[[`, "", "name"))
  failed <- vapply(results, function(result) !is.null(result$error), NA)
  table <- do.call(rbind, lapply(which(!failed), function(i) {
    cbind(columns[i, ], as.data.frame(results[[i]]$table), row.names = NULL)
  }))
  if (is.null(table)) {
    table <- cbind(columns[0L, ], empty_results()[-(1:2)])
  }
  object <- structure(
    list(results = table,
         runs = cbind(columns, do.call(rbind, lapply(results, run_row)), row.names = NULL),
         metric = metrics[[1L]], seed = seed),
    class = "rankmix_learning_curve"
  )
  warn_failed(object)
  object
}

#' @export
summary.rankmix_learning_curve <- function(object, level = 0.95, ...) {
  check_no_others(...)
  check_confidence(level)
  keys <- c("ranker", "order", "fraction")
  key <- function(t) paste(t$ranker, t$order, t$fraction)
  trained <- object$runs
  # Points without all folds and repeats are left out.
  lacking <- key(trained)[trained$status == "failed"]
  rows <- object$results[!key(object$results) %in% lacking, ]
  if (nrow(rows) == 0L) {
    return(cbind(rows[keys], summary_columns(summarise_values(numeric(), NULL, level))[0L, ],
                 train_queries = numeric()))
  }
  group <- interaction(rows[keys], drop = TRUE, lex.order = TRUE)
  tables <- lapply(split(rows, group), function(rows) {
    # Averages each query over the repeats.
    query <- query_keys(rows$fold, rows$query)
    first <- !duplicated(query)
    value <- as.vector(tapply(rows$value, factor(query, query[first]), mean))
    cbind(rows[1L, keys], summary_columns(summarise_values(value, rows$weight[first], level)),
          row.names = NULL)
  })
  table <- do.call(rbind, c(tables, make.row.names = FALSE))
  table$train_queries <- as.vector(tapply(trained$train_queries, key(trained), mean)[key(table)])
  table
}

#' @export
print.rankmix_learning_curve <- function(x, ...) {
  table <- summary(x)
  say(sprintf("<rankmix_learning_curve> mean %s by training fraction, seed %s",
              format(x$metric), plain_number(x$seed)))
  for (order in unique(table$order)) {
    rows <- table[table$order == order, ]
    wide <- with_points(tapply(rows$mean, list(rows$ranker, rows$fraction), mean))
    say(sprintf("%s:", sub("_", " ", order)))
    with_points(print(round(utils::head(wide, 6L), 4L)))
  }
  invisible(x)
}
