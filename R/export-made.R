# Settings of a model as JSON: the function that makes each setting, and its arguments. Reading calls that
# function, which checks the arguments as usual.

objective_makers <- c("squared", "pairwise", "softmax", "list_mle", "smooth", "lambda", "xendcg",
                      "query_rmse", "ordinal")
calibrator_makers <- c("naive", "cpc", "rbc", "probability")
base_makers <- c("stump", "tree", "hamming_tree", "product")

# The functions that read_model() may call to make settings. It calls no others.
known_makers <- function() {
  c(setdiff(built_in_rankers(), "mixture"), component_name("metric", metric_names()),
    component_name("loss", objective_makers), component_name("base", base_makers),
    component_name("calibrator", calibrator_makers), "search_bandit", "imported")
}

is_made <- function(x) {
  is_specification(x) || inherits(x, c("rankmix_metric", "rankmix_objective", "rankmix_base",
                                       "rankmix_bandit", "rankmix_calibrator"))
}

# The name of the constructor, and its arguments.
maker_of <- function(x) {
  given <- function(settings) settings[!vapply(settings, is.null, NA)]
  if (is_specification(x)) {
    entry <- entry_of(x)
    if (!is.null(attr(x, "row"))) stop_no_json("It is a ranker of your own functions.")
    return(list(name = entry$name, settings = given(entry$given(x)[names(entry$parameters)])))
  }
  if (inherits(x, "rankmix_metric")) {
    name <- component_name("metric", x$name)
    k <- if ("k" %in% names(formals(get_maker(name)))) x$k
    return(list(name = name, settings = given(c(list(k = k), x$set,
                                                list(convention = x$convention)))))
  }
  if (inherits(x, c("rankmix_objective", "rankmix_calibrator"))) {
    family <- if (inherits(x, "rankmix_objective")) "loss" else "calibrator"
    return(list(name = component_name(family, x$name), settings = unclass(x)[names(x) != "name"]))
  }
  if (inherits(x, "rankmix_bandit")) {
    return(list(name = "search_bandit", settings = unclass(x)))
  }
  name <- component_name("base", x$name)
  size <- setdiff(names(formals(get_maker(name))), c("votes", "..."))
  list(name = name, settings = c(stats::setNames(list(x$size)[seq_along(size)], size),
                                 list(votes = x$votes)))
}

get_maker <- function(name) {
  if (!is.character(name) || length(name) != 1L || !name %in% known_makers()) {
    stop_no_json("It has a setting that is a function of yours.")
  }
  get(name, envir = environment(get_maker), mode = "function")
}

make <- function(name, settings) {
  maker <- get_maker(name)
  need(all(names(settings) %in% setdiff(names(formals(maker)), "...")),
       sprintf("`%s()` has no such setting.", name))
  do.call(maker, settings, quote = TRUE)
}

json_made <- function(x) {
  made <- maker_of(x)
  # A setting whose fields were changed may not be read back identically. Such a model is not written.
  same <- tryCatch(same_made(make(made$name, made$settings), x), error = function(e) FALSE)
  if (!same) stop_no_json(sprintf("Something changed the fields of its setting `%s()`.", made$name))
  sprintf("{\"made_by\":%s,\"settings\":%s}", json_string(made$name), json_object(made$settings))
}

# Integers and doubles of the same value are equal, such as 31L and 31.
same_made <- function(one, other) {
  isTRUE(all.equal(unclass(one), unclass(other), tolerance = 0)) &&
    identical(class(one), class(other))
}

made_of_json <- function(x) {
  need(identical(names(x), c("made_by", "settings")), "A setting is broken.")
  settings <- fields_of_json(x[["settings"]])
  tryCatch(make(x[["made_by"]], settings),
           rankmix_no_json = function(e) stop("A setting is of no known function.", call. = FALSE))
}
