#' Read values of queries from other tools
#'
#' Reads files with a value for each query, written by trec_eval, ir_measures, ranx or PyTerrier, or as a
#' long table. Use it to test differences of rankers that were evaluated elsewhere.
#'
#' @param files The paths of the files, which may be compressed (`.gz`). Names of this vector become the names
#'   of the rankers, as in `c(bm25 = "run1.eval")`. By default, the name of a ranker is read from its file. If
#'   the file has no name, the file name without endings is used.
#' @param format The format of the files, see Details. By default it is detected for each file.
#' @param columns The columns of long tables with other names, see [as_evaluation()].
#' @param metric The names of the metrics to keep. By default all are kept. For long tables without a column
#'   `metric`, the name of the metric.
#' @param topics,fill The treatment of missing values, see [as_evaluation()]. The default `"error"` stops.
#'
#' @return An evaluation, as from [as_evaluation()], with the columns `ranker`, `query`, `metric` and `value`, and
#'   `fold` and `weight` if the tables have them.
#' @examples
#' files <- file.path(tempdir(), c("bm25.eval", "trees.eval"))
#' writeLines(c("map\t1\t0.2500", "map\t2\t0.5000", "runid\tall\tbm25"), files[1])
#' writeLines(c("map\t1\t0.3500", "map\t2\t0.7500", "runid\tall\ttrees"), files[2])
#' evaluation <- read_evaluation(files)
#' evaluation
#' compare_rankers(evaluation, seed = 1)
#'
#' @details
#' * `"trec_eval"`: lines `measure<TAB>query<TAB>value`, as `trec_eval -q` prints.
#' * `"ir_measures"`: lines `query<TAB>measure<TAB>value`, as `ir_measures -q` prints. A first column may name
#'   the run. The JSON of `--output_format jsonl` is read, too.
#' * `"ranx"`: JSON of `run.scores`, with values by metric and query.
#' * `"pyterrier"`: CSV of `Experiment(perquery=True)`, with the columns `name`, `qid`, `measure` and `value`.
#' * `"long"`: CSV with a header. The file has `query`, `value` and further columns of [as_evaluation()].
#'
#' **trec_eval.** Lines for `all` queries are left out. The `runid` in these lines names the ranker. `num_ret` and
#' `num_rel` become the columns `documents` and `relevant`. Measures with text, such as `relstring`, are left out.
#' Several outputs may be in one file.
#'
#' **ir_measures.** Lines for `all` queries are left out.
#'
#' **ranx.** A Report of ranx has no values of queries. Write them in Python by
#' `json.dump({run.name: run.scores for run in runs}, file)`, or by `json.dump(run.scores, file)` for one
#' run. Reading needs the package jsonlite.
#'
#' **CSV.** Columns are separated by commas, semicolons or tabs. Empty values and `NA` are missing values. A
#' first column without a name, the index of pandas, is ignored.
#'
#' Values are read as printed. `trec_eval` prints 4 decimals, so values that differ by less are ties.
#'
#' @section Conditions:
#' * `rankmix_error_parse` with the fields `file`, `line` and `found`: a line that does not parse, or an
#'   unknown format. The message for an unknown format lists the formats that were tried.
#' * `rankmix_error_file`: a file cannot be read. `rankmix_error_empty`: it has no line.
#' * `rankmix_error_argument`: no files; a name for a file with several rankers.
#' * `rankmix_error_column`: some files have a column `fold` or `weight`, and others lack it.
#' * `rankmix_error_queries`: a query has two values, or none. See [as_evaluation()], also for its further
#'   conditions.
#' @references The formats: \url{https://github.com/usnistgov/trec_eval}, \url{https://ir-measur.es},
#'   \url{https://amenra.github.io/ranx/}, \url{https://pyterrier.readthedocs.io}
#' @export
read_evaluation <- function(files, format = NULL, metric = NULL, columns = NULL, topics = "error",
                            fill = NULL) {
  check_given(missing(files), "files", "Give the paths of files with values of queries.")
  if (!is.character(files) || length(files) == 0L || anyNA(files)) {
    stop_input("argument", sprintf("`files` must be paths of files, not %s.", show_value(files)))
  }
  if (!is.null(format)) check_choice(format, "format", evaluation_formats)
  call <- rlang::current_env()
  names <- rlang::names2(files)
  tables <- lapply(seq_along(files), function(i) {
    table <- read_values(files[[i]], format, columns, call)
    name_ranker(table, files[[i]], names[i], call)
  })
  evaluation_of_values(bind_values(tables, files, call), metric, NULL, topics, fill, call)
}

