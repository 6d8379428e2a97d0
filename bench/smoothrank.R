# SmoothRank against what Chapelle and Wu (2010) say of it. Writes bench/smoothrank.md, and leaves
# its numbers in .build/smoothrank.rds for data-raw/smoothrank.R.
#
#   Rscript bench/smoothrank.R [folder]
#
# Figures 1 and 2, table 3, and the claims of the paper, each with what was found. One penalty and
# one width are chosen on validation queries by NDCG@50, unless averaged is said; test queries
# choose nothing, and are looked at once for each table. Needs RANKMIX_DATA; some ten minutes on one
# thread. A `folder` keeps experiments that are done.

library(rankmix)
source("bench/common.R")
source("bench/smoothrank-runs.R")
source("bench/smoothrank-report.R")
options(rankmix.threads = 1L)

folder <- commandArgs(TRUE)[1L]
ndcg10 <- ndcg(10, empty = 1)

if (is.na(folder)) folder <- tempfile("smoothrank")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
dir.create(".build", showWarnings = FALSE)

# What is done already is not done again.
kept <- function(name, code) {
  file <- file.path(folder, paste0(name, ".rds"))
  if (file.exists(file)) {
    return(readRDS(file))
  }
  message(format(Sys.time(), "%H:%M:%S "), name)
  seconds <- system.time(result <- code)[["user.self"]]
  result <- list(found = result, seconds = seconds)
  saveRDS(result, file)
  result
}

collection_of <- function(own) names(parts)[vapply(parts, identical, NA, own)]
parts <- list(OHSUMED = read_parts("OHSUMED"), simulated = read_parts("simulated"))

# Annealed paths with all their stages, from ridge: most tables look at them.
main_paths <- function(parts) {
  lapply(parts, function(part) {
    start <- plain_weights(linear(), part)
    path <- smooth_path(part, start)
    list(start = start, path = path, chosen = choose_penalty(path, part))
  })
}
main <- lapply(names(parts), function(name) kept(paste0("main-", name), main_paths(parts[[name]])))
names(main) <- names(parts)
mains <- lapply(main, `[[`, "found")
weights_of <- function(own) own$path$weights[[own$chosen]][, length(schedule)]

# Figure 1: the smooth NDCG of training queries along a random direction.
figure1 <- function(own, part, widths = c(64, 1, 1 / 8, 1 / 64), steps = seq(-1, 1, 0.02)) {
  set.seed(1)
  w <- weights_of(own)
  direction <- stats::rnorm(length(w))
  along <- function(t, sigma) {
    mean(smooth_error_bound(scores_by(w + t * direction, part$train), part$train, sigma, 50,
                            threads = 1)$smooth, na.rm = TRUE)
  }
  exact <- means_of(part$train$x %*% (w + outer(direction, steps)), part$train,
                    ndcg(50, empty = "drop"))
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
               train = means_of(parts[[i]]$train$x %*% w, parts[[i]]$train, ndcg(50)),
               test = means_of(parts[[i]]$test$x %*% w, parts[[i]]$test, ndcg(50)))
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

# With and without annealing, from four starts, around the ridge: for each penalty the objective at
# the last width, and how far from w0 the first width leaves the weights; test scores by the penalty
# that is chosen.
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
        train = path_means(path, part$train, ndcg(50))[length(path$schedule), ],
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

# Table 3: NDCG at several cuts by the cut that is trained.
trained_cuts <- c(1, 3, 10, 50, Inf)
table3 <- function(mains, parts, penalty = few_penalties) {
  lapply(seq_along(parts), function(i) {
    part <- parts[[i]]
    scores <- lapply(trained_cuts, function(k) {
      path <- smooth_path(part, mains[[i]]$start, penalty = penalty, metric = ndcg(k))
      scores_by(final_weights(path, part), part$test)
    })
    stats::setNames(scores, paste0("k=", trained_cuts))
  })
}

# The centre, which is also the start; and from the ridge around 0.
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

# Rankers that are not annealed. Scores of the test queries.
others <- function(parts) {
  lapply(parts, function(part) {
    score <- function(spec, patience = NULL, of = part) {
      model <- suppressWarnings(fit(spec, of$train, of$valid, metric = ndcg(50), seed = 1,
                                    threads = 1, patience = patience, verbose = FALSE))
      predict(model, of$test)
    }
    boosted <- function(objective) {
      score(gbrt(trees = 300, leaves = 8, step = 0.1, objective = objective), patience = 100)
    }
    list(ridge = score(linear()),
         `balanced ridge` = score(linear(squared(class_weight = "balanced"))),
         RankSVM = score(ranksvm()),
         `linear ListNet` = score(linear(softmax())),
         `coordinate ascent` = score(coordinate_ascent(ndcg(50), restarts = 1)),
         `best feature` = score(best_feature()),
         `network, squared` = score(network(squared("gain"), hidden = 10, epochs = 200,
                                         step = 0.01)),
         `network, smooth` = score(network(smooth(ndcg(50), 1), hidden = 10, epochs = 200,
                                        step = 0.01)),
         `trees, smooth` = boosted(smooth(ndcg(50))),
         `trees, squared` = boosted(squared("gain")),
         `kernel ridge` = score(linear(), of = mapped_part(part)))
  })
}

