# Distillation: trains a ranker, the student, on another ranker's scores instead of grades, and
# measures the loss.

#' Distil a ranker into another
#'
#' Trains a ranker, the student, on the scores of a model, and measures how much of a metric is lost. Use it if a
#' program cannot run the model, such as a mixture in a search engine (see [write_model()]), or to predict faster.
#'
#' @param model The model: a ranker trained by [fit()], a mixture or a calibrated classifier. Or a function
#'   of ranking data that returns a score for each row. Or a model of another package whose `predict()`
#'   accepts ranking data.
#' @param data The ranking data. Without `validation`, a fraction of their queries is used for validation.
#'   With `validation` no grades are needed, so the student can learn from many unjudged queries.
#' @param into The student: the specification of a regression, such as `gbrt(trees = 200)`,
#'   `linear_ranker(penalty = 0.1)` or [m5p()].
#' @param validation The judged data on which the loss is measured, or `NULL`. Neither model nor student
#'   should be trained on them.
#' @param metric The metric, such as `metric_ndcg(10)`, or a list of metrics.
#' @param fraction The fraction of the queries of `data` that are used for training if `validation` is
#' `NULL`; default 0.8. The other queries are the validation data.
#' @param level The confidence level of the intervals, from 0.5 to below 1; default 0.95.
#' @param seed The random seed of the split and the student. By default R's generator draws one.
#' @param threads Number of threads. Results do not depend on it.
#' @param verbose Whether to show progress; default `TRUE`.
#' @param object,x The result of `distill()`.
#' @param newdata The documents, as in [predict.rankmix_classifier()].
#' @param ... Must be empty; for `predict()`, arguments of the student's `predict()`.
#'
#' @return A value of class `rankmix_distilled`:
#'   * `student`, the ranker. [write_model()] and `predict()` use it.
#'   * `report`, which `tidy()` returns: a row for each metric with `metric`, the means of `model` and
#'     `student`, `lost`, `lower`, `upper`, `p` and `queries`.
#'   * `comparison`, made by [compare_rankers()], and `same_order`.
#'
#'   `glance()` returns one row about the training. `summary()` returns a data frame of the validation
#'   queries: `query`, `model`, `student` and `lost`, by the first metric, largest loss first.
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' valid <- read_letor(system.file("extdata", "vali.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' mixture <- tune_and_mix(train, valid, adaboost_mh(base_tree(4), rounds = 20), seed = 1, threads = 1)
#' small <- distill(mixture, train, gbrt(trees = 50), test, seed = 1, threads = 1)
#' small
#' write_model(small, tempfile(), "solr")
#'
#' @details
#' The student minimises its loss with the scores \eqn{v(x)}{v(x)} of the model as targets, weighted by the
#' weights of queries and documents if there are any. All rounds of the student are trained. The grades of `data` are
#' used only if the student chooses a setting, such as a penalty.
#'
#' `lost` is the mean over validation queries of the model's metric minus the student's metric. The loss is negative
#' if the student is better. `lower` and `upper` are the t interval over queries, and `p` is the p-value of the paired
#' t-test, as in [compare_rankers()].
#'
#' `same_order` is the mean over queries of the fraction of pairs that the student orders as the model
#' does. Pairs with equal scores of the model are left out, and the student's ties count a half.
#' `same_order` is `NaN` if the model's scores are equal in every query.
#'
#' If the model was trained on the validation queries, its metric is too high there, and `lost` is too large.
#' The intervals include the sampling of queries, not of training data.
#'
#' Cost: two predictions of the model, the training of the student, and O(n^2) for the pairs of a
#' validation query of n documents.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: `into` is no regression.
#' * `rankmix_error_scores`: the model's scores are not one finite number per document.
#' * `rankmix_error_constant`: all scores of the model are equal.
#' * `rankmix_error_unjudged`: the validation data have no grades.
#' * `rankmix_error_validation`: no validation query has documents of different grades.
#' * `rankmix_warning_overlap`: queries of `validation` are also in `data`.
#' * the conditions of [fit()].
#' @references Hinton, Vinyals and Dean (2015). Distilling the knowledge in a neural network.
#'
#'   Tang and Wang (2018). Ranking distillation. \doi{10.1145/3219819.3220021}
#' @seealso [write_model()] for the models that each format can store.
#' @export
distill <- function(model, data, into = gbrt(), validation = NULL, metric = metric_ndcg(10), fraction = 0.8,
                    level = 0.95, seed = NULL, threads = NULL, verbose = TRUE,
                    ...) {
  check_no_others(...)
  check_all_given()
  check_student(into)
  check_ranking_data(data, judged = is.null(validation))
  metrics <- check_metrics(metric, NULL)
  check_confidence(level)
  check_flag(verbose, "verbose")
  threads <- check_threads(threads)
  seed <- check_seed(seed)
  parts <- distilled_parts(data, validation, fraction, seed)
  call <- rlang::current_env()
  check_can_measure(parts$validation, call)
  scores <- lapply(parts, function(part) teacher_scores(model, part, threads, call))
  student <- train_student(into, parts$train, scores$train, metrics[[1L]], seed, threads, verbose,
                           call)
  own <- check_scores(predict(student, parts$validation, threads = threads), parts$validation)
  comparison <- compare_rankers(model = scores$validation, student = own, data = parts$validation,
                                metric = metrics, test = "t", level = 1 - level, seed = seed,
                                threads = threads)
  structure(
    list(student = student, report = loss_report(comparison), comparison = comparison,
         same_order = same_order(scores$validation, own, parts$validation),
         model = teacher_text(model), queries = length(parts$train$query_ids),
         documents = nrow(parts$train), held_out = length(parts$validation$query_ids),
         level = level, seed = seed),
    class = "rankmix_distilled"
  )
}

