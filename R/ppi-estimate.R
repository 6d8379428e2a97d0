# The estimator of prediction-powered inference for means over queries. All queries have values under machine
# grades, and some under human grades, too. A column is one mean: of a ranker, of the difference of two
# rankers, or of a draw of the bootstrap. All functions work on all columns at once.

# The moments of queries x columns. `weight` is a matrix of the same size, or one weight per query.
# `s1` and `ss2` have squared weights; they make standard errors.
column_moments <- function(values, weight) {
  of_columns <- if (is.matrix(weight)) colSums else sum
  total <- of_columns(weight)
  mean <- colSums(weight * values) / total
  distance <- values - rep(mean, each = nrow(values))
  weighted <- weight * distance
  list(count = nrow(values), total = total, squares = of_columns(weight^2), mean = mean,
       ss = colSums(weighted * distance), s1 = colSums(weight * weighted), ss2 = colSums(weighted^2))
}

# The moments of two sets of queries together.
joined_moments <- function(a, b) {
  total <- a$total + b$total
  mean <- (a$total * a$mean + b$total * b$mean) / total
  around <- function(side, field) {
    far <- side$mean - mean
    switch(field, ss = side$ss + side$total * far^2, s1 = side$s1 + side$squares * far,
           ss2 = side$ss2 + 2 * far * side$s1 + side$squares * far^2)
  }
  fields <- lapply(c(ss = "ss", s1 = "s1", ss2 = "ss2"), function(field) around(a, field) + around(b, field))
  c(list(count = a$count + b$count, total = total, squares = a$squares + b$squares, mean = mean), fields)
}

effective_count <- function(moments) moments$total^2 / moments$squares

# The standard errors of the means; NaN for a single query.
moments_se <- function(moments) {
  sqrt(moments$count / (moments$count - 1) * moments$ss2) / moments$total
}

# One row per column. `human` and `seen` are queries x columns: the values of queries with human grades, under
# human and machine grades. `others` has the moments of machine values of the other queries, or is NULL.
# `lambda` is a number, or NULL for the coefficient of the regression of human on machine values.
ppi_estimates <- function(human, seen, weight, others = NULL, lambda = NULL) {
  humans <- column_moments(human, weight)
  judged <- column_moments(seen, weight)
  all <- if (is.null(others)) judged else joined_moments(judged, others)
  found <- if (is.null(others)) {
    # If all queries have human grades, machine values add no information.
    list(mean = humans$mean, se = moments_se(humans), df = effective_count(humans) - 1,
         lambda = rep(0, ncol(human)))
  } else if (is.null(lambda)) {
    regression_estimates(human, seen, weight, humans, judged, all)
  } else {
    difference_estimates(human, seen, weight, others, all, lambda)
  }
  human_se <- moments_se(humans)
  n <- effective_count(humans)
  data.frame(found, human_mean = humans$mean, human_se = human_se, human_df = n - 1,
             machine_mean = all$mean, bias = judged$mean - humans$mean,
             equivalent_queries = ifelse(found$se > 0, n * (human_se / found$se)^2, NA_real_))
}

# The coefficient is estimated: the regression estimator of double sampling (Cochran 1977, section 12.7). The
# residual variance has n - 2 degrees of freedom. The variance includes the distance between both means of
# machine values.
regression_estimates <- function(human, seen, weight, humans, judged, all) {
  covariance <- colSums(weight * (human - rep(humans$mean, each = nrow(human))) *
                          (seen - rep(judged$mean, each = nrow(seen))))
  flat <- has_no_spread(judged$mean, sqrt(judged$ss / judged$total))
  lambda <- ifelse(flat, 0, covariance / judged$ss)
  rest <- column_moments(human - rep(lambda, each = nrow(human)) * seen, weight)
  count <- rest$count
  far <- ifelse(flat, 0, (judged$mean - all$mean)^2 * judged$total / judged$ss)
  unexplained <- if (count < 3L) NA_real_ else count / (count - 2) * rest$ss2 / rest$total^2 * (1 + far)
  explained <- (lambda * moments_se(all))^2
  list(mean = humans$mean - lambda * (judged$mean - all$mean), se = sqrt(unexplained + explained),
       df = satterthwaite(unexplained, explained, effective_count(rest) - 2, effective_count(all) - 1),
       lambda = lambda)
}

# The coefficient is given. Queries with and without human grades are independent samples.
difference_estimates <- function(human, seen, weight, others, all, lambda) {
  shrunk <- lambda * others$total / all$total
  rest <- column_moments(human - rep(shrunk, each = nrow(human)) * seen, weight)
  first <- moments_se(rest)^2
  second <- (shrunk * moments_se(others))^2
  list(mean = rest$mean + shrunk * others$mean, se = sqrt(first + second),
       df = satterthwaite(first, second, effective_count(rest) - 1, effective_count(others) - 1),
       lambda = rep(lambda, ncol(human)))
}

# The degrees of freedom of the sum of two variances.
satterthwaite <- function(first, second, df_first, df_second) {
  # A single query without human grades has no variance.
  second[is.na(second)] <- 0
  ratio <- ifelse(second == 0, 0, second / (first + second))
  1 / ((1 - ratio)^2 / df_first + ifelse(ratio == 0, 0, ratio^2 / df_second))
}

t_ends <- function(mean, se, df, level) {
  half <- ifelse(is.na(se) | is.na(df) | df <= 0, NA_real_, stats::qt((1 + level) / 2, pmax(df, 1e-3)) * se)
  data.frame(lower = mean - half, upper = mean + half)
}

# Bootstrap over queries -----------------------------------------------------------------------

# Draws that are the same for all rankers and pairs. Queries with human grades and queries without are drawn
# separately. `judged` holds the rows of queries with human grades, queries x draws. `other` holds the means
# of machine values of the drawn other queries, draws x rankers.
ppi_draws <- function(weight, judged, machine, resamples, seed) {
  with_seed(seed, {
    drawn <- function(n) matrix(sample.int(n, n * resamples, TRUE), n)
    others <- which(!judged)
    list(judged = drawn(sum(judged)),
         other = if (length(others) > 0L) {
           drawn_means(machine[others, , drop = FALSE], weight[others], resamples)
         })
  })
}

drawn_means <- function(values, weight, resamples) {
  n <- nrow(values)
  do.call(rbind, lapply(resample_chunks(resamples, n), function(chunk) {
    counts <- bootstrap_counts(length(chunk), n) * rep(weight, each = length(chunk))
    counts %*% values / rowSums(counts)
  }))
}

# The studentised bootstrap of one mean: quantiles of (estimate of the draw - estimate) / its standard error.
# `other` has the means of the draws.
bootstrap_ends <- function(human, seen, weight, others, lambda, drawn, other, level) {
  whole <- ppi_estimates(cbind(human), cbind(seen), weight, others, lambda)
  rows <- function(x) matrix(x[drawn], nrow(drawn))
  # Queries without human grades keep the spread of all these queries in each draw.
  if (!is.null(others)) others$mean <- other
  own <- ppi_estimates(rows(human), rows(seen), rows(weight), others, lambda)
  statistic <- (own$mean - whole$mean) / own$se
  statistic <- statistic[!is.nan(statistic)]
  if (!isTRUE(whole$se > 0) || length(statistic) == 0L) {
    return(data.frame(lower = NA_real_, upper = NA_real_))
  }
  # A draw without spread is infinitely far away.
  ends <- stats::quantile(statistic, c(1 + level, 1 - level) / 2, names = FALSE, type = 1)
  data.frame(lower = whole$mean - ends[1L] * whole$se, upper = whole$mean - ends[2L] * whole$se)
}
