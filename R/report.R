#' Write a report of a benchmark
#'
#' Writes one HTML page about a benchmark. The page opens with the verdicts of the tests, the differences with
#' intervals, and the smallest difference that the number of queries can show. The report also has plots, the values
#' by the conventions of other tools, the data, times, seeds and session information. Use it to share a benchmark.
#'
#' @param benchmark The benchmark of two or more rankers, made by [benchmark_rankers()].
#' @param file The path of the page. An existing file is replaced once the new page is complete.
#' @param title The title of the page; default `"Benchmark of rankers"`.
#' @param comparison The comparison of the benchmark, made by [compare_rankers()] with the tests of your choice. If it
#'   has a `margin`, the verdicts include equivalence. If it has a `control`, rankers are compared with the control.
#'   With the default `NULL`, `compare_rankers()` is called with its defaults and the benchmark's seed.
#' @param explorer Whether the page gets an explorer of queries, see [explore_queries()]. `TRUE` shows the two rankers
#'   with the highest means. The names of two or more rankers show these rankers. The default `NULL` leaves the explorer
#'   out, unless `data` are given, because the explorer makes the page larger: about 1 MB for 1,000 queries.
#' @param data The data of the benchmark: the `data` or the list of `folds` that [benchmark_rankers()] got. With `data`,
#'   the explorer shows features. If the benchmark has kept its models, the explorer also shows reasons. The default
#'   `NULL` shows neither, because both make the explorer about twice as
#'   large.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @return The path of the page, invisibly.
#' @examplesIf rlang::is_installed(c("rmarkdown", "ggplot2")) && rmarkdown::pandoc_available("1.12.3")
#' data <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' result <- benchmark_rankers(list(first = function(data) data$x[, 1],
#'                                  feature = best_feature()),
#'                             query_folds(data, 3, seed = 1), data = data, seed = 1)
#' file <- tempfile(fileext = ".html")
#' # Rendering takes some seconds.
#' if (interactive()) report(result, file)
#'
#' @details The report needs the packages rmarkdown, knitr and ggplot2, and pandoc. Figures are embedded, and the page
#'   loads nothing from the network. The comparison of conventions needs the scores, so it is left out if the benchmark
#'   was run with `keep_scores = FALSE`. The comparison of conventions and the explorer use the first training of each
#'   fold. The explorer shows the first metric of the comparison.
#'
#'   A benchmark does not store features, so the explorer shows them only with `data`. The data are compared with the
#'   data of the benchmark: queries, documents, grades, weights and digests of the features. The features of
#'   [binned_data()] have no digests. With kept models, the scores are compared in place of such digests. Give the data
#'   before binning.
#'
#'   Reasons explain why a document is above the next one, see [explore_queries()]. Reasons need `data`, and a benchmark
#'   with `keep_models = TRUE`. The 20 queries whose values differ most have reasons. Each query is explained by the
#'   model of the fold that has the query in its test part. Models that [explain()] explains by sampling use the seed
#'   of the benchmark.
#'
#'   The verdicts are about the first metric of the comparison. With more than 15 rankers, the table of pairs has only
#'   the pairs with the best ranker, or with the control. A collapsed table below it has all pairs. Figures show up to
#'   40 rankers.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: fewer than two rankers succeeded in all folds; an explorer of a benchmark without
#'   scores, or of rankers that it does not have; `data` with `explorer = FALSE`.
#' * `rankmix_error_data`: `data` differ from the data of the benchmark. The error names the first difference.
#' * `rankmix_error_file`: the page cannot be written, or pandoc is not found.
#' @export
report <- function(benchmark, file, title = "Benchmark of rankers", comparison = NULL, explorer = NULL,
                   data = NULL, threads = NULL) {
  check_given(missing(benchmark), "benchmark")
  check_class(benchmark, "benchmark", "rankmix_benchmark", "`benchmark_rankers()`",
              remedy = "Run a benchmark first, by `benchmark_rankers()`.")
  check_given(missing(file), "file", "Give the path of the page, such as \"report.html\".")
  threads <- check_threads(threads)
  check_path(file, rlang::current_env(), "file")
  check_page_title(title)
  rlang::check_installed(c("rmarkdown", "knitr", "ggplot2"), "to write a report")
  if (!rmarkdown::pandoc_available("1.12.3")) {
    stop_input("file", "pandoc is not found.", remedy = "Install pandoc 1.12.3 or later.")
  }
  if (is.null(comparison)) {
    comparison <- compare_rankers(benchmark, seed = benchmark$seed, threads = threads)
  }
  check_class(comparison, "comparison", "rankmix_comparison", "`compare_rankers()`")
  check_compared(comparison, benchmark)
  explored <- explored_benchmark(benchmark, comparison, explorer, threads, data)
  page <- with_points(render_report(list(benchmark = benchmark, comparison = comparison, explorer = !is.null(explored),
                                         reasons = sentence_of_reasons(explored), threads = threads), title))
  on.exit(unlink(dirname(page), recursive = TRUE))
  if (!is.null(explored)) insert_explorer(page, explored)
  write_beside(path.expand(file), function(partial) {
    if (!writing(file.copy(page, partial, overwrite = TRUE))) stop("the page could not be copied")
  }, rlang::current_env())
  invisible(file)
}

