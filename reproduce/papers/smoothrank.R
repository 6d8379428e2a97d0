# SmoothRank (Chapelle and Wu 2010): claims C1 to C12, figures 1 and 2, table 3. Paths, tables and
# choices are those of bench/smoothrank-runs.R and bench/smoothrank-tables.R.

smoothrank_on <- c("simulated", "OHSUMED", "MQ2008")

smoothrank_sources <- function(settings) {
  own <- sourced(c("bench/smoothrank-runs.R", "bench/smoothrank-tables.R"))
  list2env(settings[setdiff(names(settings), c("queries", "counts", "sizes"))], own)
}
smoothrank_part <- function(task, settings) {
  if (task$collection != "simulated") return(read_judged(task$collection, task$number))
  data <- simulate_ranking(sum(settings$queries), seed = task$number)$data
  at <- cumsum(settings$queries)
  list(train = data[seq_len(at[1L])], valid = data[(at[1L] + 1L):at[2L]],
       test = data[(at[2L] + 1L):at[3L]])
}
# A matrix of queries x columns, with the column names of the scores.
smoothrank_values <- function(own, scores, data, metric) {
  values <- own$values_of(scores, data, metric)
  colnames(values) <- names(scores)
  values
}

rivals_run <- function(task, settings) {
  own <- smoothrank_sources(settings)
  part <- smoothrank_part(task, settings)
  mains <- own$main_paths(list(part))
  scores <- own$rivals(mains, list(part), own$others(list(part)))[[1L]]
  late <- own$stage_scores(mains, list(part))[[1L]]
  stages <- do.call(rbind, mains[[1L]]$path$stages)
  bound <- own$errors(mains[[1L]], part)
  list(values = list(ndcg = smoothrank_values(own, scores, part$test, own$ndcg10),
                     late = smoothrank_values(own, late, part$test, metric_ndcg(50, empty = 1))),
       figure2 = own$figure2(mains, list(part)), stalled = mean(stages$status == "stalled"),
       errors = bound, choices = own$choices(mains, list(part)))
}
starts_run <- function(task, settings) {
  own <- smoothrank_sources(settings)
  part <- smoothrank_part(task, settings)
  mains <- own$main_paths(list(part))
  found <- own$starts(mains, list(part))
  graded <- length(unique(part$train$query[part$train$relevance > 0]))
  list(values = list(ndcg = smoothrank_values(own, found$tests[[1L]], part$test, own$ndcg10)),
       rows = found$rows, queries = graded)
}
cuts_run <- function(task, settings) {
  own <- smoothrank_sources(settings)
  part <- smoothrank_part(task, settings)
  mains <- own$main_paths(list(part))
  cut <- own$table3(mains, list(part))[[1L]]
  at <- lapply(stats::setNames(own$cuts, paste0("ndcg", own$cuts)), function(k) {
    smoothrank_values(own, cut, part$test, metric_ndcg(k, empty = 1))
  })
  list(values = c(at, list(
    centre = smoothrank_values(own, own$centres(mains, list(part))[[1L]], part$test, own$ndcg10),
    map = smoothrank_values(own, own$precisions(mains, list(part))[[1L]], part$test,
                            metric_average_precision())
  )))
}
sizes_run <- function(task, settings) {
  own <- smoothrank_sources(settings)
  own$simulated_part <- function(seed, queries, tests = settings$queries[3L]) {
    data <- simulate_ranking(600 + tests, seed = seed)$data
    list(train = data[seq_len(queries)], valid = data[501:600], test = data[600 + seq_len(tests)])
  }
  list(gaps = own$overfitting(settings$counts, task$number),
       # The warning is expected: the data are also the validation data, because only the time matters.
       growth = if (task$number == 1L) suppressWarnings(own$growth(settings$sizes)))
}

