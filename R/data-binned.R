#' Binned data: training data of any size
#'
#' `binned_data()` reads a source in chunks and keeps only the bin of each value. A bin is an interval of a feature's
#' values, and takes one byte instead of eight. Use it to train on data that do not fit into memory. The models are the
#' same, bit for bit, as from [ranking_data()] of the same documents.
#'
#' @param x The source: anything that [data_source()] accepts, or its result. For a result of `data_source()`, set the
#'   columns, `features` and `chunk` there, not here.
#' @inheritParams data_source
#' @param max_bin Largest number of bins per feature, 2 to 255. It must be equal to the `max_bin` of the ranker. The
#'   default is 255, as in all rankers except [yetirank()], whose default is 32.
#' @param like The training data, made by `binned_data()`, for binned validation and test data. The features and bins
#'   of `like` are used. Further columns are ignored with a warning. The default `NULL` finds bins.
#' @param file The path of a file for the bins, or `NULL` (the default) for bins in memory. An existing file
#'   is replaced. The operating system reads only the parts that are used, so the file may be larger than the memory.
#'   [read_binned_data()] opens the file again.
#' @param folder The folder for the temporary file; default [tempdir()]. The file needs one to eight bytes per value,
#'   see Cost.
#' @param threads Number of threads. Results do not depend on it.
#' @param verbose Whether to show progress; default `TRUE`.
#' @param cluster The communicator of several processes that each read their own part of the documents, such as
#'   [mpi_communicator()], or `NULL` (the default) for this process alone. See Several processes.
#'
#' @details
#' **Rankers.** Binned data can train [adaboost_mh()], [gbrt()], [lambdamart()], [yetirank()], [rankboost()], and
#' [cocr()] and [mixture()] of these. Other rankers need the values of features and give an error for binned data.
#'
#' **Functions.** Binned data can be used for training, early stopping, predictions, evaluation and
#' comparisons: [fit()], [tune_and_mix()], `predict()`, [evaluate()], [compare_rankers()], [benchmark_rankers()].
#' Parts made by `data[queries]`, `subset()`, [split_queries()] and [query_folds()] have the same bins.
#' [group_grades()] changes the relevance. Functions that need the values of features give an error, such as
#' [explain()], `summary()` and `as.data.frame()`.
#'
#' **Folds.** The parts of folds share the bins of all data. So a benchmark on binned data can differ
#' slightly from one on [ranking_data()], where each training part has its own bins.
#'
#' **Models.** A model that was trained on binned data can predict for all kinds of data. Only models that were trained
#' with the same bins can predict for binned data.
#'
#' **Bins** are the same as in [gbrt()] with this `max_bin`. A feature with at most `max_bin` distinct values has
#' a bin for each value. Otherwise the bounds are quantiles, weighted by the weights of queries and documents.
#'
#' **Saving.** `saveRDS()` does not save bins. Use `file` or [write_binned_data()].
#'
#' @return Ranking data of class `binned_data`, without the values of features. `digest` is a hash of
#'   bins, relevance and queries. The digest does not depend on the order of rows, so it shows whether two sources
#'   contain the same documents.
#' @section Several processes: With `cluster`, each process, or rank, calls `binned_data()` with the same
#'   arguments and a source of its own documents. All ranks get the same bins as one process that reads all documents,
#'   bit for bit. The result of a rank has the documents of this rank. `digest` is the digest of the documents of all
#'   ranks. [fit()] with the same `cluster` trains one model on them. Parts of the result, and files that are opened
#'   again, have other digests.
#'
#'   Each rank needs at least one document. All weights of a rank may be 0 if another rank has a positive weight.
#'   [ranking_data()] refuses such data, because it gets the documents of one rank only. So give `x` as a data frame.
#'   All documents of a query must be on one rank. All ranks must have the
#'   same features, in any order, and the same columns for relevance, weights and positions. LETOR text may lack
#'   trailing features on some ranks. A factor gets the levels of all ranks. If `x` is ranking data, its factors must
#'   have the same levels on all ranks.
#'
#'   A feature is treated as a leak only if it is a leak on the documents of all ranks together. With `like`, all
#'   ranks must have the same `like`.
#' @section Cost: The source is read once. Its values go to a temporary file, which is removed at the end. A
#'   value takes one byte if its feature has at most 256 distinct values in 65,536 rows, four bytes if it is
#'   exact in single precision, and eight bytes otherwise. One to six passes over this file find the
#'   quantiles. The memory needed is about 40 bytes per document, buffers of about 200 MB, and the bins, unless there is
#'   a `file`. With `cluster`, there can be more passes. In each pass, a rank sends up to 400 kB a feature.
#' @section Conditions: The conditions of [data_source()] and [ranking_data()], with the file or chunk and the
#'   row. `rankmix_error_newdata`: the source lacks features of `like`.
#'   `rankmix_error_file`: the disk is full, or a file cannot be read or written.
#'   `rankmix_error_bins`: the bins do not suit the ranker or the model, or are missing because `saveRDS()` saved the
#'   data, or the file of the data has changed.
#'   `rankmix_error_values`: a function or ranker needs the values of features.
#'   `rankmix_error_cluster`: a query is on two ranks, ranks differ, or a rank has stopped. The message names the
#'   query or the rank.
#' @seealso [data_source()], [write_binned_data()]
#' @examples
#' file <- system.file("extdata", "train.txt.gz", package = "rankmix")
#' data <- binned_data(file, verbose = FALSE)
#' data
#' # The same model as from read_letor(file)
#' model <- fit(lambdamart(trees = 10), data, seed = 1, verbose = FALSE)
#' test <- read_letor(system.file("extdata", "test.txt.gz", package = "rankmix"))
#' evaluate(model, test, "ndcg@10")
#' @export
binned_data <- function(x, relevance = NULL, query, document = NULL, weight = NULL, position = NULL,
                        document_weight = NULL, features = NULL, max_bin = 255, like = NULL, file = NULL, chunk = 1e5,
                        folder = tempdir(), threads = NULL, verbose = TRUE, cluster = NULL, ..., labels = NULL,
                        graded = TRUE, factors = FALSE) {
  check_no_others(..., known = c(data_arguments, "features", "max_bin", "like", "file", "chunk", "folder", "cluster",
                                 "graded", "factors"))
  check_given(missing(x), "x", "Give files, a database result, an Arrow stream or a function.")
  check_count(max_bin, "max_bin", 2, 255)
  check_flag(verbose, "verbose")
  threads <- check_threads(threads)
  quos <- list(relevance = rlang::enquo(relevance), query = rlang::enquo(query),
               document = rlang::enquo(document), weight = rlang::enquo(weight),
               position = rlang::enquo(position), document_weight = rlang::enquo(document_weight),
               labels = rlang::enquo(labels))
  if (!is.null(cluster)) check_cluster(cluster)
  call <- rlang::current_env()
  with_cluster_failure(cluster, {
    source <- new_source(x, quos, features, if (!missing(chunk)) chunk, if (!missing(graded)) graded,
                         if (!missing(factors)) factors, call)
    if (!is.null(like)) like <- check_like(like, if (!missing(max_bin)) max_bin, call)
    if (!is.null(file)) check_writable(file, call)
    store <- start_store(folder, call)
    on.exit(store$close())
    check_calls_agree(source, max_bin, like, cluster, call)
    data <- stored_data(source, store, like, threads, verbose, cluster, call)
    binned <- bin_stored_data(data, store, max_bin, like, file, threads, verbose, cluster, call)
    if (is.null(file)) return(binned)
    # Only one copy of relevance, queries and other roles is in memory.
    data <- NULL
    data <- read_binned_data(file, threads)
    if (is.null(cluster)) data else as_binned(data, threads, cluster)
  })
}

