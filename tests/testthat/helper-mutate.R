# Hostile files of models: valid files with random changes of their bytes, tokens or structure. Used by the
# tests of read_model(), and with more cases by tools/fuzz_models.R.

# The changes for files of JSON, and for LightGBM's text.
kinds_of_changes <- list(json = c("bytes", "tokens", "structure", "numbers"), txt = c("bytes", "fields"))

mutated_text <- function(text, kinds = kinds_of_changes$json) {
  change <- switch(sample(kinds, 1L), bytes = mutated_bytes, tokens = mutated_tokens,
                   structure = mutated_structure, numbers = mutated_numbers, fields = mutated_fields)
  # Short files are already invalid.
  for (i in seq_len(sample(c(1L, 1L, 1L, 2L, 4L), 1L))) {
    if (nchar(text, "bytes") > 100L) text <- change(text)
  }
  text
}

one_of <- function(x) x[[sample.int(length(x), 1L)]]

# Truncates the text, replaces bytes or digits, or repeats a part.
mutated_bytes <- function(text) {
  bytes <- charToRaw(text)
  count <- length(bytes)
  at <- sample.int(count, 1L)
  switch(
    sample.int(4L, 1L),
    bytes <- bytes[seq_len(at)],
    bytes[at] <- as.raw(sample(1:255, 1L)),
    {
      digits <- which(bytes %in% charToRaw("0123456789"))
      if (length(digits) > 0L) bytes[one_of(digits)] <- one_of(charToRaw("0123456789.-eE"))
    },
    bytes <- c(bytes[seq_len(at)], bytes[seq.int(max(1L, at - sample.int(40L, 1L)), count)])
  )
  text <- rawToChar(bytes)
  Encoding(text) <- "bytes"
  text
}

hostile_tokens <- c("null", "true", "false", "\"\"", "\"NaN\"", "\"Inf\"", "\"-Inf\"", "-1", "0",
                    "1", "2", "-0.0", "0.5", "1e308", "-1e308", "1e999", "5e-324", "2147483647",
                    "-2147483648", "4294967296", "9007199254740993", "[]", "{}", "[0]",
                    "{\"double\":[]}", "{\"integer\":[0]}", "{\"list\":[]}", "{\"fields\":{}}",
                    "{\"text\":[null]}", "{\"table\":{}}", "\"gbrt\"", "\"system\"")
json_token <- "\"(?:[^\"\\\\]|\\\\.)*\"|-?[0-9][0-9.eE+-]*|[][{}:,]|true|false|null"

# A token is left out, doubled, swapped with another token, or replaced.
mutated_tokens <- function(text) {
  matches <- gregexpr(json_token, text, perl = TRUE)
  tokens <- regmatches(text, matches)[[1L]]
  at <- sample.int(length(tokens), 2L, replace = TRUE)
  switch(
    sample.int(4L, 1L),
    tokens[at[1L]] <- "",
    tokens[at[1L]] <- paste0(tokens[at[1L]], ",", tokens[at[1L]]),
    tokens[at] <- tokens[rev(at)],
    tokens[at[1L]] <- one_of(hostile_tokens)
  )
  paste(tokens, collapse = "")
}

# Replaces a number by another number of the file, by a neighbouring number, or by a hostile number, so
# that nodes form circles or refer to places that do not exist.
mutated_numbers <- function(text) {
  matches <- gregexpr("(?<=[[,:])-?[0-9][0-9.eE+-]*(?=[],}])", text, perl = TRUE)
  numbers <- regmatches(text, matches)[[1L]]
  if (length(numbers) == 0L) {
    return(text)
  }
  at <- sample.int(length(numbers), 1L)
  near <- numbers[pmin(pmax(at + -8:8, 1L), length(numbers))]
  value <- suppressWarnings(as.numeric(numbers[at]))
  numbers[at] <- switch(sample.int(4L, 1L), one_of(near), one_of(hostile_tokens),
                        format(value + sample(c(-1, 1), 1L), digits = 15),
                        format(-value, digits = 15))
  regmatches(text, matches) <- list(numbers)
  text
}

# Changes lines of the form `name=numbers`: a line is left out, doubled or swapped with another line,
# or a number of it changes.
mutated_fields <- function(text) {
  lines <- strsplit(text, "\n", fixed = TRUE, useBytes = TRUE)[[1L]]
  with_values <- grep("=", lines, fixed = TRUE, useBytes = TRUE)
  at <- with_values[sample.int(length(with_values), 2L, replace = TRUE)]
  switch(
    sample.int(5L, 1L),
    lines[at] <- lines[rev(at)],
    lines <- lines[-at[1L]],
    lines <- append(lines, lines[at[1L]], at[2L]),
    {
      pieces <- strsplit(lines[at[1L]], "[ =]")[[1L]]
      changed <- sample.int(length(pieces), 1L)
      pieces[changed] <- one_of(c(pieces, "0", "-1", "1", "1e999", "nan", "-inf", "2147483648", "0x1", ""))
      lines[at[1L]] <- paste0(pieces[1L], "=", paste(pieces[-1L], collapse = " "))
    },
    lines[at[1L]] <- paste(lines[at[1L]], one_of(c("0", "-1", "7", "")))
  )
  paste0(paste(lines, collapse = "\n"), "\n")
}

