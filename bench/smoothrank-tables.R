# The tables and figures of SmoothRank (Chapelle and Wu 2010) as functions of the parts of a
# collection and of their annealed paths. Sourced after bench/smoothrank-runs.R, by
# bench/smoothrank.R and by reproduce/.

ndcg10 <- metric_ndcg(10, empty = 1)

# Annealed paths with all their stages, started from ridge. Most tables use them.
main_paths <- function(parts) {
  lapply(parts, function(part) {
    start <- plain_weights(linear_ranker(), part)
    path <- smooth_path(part, start)
    list(start = start, path = path, chosen = choose_penalty(path, part))
  })
}

weights_of <- function(own) own$path$weights[[own$chosen]][, length(schedule)]

# Figure 1: the smooth NDCG of training queries along a random direction.
figure1 <- function(own, part, widths = c(64, 1, 1 / 8, 1 / 64), steps = seq(-1, 1, 0.02)) {
  set.seed(1)
  w <- weights_of(own)
  direction <- stats::rnorm(length(w))
  along <- function(t, sigma) {
    mean(bound_smooth_error(scores_by(w + t * direction, part$train), part$train, sigma, 50,
                            threads = 1)$smooth, na.rm = TRUE)
  }
  exact <- means_of(part$train$x %*% (w + outer(direction, steps)), part$train,
                    metric_ndcg(50, empty = "drop"))
  rbind(
    do.call(rbind, lapply(widths, function(sigma) {
      data.frame(sigma = sigma, t = steps, value = vapply(steps, along, 0, sigma = sigma))
    })),
    data.frame(sigma = 0, t = steps, value = exact)
  )
}

# Figure 2: NDCG@50 of the training, and the test queries, stage by stage.
figure2 <- function(mains, parts) {
  do.call(rbind, lapply(seq_along(parts), function(i) {
    w <- mains[[i]]$path$weights[[mains[[i]]$chosen]]
    data.frame(part = i, sigma = schedule,
               train = means_of(parts[[i]]$train$x %*% w, parts[[i]]$train, metric_ndcg(50)),
               test = means_of(parts[[i]]$test$x %*% w, parts[[i]]$test, metric_ndcg(50)))
  }))
}

# Test scores after three of the stages.
late <- c(`2^6` = 64, `2^-2` = 0.25, `2^-6` = 0.015625)
stage_scores <- function(mains, parts) {
  Map(function(own, part) {
    w <- own$path$weights[[own$chosen]][, match(late, schedule)]
    stats::setNames(as.list(as.data.frame(part$test$x %*% w)), names(late))
  }, mains, parts)
}

# Training with and without annealing, from four starts, with the ridge weights as centre. For each penalty:
# the objective at the last width, and the distance from w0 after the first width. And the test scores for the
# chosen penalty.
starts <- function(mains, parts) {
  found <- Map(starts_of_part, mains, parts, seq_along(parts))
  list(rows = do.call(rbind, lapply(found, `[[`, "rows")), tests = lapply(found, `[[`, "scores"))
}

starts_of_part <- function(own, part, number) {
  centre <- own$start
  all <- starts_of(part)
  scores <- rows <- list()
  for (name in names(all)) {
    for (annealed in c(TRUE, FALSE)) {
      path <- smooth_path(part, all[[name]], centre, if (annealed) schedule else 2^-6,
                          few_penalties)
      label <- paste(name, if (annealed) "annealed" else "direct")
      scores[[label]] <- scores_by(final_weights(path, part), part$test)
      rows[[label]] <- data.frame(
        part = number, start = name, annealed = annealed, penalty = few_penalties,
        objective = vapply(path$stages, function(stages) stages$objective[nrow(stages)], 0),
        train = path_means(path, part$train, metric_ndcg(50))[length(path$schedule), ],
        begin = sqrt(sum((all[[name]] - centre)^2) / sum(centre^2)),
        first = vapply(path$weights, function(w) {
          sqrt(sum((w[, 1L] - centre)^2) / sum(centre^2))
        }, 0)
      )
    }
  }
  fixed <- fixed_weights(part, centre, 2^c(0, -2, -4, -6), few_penalties)
  scores[["best fixed width"]] <- scores_by(fixed$weights, part$test)
  list(rows = do.call(rbind, rows), scores = scores)
}

# Table 3: NDCG at several cuts, for models trained for each of these cuts.
trained_cuts <- c(1, 3, 10, 50, Inf)
table3 <- function(mains, parts, penalty = few_penalties) {
  lapply(seq_along(parts), function(i) {
    part <- parts[[i]]
    scores <- lapply(trained_cuts, function(k) {
      path <- smooth_path(part, mains[[i]]$start, penalty = penalty, metric = metric_ndcg(k))
      scores_by(final_weights(path, part), part$test)
    })
    stats::setNames(scores, paste0("k=", trained_cuts))
  })
}

# Results by the centre of the penalty, which is also the start. Also with the start ridge and the centre 0.
centres <- function(mains, parts, penalty = few_penalties) {
  lapply(seq_along(parts), function(i) {
    part <- parts[[i]]
    all <- starts_of(part)
    run <- function(start, centre) {
      path <- smooth_path(part, start, centre, penalty = penalty)
      scores_by(final_weights(path, part), part$test)
    }
    c(list(ridge = scores_by(weights_of(mains[[i]]), part$test)),
      lapply(all[c("least squares", "zero", "RankSVM")], function(w) run(w, w)),
      list(`ridge around 0` = run(all$ridge, all$zero)))
  })
}

