# Specifications, and the registry of rankers. A specification holds the settings of an untrained ranker. The
# registry entry of a ranker defines its settings, how each is checked, printed and tuned, what the ranker
# supports (its traits), and how it is trained. fit(), update(), benchmarks, mixtures and print() use only the
# entry.

# The traits that a ranker may have.
# `classifier`: it has a discriminant for each grade.
# `rounds`: it is trained in rounds, and validation data choose their number.
# `resumable`: it supports checkpoints.
# `path`: one training returns several models, and validation data choose one.
# `validation`: it uses validation data.
# `missing`, `weights`, `sparse`: it supports missing values (directly or filled, see missing.R), query
# weights, sparse data.
# `bins`: it is trained on bins alone, so it supports binned data (data-binned.R).
# `distributed`: several processes can train it together (cluster-fit.R). It then also has `bins`.
# `document_weights`: it supports weights of documents in addition to weights of queries.
# `real_relevance`: it can be trained on a relevance that is not graded.
# `random`: its training uses random numbers.
# `one_grade`: it can be trained on documents of one grade.
# `pairs`: it needs a query with documents of different grades.
# `queries`: its scores depend on the other documents of the query, so it cannot predict from features alone.
# `regression`: it can regress any `targets` of the task with any document `weights`. So rankers that combine
# regressions can train it (part_task() in fit.R).
ranker_traits <- c("classifier", "rounds", "resumable", "path", "validation", "missing",
                   "weights", "document_weights", "real_relevance", "sparse", "bins", "distributed",
                   "random", "one_grade", "pairs", "queries", "regression")

# A registry entry. Its elements:
# `train(spec, task)`: trains a model, see fit.R for the task. Made from `grow` if there is one.
# `grow(spec, task, from)`: trains to the number of rounds of the specification, after the rounds of the model
# `from`, or from the start if that is NULL. Models of such an entry can be trained further.
# `traits`: the traits; for a composite ranker a function of the specification, or of NULL for all that it
# can have.
# `rounds`: the name of the setting with the number of rounds, a function of the specification that returns this
# number, or NULL.
# `path`: the name of the setting of which several values form a path.
# `dots`: the name of the setting that the constructor takes as `...`.
# `class`: the class of the specifications.
# `parts(spec)`: the rankers that the ranker combines.
# `metric(spec)`: the ranker's own metric for tuning, or NULL.
# `complete(spec, call)`: checks combinations of settings and fills in dependent ones; `given(spec)` removes
# these again.
# `lacks(spec)`: names of settings that are not used, and therefore not tuned.
# `steps(spec)`: number of progress reports, 0 if training reports its progress itself.
# `open()`: opens a checkpoint that is a folder, see fit.R.
# `variant(spec)`: NULL, or how to print a specification that another constructor makes, such as lambdamart()
# for gbrt(): a list of its `name`, `lead` (the first argument) and `instead` (the setting that `lead`
# replaces).
# `tolerance`: the largest relative difference of predictions, by the names of `contract_terms` that do not
# hold to the last bit. `exempt`: the reasons for terms that do not hold.
registry_entry <- function(name, parameters, traits, train = NULL, grow = NULL, rounds = NULL, path = NULL,
                           dots = NULL, class = paste0("rankmix_", name), parts = NULL,
                           metric = function(spec) NULL, open = NULL,
                           complete = function(spec, call) spec,
                           given = function(spec) unclass(spec),
                           lacks = function(spec) character(), variant = function(spec) NULL,
                           steps = function(spec) if (is.null(rounds)) 1 else rounds_of(spec),
                           tolerance = numeric(), exempt = character()) {
  if (!is.null(grow)) train <- function(spec, task) grow(spec, task, task$checkpoint$model)
  structure(list(name = name, parameters = parameters, traits = traits, train = train, grow = grow,
                 rounds = rounds, path = path, dots = dots, class = class, parts = parts,
                 metric = metric, open = open, complete = complete, given = given,
                 lacks = lacks, variant = variant, steps = steps,
                 tolerance = tolerance, exempt = exempt),
            class = "rankmix_row")
}

# The terms of the contract of rankers, see tests/testthat/test-contract.R.
contract_terms <- c(
  sparse = "Sparse features train the same model as dense features.",
  rows = "The model is invariant to the order of training rows and of queries.",
  twice = "A query of weight 2 has the effect of two copies.",
  zero = "A query of weight 0 has no effect."
)

