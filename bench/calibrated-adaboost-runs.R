# The experiments of Ranking by calibrated AdaBoost (2011), for data-raw/calibrated-adaboost.R and reproduce/.
# one_part() runs all of them for one part of a collection, with the settings below.

rounds <- 200
learners <- list(`tree(8)` = base_tree(8), `tree(16)` = base_tree(16),
                 `product(2)` = base_product(2), `product(4)` = base_product(4))
calibrators <- list(none = calibrator_naive(score = "grade"), linear = calibrator_rbc("linear"),
                    logistic = calibrator_rbc("logistic"), polynomial = calibrator_rbc("polynomial"),
                    network = calibrator_rbc("network"), process = calibrator_rbc("gaussian_process"))
feature_sets <- list(original = identity,
                     standardized = function(data) standardize_queries(data, add = TRUE),
                     whitened = function(data) whiten_queries(data, add = TRUE))
cs <- c(0, 1, 2, 5, 10, 20, 50, 100, 200)
kept_fractions <- c(1, 0.75, 0.5, 0.25, 0.1, 0.03)

read_part <- function(collection, number) {
  if (collection == "simulated") {
    made <- simulate_ranking(1700, seed = number)$data
    return(list(train = made[1:500], valid = made[501:700], test = made[701:1700]))
  }
  folder <- if (collection == "MSLR-sample") collection else {
    file.path(collection, paste0("Fold", number))
  }
  lapply(c(train = "train.txt", valid = "vali.txt", test = "test.txt"), function(name) {
    read_letor(file.path(data_folder(folder), name))
  })
}

# Every combination of learner, set of features and grouping; and the bandit on standardised features.
model_grid <- function(grades) {
  groupings <- c("identity", "binary", if (grades == 5L) c("three", "top", "four"))
  full <- expand.grid(learner = names(learners), features = names(feature_sets),
                      grouping = groupings, search = "full", stringsAsFactors = FALSE)
  arms <- full[full$features == "standardized" & full$grouping == "identity", ]
  arms$search <- "bandit"
  rbind(full, arms)
}

# The scores of one model by each calibrator, on the validation and the test queries.
member_scores <- function(model, set) {
  raw <- lapply(set, function(data) predict(model, data, type = "raw"))
  lapply(calibrators, function(method) {
    if (method$name == "naive") {
      fitted <- calibrate(model, set$calibration, method)
      return(list(valid = predict(fitted, set$valid), test = predict(fitted, set$test)))
    }
    fitted <- calibrate(raw$calibration, set$calibration, method)
    list(valid = predict(fitted, raw$valid), test = predict(fitted, raw$test))
  })
}

# Queries x columns of scores.
values_of <- function(scores, data, metric) {
  columns <- as.data.frame(scores)
  names(columns) <- paste0("m", seq_along(columns))
  found <- evaluate(columns, data, metric)
  values <- do.call(cbind, split(found$value, factor(found$ranker, names(columns))))
  values[is.nan(values)] <- NA
  unname(values)
}

# For each c and number of best members that are kept: the mixture's scores of `part`.
mixtures <- function(scores, omega, settings) {
  order <- order(-omega)
  weights <- mapply(function(c, kept) {
    weight <- exp(c * (omega - max(omega)))
    weight[order[-seq_len(kept)]] <- 0
    weight / sum(weight)
  }, settings$c, settings$members)
  scores %*% weights
}

# c and the number of members chosen on the validation queries. Values of the test queries for
# the choice, and means of all settings on both parts.
tune <- function(pool, scores, omega, data, metric) {
  settings <- expand.grid(c = cs, kept = kept_fractions)
  settings$members <- pmax(1, round(settings$kept * sum(pool)))
  mixed <- lapply(scores, function(all) mixtures(all[, pool, drop = FALSE], omega[pool], settings))
  valid <- values_of(mixed$valid, data$valid, metric)
  test <- values_of(mixed$test, data$test, metric)
  settings$valid <- colMeans(valid, na.rm = TRUE)
  settings$test <- colMeans(test, na.rm = TRUE)
  best <- which.max(settings$valid)
  list(surface = settings, chosen = settings[best, ], test = test[, best])
}

# The mean over members of one kind minus the mean over members of the other kind, for each query. The grid is
# complete, so each member has a partner that differs only in the kind.
less <- function(values, one, other) {
  if (!any(one) || !any(other)) {
    return(NULL)
  }
  rowMeans(values[, one, drop = FALSE]) - rowMeans(values[, other, drop = FALSE])
}

single_differences <- function(m, values) {
  full <- m$search == "full"
  plain <- m$features == "standardized" & m$grouping == "identity"
  list(
    bandit = less(values, m$search == "bandit", full & plain),
    standardized = less(values, full & m$features == "standardized",
                        full & m$features == "original"),
    whitened = less(values, full & m$features == "whitened", full & m$features == "original"),
    whitened_standardized = less(values, full & m$features == "whitened",
                                 full & m$features == "standardized"),
    three = less(values, full & m$grouping == "three", full & m$grouping == "identity"),
    top = less(values, full & m$grouping == "top", full & m$grouping == "identity"),
    four = less(values, full & m$grouping == "four", full & m$grouping == "identity"),
    binary = less(values, full & m$grouping == "binary", full & m$grouping == "identity"),
    trees = less(values, full & m$family == "tree", full & m$family == "product"),
    calibrated = less(values, full & m$calibrator != "none", full & m$calibrator == "none")
  )
}

