# A model as a file of C99 that needs no library. Operations are in the order of predict(), so
# scores have the same bits.

c_lines <- function(model, options, call) {
  body <- c_body(model, call)
  needs_exp <- any(grepl("exp_not_positive(", body, fixed = TRUE))
  c(c_head(model, features_of_c(model)), if (needs_exp) c_exp, body)
}

# The definition of `double score(const double *x)`.
c_body <- function(model, call) {
  members <- model_trees_of(model)
  check_chosen(model, call)
  if (holds_trees(model)) {
    c_trees(model)
  } else if (inherits(model, "rankmix_best_feature_model")) {
    c_feature(model)
  } else if (holds_sum(model)) {
    c_sums(model)
  } else if (!is.null(members)) {
    c_model_trees(model, members)
  } else if (inherits(model, "rankmix_network_model")) {
    c_network(model)
  } else if (inherits(model, "rankmix_bagging_model")) {
    c_bagging(model, call)
  } else if (inherits(model, "rankmix_cocr_model")) {
    c_cocr(model, call)
  } else if (inherits(model, "rankmix_calibrated")) {
    c_calibrated(model, call)
  } else if (inherits(model, "rankmix_mixture")) {
    c_mixture(model, call)
  } else if (inherits(model, "rankmix_mix")) {
    c_mix(model, call)
  } else {
    cannot_hold("No file of C can be written for rankers of this kind.")
  }
}

# The trees with linear models whose mean is the score, or NULL.
model_trees_of <- function(model) {
  members <- if (inherits(model, "rankmix_bagging_model")) model$members else list(model)
  if (all(vapply(members, inherits, NA, "rankmix_m5p_model"))) members
}

c_head <- function(model, features) {
  plain <- function(text) gsub("[^A-Za-z0-9_.=:(), -]", "_", text)
  c(sprintf("/* %s, written by rankmix. */", plain(ranker_text(model))),
    "/* score(x) is the score of a document with the features x, NAN where one is missing: */",
    sprintf("/* x[%d] %s */", seq_along(features) - 1L, plain(features)),
    "#include <math.h>", "",
    "#ifdef __clang__", "#pragma STDC FP_CONTRACT OFF", "#endif", "",
    "double score(const double *x);", "")
}

c_array <- function(type, name, x) {
  text <- if (type == "int") sprintf("%d", as.integer(x)) else c_numbers(x)
  if (type == "float") text <- paste0(with_point(x), "f")
  if (length(text) == 0L) text <- "0"
  line <- (seq_along(text) - 1L) %/% if (type == "int") 16L else 4L
  c(sprintf("static const %s %s[] = {", type, name),
    paste0("  ", vapply(split(text, line), paste, "", collapse = ", "),
           c(rep(",", max(line)), "")), "};")
}

# Numbers in 17 digits. A number without a decimal point is an int in C, with the same value.
c_numbers <- function(x) {
  text <- exact_text(x)
  text[x == Inf] <- "INFINITY"
  text[x == -Inf] <- "-INFINITY"
  text
}

# Trees ----------------------------------------------------------------------------------------

c_trees <- function(model) {
  rounds <- model$best_rounds
  range <- if (inherits(model, "rankmix_classifier")) discriminant_range(model, rounds)
  c(c_add_rounds(model),
    c_score(model, model$forest$outputs, range, "add_rounds(x, f);",
            if (!is.null(model$start)) c_numbers(model$start)))
}

c_add_rounds <- function(model) {
  rounds <- model$best_rounds
  model <- first_rounds(model, rounds)
  forest <- threshold_trees(model$forest, model, NULL)
  c(c_array("int", "round_begin", forest$round_begin),
    c_array("int", "node_begin", forest$node_begin),
    c_array("int", "leaf_begin", forest$leaf_begin),
    c_array("int", "feature", forest$feature), c_array("double", "threshold", forest$threshold),
    c_array("int", "missing_left", forest$missing_left), c_array("int", "left", forest$left),
    c_array("int", "right", forest$right), c_array("double", "value", forest$values),
    c_array("double", "weight", round_weights(model)), c_walk(forest$outputs, rounds))
}

