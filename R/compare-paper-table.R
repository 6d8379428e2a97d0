#' Table of a comparison for a paper
#'
#' Writes the means of a comparison as a table, in LaTeX, markdown or HTML. Marks show which differences are
#' significant, and a note explains them. Use it for the results section of a paper.
#'
#' @param x The comparison, made by [compare_rankers()].
#' @param format The format: `"latex"` (the default, as most papers need it), `"markdown"`, `"html"` or
#'   `"data.frame"`.
#' @param marks The marks of significance, see Details: `"set"` (the default, which needs no reference),
#'   `"letters"` or `"control"`.
#' @param control The ranker that the others are compared with, for `marks = "control"`. The default is the
#'   control of the comparison.
#' @param digits Number of decimals of the means, from 0 to 15; default 3.
#' @param interval Whether to show the confidence interval of each mean; default `FALSE`. This interval is of one mean,
#'   not of a difference.
#' @param caption,label The caption and the label of the LaTeX table. By default the caption names the
#'   metrics and the number of queries, and the label is `"tab:comparison"`.
#'
#' @return A value of class `rankmix_paper_table` with `text` (the lines), `note` and `format`. `print()`
#'   writes the text, and knitr puts it into a document. For `"data.frame"` a data frame of texts with the
#'   attribute `note`.
#' @examples
#' values <- cbind(bm25 = c(0.3, 0.5, 0.2, 0.6, 0.4, 0.3),
#'                 trees = c(0.4, 0.7, 0.3, 0.8, 0.5, 0.6),
#'                 `trees & text` = c(0.5, 0.7, 0.4, 0.8, 0.6, 0.5))
#' compared <- compare_rankers(values, metric = "ndcg@10", seed = 1)
#' paper_table(compared)
#' paper_table(compared, "markdown", marks = "letters")
#' paper_table(compared, "data.frame", marks = "control", control = "bm25")
#'
#' @details Rows are rankers in the order of the comparison, and columns are metrics. The highest mean of each
#' column is bold. Means equal to 12 digits are both bold.
#'
#' * `"set"`: a star marks the rankers with `best` in `x$rankers`. With `adjust = "maxt"` they are the
#'   confidence set of the best ranker. With other adjustments, these are the rankers whose difference to the
#'   highest mean is not significant.
#' * `"letters"`: each ranker has a letter. The superscript letters of a mean are the rankers that it
#'   significantly exceeds, as in ranx.
#' * `"control"`: a dagger marks means significantly above the control, a double dagger means significantly
#'   below it.
#'
#' Differences are significant if the adjusted p-value is at most the level of the comparison. There is no
#' mark if the test and the means disagree about the direction, or if folds disagree. Only tested pairs have
#' letters. With a control, only pairs with the control are tested.
#'
#' The LaTeX table needs the package booktabs. Names are escaped for each format.
#'
#' @section Conditions: `rankmix_error_argument`: not a comparison; an unknown format, mark or control; the
#'   control differs from the control of the comparison. `marks = "set"` is refused if only pairs with a control were
#'   tested. It is also refused for one-sided tests, unless by `adjust = "maxt"`.
#' @references The letters: Bassani (2022), ranx, \doi{10.1007/978-3-030-99739-7_30}.
#' @export
paper_table <- function(x, format = "latex", marks = "set", control = NULL, digits = 3, interval = FALSE,
                        caption = NULL, label = "tab:comparison") {
  check_given(missing(x), "x", "Give a comparison, made by `compare_rankers()`.")
  check_class(x, "x", "rankmix_comparison", "`compare_rankers()`")
  check_choice(format, "format", c("latex", "markdown", "html", "data.frame"))
  check_choice(marks, "marks", c("set", "letters", "control"))
  check_count(digits, "digits", min = 0, max = 15)
  check_flag(interval, "interval")
  if (!is.null(caption)) check_text(caption, "caption")
  check_text(label, "label")
  control <- control_of(x, marks, control)
  check_set_known(x, marks)
  parts <- table_parts(x, marks, control, digits, interval)
  note <- table_note(x, marks, control, interval, format)
  if (format == "data.frame") {
    return(structure(plain_table(parts), note = note))
  }
  if (is.null(caption)) caption <- default_caption(x)
  text <- switch(format, latex = latex_table(parts, note, caption, label),
                 markdown = markdown_table(parts, note), html = html_table(parts, note))
  structure(list(text = text, note = note, format = format), class = "rankmix_paper_table")
}

