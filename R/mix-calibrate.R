# The out-of-fold scores of members, for mixtures. A member is a candidate: a pair of a classifier and a
# calibrator. A task is a candidate after some number of rounds. All tasks are done, or as many as the budget
# has time for.

# The calibrations of the candidates. `candidates` has the candidates in the order of the members. The
# functions take candidates and a number of rounds, which is in `grid`. Calibrator inputs are kept
# for one model at a time, or for all. Calibrators are fitted to the documents of `calibration`, or
# else of `validation`.
calibration_work <- function(models, calibrators, validation, grid, crossfit, threads, keep_all,
                             call, calibration = NULL) {
  features <- features_of_models(models, validation, threads, call)
  held <- held_out(if (is.null(calibration)) validation else calibration, threads)
  candidates <- member_candidates(models, calibrators)
  slice_of <- kept_slices(models, staged_inputs(models, features, grid, threads), keep_all)
  # The inputs to which calibrators are fitted.
  fit_slice_of <- if (is.null(calibration)) slice_of else {
    own <- features_of_models(models, calibration, threads, call)
    kept_slices(models, staged_inputs(models, own, grid, threads), keep_all)
  }
  rounds_of <- function(candidate, rounds) {
    vapply(models, member_rounds, 0L, rounds)[candidates$model[candidate]]
  }
  # Groups candidates by model, as the core fits them. `candidates` has the candidates of each group.
  inputs_of <- function(chosen, rounds) {
    lapply(unique(candidates$model[chosen]), function(i) {
      own <- chosen[candidates$model[chosen] == i]
      slice <- fit_slice_of(i, member_rounds(models[[i]], rounds))
      c(calibrator_inputs(slice$f, slice$range, calibrators[candidates$calibrator[own]]),
        list(candidates = own, model = i))
    })
  }
  in_order <- function(chosen, inputs, found) {
    all <- unlist(found, recursive = FALSE)
    all[match(chosen, unlist(lapply(inputs, `[[`, "candidates")))]
  }
  list(
    candidates = candidates,
    cost_rank = calibrator_ranks(calibrators),
    crossfit = crossfit,
    rounds_of = rounds_of,
    members = function(chosen, rounds, progress = NULL) {
      inputs <- inputs_of(chosen, rounds)
      if (crossfit > 1) {
        scores <- crossfit_scores(inputs, held, crossfit, threads, progress)
        return(list(scores = in_order(chosen, inputs, scores)))
      }
      fitted <- fit_calibrators(inputs, held, threads, progress)
      scores <- Map(function(input, fits) {
        slice <- slice_of(input$model, member_rounds(models[[input$model]], rounds))
        calibrators_scores(fits, slice$f, threads)
      }, inputs, fitted)
      list(fitted = in_order(chosen, inputs, fitted), scores = in_order(chosen, inputs, scores))
    },
    finals = function(chosen, rounds, progress = NULL) {
      inputs <- inputs_of(chosen, rounds)
      in_order(chosen, inputs, fit_calibrators(inputs, held, threads, progress))
    },
    naive = function(rounds) {
      lapply(seq_along(models), function(i) {
        now <- member_rounds(models[[i]], rounds)
        cheapest_scores(models[[i]], slice_of(i, now), fit_slice_of(i, now), held, threads)
      })
    }
  )
}

# The candidates: all pairs of models and calibrators that can be members.
member_candidates <- function(models, calibrators) {
  candidates <- suitable_candidates(models, calibrators)
  candidates <- candidates[candidates$fits, c("calibrator", "model")]
  rownames(candidates) <- NULL
  candidates
}

# All pairs that a calibrator supports. `fits` is FALSE if a polynomial would have too many terms.
suitable_candidates <- function(models, calibrators) {
  candidates <- expand.grid(calibrator = seq_along(calibrators), model = seq_along(models))
  suits <- of_one_score(calibrators)
  several <- vapply(models, is_classifier, NA)
  columns <- vapply(models, function(model) if (is_classifier(model)) model$classes else 1, 0)
  candidates <- candidates[several[candidates$model] | suits[candidates$calibrator], ]
  candidates$fits <- mapply(function(method, count) {
    monomials_of(method, count) <= max_monomials
  }, calibrators[candidates$calibrator], columns[candidates$model])
  candidates
}

