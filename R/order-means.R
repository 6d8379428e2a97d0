# Agreement of orders by means over queries: of two metrics, or of two sets of judgements.
# Intervals are percentiles of the bootstrap over queries. Both orders use the same samples.

agreement_of_means <- function(x, y, metric, settings, call = rlang::caller_env()) {
  sides <- if (is.null(y)) metric_pairs(x, metric, call) else judgement_pairs(x, y, metric, call)
  rows <- lapply(sides, function(side) agreement_rows(side, settings))
  list(values = do.call(rbind, unname(rows)), kind = if (is.null(y)) "metrics" else "judgements")
}

# Values in the form of paired_values(), by metric. Matrices have one metric without a name.
values_by_metric <- function(x, metric, name, call) {
  if (!is_value_table(x)) {
    single <- inherits(x, "rankmix_evaluation") && length(unique(x$ranker)) < 2L
    return(if (single) values_of_ranker(x, metric, call) else compared_values(x, metric, name, call))
  }
  table <- value_matrix(x)
  bad <- which(!is.finite(table))
  if (!is_plain_number(table) || nrow(table) == 0L || length(bad) > 0L) {
    stop_input("values", sprintf("`%s` must be finite numbers, queries x rankers.", name),
               if (length(bad) > 0L) {
                 sprintf("Query %d has a missing or infinite value.", row(table)[bad[1L]])
               } else if (is.object(table)) {
                 sprintf("It is %s.", show_value(table))
               },
               call = call)
  }
  if (is.null(colnames(table))) colnames(table) <- paste0("ranker", seq_len(ncol(table)))
  query <- if (is.null(rownames(table))) seq_len(nrow(table)) else rownames(table)
  list(values = list(fold = NULL, query = query, weight = NULL, values = unname_rows(table)))
}

# The values of an evaluation of one ranker, which may have no name.
values_of_ranker <- function(x, metric, call) {
  table <- structure(chosen_metrics(x, metric, call), class = "data.frame")
  if (is.null(table$ranker)) table$ranker <- rep("ranker", nrow(table))
  lapply(split_by(table, "metric"), function(rows) {
    only_counting(side_by_side(rows, unique(rows$ranker), call), call)
  })
}

unname_rows <- function(table) {
  rownames(table) <- NULL
  table
}

metric_pairs <- function(x, metric, call) {
  values <- values_by_metric(x, metric, "x", call)
  if (length(values) < 2L) {
    stop_input("argument", "`y` is not given, and `x` has one metric.",
               remedy = "Evaluate by two metrics or more, or give `y`.", call = call)
  }
  utils::combn(names(values), 2L, simplify = FALSE, FUN = function(pair) {
    list(labels = pair, values = unname(values[pair]))
  })
}

# `arguments` are the names of the arguments that were passed as `x` and `y`.
judgement_pairs <- function(x, y, metric, call, arguments = c("x", "y")) {
  first <- values_by_metric(x, metric, arguments[1L], call)
  second <- values_by_metric(y, metric, arguments[2L], call)
  # A matrix gets the metric of the other side.
  if (identical(names(first), "values") && length(second) == 1L) names(first) <- names(second)
  if (identical(names(second), "values") && length(first) == 1L) names(second) <- names(first)
  shared <- intersect(names(first), names(second))
  if (length(shared) == 0L) {
    stop_input("argument", sprintf("`%s` and `%s` have no metric in common.", arguments[1L], arguments[2L]),
               sprintf("They have %s and %s.", enumerate(names(first)), enumerate(names(second))),
               call = call)
  }
  lapply(shared, function(name) {
    two <- list(first[[name]], second[[name]])
    check_same_rankers(two, arguments, call)
    two[[2L]]$values <- two[[2L]]$values[, colnames(two[[1L]]$values), drop = FALSE]
    plain <- length(shared) == 1L && name == "values"
    list(name = name, labels = if (plain) c("x", "y") else sprintf("%s (%s)", name, c("x", "y")),
         values = two)
  })
}

check_same_rankers <- function(two, arguments, call) {
  rankers <- lapply(two, function(paired) colnames(paired$values))
  odd <- c(setdiff(rankers[[1L]], rankers[[2L]]), setdiff(rankers[[2L]], rankers[[1L]]))
  if (length(odd) > 0L || anyDuplicated(rankers[[1L]])) {
    stop_input("argument", sprintf("`%s` and `%s` must have the same rankers.", arguments[1L], arguments[2L]),
               if (length(odd) > 0L) sprintf("Only one of them has %s.", enumerate(odd)), call = call)
  }
}

