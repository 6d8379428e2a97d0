# The held-out scores of members, for mixtures. A member is a cell of the grid of
# classifiers and calibrators; a task is a cell after some number of rounds. All tasks are
# done, or those that the budget has time for.

# What tasks need: `cells` in the order of the members, and functions of cells and a number
# of rounds, one of `grid`. What calibrators see is kept for a model at a time, or for all.
# Calibrators are fitted to the documents of `calibration`, or of `validation` without.
calibration_work <- function(models, calibrators, validation, grid, crossfit, threads, keep_all,
                             call, calibration = NULL) {
  features <- features_of_models(models, validation, threads, call)
  held <- held_out(if (is.null(calibration)) validation else calibration, threads)
  cells <- member_cells(models, calibrators)
  slice_of <- kept_slices(models, staged_inputs(models, features, grid, threads), keep_all)
  # What calibrators are fitted to.
  fit_slice_of <- if (is.null(calibration)) slice_of else {
    own <- features_of_models(models, calibration, threads, call)
    kept_slices(models, staged_inputs(models, own, grid, threads), keep_all)
  }
  rounds_of <- function(cell, rounds) {
    vapply(models, member_rounds, 0L, rounds)[cells$model[cell]]
  }
  # What the core is to fit for some cells, with the cells in the order of what it gives.
  inputs_of <- function(chosen, rounds) {
    lapply(unique(cells$model[chosen]), function(i) {
      own <- chosen[cells$model[chosen] == i]
      slice <- fit_slice_of(i, member_rounds(models[[i]], rounds))
      c(calibrator_inputs(slice$f, slice$range, calibrators[cells$calibrator[own]]),
        list(cells = own, model = i))
    })
  }
  in_order <- function(chosen, inputs, found) {
    all <- unlist(found, recursive = FALSE)
    all[match(chosen, unlist(lapply(inputs, `[[`, "cells")))]
  }
  list(
    cells = cells,
    dear = calibrator_ranks(calibrators),
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

# The cells of the grid of models and calibrators that can be members.
member_cells <- function(models, calibrators) {
  cells <- suitable_cells(models, calibrators)
  cells <- cells[cells$fits, c("calibrator", "model")]
  rownames(cells) <- NULL
  cells
}

# Those that suit each other; `fits` where the polynomials are not too many.
suitable_cells <- function(models, calibrators) {
  cells <- expand.grid(calibrator = seq_along(calibrators), model = seq_along(models))
  suits <- of_one_score(calibrators)
  several <- vapply(models, is_classifier, NA)
  columns <- vapply(models, function(model) if (is_classifier(model)) model$classes else 1, 0)
  cells <- cells[several[cells$model] | suits[cells$calibrator], ]
  cells$fits <- mapply(function(method, count) {
    monomials_of(method, count) <= most_monomials
  }, calibrators[cells$calibrator], columns[cells$model])
  cells
}

# Which calibrators make members of a ranker of one score. Linear and logistic ones rank its documents as
# it does: of those only the first is taken. Of a preset, which nobody chose for this ranker, that one is
# all: more members did not rank better on validation queries (bench/one-score.md, which asks for all).
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

# In words, what is no member because it cannot be fitted; something must be left.
unfit_members <- function(models, calibrators, call) {
  cells <- suitable_cells(models, calibrators)
  if (!any(cells$fits)) {
    check_monomials(calibrators[[cells$calibrator[1L]]], models[[cells$model[1L]]]$classes, call)
  }
  cells <- cells[!cells$fits, ]
  sprintf("%s of %s", vapply(calibrators[cells$calibrator], format, ""),
          vapply(models[cells$model], function(model) task_label(model$spec, set_of(model)), ""))
}

# By the calibrator that takes least time.
cheapest_scores <- function(model, slice, fit_slice, held, threads) {
  if (is_classifier(model)) {
    return(naive_scores(slice$f, slice$range))
  }
  fitted <- fit_calibrator(calibrator_rbc("linear"), fit_slice$f, held, slice$range, threads)
  calibrated_scores(fitted, slice$f, threads)
}

# How many rounds a member uses where T is `rounds`: a model with fewer has no more, and a ranker
# of one score has a number of its own.
member_rounds <- function(model, rounds) {
  own <- .subset2(model, "own_rounds")
  if (is.null(own)) up_to_rounds(rounds, rounds_used(model)) else rep(own, length(rounds))
}

# Rankers of one score that have rounds, with the number of them, of those to try, whose scores
# are the best on the held-out queries: what is enough for one kind is too few for another, and
# calibrators of one score seldom change a ranking. The fewer of equal ones.
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

# So many bytes may be kept of what calibrators see of all models after all numbers of rounds.
most_kept_bytes <- 2^26

# What calibrators see of a model after so many rounds, of those of a grid: by one pass over the
# model for all of them, or by a pass for each where too much would be kept.
staged_inputs <- function(models, features, grid, threads, most = most_kept_bytes) {
  stages <- lapply(models, function(model) unique(member_rounds(model, grid)))
  columns <- vapply(models, function(model) {
    if (is_classifier(model)) as.numeric(model$classes) else 1
  }, 0)
  bytes <- 8 * sum(vapply(features, nrow, 0L) * columns * lengths(stages))
  passes <- vector("list", length(models))
  function(i, rounds) {
    if (bytes > most) {
      f <- calibrator_input(models[[i]], features[[i]], rounds, threads)
      return(discriminant_slice(f, 1L))
    }
    if (is.null(passes[[i]])) {
      passes[[i]] <<- calibrator_input(models[[i]], features[[i]], stages[[i]], threads)
    }
    discriminant_slice(passes[[i]], match(rounds, stages[[i]]))
  }
}

# What calibrators see of a model after some rounds: kept for the number of rounds that was
# asked for last.
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

# From the cheapest to the dearest, by their times in bench/calibrate.md; unknown ones last.
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

# The members as they are after the last task of each: one vector of scores a member, no more.
# `scaling` gives scores as they are mixed, `omega_of` their metric.
new_members <- function(work, scaling, omega_of) {
  count <- nrow(work$cells)
  fitted <- vector("list", count)
  scores <- vector("list", count)
  scale <- rep(1, count)
  omega <- numeric(count)
  used <- rep(-1L, count)
  list(
    make = function(cells, rounds, progress = NULL) {
      made <- work$members(cells, rounds, progress)
      if (!is.null(made$fitted)) fitted[cells] <<- made$fitted
      scaled <- lapply(made$scores, scaling)
      scale[cells] <<- vapply(scaled, `[[`, 0, "scale")
      scores[cells] <<- lapply(scaled, `[[`, "scores")
      omega[cells] <<- omega_of(scores[cells])
      used[cells] <<- work$rounds_of(cells, rounds)
    },
    # Rounds that each uses, -1 for those that were not made.
    used = function(cells = seq_len(count)) used[cells],
    scores = function(cells) scores[cells],
    omega = function(cells) omega[cells],
    held = function(cells) list(fitted = fitted[cells], omega = omega[cells], scale = scale[cells])
  )
}

# Makes the members for the first T, where time is limited calibrator by calibrator from the
# cheapest on: what does not fit is what takes longest. The first is always made.
make_first_members <- function(members, rounds, work, pace) {
  cells <- seq_len(nrow(work$cells))
  if (!pace$limited) {
    pace$tasks(cells, members$make(cells, rounds, pace$part_of(cells)))
    return(cells)
  }
  calibrator <- work$cells$calibrator
  done <- integer()
  for (cell in order(work$dear[calibrator], calibrator)) {
    if (length(done) > 0L && !pace$allows(cell, final = c(done, cell))) {
      pace$leave_out_cell(cell)
      next
    }
    pace$tasks(cell, members$make(cell, rounds))
    done <- c(done, cell)
  }
  sort(done)
}

# Makes them anew for another T where they differ; FALSE where time does not suffice for all.
remake_members <- function(members, cells, rounds, work, pace) {
  changed <- cells[work$rounds_of(cells, rounds) != members$used(cells)]
  if (!pace$limited) {
    if (length(changed) > 0L) {
      pace$tasks(changed, members$make(changed, rounds, pace$part_of(changed)))
    }
    return(TRUE)
  }
  for (j in seq_along(changed)) {
    todo <- changed[j:length(changed)]
    if (!pace$allows(todo, final = cells)) {
      pace$leave_out(length(todo))
      return(FALSE)
    }
    pace$tasks(todo[1L], members$make(todo[1L], rounds))
  }
  TRUE
}

# What the tasks take, and whether more of them fit into the budget: a task is taken to last
# as long as the last one of its calibrator, or, before there was one, as the longest of a
# cheaper calibrator. Tells progress, a step a task.
new_pace <- function(work, steps, budget, report) {
  took <- rep(NA_real_, length(work$dear))
  mixing <- 0
  known_by <- function(rank) max(0, took[work$dear <= rank], na.rm = TRUE)
  expected <- function(cells) {
    sum(ifelse(is.na(took), vapply(work$dear, known_by, 0), took)[work$cells$calibrator[cells]])
  }
  counter <- step_counter(sum(steps), report, share_spent(budget))
  list(
    limited = budget$limited,
    # Whether there is time for some tasks, and for the final fits of some members.
    allows = function(tasks, final) {
      if (!budget$limited) {
        return(TRUE)
      }
      final <- if (work$crossfit > 1) expected(final) else 0
      expected(tasks) + mixing + final <= budget$left()
    },
    # One cell, or, without a limit, any number.
    tasks = function(cells, code) {
      seconds <- budget$seconds(code)
      if (length(cells) == 1L) took[work$cells$calibrator[cells]] <<- seconds
      counter$step(length(cells))
      code
    },
    finals = function(cells, code) {
      force(code)
      counter$step(length(cells))
      code
    },
    # Tells the progress within some cells.
    part_of = function(cells) {
      function(done, total) counter$partly(length(cells) * done / total)
    },
    mix = function(code) {
      mixing <<- budget$seconds(code)
      code
    },
    # A cell that is no member, with all its tasks, or some tasks.
    leave_out_cell = function(cell) counter$fewer(steps[cell]),
    leave_out = function(count) counter$fewer(count)
  )
}

# The share of the seconds from now on that is spent; 0 of endless ones.
share_spent <- function(budget) {
  whole <- budget$left()
  function() if (budget$limited && whole > 0) 1 - budget$left() / whole else 0
}

# Steps for a progress bar whose work may become less: those that are left count more, and
# what is spent of the budget counts if it is more than what is done.
step_counter <- function(total, report, spent = function() 0) {
  done <- 0
  left_out <- 0
  tell <- function(begun = 0) {
    fraction <- max((done + begun) / max(1, total - left_out), spent())
    if (!is.null(report)) report(round(total * min(1, fraction)), NULL)
  }
  list(step = function(steps = 1) {
    done <<- done + steps
    tell()
  }, partly = tell, fewer = function(count) left_out <<- left_out + count)
}

# How many tasks there are of each cell if the values of T come in this order, with the final
# fit. Nothing is to do where the rounds in use do not change.
task_counts <- function(work, rounds) {
  cells <- seq_len(nrow(work$cells))
  used <- lapply(rounds, function(r) work$rounds_of(cells, r))
  changes <- Map(`!=`, used[-1L], used[-length(used)])
  Reduce(`+`, changes, rep(1, length(cells))) + (work$crossfit > 1)
}

# The values of T in the order in which a limited time is spent on them: by the mixture of
# naively calibrated classifiers, which takes little, ties to the smaller. The largest T is
# looked at first; those there is no time to look at come last, the largest of them first.
# Without a limit they are taken as they come.
ranked_rounds <- function(rounds, value_of, budget) {
  if (!budget$limited || length(rounds) == 1L) {
    return(seq_along(rounds))
  }
  values <- rep(-Inf, length(rounds))
  took <- 0
  for (s in order(-rounds)) {
    # A look is worth a small part of what is left.
    if (8 * took > budget$left()) {
      break
    }
    took <- budget$seconds(values[s] <- value_of(rounds[s]))
  }
  order(-values, ifelse(values == -Inf, -rounds, rounds))
}
