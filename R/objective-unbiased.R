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

# Known examination by position, as numbers.
known_examination <- function(examination, call) {
  if (inherits(examination, "rankmix_click_model")) {
    if (examination$model != "pbm") {
      stop_input("argument", sprintf("Examination of the %s depends on the log.",
                                     click_models[[examination$model]]$title),
                 remedy = "Write `examination = examination(model, log)`.", call = call)
    }
    examination <- examination$position
  }
  if (is.data.frame(examination) && all(c("position", "estimate") %in% names(examination))) {
    examination <- examination$estimate[match(seq_len(nrow(examination)), examination$position)]
  }
  if (!is_plain_number(examination) || length(examination) == 0L ||
        !all(is.finite(examination) & examination > 0)) {
    stop_input("argument", sprintf("`examination` must be numbers above 0, by position, not %s.",
                                   show_value(examination)),
               remedy = "Or a click model, or the result of `examination_from_swaps()`.", call = call)
  }
  as.double(examination)
}

# Known examination probabilities determine the weights of pairs.
pairs_for_examination <- function(unbiased, call) {
  if (unbiased == "additive") {
    stop_input("argument", "`unbiased = \"additive\"` learns its effects and uses no `examination`.",
               remedy = "Write `unbiased = \"pairs\"`.", call = call)
  }
  "pairs"
}

# The factors of clicked documents up to the lowest position of the data.
known_factors <- function(examination, positions, call) {
  deepest <- max(positions)
  if (deepest > length(examination)) {
    stop_input("position", sprintf("`examination` has no value for position %d.", length(examination) + 1L),
               sprintf("The training data have positions up to %d.", deepest), call = call)
  }
  examination[seq_len(deepest)] / examination[1L]
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
