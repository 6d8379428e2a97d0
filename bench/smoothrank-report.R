# Checks the claims of the paper and writes bench/smoothrank.md, from the results of bench/smoothrank.R.

number <- function(x, digits = 4) sprintf(paste0("%+.", digits, "f"), x)
plain <- function(x, digits = 4) sprintf(paste0("%.", digits, "f"), x)
p_text <- function(p) ifelse(p < 1e-4, "< 0.0001", sprintf("%.2g", p))

row_between <- function(table, a, b, collection, metric = NULL) {
  rows <- table[table$a == a & table$b == b & table$collection == collection, ]
  if (!is.null(metric)) rows <- rows[rows$metric == metric, ]
  rows[1L, ]
}

# The verdict on the claim that a is better than b.
verdict <- function(row) {
  ifelse(row$low > 0, "holds", ifelse(row$high < 0, "does not hold", "undecided"))
}

claim <- function(id, says, collection, compared, effect, low, high, p, found) {
  data.frame(claim = id, says = says, collection = collection, compared = compared,
             effect = effect, low = low, high = high, p = p, found = found)
}

# A claim that a is better than b, on each collection.
claim_better <- function(id, says, table, a, b, metric = NULL) {
  do.call(rbind, lapply(unique(table$collection), function(collection) {
    row <- row_between(table, a, b, collection, metric)
    claim(id, says, collection, paste(a, "minus", b), row$effect, row$low, row$high, row$p,
          verdict(row))
  }))
}

# The mean of one number per part, with the interval of t.test().
claim_mean <- function(id, says, collection, compared, values, found = NULL) {
  same <- length(values) < 2L || stats::sd(values) == 0
  test <- if (!same) stats::t.test(values)
  row <- data.frame(effect = mean(values), low = if (same) NA else test$conf.int[1L],
                    high = if (same) NA else test$conf.int[2L], p = if (same) NA else test$p.value)
  # Claims with a limit are not tested against 0.
  claim(id, says, collection, compared, row$effect, row$low, row$high,
        if (is.null(found)) row$p else NA, if (is.null(found)) verdict(row) else found)
}

# A matrix, parts x starts, for one penalty.
wide_starts <- function(found, collection, annealed, column, penalty = 1) {
  own <- found$starts[found$starts$collection == collection & found$starts$penalty == penalty, ]
  rows <- own[own$annealed == annealed, ]
  do.call(cbind, split(rows[[column]], factor(rows$start, unique(rows$start))))
}

