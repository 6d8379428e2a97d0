# Averages the models of a path instead of choosing one. If few queries choose, several models are
# about equally good but rank differently. The mean of their scores ranks better than each.

averages_path <- function(model) {
  !is.null(model$path) && identical(model$spec$choose, "average")
}

# The weights of the models of the path, and of their start: features x candidates.
path_candidates <- function(model) {
  cbind(vapply(model$path, `[[`, model$path[[1L]]$weights, "weights"),
        start = model$path[[1L]]$start)
}

# `scores` has a column for each candidate. No candidate was trained on these documents.
average_path <- function(model, metric, scores, data, threads) {
  spreads <- apply(scores, 2L, score_spread, data$query)
  judged <- judged_documents(data)
  weights <- scaled_weights(judged$weight)
  weights <- if (is.null(weights)) rep(1, length(judged$query_ids)) else as.double(weights)
  metrics <- list(settle_metric(choosing_metric(metric), judged$relevance))
  per_query <- metric_matrix(metrics, scores, judged, threads)
  values <- query_means(per_query, weights)
  steps <- seq_along(model$path)
  model <- with_values(model, metric, values[steps])
  per_query[is.na(per_query) & !is.nan(per_query)] <- 0
  # Candidates whose scores tie within all queries rank nothing.
  values[spreads == 0] <- NA
  if (all(is.na(values))) {
    return(model)
  }
  fractions <- setting_fractions(behind_best(per_query, values, weights))
  # The mix is scaled so that the average has the scale of its parts, and a single candidate stays unchanged.
  mix <- ifelse(fractions > 0, fractions * sum(fractions * spreads) / spreads, 0)
  value <- metric_means(metric, scores %*% mix, data, threads)
  averaged_steps(model, stats::setNames(fractions, c(names(model$path), "start")), mix, metric, value)
}

# The standard deviation of scores within queries.
score_spread <- function(f, query) sqrt(mean((f - stats::ave(f, query))^2))

# A smoothrank() model whose weights are the sum of all candidates' weights times `mix`.
averaged_steps <- function(model, fractions, mix, metric, value) {
  steps <- unname(model$path)
  count <- length(steps)
  average <- steps[[1L]]
  average$spec <- model$spec
  average$stage_weights <- mix[count + 1L] * average$start +
    Reduce(`+`, Map(function(step, times) times * step$stage_weights, steps, mix[seq_len(count)]))
  average$weights <- average$stage_weights[, ncol(average$stage_weights)]
  average$stages <- averaged_stages(lapply(steps, `[[`, "stages"), fractions[seq_len(count)])
  average$metric <- metric
  average$value <- value
  structure(c(unclass(average), list(path = model$path, chosen = NA_integer_, fractions = fractions)),
            class = class(model))
}

averaged_stages <- function(stages, fractions) {
  sum_of <- function(name) Reduce(`+`, lapply(stages, `[[`, name))
  endings <- c("converged", "stalled", "limit")
  status <- do.call(pmax, lapply(stages, function(own) match(own$status, endings)))
  values <- vapply(stages, `[[`, stages[[1L]]$value, "value")
  data.frame(stages[[1L]][c("stage", "sigma")], status = endings[status], steps = sum_of("steps"),
             evaluations = sum_of("evaluations"), objective = NA_real_,
             value = drop(matrix(values, nrow(stages[[1L]])) %*% fractions) / sum(fractions))
}
