test_that("a page and a part of a report have the same scripts and data", {
  json <- list(index = "{}", why = "{}")
  page <- rankmix:::explorer_page(json, "A <title> & \"more\"")
  part <- rankmix:::explorer_fragment(json, embedded = TRUE)
  expect_true(all(setdiff(part, grep("id=\"explorer\"", part, value = TRUE)) %in% page))
  expect_match(paste(page, collapse = "\n"), "<title>A &#60;title&#62; &#38; \"more\"</title>", fixed = TRUE)
  expect_match(grep("id=\"explorer\"", part, value = TRUE), "class=\"explorer embedded\"", fixed = TRUE)
})

test_that("scripts and styles are ASCII and end no script", {
  for (file in c(rankmix:::explorer_scripts, "explorer.css")) {
    text <- rankmix:::report_lines(file)
    expect_false(any(grepl("[^ -~]", text)), info = file)
    expect_false(any(grepl("</script|https?:|@import|url[(]", text)), info = file)
    # The explorer's style rules must not change the report around it.
    if (file == "explorer.css") {
      rules <- grep("^[^ @}/].*[{]", text, value = TRUE)
      expect_true(all(grepl("^[.]explorer", rules)))
    }
  }
})
