#' SmoothRank
#'
#' Specifies a linear ranker that maximises a smoothed metric by gradient methods, first with much smoothing,
#' finally with little. [fit()] trains it.
#'
#' @param metric The metric to maximise on the training data, as in [loss_smooth()]; default
#'   `metric_ndcg(50)`. A larger cut-off than the cut-off of interest often gives a better ranker.
#' @param start The initial weights. `"ridge"` (the default): [linear_ranker()] on gains.
#'   `"least_squares"`: the same without penalty and intercept, as published. `"zero"`. Or the
#'   specification of a linear ranker, such as [ranksvm()], which is trained first; a trained linear model;
#'   or one number per feature.
#' @param centre The weights to which the penalty shrinks: `NULL` for the start (the default), `"zero"`, a
#'   model, or numbers.
#' @param schedule The \eqn{\sigma}{sigma} of each stage, see [loss_smooth()]. The default is
#'   `2^(6:-6)`, from much smoothing (64) to little (1/64).
#' @param penalty The penalty \eqn{\lambda}{lambda}, 0 or more. Larger values keep weights nearer to the
#' centre. Several numbers give a path with a ranker for each penalty. The default is the path `10^(-6:3)`.
#' @param choose The choice among several penalties. `"average"` (the default): one ranker with the average
#'   of their weights and the start. `"best"`, as published: the ranker that is best on validation queries.
#' @param adaptive Whether `schedule` is multiplied by the variance of the start's scores within queries,
#'   so that widths do not depend on the scale of scores; default `FALSE`. Use `TRUE` if the start's scores
#'   span much more or less than 1.
#' @param scale The scaling of features: `"none"` (the default), or `"standard"`: the penalty applies to
#'   the weights of features scaled to standard deviation 1.
#' @param form The `form` of [loss_smooth()]: `"places"` (the default), or `"logistic"`, only for
#'   [metric_average_precision()] of whole lists.
#' @param iterations Number of steps in a stage, at most; default 200.
#' @param tolerance The smallest gain of the last five steps, in units of the mean metric over queries;
#'   default 1e-4. A stage ends if the last five steps gain no more than this. Smaller values take more steps.
#'   From 0 to 1.
#' @param missing The treatment of missing values, see [missing_values]: `"mean"` (the default), `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @details \eqn{A_q}{A_q} is the smoothed metric of a query, \eqn{\omega_q}{omega_q} its weight, or 1, and
#'   \eqn{w_0}{w_0} the centre. The objective is
#'   \deqn{\min_w \lambda |w - w_0|^2 - \sum_q \omega_q A_q(w, \sigma).}{
#'     min over w of lambda |w - w_0|^2 - sum over queries q of omega_q A_q(w, sigma).}
#'   So the same penalty has less effect with more queries. With a large \eqn{\sigma}{sigma} the metric is
#'   nearly constant, and w stays at the centre. With a small sigma, the smoothed metric is close to the
#'   metric itself, which is piecewise constant and has many local maxima. So the minimum is followed from
#'   stage to stage. Sigma has the unit of a squared difference of scores, or with `"logistic"` of a difference.
#'
#'   Each stage is minimised by conjugate gradients (Polak and Ribiere, with a nonnegative factor) and a
#'   line search for the Wolfe conditions. A stage ends `"converged"` by `tolerance`, `"limit"` after
#'   `iterations`, or `"stalled"`. A stage stalls if no step improves, or if all documents are so far apart that
#'   the gradient is 0. With a small penalty, weights keep growing slowly. A smaller `tolerance` then takes many
#'   more steps, which change the scale rather than the ranking. With weights of 0 all documents tie, and the
#'   gradient is 0 too. Several points in the direction of rising gains are then tried, and the best is taken if
#'   it improves.
#'
#'   Queries for which all rankings are equally good, such as those without a relevant document, have no
#'   effect. Validation data choose among several penalties, by the metric of [fit()]. Without validation
#'   data, five-fold cross-validation over training queries chooses, as in [linear_ranker()]. Ties go to the
#'   first penalty. If the start has a path, one of its rankers is chosen in the same way. With too
#'   few queries, the middle of the path is used.
#'
#'   With few validation queries, good and bad penalties can hardly be distinguished. So the choice of one
#'   penalty is often bad. With `choose = "average"` the weights \eqn{w_i}{w_i} of all penalties and of the
#'   start are averaged: \deqn{w = \bar s \sum_i p_i w_i / s_i, \quad p_i \propto \exp(-b_i / e_i),}{
#'     w = s sum over i of p_i w_i / s_i, p_i proportional to exp(-b_i / e_i),}
#'   where \eqn{s_i}{s_i} is the standard deviation of their scores within validation queries and
#'   \eqn{\bar s = \sum p_i s_i}{s the sum of p_i s_i}. \eqn{b_i}{b_i} is the difference of their metric
#'   from the best one, and \eqn{e_i}{e_i} its standard error. Weights with which all validation documents
#'   tie are left out.
#'
#'   Cost: a step takes two passes over the features and two or three evaluations of the metric, see
#'   [loss_smooth()]. A stage has some dozens of steps, and more with more features. The start costs as much as
#'   [linear_ranker()]. Memory: a copy of the features, and about 80 bytes per document and penalty. Rows are
#'   first sorted by content. Results are thus identical, bit for bit, for any order of the training rows and
#'   any number of threads.
#'
#' @return A specification of class `rankmix_smoothrank`, for [fit()]. `coef()` and [tidy()] return the weights of the
#'   unscaled features. `stages` of the model is a data frame with a row for each stage: `sigma`, `status`, `steps`,
#'   `evaluations` of the metric, the `objective`, and the mean smoothed metric on the training data, `value`.
#'   `stage_weights` has the weights after each stage. `predict()` has the argument `stage`. For several penalties
#'   `path` has all models, and `glance()` a row for each. For an average, `fractions` has the \eqn{p_i}{p_i}, and
#'   `stages` has sums of steps, the worst status, the weighted mean of `value`, and no `objective`.
#' @section Conditions: `rankmix_error_start`: a start or a centre that is not a linear ranker, or
#'   whose weights do not match the features of the data. `rankmix_error_metric`: a metric without
#'   a smoothed form. `rankmix_error_one_grade`: all documents have the same grade.
#'   `rankmix_error_missing`: values are missing, with `missing = "error"`.
#'   `rankmix_warning_constant`: no query has documents of different grades, so that the weights
#'   stay at the centre. `rankmix_warning_pairs`: a query has more than 5,000 documents, and a stage of all penalties
#'   visits more than 300 million pairs. A stage is counted as 100 evaluations of the metric.
#' @references Chapelle and Wu (2010). Gradient descent optimization of smoothed information
#'   retrieval metrics. \doi{10.1007/s10791-009-9110-3}
#' @seealso [loss_smooth()], [coordinate_ascent()], [autoplot.rankmix_smoothrank_model()]
#' @examples
#' data <- simulate_ranking(60, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(smoothrank(penalty = 10^(-3:1)), parts$train, parts$test, threads = 1)
#' model
#' model$stages
#' head(predict(model, parts$test, stage = 1))
#' @export
smoothrank <- function(metric = metric_ndcg(50), start = "ridge", centre = NULL, schedule = 2^(6:-6),
                       penalty = 10^(-6:3), choose = "average", adaptive = FALSE, scale = "none",
                       form = "places", iterations = 200, tolerance = 1e-4, missing = "mean",
                       ...) {
  check_no_others(...)
  new_spec("smoothrank", metric = metric, start = start, centre = centre, schedule = schedule,
           penalty = penalty, choose = choose, adaptive = adaptive, scale = scale, form = form,
           iterations = iterations, tolerance = tolerance, missing = missing)
}

