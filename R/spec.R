# What a ranker is before it is trained: a specification, and the row of what is known of its
# kind. A row says which settings there are, how each is checked, shown and tuned over, what the
# ranker can do (its traits), and how it is trained. fit(), update(), benchmarks, mixtures and
# print() ask the row, and nothing else.

# What rankers may be able to do. `classifier`: it has a discriminant for each grade. `rounds`: it
# is trained round by round, and validation data choose how many. `resumable`: it takes
# checkpoints. `path`: one training gives several models, of which validation data choose one.
# `validation`: it uses validation data. `missing`, `weights`, `sparse`: it takes missing values
# (or has them filled, see missing.R), weights of queries, sparse data. `random`: it draws. `one_grade`: it can be trained on
# documents of one grade; `pairs`: it needs a query with documents of different grades.
# `regression`: it regresses the task's `targets` with its `weights` of documents, whatever they
# are, so that rankers that are made of regressions can train it (part_task() in fit.R).
ranker_traits <- c("classifier", "rounds", "resumable", "path", "validation", "missing",
                   "weights", "sparse", "random", "one_grade", "pairs", "regression")

# `train(spec, task)` gives the model, see fit.R for the task. `traits` of a ranker that is made
# of others are a function of the specification, given NULL of what all have. `rounds` names the
# setting that holds the number of rounds, or is a function of the specification that gives it, or
# NULL; `path` names the one of which several values are a path,
# `dots` the one that its constructor takes as `...`; `class` is that of its specifications.
# `parts(spec)` are the rankers that it is
# made of; `metric(spec)` is a metric of its own to tune by, or NULL. `complete(spec, call)`
# checks what belongs together and fills in what follows; `given(spec)` takes that out again.
# `lacks(spec)` names settings that it has no use for, which are not tuned.
# `steps(spec)` is how often progress is told, 0 where training tells it otherwise. `open()` opens
# a checkpoint that is a folder, see fit.R.
# `variant(spec)` is NULL, or how a specification is written that a constructor of another name makes,
# as lambdamart() makes gbrt(): a list of its `name`, `lead`, what stands first in its call, and
# `instead`, the setting that `lead` stands for.
# `small` are settings that train in no time. `tolerance` is the largest relative difference of
# predictions by the names of `contract_terms` that do not hold to the last bit; `excused` says
# of those that do not hold why.
ranker_row <- function(name, parameters, traits, train, rounds = NULL, path = NULL, dots = NULL,
                       class = paste0("rankmix_", name), parts = NULL,
                       metric = function(spec) NULL, open = NULL,
                       complete = function(spec, call) spec,
                       given = function(spec) unclass(spec),
                       lacks = function(spec) character(), variant = function(spec) NULL,
                       steps = function(spec) if (is.null(rounds)) 1 else rounds_of(spec),
                       small = list(), tolerance = numeric(), excused = character()) {
  structure(list(name = name, parameters = parameters, traits = traits, train = train,
                 rounds = rounds, path = path, dots = dots, class = class, parts = parts,
                 metric = metric, open = open, complete = complete, given = given,
                 lacks = lacks, variant = variant, steps = steps, small = small,
                 tolerance = tolerance, excused = excused),
            class = "rankmix_row")
}

# What a ranker may be excused from, see tests/testthat/test-contract.R.
contract_terms <- c(
  sparse = "Sparse features train the same model as dense ones.",
  rows = "The order of training rows and of whole queries changes nothing.",
  twice = "A query of weight 2 is as good as the query twice.",
  zero = "A query of weight 0 is as good as absent."
)

# `check(x, name, call)` fails in the user's words; `tune` are values to tune over, NULL for a
# setting that is not tuned. `show`: `"bare"` without its name, `"first"` so where it differs
# from its default, `"always"`, `"changed"` where it differs, `"never"`, or a function of the specification that says whether.
parameter <- function(check, tune = NULL, show = "changed") {
  list(check = check, tune = tune, show = show)
}

a_count <- function(...) {
  function(x, name, call) check_count(x, name, ..., call = call)
}

a_number <- function(...) {
  function(x, name, call) check_number(x, name, ..., call = call)
}

a_share <- function(x, name, call) check_number(x, name, 0, 1, open_min = TRUE, call = call)

a_choice <- function(...) {
  function(x, name, call) check_choice(x, name, c(...), call = call)
}

