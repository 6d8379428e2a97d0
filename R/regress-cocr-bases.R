# Bases of cocr() whose subproblems are trained together, linear_ranker() and gbrt(), and functions
# of the user.

# All costs, penalties and subproblems are trained in one pass. Cross-validation over parts of the
# training queries needs another pass.
train_cocr_linear <- function(spec, task, subproblems) {
  penalties <- penalties_of(spec$base)
  steps <- linear_steps(spec, task, subproblems, penalties, task$data$relevance + 1L, 1L)[[1L]]
  path <- new_path(unname(steps), spec, names(steps))
  if (chooses_by_parts(steps, task)) {
    first <- step_scores(steps[1L], task$data$x, task$threads)
    path <- choose_by_part_scores(path, task, first, function(part) {
      held_out_linear(spec, task, subproblems, penalties, part)
    })
  }
  if (!is.null(task$progress)) task$progress(1, 1)
  path
}

# Out-of-fold scores, documents x path models. Each fold has its own groups, so that one call trains
# all folds.
held_out_linear <- function(spec, task, subproblems, penalties, part) {
  group <- task$data$relevance + 1L + task$classes * (part - 1L)
  solved <- linear_steps(spec, task, subproblems, penalties, group, max(part), held_out = TRUE)
  scores <- matrix(0, nrow(task$data$x), length(solved[[1L]]))
  for (k in seq_along(solved)) {
    rows <- which(part == k)
    scores[rows, ] <- linear_step_scores(solved[[k]], task, rows)
  }
  scores
}

# The models for each cost and penalty: a list with one entry for each left-out fold, or a single
# entry. `group` is the grade + 1. Each further fold has its own group numbers.
linear_steps <- function(spec, task, subproblems, penalties, group, parts, held_out = FALSE) {
  grades <- task$classes
  count <- grades - 1L
  grade_of <- rep(seq_len(grades) - 1L, parts)
  sums <- if (is.null(task$weights)) tabulate(group, grades * parts) else {
    as.vector(tapply(task$weights, factor(group, seq_len(grades * parts)), sum, default = 0))
  }
  problems <- expand.grid(k = seq_len(count), cost = seq_along(subproblems), part = seq_len(parts))
  if (!held_out) problems <- problems[problems$part == 1L, ]
  times <- mapply(function(k, cost, part) {
    weights <- subproblems[[cost]]$weights[grade_of + 1L, k]
    if (all(weights * sums == 0)) stop_empty_subproblem(k, task)
    if (held_out) weights * (rep(seq_len(parts), each = grades) != part) else weights
  }, problems$k, problems$cost, problems$part)
  targets <- vapply(problems$k, function(k) as.double(grade_of >= k), numeric(length(grade_of)))
  check_products_of_features(ncol(task$data$x), grades * parts, task$call)
  solved <- linear_grouped_path(task$data$x, group - 1L, as.double(task$weights), times, targets,
                                penalties, task$threads)
  features <- length(solved$scale)
  weights <- array(solved$weights, c(features, length(penalties), nrow(problems)))
  lapply(unique(problems$part), function(part) {
    steps <- lapply(seq_along(subproblems), function(cost) {
      own <- which(problems$part == part & problems$cost == cost)
      lapply(seq_along(penalties), function(i) {
        linear_cocr(spec, task, names(subproblems)[cost], penalties[i],
                    matrix(weights[, i, own], features), solved$intercept[i, own],
                    solved$freedom[i, own], solved$scale)
      })
    })
    named_steps(unlist(steps, recursive = FALSE), spec, names(subproblems), penalties)
  })
}

named_steps <- function(steps, spec, costs, penalties) {
  texts <- vapply(penalties, number_text, "", digits = 4)
  several <- is_several_costs(spec)
  stats::setNames(steps, paste0(if (several) rep(costs, each = length(penalties)),
                                if (several && length(penalties) > 1L) ", ",
                                if (length(penalties) > 1L) rep(texts, length(costs))))
}

