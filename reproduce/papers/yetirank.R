# YetiRank (Gulin, Kuralenok and Pavlov 2011): claims Y1 to Y9, table 3, figures 1 and 2. Set-ups,
# assessors' errors and measuring are those of bench/yetirank-runs.R.

yetirank_on <- c("simulated", "MQ2008", "OHSUMED")

yetirank_sources <- function(settings) {
  own <- sourced("bench/yetirank-runs.R")
  if (!is.null(settings$trees)) {
    own$trees <- settings$trees
    own$step_trees <- own$step_trees * 0 + settings$trees
  }
  own
}
# Grades as judged, and of the test queries the true ones too.
yetirank_part <- function(own, settings, seed, confusion, ...) {
  if (is.null(settings$queries)) return(own$simulated_part(seed, confusion, ...))
  n <- settings$queries
  all <- simulate_ranking(sum(n), documents = c(5, 35), features = 20,
                          grades = c(.35, .25, .2, .12, .08), seed = seed)$data
  given <- if (is.null(confusion)) all else {
    own$with_grades(all, own$judged_grades(all$relevance, confusion, seed))
  }
  tests <- n[1L] + n[2L] + seq_len(n[3L])
  list(train = given[seq_len(n[1L])], valid = given[n[1L] + seq_len(n[2L])], test = given[tests],
       true = all[tests])
}
# Values of the test queries by ranker, on true grades where they are known.
yetirank_values <- function(runs) {
  data <- if (is.null(runs[[1L]]$of$true)) "test" else "true"
  by <- function(metric) vapply(runs, function(run) {
    run$of[[data]][[metric]]$chosen
  }, numeric(length(runs[[1L]]$of[[data]][[metric]]$chosen)))
  list(values = list(ndcg = by("ndcg"), err = by("err")),
       seconds = vapply(runs, `[[`, 0, "seconds"), rounds = vapply(runs, `[[`, 0, "rounds"))
}

