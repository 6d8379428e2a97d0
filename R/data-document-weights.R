# Weights of documents, in addition to the weights of queries: propensities, or the confidence of assessors.

# Checks the weights of documents and returns them as doubles.
check_document_weights <- function(weight, call = rlang::caller_env()) {
  check_row_weights(weight, "Weights of documents", "documents", call)
  as.double(weight)
}

# The weight of each document, the product of its own and its query's weight; NULL if there are none.
unscaled_weights <- function(data) {
  own <- data$document_weight
  of_query <- if (!is.null(data$weight)) data$weight[data$query]
  if (is.null(own) || is.null(of_query)) c(own, of_query) else own * of_query
}

# The result of unscaled_weights(), divided by the largest weight.
row_weights <- function(data) scaled_weights(unscaled_weights(data), data$cluster)

# Weights as numbers of copies: whole weights are copies, other weights are scaled to the mean 1.
as_copies <- function(weight) {
  if (all(weight == floor(weight))) weight else weight * (sum(weight > 0) / sum(weight))
}

# The number of copies that the largest weight stands for; 1 without weights.
largest_copies <- function(weight) if (is.null(weight)) 1 else max(as_copies(weight))

# The query weight of each row, without document weights. Rankers that compare the documents of a query use them.
query_row_weights <- function(data) scaled_weights(data$weight, data$cluster)[data$query]

# A number for each document. Documents of equal content are interchangeable only if their numbers are equal.
# NULL if there is no such condition.
content_ties <- function(data, weights = NULL) {
  own <- list(data$position, if (is.null(data$document_weight)) weights, data$document_weight)
  own <- Filter(Negate(is.null), own)
  if (is.null(data$document_weight)) return(if (length(own) > 0L) own[[1L]])
  if (length(own) == 1L) return(own[[1L]])
  by <- order(own[[1L]], own[[2L]], method = "radix")
  ties <- double(length(by))
  ties[by] <- cumsum(c(TRUE, diff(own[[1L]][by]) != 0 | diff(own[[2L]][by]) != 0))
  ties
}

# The weights of documents for an objective, without the query weights, which the objective gets separately.
own_weights <- function(task) {
  of_data <- identical(task$weights, row_weights(task$data))
  list(of_data = of_data,
       weights = as.double(if (of_data) task$data$document_weight else task$weights),
       query_weights = if (of_data) task$data$weight)
}

# The weights of documents of all parts of c(); 1 for parts without such weights.
joined_document_weights <- function(parts) {
  given <- lapply(parts, `[[`, "document_weight")
  if (all(vapply(given, is.null, NA))) {
    return(NULL)
  }
  unlist(Map(function(weight, part) if (is.null(weight)) rep(1, nrow(part)) else weight, given, parts))
}
