#' Does a test collection have enough queries?
#'
#' Estimates how reliably a set of queries compares a set of rankers, by generalizability theory. Use it to
#' plan the number of queries of a collection, or to compare metrics and query sets.
#'
#' @param values The metric values: a matrix or data frame with a row for each query and a column for each
#'   ranker. Or a comparison, benchmark or evaluation of several rankers.
#' @param queries Numbers of queries for which the reliability is estimated. By default the number of
#'   queries of `values`.
#' @param target Reliabilities between 0 and 1, such as 0.95. The default `NULL` computes no numbers of
#'   queries.
#' @param level The confidence level of the intervals, default 0.95.
#' @param metric The metric or its text, unless `values` is a matrix. By default the first metric.
#' @param fold The fold of each query, if `values` is a matrix; by default there are no folds.
#'
#' @return A value of class `rankmix_reliability` with data frames.
#'   * `components`: the variance components of rankers, queries and residual, and the `fraction` of each.
#'   * `coefficients`: for each number of `queries`, the `estimate` of `"erho2"` and `"phi"` with its
#'     interval.
#'   * `needed`: the number of `queries` that reaches each `target`, with its interval.
#'   * `effects`: the analysis of variance, and the effect size `omega_squared` of rankers, queries and folds.
#'
#'   `tidy()` returns `coefficients`, `glance()` returns a row with the components.
#' @examples
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' rankers <- lapply(c(f1 = 1, f2 = 2, f3 = 3, f4 = 4), function(j) test$x[, j])
#' reliability(evaluate(rankers, test, "ndcg@10"), target = 0.95)
#'
#' @details
#' **Components.** With n queries, k rankers and mean squares \eqn{MS_s}{MS_s} of rankers, \eqn{MS_q}{MS_q} of
#' queries and \eqn{MS_e}{MS_e} of the residual, the components are \eqn{\sigma_s^2 = (MS_s - MS_e) / n}{s =
#' (MS_s
#' - MS_e) / n}, \eqn{\sigma_q^2 = (MS_q - MS_e) / k}{q = (MS_q - MS_e) / k} and \eqn{\sigma_e^2 =
#' MS_e}{e = MS_e}. Negative components are replaced by 0 (see `note`).
#'
#' **Coefficients** for n' queries:
#' \deqn{E\rho^2 = \sigma_s^2 / (\sigma_s^2 + \sigma_e^2 / n'), \quad \Phi = \sigma_s^2 / (\sigma_s^2 +
#' (\sigma_q^2 + \sigma_e^2) / n').}{erho2 = s / (s + e / n'), phi = s / (s + (q + e) / n').}
#' `erho2` is the reliability of differences between rankers on the same queries. `phi` is the reliability
#' of the means themselves, such as means on different queries. The interval of `erho2` is by Feldt, and the
#' interval of `phi` by Arteaga, Jeyaratnam and Franklin. Both assume normal effects.
#'
#' **Effect sizes.** \eqn{\omega^2 = df (F - 1) / (df (F - 1) + N)}{omega^2 = df (F - 1) / (df (F - 1) +
#' N)}, with N values and the F statistic against the residual. A negative \eqn{\omega^2}{omega^2} is replaced
#' by 0. With folds, queries are within folds, and rankers by folds are a separate effect.
#'
#' **Caution.** The coefficients describe the rankers in `values`. Similar rankers have low coefficients, and
#' a bad ranker among good rankers raises the coefficients. A high coefficient does not show that two given
#' rankers differ: see [compare_rankers()].
#'
#' **Undefined cases.** If the residual variance is 0, intervals are `NA`. If all values are equal, all
#' coefficients are `NA`. The needed number is `Inf` if the variance of rankers is 0. Values of `NA` count as
#' 0 in evaluations, and `NaN` leaves a query out.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: fewer than two queries or rankers; values that are no numbers; different
#'   weights of queries; numbers of queries below 1; targets outside (0, 1).
#' * `rankmix_error_values`: missing or infinite values in a matrix.
#' @references Urbano, Marrero and Martin (2013), \doi{10.1145/2484028.2484038}. Brennan (2001),
#'   *Generalizability Theory*. Feldt (1965), \doi{10.1007/BF02289499}. Arteaga, Jeyaratnam and
#'   Franklin (1982), *Communications in Statistics* 11. Ferro and Silvello (2016),
#'   \doi{10.1145/2911451.2911530}.
#' @export
reliability <- function(values, queries = NULL, target = NULL, level = 0.95, metric = NULL, fold = NULL) {
  check_given(missing(values), "values", "Give a matrix, queries x rankers, or an evaluation.")
  check_confidence(level)
  given <- reliability_values(values, metric, fold)
  n <- nrow(given$values)
  if (is.null(queries)) queries <- n
  check_query_numbers(queries)
  check_targets(target)
  effects <- variance_table(given$values, given$fold)
  squares <- crossed_squares(given$values)
  study <- reliability_study(squares, n, ncol(given$values), queries, target, level)
  structure(c(study, list(effects = effects, queries = n, rankers = ncol(given$values),
                          metric = given$metric, level = level)),
            class = "rankmix_reliability")
}

