judged <- simulate_ranking(4, documents = 4, seed = 1)$data
likely <- c(0.3, 0.5, 0.7, 0.8, 0.9)
small_log <- function(...) {
  simulate_clicks(judged, 40, depth = 4, seed = 2, output = "log", attraction = likely, ...)
}
by_position <- small_log(examination = c(1, 0.7, 0.5, 0.3))
by_chain <- small_log(user = "cascade", examination = c(1, 0.9, 0.8, 0.7), stop = 0.5)

# For each query-document pair, in the order of its first row in the log, the position in the model's table.
pair_order <- function(model, rows) {
  match(unique(paste(rows$query, rows$document)), paste(model$pairs$query, model$pairs$document))
}

test_that("pbm and ubm agree with the reference", {
  rows <- as.data.frame(by_position)
  for (name in c("pbm", "ubm")) {
    model <- click_model(by_position, name, prior = c(1, 1), tolerance = 1e-12, iterations = 5000)
    reference <- naive_factors(rows, name)
    expect_equal(model$position, reference$position, tolerance = 1e-9)
    expect_equal(model$pairs$attraction[pair_order(model, rows)], reference$attraction, tolerance = 1e-9)
    expect_equal(model$log_likelihood, reference$log_likelihood, tolerance = 1e-12)
  }
})

test_that("dcm and dbn are at a maximum of the likelihood by enumeration", {
  rows <- as.data.frame(by_chain)
  for (name in c("dcm", "dbn")) {
    model <- click_model(by_chain, name, prior = c(1, 1), tolerance = 1e-13, iterations = 5000)
    order <- pair_order(model, rows)
    a <- model$pairs$attraction[order]
    s <- model$pairs$satisfaction[order]
    n <- length(a)
    value <- function(logit, penalty = TRUE) {
      p <- plogis(logit)
      naive_chain_objective(rows, name, p[seq_len(n)], if (name == "dbn") p[n + seq_len(n)],
                            p[-seq_len(n * (1 + (name == "dbn")))], penalty = penalty)
    }
    at <- qlogis(c(a, s, model$position))
    expect_equal(model$log_likelihood, value(at, FALSE), tolerance = 1e-12)
    # All derivatives of the penalised log-likelihood are 0.
    checked <- c(1, n, length(at) - 1:0)
    gradient <- vapply(checked, function(i) {
      h <- replace(numeric(length(at)), i, 1e-4)
      (value(at + h) - value(at - h)) / 2e-4
    }, 0)
    expect_lt(max(abs(gradient)), 1e-5)
  }
  expect_identical(is.na(click_model(by_chain, "dcm")$parameters$estimate), c(FALSE, FALSE, FALSE, TRUE))
})

test_that("the cascade model counts rows up to the first click", {
  rows <- data.frame(session = c(1, 1, 2, 2, 3, 3), query = "q", document = c("a", "b", "b", "a", "a", "b"),
                     position = c(1, 2, 1, 2, 1, 2), click = c(1, 0, 0, 1, 0, 0))
  model <- click_model(click_log(rows), "cascade", prior = c(1, 1))
  # Document a has 2 clicks in 3 examinations, and b has none in 2. One click and one skip are added to both.
  expect_equal(model$pairs$attraction, c(3 / 5, 1 / 4))
  expect_equal(model$log_likelihood, log(3 / 5) + log(3 / 4) + log(3 / 5) + log(2 / 5) + log(3 / 4))
  rows$click[2] <- 1
  expect_identical(click_model(click_log(rows), "cascade", prior = c(1, 1))$log_likelihood, -Inf)
})

test_that("standard errors agree with the observed information", {
  model <- click_model(by_position, prior = c(1, 1), tolerance = 1e-12, iterations = 5000)
  rows <- as.data.frame(by_position)
  pair <- match(paste(rows$query, rows$document), paste(model$pairs$query, model$pairs$document))
  n <- nrow(model$pairs)
  value <- function(theta) {
    a <- theta[seq_len(n)]
    g <- c(1, theta[-seq_len(n)])
    p <- a[pair] * g[rows$position]
    sum(log(ifelse(rows$click == 1, p, 1 - p))) + sum(log(theta * (1 - theta)))
  }
  hessian <- stats::optimHess(c(model$pairs$attraction, model$position[-1]), value,
                              control = list(ndeps = rep(1e-4, n + 3)))
  expected <- sqrt(diag(solve(-hessian)))[n + 1:3]
  expect_equal(model$parameters$se, c(0, expected), tolerance = 1e-4)
  expect_equal(model$parameters$lower[2], plogis(qlogis(model$position[2]) - qnorm(0.975) * expected[1] /
                                                   (model$position[2] * (1 - model$position[2]))),
               tolerance = 1e-4)
})

