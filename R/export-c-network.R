# Networks as C, in the single precision of the core and with its own exp (core/base/exp.h), so
# the bits equal predict().

# exp() of numbers that are 0 or negative.
c_exp <- c(
  "#include <stdint.h>", "#include <string.h>", "",
  "static double exp_not_positive(double given) {",
  "  const double x = given > -708.0 ? given : -708.0;",
  "  const double shifted = x * 1.4426950408889634074 + 6755399441055744.0;",
  "  const double n = shifted - 6755399441055744.0;",
  "  const double r =",
  "      (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;",
  "  static const double inverse[] = {",
  "    1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0, 1.0 / 40320.0,",
  "    1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0};",
  "  double p = inverse[0];", "  uint64_t bits, value;", "  int k;",
  "  for (k = 1; k < 13; ++k) {", "    p = p * r + inverse[k];", "  }",
  "  memcpy(&bits, &shifted, sizeof(bits));", "  memcpy(&value, &p, sizeof(value));",
  "  value += bits << 52;", "  memcpy(&p, &value, sizeof(p));", "  return p;", "}", ""
)

c_network <- function(model) {
  spec <- model$spec
  inputs <- length(model$center)
  numbers <- model$weights[, model$best_rounds + 1L]
  offsets <- network_offsets(spec, inputs)
  layers <- unlist(lapply(seq_along(offsets), function(l) {
    c_layer(spec, numbers, offsets[[l]], l, last = l == length(offsets))
  }))
  most <- max(inputs, spec$hidden)
  value <- if (isTRUE(spec$log1p)) "copysign(log1p(fabs(z[j])), z[j])" else "z[j]"
  c(c_array("float", "number", as_float(numbers)), c_array("double", "center", model$center),
    c_array("double", "factor", model$factor), c_scales(spec, numbers, offsets),
    c_filling(model), "", "double score(const double *x) {",
    sprintf("  double z[%d];", inputs), sprintf("  float a[%d], b[%d];", most, most),
    "  int j, u;", "  fill(x, z);", sprintf("  for (j = 0; j < %d; ++j) {", inputs),
    sprintf("    a[j] = (float)((%s - center[j]) * factor[j]);", value), "  }", layers,
    "  return b[0];", "}")
}

# The position of each layer's numbers in the core's array, from 0. The numbers of the score come
# last.
network_offsets <- function(spec, inputs) {
  at <- 0
  take <- function(count) {
    at <<- at + count
    at - count
  }
  from <- inputs
  offsets <- list()
  for (units in spec$hidden) {
    offset <- list(inputs = from, units = units, weights = take(from * units))
    if (spec$normalize != "batch") offset$bias <- take(units)
    if (spec$normalize != "none") {
      offset$scale <- take(units)
      offset$shift <- take(units)
    }
    offsets <- c(offsets, list(offset))
    from <- units
  }
  offsets <- c(offsets, list(list(inputs = from, units = 1, weights = take(from), bias = take(1))))
  if (spec$normalize == "batch") {
    for (l in seq_along(spec$hidden)) {
      offsets[[l]]$mean <- take(spec$hidden[l])
      offsets[[l]]$variance <- take(spec$hidden[l])
    }
  }
  offsets
}

# Batch normalization in prediction uses stored means and deviations.
c_scales <- function(spec, numbers, offsets) {
  if (spec$normalize != "batch") {
    return(NULL)
  }
  unlist(lapply(seq_along(spec$hidden), function(l) {
    of <- function(first) numbers[first + seq_len(offsets[[l]]$units)]
    c(c_array("float", sprintf("mean%d", l), as_float(of(offsets[[l]]$mean))),
      c_array("float", sprintf("times%d", l),
              as_float(1 / sqrt(of(offsets[[l]]$variance) + 1e-5))))
  }))
}

# One layer: computes units b from units a, and copies them back to a unless it is the last layer.
c_layer <- function(spec, numbers, offset, l, last) {
  units <- offset$units
  bias <- if (is.null(offset$bias)) "0.0f" else sprintf("number[%d + u]", offset$bias)
  sums <- c(
    sprintf("  for (u = 0; u < %d; ++u) {", units), sprintf("    float sum = 0.0f + %s;", bias),
    sprintf("    for (j = 0; j < %d; ++j) {", offset$inputs),
    sprintf("      sum += a[j] * number[%d + j * %d + u];", offset$weights, units), "    }",
    "    b[u] = sum;", "  }"
  )
  if (last) {
    return(sums)
  }
  normal <- if (!is.null(offset$scale)) {
    sprintf("    b[u] = b[u] * number[%d + u] + number[%d + u];", offset$scale, offset$shift)
  }
  c(sums, if (spec$normalize == "layer") c_layer_scale(units),
    sprintf("  for (u = 0; u < %d; ++u) {", units),
    if (spec$normalize == "batch") sprintf("    b[u] = (b[u] - mean%d[u]) * times%d[u];", l, l),
    normal, c_activation[[spec$activation]], "  }")
}

c_layer_scale <- function(units) {
  each <- sprintf("    for (u = 0; u < %d; ++u) {", units)
  fraction <- sprintf("(1.0f / %d.0f)", units)
  c("  {", "    float mean = 0.0f, variance = 0.0f, times;", each, "      mean += b[u];", "    }",
    sprintf("    mean *= %s;", fraction), each, "      b[u] -= mean;",
    "      variance += b[u] * b[u];", "    }", sprintf("    variance *= %s;", fraction),
    "    times = (float)(1.0 / sqrt((double)variance + 1e-5));", each, "      b[u] *= times;",
    "    }", "  }")
}

c_activation <- list(
  relu = "    a[u] = b[u] > 0.0f ? b[u] : 0.0f;",
  tanh = c("    {", "      const double e = exp_not_positive(-2.0 * fabs((double)b[u]));",
           "      const double size = (1.0 - e) / (1.0 + e);",
           "      a[u] = (float)(b[u] < 0.0f ? -size : size);", "    }"),
  logistic = c("    {", "      const double e = exp_not_positive(-fabs((double)b[u]));",
               "      const double upper = 1.0 / (1.0 + e);",
               "      a[u] = (float)(b[u] < 0.0f ? e * upper : upper);", "    }")
)
