# The tuning grids of benchmarks.

# The grids of the rankers that are tuned, by name.
check_tuning <- function(rankers, tune, call = rlang::caller_env()) {
  if (isTRUE(tune)) {
    specs <- rankers[vapply(rankers, is_specification, NA)]
    return(Filter(Negate(is.null), lapply(specs, default_grid)))
  }
  if (isFALSE(tune) || is.null(tune)) {
    return(list())
  }
  if (!is.list(tune) || (length(tune) > 0L && is.null(names(tune)))) {
    stop_input("argument", "`tune` must be TRUE or a list with the names of rankers.",
               remedy = "For example `list(trees = list(learning_rate = c(0.05, 0.1)))`.", call = call)
  }
  for (name in names(tune)) {
    spec <- rankers[[name]]
    if (isTRUE(tune[[name]]) && is_specification(spec)) {
      tune[[name]] <- usual_grid(spec, name, call)
    }
    check_grid(spec, tune[[name]], name, call)
  }
  tune
}

usual_grid <- function(spec, name, call) {
  grid <- default_grid(spec)
  if (is.null(grid)) {
    stop_input("argument", sprintf("`%s` has no settings that are usually tuned.", name),
               remedy = "Give a list of values by the names of settings.", call = call)
  }
  grid
}

#' The usual tuning grid of a ranker
#'
#' Returns the values that `benchmark_rankers(tune = TRUE)` tries. Start from it to write your own grid.
#'
#' @param spec The specification, such as [gbrt()].
#' @return A list of values by the names of settings. [benchmark_rankers()] fits all combinations. A
#'   path, such as the costs of [mcsvm()], is one element of the list, because one training fits the
#'   whole path. The list is empty if nothing is usually tuned.
#' @examples
#' tuning_grid(gbrt())
#' @export
tuning_grid <- function(spec) {
  check_all_given()
  check_spec(spec, "spec", example = "gbrt")
  as.list(default_grid(spec))
}

check_grid <- function(spec, grid, name, call) {
  if (is.null(spec) || ranker_kind(spec) != "specification") {
    stop_input("argument", sprintf("`tune` has values for `%s`, which is no specification.",
                                   name), call = call)
  }
  known <- names(entry_of(spec)$parameters)
  if (!is.list(grid) || length(grid) == 0L || is.null(names(grid)) ||
        !all(names(grid) %in% known) || any(lengths(grid) == 0L)) {
    stop_input("argument",
               sprintf("The values for `%s` must be a list with names of arguments.", name),
               sprintf("`%s` has %s.", format(spec), enumerate(known, 20L)),
               call = call)
  }
  for (values in grid_rows(grid)) {
    with_settings(spec, values)
  }
}

# All combinations of the values, as lists.
grid_rows <- function(grid) {
  at <- expand.grid(lapply(grid, seq_along))
  lapply(seq_len(nrow(at)), function(i) {
    Map(function(values, j) values[[j]], grid, as.list(at[i, , drop = FALSE]))
  })
}

show_values <- function(values) {
  paste(vapply(names(values), function(name) {
    sprintf("%s = %s", name, setting_text(values[[name]]))
  }, ""), collapse = ", ")
}

# The tuning values of the registry entry, or NULL. The values of a path are left out, because one
# training fits them all.
default_grid <- function(spec) {
  entry <- entry_of(spec)
  tuned <- setdiff(names(entry$parameters), entry$lacks(spec))
  grid <- Filter(Negate(is.null), lapply(entry$parameters[tuned], `[[`, "tune"))
  if (has_trait(spec, "path")) {
    grid[[entry$path]] <- list(grid[[entry$path]])
  }
  if (length(grid) > 0L) grid
}