# Introduces the reasons of the explorer, if it can have any.
sentence_of_reasons <- function(explored) {
  count <- attr(explored, "explained")
  if (is.null(count) || count == 0L) {
    return("")
  }
  sprintf(" The click also shows why the document is above the next one, in %s. A query is explained by %s.",
          if (count == 1L) "one query" else sprintf("the %d queries that changed most", count),
          "the model of its fold")
}

# A report shows a comparison of its own benchmark.
check_compared <- function(comparison, benchmark, call = rlang::caller_env()) {
  other <- c(setdiff(comparison$rankers$ranker, names(benchmark$rankers)),
             setdiff(names(comparison$values), names(benchmark$metrics)))
  if (length(other) > 0L) {
    stop_input("argument", "`comparison` is not a comparison of this benchmark.",
               sprintf("The benchmark does not have %s.", enumerate(other)),
               "Give `compare_rankers(benchmark)`.", call = call)
  }
}

# Renders in its own folder, because knitr and pandoc write files next to their input.
render_report <- function(contents, title) {
  folder <- tempfile("report")
  dir.create(folder)
  parts <- system.file("report", c("benchmark.Rmd", "style.css"), package = "rankmix",
                       mustWork = TRUE)
  file.copy(parts, folder)
  environment <- new.env(parent = asNamespace("rankmix"))
  environment$contents <- contents
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  page <- rmarkdown::render(file.path(folder, "benchmark.Rmd"), output_file = "report.html",
                            envir = environment, quiet = TRUE,
                            output_options = list(pandoc_args = c("--metadata", paste0("title=", title_mark))))
  title <- escape_page(printable(title))
  rewrite_page(page, function(lines) gsub(title_mark, title, lines, fixed = TRUE))
}

# Stands for the title until the page is complete. The template would read the title as markdown, and the shell that
# starts pandoc would read its quotes, dollar signs and line breaks.
title_mark <- "rankmix-report-title"

# Changes the lines of a rendered page. Returns its path.
rewrite_page <- function(page, change) {
  lines <- change(readLines(page, encoding = "UTF-8", warn = FALSE))
  writeLines(enc2utf8(lines), page, useBytes = TRUE)
  page
}

# What the template shows ----------------------------------------------------------------

# The first paragraph: the verdicts about one ranker, the differences with intervals, the smallest detectable
# difference, and the rankers that may be the best.
report_headline <- function(comparison) {
  metric <- names(comparison$values)[1L]
  settings <- comparison$settings
  rated <- comparison$rankers[comparison$rankers$metric == metric, ]
  reference <- reference_ranker(settings, rated)
  rows <- pairs_against(comparison$pairs[comparison$pairs$metric == metric, ], reference, settings)
  rows <- rows[order(abs(rows$difference)), ]
  sentences <- c(
    sprintf(if (is.null(settings$control)) "%s has the highest mean %s, %.4f." else {
      "The control %s has a mean %s of %.4f."
    }, bold(reference), escape_html(metric_labels(metric)), rated$mean[rated$ranker == reference]),
    verdict_sentences(rows, settings),
    sub("%", "&#37;", detectable_sentence(comparison, metric), fixed = TRUE),
    best_sentence(rated, settings)
  )
  paste(sentences, collapse = " ")
}

