#' Bagging
#'
#' Specifies a ranker that is the mean of many members, each trained on a random sample of the documents.
#' Train
#' it with [fit()]. Use it for bases that overfit, such as deep trees.
#'
#' @param base The base ranker: a regression, such as [m5p()], [gbrt()] or [linear_ranker()].
#' @param times Number of members, each with its own sample; default 100.
#' @param fraction The mean fraction of the documents, or queries, in a sample, in (0, 1]; default 0.1.
#' @param feature_fraction The fraction of the features that a member uses, sampled anew for each member, in
#'   (0, 1];
#'   default 1. For [gbrt()], features are sampled for each tree, and the fraction is multiplied by the
#'   `feature_fraction` of [gbrt()].
#' @param replace Whether a document can be sampled several times. `TRUE`, the default, samples by a Poisson
#'   distribution with mean `fraction`, which is the bootstrap for many documents. `FALSE` samples each
#'   document
#'   at most once, with probability `fraction`.
#' @param by The sampling unit: `"document"` (the default), or `"query"` with all its documents.
#' @param ... Must be empty.
#'
#' @return A specification of class `rankmix_bagging`. [fit()] trains a ranker whose scores are on the scale
#'   of
#'   the target. The trained ranker stores its models in `members`. [tidy()] returns the mean
#'   gain, or weight, of each feature, if the members have gains or weights.
#' @examples
#' data <- simulate_ranking(60, features = 8, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(bagging(m5p(), times = 20, fraction = 0.5), parts$train, seed = 1, threads = 1)
#' model
#' summary(evaluate(model, parts$test, metric_ndcg(10)))
#' head(predict(model, parts$test, members = c(1, 5, 20)))
#'
#' @details With members \eqn{h_t}{h_t} of T samples the score is
#'   \deqn{F(x) = \frac1T \sum_{t=1}^T h_t(x).}{F(x) = sum_t h_t(x) / T.}
#'   A document sampled m times has m times its weight. Where `base` counts documents, as for
#'   `min_data_in_split`, the document counts once. If a sample is empty, all documents are used instead.
#'
#'   **Reproducibility.** The count of a document in a sample depends on the seed, the number of the sample,
#'   and the document's features and grade. For identical documents it also depends on the number of
#'   identical documents before it. The count does not depend on targets, other documents or row order. A ranker
#'   that consists of several regressions on the same documents uses the same samples for all of them.
#'   Samples of queries depend on the documents of the queries. Documents of weight 0 have no effect. Results are the
#'   same, bit for bit, for any number of threads.
#'
#'   **Random forest.** `bagging(gbrt(trees = 1, learning_rate = 1, num_leaves = 1000,
#'   min_data_in_leaf = 1), fraction = 1, feature_fraction =
#'   0.3)` is a random forest, except that features are sampled for each tree and not for
#'   each split.
#'
#'   **Paths.** Several settings of `base`, such as penalties of [linear_ranker()], give a path. Validation
#'   data
#'   choose one setting for all members. Without validation data, the best mean of the metric over the
#'   training queries decides. For this mean, each document is scored by the members whose samples do not contain it,
#'   or by all members if all samples contain it. Ties go to the first setting.
#'
#'   **Cost.** The cost is `times` the cost of a member, but bins are made only once. Trees of [m5p()] use only the
#'   documents of their samples, and grow side by side. Other members process all documents, one member after the
#'   other.
#'
#' @section Conditions: `rankmix_error_argument`: `base` is no regression, or does not support weights. And
#'   the
#'   conditions of `base`.
#' @references Breiman (1996). Bagging predictors. \doi{10.1007/BF00058655}
#'
#'   Breiman (2001). Random forests. \doi{10.1023/A:1010933404324}
#' @seealso [autoplot.rankmix_bagging_model()], [m5p()], [gbrt()], and [mixture()] for weighted rankers of
#'   different kinds
#' @export
bagging <- function(base, times = 100, fraction = 0.1, feature_fraction = 1, replace = TRUE,
                    by = "document", ...) {
  check_no_others(...)
  check_given(missing(base), "base", "Give the ranker that is trained on each sample, such as `m5p()`.")
  new_spec("bagging", base = base, times = times, fraction = fraction, feature_fraction = feature_fraction,
           replace = replace, by = by)
}