# `values` as a matrix, `fold` or NULL, and `metric` or NULL.
reliability_values <- function(values, metric, fold, call = rlang::caller_env()) {
  if (is.matrix(values) || is.data.frame(values) && !inherits(values, "rankmix_evaluation")) {
    table <- check_value_table(values, call)
    check_beside_queries(fold, "fold", nrow(table), call)
    return(list(values = table, fold = fold))
  }
  paired <- compared_values(values, metric, "values", call)[1L]
  if (weights_differ(paired[[1L]])) {
    stop_input("argument", "Reliability cannot use weights of queries.",
               remedy = "Evaluate without weights.", call = call)
  }
  check_crossed_size(paired[[1L]]$values, call)
  list(values = paired[[1L]]$values, fold = paired[[1L]]$fold, metric = names(paired))
}

check_value_table <- function(values, call) {
  table <- value_matrix(values)
  if (!is_plain_number(table)) {
    stop_input("argument", "`values` must be numbers, queries x rankers.",
               sprintf("It is %s of type %s.", show_value(table), typeof(table)), call = call)
  }
  check_crossed_size(table, call)
  bad <- which(!is.finite(table), arr.ind = TRUE)
  if (nrow(bad) > 0L) {
    at <- unname(bad[1L, ])
    ranker <- if (is.null(colnames(table))) at[2L] else colnames(table)[at[2L]]
    stop_input("values", "Values must be finite.",
               sprintf("Query %d of ranker `%s` has %s.", at[1L], ranker, format(table[at[1L], at[2L]])),
               "Leave out queries that do not count.", call = call)
  }
  table
}

check_crossed_size <- function(table, call) {
  if (nrow(table) < 2L || ncol(table) < 2L) {
    stop_input("argument", "Reliability needs two or more queries and two or more rankers.",
               sprintf("The table has %s and %s.", counted(nrow(table), "query", "queries"),
                       counted(ncol(table), "ranker")), call = call)
  }
}

check_query_numbers <- function(queries, call = rlang::caller_env()) {
  if (!is_plain_number(queries) || length(queries) == 0L ||
        any(!is.finite(queries) | queries < 1 | queries != round(queries))) {
    stop_input("argument", sprintf("`queries` must be whole numbers of 1 or more, not %s.",
                                   show_value(queries)), call = call)
  }
}

check_targets <- function(target, call = rlang::caller_env()) {
  if (!is.null(target) && (!is_plain_number(target) || length(target) == 0L ||
                             any(!is.finite(target) | target <= 0 | target >= 1))) {
    stop_input("argument", sprintf("`target` must be numbers between 0 and 1, not %s.",
                                   show_value(target)), call = call)
  }
}

