# Writes vignettes/articles/cocr.rds, the numbers of the article "Costs of grades" and of
# bench/cocr.md: the comparisons of Ruan, Lin and Tsai (2014), tables 1 to 8 and figures 1 and 2,
# with the rankers of this package. It has means, differences and tests only, no judged data.
#
#   Rscript data-raw/cocr.R [folder]
#
# Parts are three draws of simulated data of five grades (2,000 queries train, 500 validate, 2,000
# test, the truth being known), and as many of grades of two scales, the folds of MQ2008 and
# OHSUMED, and the sample of MSLR. Penalties, numbers of trees and sizes of nodes are chosen by
# the validation queries' ERR. Needs RANKMIX_DATA; some fifteen minutes of one thread. A `folder`
# keeps parts that are done, so that a run that was stopped goes on.

library(rankmix)
source("bench/common.R")
options(rankmix.threads = 1L)

folder <- commandArgs(TRUE)
folder <- if (length(folder) == 0L) file.path(tempdir(), "cocr") else folder[1L]
dir.create(folder, FALSE, TRUE)

trees <- 1000
leaf_sizes <- c(4, 256, 512, 1024, 2048)
steps <- c(0.1, 0.05, 0.02)
has_m5p <- all(c("m5p", "bagging") %in% getNamespaceExports("rankmix"))

# Grades of two scales: whether a document is relevant at all depends on some features, how much
# so on others, so that no score tells all grades apart. Grades have the shares of
# simulate_ranking().
two_scales <- function(queries, seed) {
  set.seed(seed)
  query <- rep(seq_len(queries), sample(5:40, queries, TRUE))
  x <- matrix(rnorm(20 * length(query)), length(query))
  x <- x + matrix(rnorm(20 * queries), queries)[query, ] * 0.7
  relevant <- 1.2 * x[, 1] - 0.8 * x[, 2] + tanh(x[, 3] * x[, 4]) + pmax(x[, 5], 0)
  much <- 1.2 * x[, 6] + 0.8 * x[, 7] - tanh(x[, 8] * x[, 1]) - pmax(x[, 9], 0)
  levels <- cbind(plogis(2 * relevant - 1.6), plogis(2 * much - 1.9), plogis(2 * much - 4.1),
                  plogis(2 * much - 6.6))
  levels[, -1L] <- levels[, -1L] * levels[, 1L]
  grade <- rowSums(runif(length(query)) < levels)
  list(data = ranking_data(x, grade, query), probability = cbind(1, levels) - cbind(levels, 0))
}

# One part: what trains, validates and tests, and the true probabilities of grades of the test.
read_part <- function(collection, number, queries = 2000) {
  if (collection == "simulated") {
    first <- simulate_ranking(queries + 500, seed = number)
    test <- simulate_ranking(2000, truth = first$truth, seed = 100 + number)
    return(list(train = first$data[seq_len(queries)], valid = first$data[queries + 1:500],
                test = test$data, probability = test$probability))
  }
  if (collection == "two scales") {
    first <- two_scales(queries + 500, number)
    test <- two_scales(2000, 100 + number)
    return(list(train = first$data[seq_len(queries)], valid = first$data[queries + 1:500],
                test = test$data, probability = test$probability))
  }
  place <- if (collection == "MSLR-sample") collection else {
    file.path(collection, paste0("Fold", number))
  }
  lapply(c(train = "train.txt", valid = "vali.txt", test = "test.txt"), function(name) {
    read_letor(file.path(data_folder(place), name))
  })
}

# Queries x metrics.
values_of <- function(scores, data, top) {
  found <- evaluate(scores, data, list(err(max_grade = top), ndcg(10)))
  values <- do.call(cbind, split(found$value, factor(found$metric, unique(found$metric))))
  colnames(values) <- c("err", "ndcg")
  values
}
training_err <- function(scores, data, top) {
  summary(evaluate(scores, data, err(max_grade = top)))$mean
}

costs <- c("absolute", "squared", "oerr")
# A base on the grade, on the gain, and under each cost.
methods_of <- function(direct, gains, base = direct) {
  c(list(direct = direct, gains = gains),
    lapply(stats::setNames(nm = costs), function(cost) cocr(base, cost)))
}

# What each ranker of a part gives for the test queries, by base and method.
part_results <- function(part, bases, top) {
  metric <- err(max_grade = top)
  results <- list()
  for (base in names(bases)) {
    for (method in names(bases[[base]])) {
      spec <- bases[[base]][[method]]
      model <- fit(spec, part$train, part$valid, metric, seed = 1, verbose = FALSE)
      key <- paste(base, method)
      results[[key]] <- values_of(predict(model, part$test), part$test, top)
      if (!is.null(model$curve)) {
        last <- max(model$curve$rounds)
        results[[paste(key, "all")]] <- values_of(predict(model, part$test, rounds = last),
                                                  part$test, top)
      }
      if (inherits(model, "rankmix_cocr_model")) {
        results[paste(key, c("hard", "hard average", "isotonic", "minimum"))] <-
          variants(model, part$test, top)
        attr(results[[key]], "theory") <- theory(model, part, top)
      }
      attr(results[[key]], "chosen") <- chosen_setting(model)
    }
  }
  results
}

