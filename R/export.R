# Models for other programs: the one way out, and the one way back. What a format can say is in
# export-<format>.R; what a model is as trees or as a weighted sum in export-parts.R.

#' Write a model for another program, and read it back
#'
#' `write_model()` writes a trained ranker as a file that another program scores with;
#' `read_model()` reads the package's own format, `"json"`.
#'
#' @param model A ranker that [fit()] trained, what [mix()] and [calibrate()] give, or a student that
#'   [distill()] trained on the scores of another.
#' @param file The path of the file.
#' @param format What to write, see Details. `NULL` takes the format from the ending of `file`:
#'   `.json` is `"json"`, `.c` is `"c"`, `.onnx` is `"onnx"`; a name without an ending is `"json"`.
#'   `.txt` needs a format. An ending that belongs to another format than the one given is an error.
#' @param name What Solr, Elasticsearch and ONNX call the model.
#' @param missing What to do where a format takes a missing value for 0 and the model does not:
#'   `"error"`, or `"zero"` to write the model all the same. Take `"zero"` where no value will be
#'   missing, or where 0 is what a missing value means.
#' @param engine For `"elasticsearch"`: the engine that will run the plugin, with its version, such as
#'   `"elasticsearch 9.0"` or `"opensearch 2.19"`. Without a version it is the newest one. Engines
#'   differ in what they do with missing values, see Details. `NULL`: any engine.
#' @param ... Must be empty.
#'
#' @details
#' | `format` | what it is | rankers |
#' |---|---|---|
#' | `"json"` | all of the model, for `read_model()` | all that holds no function of yours |
#' | `"c"` | C99: `double score(const double *x)` | all that holds no function of yours |
#' | `"lightgbm"` | LightGBM's text, version 4 | trees |
#' | `"ranklib"` | RankLib's ensemble or linear model | trees, sums |
#' | `"solr"` | a model of Apache Solr | trees, sums, networks |
#' | `"elasticsearch"` | a request to the learning to rank plugin, see below | trees, sums |
#' | `"onnx"` | ONNX, of ai.onnx 16 and ai.onnx.ml 3 | all, also calibrated and mixed, see below |
#'
#' Trees are [gbrt()], [rankboost()] and [adaboost_mh()]; sums are [linear_ranker()], [ranksvm()],
#' [smoothrank()], [coordinate_ascent()], [adarank()], [mcsvm()] and [best_feature()]. Trees are
#' written as far as `best_rounds`.
#'
#' Solr takes networks without normalisation and logarithms.
#'
#' `"elasticsearch"` is the body of a `_createmodel` request to the plugin for Elasticsearch and
#' OpenSearch, with a `model/xgboost+json` of trees or a `model/linear` of sums. A feature is missing
#' where its query does not match the document. Trees get such a value as follows:
#'
#' | `engine` | a missing value |
#' |---|---|
#' | Elasticsearch from 8.11.4 (plugin 1.5.9) | goes where the model sends it |
#' | Elasticsearch before | is 0 |
#' | OpenSearch from 3.8 | goes where the model sends it |
#' | OpenSearch 3.2 to 3.7 | always goes right, as a value above the threshold |
#' | OpenSearch before 3.2 | is 0 |
#'
#' Where the `engine` sends a missing value elsewhere than the model does, `write_model()` fails, see
#' `missing`. Where no `engine` is given and some engines would, it warns.
#'
#' `"onnx"` takes `features`, a matrix of 32-bit floats with a row for each document, `NaN` where a
#' value is missing, and gives `score`, a column. The names of the features are in the metadata
#' under `features`, as JSON. It holds trees, sums, networks, [m5p()], [bagging()] and [cocr()] of
#' these, what [calibrate()] makes of them, and what [mixture()], [tune_and_mix()] and [mix()] do.
#' Code in R, features or scores that are standardised query by query, [fuse()] and the hard ranks
#' of [cocr()] over trees it cannot hold.
#'
#' `"c"` gives the same scores as [predict()], bit for bit, with a compiler that rounds each
#' operation to its type, and of features that are no sparse matrix. `x` has the features
#' in the model's order, `NAN` where a value is missing. Networks calculate in single precision,
#' with an `exp()` of their own, in [predict()] as in C; `calibrator_rbc("logistic")` and `log1p = TRUE` take
#' `exp()` and `log1p()` of the C library, which is to be the one that R has (linked by `-lm`).
#' Mixtures and calibrated classifiers are one file, but for those that look at whole queries: by
#' `standardize = "query"` or by features other than the original ones; and for scores that
#' [mix()] was given.
#'
#' Of other formats than `"json"` and `"c"`:
#'
#' * `"lightgbm"` holds double precision. `"ranklib"`, `"solr"` and `"elasticsearch"` read
#'   features and thresholds as 32-bit floats, and some compare by `<` or with a slack. Thresholds
#'   are moved to the next float that makes every decision the same for features that are such
#'   floats, below 3.4e38 in magnitude; sums are rounded by the reader, about 7 digits. Solr adds
#'   0.000001 to a threshold; where no float makes up for that, as next to 0, the nearest one is
#'   written, and a warning says by how much it differs.
#' * `"onnx"` compares features and thresholds as 32-bit floats, too, with the same decisions for
#'   all features that are such floats, infinite ones among them. A reader adds up leaves and
#'   computes networks in floats, so that scores of trees differ by about the number of trees times
#'   6e-8 times the sum of their leaves at most, those of networks by about 1e-6 of their size. All
#'   else is computed in double precision, and the score is rounded to a float at the end.
#' * Classifiers have a calibrated score, which no sum of trees can say. They are written by their
#'   linear score \eqn{\sum_l (2^l - 1) f_l}{sum_l (2^l - 1) f_l} of the discriminants
#'   \eqn{f_l}{f_l}, which a message says; it may rank differently from `predict()`.
#' * A [base_product()] of trees becomes one tree with the same decisions, of at most 4096 leaves.
#' * An intercept changes no ranking; where a format has none, it is left out, which a message
#'   says.
#' * `"ranklib"`, and sums in all but `"onnx"`, take a missing value for 0. `missing = "zero"` writes
#'   a model that does not.
#' * `"ranklib"` knows features by their position, from 1, `"lightgbm"` too. Others know them by
#'   their names, and a feature that the engine does not log under its name is an error there.
#'
#' The format `"json"` is an object with `format` (`"rankmix model"`), `version` (1), `kind` (the
#' ranker) and `model`, whose fields are those of the R object. A value is `null`, a number, a
#' string, `true` or `false`; or an object with one of the keys `double`, `integer`, `logical` or
#' `text` (an array, whose missing values are `null`; of doubles also `"NaN"`, `"Inf"`, `"-Inf"`)
#' and perhaps `dim`, `dimnames` or `names`; `list` (an array of values), `fields` (an object of
#' values) or
#' `table` (an object of columns); `made_by`, the function that makes a setting, and `settings`,
#' its arguments; `calibrator`, the fields of a fitted one; or `kind` and `model`, a model inside
#' another, as in mixtures. A `table` whose rows are part of a larger one has `rows`, their names.
#' Trees are as follows: the nodes
#' and leaves of all trees come one after the other, tree t has the nodes `node_begin[t]` to
#' `node_begin[t + 1] - 1`, and leaves by `leaf_begin` likewise, round r the trees by
#' `round_begin`, all from 0; a value up to `threshold` goes `left`, a missing one so if
#' `missing_left` is 1; a child from 0 is a node of the tree, a child c below 0 its leaf -c - 1;
#' `values` has `outputs` numbers a leaf. What is read is checked; nothing of a file is ever run.
#' Reading needs the package jsonlite.
#'
#' @return `write_model()`: the path, invisibly. `read_model()`: the model, which predicts what
#'   the one that was written predicts.
#' @section Conditions: `rankmix_error_format`: the format cannot say what the model does; a student
#'   that [distill()] trains on its scores it can.
#'   `rankmix_error_missing`: the format or the engine sends missing values elsewhere than the model
#'   does, see `missing`. `rankmix_warning_missing`: some engines do.
#'   `rankmix_error_features`: it knows features by names, and the model was trained without.
#'   `rankmix_error_model`: the model lacks something, as those of earlier versions may.
#'   `rankmix_error_model_file`: what is read is no model, is broken, or is of a later version.
#'   `rankmix_error_file`: the file cannot be read or written. `rankmix_warning_threshold`: Solr
#'   compares with other thresholds.
#' @references The formats are those of LightGBM from version 4 on, RankLib, Solr from 9.2 on, and
#'   the learning to rank plugin of o19s, as their parsers read them.
#' @examples
#' train <- simulate_ranking(50, seed = 1)$data
#' model <- fit(gbrt(trees = 10, num_leaves = 4), train, threads = 1)
#' file <- tempfile(fileext = ".c")
#' write_model(model, file, "c")
#' tail(readLines(file), 12)
#' @examplesIf requireNamespace("jsonlite", quietly = TRUE)
#' json <- tempfile(fileext = ".json")
#' write_model(model, json)
#' identical(predict(read_model(json), train), predict(model, train))
#' @export
write_model <- function(model, file, format = NULL, name = "rankmix", missing = "error",
                        engine = NULL, ...) {
  check_no_others(...)
  check_all_given()
  if (inherits(model, "rankmix_distilled")) model <- model$student
  check_class(model, "model", "rankmix_ranker", "`fit()`")
  if (!is.null(format)) check_choice(format, "format", names(model_formats()))
  check_choice(missing, "missing", c("error", "zero"))
  check_text(name, "name")
  check_writable(file)
  call <- rlang::current_env()
  format <- format_of_file(file, format, call)
  options <- list(name = name, missing = missing, engine = read_engine(engine, format, call))
  check_chosen_of(model, format, call)
  if (format != "json") model <- current_model(model, call)
  check_named_for(model, format, call)
  content <- with_points(written_content(model, format, options, call))
  if (is.raw(content)) {
    write_beside(file, function(partial) write_bytes(content, partial))
  } else {
    write_text(content, file)
  }
}

