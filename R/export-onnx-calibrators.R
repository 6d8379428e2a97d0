# Fitted calibrators as nodes of ONNX, in doubles: from discriminants, documents x grades, or from one
# score, to a score.

onnx_calibration <- function(graph, fitted, f, count) {
  numbers <- unclass(fitted)
  gains <- gains_of_grades(count)
  method <- fitted$method
  kind <- if (method$name == "rbc") method$model else method$name
  switch(
    kind,
    naive = onnx_naive(graph, f, numbers$range,
                       if (identical(method$score, "grade")) seq_len(count) - 1 else gains),
    cpc = onnx_sigmoids(graph, f, numbers, gains),
    linear = onnx_regressed(graph, f, numbers$beta),
    logistic = onnx_with(graph, "Mul",
                         onnx_op(graph, "Sigmoid", onnx_regressed(graph, f, numbers$beta)),
                         numbers$largest),
    polynomial = onnx_polynomial(graph, f, numbers),
    network = onnx_small_network(graph, f, numbers),
    gaussian_process = onnx_kernels(graph, f, numbers),
    isotonic = {
      score <- if (count == 1L) f else onnx_naive(graph, f, numbers$range, gains)
      onnx_steps(graph, score, numbers$at, numbers$value)
    },
    onnx_refuse(graph, sprintf("It has no calibrator `%s`.", format(method)))
  )
}

# If all positive parts are 0, all grades are equally probable.
onnx_naive <- function(graph, f, range, gains) {
  if (range == 0) {
    return(onnx_with(graph, "Add", onnx_row_sums(graph, onnx_with(graph, "Mul", f, 0)),
                     mean(gains)))
  }
  fraction <- onnx_with(graph, "Div", f, range)
  fraction <- onnx_with(graph, "Max", onnx_with(graph, "Min", fraction, 1), -1)
  positive <- onnx_with(graph, "Add", fraction, 1)
  sum <- onnx_row_sums(graph, positive)
  none <- onnx_with(graph, "Equal", sum, 0)
  some <- onnx_op(graph, "Where", none, onnx_constant(graph, 1), sum)
  score <- onnx_with(graph, "MatMul", onnx_op(graph, "Div", positive, some), cbind(gains))
  onnx_op(graph, "Where", none, onnx_constant(graph, mean(gains)), score)
}

# Normalized sigmoids, computed from their logarithms.
onnx_sigmoids <- function(graph, f, numbers, gains) {
  u <- onnx_with(graph, "Mul", onnx_with(graph, "Sub", f, numbers$b), numbers$a)
  falling <- onnx_op(graph, "Exp", onnx_op(graph, "Neg", onnx_op(graph, "Abs", u)))
  log <- onnx_op(graph, "Sub", onnx_with(graph, "Min", u, 0),
                 onnx_op(graph, "Log", onnx_with(graph, "Add", falling, 1)))
  p <- onnx_op(graph, "Softmax", log, attributes = list(onnx_int("axis", 1)))
  onnx_with(graph, "MatMul", p, cbind(gains))
}

onnx_regressed <- function(graph, f, beta) onnx_affine(graph, f, beta[-1L], beta[1L])

# Products of Chebyshev polynomials of clipped discriminants. Each term has as many factors as the degree,
# some of which are 1.
onnx_polynomial <- function(graph, f, numbers) {
  count <- length(numbers$lower)
  degree <- as.integer(numbers$degree)
  half <- (numbers$upper - numbers$lower) / 2
  x <- onnx_op(graph, "Max", onnx_constant(graph, numbers$lower), f)
  x <- onnx_op(graph, "Min", x, onnx_constant(graph, numbers$upper))
  x <- onnx_with(graph, "Sub", x, (numbers$lower + numbers$upper) / 2)
  x <- onnx_with(graph, "Div", x, ifelse(half > 0, half, 1))
  x <- onnx_with(graph, "Mul", x, as.double(half > 0))
  powers <- c(onnx_with(graph, "Add", onnx_with(graph, "Mul", x, 0), 1), x)
  twice <- onnx_with(graph, "Mul", x, 2)
  for (d in seq.int(2L, length.out = degree - 1L)) {
    powers[d + 1L] <- onnx_op(graph, "Sub", onnx_op(graph, "Mul", twice, powers[d]),
                              powers[d - 1L])
  }
  all <- onnx_bind(graph, powers)
  terms <- onnx_polynomial_terms(count, degree)
  product <- NULL
  for (k in seq_len(ncol(terms))) {
    factor <- onnx_columns(graph, all, terms[, k])
    product <- if (is.null(product)) factor else onnx_op(graph, "Mul", product, factor)
  }
  onnx_with(graph, "MatMul", product, cbind(numbers$coefficients))
}

# The terms in the order of the core: earlier terms times powers of the next discriminant. Column d
# count + k of the powers has degree d of discriminant k.
onnx_polynomial_terms <- function(count, degree) {
  terms <- polynomial_terms(count, degree)
  degrees <- matrix(0L, length(terms$rest), count)
  for (term in seq_along(terms$rest)[-1L]) {  # after the constant
    degrees[term, ] <- replace(degrees[terms$rest[term] + 1L, ], terms$discriminant[term] + 1L,
                               as.integer(terms$power[term]))
  }
  # Padded by column 1, which is 1.
  terms <- matrix(1L, nrow(degrees), min(count, degree))
  used <- which(t(degrees) > 0L, arr.ind = TRUE)
  position <- sequence(rle(used[, 2L])$lengths)
  terms[cbind(used[, 2L], position)] <- degrees[used[, 2:1]] * count + used[, 1L]
  terms
}

onnx_small_network <- function(graph, f, numbers) {
  x <- onnx_with(graph, "Mul", onnx_with(graph, "Sub", f, numbers$center), numbers$factor)
  hidden <- matrix(numbers$hidden, length(numbers$center) + 1L)
  units <- onnx_op(graph, "Sigmoid",
                   onnx_affine(graph, x, hidden[-1L, , drop = FALSE], hidden[1L, ]))
  onnx_with(graph, "Mul", onnx_regressed(graph, units, numbers$output), numbers$size)
}

# Kernels of all centers. Squared distances are added up by discriminant.
onnx_kernels <- function(graph, f, numbers) {
  centers <- matrix(numbers$centers, ncol = length(numbers$scale))
  sum <- NULL
  for (k in seq_along(numbers$scale)) {
    away <- onnx_op(graph, "Sub", onnx_columns(graph, f, k),
                    onnx_constant(graph, rbind(centers[, k])))
    away <- onnx_with(graph, "Mul", away, numbers$scale[k])
    square <- onnx_op(graph, "Mul", away, away)
    sum <- if (is.null(sum)) square else onnx_op(graph, "Add", sum, square)
  }
  kernels <- onnx_op(graph, "Exp", onnx_with(graph, "Mul", sum, -0.5))
  onnx_affine(graph, kernels, numbers$coefficients, numbers$mean)
}

# Linear interpolation between the knots, constant outside: a sum of clipped steps.
onnx_steps <- function(graph, score, at, value) {
  if (length(at) == 1L) {
    return(onnx_with(graph, "Add", onnx_with(graph, "Mul", score, 0), value))
  }
  fraction <- onnx_with(graph, "Sub", score, rbind(at[-length(at)]))
  fraction <- onnx_with(graph, "Div", fraction, rbind(diff(at)))
  fraction <- onnx_with(graph, "Max", onnx_with(graph, "Min", fraction, 1), 0)
  onnx_affine(graph, fraction, diff(value), value[1L])
}