chosen_setting <- function(model) {
  if (!is.null(model$curve)) model$best_rounds else format(model$spec)
}

# Other ways to rank by the same answers.
variants <- function(model, test, top) {
  h <- predict(model, test, "level")
  lowest <- h
  for (k in seq_len(ncol(h))[-1L]) lowest[, k] <- pmin(lowest[, k], lowest[, k - 1L])
  hard <- as.numeric(predict(model, test, "label"))
  average <- values_of(hard, test, top)
  for (metric in c("err", "ndcg")) {
    of_ties <- if (metric == "err") err(max_grade = top, ties = "average") else {
      ndcg(10, ties = "average")
    }
    average[, metric] <- evaluate(hard, test, of_ties)$value
  }
  list(values_of(hard, test, top), average,
       values_of(rowSums(predict(model, test, "cumulative")), test, top),
       values_of(rowSums(lowest), test, top))
}

# How far the bounds are from what they bound; theorem 1 where the truth is known.
theory <- function(model, part, top) {
  second <- err_bound(part$test$relevance, predict(model, part$test), part$test$query, top)
  found <- c(lost = mean(second$excess), bound = mean(second$bound),
             places = mean(second$places), stops = mean(second$stops))
  if (!is.null(part$probability)) {
    h <- predict(model, part$test, "level")
    first <- cocr_bound(h, part$probability)
    expected <- drop(part$probability %*% (seq_len(ncol(part$probability)) - 1))
    found <- c(found, rank_excess = mean(first$excess), rank_bound = mean(first$bound),
               bias = mean(rowSums(h) - expected))
  }
  found
}

linear_base <- function() {
  list(linear = methods_of(linear(squared("grade")), linear(squared("gain")), linear()))
}
tree_base <- function(step, count = trees) {
  grow <- function(target) gbrt(count, depth = 4, step = step, objective = squared(target))
  stats::setNames(list(methods_of(grow("grade"), grow("gain"))), paste("gbrt", step))
}
m5p_base <- function() {
  if (!has_m5p) {
    return(list())
  }
  list(m5p = methods_of(m5p(leaf_sizes), m5p(leaf_sizes, target = "gain")))
}

bases_of <- function(collection) {
  steps <- if (collection == "simulated") steps else 0.05
  c(linear_base(), do.call(c, lapply(steps, tree_base)), m5p_base())
}

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
  kept(paste("figure 1", number), function() {
    part <- read_part("simulated", number)
    table <- expand.grid(method = c("direct", costs), size = leaf_sizes, stringsAsFactors = FALSE)
    errs <- mapply(function(method, size) {
      spec <- if (method == "direct") m5p(size) else cocr(m5p(size), method)
      model <- fit(spec, part$train, seed = 1, verbose = FALSE)
      vapply(part[c("train", "valid", "test")], function(data) {
        training_err(predict(model, data), data, 4)
      }, 0)
    }, table$method, table$size)
    cbind(table, t(errs), number = number)
  })
}))

# Figure 2: test ERR by the number of bagged trees, of samples that all questions share.
bagged <- 2^(0:6)
figure2 <- if (has_m5p) do.call(rbind, lapply(1:3, function(number) {
  kept(paste("figure 2", number), function() {
    part <- read_part("simulated", number)
    curve <- function(method, members, of_tree) {
      spec <- if (method == "direct") bagging(m5p(), max(members)) else {
        cocr(bagging(m5p(), max(members)), method)
      }
      model <- fit(spec, part$train, seed = 1, verbose = FALSE)
      parts <- if (method == "direct") list(model) else model$parts
      scores <- Reduce(`+`, lapply(parts, predict, part$test, members = members))
      errs <- summary(evaluate(as.data.frame(scores), part$test, err(max_grade = 4)))$mean
      data.frame(method = method, rounds = members, trees = members * of_tree, err = errs,
                 number = number)
    }
    do.call(rbind, c(list(curve("direct", c(bagged, 128, 256), 1)),
                     lapply(costs, curve, bagged, 4)))
  })
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
  theory = theory_table, figure1 = figure1, figure2 = figure2,
  queries = tapply(vapply(results, function(one) nrow(one[[1L]]), 0L), parts$collection, sum)
), "vignettes/articles/cocr.rds", version = 2)
