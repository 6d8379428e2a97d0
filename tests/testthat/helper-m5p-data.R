# The data on which data-raw/m5p-weka.R runs Weka's M5P: each case has a target and numeric features. The last
# two cases are computed by formulas. One has steps and bends. The other has few distinct values, a constant
# feature, and a feature that is twice another feature.
m5p_cases <- function() {
  wave <- function(i, k) (i * k * (sqrt(5) - 1) / 2) %% 1
  i <- seq_len(400)
  u <- sapply(c(1, 2.3, 3.7, 5.1, 7.9), function(k) wave(i, k))
  bends <- ifelse(u[, 1] < 0.37, 2 + 3 * u[, 2], 8 - 4 * u[, 3]) +
    ifelse(u[, 4] > 0.6, 5 * (u[, 5] - 0.5), 0) + 0.8 * (wave(i^1.5, 1) - 0.5)
  steps <- cbind(floor(5 * u[, 1]), floor(7 * u[, 2]), 3, floor(4 * u[, 3]))
  list(
    mtcars = as.matrix(mtcars),
    swiss = as.matrix(swiss),
    airquality = as.matrix(airquality[!is.na(airquality$Ozone), 1:5]),
    quakes = as.matrix(quakes[seq(1, 1000, by = 3), c("mag", "lat", "long", "depth", "stations")]),
    bends = cbind(y = bends, u),
    steps = cbind(y = steps[, 1] * steps[, 2] - steps[, 4]^2 + 2 * wave(i^1.3, 1),
                  steps, 2 * steps[, 1])
  )
}
# Options of Weka and the same options of m5p().
m5p_runs <- list(
  list(weka = "", given = list()),
  list(weka = "-N", given = list(prune = FALSE)),
  list(weka = "-U", given = list(smooth = FALSE)),
  list(weka = "-N -U -M 10", given = list(prune = FALSE, smooth = FALSE, min_data_in_split = 10)),
  list(weka = "-M 40", given = list(min_data_in_split = 40))
)