a_flag <- function(x, name, call) check_flag(x, name, call = call)

a_grouping <- function(x, name, call) grouping_grades(x, call)

# One number or several, each once.
a_path_of <- function(check) {
  function(x, name, call) {
    if (!is.numeric(x) || length(x) == 0L || anyDuplicated(x)) {
      stop_input("argument", sprintf("`%s` must be a number, or several that differ, not %s.",
                                     name, show_value(x)), call = call)
    }
    for (value in x) check(value, name, call)
  }
}

null_or <- function(check) {
  function(x, name, call) if (!is.null(x)) check(x, name, call)
}

# Rows ------------------------------------------------------------------------------------

# A ranker of the package has a function row_of_<name>(); the specifications of a ranker of the
# user's (spec-custom.R) carry their row, so that another process knows it too.
row_of <- function(spec) {
  carried <- attr(spec, "row")
  if (is.null(carried)) built_in_row(spec_name(spec)) else carried
}

spec_name <- function(spec) sub("_spec$", "", sub("^rankmix_", "", class(spec)[1L]))

built_in_row <- function(name) {
  get(paste0("row_of_", name), envir = environment(built_in_row), mode = "function")()
}

# The names of the package's rankers.
built_in_rankers <- function() {
  sub("^row_of_", "", ls(environment(built_in_rankers), pattern = "^row_of_"))
}

is_specification <- function(x) inherits(x, "rankmix_spec")

has_trait <- function(spec, trait) trait %in% traits_of(spec)

traits_of <- function(spec) row_traits(row_of(spec), spec)

# Without a specification, those that do not depend on it, or that it can have.
row_traits <- function(row, spec = NULL) {
  c(if (is.function(row$traits)) row$traits(spec) else row$traits,
    if (fills_missing(row, spec)) "missing")
}

# What training can use as a member that is calibrated: specified or trained.
is_classifier <- function(x) {
  inherits(x, "rankmix_classifier") || is_specification(x) && has_trait(x, "classifier")
}

# The most rounds that it may use; NULL where it has none.
rounds_of <- function(spec) {
  rounds <- row_of(spec)$rounds
  if (is.function(rounds)) rounds(spec) else if (!is.null(rounds)) spec[[rounds]]
}

# Specifications --------------------------------------------------------------------------

# Called by the constructor of a ranker of the package: the specification of the settings in
# its frame.
new_spec <- function(name, frame = rlang::caller_env()) {
  row <- built_in_row(name)
  complete_spec(row, mget(names(row$parameters), envir = frame), frame)
}

complete_spec <- function(row, values, call, own = FALSE) {
  for (name in names(row$parameters)) {
    row$parameters[[name]]$check(values[[name]], name, call)
  }
  spec <- structure(values, class = c(if (own) "rankmix_custom_spec" else row$class,
                                   "rankmix_spec"))
  if (own) attr(spec, "row") <- row
  row$complete(spec, call)
}

spec_constructor <- function(spec) {
  row <- row_of(spec)
  if (is.null(row$own)) {
    get(row$name, envir = environment(spec_constructor), mode = "function")
  } else {
    constructor_of(row)
  }
}

