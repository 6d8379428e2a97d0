# A SQL expression of the score, of standard SQL that SQLite, PostgreSQL and DuckDB read.
#
# Problem:   an expression with the values of predict(), bit for bit. Numbers must be doubles in every
#            engine, trees may be deep, and sums of hundreds of trees must have the order of predict().
# Algorithm: a tree is nested CASE expressions up to a depth. Subtrees below are one CASE with a branch
#            for each leaf, from left to right. A branch tests only the nodes at which the leaf is on the
#            left: a row that goes right at a node has met its leaf in no earlier branch, and a row that
#            goes left has met its leaf before.
#            A sum of many terms is a chain of tables of one row, each with some of the terms.
# Cost:      a leaf below the nested part has a test for each left turn on the way to it.

# SQLite's parser has a stack of 100 symbols, of which a nested CASE takes up to 6.
sql_nested <- 8L
# Terms in one sum. SQLite and DuckDB allow expressions of depth 1000.
sql_terms <- 500L
sql_table <- "features"

sql_lines <- function(model, options, call) {
  if (holds_trees(model)) {
    score <- sql_of_trees(model, call)
  } else if (holds_sum(model)) {
    score <- sql_of_sum(model)
  } else {
    cannot_hold("It is neither trees nor a weighted sum.")
  }
  c(sprintf("-- %s, written by rankmix.", gsub("[^A-Za-z0-9_.=:(), -]", "_", ranker_text(model))),
    sprintf("-- SELECT %s.*, (<this file>) AS score FROM <your table> AS %s", sql_table, sql_table),
    score)
}

# `"features"."name"`. The name of the table is necessary. Without it, SQLite reads the name of a missing
# column as text.
sql_columns <- function(features) {
  sprintf("%s.\"%s\"", sql_table, gsub("\"", "\"\"", features, fixed = TRUE))
}

# Seventeen digits. Numbers with an exponent are doubles in SQLite and DuckDB. PostgreSQL reads them as
# decimals, but compares them with doubles as doubles.
sql_numbers <- function(x) {
  text <- with_exponent(sprintf("%.17g", x))
  ifelse(x < 0, sprintf("(%s)", text), text)
}

sql_double <- function(text) sprintf("CAST(%s AS DOUBLE PRECISION)", text)

# Adds the terms from left to right. The value of `first` is added last, as its left operand. Parts of long
# sums are tables of one row, each of which begins with the result of the previous table.
sql_sum <- function(terms, first = NULL) {
  blocks <- unname(split(terms, (seq_along(terms) - 1L) %/% sql_terms))
  added <- vapply(blocks, paste, "", collapse = "\n+ ")
  last <- length(blocks)
  sum <- if (last == 1L) added else {
    name <- sprintf("sum%d", seq_len(last))
    begin <- c("", sprintf("%s.total\n+ ", name[-last]))
    from <- c("", sprintf("\nFROM %s", name[-last]))
    parts <- sprintf("%s(total) AS (SELECT %s%s%s)", name, begin, added, from)
    sprintf("(WITH %s\nSELECT %s.total FROM %s)", paste(parts, collapse = ",\n"), name[last], name[last])
  }
  if (is.null(first)) sum else sprintf("%s + (%s)", first, sum)
}

# Trees ----------------------------------------------------------------------------------------

sql_of_trees <- function(model, call) {
  parts <- added_trees(model, call)
  forest <- parts$forest
  start <- if (!is.null(model$start)) sql_double(sql_numbers(parts$start))
  if (length(forest$node_begin) < 2L) {
    return(if (is.null(start)) sql_double("0e0") else start)
  }
  goes_left <- sql_tests(forest, sql_columns(model$features))
  terms <- vapply(seq_len(length(forest$node_begin) - 1L), function(t) {
    sql_double(sql_tree(one_tree(forest, t), goes_left[nodes_of_tree(forest, t)]))
  }, "")
  sql_sum(terms, start)
}

# Whether a row goes left at each node. A comparison with NULL is not true, so NULL goes right without a
# further test. Infinite values are not literals in SQL.
sql_tests <- function(forest, columns) {
  column <- columns[forest$feature + 1L]
  threshold <- forest$threshold
  test <- sprintf("%s <= %s", column, sql_numbers(threshold))
  test[threshold == Inf] <- sprintf("%s IS NOT NULL", column[threshold == Inf])
  test[threshold == -Inf] <- sprintf("%s < -1.7976931348623157e308", column[threshold == -Inf])
  missing <- forest$missing_left == 1L
  test[missing] <- sprintf("(%s OR %s IS NULL)", test[missing], column[missing])
  test
}

sql_tree <- function(tree, goes_left) {
  leaves <- sql_numbers(as.vector(tree$values))
  nested <- function(at, depth) {
    if (at < 0L) {
      return(leaves[-at])
    }
    if (depth == sql_nested) {
      return(sql_flat(tree, at, goes_left, leaves))
    }
    node <- at + 1L
    sprintf("CASE WHEN %s THEN %s ELSE %s END", goes_left[node], nested(tree$left[node], depth + 1L),
            nested(tree$right[node], depth + 1L))
  }
  nested(first_node(tree), 0L)
}

# The subtree of a node, with a branch for each leaf. Nodes are kept on a stack instead of recursion,
# because trees can be deeper than R's limit of nested calls.
sql_flat <- function(tree, at, goes_left, leaves) {
  branches <- character()
  waiting <- list(list(at = at, tests = integer()))
  while (length(waiting) > 0L) {
    here <- waiting[[length(waiting)]]
    waiting[[length(waiting)]] <- NULL
    if (here$at < 0L) {
      tests <- paste(goes_left[here$tests], collapse = " AND ")
      begin <- if (length(here$tests) == 0L) "ELSE" else sprintf("WHEN %s THEN", tests)
      branches <- c(branches, paste(begin, leaves[-here$at]))
      next
    }
    node <- here$at + 1L
    waiting <- c(waiting, list(list(at = tree$right[node], tests = here$tests),
                               list(at = tree$left[node], tests = c(here$tests, node))))
  }
  sprintf("CASE %s END", paste(branches, collapse = " "))
}

# Sums -----------------------------------------------------------------------------------------

# predict() adds two features at a time to the constant.
sql_of_sum <- function(model) {
  if (inherits(model, "rankmix_best_feature_model")) {
    return(sql_of_feature(model))
  }
  sum <- weighted_sum(model)
  terms <- sprintf("%s * %s", sql_numbers(sum$weights), sql_inputs(model))
  pairs <- vapply(split(terms, (seq_along(terms) - 1L) %/% 2L), function(pair) {
    sprintf("(%s)", paste(pair, collapse = " + "))
  }, "")
  sql_sum(c(sql_double(sql_numbers(sum$intercept)), pairs))
}

# The features, filled as in training, and the indicators of missing values.
sql_inputs <- function(model) {
  columns <- sql_columns(model$features)
  inputs <- sql_double(columns)
  filling <- model$filling
  if (is.null(filling)) {
    return(inputs)
  }
  c(sprintf("COALESCE(%s, %s)", inputs, sql_numbers(filling$numbers)),
    sprintf("CASE WHEN %s IS NULL THEN 1e0 ELSE 0e0 END", columns[filling$marked]))
}

# A missing value is below all others.
sql_of_feature <- function(model) {
  sprintf("COALESCE(%s * %s, -1.7976931348623157e308)", sql_numbers(model$sign),
          sql_double(sql_columns(model$feature)))
}
