#' Networks
#'
#' Specifies a neural network ranker. `ranknet()` learns from pairs of documents, `listnet()` from
#' lists, `network_ranker()` with any objective. The usual alternative is [lambdamart()].
#'
#' @param objective The loss: [loss_softmax()] (the default), [loss_pairwise()], [loss_list_mle()],
#'   [loss_squared()], [loss_smooth()], [loss_lambda()], [loss_xendcg()], [loss_query_rmse()] or
#'   [loss_ordinal()].
#' @param hidden Number of units of each hidden layer: 1 to 8 layers of up to 4096 units; default `c(64,
#'   32)`, for `ranknet()` 10. Without hidden layers use [linear_ranker()].
#' @param epochs Number of epochs, at most; default 100. Validation data choose how many are used, see
#'   [fit()].
#' @param batch_size Number of queries in a batch. The default `NULL` is 32, or a tenth of the training
#'   queries (at least 1) if these are fewer than 320. With fewer than 10 batches an epoch, 100 epochs
#'   leave the weights near their random start.
#' @param learning_rate The learning rate: about how much a batch changes a weight. Smaller values need
#'   more epochs. Above 0; default 0.001.
#' @param weight_decay The weight decay: each batch shrinks the weights by the fraction `learning_rate *
#'   weight_decay`. Larger values regularize more. 0 or more; default 0.01.
#' @param dropout The fraction of hidden units left out in training, sampled anew for each document and
#'   batch. In \[0, 1); default 0. Predictions use all units.
#' @param normalize The normalization of units to mean 0 and variance 1 before their activation.
#'   `"none"` is the default. `"batch"` normalizes each unit over the documents of a batch. `"layer"`
#'   normalizes each document over the units of a layer.
#' @param activation The activation of a unit with input z: `"relu"`, max(0, z), the default; `"tanh"`; or
#'   `"logistic"`, 1 / (1 + exp(-z)).
#' @param log1p Whether a feature x is transformed to \eqn{\mathrm{sign}(x) \log(1 + |x|)}{sign(x) log(1 +
#'   |x|)} first; default `FALSE`. Use it for skewed counts and lengths.
#' @param missing The treatment of missing values, see [missing_values]: `"mean"` (the default), `"zero"`,
#'   `"indicator"` or `"error"`.
#' @param ... For `ranknet()` and `listnet()`: other settings of `network_ranker()`. Otherwise it must
#'   be empty.
#'
#' @return A specification of class `rankmix_network_ranker`, for [fit()]. `values` of the ranker is
#'   the mean objective of each epoch, measured before each update, or `NA` for [loss_lambda()]. `status` is `"limit"`,
#'   `"stopped"` (by `patience`) or `"stalled"` (no score changes the objective). `tidy()` returns, for each feature in
#'   standard deviations, the Euclidean norm of its weights in the first layer.
#' @examples
#' data <- simulate_ranking(60, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' spec <- network_ranker(hidden = 16, epochs = 50, learning_rate = 0.01)
#' model <- fit(spec, parts$train, parts$test, seed = 1, threads = 1)
#' model
#' ranknet(hidden = c(10, 10))
#'
#' @details **Layers.** Features are scaled to mean 0 and standard deviation 1 on the weighted training
#'   data; constant features are ignored. With the scaled features \eqn{a_0}{a_0} and activation
#'   \eqn{\phi}{phi}, layer l computes \eqn{a_l = \phi(W_l a_{l-1} + b_l)}{a_l = phi(W_l a_{l-1} +
#'   b_l)}. With a normalization, the layer computes
#' \deqn{a_l = \phi(\gamma_l n_l + \beta_l), \quad n_l = \frac{z_l - m_l}{\sqrt{v_l + 10^{-5}}},
#'   \quad z_l = W_l a_{l-1} + b_l,}{
#'   a_l = phi(gamma_l n_l + beta_l), n_l = (z_l - m_l) / sqrt(v_l + 1e-5),
#'   z_l = W_l a_{l-1} + b_l,}
#' with the means \eqn{m_l}{m_l} and variances \eqn{v_l}{v_l} of the batch or layer. Batch normalization
#' has no \eqn{b_l}{b_l}, and predictions use running means of \eqn{m_l}{m_l} and \eqn{v_l}{v_l}. In these
#' means, a new batch has a weight of at least 0.1. The score is \eqn{w a_L + c}{w a_L + c}.
#'
#' **Training.** The optimizer is Adam with decoupled weight decay of the W and w (AdamW), with rates
#' 0.9 and 0.999, bias correction and \eqn{10^{-8}}{1e-8} in the denominator. The gradient of a batch is
#' multiplied by the number of batches. The objective is divided by its total weight: the number of
#' pairs, queries or documents, with weights. Each epoch assigns the queries to batches anew. Starting
#' weights are uniform within \eqn{\pm\sqrt{6 / i}}{+-sqrt(6 / i)} of i inputs for `"relu"`. For other
#' activations and for the score they are within \eqn{\pm\sqrt{6 / (i + u)}}{+-sqrt(6 / (i + u))} of u
#' units.
#'
#' **Reproducibility.** Models are identical, bit for bit, for any number of threads and order of rows.
#' Weights, features and units are in single precision. An objective with random numbers draws them once
#' an epoch. The batches depend on the weights: equal weights do not give exactly the model without weights, and a
#' query of weight 2 is not exactly two copies.
#'
#' **Memory and cost.** A model keeps the weights after each epoch, for `rounds` of `predict()`. The weights take 8
#' bytes for each weight and epoch in memory, and 4 bytes in a file. A network with 136 features and `c(64, 32)`
#' has 10,881 weights, which take 9 MB for 100 epochs. Training makes a dense copy of the features with 4 bytes a
#' value, also for sparse data. An epoch takes about 6 operations for each document and weight, plus the evaluation
#' of the objective.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: a setting that is not allowed, such as `hidden = 0`.
#' * `rankmix_error_one_grade`: the objective does not depend on the order of documents in any query.
#' * `rankmix_error_constant`: all features are constant.
#' * `rankmix_error_diverged`: scores or weights are no longer finite.
#' * `rankmix_error_missing`: values are missing, with `missing = "error"`.
#' @references Burges et al. (2005). Learning to rank using gradient descent.
#'   \doi{10.1145/1102351.1102363}
#'
#'   Cao, Qin, Liu, Tsai and Li (2007). Learning to rank: from pairwise approach to listwise
#'   approach. \doi{10.1145/1273496.1273513}
#'
#'   Kingma and Ba (2015). Adam: a method for stochastic optimization. arXiv 1412.6980
#'
#'   Loshchilov and Hutter (2019). Decoupled weight decay regularization. arXiv 1711.05101
#' @export
network_ranker <- function(objective = loss_softmax(), hidden = c(64, 32), epochs = 100, batch_size = NULL,
                    learning_rate = 0.001, weight_decay = 0.01, dropout = 0, normalize = "none",
                    activation = "relu", log1p = FALSE, missing = "mean", ...) {
  check_no_others(...)
  new_spec("network_ranker", objective = objective, hidden = hidden, epochs = epochs, batch_size = batch_size,
           learning_rate = learning_rate, weight_decay = weight_decay, dropout = dropout,
           normalize = normalize, activation = activation, log1p = log1p, missing = missing)
}

