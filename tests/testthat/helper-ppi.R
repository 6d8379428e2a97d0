# A slow reference implementation of evaluate_ppi(), for one mean at a time.

naive_ppi <- function(y, f_human, f_other, lambda = NULL) {
  n <- length(y)
  m <- length(f_other)
  f <- c(f_human, f_other)
  if (is.null(lambda)) {
    line <- stats::lm(y ~ f_human)
    lambda <- unname(stats::coef(line)[2L])
    # The prediction of the line at the mean of all machine values, and its standard error.
    at <- stats::predict(line, data.frame(f_human = mean(f)), se.fit = TRUE)
    first <- unname(at$se.fit^2)
    second <- lambda^2 * stats::var(f) / (n + m)
    df <- (first + second)^2 / (first^2 / (n - 2) + second^2 / (n + m - 1))
    return(list(mean = unname(at$fit), se = sqrt(first + second), df = df, lambda = lambda))
  }
  part <- lambda * m / (n + m)
  first <- stats::var(y - part * f_human) / n
  second <- part^2 * stats::var(f_other) / m
  list(mean = lambda * mean(f) + mean(y - lambda * f_human), se = sqrt(first + second),
       df = (first + second)^2 / (first^2 / (n - 1) + second^2 / (m - 1)), lambda = lambda)
}

# Values of queries with and without human grades.
ppi_sample <- function(n = 12, m = 40, seed = 1) {
  withr::with_seed(seed, {
    f <- round(stats::runif(n + m), 2)
    list(y = round(0.2 + 0.5 * f[seq_len(n)] + stats::rnorm(n, 0, 0.1), 2), human = f[seq_len(n)],
         other = f[-seq_len(n)])
  })
}

# Rankers, data, and the grades of humans and of a machine that is too mild.
ppi_case <- function(queries = 60, judged = 20) {
  simulation <- simulate_ranking(queries, documents = c(4, 8), features = 6, seed = 1)
  data <- simulation$data
  withr::with_seed(2, {
    machine <- pmin(data$relevance + stats::rbinom(nrow(data), 1L, 0.3), 4L)
  })
  list(data = data, human = ifelse(data$query <= judged, data$relevance, NA), machine = machine,
       probability = simulation$probability,
       scores = list(best = predict(simulation$truth, data), one = data$x[, "signal1"], two = data$x[, "signal2"]))
}
