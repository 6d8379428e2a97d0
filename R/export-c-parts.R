# Composite models as C. Each part is a separate file whose names get a number.

# Adds a suffix to all top-level names of a file.
c_renamed <- function(lines, suffix) {
  defined <- "^(?:static )?(?:const )?(?:double|float|int|void) \\*?([a-z_0-9]+)(?:\\[|\\().*"
  top <- grep(defined, lines, perl = TRUE, value = TRUE)
  names <- unique(sub(defined, "\\1", top, perl = TRUE))
  lines <- gsub(sprintf("\\b(%s)\\b", paste(names, collapse = "|")), paste0("\\1_", suffix), lines,
                perl = TRUE)
  sub("^double ", "static double ", lines)
}

# The features in x: the features of the model, or of all models inside it.
features_of_c <- function(model) {
  if (!is.null(model$features)) {
    return(model$features)
  }
  features_of_c(first_model(model))
}

first_model <- function(model) {
  if (inherits(model, "rankmix_calibrated")) {
    model$classifier
  } else if (inherits(model, "rankmix_mixture")) {
    model$models[[model$members$model[model$members$weight > 0][1L]]]
  } else {
    model$rankers[[which(model$members$weight > 0)[1L]]]
  }
}

# Sums of other models --------------------------------------------------------------------------

# Members use the filled features, or a subset of them.
c_bagging <- function(model, call) {
  inputs <- length(model$features) + length(model$filling$marked)
  calls <- character()
  parts <- character()
  for (i in seq_along(model$members)) {
    member <- model$members[[i]]
    member$best_rounds <- rounds_used(member)
    seen <- if (is.null(member$seen)) seq_len(inputs) else as.integer(member$seen)
    parts <- c(parts, c_renamed(c(c_array("int", "seen", seen - 1L), "", c_body(member, call)), i))
    calls <- c(calls, sprintf("  for (j = 0; j < %d; ++j) y[j] = z[seen_%d[j]];", length(seen), i),
               sprintf("  sum += score_%d(y);", i))
  }
  c(parts, c_filling(model), "", "double score(const double *x) {",
    sprintf("  double z[%d], y[%d], sum = 0.0;", inputs, inputs), "  int j;", "  fill(x, z);",
    calls, sprintf("  return sum / %d;", length(model$members)), "}")
}

# The predictions of the subproblems. The score is their sum, or the number of predictions of at
# least 1/2.
c_cocr <- function(model, call) {
  subproblems <- model$classes - 1L
  add <- if (model$spec$ranker == "soft") "wide += h[k];" else {
    sprintf("wide += h[k] >= %s;", c_numbers(0.5 - 1e-10))
  }
  c(c_levels(model, call), "", "double score(const double *x) {",
    sprintf("  double h[%d] = {0.0};", subproblems), "  long double wide = 0.0L;", "  int k;",
    "  levels(x, h);", sprintf("  for (k = 0; k < %d; ++k) %s", subproblems, add),
    "  return (double)wide;", "}")
}

c_levels <- function(model, call) {
  if (!is.null(model$weights)) {
    return(c(c_add_features(model, model[c("weights", "intercept")]),
             "static void levels(const double *x, double *h) {", "  add_features(x, h);", "}"))
  }
  inputs <- length(model$features) + length(model$filling$marked)
  parts <- character()
  calls <- character()
  for (k in seq_along(model$parts)) {
    part <- model$parts[[k]]
    if (is.function(part)) {
      stop_c_function(model, call)
    }
    if (is.numeric(part)) {
      calls <- c(calls, sprintf("  h[%d] = %s;", k - 1L, with_point(part)))
    } else {
      part$best_rounds <- min(model$best_rounds, rounds_used(part))
      parts <- c(parts, c_renamed(c_body(part, call), k))
      calls <- c(calls, sprintf("  h[%d] = score_%d(z);", k - 1L, k))
    }
  }
  c(parts, c_filling(model), "", "static void levels(const double *x, double *h) {",
    sprintf("  double z[%d];", inputs), "  fill(x, z);", calls, "}")
}

# Mixtures --------------------------------------------------------------------------------------

