# Writes bench/cocr.md: cocr() beside direct regression, the comparisons of Ruan, Lin and Tsai
# (2014), tables 1 to 8 and figures 1 and 2, and the result for each claim.
#
#   Rscript data-raw/cocr.R     trains, and writes bench/cocr.rds
#   Rscript bench/cocr.R        writes the tables of these results

found <- readRDS("bench/cocr.rds")
table <- found$table
costs <- c("absolute", "squared", "oerr")
methods <- c("direct", "gains", costs)
title <- c(direct = "direct", gains = "direct, gains", absolute = "absolute", squared = "squared",
           oerr = "oERR")
collections <- c("simulated", "two scales", "MQ2008", "OHSUMED", "MSLR-sample")

# A p value, or "-" if nothing was tested.
show_p <- function(p) {
  ifelse(is.na(p), "-", ifelse(p < 1e-4, "<.0001", sub("^0", "", sprintf("%.4f", p))))
}
row_at <- function(from, collection, base, method, metric) {
  from[from$collection == collection & from$base == base & from$method == method &
         from$metric == metric, ]
}
cell <- function(row, method) {
  if (nrow(row) == 0L) {
    return("-")
  }
  text <- sprintf("%.4f", row$mean)
  if (method == "direct") {
    return(text)
  }
  if (!is.na(row$p_direct) && row$p_direct < 0.05) {
    text <- if (row$less_direct > 0) sprintf("**%s**", text) else sprintf("_%s_", text)
  }
  sprintf("%s (%s)", text, show_p(row$p_direct))
}
lines_of <- function(from, collections, base, metric, suffix = "", shown = collections) {
  c(sprintf("| | %s |", paste(title, collapse = " | ")),
    paste0("|", strrep("---|", length(title) + 1L)),
    vapply(seq_along(collections), function(i) {
      cells <- vapply(methods, function(method) {
        cell(row_at(from, collections[i], base, paste0(method, suffix), metric), method)
      }, "")
      sprintf("| %s | %s |", shown[i], paste(cells, collapse = " | "))
    }, ""), "")
}
against_oerr <- function(base, metric = "err") {
  c("| | direct | absolute | squared |", "|---|---|---|---|",
    vapply(collections, function(collection) {
      cells <- vapply(c("direct", "absolute", "squared"), function(method) {
        row <- row_at(table, collection, base, method, metric)
        if (nrow(row) == 0L) "-" else sprintf("%+.4f (%s)", -row$less_oerr, show_p(row$p_oerr))
      }, "")
      sprintf("| %s | %s |", collection, paste(cells, collapse = " | "))
    }, ""), "")
}
bases <- unique(table$base)
has_m5p <- "m5p" %in% bases
steps <- grep("^gbrt", unique(table$base[table$collection == "simulated"]), value = TRUE)
trees_table <- function(from, collection, suffix) {
  lines <- unlist(lapply(steps, function(base) {
    lines_of(from, collection, base, "err", suffix, sub("gbrt", "step", base))
  }))
  # One header for the tables of all steps.
  c(lines[1:2], grep("^\\| step", lines, value = TRUE), "")
}

# The number of collections on which a cost is better or worse than direct regression with p < .05.
verdict <- function(base, method, metric, from = table, column = "direct") {
  rows <- from[from$base == base & from$method == method & from$metric == metric, ]
  difference <- rows[[paste0("less_", column)]]
  p <- rows[[paste0("p_", column)]]
  sure <- !is.na(p) & p < 0.05
  words <- function(which) if (any(which)) toString(rows$collection[which]) else "nowhere"
  sprintf("better: %s; worse: %s", words(sure & difference > 0), words(sure & difference < 0))
}
claim <- function(name, text, ...) {
  sprintf("| **%s** %s | %s |", name, text, paste(c(...), collapse = ""))
}
theory <- found$theory
theory_row <- function(base, cost) {
  theory[theory$collection == "simulated" & theory$base == base & theory$cost == cost, ]
}
middle <- "gbrt 0.05"
soft_text <- function(what, base) {
  rows <- table[table$base == base & table$method == paste("oerr", what) & table$metric == "err", ]
  paste(sprintf("%s %+.4f (%s)", rows$collection, rows$less_soft, show_p(rows$p_soft)),
        collapse = ", ")
}
cost_text <- function(base, method) {
  rows <- table[table$base == base & table$method == method & table$metric == "err", ]
  paste(sprintf("%s %+.4f (%s)", rows$collection, rows$less_direct, show_p(rows$p_direct)),
        collapse = ", ")
}
# oERR minus squared costs.
oerr_text <- function(base, metric) {
  rows <- table[table$base == base & table$method == "squared" & table$metric == metric, ]
  paste(sprintf("%s %+.4f (%s)", rows$collection, -rows$less_oerr, show_p(rows$p_oerr)),
        collapse = ", ")
}
few_text <- function(from, step) {
  rows <- from[from$base == paste("gbrt", step) & from$metric == "err" &
                 from$method %in% paste(costs, "all"), ]
  paste(sprintf("%s %+.4f (%s)", sub(" all", "", rows$method), rows$less_direct,
                show_p(rows$p_direct)), collapse = ", ")
}
simulated <- table[table$collection == "simulated", ]

