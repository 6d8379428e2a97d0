# Small models of LightGBM and XGBoost with their scores and contributions, for test-import-*.R.
#
#   Rscript data-raw/imported-models.R
#
# Made with lightgbm 4.x of CRAN and with XGBoost 1.7.4, the package python3-xgboost of Debian 12. The data are
# imported_data() of tests/testthat/helper-import.R: simulated, with missing values and zeros.

suppressPackageStartupMessages(library(rankmix))
source("tests/testthat/helper-import.R")
folder <- file.path("tests", "testthat", "fixtures", "imported")
data <- imported_data()
x <- data$x
colnames(x) <- data$features

lightgbm_model <- function(name, missing_rule, objective = "lambdarank") {
  training <- lightgbm::lgb.Dataset(x, label = data$relevance, group = diff(data$offsets))
  settings <- c(list(objective = objective, num_leaves = 6L, min_data_in_leaf = 5L, learning_rate = 0.2,
                     verbose = -1L, num_threads = 1L, deterministic = TRUE), missing_rule)
  model <- lightgbm::lgb.train(settings, training, nrounds = 6L, verbose = -1L)
  lightgbm::lgb.save(model, file.path(folder, paste0("lightgbm-", name, ".txt")))
  list(score = predict(model, x, type = "raw"), shap = predict(model, x, type = "contrib"))
}

rules <- list(nan = list(), zero = list(zero_as_missing = TRUE), none = list(use_missing = FALSE),
              l1 = list())
lightgbm <- Map(function(name, rule) {
  lightgbm_model(name, rule, if (name == "l1") "regression_l1" else "lambdarank")
}, names(rules), rules)

exact <- function(x) format(x, digits = 17, trim = TRUE)
csv <- file.path(tempdir(), "data.csv")
write.csv(data.frame(query = data$query, grade = data$relevance, x), csv, row.names = FALSE, na = "nan")
status <- system2("/usr/bin/python3", c(file.path("data-raw", "imported-models.py"), csv, folder, tempdir()))
stopifnot(status == 0L)
xgboost <- lapply(c("ndcg", "logistic", "dart"), function(name) {
  read.csv(file.path(tempdir(), paste0(name, ".csv")), header = FALSE)
})
scores <- cbind(do.call(cbind, lapply(lightgbm, `[[`, "score")),
                ndcg = xgboost[[1L]][, 1L], logistic = xgboost[[2L]][, 1L], dart = xgboost[[3L]][, 1L])
write.csv(exact(as.data.frame(scores)), file.path(folder, "scores.csv"), row.names = FALSE, quote = FALSE)
# The last column is the mean.
few <- 1:20
shap <- data.frame(lightgbm = lightgbm$nan$shap[few, ], xgboost = as.matrix(xgboost[[1L]][few, -1L]))
write.csv(exact(shap), file.path(folder, "contributions.csv"), row.names = FALSE, quote = FALSE)
