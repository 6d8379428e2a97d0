# Three rankers: `low` is worse than both others, which do not differ.
three_rankers <- function(...) {
  set.seed(3)
  base <- stats::runif(30, .3, .6)
  values <- cbind(low = base - .2 + stats::rnorm(30, 0, .02), `mid_1 & 50%` = base + stats::rnorm(30, 0, .05),
                  high = base + stats::rnorm(30, .005, .05))
  evaluation <- rbind(as_evaluation(values, "ndcg@10"), as_evaluation(values^2, "precision@5"))
  compare_rankers(evaluation, test = "t", adjust = "holm", seed = 1, ...)
}

# Adds the fields of joint sign flips to a comparison.
with_maxt <- function(x, control = NULL) {
  x$settings$adjust <- "maxt"
  x$settings["control"] <- list(control)
  x$settings$alternative <- "two.sided"
  x$pairs$p_adjusted <- x$pairs$p_t
  x
}

test_that("tables have the marks of the comparison", {
  x <- three_rankers()
  set <- paper_table(x, "data.frame")
  expect_identical(names(set), c("ranker", "ndcg@10", "precision@5"))
  expect_identical(set$ranker, c("low", "mid_1 & 50%", "high"))
  means <- matrix(sprintf("%.3f", x$rankers$mean), 3)
  expect_identical(set[["ndcg@10"]], paste0(means[, 1], c("", " *", " *")))
  expect_identical(set[["precision@5"]], paste0(means[, 2], c("", " *", " *")))
  lettered <- paper_table(x, "data.frame", marks = "letters")
  expect_identical(lettered$letter, c("a", "b", "c"))
  expect_identical(lettered[["ndcg@10"]], paste0(means[, 1], c("", " a", " a")))
  control <- paper_table(x, "data.frame", marks = "control", control = "high")
  expect_identical(control[["ndcg@10"]], paste0(means[, 1], c(" -", "", "")))
  control <- paper_table(x, "data.frame", marks = "control", control = "low", digits = 1)
  expect_identical(control[["ndcg@10"]], paste0(sprintf("%.1f", x$rankers$mean[1:3]), c("", " +", " +")))
  interval <- paper_table(x, "data.frame", interval = TRUE)
  expect_match(interval[["ndcg@10"]][1], sprintf("^%s \\[%.3f, %.3f\\]$", means[1, 1], x$rankers$lower[1],
                                                 x$rankers$upper[1]))
})

test_that("all formats are written", {
  x <- three_rankers()
  expect_snapshot({
    paper_table(x)
    paper_table(x, "markdown", marks = "letters")
    paper_table(x, "html", marks = "control", control = "mid_1 & 50%")
    paper_table(x, "markdown", interval = TRUE, digits = 2)
  })
})

test_that("the confidence set and the control of a comparison are named", {
  x <- with_maxt(three_rankers(), "low")
  expect_match(paper_table(x)$note, "in the confidence set of the best ranker", fixed = TRUE)
  control <- paper_table(x, "data.frame", marks = "control")
  expect_match(control[["ndcg@10"]][3], "+", fixed = TRUE)
  expect_error(paper_table(x, marks = "control", control = "high"), class = "rankmix_error_argument")
  # The marks depend on the adjusted p-values.
  x$pairs$p_adjusted <- 1
  expect_no_match(paper_table(x, "data.frame", marks = "control")[["ndcg@10"]], "[+-]$")
})

test_that("no mark claims a direction that the test contradicts", {
  x <- three_rankers()
  x$pairs$both_directions <- TRUE
  expect_identical(paper_table(x, "data.frame", marks = "letters")[["ndcg@10"]],
                   sprintf("%.3f", x$rankers$mean[1:3]))
  x <- three_rankers()
  x$settings$test <- "wilcoxon"
  x$settings$adjust <- "none"
  x$pairs$pseudo_median <- -x$pairs$difference
  expect_identical(unique(pair_verdicts(x)), 0)
})

test_that("equal means are both bold, and rankers have letters beyond z", {
  values <- cbind(a = c(.1, .2, .3), b = c(.3, .2, .1), c = c(0, .1, .2))
  text <- paper_table(compare_rankers(values, seed = 1), "markdown")$text
  expect_identical(grepl("**", text, fixed = TRUE), rep(c(FALSE, TRUE, FALSE), c(2, 2, 3)))
  expect_identical(ranker_letters(28)[c(1, 26, 27, 28)], c("a", "z", "aa", "ab"))
  expect_identical(mark_text(c("b", "ab"), table_signs$latex), "b,ab")
  expect_identical(mark_text(c("b", "c"), table_signs$latex), "bc")
})

