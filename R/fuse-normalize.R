# The normalization of scores, and the treatment of documents that a list lacks. The core computes
# them (src/core/mix/fuse.h).

normalizations <- c("min_max", "sum", "max", "z", "rank", "borda", "none")

# Normalizations that compute with scores, which must be finite.
calculating <- c("min_max", "sum", "max", "z", "none")

# The rules of a method, completed by `value`, the normalization, and `missing`.
settle_value <- function(rules, method, normalize, missing, call = rlang::caller_env()) {
  if (rules$kind != "scores") {
    if (!is.null(normalize)) {
      stop_input("option", sprintf("`%s` does not support `normalize`: it uses only ranks.",
                                   format(method)),
                 remedy = "Leave `normalize` out, or fuse scores, by `fuse_comb_sum()` or others.",
                 call = call)
    }
  } else {
    rules$value <- if (is.null(normalize)) "min_max" else normalize
    check_choice(rules$value, "normalize", normalizations, call)
    if (rules$value %in% c("z", "borda")) {
      # With these normalizations 0 is the middle of a list, or below its end, so 0 cannot be the
      # score of a missing document.
      rules$missing <- "last"
    }
  }
  if (!is.null(missing)) {
    # In majority votes there is no score 0 for a missing document.
    check_choice(missing, "missing",
                 c("skip", if (rules$kind != "majority") "zero", "last"), call)
    rules$missing <- missing
  }
  rules
}

check_finite_scores <- function(lists, call = rlang::caller_env()) {
  bad <- which(is.infinite(lists$scores))[1L]
  if (is.na(bad)) {
    return(invisible(lists))
  }
  row <- (bad - 1L) %% nrow(lists$scores) + 1L
  ranker <- lists$rankers[(bad - 1L) %/% nrow(lists$scores) + 1L]
  stop_input(
    "scores",
    sprintf("A score of `%s` is infinite, but the method needs finite scores.", ranker),
    if (lists$by == "data") {
      sprintf("Row %d, query %s.", row, id_text(lists$query_ids[lists$query[row]]))
    } else {
      sprintf("Document `%s` of query `%s`.", lists$document[row],
              id_text(lists$query_ids[lists$query[row]]))
    },
    "Use ranks: `normalize = \"rank\"`, or a method such as `fuse_rrf()`.",
    call = call
  )
}
