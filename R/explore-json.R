# The data of the page of explore_queries() as JSON: an index of all queries, blocks of documents, and reasons. A
# browser reads a block when one of its queries is shown, so that large pages open fast.
#
# Documents are in columns: documents of a block one after the other, query by query.

# Queries of a block.
queries_of_block <- 100L

explorer_json <- function(contents, data, features, texts, why, title) {
  ids <- page_id(data$query_ids)
  index <- json_fields(
    title = page_string(title), metric = page_string(contents$metric), ties = page_string(contents$ties),
    rankers = page_strings(contents$rankers), features = page_strings(features), depth = contents$depth,
    block = queries_of_block, highest = page_numbers(max(data$relevance), "%.10g"),
    weighted = if (contents$weighted) "true" else "false", ids = page_strings(ids),
    texts = if (!is.null(texts$query)) page_strings(texts$query) else "null",
    values = json_array(apply(contents$values, 2L, function(own) json_array(value_numbers(own)))),
    means = json_array(value_numbers(contents$means)), documents = json_array(contents$documents),
    relevant = json_array(contents$relevant), explained = json_array(why$queries - 1L),
    reasons = page_strings(why$reasons)
  )
  c(list(index = index, why = why_json(why)), blocks_json(contents, data, features, texts$document))
}

json_fields <- function(...) {
  fields <- list(...)
  json_members(names(fields), vapply(fields, as.character, ""))
}

# Text for a script element of a page: "<" would allow text to end the element.
page_string <- function(x) gsub("<", "\\u003c", json_string(printable(as.character(x))), fixed = TRUE)

page_strings <- function(x) json_array(if (length(x) > 0L) page_string(x))

page_id <- function(ids) printable(id_text(ids))

# Numbers with the digits that the page shows.
page_numbers <- function(x, format) {
  text <- sprintf(format, as.double(x))
  odd <- which(!is.finite(x))
  text[odd] <- ifelse(is.na(x[odd]), "null", ifelse(x[odd] > 0, "\"Inf\"", "\"-Inf\""))
  text
}

value_numbers <- function(x) page_numbers(round(x, 6L), "%.10g")

# One JSON object for each block.
blocks_json <- function(contents, data, features, text) {
  rows <- contents$rows
  query <- data$query[rows]
  block <- (query - 1L) %/% queries_of_block
  columns <- c(
    list(id = if (!is.null(data$document)) page_string(data$document[rows]) else sprintf("%d", rows),
         grade = page_numbers(data$relevance[rows], "%.6g")),
    if (!is.null(text)) list(text = page_string(text[rows])),
    per_ranker("rank", lapply(contents$rankers, function(name) sprintf("%d", contents$ranks[rows, name]))),
    per_ranker("score", lapply(contents$scores, function(own) page_numbers(own[rows], "%.5g"))),
    per_ranker("feature", feature_texts(data, features, rows))
  )
  counts <- tabulate(query, length(contents$documents))
  blocks <- lapply(split(seq_along(rows), block), function(own) {
    queries <- unique(query[own])
    json_members(c("count", names(columns)),
                 c(json_array(counts[queries]), vapply(columns, function(column) json_array(column[own]), "")))
  })
  stats::setNames(blocks, paste0("block-", names(blocks)))
}

# "rank0", "rank1", ...
per_ranker <- function(name, columns) {
  stats::setNames(columns, paste0(rep(name, length(columns)), seq_along(columns) - 1L, recycle0 = TRUE))
}

feature_texts <- function(data, features, rows) {
  is_sparse(data$x)  # its columns are taken by the package Matrix
  lapply(features, function(name) page_numbers(as.vector(data$x[rows, match(name, data$features)]), "%.4g"))
}

# The reasons: names of features once, and for each ranker and query its pairs.
why_json <- function(why) {
  words <- unique(unlist(lapply(why$pairs, function(own) lapply(own, lapply, `[[`, "feature")), use.names = FALSE))
  rankers <- vapply(why$pairs, function(own) {
    if (is.null(own)) {
      return("null")
    }
    json_members(sprintf("%d", as.integer(names(own)) - 1L), vapply(own, pairs_json, "", words = words))
  }, "")
  json_fields(names = page_strings(words), rankers = json_array(rankers))
}

pairs_json <- function(pairs, words) json_array(vapply(pairs, pair_json, "", words = words))

# [difference, [feature, contribution, above, below, ...], number of others, their sum]
pair_json <- function(pair, words) {
  of <- function(x) page_numbers(x, "%.4g")
  items <- rbind(match(pair$feature, words) - 1L, of(pair$contribution), of(pair$above), of(pair$below))
  json_array(c(of(pair$difference), json_array(items), pair$others, of(pair$rest)))
}
