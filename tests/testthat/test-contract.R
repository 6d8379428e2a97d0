# Rules that every ranker of the package must satisfy. New rankers are tested because they are in the registry.
# helper-small.R has the small settings. A registry entry lists the rules from which its ranker is exempt, with
# reasons, and the rules with a `tolerance`.

rankers <- rankmix:::built_in_rankers()
entries <- lapply(stats::setNames(nm = rankers), rankmix:::built_in_entry)
# Settings that change the training method are tested as well.
entries[["oblivious gbrt"]] <- entries$gbrt
rankers <- names(entries)
specs <- lapply(entries, function(entry) do.call(entry$name, small_arguments(entry$name)))
specs[["oblivious gbrt"]] <- gbrt(trees = 8, max_depth = 3, min_data_in_leaf = 1, growth = "oblivious")
# A ranker whose objective draws random numbers, has no value and needs pairs of documents.
specs$lambdamart <- lambdamart(metric_err(), trees = 8, num_leaves = 4, min_data_in_leaf = 1)
entries$lambdamart <- rankmix:::entry_of(specs$lambdamart)
has <- function(name, trait) rankmix:::has_trait(specs[[name]], trait)
# Whether the ranker holds out a fraction of the queries if there are no validation data. A single
# query cannot be divided.
holds_out <- function(name) !is.null(specs[[name]]$holdout)

# Features have few distinct values, so that bins do not depend on the number of copies of a query.
coarse <- function(data, first_query) {
  x <- pmin(pmax(round(data$x), -2), 2)
  x[is.na(x)] <- 0
  ranking_data(x, data$relevance, data$query + first_query)
}
contract_data <- coarse(simulate_ranking(40, features = 6, seed = 4)$data, 0)
held_out_part <- coarse(simulate_ranking(15, features = 6, seed = 5)$data, 1000)
# Lowers grades above the largest grade of the training data.
known_grades <- function(part, data) {
  part$relevance <- pmin(part$relevance, max(data$relevance))
  part
}
trained <- function(name, data = contract_data,
                    validation = if (holds_out(name)) known_grades(held_out_part, data), ...) {
  # With the data of some rules, a grade is missing, or no query has different grades. Rankers warn of this.
  suppressWarnings(fit(specs[[name]], data, validation, ..., seed = 3, verbose = FALSE),
                   classes = c("rankmix_warning_grade", "rankmix_warning_constant"))
}
scores <- function(name, data = contract_data, ...) {
  predict(trained(name, data, ...), held_out_part)
}
with_x <- function(data, x, weight = data$weight) {
  ranking_data(x, data$relevance, data$query_ids[data$query], weight = weight[data$query])
}

# Calls report(phase) each time progress is reported, in the midst of the package's own code. The phase is "Training"
# or another slow phase. The clock advances by a minute at each reading, so that each step is reported.
reporting <- function(name, report, checkpoint = NULL) {
  local_clock(step = 60)
  local_function("progress_line", function(label, fraction, seconds) {
    report(label)
    label
  })
  suppressMessages(
    fit(specs[[name]], contract_data, if (holds_out(name)) held_out_part, seed = 3,
        checkpoint = checkpoint, verbose = TRUE),
    classes = "rankmix_message_progress"
  )
}
reported_phases <- function(name) {
  phases <- character()
  reporting(name, function(phase) phases <<- union(phases, phase))
  phases
}
# Simulates an interrupt by Ctrl-C.
interrupted <- function(name, phase, checkpoint) {
  tryCatch(reporting(name, function(now) if (now == phase) rlang::interrupt(), checkpoint),
           interrupt = function(e) "stopped")
}

entries_tolerance <- function(name) max(0, entries[[name]]$tolerance[c("twice", "zero")], na.rm = TRUE)

# Two forms of the same data must give the same model, unless the ranker is exempt from the rule `term`.
expect_kept <- function(term, name, one, other) {
  if (term %in% names(entries[[name]]$exempt)) {
    return(invisible())
  }
  label <- paste0(name, ": ", term)
  if (term %in% names(entries[[name]]$tolerance)) {
    expect_equal(scores(name, one), scores(name, other), label = label,
                 tolerance = entries[[name]]$tolerance[[term]])
  } else {
    expect_identical(scores(name, one), scores(name, other), label = label)
  }
}

