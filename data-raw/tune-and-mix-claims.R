# The claims of Tune and mix (2013), judged by the tables that data-raw/tune-and-mix.R leaves in a folder. A claim
# holds if the interval is on its side of 0 and p is below 0.05. It does not hold if the interval is on the other
# side. "About" means within 0.01.

verdict <- function(lower, upper, p = 0, limit = 0) {
  if (limit > 0) {
    if (lower > -limit && upper < limit) return("holds")
    return(if (lower > limit || upper < -limit) "does not hold" else "undecided")
  }
  if (p >= 0.05) "undecided" else if (lower > 0) "holds" else if (upper < 0) "does not hold" else "undecided"
}

row_of <- function(claim, on, found, effect, lower = NA, upper = NA, p = NA, adjusted = NA) {
  data.frame(claim, on, found, effect, lower, upper, p, adjusted)
}

pair_claims <- function(answers) {
  claim <- function(text, ranker, against, limit = 0) {
    rows <- answers[answers$ranker == ranker & answers$against == against, ]
    rows <- rows[!duplicated(rows$collection), ]
    do.call(rbind, lapply(seq_len(nrow(rows)), function(i) {
      with(rows[i, ], row_of(text, collection, verdict(lower, upper, p, limit), sprintf("%+.4f", difference), lower, upper,
                             p, adjusted))
    }))
  }
  rbind(
    claim("Mixing helps AdaBoost.MH: AB+EXP is above AB+OneBest", "AB+EXP", "AB+OneBest"),
    claim("Mixing barely helps the SVM: SVM+EXP is about SVM+OneBest", "SVM+EXP", "SVM+OneBest", 0.01),
    claim("CPC is about RBC, AdaBoost.MH", "AB+EXP.CPC", "AB+EXP.RBC", 0.01),
    claim("CPC is about RBC, SVM", "SVM+EXP.CPC", "SVM+EXP.RBC", 0.01),
    claim("AB+OneBest is above RankBoost", "AB+OneBest", "RankBoost"),
    claim("SVM+OneBest is above RankSVM", "SVM+OneBest", "RankSVM"),
    claim("Short queries harm AdaRank", "AdaRank.NDCG", "AdaRank.NDCG, LETOR"),
    claim("Not in the paper: all+EXP is above AB+EXP", "all+EXP", "AB+EXP"),
    claim("Not in the paper: all+EXP is above gbrt", "all+EXP", "gbrt"),
    claim("Not in the paper: all+EXP is above ridge", "all+EXP", "ridge")
  )
}

# The mixture and each ranker of section 7.3: holds if it is above all, does not hold if it is below one.
section_claims <- function(answers) {
  own <- answers[answers$question == "the paper's mixtures against section 7.3", ]
  do.call(rbind, lapply(split(own, list(own$collection, own$ranker)), function(rows) {
    sure <- rows$p < 0.05
    above <- sure & rows$lower > 0
    least <- rows[which.min(rows$difference), ]
    row_of(paste(rows$ranker[1L], "is above each ranker of section 7.3"), rows$collection[1L],
           if (any(sure & rows$upper < 0)) "does not hold" else if (all(above)) "holds" else "undecided",
           sprintf("%d of %d; least %+.4f", sum(above), nrow(rows), least$difference),
           least$lower, least$upper, least$p, least$adjusted)
  }))
}

fold_claims <- function(chosen, normalised) {
  own <- chosen[chosen$ranker == "AB+EXP" & chosen$collection != "simulated", ]
  share <- function(text, hit) {
    interval <- stats::binom.test(sum(hit), length(hit))$conf.int
    row_of(text, "MQ2008, OHSUMED", if (interval[1L] > 0.5) "holds" else if (interval[2L] < 0.5) "does not hold" else "undecided",
           sprintf("%d of %d folds", sum(hit), length(hit)), interval[1L], interval[2L])
  }
  real <- normalised[normalised$collection != "simulated", ]
  test <- stats::t.test(stats::aggregate(cbind(gain = normalised - plain) ~ fold + collection, real, mean)$gain)
  rbind(
    share("c is above 100 (AB+EXP)", own$c > 100),
    share("T is 50 to 100 (AB+EXP; 10, 50, 200 were tried)", own$rounds == 50),
    row_of("Gains normalised by query are better (figure 4)", "MQ2008, OHSUMED", verdict(test$conf.int[1L], test$conf.int[2L]),
           sprintf("%+.4f", test$estimate), test$conf.int[1L], test$conf.int[2L], test$p.value)
  )
}