agreement_rows <- function(side, settings) {
  means <- lapply(side$values, function(paired) {
    snapped_values(query_means(paired$values, as.double(paired$weight)))
  })
  estimate <- vapply(settings$how, function(one) agreement_value(means[[1L]], means[[2L]], one, settings), 0)
  drawn <- resampled_means(side$values, settings)
  ends <- vapply(settings$how, function(one) agreement_interval(drawn, one, settings), numeric(2))
  residual <- overlap_values(scores_list(means[[1L]]), scores_list(means[[2L]]), settings$p,
                             settings$ties)[["res"]]
  data.frame(x = side$labels[1L], y = side$labels[2L], measure = settings$how, items = length(means[[1L]]),
             estimate = unname(estimate), lower = ends[1L, ], upper = ends[2L, ],
             queries = if (is.null(drawn)) NA_integer_ else drawn$queries,
             residual = ifelse(settings$how == "rbo", residual, NA_real_), row.names = NULL)
}

agreement_interval <- function(drawn, measure, settings) {
  if (is.null(drawn)) {
    return(c(NA_real_, NA_real_))
  }
  percentile_ends(sampled_agreement(drawn$means[[1L]], drawn$means[[2L]], measure, settings), settings$level)
}

# One measure for each row of two matrices of means. For few rankers it is fast to process all rows of a pair
# of rankers together.
sampled_agreement <- function(first, second, measure, settings) {
  if (measure %in% c("tau", "tau_b") && ncol(first) %in% 2:max_paired_rankers) {
    return(kendall_of_rows(first, second, measure == "tau_b"))
  }
  vapply(seq_len(nrow(first)), function(i) agreement_value(first[i, ], second[i, ], measure, settings), 0)
}

max_paired_rankers <- 60L

kendall_of_rows <- function(first, second, corrected) {
  k <- ncol(first)
  concordance <- untied_first <- untied_second <- numeric(nrow(first))
  for (i in seq_len(k - 1L)) {
    others <- (i + 1L):k
    one <- sign(first[, i] - first[, others, drop = FALSE])
    two <- sign(second[, i] - second[, others, drop = FALSE])
    concordance <- concordance + rowSums(one * two)
    untied_first <- untied_first + rowSums(abs(one))
    untied_second <- untied_second + rowSums(abs(two))
  }
  if (!corrected) {
    return(concordance / (k * (k - 1) / 2))
  }
  compared <- ifelse(untied_first == untied_second, untied_first, sqrt(untied_first) * sqrt(untied_second))
  ifelse(compared > 0, concordance / compared, NA_real_)
}

# The means of both orders in each bootstrap sample of their common queries (`means`: samples x rankers). NULL
# if both sides have fewer than two common queries, or if less than half of all queries are common. A query
# may count for one metric only.
resampled_means <- function(two, settings) {
  keys <- lapply(two, function(paired) query_keys(paired$fold, paired$query))
  all <- union(keys[[1L]], keys[[2L]])
  shared <- length(intersect(keys[[1L]], keys[[2L]]))
  if (shared < 2L || shared < 0.5 * length(all)) {
    return(NULL)
  }
  fold <- unlist(lapply(two, `[[`, "fold"))[match(all, unlist(keys))]
  means <- lapply(two, function(paired) matrix(0, settings$resamples, ncol(paired$values)))
  with_seed(settings$seed, {
    for (chunk in resample_chunks(settings$resamples, length(all))) {
      counts <- bootstrap_counts(length(chunk), length(all), fold)
      for (i in 1:2) {
        own <- counts[, match(keys[[i]], all), drop = FALSE]
        if (!is.null(two[[i]]$weight)) own <- own * rep(two[[i]]$weight, each = nrow(own))
        means[[i]][chunk, ] <- own %*% two[[i]]$values / rowSums(own)
      }
    }
  })
  list(means = lapply(means, snapped_values_of_rows), queries = length(all))
}

snapped_values_of_rows <- function(means) {
  means[is.nan(means)] <- NA
  signif(means, snap_digits)
}
