#' SmoothRank
#'
#' Specifies a linear ranker that makes a smooth metric large by gradient descent, from a very
#' smooth one to one that is nearly the metric itself. To be trained by [fit()].
#'
#' @param metric What is made large on the training data, one that [loss_smooth()] takes. Larger
#'   cut-offs than that of the metric one is interested in tend to learn more.
#' @param start Where the weights start: `"ridge"`, [linear_ranker()] on gains; `"least_squares"`, the
#'   same without a penalty or an intercept, as published; `"zero"`; a specification of a linear
#'   ranker, such as [ranksvm()], which is trained first; a model of one; or numbers, one a feature.
#' @param centre What weights are pulled to: `NULL` for the start, `"zero"`, a model, or numbers.
#' @param schedule The \eqn{\sigma}{sigma} of each stage, see [loss_smooth()]; each stage begins where
#'   the one before ended.
#' @param penalty The penalty \eqn{\lambda}{lambda}, 0 or more. Several numbers give a path: a
#'   ranker for each.
#' @param choose Of several penalties: `"average"`, a ranker with the averages of their weights and
#'   those of the start; `"best"`, as published, the ranker of the penalty that is best on held-out
#'   queries.
#' @param adaptive Whether `schedule` is times the variance of the scores of the start within
#'   queries, and so does not depend on their scale.
#' @param scale `"none"`, or `"standard"`: the penalty is of the weights of features that are
#'   scaled to standard deviation 1.
#' @param form Of [metric_average_precision()], the `form` of [loss_smooth()].
#' @param iterations At most so many steps in a stage.
#' @param tolerance A stage ends where its last five steps have gained no more than this, in units
#'   of the mean of the metric over queries.
#' @param missing What stands for missing values, see [missing_values]: `"mean"`, `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... Must be empty.
#'
#' @details With the smooth metric \eqn{A_q}{A_q} of each query, its weight \eqn{\omega_q}{omega_q},
#'   or 1, and the centre \eqn{w_0}{w_0}, which is the start where nothing else is said,
#'   \deqn{\min_w \lambda |w - w_0|^2 - \sum_q \omega_q A_q(w, \sigma).}{
#'     min over w of lambda |w - w_0|^2 - sum over queries q of omega_q A_q(w, sigma).}
#'   It is a sum over queries: the same penalty is weaker for more of them. With a large
#'   \eqn{\sigma}{sigma} the metric is nearly constant, and w stays at the centre; the smaller it
#'   is, the nearer the sum is to the metric, which is flat with steps and has many local maxima. So
#'   the minimum is followed from stage to stage. Sigma is the square of a difference of scores (of
#'   `form = "logistic"` a difference): where scores of the start span much more or less than 1, set
#'   `adaptive = TRUE`.
#'
#'   Each stage is minimised by conjugate gradients (Polak and Ribiere, whose factor is not allowed
#'   below 0), with a line search for Wolfe's conditions. Steps along a line look at scores alone. A
#'   stage ends `"converged"`, by `tolerance`; `"limit"`, after `iterations`; or `"stalled"`, where
#'   no step is of use, or where all documents are so far from each other that there is no slope.
#'   With a small penalty weights grow slowly for ever: a smaller `tolerance` takes many more steps,
#'   which change their scale rather than the ranking.
#'   With weights of 0 all documents tie, and there is no slope either: there several points
#'   along the direction in which gains rise are tried, and the lowest is taken, if any is below.
#'   Penalties that are large keep the weights at the centre.
#'
#'   Queries that all rankings serve as well, such as those without a relevant document, have no
#'   part. Of several penalties validation data choose, by the metric of [fit()]; without them, as
#'   of [linear_ranker()], five parts of the training queries that are held out in turn. The first one wins
#'   a tie. A start that has a path of its own is chosen the same way; where there are too few
#'   queries for that, it is the middle of the path.
#'
#'   A few held-out queries can hardly tell good penalties apart, so that much is lost by a choice.
#'   With `choose = "average"` the weights \eqn{w_i}{w_i} of all penalties, and of the start, are
#'   added up, \deqn{w = \bar s \sum_i p_i w_i / s_i, \quad p_i \propto \exp(-b_i / e_i),}{
#'     w = s sum over i of p_i w_i / s_i, p_i proportional to exp(-b_i / e_i),}
#'   where \eqn{s_i}{s_i} is the standard deviation of their scores within held-out queries,
#'   \eqn{\bar s = \sum p_i s_i}{s the sum of p_i s_i}, \eqn{b_i}{b_i} how far their metric is
#'   behind the best one, and \eqn{e_i}{e_i} the standard error of that difference. Weights by
#'   which all held-out documents tie have no share.
#'
#'   Cost: a step takes two passes over the features and two or three evaluations of the metric, see
#'   [loss_smooth()]; there are some dozens of steps in a stage. Memory: a copy of the features, and some
#'   80 bytes a document and penalty. Rows are brought into an order by their content first. So the
#'   results are the same, bit for bit, for any order of the training rows and any number of threads.
#'
#' @return A value of class `rankmix_smoothrank`, a specification. [fit()] gives a ranker, with the
#'   weights of the features as they are by `coef()` and [tidy()]. Its `stages` are a data frame
#'   with a row for each stage: `sigma`, `status`, `steps`, `evaluations` of the metric, the
#'   `objective` and the mean of the smooth metric on the training data, `value`; `stage_weights`
#'   has the weights after each. `predict()` takes `stage`. Of several penalties `path` has the
#'   models of all, and `glance()` a row for each. Of an average `fractions` has the \eqn{p_i}{p_i};
#'   `stages` sums of the steps, the worst status, the mean `value` by shares, and no `objective`.
#' @section Conditions: `rankmix_error_start`: a start or a centre that is no linear ranker, or
#'   whose weights are not those of the features of the data. `rankmix_error_metric`: a metric that
#'   has no smooth form. `rankmix_error_one_grade`: all documents have the same grade.
#'   `rankmix_error_missing`: values are missing, with `missing = "error"`.
#'   `rankmix_warning_constant`: no query has documents of different grades, so that the weights
#'   are those of the centre.
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
  new_spec("smoothrank")
}