# A value anywhere in the tree is left out, doubled, swapped, shortened or lengthened.
mutated_structure <- function(text) {
  tree <- jsonlite::parse_json(text)
  path <- random_path(tree)
  other <- random_path(tree)
  inside <- length(path) > 0L
  value <- if (inside) tree[[path]] else tree
  if (inside && is.list(value) && length(value) > 0L) {
    value <- switch(
      sample.int(6L, 1L),
      value[-sample.int(length(value), 1L)], rev(value),
      c(value, value[sample.int(length(value), 1L)]),
      value[seq_len(sample.int(length(value), 1L))],
      stats::setNames(value, if (!is.null(names(value))) sample(names(value))), list()
    )
    tree[[path]] <- value
  } else if (inside) {
    tree[path] <- list(if (length(other) > 0L) tree[[other]])
  }
  as.character(jsonlite::toJSON(tree, auto_unbox = TRUE, null = "null", digits = NA))
}

random_path <- function(tree) {
  path <- integer()
  while (is.list(tree) && length(tree) > 0L && (length(path) == 0L || stats::runif(1L) < 0.8)) {
    at <- sample.int(length(tree), 1L)
    if (is.null(tree[[at]])) break
    path <- c(path, at)
    tree <- tree[[at]]
  }
  path
}

# "error" if read_model() raises an error of the package, or "model" if the model prints and predicts. Any
# other outcome is an error of the test.
outcome_of_file <- function(file, data) {
  model <- tryCatch(read_model(file), rankmix_error = function(e) NULL)
  if (is.null(model)) {
    return("error")
  }
  utils::capture.output(print(model))
  for (newdata in list(data, data$x)) {
    suppressWarnings(tryCatch(all_predictions(model, newdata), rankmix_error = function(e) NULL))
  }
  "model"
}

# The texts of small models of all kinds.
texts_to_mutate <- function() {
  file <- withr::local_tempfile()
  lapply(c(small_models(), small_mixtures()), function(model) {
    write_model(model, file)
    readChar(file, file.size(file), useBytes = TRUE)
  })
}

# The models of LightGBM and XGBoost in a folder: a text each, and the kinds of changes for it.
texts_of_tools <- function(folder) {
  files <- list.files(folder, "[.](txt|json)$", full.names = TRUE)
  texts <- lapply(files, function(file) readChar(file, file.size(file), useBytes = TRUE))
  list(texts = stats::setNames(texts, basename(files)), kinds = kinds_of_changes[tools::file_ext(files)])
}

small_mixtures <- function() {
  data <- export_data()
  valid <- simulate_ranking(20, features = 6, seed = 5)$data
  valid <- ranking_data(valid$x, valid$relevance, valid$query + 1000)
  train <- function(spec, ...) {
    suppressWarnings(fit(spec, data, valid, metric_ndcg(5), seed = 1, verbose = FALSE, ...),
                     classes = "rankmix_warning")
  }
  booster <- train(adaboost_mh(base_tree(3), 3))
  regressions <- lapply(c("linear", "logistic", "network", "gaussian_process", "isotonic"), calibrator_rbc)
  kept <- list(
    mixture = train(mixture(adaboost_mh(base_tree(3), 3), gbrt(3, num_leaves = 3),
                            calibrators = c(list(calibrator_naive(), calibrator_cpc()), regressions))),
    sets = train(mixture(adaboost_mh(base_tree(3), 2), linear_ranker(penalty = 0.1),
                         calibrators = list(calibrator_rbc("polynomial")),
                         grid = mix_grid(features = c("original", "standardized")),
                         weights = mix_weights(method = "selection", standardize = "query"))),
    averaged = train(smoothrank(start = linear_ranker(penalty = 0.1), schedule = c(8, 1),
                                penalty = c(0.1, 1)))
  )
  kept$calibrated <- suppressWarnings(calibrate(booster, valid, calibrator_rbc("polynomial")))
  kept$matrix <- suppressWarnings(calibrate(predict(booster, valid, type = "raw"), valid, calibrator_cpc()))
  kept$mix <- mix(list(a = booster, b = kept$mixture, c = valid$x[, 1L]), valid)
  kept
}
