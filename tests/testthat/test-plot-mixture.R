test_that("autoplot() shows weights and validation metric of all members", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  mixture <- tune_and_mix(
    example_part("train"), example_part("vali"),
    members = list(adaboost_mh(base_tree(4), rounds = 20),
                       adaboost_mh(base_stump(), rounds = 20)),
    calibrators = list(calibrator_naive(), calibrator_cpc(), calibrator_rbc()), seed = 1
  )
  plot <- ggplot2::autoplot(mixture, "members")
  expect_s3_class(plot, "ggplot")
  expect_identical(nrow(plot$data), 12L)
  weights <- plot$data[plot$data$panel == "Weight", ]
  expect_equal(sum(weights$value), 1)
  # The member with the largest weight is the last level, so it is drawn on top.
  heaviest <- weights$member[which.max(weights$value)]
  expect_identical(as.integer(heaviest), 6L)
  expect_silent(ggplot2::ggplotGrob(plot))
})

test_that("more members than rows are cut to the heaviest", {
  skip_if_not_installed("ggplot2")
  mixture <- tune_and_mix(example_part("train"), example_part("vali"),
                          lapply(2:5, function(leaves) adaboost_mh(base_tree(leaves), rounds = 10)),
                          calibrators = Filter(function(m) m$name != "rbc" ||
                                                 !m$model %in% c("network", "gaussian_process"),
                                               all_calibrators()), weights = mix_weights(rounds = 10), seed = 1)
  plot <- ggplot2::autoplot(mixture, "members")
  shown <- plot$data[plot$data$panel == "Weight", ]
  expect_identical(nrow(shown), 20L)
  expect_equal(sort(shown$value), sort(tail(sort(mixture$members$weight), 20)))
  # The number of members is on a separate line, because one line is too short for the caption.
  expect_match(plot$labels$caption, "\n52 lighter members are not shown")
  pairs <- ggplot2::autoplot(mixture, type = "normalization")
  expect_identical(nrow(pairs$data), 24L)
})

test_that("labels of members are short and differ", {
  members <- data.frame(
    classifier = c("adaboost_mh(base_tree(4))", "adaboost_mh(base_tree(4), max_bin = 31) on standardized",
                   "mcsvm(cost = 1)"),
    calibrator = c("calibrator_rbc(\"polynomial\", degree = 3, normalize = TRUE)", "calibrator_naive()",
                   "calibrator_cpc(\"soft_ndcg\", sigma = 0.01)")
  )
  expect_identical(rankmix:::short_labels(members),
                   c("tree(4) + rbc polynomial, 3, normalized",
                     "tree(4), max_bin = 31 on standardized + naive",
                     "mcsvm(cost = 1) + cpc soft_ndcg, 0.01"))
  expect_identical(anyDuplicated(rankmix:::short_labels(members[c(1, 1), ])), 0L)
})

test_that("thresholds that are close have labels of their own", {
  expect_identical(rankmix:::different_labels(c(-Inf, 0.61521, 0.61532)),
                   c("none", "0.6152", "0.6153"))
})

test_that("members are coloured by family where there are several", {
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("vdiffr")
  mixture <- tune_and_mix(
    example_part("train"), example_part("vali"),
    list(adaboost_mh(base_tree(4), rounds = 20), gbrt(20, num_leaves = 4), best_feature()),
    list(calibrator_naive(), calibrator_cpc(), calibrator_rbc(), calibrator_rbc("polynomial")), seed = 1, verbose = FALSE
  )
  plot <- ggplot2::autoplot(mixture, "members")
  weights <- tapply(mixture$members$weight, mixture$members$family, sum)
  expect_identical(levels(plot$data$family)[1], names(which.max(weights)))
  expect_identical(plot$labels$colour, "Family")
  vdiffr::expect_doppelganger("members by family", plot)
  # If each ranker is a family of its own, families have no colours.
  columns <- predict(mixture, example_part("vali"), type = "member")[, 1:3]
  alone <- ggplot2::autoplot(mix(as.data.frame(columns), example_part("vali")), "members")
  expect_null(alone$data$family)
  expect_silent(ggplot2::ggplotGrob(alone))
})

test_that("rankers are rows with their weight, their metric alone and their contribution", {
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("vdiffr")
  mixture <- tune_and_mix(
    example_part("train"), example_part("vali"),
    list(stumps = adaboost_mh(base_stump(), rounds = 20), gbrt(20, num_leaves = 4), best_feature()),
    list(calibrator_naive(), calibrator_cpc(), calibrator_rbc()), seed = 1, verbose = FALSE
  )
  plot <- ggplot2::autoplot(mixture)
  table <- attr(summary(mixture), "rankers")
  panels <- split(plot$data, plot$data$panel)
  expect_identical(names(panels), c("Weight", "ndcg@10 alone", "ndcg@10 added"))
  expect_identical(as.character(panels[[1L]]$ranker), table$ranker)
  expect_identical(panels[[1L]]$value, table$weight)
  expect_identical(panels[[2L]]$value, table$value)
  expect_identical(panels[[3L]][c("lower", "upper")], table[c("lower", "upper")], ignore_attr = TRUE)
  vdiffr::expect_doppelganger("rankers of a mixture", plot)
  one <- tune_and_mix(example_part("train"), example_part("vali"), gbrt(5), seed = 1, verbose = FALSE)
  expect_identical(levels(ggplot2::autoplot(one)$data$panel), "Weight")
})
