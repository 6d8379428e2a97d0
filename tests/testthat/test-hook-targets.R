targets_folder <- function() system.file("targets", package = "rankmix", mustWork = TRUE)

pipeline_sessions <- function() {
  data <- simulate_ranking(80, documents = 8, features = 5, seed = 3)$data
  data.frame(data$x, grade = data$relevance, session = data$query)
}

test_that("the pipeline of the article makes each target once, again if the data change", {
  make <- from_package("targets", "tar_make")
  read <- function(name) getExportedValue("targets", "tar_read_raw")(name)
  withr::local_dir(withr::local_tempdir())
  file.copy(file.path(targets_folder(), "_targets.R"), ".")
  sessions <- pipeline_sessions()
  utils::write.csv(sessions, "sessions.csv", row.names = FALSE)
  run <- function() {
    withr::local_envvar(TZ = "UTC")  # a package asks the system for the time zone
    make(reporter = "silent")
    progress <- getExportedValue("targets", "tar_progress")()
    stats::setNames(progress$progress, progress$name)
  }
  names <- c("file", "data", "parts", "tuned", "test", "model")
  expect_identical(run()[names], stats::setNames(rep("completed", 6), names))
  # The targets have the values of this process.
  data <- ranking_data(utils::read.csv("sessions.csv"), relevance = grade, query = session)
  parts <- split_parts(split_queries(data, c(train = 0.6, valid = 0.2, test = 0.2), seed = 1), data)
  tuned <- tune_ranker(lambdamart(trees = 200), parts$train, parts$valid, budget = 8, seed = 1, verbose = FALSE)
  model <- read("tuned")$model
  expect_identical(predict(model, parts$test), predict(tuned, parts$test))
  expect_identical(read("test"), evaluate(tuned$model, parts$test, "ndcg@10(ties = \"average\")"))
  expect_identical(predict(read_model("model.json"), parts$test), predict(model, parts$test))
  expect_identical(run()[names], stats::setNames(rep("skipped", 6), names))
  sessions$grade <- rev(sessions$grade)
  utils::write.csv(sessions, "sessions.csv", row.names = FALSE)
  expect_identical(run()[names], stats::setNames(rep("completed", 6), names))
  expect_false(identical(predict(read("tuned")$model, parts$test), predict(model, parts$test)))
})

test_that("the pipeline is code that rankmix has", {
  calls <- all.names(parse(file.path(targets_folder(), "_targets.R")))
  ours <- c("ranking_data", "split_parts", "split_queries", "tune_ranker", "lambdamart", "evaluate", "write_model")
  expect_true(all(ours %in% calls))
  expect_true(all(ours %in% getNamespaceExports("rankmix")))
})