evaluation_formats <- c("trec_eval", "ir_measures", "ranx", "pyterrier", "long")

read_values <- function(file, format, columns, call) {
  lines <- evaluation_lines(file, call)
  if (is.null(format)) format <- detect_format(lines, columns, file, call)
  switch(format,
         trec_eval = parse_trec_eval(lines, file, call),
         ir_measures = parse_ir_measures(lines, file, call),
         ranx = parse_ranx(lines, file, call),
         pyterrier = parse_long(lines, NULL, pyterrier_columns, file, call),
         long = parse_long(lines, columns, c("query", "value"), file, call))
}

# The lines of a file that are not empty, with their numbers. The file may be compressed.
evaluation_lines <- function(file, call) {
  check_readable(file, call)
  lines <- line_file(file, call)
  on.exit(lines$close())
  text <- as_utf8(lines$take(Inf))
  text <- sub("\r$", "", text)
  text[1L] <- sub("^\ufeff", "", text[1L])
  number <- which(grepl("\\S", text))
  if (length(number) == 0L) {
    stop_input("empty", sprintf("'%s' has no line.", file), call = call)
  }
  list(text = text[number], number = number)
}

stop_line <- function(file, lines, at, problem, found, remedy, call) {
  stop_if_failed(file, list(error = problem, kind = "parse", line = lines$number[at],
                            found = cut_text(found, 60L), remedy = remedy), call)
}

# The name of the ranker in a file: given by the user, read from the file, or the name of the file.
name_ranker <- function(table, file, name, call) {
  known <- unique(table$ranker)
  if (nzchar(name)) {
    if (length(known) > 1L) {
      stop_input("argument", sprintf("'%s' has several rankers, so it needs no name.", file),
                 sprintf("It has %s. The name is `%s`.", enumerate(known), name), call = call)
    }
    table$ranker <- name
  } else if (is.null(known)) {
    table$ranker <- sub("([.](gz|txt|tsv|csv|json|eval|res|out|trec|tab))+$", "", basename(file))
  }
  table
}

# The rows of all files. A column that some files lack is NA for them, except folds and weights.
bind_values <- function(tables, files, call) {
  columns <- unique(unlist(lapply(tables, names)))
  for (name in intersect(c("fold", "weight"), columns)) {
    has <- vapply(tables, function(table) !is.null(table[[name]]), NA)
    if (!all(has)) {
      stop_input("column", sprintf("'%s' has a column `%s`, and '%s' has none.", files[has][1L], name,
                                   files[!has][1L]), call = call)
    }
  }
  tables <- lapply(tables, function(table) {
    table[setdiff(columns, names(table))] <- NA
    table[columns]
  })
  table <- do.call(rbind, tables)
  file <- rep(seq_along(tables), vapply(tables, nrow, 0L))
  key <- paste(table$ranker, table$metric, query_keys(table$fold, table$query), sep = "\r")
  twice <- which(duplicated(key))[1L]
  if (!is.na(twice) && file[match(key[twice], key)] != file[twice]) {
    stop_input("queries", sprintf("%s occurs twice.", place_of(table, twice)),
               sprintf("It is in '%s' and in '%s'.", files[file[match(key[twice], key)]], files[file[twice]]),
               "Give the files the names of their rankers: `c(first = \"a.eval\", second = \"b.eval\")`.",
               call = call)
  }
  table
}