entry_of_bagging <- function() {
  registry_entry(
    "bagging",
    parameters = list(
      base = parameter(a_weighted_regression, show = "bare"),
      times = parameter(a_count(max = 1e6), show = "always"),
      fraction = parameter(a_fraction, show = "always", tune = c(0.1, 0.3, 1)),
      feature_fraction = parameter(a_fraction, tune = c(0.3, 1)),
      replace = parameter(a_flag), by = parameter(a_choice("document", "query"))
    ),
    traits = function(spec) {
      of_base <- c("path", "missing", "weights", "real_relevance", "sparse", "one_grade",
                   # A sampled query has one weight, so document weights need samples of documents.
                   if (is.null(spec) || spec$by == "document") "document_weights")
      c("random", "regression", "validation",
        if (is.null(spec)) of_base else intersect(traits_of(spec$base), of_base))
    },
    parts = function(spec) list(spec$base),
    steps = function(spec) spec$times,
    train = train_bagging,
    tolerance = c(sparse = 1e-12),
    exempt = c(twice = "A query and its copy are sampled separately.")
  )
}

a_weighted_regression <- function(x, name, call) {
  if (!is_specification(x) || !has_trait(x, "regression") || !has_trait(x, "weights")) {
    stop_input("argument", sprintf("`%s` must be a regression that supports weights, not %s.", name,
                                   if (is_specification(x)) format(x) else show_value(x)),
               remedy = c(data_elsewhere(x),
                          sprintf("For example %s.", enumerate(rankers_with("regression"), 10L))),
               call = call)
  }
}

train_bagging <- function(spec, task) {
  # Missing values are filled once for all members.
  train_by_entry(spec$base, task, function(base, filled) {
    filled$bins <- made_once(filled$bins)
    bag <- bag_of(spec, filled)
    members <- if (spec_name(base) == "m5p") train_bag_m5p(spec, filled, bag) else {
      train_bag(spec, filled, bag)
    }
    # Model i of the path of the result combines model i of the paths of all members.
    of_first <- model_steps(members[[1L]])
    steps <- lapply(seq_along(of_first), function(i) {
      own <- spec
      own$base <- of_first[[i]]$spec
      own$base[given_by_bag(base)] <- base[given_by_bag(base)]
      new_bagging(own, lapply(members, function(member) model_steps(member)[[i]]), bag, filled)
    })
    path <- new_path(steps, spec, names(members[[1L]]$path))
    if (chooses_by_parts(steps, filled)) choose_out_of_bag(path, bag, filled) else path
  })
}

made_once <- function(bins) {
  force(bins)
  made <- NULL
  function(spec) {
    if (is.null(made)) made <<- bins(spec)
    made
  }
}

# The samples of a task: `counts(i)`, the count of each document in sample i, and `columns(i)`, the
# features that member i uses, or NULL.
bag_of <- function(spec, task) {
  weights <- as.double(task$weights)
  data <- task$data
  keys <- bag_start(data$x, relevance_marks(data), as.integer(data$query), weights,
                    spec$by == "query", task$threads)
  drawn <- unclass(spec)
  list(
    keys = keys, weights = weights,
    counts = function(i) bag_draw(keys, weights, drawn, task$seed, i - 1L),
    columns = function(i) {
      if (spec$feature_fraction < 1 && length(given_by_bag(spec$base)) == 0L) {
        bag_columns(ncol(data$x), drawn, task$seed, i - 1L)
      }
    }
  )
}

# The setting of the base that samples features, if there is one. The bag sets it.
given_by_bag <- function(base) intersect("feature_fraction", names(base))