steps_run <- function(many) {
  function(task, settings) {
    own <- yetirank_sources(settings)
    simulated <- task$collection == "simulated"
    part <- if (simulated) {
      yetirank_part(own, settings, task$number, yeti_confusion$russian)
    } else {
      read_judged(task$collection, task$number)
    }
    confusion <- if (simulated) yeti_confusion$russian else {
      suppressWarnings(infer_confusion(part$train, method = "expected"))
    }
    yetirank_values(lapply(stats::setNames(nm = own$setups), function(setup) {
      spec <- own$spec_of(setup, confusion)
      own$measured(if (many) stats::update(spec, trees = settings$many) else spec, part)
    }))
  }
}
factors_run <- function(task, settings) {
  own <- yetirank_sources(settings)
  part <- yetirank_part(own, settings, task$number, yeti_confusion$russian)
  of <- function(...) own$measured(own$spec_of("aligned", ...), part)
  sampled <- function(rankings) {
    own$measured(stats::update(own$spec_of("lambdarank"), rankings = rankings), part)
  }
  yetirank_values(list(
    aligned = of(), pointwise = of(solver = "pointwise"), values = of(solver = "values"),
    `no position` = of(position = "none"), decay = of(position = "decay"),
    `fraction .3` = of(bagging_fraction = 0.3), `fraction 1` = of(bagging_fraction = 1),
    `1 ranking` = sampled(1), `10 rankings` = sampled(10), `100 rankings` = sampled(100)
  ))
}
assessors_run <- function(task, settings) {
  own <- yetirank_sources(settings)
  assessors <- list(sure = NULL, ukrainian = yeti_confusion$ukrainian,
                    russian = yeti_confusion$russian)
  lapply(assessors, function(matrix) {
    part <- yetirank_part(own, settings, 2L + task$number, matrix)
    known <- if (is.null(matrix)) diag(5) else matrix
    yetirank_values(list(difference = own$measured(own$spec_of("aligned"), part),
                         equal = own$measured(own$spec_of("aligned", labels = "equal"), part),
                         confusion = own$measured(own$spec_of("yetirank", known), part)))
  })
}
# Root mean squared error of a matrix inferred from pairs of documents that are the same.
duplicates_run <- function(task, settings) {
  p <- yeti_confusion$russian / rowSums(yeti_confusion$russian)
  judged <- c(.4, .25, .2, .1, .05)
  true <- colSums(judged * p)
  set.seed(task$number)
  truth <- sample(5L, settings$buckets, TRUE, true)
  said <- vapply(rep(truth, each = 3L), function(u) sample(5L, 1L, prob = judged * p[, u]), 0L)
  bucket <- rep(seq_along(truth), each = 3L)
  data <- ranking_data(matrix(bucket), said - 1L, bucket %% 20)
  vapply(c(em = "em", expected = "expected"), function(method) {
    q <- suppressWarnings(infer_confusion(data, method = method, iterations = 500))
    sqrt(mean((q - p[seq_len(nrow(q)), seq_len(nrow(q))])^2))
  }, 0)
}
# Figure 2: NDCG of each test query by both solvers after a sixth and after all of the trees.
curves_of_trees <- function(task, settings) {
  own <- yetirank_sources(list())
  part <- read_judged(task$collection, task$number)
  at <- c(few = settings$curve %/% 6L, all = settings$curve)
  values <- lapply(c(lambdarank = "lambdarank", aligned = "aligned"), function(setup) {
    model <- fit(yetirank(trees = settings$curve, learning_rate = .02, rankings = 10, setup = setup),
                 part$train, seed = 1, threads = 1, verbose = FALSE)
    scores <- predict(model, part$test, rounds = at)
    apply(scores, 2L, function(x) evaluate(x, part$test, own$metrics$ndcg)$value)
  })
  list(few = vapply(values, function(v) v[, 1L], numeric(nrow(values[[1L]]))),
       all = vapply(values, function(v) v[, 2L], numeric(nrow(values[[1L]]))))
}
# Figure 1: best order minus worst order of equal scores.
band_run <- function(task, settings) {
  own <- yetirank_sources(settings)
  part <- read_judged(task$collection, task$number)
  model <- fit(own$spec_of("mse"), part$train, seed = 1, threads = 1, verbose = FALSE)
  x <- predict(model, part$test)
  of <- function(ties) evaluate(x, part$test, metric_ndcg(10, empty = 1, ties = ties))$value
  of("best") - of("worst")
}

yetirank_sizes <- by_scale(
  tiny = list(trees = 20, many = 40, queries = c(40, 30, 60), buckets = 200, curve = 60),
  small = list(trees = 100, many = 200, queries = c(200, 100, 600), buckets = 1000, curve = 300),
  full = list(many = 800, buckets = 4000, curve = 6000)
)
yetirank_experiments <- list(
  experiment("YetiRank steps", steps_run(FALSE), yetirank_on, yetirank_sizes),
  experiment("YetiRank judges", assessors_run, "simulated", yetirank_sizes),
  experiment("YetiRank duplicates", duplicates_run, "simulated", yetirank_sizes),
  experiment("YetiRank ties", band_run, c("MQ2008", "OHSUMED"), yetirank_sizes),
  experiment("YetiRank factors", factors_run, "simulated", yetirank_sizes),
  experiment("YetiRank steps, many trees", steps_run(TRUE), "simulated", yetirank_sizes),
  experiment("YetiRank many small steps", curves_of_trees, "MQ2008", yetirank_sizes)
)

