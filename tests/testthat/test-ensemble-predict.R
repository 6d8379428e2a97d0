many_members <- function() {
  tune_and_mix(example_part("train"), example_part("vali"),
               lapply(2:4, function(leaves) adaboost_mh(base_tree(leaves), rounds = 5)),
               fast_calibrators(), weights = mix_weights(rounds = 5), seed = 1, verbose = FALSE)
}

test_that("a summary has all rankers and members, and prints the twenty with the largest weights", {
  mixture <- many_members()
  members <- summary(mixture)
  expect_s3_class(members, "data.frame")
  expect_identical(nrow(members), 30L)
  expect_equal(members$weight, sort(mixture$members$weight, decreasing = TRUE))
  lines <- capture.output(print(members))
  # The output has a header and three rankers, "Members:", a header, twenty members and the number of further members.
  expect_length(lines, 5L + 23L)
  expect_identical(lines[c(6L, 28L)], c("Members:", "... and 10 more"))
  expect_identical(class(as.data.frame(members)), "data.frame")
  # Subsets of the table print as tables of members.
  expect_length(capture.output(print(as.data.frame(members)[1:2, c("rounds", "weight")])), 3L)
  # The table has the value of each member, even if fewer members are printed.
  expect_identical(members[["value"]], mixture$members$value[order(-mixture$members$weight)])
})

test_that("the labels of a summary are cut to the width", {
  members <- summary(many_members())
  for (width in c(150L, 80L, 70L, 60L)) {
    withr::local_options(width = width)
    lines <- capture.output(print(members))
    expect_length(lines, 28L)  # no row is wrapped
    expect_lte(max(nchar(lines)), width)
    expect_identical(any(grepl("tree(4) + rbc polynomial, 2, normalized", lines, fixed = TRUE)),
                     width > 60)
  }
})

test_that("mixtures print a line for each ranker, up to the requested number", {
  mixture <- many_members()
  shown <- function(lines) grep("adaboost_mh\\(", lines, value = TRUE)
  wide <- withr::with_options(list(width = 120), capture.output(print(mixture, n = 2)))
  expect_length(shown(wide), 2L)
  expect_match(wide, "... and 1 more ranker, see `summary()`", fixed = TRUE, all = FALSE)
  narrow <- withr::with_options(list(width = 72), capture.output(print(mixture, n = Inf)))
  expect_length(shown(narrow), 3L)
  expect_true(all(nchar(narrow) <= 72L))
  # The printed weight of a ranker is the sum over its calibrators.
  weights <- as.numeric(sub(".*\\) +([0-9.]+) .*", "\\1", shown(wide)))
  by_ranker <- tapply(mixture$members$weight, mixture$members$ranker, sum)
  expect_equal(weights, as.vector(sort(by_ranker, decreasing = TRUE)[1:2]), tolerance = 1e-3)
  summed <- capture.output(print(summary(mixture), n = 2))
  expect_match(summed, "... and 28 more", fixed = TRUE, all = FALSE)
  mixed <- mix(list(a = example_part("vali")$x[, 1], b = example_part("vali")$x[, 2]),
               example_part("vali"))
  expect_match(capture.output(print(mixed, n = 1)), "and 1 more ranker", all = FALSE)
  expect_error(print(mixture, n = -1), class = "rankmix_error_argument")
  expect_error(print(summary(mixture), n = "all"), class = "rankmix_error_argument")
  expect_error(print(mixed, n = 1.5), class = "rankmix_error_argument")
})

test_that("a mixture below its best ranker reports it", {
  data <- example_part("vali")
  # The scores have very different scales and are mixed without scaling.
  rankers <- list(a = function(data) data$x[, 1], b = function(data) 1000 * data$x[, 2])
  below <- mix(rankers, data, weights = mix_weights(0, standardize = FALSE))
  best <- max(below$members$value)
  expect_lt(below$value, best)
  expect_output(print(below), sprintf("The mixture is %.4f below its best ranker there.",
                                      round(best, 4) - round(below$value, 4)), fixed = TRUE)
  # A difference that the shown numbers do not have is not shown.
  equal <- below
  equal$value <- round(best, 4) + 1e-6
  equal$contributions$alone[] <- equal$value + 1e-6
  equal$members$value <- equal$value + 1e-6
  expect_no_match(capture.output(print(equal)), "below its best")
  above <- mix(rankers["a"], data)
  expect_no_match(capture.output(print(above)), "below its best")
})

test_that("predictions in blocks equal predictions of all documents at once, bit for bit", {
  train <- random_data(40, features = 6, seed = 3)
  # The score of a document depends on the other documents of the call, so blocks would change the score.
  shifted <- new_ranker("shifted", train = function(spec, task) mean(task$data$relevance),
                        predict = function(model, x) model + x[, 1] - mean(x[, 1]))
  members <- list(gbrt(trees = 5), linear_ranker(missing = "mean"), adaboost_mh(base_tree(4), rounds = 5),
                  shifted(), function(data) rowSums(data$x, na.rm = TRUE) / nrow(data$x))
  new <- random_data(600, features = 6, seed = 4)
  expect_gt(nrow(new), 3 * 1024)
  mixtures <- lapply(list(FALSE, TRUE, "query"), function(standardize) {
    suppressWarnings(tune_and_mix(
      train, train, members, fast_calibrators(), weights = mix_weights(standardize = standardize),
      seed = 1, threads = 1, verbose = FALSE
    ))
  })
  predictions <- function(mixture) lapply(c("score", "member"), function(type) {
    predict(mixture, new, type, threads = 1)
  })
  asked <- function(mixture) rankmix:::members_asked(mixture, new, seq_len(nrow(mixture$members)), 1L, NULL)
  whole <- lapply(mixtures, predictions)
  expect_true(all(lengths(lapply(lapply(mixtures, asked), `[[`, "blocks")) == 1L))
  local_function("max_block_bytes", 1)
  for (i in seq_along(mixtures)) {
    parts <- asked(mixtures[[i]])
    expect_gt(length(parts$blocks), 3L)
    expect_equal(sort(unlist(lapply(parts$blocks, `[[`, "rows"))), seq_len(nrow(new)))
    # Members with a predict() of the user are predicted for all documents at once.
    expect_false(all(vapply(parts$whole, is.null, NA)))
    expect_identical(predictions(mixtures[[i]]), whole[[i]])
  }
})
