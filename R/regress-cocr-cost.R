# Costs of cocr(): the cost of predicting grade k for the true grade y, and the weights of the
# documents in the subproblems "is the grade at least k?".

cost_names <- c("oerr", "absolute", "squared")

# The cost matrix, grades x grades. Rows are true grades.
named_cost <- function(cost, grades) {
  truth <- seq_len(grades) - 1
  switch(
    cost,
    oerr = outer(2^truth, 2^truth, function(y, k) (y - k)^2),
    absolute = outer(truth, truth, function(y, k) abs(y - k)),
    squared = outer(truth, truth, function(y, k) (y - k)^2)
  )
}

# A check of the registry: names of costs, or a matrix.
check_cost <- function(x, name, call) {
  if (is.character(x) && length(x) > 0L && !anyDuplicated(x) && all(x %in% cost_names)) {
    return(invisible())
  }
  if (!is.matrix(x) || !is_plain_number(x)) {
    stop_input("argument",
               sprintf("`cost` must be %s, or a matrix of costs, not %s.",
                       "some of \"oerr\", \"absolute\" and \"squared\"", show_value(x)),
               call = call)
  }
  if (ncol(x) < 2L) {
    stop_cost("must have a column for each grade, not one only.", call = call)
  }
  bad <- which(!is.finite(x) | x < 0, arr.ind = TRUE)
  if (nrow(bad) > 0L) {
    stop_cost("must be finite numbers, 0 or above.",
              sprintf("Row %d has %s for grade %d.", bad[1L, 1L],
                      format(x[bad[1L, , drop = FALSE]]), bad[1L, 2L] - 1L), call = call)
  }
  if (nrow(x) == ncol(x)) check_shape(x, seq_len(nrow(x)) - 1L, call)
}

stop_cost <- function(problem, details = NULL,
                      remedy = "Its rows are true grades 0, 1, ..., its columns predicted grades.",
                      call) {
  stop_input("cost", paste("`cost`", problem), details, remedy, call = call)
}

# The cost must be 0 for the true grade, and must not fall with the distance from it.
check_shape <- function(cost, truth, call) {
  own <- cost[cbind(seq_along(truth), truth + 1L)]
  if (any(own != 0)) {
    i <- which(own != 0)[1L]
    stop_cost("must be 0 for the true grade.",
              sprintf("Row %d has %s for its grade, %d.", i, format(own[i]), truth[i]),
              call = call)
  }
  steps <- cost[, -1L, drop = FALSE] - cost[, -ncol(cost), drop = FALSE]
  above <- outer(truth, seq_len(ncol(steps)), `<`)
  wrong <- which(ifelse(above, steps, -steps) < 0, arr.ind = TRUE)
  if (nrow(wrong) > 0L) {
    i <- wrong[1L, 1L]
    k <- wrong[1L, 2L]
    stop_cost("must not fall with the distance from the true grade.",
              sprintf("Row %d, of true grade %d: %s for grade %d, %s for grade %d.", i, truth[i],
                      format(cost[i, k]), k - 1L, format(cost[i, k + 1L]), k), call = call)
  }
}

# If the cost is not convex, the bound holds only where the binary predictions are monotone.
warn_convexity <- function(cost) {
  if (ncol(cost) < 3L) {
    return(invisible())
  }
  steps <- cost[, -1L, drop = FALSE] - cost[, -ncol(cost), drop = FALSE]
  bend <- steps[, -1L, drop = FALSE] - steps[, -ncol(steps), drop = FALSE]
  if (any(bend < -1e-9 * max(cost))) {
    warn_input("cost", "`cost` is not convex.",
               sprintf("In row %d, the cost grows less at a larger distance from the true grade.",
                       which(bend < 0, arr.ind = TRUE)[1L, 1L]),
               paste("The costs of the binary subproblems bound the cost of a ranking only where",
                     "predictions are monotone."))
  }
}

# The subproblems of each cost, from the data of a task. `weights` is grades x subproblems, or documents x
# subproblems if each document has its own costs (`own`).
cost_subproblems <- function(cost, task) {
  grades <- task$classes
  if (is.character(cost)) {
    return(lapply(stats::setNames(nm = cost), function(name) {
      list(weights = subproblem_weights(named_cost(name, grades)), own = FALSE)
    }))
  }
  own <- nrow(cost) != ncol(cost)
  if (ncol(cost) < grades) {
    stop_cost(sprintf("is for the grades 0 to %d.", ncol(cost) - 1L),
              sprintf("The training data have grades up to %d.", grades - 1L), call = task$call)
  }
  if (own && nrow(cost) != nrow(task$data$x)) {
    stop_cost(sprintf("has %s rows.", format_count(nrow(cost))),
              sprintf("There are %s training documents.", format_count(nrow(task$data$x))),
              "It must be grades x grades, or documents x grades.", task$call)
  }
  if (own) check_shape(cost, as.integer(task$data$relevance), task$call)
  warn_convexity(cost)
  weights <- subproblem_weights(cost)[, seq_len(grades - 1L), drop = FALSE]
  if (!own) weights <- weights[seq_len(grades), , drop = FALSE]
  list(cost = list(weights = weights, own = own))
}

subproblem_weights <- function(cost) {
  abs(cost[, -1L, drop = FALSE] - cost[, -ncol(cost), drop = FALSE])
}

# The weight of each document in subproblem k; positive weights have mean 1. NULL if all weights are
# equal.
document_weights <- function(subproblems, k, task) {
  weights <- subproblems$weights[, k]
  if (!subproblems$own) weights <- weights[task$data$relevance + 1L]
  if (!is.null(task$weights)) weights <- weights * task$weights
  counted <- weights > 0
  if (!cluster_any(task$cluster, any(counted))) stop_empty_subproblem(k, task)
  weights <- weights / mean_of_ranks(weights[counted], task$cluster)
  lowest <- cluster_min(task$cluster, min(weights))
  if (lowest == cluster_max(task$cluster, max(weights))) NULL else weights
}

stop_empty_subproblem <- function(k, task) {
  stop_cost(sprintf("is the same for the grades %d and %d.", k - 1L, k),
            "So no document distinguishes them.",
            "Give costs that differ, or put the grades together by `group_grades()`.", task$call)
}
