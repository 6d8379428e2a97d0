# The progress of tune_ranker(): one bar for the whole call, so that the time left is shown for the whole call.
#
# The unit is a search. With outer folds there are several, and each has the same budget. The done fraction of a
# search is its work divided by the budget, or the fraction of the time that has passed, if this is larger. Tests may
# end a search before its budget is spent. So the time left is an upper estimate.

# `start(splits, finals)` begins the next search, which has `splits` trainings a candidate and trains `finals` models at
# its end. Its value has two functions. `limit(units)` sets the work that the budget pays for, in trainings on all
# queries. `report(spent)` shows the progress.
tuning_progress <- function(searches, seconds, verbose, now = seconds_now) {
  bar <- progress_bar("Tuning", searches, verbose)
  count <- 0L
  start <- function(splits, finals) {
    before <- count
    count <<- count + 1L
    began <- now()
    total <- Inf
    fraction <- 0
    list(
      limit = function(units) total <<- units + finals / splits,
      report = function(spent) {
        # The fraction must not fall when the limit becomes known, after the first trainings.
        fraction <<- min(1, max(fraction, spent / total, (now() - began) / seconds))
        if (!is.null(bar$report)) bar$report(before + fraction, searches)
      }
    )
  }
  list(start = start, close = bar$close)
}
