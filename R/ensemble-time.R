# Time and progress of a mixture: limits for its stages, and the clock of calibration.

# The limits of the stages, which start now. Training gets half of the time. With `refit` there are two
# trainings, and each gets a third.
mixture_budgets <- function(budget, refit) {
  seconds <- budget$seconds
  list(training = new_budget(budget$models, seconds / if (refit) 3 else 2),
       calibration = new_budget(Inf, if (refit) seconds * 2 / 3 else seconds),
       retraining = new_budget(Inf, seconds))
}

# The clock of calibration. It estimates the time of tasks, decides whether more tasks fit into the
# budget, and reports progress. A task is one candidate for one T; its estimate is the time of the last
# task of the same calibrator, or else the longest of a cheaper one. `rounds` are the values of T, in the
# order in which they are tried.
new_calibration_clock <- function(calibration, rounds, budget, verbose) {
  steps <- task_counts(calibration, rounds)
  cost_rank <- calibrator_ranks(calibration$calibrators)
  calibrator <- calibration$candidates$calibrator
  took <- rep(NA_real_, length(cost_rank))
  weighting <- 0
  known_by <- function(rank) max(0, took[cost_rank <= rank], na.rm = TRUE)
  expected <- function(candidates) {
    sum(ifelse(is.na(took), vapply(cost_rank, known_by, 0), took)[calibrator[candidates]])
  }
  bar <- progress_bar("Calibrating", sum(steps), verbose)
  counter <- step_counter(sum(steps), bar$report, fraction_spent(budget))
  list(
    limited = budget$limited,
    close = bar$close,
    # Whether there is time for these tasks, and for the final fits of these members.
    allows = function(tasks, final) {
      if (!budget$limited) {
        return(TRUE)
      }
      final <- if (calibration$crossfit > 1) expected(final) else 0
      expected(tasks) + weighting + final <= budget$left()
    },
    # Measures the time of one candidate. Without a limit, several candidates may run at once.
    calibrate = function(candidates, code) {
      seconds <- budget$seconds(code)
      if (length(candidates) == 1L) took[calibrator[candidates]] <<- seconds
      counter$step(length(candidates))
      code
    },
    finish = function(candidates, code) {
      force(code)
      counter$step(length(candidates))
      code
    },
    # Reports the progress within these candidates.
    within = function(candidates) {
      function(done, total) counter$partly(length(candidates) * done / total)
    },
    weight = function(code) {
      weighting <<- budget$seconds(code)
      code
    },
    # Removes the steps of a skipped candidate, or of some tasks, from the progress.
    skip_candidate = function(candidate) counter$fewer(steps[candidate]),
    skip_tasks = function(count) counter$fewer(count)
  )
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

# Number of tasks of each candidate, including the final fit, if the values of T come in this order.
# A T with the same rounds of a member as an earlier T takes no time for this member.
task_counts <- function(calibration, rounds) {
  candidates <- seq_len(nrow(calibration$candidates))
  used <- lapply(rounds, function(r) candidate_rounds(calibration, candidates, r))
  changes <- Map(`!=`, used[-1L], used[-length(used)])
  Reduce(`+`, changes, rep(1, length(candidates))) + (calibration$crossfit > 1)
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