figure_claims <- function(tools, curve, cpc) {
  least <- vapply(split(tools, tools$collection), function(part) {
    min(vapply(split(part, part$k), function(part) {
      part <- part[order(part$ranker), ]
      stats::cor(part$value[part$tool == "Yahoo"], part$value[part$tool != "Yahoo"], method = "kendall")
    }, 0))
  }, 0)
  listwise <- c("RankNet", "AdaRank.NDCG", "coordinate ascent")
  random <- curve[curve$order == "random", ]
  gain_of <- function(rankers) {
    part <- random[random$ranker %in% rankers, ]
    ends <- range(part$train_queries)
    mean(part$mean[part$train_queries == ends[2L]]) - mean(part$mean[part$train_queries == ends[1L]])
  }
  growth <- c(gain_of(listwise), gain_of(setdiff(random$ranker, listwise)))
  holds <- function(yes) if (yes) "holds" else "does not hold"
  rbind(
    row_of("Two tools order rankers differently (figure 2)", paste(names(least), collapse = ", "), holds(any(least < 1)),
           paste("least Kendall correlations", toString(sprintf("%.2f", least)))),
    row_of("Listwise rankers gain less by more queries (figure 3)", "simulated", holds(growth[1L] < growth[2L]),
           sprintf("%+.4f, others %+.4f", growth[1L], growth[2L])),
    row_of("Calibrations rank differently: correlation below 0.99 (figure 5)", "MQ2008", holds(mean(cpc$correlation) < 0.99),
           sprintf("mean Spearman correlation %.3f", mean(cpc$correlation)))
  )
}

# The tables of reproduce/large.md: seconds of training, and rankers.
large_tables <- function(lines) {
  rows <- strsplit(sub("^\\| *(.*?) *\\|$", "\\1", grep("^\\|", lines, value = TRUE), perl = TRUE), " *\\| *")
  header <- which(vapply(rows, `[`, "", 1L) == "ranker")
  seconds <- rows[3:(header - 1L)]
  values <- rows[-seq_len(header + 1L)]
  list(
    what = lines[3L],
    seconds = stats::setNames(vapply(seconds, `[`, "", 2L), vapply(seconds, `[`, "", 1L)),
    rankers = data.frame(ranker = vapply(values, `[`, "", 1L), mean = as.numeric(vapply(values, `[`, "", 2L)),
                         difference = vapply(values, function(row) if (length(row) < 3L) "" else row[3L], ""))
  )
}

write_summary <- function(folder, to = "vignettes/tune-and-mix.rds") {
  read <- function(name) utils::read.csv(file.path(folder, paste0(name, ".csv")))
  answers <- read("answers")
  answers <- answers[startsWith(answers$metric, "ndcg"), ]
  tables <- read("tables")
  shown <- c("AB+EXP", "AB+OneBest", "SVM+EXP", "SVM+OneBest", "RankSVM", "RankBoost", "RankNet", "AdaRank.MAP", "AdaRank.NDCG",
             "AdaRank.ERR", "coordinate ascent", "best feature", "all+EXP", "gbrt", "ridge")
  tables <- tables[startsWith(tables$metric, "ndcg") & tables$ranker %in% shown, ]
  claims <- rbind(pair_claims(answers), section_claims(answers), fold_claims(read("chosen"), read("normalised")),
                  figure_claims(read("tools"), read("curve"), read("cpc")))
  rownames(claims) <- NULL
  saveRDS(list(
    made = sprintf("rankmix %s, %s", utils::packageVersion("rankmix"), R.version.string),
    tables = tables[order(match(tables$ranker, shown)), c("collection", "ranker", "mean", "se")],
    claims = claims, large = large_tables(readLines("reproduce/large.md"))
  ), to, version = 3L, compress = "xz")
  cat(sprintf("%s: %d bytes\n", to, file.size(to)))
}
