# Comparison of evaluate() with the values that trec_eval printed. Used by tests and by
# data-raw/trec-eval-values.R.

# Lines of `trec_eval -q` as a table of texts.
trec_eval_lines <- function(lines) {
  fields <- do.call(rbind, strsplit(lines, "[ \t]+"))
  data.frame(metric = fields[, 1L], query = fields[, 2L], value = fields[, 3L])
}

# The metric of a printed name, by the lowest relevant grade of `-l`. NULL if rankmix does not have it.
trec_eval_metric <- function(name, relevant = 1) {
  text <- sub("_p=(.*)$", "(persistence = \\1)", name)
  metric <- tryCatch(as_metric(text), rankmix_error = function(e) NULL)
  # Measures of gains do not depend on `-l`, and RBP is one of them.
  if (is.null(metric) || relevant == 1 || grepl("^rbp", name)) {
    return(metric)
  }
  arguments <- if (grepl(")$", text)) sub(")$", sprintf(", relevant = %d)", relevant), text) else {
    sprintf("%s(relevant = %d)", text, relevant)
  }
  tryCatch(as_metric(arguments), rankmix_error = function(e) metric)
}

# The printed table with `own`, the value of rankmix, for each metric that rankmix has. Printed means are in
# the rows of the query "all".
with_own_values <- function(printed, run, qrels, relevant = 1, topics = "common", collection = NULL) {
  metrics <- lapply(stats::setNames(nm = unique(printed$metric)), trec_eval_metric, relevant = relevant)
  weights <- grepl("^utility_", names(metrics))
  metrics[weights] <- lapply(sub("^utility_", "", names(metrics)[weights]), function(text) {
    metric_trec("utility", weights = scan(text = text, sep = ",", quiet = TRUE), collection = collection,
                relevant = relevant)
  })
  # RBP of trec_eval divides grades by the highest one of the query, RBP of rankmix is binary.
  if (any(qrels$relevance > 1)) metrics$rbp <- NULL
  metrics <- Filter(Negate(is.null), metrics)
  found <- evaluate(run, qrels, metrics, convention = "trec_eval", topics = topics)
  all <- trec_summary(found)
  own <- rbind(data.frame(metric = found$metric, query = as.character(found$query), value = found$value),
               data.frame(metric = all$metric, query = "all", value = all$value))
  at <- match(paste(printed$metric, printed$query), paste(own$metric, own$query))
  cbind(printed, own = own$value[at])[printed$metric %in% names(metrics), ]
}

# The difference to the printed value, 0 if the value rounds to it. NA if the row has no value in `own`.
beyond_rounding <- function(table, digits = 4L) {
  difference <- abs(table$own - as.numeric(table$value))
  ifelse(difference <= 0.5 * 10^-digits + 1e-9, 0, difference)
}
