# Tune and mix (Busa-Fekete, Kegl, Elteto and Szarvas 2013): tables 2 and 3, figures 2 to 5. The
# rankers of its section 7.3 are those of bench/section_73.R.

tables_on <- c("simulated", "MQ2008", "OHSUMED", "MSLR-sample")
tried_rounds <- c(10, 50, 200)

# Networks, Gaussian processes and soft NDCG take the most time.
quick_calibrators <- function() {
  Filter(function(method) !grepl("network|gaussian|soft_ndcg|degree = [45]", format(method)),
         all_calibrators())
}

# Rows of tables 2 and 3: mixtures of AdaBoost.MH and of the SVM, weighted as in the paper.
papers_mixtures <- function(parts, collection, settings) {
  letor <- collection %in% c("MQ2008", "OHSUMED")
  rounds <- settings$rounds
  members <- list(
    AB = lapply(list(base_tree(8), base_tree(64), base_product(3), base_product(10)), adaboost_mh,
                rounds = max(rounds)),
    # The paper has no bias; features of LETOR are standardised by query already.
    SVM = list(mcsvm(10^(-4:0), bias = FALSE, scale = if (letor) "none" else "standard"))
  )
  models <- lapply(members, function(specs) {
    lapply(specs, fit, parts$train, seed = 1, threads = 1, verbose = FALSE)
  })
  kinds <- c(EXP = "all", EXP.CPC = "cpc", EXP.RBC = "rbc", OneBest = "one_best")
  made <- lapply(names(models), function(name) {
    lapply(stats::setNames(kinds, paste0(name, "+", names(kinds))), function(kind) {
      suppressWarnings(tune_and_mix(
        parts$train, parts$valid, models[[name]], quick_calibrators(), metric_ndcg(10, empty = 1),
        weights = mix_weights(rounds = rounds, members = kind, choose = "best", prior = "member"),
        seed = 1, threads = 1, verbose = FALSE
      ))
    })
  })
  list(models = models$AB, mixtures = do.call(c, made))
}

tables_run <- function(task, settings) {
  parts <- read_any(task, settings$queries)
  own <- sourced("bench/section_73.R")
  if (!is.null(settings$rivals)) own$section_73 <- own$section_73[settings$rivals]
  made <- papers_mixtures(parts, task$collection, settings)
  scores <- c(
    lapply(made$mixtures, function(m) suppressWarnings(predict(m, parts$test, threads = 1))),
    lapply(own$section_73_run(parts, metric_ndcg(10, empty = 1)), `[[`, "scores"),
    list(ridge = predict(fit(linear_ranker(), parts$train, parts$valid, metric_ndcg(10, empty = 1), seed = 1,
                             threads = 1, verbose = FALSE), parts$test),
         `best feature` = predict(fit(best_feature(metric_ndcg(10, empty = 1)), parts$train), parts$test))
  )
  exp <- made$mixtures[["AB+EXP"]]
  list(values = metric_values(scores, parts$test, highest_grade(task$collection)),
       # The tool has no grade above 2.
       letor4 = if (highest_grade(task$collection) == 2) vapply(scores, function(x) {
         mean(evaluate(x, parts$test, metric_ndcg(10, convention = "letor4"), threads = 1)$value)
       }, 0),
       chosen = c(c = exp$c, rounds = exp$rounds),
       normalised = normalised_pairs(made$models, parts, exp$rounds),
       targets = target_pairs(made$models[[1L]], parts, exp$rounds))
}

# Figure 4: NDCG of each model, regressed on the gain normalised by query, less that without.
normalised_pairs <- function(models, parts, rounds) {
  kinds <- c("linear", "logistic", "network", "polynomial")
  unlist(lapply(models, function(model) {
    vapply(kinds, function(kind) {
      value <- function(normalize) {
        fitted <- calibrate(model, parts$valid, calibrator_rbc(kind, normalize = normalize), rounds = rounds,
                            threads = 1)
        mean(evaluate(predict(fitted, parts$test, threads = 1), parts$test, metric_ndcg(10, empty = 1),
                      threads = 1)$value)
      }
      suppressWarnings(value(TRUE) - value(FALSE))
    }, 0)
  }))
}

