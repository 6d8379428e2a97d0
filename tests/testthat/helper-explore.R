# The data of pages of explore_queries(), read back.

explored_page <- function(...) {
  file <- tempfile(fileext = ".html")
  withr::defer(unlink(file), envir = parent.frame())
  rankmix:::without_tie_warning(explore_queries(..., file = file, threads = 1))
  read_explorer(file)
}

read_explorer <- function(file) {
  text <- paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  json <- regmatches(text, gregexpr("<script type=\"application/json\" id=\"explorer-[^\n]*</script>", text))[[1L]]
  parts <- lapply(sub("</script>$", "", sub("^[^>]*>", "", json)), jsonlite::fromJSON, simplifyVector = TRUE,
                  simplifyMatrix = FALSE)
  names(parts) <- sub("^.*?id=\"explorer-([a-z0-9-]+)\".*$", "\\1", sub(">.*", "", json), perl = TRUE)
  c(parts, list(text = text))
}

# The documents of a query, by number, as a data frame.
explored_documents <- function(page, query) {
  block <- page[[sprintf("block-%d", (query - 1L) %/% page$index$block)]]
  at <- (query - 1L) %% page$index$block + 1L
  rows <- sum(block$count[seq_len(at - 1L)]) + seq_len(block$count[at])
  as.data.frame(lapply(block[names(block) != "count"], `[`, rows))
}

# Data with ties, a query of one document, and queries without a relevant document.
tied_data <- function(seed = 1, document = TRUE) {
  data <- random_data(queries = 15, features = 3, distinct = 4, seed = seed)
  relevance <- data$relevance
  relevance[data$query == 2L] <- 0
  query <- data$query_ids[data$query]
  query[1L] <- 99
  ranking_data(data$x, relevance, query, if (document) sprintf("d%03d", sample(nrow(data))))
}