# Figure 1 as numbers: how much better the training value is, for the smallest and the largest nodes.
overfitting <- function() {
  by_size <- stats::aggregate(found$figure1[c("train", "test")], found$figure1[c("size", "method")],
                              mean)
  paste(vapply(split(by_size, factor(by_size$method, c("direct", costs))), function(own) {
    ends <- own[c(which.min(own$size), which.max(own$size)), ]
    sprintf("%s %.4f with 4, %.4f with 2,048 (test %.4f, %.4f)", title[[own$method[1L]]],
            ends$train[1L] - ends$test[1L], ends$train[2L] - ends$test[2L], ends$test[1L],
            ends$test[2L])
  }, ""), collapse = "; ")
}
# Figure 2 as numbers.
equal_trees <- function() {
  rows <- found$equal_numbers
  paste(sprintf("%s %+.4f (%s) at %s", title[rows$cost], rows$less_direct, show_p(rows$p), rows$by),
        collapse = "; ")
}

claims <- c(
  "| claim | found |", "|---|---|",
  claim("E0", "absolute costs with least squares are direct regression",
        sprintf("holds: the largest difference of a mean is %.1e. %s",
                max(abs(table$less_direct[table$base == "linear" & table$method == "absolute"])),
                "The paper's differences must come from elsewhere.")),
  claim("E1", "COCR ranks better than direct regression, ERR",
        "linear, squared: ", verdict("linear", "squared", "err"),
        ". linear, oERR: ", verdict("linear", "oerr", "err"),
        ". trees (step .05), absolute: ", verdict(middle, "absolute", "err"),
        "; squared: ", verdict(middle, "squared", "err"),
        "; oERR: ", verdict(middle, "oerr", "err"),
        if (has_m5p) c(". M5P, absolute: ", verdict("m5p", "absolute", "err"),
                       "; squared: ", verdict("m5p", "squared", "err"),
                       "; oERR: ", verdict("m5p", "oerr", "err")), "."),
  claim("E2", "oERR is best in ERR, squared in NDCG@10",
        "oERR minus squared, ERR, linear: ", oerr_text("linear", "err"),
        "; trees: ", oerr_text(middle, "err"),
        ". NDCG@10, linear: ", oerr_text("linear", "ndcg"), "; trees: ", oerr_text(middle, "ndcg"),
        ". Direct regression of gains (not in the paper) minus direct regression of grades, ERR, ",
        "linear: ",
        cost_text("linear", "gains"), "; trees: ", cost_text(middle, "gains"), "."),
  if (has_m5p) claim("E3", "oERR overfits where M5P splits small nodes", "training minus test ERR: ",
                     overfitting()),
  if (has_m5p) claim("E4", "the gain is not due to more trees",
                     "bagged M5P, ERR minus that of direct regression, simulated: ", equal_trees()),
  claim("E5", "with few data and small steps differences vanish",
        "step .1, 300 queries: ", few_text(found$few, 0.1), "; step .02: ",
        few_text(found$few, 0.02), ". With 2,000 queries, step .1: ", few_text(simulated, 0.1),
        "; step .02: ", few_text(simulated, 0.02), "."),
  claim("E6", "the sum of answers is near the expected grade (theorem 1)",
        paste(vapply(c("linear", middle), function(base) {
          paste(vapply(costs, function(cost) {
            row <- theory_row(base, cost)
            sprintf("%s, %s: mean square %.3f, bound %.3f, mean error %+.3f", base, cost,
                    row$rank_excess, row$rank_bound, row$bias)
          }, ""), collapse = "; ")
        }, ""), collapse = "; "),
        ". Weights of costs move what is estimated."),
  claim("E7", "soft is better than hard", "hard minus soft, oERR, ERR, linear: ",
        soft_text("hard", "linear"), "; trees: ", soft_text("hard", middle),
        ". With ties averaged: ", soft_text("hard average", middle), "."),
  claim("E8", "monotone answers change the ranking", "isotonic minus raw, oERR, ERR, linear: ",
        soft_text("isotonic", "linear"), "; trees: ", soft_text("isotonic", middle),
        ". Running minimum, linear: ", soft_text("minimum", "linear"), "; trees: ",
        soft_text("minimum", middle), ".")
)

