# CITATION.cff and codemeta.json say what DESCRIPTION and inst/CITATION say.

source("tools/metadata.R")
made <- metadata_lines()
for (file in names(made)) {
  found <- if (file.exists(file)) readLines(file, encoding = "UTF-8")
  if (!identical(enc2utf8(found), enc2utf8(made[[file]]))) {
    stop(file, " is not what DESCRIPTION and inst/CITATION make: `Rscript tools/make_metadata.R`",
         call. = FALSE)
  }
}
cat("CITATION.cff and codemeta.json agree with DESCRIPTION\n")