# Figure 5: rank correlation over documents of the scores by two targets of calibrator_cpc().
target_pairs <- function(model, parts, rounds) {
  targets <- c("log_sigmoid", "entropy_weighted", "expected_loss", "expected_label_loss",
               "soft_ndcg")
  scores <- vapply(targets, function(target) {
    fitted <- suppressWarnings(calibrate(model, parts$valid, calibrator_cpc(target), rounds = rounds,
                                         threads = 1))
    suppressWarnings(predict(fitted, parts$test, threads = 1))
  }, numeric(length(parts$test$relevance)))
  correlation <- stats::cor(scores, method = "spearman")
  correlation[lower.tri(correlation)]
}

# Figure 3: learning curves; the NDCG of each test query at the fewest and at all queries.
curves_run <- function(task, settings) {
  drawn <- simulate_ranking(settings$queries[1L], seed = 10 + task$number)
  held <- simulate_ranking(sum(settings$queries[-1L]), truth = drawn$truth,
                           seed = 20 + task$number)$data
  valid <- seq_len(settings$queries[2L])
  parts <- list(train = drawn$data, valid = held[valid], test = held[-valid])
  boosted <- list(adaboost_mh(base_tree(8), settings$rounds), adaboost_mh(base_stump(), settings$rounds))
  some <- unique(pmin(c(10, 50), settings$rounds))
  paper <- function(...) mix_weights(..., choose = "best", prior = "member")
  mixed <- function(...) do.call(mixture, c(boosted, list(weights = paper(rounds = some, ...))))
  rankers <- list(
    `AB+EXP` = mixed(), `AB+OneBest` = mixed(members = "one_best"),
    RankBoost = rankboost(100), RankSVM = ranksvm(10^(-4:1)),
    RankNet = ranknet(hidden = 10, epochs = 50),
    AdaRank.NDCG = adarank(metric_ndcg(10), repeats = 1, pause = 10),
    `coordinate ascent` = coordinate_ascent(metric_ndcg(10), restarts = 5)
  )
  # Parts that were drawn apart have queries of the same names, which is what it warns of.
  curve <- suppressWarnings(learning_curve(rankers, parts, fractions = c(0.1, 1),
                                           order = "random", metric = metric_ndcg(10, empty = 1),
                                           seed = 1, threads = 1, verbose = FALSE))
  rows <- curve$results
  at <- function(fraction) {
    own <- rows[abs(rows$fraction - fraction) < 1e-9, ]
    do.call(cbind, split(own$value, factor(own$ranker, names(rankers))))
  }
  list(few = at(0.1), all = at(1))
}

tables_experiments <- list(
  experiment("tables 2 and 3", tables_run, tables_on, by_scale(
    tiny = list(rounds = c(5, 10), queries = c(60, 40, 60), rivals = c("RankSVM", "RankBoost")),
    small = list(rounds = c(10, 50), queries = c(300, 150, 400),
                 rivals = c("RankSVM", "RankBoost", "RankNet", "AdaRank.MAP", "AdaRank.NDCG",
                            "AdaRank.ERR", "coordinate ascent")),
    full = list(rounds = tried_rounds, queries = c(1000, 400, 600))
  )),
  experiment("learning curves", curves_run, "simulated", by_scale(
    tiny = list(rounds = 5, queries = c(50, 30, 40)), small = list(rounds = 50,
                                                                   queries = c(200, 100, 300)),
    full = list(rounds = 50, queries = c(400, 150, 600))
  ))
)

