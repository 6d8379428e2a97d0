# Time of bench/lambdamart.R: a round of rankmix, LightGBM and XGBoost, in turn.

# Rounds with few leaves are short, so more of them are timed.
rounds_of_speed <- function(documents, leaves) if (documents > 500000) 16L else if (leaves <= 8L) 42L else 22L

measure_rounds <- function(case, documents, leaves, threads) {
  ours <- our_rounds(lambdamart(metric_ndcg(), num_leaves = leaves), case$ranking, threads)
  common <- c(objective = "lambdarank", leaves = leaves, threads = threads)
  peer_times(ours, case$peers, common, rounds_of_speed(documents, leaves))
}

speed_lines <- function(kept, size, documents, shape) {
  case <- NULL
  made <- function() if (is.null(case)) case <<- start_case(bench_shapes()[[shape]], documents) else case
  on.exit(if (!is.null(case)) end_case(case))
  settings <- expand.grid(threads = wanted_threads("1 2"), leaves = wanted_leaves("8 64 255"))
  results <- Map(function(leaves, threads) {
    found <- kept(sprintf("turns-%s-%s-%d-%d", size, shape, leaves, threads),
                  measure_rounds(made(), documents, leaves, threads))
    line <- table_row(size, shape, leaves, threads, sprintf("%.1f", stats::median(found$times["rankmix", ])),
                      peer_columns(found))
    held <- if (leaves == 64L && threads == 2L) held_ratios(found, c(2.5, 3), paste0(size, ", ", shape))
    list(line = line, held = held)
  }, settings$leaves, settings$threads)
  list(lines = vapply(results, `[[`, "", "line"), held = unlist(lapply(results, `[[`, "held")))
}

bench_speed <- function(kept) {
  source("bench/peers.R")
  need_peers()
  sizes <- bench_sizes("S M")
  places <- expand.grid(shape = wanted_shapes(), size = names(sizes), stringsAsFactors = FALSE)
  results <- Map(function(size, shape) speed_lines(kept, size, sizes[[size]], shape), places$size, places$shape)
  write_report(report_page("lambdamart-speed"), c(
    "# Time of LambdaMART", "",
    sprintf("Written by `Rscript bench/lambdamart.R speed`. Milliseconds a round, medians of %d alternating",
            bench_repeats),
    sprintf("runs. %s; 136 features, 5 grades, 255 bins.", size_text(sizes)),
    "Each pair has at least one of the top 30 documents. Ratios are computed for each run; the table shows their median and range.",
    sprintf("The first %d rounds do not count, because rankmix sorts the rows once in them.", first_rounds),
    "The peers run by their C APIs, each at its fastest setting. XGBoost pairs each of the top 30 with the others.",
    "\"MSLR\" is simulated data with the shape of MSLR-WEB, \"normal\" has independent normal features.",
    peer_versions(), "",
    markdown_table(c("size", "data", "leaves", "threads", "lambdamart(), ms", peer_header),
                   unlist(lapply(results, `[[`, "lines")))
  ))
  hold_targets(unlist(lapply(unname(results), `[[`, "held")))
}
