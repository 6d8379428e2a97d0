# Sections of bench/threads.md; bench/threads.R sources this. Tables of the program have columns
# V1, V2, ... in the order of bench/threads/summary.h.

# The tasks of a function of the core, and the arrays that each task touches.
touched_arrays <- c(
  "RowAdder::for_each_tile" = "a tile: its bins, its histograms; rows and channels of the node",
  "RowAdder::add_rows_by_part" = "a tile and part of a node's rows: their bins and channels, a histogram",
  "RowAdder::finish_parts" = "a tile: its histograms",
  "split_by" = "2,048 or 4,096 rows of a node: list of rows, bins of one feature",
  "ChannelReader::prepare" = "2,048 or 4,096 rows of a node: list of rows, gradients",
  "evaluate_asked" = "queries: scores, grades; gradients and hessians",
  "BinnedMatrix::fill_dense" = "8,192 rows: columns of a tile; bins",
  "BinnedMatrix::find_dense_bins" = "a feature: its column; a buffer",
  "BinnedMatrix::reorder" = "4,096 rows: bins of 16 features"
)

# Names of the functions at addresses. The innermost function outside core/base is taken, as the
# templates there are called everywhere.
name_places <- function(program, addresses) {
  addresses <- unique(addresses)
  names <- vapply(addresses, function(address) {
    frames <- matrix(system2("addr2line", c("-e", program, "-f", "-C", "-i", address), stdout = TRUE), 2L)
    keep <- grepl("src/core/", frames[2L, ]) & !grepl("src/core/base/", frames[2L, ]) &
      !grepl("^(operator|with_|for_each_)", frames[1L, ])
    shown <- frames[1L, c(which(keep), ncol(frames))[1L]]
    # Removes namespaces, arguments and parameters of templates.
    shown <- sub("[<(].*$", "", gsub("\\(anonymous namespace\\)::|\\b[a-z_]+::", "", shown, perl = TRUE))
    sub("^.* ", "", shown)
  }, "")
  stats::setNames(names, addresses)
}

percent <- function(part) sprintf("%.1f %%", 100 * part)

serial_section <- function(kinds, recorded) {
  rows <- unlist(Map(function(kind, r) {
    sprintf("| %s | %s | %.2f | %.3f | %s | %d |", kind, r$phase$V1, r$phase$V2, r$phase$V3,
            percent(r$phase$V3 / r$phase$V2), r$phase$V4)
  }, kinds, recorded), use.names = FALSE)
  c("## Serial part", "",
    "Serial: the time outside of calls of the thread pool, and in calls of a single task.",
    "Times are of the processor, so other work on the machine hardly changes them.", "",
    markdown_table(c("fit", "phase", "seconds", "serial seconds", "serial part", "calls"), rows))
}

cost_line <- function(recorded) {
  cost <- recorded[[1L]]$cost
  sprintf(paste("A call costs %.2f us if the other thread spins. Otherwise it takes %.0f us of the calling thread to",
                "start another thread, and %.0f us until that thread works. These times were measured on two threads."),
          1e6 * cost$V1, 1e6 * cost$V3, 1e6 * cost$V2)
}

curve_section <- function(kinds, recorded) {
  sizes <- c(2L, 4L, 8L, 16L, 32L, 64L)
  speedup <- function(curve, phase, cost) {
    of <- curve[curve$V1 == phase & curve$V3 == cost, ]
    of$V4[of$V2 == 1L] / of$V4[match(sizes, of$V2)]
  }
  rows <- unlist(Map(function(kind, r) {
    low <- lapply(c("binning", "order", "rounds"), function(phase) {
      table_row(kind, phase, "low", sprintf("%.2f", speedup(r$curve, phase, "low")))
    })
    c(unlist(low), table_row(kind, "rounds", "high", sprintf("%.2f", speedup(r$curve, "rounds", "high"))))
  }, kinds, recorded), use.names = FALSE)
  c("## Simulated speed-up", "",
    "The policy of the pool is simulated: equal ranges of tasks first, then tasks from the ends of other ranges.",
    cost_line(recorded),
    "`low` assumes that all threads see a call at once. `high` assumes that each further thread adds the cost of a call.",
    "Memory that threads share is not simulated, so these are upper bounds.", "",
    markdown_table(c("fit", "phase", "cost", paste(sizes, "threads")), rows))
}