# What gives the lines, or the bytes, of a file, from the model, `options` (see write_model()) and
# the call for errors.
model_formats <- function() {
  list(json = json_lines, c = c_lines, lightgbm = lightgbm_lines, ranklib = ranklib_lines,
       solr = solr_lines, elasticsearch = elasticsearch_lines, onnx = onnx_bytes)
}

# The content of a file. An error of a format that cannot hold the model names those that can.
written_content <- function(model, format, options, call) {
  tryCatch(model_formats()[[format]](model, options, call), rankmix_cannot_hold = function(e) {
    holding <- formats_that_hold(model, setdiff(names(model_formats()), format), options, call)
    stop_input("format", sprintf("The format \"%s\" cannot hold `%s`.", format, ranker_text(model)),
               conditionMessage(e), c(e$remedy, if (length(holding) == 0L) {
                 "No other format can. Keep it by `saveRDS()`, and score it in R."
               } else {
                 sprintf("These formats can: %s.", paste0("\"", holding, "\"", collapse = ", "))
               }, "Or write a student, which `distill()` trains on its scores."), call = call)
  })
}

formats_that_hold <- function(model, formats, options, call) {
  # A format that wants another treatment of missing values holds the model.
  options$missing <- "zero"
  options["engine"] <- list(NULL)
  Filter(function(format) {
    tryCatch({
      check_named_for(model, format, call)
      suppressMessages(suppressWarnings(model_formats()[[format]](model, options, call)))
      TRUE
    }, error = function(e) FALSE)
  }, formats)
}