# The calibrators for rankers of one score. Linear and logistic calibrators keep the order of the
# documents, so only the first of them is used. A preset is reduced to this one calibrator, because
# more members did not rank better on validation queries (bench/one-score.md).
of_one_score <- function(calibrators) {
  suits <- vapply(calibrators, one_score_suffices, NA)
  increasing <- suits & vapply(calibrators, function(method) {
    isTRUE(method$model %in% c("linear", "logistic"))
  }, NA)
  first <- seq_along(calibrators) == match(TRUE, increasing, nomatch = 0L)
  wanted <- attr(calibrators, "of_one_score")
  switch(if (is.null(wanted)) "different" else wanted,
         all = suits,
         one = if (any(first)) first else suits,
         different = suits & (!increasing | first))
}

# Describes the members that are left out because they cannot be fitted. Fails if none is left.
unfit_members <- function(models, calibrators, call) {
  candidates <- suitable_candidates(models, calibrators)
  if (!any(candidates$fits)) {
    check_monomials(calibrators[[candidates$calibrator[1L]]], models[[candidates$model[1L]]]$classes, call)
  }
  candidates <- candidates[!candidates$fits, ]
  sprintf("%s of %s", vapply(calibrators[candidates$calibrator], format, ""),
          vapply(models[candidates$model], function(model) task_label(model$spec, set_of(model)), ""))
}

# The scores by the calibrator that is fastest to fit.
cheapest_scores <- function(model, slice, fit_slice, held, threads) {
  if (is_classifier(model)) {
    return(naive_scores(slice$f, slice$range))
  }
  fitted <- fit_calibrator(calibrator_rbc("linear"), fit_slice$f, held, slice$range, threads)
  calibrated_scores(fitted, slice$f, threads)
}

# Number of rounds that a member uses if T is `rounds`: a model with fewer rounds uses all, and a ranker
# of one score has its own number.
member_rounds <- function(model, rounds) {
  own <- .subset2(model, "own_rounds")
  if (is.null(own)) up_to_rounds(rounds, rounds_used(model)) else rep(own, length(rounds))
}

# Gives each ranker of one score its own number of rounds: the number in `grid` with the best metric
# on the validation queries. Rankers need different numbers, and calibrators seldom change the
# ranking of one score. Ties go to fewer rounds.
with_own_rounds <- function(models, validation, grid, metric, threads, call) {
  own <- which(!vapply(models, is_classifier, NA) & vapply(models, rounds_used, 0L) > 1L)
  if (length(own) == 0L) {
    return(models)
  }
  features <- features_of_models(models[own], validation, threads, call)
  models[own] <- Map(function(model, x) {
    stages <- unique(pmin(grid, rounds_used(model)))
    scores <- calibrator_input(model, x, stages, threads)
    values <- metric_means(metric, matrix(scores, dim(scores)[1L]), validation, threads)
    model$own_rounds <- as.integer(stages[which.max(values)])
    model
  }, models[own], features)
  models
}

# Limit in bytes of the calibrator inputs that are kept for all models and numbers of rounds.
max_kept_bytes <- 2^26

# Calibrator inputs from a model after each number of rounds of a grid: by one pass over the
# model for all of them, or by one pass for each if too much would be kept.
staged_inputs <- function(models, features, grid, threads, max_bytes = max_kept_bytes) {
  stages <- lapply(models, function(model) unique(member_rounds(model, grid)))
  columns <- vapply(models, function(model) {
    if (is_classifier(model)) as.numeric(model$classes) else 1
  }, 0)
  bytes <- 8 * sum(vapply(features, nrow, 0L) * columns * lengths(stages))
  passes <- vector("list", length(models))
  function(i, rounds) {
    if (bytes > max_bytes) {
      f <- calibrator_input(models[[i]], features[[i]], rounds, threads)
      return(discriminant_slice(f, 1L))
    }
    if (is.null(passes[[i]])) {
      passes[[i]] <<- calibrator_input(models[[i]], features[[i]], stages[[i]], threads)
    }
    discriminant_slice(passes[[i]], match(rounds, stages[[i]]))
  }
}

