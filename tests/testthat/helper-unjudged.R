# Runs and judgements with unjudged documents, and bounds of them by brute force.

unjudged_case <- function(seed, max_grade = 2, judged = 4, unjudged = 4, queries = 2) {
  set.seed(seed)
  documents <- letters[seq_len(judged + unjudged)]
  # The first document has the highest grade, so that the grades are those of the scale.
  qrels <- do.call(rbind, lapply(seq_len(queries), function(q) {
    open <- sample(documents[-1L], unjudged)
    known <- setdiff(documents, open)
    grades <- c(max_grade, sample(0:max_grade, judged - 1L, TRUE, prob = (max_grade + 1):1))
    if (q > 1 && runif(1) < 0.3) grades[] <- 0
    # An unjudged document may be named by the judgements.
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

# Every way to grade the unjudged documents of a query of the runs, as judgements.
all_judgements <- function(case, query, runs) {
  qrels <- as.data.frame(case$qrels)
  qrels <- qrels[qrels$query == query, ]
  found <- unlist(lapply(runs, function(run) run$document[run$query == query]))
  open <- union(setdiff(found, qrels$document), qrels$document[qrels$relevance < 0])
  known <- qrels[qrels$relevance >= 0, ]
  grid <- expand.grid(rep(list(0:case$max_grade), length(open)))
  lapply(seq_len(nrow(grid)), function(i) {
    as_qrels(rbind(known, data.frame(query = rep(query, length(open)), document = open,
                                     relevance = as.integer(unlist(grid[i, ])))))
  })
}

# The lowest and the highest value of `value(qrels, runs)` over all of them.
brute_bounds <- function(case, query, runs, value) {
  own <- lapply(runs, function(run) as_run(as.data.frame(run)[run$query == query, ]))
  range(vapply(all_judgements(case, query, own), value, 0, runs = own))
}