train_bag_m5p <- function(spec, task, bag) {
  base <- spec$base
  targets <- as.double(targets_of(task, base$target))
  sizes <- base$min_data_in_split
  grown <- lapply(seq_along(sizes), function(k) {
    base$min_data_in_split <- sizes[k]
    progress <- if (!is.null(task$progress)) {
      function(done, total) task$progress((k - 1 + done / total) * total / length(sizes), total)
    }
    trees <- m5p_grow_bag(bag$keys, task$data$x, if (is.finite(base$max_bin)) task$bins(base),
                          targets, bag$weights, unclass(base), unclass(spec), task$seed,
                          task$threads, progress)
    lapply(trees, new_m5p, spec = base, task = task)
  })
  lapply(seq_len(spec$times), function(i) {
    new_path(lapply(grown, `[[`, i), base, plain_number(sizes))
  })
}

train_bag <- function(spec, task, bag) {
  base <- spec$base
  own <- given_by_bag(base)
  base[own] <- lapply(base[own], `*`, spec$feature_fraction)
  lapply(seq_len(spec$times), function(i) {
    weights <- bag$counts(i)
    if (length(bag$weights) > 0L) weights <- weights * bag$weights
    part <- part_task(task, task$targets, weights, seed = derived_seed(task$seed, "bagging", i))
    columns <- bag$columns(i)
    if (!is.null(columns)) part <- some_features(part, columns)
    member <- as_member(entry_of(base)$train(base, part), columns)
    if (!is.null(task$progress)) task$progress(i, spec$times)
    member
  })
}

some_features <- function(task, columns) {
  data <- task$data
  data$x <- data$x[, columns, drop = FALSE]
  data$features <- data$features[columns]
  task$data <- data
  task$bins <- function(spec) bins_of(spec, data, task$threads)
  task
}

# The model with all its rounds, and with the positions of its features.
as_member <- function(model, columns) {
  if (!is.null(model$path)) {
    model$path[] <- lapply(model$path, as_member, columns)
  } else {
    model$best_rounds <- rounds_used(model)
  }
  model$seen <- columns
  model
}

new_bagging <- function(spec, members, bag, task) {
  structure(
    c(list(spec = spec), schema_of(task$data),
      list(members = members, documents = nrow(task$data$x), grades = task$classes,
           seed = task$seed, best_rounds = 1L)),
    class = c("rankmix_bagging_model", "rankmix_ranker")
  )
}

# Scores each document by the members whose samples lack it, or by all if none lacks it.
choose_out_of_bag <- function(path, bag, task) {
  metric <- if (is.null(task$metric)) metric_ndcg(10) else task$metric
  data <- task$data
  times <- length(path$path[[1L]]$members)
  by_all <- by_unseen <- matrix(0, nrow(data$x), length(path$path))
  outside <- numeric(nrow(data$x))
  # Each sample is drawn once for all steps.
  for (i in seq_len(times)) {
    out <- bag$counts(i) == 0
    outside <- outside + out
    for (k in seq_along(path$path)) {
      values <- bagged_values(path$path[[k]]$members[[i]], data$x, task$threads)
      by_all[, k] <- by_all[, k] + values
      by_unseen[out, k] <- by_unseen[out, k] + values[out]
    }
  }
  scores <- by_all / times
  unseen <- outside > 0
  scores[unseen, ] <- by_unseen[unseen, ] / outside[unseen]
  choose_step_by(path, metric, metric_means(metric, scores, data, task$threads))
}

bagged_values <- function(member, x, threads) {
  if (!is.null(member$seen)) x <- x[, member$seen, drop = FALSE]
  rounds <- rounds_used(member)
  f <- discriminants(member, x, rounds, threads)
  sum_scores(member, discriminant_slice(f, 1L), rounds)
}

# The means over the first members: one column for each entry of `counts`.
bag_means <- function(model, x, counts, threads) {
  sums <- numeric(nrow(x))
  means <- matrix(0, nrow(x), length(counts))
  for (i in seq_len(max(counts))) {
    sums <- sums + bagged_values(model$members[[i]], x, threads)
    for (k in which(counts == i)) means[, k] <- sums / i
  }
  means
}

