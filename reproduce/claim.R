# A claim is a value: the statement of a paper, the data, and the measurement on these data. Only
# this file computes verdicts, intervals and p-values.
#
# claim(): id, paper, says; figure, the value in the paper; `experiment` and `collection` name the
#               results, a list with one element per part, which `of` turns into a measurement;
#               kind, limit.
# measured:     differences(x), one number per query, in pairs (or one per part);
#               estimated(effect, se, df), of a fit; broken(count, of), of what must never happen.
# kind:         "more": the effect is above the limit; "less": below; "same": within the limit on
#               either side of 0; "never": nothing is broken.

claim <- function(id, paper, says, experiment, collection, of, kind = "more", limit = 0,
                  figure = "", measure = "") {
  list(id = id, paper = paper, says = says, experiment = experiment, collection = collection,
       of = of, kind = kind, limit = limit, figure = figure, measure = measure)
}

# Makes one claim for each of several collections.
claims_on <- function(collections, ...) {
  lapply(collections, function(collection) claim(collection = collection, ...))
}

# A query with NaN or NA for one of two rankers is left out.
differences <- function(x) {
  x <- unlist(x)
  x <- x[!is.na(x)]
  n <- length(x)
  if (n == 0L) return(NULL)
  list(effect = mean(x), se = if (n > 1L) stats::sd(x) / sqrt(n) else NA_real_, df = n - 1L, n = n)
}
estimated <- function(effect, se, df) list(effect = effect, se = se, df = df, n = df)
broken <- function(count, of) list(effect = sum(count), se = 0, df = Inf, n = sum(of))

# Column a minus column b of a metric, query by query, over all parts.
less <- function(a, b, metric = "ndcg") {
  function(found) {
    differences(lapply(found, function(one) {
      values <- one$values[[metric]]
      if (all(c(a, b) %in% colnames(values))) values[, a] - values[, b]
    }))
  }
}

# Two-sided p of the claim's limit. There is no test if all queries have exactly the same value,
# or if there is only one number.
p_value <- function(m, kind, limit) {
  if (kind == "never" || is.na(m$se) || exact(m)) return(NA_real_)
  tail <- function(distance) 2 * stats::pt(-abs(distance) / m$se, m$df)
  if (kind == "same") tail(abs(m$effect) - limit) else tail(m$effect - limit)
}
exact <- function(m) isTRUE(m$se <= 1e-14)

agrees <- function(m, kind, limit) {
  switch(kind, more = m$effect > limit, less = m$effect < limit,
         same = abs(m$effect) <= limit, never = m$effect == 0)
}

verdicts <- c("holds", "does not hold", "undecided")
# `adjusted` is p after Holm; NA where nothing was tested.
verdict_of <- function(m, kind, limit, adjusted) {
  if (kind == "never" || exact(m)) return(verdicts[if (agrees(m, kind, limit)) 1L else 2L])
  if (is.na(adjusted) || adjusted >= 0.05) return(verdicts[3L])
  verdicts[if (agrees(m, kind, limit)) 1L else 2L]
}

# A row a claim. `results` are named by task key; `keys_of(claim)` are those it needs.
assess_claims <- function(claims, results, keys_of) {
  found <- lapply(claims, function(one) {
    keys <- keys_of(one)
    done <- Filter(function(r) !is.null(r) && is.null(r$error), results[keys])
    failed <- Filter(function(r) !is.null(r$error), results[keys])
    m <- if (length(done) > 0L) {
      tryCatch(one$of(lapply(unname(done), `[[`, "found")), error = function(e) {
        list(problem = conditionMessage(e))
      })
    }
    status <- if (length(failed) > 0L && length(done) == 0L) {
      paste("failed:", failed[[1L]]$error)
    } else if (!is.null(m$problem)) {
      paste("failed:", m$problem)
    } else if (length(done) == 0L) {
      "not run"
    } else if (is.null(m)) {
      "nothing to measure"
    } else {
      "run"
    }
    list(m = if (status == "run") m, status = status, parts = length(done), of = length(keys),
         seconds = sum(vapply(done, `[[`, 0, "seconds")))
  })
  field <- function(name) {
    vapply(found, function(f) if (is.null(f$m)) NA_real_ else as.numeric(f$m[[name]]), 0)
  }
  text <- function(name) vapply(claims, `[[`, "", name)
  table <- data.frame(
    paper = text("paper"), id = text("id"), says = text("says"), data = text("collection"),
    experiment = text("experiment"), measure = text("measure"), kind = text("kind"),
    limit = vapply(claims, `[[`, 0, "limit"),
    figure = text("figure"), status = vapply(found, `[[`, "", "status"),
    parts = vapply(found, `[[`, 0L, "parts"), of_parts = vapply(found, `[[`, 0L, "of"),
    seconds = vapply(found, `[[`, 0, "seconds"), n = field("n"), effect = field("effect"),
    stringsAsFactors = FALSE
  )
  se <- field("se")
  df <- field("df")
  untested <- table$kind == "never" | is.na(se) | is.na(df) | df < 1
  reach <- ifelse(untested, NA, stats::qt(0.975, ifelse(untested, 1, df)) * se)
  table$low <- table$effect - reach
  table$high <- table$effect + reach
  run <- table$status == "run"
  table$p <- table$p_holm <- NA_real_
  table$p[run] <- mapply(function(f, one) p_value(f$m, one$kind, one$limit), found[run],
                         claims[run])
  table$p_holm <- stats::p.adjust(table$p, "holm")
  table$verdict <- NA_character_
  table$verdict[run] <- mapply(function(f, one, p) verdict_of(f$m, one$kind, one$limit, p),
                               found[run], claims[run], table$p_holm[run])
  table
}