# The calls of rounds and binning that take most of the time on 16 threads.
limit_section <- function(kinds, recorded, places) {
  rows <- unlist(Map(function(kind, r) {
    unlist(lapply(c("binning", "order", "rounds"), function(phase) {
      calls <- r$calls[r$calls$V1 == phase, ]
      found <- r$place[r$place$V1 == phase, ]
      on <- function(threads) {
        at <- calls[calls$V3 == threads, ]
        at$V4[match(found$V2, at$V2)]
      }
      parts <- on(16L) / sum(r$curve$V4[r$curve$V1 == phase & r$curve$V2 == 16L & r$curve$V3 == "low"])
      # The three calls that take the largest part of the time.
      largest <- utils::head(order(-parts), 3L)
      sprintf("| %s | %s | `%s` | %d | %d to %d | %.3f | %s | %.1f | %.1f |", kind, phase,
              places[found$V2[largest]], found$V3[largest], found$V4[largest], found$V5[largest],
              found$V6[largest], percent(parts[largest]), (found$V6 / on(16L))[largest],
              (found$V6 / on(64L))[largest])
    }))
  }, kinds, recorded), use.names = FALSE)
  c("## Which calls limit it", "",
    "The three calls of each phase that take most of the time on 16 threads.",
    "A call with fewer tasks than threads leaves threads idle.",
    "With more threads than half the tiles, `add_rows_by_part` sums histograms by tile and part of the rows, and",
    "`finish_parts` adds the parts up and searches splits, with one task for each tile. Tasks are as on 16 threads.", "",
    markdown_table(c("fit", "phase", "function", "calls", "tasks", "seconds of tasks", "part on 16 threads",
                     "speed-up on 16", "on 64"), rows))
}

check_section <- function(kinds, checked) {
  rows <- unlist(Map(function(kind, found) {
    sprintf("| %s | %.3f | %.3f | %.3f | %.3f | %+.1f %% |", kind, found$one, found$two, found$recorded,
            found$simulated, 100 * found$error)
  }, kinds, checked), use.names = FALSE)
  c("## Is the simulation right?", "",
    "Seconds of the rounds on real threads (medians of runs in turn), and recorded and simulated.",
    "`error` is the error of the simulated ratio of the time of two threads to the time of one.", "",
    markdown_table(c("fit", "one thread", "two threads", "recorded, one", "simulated, two", "error"), rows))
}

locality_section <- function(kinds, recorded, places) {
  rows <- unlist(Map(function(kind, r) {
    found <- r$place[r$place$V1 %in% c("binning", "rounds") & r$place$V5 > 1L, ]
    found <- found[order(found$V1, -found$V6), ]
    found <- found[found$V6 > 0.01 * stats::ave(found$V6, found$V1, FUN = sum), ]
    same <- function(threads) {
      at <- r$same[r$same$V3 == threads, ]
      share <- at$V4[match(paste(found$V1, found$V2), paste(at$V1, at$V2))]
      ifelse(is.na(share), "", sprintf("%.2f", share))
    }
    arrays <- touched_arrays[places[found$V2]]
    arrays[is.na(arrays)] <- "rows: arrays of numbers by document"
    sprintf("| %s | %s | `%s` | %s | %s | %s | %s |", kind, found$V1, places[found$V2], arrays, same(2L), same(8L),
            same(64L))
  }, kinds, recorded), use.names = FALSE)
  c("## Does a thread touch the same memory again?", "",
    "On machines with several memory nodes, a page of memory is on the node of the thread that writes it first.",
    "The columns count tasks that the same thread did in the previous call of as many tasks, by their time.",
    "The same task uses the same memory only for tasks by tile, document or query.",
    "Nodes have other rows in each call.",
    "Threads that keep their tasks could have their memory near, but it is not placed by them:",
    "a `std::vector` is filled with zeros when it is made, so the calling thread writes all its pages first.",
    "This includes the gradients, the lists of rows and the histograms.",
    "The bins are not filled with zeros. Threads write the bins of a tile by blocks of rows, and read them by tile.", "",
    markdown_table(c("fit", "phase", "function", "a task, and its arrays", "2 threads", "8", "64"), rows))
}

# Serial work that takes at least 0.5 % of the time of a phase.
gap_section <- function(kinds, recorded, places) {
  name <- function(address) ifelse(address %in% names(places), sprintf("`%s`", places[address]), "end")
  rows <- unlist(Map(function(kind, r) {
    gaps <- stats::aggregate(V4 ~ V1 + V2 + V3, transform(r$gap, V2 = name(V2), V3 = name(V3)), sum)
    part <- gaps$V4 / r$phase$V2[match(gaps$V1, r$phase$V1)]
    shown <- order(gaps$V1, -part)[(part >= 0.005)[order(gaps$V1, -part)]]
    sprintf("| %s | %s | %s | %s | %.4f | %s |", kind, gaps$V1[shown], gaps$V2[shown], gaps$V3[shown],
            gaps$V4[shown], percent(part[shown]))
  }, kinds, recorded), use.names = FALSE)
  c("## Where serial code is", "",
    "Serial work between two calls, at least 0.5 % of its phase. In the columns \"after\" and \"before\", \"end\" means that the phase begins or ends there.", "",
    markdown_table(c("fit", "phase", "after", "before", "seconds", "part of the phase"), rows))
}
