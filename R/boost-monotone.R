# Monotone constraints of boosted trees. 1: predictions must not fall with the feature; -1: they
# must not rise.

monotone_signs <- function(x, name, call) {
  names <- names(x)
  if (!is_plain_number(x) || length(x) == 0L || !all(x %in% c(-1, 0, 1)) ||
        !is.null(names) && (anyNA(names) || !all(nzchar(names)) || anyDuplicated(names))) {
    stop_input("argument",
               sprintf("`%s` must have 1, -1 or 0, named by features, or one for each feature, not %s.",
                       name, show_value(x)),
               remedy = "For example `c(bm25 = 1, length = -1)`.", call = call)
  }
}

# The sign of each feature; empty if no feature is constrained.
signs_of_features <- function(monotone, features, call) {
  if (all(monotone == 0)) {
    return(integer())
  }
  if (is.null(names(monotone))) {
    if (length(monotone) != length(features)) {
      stop_input("argument", sprintf("`monotone_constraints` has %d signs, but there are %d features.",
                                     length(monotone), length(features)),
                 remedy = "Give one for each, or name them.", call = call)
    }
    return(as.integer(monotone))
  }
  check_named_features(names(monotone), features, "monotone_constraints", call)
  signs <- integer(length(features))
  signs[match(names(monotone), features)] <- as.integer(monotone)
  signs
}

# Whether all names are names of features or of factors.
check_named_features <- function(names, known, setting, call) {
  known <- unique(known)
  unknown <- setdiff(names, known)
  if (length(unknown) > 0L) {
    stop_input("argument", sprintf("`%s` names unknown features: %s.", setting, enumerate(unknown, 5L)),
               sprintf("There are %s.", enumerate(known, 5L)),
               c(did_you_mean(unknown[1L], known), "Name features of the data."), call = call)
  }
}