#' @rdname network_ranker
#' @export
ranknet <- function(hidden = 10, ...) {
  network_of(loss_pairwise("logistic"), hidden, list(...), ranknet)
}

#' @rdname network_ranker
#' @export
listnet <- function(hidden = c(64, 32), ...) {
  network_of(loss_softmax(), hidden, list(...), listnet)
}

# A network with a fixed objective. `variant` is the function that the user called.
network_of <- function(objective, hidden, others, variant, call = rlang::caller_env()) {
  check_variant_settings(others, variant, network_ranker, "objective", function(value) {
    ours <- our_objective(value)
    sprintf("Write `network_ranker(%s)`.", if (is.null(ours)) "objective" else ours)
  }, call)
  in_the_name_of(call, do.call(network_ranker, c(list(objective, hidden = hidden), others), quote = TRUE))
}

entry_of_network_ranker <- function() {
  registry_entry(
    "network_ranker",
    parameters = list(
      objective = parameter(an_objective("softmax", "pairwise", "list_mle", "squared",
                                         "smooth", "lambda", "xendcg", "query_rmse",
                                         "ordinal"),
                            show = "first"),
      hidden = parameter(layers_of_units, tune = c(10, 50, 200), show = "always"),
      epochs = parameter(a_count(max = 1e5), show = "always"),
      batch_size = parameter(null_or(a_count(max = 1e9))),
      learning_rate = parameter(a_number(0, Inf, open_min = TRUE), tune = c(0.0003, 0.001, 0.003, 0.01),
                                range = new_tuning_range(1e-4, 0.01, log = TRUE)),
      weight_decay = parameter(a_number(0, Inf), range = new_tuning_range(1e-4, 0.3, log = TRUE)),
      dropout = parameter(a_fraction_below_1, range = new_tuning_range(0, 0.5)),
      normalize = parameter(a_choice("none", "batch", "layer")),
      activation = parameter(a_choice("relu", "tanh", "logistic")),
      log1p = parameter(a_flag), missing = filling_parameter()
    ),
    traits = function(spec) {
      c("rounds", "validation", "weights", "sparse", "random",
        if (is.null(spec) || spec$objective$name == "squared") "regression", loss_traits(spec))
    },
    rounds = "epochs",
    train = train_network,
    exempt = c(twice = "A query and its copy can be in different batches.")
  )
}

