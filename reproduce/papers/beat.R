# The numbers to beat: tune_and_mix() with its defaults against its members and other rankers, and
# against the paper's protocol. All choices use the validation part. The test part is used once.

beat_on <- c("simulated", "MQ2008", "OHSUMED", "MSLR-sample")
beat_metric <- function() metric_ndcg(10, empty = 1)

timed <- function(make) {
  time <- system.time(value <- make())
  list(value = value, seconds = time[["user.self"]] + time[["sys.self"]])
}

# A booster of lightgbm's: leaves and least documents of a leaf chosen on the validation part, then
# the mean of the scores of some seeds, each with samples of documents and features.
lightgbm_scores <- function(parts, own, objective, settings) {
  train <- own$lightgbm_dataset(parts$train)
  valid <- own$lightgbm_dataset(parts$valid, reference = train)
  grid <- expand.grid(leaves = settings$leaves, least = settings$least)
  model <- function(leaves, least, seed) {
    lightgbm::lgb.train(
      list(objective = objective, metric = "ndcg", eval_at = 10L, num_leaves = leaves,
           min_data_in_leaf = least, learning_rate = 0.05, bagging_fraction = 0.8,
           bagging_freq = 1L, feature_fraction = 0.8, feature_pre_filter = FALSE,
           num_threads = 1L, seed = seed, deterministic = TRUE, force_row_wise = TRUE),
      train, nrounds = settings$rounds, valids = list(valid = valid),
      early_stopping_rounds = 50L, verbose = -1L
    )
  }
  tried <- lapply(seq_len(nrow(grid)), function(i) model(grid$leaves[i], grid$least[i], 1L))
  held <- vapply(tried, function(m) {
    mean(evaluate(predict(m, parts$valid$x), parts$valid, beat_metric(), threads = 1)$value)
  }, 0)
  best <- which.max(held)
  bags <- c(tried[best], lapply(seq_len(settings$bags)[-1L], function(seed) {
    model(grid$leaves[best], grid$least[best], seed)
  }))
  rowMeans(vapply(bags, function(m) predict(m, parts$test$x), numeric(nrow(parts$test$x))))
}

# Scores of the best member of each kind, by the validation metric. All members of a path of costs are one kind.
best_members <- function(mixture, test) {
  members <- mixture$members
  scores <- suppressWarnings(predict(mixture, test, type = "member", threads = 1))
  kind <- sub("^linear_ranker\\(penalty.*", "linear_ranker()", members$classifier)
  kind <- sub("^mcsvm\\(cost.*", "mcsvm()", sub("^ranksvm\\(cost.*", "ranksvm()", kind))
  best <- vapply(split(seq_along(kind), factor(kind, unique(kind))), function(at) {
    at[which.max(members$value[at])]
  }, 0L)
  list(scores = lapply(best, function(at) scores[, at]), best = names(best)[
    which.max(members$value[best])])
}

beat_run <- function(task, settings) {
  parts <- read_any(task, settings$queries)
  own <- sourced(character())
  mix <- function(...) {
    arguments <- c(list(parts$train, parts$valid, metric = beat_metric(), seed = 1, threads = 1,
                        verbose = FALSE), settings$members, list(...))
    suppressWarnings(do.call(tune_and_mix, arguments))
  }
  plain <- function(spec) {
    timed(function() predict(fit(spec, parts$train, parts$valid, beat_metric(), seed = 1,
                                 threads = 1, verbose = FALSE), parts$test))
  }
  boosted <- function(objective) {
    if (!requireNamespace("lightgbm", quietly = TRUE)) return(NULL)
    timed(function() lightgbm_scores(parts, own, objective, settings$lightgbm))
  }
  trained <- timed(mix)
  split <- timed(function() mix(holdout = mix_holdout(method = "split")))
  rankers <- Filter(Negate(is.null), list(
    `best feature` = plain(best_feature(beat_metric())), ridge = plain(linear_ranker()),
    `lightgbm lambdarank` = boosted("lambdarank"), `lightgbm xendcg` = boosted("rank_xendcg"),
    `lightgbm regression` = boosted("regression")
  ))
  of_test <- function(model) suppressWarnings(predict(model, parts$test, threads = 1))
  members <- best_members(trained$value, parts$test)
  scores <- c(list(mixture = of_test(trained$value), split = of_test(split$value)),
              lapply(rankers, `[[`, "value"),
              stats::setNames(members$scores, paste("member", names(members$scores))))
  list(values = metric_values(scores, parts$test, highest_grade(task$collection)),
       best = paste("member", members$best),
       times = c(mixture = trained$seconds, split = split$seconds,
                 vapply(rankers, `[[`, 0, "seconds")))
}