smoothrank_sizes <- function(extra = list()) {
  wide <- function(...) c(list(...), extra)
  by_scale(
    tiny = wide(queries = c(40, 30, 50), penalties = 10^c(-2, 0), few_penalties = 10^c(-2, 0),
                trained_cuts = c(1, Inf), cuts = c(1, 10),
                counts = c(20, 40), sizes = c(50, 100, 200)),
    small = wide(queries = c(100, 100, 500), counts = c(20, 60), sizes = c(50, 100, 200, 400)),
    full = wide(queries = c(100, 100, 1000), counts = c(20, 60, 500),
                sizes = c(50, 100, 200, 400, 800))
  )
}
smoothrank_experiments <- list(
  experiment("SmoothRank and rivals", rivals_run, smoothrank_on, smoothrank_sizes()),
  experiment("SmoothRank by start", starts_run, smoothrank_on, smoothrank_sizes()),
  experiment("SmoothRank by cut, centre and metric", cuts_run, smoothrank_on, smoothrank_sizes()),
  experiment("SmoothRank by size", sizes_run, "simulated", smoothrank_sizes())
)

smoothrank_claims <- local({
  paper <- "Smoothed retrieval metrics (2010)"
  rivals <- "SmoothRank and rivals"
  starts <- "SmoothRank by start"
  cuts <- "SmoothRank by cut, centre and metric"
  say <- function(id, says, experiment, of, kind = "more", limit = 0, figure = "",
                  measure = "NDCG@10", on = smoothrank_on) {
    claims_on(on, id = id, paper = paper, says = says, experiment = experiment, of = of,
              kind = kind, limit = limit, figure = figure, measure = measure)
  }
  on_parts <- function(value) function(found) differences(lapply(found, value))
  # Objectives after the last width, starts side by side.
  objective <- function(one, annealed, penalty) {
    rows <- one$rows[one$rows$annealed == annealed & one$rows$penalty == penalty, ]
    stats::setNames(rows$objective, rows$start) / one$queries
  }
  at <- function(one, sigma, column) one$figure2[one$figure2$sigma == sigma, column]
  trend_of <- function(k) function(found) {
    differences(lapply(found, function(one) {
      values <- one$values[[paste0("ndcg", k)]]
      if (is.null(values)) return(NULL)
      place <- seq_len(ncol(values)) - mean(seq_len(ncol(values)))
      drop(values %*% place) / sum(place^2)
    }))
  }
  power <- function(k) function(found) {
    own <- found[[1L]]$growth
    own <- own[own$k == k, ]
    fit <- summary(stats::lm(log(seconds / evaluations) ~ log(documents), own))
    estimated(fit$coefficients[2L, 1L] + 1, fit$coefficients[2L, 2L], fit$df[2L])
  }
  c(
    say("C1", "SmoothNDCG beats regression", rivals, less("SmoothRank", "ridge"),
        figure = "Figures 3, 4."),
    say("C1", "SmoothNDCG beats regression with equal weights of classes", rivals,
        less("SmoothRank", "balanced ridge"),
        figure = "The paper's 'Regression'."),
    say("C1", "SmoothNDCG beats RankSVM", rivals, less("SmoothRank", "RankSVM"),
        figure = "Figure 3."),
    say("C1", "SmoothNDCG beats a listwise ranker", rivals, less("SmoothRank", "linear ListNet"),
        figure = "Figure 3."),
    say("C1", "SmoothNDCG beats coordinate ascent (not in the paper)", rivals,
        less("SmoothRank", "coordinate ascent")),
    say("C1", "SmoothNDCG averaged over penalties beats regression (not in the paper)", rivals,
        less("averaged SmoothRank", "ridge")),
    say("C2", "Annealing finds better optima at the last width", starts, on_parts(function(one) {
      objective(one, FALSE, 1)[["ridge"]] - objective(one, TRUE, 1)[["ridge"]]
    }), figure = "Section 4.4.2, figure 1.", measure = "objective a query, a number a part"),
    say("C2", "Annealing finds better rankings", starts, less("ridge annealed", "ridge direct")),
    say("C2", "Annealing finds better rankings than any fixed width", starts,
        less("ridge annealed", "best fixed width")),
    say("C3", "After a large first width w is near w0, whatever the start (within .1, penalty 1)",
        starts, on_parts(function(one) {
          max(one$rows$first[one$rows$annealed & one$rows$penalty == 1])
        }), "less", 0.1, "Section 5.3.", "relative distance, a number a part"),
    say("C3", "After a large first width the start is irrelevant (within .001)", starts,
        on_parts(function(one) {
      diff(range(objective(one, TRUE, 1)))
    }), "less", 0.001, "Section 5.3.", "range of objectives a query, a number a part"),
    say("C4", "Regression is a better centre than 0", cuts, less("ridge", "zero", "centre"),
        figure = "Section 4.4.1."),
    say("C4", "Regression is a better centre than 0, even from the same start", cuts,
        less("ridge", "ridge around 0", "centre"),
        figure = "Section 4.4.1."),
    unlist(lapply(c(1, 3, 5, 10, 50), function(k) {
      c(say(if (k == 1) "C5, C10" else "C5",
            sprintf("Training all places is better for NDCG@%d than training the first", k), cuts,
            less("k=Inf", "k=1", paste0("ndcg", k)), figure = "Table 3.",
            measure = sprintf("NDCG@%d", k)),
        say("C5", sprintf("The more places are trained, the better is NDCG@%d", k), cuts,
            trend_of(k),
            figure = "Table 3.", measure = "change per step of the cut"))
    }), recursive = FALSE),
    say("C6", "Training NDCG rises as the width falls", rivals, on_parts(function(one) {
      at(one, 2^-6, "train") - at(one, 2^6, "train")
    }), figure = "Figure 2.", measure = "NDCG@50, 2^-6 less 2^6, a number a part"),
    say("C6", "Test NDCG saturates or falls as the width falls (gains less than .005)", rivals,
        less("2^-6", "2^-2", "late"), "less", 0.005, "Figure 2: 'slightly deteriorates'.",
        "NDCG@50, 2^-6 less 2^-2"),
    say("C6", "The gap grows as the width falls, 20 training queries", "SmoothRank by size",
        on_parts(function(one) {
          own <- one$gaps[one$gaps$queries == min(one$gaps$queries), ]
          gap <- own$train - own$test
          gap[own$sigma == min(own$sigma)] - gap[own$sigma == max(own$sigma)]
        }), figure = "Section 5.2.", measure = "training less test, a number a part",
        on = "simulated"),
    say("C7", "Choosing width and penalty is less stable than choosing the penalty", rivals,
        on_parts(function(one) {
      stats::sd(one$choices$both) - stats::sd(one$choices$penalty)
    }), figure = "Section 5.2.", measure = "sd over samples of queries, a number a part"),
    say("C8", "Kinks at ties do no harm: less than 1 % of stages stall", rivals,
        on_parts(function(one) one$stalled), "less", 0.01, "Section 4.3.", "fraction, a part"),
    say("C9", "The error of the smooth metric is within exp(-mu / sigma) of its bound", rivals,
        function(found) {
          broken(vapply(found, function(one) sum(one$errors$broken), 0),
                 vapply(found, function(one) sum(one$errors$queries), 0))
        }, "never", 0, "Section 5.1.", "pairs of query and width outside the bound"),
    say("C11", "A gradient of all places takes no more than m^2.5", "SmoothRank by size",
        power(Inf), "less", 2.5, "O(m^2), SoftRank's O(m^3).", "power of m", on = "simulated"),
    say("C11", "A gradient of ten places takes no more than m^1.5", "SmoothRank by size", power(10),
        "less",
        1.5, "Not in the paper.", "power of m", on = "simulated"),
    say("C12", "SmoothAP by products is better for MAP than SmoothNDCG", cuts,
        less("product", "SmoothNDCG", "map"), figure = "'Not tested'.", measure = "MAP"),
    say("C12", "SmoothAP by smooth ranks (9) is better for MAP than SmoothNDCG", cuts,
        less("rank", "SmoothNDCG", "map"),
        figure = "'Not tested'.", measure = "MAP")
  )
})