# `max_bin` is NULL if it was not given.
check_like <- function(like, max_bin, call = rlang::caller_env()) {
  check_class(like, "like", "binned_data", "`binned_data()`", call)
  like$x <- opened_bins(like$x, call)
  if (!is.null(max_bin) && max_bin != like$x$max_bin) {
    stop_input("argument", sprintf("`max_bin` is %s, and `like` has up to %d bins a feature.",
                                   plain_number(max_bin), like$x$max_bin),
               remedy = "Leave `max_bin` out: the data get the bins of `like`.", call = call)
  }
  like
}

# A table on disk while it is filled and binned.
start_store <- function(folder, call) {
  if (!is.character(folder) || length(folder) != 1L || !dir.exists(folder)) {
    stop_input("argument", sprintf("`folder` must be an existing folder, not %s.", show_value(folder)), call = call)
  }
  path <- tempfile("columns", folder)
  started <- store_start(enc2native(path.expand(path)))
  stop_if_full(started, path, call)
  list(pointer = started$store, path = path, close = function() {
    store_close(started$store)
    unlink(path)
  })
}

stop_if_full <- function(result, path, call) {
  if (!is.null(result$error)) {
    stop_input("file", sprintf("'%s' cannot be written or read.", path),
               sprintf("The system reports: %s.", result$error),
               "Choose a folder on a disk with enough space: `folder = `.", call = call)
  }
  invisible(result)
}

