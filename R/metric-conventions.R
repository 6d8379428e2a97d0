# The rules of the tools, as differences from the defaults of our metrics. A tool
# has the metrics that it lists; `all` holds for each of them. `whole` marks a
# metric without a cut-off, `grades` the highest grade that the tool knows.
convention_table <- list(
  letor3 = list(
    tool = "LETOR 3.0 (Eval-Score-3.0.pl)",
    all = list(grades = 2),
    ndcg = list(gain = c(0, 1, 3), discount = "letor", short = "undefined"),
    precision = list(short = "undefined"),
    average_precision = list(whole = TRUE)
  ),
  letor4 = list(
    tool = "LETOR 4.0 (Eval-Score-4.0.pl)",
    all = list(grades = 2),
    ndcg = list(gain = c(0, 1, 3), discount = "letor", short = "zero"),
    mean_ndcg = list(gain = c(0, 1, 3), discount = "letor", whole = TRUE),
    precision = list(),
    average_precision = list(whole = TRUE)
  ),
  mslr = list(
    tool = "MSLR-WEB (Eval-Score-MSLR.pl)",
    all = list(grades = 4),
    ndcg = list(gain = c(0, 1, 3, 7, 15), discount = "letor", short = "zero"),
    mean_ndcg = list(gain = c(0, 1, 3, 7, 15), discount = "letor", whole = TRUE),
    precision = list(relevant = 2),
    average_precision = list(relevant = 2, whole = TRUE)
  ),
  yahoo = list(
    tool = "Yahoo! challenge (evaluate.py)",
    ndcg = list(discount = "log", empty = 1),
    err = list(max_grade = 4, whole = TRUE)
  ),
  ranklib = list(
    tool = "RankLib 2.18",
    ndcg = list(),
    dcg = list(),
    err = list(max_grade = 4),
    precision = list(short = "shrink"),
    average_precision = list(whole = TRUE),
    reciprocal_rank = list(single = "value")
  ),
  trec_eval = list(
    tool = "trec_eval 10.0",
    all = list(ties = "document"),
    ndcg = list(gain = "linear"),
    average_precision = list(),
    precision = list(),
    recall = list(),
    reciprocal_rank = list(whole = TRUE),
    r_precision = list(),
    bpref = list()
  ),
  trec_eval9 = list(),
  gdeval = list(
    tool = "gdeval.pl 1.3",
    all = list(ties = "document", empty = "drop", grades = 4),
    ndcg = list(),
    err = list(max_grade = 4)
  ),
  lightgbm = list(
    tool = "LightGBM",
    all = list(empty = 1),
    ndcg = list(),
    average_precision = list(denominator = "cutoff")
  ),
  xgboost = list(
    tool = "XGBoost",
    all = list(single = "scores"),
    ndcg = list(empty = 1),
    average_precision = list(empty = 1, denominator = "cutoff", grades = 1),
    precision = list(short = "shrink", grades = 1)
  ),
  catboost = list(
    tool = "CatBoost",
    all = list(ties = "worst"),
    ndcg = list(gain = "linear", empty = 1),
    dcg = list(gain = "linear"),
    average_precision = list(denominator = "cutoff"),
    reciprocal_rank = list()
  ),
  sklearn = list(
    tool = "scikit-learn",
    ndcg = list(gain = "linear", ties = "average"),
    dcg = list(gain = "linear", ties = "average"),
    average_precision = list(ties = "together", grades = 1, whole = TRUE)
  )
)