entry_of_smoothrank <- function() {
  registry_entry(
    "smoothrank",
    parameters = list(
      metric = parameter(function(x, name, call) smooth_metric(x, call), show = "bare"),
      start = parameter(a_start), centre = parameter(null_or(a_centre)),
      schedule = parameter(a_schedule),
      penalty = parameter(a_path_of(a_number(0, Inf)), tune = 10^(-6:3)),
      choose = parameter(a_choice("average", "best")),
      adaptive = parameter(a_flag), scale = parameter(a_choice("none", "standard")),
      form = parameter(a_choice(smooth_forms)),
      iterations = parameter(a_count(max = 1e6)), tolerance = parameter(a_number(0, 1)),
      missing = filling_parameter()
    ),
    traits = c("path", "validation", "weights", "sparse"),
    path = "penalty",
    complete = function(spec, call) {
      spec$metric <- smooth_metric(spec$metric, call)
      check_form(spec$metric, spec$form, call)
      spec$penalty <- as.double(spec$penalty)
      spec
    },
    steps = function(spec) length(spec$schedule),
    train = train_smoothrank,
    # A small gradient does not mean that the weights are near the minimum, because the minimum is
    # flat.
    tolerance = c(sparse = 1e-5),
    exempt = c(twice = "Sums are rounded differently, so a stage can end a step earlier or later.")
  )
}

