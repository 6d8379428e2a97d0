# The rules of the tools, as differences from the defaults of our metrics. The entry of a tool lists the
# metrics that the tool has. `all` applies to each of them. `whole` marks a metric without a cut-off. `grades`
# is the highest grade that the tool supports.
convention_table <- list(
  letor3 = list(
    tool = "LETOR 3.0 (Eval-Score-3.0.pl)",
    all = list(grades = 2),
    ndcg = list(gain = c(0, 1, 3), discount = "letor", short_lists = "undefined"),
    precision = list(short_lists = "undefined"),
    average_precision = list(whole = TRUE)
  ),
  letor4 = list(
    tool = "LETOR 4.0 (Eval-Score-4.0.pl)",
    all = list(grades = 2),
    ndcg = list(gain = c(0, 1, 3), discount = "letor", short_lists = "zero"),
    mean_ndcg = list(gain = c(0, 1, 3), discount = "letor", whole = TRUE),
    precision = list(),
    average_precision = list(whole = TRUE)
  ),
  mslr = list(
    tool = "MSLR-WEB (Eval-Score-MSLR.pl)",
    all = list(grades = 4),
    ndcg = list(gain = c(0, 1, 3, 7, 15), discount = "letor", short_lists = "zero"),
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
    precision = list(short_lists = "shrink"),
    average_precision = list(whole = TRUE),
    reciprocal_rank = list(single_precision = "value")
  ),
  trec_eval = list(
    tool = "trec_eval 10.0",
    all = list(ties = "document"),
    ndcg = list(gain = "linear"),
    dcg = list(gain = "linear", whole = TRUE),
    average_precision = list(),
    precision = list(),
    recall = list(),
    f_measure = list(whole = TRUE),
    success = list(),
    reciprocal_rank = list(whole = TRUE),
    r_precision = list(),
    bpref = list(),
    rbp = list(persistence = 0.9, grades = 1, whole = TRUE)
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
    all = list(single_precision = "scores"),
    ndcg = list(empty = 1),
    average_precision = list(empty = 1, denominator = "cutoff", grades = 1),
    precision = list(short_lists = "shrink", grades = 1)
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

# trec_eval 9.x stores scores in single precision and has no RBP and DCG. Its other rules are the same as in
# 10.0.
convention_table$trec_eval9 <- utils::modifyList(
  convention_table$trec_eval,
  list(tool = "trec_eval 9.x", all = list(single_precision = "scores"), rbp = NULL, dcg = NULL)
)

# The parameters of a metric that a convention changes, and the highest grade that its tool supports.
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
  is_name <- is.character(convention) && length(convention) == 1L
  if (!is_name || !convention %in% known) {
    stop_input(
      "convention",
      sprintf(if (is_name) "There is no convention %s." else "A convention must be one name, not %s.",
              show_value(convention)),
      sprintf("Known conventions: %s.", paste0("\"", known, "\"", collapse = ", ")),
      c(if (is_name) did_you_mean(convention, known), "`?conventions` has the rules of each."),
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

# Applies the rules of a tool to a metric without a convention. Arguments that the user set stay.
with_convention <- function(metric, convention, call = rlang::caller_env()) {
  if (inherits(metric, "rankmix_trec_measure")) {
    return(with_trec_convention(metric, convention, call))
  }
  if (inherits(metric, "rankmix_custom")) {
    stop_input("convention",
               sprintf("`%s` is your own metric, so no convention applies to it.",
                       format(metric)),
               call = call)
  }
  if (is.null(metric$convention)) {
    check_convention(convention, metric$name, metric$k, call)
    metric["convention"] <- list(convention)
    check_together(metric, call)
  }
  metric
}
