# The power of the test itself, on differences drawn from a pilot.

simulated_plan <- function(plan, draws, seed, call = rlang::caller_env()) {
  differences <- pilot_differences(plan, call)
  evaluated <- list()
  power_at <- function(n) {
    key <- as.character(n)
    if (is.null(evaluated[[key]])) {
      evaluated[[key]] <<- simulated_power(n, differences, plan, draws, seed)
    }
    evaluated[[key]]
  }
  plan$queries <- smallest_count(function(n) {
    if (n > max_simulated_queries) stop_too_many(call)
    power_at(n) >= plan$target
  }, simulation_start(plan, call), call)
  plan$effective <- plan$queries
  plan$power <- power_at(plan$queries)
  plan$mc_error <- sqrt(plan$power * (1 - plan$power) / draws)
  # One more point beyond the result, for the plot.
  power_at(ceiling(1.5 * plan$queries))
  n <- as.numeric(names(evaluated))
  plan$curve <- data.frame(queries = n, power = unlist(evaluated, use.names = FALSE))[order(n), ]
  plan$draws <- draws
  structure(plan, class = "rankmix_queries_needed")
}

# The search begins at half of the number of queries that the t test needs.
simulation_start <- function(plan, call) {
  plan$test <- "t"
  floor(min(smallest_count(function(n) reached(plan, n), call = call), max_simulated_queries) / 2)
}

# Largest number of queries of a simulated comparison.
max_simulated_queries <- 1e5

stop_too_many <- function(call) {
  stop_input("argument", "More than 100,000 queries would be needed, too many to simulate.",
             remedy = "Use `test = \"t\"`, or a larger `difference`.", call = call)
}

# The differences to draw from: their mean is `difference`. The differences of several pilots are centred first, and
# scaled to the standard deviation of the plan.
pilot_differences <- function(plan, call) {
  parts <- plan$pilot$differences
  if (is.null(plan$pilot) || any(vapply(parts, is.null, NA))) {
    stop_input("argument", "`test = \"simulate\"` needs a `pilot` of two rankers.",
               remedy = "Give a comparison of two rankers, or their differences.", call = call)
  }
  if (plan$pilot$weighted) {
    stop_input("argument", "`test = \"simulate\"` cannot use weights of queries.",
               remedy = "Use `test = \"t\"`.", call = call)
  }
  # `factor` is the ratio of the upper limit to the estimate. The variance of draws from n values is too small by
  # the factor (n - 1) / n.
  n <- plan$pilot$queries
  scale <- sqrt(plan$factor * n / (n - plan$pilot$collections))
  if (plan$shift == "all") {
    return(scale * unlist(lapply(parts, function(d) d - mean(d))) + plan$difference)
  }
  changed <- unlist(parts) != 0
  centred <- unlist(lapply(parts, function(d) {
    ifelse(d == 0, 0, d - mean(d[d != 0]))
  }))
  ifelse(changed, scale * centred + plan$difference / mean(changed), 0)
}

# The fraction of draws in which the test rejects. Every n uses the same seed.
simulated_power <- function(n, differences, plan, draws, seed) {
  size <- max(1, floor(max_drawn_weights / n))
  rejected <- with_seed(seed, {
    vapply(seq(1, draws, by = size), function(from) {
      count <- min(size, draws - from + 1)
      drawn <- matrix(sample(differences, n * count, replace = TRUE), n)
      sum(simulated_p(drawn, plan, seed) <= plan$level)
    }, 0)
  })
  sum(rejected) / draws
}

# A p-value for each column.
simulated_p <- function(drawn, plan, seed) {
  if (plan$simulated == "randomization") {
    settings <- list(resamples = max(999, ceiling(20 / plan$level)), seed = seed, level = plan$level,
                     alternative = "two.sided", threads = check_threads(NULL))
    return(apply(drawn, 2L, sign_flip_p, settings))
  }
  n <- nrow(drawn)
  means <- colMeans(drawn)
  se <- sqrt(colSums((drawn - rep(means, each = n))^2) / (n - 1) / n)
  flat <- has_no_spread(means, se)
  ifelse(flat, ifelse(means == 0, 1, 2^(1 - n)), 2 * stats::pt(-abs(means / se), n - 1))
}

# The same as randomization_p(), but exact p-values take milliseconds. All patterns have the same sum of squares, so a
# pattern is as extreme as the differences if its sum is. The sum of a pattern is the sum of its first half plus the sum
# of its second half.
sign_flip_p <- function(difference, settings) {
  changed <- difference[difference != 0]
  if (length(changed) == 0L || length(changed) > 20L) {
    return(randomization_p(difference, NULL, settings))
  }
  second <- seq_along(changed) > length(changed) / 2
  sums <- lapply(split(changed, second), function(d) Reduce(function(sums, x) c(sums - x, sums + x), d, 0))
  # Sums that differ by rounding noise are equal.
  least <- abs(sum(changed)) - 1e-10 * sum(abs(changed))
  if (least <= 0) {
    return(1)
  }
  # Patterns come in pairs of opposite signs, so one side is counted.
  above <- sum(length(sums[[1L]]) - findInterval(least - sums[[length(sums)]], sort(sums[[1L]]), left.open = TRUE))
  2 * above / 2^length(changed)
}
