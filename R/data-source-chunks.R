# Predictions and metrics of sources: chunk by chunk, so that the features of one chunk are in memory.

# A reader whose next_data() returns ranking data, or NULL at the end. `features` is the number of features
# of LETOR text.
data_reader <- function(source, features, threads, call) {
  if (source$kind == "letor") {
    return(letor_chunks(source, features, threads, call))
  }
  if (source$kind == "ranking_data") {
    one <- one_frame(source$x)
    return(list(next_data = one$next_chunk, close = no_close))
  }
  reader <- frame_reader(source, call)
  first <- TRUE
  list(next_data = function() {
    repeat {
      frame <- reader$next_chunk()
      if (is.null(frame)) {
        return(NULL)
      }
      if (nrow(frame) > 0L) {
        break
      }
    }
    parts <- chunk_parts(frame, source, reader$where, call, first)
    # A single row has no parts to compare.
    first <<- first && nrow(frame) == 1L
    query_ids <- unique(parts$query)
    query <- match(parts$query, query_ids)
    weight <- if (!is.null(parts$weight)) query_weights(parts$weight, query, query_ids, call)
    schema <- feature_schema(colnames(parts$x), TRUE, parts$left_out, parts$encoding)
    new_ranking_data(parts$x, parts$relevance, query, query_ids, parts$document, weight, schema, threads, call,
                     parts$position, parts$document_weight, parts$labels)
  }, bytes = reader$bytes, close = reader$close)
}

# Lines go to a small file, which read_letor() reads.
letor_chunks <- function(source, features, threads, call) {
  lines <- line_chunks(source$x, function(take) take(source$chunk), call)
  part <- tempfile("chunk", fileext = ".txt")
  next_data <- function() {
    repeat {
      chunk <- lines$next_lines()
      if (is.null(chunk)) {
        return(NULL)
      }
      if (any(grepl("^[ \t\r]*[^# \t\r]", chunk, useBytes = TRUE))) {
        break
      }
    }
    write_part(chunk, part, call)
    # A chunk is only a part of the data, so no messages are shown for it.
    withCallingHandlers(
      tryCatch(read_letor(part, features = features, graded = source$graded, threads = threads),
               rankmix_error = function(e) stop_at_line(e, lines$file(), lines$before(), e$call)),
      rankmix_warning_leak = function(w) rlang::cnd_muffle(w),
      rankmix_message_scattered = function(m) rlang::cnd_muffle(m)
    )
  }
  list(next_data = next_data, bytes = lines$bytes, close = function() {
    lines$close()
    unlink(part)
  })
}

# Calls use(data) for each chunk, and shows progress under `label`.
for_each_chunk <- function(source, features, threads, use, call, label = "Predicting") {
  reader <- data_reader(source, features, threads, call)
  on.exit(reader$close())
  size <- readable_size(source)
  bar <- progress_bar(label, size, !isFALSE(source$verbose))
  on.exit(bar$close(), add = TRUE)
  rows <- 0
  while (!is.null(data <- reader$next_data())) {
    use(data)
    rows <- rows + nrow(data)
    if (!is.null(bar$report)) bar$report(if (is.na(size)) rows else min(size, reader$bytes()), size)
  }
}

# The bytes of text files, which show how much is left. NA for compressed files, databases and streams.
readable_size <- function(source) {
  if (!source$kind %in% c("letor", "csv") || any(vapply(source$x, is_compressed, NA))) {
    return(NA_real_)
  }
  sum(file.size(source$x))
}

is_compressed <- function(file) {
  file.exists(file) && identical(readBin(file, "raw", 2L), as.raw(c(0x1f, 0x8b)))
}

# The number of features that a model needs at most, or NULL if this is unknown. Lines of LETOR text leave
# out trailing zeros, also in a whole chunk.
features_asked <- function(model) {
  if (!is.null(model$features)) {
    return(length(model$features))
  }
  inner <- if (is.list(model$models)) model$models else model$rankers
  counts <- unlist(lapply(inner, function(part) if (is.list(part)) features_asked(part)))
  if (length(counts) > 0L) max(counts)
}

# Refuses models whose scores depend on the other documents of the query, because a chunk may have a part
# of a query.
check_scores_chunks <- function(model, call) {
  if (ranks_whole_queries(model)) {
    stop_input("newdata", "The scores of the model depend on the other documents of the query.",
               "A chunk of a source may have a part of a query.", "Give `ranking_data()`.", call = call)
  }
}

# Whether scores depend on the other documents of the query. Models inside the model count.
ranks_whole_queries <- function(model) scores_within_queries(model) || any_model(model, uses_query_features)

# Whether scores have a meaning within a query only, because they are ranks or standardised query by query.
scores_within_queries <- function(model) {
  any_model(model, function(one) {
    inherits(one, c("rankmix_cascade_model", "rankmix_pair_chain")) ||
      identical(.subset2(one, "standardize"), "query")
  })
}

