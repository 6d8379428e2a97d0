# Checks of the parameters that metrics share: one function for each parameter. Its arguments are
# the value, the name of the metric and the call for errors.
metric_parameters <- list(
  gain = function(x, metric, call) {
    if (is.function(x)) {
      return(x)
    }
    if (is.character(x)) {
      return(check_choice(x, "gain", c("exponential", "linear"), call))
    }
    check_weights(x, "gain", "the gains of the grades 0, 1, 2, ...", call)
  },
  discount = function(x, metric, call) {
    if (is.function(x)) {
      return(x)
    }
    if (is.character(x)) {
      return(check_choice(x, "discount",
                          c("log2", "log", "letor", "reciprocal", "none"), call))
    }
    check_weights(x, "discount", "the discounts of the ranks 1, 2, ...", call)
    # Gains must not rise with the rank, because the ideal ranking has the highest gains first.
    if (metric != "dcg" && any(diff(x) > 0)) {
      stop_input("argument",
                 sprintf("The discounts of %s must not increase with the rank.",
                         metric),
                 sprintf("Rank %d has a higher one than rank %d.",
                         which(diff(x) > 0)[1L] + 1L, which(diff(x) > 0)[1L]),
                 call = call)
    }
  },
  relevant = function(x, metric, call) {
    if (!is_plain_number(x) || length(x) != 1L || !is.finite(x)) {
      stop_input("argument", sprintf("`relevant` must be a finite number, not %s.", show_value(x)),
                 remedy = "It is the lowest relevance of a relevant document.", call = call)
    }
  },
  empty = function(x, metric, call) {
    if (!identical(x, "drop")) {
      check_empty(x, call)
    }
  },
  short_lists = function(x, metric, call) {
    check_choice(x, "short_lists", c("pad", "shrink", "zero", "undefined", "drop"),
                 call)
  },
  ties = function(x, metric, call) {
    check_choice(x, "ties", c("order", "average", "best", "worst", "document",
                              if (metric == "average_precision") "together"),
                 call)
  },
  single_precision = function(x, metric, call) {
    check_choice(x, "single_precision", c("none", "scores",
                                if (metric == "reciprocal_rank") "value"), call)
  },
  max_grade = function(x, metric, call) {
    if (!is.null(x)) {
      check_count(x, "max_grade", max = largest_grade, call = call)
    }
  },
  denominator = function(x, metric, call) {
    check_choice(x, "denominator", c("relevant", "cutoff"), call)
  },
  beta = function(x, metric, call) {
    check_number(x, "beta", 0, 1e6, open_min = TRUE, call = call)
  },
  persistence = function(x, metric, call) {
    check_number(x, "persistence", 0, 1, open_min = TRUE, call = call)
    if (x == 1) {
      stop_input("argument", "`persistence` must be below 1.",
                 remedy = "A user who never stops gives every rank the same weight.",
                 call = call)
    }
  }
)

check_empty <- function(empty, call = rlang::caller_env()) {
  good <- is_plain_number(empty) && length(empty) == 1L && !is.na(empty) &&
    empty >= 0 && empty <= 1
  if (!good) {
    stop_input(
      "argument",
      sprintf("`empty` must be a number from 0 to 1 or \"drop\", not %s.",
              show_value(empty)),
      remedy = "It is the value of a query without a relevant document.",
      call = call
    )
  }
}

# Weights are limited, so that sums of products stay finite.
check_weights <- function(x, name, what, call) {
  good <- is_plain_number(x) && length(x) > 0L && !anyNA(x) && all(x >= 0 & x <= 1e100)
  if (!good) {
    stop_input(
      "argument",
      sprintf("`%s` must name a rule, or hold numbers from 0 to 1e100: %s; not %s.", name,
              what, show_value(x)),
      call = call
    )
  }
}

# With `ties = "together"` the precision of a tied group is computed at its end, which may lie
# beyond the cut-off.
check_together <- function(metric, call) {
  if (identical(metric_rules(metric)$ties, "together") && is.finite(metric$k)) {
    stop_input("argument",
               "`ties = \"together\"` needs the whole list: `k` must be Inf.",
               call = call)
  }
}
