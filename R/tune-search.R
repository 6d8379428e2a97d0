# The search of tune_ranker(): the default candidates, a random design, then proposals of the surrogate. All
# trainings of a rung are made by train_rung(). `search` is an environment with
#   candidates   a list: id, ranker, spec, point, is_default, and the reason why it was dropped, or NA
#   trainings    a data frame: a row for each candidate and rung
#   values       values[[rung]]: a matrix, validation queries x candidates, with ids as names
#   left         the ids of candidates that were not dropped
#   spent        the budget that was used, in trainings on all training queries

new_search <- function(context) {
  search <- new.env()
  search$context <- context
  search$candidates <- list()
  search$trainings <- NULL
  search$values <- rep(list(NULL), length(context$fractions))
  search$spent <- 0
  for (name in names(context$specs)) {
    add_candidate(search, name, context$specs[[name]], NULL, is_default = TRUE)
  }
  search
}

# Adds a candidate, unless its specification is there already. Returns its id, or NULL.
add_candidate <- function(search, ranker, spec, point, is_default = FALSE) {
  text <- rlang::hash(identity_of(spec))
  if (text %in% vapply(search$candidates, `[[`, "", "text")) {
    return(NULL)
  }
  id <- length(search$candidates) + 1L
  search$candidates[[id]] <- list(id = id, ranker = ranker, spec = spec, point = point,
                                  is_default = is_default, text = text, reason = NA_character_)
  id
}

# Settings may exclude each other, such as two kinds of fractions. Such points are left out.
add_point <- function(search, ranker, point) {
  settings <- settings_at(search$context$spaces[[ranker]], point)
  spec <- tryCatch(with_settings(search$context$specs[[ranker]], settings),
                   rankmix_error_argument = function(e) NULL)
  if (!is.null(spec)) add_candidate(search, ranker, spec, point)
}

defaults_of <- function(search) which(vapply(search$candidates, `[[`, NA, "is_default"))

# Trains candidates on a rung. Returns the ids of the candidates that now have values on this rung.
train_rung <- function(search, ids, rung) {
  context <- search$context
  new <- setdiff(ids, candidates_on(search, rung))
  if (length(new) == 0L) {
    return(ids)
  }
  work <- list(label = "Tuning", data = function(part) tuning_data(context, part), prepare = prepare_tuning,
               perform = perform_tuning, steps = function(task) 1)
  tasks <- tuning_tasks(context, search$candidates[new], rung)
  finished <- 0
  results <- run_tasks(tasks, work, context$run, context$time, context$threads, FALSE, function() {
    finished <<- finished + 1
    context$progress$report(search$spent + finished / length(context$splits) * context$fractions[rung])
  })
  owner <- vapply(tasks, `[[`, 0L, "candidate")
  for (id in new) record_training(search, id, rung, results[owner == id])
  search$spent <- search$spent + length(new) * context$fractions[rung]
  context$progress$report(search$spent)
  intersect(ids, candidates_on(search, rung))
}

candidates_on <- function(search, rung) {
  if (is.null(search$values[[rung]])) integer() else as.integer(colnames(search$values[[rung]]))
}

# Stores the values of all splits. Without them the candidate is dropped.
record_training <- function(search, id, rung, results) {
  lost <- lengths(results) == 0L
  failed <- Filter(Negate(is.null), lapply(results, `[[`, "error"))
  # If time ends while a default is trained on a lower rung, it still has its value on all queries.
  if (any(lost) && id %in% search$trainings$candidate && search$candidates[[id]]$is_default) {
    return(invisible())
  }
  if (any(lost) || length(failed) > 0L) {
    return(drop_candidates(search, id, if (length(failed) > 0L) paste("failed:", failed[[1L]]) else "out of time"))
  }
  values <- unlist(lapply(results, `[[`, "values"))
  if (is.null(search$counted)) {
    search$counted <- !is.nan(values)
  }
  values <- values[search$counted]
  values[is.na(values)] <- 0
  previous <- search$values[[rung]]
  search$values[[rung]] <- cbind(previous, values, deparse.level = 0)
  colnames(search$values[[rung]]) <- c(colnames(previous), id)
  moments <- stratified_moments(values, search_weight(search), search_fold(search))
  column <- function(name) vapply(results, function(one) as.double(one[[name]]), 0)
  search$trainings <- rbind(search$trainings, data.frame(
    candidate = id, fraction = search$context$fractions[rung], value = moments$mean, se = moments$se,
    rounds = mean(column("rounds")), trained = mean(column("trained")), seconds = sum(column("seconds"))
  ))
  if (!is.null(results[[1L]]$path)) search$candidates[[id]]$path <- column("path")
}

search_weight <- function(search) search$context$weight[search$counted]