# Calibrator inputs from a model after some rounds, kept for the number of rounds requested
# last.
kept_slices <- function(models, input_of, keep_all) {
  kept <- list()
  function(i, rounds) {
    key <- as.character(i)
    if (!identical(kept[[key]]$rounds, rounds)) {
      if (!keep_all) kept <<- list()
      kept[[key]] <<- list(
        rounds = rounds,
        range = if (is_classifier(models[[i]])) discriminant_range(models[[i]], rounds),
        f = input_of(i, rounds)
      )
    }
    kept[[key]]
  }
}

# The position of each calibrator from cheapest to most expensive, by the times in
# bench/calibrate.md. Unknown calibrators come last.
calibrator_ranks <- function(calibrators) {
  known <- c("naive", "linear", "isotonic", "polynomial", "logistic", "cpc", "network",
             "gaussian_process", "soft_ndcg")
  names <- vapply(calibrators, function(method) {
    switch(method$name,
           cpc = if (method$target == "soft_ndcg") "soft_ndcg" else "cpc",
           rbc = method$model,
           method$name)
  }, "")
  match(names, known, nomatch = length(known) + 1L)
}

# Keeps the latest member of each candidate: only one vector of scores for each. `scaling` scales
# scores for the mixture, and `omega_of` computes their metric.
new_members <- function(work, scaling, omega_of) {
  count <- nrow(work$candidates)
  fitted <- vector("list", count)
  scores <- vector("list", count)
  scale <- rep(1, count)
  omega <- numeric(count)
  used <- rep(-1L, count)
  list(
    make = function(candidates, rounds, progress = NULL) {
      made <- work$members(candidates, rounds, progress)
      if (!is.null(made$fitted)) fitted[candidates] <<- made$fitted
      scaled <- lapply(made$scores, scaling)
      scale[candidates] <<- vapply(scaled, `[[`, 0, "scale")
      scores[candidates] <<- lapply(scaled, `[[`, "scores")
      omega[candidates] <<- omega_of(scores[candidates])
      used[candidates] <<- work$rounds_of(candidates, rounds)
    },
    # Number of rounds of each, -1 for members that were not made.
    used = function(candidates = seq_len(count)) used[candidates],
    scores = function(candidates) scores[candidates],
    omega = function(candidates) omega[candidates],
    held = function(candidates) list(fitted = fitted[candidates], omega = omega[candidates], scale = scale[candidates])
  )
}

# Makes the members for the first T. If time is limited, the cheapest calibrators come first, so the
# most expensive are skipped. The first candidate is always made.
make_first_members <- function(members, rounds, work, time_budget) {
  candidates <- seq_len(nrow(work$candidates))
  if (!time_budget$limited) {
    time_budget$tasks(candidates, members$make(candidates, rounds, time_budget$part_of(candidates)))
    return(candidates)
  }
  calibrator <- work$candidates$calibrator
  done <- integer()
  for (candidate in order(work$cost_rank[calibrator], calibrator)) {
    if (length(done) > 0L && !time_budget$allows(candidate, final = c(done, candidate))) {
      time_budget$skip_candidate(candidate)
      next
    }
    time_budget$tasks(candidate, members$make(candidate, rounds))
    done <- c(done, candidate)
  }
  sort(done)
}

# Makes the members again that differ for another T. Returns FALSE if the time does not suffice for
# all.
remake_members <- function(members, candidates, rounds, work, time_budget) {
  changed <- candidates[work$rounds_of(candidates, rounds) != members$used(candidates)]
  if (!time_budget$limited) {
    if (length(changed) > 0L) {
      time_budget$tasks(changed, members$make(changed, rounds, time_budget$part_of(changed)))
    }
    return(TRUE)
  }
  for (j in seq_along(changed)) {
    todo <- changed[j:length(changed)]
    if (!time_budget$allows(todo, final = candidates)) {
      time_budget$skip_tasks(length(todo))
      return(FALSE)
    }
    time_budget$tasks(todo[1L], members$make(todo[1L], rounds))
  }
  TRUE
}

