test_that("networks in C give the same bits", {
  skip_if_quick()
  skip_on_cran()
  skip_if(!nzchar(compiler_of_c()), "no C compiler")
  data <- export_data()
  specs <- list(
    plain = network_ranker(hidden = c(5, 3), epochs = 2), batch = network_ranker(hidden = c(4, 3), epochs = 2,
                                                                   normalize = "batch"),
    layer = network_ranker(hidden = c(9, 2), epochs = 2, normalize = "layer", missing = "indicator"),
    tanh = network_ranker(hidden = 4, epochs = 2, activation = "tanh", normalize = "layer"),
    logistic = network_ranker(loss_softmax(), hidden = 3, epochs = 2, activation = "logistic", log1p = TRUE),
    ranknet = ranknet(hidden = 3, epochs = 2), listnet = listnet(hidden = 3, epochs = 2)
  )
  for (name in names(specs)) {
    model <- fit(specs[[name]], data, seed = 1, verbose = FALSE)
    expect_same_c(model, data$x, name)
    # The network before the first epoch, and with inputs at which its units saturate.
    model$best_rounds <- 0L
    expect_same_c(model, data$x, name)
    expect_same_c(model, 1e4 * data$x, name)
  }
})
