# The start and the centre of smoothrank(): names, numbers or rankers.

start_words <- c("ridge", "least_squares", "zero")

a_start <- function(x, name, call) {
  check_weights_given(x, name, start_words, "a specification of a linear ranker", call)
}

a_centre <- function(x, name, call) {
  if (is_specification(x)) {
    stop_input("start", sprintf("`%s` cannot be a specification.", name),
               remedy = "Set it as `start`, or give a trained model.", call = call)
  }
  check_weights_given(x, name, "zero", NULL, call)
}

check_weights_given <- function(x, name, words, also, call) {
  if (is.character(x)) {
    return(check_choice(x, name, words, call))
  }
  if (is_specification(x)) {
    return(check_linear(x, x, name, call))
  }
  if (inherits(x, "rankmix_ranker")) {
    return(check_linear(x, x$spec, name, call))
  }
  if (!is_plain_number(x) || length(x) == 0L || !all(is.finite(x))) {
    choices <- paste(c(sprintf("\"%s\"", words), also, "a linear model"), collapse = ", ")
    stop_input("argument", sprintf("`%s` must be %s, or numbers, one per feature, not %s.", name,
                                   choices, show_value(x)), call = call)
  }
}

# Rankers whose scores are weighted sums of features. A model may be a path of such models.
linear_rankers <- c("linear_ranker", "ranksvm", "coordinate_ascent", "smoothrank")

check_linear <- function(x, spec, name, call) {
  if (!spec_name(spec) %in% linear_rankers) {
    stop_input("start", sprintf("`%s` must be a linear ranker, not %s.", name, format(spec)),
               remedy = sprintf("Take one of %s.",
                                enumerate(paste0(linear_rankers, "()"), 10L)), call = call)
  }
  if (inherits(x, "rankmix_ranker")) check_chosen(x, call)
}

# A function that returns the initial weights of the features, for the data of the task with other weights
# of queries, or for a part of their queries. Its first call is for the data of the task. If a ranker with a
# path is trained first, its setting is chosen once.
start_weights <- function(start, task) {
  data <- task$data
  if (identical(start, "least_squares")) {
    return(function(data) least_squares(data, data$weight[data$query]))
  }
  if (identical(start, "ridge")) start <- linear_ranker()
  if (!is_specification(start)) {
    fixed <- fixed_weights(start, numeric(), data, "start", task$call)
    return(function(data) fixed)
  }
  task$progress <- NULL
  task$all_steps <- FALSE
  # Missing values of the task are already filled, so the start needs no filling.
  model <- closed_path(chosen_model(train_by_entry(start, task), traits_of(start), task))
  whole <- linear_weights(model, data, "start", task$call)
  task["x"] <- list(NULL)
  task$metric <- NULL
  first <- TRUE
  function(data) {
    if (first) {
      first <<- FALSE
      return(whole)
    }
    task$data <- data
    task$weights <- row_weights(data)
    linear_weights(closed_path(train_by_entry(model$spec, task)), data, "start", task$call)
  }
}

# A path without a chosen model is replaced by its middle model.
closed_path <- function(model) {
  if (is_open(model)) model$path[[(length(model$path) + 1L) %/% 2L]] else model
}

with_row_weights <- function(data, weights) {
  data$weight <- weights[match(seq_along(data$query_ids), data$query)]
  data
}

# Weights that need no training: numbers, a model, or "zero". For NULL returns `otherwise`.
fixed_weights <- function(given, otherwise, data, name, call) {
  if (is.null(given)) {
    return(otherwise)
  }
  if (identical(given, "zero")) {
    return(numeric(ncol(data$x)))
  }
  if (inherits(given, "rankmix_ranker")) {
    return(linear_weights(given, data, name, call))
  }
  if (length(given) != ncol(data$x)) {
    stop_input("start", sprintf("`%s` has %s, but the data have %s.", name,
                                counted(length(given), "weight"),
                                counted(ncol(data$x), "feature")),
               remedy = "Give one number for each feature, in the order of the columns.",
               call = call)
  }
  as.double(given)
}

# The weights of a linear model for the features of these data, without the intercept, which does not
# change rankings.
linear_weights <- function(model, data, name, call) {
  features <- input_names(model)
  if (!identical(features, data$features) || length(model$weights) != ncol(data$x)) {
    stop_input("start", sprintf("The model in `%s` has other features than the data.", name),
               sprintf("It has %s, the data have %s.", counted(length(features), "feature"),
                       counted(ncol(data$x), "feature")),
               "Train it on data with the same features.", call = call)
  }
  as.double(model$weights)
}

# argmin of sum_i w_i (w'x_i - gain_i)^2, the solution of smallest |w| if there are several.
least_squares <- function(data, weights) {
  gains <- as.double(exponential_gain(data$relevance))
  x <- data$x
  gram <- if (isS4(x)) as.matrix(Matrix::crossprod(x, x * weights)) else crossprod(x, x * weights)
  right <- if (isS4(x)) as.vector(Matrix::crossprod(x, weights * gains)) else {
    as.vector(crossprod(x, weights * gains))
  }
  # Features are scaled to the same size before the eigendecomposition.
  size <- sqrt(diag(gram))
  size[size == 0] <- 1
  spectrum <- symmetric_eigen(gram / outer(size, size))
  kept <- spectrum$values > 1e-10 * max(spectrum$values[1L], 0)
  vectors <- spectrum$vectors[, kept, drop = FALSE]
  unname(as.vector(vectors %*% (crossprod(vectors, right / size) / spectrum$values[kept])) / size)
}
