# The experiments of COCR (Ruan, Lin and Tsai 2014), for data-raw/cocr.R and reproduce/, with the settings
# below.

trees <- 1000
leaf_sizes <- c(4, 256, 512, 1024, 2048)
steps <- c(0.1, 0.05, 0.02)
has_m5p <- all(c("m5p", "bagging") %in% getNamespaceExports("rankmix"))

# Grades on two scales: some features determine whether a document is relevant, other features determine how
# relevant it is. So no score distinguishes all grades. The fractions of the grades are those of
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

# One part: data for training, validation and test, and the true probabilities of the grades of the test
# documents.
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
  found <- evaluate(scores, data, list(metric_err(max_grade = top), metric_ndcg(10)))
  values <- do.call(cbind, split(found$value, factor(found$metric, unique(found$metric))))
  colnames(values) <- c("err", "ndcg")
  values
}
training_err <- function(scores, data, top) {
  summary(evaluate(scores, data, metric_err(max_grade = top)))$mean
}

costs <- c("absolute", "squared", "oerr")
# One base ranker trained on the grade, on the gain, and by cocr() with each cost.
methods_of <- function(direct, gains, base = direct) {
  c(list(direct = direct, gains = gains),
    lapply(stats::setNames(nm = costs), function(cost) cocr(base, cost)))
}

# Results of each ranker of a part on the test queries, by base and method.
part_results <- function(part, bases, top) {
  metric <- metric_err(max_grade = top)
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

# Metrics of other ways to rank by the same answers of the subproblems.
variants <- function(model, test, top) {
  h <- predict(model, test, "level")
  lowest <- h
  for (k in seq_len(ncol(h))[-1L]) lowest[, k] <- pmin(lowest[, k], lowest[, k - 1L])
  hard <- as.numeric(predict(model, test, "label"))
  average <- values_of(hard, test, top)
  for (metric in c("err", "ndcg")) {
    of_ties <- if (metric == "err") metric_err(max_grade = top, ties = "average") else {
      metric_ndcg(10, ties = "average")
    }
    average[, metric] <- evaluate(hard, test, of_ties)$value
  }
  list(values_of(hard, test, top), average,
       values_of(rowSums(predict(model, test, "cumulative")), test, top),
       values_of(rowSums(lowest), test, top))
}

# Losses beside their bounds. The loss of theorem 1 is computed where the true probabilities are known.
theory <- function(model, part, top) {
  second <- bound_err(part$test$relevance, predict(model, part$test), part$test$query, top)
  found <- c(lost = mean(second$excess), bound = mean(second$bound),
             places = mean(second$places), stops = mean(second$stops))
  if (!is.null(part$probability)) {
    h <- predict(model, part$test, "level")
    first <- bound_cocr(h, part$probability)
    expected <- drop(part$probability %*% (seq_len(ncol(part$probability)) - 1))
    found <- c(found, rank_excess = mean(first$excess), rank_bound = mean(first$bound),
               bias = mean(rowSums(h) - expected))
  }
  found
}

linear_base <- function() {
  list(linear = methods_of(linear_ranker(loss_squared("grade")), linear_ranker(loss_squared("gain")), linear_ranker()))
}
tree_base <- function(step, count = trees) {
  grow <- function(target) gbrt(count, max_depth = 4, learning_rate = step, objective = loss_squared(target))
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

# Figure 1: training, validation and test ERR by the size of the smallest node that M5P splits.
sizes_of_part <- function(part, number) {
  table <- expand.grid(method = c("direct", costs), size = leaf_sizes, stringsAsFactors = FALSE)
  errs <- mapply(function(method, size) {
    spec <- if (method == "direct") m5p(size) else cocr(m5p(size), method)
    model <- fit(spec, part$train, seed = 1, verbose = FALSE)
    vapply(part[c("train", "valid", "test")], function(data) {
      training_err(predict(model, data), data, 4)
    }, 0)
  }, table$method, table$size)
  cbind(table, t(errs), number = number)
}

# Figure 2: test ERR by the number of bagged trees; four subproblems have four times as many trees.
bagged <- 2^(0:6)
bagging_of_part <- function(part, number) {
  curve <- function(method, members, of_tree) {
    spec <- if (method == "direct") bagging(m5p(), max(members)) else {
      cocr(bagging(m5p(), max(members)), method)
    }
    model <- fit(spec, part$train, seed = 1, verbose = FALSE)
    parts <- if (method == "direct") list(model) else model$parts
    scores <- Reduce(`+`, lapply(parts, predict, part$test, members = members))
    errs <- evaluate(as.data.frame(scores), part$test, metric_err(max_grade = 4))
    values <- do.call(cbind, split(errs$value, factor(errs$ranker, unique(errs$ranker))))
    list(curve = data.frame(method = method, rounds = members, trees = members * of_tree,
                            err = colMeans(values), number = number, row.names = NULL),
         values = values)
  }
  c(list(direct = curve("direct", c(bagged, 2 * max(bagged), 4 * max(bagged)), 1)),
    lapply(stats::setNames(nm = costs), curve, bagged, 4))
}
