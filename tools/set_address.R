# Writes the public address of the repository into all files that have one.
#
#   Rscript tools/set_address.R OWNER/REPOSITORY [SITE]
#
# SITE is the address of the site, by default https://OWNER.github.io/REPOSITORY/. The files are DESCRIPTION (URL and
# BugReports), _pkgdown.yml, CITATION.cff, codemeta.json, the badges of README.md, and the links of the issue forms. A
# second run replaces the address of the first run.

arguments <- commandArgs(trailingOnly = TRUE)
if (!length(arguments) %in% 1:2 || !grepl("^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$", arguments[1L])) {
  stop("Give the repository, and the address of the site if it is elsewhere: ",
       "Rscript tools/set_address.R OWNER/REPOSITORY [SITE]", call. = FALSE)
}
owner <- dirname(arguments[1L])
repository <- paste0("https://github.com/", arguments[1L])
site <- c(arguments, sprintf("https://%s.github.io/%s/", owner, basename(arguments[1L])))[2L]
if (!grepl("^https?://[^ ]+$", site)) stop("The address of the site must begin with https://.", call. = FALSE)
issues <- paste0(repository, "/issues")

read <- function(file) readLines(file, encoding = "UTF-8")
write <- function(lines, file) writeLines(enc2utf8(lines), file, useBytes = TRUE)
# Lines `new` in place of the lines that match `old`, or after the line that matches `after`.
put <- function(lines, old, new, after) {
  lines <- lines[!grepl(old, lines)]
  at <- grep(after, lines)
  if (length(at) != 1L) stop("One line should match ", after, ".", call. = FALSE)
  append(lines, new, at)
}

fields <- c(sprintf("URL: %s, %s", site, repository), paste("BugReports:", issues))
write(put(read("DESCRIPTION"), "^(URL|BugReports):", fields, "^License:"), "DESCRIPTION")
write(put(read("_pkgdown.yml"), "^url:", paste("url:", site), "^title:"), "_pkgdown.yml")

# The badges are between two comments.
readme <- read("README.md")
ends <- match(c("<!-- badges: start -->", "<!-- badges: end -->"), readme)
if (anyNA(ends)) stop("README.md has no place for badges.", call. = FALSE)
workflows <- c("R-CMD-check", "sanitizers", "lint", "test-coverage")
pages <- sprintf("%s/actions/workflows/%s.yaml", repository, workflows)
badges <- c(sprintf("[![%s](%s/badge.svg)][%s]", workflows, pages, workflows), "",
            sprintf("[%s]: %s", workflows, pages))
write(c(readme[seq_len(ends[1L])], badges, readme[ends[2L]:length(readme)]), "README.md")

write(c(
  "# Written by tools/set_address.R.", "blank_issues_enabled: true", "contact_links:",
  "  - name: How do I ...?", sprintf("    url: %s", site), "    about: Read the guides and recipes first.",
  "  - name: A security problem", sprintf("    url: %s/security/advisories/new", repository),
  "    about: Report it privately."
), ".github/ISSUE_TEMPLATE/config.yml")

# From now on, tools/metadata.R includes the address.
metadata <- read("tools/metadata.R")
if (!any(grepl("with_address", metadata, fixed = TRUE))) {
  hook <- c("", "# The address of the repository, which tools/set_address.R wrote to DESCRIPTION.",
            "source(\"tools/address.R\")", "metadata_lines <- with_address(metadata_lines)")
  write(c(metadata, hook), "tools/metadata.R")
}
source("tools/make_metadata.R")

cat(sprintf("The repository is %s, and the site is %s\n", repository, site))