# The time budget. Estimates the time of tasks, and whether more tasks fit into the budget. The
# estimate is the time of the last task of the same calibrator, or else the longest of a cheaper
# one. Reports progress in steps of one task.
new_time_budget <- function(work, steps, budget, report) {
  took <- rep(NA_real_, length(work$cost_rank))
  mixing <- 0
  known_by <- function(rank) max(0, took[work$cost_rank <= rank], na.rm = TRUE)
  expected <- function(candidates) {
    sum(ifelse(is.na(took), vapply(work$cost_rank, known_by, 0), took)[work$candidates$calibrator[candidates]])
  }
  counter <- step_counter(sum(steps), report, fraction_spent(budget))
  list(
    limited = budget$limited,
    # Whether there is time for these tasks, and for the final fits of these members.
    allows = function(tasks, final) {
      if (!budget$limited) {
        return(TRUE)
      }
      final <- if (work$crossfit > 1) expected(final) else 0
      expected(tasks) + mixing + final <= budget$left()
    },
    # Measures the time of one candidate. Without a limit, several candidates may run at once.
    tasks = function(candidates, code) {
      seconds <- budget$seconds(code)
      if (length(candidates) == 1L) took[work$candidates$calibrator[candidates]] <<- seconds
      counter$step(length(candidates))
      code
    },
    finals = function(candidates, code) {
      force(code)
      counter$step(length(candidates))
      code
    },
    # Reports the progress within these candidates.
    part_of = function(candidates) {
      function(done, total) counter$partly(length(candidates) * done / total)
    },
    mix = function(code) {
      mixing <<- budget$seconds(code)
      code
    },
    # Removes the steps of a skipped candidate, or of some tasks, from the progress.
    skip_candidate = function(candidate) counter$fewer(steps[candidate]),
    skip_tasks = function(count) counter$fewer(count)
  )
}

# The fraction of the time budget that is spent, counted from now on; 0 without a limit.
fraction_spent <- function(budget) {
  whole <- budget$left()
  function() if (budget$limited && whole > 0) 1 - budget$left() / whole else 0
}

# Steps of a progress bar whose work may shrink: each remaining step then counts more. The bar shows
# the spent fraction of the budget if that is larger.
step_counter <- function(total, report, spent = function() 0) {
  done <- 0
  left_out <- 0
  report_progress <- function(begun = 0) {
    fraction <- max((done + begun) / max(1, total - left_out), spent())
    if (!is.null(report)) report(round(total * min(1, fraction)), NULL)
  }
  list(step = function(steps = 1) {
    done <<- done + steps
    report_progress()
  }, partly = report_progress, fewer = function(count) left_out <<- left_out + count)
}

# Number of tasks of each candidate, including the final fit, if the values of T come in this order.
# A T that does not change a member's rounds costs nothing.
task_counts <- function(work, rounds) {
  candidates <- seq_len(nrow(work$candidates))
  used <- lapply(rounds, function(r) work$rounds_of(candidates, r))
  changes <- Map(`!=`, used[-1L], used[-length(used)])
  Reduce(`+`, changes, rep(1, length(candidates))) + (work$crossfit > 1)
}

# The values of T, in the order in which limited time is spent on them. Each T is evaluated, the
# largest first, by the metric of the mixture of naively calibrated classifiers, which is cheap. The
# order is by this metric; ties go to the smaller T. Values without time for an evaluation come
# last, the largest first. Without a time limit the order is unchanged.
ranked_rounds <- function(rounds, value_of, budget) {
  if (!budget$limited || length(rounds) == 1L) {
    return(seq_along(rounds))
  }
  values <- rep(-Inf, length(rounds))
  took <- 0
  for (s in order(-rounds)) {
    # An evaluation may take only a small part of the remaining time.
    if (8 * took > budget$left()) {
      break
    }
    took <- budget$seconds(values[s] <- value_of(rounds[s]))
  }
  order(-values, ifelse(values == -Inf, -rounds, rounds))
}