bold <- function(name) sprintf("<strong>%s</strong>", escape_html(name))

# A sentence for each verdict about the reference. The verdicts and differences of `rows` are about the other
# rankers.
verdict_sentences <- function(rows, settings) {
  margin <- if (!is.null(settings$margin)) sprintf(", with margin %s", escape_html(show_margin(settings)))
  near <- paste0(", but practically equivalent", margin)
  parts <- list(
    worse = c("It is significantly better than ", ""),
    `worse, but practically equivalent` = c("It is significantly better than ", near),
    equivalent = c("It is equivalent to ", margin),
    `better, but practically equivalent` = c("It is significantly worse than ", near),
    better = c("It is significantly worse than ", ""),
    undecided = if (is.null(margin)) c("No difference to ", " is shown") else {
      c("Neither a difference nor equivalence to ", paste0(" is shown", margin))
    }
  )
  used <- names(parts)[names(parts) %in% rows$verdict]
  vapply(used, function(verdict) {
    own <- rows[rows$verdict == verdict, ]
    paste0(parts[[verdict]][1L], sized_names(own, verdict, settings), parts[[verdict]][2L], ".")
  }, "")
}

# "c (by 0.0300 [0.0100, 0.0500]) and d (by ...)". Only the nearest of many rankers are named. The numbers are the
# amounts by which the reference is better, or worse if the verdict is "worse". An interval of a pair alone may exclude
# 0 although the adjusted p-value is above the level. So an undecided pair has p in place of the interval.
sized_names <- function(rows, verdict, settings, most = 4L) {
  shown <- utils::head(rows, if (nrow(rows) > most) most - 1L else most)
  behind <- startsWith(verdict, "better")
  size <- if (behind) shown$difference else 0 - shown$difference
  lower <- if (behind) shown$lower else 0 - shown$upper
  upper <- if (behind) shown$upper else 0 - shown$lower
  interval <- ifelse(is.na(lower), "", sprintf(" [%s, %s]", bare_end(lower), bare_end(upper)))
  if (verdict == "undecided" && !has_simultaneous(settings) && settings$adjust != "none") {
    interval <- paste0(", ", escape_html(show_p(shown$p, shown$at_floor)))
  }
  by <- if (grepl("better|worse", verdict)) "by " else ""
  text <- sprintf("%s (%s%.4f%s)", bold(shown$ranker), by, size, interval)
  rest <- nrow(rows) - nrow(shown)
  join_words(c(text, if (rest > 0L) counted(rest, "more ranker")))
}

bare_end <- function(x) ifelse(is.finite(x), sprintf("%.4f", x + 0), format(x))

# NULL if no set with a confidence is known.
best_sentence <- function(rated, settings, most = 12L) {
  if (settings$adjust != "maxt" || anyNA(rated$p_best)) {
    return(NULL)
  }
  set <- rated$ranker[order(-rated$mean)]
  set <- set[set %in% rated$ranker[rated$best]]
  shown <- utils::head(set, most)
  sprintf("Set of rankers that may be the best (%s &#37; confidence): %s%s.",
          plain_number(100 * (1 - settings$level)), paste(bold(shown), collapse = ", "),
          if (length(set) > most) sprintf(" and %d more", length(set) - most) else "")
}

# How many tests the page shows, and over which of them the p-values are adjusted.
report_tests <- function(comparison) {
  metrics <- length(comparison$values)
  pairs <- sum(comparison$pairs$metric == names(comparison$values)[1L])
  adjusted <- comparison$settings$adjust != "none"
  if (metrics == 1L) {
    return(if (pairs > 1L) {
      sprintf("The page has %d tests, one for each pair%s.", pairs,
              if (adjusted) "; p-values are adjusted for all of them" else "; p-values are not adjusted")
    } else "")
  }
  sprintf(paste("%d metrics and %s are %d tests. Each column is tested by itself: p-values are %s. So a",
                "metric should be chosen before the test."), metrics, counted(pairs, "pair"), metrics * pairs,
          if (adjusted && pairs > 1L) "adjusted over the pairs of a metric, not over metrics" else "not adjusted")
}

