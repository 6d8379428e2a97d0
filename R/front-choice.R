# The choice of a mixture. Of the mixtures that are shown to lose less than the floor, the mixture with the best mean
# of another objective is chosen. Problem: many mixtures are tested on the same queries, so one could pass by chance.
# Algorithm: the reference is the model of the floored objective alone, which is fixed before. With two objectives the
# mixtures are tested in the fixed order of decreasing weight of the floored objective, until one fails. With more
# objectives there is no natural order, and p-values are adjusted by Holm. With several floors a mixture must pass
# each, so its p-value is the largest (intersection-union test). Reference: Maurer, Hothorn and Lehmacher (1995);
# Berger (1982), doi:10.1080/00401706.1982.10487790.

# The tests of a floor: a row for each mixture with `p_noninferior`, `p_adjusted` and `passed`. The reference itself
# passes without a test, if there is a single floor.
floor_tests <- function(values, weights, floor, level, query_weight = NULL, fold = NULL) {
  tested <- lapply(names(floor), function(name) {
    alone <- values[[name]][, alone_of(weights, name)]
    vapply(seq_len(nrow(weights)), function(j) {
      loss_row(alone, values[[name]][, j], query_weight, floor[[name]], level, fold)$p_noninferior
    }, 0)
  })
  p <- do.call(pmax, tested)
  if (length(floor) == 1L) p[alone_of(weights, names(floor))] <- NA
  adjusted <- adjusted_floor_p(p, weights, names(floor))
  data.frame(point = seq_along(p), p_noninferior = p, p_adjusted = adjusted, passed = is.na(p) | adjusted <= level)
}

adjusted_floor_p <- function(p, weights, floored) {
  tested <- which(!is.na(p))
  if (ncol(weights) == 2L) {
    order <- tested[order(-weights[tested, floored])]
    p[order] <- adjusted_in_sequence(p[order])
  } else {
    p[tested] <- stats::p.adjust(p[tested], "holm")
  }
  p
}

# The tests, and the number of the chosen mixture: NA if none passes. Equal means go to the earlier mixture, which
# has more weight on the first objective.
choose_by_floor <- function(values, weights, floor, maximize, level, query_weight = NULL, fold = NULL) {
  tests <- floor_tests(values, weights, floor, level, query_weight, fold)
  means <- front_means(values[maximize], query_weight)[, 1L]
  passed <- which(tests$passed)
  list(tests = tests, point = if (length(passed) > 0L) passed[which.max(means[passed])] else NA_integer_)
}

#' Choose a mixture of several objectives
#'
#' Chooses one of the mixtures of [pareto_front()], by a floor or by weights. Use it to try another floor without
#' new trainings.
#'
#' @param x The front, made by [pareto_front()].
#' @param floor The largest loss of each floored objective, such as `c(relevance = 0.005)`. See [pareto_front()].
#' @param weights The weights of the mixture, such as `c(relevance = 0.8, revenue = 0.2)`, instead of a floor. A mixture
#'   of the front must have these weights.
#' @param maximize The objective whose mean is maximised with a floor. The default `NULL` is the last objective
#'   without a floor.
#' @param level The significance level of the floor; by default the level of `x`.
#' @param ... Must be empty.
#'
#' @return The front with this choice, see [pareto_front()].
#' @details Choose the floor before you see the front. If you choose the floor after you see the front, there is no
#' guarantee. Each call has its own error probability of `level`.
#' @section Conditions: `rankmix_error_argument`: both or neither of `floor` and `weights`, or a value that is not
#'   allowed. `rankmix_warning_floor`: no mixture passes the tests of all floors, so none is chosen.
#' @examples
#' simulated <- simulate_ranking(80, documents = 10, seed = 1)$data
#' data <- ranking_data(simulated$x, simulated$relevance, simulated$query,
#'                      labels = list(revenue = simulated$x[, 2]^2))
#' front <- pareto_front(gbrt(trees = 20), data, seed = 1, threads = 1, verbose = FALSE)
#' choose_point(front, floor = c(relevance = 0.05))
#' predict(choose_point(front, weights = c(relevance = 0.5, revenue = 0.5)), data[1])
#' @export
choose_point <- function(x, floor = NULL, weights = NULL, maximize = NULL, level = x$level, ...) {
  check_no_others(...)
  check_all_given()
  check_class(x, "x", "rankmix_front", "`pareto_front()`")
  check_significance(level)
  wanted <- check_choice_of_point(floor, weights, maximize, names(x$objectives))
  if (is.null(wanted)) {
    stop_input("argument", "Neither `floor` nor `weights` is given.",
               remedy = "For example `floor = c(relevance = 0.005)`.")
  }
  chosen_front(x, wanted, level)
}