m5p_lines <- if (has_m5p) c(
  "## Table 5: M5P, ERR", "", lines_of(table, collections, "m5p", "err"),
  "## Table 6: M5P, NDCG@10", "", lines_of(table, collections, "m5p", "ndcg"),
  "oERR minus the others, ERR (table 3b):", "", against_oerr("m5p"),
  "## Figure 1 and table 4: the smallest node that M5P splits, simulated data, ERR", "",
  "| | size | training | validation | test |", "|---|---|---|---|---|", {
    by_size <- stats::aggregate(found$figure1[c("train", "valid", "test")],
                                found$figure1[c("size", "method")], mean)
    sprintf("| %s | %d | %.4f | %.4f | %.4f |", title[by_size$method], by_size$size,
            by_size$train, by_size$valid, by_size$test)
  }, "",
  "## Figure 2: bagged M5P, simulated data, test ERR", "",
  "| | rounds | trees | ERR |", "|---|---|---|---|", {
    by_rounds <- stats::aggregate(found$figure2["err"],
                                  found$figure2[c("trees", "rounds", "method")], mean)
    sprintf("| %s | %d | %d | %.4f |", title[by_rounds$method], by_rounds$rounds,
            by_rounds$trees, by_rounds$err)
  }, "")

lines <- c(
  "# COCR beside direct regression", "",
  sprintf("Written by `Rscript bench/cocr.R` from what `data-raw/cocr.R` measured (%s).",
          found$made), "",
  sprintf("Test queries: %s.", paste(sprintf("%s %d", names(found$queries), found$queries),
                                     collapse = ", ")),
  "Simulated data are three draws from different distributions, with 2,000 training and 500 validation queries each. In",
  "\"two scales\", some features determine whether a document is relevant, and others how relevant it is. ERR uses the whole list",
  "and the highest grade of the collection. Penalties, trees and node sizes are chosen by the ERR of the validation queries. In",
  "brackets: the p-value of a paired two-sided t test over queries, against direct regression of the grade with the same base. It is",
  "not adjusted for multiple tests. Bold is better and italics worse, at p < .05.", "",
  "## Table 1: linear regression, ERR", "", lines_of(table, collections, "linear", "err"),
  "## Table 2: linear regression, NDCG@10", "", lines_of(table, collections, "linear", "ndcg"),
  "oERR minus the others, ERR (table 3a):", "", against_oerr("linear"),
  m5p_lines,
  "## Table 7: trees, 2,000 simulated queries, ERR of all 1,000 trees of depth 4", "",
  trees_table(table, "simulated", " all"),
  "The number of trees chosen on validation queries:", "", trees_table(table, "simulated", ""),
  "## Table 8: the same, 300 queries", "", trees_table(found$few, "simulated, 300", " all"),
  "The number of trees chosen on validation queries:", "",
  trees_table(found$few, "simulated, 300", ""),
  "## Trees on all collections, step .05, number chosen, ERR and NDCG@10", "",
  lines_of(table, collections, middle, "err"), lines_of(table, collections, middle, "ndcg"),
  "## Claims", "", claims, ""
)
writeLines(lines, "bench/cocr.md")
cat(lines, sep = "\n")
