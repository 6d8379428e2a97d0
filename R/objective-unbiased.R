# Lambdas of clicks at known positions, see loss_lambda(): checks, and the learned position effects.

# TRUE means the method that ranked better in three of the four settings of bench/position-bias.md.
check_unbiased <- function(unbiased, call) {
  if (isTRUE(unbiased)) {
    return("additive")
  }
  if (isFALSE(unbiased)) {
    return("none")
  }
  check_choice(unbiased, "unbiased", c("none", "pairs", "additive"), call)
}

shown_positions <- function(data, call) {
  if (is.null(data$position)) {
    stop_input("position", "`unbiased` needs the positions at which documents were shown.",
               "The training data have none.",
               "Make them with `ranking_data(position = )`.", call = call)
  }
  as.double(data$position)
}

# The parameters that an objective learns in addition to the scores, in the form of the model.
# `states` are the states of the core before each tree.
learned_of <- function(objective, states, trees) {
  # yetirank() with least squares has no objective.
  if (identical(objective$name, "ordinal")) {
    return(list(thresholds = thresholds_of(states)))
  }
  if (is.null(objective$unbiased) || length(states) == 0L) {
    return(NULL)
  }
  states <- matrix(states, trees, byrow = TRUE)
  if (objective$unbiased == "additive") {
    return(list(position_bias = list(added = states)))
  }
  half <- seq_len(ncol(states) / 2)
  list(position_bias = list(clicked = states[, half, drop = FALSE],
                            other = states[, -half, drop = FALSE]))
}