# Test scores of other rankers, which are not annealed.
others <- function(parts) {
  lapply(parts, function(part) {
    score <- function(spec, patience = NULL, of = part) {
      model <- suppressWarnings(fit(spec, of$train, of$valid, metric = metric_ndcg(50), seed = 1,
                                    threads = 1, patience = patience, verbose = FALSE))
      predict(model, of$test)
    }
    boosted <- function(objective) {
      score(gbrt(trees = 300, num_leaves = 8, learning_rate = 0.1, objective = objective), patience = 100)
    }
    list(ridge = score(linear_ranker()),
         `balanced ridge` = score(linear_ranker(loss_squared(class_weight = "balanced"))),
         RankSVM = score(ranksvm()),
         `linear ListNet` = score(linear_ranker(loss_softmax())),
         `coordinate ascent` = score(coordinate_ascent(metric_ndcg(50), restarts = 1)),
         `best feature` = score(best_feature()),
         `network, squared` = score(network_ranker(loss_squared("gain"), hidden = 10, epochs = 200,
                                         learning_rate = 0.01)),
         `network, smooth` = score(network_ranker(loss_smooth(metric_ndcg(50), 1), hidden = 10, epochs = 200,
                                        learning_rate = 0.01)),
         `trees, smooth` = boosted(loss_smooth(metric_ndcg(50))),
         `trees, squared` = boosted(loss_squared("gain")),
         `kernel ridge` = score(linear_ranker(), of = mapped_part(part)))
  })
}

mapped_part <- function(part) {
  map <- kernel_features(part$train, rank = 100, seed = 1)
  lapply(part, function(data) predict(map, data))
}

# SmoothRank of the features and of a kernel's features, with all other rankers.
rivals <- function(mains, parts, others) {
  Map(function(own, part, scores) {
    mapped <- mapped_part(part)
    path <- smooth_path(mapped, plain_weights(linear_ranker(), mapped), penalty = few_penalties)
    c(list(SmoothRank = scores_by(weights_of(own), part$test),
           `averaged SmoothRank` = scores_by(own$path$averaged, part$test),
           `kernel SmoothRank` = scores_by(final_weights(path, mapped), mapped$test)), scores)
  }, mains, parts, others)
}

# Simulated: the training value minus the test value, by stage and number of training queries.
overfitting <- function(counts = c(20, 60, 500), seeds = 1:3) {
  do.call(rbind, lapply(counts, function(count) {
    do.call(rbind, lapply(seeds, function(seed) {
      part <- simulated_part(seed, count)
      path <- smooth_path(part, plain_weights(linear_ranker(), part), penalty = 0.01)
      w <- path$weights[[1L]]
      data.frame(queries = count, seed = seed, sigma = schedule,
                 train = means_of(part$train$x %*% w, part$train, metric_ndcg(50)),
                 test = means_of(part$test$x %*% w, part$test, metric_ndcg(50)))
    }))
  }))
}

# Chooses the penalty alone, and penalty and width, on bootstrap samples of the validation queries. The chosen
# models are measured on the test queries.
choices <- function(mains, parts, samples = 200) {
  do.call(rbind, lapply(seq_along(parts), function(i) {
    part <- parts[[i]]
    all <- do.call(cbind, mains[[i]]$path$weights)  # stages within penalties
    valid <- values_of(part$valid$x %*% all, part$valid, metric_ndcg(50))
    test <- means_of(part$test$x %*% all, part$test, ndcg10)
    last <- seq_along(penalties) * length(schedule)
    set.seed(i)
    do.call(rbind, lapply(seq_len(samples), function(draw) {
      means <- colMeans(valid[sample(nrow(valid), replace = TRUE), ])
      data.frame(part = i, draw = draw, penalty = test[last[which.max(means[last])]],
                 both = test[which.max(means)])
    }))
  }))
}

# SmoothAP by both formulas, and SmoothNDCG: mean average precision.
precisions <- function(mains, parts, penalty = few_penalties) {
  lapply(seq_along(parts), function(i) {
    part <- parts[[i]]
    run <- function(form) {
      path <- smooth_path(part, mains[[i]]$start, penalty = penalty,
                          metric = metric_average_precision(), form = form)
      scores_by(final_weights(path, part), part$test)
    }
    list(SmoothNDCG = scores_by(weights_of(mains[[i]]), part$test),
         ridge = scores_by(mains[[i]]$start, part$test), product = run("places"),
         rank = run("logistic"))
  })
}

# The error of the smooth NDCG beside its bound, for the widths of the stages and smaller widths.
errors <- function(own, part) {
  scores <- scores_by(weights_of(own), part$test)
  do.call(rbind, lapply(2^seq(6, -44, -2), function(sigma) {
    sides <- stats::na.omit(bound_smooth_error(scores, part$test, sigma, 50, threads = 1))
    data.frame(sigma = sigma, error = mean(sides$error), bound = mean(sides$bound),
               broken = sum(sides$error > sides$bound + 1e-12), queries = nrow(sides))
  }))
}

# Seconds of the first stages by the number of documents per query. The total number of documents is the same.
growth <- function(sizes = c(50, 100, 200, 400, 800)) {
  do.call(rbind, lapply(c(10, Inf), function(k) {
    do.call(rbind, lapply(sizes, function(m) {
      data <- simulate_ranking(16000 / m, documents = m, seed = 1)$data
      part <- list(train = data, valid = data[1:5])
      path <- smooth_path(part, plain_weights(linear_ranker(penalty = 0.1), part), penalty = 1,
                          schedule = 1, metric = metric_ndcg(k))
      data.frame(k = k, documents = m, seconds = path$seconds,
                 evaluations = sum(path$stages[[1L]]$evaluations))
    }))
  }))
}