# The same with other settings, checked as its constructor does.
with_settings <- function(spec, values) {
  row <- row_of(spec)
  constructor <- spec_constructor(spec)
  arguments <- row$given(spec)[names(row$parameters)]
  arguments[names(values)] <- values
  arguments <- arguments[!vapply(arguments, is.null, NA)]
  if (!is.null(row$dots)) {
    arguments <- c(listed(arguments[[row$dots]]),
                   arguments[names(arguments) != row$dots])
  }
  # By its name, which errors show.
  do.call(row$name, arguments, quote = TRUE,
          envir = list2env(stats::setNames(list(constructor), row$name)))
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
update.rankmix_spec <- function(object, ...) {
  values <- list(...)
  known <- names(row_of(object)$parameters)
  names <- rlang::names2(values)
  do.call(check_no_others, c(values[!names %in% known],
                             list(known = known, call = rlang::current_env())))
  if (anyDuplicated(names)) {
    stop_input("argument", sprintf("`%s` is given twice.", names[anyDuplicated(names)]))
  }
  with_settings(object, values)
}

# Text ------------------------------------------------------------------------------------

# As one would type it: what differs from the defaults, so that labels of members stay short.
#' @export
format.rankmix_spec <- function(x, ...) {
  written <- written_as(x, always = TRUE)
  sprintf("%s(%s)", written$name, paste(unlist(written$settings), collapse = ", "))
}

# The `name` of the constructor that somebody would call, and the texts of its `settings` that differ
# from the defaults. With `always` also those that a specification shows always.
written_as <- function(spec, always = FALSE) {
  row <- row_of(spec)
  variant <- row$variant(spec)
  own <- formals(spec_constructor(spec))
  defaults <- if (is.null(variant)) own else {
    called <- formals(get(variant$name, envir = environment(spec_constructor), mode = "function"))
    c(called, own[setdiff(names(own), names(called))])
  }
  names <- setdiff(names(row$parameters), variant$instead)
  # What a specification filled in is no setting that somebody gave.
  values <- if (always) unclass(spec) else row$given(spec)
  settings <- lapply(stats::setNames(names, names), function(name) {
    show <- row$parameters[[name]]$show
    if (is.function(show)) show <- if (show(spec)) "always" else "never"
    if (!always && show == "always") show <- "changed"
    text_of_setting(values[[name]], name, show, defaults[[name]], identical(name, row$dots))
  })
  list(name = if (is.null(variant)) row$name else variant$name,
       settings = Filter(Negate(is.null), c(list(lead = variant$lead), settings)))
}

# NULL where it is not shown. `dots` is the setting that the constructor takes as `...`.
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

# 31L is 31. A default may be a call.
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
  if (is.numeric(value)) {
    numbers <- with_points(vapply(value, function(x) {
      if (x >= 1) plain_number(x) else format(x, digits = 15)
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
  row <- row_of(x)
  hidden <- is.character(row$rounds) && identical(row$parameters[[row$rounds]]$show, "never")
  say("<specification> ", format(x),
      if (hidden) sprintf(", %s rounds", plain_number(rounds_of(x))))
  invisible(x)
}

#' @export
`==.rankmix_spec` <- function(e1, e2) {
  identical(class(e1), class(e2)) && isTRUE(all.equal(unclass(e1), unclass(e2), tolerance = 0))
}

# Help ------------------------------------------------------------------------------------

# The section of `?rankers` that says what rankers keep to, from the rows.
contract_section <- function() {
  rows <- lapply(built_in_rankers(), built_in_row)
  notes <- unlist(lapply(rows, function(row) {
    close <- sprintf("to a relative difference of %s", format(row$tolerance))
    said <- c(stats::setNames(close, names(row$tolerance)), row$excused)
    sprintf("* `%s()`, %s: %s", row$name, names(said), said)
  }))
  c("@section What rankers keep to:",
    "The same data, settings and seed give the same model, bit for bit, on any number of",
    "threads. Rows of new data may come in any order, as ranking data, a matrix or a data frame.",
    "A saved model predicts the same elsewhere. And, to the last bit where nothing else is said:",
    "", sprintf("* %s: %s", names(contract_terms), contract_terms), "",
    if (length(notes) > 0L) c("But", "", notes), "", contract_limits)
}

# Settings and data under which a term does not hold, as tests/testthat/test-contract-defaults.R
# has them.
contract_limits <- c(
  "Some of this needs settings or data of a kind:", "",
  paste("* twice: weights count documents only if all of them are whole numbers. Other weights have no",
        "scale, and `min_documents` counts a document once."),
  paste("* twice: weights that are all the same leave the bins as they are without weights. Copies of",
        "all queries may have other bins, if a feature has more distinct values than `bins`."),
  paste("* twice: whole weights that sum to 2^24 or more over the documents are rounded as other",
        "weights are."),
  paste("* twice, zero: where no training document lacks a feature, new documents that lack it go to",
        "the side of a split that has more rows, whatever these weigh."),
  paste("* twice: what chooses a penalty by parts of the training queries, such as `linear()`, may",
        "have one copy in a part and the other one out of it, and choose another penalty."),
  paste("* twice: `document_share` and `query_share` below 1 draw by the ids of queries, and the copy",
        "has another one."),
  paste("* twice: `smoothrank()` follows one of many lowest points near each other. Rounding",
        "errors may lead to another one, with other predictions, unless the penalty is large or",
        "its `schedule` ends early.")
)