# `static void values(const double *x, double *f)`: the calibrator inputs from a model.
c_values <- function(model, call) {
  head <- c("", "static void values(const double *x, double *f) {")
  if (inherits(model, "rankmix_cocr_model")) {
    last <- model$classes - 1L
    return(c(c_levels(model, call), head, sprintf("  double h[%d] = {0.0};", last), "  int l;",
             "  levels(x, h);", sprintf("  for (l = 0; l <= %d; ++l) {", last),
             sprintf("    f[l] = (l == 0 ? 1.0 : h[l - 1]) - (l == %d ? 0.0 : h[l]);", last),
             "  }", "}"))
  }
  if (inherits(model, "rankmix_best_feature_model")) {
    return(c(head, sprintf("  f[0] = x[%d] != x[%d] ? %s : %s * x[%d];",
                           feature_index(model), feature_index(model), c_numbers(model$lowest),
                           c_numbers(model$sign), feature_index(model)), "}"))
  }
  if (!is_classifier(model)) {
    return(c(c_body(model, call), head, "  f[0] = score(x);", "}"))
  }
  trees <- holds_trees(model)
  c(c_array("int", "group", model$groups),
    if (trees) c_add_rounds(model) else c_add_features(model, model[c("weights", "intercept")]),
    head, sprintf("  double g[%d] = {0.0};", max(model$groups) + 1L), "  int l;",
    if (trees) "  add_rounds(x, g);" else "  add_features(x, g);",
    sprintf("  for (l = 0; l < %d; ++l) f[l] = g[group[l]];", model$classes), "}")
}

c_calibrated <- function(model, call) {
  if (is.null(model$classifier)) {
    cannot_hold("It calibrates discriminants that another program computes.")
  }
  classifier <- model$classifier
  classifier$best_rounds <- as.integer(model$rounds)
  c(c_values(classifier, call), c_calibrator(model$fitted, model$classes), "",
    "double score(const double *x) {", sprintf("  double f[%d];", model$classes),
    "  values(x, f);", "  return calibrate(f);", "}")
}

c_mixture <- function(model, call) {
  if (identical(model$standardize, "query")) {
    cannot_hold("It standardises the scores of its members query by query.")
  }
  used <- which(model$members$weight > 0)
  parts <- character()
  calls <- character()
  first <- model$models[[model$members$model[used[1L]]]]
  # The core sums in the order of the members. All members of one model follow each other.
  for (i in unique(model$members$model[used])) {
    member <- model$models[[i]]
    check_part_of_c(model, member, first, call)
    member$best_rounds <- member_rounds(member, model$rounds)
    parts <- c(parts, c_renamed(c_values(member, call), i))
    calls <- c(calls, sprintf("  values_%d(x, f + %d);", i, c_offset(model, i)))
  }
  adds <- character()
  for (m in used) {
    i <- model$members$model[m]
    inputs <- inputs_of_calibrator(model$models[[i]])
    parts <- c(parts, c_renamed(c_calibrator(model$fitted[[m]], inputs), paste0("m", m)))
    adds <- c(adds, sprintf("  sum += %s * (calibrate_m%d(f + %d)%s);",
                            with_point(model$members$weight[m]), m, c_offset(model, i),
                            if (model$scale[m] == 1) "" else {
                              paste(" *", with_point(model$scale[m]))
                            }))
  }
  c(parts, "", "double score(const double *x) {",
    sprintf("  double f[%d], sum = 0.0;", c_offset(model, length(model$models) + 1L)), calls,
    adds, "  return sum;", "}")
}

# The index of the first discriminant of a model in a mixture.
c_offset <- function(model, i) {
  sum(vapply(model$models[seq_len(i - 1L)], inputs_of_calibrator, 0L))
}

c_mix <- function(model, call) {
  if (identical(model$standardize, "query")) {
    cannot_hold("It standardises the scores of its rankers query by query.")
  }
  parts <- character()
  adds <- character()
  used <- which(model$members$weight > 0)
  for (i in used) {
    ranker <- model$rankers[[i]]
    if (model$given[i] || !inherits(ranker, "rankmix_ranker")) {
      cannot_hold("It mixes given scores, and does not contain their rankers.")
    }
    check_part_of_c(model, ranker, model$rankers[[used[1L]]], call)
    body <- if (inherits(ranker, "rankmix_best_feature_model")) {
      c_feature(ranker, c_numbers(ranker$lowest))
    } else {
      c_body(ranker, call)
    }
    parts <- c(parts, c_renamed(body, i))
    adds <- c(adds, sprintf("  sum += %s * (score_%d(x) * %s);",
                            with_point(model$members$weight[i]), i, with_point(model$scale[i])))
  }
  c(parts, "", "double score(const double *x) {", "  double sum = 0.0;", adds, "  return sum;", "}")
}

check_part_of_c <- function(model, part, first, call) {
  if (is_function_member(part)) stop_c_function(model, call)
  if (set_of(part) != "original") {
    cannot_hold(sprintf("It uses %s features, which are made query by query.", set_of(part)))
  }
  if (!identical(features_of_c(part), features_of_c(first))) {
    cannot_hold("The models it is made of have different features.")
  }
}

stop_c_function <- function(model, call) {
  cannot_hold("It contains your own function.")
}