# Mean squares of rankers, queries and the rest, of a matrix queries x rankers.
crossed_squares <- function(values) {
  n <- nrow(values)
  k <- ncol(values)
  residual <- values - rowMeans(values) - rep(colMeans(values) - mean(values), each = n)
  residual[abs(residual) < snap_tolerance * max(abs(values))] <- 0
  squares <- c(rankers = n * stats::var(colMeans(values)), queries = k * stats::var(rowMeans(values)),
               rest = sum(residual^2) / ((n - 1) * (k - 1)))
  replace(squares, squares < n * k * (snap_tolerance * max(abs(values)))^2, 0)
}

# All results that depend only on the mean squares.
reliability_study <- function(squares, n, k, queries, target, level) {
  raw <- c(rankers = (squares[["rankers"]] - squares[["rest"]]) / n,
           queries = (squares[["queries"]] - squares[["rest"]]) / k, rest = squares[["rest"]])
  variance <- pmax(raw, 0)
  total <- sum(variance)
  # The ratio of the variances of rankers and errors, for one query.
  ratios <- list(erho2 = c(estimate = variance[["rankers"]] / variance[["rest"]],
                           relative_limits(squares, n, k, level)),
                 phi = c(estimate = variance[["rankers"]] / (variance[["queries"]] + variance[["rest"]]),
                         absolute_limits(squares, n, k, level)))
  table <- function(make) do.call(rbind, c(Map(make, names(ratios), ratios), make.row.names = FALSE))
  list(
    components = data.frame(source = names(raw), variance = unname(variance),
                            fraction = unname(variance) / if (total > 0) total else NA_real_),
    coefficients = table(function(name, ratio) {
      of <- function(which) coefficient_of(ratio[[which]], queries)
      data.frame(coefficient = name, queries = queries, estimate = of("estimate"), lower = of("lower"),
                 upper = of("upper"))
    }),
    needed = table(function(name, ratio) {
      of <- function(which) needed_queries(ratio[[which]], target)
      # More reliable collections need fewer queries.
      data.frame(coefficient = rep(name, length(target)), target = as.double(target),
                 queries = of("estimate"), lower = of("upper"), upper = of("lower"))
    }),
    note = if (any(raw < 0)) "a negative variance component is set to 0" else ""
  )
}

coefficient_of <- function(ratio, queries) {
  if (is.na(ratio)) {
    return(rep(NA_real_, length(queries)))
  }
  if (is.infinite(ratio)) rep(1, length(queries)) else queries * ratio / (1 + queries * ratio)
}

needed_queries <- function(ratio, target) {
  if (is.na(ratio)) {
    return(rep(NA_real_, length(target)))
  }
  # The difference from a whole number is rounding noise.
  pmax(1, ceiling(signif(target / (1 - target) / ratio, snap_digits)))
}

# Feldt's interval of the ratio s / e.
relative_limits <- function(squares, n, k, level) {
  if (squares[["rest"]] == 0) {
    return(c(lower = NA_real_, upper = NA_real_))
  }
  f <- stats::qf(c(1 + level, 1 - level) / 2, k - 1, (k - 1) * (n - 1))
  limits <- (squares[["rankers"]] / (squares[["rest"]] * f) - 1) / n
  c(lower = max(0, limits[1L]), upper = max(0, limits[2L]))
}

# The interval of the ratio s / (q + e) by Arteaga et al.; Brennan (2001), section 6.2.
absolute_limits <- function(squares, n, k, level) {
  s <- squares[["rankers"]]
  q <- squares[["queries"]]
  e <- squares[["rest"]]
  if (e == 0) {
    return(c(lower = NA_real_, upper = NA_real_))
  }
  limit <- function(p) {
    infinite <- stats::qf(p, k - 1, Inf)
    residual <- stats::qf(p, k - 1, (k - 1) * (n - 1))
    crossed <- stats::qf(p, k - 1, n - 1)
    above <- s^2 - infinite * s * e + (infinite - residual) * residual * e^2
    max(0, k / n * above / ((k - 1) * infinite * s * e + crossed * s * q))
  }
  if (s == 0) {
    return(c(lower = 0, upper = 0))
  }
  c(lower = limit((1 + level) / 2), upper = limit((1 - level) / 2))
}

