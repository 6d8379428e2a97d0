pages <- tools::Rd_db("rankmix")
tags <- function(page) vapply(page, attr, "", "Rd_tag")
aliases <- lapply(pages, function(page) {
  vapply(page[tags(page) == "\\alias"], function(a) paste(unlist(a), collapse = ""), "")
})
text_of <- function(alias) {
  page <- pages[[which(vapply(aliases, function(a) alias %in% a, NA))]]
  paste(unlist(page), collapse = " ")
}

# The table that a page should have, computed from the package.
methods_of <- function(generic) {
  sub(paste0("^", generic, "\\."), "", grep(paste0("^", generic, "\\."),
                                            ls(asNamespace("rankmix"), all.names = TRUE),
                                            value = TRUE))
}

test_that("help begins on pages with a table and an example", {
  for (topic in c("fit", "predict", "autoplot", "metrics", "rankers", "rankmix", "tidy")) {
    at <- which(vapply(aliases, function(a) topic %in% a, NA))
    expect_length(at, 1L)
    page <- pages[[at]]
    expect_true("\\examples" %in% tags(page), label = paste(topic, "has an example"))
    inside <- unlist(lapply(page, function(part) {
      if (is.list(part)) lapply(part, attr, which = "Rd_tag")
    }))
    expect_true("\\tabular" %in% inside, label = paste(topic, "has a table"))
  }
  expect_identical(anyDuplicated(unlist(aliases)), 0L)
})

test_that("the tables have all functions", {
  for (metric in paste0("metric_", c(rankmix:::metric_names(), "custom"))) {
    expect_match(text_of("metrics"), paste0(metric, "()"), fixed = TRUE)
  }
  for (name in rankmix:::built_in_rankers()) {
    expect_match(text_of("rankers"), paste0(name, "()"), fixed = TRUE)
    expect_match(text_of("fit"), paste0(name, "()"), fixed = TRUE)
    expect_match(text_of("predict"), paste0(name, "()"), fixed = TRUE)
  }
  drawn <- setdiff(methods_of("autoplot"), c("rankmix_gbrt_model", "rankmix_mix", "rankmix_path"))
  expect_gt(length(drawn), 10L)
  for (class in drawn) {
    expect_match(text_of("autoplot"), paste0("autoplot.", class, "()"), fixed = TRUE)
  }
  for (maker in c("tune_and_mix", "mix", "calibrate")) {
    for (page in c("rankers", "predict", "autoplot", "tidy")) {
      expect_match(text_of(page), paste0(maker, "()"), fixed = TRUE)
    }
  }
})

test_that("methods of fit() and autoplot() have pages", {
  known <- unlist(aliases)
  for (generic in c("fit", "autoplot")) {
    undocumented <- setdiff(paste0(generic, ".", methods_of(generic)), known)
    # These methods have their help on the pages of other functions.
    expect_setequal(undocumented, intersect(undocumented, c("fit.ranking_data", "fit.data.frame",
                                                            "fit.function", "fit.NULL",
                                                            "fit.character", "fit.numeric",
                                                            "fit.logical", "fit.list", "fit.formula",
                                                            "fit.rankmix_best_feature")))
  }
})

# The texts of lists with a single item that begins with plain text, in a part of a page.
single_items <- function(part) {
  if (!is.list(part)) {
    return(character())
  }
  inner <- unlist(lapply(part, single_items))
  marks <- vapply(part, function(one) identical(attr(one, "Rd_tag"), "\\item"), NA)
  words <- vapply(part, function(one) trimws(paste(unlist(one), collapse = "")), "")
  first <- which(!marks & nzchar(words))[1L]
  is_list <- isTRUE(attr(part, "Rd_tag") %in% c("\\itemize", "\\enumerate"))
  c(inner, if (is_list && sum(marks) == 1L && identical(attr(part[[first]], "Rd_tag"), "TEXT")) words[first])
}

# Markdown makes a list of a line that begins with "+" or with a number and a point.
test_that("no line within a sentence has become a list", {
  expect_length(unlist(lapply(pages, single_items)), 0L)
})
