# Parsers of files with values of queries, and the detection of their formats.
#
# Each parser takes the lines of evaluation_lines() and returns a data frame with the columns `query`,
# `metric`, `value` and, if the file has them, `ranker` and others.

# Detection -------------------------------------------------------------------------------

# The format of the lines. Each entry of `reasons` is the reason why the file does not have this
# format, or "" if it has.
detect_format <- function(lines, columns, file, call) {
  reasons <- c(ranx = json_reason(lines), pyterrier = header_reason(lines, pyterrier_columns, NULL),
               long = header_reason(lines, c("query", "value"), columns), fields_reasons(lines))
  fits <- names(reasons)[!nzchar(reasons)]
  if (length(fits) > 0L) {
    return(fits[1L])
  }
  rlang::abort(
    condition_bullets(sprintf("The format of '%s' is unknown.", file),
                      sprintf("Not %s: %s.", names(reasons), reasons),
                      "Give `format`, and `columns` if a table has other names of columns."),
    class = c("rankmix_error_parse", "rankmix_error"), file = file, line = lines$number[1L],
    found = cut_text(printable(lines$text[1L]), 60L), call = call
  )
}

pyterrier_columns <- c("name", "qid", "measure", "value")

json_reason <- function(lines) {
  if (!begins_json(lines)) {
    return("it does not begin with `{`")
  }
  if (has_json_lines(lines)) "each line is an object" else ""
}

begins_json <- function(lines) grepl("^\\s*\\{", lines$text[1L])

# ir_measures writes an object a line with `--output_format jsonl`.
has_json_lines <- function(lines) grepl("^\\s*\\{.*\"measure\".*\\}\\s*$", lines$text[1L])

# Whether the first line is a header with the columns.
header_reason <- function(lines, wanted, columns) {
  header <- header_of(lines$text[1L])
  given <- names(columns)[columns %in% header]
  known <- unlist(Map(function(name, others) if (any(others %in% header)) name,
                      names(column_aliases), column_aliases))
  lacking <- setdiff(wanted, c(header, given, known))
  if (length(lacking) == 0L) "" else sprintf("the first line has no column %s", enumerate(lacking))
}

# trec_eval pads short names of measures with blanks. Both tools write lines for "all" queries. If the lines
# show neither, the names of measures decide.
fields_reasons <- function(lines) {
  if (has_json_lines(lines)) {
    return(c(trec_eval = "it begins with `{`", ir_measures = ""))
  }
  fields <- strsplit(utils::head(lines$text, 10000L), "\t", fixed = TRUE)
  counts <- lengths(fields)
  if (!all(counts == counts[1L]) || !counts[1L] %in% 3:4) {
    odd <- if (counts[1L] %in% 3:4) which(counts != counts[1L])[1L] else 1L
    reason <- sprintf("line %d has %s by tabs", lines$number[odd], counted(counts[odd], "field"))
    return(c(trec_eval = reason, ir_measures = reason))
  }
  fields <- do.call(rbind, fields)
  first <- fields[, ncol(fields) - 2L]
  second <- fields[, ncol(fields) - 1L]
  trec <- ncol(fields) == 3L && (any(grepl(" $", first)) || any(second == "all"))
  measures <- any(first == "all") || ncol(fields) == 4L
  if (!trec && !measures) {
    trec <- all(grepl(trec_measure, first))
    measures <- !trec && all(grepl(ir_measure, second))
  }
  c(trec_eval = if (trec) "" else "the first fields are not its measures",
    ir_measures = if (measures && !trec) "" else "the second fields are not its measures")
}

# Names of measures of both tools, which have some in common, such as `P` in `P_10` and `P@10`.
trec_measure <- sprintf("^(%s)$", paste(c(
  "num_.*", "(gm_)?(map|bpref|ndcg)(_.*)?", "Rprec(_.*)?", "recip_rank", "iprec_at_.*",
  "(recall|success|relative_P|set|P)_.*", "ndcg_rel", "infAP", "utility.*", "11pt_avg", "binG", "G",
  "relstring.*"
), collapse = "|"))
ir_measure <- sprintf("^(%s)([(].*[)])?(@[0-9]+)?$", paste(c(
  "(alpha_|\u03b1_)?n?DCG", "NDCG", "AP", "MAP", "P", "R", "Recall", "Precision", "RR", "MRR", "ERR",
  "NERR[0-9]+", "Bpref", "Judged", "RBP", "Rprec", "RPrec", "Set[A-Za-z]+", "Success", "IPrec", "infAP",
  "INST", "INSQ", "BPM", "SDCG", "Compat", "Accuracy", "NumQ", "NumRet", "NumRel", "NumRelRet",
  "[A-Za-z]+_IA", "StRecall", "n?NRBP"
), collapse = "|"))

# Lines with tabs --------------------------------------------------------------------------

