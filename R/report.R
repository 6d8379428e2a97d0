#' Write a report of a benchmark
#'
#' Writes one HTML page about a benchmark. The page describes the data, the best ranker, and the rankers that
#' are not significantly worse. It has plots, the metrics by the rules of other tools, times, seeds and
#' session information.
#'
#' @param benchmark The benchmark of two or more rankers, made by [benchmark_rankers()].
#' @param file The path of the page. An existing file is replaced once the new page is complete.
#' @param title The title of the page; default `"Benchmark of rankers"`.
#' @param comparison The comparison of the benchmark, made by [compare_rankers()] with the tests of your
#'   choice. By default `compare_rankers()` is called with its defaults and the benchmark's seed.
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
#' @details The report needs the packages rmarkdown, knitr and ggplot2, and pandoc. Figures are embedded,
#'   and the page loads nothing from the network. The comparison of conventions needs the scores, so it
#'   is left out if the benchmark did not keep them (`keep_scores`). It uses the first training of each fold.
#'
#' @section Conditions:
#' * `rankmix_error_argument`: fewer than two rankers succeeded in all folds.
#' * `rankmix_error_file`: the page cannot be written, or pandoc is not found.
#' @export
report <- function(benchmark, file, title = "Benchmark of rankers", comparison = NULL,
                   threads = NULL) {
  check_given(missing(benchmark), "benchmark")
  check_class(benchmark, "benchmark", "rankmix_benchmark", "`benchmark_rankers()`",
              remedy = "Run a benchmark first, by `benchmark_rankers()`.")
  check_given(missing(file), "file", "Give the path of the page, such as \"report.html\".")
  threads <- check_threads(threads)
  check_path(file, rlang::current_env(), "file")
  if (!is.character(title) || length(title) != 1L || is.na(title)) {
    stop_input("argument", sprintf("`title` must be one string, not %s.", show_value(title)))
  }
  rlang::check_installed(c("rmarkdown", "knitr", "ggplot2"), "to write a report")
  if (!rmarkdown::pandoc_available("1.12.3")) {
    stop_input("file", "pandoc is not found.", remedy = "Install pandoc 1.12.3 or later.")
  }
  if (is.null(comparison)) {
    comparison <- compare_rankers(benchmark, seed = benchmark$seed, threads = threads)
  }
  check_class(comparison, "comparison", "rankmix_comparison", "`compare_rankers()`")
  check_compared(comparison, benchmark)
  page <- with_points(render_report(list(benchmark = benchmark, comparison = comparison,
                                         threads = threads), title))
  on.exit(unlink(dirname(page), recursive = TRUE))
  write_beside(path.expand(file), function(partial) {
    if (!file.copy(page, partial, overwrite = TRUE)) stop("the page could not be copied")
  }, rlang::current_env())
  invisible(file)
}

# A report shows a comparison of its own benchmark.
check_compared <- function(comparison, benchmark, call = rlang::caller_env()) {
  other <- c(setdiff(comparison$rankers$ranker, names(benchmark$rankers)),
             setdiff(names(comparison$values), names(benchmark$metrics)))
  if (length(other) > 0L) {
    stop_input("argument", "`comparison` is not one of the benchmark.",
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
  rmarkdown::render(file.path(folder, "benchmark.Rmd"), output_file = "report.html",
                    envir = environment, quiet = TRUE,
                    output_options = list(
                      # Passed as an argument, because the template would read the title as
                      # markdown.
                      pandoc_args = c("--metadata", paste0("title=", title))
                    ))
}

# What the template shows ----------------------------------------------------------------

report_headline <- function(comparison) {
  metric <- names(comparison$values)[1L]
  rated <- comparison$rankers[comparison$rankers$metric == metric, ]
  top <- rated[which.max(rated$mean), ]
  others <- rated$ranker[rated$best & rated$ranker != top$ranker]
  pairs <- sum(comparison$pairs$metric == metric)
  adjusted <- if (comparison$settings$adjust == "none" || pairs < 2L) "" else {
    sprintf(", p adjusted over %d pairs", pairs)
  }
  sprintf("<strong>%s</strong> has the highest mean %s, %.4f. %s", escape_html(top$ranker),
          escape_html(metric), top$mean,
          if (length(others) > 0L) {
            sprintf("No difference to it is shown for: %s (level %s%s).",
                    escape_html(paste(others, collapse = ", ")),
                    plain_number(comparison$settings$level), adjusted)
          } else {
            sprintf("All others are significantly worse (level %s%s).",
                    plain_number(comparison$settings$level), adjusted)
          })
}

# A table of rankers x metrics: mean +- standard error. Bold: the best ranker, and rankers without a
# significant difference to it.
report_means <- function(comparison) {
  cells <- lapply(split_by(comparison$rankers, "metric"), function(rows) {
    text <- sprintf("%.4f \u00b1 %.4f", rows$mean, rows$se)
    stats::setNames(ifelse(rows$best, sprintf("<strong>%s *</strong>", text), text),
                    rows$ranker)
  })
  table <- data.frame(ranker = escape_html(names(cells[[1L]])), do.call(cbind, cells),
                      check.names = FALSE, row.names = NULL)
  first <- comparison$rankers[comparison$rankers$metric == names(comparison$values)[1L], ]
  table[order(-first$mean), ]
}

report_pairs <- function(comparison) {
  pairs <- comparison$pairs[comparison$pairs$metric == names(comparison$values)[1L], ]
  p <- function(x) ifelse(is.na(x), "", sub("^(= )", "", sub("^p ", "", show_p(x))))
  table <- data.frame(
    pair = sprintf("%s \u2212 %s", escape_html(pairs$a), escape_html(pairs$b)),
    `difference, interval of the pair alone` =
      ifelse(is.na(pairs$lower), sprintf("%+.4f", pairs$difference),
             sprintf("%+.4f [%+.4f, %+.4f]", pairs$difference, pairs$lower, pairs$upper)),
    effect = ifelse(is.na(pairs$effect), "", sprintf("%+.2f", pairs$effect)),
    t = p(pairs$p_t), Wilcoxon = p(pairs$p_wilcoxon),
    `sign flips` = p(pairs$p_randomization), Holm = p(pairs$p_holm),
    BH = p(pairs$p_bh),
    `win / tie / loss %` = sprintf("%.0f/%.0f/%.0f", 100 * pairs$wins, 100 * pairs$ties,
                               100 * pairs$losses),
    `identical %` = ifelse(is.na(pairs$identical), "", sprintf("%.0f", 100 * pairs$identical)),
    normality = p(pairs$normality),
    `folds ahead` = sprintf("%d of %d", pairs$folds_ahead, pairs$folds),
    note = pairs$note, check.names = FALSE
  )
  # Drops columns that are empty for every pair.
  silent <- vapply(table, function(column) all(column == ""), NA)
  table[!silent & !(names(table) == "folds ahead" & all(pairs$folds == 1L))]
}

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
    cutoff_curves(pooled$scores, pooled$data, metric, seq_len(max(2, min(metric$k, 10))),
                  shown, contents$threads)
  }
  list(report = reported, curves = curves)
}