max_layers <- 8L
max_units <- 4096

layers_of_units <- function(x, name, call) {
  if (is_plain_number(x) && (length(x) == 0L || identical(as.double(x), 0))) {
    stop_input("argument", sprintf("`%s` must have a layer with units.", name),
               remedy = "Without hidden layers it is a linear ranker: take `linear_ranker()`.",
               call = call)
  }
  good <- is_plain_number(x) && length(x) <= max_layers && all(is.finite(x)) &&
    all(x == round(x) & x >= 1 & x <= max_units)
  if (!good) {
    stop_input("argument",
               sprintf("`%s` must be whole numbers from 1 to %d, at most %d of them, not %s.",
                       name, max_units, max_layers, show_value(x)), call = call)
  }
}

a_fraction_below_1 <- function(x, name, call) {
  check_number(x, name, 0, 1, call = call)
  if (x == 1) {
    stop_input("argument", sprintf("`%s` must be below 1.", name),
               remedy = "With 1 there would be nothing left.", call = call)
  }
}

# The smallest number of batches in an epoch (if there are enough queries), and the largest default
# batch.
min_batches <- 10L
largest_batch <- 32

settled_batch <- function(batch, data) {
  if (!is.null(batch)) {
    return(batch)
  }
  max(1, min(largest_batch, sum(positive_weight(data)) %/% min_batches))
}

train_network <- function(spec, task) {
  spec$batch_size <- settled_batch(spec$batch_size, task$data)
  fit <- start_network(spec, task)
  model <- function() {
    found <- net_model(fit, 0L)
    found$total_weight <- NULL
    is.na(found$values) <- is.nan(found$values)
    structure(
      c(list(spec = spec), schema_of(task$data), found,
        list(documents = nrow(task$data$x), seed = task$seed)),
      class = c("rankmix_network_model", "rankmix_ranker")
    )
  }
  grower <- list(
    run = function(wanted) {
      grown <- net_run(fit, as.integer(wanted), as.integer(spec$epochs), task$threads,
                           task$progress)
      if (grown$status == "diverged") stop_diverged(grown$rounds + 1L, spec, task$call)
      grown
    },
    # `held` is not used, because scores are computed from the filled features of the task.
    scores = function(held, rounds) {
      last <- net_model(fit, rounds)
      net_predict(task$x, unclass(spec), last$center, last$factor, last$weights,
                  task$threads)[, 1L]
    },
    model = model
  )
  grow_rounds(grower, spec$epochs, 0L, task$checkpoint, task$watch)
}