# The analysis of variance, with all effects against the residual.
variance_table <- function(values, fold) {
  n <- nrow(values)
  k <- ncol(values)
  mean <- mean(values)
  fold <- match(fold, unique(fold))
  folds <- if (length(fold) == 0L) 1L else max(fold)
  if (folds < 2L) fold <- rep(1L, n)
  size <- tabulate(fold)
  means <- rowsum(values, fold) / size
  by_fold <- rowMeans(means)
  by_ranker <- colMeans(values)
  residual <- values - rowMeans(values) - means[fold, , drop = FALSE] + by_fold[fold]
  residual[abs(residual) < snap_tolerance * max(abs(values))] <- 0
  interaction <- means - by_fold - rep(by_ranker - mean, each = folds)
  sums <- c(ranker = n * sum((by_ranker - mean)^2), query = k * sum((rowMeans(values) - by_fold[fold])^2),
            fold = k * sum(size * (by_fold - mean)^2), `ranker:fold` = sum(size * interaction^2),
            residual = sum(residual^2))
  df <- c(k - 1, n - folds, folds - 1, (folds - 1) * (k - 1), (n - folds) * (k - 1))
  squares <- sums / df
  f <- squares / squares[["residual"]]
  f[["residual"]] <- NA_real_
  f[!is.finite(f)] <- NA_real_
  strength <- pmax(0, df * (f - 1))
  table <- data.frame(source = names(sums), df = df, sum_of_squares = unname(sums),
                      mean_square = unname(squares), f = unname(f),
                      p = stats::pf(unname(f), df, df[5L], lower.tail = FALSE),
                      omega_squared = unname(strength / (strength + n * k)))
  table[table$df > 0 | table$source == "residual", ]
}

#' @export
tidy.rankmix_reliability <- function(x, ...) x$coefficients

#' @export
glance.rankmix_reliability <- function(x, ...) {
  data.frame(queries = x$queries, rankers = x$rankers, var_rankers = x$components$variance[1L],
             var_queries = x$components$variance[2L], var_rest = x$components$variance[3L], note = x$note)
}

#' @export
print.rankmix_reliability <- function(x, ...) {
  say(sprintf("<rankmix_reliability> %s, %s%s", counted(x$rankers, "ranker"),
              counted(x$queries, "query", "queries"), if (is.null(x$metric)) "" else paste0("; ", x$metric)))
  say(if (anyNA(x$components$fraction)) "All values are equal." else {
    sprintf("variance: %s", paste(sprintf("%s %.0f %%", x$components$source, 100 * x$components$fraction),
                                  collapse = ", "))
  })
  range <- function(table, shown) {
    ifelse(is.na(table$lower), "[no interval]", sprintf("[%s, %s]", shown(table$lower), shown(table$upper)))
  }
  decimals <- function(value) sprintf("%.3f", value)
  say(sprintf("%s of %s: %s %s", coefficient_names[x$coefficients$coefficient],
              counted_each(x$coefficients$queries), decimals(x$coefficients$estimate),
              range(x$coefficients, decimals)))
  if (nrow(x$needed) > 0L) {
    say(sprintf("Queries for %s = %s: %s %s", x$needed$coefficient, plain_each(x$needed$target),
                plain_each(x$needed$queries), range(x$needed, plain_each)))
  }
  say(sprintf(paste("[ ]: %s %% intervals. The numbers hold for these %d rankers. For rankers that differ",
                    "less, they would be lower."),
              plain_number(100 * x$level), x$rankers))
  if (nzchar(x$note)) say(sprintf("Note: %s.", x$note))
  invisible(x)
}

coefficient_names <- c(erho2 = "Reliability of differences (erho2)", phi = "Reliability of means (phi)")

plain_each <- function(x) vapply(x, plain_number, "")

counted_each <- function(x) vapply(x, counted, "", one = "query", many = "queries")
