test_that("list lengths and grades are counted", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  data <- ranking_data(matrix(0, 9), c(0, 0, 2, 1, 0, 0, 0, 0, 2),
                       c(1, 1, 1, 2, 2, 2, 3, 3, 3))[1:3]
  plot <- ggplot2::autoplot(data)
  lengths <- plot$data[plot$data$panel == "Queries by number of documents", ]
  grades <- plot$data[plot$data$panel == "Documents by grade", ]
  expect_identical(lengths$x, 3)
  expect_identical(lengths$count, 3L)
  expect_identical(grades$count, c(6L, 1L, 2L))
  expect_identical(grades$label, c("67 %", "11 %", "22 %"))
  expect_silent(ggplot2::ggplotGrob(plot))
  expect_s3_class(plot(data), "ggplot")
})

test_that("bars of long lists cover each query once", {
  skip_if_not_installed("ggplot2")
  sizes <- c(1, 2, 500, 1000, 1000)
  data <- ranking_data(matrix(0, sum(sizes)), rep(0:1, length.out = sum(sizes)),
                       rep(1:5, sizes))
  rows <- ggplot2::autoplot(data)$data
  bars <- rows[rows$panel == "Queries by number of documents", ]
  expect_lte(nrow(bars), 40L)
  expect_identical(sum(bars$count), 5L)
  step <- bars$width[1] / 0.9
  inside <- vapply(sizes, function(s) sum(abs(s - bars$x) < step / 2 & bars$count > 0),
                   numeric(1))
  expect_identical(inside, rep(1, 5))
})

test_that("relevance that is not graded is drawn as a histogram", {
  skip_if_not_installed("ggplot2")
  data <- ranking_data(cbind(x = 1:200), relevance = (1:200)^1.5, query = rep(1:20, each = 10))
  drawn <- ggplot2::layer_data(ggplot2::autoplot(data))
  expect_gt(nrow(drawn), 2L)
  panels <- tapply(drawn$ymax, drawn$PANEL, sum)
  expect_true(200 %in% panels)
})