# Without joint sign flips, pairs with the highest mean may not be tested if there is a control, or if tests are
# one-sided.
check_set_known <- function(x, marks, call = rlang::caller_env()) {
  if (marks == "set" && anyNA(x$rankers$best)) {
    stop_input("argument", "The rankers that may be the best are unknown, so they cannot be marked.",
               if (x$settings$alternative != "two.sided") "The tests are one-sided." else {
                 sprintf("Only pairs with `%s` were tested.", x$settings[["control"]])
               },
               "Use `marks = \"control\"`, or compare all pairs by two-sided tests.", call = call)
  }
}

# The control of the marks; NULL for other marks.
control_of <- function(x, marks, control, call = rlang::caller_env()) {
  own <- x$settings[["control"]]
  if (marks != "control") {
    if (!is.null(control)) {
      stop_input("argument", sprintf("`control` is only used with `marks = \"control\"`, not \"%s\".", marks),
                 call = call)
    }
    return(NULL)
  }
  if (is.null(control)) control <- own
  rankers <- unique(x$rankers$ranker)
  if (is.null(control)) {
    stop_input("argument", "`control` is not given.",
               remedy = "Give the name of the ranker that the others are compared with.", call = call)
  }
  check_choice(control, "control", rankers, call)
  if (!is.null(own) && control != own) {
    stop_input("argument", sprintf("The comparison tested differences to `%s`, not to `%s`.", own, control),
               remedy = sprintf("Call `compare_rankers(..., control = \"%s\")`.", control), call = call)
  }
  control
}

# For each pair, the p-value that decides whether the difference is significant.
decisive_p <- function(x) {
  x$pairs$p_adjusted
}

# 1 if `a` is significantly better, -1 if it is worse, 0 if the pair has no significant difference. 0 also if
# signed ranks contradict the mean, or folds differ in both directions.
pair_verdicts <- function(x) {
  pairs <- x$pairs
  open <- rep(FALSE, nrow(pairs))
  if (!is.null(pairs[["both_directions"]])) open <- open | pairs$both_directions
  if (x$settings$test == "wilcoxon") open <- open | !ranks_agree(pairs$pseudo_median, pairs$difference)
  p <- decisive_p(x)
  ifelse(!is.na(p) & p <= x$settings$level & !open, sign(pairs$difference), 0)
}

# For each metric: whether the ranker in a row is significantly better than the ranker in a column.
beaten <- function(x, metric) {
  rankers <- unique(x$rankers$ranker)
  verdict <- pair_verdicts(x)[x$pairs$metric == metric]
  pairs <- x$pairs[x$pairs$metric == metric, ]
  better <- matrix(FALSE, length(rankers), length(rankers), dimnames = list(rankers, rankers))
  better[cbind(pairs$a, pairs$b)[verdict > 0, , drop = FALSE]] <- TRUE
  better[cbind(pairs$b, pairs$a)[verdict < 0, , drop = FALSE]] <- TRUE
  better
}

# "a", ..., "z", "aa", "ab", ...
ranker_letters <- function(count) {
  index <- seq_len(count) - 1L
  paste0(c("", letters)[index %/% 26L + 1L], letters[index %% 26L + 1L])
}

# The parts of the table: `rankers`, `letter` (or NULL), and for each metric the texts of numbers, their marks
# as words, and whether they are bold.
table_parts <- function(x, marks, control, digits, interval) {
  rankers <- unique(x$rankers$ranker)
  metrics <- names(x$values)
  codes <- ranker_letters(length(rankers))
  columns <- lapply(stats::setNames(metrics, metrics), function(metric) {
    rows <- x$rankers[x$rankers$metric == metric, ]
    rows <- rows[match(rankers, rows$ranker), ]
    number <- sprintf("%.*f", digits, rows$mean)
    if (interval) {
      number <- ifelse(is.na(rows$lower), number,
                       sprintf("%s [%.*f, %.*f]", number, digits, rows$lower, digits, rows$upper))
    }
    own <- switch(marks, set = as.list(ifelse(rows$best, "star", "")), {
      better <- beaten(x, metric)
      if (marks == "letters") lapply(rankers, function(ranker) codes[better[ranker, ]]) else {
        as.list(ifelse(better[, control], "above", ifelse(better[control, ], "below", "")))
      }
    })
    list(number = number, marks = lapply(own, function(one) one[nzchar(one)]),
         bold = rank_means(rows$mean) == 1)
  })
  list(rankers = rankers, letter = if (marks == "letters") codes, metrics = metrics, columns = columns)
}

# The note ----------------------------------------------------------------------------------