linear_cocr <- function(spec, task, cost, penalty, weights, intercept, freedom, scale) {
  if (is_several_costs(spec)) spec$cost <- cost
  spec$base$penalty <- penalty
  new_cocr(spec, task, weights = weights, intercept = intercept, freedom = freedom, scale = scale)
}

# Scores, documents x path models. The soft ranker is a single vector of weights.
linear_step_scores <- function(steps, task, rows) {
  x <- task$data$x
  if (!isS4(x)) x <- x[rows, , drop = FALSE]
  kept <- if (isS4(x)) rows else seq_along(rows)
  if (steps[[1L]]$spec$ranker == "soft") {
    weights <- vapply(steps, function(step) rowSums(step$weights), numeric(dim(x)[2L]))
    shifts <- vapply(steps, function(step) sum(step$intercept), 0)
    weights <- matrix(weights, dim(x)[2L])
    return(linear_predict(x, weights, shifts, task$threads)[kept, , drop = FALSE])
  }
  vapply(steps, function(step) {
    rank_levels(linear_predict(x, step$weights, step$intercept, task$threads), "hard")[kept]
  }, numeric(length(kept)))
}

# Grows the trees of all subproblems round by round on the same bins.
grow_cocr <- function(spec, task, subproblems) {
  growers <- lapply(seq_len(task$classes - 1L), function(k) {
    targets <- as.double(task$data$relevance >= k)
    gbrt_grower(spec$base, part_task(task, targets, document_weights(subproblems, k, task)))
  })
  grower <- in_step(growers, spec$base, task, function(parts) new_cocr(spec, task, parts))
  grow_rounds(grower, rounds_of(spec$base), 0L, NULL, task$watch)
}

# Combines several growers of trees into one. A grower that has ended waits for the others.
in_step <- function(growers, base, task, model) {
  rounds <- integer(length(growers))
  ended <- logical(length(growers))
  list(
    run = function(wanted) {
      fits <- lapply(growers[!ended], `[[`, "fit")
      grown <- gbrt_run_together(fits, as.integer(wanted), as.integer(base$trees), task$threads,
                                 task$progress)
      rounds[!ended] <<- grown$rounds
      ended[!ended] <<- grown$status != "limit"
      list(rounds = max(rounds), status = if (all(ended)) "stalled" else "limit")
    },
    hold = function(x) lapply(growers, held_by, x),
    scores = function(held, at) {
      each <- Map(function(grower, own, most) grower$scores(own, min(at, most)), growers, held,
                  rounds)
      Reduce(`+`, each)
    },
    model = function() model(lapply(growers, function(grower) grower$model()))
  )
}

# The user's function trains, and returns a function that predicts. Its random numbers depend on the
# seed.
train_function <- function(spec, task, targets, weights) {
  if (is.null(weights)) weights <- rep(1, length(targets))
  part <- tryCatch(
    with_seed(task$seed, spec$base(task$data$x, targets, weights)),
    error = function(e) {
      stop_input("ranker", "The training of the base of `cocr()` fails.", call = task$call,
                 parent = e)
    }
  )
  if (!is.function(part)) {
    stop_input("ranker", sprintf("`base` must give a function of new features, not %s.",
                                 show_value(part)), call = task$call)
  }
  predict_function(part, task$data$x, task$call)
  part
}

predict_function <- function(part, x, call = NULL) {
  values <- tryCatch(part(x), error = function(e) {
    stop_input("ranker", "The prediction of the base of `cocr()` fails.", call = call, parent = e)
  })
  if (!is_plain_number(values) || length(values) != nrow(x) || any(!is.finite(values))) {
    stop_input("ranker", sprintf("`base` must predict %d finite numbers, not %s.", nrow(x),
                                 show_value(values)), call = call)
  }
  as.double(values)
}
