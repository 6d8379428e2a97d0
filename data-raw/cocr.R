# Writes bench/cocr.rds, the numbers of bench/cocr.md, and the part that the vignette "cocr" shows,
# vignettes/cocr.rds: the comparisons of Ruan, Lin and Tsai (2014), tables 1 to 8 and figures 1 and 2,
# with the rankers of this package. It has means, differences and tests only, no judged data.
#
#   Rscript data-raw/cocr.R [folder | --summary]
#
# `--summary` makes the second file of the first.
# Parts are three draws of simulated data of five grades (2,000 queries train, 500 validate, 2,000
# test, the truth being known), and as many of grades of two scales, the folds of MQ2008 and
# OHSUMED, and the sample of MSLR. Penalties, numbers of trees and sizes of nodes are chosen by
# the validation queries' ERR. Needs RANKMIX_DATA; some fifteen minutes of one thread. A `folder`
# keeps parts that are done, so that a run that was stopped goes on.

library(rankmix)
source("bench/common.R")
source("bench/cocr-runs.R")
options(rankmix.threads = 1L)

# Soft ranks by the sum of the predictions, hard ranks by the predicted grade.
write_summary <- function(found, to = "vignettes/cocr.rds") {
  methods <- c("direct", "gains", "absolute", "squared", "oerr")
  columns <- c("collection", "base", "method", "metric", "mean", "less_direct", "lower", "upper", "p_direct")
  few <- found$few[found$few$metric == "err" & found$few$method %in% paste(methods[-(1:2)], "all"), columns]
  hard <- found$table[found$table$method == "oerr hard" & found$table$metric == "err", c("collection", "base", "less_soft", "p_soft")]
  sizes <- stats::aggregate(cbind(train, test) ~ method + size, found$figure1[found$figure1$size %in% c(4, 2048), ], mean)
  saveRDS(list(
    made = found$made, queries = found$queries, sizes = sizes, few = few, hard = hard, equal_numbers = found$equal_numbers,
    table = found$table[found$table$base %in% c("linear", "gbrt 0.05", "m5p") & found$table$method %in% methods, columns]
  ), to, version = 3L, compress = "xz")
  cat(sprintf("%s: %d bytes\n", to, file.size(to)))
}

folder <- commandArgs(TRUE)
if ("--summary" %in% folder) {
  write_summary(readRDS("bench/cocr.rds"))
  quit()
}
folder <- if (length(folder) == 0L) file.path(tempdir(), "cocr") else folder[1L]
dir.create(folder, FALSE, TRUE)

kept <- function(name, make) {
  file <- file.path(folder, paste0(name, ".rds"))
  if (!file.exists(file)) {
    message(format(Sys.time(), "%H:%M:%S "), name)
    saveRDS(make(), file)
  }
  readRDS(file)
}

parts <- rbind(
  data.frame(collection = "simulated", number = 1:3),
  data.frame(collection = "two scales", number = 1:3),
  data.frame(collection = "MQ2008", number = 1:5), data.frame(collection = "OHSUMED", number = 1:5),
  data.frame(collection = "MSLR-sample", number = 1)
)
top_of <- c(simulated = 4, `two scales` = 4, MQ2008 = 2, OHSUMED = 2, `MSLR-sample` = 4)

# Base by base, so that one that comes later is added to what is there.
run_part <- function(collection, number) {
  part <- NULL
  bases <- bases_of(collection)
  results <- lapply(names(bases), function(base) {
    kept(paste(collection, number, base), function() {
      if (is.null(part)) part <<- read_part(collection, number)
      part_results(part, bases[base], top_of[[collection]])
    })
  })
  do.call(c, results)
}
results <- Map(run_part, parts$collection, parts$number)

# Tables 7 and 8: few training queries.
few <- lapply(1:3, function(number) {
  do.call(c, lapply(steps, function(step) {
    kept(paste("few", number, step), function() {
      part_results(read_part("simulated", number, queries = 300), tree_base(step), 4)
    })
  }))
})

# Figure 1: training and test ERR by the size of the smallest node that is split.
figure1 <- if (has_m5p) do.call(rbind, lapply(1:3, function(number) {
  kept(paste("figure 1", number), function() sizes_of_part(read_part("simulated", number), number))
}))