table_signs <- list(
  latex = c(star = "*", above = "$\\dagger$", below = "$\\ddagger$"),
  markdown = c(star = "\\*", above = "\u2020", below = "\u2021"),
  html = c(star = "*", above = "&dagger;", below = "&Dagger;"),
  data.frame = c(star = "*", above = "+", below = "-")
)

# Explains the marks, in the syntax of the format.
table_note <- function(x, marks, control, interval, format) {
  escape <- escapes[[format]]
  signs <- table_signs[[format]]
  how <- escape(sprintf("%s, alpha = %s", test_words(x), level_text(x$settings$level)))
  text <- switch(marks,
    set = if (identical(x$settings$adjust, "maxt")) {
      sprintf("%s: in the confidence set of the best ranker (%s).", signs[["star"]], how)
    } else {
      sprintf("%s: highest mean, or no significant difference to it (%s).", signs[["star"]], how)
    },
    letters = sprintf("Superscripts: rankers with a significantly lower mean (%s).", how),
    control = sprintf("%s, %s: significantly above, below %s (%s).", signs[["above"]], signs[["below"]],
                      escape(control), how)
  )
  paste0(if (format == "data.frame") "" else "Bold: highest mean. ", text,
         if (interval) escape(sprintf(" Brackets: %s %% confidence interval of each mean.",
                                      plain_number(100 * (1 - x$settings$level)))),
         if (!is.null(failed_words(x$failed))) escape(paste0(" ", failed_words(x$failed, Inf), ".")))
}

default_caption <- function(x) {
  sprintf("Mean %s over %s.", join_words(metric_labels(names(x$values))), queries_text(x))
}

# Formats -----------------------------------------------------------------------------------

escape_latex <- function(text) {
  special <- c("\\" = "\\textbackslash{}", "{" = "\\{", "}" = "\\}", "$" = "\\$", "&" = "\\&", "#" = "\\#",
               "_" = "\\_", "%" = "\\%", "~" = "\\textasciitilde{}", "^" = "\\textasciicircum{}",
               "<" = "\\textless{}", ">" = "\\textgreater{}", "|" = "\\textbar{}")
  vapply(strsplit(text, ""), function(letters) {
    mark <- letters %in% names(special)
    letters[mark] <- special[letters[mark]]
    # Two hyphens would be a dash.
    gsub("-(?=-)", "-{}", paste(letters, collapse = ""), perl = TRUE)
  }, "")
}

# "@" is escaped too, because pandoc makes links of addresses such as NDCG@10. A line break would end the row.
escape_markdown <- function(text) {
  gsub("([][\\\\`*_{}<>#|~^$@])", "\\\\\\1", gsub("[\r\n]+", " ", text), perl = TRUE)
}

escape_page <- function(text) {
  for (mark in c("&", "<", ">", "\"")) {
    text <- gsub(mark, c("&" = "&amp;", "<" = "&lt;", ">" = "&gt;", "\"" = "&quot;")[[mark]], text,
                 fixed = TRUE)
  }
  text
}

escapes <- list(latex = escape_latex, markdown = escape_markdown, html = escape_page,
                data.frame = function(text) text)

# The text of the marks of one number. Marks are separated by commas if one of them has two letters.
mark_text <- function(marks, signs) {
  known <- marks %in% names(signs)
  marks[known] <- signs[marks[known]]
  paste(marks, collapse = if (any(!known & nchar(marks) > 1L)) "," else "")
}

# Superscripts have the same width in all rows of a column: the marks that a number lacks take space. So
# numbers are aligned at the right.
latex_numbers <- function(column) {
  all <- sort(unique(unlist(column$marks)))
  superscript <- function(marks) {
    if (length(marks) == 0L) return("")
    sprintf("\\textsuperscript{%s}", mark_text(marks, table_signs$latex))
  }
  vapply(seq_along(column$number), function(i) {
    number <- column$number[i]
    space <- superscript(setdiff(all, column$marks[[i]]))
    paste0(if (column$bold[i]) sprintf("\\textbf{%s}", number) else number, superscript(column$marks[[i]]),
           if (nzchar(space)) sprintf("\\hphantom{%s}", space))
  }, "")
}