# The checked arguments of the choice: `floor` and `maximize`, or `weights`; NULL if neither is given.
check_choice_of_point <- function(floor, weights, maximize, objectives, call = rlang::caller_env()) {
  if (is.null(floor) && !is.null(maximize)) {
    stop_input("argument", "`maximize` is only used with `floor`.", call = call)
  }
  if (is.null(floor) && is.null(weights)) {
    return(NULL)
  }
  if (!is.null(floor) && !is.null(weights)) {
    stop_input("argument", "Both `floor` and `weights` are given.", remedy = "Give one of them.", call = call)
  }
  if (!is.null(weights)) {
    return(list(weights = check_front_weights(weights, objectives, call)))
  }
  check_named_numbers(floor, "floor", objectives, "c(relevance = 0.005)", call)
  if (any(floor <= 0)) {
    stop_input("argument", "A `floor` must be above 0.", remedy = "It is the largest loss that does not matter.",
               call = call)
  }
  free <- setdiff(objectives, names(floor))
  if (length(free) == 0L) {
    stop_input("argument", "All objectives have a floor.",
               remedy = "Leave out the floor of the objective to maximise.", call = call)
  }
  if (is.null(maximize)) maximize <- free[length(free)] else check_choice(maximize, "maximize", free, call)
  list(floor = floor, maximize = maximize)
}

check_front_weights <- function(weights, objectives, call) {
  check_named_numbers(weights, "weights", objectives, "c(relevance = 0.8, revenue = 0.2)", call)
  lacking <- setdiff(objectives, names(weights))
  if (length(lacking) > 0L || any(weights < 0) || sum(weights) == 0) {
    stop_input("argument", "`weights` needs a number of 0 or more for each objective, not all 0.",
               if (length(lacking) > 0L) sprintf("It lacks %s.", enumerate(lacking)),
               "For example `weights = c(relevance = 0.8, revenue = 0.2)`.", call = call)
  }
  weights[objectives] / sum(weights)
}

check_named_numbers <- function(x, name, objectives, example, call) {
  if (!is_plain_number(x) || is.null(names(x)) || length(x) == 0L || !all(is.finite(x)) || anyDuplicated(names(x))) {
    stop_input("argument", sprintf("`%s` must be numbers with the names of objectives, not %s.", name, show_value(x)),
               remedy = sprintf("For example `%s = %s`.", name, example), call = call)
  }
  unknown <- setdiff(names(x), objectives)
  if (length(unknown) > 0L) {
    stop_input("argument", sprintf("`%s` names %s, which is no objective.", name, enumerate(unknown)),
               sprintf("The objectives are %s.", enumerate(objectives)), did_you_mean(unknown[1L], objectives),
               call = call)
  }
  invisible(x)
}

# The front with a choice: `choice` has the `point`, the requested floor or weights, and the tests of a floor.
chosen_front <- function(x, wanted, level, call = rlang::caller_env()) {
  if (!is.null(wanted$weights)) {
    x$choice <- list(point = point_of_weights(x, wanted$weights, call), weights = wanted$weights)
  } else {
    found <- choose_by_floor(x$values, x$weights, wanted$floor, wanted$maximize, level, x$query_weight, x$fold)
    x$choice <- c(found["point"], wanted, list(level = level, tests = found$tests))
    if (is.na(found$point)) {
      warn_input("floor", "No mixture passes the tests of all floors, so none is chosen.",
                 remedy = "Give larger floors, fewer of them, or more validation queries.")
    }
  }
  # Without a floor the first objective is the reference.
  x$choice$reference <- if (is.null(wanted$floor)) names(x$objectives)[1L] else names(wanted$floor)[1L]
  known <- !is.na(x$choice$point)
  x$choice["gains"] <- list(if (known) gains_of_choice(x))
  x["model"] <- list(if (known) front_model(x, x$choice$point))
  x
}

# The differences of the chosen mixture to the model of the reference alone, for each objective.
gains_of_choice <- function(x) {
  reference <- alone_of(x$weights, x$choice$reference)
  rows <- function(sample, values, query_weight, fold) {
    if (is.null(values)) {
      return(NULL)
    }
    parts <- lapply(values, function(of) {
      loss_row(of[, reference], of[, x$choice$point], query_weight, 0, x$level, fold)
    })
    losses <- do.call(rbind, parts)
    data.frame(sample = sample, objective = names(values), difference = 0 - losses$lost, se = losses$se,
               lower = 0 - losses$upper, upper = 0 - losses$lower, row.names = NULL)
  }
  rbind(rows("validation", x$values, x$query_weight, x$fold), rows("test", x$test_values, x$test_weight, NULL))
}

point_of_weights <- function(x, weights, call) {
  found <- which(same_weights(x$weights, weights))
  if (length(found) == 0L) {
    stop_input("argument", "No point of the front has these weights.",
               remedy = "Give the weights to `pareto_front()`, or use the weights of a point, see `tidy()`.",
               call = call)
  }
  found
}