claims_of <- function(found) {
  collections <- c("OHSUMED", "simulated")
  by_collection <- function(f) do.call(rbind, lapply(collections, f))
  gaps <- found$overfitting
  gap_of <- function(count, sigma) {
    own <- gaps[gaps$queries == count & gaps$sigma == sigma, ]
    own$train - own$test
  }
  spread <- stats::aggregate(cbind(penalty, both) ~ collection + part, found$choices, stats::sd)
  figure2 <- do.call(rbind, found$figure2)
  at <- function(collection, sigma, column) {
    figure2[figure2$collection == collection & figure2$sigma == sigma, column]
  }
  rbind(
    claim_better("C1", "SmoothNDCG beats regression", found$rivals, "SmoothRank", "ridge"),
    claim_better("C1", "SmoothNDCG beats regression with equal weights of classes", found$rivals,
                 "SmoothRank",
                 "balanced ridge"),
    claim_better("C1", "SmoothRank averaged over penalties beats regression", found$rivals,
                 "averaged SmoothRank", "ridge"),
    claim_better("C1", "SmoothRank averaged over penalties is better than one penalty",
                 found$rivals,
                 "averaged SmoothRank", "SmoothRank"),
    claim_better("C1", "SmoothNDCG beats RankSVM", found$rivals, "SmoothRank", "RankSVM"),
    claim_better("C1", "SmoothNDCG beats a listwise method", found$rivals, "SmoothRank",
                 "linear ListNet"),
    by_collection(function(name) {
      gain <- (wide_starts(found, name, FALSE, "objective") -
                 wide_starts(found, name, TRUE, "objective")) / found$queries[[name]]
      claim_mean("C2", "Annealing finds better optima at the last width", name,
                 "objective a query, direct minus annealed, from ridge, penalty 1",
                 gain[, "ridge"])
    }),
    claim_better("C2", "Annealing finds better rankings", found$annealing, "ridge annealed",
                 "ridge direct"),
    claim_better("C2", "Annealing finds better rankings than any fixed width", found$annealing,
                 "ridge annealed",
                 "best fixed width"),
    by_collection(function(name) {
      do.call(rbind, lapply(range(few_penalties), function(penalty) {
        first <- wide_starts(found, name, TRUE, "first", penalty)
        claim_mean("C3", "After a large first width w is near w0, whatever the start", name,
                   sprintf("largest relative distance from w0 after width 64, penalty %g", penalty),
                   apply(first, 1L, max), if (max(first) < 0.1) "holds" else "does not hold")
      }))
    }),
    by_collection(function(name) {
      do.call(rbind, lapply(range(few_penalties), function(penalty) {
        objective <- wide_starts(found, name, TRUE, "objective", penalty) / found$queries[[name]]
        apart <- apply(objective, 1L, function(v) diff(range(v)))
        claim_mean("C3", "After a large first width the start is irrelevant", name,
                   sprintf("range over starts of the final objective a query, penalty %g", penalty),
                   apart, if (max(apart) < 1e-3) "holds" else "does not hold")
      }))
    }),
    claim_better("C4", "w0 is a good centre: better than 0", found$centres, "ridge", "zero"),
    claim_better("C4", "Regression is a better centre than 0, even from the same start",
                 found$centres, "ridge", "ridge around 0"),
    do.call(rbind, lapply(cuts, function(k) {
      claim_better(if (k == 1) "C5, C10" else "C5", sprintf(
        "Training all places is better for NDCG@%d than training the first", k
      ), found$cuts, "k=Inf", "k=1", format(metric_ndcg(k, empty = 1)))
    })),
    do.call(rbind, lapply(seq_len(nrow(found$trend)), function(i) {
      row <- found$trend[i, ]
      claim("C5", sprintf("The more places are trained, the better is NDCG@%d", row$k),
            row$collection,
            "trend a step of the trained cut", row$effect, row$low, row$high, row$p, verdict(row))
    })),
    by_collection(function(name) {
      claim_mean("C6", "Training NDCG rises as the width falls", name,
                 "NDCG@50 at 2^-6 minus at 2^6", at(name, 2^-6, "train") - at(name, 2^6, "train"))
    }),
    by_collection(function(name) {
      row <- row_between(found$late, "2^-6", "2^-2", name)
      claim("C6", "Test NDCG saturates or falls as the width falls", name,
            "NDCG@50 at 2^-6 minus at 2^-2",
            row$effect, row$low, row$high, row$p,
            if (row$low > 0) "does not hold" else if (row$high < 0.005) "holds" else
              "undecided")
    }),
    do.call(rbind, lapply(unique(gaps$queries), function(count) {
      claim_mean("C6", "The gap grows as the width falls",
                 sprintf("simulated, %d queries", count),
                 "training minus test, at 2^-6 minus at 2^6",
                 gap_of(count, 2^-6) - gap_of(count, 2^6))
    })),
    by_collection(function(name) {
      own <- spread[spread$collection == name, ]
      claim_mean("C7", "Choosing the width as well is unstable", name,
                 "sd over samples of validation queries, both minus penalty",
                 own$both - own$penalty)
    }),
    by_collection(function(name) {
      stalled <- mean(found$stages[[name]]$status == "stalled")
      claim_mean("C8", "Kinks at ties do no harm", name, "fraction of stages that stalled", stalled,
                 if (stalled < 0.01) "holds" else "does not hold")
    }),
    claim_mean("C9", "The error is O(exp(-mu / sigma))", "OHSUMED",
               "pairs of query and width outside the bound", sum(found$errors$broken),
               if (sum(found$errors$broken) == 0) "holds" else "does not hold"),
    do.call(rbind, lapply(c(10, Inf), function(k) {
      own <- found$growth[found$growth$k == k, ]
      fit <- stats::lm(log(seconds / evaluations) ~ log(documents), own)
      range <- stats::confint(fit)[2L, ]
      wanted <- if (k == Inf) 2 else 1
      claim("C11", sprintf("A gradient is O(m^%d) with %s places, SoftRank's O(m^3)", wanted,
                           if (k == Inf) "all" else k), "simulated",
            "power of m in the time of a query", stats::coef(fit)[[2L]] + 1, range[1L] + 1,
            range[2L] + 1, NA, if (range[2L] + 1 < wanted + 0.5) "holds" else "does not hold")
    })),
    claim_better("C12", "SmoothAP by products is better for MAP than SmoothNDCG", found$precision,
                 "product", "SmoothNDCG"),
    claim_better("C12", "SmoothAP by smooth ranks (9) is better for MAP than SmoothNDCG",
                 found$precision, "rank", "SmoothNDCG")
  )
}

