#' A ranker of your own
#'
#' Creates the constructor of a new ranker, like [gbrt()], from two R functions: one that trains and one that predicts.
#' The specifications work with [fit()], [evaluate()], [mix()], [tune_and_mix()], [benchmark_rankers()] and `saveRDS()`.
#'
#' @param name The name of the ranker: a valid name of R. Use the name of the variable to which you assign the result.
#' @param train The training function of `spec`, the specification with its settings `spec$<name>`, and `task`, see
#'   Details. It returns the trained model: any value.
#' @param predict The prediction function of the trained model and `x`, a matrix of features in the order of the
#'   training data. It returns a finite number for each row of `x`, higher for more relevant. With the trait
#'   `"classifier"` it returns a matrix of discriminants, documents x grades 0, 1, ... `NULL`, the default, uses the
#'   `predict()` method of the model.
#' @param parameters The settings: a named list of their defaults, or of results of [ranker_parameter()],
#'   which also have a check and values to tune over.
#' @param traits The capabilities of the ranker, some of
#'   * `"missing"`: it supports features that are `NA`;
#'   * `"filled"`: features are filled before `train` and `predict`, and the ranker has the
#'     setting `missing` of [missing_values];
#'   * `"weights"`: it uses query weights;
#'   * `"document_weights"`: it uses weights of documents, in `task$weights`, where they are multiplied by the query
#'     weights;
#'   * `"real_relevance"`: it can be trained on a relevance that is not graded, see [ranking_data()];
#'   * `"sparse"`: it supports sparse features, as a `dgCMatrix`;
#'   * `"random"`: it uses R's random numbers, which [fit()] seeds;
#'   * `"validation"`: it uses validation data;
#'   * `"one_grade"`: it can be trained on documents of one grade;
#'   * `"regression"`: it regresses `task$targets` on the features with `task$weights`, so
#'     rankers made of regressions can train it;
#'   * `"classifier"`: it has a discriminant for each grade, so it supports all calibrators.
#'
#'   If data need a trait that the ranker lacks, [fit()] and `predict()` give an error.
#'
#' @return A function of the settings, which returns specifications.
#' @examples
#' # Least squares of the grades on the logarithm of each feature's rank.
#' rank_regression <- new_ranker("rank_regression",
#'   parameters = list(power = ranker_parameter(1, check = function(x) x > 0, tune = c(0.5, 1, 2))),
#'   train = function(spec, task) {
#'     x <- cbind(1, task$data$x)
#'     stats::lm.fit(x, task$data$relevance^spec$power)$coefficients
#'   },
#'   predict = function(model, x) {
#'     model[is.na(model)] <- 0
#'     drop(cbind(1, x) %*% model)
#'   })
#' data <- simulate_ranking(60, seed = 1)$data
#' parts <- split_parts(split_queries(data, 0.7, seed = 1), data)
#' model <- fit(rank_regression(power = 2), parts$train)
#' summary(evaluate(model, parts$test, metric_ndcg(10)))
#'
#' @details `task` is a list:
#'   * `data`: the training data, see [ranking_data()]. `data$x` has the features,
#'     `data$relevance` the grades, and `data$query` the number of each document's query;
#'   * `weights`: the weight of each document's query, or `NULL` if all are equal;
#'   * `targets`: a number for each document to regress instead of the grades, if the ranker is part of
#'     another ranker, else `NULL`;
#'   * `classes`: the number of grades, 1 more than the highest;
#'   * `validation`: the validation data or `NULL`, with `x`, their features in the order of the
#'     training data; `metric`: the metric for choices;
#'   * `seed`, a whole number, and `threads`, the number of threads to use.
#'
#'   Specifications and models keep the functions, so they work in another R process. Call functions of other
#'   packages as `package::function()`. The state of R's generator is restored.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: a name that is taken, or an unknown trait.
#' * `rankmix_error_ranker`: from [fit()], `train` fails, or returns something without `predict()`; from
#'   `predict()`, a wrong prediction.
#' * `rankmix_error_missing`, `rankmix_error_weights`, `rankmix_error_sparse`: data that the ranker does not
#'   support.
#' @seealso [rankers] for the rankers of the package.
#' @export
new_ranker <- function(name, train, predict = NULL, parameters = list(),
                       traits = character()) {
  check_all_given()
  check_ranker_name(name)
  check_arguments_of(train, "train", c("spec", "task"))
  if (!is.null(predict)) check_arguments_of(predict, "predict", c("model", "x"))
  parameters <- check_parameters(parameters)
  traits <- check_traits(traits)
  if ("filled" %in% traits) {
    parameters <- add_filling(parameters, traits)
    traits <- setdiff(traits, "filled")
  }
  entry <- registry_entry(name, parameters, traits, train = train_custom)
  entry$own <- list(train = train, predict = predict)
  constructor_of(entry)
}