# The index of the leaf of tree t among all leaves.
c_find_leaf <- c(
  "", "static int find_leaf(int t, const double *x) {",
  "  const int base = node_begin[t];", "  int at = base == node_begin[t + 1] ? -1 : 0;",
  "  while (at >= 0) {", "    const int node = base + at;",
  "    const double v = x[feature[node]];",
  "    const int goes_left = v != v ? missing_left[node] : v <= threshold[node];",
  "    at = goes_left ? left[node] : right[node];", "  }", "  return leaf_begin[t] - at - 1;", "}",
  ""
)

c_walk <- function(outputs, rounds) {
  c(c_find_leaf, "static void add_rounds(const double *x, double *f) {",
    sprintf("  double product[%d];", outputs), "  int r, t, l;",
    sprintf("  for (r = 0; r < %d; ++r) {", rounds),
    sprintf("    for (l = 0; l < %d; ++l) {", outputs), "      product[l] = 1.0;", "    }",
    "    for (t = round_begin[r]; t < round_begin[r + 1]; ++t) {",
    sprintf("      const double *values = value + find_leaf(t, x) * %d;", outputs),
    sprintf("      for (l = 0; l < %d; ++l) {", outputs),
    "        product[l] *= values[l];", "      }",
    "    }", sprintf("    for (l = 0; l < %d; ++l) {", outputs),
    "      f[l] += weight[r] * product[l];", "    }", "  }", "}", "")
}

# Trees with linear models of the filled features in their leaves.
c_model_trees <- function(model, members) {
  inputs <- length(model$features) + length(model$filling$marked)
  trees <- lapply(members, function(member) {
    tree <- one_tree(member$forest, 1L)
    seen <- if (is.null(member$seen)) seq_len(inputs) else as.integer(member$seen)
    tree$feature <- seen[tree$feature + 1L] - 1L
    c(tree, list(terms = diff(member$models$begin), weight = member$models$weight,
                 term_feature = seen[member$models$feature + 1L] - 1L))
  })
  joined <- function(field) unlist(lapply(trees, `[[`, field))
  begins <- function(counts) c(0L, cumsum(counts))
  node_begin <- begins(vapply(trees, function(tree) ncol(tree$values) - 1L, 0L))
  c(c_array("int", "node_begin", node_begin),
    c_array("int", "leaf_begin", node_begin + seq_along(node_begin) - 1L),
    c_array("int", "feature", joined("feature")),
    c_array("double", "threshold", joined("threshold")),
    c_array("int", "missing_left", joined("missing_left")), c_array("int", "left", joined("left")),
    c_array("int", "right", joined("right")), c_array("double", "value", joined("values")),
    c_array("int", "term_begin", begins(joined("terms"))),
    c_array("int", "term_feature", joined("term_feature")),
    c_array("double", "term_weight", joined("weight")),
    c_filling(model), c_find_leaf, "double score(const double *x) {",
    sprintf("  double z[%d], total = 0.0;", inputs), "  int t, leaf, term;", "  fill(x, z);",
    sprintf("  for (t = 0; t < %d; ++t) {", length(trees)), "    double sum;",
    "    leaf = find_leaf(t, z);", "    sum = value[leaf];",
    "    for (term = term_begin[leaf]; term < term_begin[leaf + 1]; ++term) {",
    "      sum += term_weight[term] * z[term_feature[term]];", "    }", "    total += sum;", "  }",
    sprintf("  return total / %d;", length(trees)), "}")
}

# Sums -----------------------------------------------------------------------------------------

c_sums <- function(model) {
  is_classifier <- inherits(model, "rankmix_classifier")
  sum <- if (is_classifier) model[c("weights", "intercept")] else weighted_sum(model)
  range <- if (is_classifier) discriminant_range(model, 1L)
  c(c_add_features(model, sum),
    c_score(model, ncol(as.matrix(sum$weights)), range, "add_features(x, f);"))
}