# A setting. `check(x, name, call)` raises an error for a wrong value. `tune`: values of the usual grid, NULL for
# none. `range`: the tuning_range() of tune_ranker(), which otherwise tries `tune`. `show`: how print() shows the
# setting: `"always"`, `"changed"` (if it differs from the default), `"never"`, `"bare"` (without its name),
# `"first"` (without its name, if it differs), or a function of the specification that returns TRUE or FALSE.
parameter <- function(check, tune = NULL, show = "changed", range = NULL) {
  list(check = check, tune = tune, show = show, range = range)
}

a_count <- function(...) {
  function(x, name, call) check_count(x, name, ..., call = call)
}

a_number <- function(...) {
  function(x, name, call) check_number(x, name, ..., call = call)
}

a_fraction <- function(x, name, call) check_number(x, name, 0, 1, open_min = TRUE, call = call)

a_choice <- function(...) {
  function(x, name, call) check_choice(x, name, c(...), call = call)
}

a_flag <- function(x, name, call) check_flag(x, name, call = call)

a_grouping <- function(x, name, call) grouping_grades(x, call)

# One number, or several distinct numbers.
a_path_of <- function(check) {
  function(x, name, call) {
    if (!is_plain_number(x) || length(x) == 0L || anyDuplicated(x)) {
      stop_input("argument", sprintf("`%s` must be a number, or several that differ, not %s.",
                                     name, show_value(x)), remedy = data_elsewhere(x), call = call)
    }
    for (value in x) check(value, name, call)
  }
}

null_or <- function(check) {
  function(x, name, call) if (!is.null(x)) check(x, name, call)
}

# Registry ------------------------------------------------------------------------------------

# Each ranker of the package has a function entry_of_<name>(). Specifications of user-defined rankers
# (spec-custom.R) carry their entry, so that another process has the entry, too.
entry_of <- function(spec) {
  carried <- attr(spec, "row")
  if (is.null(carried)) built_in_entry(spec_name(spec)) else carried
}

spec_name <- function(spec) sub("_spec$", "", sub("^rankmix_", "", class(spec)[1L]))

built_in_entry <- function(name) {
  get(paste0("entry_of_", name), envir = environment(built_in_entry), mode = "function")()
}

# The names of the package's rankers. Imported models have a specification that no ranker is trained from.
built_in_rankers <- function() {
  setdiff(sub("^entry_of_", "", ls(environment(built_in_rankers), pattern = "^entry_of_")), "imported")
}

is_specification <- function(x) inherits(x, "rankmix_spec")

# Checks a specification. The error shows the call to write.
check_spec <- function(x, name, call = rlang::caller_env(), example = "lambdamart") {
  made <- uncalled_ranker(x)
  check_class(x, name, "rankmix_spec", sprintf("a function such as `%s()`", example), call,
              remedy = sprintf("Write `%s = %s()`.", name, if (is.null(made)) example else made))
}

# The name of a constructor of rankers that was given without a call, as a function or as text; NULL for other values.
uncalled_ranker <- function(x) {
  constructors <- c(built_in_rankers(), "lambdamart", "ranknet", "listnet")
  made <- if (is.function(x)) {
    vapply(constructors, function(one) {
      identical(x, get(one, envir = environment(built_in_rankers), mode = "function"))
    }, NA)
  } else if (is.character(x) && length(x) == 1L) {
    constructors == x
  }
  if (any(made, na.rm = TRUE)) constructors[which(made)[1L]]
}

has_trait <- function(spec, trait) trait %in% traits_of(spec)

traits_of <- function(spec) entry_traits(entry_of(spec), spec)

# Without a specification: all traits that the ranker can have.
entry_traits <- function(entry, spec = NULL) {
  c(if (is.function(entry$traits)) entry$traits(spec) else entry$traits,
    if (fills_missing(entry, spec)) "missing")
}

# TRUE for classifiers, specified or trained.
is_classifier <- function(x) {
  inherits(x, "rankmix_classifier") || is_specification(x) && has_trait(x, "classifier")
}

# The largest number of rounds; NULL without rounds.
rounds_of <- function(spec) {
  rounds <- entry_of(spec)$rounds
  if (is.function(rounds)) rounds(spec) else if (!is.null(rounds)) spec[[rounds]]
}

# Specifications --------------------------------------------------------------------------

# Makes the specification from its settings. Errors show the constructor, which calls this.
new_spec <- function(name, ..., call = rlang::caller_env()) {
  complete_spec(built_in_entry(name), list(...), call)
}