# The fields of all lines, a row each.
tab_fields <- function(lines, counts, like, file, call) {
  fields <- strsplit(lines$text, "[ ]*\t[ ]*")
  odd <- which(!lengths(fields) %in% counts | lengths(fields) != length(fields[[1L]]))
  if (length(odd) > 0L) {
    wanted <- if (length(fields[[1L]]) %in% counts) length(fields[[1L]]) else counts[1L]
    stop_line(file, lines, odd[1L], sprintf("%s, not %d",
                                            counted(length(fields[[odd[1L]]]), "field"), wanted),
              lines$text[odd[1L]], like, call)
  }
  do.call(rbind, fields)
}

# Converts texts to numbers. NaN is a number, NA is not.
line_values <- function(text, lines, at, file, call) {
  value <- suppressWarnings(as.double(text))
  odd <- which(is.na(value) & !is.nan(value))
  if (length(odd) > 0L) {
    stop_line(file, lines, at[odd[1L]], "the value is no number", text[odd[1L]],
              "Is the format right? Give `format`.", call)
  }
  value
}

parse_trec_eval <- function(lines, file, call) {
  fields <- tab_fields(lines, 3L, "Lines of `trec_eval -q` look like `map<TAB>301<TAB>0.2543`.", file, call)
  all <- fields[, 2L] == "all"
  # A new output begins after the lines for all queries.
  output <- cumsum(c(TRUE, all[-length(all)] & !all[-1L]))
  named <- which(all & fields[, 1L] == "runid")
  runs <- fields[named[match(output, output[named])], 3L]
  use <- which(!all & !startsWith(fields[, 1L], "relstring"))
  if (length(use) == 0L) {
    stop_line(file, lines, 1L, "no line for a single query", lines$text[1L],
              "Call trec_eval with `-q`, which prints the values of queries.", call)
  }
  value <- line_values(fields[use, 3L], lines, use, file, call)
  table <- data.frame(query = fields[use, 2L], metric = fields[use, 1L], value = value)
  if (!anyNA(runs)) {
    table <- cbind(ranker = runs[use], table)
  } else if (max(output) > 1L) {
    stop_line(file, lines, which(is.na(runs))[1L], "several outputs, and one has no `runid`",
              lines$text[is.na(runs)][1L], "Give one file for each run.", call)
  }
  counts_as_columns(table)
}

# The counts of ranked and of relevant documents are columns of an evaluation, not metrics.
counts_as_columns <- function(table) {
  key <- paste(table$ranker, table$query, sep = "\r")
  counts <- c(documents = "num_ret", relevant = "num_rel")
  is_count <- table$metric %in% counts
  if (all(is_count)) {
    return(table)
  }
  for (name in names(counts)) {
    own <- table$metric == counts[[name]]
    if (any(own)) table[[name]] <- as.integer(table$value[own][match(key, key[own])])
  }
  table[!is_count, , drop = FALSE]
}

parse_ir_measures <- function(lines, file, call) {
  if (begins_json(lines)) {
    return(parse_json_lines(lines, file, call))
  }
  fields <- tab_fields(lines, 3:4, "Lines of `ir_measures -q` look like `301<TAB>nDCG@10<TAB>0.2543`.", file,
                       call)
  last <- ncol(fields)
  use <- which(fields[, last - 2L] != "all")
  if (length(use) == 0L) {
    stop_line(file, lines, 1L, "no line for a single query", lines$text[1L],
              "Call ir_measures with `-q`, which prints the values of queries.", call)
  }
  table <- data.frame(query = fields[use, last - 2L], metric = fields[use, last - 1L],
                      value = line_values(fields[use, last], lines, use, file, call))
  if (last == 4L) cbind(ranker = fields[use, 1L], table) else table
}

# Tables with a header ---------------------------------------------------------------------

# The separator that occurs most often in the header.
separator_of <- function(line) {
  separators <- c(",", "\t", ";")
  counts <- vapply(separators, function(mark) sum(strsplit(line, "")[[1L]] == mark), 0L)
  separators[which.max(counts)]
}

header_of <- function(line) {
  unname(unlist(utils::read.table(text = line, sep = separator_of(line), quote = "\"", comment.char = "",
                                  colClasses = "character", na.strings = character(), strip.white = TRUE)))
}

# `wanted` are columns that the header must have, before or after they are renamed.
parse_long <- function(lines, columns, wanted, file, call) {
  separator <- separator_of(lines$text[1L])
  counts <- utils::count.fields(textConnection(lines$text), separator, quote = "\"", comment.char = "",
                                blank.lines.skip = FALSE)
  odd <- which(is.na(counts) | counts != counts[1L])
  if (length(odd) > 0L) {
    at <- odd[1L]
    stop_line(file, lines, at, if (is.na(counts[at])) "a quoted text does not end on its line" else {
      sprintf("%s, and the header has %d", counted(counts[at], "field"), counts[1L])
    }, lines$text[at], "All lines need the columns of the header.", call)
  }
  table <- utils::read.table(text = lines$text[-1L], sep = separator, quote = "\"", comment.char = "",
                             colClasses = "character", na.strings = character(), strip.white = TRUE,
                             col.names = header_of(lines$text[1L]), check.names = FALSE)
  # Drops the columns of row numbers that pandas writes.
  table <- table[!names(table) %in% c("", "Unnamed: 0")]
  header <- names(table)
  table <- renamed_columns(table, columns[columns %in% header], call)
  lacking <- setdiff(wanted, c(header, names(table)))
  if (length(lacking) > 0L) {
    stop_line(file, lines, 1L, sprintf("no column %s", enumerate(lacking)), lines$text[1L],
              "Give the names of the table, such as `columns = c(query = \"topic_id\")`.", call)
  }
  numbers <- intersect(c("value", "weight", "documents", "relevant"), names(table))
  table[numbers] <- lapply(numbers, function(name) {
    known <- which(!table[[name]] %in% c("", "NA"))
    value <- rep(NA_real_, nrow(table))
    value[known] <- line_values(table[[name]][known], lines, known + 1L, file, call)
    value
  })
  table
}