# Ranking data whose features are in the store.
stored_data <- function(source, store, like, threads, verbose, cluster, call) {
  rows <- if (source$kind == "letor") {
    stored_letor(source, store, threads, verbose, cluster, call)
  } else if (source$kind == "ranking_data") {
    stored_matrix(with_levels_of(source$x, like, threads, call), store, threads, call)
  } else {
    stored_frames(source, store, threads, verbose, like, call)
  }
  ended <- store_finish(store$pointer, length(rows$schema$features), threads)
  stop_if_full(ended, store$path, call)
  if (!is.null(rows$levels)) {
    expanded <- expand_factors(rows, ended$missing, store, cluster, call)
    rows <- expanded$rows
    ended$missing <- expanded$missing
  }
  rows <- agreed_rows(rows, source$kind, cluster, call)
  schema <- rows$schema
  constant <- logical(length(rows$columns))
  constant[rows$columns] <- store_constant(store$pointer, rows$columns, cluster)
  x <- structure(list(pointer = store$pointer, columns = rows$columns, rows = ended$rows, names = schema$features,
                      constant = constant, missing = ended$missing),
                 class = "stored_features")
  if (!is.null(like)) {
    check_like_features(schema, like, call)
    x <- select_matched(x, schema$features, like, call, left_out = schema$columns)
    schema <- schema_of(like)
  } else if (!is.null(rows$relevance) && source$kind == "letor") {
    warn_leaks(x, rows$relevance, schema, threads, cluster)
  } else if (!is.null(rows$relevance) && source$kind != "ranking_data") {
    kept <- leave_out_leaks(x, rows$relevance, schema, threads, call, cluster)
    kept <- leave_out_labels(kept$x, rows$labels, kept$schema, threads, call, cluster)
    x <- kept$x
    schema <- kept$schema
  }
  check_some_weight(rows$weight, rows$document_weight, cluster, call)
  new_ranking_data(x, rows$relevance, rows$query, rows$query_ids, rows$document, rows$weight, schema, threads,
                   call, rows$position, rows$document_weight, rows$labels, is_part = TRUE)
}

# The columns that are dates or times in only one of two encodings, or are of different classes in both.
differing_times <- function(a, b) {
  classes <- function(encoding) {
    entries <- Filter(is_time_entry, encoding)
    stats::setNames(vapply(entries, `[[`, "", "class"), encoded_columns(entries))
  }
  a <- classes(a)
  b <- classes(b)
  all <- union(names(a), names(b))
  all[is.na(a[all]) | is.na(b[all]) | a[all] != b[all]]
}

check_like_features <- function(schema, like, call) {
  differ <- intersect(differing_times(schema$encoding, like$encoding), schema$features)
  if (length(differ) > 0L) {
    stop_input("newdata", sprintf("`%s` is of another type in the source than in `like`.", differ[1L]),
               remedy = "Give dates, times or numbers in both.", call = call)
  }
  lacking <- if (like$named && schema$named) setdiff(like$features, c(schema$features, schema$columns))
  if (length(lacking) > 0L) {
    stop_input("newdata", "The source lacks features of `like`.", sprintf("Missing: %s.", enumerate(lacking)),
               c("Give columns of these names, with NA where a value is unknown.",
                 "LETOR text names features `f1`, `f2`, .... Its lines may lack trailing features that are 0.",
                 "`features = ` gives their number."),
               call = call)
  }
}

