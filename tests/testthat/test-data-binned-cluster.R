# The rows of several ranks. Each rank has whole queries.
ranks_frame <- function(weighted = FALSE) {
  frame <- as.data.frame(simulate_ranking(30, documents = 12, features = 6, seed = 3)$data)
  frame$signal1[seq(5, nrow(frame), by = 11)] <- NA
  frame$day <- as.Date("2024-01-01") + seq_len(nrow(frame)) %% 40
  frame$one <- 7
  # `part` is constant on each rank, but not on all ranks together. `gap` is missing on rank 0 only.
  frame$part <- as.double(as.integer(factor(frame$query)) %% 3)
  frame$gap <- ifelse(frame$part == 0, NA, frame$signal2)
  frame$w <- if (weighted) 0.3 + as.integer(factor(frame$query)) %% 4 else 2
  frame
}

# Values that must be equal on all ranks, and the rows of this rank.
facts_of_rank <- function(data) {
  list(thresholds = rankmix:::bins_thresholds(data$x$bins), digest = data$digest, background = data$x$background,
       schema = rankmix:::schema_of(data), constant = data$constant, ids = rankmix:::id_text(data$query_ids),
       relevance = data$relevance, rows = nrow(data), missing = data$missing)
}

expect_as_one <- function(found, whole) {
  expected <- facts_of_rank(whole)
  for (facts in found) {
    if (inherits(facts, "error")) stop(facts)
    for (name in c("thresholds", "digest", "background", "schema", "constant")) {
      expect_identical(facts[[name]], expected[[name]], info = name)
    }
    expect_type(facts$relevance, typeof(expected$relevance))
  }
  expect_identical(sum(vapply(found, `[[`, 0L, "rows")), expected$rows)
  expect_identical(sum(vapply(found, `[[`, 0, "missing")), expected$missing)
  expect_setequal(unlist(lapply(found, `[[`, "ids")), expected$ids)
}

# The errors of ranks, each as its classes and its text.
errors_of <- function(results) {
  lapply(results, function(e) {
    expect_s3_class(e, "rankmix_error")
    c(class(e)[1L], conditionMessage(e))
  })
}

test_that("ranks have the bins, the digest and the background of one process", {
  for (size in 2:3) {
    found <- on_ranks(size, function(cluster, plain, weighted, facts_of_rank) {
      own <- function(frame) {
        frame <- frame[frame$part %% cluster$size == cluster$rank, ]
        # Columns may have another order.
        if (cluster$rank == 1L) frame[rev(names(frame))] else frame
      }
      binned <- function(frame, ..., chunk_rows = 31) {
        at <- 0
        chunk <- function() {
          if (at >= nrow(frame)) return(NULL)
          some <- seq.int(at + 1, min(nrow(frame), at + chunk_rows))
          at <<- max(some)
          frame[some, ]
        }
        binned_data(chunk, relevance = relevance, query = query, ..., threads = 1, verbose = FALSE, cluster = cluster)
      }
      first <- binned(own(plain), weight = w)
      file <- tempfile(fileext = ".bins")
      list(plain = facts_of_rank(first),
           few = facts_of_rank(binned(own(plain), weight = w, max_bin = 5)),
           weighted = facts_of_rank(binned(own(weighted), weight = w)),
           in_file = facts_of_rank(binned(own(weighted), weight = w, file = file)),
           like = facts_of_rank(binned(own(weighted), weight = w, like = first)))
    }, ranks_frame(), ranks_frame(TRUE), facts_of_rank)
    lapply(found, function(result) if (inherits(result, "error")) stop(result))
    one <- function(frame, ...) {
      binned_data(frame, relevance = relevance, query = query, weight = w, verbose = FALSE, ...)
    }
    plain <- one(ranks_frame())
    expect_as_one(lapply(found, `[[`, "plain"), plain)
    expect_as_one(lapply(found, `[[`, "few"), one(ranks_frame(), max_bin = 5))
    expect_as_one(lapply(found, `[[`, "weighted"), one(ranks_frame(TRUE)))
    expect_as_one(lapply(found, `[[`, "in_file"), one(ranks_frame(TRUE)))
    expect_as_one(lapply(found, `[[`, "like"), one(ranks_frame(TRUE), like = plain))
  }
})

