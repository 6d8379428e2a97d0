# Fitted calibrators as C: `static double calibrate(const double *f)`, from the discriminants of a
# document or from its one score.

c_calibrator <- function(fitted, inputs) {
  method <- fitted$method
  switch(
    if (method$name == "rbc") method$model else method$name,
    naive = c(c_naive(fitted$range, naive_gains_of(method, inputs)),
              c_calibrate("  return expected_gain(f);")),
    cpc = c_sigmoid(fitted, inputs),
    linear = c(c_array("double", "beta", fitted$beta),
               c_calibrate(c_linear(inputs), "  return u;")),
    logistic = c(c_array("double", "beta", fitted$beta),
                 c_calibrate(c_linear(inputs), "  e = exp(-fabs(u));",
                             sprintf("  return %s * ((u < 0.0 ? e : 1.0) / (1.0 + e));",
                                     with_point(fitted$largest)), declare = "double e;")),
    polynomial = c_polynomial(fitted, inputs),
    network = c_unit_network(fitted, inputs),
    gaussian_process = c_kernels(fitted, inputs),
    isotonic = c_isotonic(fitted, inputs)
  )
}

naive_gains_of <- function(method, grades) {
  if (identical(method$score, "grade")) seq_len(grades) - 1 else gains_of_grades(grades)
}

c_calibrate <- function(..., declare = NULL) {
  c("", "static double calibrate(const double *f) {",
    if (!is.null(declare)) paste0("  ", declare), c(...), "}")
}

c_loop <- function(name, count, ..., indent = "  ") {
  c(sprintf("%sfor (%s = 0; %s < %d; ++%s) {", indent, name, name, count, name),
    paste0(indent, "  ", c(...)), paste0(indent, "}"))
}

c_linear <- function(inputs) {
  c("  double u = 0.0;", "  int l;", c_loop("l", inputs, "u += beta[l + 1] * f[l];"),
    "  u += beta[0];")
}

c_sigmoid <- function(fitted, grades) {
  c(c_array("double", "gain", gains_of_grades(grades)),
    c_calibrate(
      sprintf("  double low[%d], whole[%d], p[%d];", grades, grades, grades),
      "  double top = -INFINITY, sum = 0.0, fraction, total = 0.0;", "  int l;",
      c_loop("l", grades,
             sprintf("const double u = %s * (f[l] - %s);", with_point(fitted$a),
                     c_bracketed(fitted$b)),
             "low[l] = u < 0.0 ? u : 0.0;", "top = top > low[l] ? top : low[l];",
             "whole[l] = 1.0 + exp_not_positive(u < 0.0 ? u : -u);"),
      c_loop("l", grades, "p[l] = exp_not_positive(low[l] - top) / whole[l];", "sum += p[l];"),
      "  fraction = 1.0 / sum;", c_loop("l", grades, "total += gain[l] * (p[l] * fraction);"),
      "  return total;"
    ))
}

# Parentheses, so that a negative number can follow a minus.
c_bracketed <- function(x) sprintf("(%s)", with_point(x))

# Adds the terms in the order of the core.
c_weighted <- function(count) c_loop("j", count, "sum += coefficient[j] * v[j];")

# The monomials in the order of the core. Each monomial is an earlier one times a power of one
# discriminant.
polynomial_terms <- function(inputs, degree) {
  rest <- discriminant <- power <- total <- 0
  for (k in seq_len(inputs) - 1) {
    for (before in seq_along(total)) {
      powers <- seq_len(degree - total[before])
      rest <- c(rest, rep(before - 1, length(powers)))
      discriminant <- c(discriminant, rep(k, length(powers)))
      power <- c(power, powers)
      total <- c(total, total[before] + powers)
    }
  }
  list(rest = rest, discriminant = discriminant, power = power)
}

