# Writes vignettes/articles/which-ranker.rds, the numbers of the article "Which ranker for my
# data", collected from the reports in bench/: none is typed.
#
#   Rscript data-raw/which-ranker.R

# The tables of a report, as data frames of text with the heading that they stand under.
report_tables <- function(name) {
  lines <- readLines(file.path("bench", name))
  rows <- startsWith(lines, "|")
  heading <- ""
  headings <- vapply(lines, function(line) {
    if (grepl("^#+ ", line)) heading <<- sub("^#+ ", "", line)
    heading
  }, "", USE.NAMES = FALSE)
  runs <- rle(rows)
  ends <- cumsum(runs$lengths)[runs$values]
  lapply(seq_along(ends), function(i) {
    at <- seq.int(to = ends[i], length.out = runs$lengths[runs$values][i])
    cells <- lapply(strsplit(sub("\\|\\s*$", "", sub("^\\|", "", lines[at])), "|", fixed = TRUE),
                    trimws)
    names <- make.unique(ifelse(nzchar(cells[[1L]]), cells[[1L]], "row"))
    table <- do.call(rbind, lapply(cells[-(1:2)], `length<-`, length(names)))
    list(heading = headings[at[1L]],
         rows = stats::setNames(as.data.frame(table), names))
  })
}

under <- function(tables, heading) {
  found <- Filter(function(table) identical(table$heading, heading), tables)
  stopifnot(length(found) >= 1L)
  found[[1L]]$rows
}

# The first number of each text: "0.2963 (.2529)" and "_0.2942_ (.0465)" are .2963 and .2942.
number <- function(text) {
  as.numeric(sub("^[^0-9+-]*([+-]?[0-9.,]+).*$", "\\1", gsub(",", "", text)))
}
said <- function(name, pattern) {
  text <- paste(readLines(file.path("bench", name)), collapse = " ")
  found <- regmatches(text, regexec(pattern, text))[[1L]]
  stopifnot(length(found) > 1L)
  number(found[-1L])
}

# Accuracy on test parts -------------------------------------------------------------------------

reports <- c(MQ2008 = "accuracy.md", OHSUMED = "accuracy-ohsumed.md",
             `MSLR-sample` = "accuracy-mslr.md", simulated = "accuracy-simulated.md")
kept <- c("ridge" = "linear_ranker()", "RankSVM" = "ranksvm()",
          "coordinate ascent" = "coordinate_ascent()", "AdaRank.NDCG" = "adarank(metric_ndcg())",
          "RankBoost" = "rankboost()", "gbrt" = "gbrt()",
          "AB base_tree(8)" = "adaboost_mh(base_tree(8))", "AB base_stump()" = "adaboost_mh(base_stump())",
          "RankNet" = "ranknet()", "ListNet" = "listnet()", "best feature" = "best_feature()",
          "all+EXP" = "mixture of six", "lightgbm lambdarank" = "lightgbm lambdarank")
accuracy <- do.call(rbind, lapply(names(reports), function(collection) {
  tables <- report_tables(reports[[collection]])
  table <- under(tables, "ndcg@10(empty = 1)")
  table <- table[match(names(kept), table$ranker), ]
  heading <- Filter(function(x) startsWith(x$heading, "err("), tables)[[1L]]$heading
  # Queries that were measured, and that trained where the report says so.
  queries <- if (collection == "simulated") {
    said(reports[[collection]], "which ([0-9,]+) +queries train, [0-9]+ tune and ([0-9]+) measure")
  } else {
    c(NA, said(reports[[collection]], "\\(([0-9]+) queries in all\\)"))
  }
  data.frame(collection = collection, ranker = unname(kept), report_name = names(kept),
             ndcg = number(table[[2L]]), se = number(table[["standard error"]]),
             grades = number(sub("err(max_grade =", "", heading, fixed = TRUE)) + 1,
             train_queries = queries[1L], test_queries = queries[2L])
}))
stopifnot(!anyNA(accuracy$ndcg))

differences <- do.call(rbind, lapply(names(reports), function(collection) {
  table <- under(report_tables(reports[[collection]]), "One ranker minus another")
  table <- table[table$ranker == "all+EXP" & startsWith(table$metric, "ndcg"), ]
  interval <- strsplit(gsub("[][]", "", table[["95 % interval"]]), ", *")
  data.frame(collection = collection, against = table$against,
             difference = number(table$difference),
             low = as.numeric(vapply(interval, `[`, "", 1L)),
             high = as.numeric(vapply(interval, `[`, "", 2L)), adjusted = table$adjusted)
}))

# Sums of features beside trees, by how much there is to learn from ------------------------------

smooth <- under(report_tables("smoothrank.md"), "Rankers")
smooth <- smooth[smooth$metric == "ndcg@10(empty = 1)", ]
# Rankers come first; further down are starts of SmoothRank, some of the same name.
smooth <- smooth[!duplicated(smooth[c("collection", "ranker")]), ]
smooth$mean <- number(smooth$mean)
members <- do.call(rbind, lapply(Filter(function(t) grepl("queries$", t$heading),
                                        report_tables("members.md")), function(table) {
  alone <- grepl(" alone$", table$rows$members)
  data.frame(collection = table$heading, ranker = sub(" alone$", "", table$rows$members),
             alone = alone, ndcg = number(table$rows[["NDCG@10"]]),
             less = table$rows[["less that of all six (95 % interval)"]])
}))

# Grades -----------------------------------------------------------------------------------------

cocr <- report_tables("cocr.md")
named <- function(pattern, nth = 1L) {
  Filter(function(table) grepl(pattern, table$heading), cocr)[[nth]]$rows
}
ordinal <- list(linear = named("^Table 2: linear regression, NDCG"),
                trees = named("^Trees on all collections", 2L),
                few = named("^Table 8"), many = named("^Table 7"))
