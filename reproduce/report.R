# One page of all claims, and a summary in markdown. The page loads nothing from elsewhere.

html <- function(text) {
  text <- gsub("&", "&amp;", text, fixed = TRUE)
  gsub(">", "&gt;", gsub("<", "&lt;", text, fixed = TRUE), fixed = TRUE)
}
show_number <- function(x, digits = 4) {
  ifelse(is.na(x), "", ifelse(abs(x) >= 10, sprintf("%+.1f", x), sprintf("%+.*f", digits, x)))
}
show_p <- function(p) {
  ifelse(is.na(p), "", ifelse(p < 1e-4, "< .0001", sub("^0", "", sprintf("%.4f", p))))
}
show_seconds <- function(s) ifelse(s >= 100, sprintf("%.0f s", s), sprintf("%.1f s", s))
show_effect <- function(row) {
  interval <- ifelse(is.na(row$low), "", sprintf(" [%s, %s]", show_number(row$low),
                                                 show_number(row$high)))
  never <- row$kind == "never"
  ifelse(is.na(row$effect), "", ifelse(never, sprintf("%.0f of %.0f", row$effect, row$n),
                                       paste0(show_number(row$effect), interval)))
}
show_data <- function(row) {
  of <- ifelse(row$of_parts > 1L, ifelse(row$parts < row$of_parts,
                                         sprintf(", %d of %d parts", row$parts, row$of_parts),
                                         sprintf(", %d parts", row$of_parts)), "")
  n <- ifelse(is.na(row$n) | row$kind == "never", "", sprintf(", n\u00a0=\u00a0%.0f", row$n))
  paste0(row$data, ifelse(row$parts == 0L, "", of), n)
}
show_verdict <- function(row) ifelse(is.na(row$verdict), row$status, row$verdict)

# Rows become cards on narrow windows: each cell has its column.
html_table <- function(table, class = "", raw = character()) {
  names <- html(names(table))
  cells <- vapply(names(table), function(name) {
    text <- as.character(table[[name]])
    if (!name %in% raw) text <- html(text)
    sprintf("<td data-label=\"%s\">%s</td>", html(name), text)
  }, character(nrow(table)))
  rows <- apply(matrix(cells, nrow(table)), 1L, paste, collapse = "")
  c(sprintf("<div class=\"wide\"><table class=\"%s\"><thead><tr>%s</tr></thead><tbody>", class,
            paste0("<th>", names, "</th>", collapse = "")),
    paste0("<tr>", rows, "</tr>"), "</tbody></table></div>")
}
badge <- function(text) {
  class <- c(holds = "yes", `does not hold` = "no", `undecided` = "open")[text]
  sprintf("<span class=\"%s\">%s</span>", ifelse(is.na(class), "left", class), html(text))
}

claims_table <- function(rows) {
  html_table(data.frame(
    claim = rows$id, `what is said` = rows$says, data = show_data(rows), measured = rows$measure,
    `effect, 95 % interval` = show_effect(rows), p = show_p(rows$p),
    `p, Holm` = show_p(rows$p_holm), verdict = badge(show_verdict(rows)),
    `the paper has` = rows$figure, time = ifelse(rows$parts > 0L, show_seconds(rows$seconds), ""),
    check.names = FALSE
  ), "claims", "verdict")
}

counts_by_paper <- function(rows) {
  papers <- unique(rows$paper)
  seen <- factor(ifelse(is.na(rows$verdict), "not run", rows$verdict), c(verdicts, "not run"))
  counts <- table(factor(rows$paper, papers), seen)
  data.frame(paper = papers, unclass(counts), check.names = FALSE,
             row.names = NULL)
}