tables_claims <- local({
  paper <- "Tune and mix (2013)"
  say <- function(id, says, a, b, kind = "more", limit = 0, figure = "", metric = "ndcg") {
    claims_on(tables_on, id = id, paper = paper, says = says, kind = kind, limit = limit,
              figure = figure, experiment = "tables 2 and 3",
              measure = if (metric == "ndcg") "NDCG@10" else "ERR", of = less(a, b, metric))
  }
  rivals <- c("RankSVM", "RankBoost", "RankNet", "AdaRank.MAP", "AdaRank.NDCG", "AdaRank.ERR",
              "coordinate ascent", "best feature")
  above_all <- unlist(lapply(c("AB+EXP", "SVM+EXP"), function(mix) {
    unlist(lapply(c("ndcg", "err"), function(metric) {
      unlist(lapply(rivals, function(rival) {
        say(if (metric == "ndcg") "T2" else "T3", paste(mix, "beats", rival), mix, rival,
            metric = metric, figure = paste("Table", if (metric == "ndcg") 2 else 3,
                                            "best but on MQ2007."))
      }), recursive = FALSE)
    }), recursive = FALSE)
  }), recursive = FALSE)
  number <- function(id, says, of, figure, kind = "more", limit = 0, measure = "",
                     on = tables_on) {
    claims_on(on, id = id, paper = paper, says = says, experiment = "tables 2 and 3",
              of = of, kind = kind, limit = limit, figure = figure, measure = measure)
  }
  # The gain of listwise rankers from all queries minus the gain of the others.
  growth <- function(found) {
    listwise <- c("RankNet", "AdaRank.NDCG", "coordinate ascent")
    differences(lapply(found, function(one) {
      both <- intersect(colnames(one$all), colnames(one$few))
      gain <- one$all[, both, drop = FALSE] - one$few[, both, drop = FALSE]
      list <- both %in% listwise
      if (!any(list) || all(list)) return(NULL)
      rowMeans(gain[, list, drop = FALSE]) - rowMeans(gain[, !list, drop = FALSE])
    }))
  }
  mixing <- function(at) function(found) {
    less("AB+EXP", "AB+OneBest")(lapply(found, function(one) list(values = list(ndcg = one[[at]]))))
  }
  one_curve <- function(id, says, of, figure, kind = "more") {
    claims_on("simulated", id = id, paper = paper, says = says, experiment = "learning curves",
              of = of, figure = figure, kind = kind, measure = "NDCG@10")
  }
  c(
    above_all,
    say("T-mix", "Mixing helps AdaBoost.MH: EXP beats OneBest", "AB+EXP", "AB+OneBest",
        figure = "'Significant impact'."),
    say("T-mix", "Mixing helps the SVM by less than .01", "SVM+EXP", "SVM+OneBest", "less", 0.01,
        figure = "'Marginal'."),
    say("T-cal", "CPC is as good as RBC (within .01), AdaBoost.MH", "AB+EXP.CPC", "AB+EXP.RBC",
        "same", 0.01, "'Similar scores'."),
    say("T-cal", "CPC is as good as RBC (within .01), SVM", "SVM+EXP.CPC", "SVM+EXP.RBC", "same",
        0.01, "'Similar' but on MQ2007 and OHSUMED."),
    say("T-one", "One calibrated AdaBoost.MH beats RankBoost", "AB+OneBest", "RankBoost",
        figure = "'Outperforms'."),
    say("T-one", "One calibrated SVM beats RankSVM", "SVM+OneBest", "RankSVM",
        figure = "'In many cases'."),
    number("T-c", "The best c is above 100", function(found) {
      differences(lapply(found, function(one) one$chosen[["c"]]))
    }, "'Larger than 100 for all data sets'.", limit = 100, measure = "c, a number a part"),
    number("F2", "Tools differ: NDCG of the same ranking by Yahoo's and by LETOR 4.0's definition",
           function(found) {
             differences(lapply(found, function(one) {
               mean(one$values$ndcg[, "AB+EXP"]) - one$letor4[["AB+EXP"]]
             }))
           }, "Figure 2.", measure = "NDCG@10, Yahoo less LETOR 4.0, a number a part",
           on = c("MQ2008", "OHSUMED")),
    number("F4", "Gains normalised by query are better", function(found) {
      differences(lapply(found, function(one) mean(one$normalised)))
    }, "Figure 4: 'did indeed improve'.", measure = "NDCG@10, mean of models, a number a part"),
    number("F5", "Calibrations by different targets rank differently (correlation below .99)",
           function(found) differences(lapply(found, function(one) mean(one$targets))),
           "Figure 5: diversity.", "less", 0.99, "Spearman, mean of pairs, a number a part"),
    one_curve("F3", "Additional queries help listwise rankers less than others", growth,
              "Figure 3(a): they 'flatten'.", "less"),
    one_curve("F3", "Mixing helps AdaBoost.MH with a tenth of the queries", mixing("few"),
              "Figure 3(a): 'the full range'."),
    one_curve("F3", "Mixing helps AdaBoost.MH with all queries", mixing("all"),
              "Figure 3(a): 'the full range'.")
  )
})