test_that("names are escaped", {
  expect_identical(escape_latex("a_b & {c} 5% $x^2~ \\ #<>|"),
                   paste0("a\\_b \\& \\{c\\} 5\\% \\$x\\textasciicircum{}2\\textasciitilde{} ",
                          "\\textbackslash{} \\#\\textless{}\\textgreater{}\\textbar{}"))
  expect_identical(escape_markdown("a_b*|[c]"), "a\\_b\\*\\|\\[c\\]")
  expect_identical(escape_latex("a--b---c-d"), "a-{}-b-{}-{}-c-d")
  expect_identical(escape_markdown("a\nb\r\nc"), "a b c")
  # Without the escape, pandoc reads an address.
  expect_identical(escape_markdown("NDCG@10"), "NDCG\\@10")
  expect_identical(escape_page("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;")
})

test_that("LaTeX has balanced braces, equal numbers of columns, and compiles", {
  for (marks in c("set", "letters", "control")) {
    x <- three_rankers()
    control <- if (marks == "control") "mid_1 & 50%"
    text <- paper_table(x, marks = marks, control = control, interval = TRUE)$text
    plain <- gsub("\\\\[{}&%_]", "", text)
    expect_identical(lengths(regmatches(plain, gregexpr("{", plain, fixed = TRUE))),
                     lengths(regmatches(plain, gregexpr("}", plain, fixed = TRUE))))
    rows <- plain[grepl("\\\\$", plain)]
    expect_identical(unique(lengths(strsplit(rows, "&"))), if (marks == "letters") 4L else 3L)
    skip_if(Sys.which("pdflatex") == "" || system("kpsewhich booktabs.sty", ignore.stdout = TRUE) != 0)
    withr::local_dir(withr::local_tempdir())
    writeLines(c("\\documentclass{article}", "\\usepackage{booktabs}", "\\begin{document}", text,
                 "\\end{document}"), "table.tex")
    log <- suppressWarnings(system2("pdflatex", c("-interaction=nonstopmode", "-halt-on-error", "table.tex"),
                                    stdout = TRUE))
    expect_null(attr(log, "status"))
  }
})

test_that("captions can be given, and knitr shows the table unchanged", {
  x <- three_rankers()
  text <- paper_table(x, caption = "Results of 100%", label = "tab:own")$text
  expect_match(text, "\\caption{Results of 100\\% Bold", fixed = TRUE, all = FALSE)
  expect_match(text, "\\label{tab:own}", fixed = TRUE, all = FALSE)
  expect_identical(format(paper_table(x, "html")), paste(paper_table(x, "html")$text, collapse = "\n"))
  skip_if_not_installed("knitr")
  expect_s3_class(knitr::knit_print(paper_table(x, "markdown")), "knit_asis")
})

test_that("bad arguments are errors", {
  x <- three_rankers()
  expect_snapshot(error = TRUE, {
    paper_table()
    paper_table(1)
    paper_table(x, "word")
    paper_table(x, marks = "stars")
    paper_table(x, marks = "control")
    paper_table(x, marks = "control", control = "hihg")
    paper_table(x, control = "low")
    paper_table(x, digits = -1)
    paper_table(x, interval = "t")
    paper_table(x, caption = 1)
  })
  expect_error(paper_table(x, marks = "control"), class = "rankmix_error_argument")
})

test_that("LaTeX does not read the begin of a name as an argument of the line before", {
  values <- matrix(stats::runif(60), 20, dimnames = list(NULL, c("[new] model", " *best", "old [2]")))
  compared <- compare_rankers(values, metric = "ndcg@10", seed = 1)
  rows <- grep("model|best|old", paper_table(compared)$text[-(1:5)], value = TRUE)
  expect_identical(sub(" & .*", "", rows), paste0("    ", c("{}[new] model", "{} *best", "old [2]")))
  letters <- paper_table(compared, marks = "letters")$text
  expect_match(letters, "    a & [new] model & ", fixed = TRUE, all = FALSE)
})

test_that("an unknown set of the best is an error, unless marks are for a control", {
  values <- cbind(a = c(.3, .5, .2, .6, .4, .3), b = c(.4, .7, .3, .8, .2, .6), c = c(.1, .2, .1, .4, .2, .2))
  compared <- compare_rankers(values, metric = "m", test = "t", control = "a", seed = 1)
  expect_error(paper_table(compared), "Only pairs with `a`", class = "rankmix_error_argument")
  expect_match(format(paper_table(compared, marks = "control")), "significantly above", fixed = TRUE)
})
