# Factors of sources that are read in chunks. A chunk may lack levels that other chunks have. So the store of columns
# gets the number of each level, in the order in which chunks have the levels. After the last chunk, each level becomes
# a column of 0 and 1, as in ranking data.

# `factors` is TRUE for all columns of strings that are features, or has the names of columns.
check_factors <- function(factors, call) {
  if (isTRUE(factors) || isFALSE(factors) || is.character(factors) && length(factors) > 0L && !anyNA(factors)) {
    return(factors)
  }
  stop_input("argument", sprintf("`factors` must be TRUE, FALSE or names of columns, not %s.", show_value(factors)),
             call = call)
}

# The names among `features` that become factors.
factor_columns <- function(frame, features, factors) {
  if (is.character(factors)) {
    return(intersect(factors, features))
  }
  features[factors & vapply(as.list(frame)[features], is.character, NA)]
}

check_factors_are_features <- function(factors, features, call) {
  lacking <- if (is.character(factors)) setdiff(factors, features)
  if (length(lacking) > 0L) {
    near <- near_names(lacking[1L], features)
    stop_input("argument", sprintf("`factors` names the column `%s`, which is not a feature.", lacking[1L]),
               remedy = if (length(near) == 1L) sprintf("Did you mean `%s`?", near) else "Name columns of features.",
               call = call)
  }
}

# Levels are in the order of their names, which does not depend on the locale.
factor_of_strings <- function(x) {
  if (is.factor(x)) {
    return(x)
  }
  strings <- enc2utf8(text_of_levels(x))
  factor(strings, sort(unique(strings), method = "radix"))
}

# Numbers have the same text in any chunk: 100000, not 1e+05.
text_of_levels <- function(x) {
  if (!is.numeric(x) || is.factor(x) || inherits(x, c("Date", "POSIXct", "difftime"))) {
    return(as.character(x))
  }
  text <- id_text(x)
  if (!inherits(x, "integer64")) text[is.na(x)] <- NA
  text
}

strings_as_factors <- function(frame, features, factors) {
  named <- factor_columns(frame, features, factors)
  frame[named] <- lapply(as.list(frame)[named], factor_of_strings)
  frame
}

# A factor without levels has no columns. In a chunk whose values are all missing, it gets one level, so that its
# values stay missing.
with_some_level <- function(frame, features) {
  empty <- features[vapply(as.list(frame)[features], function(x) is.factor(x) && nlevels(x) == 0L, NA)]
  frame[empty] <- lapply(as.list(frame)[empty], factor, levels = "")
  frame
}

# Collects levels over all chunks. `like` is the encoding of other data whose levels are kept: other levels are missing
# values then.
#   code(frame, features, call)  the chunk with the number of the level in place of each factor
#   found()                      a list with `levels`, `ordered` and `differ` for each factor
#   unseen()                     for each factor of `like` its levels that `like` lacks
level_gatherer <- function(like = NULL) {
  like <- stats::setNames(as.list(like), encoded_columns(like))
  kinds <- character()
  found <- list()
  unseen <- list()
  code <- function(frame, features, call) {
    for (name in features) {
      kind <- kind_of_column(frame[[name]])
      if (kind == "missing") next
      check_same_kind(name, kind, kinds[name], call)
      kinds[name] <<- kind
      if (kind == "factor") frame[[name]] <- code_of(name, frame[[name]], call)
    }
    frame
  }
  code_of <- function(name, column, call) {
    own <- enc2utf8(levels(column))
    known <- like[[name]]
    if (!is.null(known) && !is_time_entry(known)) {
      found[[name]] <<- list(levels = known$levels, ordered = known$ordered, differ = FALSE)
      present <- own[tabulate(column, nlevels(column)) > 0L]
      unseen[[name]] <<- union(unseen[[name]], setdiff(present, known$levels))
    } else {
      found[[name]] <<- joined_levels(name, found[[name]], own, is.ordered(column), call)
    }
    as.double(match(own, found[[name]]$levels)[as.integer(column)])
  }
  list(code = code, found = function() found, unseen = function() unseen)
}

kind_of_column <- function(column) {
  if (is.factor(column)) {
    return("factor")
  }
  if (length(column) > 0L && is.na(column[1L]) && all(is.na(column))) "missing" else "number"
}

check_same_kind <- function(name, kind, before, call) {
  if (!is.na(before) && kind != before) {
    words <- c(factor = "a factor or strings", number = "numbers")
    stop_input("feature", sprintf("`%s` has %s, but %s in the chunks before.", name, words[kind], words[before]),
               remedy = sprintf("Write `factors = \"%s\"` if all its values are names of levels.", name), call = call)
  }
}