# Endings of files by their formats, the first one by which a format is recognised.
format_endings <- list(json = "json", c = c("c", "h"), lightgbm = "txt", ranklib = c("txt", "xml"),
                       solr = "json", elasticsearch = "json", onnx = "onnx")

# The format that is given, or that of the ending of the file; both must agree.
format_of_file <- function(file, format, call) {
  ending <- ascii_lower(tools::file_ext(file))
  known <- names(format_endings)[vapply(format_endings, function(e) ending %in% e, NA)]
  if (ending %in% c("rds", "rda", "rdata")) {
    stop_input("argument", sprintf("A file \"%s\" holds an object of R, which no format is.", basename(file)),
               remedy = c("Keep the model by `saveRDS(model, file)`.",
                          "Or write it for other programs to a file such as \"model.json\"."),
               call = call)
  }
  if (is.null(format)) {
    if (ending == "txt") {
      stop_input("argument", sprintf("The ending of \"%s\" is that of several formats.", basename(file)),
                 remedy = sprintf("Give `format`: %s.", paste0("\"", known, "\"", collapse = " or ")),
                 call = call)
    }
    return(if (length(known) > 0L) known[1L] else "json")
  }
  if (length(known) > 0L && !format %in% known) {
    stop_input("argument", sprintf("A file \"%s\" cannot hold the format \"%s\".", basename(file), format),
               sprintf("The ending is that of the format %s.", paste0("\"", known, "\"", collapse = " or ")),
               sprintf("Write to a file that ends in \".%s\", or leave `format` out.",
                       format_endings[[format]][1L]), call = call)
  }
  format
}

