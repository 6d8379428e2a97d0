skip_if_not_installed("ggplot2")
small_tree <- function(...) {
  data <- simulate_ranking(60, features = 6, seed = 1)$data
  fit(m5p(...), data, verbose = FALSE)
}

test_that("a tree is drawn with its leaves side by side, each under its node", {
  model <- small_tree(300)
  layout <- rankmix:::tree_layout(model)
  leaves <- layout$nodes[layout$nodes$leaf, ]
  expect_identical(leaves$x, as.double(seq_along(model$forest$values)))
  expect_equal(leaves$error, 100 * model$error / model$deviation)
  expect_identical(nrow(layout$edges), 2L * length(model$forest$feature))
  # A node is halfway between its children, which are one level below.
  expect_true(all(layout$edges$yend == layout$edges$y - 1))
  ends <- tapply(layout$edges$xend, paste(layout$edges$x, layout$edges$y), mean)
  expect_equal(as.vector(ends), as.numeric(sub(" .*", "", names(ends))))
  picture <- ggplot2::autoplot(model)
  expect_s3_class(picture, "ggplot")
  expect_no_error(ggplot2::ggplot_build(picture))
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(small_tree(4, prune = FALSE))))
  importance <- ggplot2::autoplot(model, "importance")
  expect_no_error(ggplot2::ggplot_build(importance))
  # A tree has no rounds.
  expect_match(importance$labels$subtitle, "features are used$")
})

test_that("a single leaf is a point", {
  local_known_warnings("constant")
  model <- small_tree(1e6)
  expect_length(model$forest$values, 1L)
  expect_no_error(ggplot2::ggplot_build(ggplot2::autoplot(model)))
  expect_error(ggplot2::autoplot(model, "importance"), class = "rankmix_error_argument")
  expect_error(ggplot2::autoplot(model, "leaves"), class = "rankmix_error_argument")
})