a_schedule <- function(x, name, call) {
  good <- is_plain_number(x) && length(x) > 0L && all(is.finite(x)) && all(x > 0)
  if (!good) {
    stop_input("argument",
               sprintf("`%s` must be numbers above 0, the sigma of each stage, not %s.", name,
                       show_value(x)), remedy = "For example `2^(6:-6)`.", call = call)
  }
}

train_smoothrank <- function(spec, task) {
  data <- task$data
  of_queries <- identical(task$weights, row_weights(data))
  if (!of_queries) {
    stop_input("option", "`smoothrank()` supports weights of queries, not of documents.",
               "A rank has one document.", "Train another ranker here.", call = task$call)
  }
  # Another order of sums has other rounding errors, which would lead to another local minimum.
  task$data <- join_equal_queries(data_by_content(data, task$threads))
  task$documents <- nrow(data$x)
  task$weights <- row_weights(task$data)
  data <- task$data
  weights <- if (is.null(data$weight)) rep(1, nrow(data$x)) else data$weight[data$query]
  start_of <- start_weights(spec$start, task)
  runs <- if (chooses_by_parts(spec$penalty, task)) 1L + choosing_parts else 1L
  run <- 0L
  solve <- function(weights) {
    report_progress <- if (!is.null(task$progress)) {
      function(done, total) task$progress((run * total + done) / runs, total)
    }
    own <- task
    own$data <- weighted_queries(with_row_weights(data, weights))
    solved <- solve_smooth(spec, own, start_of(own$data), report_progress)
    run <<- run + 1L
    solved
  }
  solved <- solve(as.double(weights))
  steps <- lapply(seq_along(spec$penalty), function(i) new_smoothrank(spec, solved, i, task))
  path <- new_path(steps, spec, vapply(spec$penalty, number_text, "", digits = 4))
  if (runs > 1L) choose_by_parts(path, task, as.double(weights), solve) else path
}

# The result has the last stage of each penalty in `weights`, and all stages in `all`.
solve_smooth <- function(spec, task, start, report_progress) {
  data <- task$data
  weights <- data$weight[data$query]
  gains <- as.double(exponential_gain(data$relevance))
  documents <- objective_documents(data, gains, numeric(), data$weight)
  schedule <- spec$schedule
  if (spec$adaptive) schedule <- schedule * spread_of(start, data, weights, task$threads, spec)
  settled <- settled_objective(loss_smooth(spec$metric, 1, spec$form), data)
  settled$sigma <- as.double(schedule)
  centre <- fixed_weights(spec$centre, start, data, "centre", task$call)
  solved <- linear_smooth_path(data$x, settled, documents, weights, start, centre, spec$penalty,
                               spec$scale == "standard", spec$tolerance, spec$iterations,
                               task$threads, report_progress)
  stages <- length(schedule)
  list(weights = solved$weights[, seq_along(spec$penalty) * stages, drop = FALSE], all = solved,
       schedule = schedule, start = start, centre = centre,
       weight = objective_weight(settled, documents, task$threads))
}

# The variance of scores within queries; for the logistic form, their standard deviation. 1 if all
# scores tie.
spread_of <- function(start, data, weights, threads, spec) {
  f <- linear_predict(data$x, cbind(start), 0, threads)[, 1L]
  counted <- weights > 0
  means <- (rowsum(f, data$query) / as.vector(rowsum(rep(1, length(f)), data$query)))[data$query]
  variance <- sum((weights * (f - means)^2)[counted]) / sum(weights[counted])
  if (!(variance > 0)) return(1)
  if (spec$form == "logistic") sqrt(variance) else variance
}