c_polynomial <- function(fitted, inputs) {
  terms <- polynomial_terms(inputs, fitted$degree)
  count <- length(terms$rest)
  wide <- as.integer(fitted$degree) + 1L
  c(c_array("int", "rest", terms$rest),
    c_array("int", "power_of", terms$discriminant * wide + terms$power),
    c_array("double", "lower", fitted$lower), c_array("double", "upper", fitted$upper),
    c_array("double", "coefficient", fitted$coefficients),
    c_calibrate(
      sprintf("  double t[%d], v[%d], sum = 0.0;", inputs * wide, count),
      "  int l, j;",
      c_loop("l", inputs,
             "const double middle = 0.5 * (lower[l] + upper[l]);",
             "const double half = 0.5 * (upper[l] - lower[l]);",
             "const double low = lower[l] < f[l] ? f[l] : lower[l];",
             "const double clipped = low < upper[l] ? low : upper[l];",
             "const double u = half > 0.0 ? (clipped - middle) / half : 0.0;",
             sprintf("double *own = t + l * %d;", wide), "own[0] = 1.0;", "own[1] = u;",
             sprintf("for (j = 2; j < %d; ++j) own[j] = 2.0 * u * own[j - 1] - own[j - 2];",
                     wide)),
      "  v[0] = 1.0;", sprintf("  for (j = 1; j < %d; ++j) v[j] = v[rest[j]] * t[power_of[j]];",
                               count),
      c_weighted(count), "  return sum;"
    ))
}

c_unit_network <- function(fitted, inputs) {
  units <- length(fitted$output) - 1L
  c(c_array("double", "center", fitted$center), c_array("double", "factor", fitted$factor),
    c_array("double", "hidden", fitted$hidden), c_array("double", "output", fitted$output),
    c_calibrate(
      "  double value = output[0];", "  int l, h;",
      c_loop("h", units,
             sprintf("const double *w = hidden + h * %d;", inputs + 1L),
             "double u = w[0], e;",
             sprintf("for (l = 0; l < %d; ++l) u += w[l + 1] * ((f[l] - center[l]) * factor[l]);",
                     inputs),
             "e = exp_not_positive(u < 0.0 ? u : -u);",
             "value += output[h + 1] * ((u < 0.0 ? e : 1.0) / (1.0 + e));"),
      sprintf("  return %s * value;", with_point(fitted$size))
    ))
}

c_kernels <- function(fitted, inputs) {
  count <- length(fitted$coefficients)
  c(c_array("double", "kernel_center", fitted$centers), c_array("double", "width", fitted$scale),
    c_array("double", "coefficient", fitted$coefficients),
    c_calibrate(
      sprintf("  double v[%d], sum = 0.0;", count), "  int l, j;",
      c_loop("j", count, "double u = 0.0;",
             sprintf("for (l = 0; l < %d; ++l) {", inputs),
             sprintf("  const double d = width[l] * (f[l] - kernel_center[l * %d + j]);", count),
             "  u -= 0.5 * d * d;", "}", "v[j] = exp_not_positive(u);"),
      c_weighted(count), sprintf("  return sum + %s;", c_bracketed(fitted$mean))
    ))
}

c_isotonic <- function(fitted, inputs) {
  last <- length(fitted$at) - 1L
  c(if (inputs > 1L) c_naive(fitted$range, gains_of_grades(inputs)),
    c_array("double", "place", fitted$at), c_array("double", "level", fitted$value),
    c_calibrate(
      sprintf("  const double u = %s;", if (inputs > 1L) "expected_gain(f)" else "f[0]"),
      "  double fraction;", "  int k = 0;",
      sprintf("  while (k <= %d && !(u < place[k])) ++k;", last),
      "  if (k == 0) return level[0];", sprintf("  if (k > %d) return level[%d];", last, last),
      "  fraction = (u - place[k - 1]) / (place[k] - place[k - 1]);",
      "  return level[k - 1] + fraction * (level[k] - level[k - 1]);"
    ))
}