# JSON -------------------------------------------------------------------------------------

# {"ndcg@10": {"q1": 0.5}}, or such an object for each run. ranx writes its runs in the same form, as
# {"q1": {"document": 12.5}}, so the names of the metrics decide.
parse_ranx <- function(lines, file, call) {
  rlang::check_installed("jsonlite", "to read values of ranx")
  # Python writes NaN as a bare word, which is no JSON.
  text <- gsub(":\\s*NaN\\b", ": \"NaN\"", paste(lines$text, collapse = "\n"))
  parsed <- tryCatch(jsonlite::parse_json(text), error = function(e) {
    stop_line(file, lines, 1L, "no JSON", lines$text[1L],
              sprintf("jsonlite says: %s", strsplit(conditionMessage(e), "\n")[[1L]][1L]), call)
  })
  if (!is.null(parsed[["model_names"]])) {
    stop_line(file, lines, 1L, "a Report of ranx, which has no values of queries", lines$text[1L],
              ranx_remedy, call)
  }
  runs <- if (any(is_ranx_metric(names(parsed)))) list(parsed) else parsed
  good <- length(runs) > 0L && all(vapply(runs, function(run) {
    is.list(run) && length(run) > 0L && all(is_ranx_metric(names(run))) &&
      all(vapply(run, function(values) is.list(values) && !is.null(names(values)), NA))
  }, NA))
  if (!good) {
    stop_line(file, lines, 1L, "no values of queries by metric", lines$text[1L], ranx_remedy, call)
  }
  tables <- Map(function(run, name) {
    table <- do.call(rbind, Map(function(values, metric) {
      data.frame(query = names(values), metric = metric,
                 value = json_values(values, metric, lines, file, call))
    }, run, names(run)))
    if (is.null(names(runs))) table else cbind(ranker = name, table)
  }, runs, if (is.null(names(runs))) "" else names(runs))
  do.call(rbind, c(unname(tables), make.row.names = FALSE))
}

ranx_remedy <- "Write the values by `json.dump({run.name: run.scores for run in runs}, file)` in Python."

is_ranx_metric <- function(names) {
  metrics <- c("hits", "hit_rate", "precision", "recall", "f1", "r-precision", "mrr", "map", "dcg",
               "dcg_burges", "ndcg", "ndcg_burges", "bpref", "rbp")
  !is.null(names) & sub("[.@-](l?[0-9]+(-l[0-9]+)?)$", "", names) %in% metrics
}

# {"query_id": "1", "measure": "nDCG@10", "value": 0.5}, an object a line.
parse_json_lines <- function(lines, file, call) {
  rlang::check_installed("jsonlite", "to read values in JSON")
  rows <- lapply(seq_along(lines$text), function(i) {
    row <- tryCatch(jsonlite::parse_json(gsub(":\\s*NaN\\b", ": \"NaN\"", lines$text[i])),
                    error = function(e) NULL)
    if (!is.list(row) || !all(c("query_id", "measure", "value") %in% names(row))) {
      stop_line(file, lines, i, "no object with `query_id`, `measure` and `value`", lines$text[i],
                "Write the lines by `ir_measures -q --output_format jsonl`.", call)
    }
    row
  })
  table <- data.frame(query = vapply(rows, function(row) as.character(row$query_id), ""),
                      metric = vapply(rows, function(row) as.character(row$measure), ""),
                      value = json_values(lapply(rows, `[[`, "value"), "value", lines, file, call))
  table[table$query != "all", , drop = FALSE]
}

# null is a missing value.
json_values <- function(values, metric, lines, file, call) {
  value <- vapply(values, function(one) {
    if (is.null(one)) {
      NA_real_
    } else if (is_plain_number(one)) {
      as.double(one)
    } else {
      if (identical(one, "NaN")) NaN else Inf
    }
  }, 0)
  odd <- which(is.infinite(value))[1L]
  if (!is.na(odd) && is.null(names(values))) {
    stop_line(file, lines, odd, "the value is no number", lines$text[odd], NULL, call)
  }
  if (!is.na(odd)) {
    stop_line(file, lines, 1L, sprintf("`%s` of query `%s` is no number", metric, names(values)[odd]),
              lines$text[1L], ranx_remedy, call)
  }
  unname(value)
}
