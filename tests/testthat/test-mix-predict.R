many_members <- function() {
  tune_and_mix(example_part("train"), example_part("vali"),
               lapply(2:4, function(leaves) adaboost_mh(tree(leaves), rounds = 5)),
               fast_calibrators(), weigh = weighing(rounds = 5), seed = 1, verbose = FALSE)
}

test_that("a summary holds all members and prints the twenty heaviest", {
  mixture <- many_members()
  members <- summary(mixture)
  expect_s3_class(members, "data.frame")
  expect_identical(nrow(members), 30L)
  expect_equal(members$weight, sort(mixture$members$weight, decreasing = TRUE))
  lines <- capture.output(print(members))
  expect_length(lines, 22L)
  expect_identical(lines[22], "... and 10 more")
  expect_length(capture.output(print(members[1:20, ])), 21L)
  expect_identical(class(as.data.frame(members)), "data.frame")
  expect_identical(capture.output(print(members[1:2, "weight", drop = FALSE]))[1], "  weight")
  # A value a member, whatever is shown.
  expect_identical(members[["value"]], mixture$members$value[order(-mixture$members$weight)])
})

test_that("the labels of a summary are cut to the width", {
  members <- summary(many_members())
  for (width in c(150L, 80L, 70L, 60L, 40L)) {
    withr::local_options(width = width)
    lines <- capture.output(print(members))
    expect_length(lines, 22L)  # no row is wrapped
    expect_lte(max(nchar(lines)), width)
    expect_identical(any(grepl("...  ", lines, fixed = TRUE)), width <= 60)
    expect_identical(any(grepl("tree(4) + rbc polynomial, 2, normalized", lines, fixed = TRUE)),
                     width > 60)
  }
})