# Our own format takes a path of which nothing was chosen.
check_chosen_of <- function(model, format, call) {
  if (format != "json") check_chosen(model, call)
}

# Engines know features by the names that they log.
check_named_for <- function(model, format, call) {
  if (format %in% c("solr", "elasticsearch") && !is.null(model$features) && !isTRUE(model$named)) {
    stop_input("features", sprintf("The format \"%s\" knows features by their names.", format),
               sprintf("`%s` was trained on features without names.", ranker_text(model)),
               "Train it on data whose columns have the names that the engine logs.", call = call)
  }
}

check_text <- function(x, name, call = rlang::caller_env()) {
  if (!is.character(x) || length(x) != 1L || is.na(x) || !nzchar(x)) {
    stop_input("argument", sprintf("`%s` must be one string, not %s.", name, show_value(x)),
               call = call)
  }
}

#' @rdname write_model
#' @export
read_model <- function(file) {
  check_all_given()
  check_readable(file)
  rlang::check_installed("jsonlite", "to read a model")
  call <- rlang::current_env()
  tryCatch(
    with_points(usable_model(model_of_json(parsed_json(file)))),
    rankmix_error_file = stop,
    error = function(e) stop_model_file(file, e, call)
  )
}

# What is only told and not calculated with is broken if it cannot be printed.
usable_model <- function(model) {
  utils::capture.output(suppressWarnings(print(model)))
  model
}

# Whatever is wrong with it, in a constructor's words, the parser's or ours.
stop_model_file <- function(file, error, call) {
  stop_input("model_file", sprintf("'%s' holds no model that can be used.", file),
             sprintf("%s", first_line(conditionMessage(error))),
             "Write it again by `write_model()`.", call = call)
}

first_line <- function(text) {
  line <- iconv(strsplit(text, "\n", fixed = TRUE)[[1L]][1L], "UTF-8", "UTF-8", sub = "?")
  if (nchar(line) > 200L) paste0(substr(line, 1L, 197L), "...") else line
}

# The format cannot hold the model, for a reason. written_content() says so, and which formats can.
cannot_hold <- function(reason, remedy = NULL) {
  rlang::abort(reason, class = "rankmix_cannot_hold", remedy = remedy)
}

ranker_text <- function(model) {
  if (is_specification(model$spec)) format(model$spec) else class(model)[1L]
}
