# Mixtures of the predictions that bench/members-cache.R saved. A set of rankers is weighted on one half of
# the validation queries and measured on the other half, and the other way round. This takes a fraction of a
# second. For each classifier the T of its best member on the tuning half is used.

source("bench/members-cache.R")

columns_of <- function(matrix) lapply(seq_len(ncol(matrix)), function(i) matrix[, i])
evaluator_of <- function(half) internal$new_evaluator(rankmix::metric_ndcg(10), half, 1L)

# Predictions of rankers on the halves of a part, at one T. One file keeps the predictions of a part.
compact_part <- function(part, names) {
  file <- sprintf(".build/members-%s-%s.rds", part[1L], part[2L])
  made <- if (file.exists(file)) readRDS(file) else list(list(), list())
  lacking <- Filter(function(name) is.null(made[[1L]][[name]]) && file.exists(kept_in(part, name)), names)
  halves <- unname(halves_of(read_part(part)$valid))
  evaluators <- lapply(halves, evaluator_of)
  for (name in lacking) {
    kept <- readRDS(kept_in(part, name))$halves
    for (tune in 1:2) made[[tune]][[name]] <- at_best_rounds(kept[[tune]], evaluators[[tune]])
  }
  if (length(lacking) > 0L) saveRDS(made, file)
  list(part = part, halves = halves, evaluators = evaluators, kept = made)
}
at_best_rounds <- function(half, evaluator) {
  own <- lapply(half$stages, function(stage) internal$member_values(evaluator, columns_of(stage$tune)))
  top <- vapply(own, function(values) {
    mean(utils::head(sort(colMeans(values, na.rm = TRUE), decreasing = TRUE), 5L))
  }, 0)
  best <- which.max(top)
  c(half$stages[[best]], list(own = own[[best]], calibrator = half$cells$calibrator))
}

# Members of a set: their matrices for the tuning half and for the other half, and their metric on the tuning
# half.
members_of <- function(opened, tune, set) {
  kept <- opened$kept[[tune]][set]
  together <- function(name) do.call(cbind, lapply(kept, `[[`, name))
  list(tune = together("tune"), other = together("other"), own = together("own"),
       ranker = rep(set, vapply(kept, function(one) ncol(one$tune), 0L)), evaluator = opened$evaluators[[tune]])
}
# `weighting` returns weights of members; `prepare` changes the members first.
half_values <- function(opened, tune, set, weighting, prepare) {
  members <- prepare(members_of(opened, tune, set), opened, tune)
  mixed <- drop(members$other %*% weighting(members))
  evaluator <- opened$evaluators[[3L - tune]]
  internal$evaluate_weights(evaluator, list(mixed), matrix(1), evaluator$weights)[, 1L]
}
as_they_are <- function(members, opened, tune) members
scaled <- function(members, opened, tune) {
  by <- apply(members$tune, 2L, internal$spread_scale)
  members$tune <- sweep(members$tune, 2L, by, `*`)
  members$other <- sweep(members$other, 2L, by, `*`)
  members
}
by_query <- function(members, opened, tune) {
  standardized <- function(scores, data) internal$standardize_features(scores, data$order, data$offsets, 1L)
  members$tune <- standardized(members$tune, opened$halves[[tune]])
  members$other <- standardized(members$other, opened$halves[[3L - tune]])
  members
}
# Replaces the members of a ranker by one member, their mean.
one_a_ranker <- function(members, opened, tune) {
  means <- function(scores) {
    vapply(unique(members$ranker), function(name) {
      rowMeans(scores[, members$ranker == name, drop = FALSE])
    }, numeric(nrow(scores)))
  }
  members$tune <- means(members$tune)
  members$other <- means(members$other)
  members$own <- internal$member_values(members$evaluator, columns_of(members$tune))
  members$ranker <- unique(members$ranker)
  members
}

# Exponential weights. `group` maps rankers to the groups of the prior.
exponential <- function(c = internal$default_c, group = identity, choose = "averaged") {
  function(members) {
    evaluator <- members$evaluator
    prior <- internal$prior_weights(group(members$ranker))
    omega <- internal$mean_values(members$own, evaluator$weights)
    weights <- vapply(c, function(c) internal$exponential_weights(c, omega, -Inf, prior), omega)
    weights <- matrix(weights, length(omega))
    if (length(c) == 1L) return(weights[, 1L])
    per_query <- internal$evaluate_weights(evaluator, columns_of(members$tune %*% weights), diag(length(c)))
    value <- internal$mean_values(per_query, evaluator$weights)
    if (choose == "best") return(weights[, which.max(value)])
    drop(weights %*% internal$setting_fractions(internal$behind_best(per_query, value, evaluator$weights)))
  }
}
# Coordinate ascent, shrunk to equal weights.
ascent <- function(shrinkage) {
  function(members) {
    evaluator <- members$evaluator
    found <- internal$found_weights(columns_of(members$tune), evaluator, evaluator$weights)
    (1 - shrinkage) * found + shrinkage * internal$prior_weights(members$ranker)
  }
}

# The metric of each query, by collection.
mixture_queries <- function(opened, set, weighting, prepare = as_they_are) {
  values <- lapply(opened, function(one) {
    c(half_values(one, 1L, set, weighting, prepare), half_values(one, 2L, set, weighting, prepare))
  })
  tapply(values, vapply(opened, function(one) one$part[1L], ""), unlist, simplify = FALSE)
}
# The weights that are best on the other half. No weighting method can know them; they are an upper bound.
at_best <- function(opened, set, prepare = as_they_are) {
  turned <- function(members, one, tune) {
    members <- prepare(members, one, tune)
    members$evaluator <- one$evaluators[[3L - tune]]
    members$tune <- members$other
    members$own <- internal$member_values(members$evaluator, columns_of(members$tune))
    members
  }
  list(exponential = mixture_queries(opened, set, exponential(choose = "best"), turned),
       ascent = mixture_queries(opened, set, ascent(0), turned))
}