latex_table <- function(parts, note, caption, label) {
  body <- c(if (!is.null(parts$letter)) list(parts$letter), list(escape_latex(parts$rankers)),
            unname(lapply(parts$columns, latex_numbers)))
  header <- c(if (!is.null(parts$letter)) "", "Ranker", escape_latex(metric_labels(parts$metrics)))
  # After the end of a row or a rule, LaTeX reads "[" and "*" as their arguments.
  line <- function(fields) paste0("    ", sub("^([[:space:]]*[[*])", "{}\\1", paste(fields, collapse = " & ")), " \\\\")
  rows <- vapply(seq_along(parts$rankers), function(i) line(vapply(body, `[[`, "", i)), "")
  c("% Needs \\usepackage{booktabs}", "\\begin{table}", "  \\centering",
    sprintf("  \\caption{%s %s}", escape_latex(caption), note), sprintf("  \\label{%s}", label),
    sprintf("  \\begin{tabular}{%s%s}", if (is.null(parts$letter)) "l" else "ll",
            strrep("r", length(parts$columns))),
    "    \\toprule", line(header), "    \\midrule", rows, "    \\bottomrule", "  \\end{tabular}",
    "\\end{table}")
}

markdown_table <- function(parts, note) {
  numbers <- lapply(parts$columns, function(column) {
    marks <- vapply(column$marks, mark_text, "", signs = table_signs$markdown)
    paste0(ifelse(column$bold, sprintf("**%s**", column$number), column$number),
           ifelse(nzchar(marks), sprintf("^%s^", marks), ""))
  })
  body <- c(if (!is.null(parts$letter)) list(parts$letter), list(escape_markdown(parts$rankers)),
            unname(numbers))
  header <- c(if (!is.null(parts$letter)) "", "Ranker", escape_markdown(metric_labels(parts$metrics)))
  right <- seq_along(body) > length(body) - length(numbers)
  wide <- vapply(seq_along(body), function(i) max(nchar(c(header[i], body[[i]]), "width"), 3L), 0L)
  padded <- function(text, i) {
    space <- strrep(" ", pmax(wide[i] - nchar(text, "width"), 0L))
    if (right[i]) paste0(space, text) else paste0(text, space)
  }
  rows <- lapply(seq_along(body), function(i) padded(c(header[i], body[[i]]), i))
  lines <- sprintf("| %s |", do.call(paste, c(rows, list(sep = " | "))))
  rule <- ifelse(right, paste0(strrep("-", wide - 1L), ":"), strrep("-", wide))
  c(lines[1L], sprintf("| %s |", paste(rule, collapse = " | ")), lines[-1L], "", note)
}

html_table <- function(parts, note) {
  numbers <- lapply(parts$columns, function(column) {
    marks <- vapply(column$marks, mark_text, "", signs = table_signs$html)
    paste0(ifelse(column$bold, sprintf("<strong>%s</strong>", column$number), column$number),
           ifelse(nzchar(marks), sprintf("<sup>%s</sup>", marks), ""))
  })
  left <- c(if (!is.null(parts$letter)) list(parts$letter), list(escape_page(parts$rankers)))
  number_style <- " style=\"text-align: right\""
  line <- function(tag, texts, numbers) {
    paste0("    <tr>", paste(c(sprintf("<%s>%s</%s>", tag, texts, tag),
                               sprintf("<%s%s>%s</%s>", tag, number_style, numbers, tag)), collapse = ""),
           "</tr>")
  }
  rows <- vapply(seq_along(parts$rankers), function(i) {
    line("td", vapply(left, `[[`, "", i), vapply(numbers, `[[`, "", i))
  }, "")
  c("<table>", sprintf("  <caption>%s</caption>", note), "  <thead>",
    line("th", c(if (!is.null(parts$letter)) "", "Ranker"), escape_page(metric_labels(parts$metrics))),
    "  </thead>", "  <tbody>", rows, "  </tbody>", "</table>")
}

plain_table <- function(parts) {
  numbers <- lapply(parts$columns, function(column) {
    marks <- vapply(column$marks, mark_text, "", signs = table_signs$data.frame)
    paste0(column$number, ifelse(nzchar(marks), paste0(" ", marks), ""))
  })
  left <- c(if (!is.null(parts$letter)) list(letter = parts$letter), list(ranker = parts$rankers))
  list2DF(c(left, numbers))
}

#' @export
print.rankmix_paper_table <- function(x, ...) {
  writeLines(x$text)
  invisible(x)
}

#' @export
format.rankmix_paper_table <- function(x, ...) paste(x$text, collapse = "\n")

# Puts the table unchanged into a document of knitr.
#' @rawNamespace S3method(knitr::knit_print, rankmix_paper_table)
knit_print.rankmix_paper_table <- function(x, ...) {
  text <- paste(c("", x$text, ""), collapse = "\n")
  of_package("knitr", "asis_output")(text)
}