mapped_part <- function(part) {
  map <- kernel_features(part$train, rank = 100, seed = 1)
  lapply(part, function(data) predict(map, data))
}

# Everybody else beside SmoothRank, of the features and of a kernel's.
rivals <- function(mains, parts, others) {
  Map(function(own, part, scores) {
    mapped <- mapped_part(part)
    path <- smooth_path(mapped, plain_weights(linear(), mapped), penalty = few_penalties)
    c(list(SmoothRank = scores_by(weights_of(own), part$test),
           `averaged SmoothRank` = scores_by(own$path$averaged, part$test),
           `kernel SmoothRank` = scores_by(final_weights(path, mapped), mapped$test)), scores)
  }, mains, parts, others)
}

# Training less test by stage and number of training queries, simulated.
overfitting <- function(counts = c(20, 60, 500), seeds = 1:3) {
  do.call(rbind, lapply(counts, function(count) {
    do.call(rbind, lapply(seeds, function(seed) {
      part <- simulated_part(seed, count)
      path <- smooth_path(part, plain_weights(linear(), part), penalty = 0.01)
      w <- path$weights[[1L]]
      data.frame(queries = count, seed = seed, sigma = schedule,
                 train = means_of(part$train$x %*% w, part$train, ndcg(50)),
                 test = means_of(part$test$x %*% w, part$test, ndcg(50)))
    }))
  }))
}

# Choices of the penalty alone, and of penalty and width, on bootstrap samples of the validation
# queries: what the test queries say of them.
choices <- function(mains, parts, samples = 200) {
  do.call(rbind, lapply(seq_along(parts), function(i) {
    part <- parts[[i]]
    all <- do.call(cbind, mains[[i]]$path$weights)  # stages within penalties
    valid <- values_of(part$valid$x %*% all, part$valid, ndcg(50))
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
                          metric = average_precision(), form = form)
      scores_by(final_weights(path, part), part$test)
    }
    list(SmoothNDCG = scores_by(weights_of(mains[[i]]), part$test),
         ridge = scores_by(mains[[i]]$start, part$test), product = run("places"),
         rank = run("logistic"))
  })
}

# The error of the smooth NDCG against its bound, stage widths and smaller ones.
errors <- function(own, part) {
  scores <- scores_by(weights_of(own), part$test)
  do.call(rbind, lapply(2^seq(6, -44, -2), function(sigma) {
    sides <- stats::na.omit(smooth_error_bound(scores, part$test, sigma, 50, threads = 1))
    data.frame(sigma = sigma, error = mean(sides$error), bound = mean(sides$bound),
               broken = sum(sides$error > sides$bound + 1e-12), queries = nrow(sides))
  }))
}

# Seconds of the first stages against documents a query, as many documents in all.
growth <- function(sizes = c(50, 100, 200, 400, 800)) {
  do.call(rbind, lapply(c(10, Inf), function(k) {
    do.call(rbind, lapply(sizes, function(m) {
      data <- simulate_ranking(16000 / m, documents = m, seed = 1)$data
      part <- list(train = data, valid = data[1:5])
      path <- smooth_path(part, plain_weights(linear(penalty = 0.1), part), penalty = 1,
                          schedule = 1, metric = ndcg(k))
      data.frame(k = k, documents = m, seconds = path$seconds,
                 evaluations = sum(path$stages[[1L]]$evaluations))
    }))
  }))
}

# Scores become differences here, where test queries are looked at.
on_both <- function(name, run, pairs, metric = ndcg10, scores = identity) {
  rows <- lapply(names(parts), function(collection) {
    tests <- kept(paste(name, collection, sep = "-"), run(mains[[collection]], parts[[collection]]))
    cbind(collection = collection,
          differences(scores(tests$found), parts[[collection]], pairs, metric))
  })
  do.call(rbind, rows)
}
against <- function(first, others) lapply(others, function(other) c(first, other))
start_names <- c("ridge", "least squares", "zero", "RankSVM")
centre_names <- c("least squares", "zero", "RankSVM", "ridge around 0")
rival_names <- c("ridge", "balanced ridge", "RankSVM", "linear ListNet", "coordinate ascent",
                 "best feature", "network, smooth", "network, squared", "trees, smooth",
                 "trees, squared", "kernel SmoothRank", "kernel ridge")
cut_names <- paste0("k=", trained_cuts)