# Whether a condition holds for the model, or for a model inside it.
any_model <- function(model, holds) {
  if (!is.list(model)) return(FALSE)
  inside <- c(unclass(model)[c("classifier", "ranker", "student", "model")], .subset2(model, "rankers"),
              .subset2(model, "models"))
  inside <- Filter(function(one) is.list(one) && is.object(one), inside)
  holds(model) || any(vapply(inside, any_model, NA, holds = holds))
}

# The model in a result that has more than the model, such as the result of tune_ranker().
model_inside <- function(x) {
  if (inherits(x, "rankmix_distilled")) x$student else
    if (inherits(x, c("rankmix_front", "rankmix_selection", "rankmix_tuning", "rankmix_frame"))) x$model else x
}

# Whether a member of a mixture has features that are made query by query.
uses_query_features <- function(model) {
  inherits(model, "rankmix_mixture") &&
    !all(vapply(model$models, function(part) is_function_member(part) || set_of(part) == "original", NA))
}

# For functions whose result has the features of all documents.
refuse_source <- function(data, what, call = rlang::caller_env()) {
  if (is_source(data)) {
    stop_input("argument", sprintf("`%s` needs documents in memory, not a source.", what),
               remedy = "Give `ranking_data()` or a data frame. `predict()` and `evaluate()` accept a source.",
               call = call)
  }
}

# Predictions for all rows of a source. `predict_chunk(data)` returns a vector, or a matrix with one row for
# each document. `type` "rank" needs the scores of all documents of a query, which may be in several chunks.
predict_source <- function(object, source, type, threads, predict_chunk, call = rlang::caller_env()) {
  check_scores_chunks(object, call)
  found <- list()
  queries <- list()
  for_each_chunk(source, features_asked(object), threads, function(data) {
    found[[length(found) + 1L]] <<- predict_chunk(data)
    queries[[length(found)]] <<- if (type == "rank") id_text(data$query_ids)[data$query]
  }, call)
  if (length(found) == 0L) stop_no_rows(source, call)
  all <- if (is.matrix(found[[1L]])) do.call(rbind, found) else unlist(found)
  if (type == "rank") source_ranks(all, unlist(queries)) else all
}

source_ranks <- function(scores, queries) {
  query <- match(queries, unique(queries))
  rank_within_queries(scores, structure(
    list(query = query, offsets = c(0L, cumsum(tabulate(query)))), class = "ranking_data"))
}

# The judged documents of a source and the scores of rankers on them: ranking data without features.
scored_source <- function(object, source, threads, call, judged = TRUE) {
  several <- is.list(object) && !is.object(object)
  rankers <- lapply(if (several) object else list(object), model_inside)
  if (several) names(rankers) <- ranker_names(object, call)
  for (ranker in rankers) {
    if (!inherits(ranker, "rankmix_ranker")) {
      stop_input("argument", sprintf("A source is scored by models, not by %s.", show_value(ranker)),
                 remedy = c("Give a model, or a named list of models.",
                          if (inherits(ranker, "rankmix_spec")) "Train a specification first, by `fit()`."),
               call = call)
    }
    check_scores_chunks(ranker, call)
  }
  asked <- unlist(lapply(rankers, features_asked))
  features <- if (length(asked) > 0L) max(asked)
  gathered <- row_gatherer()
  scores <- list()
  for_each_chunk(source, features, threads, function(data) {
    if (judged && !is_judged(data)) {
      stop_input("unjudged", "The source has no relevance.",
                 remedy = "Say which column it is: `data_source(x, relevance = grade, query = id)`.",
                 call = call)
    }
    gathered$add(list(query = data$query_ids[data$query], relevance = data$relevance, document = data$document,
                      weight = if (!is.null(data$weight)) data$weight[data$query], position = data$position,
                      document_weight = data$document_weight), call)
    scores[[length(scores) + 1L]] <<- lapply(rankers, function(ranker) predict(ranker, data, threads = threads))
  }, call)
  if (length(scores) == 0L) stop_no_rows(source, call)
  rows <- gathered$all(call)
  columns <- lapply(seq_along(rankers), function(k) unlist(lapply(scores, `[[`, k)))
  names(columns) <- names(rankers)
  list(data = light_data(rows, threads, call), scores = if (several) columns else columns[[1L]])
}

# Ranking data without features, for functions that need no features.
light_data <- function(rows, threads, call) {
  x <- structure(list(columns = 1L, rows = length(rows$query), names = "none", constant = TRUE, missing = 0),
                 class = "stored_features")
  new_ranking_data(x, rows$relevance, rows$query, rows$query_ids, rows$document, rows$weight,
                   feature_schema("none", TRUE), threads, call, rows$position, rows$document_weight)
}
