# Cost-sensitive ordinal classification by regression (Ruan, Lin and Tsai 2014): claims E0 to E8,
# tables 1 to 8, figures 1 and 2, by the functions of bench/cocr-runs.R.

cocr_on <- c("simulated", "two scales", "MQ2008", "OHSUMED", "MSLR-sample")

cocr_sources <- function(settings) {
  list2env(settings[setdiff(names(settings), "queries")], sourced("bench/cocr-runs.R"))
}
cocr_part <- function(own, task, settings, train = settings$queries) {
  if (!task$collection %in% c("simulated", "two scales")) {
    return(own$read_part(task$collection, task$number))
  }
  # A scale can have fewer validation and test queries than data-raw/.
  part <- own$read_part(task$collection, task$number, train)
  if (is.null(settings$tests)) return(part)
  part$valid <- part$valid[seq_len(settings$tests)]
  rows <- part$test$query <= settings$tests
  part$test <- part$test[seq_len(settings$tests)]
  part$probability <- part$probability[rows, , drop = FALSE]
  part
}
# The results of part_results(), by base and method, as matrices of a metric.
cocr_values <- function(results) {
  by <- function(metric) {
    values <- vapply(results, function(own) own[, metric], numeric(nrow(results[[1L]])))
    colnames(values) <- names(results)
    values
  }
  theory <- lapply(results, attr, "theory")
  list(values = list(err = by("err"), ndcg = by("ndcg")), theory = Filter(Negate(is.null), theory))
}

bases_run <- function(make, train = NULL) {
  function(task, settings) {
    own <- cocr_sources(settings)
    queries <- if (is.null(train)) settings$queries else min(train, settings$queries)
    part <- cocr_part(own, task, settings, queries)
    cocr_values(own$part_results(part, make(own), highest_grade(task$collection)))
  }
}
cocr_draws <- function(draw) {
  function(task, settings) {
    own <- cocr_sources(settings)
    own[[draw]](cocr_part(own, task, settings), task$number)
  }
}
own_figure1 <- cocr_draws("sizes_of_part")
own_figure2 <- cocr_draws("bagging_of_part")

cocr_sizes <- function() {
  by_scale(tiny = list(queries = 80, tests = 60, trees = 20, leaf_sizes = c(4, 256),
                       bagged = 2^(0:2)),
           small = list(queries = 400, tests = 500, trees = 200, leaf_sizes = c(4, 256, 2048),
                        bagged = 2^(0:4)),
           full = list(queries = 2000))
}
tree_steps <- c("0.1", "0.05", "0.02")
cocr_experiments <- c(
  list(experiment("COCR linear", bases_run(function(own) own$linear_base()), cocr_on,
                  cocr_sizes()),
       experiment("COCR M5P", bases_run(function(own) own$m5p_base()), cocr_on, cocr_sizes()),
       experiment("COCR trees 0.05", bases_run(function(own) own$tree_base(0.05)), cocr_on,
                  cocr_sizes())),
  lapply(setdiff(tree_steps, "0.05"), function(step) {
    experiment(paste("COCR trees", step), bases_run(function(own) own$tree_base(as.numeric(step))),
               "simulated", cocr_sizes())
  }),
  lapply(tree_steps, function(step) {
    experiment(paste("COCR trees, 300 queries,", step),
               bases_run(function(own) own$tree_base(as.numeric(step)), 300), "simulated",
               cocr_sizes())
  }),
  list(experiment("COCR by node size", own_figure1, "simulated", cocr_sizes()),
       experiment("COCR bagged", own_figure2, "simulated", cocr_sizes()))
)