stored_letor <- function(source, store, threads, verbose, cluster, call) {
  size <- sum(file.size(source$x))
  bar <- progress_bar("Reading", size, verbose)
  on.exit(bar$close())
  parsed <- store_letor(store$pointer, enc2native(path.expand(source$x)), size, source$graded, bar$report,
                        threads)
  if (!is.null(parsed$kind) && parsed$kind == "file" && !file.exists(source$x[parsed$file])) {
    stop_if_full(parsed, store$path, call)
  }
  stop_if_failed(source$x[if (is.null(parsed$file)) 1L else parsed$file], parsed, call)
  if (length(parsed$relevance) > 0L) parsed$features <- as.integer(cluster_max(cluster, parsed$features))
  check_letor_size(parsed, source$features, source$x, call)
  features <- paste0("f", seq_len(max(parsed$features, source$features)))
  list(relevance = letor_relevance(parsed, source$graded), query = parsed$query + 1L,
       query_ids = whole_numbers(as_utf8(parsed$query_ids)), document = as_utf8(parsed$document),
       schema = feature_schema(features, TRUE))
}

# Ranking data with the features of `like`, if their factors have other levels.
with_levels_of <- function(data, like, threads, call) {
  if (is.null(like) || identical(data$encoding, like$encoding)) {
    return(data)
  }
  data$x <- match_features(data, like, threads, call)
  for (name in c("features", "columns", "named", "encoding")) data[name] <- list(like[[name]])
  data
}

# Rows are copied block by block.
stored_matrix <- function(data, store, threads, call) {
  for (first in seq(1L, nrow(data), by = 65536L)) {
    some <- seq.int(first, min(nrow(data), first + 65535L))
    part <- as.matrix(data$x[some, , drop = FALSE])
    stop_if_full(store_append(store$pointer, part, threads), store$path, call)
  }
  c(unclass(data)[c("relevance", "query", "query_ids", "document", "weight", "position",
                      "document_weight", "labels")],
    list(schema = schema_of(data)))
}

stored_frames <- function(source, store, threads, verbose, like, call) {
  reader <- frame_reader(source, call)
  on.exit(reader$close())
  bar <- progress_bar("Reading", NA, verbose)
  on.exit(bar$close(), add = TRUE)
  rows <- 0
  first <- TRUE
  schema <- NULL
  gathered <- row_gatherer()
  levels <- level_gatherer(like$encoding)
  while (!is.null(frame <- reader$next_chunk())) {
    if (nrow(frame) == 0L) next
    parts <- chunk_parts(frame, source, reader$where, call, first, levels)
    # A single row has no parts to compare.
    first <- first && nrow(frame) == 1L
    if (is.null(schema)) {
      schema <- feature_schema(colnames(parts$x), TRUE, parts$left_out, parts$encoding)
      if (is.null(parts$document)) warn_document_feature(frame, schema$features)
    }
    parts$x <- as_first_chunk(parts, schema, reader$where, call)
    gathered$add(parts, call)
    stop_if_full(store_append(store$pointer, parts$x, threads), store$path, call)
    rows <- rows + nrow(frame)
    if (!is.null(bar$report)) bar$report(rows, NA)
  }
  if (is.null(schema)) {
    stop_no_rows(source, call)
  }
  c(gathered$all(call), list(schema = schema, levels = levels))
}

# The features of a chunk in the order of the first chunk.
as_first_chunk <- function(parts, schema, where, call) {
  x <- parts$x
  features <- schema$features
  differ <- intersect(differing_times(parts$encoding, schema$encoding), intersect(colnames(x), features))
  if (length(differ) > 0L) {
    stop_input("feature", sprintf("%s: `%s` is of another type than in the first chunk.", where(1L), differ[1L]),
               remedy = "Give dates, times or numbers in all chunks.", call = call)
  }
  if (identical(colnames(x), features)) {
    return(x)
  }
  lacking <- setdiff(features, colnames(x))
  other <- setdiff(colnames(x), features)
  if (length(lacking) > 0L || length(other) > 0L) {
    stop_input("feature", sprintf("%s: the features differ from the first chunk.", where(1L)),
               c(if (length(lacking) > 0L) sprintf("Missing: %s.", enumerate(lacking)),
                 if (length(other) > 0L) sprintf("Not in the first chunk: %s.", enumerate(other))),
               "All chunks must have the same columns.", call = call)
  }
  x[, features, drop = FALSE]
}

