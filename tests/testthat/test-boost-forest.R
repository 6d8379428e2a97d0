# The number of these rows in each node and in each leaf of each tree, counted row by row.
naive_documents <- function(forest, x) {
  nodes <- integer(length(forest$feature))
  leaves <- integer(length(forest$values) / forest$outputs)
  for (t in seq_len(length(forest$node_begin) - 1L)) {
    for (i in seq_len(nrow(x))) {
      at <- if (diff(forest$node_begin)[t] == 0L) -1L else 0L
      while (at >= 0L) {
        node <- forest$node_begin[t] + at + 1L
        nodes[node] <- nodes[node] + 1L
        value <- x[i, forest$feature[node] + 1L]
        left <- if (is.na(value)) forest$missing_left[node] == 1L else value <= forest$threshold[node]
        at <- if (left) forest$left[node] else forest$right[node]
      }
      leaf <- forest$leaf_begin[t] - at
      leaves[leaf] <- leaves[leaf] + 1L
    }
  }
  list(node_documents = nodes, leaf_documents = leaves)
}

expect_documents_counted <- function(spec, data) {
  model <- fit(spec, data, seed = 1)
  weights <- if (is.null(data$weight)) rep(1, nrow(data)) else data$weight[data$query]
  expect_identical(model$forest[c("node_documents", "leaf_documents")],
                   naive_documents(model$forest, data$x[weights > 0, , drop = FALSE]))
  expect_gt(length(model$forest$feature), 0L)
  model
}

test_that("a forest has the number of documents of every node and leaf", {
  data <- random_data(queries = 25, classes = 4, missing = 0.1)
  zeros <- data
  zeros$weight <- rep_len(c(0, 1, 2.5), length(data$query_ids))
  bases <- list(base_stump(), base_tree(5), base_hamming_tree(4), base_product(3), base_tree(4, "confidence"),
                base_hamming_tree(4, "confidence"), base_product(2, "confidence"))
  for (data in list(data, zeros)) {
    for (base in bases) {
      expect_documents_counted(adaboost_mh(base, rounds = 4), data)
      expect_documents_counted(adaboost_mh(base, rounds = 4, bagging_fraction = 0.5), data)
    }
    expect_documents_counted(adaboost_mh(base_stump(), rounds = 6, search = search_bandit()), data)
    for (precision in c("single", "double")) {
      some <- function(...) {
        expect_documents_counted(gbrt(4, min_data_in_leaf = 2, precision = precision, ...), data)
      }
      some(num_leaves = 6)
      some(num_leaves = 2)
      some(max_depth = 3, bagging_fraction = 0.5)
    }
  }
})

test_that("a constant, and the first rounds of a model, have document counts", {
  local_known_warnings("constant")
  flat <- ranking_data(matrix(1, 60, 1), rep(c(0, 0, 1), 20), rep(1:6, each = 10))
  model <- fit(adaboost_mh(base_tree(4), rounds = 1, weights = "uniform"), flat)
  expect_identical(model$forest$leaf_documents, 60L)
  expect_identical(model$forest$node_documents, integer())
  data <- random_data(queries = 25)
  model <- fit(adaboost_mh(base_product(2), rounds = 9), data, seed = 1)
  expect_identical(first_rounds(model, 4L)$forest,
                   fit(adaboost_mh(base_product(2), rounds = 4), data, seed = 1)$forest)
})
