# R values as JSON and back. Every value has its type, so it is read back identically. Functions and
# environments have no form here, so a file cannot hold code.

json_version <- 1L
# Limits the recursion of readers. Models are nested less deeply.
json_depth <- 200L

json_lines <- function(model, options, call) {
  head <- sprintf("\"format\":\"rankmix model\",\"version\":%d,", json_version)
  tryCatch(model_json(model, head), rankmix_no_json = function(e) {
    cannot_hold(conditionMessage(e))
  })
}

stop_no_json <- function(text) rlang::abort(text, class = "rankmix_no_json")

# `head` are fields of the JSON object that come first.
model_json <- function(model, head = "") {
  kind <- kind_of_model(model)
  if (is_function_member(model)) stop_no_json("It contains a function, which has no form in JSON.")
  if (!is.null(attr(model$spec, "row"))) stop_no_json("It is a ranker of your own functions.")
  if (is.null(kind)) {
    stop_no_json(sprintf("A model of class `%s` has no form in JSON.", class(model)[1L]))
  }
  path <- inherits(model, "rankmix_path")
  paste0("{", head, "\"kind\":", json_string(kind), if (path) ",\"path\":true", ",\"model\":",
         json_object(unclass(model)), "}")
}

# Values to text ----------------------------------------------------------------------------

