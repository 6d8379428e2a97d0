# Checks members of a mixture before they are calibrated. A member is a specification, or a model of
# fit(). Also checks that the calibrators support it.

# Everything that can be calibrated: classifiers, and rankers of one score.
check_members <- function(members, call = rlang::caller_env()) {
  if (length(members) == 0L) {
    stop_input("argument", "A mixture needs members.",
               remedy = "Such as `mixture(adaboost_mh(base_tree(8)), gbrt())`.", call = call)
  }
  for (i in seq_along(members)) {
    check_can_be_member(members[[i]], i, call)
  }
  members
}

check_can_be_member <- function(member, i, call) {
  spec <- spec_of_member(member)
  if (is.null(spec)) {
    mixed <- inherits(member, "rankmix_ranker")
    stop_input(
      "argument",
      sprintf("Member %d must be %s, not %s.", i, member_makers, show_value(member)),
      if (mixed) "It is mixed or calibrated already.",
      if (mixed) "Give what it is made of, or mix what you have by `mix()`.",
      call = call
    )
  }
  if (inherits(spec, "rankmix_mixture_spec")) {
    stop_input("argument", sprintf("A mixture cannot be member %d of a mixture.", i),
               remedy = "Give its members, or mix the trained ones by `mix()`.", call = call)
  }
}

member_makers <- "a specification, such as `gbrt()`, a model that `fit()` gave, or a function"

# A value with a class is one value, not a list of its parts.
listed <- function(x) if (is.list(x) && !is.object(x)) x else list(x)

# The specification of a member, trained or not; NULL if the value cannot be a member.
spec_of_member <- function(member) {
  if (is_specification(member)) {
    return(member)
  }
  if (inherits(member, "rankmix_ranker") && is_specification(member$spec)) member$spec
}

# The text of a specification; NULL for a model.
member_text <- function(member) {
  if (is_specification(member)) format(member) else {
    sprintf("<model of %s>", format(member$spec))
  }
}

# The traits that all members to be trained share.
shared_traits <- function(members) {
  specs <- Filter(is_specification, members)
  shared <- lapply(specs, traits_of)
  Reduce(intersect, shared, c("missing", "weights", "sparse", "one_grade"))
}

# A list of calibrators, or NULL if the validation data decide.
check_calibrators <- function(calibrators, call = rlang::caller_env()) {
  if (!is.null(calibrators)) {
    check_list_of(calibrators, "calibrators", "rankmix_calibrator",
                  "`calibrator_naive()`, `calibrator_cpc()` or `calibrator_rbc()`", call)
  }
}

calibrators_of_kind <- function(calibrators, members, call = rlang::caller_env()) {
  if (!members %in% c("cpc", "rbc")) {
    return(calibrators)
  }
  chosen <- Filter(function(method) method$name == members, calibrators)
  if (length(chosen) == 0L) {
    stop_input("argument", sprintf("None of `calibrators` is `%s()`.", component_name("calibrator", members)),
               remedy = "Give some, or take `members = \"all\"`.", call = call)
  }
  chosen
}

# Each member needs at least one calibrator that supports it.
check_member_calibrators <- function(members, calibrators, call = rlang::caller_env()) {
  if (any(vapply(calibrators, one_score_suffices, NA))) {
    return(invisible())
  }
  for (member in members) {
    if (!is_classifier(member)) {
      stop_input("argument", sprintf("No calibrator suits `%s`.", member_text(member)),
                 "It gives one score a document; they need a discriminant for each grade.",
                 "Give `calibrator_rbc()` too, which takes one score.", call = call)
    }
  }
}

# Below this number of validation queries the fast calibrators are the default.
few_queries <- 500L

preset_for <- function(validation) {
  if (length(validation$query_ids) < few_queries) "fast_calibrators()" else "all_calibrators()"
}

calibrator_presets <- list(`fast_calibrators()` = function() fast_calibrators(),
                           `all_calibrators()` = function() all_calibrators())

# The default values of T to try. Members without rounds are the same for any T.
usual_rounds <- function(members) {
  most <- vapply(members, function(member) {
    if (!is_specification(member)) {
      return(as.numeric(rounds_used(member)))
    }
    rounds <- rounds_of(member)
    if (is.null(rounds)) 1 else as.numeric(rounds)
  }, numeric(1))
  rounds_grid(max(1, most))
}