#' @param default The default value of a setting.
#' @param check The check of a value: a function that returns `TRUE` for an allowed value. Otherwise it may
#'   return a sentence that explains the error. `NULL`, the default, allows any value.
#' @param tune The values that [benchmark_rankers()] tries with `tune = TRUE`: a vector or a list.
#' @rdname new_ranker
#' @export
ranker_parameter <- function(default, check = NULL, tune = NULL) {
  check_all_given()
  if (!is.null(check)) check_arguments_of(check, "check", "x")
  structure(c(parameter(custom_check(check), tune), list(default = default)),
            class = "rankmix_parameter")
}

custom_check <- function(check) {
  force(check)
  function(x, name, call) {
    allowed <- if (is.null(check)) TRUE else check(x)
    if (!isTRUE(allowed)) {
      stop_input("argument", sprintf("`%s` must not be %s.", name, show_value(x)),
                 if (is.character(allowed)) allowed, call = call)
    }
  }
}

check_ranker_name <- function(name, call = rlang::caller_env()) {
  if (!is.character(name) || length(name) != 1L || is.na(name) || !nzchar(name) ||
        make.names(printable(name)) != name) {
    stop_input("argument", sprintf("`name` must be a name that R allows, not %s.",
                                   show_value(name)), call = call)
  }
  if (name %in% c(built_in_rankers(), getNamespaceExports("rankmix"))) {
    stop_input("argument", sprintf("`%s` is a function of the package.", name),
               remedy = "Give your ranker another name.", call = call)
  }
}

check_arguments_of <- function(f, name, arguments, call = rlang::caller_env()) {
  if (!is.function(f)) {
    stop_input("argument", sprintf("`%s` must be a function of %s, not %s.", name,
                                   enumerate(arguments), show_value(f)), call = call)
  }
  own <- names(formals(args(f)))
  if (length(own) < length(arguments) && !"..." %in% own) {
    stop_input("argument", sprintf("`%s` must take the arguments %s.", name,
                                   enumerate(arguments)),
               sprintf("It has %s.", if (length(own) == 0L) "none" else enumerate(own)),
               call = call)
  }
}

check_parameters <- function(parameters, call = rlang::caller_env()) {
  names <- rlang::names2(parameters)
  if (!is.list(parameters) || is.object(parameters) || !all(nzchar(names)) ||
        anyDuplicated(names)) {
    stop_input("argument", "`parameters` must be a list with a name for each setting.",
               remedy = "For example `list(penalty = 1)`.", call = call)
  }
  lapply(parameters, function(value) {
    if (inherits(value, "rankmix_parameter")) unclass(value) else {
      unclass(ranker_parameter(value))
    }
  })
}

# Traits that code in R can have.
custom_traits <- c("classifier", "validation", "missing", "filled", "weights", "document_weights",
                   "real_relevance", "sparse",
                   "random", "one_grade", "regression")

check_traits <- function(traits, call = rlang::caller_env()) {
  unknown <- setdiff(traits, custom_traits)
  if (!is.character(traits) || length(unknown) > 0L) {
    stop_input("argument",
               if (is.character(traits)) sprintf("There is no trait \"%s\".", unknown[1L]) else {
                 sprintf("`traits` must be names, not %s.", show_value(traits))
               },
               remedy = c(if (is.character(traits)) did_you_mean(unknown[1L], custom_traits),
                          sprintf("Traits are %s.", enumerate(custom_traits, 12L))),
               call = call)
  }
  unique(traits)
}

# Adds the setting for the replacement of missing values.
add_filling <- function(parameters, traits, call = rlang::caller_env()) {
  if ("missing" %in% traits) {
    stop_input("argument", "The traits \"missing\" and \"filled\" exclude each other.",
               "A filled value is no longer missing.", "Give one of them.", call = call)
  }
  if ("missing" %in% names(parameters)) {
    stop_input("argument", "The trait \"filled\" gives the ranker a setting `missing`.",
               "`parameters` has one, too.", "Give your setting another name.", call = call)
  }
  c(parameters, list(missing = c(filling_parameter(), list(default = "mean"))))
}

