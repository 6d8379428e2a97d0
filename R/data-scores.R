#' Files of scores
#'
#' Reads or writes one score per line, in the order of the documents. RankLib, LightGBM and the evaluation
#' scripts of LETOR use this format.
#'
#' @param file The path of a text file. Files to read may be compressed (`.gz`).
#' @param x The numeric scores, without missing values.
#'
#' @details Scores are written with 17 significant digits and read with the rounding of the C
#'   function `strtod()`. So scores are read back identically, including infinite scores and negative
#'   zeros. Empty lines are skipped.
#'
#' @return `read_scores()`: a numeric vector. `write_scores()`: `file`,
#'   invisibly. An existing file is replaced only after everything has been written.
#' @section Conditions: `rankmix_error_parse` with the fields `file`, `line` and
#'   `found`: a line is not one number. `rankmix_error_scores`: missing scores.
#'   `rankmix_error_file`: the file cannot be read or written.
#'   `rankmix_error_empty`: the file has no line.
#' @examples
#' file <- tempfile()
#' write_scores(c(0.1, 1 / 3, -2e-300), file)
#' identical(read_scores(file), c(0.1, 1 / 3, -2e-300))
#' @export
read_scores <- function(file) {
  check_given(missing(file), "file", "Give the path of a file of scores.")
  read_fields(file, "d", "Write one number per line.")[[1L]]
}

#' @rdname read_scores
#' @export
write_scores <- function(x, file) {
  check_all_given()
  write_text(exact_text(check_run_scores(x, rlang::current_env())), file)
}