# The numbers to beat: a table for each collection, of all that was ranked there.
beat_table <- function(results, rows, collection) {
  done <- Filter(function(r) !is.null(r$found$values$ndcg), results)
  if (length(done) == 0L) return(NULL)
  found <- lapply(unname(done), `[[`, "found")
  columns <- c("mixture", beat_columns, member_names(found))
  columns <- columns[vapply(columns, function(name) {
    any(vapply(found, function(one) name %in% colnames(one$values$ndcg), NA))
  }, NA)]
  mean_of <- function(metric) vapply(columns, function(name) {
    mean(unlist(lapply(found, function(one) {
      if (name %in% colnames(one$values[[metric]])) one$values[[metric]][, name]
    })), na.rm = TRUE)
  }, 0)
  difference <- function(metric) vapply(columns, function(name) {
    if (name == "mixture") return("")
    m <- less("mixture", name, metric)(found)
    reach <- stats::qt(0.975, m$df) * m$se
    sprintf("%s [%s, %s]", show_number(m$effect), show_number(m$effect - reach),
            show_number(m$effect + reach))
  }, "")
  seconds <- vapply(columns, function(name) {
    mean(vapply(found, function(one) {
      if (name %in% names(one$times)) one$times[[name]] else NA_real_
    }, 0))
  }, 0)
  shown <- ifelse(columns == "split", "mixture, the paper's protocol (split)",
                  ifelse(columns == "mixture", "tune_and_mix(), its defaults", columns))
  best <- table(vapply(found, `[[`, "", "best"))
  p <- vapply(columns, function(name) {
    own <- rows[rows$key == paste(collection, name), ]
    if (nrow(own) == 1L) show_p(own$p_holm) else ""
  }, "")
  list(
    table = data.frame(
      ranker = shown, `NDCG@10` = sprintf("%.4f", mean_of("ndcg")),
      `mixture minus it` = difference("ndcg"), `p, Holm` = p, ERR = sprintf("%.4f", mean_of("err")),
      `mixture minus it, ERR` = difference("err"),
      `seconds a part` = ifelse(is.na(seconds), "", sprintf("%.1f", seconds)), check.names = FALSE
    ),
    mean = mean_of("ndcg")[["mixture"]], parts = length(found),
    best = paste(sprintf("%s (%d)", sub("member ", "", names(best)), best), collapse = ", ")
  )
}

# Rows of the difference to one ranker, keyed for the table.
beat_keys <- function(rows) {
  rows <- rows[rows$paper == "Numbers to beat" & rows$measure == "NDCG@10", ]
  name <- sub("^The default mixture beats ", "", rows$says)
  name[name == "the paper's protocol, which splits"] <- "split"
  rows$key <- paste(rows$data, name)
  rows
}

goal_text <- function(goal, own, parts) {
  if (is.na(goal)) return("")
  if (own$parts < parts) return(sprintf("The goal for all %d parts is %.3f. ", parts, goal))
  sprintf("The goal is %.3f, the mixture has <strong>%.4f</strong>. ", goal, own$mean)
}

beat_section <- function(results_of_collection, rows) {
  rows <- beat_keys(rows)
  c("<h2 id=\"beat\">The numbers to beat</h2>",
    "<p>NDCG@10 gives 1 to a query without a relevant document. Means are over the test queries of",
    "all parts, differences are of the same queries; <em>members</em> are those of the mixture, of",
    "each kind the one that was best on validation queries. lightgbm's leaves and least documents",
    "are chosen on the validation part, and the scores of several seeds are averaged. Seconds are",
    "of the processor, on one thread.</p>",
    unlist(lapply(names(results_of_collection), function(collection) {
      own <- beat_table(results_of_collection[[collection]], rows, collection)
      if (is.null(own)) return(sprintf("<p>%s: not run.</p>", html(collection)))
      goal <- beat_goals[collection]
      c(sprintf("<h3>%s</h3>", html(collection)),
        sprintf("<p>%d of %d parts. %sBest member on validation queries (number of parts): %s.</p>",
                own$parts, length(scales$full[[collection]]),
                goal_text(goal, own, length(scales$full[[collection]])), html(own$best)),
        html_table(own$table, "beat"),
        if (!is.na(goal)) sprintf("<p>Measured before, outside this package: %s.</p>",
                                  html(beat_before[[collection]])))
    })))
}

