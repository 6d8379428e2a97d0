# Pooled differences of random data sets by the package metafor, for tests/testthat/test-compare-effects.R.
# Writes tests/testthat/fixtures/effects-metafor.csv.
#
#   Rscript data-raw/effects-metafor.R
#
# metafor 3.8-1. Its default tolerance leaves errors in the third digit of tau^2, so that it is smaller here.

tight <- list(threshold = 1e-14, tol = 1e-14, maxiter = 10000, stepadj = 0.5)

pooled <- function(case, y, se, estimator) {
  model <- metafor::rma(yi = y, sei = se, method = estimator, test = "knha", control = tight)
  plain <- metafor::rma(yi = y, sei = se, method = estimator, control = tight)
  new <- metafor::predict.rma(model)
  data.frame(case = case, estimator = estimator, mean = model$beta[1L], se = model$se, p = model$pval,
             lower = model$ci.lb, upper = model$ci.ub, tau2 = model$tau2, i2 = model$I2 / 100,
             q = model$QE, p_q = model$QEp, predicted_lower = new$pi.lb, predicted_upper = new$pi.ub,
             se_normal = plain$se)
}

cases <- lapply(c(2, 3, 3, 5, 8, 20), function(sets) sets)
rows <- list()
for (case in seq_along(cases)) {
  set.seed(case)
  y <- round(rnorm(cases[[case]], 0.01, 0.03), 3)
  se <- round(runif(cases[[case]], 0.005, 0.03), 3)
  for (estimator in c("REML", "PM", "DL")) rows <- c(rows, list(pooled(case, y, se, estimator)))
}
write.csv(format(do.call(rbind, rows), digits = 12), "tests/testthat/fixtures/effects-metafor.csv",
          row.names = FALSE, quote = FALSE)
