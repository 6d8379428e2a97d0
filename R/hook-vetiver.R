# A ranker behind the prediction endpoint of vetiver. A request has the documents of one query, as rows of JSON.
# The response has a row for each document. vetiver finds the methods by the class `rankmix_ranker`.

#' Serve a ranker by vetiver
#'
#' `vetiver_model()` of the package vetiver supports all models of [fit()], [calibrate()], [mix()] and [tune_and_mix()].
#' `vetiver_api()` then makes an HTTP endpoint. One request contains the documents of one query.
#'
#' @param model The model, such as from [fit()].
#' @param metadata The metadata of the user, a list.
#' @param vetiver_model The result of `vetiver_model()`.
#' @param ... For `handler_predict()`: arguments of [predict()], such as `rounds`. `vetiver_api()` passes
#'   them on. For `vetiver_ptype()`: not used.
#'
#' @details
#' **Request.** The body is a JSON array with an object for each document. The names are the feature columns of the
#' training data. Other names are ignored. `null`, `"NA"` and `""` are missing values, except that a factor can have
#' the levels `"NA"` and `""`. If only some objects have a name, the feature is missing in the other objects. A single
#' object is one document. Dates are written as `"2026-01-31"`. Times are written as `"2026-01-31T10:15:00Z"` or
#' `"2026-01-31T12:15:00+02:00"`. Times without an offset are in UTC.
#'
#' **Response.** A JSON array with an object for each document, in the order of the request. `.score` is the
#' score of [predict()], with 15 significant digits. `.rank` is the rank within the request: 1 for the best,
#' ties in the order of the request. An empty array gives an empty array.
#'
#' **Errors.** A request that the model cannot score gets status 400 and a `message`. An example is a column that no
#' object has. A level that is not in the training data counts as missing.
#'
#' **Container.** The model is stored as a bundle that loads rankmix. So the files of `vetiver_write_plumber()` and
#' `vetiver_write_docker()` need no changes. `vetiver_write_docker()` queries a server for system libraries. Without
#' this server, use `system.file("vetiver", "Dockerfile", package = "rankmix")`, which installs rankmix from its source
#' file.
#' @return `vetiver_create_description()`: a text. `vetiver_create_meta()`: a list of vetiver.
#'   `vetiver_ptype()`: a data frame of no rows with the columns of a request. `vetiver_prepare_model()`: a
#'   bundle of the package bundle. `handler_startup()`: the model, invisibly. `handler_predict()`: a function
#'   of a request and its response.
#' @section Conditions: `rankmix_error_path`: the model is a whole path, of which no model was chosen.
#'   `rankmix_error_newdata`: the features of the model are not known, for example if the ranker is a function.
#' @section Use:
#' ```r
#' board <- pins::board_folder("models")
#' served <- vetiver::vetiver_model(model, "shop-search")
#' vetiver::vetiver_pin_write(board, served)
#' vetiver::vetiver_write_plumber(board, "shop-search")
#' plumber::pr_run(vetiver::vetiver_api(plumber::pr(), served), port = 8000)
#' ```
#' @examples
#' train <- read_letor(system.file("extdata", "train.txt.gz", package = "rankmix"))
#' model <- fit(gbrt(20), train, threads = 1)
#' if (rlang::is_installed("vetiver")) {
#'   attachNamespace("vetiver")
#'   vetiver_model(model, "search")
#' }
#' @name vetiver
#' @exportS3Method vetiver::vetiver_create_description
vetiver_create_description.rankmix_ranker <- function(model) {
  sprintf("A ranker of query-document pairs (%s)", model_words(model))
}

#' @rdname vetiver
#' @exportS3Method vetiver::vetiver_create_meta
vetiver_create_meta.rankmix_ranker <- function(model, metadata) {
  of_package("vetiver", "vetiver_meta")(metadata, required_pkgs = "rankmix")
}

#' @rdname vetiver
#' @exportS3Method vetiver::vetiver_ptype
vetiver_ptype.rankmix_ranker <- function(model, ...) {
  columns <- request_columns(model)
  if (is.null(columns)) {
    stop_input("newdata", "The features of the model are not known.",
               remedy = "Give rows of them: `vetiver_model(save_prototype = frame)`, or FALSE.", call = NULL)
  }
  list2DF(columns, 0L)
}

# A process that serves the model has not loaded rankmix, so the methods would not be found.
#' @rdname vetiver
#' @exportS3Method vetiver::vetiver_prepare_model
vetiver_prepare_model.rankmix_ranker <- function(model) {
  check_chosen(model, NULL)
  situate <- function(object) {
    loadNamespace("rankmix")
    object
  }
  environment(situate) <- baseenv()
  of_package("bundle", "bundle_constr")(model, situate, "rankmix_ranker")
}

#' @rdname vetiver
#' @exportS3Method vetiver::handler_startup
handler_startup.rankmix_ranker <- function(vetiver_model) invisible(vetiver_model$model)

#' @rdname vetiver
#' @exportS3Method vetiver::handler_predict
handler_predict.rankmix_ranker <- function(vetiver_model, ...) {
  model <- vetiver_model$model
  columns <- request_columns(model)
  arguments <- list(...)
  # The usual serializer of plumber writes four decimals, which makes ties.
  serializer <- of_package("plumber", "serializer_unboxed_json", "to serve a model.")(digits = NA)
  function(req, res = NULL) {
    if (is.null(res)) {
      return(answer_request(model, req$body, columns, arguments))
    }
    res$serializer <- serializer
    tryCatch(answer_request(model, req$body, columns, arguments), rankmix_error = function(e) {
      res$status <- 400L
      list(error = "400 - Bad request", message = conditionMessage(e))
    })
  }
}