test_that("entries of the registry are complete", {
  expect_gt(length(rankers), 3L)
  for (entry in entries) {
    expect_true(all(rankmix:::traits_of(specs[[entry$name]]) %in% rankmix:::ranker_traits),
                label = entry$name)
    expect_identical(setdiff(names(entry$parameters), entry$dots),
                     setdiff(names(formals(entry$name)), "..."))
    expect_true(all(names(c(entry$exempt, entry$tolerance)) %in%
                      names(rankmix:::contract_terms)))
    expect_true(all(nchar(entry$exempt) > 20L))
    for (name in names(entry$parameters)) {
      for (value in entry$parameters[[name]]$tune) {
        changed <- do.call(update, c(list(specs[[entry$name]]), stats::setNames(list(value), name)))
        expect_s3_class(changed, "rankmix_spec")
      }
    }
  }
})

for (name in names(specs)) {
  test_that(paste(name, "is the same on any number of threads, and for the same seed"), {
    one <- trained(name, threads = 1)
    for (threads in c(2, 4)) {
      expect_identical(trained(name, threads = threads), one)
      expect_identical(predict(one, held_out_part, threads = threads),
                       predict(one, held_out_part, threads = 1))
    }
    set.seed(8)
    drawn <- fit(specs[[name]], contract_data, verbose = FALSE)
    set.seed(8)
    expect_identical(fit(specs[[name]], contract_data, verbose = FALSE), drawn)
  })

  test_that(paste(name, "predicts rows in any order, in any shape, columns by name"), {
    model <- trained(name)
    expected <- predict(model, held_out_part)
    x <- held_out_part$x
    colnames(x) <- held_out_part$features
    order <- rev(seq_len(nrow(x)))
    turned <- ranking_data(x[order, ], held_out_part$relevance[order], held_out_part$query[order])
    expect_identical(predict(model, turned), expected[order])
    if (has(name, "queries")) {
      expect_error(predict(model, x), class = "rankmix_error_newdata")
      expect_error(predict(model, as.data.frame(x)), class = "rankmix_error_newdata")
    } else {
      expect_identical(predict(model, x[order, ]), expected[order])
      expect_identical(predict(model, x), expected)
      expect_identical(predict(model, as.data.frame(x)), expected)
    }
    named <- ranking_data(as.data.frame(x), held_out_part$relevance, held_out_part$query)
    by_name <- fit(specs[[name]],
                   ranking_data(as.data.frame(contract_data$x), contract_data$relevance,
                                contract_data$query), seed = 3, verbose = FALSE)
    mixed <- sample(colnames(x))
    if (has(name, "queries")) {
      columns <- cbind(as.data.frame(x)[mixed], query = held_out_part$query)
      named_query <- ranking_data(cbind(as.data.frame(contract_data$x), query = contract_data$query,
                                        relevance = contract_data$relevance), "relevance", "query")
      by_column <- fit(specs[[name]], named_query, seed = 3, verbose = FALSE)
      expect_identical(predict(by_column, columns), predict(by_name, named))
      expect_length(predict(model, held_out_part[1L]), sum(held_out_part$query == 1L))
    } else {
      expect_identical(predict(by_name, as.data.frame(x)[mixed]), predict(by_name, named))
      expect_length(predict(model, x[1L, , drop = FALSE]), 1L)
    }
    ranks <- predict(model, held_out_part, type = "rank")
    expect_identical(sort(ranks[held_out_part$query == 1L]),
                     seq_len(sum(held_out_part$query == 1L)))
  })

  test_that(paste(name, "is written as JSON, and read back predicts the same by every type"), {
    skip_if_not_installed("jsonlite")
    model <- trained(name)
    back <- written_and_read(model)
    expect_identical(class(back), class(model))
    expect_identical(all_predictions(back, held_out_part), all_predictions(model, held_out_part))
    expect_identical(capture.output(print(back)), capture.output(print(model)))
  })

  test_that(paste(name, "takes missing values, weights and sparse features, or says that it does not"), {
    holes <- contract_data$x
    holes[seq(1, length(holes), by = 7)] <- NA
    data <- with_x(contract_data, holes)
    new <- held_out_part$x
    new[seq(2, length(new), by = 5)] <- NA
    if (has(name, "queries")) new <- with_x(held_out_part, new)
    if (has(name, "missing")) {
      model <- trained(name, data)
      expect_true(all(is.finite(predict(model, held_out_part))))
      expect_length(predict(model, new), nrow(new))
      expect_false(anyNA(predict(model, new)))
      expect_false(anyNA(predict(trained(name), new)))
    } else {
      expect_error(trained(name, data), paste0("`", name, "\\(\\)` needs all values"),
                   class = "rankmix_error_missing")
      expect_error(predict(trained(name), data), class = "rankmix_error_missing")
    }
    # Rankers that need all values fill missing values like a user would by hand, or fail if the setting demands it.
    if (rankmix:::fills_missing(entries[[name]])) {
      for (method in c("mean", "zero", "indicator")) {
        spec <- update(specs[[name]], missing = method)
        filled <- naive_fill(holes, list(holes, new), method)
        by_hand <- fit(spec, with_x(contract_data, filled[[1L]]), seed = 3, verbose = FALSE)
        model <- fit(spec, data, seed = 3, verbose = FALSE)
        expect_identical(predict(model, new), predict(by_hand, filled[[2L]]),
                         label = paste(name, method))
      }
      spec <- update(specs[[name]], missing = "error")
      refused <- paste0("`", name, "\\(\\)` needs all values")
      expect_error(fit(spec, data), refused, class = "rankmix_error_missing")
      valid <- ranking_data(new, held_out_part$relevance, held_out_part$query + 1000)
      expect_error(fit(spec, contract_data, valid), refused, class = "rankmix_error_missing")
      expect_error(predict(fit(spec, contract_data), new), refused,
                   class = "rankmix_error_missing")
    }
    weighted <- with_x(contract_data, contract_data$x, rep(1:2, length.out = 40))
    if (!has(name, "weights")) {
      expect_error(trained(name, weighted), class = "rankmix_error_weights")
    }
    skip_if_not_installed("Matrix")
    thin <- contract_data$x
    thin[abs(thin) < 0.4] <- 0
    sparse <- with_x(contract_data, Matrix::Matrix(thin, sparse = TRUE))
    if (has(name, "sparse")) {
      expect_kept("sparse", name, sparse, with_x(contract_data, thin))
    } else {
      expect_error(trained(name, sparse), class = "rankmix_error_sparse")
    }
  })

  test_that(paste(name, "takes constant and duplicated features, one query, single documents"), {
    x <- contract_data$x
    data <- with_x(contract_data, cbind(constant = 1, first = x[, 1], x))
    new <- ranking_data(cbind(constant = 1, first = held_out_part$x[, 1], held_out_part$x),
                        held_out_part$relevance, held_out_part$query + 1000)
    model <- trained(name, data, if (holds_out(name)) new)
    expect_true(all(is.finite(predict(model, new))))
    one <- contract_data[contract_data$query_ids[1L]]
    expect_true(all(is.finite(predict(trained(name, one), held_out_part))))
    alone <- ranking_data(contract_data$x, contract_data$relevance, seq_len(nrow(contract_data$x)))
    if (has(name, "pairs")) {
      expect_error(trained(name, alone), class = "rankmix_error_pairs")
    } else {
      expect_true(all(is.finite(predict(trained(name, alone), held_out_part))))
    }
  })

  test_that(paste(name, "depends neither on the order of training rows nor on how weights are written"), {
    shuffled <- withr::with_seed(2, sample(nrow(contract_data$x)))
    other <- ranking_data(contract_data$x[shuffled, ], contract_data$relevance[shuffled],
                          contract_data$query[shuffled])
    expect_kept("rows", name, other, contract_data)
    if (has(name, "weights")) {
      weight <- rep(1:2, length.out = 40)
      again <- which(weight[contract_data$query] == 2)
      at <- c(seq_len(nrow(contract_data$x)), again)
      copies <- ranking_data(contract_data$x[at, ], contract_data$relevance[at],
                             c(contract_data$query, contract_data$query[again] + 100))
      expect_kept("twice", name, with_x(contract_data, contract_data$x, weight), copies)
      ones <- contract_data[contract_data$query_ids[weight == 1]]
      expect_kept("zero", name, with_x(contract_data, contract_data$x, as.numeric(weight == 1)),
                  with_x(ones, ones$x, rep(1, length(ones$query_ids))))
    }
  })

  if (has(name, "regression")) {
    test_that(paste(name, "regresses any targets, with weights of documents"), {
      rows <- seq_len(nrow(contract_data$x))
      targets <- contract_data$x[, 1L]^2 + contract_data$relevance
      # Some rankers count documents regardless of their weights. Their weights are 0 or 1, and they are compared with
      # a fit without the documents of weight 0.
      counts <- "twice" %in% names(rankmix:::entry_of(specs[[name]])$exempt)
      weights <- rep(c(0, 1, if (counts) 1 else 2), length.out = length(rows))
      predicted <- function(data, targets, weights) {
        task <- rankmix:::part_task(rankmix:::new_task(data, 3, 1), targets, weights)
        model <- rankmix:::train_by_entry(specs[[name]], task)
        expect_null(model$chosen)
        all <- rankmix:::rounds_used(model)
        f <- rankmix:::discriminants(model, held_out_part$x, all, 1)
        rankmix:::sum_scores(model, rankmix:::discriminant_slice(f, 1L), all)
      }
      at <- c(rows[weights > 0], rows[weights == 2])
      copies <- ranking_data(contract_data$x[at, ], contract_data$relevance[at],
                             contract_data$query[at])
      weighted <- predicted(contract_data, targets, weights)
      expect_equal(weighted, predicted(copies, targets[at], NULL),
                   tolerance = max(1e-12, entries_tolerance(name)))
      expect_gt(max(abs(weighted - predicted(contract_data, targets, NULL))), 1e-3)
      expect_gt(max(abs(weighted - predicted(contract_data, NULL, weights))), 1e-3)
    })
  }

  test_that(paste(name, "resumes after a kill to the same model, and leaves nothing of an interrupt"), {
    skip_if_quick()
    entry <- entries[[name]]
    if (has(name, "resumable")) {
      file <- withr::local_tempfile()
      whole <- trained(name)
      # A checkpoint folder has a file for each part. A killed fit lacks some of these files.
      if (!is.null(entry$open)) {
        expect_identical(trained(name, checkpoint = file), whole)
        unlink(list.files(file, "^task-", full.names = TRUE)[1L])
      } else {
        part <- do.call(update, c(list(specs[[name]]), stats::setNames(list(4), entry$rounds)))
        fit(part, contract_data, seed = 3, checkpoint = file, checkpoint_every = 2,
            verbose = FALSE)
      }
      expect_identical(trained(name, checkpoint = file, checkpoint_every = 2), whole)
    } else {
      expect_error(trained(name, checkpoint = tempfile()), class = "rankmix_error_option")
    }
    if (!has(name, "rounds")) {
      expect_error(trained(name, validation = held_out_part, patience = 5),
                   class = "rankmix_error_option")
    }
  })

  test_that(paste(name, "ends with an interrupt whenever one comes, and leaves nothing of it"), {
    skip_if_quick()
    whole <- trained(name)
    phases <- reported_phases(name)
    # Rankers that report progress themselves train parts and then do additional work.
    own <- entries[[name]]$steps(specs[[name]]) == 0
    expect_gte(length(phases), if (own) 2L else as.integer(has(name, "rounds")))
    for (phase in phases) {
      file <- if (has(name, "resumable")) withr::local_tempfile()
      set.seed(6)
      before <- .Random.seed
      connections <- nrow(showConnections())
      expect_identical(interrupted(name, phase, file), "stopped")
      expect_identical(.Random.seed, before)
      expect_identical(nrow(showConnections()), connections)
      expect_length(list.files(dirname(tempfile()), "[.]partial", recursive = TRUE,
                               all.files = TRUE), 0L)
      expect_identical(trained(name, checkpoint = file), whole)
    }
  })
}