# The style of report(), wider, and with tables that become cards where the width is too small.
page_style <- function() {
  own <- "body{max-width:86rem}.yes,.no,.open,.left{padding:.1rem .45rem;border-radius:.8rem;
    font-weight:600;white-space:nowrap}.yes{background:#dafbe1;color:#0b5a25}
    .no{background:#ffe3e0;color:#9a1c12}.open{background:#eef1f4;color:#424a53}
    .left{color:#6e7781;font-weight:400;white-space:normal}
    .claims{font-size:.76rem;width:100%}.claims td,.claims th{white-space:normal;
    vertical-align:top;padding:.3rem .35rem}.claims td:nth-child(6),.claims td:nth-child(7),
    .claims td:nth-child(10){white-space:nowrap}.claims td:nth-child(5){min-width:8.5rem}
    .claims td:nth-child(2){min-width:12rem}.claims td:nth-child(9){min-width:9rem}
    .beat{font-size:.8rem}.beat th,.beat td{padding:.3rem .45rem}.beat th,
    .beat td:first-child{white-space:normal}
    nav{margin:1rem 0}nav a{display:inline-block;margin-right:1rem}
    @media (max-width:900px){.wide table,.wide tbody,.wide tr{display:block;width:auto}
    .wide thead{display:none}.wide tr{border:1px solid #d8dee4;border-radius:.4rem;
    margin:.7rem 0;padding:.3rem .5rem}.wide td,.claims td:nth-child(n){display:grid;
    grid-template-columns:7.5rem minmax(0,1fr);border:0;padding:.15rem 0;white-space:normal;
    min-width:0;font-size:.87rem;overflow-wrap:anywhere}.wide td::before{
    content:attr(data-label);color:#57606a}.wide td:empty{display:none}
    .wide td span{justify-self:start}}"
  c("<style>", readLines("inst/report/style.css"), own, "</style>")
}

# `facts` are lines on how the run was made.
claims_page <- function(rows, beat, facts, title = "Five papers, claim by claim") {
  decided <- sum(!is.na(rows$verdict))
  count <- function(v) sum(rows$verdict == v, na.rm = TRUE)
  papers <- setdiff(unique(rows$paper), "Numbers to beat")
  link <- function(paper) gsub("[^a-z0-9]+", "-", tolower(paper))
  c("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    sprintf("<title>%s</title>", html(title)), page_style(), "</head><body>",
    sprintf("<h1>%s</h1>", html(title)),
    sprintf(paste("<p class=\"lead\"><strong>%d hold</strong>, %d do not, and %d are undecided,",
                  "of %d claims that were run; %d were not.</p>"),
            count(verdicts[1L]), count(verdicts[2L]), count(verdicts[3L]), decided,
            nrow(rows) - decided),
    sprintf("<p>%s</p>", html(facts)),
    "<nav>", sprintf("<a href=\"#%s\">%s</a>", c("beat", link(papers), "how"),
                     html(c("The numbers to beat", papers, "How to read this"))), "</nav>",
    html_table(counts_by_paper(rows), "beat"),
    beat,
    unlist(lapply(papers, function(paper) {
      c(sprintf("<h2 id=\"%s\">%s</h2>", link(paper), html(paper)),
        sprintf("<p>%s</p>", html(paper_notes[[paper]])),
        claims_table(rows[rows$paper == paper, ]))
    })),
    "<h2>Claims on the numbers to beat</h2>",
    claims_table(rows[rows$paper == "Numbers to beat", ]),
    "<h2 id=\"how\">How to read this</h2>", sprintf("<p>%s</p>", html(reading)), "</body></html>")
}

# Notes on numbers that the text of a paper has or lacks.
paper_notes <- list(
  `Ranking by calibrated AdaBoost (2011)` = paste(
    "Busa-Fekete, Kegl, Elteto and Szarvas. Its table 3 has test ERR of mixtures: uncalibrated",
    ".4564, products .4651, trees .4639, all .4657 on track 1 of Yahoo's challenge, and .4502,",
    ".4599, .4591, .4605 on track 2. Its figures are clouds of points, without a test."
  ),
  `Tune and mix (2013)` = paste(
    "Busa-Fekete, Kegl, Elteto and Szarvas. The numbers of tables 2 and 3 are not in the text that",
    "was at hand; what the paper says of them is."
  ),
  `Smoothed retrieval metrics (2010)` = paste(
    "Chapelle and Wu. The tables are lost in the text that was at hand; figures are captions."
  ),
  `COCR (2014)` = paste(
    "Ruan, Lin and Tsai. The numbers of its eight tables are lost in the text that was at hand;",
    "its tests are two-tailed t tests at 95 %, one by one."
  ),
  `YetiRank (2011)` = paste(
    "Gulin, Kuralenok and Pavlov. Steps of table 3 are of Yahoo's track 2, of the number of trees",
    "that is best on the test queries themselves, without a test."
  )
)

reading <- c(
  paste("A claim that something is better is held to the mean of the differences over test",
        "queries, in pairs; where a number is a part's, over parts. p is of a two-sided t test",
        "against the limit of the claim, which is 0 where none is said, and is adjusted by Holm",
        "over all claims of this page that have a p."),
  paste("A claim holds where the adjusted p is below .05 and the effect is on the claim's side,",
        "does not hold where it is below .05 and the effect is on the other side, and is",
        "undecided otherwise. Intervals are of one claim each, not adjusted. What is the same in every",
        "query, and what must never happen, is not tested: it is counted."),
  paste("The queries of the folds of a collection are pooled, as each is tested once; models of",
        "folds share training queries, which no p here accounts for. Simulated collections are draws,",
        "each with a truth of its own."),
  paste("Time is that of the processor for all that a claim rests on, which it shares with others",
        "of its kind.")
)

markdown_line <- function(...) {
  paste0("| ", paste(gsub("|", "\\|", c(...), fixed = TRUE), collapse = " | "), " |")
}
markdown_table <- function(table) {
  c(markdown_line(names(table)), paste0("|", strrep("---|", ncol(table))),
    apply(as.matrix(table), 1L, function(row) markdown_line(trimws(row))), "")
}

beat_markdown <- function(results_of_collection, rows) {
  rows <- beat_keys(rows)
  c("## The numbers to beat", "", unlist(lapply(names(results_of_collection), function(name) {
    own <- beat_table(results_of_collection[[name]], rows, name)
    if (is.null(own)) return(c(sprintf("### %s: not run", name), ""))
    c(sprintf("### %s, %d of %d parts", name, own$parts, length(scales$full[[name]])), "",
      sprintf("%sBest member on validation queries (number of parts): %s.",
              gsub("</?strong>", "**", goal_text(beat_goals[name], own,
                                                 length(scales$full[[name]]))), own$best), "",
      markdown_table(own$table))
  })))
}

# "experiment: collection (number of claims), ..." of claims without a verdict.
not_run <- function(rows) {
  rows <- rows[is.na(rows$verdict), ]
  vapply(unique(rows$experiment), function(name) {
    own <- rows[rows$experiment == name, ]
    counts <- table(factor(paste0(own$data, ifelse(own$status == "not run", "",
                                                   paste0(", ", own$status)))))
    sprintf("%s: %s", name, paste(sprintf("%s (%d)", names(counts), counts), collapse = "; "))
  }, "", USE.NAMES = FALSE)
}

# Summary in markdown, one row a claim; `beat` is what beat_markdown() gives.
claims_markdown <- function(rows, beat, facts) {
  counts <- counts_by_paper(rows)
  decided <- rows[!is.na(rows$verdict), ]
  left <- not_run(rows)
  shown <- data.frame(
    claim = decided$id, `what is said` = decided$says, data = show_data(decided), measured = decided$measure,
    effect = show_effect(decided), p = show_p(decided$p), `p, Holm` = show_p(decided$p_holm),
    verdict = decided$verdict, check.names = FALSE
  )
  c("# Five papers, claim by claim", "",
    "Written by `make reproduce`; `reproduce/README.md` explains the verdicts.",
    facts, "",
    markdown_table(counts),
    if (length(left) > 0L) {
      c("What was not run, by experiment, with the number of claims on it:", "",
        paste("-", left), "")
    },
    beat,
    unlist(lapply(unique(decided$paper), function(paper) {
      title <- if (paper == "Numbers to beat") "Claims on the numbers to beat" else paper
      c(paste("##", title), "", markdown_table(shown[decided$paper == paper, , drop = FALSE]))
    })))
}