test_that("the bootstrap draws sessions", {
  model <- click_model(by_chain, "dbn", resamples = 20, seed = 1)
  expect_identical(model, click_model(by_chain, "dbn", resamples = 20, seed = 1))
  expect_gt(model$parameters$se, 0)
  shown <- examination(model, by_chain)
  expect_true(all(shown$se[-1] > 0))
  expect_equal(shown$estimate[1], 1)
  information <- click_model(by_position)$parameters$se[-1]
  drawn <- click_model(by_position, resamples = 100, seed = 1)$parameters$se[-1]
  expect_true(all(drawn / information > 0.6 & drawn / information < 1.5))
})

test_that("threads change no bit, and copies count sessions", {
  many <- simulate_clicks(simulate_ranking(900, documents = 12, seed = 3)$data, 5, seed = 4, output = "log")
  settings <- list(prior = c(1, 1), tolerance = 1e-6, iterations = 50)
  for (name in names(click_models)) {
    fits <- lapply(1:3, function(threads) {
      fit_clicks(many, c(settings, list(model = name, threads = threads)))
    })
    expect_identical(fits[[1]], fits[[2]])
    expect_identical(fits[[1]], fits[[3]])
    once <- fit_clicks(by_chain, c(settings, list(model = name, threads = 1)))
    rows <- as.data.frame(by_chain)
    doubled <- click_log(rbind(rows, transform(rows, session = session + 1000)))
    twice <- fit_clicks(doubled, c(settings, list(model = name, threads = 1)))
    copied <- fit_clicks(by_chain, c(settings, list(model = name, threads = 1)), rep(2L, 160))
    order <- match(paste(by_chain$pairs$query, by_chain$pairs$document),
                   paste(doubled$pairs$query, doubled$pairs$document))
    expect_equal(twice$attraction[order], copied$attraction, tolerance = 1e-12)
    expect_equal(twice$position, copied$position, tolerance = 1e-12)
    ones <- fit_clicks(by_chain, c(settings, list(model = name, threads = 1)), rep(1L, 160))
    expect_identical(ones, once)
  }
})

test_that("models recover the users who made the clicks", {
  judged <- simulate_ranking(100, documents = 6, seed = 5)$data
  truth <- c(1, 0.8, 0.6, 0.4, 0.3, 0.2)
  sessions <- at_size(100, 300)
  log <- simulate_clicks(judged, sessions, depth = 6, examination = truth, attraction = likely, seed = 6,
                         output = "log")
  pbm <- click_model(log)
  expect_true(all(abs(pbm$parameters$estimate - truth)[-1] < 4 * pbm$parameters$se[-1]))
  chain <- simulate_clicks(judged, sessions, depth = 6, user = "cascade", examination = 0.9^(0:5), stop = 0.6,
                           attraction = likely, seed = 6, output = "log")
  expect_lt(abs(click_model(chain, "dbn")$position - 0.9), 0.02)
  sure <- simulate_clicks(judged, 300, depth = 6, user = "cascade", examination = rep(1, 6), stop = 0.6,
                          attraction = likely, seed = 6, output = "log")
  expect_lt(max(abs(click_model(sure, "dcm")$parameters$estimate - 0.4), na.rm = TRUE), 0.03)
})

test_that("click models have print(), tidy(), glance() and logLik()", {
  model <- click_model(by_position)
  expect_snapshot(model)
  expect_snapshot(click_model(by_chain, "dcm"))
  expect_snapshot(click_model(by_chain, "cascade"))
  expect_identical(tidy(model), model$parameters)
  expect_identical(glance(model)$log_likelihood, model$log_likelihood)
  expect_identical(attr(logLik(model), "df"), 16L + 3L)
})

test_that("bad arguments and doubtful fits are reported", {
  refuse <- function(code, class = "argument") {
    expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  }
  refuse(click_model())
  refuse(click_model(judged))
  refuse(click_model(by_position, "pdm"))
  refuse(click_model(by_position, prior = 1))
  refuse(click_model(by_position, prior = c(0, 1)))
  refuse(click_model(by_position, tolerance = 0))
  refuse(click_model(by_position, resamples = -1))
  long <- data.frame(session = 1, query = "q", document = 1:51, position = 1:51, click = 0)
  refuse(click_model(click_log(long), "ubm"), "position")
  expect_warning(click_model(by_position, iterations = 2), class = "rankmix_warning_convergence")
  same <- data.frame(session = c(1, 1, 2, 2), query = "q", document = c("a", "b"), position = 1:2,
                     click = c(1, 0, 1, 1))
  expect_warning(click_model(click_log(same)), class = "rankmix_warning_identification")
})