test_that("models of every ranker are plain data for another process", {
  skip_if_not_installed("callr")
  models <- lapply(stats::setNames(nm = names(specs)), trained)
  file <- withr::local_tempfile(fileext = ".rds")
  saveRDS(list(models = models, data = held_out_part), file)
  there <- callr::r(function(file) {
    library(rankmix)
    saved <- readRDS(file)
    lapply(saved$models, predict, saved$data)
  }, list(file), libpath = .libPaths())
  expect_identical(there, lapply(models, predict, held_out_part))
})

for (name in names(specs)) {
  test_that(paste(name, "says that constant features teach nothing"), {
    constant <- with_x(contract_data, matrix(1, nrow(contract_data), 2L))
    held_out <- if (holds_out(name)) with_x(held_out_part, matrix(1, nrow(held_out_part), 2L))
    said <- tryCatch(
      suppressWarnings(fit(specs[[name]], constant, held_out, seed = 3, verbose = FALSE),
                       classes = c("rankmix_warning_grade", "rankmix_warning_stalled")),
      rankmix_error = identity, rankmix_warning_constant = identity
    )
    expect_true(inherits(said, c("rankmix_error", "rankmix_warning_constant")), label = name)
    expect_match(conditionMessage(said), "feature|same score|constant")
  })
}
