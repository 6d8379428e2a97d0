# Ranking data may have no grades: `relevance` is NULL then. That is enough to predict; what
# needs grades says so by these checks.

# Whether the documents have grades.
is_judged <- function(data) {
  !is.null(data$relevance)
}

# Ranking data, and with `judged` such that have grades.
check_ranking_data <- function(data, name = "data", judged = TRUE,
                               made_by = "`ranking_data()`",
                               call = rlang::caller_env()) {
  check_class(data, name, "ranking_data", made_by, call,
              if (inherits(data, "rankmix_simulation")) "Take its `$data`." else {
                if (is.data.frame(data) || is.matrix(data) || inherits(data, c("Matrix", "formula"))) {
                  "Make it by `ranking_data(x, relevance = y, query = id)`, one grade and one query id a row."
                }
              })
  if (judged) check_judged(data, name, call)
  data
}

check_judged <- function(data, name, call = rlang::caller_env()) {
  if (!is_judged(data)) {
    stop_input("unjudged", sprintf("`%s` has no grades.", name),
               "It was made without `relevance`, which is enough to predict.",
               "Make it with the grades of the documents: `ranking_data(relevance = )`.",
               call = call)
  }
  data
}