json_string <- function(x) {
  x <- enc2utf8(as.character(x))
  if (!all(validUTF8(x))) stop_no_json("A text is not valid UTF-8.")
  x <- gsub("\\", "\\\\", x, fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  for (code in unique(utf8ToInt(gsub("[^\001-\037]", "", paste(x, collapse = ""))))) {
    x <- gsub(intToUtf8(code), sprintf("\\u%04x", code), x, fixed = TRUE)
  }
  paste0("\"", x, "\"")
}

json_numbers <- function(x) {
  text <- exact_text(x)
  text[text == "-0"] <- "-0.0"
  odd <- !is.finite(x)
  text[odd] <- ifelse(is.nan(x[odd]), "\"NaN\"",
                      ifelse(is.na(x[odd]), "null", ifelse(x[odd] > 0, "\"Inf\"", "\"-Inf\"")))
  text
}

json_array <- function(items) sprintf("[%s]", paste(items, collapse = ","))

json_members <- function(names, values) {
  sprintf("{%s}", paste0(json_string(names), ":", values, recycle0 = TRUE, collapse = ","))
}

# An R list with names. Each element is a value.
json_object <- function(x) {
  if (length(x) > 0L && (anyDuplicated(names(x)) || !all(nzchar(rlang::names2(x))))) {
    stop_no_json("A list has fields with equal names, or without names.")
  }
  json_members(names(x), vapply(x, json_value, ""))
}

json_value <- function(x) {
  if (is.null(x)) {
    "null"
  } else if (is_made(x)) {
    json_made(x)
  } else if (inherits(x, "rankmix_ranker")) {
    model_json(x)
  } else if (inherits(x, "rankmix_fitted")) {
    sprintf("{\"calibrator\":%s}", json_object(unclass(x)))
  } else if (is.data.frame(x)) {
    json_table(x)
  } else if (is.object(x) || !(is.atomic(x) || is.list(x))) {
    stop_no_json(sprintf("It contains %s, which has no form in JSON.",
                         if (is.function(x)) "a function" else show_value(x)))
  } else if (is.list(x)) {
    if (is.null(names(x))) {
      sprintf("{\"list\":%s}", json_array(vapply(x, json_value, "")))
    } else {
      sprintf("{\"fields\":%s}", json_object(x))
    }
  } else {
    json_vector(x)
  }
}

# Selected rows keep their row names.
json_table <- function(x) {
  rows <- attr(x, "row.names")
  sprintf("{\"table\":%s%s}", json_object(as.list(x)), if (.row_names_info(x) > 0L) {
    sprintf(",\"rows\":%s", json_value(rows))
  } else "")
}

json_types <- c(double = "double", integer = "integer", logical = "logical", character = "text")

json_vector <- function(x) {
  type <- json_types[typeof(x)]
  if (is.na(type) || !all(names(attributes(x)) %in% c("dim", "dimnames", "names"))) {
    stop_no_json(sprintf("It contains %s, which has no form in JSON.", show_value(x)))
  }
  items <- switch(
    type,
    double = json_numbers(x), integer = ifelse(is.na(x), "null", sprintf("%d", x)),
    logical = c("false", "true", "null")[ifelse(is.na(x), 3L, x + 1L)],
    text = ifelse(is.na(x), "null", json_string(x))
  )
  if (length(x) == 1L && is.null(attributes(x)) && type != "integer" && !is.na(x) &&
        (type != "double" || is.finite(x))) {
    return(items)
  }
  extra <- c(if (!is.null(dim(x))) sprintf(",\"dim\":%s", json_array(dim(x))),
             if (!is.null(dimnames(x))) sprintf(",\"dimnames\":%s", json_dimnames(x)),
             if (!is.null(names(x))) sprintf(",\"names\":%s", json_array(json_string(names(x)))))
  sprintf("{\"%s\":%s%s}", type, json_array(items), paste(extra, collapse = ""))
}

json_dimnames <- function(x) {
  json_array(vapply(unname(dimnames(x)), function(names) {
    if (is.null(names)) "null" else json_array(json_string(names))
  }, ""))
}

# Text to values ----------------------------------------------------------------------------

parsed_json <- function(file) {
  bytes <- readBin(file, "raw", file.size(file))
  if (length(bytes) > 1L && identical(bytes[1:2], charToRaw("{L"))) {
    stop("It is a binary file of XGBoost: save the model with the ending \".json\".", call. = FALSE)
  }
  if (any(bytes == as.raw(0L))) stop("It has bytes that are 0.", call. = FALSE)
  text <- rawToChar(bytes)
  if (!validUTF8(text)) stop("It is not UTF-8.", call. = FALSE)
  Encoding(text) <- "UTF-8"
  # Strings may hold brackets.
  codes <- as.integer(charToRaw(gsub("\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"", "", text, perl = TRUE,
                                useBytes = TRUE)))
  # %in% would turn bytes into texts, which takes as long as parsing.
  code_of <- function(bracket) utf8ToInt(bracket)
  steps <- (codes == code_of("[") | codes == code_of("{")) - (codes == code_of("]") | codes == code_of("}"))
  if (max(cumsum(steps), 0) > json_depth) stop("It is nested too deep.", call. = FALSE)
  jsonlite::parse_json(quoted_numbers(text))
}

# XGBoost writes NaN and Infinity, which are not JSON, such as for the thresholds of categorical splits. They become
# texts, as in the files of write_model(). Strings stay as they are.
quoted_numbers <- function(text) {
  if (!grepl("NaN|Infinity", text)) {
    return(text)
  }
  string <- "\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"(*SKIP)(*F)|"
  for (number in list(c("\\bNaN\\b", "\"NaN\""), c("(-?)\\bInfinity\\b", "\"\\1Inf\""))) {
    text <- gsub(paste0(string, number[1L]), number[2L], text, perl = TRUE)
  }
  text
}

need <- function(good, text) if (!isTRUE(good)) stop(text, call. = FALSE)

is_json_object <- function(x) is.list(x) && !is.null(names(x))

model_of_json <- function(json) {
  need(is_json_object(json) && identical(json$format, "rankmix model"),
       "It is not of the format \"rankmix model\".")
  need(is.numeric(json$version) && length(json$version) == 1L, "It has no version.")
  need(json$version <= json_version, "A later version of rankmix wrote it.")
  model <- inner_model(json[setdiff(names(json), c("format", "version"))])
  need(!is.null(model$best_rounds) || json$kind %in% without_best_rounds,
       "It has no `best_rounds`.")
  model
}

inner_model <- function(json) {
  need(all(names(json) %in% c("kind", "path", "model")), "A model has an unknown key.")
  kind <- json[["kind"]]
  need(is.character(kind) && length(kind) == 1L && kind %in% names(model_kinds()),
       "It is of a kind that is not known.")
  need(is.null(json[["path"]]) || isTRUE(json[["path"]]), "`path` is neither true nor absent.")
  need(is_json_object(json[["model"]]), "A model has no fields.")
  model <- structure(
    fields_of_json(json[["model"]]),
    class = c(if (!is.null(json[["path"]])) "rankmix_path", model_kinds()[[kind]]$class)
  )
  check_read_model(model, kind)
  model
}

fields_of_json <- function(x) {
  need(is_json_object(x) && !anyDuplicated(names(x)) && all(nzchar(names(x))),
       "Fields must have names, each its own.")
  lapply(x, value_of_json)
}

value_of_json <- function(x) {
  if (is.null(x)) {
    return(NULL)
  }
  if (!is.list(x)) {
    need(length(x) == 1L && !is.na(x), "A value is missing.")
    return(if (is.numeric(x)) as.double(x) else x)
  }
  need(is_json_object(x) && length(x) > 0L && !anyDuplicated(names(x)), "A value has no type.")
  key <- names(x)[1L]
  switch(
    key,
    list = {
      need(length(x) == 1L && is.list(x[[1L]]) && is.null(names(x[[1L]])), "A list is broken.")
      lapply(x[[1L]], value_of_json)
    },
    fields = {
      need(length(x) == 1L, "Fields are broken.")
      fields_of_json(x[[1L]])
    },
    table = table_of_json(x), made_by = made_of_json(x), kind = inner_model(x),
    calibrator = calibrator_of_json(x),
    vector_of_json(key, x)
  )
}

table_of_json <- function(x) {
  columns <- fields_of_json(x[[1L]])
  count <- unique(lengths(columns))
  need(all(names(x) %in% c("table", "rows")) && length(count) == 1L &&
         all(vapply(columns, function(column) is.atomic(column) && is.null(dim(column)), NA)),
       "The columns of a table differ in length.")
  rows <- value_of_json(x[["rows"]])
  need(is.null(rows) || (is.integer(rows) || is.character(rows)) && length(rows) == count &&
         !anyNA(rows) && !anyDuplicated(rows), "The rows of a table are broken.")
  structure(columns, class = "data.frame",
            row.names = if (is.null(rows)) .set_row_names(count) else rows)
}

# The valid range of the calibrator's numbers depends on the model: see check_fitted() of export-mixed.R.
calibrator_of_json <- function(x) {
  need(length(x) == 1L, "A calibrator is broken.")
  fitted <- fields_of_json(x[[1L]])
  need(inherits(fitted$method, "rankmix_calibrator"), "A calibrator is of no known kind.")
  need(!any(vapply(fitted[names(fitted) != "method"], is.list, NA)), "A calibrator is broken.")
  structure(fitted, class = c(paste0("rankmix_fitted_", fitted$method$name), "rankmix_fitted"))
}

vector_of_json <- function(type, x) {
  need(type %in% json_types && all(names(x) %in% c(type, "dim", "dimnames", "names")) &&
         is.list(x[[1L]]) && is.null(names(x[[1L]])), "A value is of no known type.")
  value <- switch(type, double = numbers_of_json(x[[1L]]), integer = integers_of_json(x[[1L]]),
                  logical = items_of_json(x[[1L]], is.logical, NA),
                  text = items_of_json(x[[1L]], is.character, NA_character_))
  if (!is.null(x[["dim"]])) {
    size <- integers_of_json(x[["dim"]])
    need(length(size) > 0L && !anyNA(size) && all(size >= 0L) &&
           prod(size) == length(value), "`dim` does not fit its values.")
    dim(value) <- size
  }
  if (!is.null(x[["dimnames"]])) {
    dimnames(value) <- dimnames_of_json(x[["dimnames"]], dim(value))
  }
  if (!is.null(x[["names"]])) {
    names <- items_of_json(x[["names"]], is.character, NA_character_)
    need(length(names) == length(value) && is.null(dim(value)), "`names` do not fit.")
    names(value) <- names
  }
  value
}

dimnames_of_json <- function(x, size) {
  need(is.list(x) && length(x) == length(size), "`dimnames` do not fit.")
  lapply(seq_along(x), function(i) {
    if (is.null(x[[i]])) return(NULL)
    names <- items_of_json(x[[i]], is.character, NA_character_)
    need(length(names) == size[i], "`dimnames` do not fit.")
    names
  })
}

# Each item must be of the type, or null.
items_of_json <- function(x, is_type, none) {
  need(is.list(x), "Values must be an array.")
  absent <- vapply(x, is.null, NA)
  need(all(vapply(x[!absent], function(item) is_type(item) && length(item) == 1L, NA)),
       "An array mixes types.")
  value <- rep(none, length(x))
  value[!absent] <- unlist(x[!absent])
  value
}

numbers_of_json <- function(x) {
  need(is.list(x), "Values must be an array.")
  text <- vapply(x, is.character, NA)
  odd <- unlist(x[text])
  need(all(odd %in% c("NaN", "Inf", "-Inf")), "An array of numbers has a text in it.")
  x[text] <- as.list(as.double(odd))
  items_of_json(x, is.numeric, NA_real_)
}

integers_of_json <- function(x) {
  value <- numbers_of_json(x)
  need(all(is.na(value) | abs(value) < 2^31 & value == round(value)) && !any(is.nan(value)),
       "An array of whole numbers has others in it.")
  as.integer(value)
}
