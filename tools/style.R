# The style of code and the spelling of prose: lintr on R code, spelling on help, vignettes and documents,
# clang-format on C++ code.
#
#   Rscript tools/style.R [--write]
#
# `--write` formats the C++ code, and adds unknown words to inst/WORDLIST: read the list before you commit it.

write <- "--write" %in% commandArgs(trailingOnly = TRUE)
problems <- character()

# R code. Not checked: names, which generics of other packages decide, and braces of one-line `if`.
linters <- lintr::linters_with_defaults(
  line_length_linter = lintr::line_length_linter(120L), object_name_linter = NULL, object_length_linter = NULL,
  object_usage_linter = NULL, cyclocomp_linter = NULL, commented_code_linter = NULL, brace_linter = NULL
)
for (file in setdiff(Sys.glob(c("R/*.R", "tools/*.R")), "R/RcppExports.R")) {
  found <- as.data.frame(lintr::lint(file, linters = linters, parse_settings = FALSE))
  problems <- c(problems, sprintf("%s:%d: %s", rep(file, nrow(found)), found$line_number, found$message))
}

# Prose.
documents <- c("ARCHITECTURE.md", "CONTRIBUTING.md", "NEWS.md", "README.md", Sys.glob("vignettes/articles/*.Rmd"))
known <- if (file.exists("inst/WORDLIST")) readLines("inst/WORDLIST", encoding = "UTF-8") else character()
unknown <- rbind(spelling::spell_check_package(".", use_wordlist = FALSE),
                 spelling::spell_check_files(documents, lang = "en-GB"))
unknown <- unknown[!unknown$word %in% known, ]
if (write && nrow(unknown) > 0L) {
  writeLines(sort(unique(c(known, unknown$word)), method = "radix"), "inst/WORDLIST", useBytes = TRUE)
} else {
  places <- vapply(unknown$found, function(x) toString(utils::head(x, 3L)), "")
  problems <- c(problems, sprintf("\"%s\" is not in inst/WORDLIST: %s", unknown$word, places))
}

# C++ code. Other versions format a few lines otherwise.
version <- sub(".*version ([0-9]+).*", "\\1", system("clang-format --version", intern = TRUE))
sources <- Sys.glob(c("src/*.cpp", "src/*.h", "src/core/*/*.cpp", "src/core/*/*.h", "tests/cpp/*.cpp", "tests/cpp/*.h"))
sources <- setdiff(sources, "src/RcppExports.cpp")
if (version != "14") {
  message("clang-format 14 is needed, not ", version, ": C++ code is not checked.")
} else if (write) {
  system2("clang-format", c("-i", sources))
} else {
  found <- suppressWarnings(system2("clang-format", c("--dry-run", "-Werror", sources), stderr = TRUE, stdout = TRUE))
  problems <- c(problems, grep("error:", found, value = TRUE))
}

if (length(problems) > 0L) {
  # Longer messages are cut by default.
  options(warning.length = 8170L)
  stop(paste(problems, collapse = "\n"), call. = FALSE)
}
cat(sprintf("Style of %d C++ files and spelling of all documents: good\n", length(sources)))
