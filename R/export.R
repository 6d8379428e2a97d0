# Writes models for other programs, and reads them back. export-<format>.R has what each format
# can hold. export-parts.R turns models into trees or weighted sums. import.R reads models of other programs.

#' Write a model for another program, and read it back
#'
#' `write_model()` writes a trained ranker to a file from which another program computes scores.
#' `read_model()` reads the package's own format, `"json"`, and models of trees that LightGBM or XGBoost
#' trained. An imported model can be evaluated, compared, explained, mixed and written like other rankers.
#'
#' @param model The ranker: trained by [fit()], made by [mix()] or [calibrate()], or a student
#'   of [distill()].
#' @param file The path of the file.
#' @param format The format, see Details. With `NULL`, the endings `.c`, `.h`, `.onnx`, `.sql` and `.xml` (RankLib)
#'   decide, `.txt` is an error, and others mean JSON. A format and an ending that disagree are an error. For
#'   `read_model()` one of `"json"`, `"lightgbm"` and `"xgboost"`; with `NULL` the content decides.
#' @param name The name of the model in Solr, Elasticsearch and ONNX; default `"rankmix"`.
#' @param missing What to do if a format treats a missing value as 0 and the model does not. `"error"`
#'   is the default. `"zero"` writes the model anyway. Use it if no value will be missing, or if a
#'   missing value means 0.
#' @param engine The engine for `format = "elasticsearch"`, with its version, such as `"elasticsearch
#'   9.0"` or `"opensearch 2.19"`. Without a version, the newest version is assumed. `NULL`, the default, means any
#'   engine.
#' @param ... Must be empty.
#'
#' @return `write_model()` returns the path, invisibly. `read_model()` returns the model. A file of `"json"`
#'   gives the same predictions.
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
#'
#' # A model of LightGBM is a ranker like others.
#' text <- tempfile(fileext = ".txt")
#' write_model(model, text, "lightgbm")
#' imported <- read_model(text)
#' imported
#' evaluate(imported, train, "ndcg@10")
#'
#' @details
#' | `format` | format, and the rankers that it can store |
#' |---|---|
#' | `"json"` | the complete model, for `read_model()`: all rankers without your own functions |
#' | `"c"` | C99, `double score(const double *x)`: all rankers without your own functions |
#' | `"lightgbm"` | LightGBM's text, version 4: trees |
#' | `"ranklib"` | RankLib's ensemble or linear model: trees, sums |
#' | `"solr"` | a model of Apache Solr: trees, sums, networks without normalization and logarithms |
#' | `"elasticsearch"` | a request to the learning to rank plugin: trees, sums |
#' | `"xgboost"` | XGBoost's JSON model: trees |
#' | `"onnx"` | ONNX, of ai.onnx 16 and ai.onnx.ml 3: nearly all rankers |
#' | `"sql"` | a SQL expression for SQLite, PostgreSQL and DuckDB: trees, sums |
#'
#' Models with probabilities, from [calibrator_probability()], are written as JSON only. The ranker without its
#' calibrator can be written in other formats.
#'
#' Trees are [gbrt()], [rankboost()] and [adaboost_mh()]. Sums are [linear_ranker()], [ranksvm()],
#' [smoothrank()], [coordinate_ascent()], [adarank()], [mcsvm()] and [best_feature()]. Trees after
#' `best_rounds` are not written.
#'
#' **Elasticsearch and OpenSearch.** The file is the body of a `_createmodel` request to the plugin,
#' with a `model/xgboost+json` of trees or a `model/linear` of sums. A feature is missing if its query
#' does not match the document:
#'
#' | `engine` | a missing value in trees |
#' |---|---|
#' | Elasticsearch from 8.11.4 (plugin 1.5.9) | goes where the model sends it |
#' | Elasticsearch before | is 0 |
#' | OpenSearch from 3.8 | goes where the model sends it |
#' | OpenSearch 3.2 to 3.7 | always goes right, like a value above the threshold |
#' | OpenSearch before 3.2 | is 0 |
#'
#' If `engine` and the model send a missing value to different children, `write_model()` fails (see `missing`). Without
#' `engine`, `write_model()` warns if this is the case for some engines.
#'
#' **ONNX.** The input `features` is a matrix of 32-bit floats, one row per document, with `NaN` for
#' missing values. The output `score` is a column. The metadata entry `features` has their names as
#' JSON. The format can store trees, sums, networks, and [m5p()], [bagging()] and [cocr()] of them. The format can also
#' store results of [calibrate()], [mixture()], [tune_and_mix()] and [mix()]. The format cannot store R code, features
#' or scores that are standardized by query, [fuse()], or predicted grades of [cocr()] with trees.
#'
#' **XGBoost.** The file is a model of the booster `gbtree`, for `Booster.load_model()`. Programs that accept models of
#' XGBoost, such as Eland and treelite, can use it through XGBoost. For Vespa, load the file in XGBoost and save the
#' model with the ending `.ubj`. The objective is `rank:ndcg`, which leaves scores as they are. Values of leaves are
#' rounded to the nearest floats. XGBoost adds them to the constant as floats, in the order of the trees. `sum_hessian`
#' has the numbers of training documents.
#'
#' **SQL.** The file is one expression of the columns of a table `features`:
#' `SELECT features.*, (<file>) AS score FROM my_table AS features`. Columns have the names of the features
#' and the type `DOUBLE PRECISION`. Missing values are `NULL`, not NaN. Scores of [gbrt()], [rankboost()] and
#' sums equal [predict()] bit for bit: numbers have 17 digits, and additions have the same order.
#' [best_feature()] has -1.8e308 instead of `-Inf`. Each tree is a `CASE` expression. The database must first compile
#' the expression. With 500 trees of 31 leaves, this takes seconds in SQLite and PostgreSQL, and minutes in DuckDB.
#' PostgreSQL's time grows with the square of the number of trees.
#'
#' **C.** The scores equal [predict()], bit for bit, if the compiler rounds each operation to its type
#' and features are not a sparse matrix. `x` has the features in the model's order, and `NAN` for
#' missing values. Networks use single precision and their own `exp()`, in [predict()] and in C.
#' `calibrator_rbc("logistic")` and `log1p = TRUE` use `exp()` and `log1p()` of the C library, which
#' must be the library that R uses (link with `-lm`). Mixtures and calibrated classifiers become one
#' file, except with `standardize = "query"`, added features computed by query, and members of [mix()]
#' given as scores.
#'
#' **Formats other than `"json"` and `"c"`:**
#'
#' * Splits by sets of levels ([gbrt()] with `categories = "subsets"`) become tests of 0/1 features, except
#'   in `"json"`.
#' * `"lightgbm"` and `"sql"` use double precision. `"ranklib"`, `"solr"`, `"elasticsearch"` and `"xgboost"` read
#'   features and thresholds as 32-bit floats, and some compare by `<` or with a tolerance. Each threshold
#'   becomes a float that makes the same decisions for 32-bit features below 3.4e38 in magnitude. The reading program
#'   rounds sums to about 7 digits. Solr adds 0.000001 to a threshold. If no float can correct this, for example near
#'   0, a warning shows the difference.
#' * `"onnx"` also compares 32-bit floats, with the same decisions for all 32-bit features, including infinite values.
#'   The values of leaves are added as floats, and networks are computed in floats. Scores of trees differ by at most
#'   about 6e-8 times the number of trees and the sum of their leaves. Scores of networks differ by about 1e-6 of their
#'   size. All other computations are in double precision, and the score is rounded to a float.
#' * The score of a classifier is calibrated. Formats other than `"json"` and `"c"` contain its linear score instead,
#'   \eqn{\sum_l (2^l - 1) f_l}{sum_l (2^l - 1) f_l} of the discriminants \eqn{f_l}{f_l}. A message reports this. The
#'   linear score may rank differently from `predict()`.
#' * A [base_product()] of trees becomes one tree with the same decisions, of at most 4096 leaves.
#' * An intercept changes no ranking. If a format has no intercept, it is left out, with a message.
#' * `"ranklib"`, and sums in all formats but `"onnx"` and `"sql"`, treat a missing value as 0.
#' * `"ranklib"`, `"lightgbm"` and `"xgboost"` identify features by position, `"ranklib"` from 1. Other formats
#'   identify features by name, and the engine must log features under these names.
#'
#' **JSON.** The file is an object with `format` (`"rankmix model"`), `version` (1), `kind` (the ranker)
#' and `model`, the fields of the R object. A value is `null`, a number, a string, `true`, `false`, or
#' an object with one of these keys:
#'
#' * `double`, `integer`, `logical` or `text`: an array, perhaps with `dim`, `dimnames` or `names`. Missing
#'   values are `null`; doubles can also be `"NaN"`, `"Inf"` and `"-Inf"`.
#' * `list`: an array of values. `fields`: an object of values.
#' * `table`: an object of columns. `rows` are the row names of a part of a table.
#' * `made_by`: the function that makes a setting, with its arguments in `settings`.
#' * `calibrator`: the fields of a fitted calibrator.
#' * `kind` and `model`: a model inside another model, as in mixtures.
#'
#' The nodes and leaves of all trees are concatenated. Tree t has the nodes `node_begin[t]` to
#' `node_begin[t + 1] - 1`, from 0. `leaf_begin` gives the leaves of each tree in the same way, and `round_begin` the
#' trees of each round. A value up to `threshold` goes `left`, and so does a missing value if `missing_left` is 1. A
#' child of 0 or more is a node of the tree. A child c below 0 is leaf -c - 1. `values` has `outputs` numbers per leaf.
#' Reading checks the file, runs no code, and needs the package jsonlite.
#'
#' @section Models of LightGBM and XGBoost:
#' `read_model()` reads LightGBM's text (`save_model()`, versions 2 to 4) and XGBoost's JSON (`save_model()`
#' to a file `.json`, boosters `gbtree` and `dart`). Scores are raw scores: the sum of the trees, without the
#' transformation of the objective. All trees count, also those after XGBoost's `best_iteration`; see
#' `rounds` of `predict()`. Features are matched by name, or by position if the file has no names.
#'
#' * LightGBM: scores equal LightGBM's bit for bit. Missing values follow its rules None and NaN. A model with
#'   `zero_as_missing` can be read only if zeros go to the same child as neighbouring values.
#' * XGBoost: every document reaches the same leaf as in XGBoost, which rounds features to floats and
#'   compares by `<`. rankmix adds leaves in double precision, and XGBoost adds floats. Scores differ by about 1e-7 of
#'   the sum of the magnitudes of the leaves.
#'
#' [explain()] uses the numbers of training documents of LightGBM, and the sums of hessians of XGBoost, as the
#' contributions of these programs do. If the file has no such numbers, give a `background`. The model cannot be
#' trained further. Not supported are categorical splits, linear models in leaves, several classes or targets, averaged
#' trees, the booster `gblinear`, and text dumps. No code of a file is run.
#'
#' @section Conditions:
#' * `rankmix_error_format`: the format cannot store the model. [distill()] trains a student that the format can store.
#' * `rankmix_error_missing`: the format or engine treats missing values differently.
#'   `rankmix_warning_missing`: some engines treat missing values differently.
#' * `rankmix_error_features`: the format uses feature names, and the model was trained without names, or a name has
#'   bytes that are not text.
#' * `rankmix_error_model`: the model's fields were changed after training.
#' * `rankmix_error_model_file`: the file has no model, has a model that cannot be a ranker, is damaged, or is of a
#'   later version. The message names the tree and the field.
#' * `rankmix_error_file`: the file cannot be read or written.
#' * `rankmix_warning_threshold`: Solr compares with other thresholds.
#' @references Parsers of LightGBM from version 4, RankLib, Solr from 9.2, the learning to rank
#'   plugin of o19s, and XGBoost 1.7.
#' @export
write_model <- function(model, file, format = NULL, name = "rankmix", missing = "error",
                        engine = NULL, ...) {
  check_no_others(...)
  check_all_given()
  if (inherits(model, "rankmix_distilled")) model <- model$student
  check_class(model, "model", "rankmix_ranker", "`fit()`", remedy = if (is.character(model)) {
    "Write the model first, then the file: `write_model(model, \"model.json\")`."
  } else {
    remedy_of_result(model)
  })
  if (!is.null(format)) check_choice(format, "format", names(model_formats()))
  check_choice(missing, "missing", c("error", "zero"))
  check_text(name, "name")
  check_writable(file)
  call <- rlang::current_env()
  format <- format_of_file(file, format, call)
  options <- list(name = name, missing = missing, engine = read_engine(engine, format, call))
  check_chosen_of(model, format, call)
  if (format != "json") check_undamaged(model, call)
  check_named_for(model, format, call)
  content <- with_points(written_content(model, format, options, call))
  if (is.raw(content)) {
    write_bytes_beside(content, file)
  } else {
    write_text(content, file)
  }
}

