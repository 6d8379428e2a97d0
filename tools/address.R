# Adds the address of the repository to the lines that tools/metadata.R makes of DESCRIPTION.

# The URL of the issues is the address of the repository with "/issues".
repository_of <- function(about) {
  if ("BugReports" %in% names(about)) sub("/issues/?$", "", about[["BugReports"]])
}

# `metadata_lines` is the function of tools/metadata.R. The result is that function with the address.
with_address <- function(metadata_lines) {
  force(metadata_lines)
  function() {
    made <- metadata_lines()
    about <- read.dcf("DESCRIPTION")[1L, ]
    repository <- repository_of(about)
    if (is.null(repository)) return(made)
    site <- setdiff(trimws(strsplit(about[["URL"]], ",", fixed = TRUE)[[1L]]), repository)[1L]
    cff <- made$CITATION.cff
    at <- grep("^license:", cff)
    added <- sprintf(c("repository-code: \"%s\"", "url: \"%s\""), c(repository, site))
    made$CITATION.cff <- append(cff, added, at)
    codemeta <- made$codemeta.json
    at <- grep("^  \"license\":", codemeta)
    added <- sprintf(c("  \"codeRepository\": \"%s\",", "  \"issueTracker\": \"%s/issues\",", "  \"url\": \"%s\","),
                     c(repository, repository, site))
    made$codemeta.json <- append(codemeta, added, at)
    made
  }
}