# The columns of a request: vectors of length 0 of the type of each column of the training data. NULL if the model
# does not have features.
request_columns <- function(model) {
  model <- model_with_features(model)
  if (is.null(model)) {
    return(NULL)
  }
  names <- source_columns(model$features, model$encoding)
  columns <- stats::setNames(lapply(names, function(name) double()), names)
  for (entry in model$encoding) {
    columns[[entry$column]] <- if (is_time_entry(entry)) {
      if (entry$class == "Date") as.Date(character()) else as.POSIXct(character(), tz = "UTC")
    } else {
      factor(character(), entry$levels, ordered = entry$ordered)
    }
  }
  columns
}

# The model, or the first model that it combines or calibrates, with the schema of the training data.
model_with_features <- function(model) {
  if (is.character(model$features)) {
    return(model)
  }
  for (part in c(model$models, model$rankers, list(model$classifier, model$ranker))) {
    found <- if (inherits(part, "rankmix_ranker")) model_with_features(part)
    if (!is.null(found)) {
      return(found)
    }
  }
}

answer_request <- function(model, body, columns, arguments) {
  frame <- request_frame(body, columns)
  documents <- if (nrow(frame) > 0L && scores_by_query(model)) request_query(frame, columns) else frame
  scores <- if (nrow(frame) == 0L) numeric() else do.call(predict, c(list(model, documents), arguments))
  if (!is_plain_number(scores) || !is.null(dim(scores))) {
    stop_input("argument", "A request takes one score per document.",
               remedy = "Leave out `type`, and give one number of `rounds`.", call = NULL)
  }
  data.frame(.score = scores, .rank = rank(-scores, ties.method = "first"))
}

# Whether the model needs the query of the documents.
scores_by_query <- function(model) {
  ranks_whole_queries(model) || any_model(model, function(one) {
    inherits(one, "rankmix_mix") || inherits(one, "rankmix_mixture") && any(vapply(one$models, is_function_member, NA))
  })
}

# The documents of a request as ranking data of one query, with the factors of the model.
request_query <- function(frame, columns) {
  for (name in Filter(function(name) is.factor(columns[[name]]), names(frame))) {
    frame[[name]] <- factor(frame[[name]], levels(columns[[name]]), ordered = is.ordered(columns[[name]]))
  }
  ranking_data(frame, query = rep(1L, nrow(frame)))
}

# The documents of a request, with columns of the model's types.
request_frame <- function(body, columns) {
  if (length(body) == 0L) {
    return(data.frame())
  }
  if (is.list(body) && !is.data.frame(body) && !is.null(names(body))) {
    body <- list2DF(lapply(body, function(value) if (is.null(value)) NA else value))
  }
  if (!is.data.frame(body)) {
    stop_input("newdata", "The request has no documents.",
               remedy = "Send an array of objects, one per document: `[{\"bm25\": 1.5}]`.", call = NULL)
  }
  if (is.null(columns)) {
    return(body)
  }
  kept <- intersect(names(columns), names(body))
  if (length(kept) == 0L) {
    return(body)  # for the error of predict()
  }
  list2DF(Map(request_column, body[kept], columns[kept], kept), nrow(body))
}

# JSON has numbers, texts and logical values.
request_column <- function(value, column, name) {
  if (is.list(value)) {
    stop_input("newdata", sprintf("`%s` has no values that the model can use.", name),
               remedy = "Send one number, text or `null` for each document.", call = NULL)
  }
  if (is.character(value)) value[value %in% setdiff(c("NA", ""), levels(column))] <- NA
  if (is.factor(column)) {
    return(factor(as.character(value)))
  }
  made <- suppressWarnings(if (inherits(column, "Date")) {
    request_dates(as.character(value))
  } else if (inherits(column, "POSIXct")) {
    request_times(as.character(value))
  } else {
    as.double(value)
  })
  wrong <- which(is.na(made) & !is.na(value))
  if (length(wrong) > 0L) {
    stop_input("newdata", sprintf("`%s` of document %d cannot be read: \"%s\".", name, wrong[1L], value[wrong[1L]]),
               remedy = if (is.double(column) && !is.object(column)) "Send a number." else
                 "Send a date such as \"2026-01-31\", or a time such as \"2026-01-31T10:15:00Z\".", call = NULL)
  }
  made
}

# A date, perhaps a time of day, and perhaps an offset from UTC. R's own parsers ignore text after the part that fits,
# and take the format of the first value for all values.
request_time_pattern <- paste0("^([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})([T ]([0-9]{1,2}:[0-9]{2})(:[0-9]{2}([.][0-9]+)?)?",
                               "(Z|([+-])([0-9]{2}):?([0-9]{2})?)?)?$")

# A matrix of values x parts of the pattern; NA for a text of another form.
request_time_parts <- function(text) {
  found <- regmatches(text, regexec(request_time_pattern, text))
  t(vapply(found, function(parts) if (length(parts) == 10L) parts else rep(NA_character_, 10L), character(10L)))
}

request_dates <- function(text) as.Date(request_time_parts(text)[, 2L], format = "%Y-%m-%d")

request_times <- function(text) {
  parts <- request_time_parts(text)
  part <- function(k, default) ifelse(nzchar(parts[, k]), parts[, k], default)
  clock <- paste0(parts[, 2L], " ", part(4L, "00:00"), part(5L, ":00"))
  offset <- 3600 * as.double(part(9L, "0")) + 60 * as.double(part(10L, "0"))
  as.POSIXct(strptime(clock, "%Y-%m-%d %H:%M:%OS", tz = "UTC")) - ifelse(parts[, 8L] == "-", -offset, offset)
}
