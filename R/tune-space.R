# Spaces of settings: which values tune_ranker() may try.
#
# A space is a list by names of settings. Each element is a tuning_range(), or a list of choices. Candidates
# are points of the unit cube, one coordinate a setting: a range is scaled to [0, 1], and choice j of m is the
# interval ((j - 1) / m, j / m].

#' A range of a numeric setting to tune
#'
#' Limits the values of a setting that [tune_ranker()] tries.
#'
#' @param low,high The bounds of the setting. Both may be tried.
#' @param log Whether to spread the values evenly on the logarithmic scale; default `FALSE`. Use `TRUE` for a
#'   setting whose effect depends on ratios, such as a learning rate. `low` must then be above 0.
#' @param integer Whether to try whole numbers only; default `FALSE`.
#' @param ... Must be empty.
#' @return A value for `space` of [tune_ranker()].
#' @examples
#' tuning_range(0.01, 0.3, log = TRUE)
#' tuning_range(4, 256, log = TRUE, integer = TRUE)
#' @section Conditions: `rankmix_error_argument`: bounds that are not numbers, or a `low` that is not below `high`.
#' @export
tuning_range <- function(low, high, log = FALSE, integer = FALSE, ...) {
  check_no_others(...)
  check_all_given()
  check_flag(log, "log")
  check_flag(integer, "integer")
  check_number(low, "low", if (log) 0 else -Inf, Inf, open_min = log)
  check_number(high, "high", low, Inf, open_min = TRUE)
  if (integer && (low != round(low) || high != round(high))) {
    stop_input("argument", "`low` and `high` must be whole numbers, because `integer` is TRUE.")
  }
  new_tuning_range(low, high, log, integer)
}

new_tuning_range <- function(low, high, log = FALSE, integer = FALSE) {
  structure(list(low = low, high = high, log = log, integer = integer), class = "rankmix_tuning_range")
}

#' @export
format.rankmix_tuning_range <- function(x, ...) {
  sprintf("%s to %s%s%s", setting_text(x$low), setting_text(x$high), if (x$integer) ", whole numbers" else "",
          if (x$log) ", logarithmic" else "")
}

#' @export
print.rankmix_tuning_range <- function(x, ...) {
  say("<tuning range> ", format(x))
  invisible(x)
}

#' The usual tuning space of a ranker
#'
#' Returns the settings that [tune_ranker()] varies, with their ranges or choices. Start from it to write your
#' own space.
#'
#' @param spec The specification, such as [gbrt()] or [lambdamart()].
#' @param ... Must be empty.
#' @return A list by names of settings. Each element is a [tuning_range()], or a list of the choices. The list lacks the
#'   number of rounds and the penalties of a path, because one training chooses them on the validation queries. The list
#'   is empty if nothing is usually tuned.
#' @examples
#' space <- tuning_space(lambdamart())
#' space
#' space$num_leaves <- tuning_range(8, 64, integer = TRUE)
#' @seealso [tuning_grid()] for the grids of [benchmark_rankers()].
#' @export
tuning_space <- function(spec, ...) {
  check_no_others(...)
  check_all_given()
  check_spec(spec, "spec", example = "gbrt")
  entry <- entry_of(spec)
  path <- if (has_trait(spec, "path")) entry$path
  tuned <- setdiff(names(entry$parameters), c(entry$lacks(spec), path, if (is.character(entry$rounds)) entry$rounds))
  space <- lapply(entry$parameters[tuned], function(setting) {
    if (!is.null(setting$range)) setting$range else if (!is.null(setting$tune)) as.list(setting$tune)
  })
  Filter(Negate(is.null), space)
}

# The spaces of several specifications, by their names. `space` is NULL, one space, or a list of spaces.
check_spaces <- function(specs, space, call = rlang::caller_env()) {
  if (is.null(space)) {
    return(lapply(specs, tuning_space))
  }
  if (!is.list(space) || is.object(space)) {
    stop_input("argument", sprintf("`space` must be a list by names of settings, not %s.", show_value(space)),
               remedy = "For example `list(learning_rate = tuning_range(0.01, 0.3, log = TRUE))`.", call = call)
  }
  if (length(specs) == 1L) space <- stats::setNames(list(space), names(specs))
  unknown <- setdiff(rlang::names2(space), names(specs))
  if (length(unknown) > 0L) {
    stop_input("argument", "With several rankers `space` must be a list of spaces, by names of rankers.",
               sprintf("`rankers` has no \"%s\".", unknown[1L]), call = call)
  }
  Map(function(spec, name) {
    own <- if (name %in% names(space)) space[[name]] else tuning_space(spec)
    check_space(spec, own, call)
  }, specs, names(specs))
}

# A plain vector is a list of choices. All values are checked by the constructor.
check_space <- function(spec, space, call) {
  known <- names(entry_of(spec)$parameters)
  names <- if (is.list(space)) rlang::names2(space)
  if (!is.list(space) || !all(names %in% known) || anyDuplicated(names)) {
    stop_input("argument", sprintf("`space` must be a list with names of settings of `%s`.", format(spec)),
               c(sprintf("There is no `%s`.", setdiff(names, known)[1L])[!all(names %in% known)],
                 sprintf("It has %s.", enumerate(known, 20L))),
               did_you_mean(c(setdiff(names, known), "")[1L], known), call = call)
  }
  rounds <- entry_of(spec)$rounds
  if (is.character(rounds) && rounds %in% names) {
    stop_input("argument", sprintf("`%s` cannot be in `space`.", rounds),
               "The validation queries choose the number of rounds within each training.",
               sprintf("Give the largest number to the ranker, such as `%s = 1000`.", rounds), call = call)
  }
  space <- lapply(space, function(values) if (inherits(values, "rankmix_tuning_range")) values else as.list(values))
  for (name in names) {
    values <- space[[name]]
    for (value in if (is.list(values) && !is.object(values)) values else values[c("low", "high")]) {
      with_settings(spec, stats::setNames(list(value), name))
    }
    if (length(values) == 0L) {
      stop_input("argument", sprintf("`space` has no values for `%s`.", name), call = call)
    }
  }
  space
}

# The settings at a point of the unit cube.
settings_at <- function(space, point) {
  Map(function(values, u) {
    if (!inherits(values, "rankmix_tuning_range")) {
      return(values[[min(length(values), 1L + floor(u * length(values)))]])
    }
    x <- if (values$log) values$low * (values$high / values$low)^u else values$low + u * (values$high - values$low)
    if (values$integer) return(min(values$high, max(values$low, round(x))))
    # Few digits, so that the value can be copied from the printed table.
    min(values$high, max(values$low, signif(x, 3L)))
  }, space, point)
}

# A Latin hypercube: in each coordinate the `count` points lie in different intervals of length 1 / count.
latin_points <- function(count, dimensions) {
  points <- vapply(seq_len(dimensions), function(j) (sample.int(count) - stats::runif(count)) / count, numeric(count))
  matrix(points, count, dimensions)
}

# `count` points; if there are at most `count` combinations of choices, each combination once.
design_points <- function(space, count) {
  sizes <- vapply(space, function(values) if (inherits(values, "rankmix_tuning_range")) Inf else length(values), 0)
  if (length(space) == 0L || count < 1L) {
    return(matrix(0, 0L, length(space)))
  }
  if (prod(sizes) > count) {
    return(latin_points(count, length(space)))
  }
  grid <- as.matrix(expand.grid(lapply(sizes, function(size) (seq_len(size) - 0.5) / size)))
  unname(grid[sample.int(nrow(grid)), , drop = FALSE])
}