means_by <- function(name, metrics, scores = identity, collections = names(parts)) {
  do.call(rbind, lapply(collections, function(collection) {
    tests <- scores(kept(paste(name, collection, sep = "-"), NULL)$found)
    do.call(rbind, lapply(metrics, function(metric) {
      values <- vapply(seq_along(tests), function(i) {
        means_of(tests[[i]], parts[[collection]][[i]]$test, metric)
      }, numeric(length(tests[[1L]])))
      data.frame(collection = collection, ranker = names(tests[[1L]]), metric = format(metric),
                 mean = rowMeans(values))
    }))
  }))
}

found <- list(
  made = sprintf("rankmix %s, %s", packageVersion("rankmix"), R.version.string),
  penalties = penalties, schedule = schedule,
  queries = lapply(parts, function(own) {
    vapply(own, function(part) length(unique(part$train$query[part$train$relevance > 0])), 0L)
  }),
  chosen = lapply(mains, function(own) vapply(own, function(o) penalties[o$chosen], 0)),
  stages = lapply(mains, function(own) {
    do.call(rbind, unlist(lapply(own, function(o) o$path$stages), recursive = FALSE))
  }),
  figure1 = kept("figure1", figure1(mains$OHSUMED[[1L]], parts$OHSUMED[[1L]]))$found,
  figure2 = lapply(names(parts), function(collection) {
    cbind(collection = collection, figure2(mains[[collection]], parts[[collection]]))
  }),
  starts = list(), errors = errors(mains$OHSUMED[[1L]], parts$OHSUMED[[1L]])
)
start_scores <- function(found) found$tests
with_others <- function(mains, parts) {
  rivals(mains, parts, kept(paste0("others-", collection_of(parts)), others(parts))$found)
}
found$rivals <- on_both("rivals", with_others, c(against("SmoothRank", rival_names),
                                            list(c("network, smooth", "network, squared"),
                                                 c("averaged SmoothRank", "SmoothRank"),
                                                 c("averaged SmoothRank", "ridge"),
                                                 c("trees, smooth", "trees, squared"),
                                                 c("kernel SmoothRank", "kernel ridge"))))
found$annealing <- on_both("starts", starts, c(
  lapply(start_names, function(name) paste(name, c("annealed", "direct"))),
  list(c("ridge annealed", "best fixed width")),
  against("ridge annealed", paste(start_names[-1L], "annealed"))
), scores = start_scores)
found$starts <- do.call(rbind, lapply(names(parts), function(collection) {
  cbind(collection = collection, kept(paste0("starts-", collection), NULL)$found$rows)
}))
found$centres <- on_both("centres", centres, against("ridge", centre_names))
found$cuts <- do.call(rbind, lapply(cuts, function(k) {
  on_both("table3", table3, c(against("k=50", setdiff(cut_names, "k=50")),
                              list(c("k=Inf", "k=1"))), ndcg(k, empty = 1))
}))
found$table3 <- means_by("table3", lapply(cuts, ndcg, empty = 1))
# A query's NDCG regressed on the place of the trained cut among them: a number a query.
found$trend <- do.call(rbind, lapply(names(parts), function(collection) {
  tests <- kept(paste0("table3-", collection), NULL)$found
  place <- seq_along(trained_cuts) - mean(seq_along(trained_cuts))
  do.call(rbind, lapply(cuts, function(k) {
    slopes <- unlist(Map(function(scores, part) {
      values_of(scores, part$test, ndcg(k, empty = 1)) %*% place / sum(place^2)
    }, tests, parts[[collection]]))
    test <- stats::t.test(slopes)
    data.frame(collection = collection, k = k, effect = mean(slopes), low = test$conf.int[1L],
               high = test$conf.int[2L], p = test$p.value)
  }))
}))
found$late <- on_both("stages", stage_scores, list(c("2^-6", "2^6"), c("2^-6", "2^-2")),
                      ndcg(50, empty = 1))
found$precision <- on_both("precision", precisions,
                           list(c("product", "SmoothNDCG"), c("rank", "SmoothNDCG"),
                                c("product", "rank"), c("SmoothNDCG", "ridge"),
                                c("product", "ridge"), c("rank", "ridge")),
                           average_precision())
found$means <- rbind(means_by("rivals", list(ndcg10)),
                     means_by("rivals", list(ndcg(10, convention = "letor3")),
                              collections = "OHSUMED"),
                     means_by("starts", list(ndcg10), start_scores),
                     means_by("centres", list(ndcg10)),
                     means_by("precision", list(average_precision())))
found$overfitting <- kept("overfitting", overfitting())$found
found$choices <- do.call(rbind, lapply(names(parts), function(collection) {
  cbind(collection = collection, kept(paste0("choices-", collection), choices(
    mains[[collection]], parts[[collection]]
  ))$found)
}))
found$growth <- kept("growth", growth())$found
found$claims <- claims_of(found)
saveRDS(found, ".build/smoothrank.rds")
lines <- report_of(found)
writeLines(lines, "bench/smoothrank.md")
cat(lines, sep = "\n")