# The spread of each query: the standard deviation of its values over the calibrators of one model. The result
# is the mean over the models of a grouping.
spread_by_grouping <- function(m, values, grouping, calibrators) {
  own <- which(m$search == "full" & m$grouping == grouping & m$calibrator %in% calibrators)
  if (length(own) == 0L) {
    return(NULL)
  }
  spreads <- vapply(split(own, m$model[own]), function(columns) {
    apply(values[, columns, drop = FALSE], 1L, stats::sd)
  }, numeric(nrow(values)))
  rowMeans(spreads)
}

aggregations <- c("borda", "mc1", "mc2", "mc3", "mc4", "borda_chain")

one_part <- function(collection, number) {
  data <- read_part(collection, number)
  grades <- if (collection %in% c("simulated", "MSLR-sample")) 5L else 3L
  metric <- metric_err(max_grade = grades - 1L)
  split <- split_parts(split_queries(data$train, 0.8, seed = number), data$train)
  data <- list(train = split$train, calibration = split$test, valid = data$valid,
               test = data$test)
  sets <- lapply(feature_sets, function(make) lapply(data, make))
  grid <- model_grid(grades)
  models <- lapply(seq_len(nrow(grid)), function(i) {
    search <- if (grid$search[i] == "bandit") search_bandit() else "full"
    spec <- adaboost_mh(learners[[grid$learner[i]]], rounds, grouping = grid$grouping[i],
                        search = search)
    fit(spec, sets[[grid$features[i]]]$train, seed = i, verbose = FALSE)
  })
  made <- lapply(seq_along(models), function(i) {
    member_scores(models[[i]], sets[[grid$features[i]]])
  })
  m <- grid[rep(seq_len(nrow(grid)), each = length(calibrators)), ]
  rownames(m) <- NULL
  m$model <- rep(seq_len(nrow(grid)), each = length(calibrators))
  m$calibrator <- rep(names(calibrators), nrow(grid))
  m$family <- sub("\\(.*", "", m$learner)
  flat <- unlist(made, recursive = FALSE)
  scores <- lapply(c(valid = "valid", test = "test"), function(part) {
    vapply(flat, `[[`, numeric(nrow(data[[part]])), part)
  })
  values <- lapply(c(valid = "valid", test = "test"), function(part) {
    values_of(scores[[part]], data[[part]], metric)
  })
  m$valid <- colMeans(values$valid, na.rm = TRUE)
  m$test <- colMeans(values$test, na.rm = TRUE)

  pool <- m$search == "full"
  first <- which.max(ifelse(pool, m$valid, -Inf))
  pools <- list(uncalibrated = pool & m$calibrator == "none",
                product = pool & m$family == "product",
                tree = pool & m$family == "tree", all = pool)
  tuned <- lapply(pools, tune, scores, m$valid, data, metric)
  mixed <- lapply(tuned, `[[`, "test")

  everything <- scores$test[, pool]
  colnames(everything) <- paste0("m", seq_len(ncol(everything)))
  ranked <- vapply(aggregations, function(method) {
    aggregate_ranks(everything, data$test, method)
  }, numeric(nrow(data$test)))
  ranked <- values_of(ranked, data$test, metric)

  # The inputs of the network are the raw outputs of four models: one for each learner, for all grades.
  four <- which(grid$search == "full" & grid$features == "standardized" &
                  grid$grouping == "identity")
  chain <- pair_chain(stats::setNames(models[four], grid$learner[four]),
                      sets$standardized$calibration, pairs = 3000)
  chained <- values_of(cbind(predict(chain, sets$standardized$test)), data$test, metric)[, 1L]
  same_four <- tune(m$model %in% four, scores, m$valid, data, metric)$test

  spread <- function(grouping, calibrators) {
    spread_by_grouping(m, values$test, grouping, calibrators)
  }
  monotone <- c("none", "linear", "logistic")
  five <- spread("identity", names(calibrators))
  three <- spread("three", names(calibrators))
  differences <- c(
    single_differences(m, values$test),
    list(binary_monotone = spread("binary", monotone),
         binary_all = spread("binary", names(calibrators)),
         spread_five = five, spread_three = three, spread_less = if (!is.null(three)) five - three,
         products_combined = mixed$product - mixed$tree,
         all_trees = mixed$all - mixed$tree,
         all_products = mixed$all - mixed$product,
         all_uncalibrated = mixed$all - mixed$uncalibrated,
         all_best = mixed$all - values$test[, first]),
    stats::setNames(lapply(seq_along(aggregations), function(j) ranked[, j] - mixed$all),
                    aggregations),
    list(pair_chain = chained - mixed$all, pair_chain_four = chained - same_four)
  )
  table3 <- data.frame(
    mixture = c("best member", names(pools), aggregations, "pair_chain"),
    valid = c(m$valid[first], vapply(tuned, function(t) t$chosen$valid, 0),
              rep(NA, length(aggregations) + 1L)),
    test = c(m$test[first], vapply(mixed, mean, 0, na.rm = TRUE),
             colMeans(ranked, na.rm = TRUE), mean(chained, na.rm = TRUE))
  )
  label <- data.frame(collection = collection, part = number)
  list(members = cbind(label, m[names(m) != "model"]), table3 = cbind(label, table3),
       surface = cbind(label, tuned$all$surface), queries = nrow(values$test),
       differences = Filter(Negate(is.null), differences))
}
