# Ranks: processes that train one model together, each with its own queries. A communicator adds up
# numbers over them. The core gets it as a host's reducer (src/core/base/reducer.h).

# A communicator: `rank` from 0, `size`, and functions that all ranks call in the same order:
# `add(x)` and `max(x)` return the sums and the maxima of a double vector over the ranks,
# `gather(raw)` returns a list of the raw vectors of all ranks.
new_communicator <- function(rank, size, add, max, gather, close = function() NULL, name = "communicator") {
  structure(list(rank = as.integer(rank), size = as.integer(size), add = add, max = max, gather = gather,
                 close = close, name = name),
            class = "rankmix_communicator")
}

# Sums and maxima over the ranks. `cluster` is NULL for a single process.
cluster_sum <- function(cluster, x) if (is.null(cluster)) x else cluster$add(as.double(x))
cluster_max <- function(cluster, x) if (is.null(cluster)) x else cluster$max(as.double(x))
cluster_min <- function(cluster, x) if (is.null(cluster)) x else -cluster$max(-as.double(x))
cluster_any <- function(cluster, x) if (is.null(cluster)) x else cluster$max(as.double(x)) > 0
cluster_all <- function(cluster, x) if (is.null(cluster)) x else !cluster_any(cluster, !x)

# The raw vectors of all ranks.
cluster_gather <- function(cluster, raw) if (is.null(cluster)) list(raw) else cluster$gather(raw)
