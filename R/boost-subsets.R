# Splits of factors by subsets of their levels, for gbrt(categories = "subsets").
#
# Ranking data store a factor as columns of 0 and 1, one for each level. Trees that split it by subsets get
# one column instead, the number of the level. Levels are numbered in the order of their names, so that
# neither row order nor the coding of the factor changes a model. The core's splits send some of these
# numbers to the left, see src/core/boost/subset_finder.h.
#
# `categories` is a list with an entry for each factor: its `column`, the indexes `columns` of its levels
# among the features, and the `numbers` of its levels. The number of a level without training documents is 0,
# which becomes a missing value.

settings_of_subsets <- c("cat_smooth", "cat_l2", "max_cat_threshold", "min_data_per_group")

splits_by_subsets <- function(spec) identical(.subset2(spec, "categories"), "subsets")

check_subsets <- function(spec, call) {
  if (splits_by_subsets(spec) && is_oblivious(spec)) {
    stop_input("argument", "Oblivious trees do not split factors by subsets.",
               "`growth` is \"oblivious\" and `categories` is \"subsets\".",
               "Leave one of them out.", call = call)
  }
}

# NULL if no factor is split by subsets.
numbered_categories <- function(spec, data, call = NULL) {
  factors <- if (splits_by_subsets(spec)) {
    Filter(function(entry) has_level_columns(entry, data$features), data$encoding)
  }
  if (length(factors) == 0L) {
    return(NULL)
  }
  check_plain_features(data$x, call)
  counts <- document_counts(data)
  if (length(counts) == 0L) {
    weights <- unscaled_weights(data)
    counts <- if (is.null(weights)) rep(1, nrow(data$x)) else as.double(weights > 0)
  }
  lapply(factors, function(entry) {
    own <- list(column = entry$column, columns = match(entry$features, data$features))
    # All levels are candidates here; own_level() needs their order only.
    own$numbers <- rank_of_names(entry$levels)
    documents <- documents_of_levels(data$x, own, counts)
    own$numbers <- number_of_levels(entry$levels, documents, spec$max_bin)
    own
  })
}

# Whether an entry of the encoding is a factor, and all its columns exist and hold 0 and 1.
has_level_columns <- function(entry, features) {
  !entry$ordered && !isTRUE(entry$changed) && length(entry$levels) > 0L && all(entry$features %in% features)
}

check_plain_features <- function(x, call = NULL) {
  if (is_sparse(x)) {
    stop_input("sparse", "`categories = \"subsets\"` needs the levels of factors, but the features are sparse.",
               remedy = c("Give `ranking_data()` with a plain matrix.",
                          "Or train with `categories = \"columns\"`."), call = call)
  }
}

# Samples of documents depend on the values of all features. Bins do not have the
# values of factors that are split by subsets.
check_can_draw <- function(categories, data, call) {
  if (!is.null(categories) && is_binned(data)) {
    stop_input("bins", "`bagging_fraction` below 1 and `categories = \"subsets\"` do not support binned data together.",
               remedy = "Use `query_fraction`, or leave one of both out.", call = call)
  }
}

# The position of each name in the order of names, which does not depend on the locale.
rank_of_names <- function(names) {
  match(seq_along(names), order(enc2utf8(names), method = "radix"))
}

documents_of_levels <- function(x, entry, counts) {
  level <- factor(own_level(x, entry), seq_along(entry$columns))
  as.vector(tapply(as.double(counts), level, sum, default = 0))
}

# The number of each level, in the order of names. If more than `most` levels have documents, the most
# frequent have numbers of their own (ties by name). The others share the last number.
number_of_levels <- function(levels, documents, most) {
  by_name <- order(enc2utf8(levels), method = "radix")
  seen <- by_name[documents[by_name] > 0]
  numbers <- integer(length(levels))
  if (length(seen) > most) {
    frequent <- seen[order(-documents[seen])][seq_len(most - 1)]
    numbers[seen] <- as.integer(most)
    seen <- seen[seen %in% frequent]
  }
  numbers[seen] <- seq_along(seen)
  numbers
}

# The index of the level of each row. If a row has several levels, as in permuted columns, the lowest
# number is used, then the first column. NA if there is no level.
own_level <- function(x, entry) {
  if (has_bins(x)) {
    by_number <- order(entry$numbers)
    columns <- entry$columns[by_number]
    # Constant columns have one bin, which does not show the value.
    ones <- colSums(x$background[, columns, drop = FALSE] == 1, na.rm = TRUE) > 0
    return(by_number[bins_levels(opened_bins(x)$bins, columns, ones, check_threads(NULL))])
  }
  own <- rep(NA_integer_, nrow(x))
  for (level in rev(order(entry$numbers))) {
    own[which(x[, entry$columns[level]] == 1)] <- level
  }
  own
}

