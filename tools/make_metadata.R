# Writes CITATION.cff and codemeta.json, by `make docs`; tools/check_metadata.R reminds.

source("tools/metadata.R")
made <- metadata_lines()
for (file in names(made)) writeLines(enc2utf8(made[[file]]), file, useBytes = TRUE)