test_that("ranks read LETOR text of which some lacks trailing features, documents or numeric ids", {
  folder <- withr::local_tempdir()
  lines <- c("2 qid:1 1:5 2:1", "0 qid:1 1:6", "1 qid:2 1:3", "0 qid:2 1:4 2:2 # docid = x",
             "1 qid:3 1:1 4:7", "0 qid:3 1:2", "1 qid:b 1:2 2:8", "0 qid:b 4:1")
  files <- file.path(folder, sprintf("part%d.txt", 0:2))
  writeLines(lines[1:4], files[1])
  writeLines(lines[5:6], files[2])
  writeLines(lines[7:8], files[3])
  found <- on_ranks(3, function(cluster, files, facts_of_rank) {
    data <- binned_data(files[cluster$rank + 1], verbose = FALSE, cluster = cluster)
    c(facts_of_rank(data), list(document = data$document))
  }, files, facts_of_rank)
  expect_as_one(found, binned_data(files, verbose = FALSE))
  expect_identical(found[[1L]]$document, c(NA, NA, NA, "x"))
  expect_identical(found[[2L]]$document, rep(NA_character_, 2))
})

test_that("leaks are leaks of the documents of all ranks", {
  frame <- ranks_frame()
  frame$leak <- frame$relevance
  frame$half <- ifelse(frame$part < 2, frame$relevance, frame$signal2)
  frame$rising <- 2 * frame$relevance + 1
  # `apart` rises with the relevance on each rank, but by a different function.
  frame$apart <- 2 * frame$relevance + frame$part
  run <- function(frame, cluster = NULL) {
    leaks <- character()
    # Copies of the relevance in a data frame are left out without a check of leaks.
    chunks <- list(frame, NULL)
    next_chunk <- function() {
      chunk <- chunks[[1L]]
      chunks <<- chunks[-1L]
      chunk
    }
    data <- withCallingHandlers(
      binned_data(next_chunk, relevance = relevance, query = query, verbose = FALSE, cluster = cluster),
      rankmix_warning_leak = function(w) {
        leaks <<- c(leaks, sub("\n.*", "", conditionMessage(w)))
        rlang::cnd_muffle(w)
      }
    )
    list(features = data$features, leaks = leaks, digest = data$digest)
  }
  real <- transform(frame, relevance = relevance + 0.25, leak = leak + 0.25)
  # Only two of all documents have another grade. On one rank, their equality with the feature could be chance.
  rare <- transform(frame, relevance = as.integer(seq_along(relevance) <= 2))
  rare$leak <- rare$relevance
  found <- on_ranks(3, function(cluster, frames, run) {
    lapply(frames, function(frame) run(frame[frame$part == cluster$rank, ], cluster))
  }, list(frame, real, rare), run)
  for (result in found) expect_identical(result, lapply(list(frame, real, rare), run))
  expect_false("leak" %in% found[[1L]][[1L]]$features)
  expect_true("half" %in% found[[1L]][[1L]]$features)
  expect_match(found[[1L]][[1L]]$leaks, "rising", all = FALSE, fixed = TRUE)
  expect_no_match(found[[1L]][[1L]]$leaks, "apart", fixed = TRUE)
  expect_true("leak" %in% found[[1L]][[3L]]$features)
})

test_that("relevance that is not graded on one rank is not graded on any rank", {
  frame <- ranks_frame()
  frame$relevance[frame$part == 1] <- frame$relevance[frame$part == 1] / 2
  found <- on_ranks(3, function(cluster, frame, facts_of_rank) {
    facts_of_rank(binned_data(frame[frame$part == cluster$rank, ], relevance = relevance, query = query,
                              verbose = FALSE, cluster = cluster))
  }, frame, facts_of_rank)
  expect_as_one(found, binned_data(frame, relevance = relevance, query = query, verbose = FALSE))
  expect_type(found[[1L]]$relevance, "double")
})