complete_spec <- function(entry, values, call, own = FALSE) {
  for (name in names(entry$parameters)) {
    entry$parameters[[name]]$check(values[[name]], name, call)
  }
  spec <- structure(values, class = c(if (own) "rankmix_custom_spec" else entry$class,
                                   "rankmix_spec"))
  if (own) attr(spec, "row") <- entry
  entry$complete(spec, call)
}

spec_constructor <- function(spec) {
  entry <- entry_of(spec)
  if (is.null(entry$own)) {
    get(entry$name, envir = environment(spec_constructor), mode = "function")
  } else {
    constructor_of(entry)
  }
}

# The specification with other settings, checked as by its constructor.
with_settings <- function(spec, values) {
  entry <- entry_of(spec)
  constructor <- spec_constructor(spec)
  arguments <- entry$given(spec)[names(entry$parameters)]
  arguments[names(values)] <- values
  arguments <- arguments[!vapply(arguments, is.null, NA)]
  if (!is.null(entry$dots)) {
    arguments <- c(listed(arguments[[entry$dots]]),
                   arguments[names(arguments) != entry$dots])
  }
  # Called by name, because errors show the call.
  do.call(entry$name, arguments, quote = TRUE,
          envir = list2env(stats::setNames(list(constructor), entry$name)))
}

#' Change a specification
#'
#' Returns a copy of a specification with other settings.
#'
#' @param object The specification, such as [adaboost_mh()], [gbrt()], [mcsvm()] or [best_feature()].
#' @param ... The settings, named as in the function that made `object`.
#'
#' @return The changed specification, after a check of all settings. `object` does not change.
#' @section Conditions: `rankmix_error_argument`: an unknown setting, or a value that is not allowed.
#' @examples
#' spec <- gbrt(trees = 100)
#' update(spec, learning_rate = 0.05, trees = 200)
#' @name update_specification
#' @importFrom stats update
#' @aliases update
#' @export
update.rankmix_spec <- function(object, ...) {
  values <- list(...)
  known <- names(entry_of(object)$parameters)
  names <- rlang::names2(values)
  do.call(check_no_others, c(values[!names %in% known],
                             list(known = known, call = rlang::current_env())))
  if (anyDuplicated(names)) {
    stop_input("argument", sprintf("`%s` is given twice.", names[anyDuplicated(names)]))
  }
  with_settings(object, values)
}

# Text ------------------------------------------------------------------------------------

# The call that makes the specification, without default values, so that labels of members are short.
#' @export
format.rankmix_spec <- function(x, ...) {
  written <- written_as(x, always = TRUE)
  sprintf("%s(%s)", written$name, paste(unlist(written$settings), collapse = ", "))
}

# The `name` of the constructor, and the texts of the `settings` that differ from their defaults. With
# `always` also the settings that are always shown.
written_as <- function(spec, always = FALSE) {
  entry <- entry_of(spec)
  variant <- entry$variant(spec)
  own <- formals(spec_constructor(spec))
  defaults <- if (is.null(variant)) own else {
    called <- formals(get(variant$name, envir = environment(spec_constructor), mode = "function"))
    c(called, own[setdiff(names(own), names(called))])
  }
  names <- setdiff(names(entry$parameters), variant$instead)
  # Settings that the specification filled in are removed, because the user did not give them.
  values <- if (always) unclass(spec) else entry$given(spec)
  settings <- lapply(stats::setNames(names, names), function(name) {
    show <- entry$parameters[[name]]$show
    if (is.function(show)) show <- if (show(spec)) "always" else "never"
    if (!always && show == "always") show <- "changed"
    text_of_setting(values[[name]], name, show, defaults[[name]], identical(name, entry$dots))
  })
  list(name = if (is.null(variant)) entry$name else variant$name,
       settings = Filter(Negate(is.null), c(list(lead = variant$lead), settings)))
}

# The text of a setting, or NULL if it is not shown. `dots`: the constructor takes the setting as `...`.
text_of_setting <- function(value, name, show, default, dots) {
  if (show == "never" || is.null(value) ||
        show %in% c("changed", "first") && same_setting(value, default)) {
    return(NULL)
  }
  if (dots) {
    texts <- vapply(value, setting_text, "")
    named <- nzchar(rlang::names2(value))
    return(ifelse(named, paste(rlang::names2(value), "=", texts), texts))
  }
  if (show %in% c("bare", "first")) setting_text(value) else {
    sprintf("%s = %s", name, setting_text(value))
  }
}