# The constructor for a registry entry.
constructor_of <- function(entry) {
  constructor <- function(...) {
    check_no_others(...)
    complete_spec(entry, mget(as.character(names(entry$parameters)), envir = environment()),
                  rlang::current_env(), own = TRUE)
  }
  formals(constructor) <- c(lapply(entry$parameters, `[[`, "default"), formals(function(...) NULL))
  constructor
}

# Trains by the user's function. The model has its value and the fields that the package needs.
train_custom <- function(spec, task) {
  entry <- entry_of(spec)
  fit <- tryCatch(
    if (is.null(task$seed)) entry$own$train(spec, task) else {
      with_seed(task$seed, entry$own$train(spec, task))
    },
    error = function(e) {
      keep_memory_error(e)
      stop_input("ranker", sprintf("The training of `%s` fails.", format(spec)),
                 call = task$call, parent = e)
    }
  )
  if (is.null(entry$own$predict) && !can_predict(fit)) {
    stop_input("ranker",
               sprintf("The result of `train` of `%s()` has no `predict()`.", entry$name),
               sprintf("It gives %s.", show_value(fit)),
               "Give `predict` to `new_ranker()`.", call = task$call)
  }
  classifier <- "classifier" %in% entry$traits
  model <- structure(
    c(list(spec = spec, fit = fit, classes = task$classes, best_rounds = 1L),
      schema_of(task$data)),
    class = c("rankmix_custom_model", if (classifier) "rankmix_classifier", "rankmix_ranker")
  )
  # Predicting the training data checks that the model can predict, and gives the bound of the
  # discriminants.
  values <- predict_custom(model, task$data$x, task$call)
  model$range <- max(abs(values))
  model
}

can_predict <- function(fit) {
  any(vapply(class(fit), function(class) {
    !is.null(utils::getS3method("predict", class, optional = TRUE))
  }, NA))
}

# A number for each row of `x`, or the discriminants of a classifier.
predict_custom <- function(model, x, call) {
  entry <- entry_of(model$spec)
  check_data_traits(model$spec, x, call = call)
  predict <- entry$own$predict
  values <- tryCatch(
    if (is.null(predict)) stats::predict(model$fit, x) else predict(model$fit, x),
    error = function(e) {
      keep_memory_error(e)
      stop_input("ranker", sprintf("The prediction of `%s` fails.", format(model$spec)),
                 call = call, parent = e)
    }
  )
  wanted <- if ("classifier" %in% entry$traits) c(nrow(x), model$classes) else c(nrow(x), 1L)
  given <- if (is.null(dim(values))) c(length(values), 1L) else dim(values)
  if (!is_plain_number(values) || !identical(as.integer(given), as.integer(wanted))) {
    stop_input("ranker",
               sprintf("`predict` of `%s()` must give %s, not %s.", entry$name,
                       if (wanted[2L] > 1L) {
                         sprintf("a %d x %d matrix of numbers", wanted[1L], wanted[2L])
                       } else {
                         sprintf("%d numbers", wanted[1L])
                       }, show_value(values)), call = call)
  }
  bad <- sum(!is.finite(values))
  if (bad > 0L) {
    stop_input("ranker", sprintf("`predict` of `%s()` gives %s value%s not finite.", entry$name,
                                 plain_number(bad), if (bad == 1L) " that is" else "s that are"),
               call = call)
  }
  matrix(as.double(values), wanted[1L])
}

#' @export
discriminants.rankmix_custom_model <- function(model, x, rounds, threads) {
  f <- predict_custom(model, x, NULL)
  array(f, c(dim(f), length(rounds)))
}

# The largest magnitude on the training data, because there is no other bound.
#' @export
discriminant_range.rankmix_custom_model <- function(model, rounds) {
  rep(model$range, length(rounds))
}

#' @export
print.rankmix_custom_model <- function(x, ...) {
  say(if (inherits(x, "rankmix_classifier")) "<classifier> " else "<ranker> ", format(x$spec))
  say(sprintf("%d features, %d grades", length(x$features), x$classes))
  say_filling(x)
  invisible(x)
}

#' @export
glance.rankmix_custom_model <- function(x, ...) {
  data.frame(ranker = format(x$spec), features = length(x$features), grades = x$classes)
}

# Methods use the value that the user's function returned.
#' @export
tidy.rankmix_custom_model <- function(x, ...) {
  own <- any(vapply(class(x$fit), function(class) {
    !is.null(utils::getS3method("tidy", class, optional = TRUE))
  }, NA))
  if (own) as.data.frame(tidy(x$fit, ...)) else data.frame()
}
