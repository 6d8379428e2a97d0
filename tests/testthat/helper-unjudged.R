# Runs and judgements with unjudged documents, and bounds of metrics by brute force.

unjudged_case <- function(seed, max_grade = 2, judged = 4, unjudged = 4, queries = 2) {
  set.seed(seed)
  documents <- letters[seq_len(judged + unjudged)]
  # The first document has the highest grade, so that the data have the highest grade of the scale.
  qrels <- do.call(rbind, lapply(seq_len(queries), function(q) {
    open <- sample(documents[-1L], unjudged)
    known <- setdiff(documents, open)
    grades <- c(max_grade, sample(0:max_grade, judged - 1L, TRUE, prob = (max_grade + 1):1))
    if (q > 1 && runif(1) < 0.3) grades[] <- 0
    # The judgements may list an unjudged document, with a negative grade.
    data.frame(query = paste0("q", q), document = c(known, open[1L]), relevance = c(grades, -1))
  }))
  run <- function() {
    do.call(rbind, lapply(seq_len(queries), function(q) {
      some <- sample(documents, sample(3:length(documents), 1))
      data.frame(query = paste0("q", q), document = some, score = rev(seq_along(some)))
    }))
  }
  list(qrels = as_qrels(qrels), a = as_run(run()), b = as_run(run()), max_grade = max_grade)
}

# The values of metrics for all grades that the unjudged documents of a query of the runs could have. Each
# assignment of grades is a separate query, so that one evaluation computes
# all values: ways x runs for each metric.
values_of_all_grades <- function(case, query, runs, metrics) {
  runs <- lapply(runs, function(run) as.data.frame(run)[run$query == query, ])
  qrels <- as.data.frame(case$qrels)
  qrels <- qrels[qrels$query == query, ]
  found <- unlist(lapply(runs, function(run) run$document))
  open <- union(setdiff(found, qrels$document), qrels$document[qrels$relevance < 0])
  known <- qrels[qrels$relevance >= 0, ]
  ways <- expand.grid(rep(list(0:case$max_grade), length(open)))
  ways <- if (length(open) == 0) matrix(0, 1, 0) else as.matrix(ways)
  copies <- function(table, i) {
    table$query <- rep(paste0("way", i), nrow(table))
    table
  }
  graded <- do.call(rbind, lapply(seq_len(nrow(ways)), function(i) {
    added <- data.frame(query = rep(query, length(open)), document = open, relevance = ways[i, ])
    copies(rbind(known, added), i)
  }))
  runs <- lapply(runs, function(run) as_run(do.call(rbind, lapply(seq_len(nrow(ways)), copies, table = run))))
  found <- evaluate(runs, as_qrels(graded), metrics)
  lapply(split(found$value, factor(found$metric, names(metrics))), matrix, nrow = nrow(ways))
}
