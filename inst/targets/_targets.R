# A pipeline of the package targets: from a file of sessions to a tested model and its file.
library(targets)
tar_option_set(packages = "rankmix")

list(
  tar_target(file, "sessions.csv", format = "file"),
  tar_target(data, ranking_data(read.csv(file), relevance = grade, query = session)),
  tar_target(parts, split_parts(split_queries(data, c(train = 0.6, valid = 0.2, test = 0.2), seed = 1), data)),
  tar_target(tuned, tune_ranker(lambdamart(trees = 200), parts$train, parts$valid, budget = 8, seed = 1,
                                verbose = FALSE)),
  tar_target(test, evaluate(tuned$model, parts$test, "ndcg@10(ties = \"average\")")),
  tar_target(model, {
    write_model(tuned$model, "model.json")
    "model.json"
  }, format = "file")
)