yetirank_claims <- local({
  paper <- "YetiRank (2011)"
  say <- function(id, says, experiment, of, kind = "more", limit = 0, figure = "",
                  measure = "NDCG", on = "simulated") {
    claims_on(on, id = id, paper = paper, says = says, experiment = experiment, of = of,
              kind = kind, limit = limit, figure = figure, measure = measure)
  }
  table3 <- data.frame(
    setup = c("mse", "equal", "difference", "lambdarank", "aligned", "yetirank"),
    ndcg = c(.7766, .7813, .7800, .7809, .7845, .7870),
    err = c(.4607, .4598, .4624, .4629, .4635, .4638)
  )
  step <- function(k, metric, experiment, on, more = "") {
    change <- table3[[metric]][k] - table3[[metric]][k - 1L]
    say("Y1", sprintf("Table 3, step %d: %s beats %s%s", k - 1L, table3$setup[k],
                      table3$setup[k - 1L], more), experiment,
        less(table3$setup[k], table3$setup[k - 1L], metric),
        figure = sprintf("%+.4f, largest on test, untested.", change),
        measure = toupper(metric), on = on)
  }
  steps <- function(metric, experiment, on, more = "") {
    unlist(lapply(2:6, step, metric, experiment, on, more), recursive = FALSE)
  }
  assessors <- function(name, a, b) function(found) less(a, b)(lapply(found, `[[`, name))
  on_parts <- function(value) function(found) differences(lapply(found, value))
  factors <- "YetiRank factors"
  c(
    steps("ndcg", "YetiRank steps", yetirank_on),
    steps("err", "YetiRank steps", yetirank_on),
    steps("ndcg", "YetiRank steps, many trees", "simulated", ", many trees"),
    say("Y2", "Alignment of search and values beats pointwise", factors,
        less("aligned", "pointwise"), figure = "Table 3: +.0036."),
    say("Y2", "Alignment of values alone beats pointwise", factors, less("values", "pointwise"),
        figure = "Not in the paper."),
    say("Y2", "Alignment of search and values beats alignment of values alone", factors,
        less("aligned", "values"),
        figure = "Not in the paper."),
    unlist(lapply(c("ukrainian", "russian"), function(name) {
      say("Y3",
          sprintf("Where assessors err like the %s assessors, the matrix beats grade differences",
                        c(ukrainian = "Ukrainian", russian = "Russian")[[name]]),
          "YetiRank judges", assessors(name, "confusion", "difference"),
          figure = "Table 3: +.0025; 'most important'.", measure = "NDCG of true grades")
    }), recursive = FALSE),
    say("Y3", "Where assessors err like the Russian ones, the matrix beats equal weights",
        "YetiRank judges",
        assessors("russian", "confusion", "equal"), measure = "NDCG of true grades"),
    say("Y4", "The matrix is inferred from duplicates (rms error below .05), EM",
        "YetiRank duplicates", on_parts(function(one) one[["em"]]), "less", 0.05, "Table 2.",
        "rms error, a number a draw"),
    say("Y4", "The matrix is inferred from duplicates (rms error below .05), the paper's rule",
        "YetiRank duplicates",
        on_parts(function(one) one[["expected"]]), "less", 0.05, "Table 2.",
        "rms error, a number a draw"),
    say("Y5", "Weights of positions help", factors, less("aligned", "no position"),
        figure = "Table 3: +.0009."),
    say("Y5", "Reciprocal weights of positions are as good as decaying weights (within .002)",
        factors,
        less("aligned", "decay"), "same", 0.002, "CatBoost decays."),
    say("Y6", "100 rankings are better than one", factors, less("100 rankings", "1 ranking"),
        figure = "100 are used."),
    say("Y6", "100 rankings are better than ten by less than .002", factors,
        less("100 rankings", "10 rankings"),
        "less", 0.002, "100 are used."),
    say("Y7", "A sample of documents for each tree is as good as all (within .002)", factors,
        less("fraction .3", "fraction 1"), "same", 0.002, "'Stability and quality'."),
    say("Y8", "More small steps are better: all trees beat a sixth of them, aligned",
        "YetiRank many small steps", on_parts(function(one) one$all[, "aligned"] -
                                                one$few[, "aligned"]),
        figure = "Figure 2: slow.", on = "MQ2008"),
    say("Y8", "After many small steps aligned beats lambdarank", "YetiRank many small steps",
        on_parts(function(one) one$all[, "aligned"] - one$all[, "lambdarank"]),
        figure = "Figure 2: after 5,000.", on = "MQ2008"),
    say("Y9", "Duplicates of other grades leave the order open by more than .001",
        "YetiRank ties", on_parts(identity), "more", 0.001, "Figure 1: a wide band.",
        "NDCG@10, best order minus worst order", c("MQ2008", "OHSUMED"))
  )
})
