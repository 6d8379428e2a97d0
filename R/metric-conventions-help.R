#' How evaluation tools compute metrics
#'
#' Tools disagree about gains, discounts, ties, short lists and queries without
#' relevant documents. The argument `convention` of the metrics, of [evaluate()]
#' and of [convention_report()] takes all the rules of a tool at once; arguments
#' that are set as well go before them. `conventions()` gives the rules as data.
#'
#' @eval convention_rd()
#'
#' @section Where tools differ from what one would expect:
#' * `letor3`, `letor4`, `mslr`: the rank 2 is not discounted. `letor4` and `mslr`
#'   give NDCG@k = 0 to a list of fewer than k documents, however well ranked;
#'   `letor3` gives it no value, but its mean divides by all queries.
#' * `letor3` and `letor4` know the grades 0, 1 and 2; the scripts silently take
#'   higher ones for not relevant. Here they are an error, as are grades above 4
#'   for `mslr` and `gdeval`.
#' * `mslr`: grade 1 earns gain in NDCG but is not relevant for precision and AP.
#' * `yahoo`: an empty query has NDCG 1. ERR is over the whole list, for grades 0
#'   to 4; set `max_grade` for others.
#' * `ranklib`: precision divides by the length of a shorter list; ERR supposes the
#'   grades 0 to 4 unless `max_grade` is set (its `-gmax`); the reciprocal rank is
#'   a quotient in single precision. RankLib's `MAP@k` ignores k, its `RR` without
#'   k is always 0, and a query whose lines do not stand together is several
#'   queries to it; here it is one.
#' * `trec_eval` is version 10.0. 9.x, `trec_eval9`, rounds scores to single
#'   precision, which makes ties, and has no RBP. That of 10.0 has persistence 0.9. Ties are broken by decreasing document id, byte
#'   by byte. Version 10.0 stops where the run lacks a judged query, 9.x leaves it
#'   out, and both count it as 0 with `-c`: see `topics` of [evaluate()].
#' * `gdeval` leaves empty queries out of the mean; where all are empty it prints 0,
#'   here the mean is `NaN`. Its default cut-off is 20.
#' * `lightgbm`, `xgboost`: an empty query has NDCG and AP 1. XGBoost rounds
#'   scores to single precision; its metrics without a cut-off are those at 32;
#'   `map` and `pre` want grades 0 and 1 only: set `relevant` to say which count.
#'   Before version 2 its `map@k` divided by all relevant documents and its
#'   `pre@k` by k, whatever the length of the list.
#' * `catboost`: linear gain, ties in the worst order, an empty query has NDCG 1
#'   (0 in old versions). Its `PrecisionAt` and `RecallAt` compare scores with a border,
#'   and its `ERR` takes probabilities as grades; they are not here.
#' * `sklearn`: linear gain, ties averaged; `average_precision_score()` retrieves
#'   tied documents at once and wants grades 0 and 1 only.
#'
#' No convention changes the default cut-off, which is the whole list. Means are
#' sums from the first query to the last divided by their number.
#'
#' @section Where a paper and a tool disagree:
#' * The value of an empty query: 1 in the code of the Yahoo! challenge and in
#'   Busa-Fekete et al. (2013), who advise it; 0.5 in some programs that are
#'   derived from that code; 0, 1 or left out elsewhere, as the table says.
#' * The discount: Jarvelin and Kekalainen (2002) discount by \eqn{\log_b i}{log_b(i)} from
#'   rank b on, so that with b = 2 the ranks 1 and 2 count fully, as the scripts of
#'   LETOR and MSLR have it. Busa-Fekete et al. (2013) describe these scripts with
#'   \eqn{1 / \log_2(i + 1)}{1 / log2(i + 1)}, as all other tools have it.
#' * Short lists: Busa-Fekete et al. (2013) count LETOR 3.0 among the tools that
#'   score the documents there are; its script gives no value.
#' * The probability that a grade r satisfies, in ERR: \eqn{(2^r - 1) / 2^g} in
#'   Chapelle et al. (2009) and in all tools, so that even the highest grade g may
#'   leave a user searching; Busa-Fekete et al. (2013), equation 24, divide by
#'   \eqn{2^g - 1}.
#'
#' @section Checks: `letor3` to `gdeval` were checked against values that the
#'   tools printed, to all their digits; `lightgbm` (4.7), `xgboost` (3.4) and
#'   `sklearn` (1.2) against the packages; `catboost` was read from its source and
#'   not run.
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
#' @return A data frame with a row for each tool and metric: `convention`, `tool`,
#'   `metric`, the parameters of the metric as text (`NA` where it has none of that
#'   name), `grades`, the highest grade that the tool knows (`NA`: any), and
#'   `cutoff`, whether the tool has the metric at a cut-off.
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

# The table of the help page, from the rules themselves.
convention_rd <- function() {
  table <- conventions()
  rules <- vapply(seq_len(nrow(table)), function(i) {
    rules <- convention_rules(table$convention[i], table$metric[i])
    names <- sub("grades", "known grades up to", names(rules))
    text <- c(paste(names, gsub("\"", "", vapply(rules, show_parameter, ""))),
              if (!table$cutoff[i]) "no cut-off")
    if (length(text) > 0L) paste(text, collapse = "; ") else "-"
  }, character(1))
  cells <- rbind(c("convention", "metric", "rules"),
                 cbind(table$convention, table$metric, rules))
  rows <- apply(cells, 1L, paste, collapse = " \\tab ")
  paste(c("@details What differs from the defaults, which are the exponential gain, the",
          "discount log2, relevant from grade 1, 0 for empty queries, short lists padded,",
          "ties in the order of the input:", "",
          paste0("\\tabular{lll}{", paste(rows, collapse = " \\cr\n"), "}")),
        collapse = "\n")
}