check_student <- function(into, call = rlang::caller_env()) {
  if (!is_specification(into) || !has_trait(into, "regression")) {
    stop_input("argument", sprintf("`into` must be a regression, not %s.",
                                   if (is_specification(into)) sprintf("`%s`", format(into)) else
                                     show_value(into)),
               if (is_specification(into)) "It learns from grades, not from scores.",
               sprintf("For example %s.", enumerate(rankers_with("regression"), 10L)), call = call)
  }
}

# Returns the data as `train` and `validation`.
distilled_parts <- function(data, validation, fraction, seed, call = rlang::caller_env()) {
  if (!is.null(validation)) {
    check_ranking_data(validation, "validation", call = call)
    warn_overlap(data, validation, "validation queries are also in `data`.",
                 "What is lost looks smaller than it is; keep the queries of the two parts apart.")
    return(list(train = data, validation = validation))
  }
  check_number(fraction, "fraction", 0, 1, call = call)
  split <- split_parts(split_queries(data, fraction, seed = seed), data)
  list(train = split$train, validation = split$test)
}

check_can_measure <- function(validation, call) {
  if (length(intersect(which(positive_weight(validation)), differing_queries(validation))) == 0L) {
    stop_input("validation", "Nothing can be measured on the validation queries.",
               "None of them has documents of different grades.",
               "Hold out more queries, or give `validation`.", call = call)
  }
}

teacher_scores <- function(model, data, threads, call) {
  if (is.atomic(model)) {
    stop_input("argument", sprintf("`model` must be a model, not %s.", show_value(model)),
               remedy = "For scores of another program, give a function of ranking data.", call = call)
  }
  scores <- as.double(check_scores(scores_of(model, data, threads, call), data, "model", call))
  if (!all(is.finite(scores))) {
    stop_input("scores", sprintf("The score of row %d is %s.", which(!is.finite(scores))[1L],
                                 format(scores[!is.finite(scores)][1L])),
               remedy = "A student needs finite scores.", call = call)
  }
  scores
}

teacher_text <- function(model) {
  if (is.function(model)) return("a function")
  if (inherits(model, "rankmix_ranker") && is_specification(model$spec)) {
    return(format(model$spec))
  }
  paste("a", sub("^rankmix_", "", class(model)[1L]))
}

