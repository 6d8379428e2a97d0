# Average precision of three rankers on 20 topics, from Sakai (2018), Laboratory Experiments in Information
# Retrieval.
sakai_topics <- cbind(
  A = c(7, 3, 2, 6, 4, 4, 0, 7, 1, 3, 5, 4, 0, 6, 5, 3, 1, 5, 2, 1) / 10,
  B = c(5, 1, 0, 2, 4, 3, 0, 5, 3, 3, 4, 4, 1, 4, 2, 1, 1, 6, 3, 2) / 10,
  C = c(0, 0, 2, 1, 3, 3, 1, 2, 4, 4, 4, 3, 3, 2, 2, 2, 1, 5, 4, 3) / 10
)
compare_topics <- function(rankers = colnames(sakai_topics), test = "t", adjust = "holm", ...) {
  evaluations <- lapply(stats::setNames(rankers, rankers), function(ranker) {
    evaluation_of(sakai_topics[, ranker])
  })
  do.call(compare_rankers, c(evaluations, list(test = test, adjust = adjust, seed = 1, ...)))
}