# A table of rankers x metrics: mean +- standard error. Bold: the rankers that may be the best.
report_means <- function(comparison) {
  cells <- lapply(split_by(comparison$rankers, "metric"), function(rows) {
    text <- sprintf("%.4f \u00b1 %.4f", rows$mean, rows$se)
    stats::setNames(ifelse(rows$best %in% TRUE, sprintf("<strong>%s *</strong>", text), text),
                    rows$ranker)
  })
  table <- data.frame(ranker = escape_html(names(cells[[1L]])), do.call(cbind, cells),
                      check.names = FALSE, row.names = NULL)
  first <- comparison$rankers[comparison$rankers$metric == names(comparison$values)[1L], ]
  table[order(-first$mean), ]
}

# The pairs of the first metric: size, interval, p-value and verdict. With more than 15 rankers, only the pairs with the
# reference.
report_pairs <- function(comparison) {
  pairs <- main_pairs(comparison)
  settings <- comparison$settings
  table <- data.frame(
    pair = pair_names(pairs),
    `difference [interval]` = with_interval(pairs$difference, shown_ends(pairs, settings)),
    p = p_column(pairs$p_adjusted), verdict = pairs$verdict,
    effect = ifelse(is.na(pairs$effect), "", sprintf("%+.2f", pairs$effect)),
    `win / tie / loss %` = sprintf("%.0f/%.0f/%.0f", 100 * pairs$wins, 100 * pairs$ties,
                                   100 * pairs$losses),
    note = pairs$note, check.names = FALSE
  )
  without_empty(table)
}

main_pairs <- function(comparison) {
  metric <- names(comparison$values)[1L]
  pairs <- comparison$pairs[comparison$pairs$metric == metric, ]
  rated <- comparison$rankers[comparison$rankers$metric == metric, ]
  if (nrow(rated) <= max_labelled_rows) {
    return(pairs)
  }
  reference <- reference_ranker(comparison$settings, rated)
  pairs <- pairs[pairs$a == reference | pairs$b == reference, ]
  pairs[order(abs(pairs$difference)), ]
}

# All pairs of the first metric, with columns that few readers need.
report_all_pairs <- function(comparison) {
  pairs <- comparison$pairs[comparison$pairs$metric == names(comparison$values)[1L], ]
  table <- data.frame(
    pair = pair_names(pairs),
    `interval of the pair alone` = with_interval(pairs$difference, pairs[c("lower", "upper")]),
    adjusted = p_column(pairs$p_adjusted), t = p_column(pairs$p_t), Wilcoxon = p_column(pairs$p_wilcoxon),
    `sign flips` = p_column(pairs$p_randomization), Holm = p_column(pairs$p_holm), BH = p_column(pairs$p_bh),
    `identical %` = ifelse(is.na(pairs$identical), "", sprintf("%.0f", 100 * pairs$identical)),
    normality = p_column(pairs$normality),
    `folds ahead` = if (all(pairs$folds == 1L)) "" else sprintf("%d of %d", pairs$folds_ahead, pairs$folds),
    heterogeneity = p_column(pairs$heterogeneity), check.names = FALSE
  )
  without_empty(table)
}

pair_names <- function(pairs) sprintf("%s \u2212 %s", escape_html(pairs$a), escape_html(pairs$b))

with_interval <- function(difference, ends) {
  text <- sprintf("%+.4f [%s, %s]", difference, show_ends(ends[[1L]]), show_ends(ends[[2L]]))
  ifelse(is.na(ends[[1L]]), sprintf("%+.4f", difference), text)
}

show_ends <- function(x) vapply(x, show_end, "")

p_column <- function(x) ifelse(is.na(x), "", sub("^(= )", "", sub("^p ", "", show_p(x))))