# The scores are the targets. The grades are kept, because a metric may choose settings.
train_student <- function(into, data, scores, metric, seed, threads, verbose, call) {
  if (all(scores == scores[1L])) {
    stop_input("constant", "The model gives all documents the same score.",
               remedy = "There is nothing to learn from it.", call = call)
  }
  if (!is_judged(data)) data$relevance <- integer(nrow(data))
  steps <- entry_of(into)$steps(into)
  bar <- progress_bar("Training", steps, verbose && steps > 0)
  on.exit(bar$close())
  task <- new_task(data, seed, threads, bar$report, metric = metric, call = call,
                   targets = scores, verbose = verbose)
  with_background(chosen_model(train_by_entry(into, task), traits_of(into), task), task$data,
                  task$threads)
}

# The loss of the student: one row for each metric.
loss_report <- function(comparison) {
  rows <- lapply(names(comparison$values), function(metric) {
    pair <- comparison$pairs[comparison$pairs$metric == metric, ]
    against <- pairs_against(pair, "student", comparison$settings)
    means <- comparison$rankers[comparison$rankers$metric == metric, ]
    mean_of <- function(ranker) means$mean[means$ranker == ranker]
    data.frame(metric = metric, model = mean_of("model"), student = mean_of("student"),
               lost = against$difference, lower = against$lower, upper = against$upper,
               p = pair$p_t, queries = means$queries[1L])
  })
  do.call(rbind, rows)
}

# Number of pairs of documents that are compared at once.
max_compared_pairs <- 1e6

# The mean over queries of the fraction of pairs with different scores `a` that `b` orders alike.
same_order <- function(a, b, data, max_pairs = max_compared_pairs) {
  fractions <- vapply(seq_along(data$query_ids), function(q) {
    rows <- data$order[seq.int(data$offsets[q] + 1L, data$offsets[q + 1L])] + 1L
    block <- seq_along(rows) %/% max(1, max_pairs %/% length(rows))
    counts <- vapply(split(rows, block), function(some) {
      wanted <- sign(outer(a[some], a[rows], `-`))
      found <- sign(outer(b[some], b[rows], `-`))
      c(sum(wanted != 0), sum((wanted * found)[wanted != 0] + 1) / 2)
    }, numeric(2L))
    sum(counts[2L, ]) / sum(counts[1L, ])
  }, 0)
  known <- !is.nan(fractions)
  weight <- if (is.null(data$weight)) rep(1, length(fractions)) else data$weight
  sum((fractions * weight)[known]) / sum(weight[known])
}

#' @rdname distill
#' @export
predict.rankmix_distilled <- function(object, newdata, ...) {
  check_given(missing(newdata), "newdata")
  predict(object$student, newdata, ...)
}

#' @rdname distill
#' @export
tidy.rankmix_distilled <- function(x, ...) x$report

#' @rdname distill
#' @export
glance.rankmix_distilled <- function(x, ...) {
  data.frame(model = x$model, student = format(x$student$spec), queries = x$queries,
             documents = x$documents, held_out = x$held_out, same_order = x$same_order,
             level = x$level)
}

#' @rdname distill
#' @export
summary.rankmix_distilled <- function(object, ...) {
  check_no_others(...)
  paired <- object$comparison$values[[1L]]
  table <- data.frame(query = paired$query, model = paired$values[, "model"],
                      student = paired$values[, "student"])
  table$lost <- table$model - table$student
  table <- table[order(-table$lost), ]
  rownames(table) <- NULL
  table
}

#' @export
print.rankmix_distilled <- function(x, ...) {
  say("<distilled> ", format(x$student$spec), " from ", x$model)
  say(sprintf("Trained on %s of %s, measured on %s", counted(x$documents, "document"),
              counted(x$queries, "query", "queries"),
              counted(x$held_out, "other query", "other queries")))
  say(sprintf("Orders %.1f %% of the pairs of documents as the model does", 100 * x$same_order))
  report <- x$report
  say(sprintf("  %s  model %.4f, student %.4f, lost %+.4f (%+.4f to %+.4f)",
              format(report$metric), report$model, report$student, report$lost, report$lower,
              report$upper))
  invisible(x)
}