# The features of the trees: the columns of each factor become one, in the place of the first.
number_levels <- function(x, categories) {
  if (is.null(categories)) {
    return(x)
  }
  check_plain_features(x)
  kept <- columns_of_trees(ncol(x), categories)
  if (has_bins(x)) {
    return(number_binned_levels(opened_bins(x), kept, categories))
  }
  numbered <- x[, kept, drop = FALSE]
  for (entry in categories) {
    number <- entry$numbers[own_level(x, entry)]
    number[number == 0L] <- NA
    numbered[, match(min(entry$columns), kept)] <- as.double(number)
  }
  numbered
}

number_binned_levels <- function(x, kept, categories) {
  numbers <- lapply(categories, function(entry) entry$numbers[own_level(x, entry)])
  at <- match(vapply(categories, function(entry) min(entry$columns), 1L), kept)
  counts <- vapply(categories, function(entry) max(entry$numbers), 1L)
  threads <- check_threads(NULL)
  bins <- bins_with_levels(x$bins, kept, at, numbers, counts, threads)
  part <- list(rows = x$rows, names = x$names[kept], columns = seq_along(kept), constant = x$constant[kept],
               missing = bins_missing(bins, threads))
  # The content of rows is unknown, because it depends on all values.
  binned_features(bins, part, NULL, x$max_bin, NULL)
}

# The columns that the trees keep, or replace by the number of a level.
columns_of_trees <- function(columns, categories) {
  later <- lapply(categories, function(entry) setdiff(entry$columns, min(entry$columns)))
  setdiff(seq_len(columns), unlist(later))
}

# Number of features of the trees.
inputs_of_trees <- function(model) {
  inputs <- check_filling(model)
  if (is.null(model$categories)) inputs else length(columns_of_trees(inputs, model$categories))
}

# The names of the features of the trees.
features_of_trees <- function(model) {
  features <- model$features
  for (entry in model$categories) features[min(entry$columns)] <- entry$column
  features[columns_of_trees(length(features), model$categories)]
}

# The number of levels of each feature of the trees; 0 if it is no factor.
levels_of_features <- function(features, categories) {
  levels <- integer(length(features))
  for (entry in categories) levels[min(entry$columns)] <- max(entry$numbers)
  levels[columns_of_trees(length(features), categories)]
}

# The monotone signs of the features of the trees. A set of levels has no order, so its sign is 0.
signs_of_trees <- function(signs, categories, call) {
  if (length(signs) == 0L || is.null(categories)) {
    return(signs)
  }
  for (entry in categories) {
    if (any(signs[entry$columns] != 0L)) {
      stop_input("argument", sprintf("`monotone_constraints` constrains levels of `%s`.", entry$column),
                 "`categories = \"subsets\"` splits it by sets of levels, which have no order.",
                 "Constrain other features, or leave `categories` out.", call = call)
    }
  }
  signs[columns_of_trees(length(signs), categories)]
}

# Checks a model that was read from a file, because the core does not check its levels.
check_categories <- function(model, inputs) {
  broken <- "Its factors are broken."
  forest <- model$forest
  if (is.null(model$categories)) {
    need(is.null(forest$set_begin) && is.null(forest$set_levels), broken)
    return(invisible())
  }
  need(is.list(model$categories) && all(vapply(model$categories, function(entry) {
    is.list(entry) && is_texts(entry$column) && is_index_vector(entry$columns, 1L, inputs) &&
      length(entry$columns) > 0L && !anyDuplicated(entry$columns) &&
      is_index_vector(entry$numbers, 0L, 255L, length(entry$columns))
  }, NA)), broken)
  if (is.null(forest$set_levels) && is.null(forest$set_begin)) {
    return(invisible())
  }
  need(is_begins(forest$set_begin, length(forest$set_levels), 0L) &&
         length(forest$set_begin) == length(forest$feature) + 1L &&
         is_index_vector(forest$set_levels, 1L, 255L), broken)
  # The core searches the levels of a node, which increase.
  node <- rep(seq_along(forest$feature), diff(forest$set_begin))
  need(all(diff(forest$set_levels)[diff(node) == 0L] > 0L), broken)
}