search_fold <- function(search) search$context$fold[search$counted]

drop_candidates <- function(search, ids, reason) {
  for (id in ids) search$candidates[[id]]$reason <- reason
}

candidates_left <- function(search, ids) {
  ids[is.na(vapply(search$candidates[ids], `[[`, "", "reason"))]
}

# The means of candidates on a rung.
rung_means <- function(search, ids, rung) {
  rows <- search$trainings[search$trainings$fraction == search$context$fractions[rung], ]
  rows$value[match(ids, rows$candidate)]
}

# Drops the candidates among `ids` that a test shows to be worse than the best of the rung, and then the candidates
# beyond the number `places`. Defaults are never dropped, because the gain is measured against them. Returns the ids of
# the others.
race_rung <- function(search, ids, rung, places) {
  all <- candidates_on(search, rung)
  is_worse <- worse_candidates(search$values[[rung]], rung_means(search, all, rung), search_weight(search),
                               search_fold(search), search$context$error)
  worse <- setdiff(intersect(all[is_worse], ids), defaults_of(search))
  drop_candidates(search, worse, "worse")
  free <- setdiff(ids, c(worse, defaults_of(search)))
  free <- free[order(-rung_means(search, free, rung))]
  drop_candidates(search, utils::tail(free, -places), "budget")
  utils::head(free, places)
}

# The random design: the candidates of all rankers pass through the rungs together.
search_design <- function(search, sizes) {
  context <- search$context
  open <- names(Filter(length, context$spaces))
  share <- diff(round(seq(0, sizes[1L], length.out = length(open) + 1L)))
  ids <- unlist(lapply(seq_along(open), function(i) {
    points <- with_seed(derived_seed(context$seed, "design", open[i]),
                        design_points(context$spaces[[open[i]]], share[i]))
    lapply(seq_len(nrow(points)), function(row) add_point(search, open[i], points[row, ]))
  }))
  for (rung in seq_along(context$fractions)) {
    if (!is_time_left(search)) {
      drop_candidates(search, ids, "out of time")
      break
    }
    ids <- setdiff(train_rung(search, c(defaults_of(search), ids), rung), defaults_of(search))
    last <- rung == length(context$fractions)
    ids <- race_rung(search, ids, rung, if (last) Inf else sizes[rung + 1L])
  }
}

is_time_left <- function(search) search$context$time$allows(1L)

# Proposals of the surrogate, in batches. They start on the rung before the last, and half are also trained on the last.
search_proposals <- function(search, budget) {
  context <- search$context
  last <- length(context$fractions)
  rungs <- unique(c(max(1L, last - 1L), last))
  batch <- 0L
  empty <- 0L
  while (empty < 3L && is_time_left(search)) {
    count <- affordable_proposals(budget - search$spent, context$fractions[rungs])
    if (count == 0L) break
    batch <- batch + 1L
    ids <- propose_candidates(search, batch, count)
    empty <- if (length(ids) == 0L) empty + 1L else 0L
    for (rung in rungs) {
      if (length(ids) == 0L) break
      ids <- race_rung(search, train_rung(search, ids, rung), rung, if (rung == last) Inf else ceiling(count / 2))
    }
  }
}

# The largest number of proposals that the rest of the budget pays for.
affordable_proposals <- function(left, fractions) {
  count <- seq_len(proposal_batch)
  cost <- if (length(fractions) == 1L) count else count * fractions[1L] + ceiling(count / 2)
  sum(cost <= left + 1e-9)
}

# New candidates of one ranker. The rankers that still have a candidate on the last rung take turns.
propose_candidates <- function(search, batch, count) {
  context <- search$context
  rankers <- vapply(search$candidates, `[[`, "", "ranker")
  on_last <- candidates_left(search, candidates_on(search, length(context$fractions)))
  open <- intersect(names(Filter(length, context$spaces)), rankers[on_last])
  if (length(open) == 0L) {
    return(integer())
  }
  ranker <- open[(batch - 1L) %% length(open) + 1L]
  trained <- search$trainings[rankers[search$trainings$candidate] == ranker, ]
  known <- lapply(search$candidates[trained$candidate], `[[`, "point")
  # A default may lie outside of the space, so it has no point.
  rows <- which(lengths(known) > 0L)
  if (length(rows) < 3L) {
    points <- with_seed(derived_seed(context$seed, "points", batch),
                        latin_points(count, length(context$spaces[[ranker]])))
  } else {
    points <- with_seed(derived_seed(context$seed, "proposals", batch),
                        propose_points(do.call(rbind, known[rows]), trained$fraction[rows], trained$value[rows],
                                       count))
  }
  unlist(lapply(seq_len(nrow(points)), function(row) add_point(search, ranker, points[row, ])))
}