beat_experiments <- list(experiment("numbers to beat", beat_run, beat_on, by_scale(
  tiny = list(queries = c(60, 40, 60), members = list(members = list(
    adaboost_mh(base_stump(), 10), gbrt(10), linear_ranker())),
    lightgbm = list(leaves = 7, least = 20, rounds = 20, bags = 2)),
  small = list(queries = c(300, 150, 400),
               lightgbm = list(leaves = c(7, 31), least = c(20, 50), rounds = 300, bags = 5)),
  full = list(queries = c(1000, 400, 600),
              lightgbm = list(leaves = c(7, 15, 31), least = c(20, 50), rounds = 1000, bags = 10))
)))

# The goals of the project; the others of a row are the columns of `outside`.
beat_goals <- c(MQ2008 = 0.795, OHSUMED = 0.470, `MSLR-sample` = 0.46)
# Values measured earlier and outside the package, for orientation. They are no claims.
beat_before <- c(
  MQ2008 = "best feature .776, ridge .775, lambdarank .787, xendcg .784, an outside pool .790",
  OHSUMED = "best feature .443, ridge .460, lambdarank .454, xendcg .451, an outside pool .466",
  `MSLR-sample` = "best feature .270, ridge .366, lambdarank .359, xendcg .401, regression .450"
)
beat_columns <- c("best feature", "ridge", "lightgbm lambdarank", "lightgbm xendcg",
                  "lightgbm regression", "split")

# The member that was best on validation queries, part by part.
less_best <- function(metric) function(found) {
  differences(lapply(found, function(one) {
    one$values[[metric]][, "mixture"] - one$values[[metric]][, one$best]
  }))
}
member_names <- function(results) {
  unique(unlist(lapply(results, function(one) {
    grep("^member ", colnames(one$values$ndcg), value = TRUE)
  })))
}

beat_claims <- local({
  say <- function(id, says, of, measure = "NDCG@10", on = beat_on, ...) {
    claims_on(on, id = id, paper = "Numbers to beat", says = says, of = of,
              experiment = "numbers to beat", measure = measure, ...)
  }
  c(
    say("N-best", "The default mixture beats the member that was best on validation queries",
        less_best("ndcg")),
    say("N-best",
        "In ERR, the default mixture beats the member that was best on validation queries",
        less_best("err"), "ERR"),
    unlist(lapply(beat_columns, function(name) {
      title <- if (name == "split") "the paper's protocol, which splits" else name
      c(say("N", paste("The default mixture beats", title), less("mixture", name)),
        say("N", paste("In ERR, the default mixture beats", title), less("mixture", name, "err"),
            "ERR"))
    }), recursive = FALSE),
    unlist(lapply(names(beat_goals), function(name) {
      say("N-goal", sprintf("NDCG@10 of the default mixture is above %.3f", beat_goals[[name]]),
          # A goal is of all parts of a collection.
          function(found) if (length(found) == length(scales$full[[name]])) {
            differences(lapply(found, function(one) one$values$ndcg[, "mixture"]))
          },
          on = name, limit = beat_goals[[name]], figure = "The goal of the project.")
    }), recursive = FALSE)
  )
})

# One claim for each member of the results.
member_claims <- function(results) {
  unlist(lapply(names(results), function(collection) {
    found <- lapply(Filter(function(r) is.null(r$error) && !is.null(r), results[[collection]]),
                    `[[`, "found")
    lapply(member_names(found), function(name) {
      claim("N-member", "Numbers to beat", paste("The default mixture beats", name),
            "numbers to beat", collection, less("mixture", name), measure = "NDCG@10")
    })
  }), recursive = FALSE)
}
