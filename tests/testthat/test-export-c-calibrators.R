test_that("every calibrator in C gives the same bits", {
  skip_if_quick()
  skip_on_cran()
  skip_if(!nzchar(compiler_of_c()), "no C compiler")
  data <- export_data()
  valid <- simulate_ranking(40, features = 6, seed = 5)$data
  booster <- fit(adaboost_mh(base_tree(4), 6), data, seed = 1, verbose = FALSE)
  methods <- c(all_calibrators(), list(calibrator_naive("grade"), calibrator_rbc("isotonic")))
  for (method in methods) {
    model <- suppressWarnings(calibrate(booster, valid, method))
    expect_same_c(model, rbind(data$x, valid$x, 100 * valid$x), format(method))
  }
})

test_that("every calibrator of one score in C gives the same bits", {
  skip_on_cran()
  skip_if(!nzchar(compiler_of_c()), "no C compiler")
  data <- export_data()
  valid <- simulate_ranking(40, features = 6, seed = 5)$data
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  others <- setdiff(rankmix:::rbc_models, "polynomial")
  regressions <- c(lapply(others, calibrator_rbc), list(calibrator_rbc("polynomial", 5)))
  # Linear and logistic calibrators of one score rank alike, so a mixture does not have both.
  for (other in c("linear", "logistic")) {
    own <- Filter(function(method) method$model != other, regressions)
    model <- fit(mixture(gbrt(5, num_leaves = 4), calibrators = own, weights = mix_weights(0)), data,
                 valid, seed = 1, verbose = FALSE)
    expect_identical(sum(model$members$weight > 0), length(own))
    expect_same_c(model, rbind(data$x, 100 * valid$x), "one score")
  }
})

test_that("monomials come in the order of the core", {
  terms <- rankmix:::polynomial_terms(2, 3)
  # First 1, a, a^2, a^3. Then each of them is multiplied by powers of b, up to the degree.
  expect_identical(terms$rest, c(0, 0, 0, 0, 0, 0, 0, 1, 1, 2))
  expect_identical(terms$discriminant, c(0, 0, 0, 0, 1, 1, 1, 1, 1, 1))
  expect_identical(terms$power, c(0, 1, 2, 3, 1, 2, 3, 1, 2, 1))
})
