# Long sentences and parameters without their default, in help, vignettes and documents.
# tools/prose_limits.csv has the numbers that are left. A number may fall and never rise.
#
#   Rscript tools/check_prose.R [--write | --show]
#
# `--write` writes the numbers of today as limits, but none that is higher than its limit. `--show` prints what
# is counted.

longest_sentence <- 30L  # words

# Text without what is not read as words: code, links, formulas and tables.
plain_text <- function(lines) {
  lines <- lines[!grepl("^\\s*\\|", lines)]
  lines <- sub("^\\s*([*]|[0-9]+\\.|#+) ", "\n\n", lines)
  text <- paste(ifelse(grepl("\\S", lines), lines, "\n\n"), collapse = "\n")
  text <- gsub("\\\\(d?eqn|doi|url|item)(\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*\\})*\\})*\\})+", " x ", text, perl = TRUE)
  text <- gsub("`[^`]*`", "x", text)
  gsub("\\[[^]]*\\](\\([^)]*\\))?", "x", text)
}
sentences_of <- function(lines) {
  text <- gsub("(et al|e\\.g|i\\.e|vs|cf|No|pp)\\.", "\\1", plain_text(lines))
  sentences <- unlist(strsplit(text, "(?<=[.!?:])[\"')]*\\s+|\n\\s*\n", perl = TRUE))
  gsub("\\s+", " ", trimws(sentences))
}
long_sentences <- function(lines) {
  sentences <- sentences_of(lines)
  sentences[lengths(regmatches(sentences, gregexpr("[A-Za-z]+", sentences))) > longest_sentence]
}

# The help of an R file: what roxygen2 makes pages of, without examples and references.
help_of <- function(file) {
  lines <- grep("^#'", readLines(file, warn = FALSE, encoding = "UTF-8"), value = TRUE)
  text <- sub("^#' ?", "", lines)
  # The tag that each line belongs to, "" before the first.
  begins <- grepl("^@[a-zA-Z]+", text)
  part <- c("", sub("^@([a-zA-Z0-9]+).*", "\\1", text[begins]))[cumsum(begins) + 1L]
  text <- sub("^@(param|return|details|section|description|note|seealso)( [A-Za-z0-9_,.]+:?)?", "\n\n", text)
  unread <- c("examples", "examplesIf", "references", "export", "exportS3Method", "rdname", "name", "format", "source",
              "evalRd", "eval")
  text[!(part %in% unread)]
}
without_code <- function(lines) {
  fence <- grepl("^```", lines)
  lines[cumsum(fence) %% 2L == 0L & !fence]
}
vignette_of <- function(file) {
  lines <- readLines(file, warn = FALSE, encoding = "UTF-8")
  header <- which(lines == "---")[1:2]
  without_code(lines[-seq(header[1L], header[2L])])
}
read <- function(files, reader) unlist(lapply(Sys.glob(files), function(f) long_sentences(reader(f))))

# Arguments with a default that is a number, a text or a flag, whose help does not name it.
no_default <- function() {
  unlist(lapply(Sys.glob("man/*.Rd"), function(file) {
    rd <- paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
    usage <- regmatches(rd, regexpr("\\\\usage\\{[^}]*\\}", rd))
    items <- regmatches(rd, gregexpr("\\\\item\\{[A-Za-z0-9_,. ]+\\}\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*\\})*\\})*\\}",
                                     rd, perl = TRUE))[[1L]]
    defaults <- regmatches(usage, gregexpr("[a-z_0-9]+ = (-?[0-9.]+|\"[^\"]*\"|TRUE|FALSE)", usage))
    defaults <- unique(unlist(defaults))
    lacking <- Filter(function(default) {
      name <- sub(" = .*", "", default)
      value <- gsub("\"", "", sub(".* = ", "", default))
      item <- Filter(function(item) name %in% strsplit(sub("\\\\item\\{([^}]*)\\}.*", "\\1", item), ", *")[[1L]], items)
      length(item) > 0L && !any(grepl("default", item)) && !any(grepl(value, item, fixed = TRUE))
    }, defaults)
    if (length(lacking) > 0L) paste(basename(file), lacking)
  }))
}

found <- list(
  `long sentences: help` = read("R/*.R", help_of),
  `long sentences: vignettes` = read(c("vignettes/*.Rmd", "vignettes/articles/*.Rmd"), vignette_of),
  `long sentences: documents` = read(c("ARCHITECTURE.md", "CONTRIBUTING.md", "NEWS.md", "README.md"), function(file) {
    without_code(readLines(file, warn = FALSE, encoding = "UTF-8"))
  }),
  `parameters without their default` = no_default()
)
counts <- lengths(found)
if ("--show" %in% commandArgs(TRUE)) {
  for (name in names(found)) writeLines(c(paste("==", name), found[[name]]))
}
file <- "tools/prose_limits.csv"
limits <- if (file.exists(file)) utils::read.csv(file, check.names = FALSE) else {
  data.frame(what = names(counts), limit = counts)
}
limit <- limits$limit[match(names(counts), limits$what)]
if ("--write" %in% commandArgs(TRUE)) {
  utils::write.csv(data.frame(what = names(counts), limit = pmin(counts, limit)), file, row.names = FALSE)
  quit()
}
over <- counts > limit
if (any(over)) {
  stop(paste(sprintf("%s: %d, at most %d are left.", names(counts), counts, limit)[over], collapse = "\n"),
       "\nSee them: Rscript tools/check_prose.R --show", call. = FALSE)
}
cat(sprintf("%d long sentences and %d parameters without their default are left\n", sum(counts[1:3]), counts[4L]))