# The writer of each format. Its arguments are the model, `options` (see write_model()) and the call
# for errors. It returns the lines, or the bytes, of the file.
model_formats <- function() {
  list(json = json_lines, c = c_lines, lightgbm = lightgbm_lines, ranklib = ranklib_lines,
       solr = solr_lines, elasticsearch = elasticsearch_lines, xgboost = xgboost_lines,
       onnx = onnx_bytes, sql = sql_lines)
}

# The content of a file. If a format cannot hold the model, the error names the formats that can.
written_content <- function(model, format, options, call) {
  tryCatch(model_formats()[[format]](model, options, call), rankmix_cannot_hold = function(e) {
    holding <- formats_that_hold(model, setdiff(names(model_formats()), format), options, call)
    stop_input("format", sprintf("The format \"%s\" cannot store %s.", format, ranker_words(model)),
               conditionMessage(e), c(e$remedy, if (length(holding) == 0L) {
                 "No other format can store it. Save it by `saveRDS()`, and score it in R."
               } else {
                 sprintf("These formats can: %s.", paste0("\"", holding, "\"", collapse = ", "))
               }, "Or write a student: `distill()` trains it on the scores of the model."), call = call)
  })
}

formats_that_hold <- function(model, formats, options, call) {
  # A format counts as able to hold the model if only missing values need another treatment.
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

# The endings of files by format. A format is recognised by the first of its endings.
format_endings <- list(json = "json", c = c("c", "h"), lightgbm = "txt", ranklib = c("txt", "xml"),
                       solr = "json", elasticsearch = "json", xgboost = "json", onnx = "onnx",
                       sql = "sql")

# The given format, or the format of the file's ending. Both must agree.
format_of_file <- function(file, format, call) {
  ending <- ascii_lower(tools::file_ext(file))
  known <- names(format_endings)[vapply(format_endings, function(e) ending %in% e, NA)]
  if (ending %in% c("rds", "rda", "rdata")) {
    stop_input("argument",
               sprintf("A file \"%s\" is for an object of R, not for a format of `write_model()`.", basename(file)),
               remedy = c("Keep the model by `saveRDS(model, file)`.",
                          "Or write it for other programs to a file such as \"model.json\"."),
               call = call)
  }
  if (is.null(format)) {
    if (ending == "txt") {
      stop_input("argument", sprintf("Several formats use the ending of \"%s\".", basename(file)),
                 remedy = sprintf("Give `format`: %s.", paste0("\"", known, "\"", collapse = " or ")),
                 call = call)
    }
    return(if (length(known) > 0L) known[1L] else "json")
  }
  if (length(known) > 0L && !format %in% known) {
    stop_input("argument", sprintf("A file \"%s\" cannot be of the format \"%s\".", basename(file), format),
               sprintf("The ending belongs to the format %s.", paste0("\"", known, "\"", collapse = " or ")),
               sprintf("Write to a file that ends in \".%s\", or leave `format` out.",
                       format_endings[[format]][1L]), call = call)
  }
  format
}

# Only our own format can hold a path from which no model was chosen.
check_chosen_of <- function(model, format, call) {
  if (format != "json") check_chosen(model, call)
}

# Search engines identify features by their logged names, databases by their columns.
check_named_for <- function(model, format, call) {
  if (format %in% c("solr", "elasticsearch", "sql") && !is.null(model$features) && !isTRUE(model$named)) {
    stop_input("features", sprintf("The format \"%s\" uses features by their names.", format),
               sprintf("`%s` was trained on features without names.", ranker_text(model)),
               sprintf("Train it on data whose columns have the names that the %s.",
                       if (format == "sql") "table has" else "engine logs"), call = call)
  }
  # "ranklib" has no names, and "c" only in comments.
  wrong <- if (!format %in% c("c", "ranklib")) model$features[!validEnc(as.character(model$features))]
  if (length(wrong) > 0L) {
    stop_input("features", sprintf("The format \"%s\" cannot store the name of a feature.", format),
               sprintf("`%s` has bytes that are not text.", wrong[1L]),
               "Convert the names of the columns, such as by `iconv(names, \"latin1\", \"UTF-8\")`, and train again.",
               call = call)
  }
}

check_text <- function(x, name, call = rlang::caller_env()) {
  if (!is.character(x) || length(x) != 1L || is.na(x) || !nzchar(x) || !validUTF8(x)) {
    stop_input("argument", sprintf("`%s` must be one string, not %s.", name, show_value(x)),
               call = call)
  }
}

#' @rdname write_model
#' @export
read_model <- function(file, format = NULL) {
  check_all_given()
  check_readable(file)
  if (!is.null(format)) check_choice(format, "format", c("json", import_formats))
  if (is.null(format) && begins_as_lightgbm(file)) format <- "lightgbm"
  if (!identical(format, "lightgbm")) rlang::check_installed("jsonlite", "to read a model")
  call <- rlang::current_env()
  tryCatch(
    with_points(usable_model(model_of_file(file, format))),
    rankmix_error_file = stop,
    error = function(e) {
      keep_memory_error(e)
      stop_model_file(file, e, call)
    }
  )
}

# With `format` NULL, the keys of the JSON decide.
model_of_file <- function(file, format) {
  if (identical(format, "lightgbm")) {
    return(model_of_lightgbm(file))
  }
  json <- parsed_json(file)
  if (is.null(format)) format <- imported_format(json)
  if (format == "xgboost") model_of_xgboost(json) else model_of_json(json)
}

# Printing and glance() check the fields that only they use.
usable_model <- function(model) {
  utils::capture.output(suppressWarnings(print(model)))
  glance(model)
  model
}

# The original error may come from a constructor, from the parser, or from rankmix.
stop_model_file <- function(file, error, call) {
  stop_input("model_file", sprintf("'%s' has no model that can be used.", file),
             sprintf("%s", first_line(conditionMessage(error))),
             paste("`read_model()` reads the format \"json\" of `write_model()`, LightGBM's text and XGBoost's JSON.",
                   "Write the file again."), call = call)
}

first_line <- function(text) {
  line <- iconv(strsplit(text, "\n", fixed = TRUE)[[1L]][1L], "UTF-8", "UTF-8", sub = "?")
  if (nchar(line) > 200L) paste0(substr(line, 1L, 197L), "...") else line
}

# Signals why the format cannot hold the model. written_content() adds the formats that can.
cannot_hold <- function(reason, remedy = NULL) {
  rlang::abort(reason, class = "rankmix_cannot_hold", remedy = remedy)
}

ranker_text <- function(model) {
  if (is_specification(model$spec)) format(model$spec) else class(model)[1L]
}

# The description of the model in a sentence of a message.
ranker_words <- function(model) {
  if (inherits(model, c("rankmix_mixture", "rankmix_mix"))) {
    "this mixture"
  } else if (inherits(model, c("rankmix_calibrated", "rankmix_probability_model"))) {
    "this calibrated ranker"
  } else if (inherits(model, "rankmix_cascade_model")) {
    "this cascade"
  } else {
    sprintf("`%s`", ranker_text(model))
  }
}
