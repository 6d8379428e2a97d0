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

test_that("mixtures print as many members as asked for, by labels that fit", {
  mixture <- tune_and_mix(example_part("train"), example_part("vali"),
                          adaboost_mh(tree(4), rounds = 10), seed = 1)
  members <- function(lines) grep("weight [01]", lines, value = TRUE)
  wide <- withr::with_options(list(width = 120), capture.output(print(mixture, n = 3)))
  expect_length(members(wide), 3L)
  expect_match(members(wide), "  adaboost_mh(tree(4)) + ", fixed = TRUE)
  expect_match(wide, "... and 7 more", fixed = TRUE, all = FALSE)
  narrow <- withr::with_options(list(width = 72), capture.output(print(mixture, n = Inf)))
  expect_length(members(narrow), 10L)
  # Short labels in place of cut ones, and none is cut.
  expect_match(members(narrow), "held-out 0[.][0-9]{4}  tree\\(4\\) [+] [^.]*$")
  expect_true(all(nchar(narrow) <= 72L))
  shown <- capture.output(print(summary(mixture), n = 2))
  expect_match(shown, "... and 8 more", fixed = TRUE, all = FALSE)
  expect_length(shown, 4L)
  mixed <- mix(list(a = example_part("vali")$x[, 1], b = example_part("vali")$x[, 2]),
               example_part("vali"))
  expect_length(members(capture.output(print(mixed, n = 1))), 1L)
  expect_error(print(mixture, n = -1), class = "rankmix_error_argument")
  expect_error(print(summary(mixture), n = "all"), class = "rankmix_error_argument")
  expect_error(print(mixed, n = 1.5), class = "rankmix_error_argument")
})