yeti <- report_tables("yetirank.md")
judges <- Filter(function(table) startsWith(table$heading, "Y3"), yeti)
errors <- sub("^Errors of assessors: ([a-z]+)[.].*$", "\\1",
              grep("^Errors of assessors", readLines("bench/yetirank.md"), value = TRUE))
judges <- do.call(rbind, Map(function(table, name) {
  data.frame(errors = name, grades_are = table$rows$setting, ndcg = number(table$rows$value),
             less = table$rows[["less the first"]])
}, judges, errors))
steps <- Filter(function(table) startsWith(table$heading, "Y1"), yeti)
steps <- do.call(rbind, Map(function(table, name) {
  cbind(measured = name, table$rows[c("set-up", "chosen", "step", "interval", "p")])
}, steps[c(2L, 4L)], c("150 trees", "800 trees")))
clicks <- report_tables("position-bias.md")[[1L]]$rows

# Time on 240,000 documents x 136 features, two threads ------------------------------------------

cell <- function(name, table, row, column) {
  rows <- report_tables(name)[[table]]$rows
  value <- number(rows[[column]][rows[[1L]] == row])
  stopifnot(length(value) == 1L, is.finite(value))
  value
}
timed <- function(ranker, seconds, report) data.frame(ranker, seconds, report)
each <- function(name, row, rounds) {
  cell(name, 1L, row, if (name == "oblivious.md") "two threads, elapsed" else "2 threads") / 1000 *
    rounds
}
seconds <- rbind(
  timed("linear_ranker(), 10 penalties", cell("cocr-speed.md", 1L,
        "linear_ranker(loss_squared(\"grade\")), 10 penalties, choice on 12,000 documents", "seconds"),
        "cocr-speed.md"),
  timed("cocr(linear_ranker()), 10 penalties", cell("cocr-speed.md", 1L,
        "cocr(linear_ranker()), 3 costs, 10 penalties, choice on 12,000 documents", "seconds"),
        "cocr-speed.md"),
  timed("m5p(256)", cell("m5p.md", 1L, "`m5p(256)`, two threads", "training, s"), "m5p.md"),
  timed("ranksvm(), 11 costs", cell("ranksvm.md", 1L, "240,000 x 136, two threads", "seconds"),
        "ranksvm.md"),
  timed("smoothrank(), one penalty", cell("smoothrank-speed.md", 1L, "240,000 x 136, one penalty",
        "seconds"), "smoothrank-speed.md"),
  timed("mcsvm(), 8 costs", said("mcsvm.md", "5 grades: ([0-9.]+) s on two threads"), "mcsvm.md"),
  timed("gbrt(num_leaves = 8), 500 trees", each("learners.md", "gbrt(num_leaves = 8)", 500),
        "learners.md"),
  timed("gbrt(num_leaves = 64), 500 trees", each("learners.md", "gbrt(num_leaves = 64)", 500),
        "learners.md"),
  timed("gbrt(growth = \"oblivious\"), 500 trees", each("oblivious.md",
        "gbrt(learning_rate = 0.1, growth = \"oblivious\")", 500), "oblivious.md"),
  timed("adaboost_mh(base_tree(8)), 500 rounds", each("learners.md", "base_tree(8)", 500), "learners.md"),
  timed("adaboost_mh(base_tree(64)), 500 rounds", each("learners.md", "base_tree(64)", 500), "learners.md"),
  timed("adaboost_mh(base_product(3)), 500 rounds", each("learners.md", "base_product(3)", 500),
        "learners.md")
)
serving <- report_tables("serving.md")[[1L]]$rows
serving <- serving[serving$features == "136" & grepl("^[^(]*: matrix$", serving$call), ]
serving <- data.frame(ranker = sub(": matrix$", "", serving$call),
                      ms = number(serving[["median, ms"]]))
serving_models <- said("serving.md", "gbrt\\(\\) has ([0-9]+) trees.* and ([0-9]+) members")
measured_on <- said("learners.md", "([0-9,]+) documents x ([0-9]+) features, ([0-9]+) grades")
memory <- report_tables("memory.md")[[1L]]$rows

# RankLib ----------------------------------------------------------------------------------------

baselines <- report_tables("baselines.md")
beside <- under(baselines, "Speed beside RankLib")
folds <- do.call(rbind, lapply(c("MQ2008", "OHSUMED"), function(collection) {
  table <- under(baselines, collection)
  table <- table[table$beside == "RankLib", ]
  data.frame(collection = collection, method = table$method, difference = number(table$difference),
             interval = sub("^[^[]*", "", table$difference), p = table$p)
}))

saveRDS(list(
  reports = sort(unique(c(reports, "baselines.md", "smoothrank.md", "members.md", "cocr.md",
                          "yetirank.md", "position-bias.md", "serving.md", "memory.md",
                          seconds$report))),
  accuracy = accuracy, differences = differences,
  smooth = smooth[c("collection", "ranker", "mean")],
  smooth_queries = said("smoothrank.md", "\\(([0-9]+) training, [0-9]+ +validation"),
  members = members, ordinal = ordinal, judges = judges, steps = steps, clicks = clicks,
  seconds = seconds, measured_on = measured_on, serving = serving, serving_models = serving_models,
  ranklib = list(ratio = number(beside$ratio), folds = folds),
  bytes = number(memory[["bytes a document"]][startsWith(memory[[1L]], "gbrt(num_leaves = 64)")][1L])
), "vignettes/articles/which-ranker.rds", version = 3, compress = "xz")
