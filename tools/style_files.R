# The style of some files, as `make check-style` checks it for all: lintr for R files, clang-format for C++ files.
#
#   Rscript tools/style_files.R FILE...

files <- commandArgs(trailingOnly = TRUE)
problems <- character()

r_files <- grep("[.]R$", files, value = TRUE)
if (length(r_files) > 0L) {
  # tools/style.R has the definition of `linters`. Only that definition is evaluated.
  calls <- as.list(parse("tools/style.R", keep.source = FALSE))
  is_linters <- vapply(calls, function(call) is.call(call) && identical(call[[2L]], as.name("linters")), NA)
  stopifnot(sum(is_linters) == 1L)
  eval(calls[[which(is_linters)]])
  for (file in r_files) {
    found <- as.data.frame(lintr::lint(file, linters = linters, parse_settings = FALSE))
    problems <- c(problems, sprintf("%s:%d: %s", rep(file, nrow(found)), found$line_number, found$message))
  }
}

cpp_files <- grep("[.](h|cpp)$", files, value = TRUE)
if (length(cpp_files) > 0L) {
  version <- if (nzchar(Sys.which("clang-format"))) system2("clang-format", "--version", stdout = TRUE) else "absent"
  if (!any(grepl("version 14[.]", version))) {
    # Other versions format a few lines differently.
    message("clang-format 14 is needed: C++ code is not checked.")
  } else {
    found <- suppressWarnings(system2("clang-format", c("--dry-run", "-Werror", shQuote(cpp_files)),
                                      stderr = TRUE, stdout = TRUE))
    problems <- c(problems, grep("error:", found, value = TRUE))
  }
}

if (length(problems) > 0L) stop(paste(problems, collapse = "\n"), call. = FALSE)
cat(sprintf("Style of %d files: good\n", length(r_files) + length(cpp_files)))