# Figure 2: test ERR by the number of bagged trees, of samples that all questions share.
figure2_draws <- if (has_m5p) lapply(1:3, function(number) {
  kept(paste("figure 2 queries", number), function() {
    bagging_of_part(read_part("simulated", number), number)
  })
})
figure2 <- do.call(rbind, lapply(unlist(figure2_draws, recursive = FALSE), `[[`, "curve"))
# At the most rounds, and with the most trees: query by query over all draws.
equal_numbers <- if (has_m5p) do.call(rbind, lapply(costs, function(cost) {
  values <- function(method, column) {
    unlist(lapply(figure2_draws, function(draw) draw[[method]]$values[, column]))
  }
  by <- c(`64 rounds` = 7, `256 trees` = 9)
  do.call(rbind, lapply(names(by), function(name) {
    test <- stats::t.test(values(cost, 7) - values("direct", by[[name]]))
    data.frame(cost = cost, by = name, less_direct = test$estimate, lower = test$conf.int[1L],
               upper = test$conf.int[2L], p = test$p.value, row.names = NULL)
  }))
}))

# Means over all test queries of a collection, and paired differences with two-tailed t tests.
pooled <- function(results, collections) {
  do.call(rbind, lapply(unique(collections), function(collection) {
    own <- results[collections == collection]
    keys <- names(own[[1L]])
    all <- lapply(stats::setNames(nm = keys), function(key) do.call(rbind, lapply(own, `[[`, key)))
    do.call(rbind, lapply(keys, function(key) {
      words <- strsplit(key, " ")[[1L]]
      base <- if (words[1L] == "gbrt") paste(words[1:2], collapse = " ") else words[1L]
      method <- sub(paste0(base, " "), "", key, fixed = TRUE)
      do.call(rbind, lapply(c("err", "ndcg"), function(metric) {
        value <- all[[key]][, metric]
        against <- function(other) {
          if (is.null(all[[other]])) {
            return(c(NA, NA, NA, NA))
          }
          difference <- value - all[[other]][, metric]
          difference <- difference[!is.na(difference)]
          if (stats::sd(difference) < 1e-12) {
            return(c(mean(difference), 0, 0, 1))
          }
          test <- stats::t.test(difference)
          c(test$estimate, test$conf.int, test$p.value)
        }
        plain <- sub(" all| hard average| hard| isotonic| minimum", "", method)
        whole <- if (grepl(" all", method)) " all" else ""
        direct <- against(paste0(base, " direct", whole))
        oerr <- against(paste0(base, " oerr", whole))
        soft <- against(paste(base, plain))
        data.frame(collection = collection, base = base, method = method, metric = metric,
                   queries = sum(!is.na(value)), mean = mean(value, na.rm = TRUE),
                   less_direct = direct[1L], lower = direct[2L], upper = direct[3L],
                   p_direct = direct[4L], less_oerr = oerr[1L], p_oerr = oerr[4L],
                   less_soft = soft[1L], p_soft = soft[4L], row.names = NULL)
      }))
    }))
  }))
}

theory_table <- do.call(rbind, lapply(unique(parts$collection), function(collection) {
  own <- results[parts$collection == collection]
  keys <- grep("(absolute|squared|oerr)$", names(own[[1L]]), value = TRUE)
  do.call(rbind, lapply(keys, function(key) {
    found <- rowMeans(vapply(own, function(one) {
      theory <- attr(one[[key]], "theory")
      c(theory, rank_excess = NA, rank_bound = NA, bias = NA)[
        c("lost", "bound", "places", "stops", "rank_excess", "rank_bound", "bias")]
    }, numeric(7)))
    data.frame(collection = collection, base = sub(" [a-z]+$", "", key),
               cost = sub(".* ", "", key), t(found))
  }))
}))

saveRDS(list(
  made = sprintf("rankmix %s, %s, %s", packageVersion("rankmix"), R.version.string,
                 format(Sys.Date())),
  table = pooled(results, parts$collection), few = pooled(few, rep("simulated, 300", 3)),
  theory = theory_table, figure1 = figure1, figure2 = figure2, equal_numbers = equal_numbers,
  queries = tapply(vapply(results, function(one) nrow(one[[1L]]), 0L), parts$collection, sum)
), "bench/cocr.rds", version = 2)
write_summary(readRDS("bench/cocr.rds"))