test_that("ranks that differ, share queries or have no documents are errors on all ranks", {
  frame <- ranks_frame()
  fail <- function(prepare) {
    on_ranks(2, function(cluster, frame, prepare) {
      binned_data(prepare(frame[frame$part == cluster$rank, ], cluster$rank), relevance = relevance, query = query,
                  verbose = FALSE, cluster = cluster)
    }, frame, prepare)
  }
  expect_cluster_error <- function(results, ...) {
    for (error in errors_of(results)) {
      expect_identical(error[1L], "rankmix_error_cluster")
      for (text in c(...)) expect_match(error[2L], text, fixed = TRUE)
    }
  }
  shared <- frame$query[frame$part == 0][1]
  expect_cluster_error(on_ranks(2, function(cluster, frame, shared) {
    own <- frame[frame$part == cluster$rank | frame$query == shared, ]
    binned_data(own, relevance = relevance, query = query, verbose = FALSE, cluster = cluster)
  }, frame, shared), sprintf("Query %s is on rank 0 and on rank 1.", shared))
  expect_cluster_error(fail(function(frame, rank) if (rank == 1) frame[names(frame) != "signal2"] else frame),
                       "Rank 1 has other features", "signal2")
  expect_cluster_error(fail(function(frame, rank) {
    if (rank == 1) frame$day <- as.double(frame$day)
    frame
  }), "`day` of rank 1")
  expect_cluster_error(on_ranks(2, function(cluster, frame) {
    own <- frame[frame$part == cluster$rank, ]
    if (cluster$rank == 0) binned_data(own, relevance, query, weight = w, verbose = FALSE, cluster = cluster) else {
      binned_data(own[names(own) != "w"], relevance, query, verbose = FALSE, cluster = cluster)
    }
  }, frame), "weight", "Rank 1 differs from rank 0")
  empty <- errors_of(fail(function(frame, rank) if (rank == 1) frame[0, ] else frame))
  expect_identical(vapply(empty, `[`, "", 1L), c("rankmix_error_cluster", "rankmix_error_empty"))
  expect_match(empty[[1L]][2L], "Rank 1 has stopped", fixed = TRUE)
})

test_that("factors have the same levels on all ranks, or are refused", {
  frame <- ranks_frame()
  frame$site <- factor(c("a", "b", "c")[frame$part + 1])
  found <- on_ranks(3, function(cluster, frame, facts_of_rank) {
    own <- frame[frame$part == cluster$rank, ]
    facts <- facts_of_rank(binned_data(ranking_data(own, relevance, query), verbose = FALSE, cluster = cluster))
    own$site <- droplevels(own$site)
    other <- tryCatch(binned_data(ranking_data(own, relevance, query), verbose = FALSE, cluster = cluster),
                      rankmix_error_cluster = conditionMessage)
    c(facts, list(other = other))
  }, frame, facts_of_rank)
  expect_as_one(found, binned_data(ranking_data(frame, relevance, query), verbose = FALSE))
  for (facts in found) expect_match(facts$other, "`site` of rank 1 has other levels", fixed = TRUE)
})

test_that("arguments that differ between ranks are an error", {
  results <- on_ranks(2, function(cluster, frame) {
    binned_data(frame[frame$part == cluster$rank, ], relevance = relevance, query = query, verbose = FALSE,
                cluster = cluster, max_bin = 20 + cluster$rank)
  }, ranks_frame())
  for (error in errors_of(results)) expect_match(error[2L], "max_bin", fixed = TRUE)
  expect_error(binned_data(ranks_frame(), relevance = relevance, query = query, cluster = 3),
               class = "rankmix_error_argument")
})
