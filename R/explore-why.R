# Why each document of a list is above the next one, by explain_pair(), for the queries that changed most.

# Features of a pair that are shown one by one.
shown_contributions <- 6L
# Features of a document that are shown by default.
default_features <- 8L

# `queries` are explained. `pairs` has for each ranker and query a list of pairs, the top one first. `reasons` has
# for each ranker without explanations a text, else "". `sizes` has the mean magnitudes of contributions, a named
# vector for each ranker.
explained_lists <- function(models, data, contents, count, seed, threads) {
  reasons <- vapply(models, function(model) if (is.null(model)) "It was given as scores, not as a model." else "", "")
  part <- list(models = models, data = data, rows = seq_len(nrow(data)))
  explained_parts(list(part), reasons, data$query, contents, count, seed, threads)
}

# Like explained_lists(), for parts of the data that have their own models, such as the test parts of folds. A part
# has `models`, its `data`, and `rows`: for each row of `data`, its row in the complete data. `query` has the query of
# each row of the complete data. Rankers with a text in `reasons` are not explained.
explained_parts <- function(parts, reasons, query, contents, count, seed, threads) {
  queries <- if (count > 0L && any(reasons == "")) sort(changed_queries(contents$values, count))
  if (length(queries) == 0L) {
    return(list(queries = integer(), pairs = list(), reasons = reasons, sizes = list()))
  }
  seed <- check_seed(seed)
  found <- lapply(stats::setNames(nm = names(reasons)), function(name) {
    if (reasons[[name]] == "") {
      tryCatch(
        explained_ranker(name, parts, query, contents$ranks[, name], queries, contents$depth, seed, threads),
        rankmix_error = reason_of, error = function(e) {
          keep_memory_error(e)
          "Its scores cannot be explained."
        }
      )
    }
  })
  failed <- vapply(found, is.character, NA)
  reasons[failed] <- unlist(found[failed])
  found[failed] <- list(NULL)
  list(queries = queries, pairs = lapply(found, `[[`, "pairs"), reasons = reasons,
       sizes = Filter(Negate(is.null), lapply(found, `[[`, "sizes")))
}

# Each query is explained by the model of its part.
explained_ranker <- function(name, parts, query, rank, queries, depth, seed, threads) {
  each <- lapply(parts, function(part) {
    # Subsets of data keep the order of rows.
    own <- which(query[part$rows] %in% queries)
    if (length(own) > 0L) {
      rows <- part$rows[own]
      explained_part(part$models[[name]], part$data[unique(part$data$query[own])], query[rows], rank[rows], depth, seed,
                     threads)
    }
  })
  each <- Filter(Negate(is.null), each)
  pairs <- do.call(c, lapply(unname(each), `[[`, "pairs"))
  count <- sum(vapply(each, `[[`, 0, "count"))
  list(pairs = pairs[order(as.integer(names(pairs)))],
       sizes = sum_by_name(lapply(each, `[[`, "sizes")) / max(count, 1))
}

# The pairs of one part, and for each feature the sum of its magnitudes over `count` pairs.
explained_part <- function(model, part, query, rank, depth, seed, threads) {
  x <- explained_features(model, part, "data", threads)
  sizes <- numeric(ncol(x))
  count <- 0
  pairs <- lapply(split(seq_along(query), query), function(own) {
    own <- own[order(rank[own])]
    own <- utils::head(own, depth)
    lapply(seq_len(length(own) - 1L), function(r) {
      both <- x[own[c(r, r + 1L)], , drop = FALSE]
      values <- contributions(model, both[1L, , drop = FALSE], both[2L, , drop = FALSE], "score", 20, seed,
                              threads)$values[1L, ]
      sizes <<- sizes + abs(values)
      count <<- count + 1
      largest_contributions(values, both)
    })
  })
  list(pairs = pairs, sizes = stats::setNames(sizes, colnames(x)), count = count)
}

# Sums vectors by their names, because models of different parts may have different features.
sum_by_name <- function(each) {
  names <- unique(unlist(lapply(each, names)))
  total <- stats::setNames(numeric(length(names)), names)
  for (own in each) total[names(own)] <- total[names(own)] + own
  total
}

# The contributions of a pair that are shown, and the sum of the others.
largest_contributions <- function(values, both) {
  used <- which(values != 0)
  used <- used[order(-abs(values[used]))]
  first <- utils::head(used, shown_contributions)
  others <- setdiff(used, first)
  list(difference = sum(values), feature = colnames(both)[first], contribution = unname(values[first]),
       above = unname(both[1L, first]), below = unname(both[2L, first]), others = length(others),
       rest = sum(values[others]))
}

# The features that explain most. Each model has the same weight.
features_to_show <- function(why, scores, data, count = default_features) {
  sizes <- lapply(why$sizes, function(own) own / max(sum(own), 1e-300))
  total <- numeric(length(data$features))
  for (own in sizes) {
    at <- match(data$features, names(own))
    total <- total + ifelse(is.na(at), 0, own[at])
  }
  if (length(sizes) > 0L && any(total > 0)) {
    return(utils::head(data$features[order(-total)], min(count, sum(total > 0))))
  }
  moved <- moved_features(list(new = scores[[1L]], old = scores[[2L]]), data, data$features, 0.05)
  moved <- moved$feature[!is.na(moved$correlation)]
  if (length(moved) > 0L) utils::head(moved, count) else utils::head(data$features, count)
}