# Starts the fit. Data from which nothing can be learned are an error.
start_network <- function(spec, task) {
  spec$batch_size <- settled_batch(spec$batch_size, task$data)
  objective <- spec$objective
  targets <- task$targets
  if (is.null(targets)) {
    default <- if (objective$name %in% c("softmax", "xendcg")) "gain" else "grade"
    targets <- objective_targets(objective, task$data$relevance, default, task$call)
  }
  own <- own_weights(task)
  settled <- settled_objective(objective, task$data, task$call)
  documents <- objective_documents(task$data, targets, weights = own$weights,
                                   query_weights = own$query_weights, settled = settled)
  fit <- net_start(task$data$x, settled, documents,
                   unclass(spec), task$seed, task$threads)
  found <- net_model(fit, 0L)
  if (all(found$factor == 0)) {
    stop_input("constant", "All features are constant: all documents are the same.",
               remedy = "Give features in which the training documents differ.",
               call = task$call)
  }
  if (found$total_weight == 0) {
    stop_input("one_grade", sprintf("`%s` can learn nothing from these data.",
                                    format(objective)),
               "No query has documents of different grades.",
               "Give queries with documents of several grades.", call = task$call)
  }
  fit
}

stop_diverged <- function(epoch, spec, call) {
  stop_input("diverged", sprintf("The training diverged in epoch %d.", epoch),
             "Scores or weights are too large for a number.",
             c(sprintf("Set a smaller `learning_rate` than %s.", format(spec$learning_rate)),
               if (spec$normalize == "none") "Or set `normalize = \"layer\"`."), call = call)
}

#' @export
rounds_used.rankmix_network_model <- function(model) {
  length(model$values)
}

# The model after its first epochs.
first_epochs <- function(model, rounds) {
  model$weights <- model$weights[, seq_len(rounds + 1L), drop = FALSE]
  model$values <- model$values[seq_len(rounds)]
  model
}

#' @export
discriminants.rankmix_network_model <- function(model, x, rounds, threads) {
  check_data_traits(model$spec, x, call = NULL)
  stages <- up_to_rounds(rounds, rounds_used(model))
  scores <- net_predict(x, unclass(model$spec), model$center, model$factor,
                            model$weights[, stages + 1, drop = FALSE], threads)
  array(scores, c(nrow(scores), 1L, length(rounds)))
}

#' Predict with a network
#'
#' Scores or ranks new documents by the weights after an epoch.
#'
#' @param object The model of [network_ranker()], trained by [fit()].
#' @param newdata The data, as in [predict.rankmix_classifier()].
#' @param type The result: `"score"` (the default) or `"rank"`.
#' @param rounds Number of epochs to use. The default is the number that [fit()] chose; 0 means the
#' starting weights. With several numbers, the result has predictions for each of them.
#' @param threads Number of threads. Results do not depend on it.
#' @param ... Must be empty.
#'
#' @return `"score"`: the score of each document. With [loss_squared()] it is on the scale of the target.
#'   Other scores have no unit. `"rank"`: the rank within the query, 1 for the best, ties in row order.
#'   With several `rounds`, a matrix with a named column for each.
#' @section Conditions: As in [predict.rankmix_classifier()].
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' model <- fit(network_ranker(epochs = 10), train, seed = 1, threads = 1)
#' # Scores after five of the ten epochs.
#' head(predict(model, test, rounds = 5, threads = 1))
#' @export
predict.rankmix_network_model <- predict.rankmix_gbrt_model

# The Euclidean norm of each scaled feature's weights in the first layer. Later layers do not count.
#' @export
tidy.rankmix_network_model <- function(x, ...) {
  names <- input_names(x)
  units <- x$spec$hidden[1L]
  first <- matrix(x$weights[seq_len(units * length(names)), x$best_rounds + 1L], units)
  weight <- sqrt(colSums(first^2)) * (x$factor > 0)
  order <- order(-weight)
  data.frame(feature = names[order], weight = weight[order])
}

#' @export
glance.rankmix_network_model <- function(x, ...) {
  at <- x$best_rounds
  with_held_out(data.frame(epochs = rounds_used(x), best_rounds = at, status = x$status,
                           features = length(x$features), weights = nrow(x$weights),
                           objective = if (at > 0) x$values[at] else NA_real_), x)
}

#' @export
print.rankmix_network_model <- function(x, ...) {
  say("<ranker> ", format(x$spec))
  say(sprintf("%s (%s), %d features, %s weights", counted(rounds_used(x), "epoch"), x$status,
              length(x$features), format_count(nrow(x$weights))))
  say_filling(x)
  print_best(x)
  invisible(x)
}
