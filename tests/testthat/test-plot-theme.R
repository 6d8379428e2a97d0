test_that("many rankers have different combinations of colour and shape", {
  looks <- paste(rankmix:::ranker_colours(56), rankmix:::ranker_shapes(56))
  expect_identical(anyDuplicated(looks), 0L)
  # The first eight colours are different. The next colours repeat the first.
  expect_identical(anyDuplicated(rankmix:::ranker_colours(8)), 0L)
  expect_identical(rankmix:::ranker_colours(9)[9], rankmix:::ranker_colours(1))
})

test_that("legends and titles fit a narrow figure", {
  skip_if_not_installed("ggplot2")
  columns <- function(labels) {
    guide <- rankmix:::ranker_legend(labels)
    if (is.null(guide$params)) guide$ncol else guide$params$ncol
  }
  expect_equal(columns(c("a", "b")), 2)
  for (width in c(5, 20, 40, 80)) {
    labels <- rep(strrep("x", width), 12)
    expect_lte(columns(labels) * (width + 5), max(62, width + 5))
    expect_gt((columns(labels) + 1) * (width + 5), 62)
  }
  text <- "a title of many words that is longer than the width of any narrow figure of a paper"
  lines <- strsplit(rankmix:::wrapped(text), "\n")[[1L]]
  expect_true(all(nchar(lines) < 52L))
  expect_identical(paste(lines, collapse = " "), text)
})

test_that("each sentence of a caption begins a line", {
  expect_identical(rankmix:::caption_lines(NULL, "One.", "Two."), "One.\nTwo.")
  long <- strsplit(rankmix:::caption_lines(strrep("word ", 40)), "\n")[[1L]]
  expect_true(length(long) > 1L && all(nchar(long) < 76L))
})