#' @export
discriminants.rankmix_bagging_model <- function(model, x, rounds, threads) {
  check_chosen(model, NULL)
  check_data_traits(model$spec, x, call = NULL)
  array(bag_means(model, x, length(model$members), threads), c(nrow(x), 1L, length(rounds)))
}

#' Predict with a bagged ranker
#'
#' Averages the scores of the members for new documents.
#'
#' @param object The model, trained by [fit()] from [bagging()].
#' @param newdata The documents: ranking data, a matrix or a data frame, see [predict].
#' @param type The result: `"score"` (the default) or `"rank"`.
#' @param members The first members to use, as a number. With several numbers, the result has a column for each number.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#' @return The mean of the members' scores for each document, or its rank within the query, 1 for
#'   the best, ties in row order. If `members` has several numbers, the result is a matrix with these numbers as names
#'   of columns.
#' @section Conditions: `rankmix_error_argument`: `members` exceeds the number of members. And the conditions of
#'   [predict.rankmix_classifier()].
#' @examples
#' data <- simulate_ranking(60, features = 8, seed = 1)$data
#' model <- fit(bagging(m5p(), times = 20, fraction = 0.5), data, seed = 1, threads = 1)
#' head(predict(model, data, members = c(1, 20)))
#' @export
predict.rankmix_bagging_model <- function(object, newdata, type = c("score", "rank"),
                                          members = length(object$members), threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  check_chosen(object)
  type <- check_score_type(type[1L], c("score", "rank"))
  if (length(members) == 0L) check_count(members, "members")
  for (count in members) check_count(count, "members", max = length(object$members))
  threads <- check_threads(threads)
  if (is_source(newdata)) {
    return(predict_source(object, newdata, type, threads, function(data) {
      predict(object, data, type = if (type == "rank") "score" else type, members = members, threads = threads)
    }))
  }
  asking_model(object, {
    x <- match_features(newdata, object, threads)
    if (needs_filling(object$filling, x)) x <- fill_features(object$filling, x, threads)
    check_data_traits(object$spec, x)
    values <- bag_means(object, x, members, threads)
    columns <- lapply(seq_along(members), function(k) {
      if (type == "rank") rank_within_queries(values[, k], newdata, model = object) else values[, k]
    })
    if (length(members) == 1L) {
      return(columns[[1L]])
    }
    do.call(cbind, stats::setNames(columns, plain_number(members)))
  })
}

# The mean importance of each feature over the members, as in tidy().
#' @export
tidy.rankmix_bagging_model <- function(x, ...) {
  check_chosen(x)
  times <- length(x$members)
  tables <- lapply(x$members, function(member) {
    if (is.null(member$seen)) member$features <- input_names(x)
    tidy(member)
  })
  all <- do.call(rbind, tables)
  value <- intersect(c("gain", "weight"), names(all))[1L]
  if (is.na(value)) {
    return(data.frame())
  }
  feature <- factor(all$feature, c(input_names(x), "(Intercept)"))
  sum_of <- function(values) as.vector(tapply(values, feature, sum, default = 0))
  table <- data.frame(feature = levels(feature))
  table[[value]] <- sum_of(all[[value]]) / times
  if (value == "gain") {
    table$fraction <- table$gain / max(sum(table$gain), 1e-300)
    table$used <- as.integer(sum_of(all$used))
    table <- table[order(-table$gain), ]
  }
  table <- table[table$feature %in% all$feature, ]
  rownames(table) <- NULL
  table
}

#' @export
glance.rankmix_bagging_model <- function(x, ...) {
  row <- data.frame(base = format(x$spec$base), times = length(x$members), fraction = x$spec$fraction,
                    features = length(x$features), documents = x$documents)
  if (!is.null(x$metric)) {
    row$metric <- format(x$metric)
    row$value <- x$value
  }
  row
}

#' @export
print.rankmix_bagging_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  say(sprintf("%s, %s, %s", counted(length(x$members), "member"),
              counted(length(x$features), "feature"), counted(x$documents, "document")))
  say_filling(x)
  invisible(x)
}
