# What README.md and the article Recipes take for granted: files under the names that they use,
# and objects of the reader's own. Small, so that every block takes seconds.

# In the working directory.
make_readme_files <- function() {
  truth <- rankmix::simulate_ranking(2, features = 30, grades = c(0.6, 0.3, 0.1),
                                     seed = 1)$truth
  draw <- function(queries, seed) {
    data <- rankmix::simulate_ranking(queries, truth = truth, seed = seed)$data
    rankmix::ranking_data(unname(data$x), data$relevance, 1000 * seed + data$query,
                          document = sprintf("d%d", seq_len(nrow(data$x))))
  }
  parts <- list(train = draw(40, 2), vali = draw(30, 3), test = draw(30, 4))
  for (folder in c("Fold1", "MQ2008/Fold1", "MQ2008/Fold2")) {
    dir.create(folder, recursive = TRUE)
    for (part in names(parts)) {
      rankmix::write_letor(parts[[part]], file.path(folder, paste0(part, ".txt")))
    }
    parts <- parts[c(2L, 3L, 1L)]
    names(parts) <- c("train", "vali", "test")
  }
  rankmix::write_letor(parts$train, "train.svm")
  rankmix::write_letor(parts$train, "train.txt", groups = "train.txt.query")
  nanoparquet::write_parquet(own_frame()[c("grade", "query_id", "bm25", "clicks")],
                             "judged.parquet")
  test <- rankmix::read_letor("Fold1/test.txt")
  rankmix::write_run(test$x[, 1L], "run.txt", test)
  rankmix::write_qrels(test, "qrels.txt")
}

own_frame <- function() {
  set.seed(1)
  rows <- 600L
  data.frame(grade = sample(0:2, rows, TRUE), query_id = rep(1:60, each = 10L),
             site = factor(rep(c("shop", "blog"), each = 10L, length.out = rows)),
             url = factor(sample(c("a", "b"), rows, TRUE)), bm25 = stats::rnorm(rows),
             clicks = stats::rpois(rows, 3))
}

# Objects that they speak of without making them.
readme_objects <- function() {
  rows <- function(part) nrow(rankmix::read_letor(sprintf("Fold1/%s.txt", part))$x)
  list(frame = own_frame(), my_scores = stats::rnorm(rows("test")),
       lightgbm_scores = stats::rnorm(rows("test")),
       lightgbm_raw = matrix(stats::rnorm(rows("vali") * 3), ncol = 3L),
       lightgbm_test_raw = matrix(stats::rnorm(rows("test") * 3), ncol = 3L))
}
