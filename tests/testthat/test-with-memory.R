test_that("each exported function of data names errors of memory", {
  namespace <- asNamespace("rankmix")
  wrapped <- function(name) {
    code <- body(get(name, namespace))
    is.call(code) && identical(code[[1L]], quote(naming_memory))
  }
  listed <- namespace$functions_of_data
  expect_identical(anyDuplicated(listed), 0L)
  expect_true(all(vapply(listed, wrapped, NA)))
  # These functions handle values, tables of results and formulas, and no documents.
  small <- paste0(
    "^(metric|loss|base|calibrator|fuse|mix|kernel|bound|diversity)_|^as_(metric|rset)$|_calibrators$|",
    "^(adaboost_mh|adarank|bagging|cascade|best_feature|cocr|coordinate_ascent|gbrt|lambdamart|linear_ranker|",
    "listnet|m5p|mcsvm|mixture|network_ranker|new_ranker|ranker_parameter|rankboost|ranknet|ranksvm|",
    "smoothrank|yetirank|yeti_confusion|search_bandit|default_members|tuning_grid|",
    "tuning_range|tuning_space)$|",
    "^(compare_over_datasets|conventions|detectable|fisher_combine|stouffer_combine|methods_sentence|",
    "paper_table|power_of|queries_needed|query_groups|query_loss|query_metrics?|query_blueprint|report|reporting_checklist|resampled_t|",
    "risk|data_source|relevance_breaks|mlr3_learner|mlr3_measure|mlr3_space|",
    "communicator|folder_communicator|mpi_communicator|provenance|check_bits)$"
  )
  # The first function needs one number and one string for each document. The second calls functions that are listed.
  small <- paste0(small, "|^(query_truth|train_parsnip)$")
  exported <- getNamespaceExports("rankmix")
  generics <- c("augment", "autoplot", "calibrate", "evaluate", "explain", "fit", "glance", "ranking_data",
                "tidy")
  others <- setdiff(exported, c(listed, generics))
  expect_identical(sort(others[!grepl(small, others)]), character())
})
