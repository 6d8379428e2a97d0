# The training and the measurements of bench/smoothrank.R: the parts of the collections, paths of smoothrank()
# with the weights of all stages, and choices on validation queries.

penalties <- 10^(-6:3)
few_penalties <- 10^c(-2, 0, 2)  # for experiments that train many models
schedule <- 2^(6:-6)
cuts <- c(1, 3, 5, 10, 50)

# `train`, `valid` and `test` of each part. Each simulated part has its own true weights.
read_parts <- function(collection) {
  if (collection == "simulated") {
    return(lapply(1:3, function(seed) simulated_part(seed, 100)))
  }
  lapply(1:5, function(fold) {
    lapply(c(train = "train.txt", valid = "vali.txt", test = "test.txt"), function(name) {
      read_letor(file.path(data_folder(collection, paste0("Fold", fold)), name))
    })
  })
}

simulated_part <- function(seed, queries, tests = 1000) {
  data <- simulate_ranking(500 + 100 + tests, seed = seed)$data
  # The validation and test queries are the same for each number of training queries.
  list(train = data[seq_len(queries)], valid = data[501:600], test = data[600 + seq_len(tests)])
}

# All steps of a path: for each penalty the weights of all stages, and the average of the weights.
smooth_path <- function(part, start = "ridge", centre = NULL, schedule = 2^(6:-6),
                        penalty = penalties, metric = metric_ndcg(50), form = "places") {
  spec <- smoothrank(metric, start = start, centre = centre, schedule = schedule,
                     penalty = penalty, form = form)
  seconds <- system.time({
    model <- suppressWarnings(fit(spec, part$train, part$valid, metric = metric_ndcg(50), threads = 1,
                                  verbose = FALSE))
  })[["user.self"]]
  steps <- if (length(penalty) > 1L) model$path else list(model)
  list(penalty = penalty, schedule = schedule, seconds = seconds,
       averaged = if (length(penalty) > 1L) model$weights,
       weights = lapply(steps, `[[`, "stage_weights"), stages = lapply(steps, `[[`, "stages"))
}

# Queries x columns of scores.
values_of <- function(scores, data, metric) {
  columns <- as.data.frame(scores)
  names(columns) <- paste0("m", seq_along(columns))
  found <- evaluate(columns, data, metric, threads = 1)
  values <- do.call(cbind, split(found$value, factor(found$ranker, names(columns))))
  values[is.nan(values)] <- NA
  unname(values)
}
means_of <- function(scores, data, metric) colMeans(values_of(scores, data, metric), na.rm = TRUE)

# Means of a metric, stages x penalties.
path_means <- function(path, data, metric) {
  means <- vapply(path$weights, function(w) means_of(data$x %*% w, data, metric),
                  numeric(length(path$schedule)))
  matrix(means, length(path$schedule))
}

# The penalty with the best NDCG@50 on validation queries after the last stage; if two are equal, the larger
# one.
choose_penalty <- function(path, part) {
  valid <- path_means(path, part$valid, metric_ndcg(50))
  last <- valid[nrow(valid), ]
  max(which(last == max(last)))
}

# The weights after the last stage, for the chosen penalty.
final_weights <- function(path, part) {
  path$weights[[choose_penalty(path, part)]][, length(path$schedule)]
}

scores_by <- function(weights, data) drop(data$x %*% weights)

# The best width and penalty of fits that are not annealed, on validation queries.
fixed_weights <- function(part, start, widths = schedule, penalty = penalties) {
  paths <- lapply(widths, function(sigma) {
    smooth_path(part, start, schedule = sigma, penalty = penalty)
  })
  valid <- vapply(paths, function(path) path_means(path, part$valid, metric_ndcg(50)),
                  numeric(length(penalty)))
  best <- arrayInd(which.max(valid), c(length(penalty), length(widths)))
  list(weights = paths[[best[2L]]]$weights[[best[1L]]][, 1L], sigma = widths[best[2L]],
       penalty = penalty[best[1L]])
}

plain_weights <- function(spec, part) {
  model <- fit(spec, part$train, part$valid, metric = metric_ndcg(50), threads = 1, verbose = FALSE)
  weights <- coef(model)
  unname(weights[names(weights) != "(Intercept)"])
}

# The starts of section 4.4.1, as vectors of numbers, so that every run uses the same starts.
starts_of <- function(part) {
  list(ridge = plain_weights(linear_ranker(), part),
       `least squares` = plain_weights(linear_ranker(penalty = 0), part),
       zero = rep(0, ncol(part$train$x)),
       RankSVM = plain_weights(ranksvm(), part))
}

# Rows of differences between columns of scores, with an interval and the p of a paired t test over
# the queries of all parts. `tests` are lists of score columns, one list a part.
differences <- function(tests, parts, pairs, metric) {
  values <- do.call(rbind, Map(function(scores, part) {
    values <- values_of(scores, part$test, metric)
    colnames(values) <- names(scores)
    values
  }, tests, parts))
  do.call(rbind, lapply(pairs, function(pair) {
    change <- values[, pair[1L]] - values[, pair[2L]]
    change <- change[!is.na(change)]
    same <- stats::sd(change) == 0
    test <- if (!same) stats::t.test(change)
    data.frame(a = pair[1L], b = pair[2L], metric = format(metric), queries = length(change),
               effect = mean(change), low = if (same) mean(change) else test$conf.int[1L],
               high = if (same) mean(change) else test$conf.int[2L],
               p = if (same) 1 else test$p.value, sd = stats::sd(change))
  }))
}