joined_levels <- function(name, before, own, ordered, call) {
  if (is.null(before)) {
    before <- list(levels = own, first = own, ordered = ordered, differ = FALSE)
  }
  before$differ <- before$differ || !identical(own, before$first)
  before$levels <- union(before$levels, own)
  if (ordered != before$ordered || ordered && before$differ) stop_ordered_levels(name, call)
  if (!ordered && length(before$levels) > max_levels) {
    stop_input("feature", sprintf("The factor `%s` has more than %s levels.", name, format_count(max_levels)),
               remedy = c("Leave it out if it is an id.", "Otherwise join rare levels in the source."), call = call)
  }
  before
}

stop_ordered_levels <- function(name, call) {
  stop_input("feature", sprintf("The ordered factor `%s` does not have the same levels in all chunks.", name),
             remedy = "Give it all levels in their order: `factor(x, levels = , ordered = TRUE)`.", call = call)
}

# Levels that differ between chunks are in the order of their names.
final_levels <- function(entry) if (entry$differ) sort(entry$levels, method = "radix") else entry$levels

# The factors of all ranks with the levels of all ranks.
agreed_levels <- function(found, cluster, call) {
  if (is.null(cluster)) {
    return(lapply(found, function(entry) list(levels = final_levels(entry), ordered = entry$ordered)))
  }
  own <- list(names(found), vapply(found, function(entry) paste(entry$ordered, entry$differ, length(entry$levels)), ""),
              unlist(lapply(found, `[[`, "levels")))
  ranks <- lapply(cluster_gather(cluster, vectors_to_raw(lapply(own, as.character))), function(raw) {
    levels_of_rank(raw_to_vectors(raw, names = c("columns", "facts", "levels")))
  })
  all <- list()
  for (rank in ranks) {
    for (name in names(rank)) {
      entry <- rank[[name]]
      all[[name]] <- joined_levels(name, all[[name]], entry$levels, entry$ordered, call)
      all[[name]]$differ <- all[[name]]$differ || entry$differ
    }
  }
  agreed_levels(all, NULL, call)
}

levels_of_rank <- function(texts) {
  facts <- strsplit(texts$facts, " ", fixed = TRUE)
  sizes <- as.integer(vapply(facts, `[`, "", 3L))
  ends <- cumsum(sizes)
  stats::setNames(lapply(seq_along(facts), function(k) {
    list(levels = texts$levels[seq.int(to = ends[k], length.out = sizes[k])], ordered = facts[[k]][1L] == "TRUE",
         differ = facts[[k]][2L] == "TRUE")
  }), texts$columns)
}

# Replaces each stored factor by columns of 0 and 1. `rows` has the schema of the stored columns, and `missing` their
# numbers of missing values. Returns both for the features, and the stored `columns` of the features.
expand_factors <- function(rows, missing, store, cluster, call) {
  levels <- agreed_levels(rows$levels$found(), cluster, call)
  columns <- as.list(seq_along(rows$schema$features))
  names(columns) <- rows$schema$features
  encoding <- rows$schema$encoding
  features <- columns
  features[] <- names(columns)
  for (name in intersect(names(columns), names(levels))) {
    entry <- factor_encoding(name, levels[[name]]$levels, levels[[name]]$ordered)
    encoding <- c(encoding, list(entry))
    features[[name]] <- entry$features
    if (!entry$ordered) {
      codes <- match(entry$levels, rows$levels$found()[[name]]$levels, nomatch = 0L)
      first <- store_indicators(store$pointer, columns[[name]], as.double(codes))
      missing <- c(missing, rep(missing[columns[[name]]], length(codes)))
      columns[[name]] <- seq.int(first, length.out = length(codes))
    }
  }
  rows$schema$features <- check_names(unlist(features, use.names = FALSE), call)
  rows$schema$encoding <- encoding[order(match(encoded_columns(encoding), names(columns)))]
  rows$columns <- unlist(columns, use.names = FALSE)
  warn_unseen_levels(rows$levels$unseen())
  list(rows = rows, missing = missing)
}

warn_unseen_levels <- function(unseen) {
  for (name in names(unseen)) {
    if (length(unseen[[name]]) > 0L) {
      warn_input("newdata", sprintf("`%s` has levels that `like` does not have: %s.", name, enumerate(unseen[[name]])),
                 remedy = "They are treated as missing values.")
    }
  }
}