# Collects the parts of rows other than features. Queries are kept as indexes, because texts take more memory. At the
# end, the chunks of a role are joined and released before those of the next role, so that only one role is in memory
# twice.
row_gatherer <- function() {
  ids <- list()
  kept <- list()
  labels <- list()
  add <- function(parts, call) {
    distinct <- unique(parts$query)
    ids[[length(ids) + 1L]] <<- distinct
    roles <- parts[c("relevance", "document", "weight", "position", "document_weight")]
    roles$relevance <- as_small_numbers(roles$relevance)
    roles$query <- match(parts$query, distinct)
    for (name in names(Filter(Negate(is.null), roles))) {
      kept[[name]][[length(ids)]] <<- roles[[name]]
    }
    labels[[length(ids)]] <<- parts$labels
  }
  joined <- function(name) {
    chunks <- kept[[name]]
    kept[name] <<- list(NULL)
    unlist(chunks)
  }
  all <- function(call) {
    if (length(unique(vapply(ids, is.character, NA))) > 1L) ids <<- lapply(ids, id_text)
    distinct <- unlist(ids)
    query_ids <- unique(distinct)
    of_chunks <- split(match(distinct, query_ids), rep(factor(seq_along(ids)), lengths(ids)))
    kept$query <<- Map(function(rows, of_chunk) of_chunk[rows], kept$query, unname(of_chunks))
    query <- joined("query")
    relevance <- joined("relevance")
    weight <- joined("weight")
    list(relevance = if (!is.null(relevance)) check_relevance(relevance, call), query = query,
         query_ids = query_ids, document = joined("document"),
         weight = if (!is.null(weight)) query_weights(weight, query, query_ids, call),
         position = joined("position"), document_weight = joined("document_weight"), labels = bound_labels(labels))
  }
  list(add = add, all = all)
}

# Doubles that are whole numbers as integers, which take half the memory. Other vectors are returned as they are.
as_small_numbers <- function(x) {
  if (is.double(x) && !is.object(x) && isTRUE(all(x == round(x) & abs(x) < 2^31))) as.integer(x) else x
}

# Replaces the stored features by their bins. With `file`, the bins are written, and the result is NULL.
bin_stored_data <- function(data, store, max_bin, like, file, threads, verbose, cluster, call) {
  x <- data$x
  bar <- progress_bar("Binning", 1, verbose)
  on.exit(bar$close())
  report <- if (!is.null(bar$report)) function(done, total) bar$report(done / total, 1)
  max_bin <- if (is.null(like)) as.integer(max_bin) else like$x$max_bin
  bin <- function(path, sections) {
    store_bin(store$pointer, x$columns, max_bin, as.double(unscaled_weights(data)),
              if (!is.null(like)) like$x$bins, path, sections, report, threads, cluster)
  }
  background <- stored_background(data, threads, cluster)
  if (is.null(file)) {
    made <- bin("", list())
    stop_if_full(made, store$path, call)
    data$x <- binned_features(made$bins, x, made$content, max_bin, background)
    return(as_binned(data, threads, cluster))
  }
  write_beside(file, function(partial) {
    bin(enc2native(partial), file_sections(data, max_bin, background))$error
  }, call)
  NULL
}

# Ranking data whose features are bins.
as_binned <- function(data, threads, cluster = NULL) {
  class(data) <- c("binned_data", "ranking_data")
  data$digest <- bins_digest(data$x$bins, data$relevance, data$query, enc2utf8(id_text(data$query_ids)), threads,
                             cluster)
  data
}

is_binned <- function(data) !isS4(data) && inherits(data, "binned_data")

#' @export
head.binned_data <- function(x, ...) refuse_binned(x, "x")

#' @export
tail.binned_data <- head.binned_data

#' @export
as.data.frame.binned_data <- function(x, ...) refuse_binned(x, "x")

#' @export
summary.binned_data <- function(object, ...) refuse_binned(object, "object")

#' @export
c.binned_data <- function(...) {
  stop_input("values", "Binned data cannot be combined.",
             remedy = "Bin all files at once: `binned_data(c(file1, file2))`.")
}

#' @export
rbind.binned_data <- c.binned_data

#' @export
print.binned_data <- function(x, ...) {
  NextMethod()
  size <- as.double(nrow(x)) * ncol(x)
  say(sprintf("Bins: up to %d a feature, %s %s", x$x$max_bin, size_words(size),
              if (is.null(x$x$file)) "in memory" else sprintf("in the file '%s'", x$x$file)))
  invisible(x)
}

# Raises an error for binned data in functions that need the values of features.
refuse_binned <- function(data, name, call = rlang::caller_env()) {
  if (is_binned(data)) {
    stop_input("values", sprintf("`%s` are binned data, which do not have the values of features.", name),
               remedy = "Give `ranking_data()`, such as a sample of the queries.", call = call)
  }
  invisible(data)
}
