#' How evaluation tools compute metrics
#'
#' Tools disagree about gains, discounts, ties, short lists and queries without relevant documents.
#' The argument `convention` of the metrics, of [evaluate()] and of [convention_report()] applies all
#' rules of a tool. Arguments that you also set take precedence. `conventions()` returns the rules as
#' data.
#'
#' @eval convention_rd()
#'
#' @section Unexpected rules of tools:
#' * `letor3`, `letor4`, `mslr`: rank 2 is not discounted. `letor4` and `mslr` give NDCG@k = 0 to a list
#'   of fewer than k documents, however it is ranked. `letor3` gives such a list no value, but divides the
#'   mean by the number of all queries.
#' * `letor3` and `letor4` support the grades 0, 1 and 2. The scripts silently treat higher grades as
#'   not relevant. In rankmix, such grades are an error. Grades above 4 are an error for `mslr` and `gdeval`.
#' * `mslr`: grade 1 has a gain in NDCG but is not relevant for precision and AP.
#' * `yahoo`: an empty query has NDCG 1. ERR uses the whole list, for grades 0 to 4. Set `max_grade`
#'   for other grades.
#' * `ranklib`: precision divides by the length of a shorter list. ERR assumes the grades 0 to 4 unless
#'   `max_grade` is set (its `-gmax`). The reciprocal rank is computed in single precision. RankLib's `MAP@k`
#'   ignores k, and its `RR` without k is always 0. RankLib treats a query with scattered lines as several
#'   queries; rankmix treats it as one.
#' * `trec_eval` is version 10.0. `trec_eval9` is version 9.x, which rounds scores to single precision, so
#'   that there are more ties. This version has no RBP. Both break ties by decreasing document id, byte by byte. If the
#'   run lacks a judged query, version 10.0 stops and 9.x leaves the query out. With `-c`, both count this
#'   query as 0 (see `topics` of [evaluate()]).
#' * RBP of `trec_eval` has persistence 0.9. The tool divides each grade by the highest grade of the query. RBP
#'   of rankmix is binary, so grades above 1 are an error, unless `relevant` is set. trec_eval 10.0 uses
#'   uninitialised memory for RBP. Its RBP can be wrong if it computes other measures as well.
#' * `gdeval` leaves empty queries out of the mean. If all queries are empty it prints 0, and rankmix
#'   gives `NaN`. The default cut-off is 20.
#' * `lightgbm`, `xgboost`: an empty query has NDCG and AP 1. XGBoost rounds scores to single precision.
#'   XGBoost's metrics without a cut-off use the cut-off 32. XGBoost's `map` and `pre` require the grades 0 and 1.
#'   Set `relevant` for other grades. Before version 2, XGBoost's `map@k` divided by the number of all
#'   relevant documents, and `pre@k` divided by k, for any length of the list.
#' * `catboost`: linear gain, ties in the worst order, NDCG 1 for an empty query (0 in old versions). Its
#'   `PrecisionAt` and `RecallAt` compare scores with a border, and its `ERR` treats grades as
#'   probabilities. rankmix lacks these three metrics.
#' * `sklearn`: linear gain, ties averaged. `average_precision_score()` retrieves tied documents in one
#'   step and requires the grades 0 and 1.
#'
#' No convention changes the default cut-off, which is the whole list. Means are sums in query order,
#' divided by the number of queries.
#'
#' @section Differences between papers and tools:
#' * The value of an empty query. The value is 1 in the code of the Yahoo! challenge and in Busa-Fekete et
#'   al. (2013), who recommend it. The value is 0.5 in some programs derived from this code. For other tools,
#'   see the list above.
#' * The discount. Jarvelin and Kekalainen (2002) discount by \eqn{\log_b i}{log_b(i)} from rank b on.
#'   With b = 2 the ranks 1 and 2 count fully, as in the scripts of LETOR and MSLR. Busa-Fekete et al.
#'   (2013) describe these scripts with \eqn{1 / \log_2(i + 1)}{1 / log2(i + 1)}, the discount of all
#'   other tools.
#' * Short lists. Busa-Fekete et al. (2013) count LETOR 3.0 among the tools that score the existing
#'   documents. But the script of LETOR 3.0 gives no value.
#' * The probability that a grade r satisfies the user, in ERR. This probability is \eqn{(2^r - 1) / 2^g} in
#'   Chapelle et al. (2009) and in all tools, so that even the highest grade g may not satisfy. Busa-Fekete
#'   et al. (2013), equation 24, divide by \eqn{2^g - 1}.
#'
#' @section Checks: `letor3` to `gdeval` agree with values that the tools printed, to all printed digits.
#'   `lightgbm` (4.7), `xgboost` (3.4) and `sklearn` (1.2) were checked against the packages. The rules of
#'   `catboost` were read from its source code, and the program was not run.
#'
#' @references
#' Busa-Fekete, Kegl, Elteto and Szarvas (2013). Tune and mix: learning to rank
#'   using ensembles of calibrated multi-class classifiers.
#'   \doi{10.1007/s10994-013-5360-9}
#'
#' Chapelle, Metzler, Zhang and Grinspan (2009). Expected reciprocal rank for
#'   graded relevance. \doi{10.1145/1645953.1646033}
#'
#' Jarvelin and Kekalainen (2002). Cumulated gain-based evaluation of IR
#'   techniques. \doi{10.1145/582415.582418}
#'
#' @return A data frame with a row for each tool and metric: `convention`, `tool`, `metric`, the parameters
#'   of the metric as text (`NA` if the metric lacks the parameter), `grades`, the highest grade that the
#'   tool supports (`NA`: any), and `cutoff`, whether the tool has the metric at a cut-off.
#' @examples
#' rules <- conventions()
#' rules[rules$metric == "ndcg", c("convention", "gain", "discount", "empty")]
#' metric_ndcg(10, convention = "ranklib", empty = "drop")
#' @export
conventions <- function() {
  columns <- unique(unlist(lapply(metric_names(),
                                  function(m) names(metric_defaults(m)))))
  row <- function(convention, metric) {
    value <- structure(list(name = metric, k = Inf, set = list(),
                            convention = convention), class = "rankmix_metric")
    rules <- lapply(metric_rules(value)[c(columns, "grades")], function(rule) {
      if (is.null(rule)) NA_character_ else show_parameter(rule)
    })
    names(rules) <- c(columns, "grades")
    data.frame(convention = convention,
               tool = convention_table[[convention]]$tool, metric = metric,
               rules,
               cutoff = !isTRUE(convention_table[[convention]][[metric]]$whole))
  }
  rows <- lapply(names(convention_table), function(convention) {
    do.call(rbind, lapply(metrics_of_tool(convention), row,
                          convention = convention))
  })
  table <- do.call(rbind, rows)
  text <- vapply(table, is.character, logical(1))
  table[text] <- lapply(table[text], gsub, pattern = "\"", replacement = "")
  table
}

# The list on the help page, made from the rules: one item for each convention, one sentence for
# each metric.
convention_rd <- function() {
  table <- conventions()
  rules <- vapply(seq_len(nrow(table)), function(i) {
    rules <- convention_rules(table$convention[i], table$metric[i])
    names <- sub("grades", "grades up to", names(rules))
    text <- c(paste(names, gsub("\"", "", vapply(rules, show_parameter, ""))),
              if (!table$cutoff[i]) "no cut-off")
    sprintf("\\code{%s}: %s.", table$metric[i],
            if (length(text) > 0L) paste(text, collapse = ", ") else "no difference")
  }, character(1))
  items <- vapply(unique(table$convention), function(convention) {
    rows <- table$convention == convention
    sprintf("\\item{\\code{%s}, %s}{%s}", convention, table$tool[rows][1L],
            paste(rules[rows], collapse = "\n"))
  }, character(1))
  paste(c("@details The list shows the differences from the defaults. The defaults are the exponential",
          "gain, the discount log2, relevant from grade 1, 0 for empty queries, padded short lists and",
          "ties in row order. \"grades up to\" is the highest grade that the tool supports.", "",
          paste0("\\describe{\n", paste(items, collapse = "\n"), "\n}")),
        collapse = "\n")
}