new_smoothrank <- function(spec, solved, i, task) {
  stages <- length(spec$schedule)
  at <- (i - 1L) * stages + seq_len(stages)
  spec$penalty <- spec$penalty[i]
  all <- solved$all
  structure(
    c(list(spec = spec), schema_of(task$data),
      list(weights = solved$weights[, i], start = solved$start, centre = solved$centre,
           scale = all$scale, stage_weights = all$weights[, at, drop = FALSE],
           stages = data.frame(
             stage = seq_len(stages), sigma = solved$schedule, status = all$status[at],
             steps = all$steps[at], evaluations = all$evaluations[at],
             objective = all$objective[at],
             value = if (solved$weight > 0) all$metric[at] / solved$weight else 0
           ),
           documents = task$documents, grades = task$classes, best_rounds = 1L)),
    class = c("rankmix_smoothrank_model", "rankmix_linear_model", "rankmix_ranker")
  )
}

#' Predict with SmoothRank
#'
#' Scores or ranks new documents by the weights of a stage.
#'
#' @param object A model of [smoothrank()], trained by [fit()].
#' @param newdata The data to predict, as in [predict.rankmix_classifier()].
#' @param type The result: `"score"` (the default) or `"rank"`.
#' @param stage The numbers of the stages after which to predict. `NULL` is the last one, 0 the start.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return For `"score"` the sum of the features times their weights, without a unit. For `"rank"`
#'   the rank within the query, 1 for the best, ties in row order. With several numbers in `stage`, a
#'   matrix with a named column for each.
#' @section Conditions: As in [predict.rankmix_classifier()].
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(smoothrank(start = linear_ranker(penalty = 1), penalty = 1, schedule = c(8, 1)), train,
#'              threads = 1, verbose = FALSE)
#' # Scores after the first stage, and after the last.
#' head(cbind(first = predict(model, test, stage = 1), last = predict(model, test)))
#' @export
predict.rankmix_smoothrank_model <- function(object, newdata, type = c("score", "rank"),
                                             stage = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  check_chosen(object)
  type <- check_score_type(type[1L], c("score", "rank"))
  last <- nrow(object$stages)
  stages <- if (is.null(stage)) last else stage
  for (one in stages) check_count(one, "stage", min = 0, max = last)
  threads <- check_threads(threads)
  if (is_source(newdata)) {
    return(predict_source(object, newdata, type, threads, function(data) {
      predict(object, data, type = if (type == "rank") "score" else type, stage = stage, threads = threads)
    }))
  }
  asking_model(object, {
    x <- match_features(newdata, object, threads)
    if (needs_filling(object$filling, x)) x <- fill_features(object$filling, x, threads)
    check_data_traits(object$spec, x, call = rlang::current_env())
    weights <- cbind(object$start, object$stage_weights)[, stages + 1, drop = FALSE]
    scores <- linear_predict(x, weights, numeric(length(stages)), threads)
    if (type == "rank") {
      call <- rlang::current_env()
      scores <- apply(scores, 2L, rank_within_queries, newdata, call, object)
    }
    if (length(stages) == 1L) {
      return(as.vector(scores))
    }
    colnames(scores) <- stages
    scores
  })
}

#' @export
glance.rankmix_smoothrank_model <- function(x, ...) {
  stages <- x$stages
  last <- nrow(stages)
  row <- data.frame(
    penalty = x$spec$penalty, stages = last, sigma = stages$sigma[last],
    status = stages$status[last], objective = stages$objective[last],
    training = stages$value[last], steps = sum(stages$steps),
    evaluations = sum(stages$evaluations), features = length(x$features),
    documents = x$documents
  )
  if (!is.null(x$metric)) {
    row$metric <- format(x$metric)
    row$value <- x$value
  }
  row
}

#' @export
print.rankmix_smoothrank_model <- function(x, ...) {
  stages <- x$stages
  say("<ranker> ", format(x$spec))
  status <- table(factor(stages$status, c("converged", "stalled", "limit")))
  status <- status[status > 0L]
  say(sprintf("%d features, %s documents; smooth %s %.4f, after %s (%s), %d steps",
              length(x$features), format_count(x$documents), format(x$spec$metric),
              stages$value[nrow(stages)], counted(nrow(stages), "stage"),
              paste(sprintf("%d %s", status, names(status)), collapse = ", "),
              sum(stages$steps)))
  say_filling(x)
  invisible(x)
}