# Integers and doubles of the same value are equal, such as 31L and 31. A default may be a call, which is
# evaluated.
same_setting <- function(value, default) {
  if (is.language(default)) {
    default <- eval(default, environment(same_setting))
  }
  isTRUE(all.equal(unclass(value), unclass(default), tolerance = 0, check.attributes = FALSE))
}

setting_text <- function(value) {
  if (inherits(value, "rankmix_ranker")) {
    return(member_text(value))
  }
  if (is.matrix(value)) {
    return(sprintf("<%d x %d matrix>", nrow(value), ncol(value)))
  }
  if (inherits(value, "rankmix_metric")) {
    return(sprintf("\"%s\"", format(value)))
  }
  if (is.object(value)) {
    return(format(value))
  }
  if (is.list(value)) {
    return(sprintf("list(%s)", paste(vapply(value, setting_text, ""), collapse = ", ")))
  }
  if (is.function(value)) {
    return("<function>")
  }
  if (is.character(value) && length(value) == 1L) {
    return(sprintf("\"%s\"", value))
  }
  if (is_plain_number(value)) {
    numbers <- with_points(vapply(value, function(x) {
      if (isTRUE(x >= 1)) plain_number(x) else number_text(x, digits = 15)
    }, ""))
    if (!is.null(names(value))) numbers <- paste(names(value), "=", numbers)
    return(if (length(numbers) == 1L && is.null(names(value))) numbers else {
      sprintf("c(%s)", paste(numbers, collapse = ", "))
    })
  }
  paste(deparse(value), collapse = "")
}

#' @export
print.rankmix_spec <- function(x, ...) {
  entry <- entry_of(x)
  hidden <- is.character(entry$rounds) && identical(entry$parameters[[entry$rounds]]$show, "never")
  say("<specification> ", format(x),
      if (hidden) sprintf(", %s rounds", plain_number(rounds_of(x))))
  invisible(x)
}

#' @export
`==.rankmix_spec` <- function(e1, e2) {
  same_identity(e1, e2)
}

# Help ------------------------------------------------------------------------------------

# The section of `?rankers` on guarantees, made from the registry.
contract_section <- function() {
  entries <- lapply(built_in_rankers(), built_in_entry)
  notes <- unlist(lapply(entries, function(entry) {
    close <- sprintf("up to a relative difference of %s", format(entry$tolerance))
    reasons <- c(stats::setNames(close, names(entry$tolerance)), entry$exempt)
    distinct <- unique(reasons)
    rules <- vapply(distinct, function(reason) paste(names(reasons)[reasons == reason], collapse = ", "), "")
    sprintf("* `%s()`, %s: %s", entry$name, rules, distinct)
  }))
  c("@section Reproducibility:",
    "The same data, settings and seed give the same model, bit for bit, on any number of",
    "threads. Rows of new data may come in any order, as ranking data, a matrix or a data frame.",
    "Another computer gives the same model and predictions if platform, R, package, BLAS and C library",
    "are the same. Platforms differ in the last bits of `exp()` and `log()`. Processors with and without",
    "FMA instructions also differ. Most x86-64 processors since 2013 have them.",
    "Four rules hold bit for bit, except for the rankers and cases below:",
    "", sprintf("* %s: %s", names(contract_terms), contract_terms), "",
    if (length(notes) > 0L) c("Exceptions:", "", notes), "", contract_limits)
}

# Descriptions of settings and data for which a term does not hold, as in
# tests/testthat/test-contract-defaults.R.
contract_limits <- c(
  "Cases in which a rule does not hold:", "",
  "* twice: some weights are not whole numbers. `min_data_in_leaf` then counts each document once.",
  paste("* twice: all weights are equal. The bins are then the same as without weights. Copies of all queries",
        "may change the bins of a feature with more distinct values than `max_bin`."),
  paste("* twice: the sum of whole-number weights over the documents is 2^24 or more. The weights are then",
        "rounded."),
  paste("* twice, zero: a feature is missing only in new data. Documents without the feature go to the side",
        "of a split with more training rows, for any weights."),
  paste("* twice: a ranker such as `linear_ranker()` chooses a penalty by cross-validation. A query and its",
        "copy can be in different folds, so the penalty can differ."),
  paste("* twice: `bagging_fraction` or `query_fraction` is below 1. The samples depend on the query id, and",
        "a copy has a different id.")
)
