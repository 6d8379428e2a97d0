# Values of LightGBM for the cases under tests/testthat/fixtures/tools, query by query:
# each query is a data set of its own whose scores are its initial scores.
#
#   Rscript data-raw/tool-values.R > lightgbm.csv
#
# data-raw/tool-values.py does the same for XGBoost and scikit-learn.

folder <- "tests/testthat/fixtures/tools/cases"
cuts <- c(1L, 3L, 5L, 10L)

values_of <- function(grades, scores) {
  data <- lightgbm::lgb.Dataset(
    matrix(0, length(grades)), label = grades, group = length(grades),
    init_score = scores, free_raw_data = FALSE
  )
  booster <- lightgbm::lgb.train(
    list(objective = "lambdarank", metric = c("ndcg", "map"), eval_at = cuts,
         min_data_in_leaf = 1000000L, verbose = -1L, num_threads = 1L),
    data, nrounds = 1L, valids = list(v = data), verbose = -1L
  )
  # No tree can split, so that the initial scores are the scores.
  record <- booster$record_evals$v
  vapply(record, function(metric) metric$eval[[1L]], numeric(1))
}

cat("case,tool,metric,k,query,value\n")
for (case in list.files(folder)) {
  lines <- strsplit(readLines(file.path(folder, case, "labels.txt")), " ")
  grades <- as.numeric(vapply(lines, `[[`, "", 1L))
  query <- sub("qid:", "", vapply(lines, `[[`, "", 2L))
  scores <- as.numeric(readLines(file.path(folder, case, "scores.txt")))
  for (id in unique(query)) {
    values <- values_of(grades[query == id], scores[query == id])
    parts <- do.call(rbind, strsplit(names(values), "@"))
    cat(sprintf("%s,lightgbm,%s,%s,%s,%.17g\n", case, parts[, 1L], parts[, 2L], id,
                values), sep = "")
  }
}
