# Specifications as values: what made them, and the same with other settings.

# The functions that make specifications: what each makes has its name as class.
spec_constructors <- c("adaboost_mh", "gbrt", "mcsvm", "best_feature")

is_specification <- function(x) inherits(x, paste0("rankmix_", spec_constructors))

spec_constructor_name <- function(spec) {
  intersect(sub("^rankmix_", "", class(spec)), spec_constructors)[1L]
}

spec_constructor <- function(spec) {
  get(spec_constructor_name(spec), envir = environment(spec_constructor))
}

# The names of the settings that a constructor takes.
setting_names <- function(constructor) setdiff(names(formals(constructor)), "...")

# The specification with other arguments, checked as its constructor does.
with_values <- function(spec, values) {
  constructor <- spec_constructor(spec)
  arguments <- unclass(spec)
  if (inherits(spec, "rankmix_gbrt")) {
    names(arguments)[names(arguments) == "rounds"] <- "trees"
    # The number of leaves follows from the depth where it was not given.
    derived <- leaves_by_default(spec)
    if ("depth" %in% names(values) && spec$leaves == derived) arguments$leaves <- NULL
  }
  arguments[names(values)] <- values
  do.call(spec_constructor_name(spec),
          arguments[intersect(setting_names(constructor), names(arguments))], quote = TRUE,
          envir = environment(with_values))
}

# The leaves that gbrt() has of itself.
leaves_by_default <- function(spec) {
  if (is.null(spec$depth)) gbrt()$leaves else gbrt(depth = spec$depth)$leaves
}

#' Change a specification
#'
#' @param object A specification, such as [adaboost_mh()], [gbrt()], [mcsvm()] or
#'   [best_feature()].
#' @param ... Settings by their names, as the function takes them that made it.
#'
#' @return The specification with these settings, checked; `object` stays as it is.
#' @section Conditions: `rankmix_error_argument`: a setting that there is not, or a value that
#'   is not allowed.
#' @examples
#' spec <- gbrt(trees = 100)
#' update(spec, step = 0.05, trees = 200)
#' @name update_specification
#' @importFrom stats update
#' @aliases update
#' @export
update.rankmix_adaboost_mh <- function(object, ...) {
  values <- list(...)
  known <- setting_names(spec_constructor(object))
  names <- rlang::names2(values)
  do.call(check_no_others, c(values[!names %in% known],
                             list(known = known, call = rlang::current_env())))
  if (anyDuplicated(names)) {
    stop_input("argument", sprintf("`%s` is given twice.", names[anyDuplicated(names)]))
  }
  with_values(object, values)
}

#' @rdname update_specification
#' @export
update.rankmix_gbrt <- update.rankmix_adaboost_mh

#' @rdname update_specification
#' @export
update.rankmix_mcsvm <- update.rankmix_adaboost_mh

#' @rdname update_specification
#' @export
update.rankmix_best_feature <- update.rankmix_adaboost_mh