row_of_smoothrank <- function() {
  ranker_row(
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
    small = list(metric = metric_ndcg(5), start = linear_ranker(penalty = 0.1), penalty = 0.1,
                 schedule = c(8, 1), tolerance = 1e-12),
    # Where the slope is small, the lowest point is not sharp.
    tolerance = c(sparse = 1e-5, twice = 1e-5, zero = 1e-5)
  )
}

a_schedule <- function(x, name, call) {
  good <- is.numeric(x) && length(x) > 0L && all(is.finite(x)) && all(x > 0)
  if (!good) {
    stop_input("argument",
               sprintf("`%s` must hold numbers above 0, the sigma of each stage, not %s.", name,
                       show_value(x)), remedy = "Such as `2^(6:-6)`.", call = call)
  }
}

train_smoothrank <- function(spec, task) {
  data <- task$data
  of_queries <- identical(task$weights, row_weights(data))
  if (!of_queries) {
    stop_input("option", "`smoothrank()` takes no weights of documents, only of queries.",
               "A rank has one document.", "Train another ranker here.", call = task$call)
  }
  # Rounding errors of sums in another order would lead to another one of many minima.
  task$data <- join_equal_queries(data_by_content(data, task$threads))
  task$documents <- nrow(data$x)
  task$weights <- row_weights(task$data)
  data <- task$data
  weights <- if (is.null(data$weight)) rep(1, nrow(data$x)) else data$weight[data$query]
  start_of <- start_weights(spec$start, task)
  gains <- as.double(exponential_gain(data$relevance))
  runs <- if (chooses_by_parts(spec$penalty, task)) 1L + choosing_parts else 1L
  run <- 0L
  solve <- function(weights) {
    tell <- if (!is.null(task$progress)) {
      function(done, total) task$progress((run * total + done) / runs, total)
    }
    solved <- solve_smooth(spec, task, gains, weights, start_of(weights), tell)
    run <<- run + 1L
    solved
  }
  solved <- solve(as.double(weights))
  steps <- lapply(seq_along(spec$penalty), function(i) new_smoothrank(spec, solved, i, task))
  path <- new_path(steps, spec, vapply(spec$penalty, format, "", digits = 4))
  if (runs > 1L) choose_by_parts(path, task, as.double(weights), solve) else path
}

# `weights` are those of rows, 0 where their query is held out. What is returned has the last
# stage of each penalty in `weights`, and all of them in `all`.
solve_smooth <- function(spec, task, gains, weights, start, tell) {
  data <- task$data
  documents <- objective_documents(data, gains, numeric(),
                                   weights[match(seq_along(data$query_ids), data$query)])
  schedule <- spec$schedule
  if (spec$adaptive) schedule <- schedule * spread_of(start, data, weights, task$threads, spec)
  settled <- settled_objective(loss_smooth(spec$metric, 1, spec$form), data)
  settled$sigma <- as.double(schedule)
  centre <- fixed_weights(spec$centre, start, data, "centre", task$call)
  solved <- linear_smooth_path(data$x, settled, documents, weights, start, centre, spec$penalty,
                               spec$scale == "standard", spec$tolerance, spec$iterations,
                               task$threads, tell)
  stages <- length(schedule)
  list(weights = solved$weights[, seq_along(spec$penalty) * stages, drop = FALSE], all = solved,
       schedule = schedule, start = start, centre = centre,
       weight = objective_weight(settled, documents, task$threads))
}

# The variance of scores within queries, or of the logistic form their deviation; 1 where all
# tie.
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
#' @param object A model of [smoothrank()], trained by [fit()].
#' @param newdata As in [predict.rankmix_classifier()].
#' @param type `"score"` or `"rank"`.
#' @param stage After which stages; `NULL` for the last one. 0 is the start.
#' @param threads Number of threads; results do not depend on it.
#' @param ... Must be empty.
#'
#' @return For `"score"` the sum of the features times their weights, without a unit; for `"rank"`
#'   the rank within the query, 1 for the best, ties in row order. If `stage` has several numbers, a
#'   matrix with a column for each, which they name.
#' @section Conditions: As in [predict.rankmix_classifier()].
#' @export
predict.rankmix_smoothrank_model <- function(object, newdata, type = c("score", "rank"),
                                             stage = NULL, threads = NULL, ...) {
  check_no_others(...)
  check_given(missing(newdata), "newdata")
  check_chosen(object)
  type <- check_choice(type[1L], "type", c("score", "rank"))
  last <- nrow(object$stages)
  stages <- if (is.null(stage)) last else stage
  for (one in stages) check_count(one, "stage", min = 0, max = last)
  threads <- check_threads(threads)
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
