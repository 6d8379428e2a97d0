# Interaction constraints of boosted trees: a branch may test two features only if a group contains both.

interaction_groups <- function(x, name, call) {
  is_group <- function(group) {
    is.character(group) && length(group) > 0L && !anyNA(group) && all(nzchar(group)) && !anyDuplicated(group)
  }
  broken <- if (is.list(x)) which(!vapply(x, is_group, NA))
  if (!is.list(x) || length(x) == 0L || length(broken) > 0L) {
    stop_input("argument", sprintf("`%s` must be a list of groups, each with names of different features.", name),
               if (length(broken) > 0L) group_problem(x[[broken[1L]]], broken[1L]) else {
                 sprintf("It is %s.", if (is.list(x)) "an empty list" else show_value(x))
               },
               "For example `list(c(\"bm25\", \"length\"), c(\"price\", \"stock\"))`.", call = call)
  }
}

group_problem <- function(group, i) {
  if (is.character(group) && anyDuplicated(group)) {
    return(sprintf("Group %d has `%s` twice.", i, group[anyDuplicated(group)]))
  }
  sprintf("Group %d is %s.", i, show_value(group))
}

# The groups as positions of features of the trees, counted from 0. Features that are in no group form
# one further group. Empty if there are no constraints.
groups_of_features <- function(groups, data, categories, call) {
  if (is.null(groups)) {
    return(list())
  }
  columns <- columns_of_names(unique(unlist(groups)), "interaction_constraints", data, call)
  named <- lapply(groups, function(group) unlist(columns[group]))
  rest <- setdiff(seq_along(data$features), unlist(named))
  if (length(rest) > 0L) named <- c(named, list(rest))
  inputs <- inputs_of_columns(length(data$features), categories)
  lapply(named, function(columns) sort(unique(inputs[columns])) - 1L)
}

# The columns of each name: one feature, or all levels of a factor.
columns_of_names <- function(names, setting, data, call) {
  units <- unit_of_feature(data)
  check_named_features(names, c(unique(units), data$features), setting, call)
  lapply(stats::setNames(nm = names), function(name) which(data$features == name | units == name))
}

# The feature of the trees that has each column, counted from 1.
inputs_of_columns <- function(columns, categories) {
  kept <- columns_of_trees(columns, categories)
  first <- seq_len(columns)
  for (entry in categories) first[entry$columns] <- min(entry$columns)
  match(first, kept)
}
