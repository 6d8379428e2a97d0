judged <- simulate_ranking(4, documents = 4, seed = 1)$data
log <- simulate_clicks(judged, 40, depth = 4, seed = 2, output = "log", user = "cascade",
                       examination = c(1, 0.9, 0.8, 0.7), stop = 0.5, attraction = c(0.3, 0.5, 0.7, 0.8, 0.9))

test_that("conditional probabilities sum to the log-likelihood of the fit", {
  for (name in setdiff(names(click_models), "cascade")) {
    model <- click_model(log, name)
    expect_equal(click_perplexity(model, log)$log_likelihood[5], model$log_likelihood, tolerance = 1e-12)
  }
})

test_that("click probabilities are sums over all click patterns", {
  patterns <- as.matrix(expand.grid(rep(list(0:1), 4)))
  rows <- data.frame(session = rep(1:16, each = 4), query = log$pairs$query[log$pair[1:4] + 1],
                     document = log$pairs$document[log$pair[1:4] + 1], position = 1:4, click = c(t(patterns)))
  all <- click_log(rows)
  for (name in names(click_models)) {
    model <- click_model(log, name)
    conditional <- click_rows(model, all, 1L)$conditional
    each <- matrix(ifelse(all$clicked == 1, conditional, 1 - conditional), 4)
    p <- apply(each, 2, prod)
    expect_equal(sum(p), 1)
    expect_equal(predict(model, all)[1:4], colSums(patterns * p), ignore_attr = TRUE)
    expect_equal(predict(model, all, examination = TRUE)[1], 1)
  }
})

test_that("perplexity follows its formula, and unseen pairs get the mean attraction", {
  model <- click_model(log)
  p <- predict(model, log)
  position <- as.data.frame(log)$position
  bits <- tapply(log2(ifelse(log$clicked == 1, p, 1 - p)), position, mean)
  found <- click_perplexity(model, log)
  expect_equal(found$perplexity, c(2^-bits, mean(2^-bits)), ignore_attr = TRUE)
  expect_identical(found$position, c(1:4, NA))
  new <- click_log(data.frame(session = 1, query = "new", document = 1:2, position = 1:2, click = 0))
  mean <- weighted.mean(model$pairs$attraction, model$pairs$shown)
  expect_equal(predict(model, new), mean * model$position[1:2])
})

test_that("examination averages over the log", {
  pbm <- click_model(log)
  expect_identical(examination(pbm)$estimate, pbm$position)
  dcm <- click_model(log, "dcm")
  expected <- tapply(predict(dcm, log, examination = TRUE), as.data.frame(log)$position, mean)
  expect_equal(examination(dcm, log)$estimate, as.vector(expected))
})

test_that("bad input is refused", {
  refuse <- function(code, class = "argument") {
    expect_snapshot_error(code, class = paste0("rankmix_error_", class))
  }
  model <- click_model(log)
  refuse(predict(model))
  refuse(predict(model, judged))
  refuse(predict(model, log, examination = 1))
  refuse(click_perplexity(log, log))
  refuse(examination(log))
  refuse(examination(click_model(log, "ubm")))
  long <- click_log(data.frame(session = 1, query = "q", document = 1:5, position = 1:5, click = 0))
  refuse(predict(model, long), "position")
})