markdown <- function(table) {
  c(paste0("| ", paste(names(table), collapse = " | "), " |"),
    paste0("|", strrep("---|", ncol(table))),
    apply(as.matrix(table), 1L, function(row) {
      paste0("| ", paste(trimws(row), collapse = " | "), " |")
    }))
}

claims_text <- function(claims) {
  data.frame(claim = claims$claim, says = claims$says, data = claims$collection,
             compared = claims$compared, effect = number(claims$effect),
             interval = ifelse(is.na(claims$low), "", paste(number(claims$low), "to",
                                                           number(claims$high))),
             p = ifelse(is.na(claims$p), "", p_text(claims$p)), found = claims$found)
}

differences_text <- function(rows) {
  data.frame(data = rows$collection, a = rows$a, b = rows$b, metric = rows$metric,
             `a minus b` = number(rows$effect),
             interval = paste(number(rows$low), "to", number(rows$high)), p = p_text(rows$p),
             check.names = FALSE)
}

report_of <- function(found) {
  wide <- stats::reshape(found$table3, idvar = c("collection", "ranker"), timevar = "metric",
                         direction = "wide")
  names(wide) <- sub("mean[.]", "", sub("[(]empty = 1[)]", "", names(wide)))
  wide[-(1:2)] <- lapply(wide[-(1:2)], plain)
  means <- found$means
  means$mean <- plain(means$mean)
  figure2 <- stats::aggregate(cbind(train, test) ~ collection + sigma,
                              do.call(rbind, found$figure2), mean)
  figure2[3:4] <- lapply(figure2[3:4], plain)
  c("# SmoothRank and its paper", "",
    "Written by `Rscript bench/smoothrank.R`: the claims of Chapelle and Wu (2010), tested on OHSUMED (five folds, 106 queries) and",
    "on three draws of `simulate_ranking()` (100 training, 100 validation and 1000 test queries each). Effects are means over test",
    "queries, folds or draws, with a 95 % interval and the p-value of a paired t test, without adjustment for multiple tests. A query",
    "without a relevant document has NDCG@10 1. `found` shows on which side of 0 the interval lies.",
    paste0(found$made, "."), "",
    "## Claims", "", markdown(claims_text(found$claims)), "",
    "## Rankers", "", markdown(means), "", markdown(differences_text(found$rivals)), "",
    "## Annealing and starts", "", markdown(differences_text(found$annealing)), "",
    "## Centres", "", markdown(differences_text(found$centres)), "",
    "## Table 3: test NDCG by the cut that is trained", "", markdown(wide), "",
    "## Figure 2: NDCG@50 by width", "", markdown(figure2), "",
    "## Time by documents a query", "", "16,000 documents in all, one stage of width 1.", "",
    markdown(transform(found$growth, seconds = plain(seconds, 3))))
}