cocr_claims <- local({
  paper <- "COCR (2014)"
  base_of <- c(`COCR linear` = "linear", `COCR M5P` = "m5p", `COCR trees 0.05` = "gbrt 0.05")
  say <- function(id, says, experiment, of, kind = "more", limit = 0, figure = "", measure = "ERR",
                  on = cocr_on) {
    claims_on(on, id = id, paper = paper, says = says, experiment = experiment, of = of,
              kind = kind, limit = limit, figure = figure, measure = measure)
  }
  on_bases <- function(make) {
    unlist(lapply(names(base_of), function(name) make(name, base_of[[name]])), recursive = FALSE)
  }
  title <- c(absolute = "absolute", squared = "squared", oerr = "oERR")
  table_of <- c(linear = "Tables 1, 2:", m5p = "Tables 5, 6:", `gbrt 0.05` = "Table 7:")
  better <- function(id, costs, metric, against, figure) {
    on_bases(function(name, base) {
      unlist(lapply(costs, function(cost) {
        say(id, sprintf("%s costs beat %s, %s", title[[cost]], against[["says"]], base), name,
            less(paste(base, cost), paste(base, against[["of"]]), metric),
            figure = paste(table_of[[base]], figure),
            measure = if (metric == "err") "ERR" else "NDCG@10")
      }), recursive = FALSE)
    })
  }
  few <- function(step, kind, says) {
    say("E5", says, paste("COCR trees, 300 queries,", step), function(found) {
      base <- paste("gbrt", step)
      differences(lapply(found, function(one) {
        values <- one$values$err
        rowMeans(values[, paste(base, names(title), "all")]) - values[, paste(base, "direct all")]
      }))
    }, kind, if (kind == "same") 0.005 else 0, "Table 8.",
    "ERR, mean of three costs", "simulated")
  }
  # Training less test ERR with the smallest nodes, less the same with the largest.
  overfits <- function(method) function(found) {
    differences(lapply(found, function(one) {
      own <- one[one$method == method, ]
      gap <- own$train - own$test
      gap[which.min(own$size)] - gap[which.max(own$size)]
    }))
  }
  bagged <- function(cost, equal) {
    says <- if (equal == "rounds") "at equal rounds" else "at equal numbers of trees"
    say("E4", sprintf("Bagged M5P: %s costs beat direct regression, %s", title[[cost]], says),
        "COCR bagged", function(found) {
          differences(lapply(found, function(one) {
            last <- ncol(one[[cost]]$values)
            direct <- one$direct$values
            one[[cost]]$values[, last] - direct[, if (equal == "rounds") last else ncol(direct)]
          }))
        }, figure = "Figure 2: above both ways.", on = "simulated")
  }
  bound <- function(name, base, cost) {
    say("E6", sprintf("Theorem 1 bounds the mean square distance to E[y | x], %s, %s", base,
                      title[[cost]]), name, function(found) {
                        sides <- lapply(found, function(one) one$theory[[paste(base, cost)]])
                        broken(vapply(sides, function(s) s[["rank_excess"]] > s[["rank_bound"]],
                                      NA), rep(1, length(sides)))
                      }, "never", figure = "Theorem 1.", measure = "parts out of the bound",
        on = c("simulated", "two scales"))
  }
  c(
    say("E0", "Absolute costs with least squares are direct regression", "COCR linear",
        less("linear absolute", "linear direct", "err"), "same", 1e-9,
        "Tables 1, 2 have differences, which must come from elsewhere."),
    better("E1", c("absolute", "squared", "oerr"), "err", c(says = "direct regression",
                                                            of = "direct"),
           "COCR better mostly."),
    better("E1", c("absolute", "squared", "oerr"), "ndcg", c(says = "direct regression",
                                                             of = "direct"),
           "COCR better mostly."),
    better("E2", "oerr", "err", c(says = "squared costs in ERR", of = "squared"),
           "oERR best but on LTRC2."),
    better("E2", "squared", "ndcg", c(says = "oERR costs in NDCG@10", of = "oerr"),
           "squared best."),
    better("E2", "oerr", "err", c(says = "direct regression of gains (not in the paper)",
                                  of = "gains"), "not in the paper."),
    say("E3", "oERR overfits where M5P splits small nodes", "COCR by node size", overfits("oerr"),
        figure = "Figure 1, table 4.", measure = "gap of ERR, smallest less largest, a part",
        on = "simulated"),
    unlist(lapply(names(title), function(cost) {
      c(bagged(cost, "rounds"), bagged(cost, "trees"))
    }), recursive = FALSE),
    few("0.02", "same", "Few data, step .02: COCR and direct regression are alike (within .005)"),
    few("0.1", "more", "Few data, step .1: COCR is better"),
    unlist(lapply(tree_steps, function(step) {
      unlist(lapply(names(title), function(cost) {
        say("E5", sprintf("Many data, step %s, all trees: %s costs beat direct regression", step,
                          title[[cost]]), paste("COCR trees", step),
            less(paste("gbrt", step, cost, "all"), paste("gbrt", step, "direct all"), "err"),
            figure = "Table 7.", on = "simulated")
      }), recursive = FALSE)
    }), recursive = FALSE),
    on_bases(function(name, base) {
      unlist(lapply(names(title), function(cost) bound(name, base, cost)), recursive = FALSE)
    }),
    on_bases(function(name, base) {
      say("E7", paste("Soft answers beat hard answers, oERR,", base), name,
          less(paste(base, "oerr"), paste(base, "oerr hard"), "err"),
          figure = "Section 3.2: ties.")
    }),
    on_bases(function(name, base) {
      say("E8", paste("Monotone answers change nothing (within .002), oERR,", base), name,
          less(paste(base, "oerr isotonic"), paste(base, "oerr"), "err"), "same", 0.002,
          "Not in the paper.")
    })
  )
})