# Without the columns that are empty for every pair.
without_empty <- function(table) table[!vapply(table, function(column) all(column == ""), NA)]

report_sizes <- function(benchmark) {
  table <- bind_named(lapply(benchmark$data, `[[`, "sizes"), "fold")
  grades <- grep("^grade", names(table), value = TRUE)
  unused <- grades[rev(cumsum(rev(colSums(table[grades]))) == 0)]
  escape_cells(table[setdiff(names(table), unused)])
}

report_times <- function(benchmark) {
  runs <- benchmark$runs
  mean_of <- function(column) {
    as.vector(tapply(runs[[column]], factor(runs$ranker, names(benchmark$rankers)), mean,
                     na.rm = TRUE))
  }
  show <- function(x, digits) ifelse(is.finite(x), sprintf("%.*f", digits, x), "")
  escape_cells(data.frame(
    ranker = names(benchmark$rankers), what = unname(benchmark$rankers),
    `fit (s)` = show(mean_of("fit_seconds"), 2),
    `predict (s)` = show(mean_of("predict_seconds"), 3),
    `memory (MB)` = show(mean_of("memory_mb"), 0), check.names = FALSE
  ))
}

# Replaces the special characters of HTML and markdown by entities.
escape_html <- function(text) {
  vapply(strsplit(text, ""), function(letters) {
    mark <- letters %in% strsplit("&<>*_`$~^\\|[]@#", "")[[1L]]
    letters[mark] <- sprintf("&#%d;", vapply(letters[mark], utf8ToInt, 0L))
    paste(letters, collapse = "")
  }, "")
}

escape_cells <- function(table) {
  text <- vapply(table, is.character, NA)
  table[text] <- lapply(table[text], escape_html)
  table
}

# The test parts as one data set without features, and the scores on them.
report_scores <- function(benchmark, rankers) {
  tests <- lapply(benchmark$data, `[[`, "test")
  query <- Map(function(test, fold) paste(fold, id_text(test$query_ids))[test$query], tests,
               names(tests))
  relevance <- unlist(lapply(tests, `[[`, "relevance"), use.names = FALSE)
  weight <- unlist(lapply(tests, function(test) test$weight[test$query]), use.names = FALSE)
  documents <- lapply(tests, `[[`, "document")
  document <- if (!any(vapply(documents, is.null, NA))) unlist(documents, use.names = FALSE)
  data <- ranking_data(matrix(0, length(relevance), 1L), relevance,
                       unlist(query, use.names = FALSE), document, weight)
  scores <- lapply(stats::setNames(nm = rankers), function(ranker) {
    unlist(lapply(benchmark$scores, function(own) first_training(own[[ranker]])), use.names = FALSE)
  })
  list(data = data, scores = scores)
}

# Curves of more rankers cannot be distinguished.
rankers_of_curves <- function(comparison) {
  rated <- comparison$rankers[comparison$rankers$metric == names(comparison$values)[1L], ]
  if (nrow(rated) <= max_labelled_rows) rated$ranker else best_rankers(rated, 8L)
}

report_conventions <- function(contents) {
  benchmark <- contents$benchmark
  metric <- benchmark$metrics[[names(contents$comparison$values)[1L]]]
  rankers <- colnames(contents$comparison$values[[1L]]$values)
  known <- is.null(metric$convention) && !inherits(metric, "rankmix_custom")
  if (is.null(benchmark$scores) || !known) {
    return(NULL)
  }
  pooled <- report_scores(benchmark, rankers)
  reported <- tryCatch(
    convention_report(pooled$scores, pooled$data, metric, threads = contents$threads),
    rankmix_error_convention = function(e) NULL
  )
  # The applicable conventions whose values differ most.
  shown <- intersect(eval(formals(cutoff_curves)$conventions), reported$table$convention)
  curves <- if (length(shown) > 0L && is.finite(metric$k)) {
    cutoff_curves(pooled$scores[rankers_of_curves(contents$comparison)], pooled$data, metric,
                  seq_len(max(2, min(metric$k, 10))), shown, contents$threads)
  }
  list(report = reported, curves = curves)
}