# The core adds two features at a time.
c_add_features <- function(model, sum) {
  weights <- as.matrix(sum$weights)
  inputs <- nrow(weights)
  c(c_array("double", "weight", weights), c_array("double", "intercept", sum$intercept),
    c_filling(model), "", "static void add_features(const double *x, double *f) {",
    sprintf("  double z[%d];", inputs), "  int j, k;", "  fill(x, z);",
    sprintf("  for (k = 0; k < %d; ++k) {", ncol(weights)),
    sprintf("    const double *w = weight + k * %d;", inputs), "    f[k] += intercept[k];",
    sprintf("    for (j = 0; j + 2 <= %d; j += 2) {", inputs),
    "      f[k] += w[j] * z[j] + w[j + 1] * z[j + 1];", "    }",
    if (inputs %% 2L == 1L) sprintf("    f[k] += w[%d] * z[%d];", inputs - 1L, inputs - 1L),
    "  }", "}", "")
}

# A model that does not fill missing values gives NaN.
c_filling <- function(model) {
  features <- length(model$features)
  filling <- model$filling
  marked <- filling$marked
  copy <- sprintf("  for (j = 0; j < %d; ++j) z[j] = %s;", features,
                  if (is.null(filling)) "x[j]" else "x[j] != x[j] ? filled[j] : x[j]")
  marks <- sprintf("  z[%d] = x[%d] != x[%d];", features + seq_along(marked) - 1L, marked - 1L,
                   marked - 1L)
  c(if (!is.null(filling)) c_array("double", "filled", filling$numbers), "",
    "static void fill(const double *x, double *z) {", "  int j;", copy, marks, "}")
}

feature_index <- function(model) match(model$feature, model$features) - 1L

# `missing` is the score of a missing value.
c_feature <- function(model, missing = "-INFINITY") {
  at <- feature_index(model)
  c("double score(const double *x) {",
    sprintf("  return x[%d] != x[%d] ? %s : %s * x[%d];", at, at, missing, c_numbers(model$sign), at), "}")
}

# Scores ---------------------------------------------------------------------------------------

# `add` is code that adds the discriminants to f. With a `range`, the discriminants are those of a classifier,
# and the score is the expected gain.
c_score <- function(model, outputs, range, add, start = NULL) {
  begin <- c("double score(const double *x) {", sprintf("  double f[%d] = {0.0};", outputs))
  if (is.null(range)) {
    value <- if (is.null(start)) "f[0]" else sprintf("%s + f[0]", start)
    return(c(begin, paste0("  ", add), sprintf("  return %s;", value), "}"))
  }
  c(c_array("int", "group", model$groups), c_naive(range, gains_of_grades(model$classes)),
    begin, sprintf("  double g[%d];", model$classes), "  int l;", paste0("  ", add),
    sprintf("  for (l = 0; l < %d; ++l) {", model$classes), "    g[l] = f[group[l]];", "  }",
    "  return expected_gain(g);", "}")
}

# The expected gain from discriminants within a range.
c_naive <- function(range, gains) {
  grades <- length(gains)
  shifted <- if (range > 0) {
    c(sprintf("    double fraction = f[l] / %s;", c_numbers(range)),
      "    if (fraction > 1.0) fraction = 1.0;", "    if (fraction < -1.0) fraction = -1.0;",
      "    positive[l] = 1.0 + fraction;")
  } else {
    "    positive[l] = f[l] * 0.0;"
  }
  c(c_array("double", "gain", gains), "", "static double expected_gain(const double *f) {",
    sprintf("  double positive[%d];", grades), "  long double wide = 0.0L;",
    "  double sum, total = 0.0;", "  int l;",
    sprintf("  for (l = 0; l < %d; ++l) {", grades), shifted, "    wide += positive[l];", "  }",
    "  sum = (double)wide;", sprintf("  for (l = 0; l < %d; ++l) {", grades),
    sprintf("    total += gain[l] * (sum == 0.0 ? 1.0 / %d : positive[l] / sum);", grades),
    "  }", "  return total;", "}", "")
}