# trec_eval 9.x holds scores in single precision; the rest is that of 10.0.
convention_table$trec_eval9 <- utils::modifyList(
  convention_table$trec_eval,
  list(tool = "trec_eval 9.x", all = list(single = "scores"))
)

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
#' * `yahoo`: an empty query has NDCG 1, as in the code of the challenge and in
#'   the paper of Busa-Fekete et al. (2013); some programs derived from it give
#'   0.5. ERR is over the whole list, for grades 0 to 4; set `max_grade` for others.
#' * `ranklib`: precision divides by the length of a shorter list; ERR supposes the
#'   grades 0 to 4 unless `max_grade` is set (its `-gmax`); the reciprocal rank is
#'   a quotient in single precision. RankLib's `MAP@k` ignores k, its `RR` without
#'   k is always 0, and a query whose lines do not stand together is several
#'   queries to it; here it is one.
#' * `trec_eval` is version 10.0. 9.x, `trec_eval9`, rounds scores to single
#'   precision, which makes ties. Ties are broken by decreasing document id, byte
#'   by byte. Version 10.0 stops where the run lacks a judged query, 9.x leaves it
#'   out, and both count it as 0 with `-c`: see `topics` of [evaluate()].
#' * `gdeval` leaves empty queries out of the mean. Its default cut-off is 20.
#' * `lightgbm`, `xgboost`: an empty query has NDCG and AP 1. XGBoost rounds
#'   scores to single precision; its metrics without a cut-off are those at 32;
#'   `map` and `pre` want grades 0 and 1 only: set `relevant` to say which count.
#'   Before version 2 its `map@k` divided by all relevant documents and its
#'   `pre@k` by k, whatever the length of the list.
#' * `catboost`: linear gain, ties in the worst order, an empty query has NDCG 1
#'   (0 before 2020). Its `PrecisionAt` and `RecallAt` compare scores with a border,
#'   and its `ERR` takes probabilities as grades; they are not here.
#' * `sklearn`: linear gain, ties averaged; `average_precision_score()` retrieves
#'   tied documents at once and wants grades 0 and 1 only.
#'
#' No convention changes the default cut-off, which is the whole list. Means are
#' sums from the first query to the last divided by their number.
#'
#' @section Source: the first eight rows were checked against values that the
#'   tools printed, to all their digits; `lightgbm`, `xgboost` and `sklearn`
#'   against the packages; `catboost` is read from its source, which is not built
#'   here. trec_eval's own NDCG follows Jarvelin and Kekalainen (2002),
#'   \doi{10.1145/582415.582418}.
#'
#' @return A data frame with a row for each tool and metric: `convention`, `tool`,
#'   `metric`, the parameters of the metric as text (`NA` where it has none of that
#'   name), and `grades`, the highest grade that the tool knows.
#' @examples
#' rules <- conventions()
#' rules[rules$metric == "ndcg", c("convention", "gain", "discount", "empty")]
#' ndcg(10, convention = "ranklib", empty = "drop")
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
               rules)
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

# The table of the help page.
convention_rd <- function() {
  table <- conventions()
  shown <- c("gain", "discount", "relevant", "denominator", "max_grade", "empty",
             "short", "ties", "single", "grades")
  defaults <- lapply(metric_names(), metric_defaults)
  names(defaults) <- metric_names()
  rules <- vapply(seq_len(nrow(table)), function(i) {
    standard <- defaults[[table$metric[i]]]
    differs <- Filter(function(p) {
      value <- table[i, p]
      usual <- if (is.null(standard[[p]])) NA else gsub("\"", "", show_parameter(standard[[p]]))
      !is.na(value) && !identical(value, usual)
    }, shown)
    if (length(differs) == 0L) {
      return("as by default")
    }
    names <- sub("grades", "known grades up to", differs)
    paste(names, unlist(table[i, differs]), collapse = "; ")
  }, character(1))
  lines <- sprintf("%s \\tab %s \\tab %s \\cr", table$convention, table$metric, rules)
  paste(c("@details The rules that differ from the defaults of the metric:", "",
          "\\tabular{lll}{", "\\strong{convention} \\tab \\strong{metric} \\tab \\strong{rules} \\cr",
          lines, "}"), collapse = "\n")
}

convention_rules <- function(convention, metric) {
  if (is.null(convention)) {
    return(list())
  }
  tool <- convention_table[[convention]]
  rules <- utils::modifyList(as.list(tool$all), tool[[metric]])
  rules[names(rules) %in% c(names(metric_defaults(metric)), "grades")]
}

metrics_of_tool <- function(convention) {
  setdiff(names(convention_table[[convention]]), c("tool", "all"))
}

find_convention <- function(convention, call) {
  known <- names(convention_table)
  if (!is.character(convention) || length(convention) != 1L ||
        !convention %in% known) {
    stop_input(
      "convention",
      sprintf("There is no convention %s.", show_value(convention)),
      sprintf("Known ones: %s.", paste0("\"", known, "\"", collapse = ", ")),
      "`?conventions` has the rules of each.",
      call = call
    )
  }
  convention_table[[convention]]
}

check_convention <- function(convention, metric, k, call) {
  if (is.null(convention)) {
    return(invisible(NULL))
  }
  tool <- find_convention(convention, call)
  if (!metric %in% metrics_of_tool(convention)) {
    stop_input(
      "convention",
      sprintf("%s has no %s.", tool$tool, metric),
      sprintf("It has %s.", enumerate(metrics_of_tool(convention), 20L)),
      "Set the rules one by one, without `convention`.",
      call = call
    )
  }
  if (isTRUE(tool[[metric]]$whole) && is.finite(k)) {
    stop_input(
      "convention",
      sprintf("%s computes %s on the whole list.", tool$tool, metric),
      remedy = sprintf("Leave `k = %s` out.", plain_number(k)),
      call = call
    )
  }
}

# The same metric by the rules of a tool; what the user set stays.
with_convention <- function(metric, convention, call = rlang::caller_env()) {
  if (inherits(metric, "rankmix_custom")) {
    stop_input("convention",
               sprintf("`%s` is a metric of yours; no convention rules it.",
                       format(metric)),
               call = call)
  }
  check_convention(convention, metric$name, metric$k, call)
  metric["convention"] <- list(convention)
  check_together(metric, call)
  metric
}
